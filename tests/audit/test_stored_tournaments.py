"""Tournaments in a store that is audited and guarded: as matches are, beside matches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.checks.findings import FindingKind
from referee.eventstore.contract import partition_for_match
from referee.infrastructure.integrity_check import (
    check_match,
    find_lost_histories,
    freeze_damaged_matches,
    freeze_lost_matches,
)
from referee.infrastructure.watermarks.guard import HistoryGuard, SignedHistory
from referee.infrastructure.watermarks.mark_file import Mark
from referee.match.errors import MatchUnavailable
from referee.service.tournament_service import TournamentService
from referee.tournament import commands
from referee.transparency.key_chain import RootLeaf
from tests.audit import house
from tests.audit.contest import Contest, play_evening
from tests.audit.test_whole_store import Bench, kinds
from tests.infrastructure.watermarks.test_guard import House
from tests.service.test_tournaments import enter, open_tournament


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def over(bench: Bench) -> Contest:
    return play_evening(bench.log)


@pytest.fixture
def going(bench: Bench) -> Contest:
    it = Contest(bench.log, key="going")
    it.enter(4)
    it.do(commands.StartTournament())
    it.do(commands.PairRound())
    return it


def test_a_sound_store_with_both_is_sound(bench: Bench, over: Contest, going: Contest) -> None:
    loaded = over.at.load(over.id)
    bench.publisher.publish_root(RootLeaf(over.id, loaded.version, loaded.head.root, loaded.state.status))
    assert {over.id, going.id, bench.over} <= set(bench.auditor.iterate_matches())
    for name in bench.auditor.iterate_matches():
        report = bench.report(name)
        assert report.is_sound, report.findings
    states = {each.name: each.state for each in bench.report(going.id).checks}
    assert (states["chance"], states["rules"], states["store"]) == ("done", "done", "done")
    assert {each.name: each.state for each in bench.report(over.id).checks}["published"] == "done"


@pytest.mark.parametrize("part", ["envelope", "sealed"])
def test_a_changed_byte_is_found_by_the_audit_and_at_the_start(
    bench: Bench, over: Contest, going: Contest, part: str
) -> None:
    for it in (over, going):
        at = 3
        kept = getattr(bench.log._matches[it.id].log[at - 1], part)
        bench.change(it.id, at, **{part: kept.replace(b"official", b"afficial")})
        found = FindingKind.ROOT if part == "envelope" else FindingKind.OPENING
        assert found in {kind for kind, _ in kinds(bench.report(it.id))}
    damage = freeze_damaged_matches(bench.log, bench.service.appender.draws.salt)
    assert {(each.match, each.version) for each in damage} == {(over.id, 3), (going.id, 3)}
    with pytest.raises(MatchUnavailable):
        going.enter(5)


def test_an_entry_that_is_gone_and_a_root_of_another_history_are_found(bench: Bench, going: Contest) -> None:
    version = going.at.load(going.id).version
    bench.publisher.publish_root(RootLeaf(going.id, version, bytes(32), "finished"))
    assert (FindingKind.PUBLISHED, "published.other") in kinds(bench.report(going.id))
    bench.marks = {going.id: Mark(version + 2, bytes(32))}
    assert (FindingKind.STORE, "store.signed_beyond") in kinds(bench.report(going.id))
    receipt = going.at.matches.sign(going.id, version + 1, bytes(32))
    assert (FindingKind.FORK, "receipt.beyond") in kinds(bench.report(going.id, receipt))
    del bench.log._matches[going.id].log[-1]
    assert (FindingKind.VERSION, "store.missing") in kinds(bench.report(going.id))


def test_a_feed_that_does_not_name_it_and_a_receipt_of_one_that_is_gone_are_found(bench: Bench, going: Contest) -> None:
    last = going.at.load(going.id)
    feed = bench.log._partitions[partition_for_match(going.id)].feed
    assert feed[-1][:2] == (going.id, last.version)
    feed.pop()
    assert (FindingKind.STORE, "store.feed") in kinds(bench.report(going.id))
    gone = f"07-T{'z' * 26}"
    ours = house.SIGNER.sign_receipt(f"{house.STORE}/{gone}", 5, bytes(32))
    assert [each.key for each in bench.auditor.check_kept_notes([ours], ())] == ["store.lost"]


def test_one_that_is_over_is_checked_at_every_start(bench: Bench, over: Contest) -> None:
    assert check_match(bench.log, over.id, bench.service.appender.draws.salt) is None
    head = bench.log._matches[over.id].head
    bench.log._matches[over.id].head = replace(head, root=bytes(32))
    damage = check_match(bench.log, over.id, bench.service.appender.draws.salt)
    assert damage is not None
    assert damage.what == "head"


# -- what was signed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restarted", [False, True])
def test_a_tournament_that_went_back_is_frozen_before_anything_is_added(tmp_path: Path, restarted: bool) -> None:
    guarded = House(tmp_path / "watermarks")
    at = TournamentService(guarded.service)
    name = open_tournament(at, 2)
    kept = guarded.copied()
    enter(at, name, 2)
    guarded.put_back(kept)
    if restarted:
        at = TournamentService(guarded.restart())
    with pytest.raises(MatchUnavailable):
        enter(at, name, 3)
    assert guarded.status(name) == "frozen"
    assert at.load(name).version == 3, "it can be read"
    with pytest.raises(MatchUnavailable):
        enter(at, name, 4)


def test_a_repeated_request_gets_no_second_receipt_from_a_history_that_went_back(tmp_path: Path) -> None:
    guarded = House(tmp_path / "watermarks")
    at = TournamentService(guarded.service)
    name = open_tournament(at, 1)
    kept = guarded.copied()
    enter(at, name, 1)
    guarded.put_back(kept)
    with pytest.raises(MatchUnavailable):
        enter(TournamentService(guarded.restart()), name, 0)


def test_the_start_finds_it_and_the_host_can_accept_what_is_left(tmp_path: Path) -> None:
    guarded = House(tmp_path / "watermarks")
    at = TournamentService(guarded.service)
    name = open_tournament(at, 1)
    kept = guarded.copied()
    enter(at, name, 1)
    guarded.put_back(kept)
    watch = guarded.restart().appender.watch
    assert isinstance(watch, HistoryGuard)
    history: SignedHistory = watch.history
    assert [lost for lost, _ in find_lost_histories(guarded.log, history)] == [name]
    assert [each.match for each in freeze_lost_matches(guarded.log, history)] == [name]
    head = guarded.log.read(name, limit=0).head
    assert head is not None
    history.accept(name, Mark(head.version, head.root), "a replica lagged")
    guarded.log.unfreeze_match(name)
    enter(TournamentService(guarded.service), name, 5)
    assert guarded.status(name) == "open"
