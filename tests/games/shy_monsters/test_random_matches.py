"""Random matches with the settings that the laws of all games do not vary: two games, drawn roles, a named hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from referee.engine.codec import decode, decode_named, encode
from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    build_view,
    find_closest_legal,
    find_legal_moves,
    judge_candidates,
    judge_move,
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.seats import BYSTANDER, Seat
from referee.games.shy_monsters import GAME
from tests.games.matches import Turned, random_match

AGREED = {"roles": {"dungeon_master": 1}}
SETUPS = {
    "agreed": Setup("standard", 2, AGREED, {}),
    "two-games": Setup("standard", 2, {"games": 2}, {}),
    "two-games-table": Setup("standard", 2, {"games": 2}, {"cards": "table"}),
    "named": Setup("standard", 2, {**AGREED, "games": 2}, {"cards": "table"}, (0, 1)),
}
each = pytest.mark.parametrize("name", SETUPS)
EYES = (Seat(0), Seat(1), BYSTANDER)


def matches(name: str, count: int = 12) -> Iterator[Turned]:
    for seed in range(count):
        yield from random_match("shy_monsters", GAME.complete_setup(SETUPS[name]), seed)


@pytest.mark.deep
@each
def test_the_laws_hold_at_every_move(name: str) -> None:
    dice = random.Random(name)
    for turn in matches(name):
        after = turn.after
        assert GAME.positions.decode_position(GAME.positions.encode_position(after)) == after
        assert decode(GAME.state_type, encode(after)) == after
        for event in turn.events:
            assert decode_named(encode(event), Event) == event
        assert decode_named(encode(turn.move), Move) == turn.move
        for seat in EYES:
            seen = build_view(after, seat)
            assert apply_events(build_view(turn.before, seat), [event.view_for(seat) for event in turn.events]) == seen
            assert build_view(seen, seat) == seen
            assert GAME.positions.decode_position(GAME.positions.encode_position(seen)) == seen
            other: Any = GAME.tracking.determinize(after, seat, dice.randrange)
            assert build_view(other, seat) == seen
            assert (seats_that_must_act(other), seats_that_may_act(other)) == (
                seats_that_must_act(after),
                seats_that_may_act(after),
            )


@each
def test_a_move_is_legal_exactly_if_it_is_not_refused_on_state_and_view(name: str) -> None:
    for turn in matches(name, 4):
        for seat in (Seat(0), Seat(1)):
            offered = list(islice(judge_candidates(turn.before, seat), 80))
            for move, against in offered:
                for table in (turn.before, build_view(turn.before, seat)):
                    ruling = judge_move(table, seat, move)
                    assert ruling.granted is (against is None)
                    assert against is None or ruling == against
                if against is not None:
                    assert find_closest_legal(build_view(turn.before, seat), seat, move), "a refused move has a way out"


def test_another_world_differs_in_what_is_hidden() -> None:
    """The law on permuted worlds would hold idly if nothing were permuted."""
    dice, changed = random.Random(3), 0
    for turn in matches("agreed", 3):
        other = GAME.tracking.determinize(turn.after, 0, dice.randrange)
        changed += other != turn.after
    assert changed > 10


def test_every_way_to_end_comes_up_and_someone_is_awaited_until_then() -> None:
    ends = set()
    for seed in range(150):
        last: Any = None
        for turn in random_match("shy_monsters", GAME.complete_setup(SETUPS["agreed"]), seed):
            assert turn.before.agenda
            assert seats_that_must_act(turn.before)
            assert next(find_legal_moves(turn.before, turn.seat), None) is not None or turn.seat < 0
            last = turn.after
        outcome = GAME.find_outcome(last)
        assert outcome is not None
        ends.add(outcome.reason)
    assert {"won.escaped", "won.killed", "won.conceded", "won.barred"} <= ends
