"""Moves at a table of real cards that are likely true: quicker proposals for random matches by the thousand.

What a seat can do is thought of from its view, but nobody asks of every move whether it is legal: one after the other
is proposed at random, and where it names cards that the seat does not hold, cards that it holds stand in for them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice
from typing import Any

from referee.engine.chance import PickResult
from referee.engine.events import Move
from referee.engine.game import Game, Setup
from referee.engine.referee import build_view, draw_chance_move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import is_back
from tests.games.real_cards import RealCards

MOST_THOUGHT_OF, MOST_PROPOSED = 1500, 120


def true_moves(
    game: Game, setup: Setup, state: Any, cards: RealCards, seat: Seat, dice: random.Random
) -> Iterator[Move]:  # fmt: skip
    """Proposals of what a seat, or chance, does: they may be illegal, or name cards that do not lie there."""
    top = state.agenda[-1]
    told = game.tracking.cards_by_zone(state)
    if seat == CHANCE:
        if not setup.is_at_table(getattr(top, "device", "")):
            yield draw_chance_move(state, dice.randrange)
            return
        held = f"hand:{getattr(top, 'seat', '')}"
        if held in cards.lie and hasattr(top, "count"):  # a hand that is read out
            yield PickResult(tuple(cards.hidden(held, told.get(held, ()))))
    seen = build_view(state, seat)
    for _ in range(3):
        if seat != CHANCE and (offered := seen.agenda[-1].sample_move(seen, seat, dice.randrange)) is not None:
            yield offered
    kinds: dict[str, list[Move]] = {}
    for move in _thought_of(seen, seat):
        kinds.setdefault(move.TAG if move.playable_at_random else "~", []).append(move)
    leaving = kinds.pop("~", [])
    for each in kinds.values():
        dice.shuffle(each)
    for _ in range(MOST_PROPOSED):
        if not kinds:
            break
        kind = dice.choice(sorted(kinds))
        move = kinds[kind].pop()
        if not kinds[kind]:
            del kinds[kind]
        own = _pool(cards, told, seat, dice)
        as_held = _as_held(move, cards, told, own, dice)
        yield as_held
        if as_held != move:
            yield move
    yield from leaving  # nobody leaves a table as long as there is anything else to do


def _thought_of(seen: Any, seat: Seat) -> Iterator[Move]:
    """The candidates of a seat's view, as far as it tells what there is to think of."""
    try:
        yield from islice(seen.agenda[-1].candidate_moves(seen, seat), MOST_THOUGHT_OF)
    except (IllegalMove, Undetermined):
        return


def _pool(cards: RealCards, told: Any, seat: Seat, dice: random.Random) -> list[str]:
    """Hidden cards that a seat may name: those of its hand; chance may mean any one place."""
    if seat != CHANCE:
        own = f"hand:{int(seat)}"
        return cards.hidden(own, told.get(own, ())) if own in cards.lie else []
    places = [place for place, lie in sorted(cards.lie.items()) if lie and any(map(is_back, told.get(place, ())))]
    place = dice.choice(places) if places else ""
    return cards.hidden(place, told.get(place, ())) if place else []


def _as_held(move: Move, cards: RealCards, told: Any, own: list[str], dice: random.Random) -> Move:
    """The move with cards that are held in place of those that are not and do not lie open either."""
    left = list(own)
    dice.shuffle(left)
    lying = {card for there in told.values() for card in there if not is_back(card)}

    def held(card: Any) -> Any:
        if not isinstance(card, str) or card not in cards.names or not left:
            return card
        if card in left:
            left.remove(card)
            return card
        return card if card in lying else left.pop()

    changes: dict[str, Any] = {}
    told_move: Any = move
    for part in fields(told_move):
        value = getattr(move, part.name)
        other = tuple(map(held, value)) if isinstance(value, tuple) else held(value)
        if other != value:
            changes[part.name] = other
    return replace(told_move, **changes) if changes else move
