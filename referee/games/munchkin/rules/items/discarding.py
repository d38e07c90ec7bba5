"""Discards, and items that change hands, with what is attached to them.

Clauses: MK-1.3, MK-2.4, MK-7.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.engine.events import Event
from referee.engine.zones import Cards, find_cards_leaving
from referee.games.munchkin.components import FACES, PLAYS, discard_pile_of
from referee.games.munchkin.events.cards import CardsDiscarded, ItemPassed
from referee.games.munchkin.state import Table


def find_attached_card(table: Table, place: str, item: str) -> str | None:
    """Return the card attached to this item in this place, or None.

    A card attached to another copy of the item does not count (MK-7.12).
    """
    card = table.attached.get(item)
    return card if card is not None and place in PLAYS and card in table.cards_at(place) else None


def discard_cards(table: Table, place: str, cards: Iterable[str]) -> Iterator[Event]:
    """Yield the events with which named cards of one place are discarded.

    MK-1.3: Each of the two decks has a face-up discard pile of its own.
    MK-7.12: If the item is discarded, the attached card is discarded as well.
    """
    named = list(cards)
    lying = dict.fromkeys(find_attached_card(table, place, card) for card in named)
    named += [card for card in lying if card is not None and card not in named]
    took = (
        dict(zip(named, find_cards_leaving(table, place, tuple(named)), strict=True))
        if len(set(named)) == len(named)
        else {}
    )
    for deck in ("door", "treasure"):
        mine = tuple(card for card in named if FACES[card].deck == deck)
        if mine:
            gone = tuple(took[card] for card in mine) if took else find_cards_leaving(table, place, mine)
            yield CardsDiscarded(place, discard_pile_of(mine[0]), gone, mine)


def pass_item(table: Table, item: str, by: int, to: int, bare: bool = False) -> Event:
    """Return the event with which an item in play goes to another player.

    `bare` says that nothing is attached to this copy of it.
    MK-7.9: Only items in play can be traded. What is received stays in play.
    MK-7.12: A card attached to an item goes where the item goes.
    """
    lying = None if bare else find_attached_card(table, PLAYS[by], item)
    cards: Cards = (item,) if lying is None else (item, lying)
    return ItemPassed(PLAYS[by], PLAYS[to], cards, cards, to, by)
