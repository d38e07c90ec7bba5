"""A view is completed to a table that its seat cannot tell from the real one, and that can be played on."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.engine.events import apply_events
from referee.engine.game import Game, Setup
from referee.engine.referee import (
    draw_chance_move,
    play_move,
    sample_legal_move,
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.games import load_games
from referee.games.here_to_slay.evaluation.determinization import find_shown_cards, join_known_cards
from tests.games.matches import marked_setups, random_match, recorded

PLAYED_ON = 25  # moves that are played from a completed view
each = pytest.mark.parametrize("pair", marked_setups(), scope="module")


def play_on(game: Game, state: Any, dice: random.Random) -> int:
    """Play random moves; return how many there were before the match ended."""
    for played in range(PLAYED_ON):
        if game.find_outcome(state) is not None:
            return played
        waiting = seats_that_must_act(state)
        if CHANCE in waiting:
            seat, move = CHANCE, draw_chance_move(state, dice.randrange)
        else:
            seat = Seat(dice.choice(sorted(seat for seat in waiting if seat >= 0)))
            move = sample_legal_move(state, seat, dice.randrange)
        assert move is not None, (seat, state.agenda[-1])
        state = apply_events(state, play_move(state, seat, move))
    return PLAYED_ON


@each
def test_the_view_of_a_completed_view_is_that_view_and_play_goes_on_from_it(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    game, dice, differ = load_games()[name], random.Random(f"completed {name}"), 0
    for seed in (0, 1):
        for turn in recorded(pair, seed):
            if dice.random() < 0.7:
                continue
            seat = dice.choice([*map(Seat, range(setup.seats)), BYSTANDER])
            view = turn.before.view_for(seat)
            one, two = (game.tracking.determinize(view, seat, dice.randrange) for _ in range(2))
            assert one.view_for(seat) == two.view_for(seat) == view
            assert seats_that_must_act(one) == seats_that_must_act(turn.before)
            assert seats_that_may_act(one) == seats_that_may_act(turn.before)
            differ += one != two
            play_on(game, one, dice)
    assert differ, "something was hidden"


@each
def test_only_the_view_is_used(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    game, dice = load_games()[name], random.Random(f"view {name}")
    for turn in recorded(pair, 0):
        if dice.random() < 0.2:
            seat = dice.randrange(setup.seats)
            worlds = [
                game.tracking.determinize(state, seat, random.Random(7).randrange)
                for state in (turn.before, turn.before.view_for(seat))
            ]
            assert worlds[0] == worlds[1]


def test_a_remembered_card_lies_where_it_was_seen_unless_it_lies_open_by_now() -> None:
    game = load_games()["here_to_slay"]
    setup = game.complete_setup(Setup("standard", 2))
    turn = next(turn for turn in random_match("here_to_slay", setup, 1) if len(turn.after.cards_at("discard")) > 3)
    view, held, open_card = turn.after.view_for(0), turn.after.cards_at("hand:1")[0], turn.after.cards_at("discard")[0]
    dice = random.Random(3)
    for _ in range(20):
        world: Any = game.tracking.determinize(view, 0, dice.randrange, {"hand:1": (held, open_card)})
        assert held in world.cards_at("hand:1")
        assert open_card not in world.cards_at("hand:1")
        assert world.view_for(0) == view


@pytest.mark.clause("CC-FORMAT-ARENA-1")
def test_who_remembers_the_draft_knows_what_is_in_the_own_deck() -> None:
    game = load_games()["creature_crush"]
    setup = game.complete_setup(Setup("arena", 2))
    state = next(turn.after for turn in random_match("creature_crush", setup, 3) if turn.after.turns > 4)
    view, deck, dice = state.view_for(0), "deck/0:", random.Random(3)
    drafted = tuple(sorted((*state.cards_at(deck), *state.cards_at("hand:0"))))
    for _ in range(10):
        world: Any = game.tracking.determinize(view, 0, dice.randrange, {deck: drafted})
        assert sorted(world.cards_at(deck)) == sorted(state.cards_at(deck))
        assert world.view_for(0) == view


def test_cards_that_a_text_shows_and_that_are_remembered_lie_there_once() -> None:
    """A remembered hand is shown again by Silent Shadow: each card of it is there, and none of them twice."""
    assert join_known_cards(("dam", "fox", "fox"), ("fox", "bear")) == ("fox", "bear", "dam", "fox")
    game = load_games()["here_to_slay"]
    setup = game.complete_setup(Setup("standard", 2))
    found = 0
    for seed in range(12):
        for turn in random_match("here_to_slay", setup, seed):
            for seat in (0, 1):
                view = turn.after.view_for(seat)
                for place, shown in find_shown_cards(view, seat).items():
                    if place.startswith("hand:") and len(set(shown)) > 1:
                        worlds = [
                            game.tracking.determinize(view, seat, random.Random(n).randrange, {place: tuple(shown)})
                            for n in range(3)
                        ]
                        assert all(sorted(world.zones[place]) == sorted(shown) for world in worlds)
                        found += 1
    assert found, "somebody looked at a hand"
