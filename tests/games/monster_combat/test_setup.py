"""Chapter 4: setup."""

from __future__ import annotations

import random

import pytest

from referee.engine.chance import Shuffle, ShuffleResult
from referee.engine.events import Event, apply_events
from referee.engine.game import Setup
from referee.engine.referee import draw_chance_move, play_move, seats_that_must_act
from referee.engine.rulings import MalformedInput
from referee.engine.seats import CHANCE
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import MONSTERS
from referee.games.monster_combat.events import EventTurnedUp, FirstPlayerChosen, HandDealt, TurnBegan
from referee.games.monster_combat.moves import FirstPlayerResult
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS, TRAY, Table
from tests.games.course import of, refusal
from tests.games.monster_combat.given import settled, settling


def opened(variant: str = "V1", seats: int = 3, **settings: object) -> tuple[tuple[Event, ...], Table]:
    """All facts of a setup that the server carries out, and the table at the first question of a player."""
    dice = random.Random(5)
    events, state = settling(GAME.build_table(Setup(variant, seats, settings)))
    while CHANCE in seats_that_must_act(state):
        more = play_move(state, CHANCE, draw_chance_move(state, dice.randrange))
        events, state = events + more, apply_events(state, more)
    return events, state


@pytest.mark.clause("MC-SETUP-2")
def test_both_piles_are_shuffled_each_by_itself() -> None:
    state = settled(GAME.build_table(Setup("V1", 2)))
    assert state.agenda[-1] == Shuffle(DECK)
    order = tuple(reversed(state.cards_at(DECK)))
    state = apply_events(state, play_move(state, CHANCE, ShuffleResult(order)))
    assert state.cards_at(DECK) == order
    assert state.agenda[-1] == Shuffle(EVENTS)
    assert refusal(state, CHANCE, ShuffleResult(order)).reason == "not_these_cards"


@pytest.mark.clause("MC-SETUP-3", "MC-LIFE-1")
def test_everyone_starts_with_three_full_hearts() -> None:
    assert GAME.build_table(Setup("V1", 5)).hearts == (3, 3, 3, 3, 3)


@pytest.mark.clause("MC-SETUP-5")
def test_everyone_is_dealt_five_cards_from_the_draw_pile() -> None:
    events, state = opened(seats=7, trigger_count=0, first_player=3)
    assert [event.seat for event in of(events, HandDealt)] == [3, 4, 5, 6, 0, 1, 2]
    assert all(len(event.put) == 5 for event in of(events, HandDealt))
    assert [len(state.cards_in_hand(seat)) for seat in state.seats] == [5, 5, 5, 6, 5, 5, 5]
    assert len(state.cards_at(DECK)) == 57 - 36


@pytest.mark.clause("MC-SETUP-5", "MC-AMB-4")
def test_trigger_cards_among_the_first_hands_do_nothing() -> None:
    events, _state = opened(trigger_count=57)
    dealt = of(events, HandDealt)
    assert all(card.endswith("!trigger") for event in dealt for card in event.put)
    assert len(of(events, EventTurnedUp)) == 1  # the one of the first turn
    assert events.index(of(events, EventTurnedUp)[0]) > events.index(of(events, TurnBegan)[0])


@pytest.mark.clause("MC-SETUP-6", "MC-AMB-5")
def test_who_begins_is_drawn_by_lot() -> None:
    events, state = opened()
    assert len(of(events, FirstPlayerChosen)) == 1
    assert of(events, TurnBegan)[0].seat == of(events, FirstPlayerChosen)[0].seat
    assert state.direction == 1


@pytest.mark.clause("MC-AMB-5")
def test_a_table_may_name_who_begins() -> None:
    events, _state = opened(first_player=2)
    assert of(events, FirstPlayerChosen) == [FirstPlayerChosen(2)]
    with pytest.raises(MalformedInput):
        GAME.build_table(Setup("V1", 3, {"first_player": 3}))


def test_the_lot_falls_on_a_seat_of_this_match() -> None:
    state = settled(GAME.build_table(Setup("V1", 3, {}, {"deck": "table"})))
    assert refusal(state, CHANCE, FirstPlayerResult(3)).reason == "no_such_seat"


@pytest.mark.clause("MC-V1-SETUP-1", "MC-V1-MONSTER-1")
def test_monsters_stay_out_when_everyone_plays_against_everyone() -> None:
    state = GAME.build_table(Setup("V1", 3))
    assert (state.monster, state.monster_hearts) == (0, 0)
    everything = {card for cards in state.zones.values() for card in cards}
    assert not everything & {monster["id"] for monster in MONSTERS.values()}


@pytest.mark.clause("MC-V2-SETUP-1")
def test_monsters_come_in_the_order_of_their_hearts() -> None:
    assert [MONSTERS[number]["hearts"] for number in range(1, 11)] == list(range(1, 11))
    assert MONSTERS[10]["id"] == "end_boss"
    state = GAME.build_table(Setup("V2", 3))
    assert (state.monster, state.monster_hearts) == (1, 1)


def test_nothing_has_been_used_yet() -> None:
    state = GAME.build_table(Setup("V2", 3))
    assert state.cards_at(DISCARD) == state.cards_at(TRAY) == ()
