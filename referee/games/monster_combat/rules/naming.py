"""Giving cards from a hand of which perhaps only backs are known: what a player may name, and what is then taken.

At a table of real cards the referee sees backs. To name a card is to take a back; the census of the box says what a
back may still be (MC-MAT-2, MC-MAT-4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from referee.engine.chance import RandomBelow
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE
from referee.engine.zones import Cards, ZonedState, back_of, count_unnamed_copies, is_back, is_open_to
from referee.games.monster_combat.components import BOOK, list_box_cards, list_playing_cards
from referee.games.monster_combat.state import ANY, DISCARD, SOME, Table


def count_free_copies(table: Table, viewer: int) -> Counter[str]:
    """How many copies of each card are not named anywhere that these eyes see; chance sees what the referee knows.

    A player's move is judged by what that player sees, lest a refusal tell what lies in a hand read to the referee. A
    person reports for chance, so where hands are read to the referee, chance sees what lies open and no more.
    """
    if viewer == CHANCE and not table.rules.named:
        return count_unnamed_copies(list_box_cards(table.rules), table)
    seen = {place: cards for place, cards in table.zones.items() if is_open_to(place, viewer)}
    return count_unnamed_copies(list_box_cards(table.rules), ZonedState(zones=seen))


def check_names(table: Table, seat: int, cards: Cards, viewer: int, clause: str) -> None:
    """Raises IllegalMove unless cards of these names can be given from a seat's hand all at once, as far as `eyes` see.

    `clause` says that they come from the hand, and is cited if they cannot. Raises Undetermined if nobody can tell.
    """
    left = list(table.cards_in_hand(seat))
    if SOME not in left and len(cards) > len(left):
        raise IllegalMove("more_than_are_held", clause, count=len(cards), held=len(left))
    free: Counter[str] | None = None
    for card in cards:
        if card in left and not is_back(card):
            left.remove(card)
            continue
        shape = next((lying for lying in (back_of(card), ANY) if lying in left), None)
        if is_back(card) or card not in list_box_cards(table.rules):
            raise IllegalMove("not_in_the_box", "MC-MAT-2", card=card)
        if shape is None and SOME in left:
            raise Undetermined("which_cards", seat=seat)
        if shape is None and not any(map(is_back, left)):
            raise IllegalMove("not_in_the_hand", clause, card=card)
        if shape is None:
            raise IllegalMove("no_such_back", "MC-MAT-4", card=card)
        free = free or count_free_copies(table, viewer)
        if free[card] <= 0:
            in_discard = sum(lying == card for lying in table.cards_at(DISCARD))
            reason = "lies_in_the_discard" if in_discard else "no_copy_left"
            raise IllegalMove(
                reason,
                "MC-MAT-2",
                "KERNEL-CENSUS-1",
                card=card,
                copies=list_box_cards(table.rules)[card],
                lying=in_discard,
            )
        free[card] -= 1
        left.remove(shape)


def list_giveable_names(table: Table, seat: int) -> Cards:
    """The names that may be given from a hand, each once: those that lie there, then what its backs may be."""
    there = table.cards_in_hand(seat)
    known = dict.fromkeys(card for card in there if not is_back(card))
    shapes = {card for card in there if is_back(card)}
    if not shapes:
        return tuple(known)
    free = count_unnamed_copies(list_box_cards(table.rules), table)
    fits = list_playing_cards(table.rules)
    return (
        *known,
        *(card for card in fits if card not in known and free[card] > 0 and (shapes & {back_of(card), ANY, SOME})),
    )


def find_cards_leaving(table: Table, seat: int, cards: Iterable[str]) -> Cards:
    """What a fact takes from a hand to give these names: each name where it lies, else its back."""
    left = list(table.cards_in_hand(seat))
    took = []
    for card in cards:
        took.append(card if card in left else back_of(card))
        if took[-1] in left:
            left.remove(took[-1])
    return tuple(took)


def guess_cards(table: Table, shapes: Iterable[str], below: RandomBelow) -> Cards:
    """Names that cards of these backs may have, each unnamed copy in the box as likely as any other."""
    free = count_unnamed_copies(list_box_cards(table.rules), table)
    faces = []
    for shape in shapes:
        fits = [card for card in list_playing_cards(table.rules) if shape in (ANY, SOME, back_of(card))]
        pool = [card for card in fits for _ in range(free[card])]
        faces.append(pool[below(len(pool))])
        free[faces[-1]] -= 1
    return tuple(faces)


def build_cards_pattern(move: str, key: str, names: Cards, count: int) -> tuple[dict[str, Any], ...]:
    """How a move that names `count` cards is described where listing every choice would be too long."""
    cards = {"type": "array", "minItems": count, "maxItems": count, "items": {"enum": list(names)}}
    return ({"type": move, "fields": {"cards": cards}, "says": BOOK.render_texts(key, count=count)},)
