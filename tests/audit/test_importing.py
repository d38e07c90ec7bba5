"""Matches from elsewhere: taken in once they are verified, read here as there, and never mixed up with others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.audit.bundles.export import PUBLIC, SEALED, WHOLE, build_bundle_lines, collect_bundle_metadata
from referee.audit.bundles.format import Bundle, decode_bundle, encode_bundle
from referee.audit.bundles.importing import ALREADY, IMPORTED, ImportRejected, MatchImporter
from referee.audit.checks.verifier import check_bundle
from referee.audit.store_audit import ReadOnlyPublisher, StoreAuditor
from referee.cli.commands.histories.import_ import AUDITOR_RIGHTS, grant_auditor_token
from referee.eventstore.contract import Head
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.archives.provenance import FederatedRandomSource, OriginStore, build_origin_aware_signer
from referee.infrastructure.root_publisher import RootPublisher
from referee.service.match_service import MatchService
from referee.service.rights.tokens import Grant
from tests.api import house as api_house
from tests.api.house import Person
from tests.audit import house
from tests.service.house import identify

HERE = "the-store-here"


class Server:
    """Another server than the one where the match was played: other keys, another secret, another name."""

    def __init__(self, folder: Path) -> None:
        self.memory, self.archive = MemoryLog(), Archive(folder / "archive")
        self.log, self.origins = attach_archive(self.memory, self.archive), OriginStore(self.archive)
        self.publisher = RootPublisher(self.log, house.OTHER, HERE)
        self.publisher.ensure_key_published()

    @property
    def service(self) -> MatchService:
        own = lambda match, size, root: house.OTHER.sign_receipt(f"{HERE}/{match}", size, root)  # noqa: E731
        draws = FederatedRandomSource(bytes(range(64, 96)), self.origins)
        return MatchService(self.log, draws, build_origin_aware_signer(own, self.origins), lambda _: None, identify)

    @property
    def importing(self) -> MatchImporter:
        return MatchImporter(self.log, self.archive, HERE, [house.OTHER.public])

    def bundle(self, match: str, viewer: str) -> Bundle:
        return decode_bundle(
            encode_bundle(
                build_bundle_lines(self.service, match, viewer, collect_bundle_metadata(self.publisher, self.origins))
            )
        )

    def left(self) -> Any:
        files = {path.name: path.read_bytes() for path in self.archive.folder.rglob("*") if path.is_file()}
        return dict(self.memory._matches), {name: kept for name, kept in files.items() if name != ".lock"}


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def test_a_match_from_elsewhere_is_read_here_and_its_bundles_are_those_of_its_own_server(server: Server) -> None:
    there = house.finished()
    match = there.header.match
    state, report = server.importing.import_match(there, [house.SIGNER.public])
    assert (state, report.is_sound, report.trusted) == (IMPORTED, True, True)
    loaded = server.service.load_match(match)
    assert (loaded.match.status, loaded.version) == (there.header.status, there.header.size)
    whole = server.bundle(match, WHOLE)
    made = {"made_ms": there.header.made_ms, "program": there.header.program}
    assert replace(whole, header=replace(whole.header, **made)) == there
    for viewer in (PUBLIC, "0", "1", WHOLE, SEALED):
        again = check_bundle(server.bundle(match, viewer), [house.SIGNER.public])
        assert (again.findings, again.trusted) == ((), True), viewer
    auditor = StoreAuditor(server.service, server.archive, ReadOnlyPublisher(server.log, house.OTHER, HERE))
    assert list(auditor.iterate_matches()) == [match]
    assert auditor.audit_match(match).findings == ()
    assert server.memory.read_feed(int(match[:2]), 0) == (), "no table, ladder or lobby here hears of it"


def test_the_same_file_twice_changes_nothing_and_a_lost_file_comes_back(server: Server) -> None:
    there = house.finished()
    assert server.importing.import_match(there)[0] == IMPORTED
    before = server.left()
    assert server.importing.import_match(there)[0] == ALREADY
    assert server.left() == before
    server.archive.path_for(there.header.match).unlink()
    assert server.importing.import_match(there)[0] == ALREADY
    assert server.left() == before


def test_whoever_is_killed_on_the_way_leaves_nothing_that_counts(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = house.finished()

    def killed(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(MemoryLog, "add_tombstone", killed)
        with pytest.raises(KeyboardInterrupt):
            server.importing.import_match(there)
    assert server.memory.read(there.header.match).head is None
    assert server.importing.import_match(there)[0] == IMPORTED
    assert server.service.load_match(there.header.match).version == there.header.size


def refused(server: Server, bundle: Bundle, why: str, *trusted: bytes) -> None:
    before = server.left()
    with pytest.raises(ImportRejected) as found:
        server.importing.import_match(bundle, trusted)
    assert found.value.reason == why
    assert server.left() == before, "nothing is left of it"


def test_what_is_unsound_or_partial_or_runs_or_of_another_key_is_refused(server: Server) -> None:
    at, match = house.played("monster_combat", most=10, seed=7)
    refused(server, house.bundled(at, match, SEALED), "running")
    there = house.finished()
    refused(server, replace(there, entries=there.entries[:-1]), "unsound")
    parts = tuple(replace(line, parts=()) for line in there.entries)
    public = replace(there, header=replace(there.header, eyes=PUBLIC), entries=parts, secrets=(), draws=())
    refused(server, public, "partial")
    refused(server, there, "unsound", house.OTHER.public)


def test_a_name_that_is_taken_by_another_history_stays_as_it_is(server: Server) -> None:
    there = house.finished()
    assert server.memory.add_tombstone(there.header.match, Head(3, bytes(32), (), "archived", 0, "", "printed"))
    refused(server, there, "other")


def test_who_is_let_in_reads_all_of_it_by_the_api_and_nobody_writes(server: Server) -> None:
    there = house.finished()
    match = there.header.match
    server.importing.import_match(there)
    assert Grant.decode(AUDITOR_RIGHTS) == Grant("auditor")
    token = grant_auditor_token(server.log, match, bytes(32))
    assert grant_auditor_token(server.log, match, bytes(32)) == token
    app = api_house.app(
        server.service, BUNDLE_METADATA=lambda: collect_bundle_metadata(server.publisher, server.origins)
    )
    auditor = Person(app.test_client(), token)
    got: Any = auditor.ask("GET", f"/v1/matches/{match}/bundle?viewer=full")
    assert check_bundle(decode_bundle(got.data.splitlines(keepends=True)), [house.SIGNER.public]).is_sound
    told: Any = auditor.ask("GET", f"/v1/matches/{match}/checkpoint")
    assert told.json["origin"] == there.header.origin
    assert told.json["note"] == there.checkpoints[-1].note
    opened: Any = auditor.ask("GET", f"/v1/matches/{match}/openings?viewer=full")
    assert [each["secret"] for each in opened.json["secrets"]] == [line.secret.hex() for line in there.secrets]
    refused_too: Any = auditor.ask("POST", f"/v1/matches/{match}/disputes", {"about": 1, "grounds": "No."})
    assert refused_too.status_code == 403, refused_too.text
