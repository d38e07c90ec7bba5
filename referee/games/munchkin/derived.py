"""What cards in play come to: limits, hands, bonuses to run away.

Clauses: MK-4.9, MK-7.3, MK-7.4, MK-7.7, MK-17.3, MK-21.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.munchkin.card_attributes import StaticAbility
from referee.games.munchkin.components import FACES
from referee.games.munchkin.state import HAND_LIMIT, TWO_HANDS, Table
from referee.games.munchkin.strength import is_condition_met, is_effective, is_exempt_from_limits


def find_active_abilities(table: Table, seat: int, what: str) -> Iterator[tuple[str, StaticAbility]]:
    """The standing values of one sort that work for a player now, each with its card (MK-7.4)."""
    for card, each in table.static_abilities_of(seat):
        if each.what == what and is_effective(table, seat, card) and is_condition_met(table, each.when, seat):
            yield card, each


def sum_abilities(table: Table, seat: int, what: str) -> int:
    """The sum of the standing values of one sort."""
    return sum(each.number for _, each in find_active_abilities(table, seat, what))


def hand_limit(table: Table, seat: int) -> int:
    """How many cards a player may keep at charity (MK-21.1, MK-4.9)."""
    return max(0, HAND_LIMIT + sum_abilities(table, seat, "hand_limit"))


def big_limit(table: Table, seat: int) -> int:
    """How many Big items a player may have in play (MK-7.7)."""
    return max(0, 1 + sum_abilities(table, seat, "big_limit"))


def count_hands(table: Table, seat: int) -> int:
    """How many hands a player has for hand items (MK-7.3)."""
    return max(0, TWO_HANDS + sum_abilities(table, seat, "hand_slots"))


def big_items(table: Table, seat: int) -> tuple[str, ...]:
    """The Big items of a player that count against the limit (MK-7.7)."""
    return tuple(
        card for card in table.cards_in_play_of(seat) if FACES[card].big and not is_exempt_from_limits(table, card)
    )
