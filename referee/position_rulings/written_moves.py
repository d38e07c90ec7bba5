"""The ruling on one move in a written position.

It differs from the ruling in a match in one thing: a written position hides nothing. In a match a move is judged by
what its player sees, or a refusal would tell what lies in another hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

import orjson

from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Game
from referee.engine.referee import (
    find_closest_legal,
    find_listing_limit,
    judge_candidates,
    rule_on_move,
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.rulebook.book import Text
from referee.engine.rulings import MalformedInput, Ruling, Undetermined, UnjudgeablePosition
from referee.engine.seats import CHANCE, Seat
from referee.rendering import pickers, texts

KEPT_STATES = 1024  # a ruling seldom tries more than 300 positions


def decode_position(game: Game, position: Mapping[str, Any]) -> Any:
    """Return the state that a written position describes, as the position format does.

    A ruling tries hundreds of values of what a position leaves out, and the next one about it tries the same: they
    share the states, and what is remembered of these. Raises MalformedInput, ContradictoryPosition or
    UnjudgeablePosition.
    """
    try:
        written = orjson.dumps(position)
    except TypeError:  # the format says what is wrong with it
        return game.positions.decode_position(dict(position))
    state, wrong = _decode_once(game, game.list_editions(), written)
    if wrong is not None:
        raise type(wrong)(wrong.errors)
    return state


@lru_cache(KEPT_STATES)
def _decode_once(game: Game, _editions: tuple[str, ...], written: bytes) -> tuple[Any, MalformedInput | None]:
    """Return the state of a written position, or what is wrong with it.

    A book that is installed later is another of the editions, with which what was wrong may be right.
    """
    try:
        return game.positions.decode_position(orjson.loads(written)), None
    except UnjudgeablePosition:  # it is logged with its cause each time
        raise
    except MalformedInput as wrong:
        return None, type(wrong)(wrong.errors)


def rule_on_written_move(game: Game, state: Any, seat: Seat, move: Move) -> tuple[Ruling, tuple[Event, ...]]:
    """Return the ruling on a move, and the events that would follow.

    `state` is that of the written position.

    KERNEL-CENSUS-1: Each copy of a card is in one place only. A move names no card of which the position names every
    copy elsewhere, whether or not the player sees it there.
    """
    given, events = rule_on_move(state, seat, move)
    if given.granted:
        for found in game.positions.find_surplus_cards(apply_events(state, events)):
            clauses = tuple(dict.fromkeys(("KERNEL-CENSUS-1", found["clause"])))
            reason = "judge.named_elsewhere" if found["copies"] else "judge.cannot_lie_there"
            return Ruling(False, reason, clauses, {"found": found["says"]}), ()
    return given, events


def find_ways_out(game: Game, state: Any, seat: Seat, move: Move) -> tuple[Move, ...]:
    """Return the legal moves that are most like a refused one.

    There are none if the seat may not move.
    """
    if seat not in seats_that_may_act(state):
        return ()
    closest = find_closest_legal(state, seat, move)
    return tuple(way for way in closest if rule_on_written_move(game, state, seat, way)[0].granted)


def find_open_question(game: Game, position: dict[str, Any]) -> Text | None:
    """Return the open question of a written position in words; None if there is none."""
    state = decode_position(game, game.apply_newest_ruleset(position))
    asks: Text | None = texts.question_response(game, state)["asks"] if state.agenda else None
    return asks


def list_askable_moves(game: Game, position: dict[str, Any]) -> dict[str, Any]:
    """Return what people may ask about in a written position, as data.

    It is the open question, whom it awaits, and for each seat that may act the moves that it may think of, legal or
    not. Which of them are legal is left to the ruling. Raises MalformedInput.
    """
    state = decode_position(game, game.apply_newest_ruleset(game.positions.read_names(position)))
    try:
        question = texts.question_response(game, state) if state.agenda else None
        waits, may = sorted(seats_that_must_act(state), reverse=True), seats_that_may_act(state)
    except Undetermined:  # the position does not even say whose move it is
        question, waits, may = None, [], frozenset()
    return {
        "seats": game.count_seats(state),
        "question": question,
        "awaits": [texts.actor_label(each) for each in waits],
        "moves": [_thinkable_moves_response(game, state, seat) for seat in sorted(may) if seat >= CHANCE],
    }


def _thinkable_moves_response(game: Game, state: Any, seat: Seat) -> dict[str, Any]:
    most = 2 * find_listing_limit(state)
    thinkable = [move for move, _ in islice(judge_candidates(state, seat, complete=False), most + 1)]
    is_cut = len(thinkable) > most or state.agenda[-1].lists_examples_only
    patterns = state.agenda[-1].move_patterns(state.view_for(seat), seat) if is_cut else ()
    listed, picked = pickers.condense_moves(game, thinkable[:most], patterns)
    return {
        "seat": texts.actor_label(seat),
        "listed": texts.legal_moves_response(game, listed, state, seat),
        "pickers": picked,
        "groups": texts.move_groups_response(game, listed, picked),
    }
