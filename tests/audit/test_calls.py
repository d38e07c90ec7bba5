"""Calls of an official under audit: each kind of end is decided again, and one before its time is found."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from referee.arbitration.calls import CALL_MS
from referee.engine.events import Move
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.events.office_events import (
    AnswerCall,
    AnswerOfficial,
    CallAnswered,
    CallExpired,
    CallOfficial,
    NameOfficial,
    OfficialCalled,
    ResignOffice,
    WithdrawCall,
)
from referee.match.table import commands
from tests.arbitration.playing import plays
from tests.audit.forging import Forger
from tests.audit.sitting import House, Played, over
from tests.audit.test_times import LIMITS, judged, keys_of


@cache
def called() -> Played:
    """A match with a call that an official answers, one that runs out, one that is withdrawn and one that is moot."""
    log = MemoryLog()
    house = House(log)
    chairs = (SeatAssignment("human"),) * 2
    variant = load_games()["mau_mau"].variants[0]
    ask = commands.OpenMatch("mau_mau", variant, {}, {"deck": "server"}, chairs, clocks=LIMITS)
    match = house.service.open_match(ask, "called").match.id

    def run(command: Move) -> int:
        key = f"ask-{house.service.load_match(match).version}"
        return house.service.execute_command(match, command, key=key, scope="asked").entry

    for seat in range(2):
        run(commands.TakeSeat(seat))
    run(commands.StartMatch())
    official = run(NameOfficial("arbiter", "somebody"))
    for seat in range(2):
        run(AnswerOfficial(official, True, (seat,)))
    plays(house.service, match, 1, most=2)
    log.advance_clock(12_000)
    call = run(CallOfficial(0, "rules"))
    log.advance_clock(90_000)
    run(AnswerCall(call, official))
    log.advance_clock(18_500)  # so the clock moves with what was left
    plays(house.service, match, 2, most=2)
    run(CallOfficial(1, "slow_play"))
    log.advance_clock(CALL_MS + 500)
    plays(house.service, match, 3, most=2)
    run(WithdrawCall(run(CallOfficial(1, "conduct")), 1))
    plays(house.service, match, 4, most=2)
    run(CallOfficial(0, "other"))
    run(ResignOffice(official))
    plays(house.service, match, 5, most=2)
    return over(house, match, "called")


def has(forger: Forger, kind: type) -> int:
    """The version of the first entry with such an event."""
    return forger.first(lambda entry: any(isinstance(event, kind) for event in entry.events))


@pytest.mark.clause("TABLE-CALL-2", "TABLE-CALL-4")
@pytest.mark.parametrize("viewer", ["full", "public"])
def test_a_match_with_calls_of_every_end_is_sound(viewer: str) -> None:
    played = called()
    stages = [each.stage for each in played.house.service.load_match(played.match).match.offices.calls]
    assert stages == ["answered", "expired", "withdrawn", "moot"]
    entries = played.house.service.repository.load_entries(played.match)
    assert any(entry.actor == "clock" and entry.seat >= 0 for entry in entries), "the clock moved with what was left"
    assert keys_of(judged(Forger.on(played, viewer))) == []


def test_a_call_that_is_said_to_have_run_out_before_its_time_is_found() -> None:
    forger = Forger.on(called())
    late = has(forger, CallExpired)
    at = {version: forger.logged(version).at_ms for version in range(1, forger.size + 1)}
    for version in range(late, forger.size + 1):  # all that follows is as much earlier
        forger.repack(version, lambda entry: replace(entry, at_ms=at[entry.version] - 5 * 60_000))
    forger.cover("secret")
    assert [(each.key, each.version) for each in judged(forger).findings] == [("rules.illegal", late)]


def test_an_answer_by_somebody_who_is_no_official_and_a_longer_call_are_found() -> None:
    forger = Forger.on(called())
    answered = has(forger, CallAnswered)

    def by_nobody(event: object) -> object:
        return replace(event, official=1) if isinstance(event, CallAnswered) else event

    def longer(event: object) -> object:
        return replace(event, until_ms=event.until_ms + 60_000) if isinstance(event, OfficialCalled) else event

    forger.repack(
        answered,
        lambda entry: replace(
            entry, move=replace(entry.move, official=1), events=tuple(by_nobody(each) for each in entry.events)
        ),
    )
    forger.cover("secret")
    assert judged(forger).findings[0].version == answered
    forger = Forger.on(called())
    made = has(forger, OfficialCalled)
    forger.repack(made, lambda entry: replace(entry, events=tuple(longer(each) for each in entry.events)))
    forger.cover("secret")
    assert judged(forger).findings[0].version == made
