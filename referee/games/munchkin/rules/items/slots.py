"""What a player can use and carry: slots, hands, Big items (MK-7.3, MK-7.4, MK-7.7, MK-8.2).

Cards that lie on an item make it count against none of these (`holding.is_free`).
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.engine.rulings import IllegalMove
from referee.engine.zones import Cards
from referee.games.munchkin.components import FACES
from referee.games.munchkin.derived import big_items, big_limit, count_hands
from referee.games.munchkin.state import TWO_HANDS, Table
from referee.games.munchkin.strength import is_effective, is_exempt_from_limits

SINGLE_ITEM_SLOTS = ("headgear", "armor", "footgear")


def find_counted_items(table: Table, seat: int) -> Cards:
    """The items that a player uses and that count against slots and hands."""
    return tuple(card for card in table.used_items(seat) if not is_exempt_from_limits(table, card))


def find_excess_items(table: Table, seat: int) -> Cards:
    """The items in use of the first slot in which there are too many; none if all is in order (MK-7.3)."""
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
    """What a player uses in the place of an item, once those of `off` are only carried; none: there is room."""
    face = FACES[item]
    if is_exempt_from_limits(table, item) or face.slot not in (*SINGLE_ITEM_SLOTS, "hand"):
        return ()
    worn = tuple(card for card in find_counted_items(table, seat) if FACES[card].slot == face.slot and card not in off)
    if face.slot != "hand":
        return worn
    return worn if sum(FACES[card].hands for card in worn) + face.hands > count_hands(table, seat) else ()


def check_use(table: Table, seat: int, item: str, off: Cards = ()) -> None:
    """Raises IllegalMove unless an item that a player has in play can be used now (MK-7.3, MK-7.4, MK-8.2)."""
    face = FACES[item]
    if face.kind != "item":
        raise IllegalMove("not_to_be_used", "MK-8.2", "MK-7.2", card=item)
    if not is_effective(table, seat, item):
        raise IllegalMove("condition_fails", "MK-7.4", card=item)
    if worn := find_conflicting_items(table, seat, item, off):
        if face.slot == "hand":
            raise IllegalMove("hands_are_full", "MK-7.3", card=item, hands=count_hands(table, seat), cards=worn)
        raise IllegalMove("slot_is_taken", "MK-7.3", card=item, slot=face.slot, cards=worn)


def can_use(table: Table, seat: int, item: str) -> bool:
    """Whether an item could be used at once, as it is when it is put into play (MK-26.5)."""
    try:
        check_use(table, seat, item)
    except IllegalMove:
        return False
    return True


def can_carry(table: Table, seat: int, items: Iterable[str], gone: Iterable[str] = ()) -> bool:
    """Whether a player can have these items in play besides the own ones less `gone` (MK-7.7, MK-7.10).

    Whoever has too many already may get none, but need not come down for a trade that changes nothing.
    """
    more = [item for item in items if FACES[item].big and not is_exempt_from_limits(table, item)]
    if not more:
        return True
    left = set(gone)
    return len([item for item in big_items(table, seat) if item not in left]) + len(more) <= big_limit(table, seat)
