"""Setting up: the decks, the hands dealt, cards put down in no order, who begins."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.engine.chance import PickResult
from referee.engine.events import replace_fields
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import CHANCE
from referee.engine.zones import is_back
from referee.games.munchkin.components import DOORS, HANDS, PLAYS, PRINTED, TOWNSHIP, TREASURES, Rules
from referee.games.munchkin.events.cards import CardPut, CardsDealt
from referee.games.munchkin.events.course import DieCast, PlayerReady, TurnBegan
from referee.games.munchkin.moves import KickDoor, OfferTrade, PutIntoPlay, Ready
from referee.games.munchkin.rules.drawing import HandNaming
from referee.games.munchkin.rules.setup import Preparing, build_initial_table
from referee.games.munchkin.rules.turn import Calm
from referee.games.munchkin.state import Table
from tests.games.course import asked, of, refused, settled, then, times_out, when
from tests.games.munchkin.given import cast, everything, offered, shuffled, table


def dealt(seats: int = 3) -> Table:
    """A new match, both decks in the reverse order of the box, hands dealt."""
    state = settled(build_initial_table(Rules(seats=seats)))
    for deck in (DOORS, TREASURES):
        assert seats_that_must_act(state) == {CHANCE}
        _, state = shuffled(state, deck)
    return state


def ready(state: Table) -> Table:
    """Everybody has said to be ready."""
    for seat in range(state.rules.seats):
        state = then(state, seat, Ready())
    return state


@pytest.mark.clause("MK-1.2", "MK-2.1")
def test_all_168_cards_lie_on_the_table() -> None:
    for seats in (3, 6):
        assert everything(dealt(seats)) == Counter(PRINTED.whole)


@pytest.mark.clause("MK-1.3")
def test_each_deck_is_shuffled_apart() -> None:
    state = settled(build_initial_table(Rules(seats=3)))
    before = state.zones[TREASURES]
    _, state = shuffled(state, DOORS)
    assert state.zones[TREASURES] == before
    assert seats_that_must_act(state) == {CHANCE}


@pytest.mark.clause("MK-1.4")
def test_everyone_is_dealt_four_doors_and_four_treasures() -> None:
    state = settled(build_initial_table(Rules(seats=3)))
    _, state = shuffled(state, DOORS)
    events, state = shuffled(state, TREASURES)
    assert [(event.seat, event.source, len(event.put)) for event in of(events, CardsDealt)] == [
        *((seat, DOORS, 4) for seat in range(3)),
        *((seat, TREASURES, 4) for seat in range(3)),
    ]
    assert [len(state.cards_in_hand(seat)) for seat in range(3)] == [8, 8, 8]


@pytest.mark.clause("MK-1.5")
def test_everyone_starts_at_level_one_without_a_citizenship() -> None:
    state = dealt(4)
    assert state.levels == (1, 1, 1, 1)
    assert not any(state.towns_of(seat) for seat in range(4))


@pytest.mark.clause("MK-1.6")
def test_before_the_first_turn_cards_are_put_down_in_any_order() -> None:
    hands = (["town_easter"], ["bat_hat", "coffin_lid_plate"], [])
    state = table(*hands, agenda=(Preparing(),), turn=-1, turns=0)
    events, state = when(state, 1, PutIntoPlay("bat_hat"))
    assert of(events, CardPut)[0].put == ("bat_hat",)
    state = then(state, 0, PutIntoPlay("town_easter"))
    state = then(state, 1, Ready(), PutIntoPlay("coffin_lid_plate"))
    assert state.cards_at(PLAYS[1]) == ("bat_hat", "coffin_lid_plate")
    assert state.cards_at(TOWNSHIP[0]) == ("town_easter",)
    assert asked(state) == {0, 2}


@pytest.mark.clause("MK-1.6")
def test_before_the_first_turn_nobody_has_a_second_citizenship_or_adds_to_a_ride() -> None:
    hands = (["town_easter", "town_halloween", "renh_bells", "os_frog_fizz"], [], [])
    state = table(*hands, agenda=(Preparing(),), turn=-1, turns=0, rides={0: ["ride_broom"]})
    state = then(state, 0, PutIntoPlay("town_easter"), PutIntoPlay("os_frog_fizz"))
    assert refused(state, 0, PutIntoPlay("town_halloween", "town_easter")) == ("one_town_and_items", "MK-1.6")
    assert refused(state, 0, PutIntoPlay("renh_bells")) == ("one_town_and_items", "MK-1.6")
    assert refused(state, 0, KickDoor()) == ("not_begun_yet", "MK-1.6")


@pytest.mark.clause("MK-1.6")
def test_nothing_is_traded_before_the_first_turn() -> None:
    state = table([], [], [], items={0: ["bat_hat"]}, agenda=(Preparing(),), turn=-1, turns=0)
    assert refused(state, 0, OfferTrade(1, ("bat_hat",))) == ("not_begun_yet", "MK-1.6")
    assert not [move for move in offered(state, 0) if isinstance(move, OfferTrade)]


@pytest.mark.clause("MK-1.6", "MK-23.2")
def test_whoever_says_nothing_in_time_is_ready() -> None:
    state = table([], [], [], agenda=(Preparing((1,)),), turn=-1, turns=0, rules={"turn_timeout_ms": 5000})
    events, state = times_out(state)
    assert of(events, PlayerReady) == [PlayerReady(0), PlayerReady(2)]
    assert seats_that_must_act(state) == {CHANCE}


@pytest.mark.clause("MK-1.7")
def test_the_highest_die_starts_and_ties_roll_again() -> None:
    events, state = cast(ready(dealt(4)), 2, 5, 5, 1)
    assert [event.seat for event in of(events, DieCast)] == [0, 1, 2, 3]
    assert seats_that_must_act(state) == {CHANCE}
    events, state = cast(state, 3, 6)
    assert [event.seat for event in of(events, DieCast)] == [1, 2]
    assert of(events, TurnBegan) == [TurnBegan(2)]
    assert (state.turn, state.turns, asked(state)) == (2, 1, {2})


@pytest.mark.clause("MK-1.6", "MK-1.7")
def test_the_first_turn_begins_when_all_are_ready() -> None:
    state = dealt()
    state = then(state, 2, Ready())
    assert asked(state) == {0, 1}
    state = then(state, 0, Ready())
    assert refused(state, 0, Ready()) == ("ready_already", "MK-1.6")
    _, state = cast(then(state, 1, Ready()), 6, 1, 1)
    assert state.agenda == (Calm(0, "start"),)


@pytest.mark.clause("MK-26.11", "KERNEL-CENSUS-1")
def test_real_cards_are_backs_and_a_bot_is_read_its_own() -> None:
    state = settled(build_initial_table(Rules(seats=3, cards_at_table=True, named=(1,))))
    assert all(
        map(
            is_back,
            (*state.cards_at(DOORS), *state.cards_at(TREASURES), *state.cards_in_hand(0), *state.cards_in_hand(2)),
        )
    )
    assert state.agenda[-1] == HandNaming(1, 8)
    assert refused(state, CHANCE, PickResult(("bat_hat",))) == ("name_so_many", "KERNEL-CENSUS-1")
    assert refused(state, CHANCE, PickResult(("bat_hat",) * 8)) == ("no_copy_left", "KERNEL-CENSUS-1")
    held = ("bat_hat", "stilts", "candy_hook", "rusty_bell", "puddle_bat", "marrow_pup", "coal_imp", "town_easter")
    state = then(state, CHANCE, PickResult(held))
    assert state.cards_in_hand(1) == held
    assert state.cards_at(HANDS[0]) == ("?",) * 8
    assert asked(state) == {0, 1, 2}


@pytest.mark.clause("MK-26.11")
def test_a_hand_nobody_has_seen_can_put_down_any_card_that_may_be_left() -> None:
    state = replace_fields(table([], [], [], agenda=(Preparing(),)), rules=Rules(3, cards_at_table=True))
    state = replace_fields(
        state, zones={**state.zones, HANDS[0]: ("?", "?"), TREASURES: ("?",) * 70, DOORS: ("?",) * 96}
    )
    state = then(state, 0, PutIntoPlay("bat_hat"))
    assert state.cards_in_play_of(0) == ("bat_hat",)
    assert state.cards_in_hand(0) == ("?",)
    assert refused(state, 0, PutIntoPlay("bat_hat")) == ("not_in_the_hand", "MK-2.3")
