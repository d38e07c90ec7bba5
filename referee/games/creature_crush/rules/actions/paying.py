"""Paying with start dice: exactly for creatures, any pips for crush cards and moves; whatever paid is burned.

Clauses: CC-MAT-2, CC-PAY-1, CC-PAY-2, CC-PAY-3, CC-PAY-4, CC-CRUSH-1, CC-CRUSH-2, CC-TACTIC-1, CC-TACTIC-2, CC-AMB-15,
CC-AMB-15-R2, CC-GLOSS-8.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.events.course import DiceBurned
from referee.games.creature_crush.state import Table

Pips = tuple[int, ...]


@lru_cache(4096)  # five dice, costs up to thirty: the same few questions at every move
def list_payments(dice: Pips, cost: int) -> tuple[Pips, ...]:
    """Every different way to pay a cost exactly, few dice first; equal dice are alike (CC-PAY-1, CC-PAY-4)."""
    return tuple(
        chosen for count in range(1, len(dice) + 1) for chosen in list_burns(dice, count) if sum(chosen) == cost
    )


@lru_cache(1024)
def list_burns(dice: Pips, count: int) -> tuple[Pips, ...]:
    """Every different choice of so many dice, whatever their pips; none if there are too few."""
    return tuple(dict.fromkeys(combinations(sorted(dice), count))) if count <= len(dice) else ()


def check_payment(table: Table, dice: Pips, cost: int) -> None:
    """Raises IllegalMove unless these dice are there, not burned, and their pips are exactly the cost (CC-PAY-1)."""
    if dice in list_payments(table.dice, cost):
        return
    _check_dice_present(table, dice)
    if sum(dice) != cost:
        raise IllegalMove("pips_do_not_match", "CC-PAY-1", pips=sum(dice), cost=cost)


def check_burned_dice(table: Table, dice: Pips, count: int, *clauses: str) -> None:
    """Raises IllegalMove unless these are so many dice that are there and not burned, whatever their pips."""
    _check_dice_present(table, dice)
    if len(dice) != count:
        raise IllegalMove("wrong_number_of_dice", *clauses, given=len(dice), count=count)


def _check_dice_present(table: Table, dice: Pips) -> None:
    for pips in set(dice):
        if dice.count(pips) > table.dice.count(pips):
            raise IllegalMove("no_such_die", "CC-PAY-2", pips=pips)


def can_have_cost(table: Table, cost: int, dice: int) -> bool:
    """Whether a crush card of this printed cost can have been laid for so many dice: X is any number, or any but none
    (CC-AMB-15, CC-AMB-15-R2)."""
    return cost == dice or (cost == COST_X and (dice > 0 or table.interpretation_number("CC-AMB-15") == 1))


def build_dice_schema(table: Table) -> dict[str, Any]:
    """The JSON Schema of dice that a move may burn, where its ways to pay are too many to list."""
    return {"type": "array", "items": {"enum": sorted(set(table.dice))}, "maxItems": len(table.dice)}


def burn_dice(seat: int, dice: Pips) -> Event:
    """The fact that these dice are burned; not for a cost of no dice at all (CC-AMB-15)."""
    return DiceBurned(seat, tuple(sorted(dice)))
