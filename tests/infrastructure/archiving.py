"""Archive files for tests whose desk draws as it likes: entries and nothing else, as a sealed bundle has them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.audit.bundles.format import BundleHeader, BundleLine, CheckpointLine, EntryLine, OpenedPart
from referee.audit.checks import randomness
from referee.match.loaded import LoadedMatch
from referee.service.match_service import MatchService


def plain(service: MatchService, loaded: LoadedMatch) -> Iterator[BundleLine]:
    """The lines of a match's file, but for the end."""
    match, version = loaded.match, loaded.version
    note = service.sign(match.id, version, loaded.head.root)
    yield BundleHeader(
        match.id, f"tests/{match.id}", "sealed", match.game, match.variant, match.edition, match.ruleset, match.status,
        version, loaded.read_result.now_ms, "tests",
    )  # fmt: skip
    for entry in service.log.read_entries(match.id, 0, version):
        part = OpenedPart(
            "full",
            randomness.get_salt(service.appender.draws, match.id, 0, entry.version, "full"),
            entry.sealed.decode(),
        )
        yield EntryLine(entry.version, entry.envelope.decode(), entry.root, (part,))
    yield CheckpointLine(note)
