"""Name cards of a hand of which perhaps only the backs are known.

The functions say what a player may name, and which cards are then taken. At a table of real cards the referee sees
backs. To name a card is to take a back. The census of the box says what a back may still be.

MC-MAT-2: The kinds of the 57 playing cards and their copies.
MC-MAT-4: The backs tell apart what a card is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from referee.engine.chance import RandomBelow
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE
from referee.engine.zones import Cards, ZonedState, back_of, count_unnamed_copies, is_back, is_open_to
from referee.games.monster_combat.components import (
    BOOK,
    Rules,
    design_name,
    find_back_kind,
    list_box_cards,
    list_playing_cards,
)
from referee.games.monster_combat.state import ANY, DISCARD, SOME, Table


def count_free_copies(table: Table, viewer: int) -> Counter[str]:
    """Count the copies of each card that are named nowhere in the viewer's sight.

    A player's move is judged by what that player sees. Otherwise a refusal would reveal what lies in a hand read to the
    referee. Chance sees what the referee knows. But where hands are read to the referee a person reports for chance, so
    chance sees only what lies open.
    """
    if viewer == CHANCE and not table.rules.named:
        return count_unnamed_names(table.rules, table)
    seen = {place: cards for place, cards in table.zones.items() if is_open_to(place, viewer)}
    return count_unnamed_names(table.rules, ZonedState(zones=seen, surplus=table.surplus))


def count_unnamed_names(rules: Rules, table: ZonedState) -> Counter[str]:
    """Count the copies of each card that are named nowhere.

    MC-AMB-2: Where backs are not counted, any copy of a kind that is left may have either back.
    """
    free = count_unnamed_copies(list_box_cards(rules), table)
    if rules.counts_backs:
        return free
    left = Counter(dict.fromkeys(map(design_name, list_playing_cards(rules)), 0))
    for card in list_playing_cards(rules):
        left[design_name(card)] += free[card]
    return Counter({card: left.get(design_name(card), count) for card, count in free.items()})


def spend_copy(rules: Rules, free: Counter[str], card: str) -> None:
    """Take one copy of a card off those that are free."""
    same = (card,) if rules.counts_backs else (design_name(card), f"{design_name(card)}!trigger")
    for name in same:
        free[name] -= 1


def check_names(table: Table, seat: int, cards: Cards, viewer: int, clause: str) -> None:
    """Check that cards of these names can be given from a seat's hand all at once.

    `viewer` is the seat whose knowledge decides. `clause` says that the cards come from the hand, and is cited if they
    cannot. Raises IllegalMove if they cannot, Undetermined if nobody can tell.
    """
    left = list(table.cards_in_hand(seat))
    if cards and not left:
        raise IllegalMove("hand_is_empty", clause, seat=seat)
    if SOME not in left and len(cards) > len(left):
        raise IllegalMove("more_than_are_held", clause, seat=seat, count=len(cards), held=len(left))
    free: Counter[str] | None = None
    for card in cards:
        if card in left and not is_back(card):
            left.remove(card)
            continue
        shape = next((lying for lying in (back_of(card), ANY) if lying in left), None)
        if is_back(card) or card not in list_playing_cards(table.rules):
            raise IllegalMove("not_in_the_box", "MC-MAT-2", card=card)
        if shape is None and SOME in left:
            raise Undetermined("which_cards", seat=seat)
        other_back = next((lying for lying in left if design_name(lying) == design_name(card)), None)
        if shape is None and other_back is not None:
            raise IllegalMove("not_with_this_back", clause, "MC-MAT-4", seat=seat, card=card, back=find_back_kind(card))
        if shape is None and not any(map(is_back, left)):
            raise IllegalMove("not_in_the_hand", clause, seat=seat, card=card)
        if shape is None:
            raise IllegalMove("no_such_back", "MC-MAT-4", card=card, back=find_back_kind(card))
        free = free or count_free_copies(table, viewer)
        if free[card] <= 0:
            raise build_census_refusal(table, card, free)
        spend_copy(table.rules, free, card)
        left.remove(shape)


def build_census_refusal(table: Table, card: str, free: Counter[str]) -> IllegalMove:
    """Build the refusal of a name of which no copy is free.

    MC-MAT-2: The kinds of the 57 playing cards and their copies.
    MC-AMB-2: How many copies have which back is our own number, unless all copies with either back are used up.
    """
    copies = list_box_cards(table.rules).get(card, 0)  # none if no card has this back
    if any(free[other] > 0 for other in list_playing_cards(table.rules) if design_name(other) == design_name(card)):
        return IllegalMove("no_copy_with_this_back", "MC-AMB-2", "KERNEL-CENSUS-1", card=card, copies=copies)
    in_discard = sum(lying == card for lying in table.cards_at(DISCARD))
    if in_discard:
        return IllegalMove(
            "lies_in_the_discard", "MC-MAT-2", "KERNEL-CENSUS-1", card=card, copies=copies, lying=in_discard
        )
    return IllegalMove("no_copy_left", "MC-MAT-2", "KERNEL-CENSUS-1", card=card, copies=copies)


def list_giveable_names(table: Table, seat: int) -> Cards:
    """List the names that may be given from a hand, each once.

    First come the names that lie there, then those that its backs may have.
    """
    there = table.cards_in_hand(seat)
    seen = dict.fromkeys(card for card in there if not is_back(card))
    shapes = {card for card in there if is_back(card)}
    if not shapes:
        return tuple(seen)
    free = count_unnamed_names(table.rules, table)
    fits = list_playing_cards(table.rules)
    return (
        *seen,
        *(card for card in fits if card not in seen and free[card] > 0 and (shapes & {back_of(card), ANY, SOME})),
    )


def guess_cards(table: Table, shapes: Iterable[str], below: RandomBelow) -> Cards:
    """Draw names at random that cards of these backs may have.

    Each unnamed copy in the box is equally likely.
    """
    free = count_unnamed_names(table.rules, table)
    faces = []
    for shape in shapes:
        fits = [card for card in list_playing_cards(table.rules) if shape in (ANY, SOME, back_of(card))]
        pool = [card for card in fits for _ in range(free[card])]
        faces.append(pool[below(len(pool))])
        spend_copy(table.rules, free, faces[-1])
    return tuple(faces)


def build_cards_pattern(move: str, key: str, names: Cards, count: int) -> tuple[dict[str, Any], ...]:
    """Describe a move that names `count` cards, if a list of all choices is too long."""
    cards = {"type": "array", "minItems": count, "maxItems": count, "items": {"enum": list(names)}}
    return ({"type": move, "fields": {"cards": cards}, "says": BOOK.render_texts(key, count=count)},)
