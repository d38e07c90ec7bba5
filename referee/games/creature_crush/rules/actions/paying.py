"""Pay with start dice: exactly for creatures, any pips for other costs.

The dice that paid are burned. Clauses: CC-MAT-2, CC-PAY-1, CC-PAY-2, CC-PAY-3, CC-PAY-4, CC-CRUSH-1, CC-CRUSH-2,
CC-TACTIC-1, CC-TACTIC-2, CC-AMB-15, CC-AMB-15-R2, CC-GLOSS-8, CC-WORD-COST-1, CC-WORD-COST-2.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import face_of
from referee.games.creature_crush.events.course import DiceBurned
from referee.games.creature_crush.state import Table

Pips = tuple[int, ...]


@lru_cache(4096)  # with five dice and costs up to thirty, few calls differ
def list_payments(dice: Pips, cost: int) -> tuple[Pips, ...]:
    """List every different way to pay a cost exactly, few dice first.

    Equal dice are alike.

    CC-PAY-1: The cost of a creature is paid with one start die, or several added up, whose pips are exactly that cost.
    CC-PAY-4: Dice may be added up for a cost of 6 or less as well.
    """
    return tuple(
        chosen for count in range(1, len(dice) + 1) for chosen in list_burns(dice, count) if sum(chosen) == cost
    )


@lru_cache(1024)
def list_burns(dice: Pips, count: int) -> tuple[Pips, ...]:
    """List every different choice of `count` dice, none if there are too few."""
    return tuple(dict.fromkeys(combinations(sorted(dice), count))) if count <= len(dice) else ()


def check_payment(table: Table, dice: Pips, seat: int, creature: str) -> None:
    """Check that these dice are there, not burned, and pay exactly for a creature.

    Raises IllegalMove if they do not.

    CC-PAY-1: The cost of a creature is paid with one start die, or several added up, whose pips are exactly that cost.
    """
    if dice in list_payments(table.dice, table.pips_to_pay(seat, creature)):
        return
    check_dice_present(table, dice)
    check_pips(table, dice, seat, creature)


def check_pips(table: Table, dice: Pips, seat: int, creature: str) -> None:
    """Check that the pips of these dice are exactly what a creature costs.

    Raises IllegalMove if they are not.

    CC-PAY-1: The cost of a creature is paid with one start die, or several added up, whose pips are exactly that cost.
    """
    cost = table.pips_to_pay(seat, creature)
    more = ("CC-WORD-COST-1",) if cost != face_of(creature).cost else ()
    if not dice:
        raise IllegalMove("no_die_named", "CC-PAY-1", *more, cost=cost)
    if sum(dice) != cost:
        raise IllegalMove("pips_do_not_match", "CC-PAY-1", *more, pips=sum(dice), cost=cost)


def check_burned_dice(table: Table, dice: Pips, count: int, *clauses: str) -> None:
    """Check that these are `count` dice that are there and not burned, of any pips.

    Raises IllegalMove, citing `clauses`, if they are not.
    """
    check_dice_present(table, dice)
    if len(dice) != count:
        raise IllegalMove("wrong_number_of_dice", *clauses, given=len(dice), count=count)


def check_dice_present(table: Table, dice: Pips) -> None:
    """Check that these dice are there and not burned.

    Raises IllegalMove if they are not.

    CC-PAY-2: A burned die is useless until the next turn.
    """
    for pips in set(dice):
        if dice.count(pips) > table.dice.count(pips):
            raise build_missing_die_refusal(table, pips)


def build_missing_die_refusal(table: Table, pips: int) -> IllegalMove:
    """Return the refusal of a die that is not there, with the dice that are."""
    return IllegalMove("no_such_die", "CC-PAY-2", pips=pips, left=table.dice, left_count=len(table.dice))


def can_have_cost(table: Table, cost: int, dice: int, change: int = 0) -> bool:
    """Return whether a crush card of this printed cost can be laid for `dice` dice.

    `change` is by how many dice the cost is changed.

    CC-AMB-15: X is any number from 0 to all unburned dice.
    CC-AMB-15-R2: X is any number from 1 to all unburned dice.
    """
    if cost == COST_X:
        return dice > 0 or table.interpretation_number("CC-AMB-15") == 1
    return change_crush_cost(cost, change) == dice


def change_crush_cost(cost: int, change: int) -> int:
    """Return the dice that a crush card of this printed cost takes if it is changed.

    CC-WORD-COST-2: A cost never falls below no die, and X is not changed.
    """
    return cost if cost == COST_X else max(0, cost + change)


def could_lie_at(table: Table, place: str, cost: int) -> bool:
    """Return whether a crush card of this cost fits the dice burned at a C-place.

    CC-CRUSH-1: Its cost is paid by burning that many dice.
    """
    return can_have_cost(table, cost, table.dice_paid_for(place), table.saved.get(place, 0))


def build_dice_schema(table: Table) -> dict[str, Any]:
    """Return the JSON Schema of a move's dice, if it has too many ways to pay to list."""
    return {"type": "array", "items": {"enum": sorted(set(table.dice))}, "maxItems": len(table.dice)}


def burn_dice(seat: int, dice: Pips) -> Event:
    """Build the event that these dice are burned.

    CC-AMB-15: A printed cost of 0 burns no die. Callers then leave the event out.
    """
    return DiceBurned(seat, tuple(sorted(dice)))
