"""The audit of a whole store: sound stores are sound, whatever was done to one is found, and nothing is changed."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.bundles.archiving import archive_match, build_sealed_bundler, put_match_to_sleep
from referee.audit.checks.findings import AuditReport, FindingKind
from referee.audit.reporting import render_report, report_to_dict
from referee.audit.store_audit import ReadOnlyPublisher, StoreAuditor
from referee.eventstore.contract import MatchLog, Snapshot
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.root_publisher import KEYS_GROUP, RootPublisher
from referee.infrastructure.watermarks.mark_file import Mark
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.repository.matches import SNAPSHOT_RULES, encode_snapshot
from referee.transparency.key_chain import ChainKey, RootLeaf
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash
from tests.audit import house
from tests.service.house import end_agreed_by_all

GAME = "monster_combat"


class Bench:
    """A store with a match that is over, one under way and one in the archive, and who audits it."""

    def __init__(self, folder: Path) -> None:
        self.archive, self.log = Archive(folder / "archive"), MemoryLog()
        self.marks: dict[str, Mark] = {}
        self.service = house.service(attach_archive(self.log, self.archive))
        self.publisher = RootPublisher(self.service.log, house.SIGNER, house.STORE)
        self.over, self.running, self.filed = self.opened("over"), self.opened("running"), self.opened("filed")
        for match in (self.over, self.filed):
            self.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
        loaded = self.service.load_match(self.over)
        self.publisher.publish_root(RootLeaf(self.over, loaded.version, loaded.head.root, loaded.match.status))
        assert (
            archive_match(self.service, self.archive, self.filed, build_sealed_bundler(self.publisher), now=True)
            == "archived"
        )

    def opened(self, key: str) -> str:
        chairs = (SeatAssignment("table"), SeatAssignment("table"))
        match = self.service.open_match(
            commands.OpenMatch(GAME, "V1", {}, {"deck": "server"}, chairs, "private"), key * 8
        ).match.id
        self.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
        return match

    @property
    def auditor(self) -> StoreAuditor:
        """A fresh one: what it reads it keeps."""
        log = attach_archive(self.log, self.archive)
        looking = ReadOnlyPublisher(log, house.SIGNER, house.STORE)
        return StoreAuditor(house.service(log), self.archive, looking, marks=self.marks)

    def report(self, match: str, *receipts: str) -> AuditReport:
        return self.auditor.audit_match(match, receipts)

    def change(self, match: str, version: int, **parts: bytes) -> None:
        """Changes an entry where it is stored."""
        kept = self.log._matches[match].log
        kept[version - 1] = replace(kept[version - 1], **parts)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def kinds(report: AuditReport) -> set[tuple[FindingKind, str]]:
    for finding in report.findings:
        assert set(finding.render_texts()) == {"en", "de"}
    for lang in ("en", "de"):
        assert list(render_report(report, lang))
    assert report_to_dict(report)["exit_code"] == report.exit_code
    return {(finding.kind, finding.key) for finding in report.findings}


def test_a_sound_store_is_sound_and_is_left_as_it_was(bench: Bench) -> None:
    before = (
        deepcopy(bench.log._matches),
        bench.log.read_roots_head(),
        bench.log.read_partition_info(int(bench.running[:2])),
    )
    auditor = bench.auditor
    assert set(auditor.iterate_matches()) == {bench.over, bench.running, bench.filed}
    assert list(auditor.iterate_matches()) == sorted(auditor.iterate_matches())
    reports = [auditor.audit_match(name) for name in auditor.iterate_matches()]
    assert [report.findings for report in reports] == [()] * 3
    assert {report.exit_code for report in reports} == {0}
    assert all(report.trusted and report.checks[-1].name == "store" for report in reports)
    assert (auditor.leaves.report.findings, auditor.leaves.report.size) == ((), 3)
    running = next(report for report in reports if report.match == bench.running)
    assert {check.name: check.state for check in running.checks}["chance"] == "done", "the host knows his own secrets"
    assert (
        bench.log._matches,
        bench.log.read_roots_head(),
        bench.log.read_partition_info(int(bench.running[:2])),
    ) == before


def test_a_clock_that_has_run_out_is_left_to_the_table(bench: Bench) -> None:
    chairs = (SeatAssignment("human"), SeatAssignment("human"))
    ask = commands.OpenMatch(GAME, "V1", {}, {"deck": "server"}, chairs, "private")
    match = bench.service.open_match(replace(ask, clocks=replace(ask.clocks, move_ms=1000)), "clocked-match").match.id
    for seat in (0, 1):
        bench.service.execute_command(match, commands.TakeSeat(seat), key=f"sit-{seat}", scope="host")
    version = bench.service.execute_command(match, commands.StartMatch(), key="start", scope="host").version
    assert bench.report(match).is_sound
    assert bench.log.read(match, limit=0).head.version == version


def flipped(given: bytes) -> bytes:
    whole = bytearray(given)
    whole[len(whole) // 2] ^= 1
    return bytes(whole)


@pytest.mark.parametrize(
    ("part", "kind"), [("envelope", FindingKind.ROOT), ("sealed", FindingKind.OPENING), ("root", FindingKind.ROOT)]
)
@pytest.mark.parametrize("whose", ["over", "running"])
def test_a_flipped_byte_in_the_store_is_found_whatever_became_of_the_match(
    bench: Bench, whose: str, part: str, kind: FindingKind
) -> None:
    match = getattr(bench, whose)
    entry = bench.log.read_entries(match)[2]
    bench.change(match, 3, **{part: flipped(getattr(entry, part))})
    assert kind in {found for found, _ in kinds(bench.report(match))}
    other = bench.running if whose == "over" else bench.over
    assert bench.report(other).is_sound, "and the others are not suspected"


def test_an_entry_that_is_gone_and_a_log_that_is_gone_are_found(bench: Bench) -> None:
    del bench.log._matches[bench.running].log[1]
    assert (FindingKind.VERSION, "store.missing") in kinds(bench.report(bench.running))
    del bench.log._matches[bench.running]
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.no_log")}
    del bench.log._matches[bench.over]
    assert kinds(bench.report(bench.over)) == {(FindingKind.PUBLISHED, "store.vanished")}


def rolled_back(bench: Bench, match: str, to: int) -> None:
    """Takes the last entries away and lets the head fit those that are left."""
    kept = bench.log._matches[match]
    del kept.log[to:]
    frontier: tuple[bytes, ...] = ()
    for at, entry in enumerate(kept.log):
        frontier = extend_frontier(frontier, at, leaf_hash(entry.envelope))
    kept.head = replace(kept.head, version=to, frontier=frontier, root=compute_root(frontier, to))


def test_a_match_that_was_rolled_back_is_found_by_feed_receipt_and_published_root(bench: Bench) -> None:
    loaded = bench.service.load_match(bench.running)
    receipt = house.SIGNER.sign_receipt(f"{house.STORE}/{bench.running}", loaded.version, loaded.head.root)
    rolled_back(bench, bench.running, 2)
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.feed_beyond")}
    assert (FindingKind.FORK, "receipt.beyond") in kinds(bench.report(bench.running, receipt))
    rolled_back(bench, bench.over, 1)
    assert (FindingKind.PUBLISHED, "published.beyond") in kinds(bench.report(bench.over))


def test_a_match_that_lacks_what_was_signed_is_found_by_its_mark(bench: Bench) -> None:
    loaded = bench.service.load_match(bench.running)
    roots = bench.log.read_roots_head()
    bench.marks = {
        bench.running: Mark(loaded.version, loaded.head.root),
        bench.filed: Mark(1, bench.service.log.read_entries(bench.filed)[0].root),
        "roots": Mark(roots.size, roots.root),
    }
    assert all(bench.report(match).is_sound for match in bench.auditor.iterate_matches())
    assert list(bench.auditor.check_roots_mark()) == []
    bench.marks["roots"] = Mark(roots.size + 1, roots.root)
    assert [(each.kind, each.key) for each in bench.auditor.check_roots_mark()] == [(FindingKind.STORE, "roots.signed")]
    bench.marks[bench.running] = Mark(loaded.version, bytes(32))
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.signed_other")}
    bench.marks[bench.running] = Mark(loaded.version + 1, bytes(32))
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.signed_beyond")}
    gone = "00-" + 26 * "a"
    bench.marks = {gone: Mark(3, bytes(32))}
    assert gone in bench.auditor.iterate_matches()
    assert kinds(bench.report(gone)) == {
        (FindingKind.STORE, "store.no_log"),
        (FindingKind.STORE, "store.signed_beyond"),
    }


def test_a_sleeping_match_without_its_file_or_with_a_damaged_one_is_found(bench: Bench) -> None:
    bundling = build_sealed_bundler(bench.publisher)
    assert put_match_to_sleep(bench.service, bench.archive, bench.running, bundling, 10**15) == "asleep"
    assert bench.report(bench.running).is_sound
    path = bench.archive.path_for(bench.running)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    bench.marks = {bench.running: Mark(1, bytes(32))}
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.sleeping")}
    path.unlink()
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.sleeping")}


def test_a_head_that_tells_otherwise_a_frozen_match_and_an_old_snapshot_are_found(bench: Bench) -> None:
    kept = bench.log._matches[bench.running]
    head = kept.head
    kept.head = replace(head, root=bytes(32))
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.head")}
    kept.head = head
    loaded = bench.service.load_match(bench.running)
    sound = encode_snapshot(loaded.head.root, loaded.match)
    assert bench.log.save_snapshot(bench.running, Snapshot(loaded.version, SNAPSHOT_RULES, sound))
    assert bench.report(bench.running).is_sound
    other = encode_snapshot(loaded.head.root, bench.service.load_match(bench.over).match)
    kept.snapshot = Snapshot(loaded.version, SNAPSHOT_RULES, other)
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.snapshot")}
    kept.snapshot = None
    bench.log.freeze_match(bench.running)
    assert kinds(bench.report(bench.running)) == {(FindingKind.STORE, "store.frozen")}


def test_an_archived_match_without_its_file_or_with_another_is_found(bench: Bench) -> None:
    path = bench.archive.path_for(bench.filed)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert kinds(bench.report(bench.filed)) == {(FindingKind.UNREADABLE, "unreadable")}
    path.write_bytes(whole)
    assert bench.report(bench.filed).is_sound
    other = [line.replace(b'"abandoned"', b'"withdrawn"') for line in bench.archive.read_lines(bench.filed)]
    bench.archive.write_bundle(bench.filed, other)
    assert bench.report(bench.filed).exit_code in (FindingKind.VERSION, FindingKind.ROOT)
    path.unlink()
    assert kinds(bench.report(bench.filed)) == {(FindingKind.STORE, "store.archive")}


def test_a_key_that_nothing_vouches_for_and_a_leaf_that_was_changed_are_told(bench: Bench) -> None:
    RootPublisher(bench.log, house.OTHER, house.STORE).ensure_key_published()
    assert kinds(bench.auditor.leaves.report) == {(FindingKind.KEY, "roots.key")}
    bench.log._roots = replace(bench.log._roots, root=bytes(32))
    assert (FindingKind.STORE, "roots.tree") in kinds(bench.auditor.leaves.report)


def test_a_key_that_was_never_published_is_told_and_not_published(bench: Bench) -> None:
    log: MatchLog = bench.log
    auditor = StoreAuditor(bench.service, bench.archive, ReadOnlyPublisher(log, house.OTHER, house.STORE))
    assert kinds(auditor.leaves.report) == {(FindingKind.KEY, "roots.signer")}
    assert log.find_root_leaf(KEYS_GROUP, 2) is None
    assert isinstance(ReadOnlyPublisher(log, house.OTHER, house.STORE).ensure_key_published()[0], ChainKey)


def test_a_receipt_of_a_match_that_the_store_does_not_have_is_told(bench: Bench) -> None:
    gone = f"07-{'z' * 26}"
    ours = house.SIGNER.sign_receipt(f"{house.STORE}/{gone}", 5, bytes(32))
    forged = house.OTHER.sign_receipt(f"{house.STORE}/{gone}", 5, bytes(32))
    elsewhere = house.OTHER.sign_receipt(f"elsewhere/{gone}", 5, bytes(32))
    here = house.SIGNER.sign_receipt(f"{house.STORE}/{bench.over}", 5, bytes(32))
    found = bench.auditor.check_kept_notes([ours, forged, elsewhere, here], ())
    assert [(each.kind, each.key) for each in found] == [
        (FindingKind.FORK, "store.lost"),
        (FindingKind.SIGNATURE, "receipt.unsigned"),
    ]
    assert all(gone in text for each in found for text in each.render_texts().values())


def test_yesterdays_checkpoint_of_the_root_log_shows_that_it_was_rolled_back_or_changed(bench: Bench) -> None:
    yesterday = [bench.publisher.sign_checkpoint(size)[2] for size in (1, 2)]
    assert bench.auditor.check_kept_notes((), yesterday) == []
    size = bench.log.read_roots_head().size
    beyond = house.SIGNER.sign_receipt(f"{house.STORE}/roots", size + 1, bytes(32))
    other = house.SIGNER.sign_receipt(f"{house.STORE}/roots", size, bytes(32))
    forged = house.OTHER.sign_receipt(f"{house.STORE}/roots", size, bytes(32))
    found = bench.auditor.check_kept_notes((), [beyond, other, forged])
    assert {(each.kind, each.key) for each in found} == {
        (FindingKind.FORK, "compare.rolled_back"),
        (FindingKind.FORK, "store.roots_other"),
        (FindingKind.SIGNATURE, "compare.unsigned"),
    }
    assert all(each.render_texts()["de"] for each in found)
