"""Values derived from cards in play: static abilities, limits, hands.

Clauses: MK-4.9, MK-7.3, MK-7.4, MK-7.7, MK-17.3, MK-21.1.
"""

from __future__ import annotations

from referee.engine.remembering import remember
from referee.games.munchkin.card_attributes import StaticAbility
from referee.games.munchkin.components import FACES, WORD_LABELS
from referee.games.munchkin.conditions import NESTED_CONDITIONS, Condition
from referee.games.munchkin.state import CARDS_IN_PLAY, HAND_LIMIT, TWO_HANDS, Table
from referee.games.munchkin.strength import (
    is_condition_met,
    is_effective,
    is_exempt_from_limits,
    list_lasting_abilities,
)
from referee.games.munchkin.values import Foe


@remember(*CARDS_IN_PLAY)
def find_active_abilities(table: Table, seat: int, what: str) -> tuple[tuple[str, StaticAbility], ...]:
    """Return the static abilities of one sort that work for a player now.

    Each comes with its card.
    MK-7.4: An item with a condition gives its bonus only while the condition holds.
    """
    found = tuple(
        (card, each)
        for card, each in table.static_abilities_of(seat)
        if each.what == what and is_effective(table, seat, card) and is_condition_met(table, each.when, seat)
    )
    return (*found, *list_lasting_abilities(table, seat, what)) if table.lasting else found


def multiply_abilities(table: Table, seat: int, what: str) -> int:
    """Return the product of the active abilities of one sort, 1 without any."""
    product = 1
    for _, each in find_active_abilities(table, seat, what):
        product *= each.number
    return product


def sum_abilities(table: Table, seat: int, what: str) -> int:
    """Return the sum of the active abilities of one sort."""
    if not table.lasting and not any(each.what == what for _, each in table.static_abilities_of(seat)):
        return 0  # the usual case, in one go
    return sum(each.number for _, each in find_active_abilities(table, seat, what))


def hand_limit(table: Table, seat: int) -> int:
    """Return how many cards a player may keep at charity.

    MK-21.1: A player must come down to five hand cards, or to that player's own limit.
    MK-4.9: A citizen of Thanksgiving has a hand limit of six.
    """
    return max(0, HAND_LIMIT + sum_abilities(table, seat, "hand_limit"))


def big_limit(table: Table, seat: int) -> int:
    """Return how many Big items a player may have in play.

    MK-7.7: A player has at most one Big item in play.
    """
    return max(0, 1 + sum_abilities(table, seat, "big_limit"))


def count_hands(table: Table, seat: int) -> int:
    """Return how many hands a player has for hand items.

    MK-7.3: Equipped at most are hand items for two hands.
    """
    return max(0, TWO_HANDS + sum_abilities(table, seat, "hand_slots"))


@remember(*CARDS_IN_PLAY)
def big_items(table: Table, seat: int) -> tuple[str, ...]:
    """Return the Big items of a player that count against the limit (MK-7.7)."""
    return tuple(
        card for card in table.cards_in_play_of(seat) if FACES[card].big and not is_exempt_from_limits(table, card)
    )


def name_condition(condition: Condition) -> str:
    """Return the word under which players read what a single condition asks for."""
    opposite = "not_" if condition.word == "not" else ""
    inner = condition.all_of[0] if condition.word in NESTED_CONDITIONS else condition
    assert isinstance(inner, Condition)
    number = f"_{inner.number}" if inner.word in ("level_min", "level_max") else ""
    named = f"needs_{opposite}{inner.value if inner.word == 'town' else inner.word}{number}"
    return named if named in WORD_LABELS else "needs_what_it_says"


def name_unmet_condition(table: Table, condition: Condition, seat: int, foe: Foe | None = None) -> str:
    """Return the word for the first part of a condition that does not hold."""
    parts = condition.all_of if condition.word == "all" else (condition,)
    return name_condition(next(each for each in parts if not is_condition_met(table, each, seat, foe)))
