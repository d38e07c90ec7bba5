"""What follows the log follows it back: views, news and courses after disputes and remedies of every kind."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from referee.engine.chance import RollResult
from referee.engine.codec import encode
from referee.engine.rulings import IllegalMove
from referee.eventstore.contract import PARTITIONS
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Match
from referee.match.entries import replay_entries
from referee.match.events.dispute_commands import Attest, CastVote, IssueRuling, OpenDispute, WithdrawDispute
from referee.match.events.dispute_events import MoveRemade
from referee.match.events.takeback_events import TakebackRequested
from referee.match.table.commands import LeaveSeat, TakeSeat
from referee.queries import views
from referee.ratings import results
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from tests.service.house import end_agreed_by_all, service
from tests.workers.house import Noted, context_of
from tests.workers.quarrels import HALTING, PLAY_ON, Quarrel, quarrelling, ruled, step
from workers.bots.player import play_bots
from workers.jobs import recovery
from workers.jobs.sweeper import LOOK_MS, Sweeper
from workers.projections.public_match import PublicMatches
from workers.projections.rebuild import compare_builds, rebuild_projection
from workers.projections.runner import LIVE_PROJECTIONS, catch_up
from workers.webhooks.notifications import NotificationSource

pytestmark = pytest.mark.deep

OTHER = 1000


def led(log: MemoryLog) -> None:
    for partition in range(PARTITIONS):
        if log.read_partition_info(partition).position:
            catch_up(log, partition, PublicMatches(log)).raise_failures()


def row(log: MemoryLog, view: str, match: str) -> dict[str, Any]:
    kept = log.read_projection(int(match[:2]), view, PROJECTION_VERSIONS[view], "matches")
    return json.loads(kept[match])  # type: ignore[no-any-return]


def sums(log: MemoryLog) -> Counter[str]:
    """What the standings add up to."""
    found: Counter[str] = Counter()
    for partition in range(PARTITIONS):
        for body in log.read_projection(partition, "standings", PROJECTION_VERSIONS["standings"], "sums").values():
            found.update(json.loads(body))
    return found


@pytest.mark.usefixtures("first_scheme")
def test_views_equal_a_rebuild_whatever_is_disputed_ruled_put_back_and_put_right() -> None:
    log, did = MemoryLog(), Counter[str]()
    at = service(log)
    courses, quarrels = PublicMatches(log), []
    for seed in range(26):
        match = quarrelling(at, f"{seed}", PLAY_ON if seed % 3 == 0 else HALTING)
        quarrels.append(Quarrel(at, match, seed))
    for _ in range(4):
        for quarrel in quarrels:
            quarrel.on(22)
        for quarrel in quarrels:
            at.load_match(quarrel.match)  # what is late is played by whoever looks
        led(log)
        for quarrel in quarrels:
            now = at.load_match(quarrel.match)
            told = courses.load_match(quarrel.match, now.version)
            assert told == PublicMatches(log).load_match(quarrel.match, now.version)
            assert told.awaited == views.awaited_response(now.match)
            assert row(log, "lobby", quarrel.match)["status"] == now.match.public_status
            assert (
                at.load_version(now, now.version).match
                == replay_entries(Match(), at.build_evidence(now).effective_entries)
                == now.match
            )
        for view in LIVE_PROJECTIONS:
            rebuild_projection(log, view.name, OTHER)
            assert compare_builds(log, view.name, view.build, OTHER) == ()
    finished = 0
    for quarrel in quarrels:
        did += quarrel.did
        kept = row(log, "standings", quarrel.match)
        table = at.load_match(quarrel.match).match
        finished += table.status == "finished" and not table.has_open_dispute
        assert results.is_counted(kept) == (table.status == "finished" and not table.has_open_dispute)
    assert sums(log)["played"] == finished
    kinds = (
        *("DisputeOpened", "CourtCalled", "Attested", "Voted", "RulingIssued", "Appealed", "DisputeWithdrawn"),
        *("Rewound", "Corrected", "Voided", "Restored", "MadeAgain", "TakebackAsked", "TakebackGranted"),
    )
    assert [kind for kind in kinds if not did[f"table.{kind}"]] == []
    assert min(did["late"], did["move"]) > 10


def test_what_a_match_came_to_waits_while_it_is_disputed_and_goes_by_the_ruling() -> None:
    log = MemoryLog()
    at = service(log)
    match, dice, number = quarrelling(at, "waits", PLAY_ON), random.Random(4), 0
    while at.load_match(match).match.end is None:
        step(at, match, dice, f"{(number := number + 1)}")
    led(log)
    assert (sums(log)["played"], row(log, "lobby", match)["status"]) == (1, "finished")
    cards = row(log, "cards", match)
    roll = next(each for each in at.repository.load_entries(match) if isinstance(each.move, RollResult))
    asked = OpenDispute("0", roll.version, "misreported", move=encode(RollResult((7 - roll.move.values[0],))))
    dispute = at.execute_command(match, asked, key="ask", scope="seat0").entry
    led(log)
    assert sums(log)["played"] == 0
    assert [row(log, view, match)["status"] for view in ("lobby", "summary", "standings")] == ["disputed"] * 3
    assert match not in log.read_projection(int(match[:2]), "cards", PROJECTION_VERSIONS["cards"], "matches")
    assert not row(log, "dice", match)["counts"]
    at.execute_command(match, WithdrawDispute(dispute, "0"), key="back", scope="seat0")
    led(log)
    assert (sums(log)["played"], row(log, "lobby", match)["status"]) == (1, "finished")
    assert row(log, "cards", match) == cards
    assert row(log, "dice", match)["counts"]
    again = at.execute_command(match, replace(asked, claim="other"), key="again", scope="seat0").entry
    rule = IssueRuling(again, "host", (), True, "void", ("TABLE-REMEDY-4",), "nobody looked")
    at.execute_command(match, rule, key="void", scope="arbiter")
    led(log)
    assert (sums(log)["played"], row(log, "lobby", match)["status"]) == (0, "void")
    assert row(log, "standings", match)["ended_at_ms"] == log.now()
    assert not row(log, "dice", match)["counts"]


def test_a_match_that_was_over_and_goes_on_by_a_ruling_counts_when_it_ends_again() -> None:
    log = MemoryLog()
    at = service(log)
    match, dice, number = quarrelling(at, "goes-on", HALTING), random.Random(4), 0
    while at.load_match(match).match.end is None:
        step(at, match, dice, f"{(number := number + 1)}")
    roll = next(each for each in at.repository.load_entries(match) if isinstance(each.move, RollResult))
    asked = OpenDispute("0", roll.version, "misreported", move=encode(RollResult((7 - roll.move.values[0],))))
    dispute = at.execute_command(match, asked, key="ask", scope="seat0").entry
    rule = IssueRuling(dispute, "host", (), True, "rewind", ("TABLE-REMEDY-3",), "once more")
    at.execute_command(match, rule, key="rule", scope="arbiter")
    led(log)
    found = row(log, "standings", match)
    assert (sums(log)["played"], found["status"], found["ended_at_ms"], found["winners"]) == (0, "running", None, [])
    assert row(log, "lobby", match)["awaits"] == ["chance"]
    assert match not in log.read_projection(int(match[:2]), "dice", PROJECTION_VERSIONS["dice"], "matches"), (
        "it was the first roll"
    )
    while at.load_match(match).match.end is None:
        step(at, match, dice, f"{(number := number + 1)}")
    led(log)
    assert (sums(log)["played"], row(log, "standings", match)["status"]) == (1, "finished")


def test_a_report_that_was_put_right_counts_as_it_should_have_read_and_the_moves_after_it_count_on() -> None:
    log = MemoryLog()
    at = service(log)
    match, dice, number = quarrelling(at, "put-right", HALTING), random.Random(2), 0
    while not any(
        isinstance(each.move, RollResult) and each.move.values != (6,) for each in at.repository.load_entries(match)
    ):
        step(at, match, dice, f"{(number := number + 1)}")
    for more in range(3):
        assert step(at, match, dice, f"more-{more}")
    led(log)
    before = row(log, "summary", match)
    roll = next(
        each
        for each in at.repository.load_entries(match)
        if isinstance(each.move, RollResult) and each.move.values != (6,)
    )
    right = 5 if roll.move.values == (4,) else 4  # neither draws a card, so all that follows stays legal
    asked = OpenDispute("0", roll.version, "misreported", move=encode(RollResult((right,))))
    dispute = at.execute_command(match, asked, key="ask", scope="seat0").entry
    rule = IssueRuling(dispute, "host", (), True, "partial_fix", ("TABLE-REMEDY-2",), "it was another")
    at.execute_command(match, rule, key="rule", scope="arbiter")
    made = [
        event for entry in at.repository.load_entries(match) for event in entry.events if isinstance(event, MoveRemade)
    ]
    assert [event.entry for event in made] == list(range(roll.version, dispute))
    led(log)
    after = row(log, "summary", match)
    assert (sum(before["moves"]) > 0, after["moves"]) == (True, before["moves"])
    reports = {each[0]: each[1:] for each in row(log, "dice", match)["reports"]}
    assert reports[roll.version] == [roll.reporter, 6, [right]]
    assert len(reports) == sum(isinstance(each.move, RollResult) for each in at.repository.load_entries(match))


def test_a_court_whose_time_no_deadline_tells_of_is_remembered_until_its_time_is_up() -> None:
    log = MemoryLog()
    context = context_of(log)
    at, sweeper = context.service, Sweeper(context)
    match, dice, number = quarrelling(at, "remembered", PLAY_ON), random.Random(4), 0
    while at.load_match(match).match.end is None:
        step(at, match, dice, f"{(number := number + 1)}")
    roll = next(each for each in at.repository.load_entries(match) if isinstance(each.move, RollResult))
    at.execute_command(match, OpenDispute("0", roll.version, "misreported"), key="ask", scope="seat0")
    led(log)
    (dispute,) = at.load_match(match).match.disputes
    courts = dict(log.read_ranking(int(match[:2]), "awaited", PROJECTION_VERSIONS["awaited"], "courts"))
    assert (dispute.stage, courts) == ("attesting", {match: dispute.until_ms})
    version = at.load_match(match).version
    log.advance_clock(PLAY_ON.answer_ms - 1)
    sweeper.repair_stalled_work()
    assert sweeper.play_due_deadlines() == 0.001, "it is kept to the millisecond, as a deadline is"
    assert log.read(match, limit=0).head.version == version
    log.advance_clock(1)
    sweeper.play_due_deadlines()
    assert log.read(match, limit=0).head.version == version + 1
    assert at.load_match(match).match.disputes[0].stage == "ruling"
    led(log)
    (dispute,) = at.load_match(match).match.disputes
    courts = dict(log.read_ranking(int(match[:2]), "awaited", PROJECTION_VERSIONS["awaited"], "courts"))
    assert courts == {match: dispute.until_ms}, "nor is the arbiter waited for any longer than was set"
    log.advance_clock(PLAY_ON.rule_ms)
    sweeper.repair_stalled_work(), sweeper.play_due_deadlines()
    assert log.read(match, limit=0).head.version > version + 1
    assert at.load_match(match).match.disputes[0].stage == "ruled"
    led(log), sweeper.repair_stalled_work()
    assert log.read_ranking(int(match[:2]), "awaited", PROJECTION_VERSIONS["awaited"], "courts") == ()
    assert sweeper.play_due_deadlines() == LOOK_MS / 1000


def test_an_onlooker_is_told_of_each_dispute_and_each_ruling_once_and_sees_the_same_however_he_gets_there() -> None:
    log, seen = MemoryLog(), Counter[str]()
    at = service(log)
    for seed in range(12):
        quarrel = Quarrel(at, quarrelling(at, f"news {seed}", HALTING if seed % 2 else PLAY_ON), seed)
        quarrel.on(70)
        match, news, stepwise = quarrel.match, NotificationSource(log), PublicMatches(log)
        last = at.load_match(match)
        told = [each for version in range(1, last.version + 1) for each in news.collect_notifications(match, version)]
        for version in range(last.version + 1):
            assert stepwise.load_match(match, version) == PublicMatches(log).load_match(match, version)
        opened = [each.data["dispute"] for each in told if each.type == "dispute.opened"]
        assert opened == [dispute.number for dispute in last.match.disputes]
        said = [(each.data["dispute"], each.data["verdict"]) for each in told if each.type == "dispute.ruled"]
        assert said == [(event.dispute, event.verdict) for event in ruled(at, match)]
        for each in told:
            assert each.data["version"] <= last.version
            assert "saw" not in each.data
            assert "statement" not in each.data
            seen[each.type] += 1
        events = [event for entry in at.repository.load_entries(match) for event in entry.events]
        waits = [event for event in events if isinstance(event, TakebackRequested) and event.asks]
        taken = [each.data for each in told if each.type == "takeback.asked"]
        assert [each["takeback"] for each in taken] == [event.takeback for event in waits]
        ends = [each.data["status"] for each in told if each.type == "match.ended"]
        assert not ends or ends[-1] in ("finished", "disputed", "void")
        assert seen["match.ended"] >= (last.match.end is not None)
        waiting = {seat for seat in views.awaited_response(last.match) if isinstance(seat, int)}
        assert waiting <= {each.data.get("seat") for each in told if each.type == "seat.awaited"}
    assert min(seen[kind] for kind in ("dispute.opened", "dispute.ruled", "takeback.asked", "match.ended")) > 3, seen


def test_who_looks_on_late_is_told_nothing_twice_when_a_match_that_was_over_goes_on() -> None:
    log = MemoryLog()
    at = service(log)
    match, dice, number = quarrelling(at, "late", HALTING, delay=5), random.Random(4), 0
    while at.load_match(match).match.end is None:
        step(at, match, dice, f"{(number := number + 1)}")
    over = at.load_match(match).version
    asked = OpenDispute("0", over - 3, "other")
    dispute = at.execute_command(match, asked, key="ask", scope="seat0").entry
    rule = IssueRuling(dispute, "host", (), True, "rewind", ("TABLE-REMEDY-3",), "once more")
    at.execute_command(match, rule, key="rule", scope="arbiter")
    for _ in range(4):
        step(at, match, dice, f"{(number := number + 1)}")
    at.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    news = NotificationSource(log)
    told = [
        each
        for version in range(1, at.load_match(match).version + 1)
        for each in news.collect_notifications(match, version)
    ]
    assert [each.data["version"] for each in told] == sorted(each.data["version"] for each in told)
    once = Counter((each.type, each.data["version"], each.data.get("seat"), each.data.get("window")) for each in told)
    assert max(once.values()) == 1
    assert [each.data["status"] for each in told if each.type == "match.ended"] == ["finished", "abandoned"]


def test_while_play_is_halted_no_bot_is_woken_and_all_are_when_it_goes_on() -> None:
    log, hints = MemoryLog(), Noted()
    context = context_of(log, hints)
    at = context.service
    match, dice, number = quarrelling(at, "bots", HALTING, kinds=("human", "human", "bot")), random.Random(5), 0
    while views.awaited_response(at.load_match(match).match) != [2]:
        step(at, match, dice, f"{(number := number + 1)}")
    asked = OpenDispute("0", at.load_match(match).version, "other")
    dispute = at.execute_command(match, asked, key="ask", scope="seat0").entry
    assert at.load_match(match).match.is_halted
    led(log), recovery.recover_match(context, match)
    assert (hints.asked, row(log, "lobby", match)["awaits"]) == ([], [])
    assert log.read_ranking(int(match[:2]), "awaited", PROJECTION_VERSIONS["awaited"], "since") == ()
    assert play_bots(at, match) is False
    assert at.load_match(match).version == dispute
    sweeper = Sweeper(context)
    for _ in range(3):
        sweeper.play_due_deadlines(), sweeper.repair_stalled_work()
    assert (at.load_match(match).version, hints.asked) == (dispute, []), "nobody goes round in circles"
    at.execute_command(match, WithdrawDispute(dispute, "0"), key="back", scope="seat0")
    led(log), recovery.recover_match(context, match)
    assert (hints.asked, row(log, "lobby", match)["awaits"]) == ([match], [2])


def test_the_time_of_a_court_is_kept_by_the_sweeper_and_play_goes_on_with_the_time_that_was_left() -> None:
    log = MemoryLog()
    context = context_of(log)
    at, sweeper = context.service, Sweeper(context)
    match = quarrelling(at, "clock", HALTING, dice="server", move_ms=60_000)
    log.advance_clock(20_000)
    step(at, match, random.Random(1), "first")
    log.advance_clock(15_000)
    left = at.load_match(match).read_result.due.at_ms - log.now()
    assert 0 < left < 60_000 - 14_000
    at.execute_command(match, OpenDispute("0", at.load_match(match).version, "other"), key="ask", scope="seat0")
    version, due = at.load_match(match).version, log.find_next_deadline()
    assert due == log.now() + HALTING.answer_ms
    log.advance_clock(HALTING.answer_ms)
    sweeper.play_due_deadlines()
    assert log.read(match, limit=0).head.version == version + 1
    waits = log.now() + HALTING.rule_ms
    assert (at.load_match(match).match.disputes[0].stage, log.find_next_deadline()) == ("ruling", waits)
    log.advance_clock(HALTING.rule_ms - 1)
    for _ in range(3):
        sweeper.play_due_deadlines(), sweeper.repair_stalled_work()
    assert at.load_match(match).version == version + 1
    rule = IssueRuling(version, "host", (), False, "leave", ("TABLE-RULING-4",), "let it be")
    at.execute_command(match, rule, key="rule", scope="arbiter")
    assert at.load_match(match).read_result.due.at_ms - log.now() == left
    assert log.find_next_deadline() == log.now() + left


def test_a_seat_handed_over_during_a_dispute_has_its_say_and_keeps_what_it_said() -> None:
    log = MemoryLog()
    at = service(log)
    match, dice, number = quarrelling(at, "handed", HALTING), random.Random(4), 0
    while not any(isinstance(each.move, RollResult) for each in at.repository.load_entries(match)):
        step(at, match, dice, f"{(number := number + 1)}")
    roll = next(each for each in at.repository.load_entries(match) if isinstance(each.move, RollResult))
    by = next(seat for seat in range(3) if str(seat) != roll.reporter)
    asked = OpenDispute(str(by), roll.version, "misreported", move=encode(RollResult((7 - roll.move.values[0],))))
    dispute = at.execute_command(match, asked, key="ask", scope="seat").entry
    (third,) = {0, 1, 2} - {by, int(roll.reporter)}
    at.execute_command(match, LeaveSeat(third), key="up", scope="seat")
    with pytest.raises(IllegalMove, match=r"court\.no_say"):
        at.execute_command(match, Attest(dispute, third, True), key="nobody", scope="seat")
    at.execute_command(match, TakeSeat(third), key="down", scope="seat")
    at.execute_command(match, Attest(dispute, third, True), key="somebody", scope="seat")
    (now,) = at.load_match(match).match.disputes
    assert now.stage == "voting"
    at.execute_command(match, LeaveSeat(by), key="gone", scope="seat")
    at.execute_command(match, CastVote(dispute, third, "partial_fix"), key="vote", scope="seat")
    after = at.load_match(match).match
    assert (after.has_open_dispute, after.chairs[by].taken, after.is_halted) == (False, False, False)
    led(log)
    assert row(log, "lobby", match)["free_seats"] == 1
    for view in LIVE_PROJECTIONS:
        rebuild_projection(log, view.name, OTHER)
        assert compare_builds(log, view.name, view.build, OTHER) == ()
