"""Activate a text of a card for a player.

Clauses: CC-CHAIN-3, CC-CHAIN-4, CC-CHAIN-7, CC-AMB-34, CC-WORD-TIME-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.engine.zones import is_back
from referee.games.creature_crush.components import SEATS, face_of
from referee.games.creature_crush.state import Table

COMMON_NAMES = ("me", "opponent", "this", "x")  # names that are bound for every text


def activate_text(
    table: Table, card: str, text: str, by: int, refs: Mapping[str, str] | None = None, x: int = 0
) -> Execution:
    """Activate a text of a card for the player `by`.

    `refs` are the cards that the text can use by name, `x` the dice burned for the card. The place of each creature is
    kept as `at/<name>`, because a step does nothing to a card that has left its place since.
    """
    bound: dict[str, Values] = {"me": (by,), "opponent": (1 - by,), "this": (card,), "x": (x,)}
    for name, value in {"this": card, **(refs or {})}.items():
        bound[name] = (value,)
        place = table.places_by_creature.get(value)
        if place is not None:
            bound[f"at/{name}"] = (place,)
    return Execution(card, text, by, 0, bound)


def watch_deaths(table: Table, victims: Mapping[int, Iterable[str]]) -> tuple[Execution, ...]:
    """Activate what creatures on the field do when others are destroyed.

    `victims`: by seat of their possessor. Each victim sets off each text once.
    """
    return tuple(
        effect
        for side in SEATS
        for victim in victims.get(side, ())
        for seat in SEATS
        for effect in activate_texts(
            table,
            ((each, "ally_dies" if seat == side else "enemy_dies", seat) for each in table.list_creatures(seat)),
            **({"victim": victim} if seat == side else {}),
        )
    )


def watch_arrival(table: Table, summoned: str, side: int) -> tuple[Execution, ...]:
    """Activate what other creatures do when one is summoned to this side."""
    return activate_texts(
        table,
        (
            (each, "ally_arrives" if seat == side else "enemy_arrives", seat)
            for seat in SEATS
            for each in table.list_creatures(seat)
            if each != summoned
        ),
        summoned=summoned,
    )


def watch_start(table: Table, seat: int) -> tuple[Execution, ...]:
    """Activate what creatures do when the start phase of a player begins.

    CC-AMB-34: What a card does as the start phase begins comes before the draw.
    """
    own = [(each, "turn_starts", seat) for each in table.list_creatures(seat)]
    return activate_texts(table, [*own, *((e, "opponent_starts", 1 - seat) for e in table.list_creatures(1 - seat))])


def watch_end(table: Table, seat: int) -> tuple[Execution, ...]:
    """Activate what a player's creatures do when that player's turn ends.

    CC-WORD-TIME-1: What cards do at the end of the turn is handled before anything that lasts for the turn is over.
    """
    return activate_texts(table, ((each, "turn_ends", seat) for each in table.list_creatures(seat)))


def watch_flip(table: Table, flipped: str, side: int) -> tuple[Execution, ...]:
    """Activate what creatures do when a player flips a crush card.

    CC-CHAIN-4: At each event the automatic effects that it triggers come first. Each flip is an event.
    """
    return activate_texts(
        table,
        (
            (each, "flips" if seat == side else "opponent_flips", seat)
            for seat in (table.turn, 1 - table.turn)
            for each in table.list_creatures(seat)
        ),
        flipped=flipped,
    )


def activate_texts(table: Table, cards: Iterable[tuple[str, str, int]], **refs: str) -> tuple[Execution, ...]:
    """Activate this text of each card (card, text, possessor) that has one, in order."""
    return tuple(
        activate_text(table, card, text, by, refs)
        for card, text, by in cards
        if not is_back(card) and text in face_of(card).texts
    )
