"""The files of archived matches are whole bundles: whoever checks one needs nothing of the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.audit.bundles.archiving import put_away, sealed
from referee.audit.bundles.export import beside, lines
from referee.audit.checks.verifier import checked
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import shelved
from referee.infrastructure.root_publisher import Publisher, RootsDamaged
from referee.transparency.key_chain import RootLeaf
from tests.audit import house


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


def test_the_file_of_an_archived_match_passes_every_check_and_says_where_its_root_is(archive: Archive) -> None:
    at, match = house.played("monster_combat")
    publisher = Publisher(at.log, house.SIGNER, house.STORE)
    version = at.load(match).version
    assert put_away(at, archive, match, sealed(publisher), now=True) == "archived"
    bundle = form.read(archive.lines(match))
    report = checked(bundle, [house.SIGNER.public])
    assert (report.findings, report.size, report.trusted) == ((), version, True)
    assert [key.public for key in bundle.keys] == [house.SIGNER.public]
    assert (len(bundle.secrets), len(bundle.published), bool(bundle.draws)) == (1, 1, True)
    assert publisher.inclusion(match).data.decode() == bundle.published[0].leaf


def test_bundles_of_an_archived_match_are_those_of_before(archive: Archive) -> None:
    at, match = house.played("monster_combat")
    publisher = Publisher(at.log, house.SIGNER, house.STORE)
    loaded = at.load(match)
    publisher.publish(RootLeaf(match, loaded.version, loaded.head.root, loaded.match.status))
    told = beside(publisher)
    eyes = ("public", "0", "1", "full", "sealed")
    before = {who: list(lines(at, match, who, told)) for who in eyes}
    assert put_away(at, archive, match, sealed(publisher), now=True) == "archived"
    after = house.desk(shelved(at.log, archive))
    assert {who: list(lines(after, match, who, told)) for who in eyes} == before


def test_a_match_whose_published_root_is_another_is_not_archived(archive: Archive) -> None:
    at, match = house.played("monster_combat")
    publisher, loaded = Publisher(at.log, house.SIGNER, house.STORE), at.load(match)
    publisher.publish(RootLeaf(match, loaded.version, bytes(32), loaded.match.status))
    with pytest.raises(RootsDamaged):
        put_away(at, archive, match, sealed(publisher), now=True)
    assert len(at.log.read(match).entries) == loaded.version
