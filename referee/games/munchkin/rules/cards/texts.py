"""The start of a card text: its step, with the names that every text finds bound.

MK-3.8: An effect that cannot be carried out in full is carried out in part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.games.munchkin.values import NOBODY

if TYPE_CHECKING:
    from referee.games.munchkin.state import Table

AMBIENT = (
    "me", "this", "left", "right", "everyone", "main", "helper", "fighters", "target", "monster", "partner", "side",
)  # fmt: skip


def build_text_execution(
    table: Table,
    card: str,
    text: str,
    by: int,
    target: int = NOBODY,
    monster: str = "",
    partner: str = "",
    side: str = "",
) -> Execution:
    """Return the step that carries out a card's text for the player `by`.

    The other parameters are what the play named. Raises KeyError if the card has no such text.
    """
    table.find_program(card, text)
    others, combat = table.other_seats(by), table.combat
    bound: dict[str, Values] = {
        "me": (by,),
        "this": (card,),
        "left": others[:1],
        "right": others[-1:],
        "everyone": table.seats_clockwise_from(by),
    }
    if combat is not None:
        bound |= {"main": (combat.main,), "fighters": combat.fighters}
        bound |= {"helper": (combat.helper,)} if combat.helper != NOBODY else {}
    named: dict[str, Values] = {
        "target": (target,) if target != NOBODY else (),
        "monster": (monster,) if monster else (),
        "partner": (partner,) if partner else (),
        "side": (side,) if side else (),
    }
    bound |= {name: values for name, values in named.items() if values}
    return Execution(card, text, by, 0, bound)


def has_text(table: Table, card: str, text: str) -> bool:
    """Return whether a card has such a text."""
    try:
        table.find_program(card, text)
    except KeyError:
        return False
    return True
