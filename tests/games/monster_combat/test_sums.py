"""The sums that stand on the table: what an attack costs that waits for an answer, and the hearts of the monster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.engine.breakdown import Term
from referee.engine.referee import build_view
from referee.engine.seats import BYSTANDER, Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import MONSTERS
from referee.games.monster_combat.moves import Parry, PlayCard, TakeHit
from referee.games.monster_combat.rules.attacks import PendingAttack
from tests.games.course import then
from tests.games.monster_combat.given import struck, table


def lines(state: Any) -> list[tuple[int, int, list[tuple[int, str, str]]]]:
    """Each sum as a bystander sees it: whose it is, its value, its lines with card and clause."""
    found = []
    for number in GAME.breakdowns.compute_totals(build_view(state, BYSTANDER)):
        made = [(part.value, part.card, part.clause) for part in number.parts]
        found.append((number.params.get("seat", -1), number.value, made))
    return found


@pytest.mark.clause("MC-V1-SWORD-1", "MC-SHIELD-1")
def test_the_heart_at_stake_is_told_with_the_sword_it_comes_from() -> None:
    state = then(table(["sword"], ["shield"], []), 0, PlayCard("sword"))
    assert lines(state) == [(1, 1, [(1, "sword", "MC-V1-SWORD-1")])]
    assert lines(then(state, 1, Parry("shield"))) == []
    assert GAME.breakdowns.compute_totals(build_view(state, Seat(1))) == GAME.breakdowns.compute_totals(state)


@pytest.mark.clause("MC-AMB-9")
def test_no_more_hearts_are_at_stake_than_there_are() -> None:
    state = struck([], [], seat=1, strength=2, by="monster", variant="V2", hearts=(3, 1))
    stake, left = lines(state)
    assert stake == (1, 1, [(2, MONSTERS[3]["id"], "MC-V2-MONSTER-3"), (-1, "", "MC-AMB-9")])
    assert left == (-1, MONSTERS[3]["hearts"], [])


@pytest.mark.clause("MC-V1-LIGHTNING-1")
def test_lightning_costs_each_of_those_who_have_still_to_answer_a_heart() -> None:
    state = then(table(["lightning"], [], [], []), 0, PlayCard("lightning"))
    one = [(1, "lightning", "MC-V1-LIGHTNING-1")]
    assert lines(state) == [(1, 1, one), (2, 1, one), (3, 1, one)]
    assert lines(then(state, 1, TakeHit())) == [(2, 1, one), (3, 1, one)]


@pytest.mark.clause("MC-V2-MONSTER-2")
def test_the_hearts_of_the_monster_stand_on_the_table_as_long_as_it_is_fought() -> None:
    state = table(["sword"], [], variant="V2")
    number = Term(MONSTERS[3]["hearts"], "number.monster_left", "MC-V2-MONSTER-2", MONSTERS[3]["id"])
    assert GAME.breakdowns.compute_totals(state) == (number,)
    assert GAME.breakdowns.compute_totals(then(state, 0, PlayCard("sword"))) == (
        replace(number, value=number.value - 1),
    )
    assert GAME.breakdowns.compute_totals(table(["sword"], [])) == ()


def test_what_a_position_does_not_say_stands_nowhere() -> None:
    state = struck([], [], seat=1, variant="V2")
    assert len(GAME.breakdowns.compute_totals(state)) == 2
    for left_out in (
        replace(state, monster=None),
        replace(state, agenda=(PendingAttack(1, None, "monster"),), monster_hearts=None),
        replace(table([], []), agenda=(PendingAttack(1, 1, None),)),
    ):
        assert GAME.breakdowns.compute_totals(left_out) == ()
