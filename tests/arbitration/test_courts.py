"""How a dispute goes from court to court: halted play, testimony, votes, time limits, arbiters, appeals.

What the referee finds by itself and what a remedy does are given here; both have tests of their own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.arbitration import auto_ruling
from referee.arbitration.auto_ruling import CourtFinding
from referee.arbitration.remedies import ladder
from referee.arbitration.remedies.ladder import Remedy
from referee.engine.codec import encode
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Clocks, MatchRewound, SeatAssignment
from referee.match.clocks import find_deadline
from referee.match.events.dispute_commands import (
    AppealRuling,
    Attest,
    CastVote,
    IssueRuling,
    OpenDispute,
    WithdrawDispute,
)
from referee.match.events.dispute_events import MatchVoided, RulingIssued
from referee.match.events.dispute_state import DAY_MS, CourtSettings, Dispute, Verdict
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest
from tests.doubles.party import Hush
from tests.engine.toy import Play
from tests.service.house import end_agreed_by_all

MOVE, WINDOW = 60_000, 10_000
STANDS = CourtFinding("stands", "court.in_doubt", {}, ("TABLE-RULING-3",))
WRONG = CourtFinding("does_not_stand", "court.in_doubt", {}, ("TABLE-RULING-3",))
UNSURE = CourtFinding("undecided", "court.in_doubt", {}, ("TABLE-RULING-3",))


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[CourtFinding]:
    """What the referee finds: the last of this list. Remedies: back to before the entry, or void."""
    findings = [STANDS]
    monkeypatch.setattr(auto_ruling, "judge_dispute", lambda evidence, ask: findings[-1])
    monkeypatch.setattr(auto_ruling, "find_question_and_move", lambda evidence, dispute: ("party.Serve", "toy.play"))
    offered = (Remedy("leave", True, "x"), Remedy("rewind", True, "x"), Remedy("void", False, "x"))
    monkeypatch.setattr(ladder, "list_remedies", lambda evidence, dispute, viewer=None: offered)
    monkeypatch.setattr(ladder, "carry_out_remedy", carried_out)
    return findings


def carried_out(
    evidence: Any, dispute: Dispute, remedy: str, fix: Any = (), arbiter: bool = False
) -> tuple[Event, ...]:
    if remedy == "rewind" and evidence.find_entry(dispute.about) is None:
        raise IllegalMove("court.not_offered", "TABLE-REMEDY-1", remedy=remedy)
    return {"leave": (), "rewind": (MatchRewound(dispute.about - 1),), "void": (MatchVoided(dispute.number),)}[remedy]


def opened(house: MatchService, seats: int = 4, **settings: Any) -> tuple[str, int]:
    """A match in which seat 0 has played a cake: its id, and that entry."""
    clocks = Clocks(MOVE, WINDOW)
    chairs = (SeatAssignment("human"),) * seats
    ask = commands.OpenMatch("party", "standard", {}, {}, chairs, clocks=clocks, courts=CourtSettings(**settings))
    match = house.open_match(ask, "an-opening-key").match.id
    for seat in range(seats):
        house.execute_command(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match, house.make_move(MoveRequest(match, Seat(0), Play("cake"), key="cake")).entry


def execute(house: MatchService, match: str, command: Any, key: str = "") -> CommandResult:
    return house.execute_command(match, command, key=key or repr(command)[:60], scope="test")


def disputed(house: MatchService, match: str, about: int, by: int = 1) -> Dispute:
    done = execute(house, match, OpenDispute(str(by), about, "illegal_move"))
    return done.match.disputes[-1]


def now(house: MatchService, match: str) -> Dispute:
    return house.load_match(match).match.disputes[-1]


def last(dispute: Dispute) -> Verdict:
    return dispute.verdicts[-1]


def clock(house: MatchService) -> MemoryLog:
    assert isinstance(house.log, MemoryLog)
    return house.log


@pytest.mark.clause("TABLE-DISPUTE-1", "TABLE-RULING-1")
def test_the_referee_rules_in_the_very_entry_that_opens_a_dispute(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    dispute = disputed(house, match, about)
    assert (dispute.stage, dispute.court, last(dispute).verdict, last(dispute).remedy) == (
        "ruled", "referee", "stands", "leave",
    )  # fmt: skip
    assert dispute.parties == (0, 1)
    assert not house.load_match(match).match.is_halted
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="on-it-goes"))


@pytest.mark.clause("TABLE-DISPUTE-1")
@pytest.mark.parametrize("about", [0, 1, 5, 6, 99])
def test_only_an_entry_of_play_that_counts_can_be_disputed(
    house: MatchService, found: list[CourtFinding], about: int
) -> None:
    match, entry = opened(house)
    assert entry > 6
    before = house.load_match(match).version
    with pytest.raises(IllegalMove) as refused:
        execute(house, match, OpenDispute("1", about, "illegal_move"))
    assert refused.value.ruling.reason == "court.no_such_entry"
    assert house.load_match(match).version == before


@pytest.mark.clause("TABLE-DISPUTE-2")
def test_moves_wait_while_a_court_is_at_it_and_the_time_left_is_left_afterwards(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    found.append(UNSURE)
    clock(house).advance_clock(4000)
    dispute = disputed(house, match, about)
    assert dispute.stage == "attesting"
    with pytest.raises(IllegalMove) as refused:
        house.make_move(MoveRequest(match, Seat(2), Hush(), key="too-soon"))
    assert refused.value.ruling.reason == "in_dispute"
    due = find_deadline(house.load_match(match))
    assert due is not None
    assert (due.limit_ms, due.left_ms) == (120_000, 120_000)
    clock(house).advance_clock(WINDOW)
    assert house.load_match(match).match.is_halted  # the window's own time does not run
    for seat in (2, 3):
        execute(house, match, Attest(dispute.number, seat, False))
    assert last(now(house, match)).verdict == "stands"
    due = find_deadline(house.load_match(match))
    assert due is not None
    assert (due.limit_ms, due.left_ms) == (WINDOW, WINDOW - 4000)
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="on"))


def test_a_match_set_to_play_on_does_not_wait(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house, play_on=True)
    found.append(UNSURE)
    disputed(house, match, about)
    loaded = house.load_match(match)
    assert (loaded.match.has_open_dispute, loaded.match.is_halted) == (True, False)
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="on"))
    clock(house).advance_clock(120_000)
    assert now(house, match).stage == "ruling"  # by whoever looks first


@pytest.mark.clause("TABLE-DISPUTE-3", "TABLE-DISPUTE-4")
def test_the_table_attests_and_votes_and_the_remedy_is_one_entry_with_the_ruling(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    found.append(UNSURE)
    dispute = disputed(house, match, about)
    execute(house, match, Attest(dispute.number, 1, True))  # a party is heard, and decides nothing
    assert now(house, match).stage == "attesting"
    execute(house, match, Attest(dispute.number, 2, True, saw={"card": "bomb"}))
    execute(house, match, Attest(dispute.number, 3, True))
    assert (now(house, match).stage, last(now(house, match)).verdict) == ("voting", "does_not_stand")
    execute(house, match, CastVote(dispute.number, 2, "rewind"))
    done = execute(house, match, CastVote(dispute.number, 3, "rewind"))
    (entry,) = house.repository.load_entries(match, done.entry - 1, done.entry)
    assert [type(event) for event in entry.events][1:] == [RulingIssued, MatchRewound]
    loaded = house.load_match(match)
    assert not loaded.match.has_open_dispute
    house.make_move(MoveRequest(match, Seat(0), Play("drum"), key="another-card"))
    assert now(house, match).testimony[1].saw == {"card": "bomb"}  # what was ruled is not undone with the play


@pytest.mark.clause("TABLE-DISPUTE-3")
def test_a_tie_goes_to_the_arbiter_and_so_does_silence(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house)
    found.append(UNSURE)
    dispute = disputed(house, match, about)
    execute(house, match, Attest(dispute.number, 2, True))
    execute(house, match, Attest(dispute.number, 3, False))
    assert (now(house, match).stage, now(house, match).court) == ("ruling", "arbiter")
    due = find_deadline(house.load_match(match))
    assert due is not None
    assert due.limit_ms == due.left_ms == DAY_MS
    ruled = IssueRuling(dispute.number, "host", (), False, "leave", ("KERNEL-MOVE-1",), "I saw it.")
    execute(house, match, ruled)
    second = execute(house, match, OpenDispute("1", about, "missed_effect")).match.disputes[-1]
    clock(house).advance_clock(119_999)
    assert now(house, match).stage == "attesting"
    clock(house).advance_clock(1)
    assert (now(house, match).number, now(house, match).stage) == (second.number, "ruling")


@pytest.mark.clause("TABLE-DISPUTE-3")
def test_at_the_end_of_the_time_those_who_spoke_decide_if_they_are_half_of_the_table(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    found.append(UNSURE)
    dispute = disputed(house, match, about)
    execute(house, match, Attest(dispute.number, 3, False))
    clock(house).advance_clock(120_000)
    assert (now(house, match).stage, last(now(house, match)).by) == ("ruled", "table")


@pytest.mark.clause("TABLE-DISPUTE-3")
def test_where_there_are_only_parties_they_decide(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house, seats=2)
    found.append(WRONG)
    dispute = disputed(house, match, about)
    execute(house, match, CastVote(dispute.number, 0, "leave"))
    execute(house, match, CastVote(dispute.number, 1, "rewind"))
    assert now(house, match).stage == "ruling"


@pytest.mark.clause("TABLE-DISPUTE-4")
def test_a_party_has_no_vote_and_only_what_is_offered_can_be_voted_for(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    found.append(WRONG)
    dispute = disputed(house, match, about)
    for seat, remedy, reason in ((0, "leave", "court.no_say"), (2, "void", "court.not_offered")):
        with pytest.raises(IllegalMove) as refused:
            execute(house, match, CastVote(dispute.number, seat, remedy))
        assert refused.value.ruling.reason == reason


@pytest.mark.clause("TABLE-DISPUTE-5")
def test_a_dispute_is_withdrawn_by_whoever_opened_it(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house)
    found.append(UNSURE)
    dispute = disputed(house, match, about)
    with pytest.raises(IllegalMove):
        execute(house, match, WithdrawDispute(dispute.number, "2"))
    execute(house, match, WithdrawDispute(dispute.number, "1"))
    assert now(house, match).stage == "withdrawn"
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="on"))


@pytest.mark.clause("TABLE-RULING-2")
def test_an_appeal_goes_to_the_next_court_in_time_and_no_further_than_the_last(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    dispute = disputed(house, match, about)
    appeal = AppealRuling(dispute.number, 2, "KERNEL-MOVE-1", "It was a drum.")
    execute(house, match, appeal, "first")
    assert (now(house, match).court, now(house, match).stage) == ("table", "attesting")
    execute(house, match, Attest(dispute.number, 2, False))
    execute(house, match, Attest(dispute.number, 3, False))
    execute(house, match, appeal, "second")
    assert (now(house, match).court, now(house, match).stage) == ("arbiter", "ruling")
    execute(house, match, IssueRuling(dispute.number, "host", (), False, "leave", ("KERNEL-MOVE-1",), "As it was."))
    with pytest.raises(IllegalMove) as refused:
        execute(house, match, appeal, "third")
    assert refused.value.ruling.reason == "court.last_court"
    other = execute(house, match, OpenDispute("1", about, "missed_effect")).match.disputes[-1]
    clock(house).advance_clock(600_001)
    with pytest.raises(IllegalMove) as refused:
        execute(house, match, AppealRuling(other.number, 2, "KERNEL-MOVE-1", "Too late."))
    assert refused.value.ruling.reason == "court.out_of_time"


@pytest.mark.clause("TABLE-RULING-3")
def test_without_an_arbiter_what_is_in_the_log_stands(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house, levels=("referee", "table"))
    found.append(UNSURE)
    dispute = disputed(house, match, about)
    clock(house).advance_clock(120_000)
    assert (now(house, match).stage, last(now(house, match)).reason) == ("ruled", "court.in_doubt")
    with pytest.raises(IllegalMove) as refused:
        execute(house, match, IssueRuling(dispute.number, "host", (), True, "void", ("KERNEL-MOVE-1",), "No."))
    assert refused.value.ruling.reason == "court.no_arbiter"


@pytest.mark.clause("TABLE-RULING-3")
def test_an_arbiter_who_never_comes_leaves_what_is_in_the_log(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house, levels=("referee", "arbiter"), rule_ms=5000)
    found.append(UNSURE)
    disputed(house, match, about)
    clock(house).advance_clock(4999)
    assert now(house, match).stage == "ruling"
    clock(house).advance_clock(1)
    assert (now(house, match).stage, last(now(house, match)).verdict) == ("ruled", "stands")
    house.make_move(MoveRequest(match, Seat(2), Hush(), key="on"))


@pytest.mark.clause("TABLE-RULING-4", "TABLE-REMEDY-4")
def test_the_arbiter_has_the_last_word_and_cites_what_it_departs_from(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    dispute = disputed(house, match, about)
    with pytest.raises(IllegalMove) as refused:
        execute(house, match, IssueRuling(dispute.number, "host", (1,), True, "void", ("KERNEL-MOVE-1",), "Mine."))
    assert refused.value.ruling.reason == "court.own_cause"
    done = execute(
        house, match, IssueRuling(dispute.number, "host", (3,), True, "void", ("KERNEL-MOVE-1",), "No.", keep=True)
    )
    said = last(now(house, match))
    assert (said.by, said.court, said.departs_from, said.statement) == ("host", "arbiter", ("TABLE-RULING-3",), "No.")
    assert (done.match.status, done.match.precedents[0].verdict) == ("void", "does_not_stand")


@pytest.mark.clause("TABLE-RULING-4")
def test_who_is_a_party_rules_where_all_are_parties(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house, seats=2)
    dispute = disputed(house, match, about)
    execute(house, match, IssueRuling(dispute.number, "host", (1,), True, "rewind", ("KERNEL-MOVE-1",), "We agree."))
    assert now(house, match).stage == "ruled"


def test_a_remedy_that_another_one_has_made_impossible_goes_to_the_arbiter(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    found.append(WRONG)
    first = disputed(house, match, about)
    second = execute(house, match, OpenDispute("1", about, "missed_effect")).match.disputes[-1]
    for dispute in (first, second):
        for seat in (2, 3):
            execute(house, match, CastVote(dispute.number, seat, "rewind"))
    assert [(each.stage, each.court) for each in house.load_match(match).match.disputes] == [
        ("ruled", "table"), ("ruling", "arbiter"),
    ]  # fmt: skip


def test_after_the_end_a_dispute_can_be_opened_for_the_set_time(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house, claims_ms=5000)
    house.execute_command(match, end_agreed_by_all("agreed", ((0,), (1,), (2,), (3,))), key="end", scope="host")
    clock(house).advance_clock(5000)
    found.append(UNSURE)
    disputed(house, match, about)
    loaded = house.load_match(match)
    assert (loaded.match.has_open_dispute, loaded.match.is_halted) == (True, False)
    clock(house).advance_clock(1)
    with pytest.raises(IllegalMove) as refused:
        execute(house, match, OpenDispute("1", about, "other"))
    assert refused.value.ruling.reason == "court.out_of_time"


def test_whoever_reads_the_log_anew_finds_the_same_disputes(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house)
    found.append(WRONG)
    dispute = disputed(house, match, about)
    for seat in (2, 3):
        execute(house, match, CastVote(dispute.number, seat, "rewind"))
    kept = house.load_match(match).match
    from tests.service.house import service

    assert service(house.log).load_match(match).match == kept


@pytest.mark.clause("TABLE-HOUSE-1")
def test_a_party_lays_down_no_reading_for_the_rest_of_the_match(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house, seats=2)
    dispute = disputed(house, match, about)
    own = IssueRuling(
        dispute.number,
        "host",
        (1,),
        True,
        "rewind",
        ("KERNEL-MOVE-1",),
        "Mine.",
        keep=True,
        binds=True,
        readings={"MC-AMB-8": 2},
    )
    before = house.load_match(match).match
    for command in (own, replace(own, readings={}, allows="mc.play")):
        with pytest.raises(IllegalMove) as refused:
            execute(house, match, command)
        assert refused.value.ruling.reason == "court.house_by_party"
    assert house.load_match(match).match == before
    kept = execute(house, match, replace(own, readings={})).match.precedents[0]
    assert (kept.entry, kept.readings, kept.allows) == (about + 2, {}, "")


def test_a_ruling_kept_before_house_rulings_bound_anybody_is_kept_as_it_was(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house)
    dispute = disputed(house, match, about)
    command = IssueRuling(dispute.number, "host", (3,), True, "leave", ("KERNEL-MOVE-1",), "No.", keep=True)
    assert "entry" not in encode(execute(house, match, command).match.precedents[0])
    assert not {"binds", "readings", "allows"} & set(encode(command))
