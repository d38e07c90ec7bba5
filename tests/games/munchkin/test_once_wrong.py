"""What play over HTTP found to be wrong once: each test tells the moves that did it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import replace_fields
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import ContradictoryPosition
from referee.engine.seats import CLOCK
from referee.games.munchkin import GAME
from referee.games.munchkin.events.combat import Escaped, MonstersKilled
from referee.games.munchkin.moves import (
    AskHelp,
    ClaimKill,
    FleeFrom,
    OfferTrade,
    PlayCard,
    PutIntoPlay,
    RunAway,
    TakeBackRequest,
    TakeTrade,
    UsePower,
)
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.hands import DiscardHand
from referee.games.munchkin.values import Combat, Foe
from tests.games.course import asked, of, refused, settled, then, times_out
from tests.games.munchkin.given import cast, in_combat, table, with_real_cards


@pytest.mark.clause("MK-7.9", "MK-7.12")
def test_two_copies_of_an_item_change_hands_and_what_lies_on_one_goes_with_it_once() -> None:
    wreaths = ("os_lucky_wreath", "os_lucky_wreath")
    state = table(["loose_stitches"], [], [], carried={0: wreaths}, stage="after")
    state = then(state, 0, PlayCard("loose_stitches"), OfferTrade(1, wreaths))
    state = then(state, 1, TakeTrade(0))
    assert (state.cards_in_play_of(0), sorted(state.cards_in_play_of(1))) == ((), ["loose_stitches", *wreaths])
    assert state.attached == {"os_lucky_wreath": "loose_stitches"}


@pytest.mark.clause("MK-17.3", "MK-17.6", "MK-17.8")
def test_what_changes_the_next_roll_waits_for_a_roll() -> None:
    state = table([], [], ["tripwire"], items={0: ["bat_hat"]}, towns={0: ["town_christmas"]})
    state = in_combat(state, 0, "wolfman", "bog_bride", agenda=(Fleeing(),))
    flight = ("0/wolfman", "0/bog_bride")
    state = replace_fields(
        state, combat=Combat(0, (Foe("wolfman", "wolfman"), Foe("bog_bride", "bog_bride")), to_flee=flight)
    )
    state = then(state, 2, PlayCard("tripwire", seat=0))
    state = then(state, 0, UsePower("parting_gift", "bat_hat", "wolfman"))  # an escape without a roll
    assert state.hindered == {"0": -2}
    assert then(state, 0, FleeFrom("bog_bride")).hindered == {"0": -2}


@pytest.mark.clause("MK-23.2", "MK-15.4", "MK-20.5", "MK-26.3")
def test_a_window_without_a_limit_of_its_own_has_that_of_everything_else() -> None:
    rules = {"claim_window_ms": None, "curse_window_ms": None, "turn_timeout_ms": 1000}
    state = in_combat(table([], [], [], levels=[5], rules=rules), 0, "puddle_bat", agenda=(Fight(0),))
    state = then(state, 0, ClaimKill())
    assert CLOCK in seats_that_must_act(state)
    assert of(times_out(state)[0], MonstersKilled)
    state = then(table(["curse_level"], [], [], levels=[1, 3], rules=rules), 0, PlayCard("curse_level", seat=1))
    assert CLOCK in seats_that_must_act(state)
    assert times_out(state)[1].levels == (1, 2, 1)
    state = in_combat(table([], [], [], rules=rules), 0, "wolfman", agenda=(Fight(0),))
    _, state = cast(then(state, 0, RunAway(), FleeFrom("wolfman")), 5)
    assert CLOCK in seats_that_must_act(state)
    assert of(times_out(state)[0], Escaped)


@pytest.mark.clause("MK-8.6", "MK-8.8", "MK-4.6")
def test_a_ride_that_makes_room_for_nothing_is_refused_by_the_clause_on_rides() -> None:
    state = table(["ride_broom", "dual_citizenship", "renh_bells"], [], [], items={0: ["bat_hat"]})
    assert refused(state, 0, PutIntoPlay("ride_broom", "bat_hat")) == ("nothing_makes_room", "MK-8.6")
    state = then(state, 0, PutIntoPlay("ride_broom"))
    assert refused(state, 0, PutIntoPlay("renh_bells", "ride_broom")) == ("nothing_makes_room", "MK-8.8")
    state = replace_fields(state, zones={**state.zones, "town/0": ("town_easter",)})
    assert refused(state, 0, PutIntoPlay("dual_citizenship", "town_easter")) == ("nothing_makes_room", "MK-4.6")


@pytest.mark.clause("MK-13.2", "MK-23.2")
def test_asking_for_help_and_taking_it_back_comes_to_an_end_while_the_combat_does_not_change() -> None:
    state = in_combat(table([], [], ["os_frog_fizz"]), 0, "wolfman", agenda=(Fight(0),))
    state = then(state, 0, AskHelp(seat=1), TakeBackRequest(), AskHelp(seat=1, treasures=1), TakeBackRequest())
    assert refused(state, 0, AskHelp(seat=1, treasures=2)) == ("has_declined", "MK-13.2")
    state = then(state, 0, AskHelp(seat=2), TakeBackRequest())
    assert refused(state, 0, AskHelp(seat=2, all_of_them=True)) == ("has_declined", "MK-13.2")
    state = then(state, 2, PlayCard("os_frog_fizz", side="monsters"))
    assert then(state, 0, AskHelp(seat=1, treasures=2), TakeBackRequest(), AskHelp(seat=1)).running_combat.asked == 1


TWICE = [{"type": "mk.Fight", "seat": 0}, {"type": "mk.AfterDoor", "seat": 0}]
HERE = {"seats": [{"level": 6, "hand": 4}, {"level": 1}, {"level": 4}], "combat": {"monsters": ["ink_fiend"]}}


@pytest.mark.clause("MK-5.3", "MK-9.6")
@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"turn": 0, "question": {"asks": "open_door"}}, "/question"),
        ({"turn": 0, "question": {"asks": "calm"}}, "/combat"),
        ({"question": {"asks": "first_turn"}, "combat": {"monsters": ["ink_fiend"], "helper": 1}}, "/combat"),
        ({"turn": 0, "question": {"asks": "fight"}, "pending_steps": TWICE}, "/pending_steps"),
    ],
)
def test_a_position_with_a_combat_asks_nothing_that_no_combat_leaves_room_for(
    more: dict[str, Any], pointer: str
) -> None:
    GAME.positions.decode_position({**HERE, "turn": 0})
    with pytest.raises(ContradictoryPosition) as impossible:
        GAME.positions.decode_position({**HERE, **more})
    assert [fault["pointer"] for fault in impossible.value.errors] == [pointer]


@pytest.mark.clause("MK-3.8", "MK-26.11")
def test_no_cards_to_discard_of_a_hand_that_is_not_seen_is_no_endless_question() -> None:
    state = with_real_cards(table(["bat_hat"], [], []))
    state = settled(replace_fields(state, agenda=(*state.agenda, DiscardHand(0, "lock_shock_barrel", 0))))
    assert (asked(state), state.cards_in_hand(0)) == ({0}, ("?",))
    assert state.moment == "calm"
