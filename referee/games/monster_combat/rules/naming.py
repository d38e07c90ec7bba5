"""Giving cards from a hand of which perhaps only backs are known: what a player may name, and what is then taken.

At a table of real cards the referee sees backs. To name a card is to take a back; the census of the box says what a
back may still be (MC-MAT-2, MC-MAT-4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from referee.engine.chance import Below
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import CHANCE
from referee.engine.zones import Cards, Zoned, back, census, is_back, open_to
from referee.games.monster_combat.components import BOOK, box, playing_cards
from referee.games.monster_combat.state import ANY, DISCARD, SOME, Table


def free_copies(table: Table, eyes: int) -> Counter[str]:
    """How many copies of each card are not named anywhere that these eyes see; chance sees what the referee knows.

    A player's move is judged by what that player sees, lest a refusal tell what lies in a hand read to the referee. A
    person reports for chance, so where hands are read to the referee, chance sees what lies open and no more.
    """
    if eyes == CHANCE and not table.rules.named:
        return census(box(table.rules), table)
    seen = {place: cards for place, cards in table.zones.items() if open_to(place, eyes)}
    return census(box(table.rules), Zoned(zones=seen))


def check_names(table: Table, seat: int, cards: Cards, eyes: int, clause: str) -> None:
    """Raises Refused unless cards of these names can be given from a seat's hand all at once, as far as `eyes` see.

    `clause` says that they come from the hand, and is cited if they cannot. Raises Unknown if nobody can tell.
    """
    left = list(table.hand(seat))
    if SOME not in left and len(cards) > len(left):
        raise Refused("more_than_are_held", clause, count=len(cards), held=len(left))
    free: Counter[str] | None = None
    for card in cards:
        if card in left and not is_back(card):
            left.remove(card)
            continue
        shape = next((lying for lying in (back(card), ANY) if lying in left), None)
        if is_back(card) or card not in box(table.rules):
            raise Refused("not_in_the_box", "MC-MAT-2", card=card)
        if shape is None and SOME in left:
            raise Unknown("which_cards", seat=seat)
        if shape is None and not any(map(is_back, left)):
            raise Refused("not_in_the_hand", clause, card=card)
        if shape is None:
            raise Refused("no_such_back", "MC-MAT-4", card=card)
        free = free or free_copies(table, eyes)
        if free[card] <= 0:
            in_discard = sum(lying == card for lying in table.place(DISCARD))
            reason = "lies_in_the_discard" if in_discard else "no_copy_left"
            raise Refused(
                reason, "MC-MAT-2", "KERNEL-CENSUS-1", card=card, copies=box(table.rules)[card], lying=in_discard
            )
        free[card] -= 1
        left.remove(shape)


def could_give(table: Table, seat: int) -> Cards:
    """The names that may be given from a hand, each once: those that lie there, then what its backs may be."""
    there = table.hand(seat)
    known = dict.fromkeys(card for card in there if not is_back(card))
    shapes = {card for card in there if is_back(card)}
    if not shapes:
        return tuple(known)
    free = census(box(table.rules), table)
    fits = playing_cards(table.rules)
    return (
        *known,
        *(card for card in fits if card not in known and free[card] > 0 and (shapes & {back(card), ANY, SOME})),
    )


def what_leaves(table: Table, seat: int, cards: Iterable[str]) -> Cards:
    """What a fact takes from a hand to give these names: each name where it lies, else its back."""
    left = list(table.hand(seat))
    took = []
    for card in cards:
        took.append(card if card in left else back(card))
        if took[-1] in left:
            left.remove(took[-1])
    return tuple(took)


def guessed(table: Table, shapes: Iterable[str], below: Below) -> Cards:
    """Names that cards of these backs may have, each unnamed copy in the box as likely as any other."""
    free = census(box(table.rules), table)
    faces = []
    for shape in shapes:
        fits = [card for card in playing_cards(table.rules) if shape in (ANY, SOME, back(card))]
        pool = [card for card in fits for _ in range(free[card])]
        faces.append(pool[below(len(pool))])
        free[faces[-1]] -= 1
    return tuple(faces)


def pattern(move: str, key: str, names: Cards, count: int) -> tuple[dict[str, Any], ...]:
    """How a move that names `count` cards is described where listing every choice would be too long."""
    cards = {"type": "array", "minItems": count, "maxItems": count, "items": {"enum": list(names)}}
    return ({"type": move, "fields": {"cards": cards}, "says": BOOK.texts(key, count=count)},)
