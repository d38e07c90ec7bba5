"""What play over HTTP found to be wrong once: each test tells the moves that did it."""

from __future__ import annotations

import pytest

from referee.games.munchkin.moves import FleeFrom, OfferTrade, PlayCard, TakeTrade, UsePower
from referee.games.munchkin.rules.fleeing import Fleeing
from referee.games.munchkin.values import Combat, Foe
from referee.kernel.facts import changed
from tests.games.munchkin.given import in_combat, table, then


@pytest.mark.clause("MK-7.9", "MK-7.12")
def test_two_copies_of_an_item_change_hands_and_what_lies_on_one_goes_with_it_once() -> None:
    wreaths = ("os_lucky_wreath", "os_lucky_wreath")
    state = table(["loose_stitches"], [], [], carried={0: wreaths}, stage="after")
    state = then(state, 0, PlayCard("loose_stitches"), OfferTrade(1, wreaths))
    state = then(state, 1, TakeTrade(0))
    assert (state.in_play(0), sorted(state.in_play(1))) == ((), ["loose_stitches", *wreaths])
    assert state.attached == {"os_lucky_wreath": "loose_stitches"}


@pytest.mark.clause("MK-17.3", "MK-17.6", "MK-17.8")
def test_what_changes_the_next_roll_waits_for_a_roll() -> None:
    state = table([], [], ["tripwire"], items={0: ["bat_hat"]}, towns={0: ["town_christmas"]})
    state = in_combat(state, 0, "wolfman", "bog_bride", agenda=(Fleeing(),))
    flight = ("0/wolfman", "0/bog_bride")
    state = changed(state, combat=Combat(0, (Foe("wolfman", "wolfman"), Foe("bog_bride", "bog_bride")), to_flee=flight))
    state = then(state, 2, PlayCard("tripwire", seat=0))
    state = then(state, 0, UsePower("parting_gift", "bat_hat", "wolfman"))  # an escape without a roll
    assert state.hindered == {"0": -2}
    assert then(state, 0, FleeFrom("bog_bride")).hindered == {"0": -2}
