"""What one person decides alone among bots is done, and the match counts for no standings; everybody is told why."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.match.aggregate import Match, SeatAssignment
from referee.match.events.dispute_state import (
    CourtSettings,
    Deviation,
    Dispute,
    Takeback,
    Testimony,
    Verdict,
)
from referee.match.unilateral import find_unilateral_decisions
from referee.service.requests import MoveRequest
from tests.api.ended import account, ended, led, table_of
from tests.api.house import Table

BEYOND = ("others",)
ALONE = ("human", "bot")


def moved_once(app: Flask, table: Table, seat: int) -> int:
    """Plays until a seat has moved and somebody else after it; the version just before it moved."""
    service, dice, to = app.config["SERVICE"], random.Random("alone"), 0
    for made in range(500):
        loaded = service.load_match(table.match)
        mover = min(each for each in seats_that_must_act(loaded.match.state) if each >= 0)
        kind = "bot" if loaded.match.chairs[mover].kind == "bot" else "player"
        move = sample_legal_move(loaded.match.state, mover, dice.randrange)
        service.make_move(MoveRequest(table.match, mover, move, key=f"m{made}", actor=kind, seen=loaded.version))
        if mover == seat:
            to = loaded.version
        elif to:
            return to
    raise AssertionError("nobody came on turn")


@pytest.mark.clause("TABLE-COURSE-2")
def test_a_takeback_alone_among_bots_is_granted_and_the_match_does_not_count(app: Flask) -> None:
    player, person = account(app, "Ada")
    table = table_of(app, person, bots=1)
    before: Any = table.anyone.get(table.path).json
    assert before["uncounted"] == []
    to = moved_once(app, table, 0)
    asked = table.seats[0].post(f"{table.path}/takebacks", {"to": to}, If_Match="*")
    assert asked.json["takeback"]["stage"] == "granted"  # type: ignore[index]
    assert "others" in asked.json["takeback"]["waives"]  # type: ignore[index]
    number = asked.json["takeback"]["takeback"]  # type: ignore[index]
    ended(app, table)
    led(app)
    told: Any = table.anyone.get(table.path).json["uncounted"]  # type: ignore[index]
    assert [(each["entry"], each["clauses"]) for each in told] == [(number, ["TABLE-COURSE-2"])]
    assert f"entry {number}" in told[0]["says"]["en"]
    assert f"Eintrag {number}" in told[0]["says"]["de"]
    (item,) = person.get(f"/v1/players/{player}/matches").json["items"]  # type: ignore[index]
    assert (item["status"], item["counts"], item["uncounted"]) == ("finished", False, told)
    standings: Any = person.get("/v1/standings?game=monster_combat&variant=V1").json
    assert (standings["matches"], standings["rated"], standings["items"]) == (0, 0, [])


def test_a_match_against_a_bot_without_such_a_thing_counts(app: Flask) -> None:
    player, person = account(app, "Ada")
    table = table_of(app, person, bots=1)
    ended(app, table)
    led(app)
    (item,) = person.get(f"/v1/players/{player}/matches").json["items"]  # type: ignore[index]
    assert (item["counts"], item["uncounted"]) == (True, [])
    standings: Any = person.get("/v1/standings?game=monster_combat&variant=V1").json
    assert (standings["matches"], standings["rated"]) == (1, 1)


def at(kinds: tuple[str, ...], **parts: Any) -> list[tuple[int, str]]:
    table = Match(chairs=tuple(SeatAssignment(kind, taken=kind == "human") for kind in kinds), **parts)
    return [(each.number, each.reason) for each in find_unilateral_decisions(table)]


@pytest.mark.parametrize(
    ("kinds", "taken_back", "uncounted"),
    [
        (ALONE, Takeback(7, 0, 3, BEYOND, (), "granted"), True),
        (ALONE, Takeback(7, 0, 3, (), (), "granted"), False),  # within the four rules nobody is asked
        (ALONE, Takeback(7, 0, 3, BEYOND, (), "overtaken"), False),
        (("human", "human", "bot"), Takeback(7, 0, 3, BEYOND, (1,), "granted"), False),  # somebody has said yes
        (("human", "human"), Takeback(7, 0, 3, BEYOND, (), "granted"), True),  # the other had left
        (("human", "table", "table"), Takeback(7, 0, 3, BEYOND, (), "granted"), False),  # they sit there in person
    ],
)
def test_a_takeback_that_nobody_could_refuse_is_one_beyond_the_rules_with_no_consent(
    kinds: tuple[str, ...], taken_back: Takeback, uncounted: bool
) -> None:
    assert at(kinds, takebacks=(taken_back,)) == ([(7, "alone.took_back")] if uncounted else [])


@pytest.mark.parametrize(
    ("by", "asks", "granted", "stage", "uncounted"),
    [
        ("0", (), (0,), "recorded", True),
        ("host", (), (0,), "recorded", True),
        ("0", (), (0,), "refused", False),
        ("0", (1,), (0, 1), "recorded", False),
        ("arbiter", (), (), "recorded", False),  # who holds no seat has nothing to win
    ],
)
def test_a_deviation_that_nobody_could_refuse_is_one_that_asked_nobody(
    by: str, asks: tuple[int, ...], granted: tuple[int, ...], stage: str, uncounted: bool
) -> None:
    brought = Deviation(9, by, 0, {}, (), "so it was", (), asks, granted, stage)
    assert at(ALONE, deviations=(brought,)) == ([(9, "alone.deviated")] if uncounted else [])


@pytest.mark.clause("TABLE-COURSE-2")
def test_a_deviation_by_a_house_ruling_counts_if_others_were_there() -> None:
    before = Deviation(9, "host", 1, {}, (), "so it was", granted=(0,), stage="recorded", house=5)
    assert at(("human", "human"), deviations=(before,)) == [(9, "alone.deviated")]
    assert at(("human", "human"), deviations=(replace(before, attended=True),)) == []


@pytest.mark.parametrize(
    ("kinds", "by", "remedy", "uncounted"),
    [
        (ALONE, "table", "rewind", True),
        (ALONE, "host", "partial_fix", True),
        (ALONE, "table", "leave", False),
        (ALONE, "arbiter", "rewind", False),
        (("human", "human", "bot"), "table", "rewind", False),
        (("human", "table", "bot"), "table", "rewind", False),
    ],
)
def test_a_remedy_that_one_person_chose_among_bots_is_one_that_changed_the_play(
    kinds: tuple[str, ...], by: str, remedy: str, uncounted: bool
) -> None:
    said = Verdict("table", by, "does_not_stand", remedy, "court.table_votes", {}, ())
    quarrel = Dispute(5, "0", 4, "other", (0, 1), verdicts=(said,))
    assert at(kinds, disputes=(quarrel,)) == ([(5, "alone.ruled")] if uncounted else [])


def quarrel(*heard: int, proved: bool = False, claimant: str = "0", edition: int = 2) -> Match:
    """A match of two people in which seat 0 disputed a die, and only these seats were heard."""
    courts = CourtSettings(edition=edition)
    by = "referee" if proved else "table"
    verdicts = (
        Verdict("referee", "referee", "does_not_stand" if proved else "undecided", "", "court.left_open", {}, ()),
        Verdict("table", "table", "does_not_stand", "partial_fix", "court.mild", {}, ()),
    )
    testimony = tuple(Testimony(seat, True) for seat in heard)
    dispute = Dispute(9, claimant, 7, "misreported", (0, 1), testimony=testimony, verdicts=verdicts, court=by)
    return Match(chairs=(SeatAssignment("human"),) * 2, courts=courts, disputes=(dispute,))


@pytest.mark.clause("TABLE-COURSE-2")
def test_play_that_was_changed_on_the_word_of_the_claimant_alone_does_not_count() -> None:
    (found,) = find_unilateral_decisions(quarrel(0))
    assert (found.number, found.reason) == (9, "alone.decided")
    assert find_unilateral_decisions(quarrel(0, 1)) == ()
    assert find_unilateral_decisions(quarrel(1)) == ()
    assert find_unilateral_decisions(quarrel(0, proved=True)) == ()


@pytest.mark.clause("TABLE-COURSE-2", "TABLE-DISPUTE-11")
def test_a_claimant_without_a_seat_may_be_the_only_one_who_was_heard() -> None:
    (found,) = find_unilateral_decisions(quarrel(1, claimant="host", edition=3))
    assert found.reason == "alone.decided"
    assert find_unilateral_decisions(quarrel(0, 1, claimant="host", edition=3)) == ()
    assert find_unilateral_decisions(quarrel(1, claimant="host", edition=2)) == ()
