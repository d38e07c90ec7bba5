"""The files of archived matches are whole bundles: whoever checks one needs nothing of the server."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.audit.bundles.archiving import archive_match, build_sealed_bundler
from referee.audit.bundles.export import build_bundle_lines, collect_bundle_metadata
from referee.audit.checks.verifier import check_bundle
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.root_publisher import RootLogError, RootPublisher
from referee.transparency.key_chain import RootLeaf
from tests.audit import house


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


def test_the_file_of_an_archived_match_passes_every_check_and_says_where_its_root_is(archive: Archive) -> None:
    at, match = house.played("monster_combat")
    publisher = RootPublisher(at.log, house.SIGNER, house.STORE)
    version = at.load_match(match).version
    assert archive_match(at, archive, match, build_sealed_bundler(publisher), now=True) == "archived"
    bundle = form.decode_bundle(archive.read_lines(match))
    report = check_bundle(bundle, [house.SIGNER.public])
    assert (report.findings, report.size, report.trusted) == ((), version, True)
    assert [key.public for key in bundle.keys] == [house.SIGNER.public]
    assert (len(bundle.secrets), len(bundle.published), bool(bundle.draws)) == (1, 1, True)
    assert publisher.prove_inclusion(match).data.decode() == bundle.published[0].leaf


def test_bundles_of_an_archived_match_are_those_of_before(archive: Archive) -> None:
    at, match = house.played("monster_combat")
    publisher = RootPublisher(at.log, house.SIGNER, house.STORE)
    loaded = at.load_match(match)
    publisher.publish_root(RootLeaf(match, loaded.version, loaded.head.root, loaded.match.status))
    told = collect_bundle_metadata(publisher)
    viewer = ("public", "0", "1", "full", "sealed")
    before = {who: list(build_bundle_lines(at, match, who, told)) for who in viewer}
    assert archive_match(at, archive, match, build_sealed_bundler(publisher), now=True) == "archived"
    after = house.service(attach_archive(at.log, archive))
    assert {who: list(build_bundle_lines(after, match, who, told)) for who in viewer} == before


def test_a_match_whose_published_root_is_another_is_not_archived(archive: Archive) -> None:
    at, match = house.played("monster_combat")
    publisher, loaded = RootPublisher(at.log, house.SIGNER, house.STORE), at.load_match(match)
    publisher.publish_root(RootLeaf(match, loaded.version, bytes(32), loaded.match.status))
    with pytest.raises(RootLogError):
        archive_match(at, archive, match, build_sealed_bundler(publisher), now=True)
    assert len(at.log.read(match).entries) == loaded.version
