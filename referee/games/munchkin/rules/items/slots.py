"""Limits of using and carrying: slots, hands, Big items.

An item with a card attached counts against none of them (`is_exempt_from_limits`). Clauses: MK-7.3, MK-7.4, MK-7.7,
MK-8.2.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.engine.remembering import remember
from referee.engine.rulings import IllegalMove
from referee.engine.zones import Cards
from referee.games.munchkin.components import FACES
from referee.games.munchkin.derived import (
    big_items,
    big_limit,
    count_hands,
    find_active_abilities,
    name_unmet_condition,
)
from referee.games.munchkin.state import CARDS_IN_PLAY, TWO_HANDS, Table
from referee.games.munchkin.strength import is_effective, is_exempt_from_limits

SINGLE_ITEM_SLOTS = ("headgear", "armor", "footgear")


@remember(*CARDS_IN_PLAY)
def find_counted_items(table: Table, seat: int) -> Cards:
    """Return the items in use that count against slots and hands."""
    return tuple(card for card in table.used_items(seat) if not is_exempt_from_limits(table, card))


def find_excess_items(table: Table, seat: int) -> Cards:
    """Return the items in use of the first slot that holds too many, or ().

    MK-7.3: Equipped at most are one headgear, one armor, one footgear and hand items for two hands.
    """
    by_slot: dict[str, list[str]] = {}
    for card in find_counted_items(table, seat):
        by_slot.setdefault(FACES[card].slot, []).append(card)
    for slot in SINGLE_ITEM_SLOTS:
        if len(by_slot.get(slot, ())) > 1:
            return tuple(by_slot[slot])
    held = by_slot.get("hand", ())
    taken = sum(FACES[card].hands for card in held)
    return tuple(held) if taken > TWO_HANDS and taken > count_hands(table, seat) else ()


def find_conflicting_items(table: Table, seat: int, item: str, off: Iterable[str] = ()) -> Cards:
    """Return the items in use that leave no room for an item, without those of `off`.

    Return () if there is room.
    """
    face = FACES[item]
    if is_exempt_from_limits(table, item) or face.slot not in (*SINGLE_ITEM_SLOTS, "hand"):
        return ()
    worn = tuple(card for card in find_counted_items(table, seat) if FACES[card].slot == face.slot and card not in off)
    if face.slot != "hand":
        return worn
    return worn if sum(FACES[card].hands for card in worn) + face.hands > count_hands(table, seat) else ()


def check_use(table: Table, seat: int, item: str, off: Cards = ()) -> None:
    """Raise IllegalMove unless a player can use this item in play now.

    MK-7.3: Equipped at most are one headgear, one armor, one footgear and hand items for two hands.
    MK-7.4: An item with a condition gives its bonus only while the condition holds.
    MK-8.2: A one-shot lying in play is not used by itself.
    """
    face = FACES[item]
    if face.kind != "item":
        raise IllegalMove("not_to_be_used", "MK-8.2", "MK-7.2", card=item)
    if face.requires is not None and not is_effective(table, seat, item):
        needs = name_unmet_condition(table, face.requires, seat)
        raise IllegalMove("condition_fails", "MK-7.4", card=item, needs=needs)
    if worn := find_conflicting_items(table, seat, item, off):
        if face.slot == "hand":
            hands = count_hands(table, seat)
            raise IllegalMove("hands_are_full", "MK-7.3", card=item, hands=hands, cards=worn, held=len(worn))
        raise IllegalMove("slot_is_taken", "MK-7.3", card=item, slot=face.slot, cards=worn)


def can_use(table: Table, seat: int, item: str) -> bool:
    """Return whether an item can be used as soon as it is put into play (MK-26.5)."""
    try:
        check_use(table, seat, item)
    except IllegalMove:
        return False
    return True


def can_carry(table: Table, seat: int, items: Iterable[str], gone: Iterable[str] = ()) -> bool:
    """Return whether a player can have these items in play besides the others.

    The items of `gone` leave at the same time. A player with too many Big items may get no further one, but a trade
    without
    Big items is allowed.
    MK-7.7: A player has at most one Big item in play.
    MK-7.10: A trade that would leave somebody with too many Big items is refused.
    """
    more = [item for item in items if FACES[item].big and not is_exempt_from_limits(table, item)]
    if not more:
        return True
    left = set(gone)
    return len([item for item in big_items(table, seat) if item not in left]) + len(more) <= big_limit(table, seat)


def check_room_for_big_item(table: Table, seat: int, item: str) -> None:
    """Raise IllegalMove if the item is one Big item too many.

    MK-7.7: A player has at most one Big item in play.
    MK-3.1: A card that lets carry more wins against that, but only as far as it goes.
    """
    if can_carry(table, seat, (item,)):
        return
    limit, cards = big_limit(table, seat), find_cards_for_big_items(table, seat)
    if cards:
        more = cite_cards_for_big_items(cards)
        raise IllegalMove("too_many_big_even_so", "MK-7.7", *more, card=item, limit=limit, cards=cards)
    raise IllegalMove("too_many_big", "MK-7.7", card=item, limit=limit)


def find_cards_for_big_items(table: Table, seat: int) -> Cards:
    """Return the cards of a player that change how many Big items the player may have."""
    return tuple(card for card, _ in find_active_abilities(table, seat, "big_limit"))


def cite_cards_for_big_items(cards: Cards) -> tuple[str, ...]:
    """Return the clauses by which these cards let carry more (MK-3.1, MK-8.6)."""
    return ("MK-3.1", "MK-8.6") if any(FACES[card].kind == "ride" for card in cards) else ("MK-3.1",)
