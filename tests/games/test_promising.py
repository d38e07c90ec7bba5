"""What is looked at where nobody asks for near misses: every legal move is still there, in its order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves, judge_candidates, sample_legal_move, seats_that_may_act
from referee.engine.seats import Seat
from referee.games.munchkin.moves import PlayCard
from referee.games.munchkin.rules.combat.combat_changed import HANDLERS
from tests.games.matches import marked_setups, random_match, setups

LOOKED = 6000  # candidates of one question
ALL_SETUPS = setups()


def questions(pair: tuple[str, Setup], moves: int = 160) -> Iterator[tuple[Any, Seat]]:
    """Some questions of a random match, each with a seat that is heard, in turn."""
    every = 1 if pair[0] == "shy_monsters" else 10  # its matches are short, and some lists in them too long
    for at, turned in enumerate(islice(random_match(*pair, 11), moves)):
        players = sorted(seat for seat in seats_that_may_act(turned.before) if seat >= 0)
        if at % every == 0 and players:
            yield turned.before, players[at // every % len(players)]


def looked_through(state: Any, seat: Seat) -> list[Move]:
    """The legal moves among all candidates, near misses and all."""
    return [move for move, against in islice(judge_candidates(state, seat), LOOKED) if against is None]


def drawn_from(moves: list[Move], dice: random.Random) -> Move | None:
    """A kind of move first, then the move."""
    kinds: dict[str, list[Move]] = {}
    for move in moves:
        if move.playable_at_random:
            kinds.setdefault(move.TAG, []).append(move)
    of_kind = kinds[sorted(kinds)[dice.randrange(len(kinds))]] if kinds else []
    return of_kind[dice.randrange(len(of_kind))] if of_kind else None


@pytest.mark.parametrize("pair", marked_setups())
def test_the_legal_moves_are_those_among_all_candidates_and_chance_draws_the_same(pair: tuple[str, Setup]) -> None:
    compared = 0
    for at, (state, seat) in enumerate(questions(pair)):
        expected = looked_through(state, seat)
        if len(expected) < LOOKED // 4:  # else the list may be cut, and a step draws by itself
            assert list(islice(find_legal_moves(state, seat), LOOKED)) == expected
            view = state.view_for(seat)
            if view.agenda[-1].sample_move(view, seat, random.Random(at).randrange) is None:
                assert sample_legal_move(state, seat, random.Random(at).randrange) == drawn_from(
                    expected, random.Random(at)
                )
            compared += 1
    assert compared


def test_that_test_would_notice_a_play_that_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    plays = HANDLERS[PlayCard]
    monkeypatch.setitem(HANDLERS, PlayCard, replace(plays, promising=lambda table, seat: ()))
    pair = next(pair for pair in ALL_SETUPS if pair[0] == "munchkin")
    assert any(list(find_legal_moves(state, seat)) != looked_through(state, seat) for state, seat in questions(pair))
