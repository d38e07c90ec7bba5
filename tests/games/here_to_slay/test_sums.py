"""The sums that stand on the table while a roll lies open: each line by line, and what it is held against."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.breakdown import Term
from referee.engine.referee import build_view
from referee.engine.seats import BYSTANDER
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.events.plays import RollSettled
from referee.games.here_to_slay.moves import Attack, Challenge, Modify, PlayCard, RollFor
from tests.games.course import of, then
from tests.games.here_to_slay.given import dice, passes, table
from tests.games.here_to_slay.in_a_roll import MINUS_4, PLUS_4, facing, rolled


def sums(state: Any) -> tuple[Term, ...]:
    """The sums as everybody sees them; whoever sits there sees no others."""
    found = GAME.breakdowns.compute_totals(build_view(state, BYSTANDER))
    assert all(GAME.breakdowns.compute_totals(build_view(state, seat)) == found for seat in range(2))
    return found


def lines(number: Term) -> list[tuple[int, str, str]]:
    return [(part.value, part.card, part.clause) for part in number.parts]


@pytest.mark.clause("HTS-ROLL-1", "HTS-MOD-3")
def test_a_roll_stands_with_its_dice_and_every_modifier_as_it_is_played() -> None:
    state = rolled("bad_axe", [PLUS_4, "spooky"], [MINUS_4, "peanut"])
    roll, needed = sums(state)
    dice_lines = [(3, "", "HTS-ROLL-1")] * 2
    assert (roll.value, roll.params, lines(roll)) == (6, {"seat": 0}, dice_lines)
    assert (needed.value, needed.card, needed.clause) == (8, "bad_axe", "HTS-ROLL-6")
    state = then(state, 0, Modify(PLUS_4, 4, 0))
    assert (sums(state)[0].value, lines(sums(state)[0])) == (10, [*dice_lines, (4, PLUS_4, "HTS-MOD-3")])
    state = then(state, 1, Modify(MINUS_4, -4, 0))
    last = sums(state)[0]
    assert (last.value, lines(last)[-1]) == (6, (-4, MINUS_4, "HTS-MOD-3"))
    events, state = passes(state)
    assert [event.total for event in of(events, RollSettled)] == [last.value]
    assert sums(state) == ()


@pytest.mark.clause("HTS-MON-7")
def test_an_attack_stands_beside_what_the_monster_asks_for() -> None:
    before = facing("dracos", ["spooky"], ["challenge"])
    assert sums(before) == ()
    declared = then(before, 0, Attack("dracos"))
    assert sums(declared) == ()  # the dice lie not there yet
    state = dice(declared, 4, 3)[1]
    roll, *limits = sums(state)
    assert roll.value == sum(part.value for part in roll.parts)
    assert lines(roll)[:2] == [(4, "", "HTS-ROLL-1"), (3, "", "HTS-ROLL-1")]
    assert {(number.card, number.clause) for number in limits} == {("dracos", "HTS-MON-7")}
    assert [number.says for number in limits] == ["number.slay.most", "number.fight_back.least"]  # the other way about


@pytest.mark.clause("HTS-CHAL-7")
def test_both_rolls_of_a_challenge_stand_side_by_side() -> None:
    state = then(table(["peanut", "spooky"], ["challenge", "hook"]), 0, PlayCard("peanut"))
    state = dice(then(state, 1, Challenge()), 5, 1, 2, 2)[1]
    first, second = (number for number in sums(state) if number.parts)
    assert {first.params["seat"], second.params["seat"]} == {0, 1}
    assert sorted(sum(part.value for part in number.parts[:2]) for number in (first, second)) == [4, 6]


def test_outside_a_roll_nothing_stands() -> None:
    state = table([], [], parties={0: ["bad_axe"]})
    assert sums(state) == ()
    assert sums(then(state, 0, RollFor("bad_axe"))) == ()
