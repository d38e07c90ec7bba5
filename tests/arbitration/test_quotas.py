"""How often one seat may call on the table: by the log, whoever sits there and with however many tokens."""

from __future__ import annotations

from typing import Any

import pytest

from referee.arbitration import disputes as court
from referee.arbitration.auto_ruling import CourtFinding
from referee.engine.codec import decode, encode
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import MatchOpened
from referee.match.events.dispute_commands import OpenDispute, WithdrawDispute
from referee.match.events.dispute_state import (
    DAY_MS,
    DEFAULT_COURTS,
    HOUR_MS,
    MINUTE_MS,
    UNLIMITED_COURTS,
    CourtSettings,
)
from referee.match.table import commands
from referee.service.match_service import MatchService
from tests.arbitration.takebacks import breaking, reached
from tests.arbitration.test_courts import STANDS, UNSURE, clock, execute, opened
from tests.service.house import service


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[CourtFinding]:
    """What the referee finds: the last of this list."""
    findings = [STANDS]
    monkeypatch.setattr(court.auto_ruling, "judge_dispute", lambda evidence, ask: findings[-1])
    return findings


def dispute(house: MatchService, match: str, about: int, by: str, key: str) -> Any:
    return execute(house, match, OpenDispute(by, about, "other"), key)


def refusal(house: MatchService, match: str, about: int, by: str) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    before = house.load_match(match).version
    with pytest.raises(IllegalMove) as caught:
        dispute(house, match, about, by, f"once-more-{by}")
    assert house.load_match(match).version == before, "what is refused is in no log"
    return caught.value.ruling.reason, caught.value.ruling.clauses, dict(caught.value.ruling.params)


@pytest.mark.clause("TABLE-DISPUTE-7")
def test_a_seat_opens_so_many_disputes_within_an_hour_and_the_next_one_after_it(
    house: MatchService, found: list[CourtFinding]
) -> None:
    match, about = opened(house, disputes_an_hour=2)
    dispute(house, match, about, "1", "first")
    clock(house).advance_clock(10 * 60_000)
    dispute(house, match, about, "1", "second")
    too_many = ("court.too_many_disputes", ("TABLE-DISPUTE-7",))
    assert refusal(house, match, about, "1") == (*too_many, {"limit": 2, "minutes": 50})
    dispute(house, match, about, "2", "another seat has its own")
    dispute(house, match, about, "host", "and so has the host")
    clock(house).advance_clock(50 * 60_000 - 1)
    assert refusal(house, match, about, "1")[2]["minutes"] == 1
    clock(house).advance_clock(1)
    dispute(house, match, about, "1", "third")
    assert refusal(house, match, about, "1")[2]["minutes"] == 10


@pytest.mark.clause("TABLE-DISPUTE-7")
def test_who_leaves_and_comes_back_has_no_more_of_them(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house, disputes_an_hour=1)
    dispute(house, match, about, "1", "first")
    execute(house, match, commands.LeaveSeat(1))
    execute(house, match, commands.TakeSeat(1), "back-again")
    assert refusal(house, match, about, "1")[0] == "court.too_many_disputes"
    other = service(house.log)  # another process, with nothing but the log
    assert refusal(other, match, about, "1")[0] == "court.too_many_disputes"


@pytest.mark.clause("TABLE-DISPUTE-7")
def test_so_many_are_open_at_a_time(house: MatchService, found: list[CourtFinding]) -> None:
    found.append(UNSURE)
    match, about = opened(house, open_disputes=1, answer_ms=HOUR_MS, play_on=True)
    number = dispute(house, match, about, "1", "first").entry
    with pytest.raises(IllegalMove) as caught:
        execute(house, match, OpenDispute("1", about, "missed_effect"))
    assert caught.value.ruling.reason == "court.too_many_open"
    assert caught.value.ruling.clauses == ("TABLE-DISPUTE-7",)
    execute(house, match, OpenDispute("2", about, "missed_effect"))
    execute(house, match, WithdrawDispute(number, "1"))
    dispute(house, match, about, "1", "the next")


@pytest.mark.clause("TABLE-TAKEBACK-6")
def test_a_seat_asks_to_go_back_so_often_within_an_hour(house: MatchService) -> None:
    courts = CourtSettings(takebacks_an_hour=2)
    here, to, seat = reached(house, "munchkin", breaking("revealed"), kinds=("human",) * 3, courts=courts)
    here.take_back(seat, to)
    clock(house).advance_clock(60_000)
    second = here.take_back(seat, to)
    version = here.version
    with pytest.raises(IllegalMove) as caught:
        here.take_back(seat, to)
    assert caught.value.ruling.reason == "too_many_takebacks"
    assert caught.value.ruling.clauses == ("TABLE-TAKEBACK-6",)
    assert dict(caught.value.ruling.params) == {"seat": seat, "limit": 2, "minutes": 59}
    assert here.version == version
    for other in range(3):
        if other != seat:
            here.consent(second.entry, other)
    assert here.taken().stage == "granted", "what was asked before is answered as ever"


def test_a_match_from_before_the_limits_has_none_and_reads_as_it_was_written() -> None:
    limits = {"disputes_an_hour": 6, "takebacks_an_hour": 20, "open_disputes": 3}
    new = {**limits, "edition": 3, "undo_ms": 15 * MINUTE_MS, "rule_ms": 15 * MINUTE_MS}
    old = {name: value for name, value in encode(DEFAULT_COURTS).items() if name == "rule_ms" or name not in new}
    old["rule_ms"] = DAY_MS
    assert decode(CourtSettings, old) == UNLIMITED_COURTS
    assert encode(UNLIMITED_COURTS) == old
    assert encode(DEFAULT_COURTS) == {**old, **new}
    assert MatchOpened.courts == UNLIMITED_COURTS, "what a log says that names no courts at all"


def test_a_seat_without_limits_is_never_refused(house: MatchService, found: list[CourtFinding]) -> None:
    match, about = opened(house)
    for number in range(8):
        dispute(house, match, about, "1", f"dispute-{number}")
