"""The ruling on one move in a written position.

It differs from the ruling in a match in one thing: a written position hides nothing. In a match a move is judged by
what its player sees, or a refusal would tell what lies in another hand.
"""

from __future__ import annotations

from typing import Any

from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Game
from referee.engine.referee import find_closest_legal, rule_on_move, seats_that_may_act
from referee.engine.rulings import Ruling
from referee.engine.seats import Seat


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
