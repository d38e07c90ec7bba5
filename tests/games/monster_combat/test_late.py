"""What is done for whoever lets the time run out: the least that the rules allow (MC-AMB-27)."""

from __future__ import annotations

import pytest

from referee.engine.referee import find_timeout_move
from referee.engine.seats import Seat
from referee.games.monster_combat.moves import DiscardSurplus, Pass, ReviveDraw, TakeHit
from referee.games.monster_combat.rules.attacks import LightningAttack
from referee.games.monster_combat.rules.play_a_card import RefillHand
from tests.games.course import then
from tests.games.monster_combat.given import struck, table


@pytest.mark.clause("MC-AMB-27")
def test_who_is_late_plays_nothing_takes_the_attack_and_draws_no_new_hand() -> None:
    assert find_timeout_move(table(["sword"], []), Seat(0), guess=True) == Pass()
    for hand in ([], ["shield"]):
        assert find_timeout_move(struck([], hand), Seat(1), guess=True) == TakeHit()
        assert find_timeout_move(table([], hand, agenda=(LightningAttack((1,), 0),)), Seat(1), guess=True) == TakeHit()
    assert find_timeout_move(table([], [], variant="V2", agenda=(RefillHand(1),)), Seat(1), guess=True) == ReviveDraw(
        False
    )


@pytest.mark.clause("MC-AMB-27")
def test_who_is_late_gives_up_the_first_surplus_cards_by_name_and_none_that_nobody_knows() -> None:
    state = then(table(["sword"] * 7 + ["lightning", "skip"], []), 0, Pass())
    assert find_timeout_move(state, Seat(0), guess=True) == DiscardSurplus(("lightning", "skip"))
    real = then(table(["?"] * 9, []), 0, Pass())
    assert find_timeout_move(real, Seat(0), guess=False) is None
