"""Selling items for levels (MK-7.14 to MK-7.17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.hidden_cards import check_from_hand, namable
from referee.cardscript.moves import ChooseCard
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.zones import Cards, is_back
from referee.games.munchkin.components import BOOK, FACES, HANDS, PLAYS, TOP_LEVEL
from referee.games.munchkin.events.course import LevelsGained
from referee.games.munchkin.moves import Sell
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.rules.items.equipping import check_alive, check_out_of_combat
from referee.games.munchkin.state import Table

A_LEVEL = 1000  # gold pieces (MK-7.14)


def price(cards: Cards) -> int:
    """What items are worth together; what has no value counts as 0 (MK-7.1, MK-7.16)."""
    return sum(FACES[card].gold or 0 for card in cards)


def check_sell(table: Table, seat: int, move: Sell) -> None:
    """Raises Refused unless a player may sell these now: on the own turn, in calm (MK-7.14)."""
    check_alive(table, seat)
    if table.turn != seat:
        raise Refused("on_the_own_turn", "MK-6.3", "MK-7.14")
    check_out_of_combat(table, seat, "MK-7.14")
    if table.moment != "calm":
        raise Refused("only_in_calm", "MK-7.14")
    check_sale(table, seat, move.cards)


def check_sale(table: Table, seat: int, cards: Cards) -> None:
    """Raises Refused unless these cards, of hand and play, make a sale for this player, whatever the moment."""
    if table.levels[seat] >= TOP_LEVEL - 1:
        raise Refused("nothing_sold_at_nine", "MK-7.15")
    for card in cards:
        if card not in table.boxes.whole:
            raise Refused("no_such_card", "MK-7.14", card=card)
        if FACES[card].gold is None:
            raise Refused("not_an_item", "MK-7.17", "MK-7.1", card=card)
    _, of_hand = sorted_out(table, seat, cards)
    check_from_hand(table, seat, of_hand, "MK-7.14")
    if price(cards) < A_LEVEL:
        raise Refused("below_a_thousand", "MK-7.14", sum=price(cards))


def sorted_out(table: Table, seat: int, cards: Cards) -> tuple[Cards, Cards]:
    """The cards of a sale that lie in play, and those that have to come from the hand."""
    left, of_play, of_hand = list(table.items(seat)), [], []
    for card in cards:
        if card in left:
            left.remove(card)
            of_play.append(card)
        else:
            of_hand.append(card)
    return tuple(of_play), tuple(of_hand)


def sold(table: Table, seat: int, cards: Cards) -> Iterator[Event]:
    """The facts of a sale: the cards go, a level comes for each full 1,000, but never the last one (MK-7.15)."""
    of_play, of_hand = sorted_out(table, seat, cards)
    yield from discarded(table, PLAYS[seat], of_play)
    yield from discarded(table, HANDS[seat], of_hand)
    level = min(table.levels[seat] + price(cards) // A_LEVEL, TOP_LEVEL - 1)
    yield LevelsGained(seat, level - table.levels[seat], level)


def sell(table: Table, seat: int, move: Sell) -> Iterator[Event]:
    """The facts of the move."""
    yield from sold(table, seat, move.cards)


def _goods(table: Table, seat: int) -> list[str]:
    """What a player could sell and is seen to have, what is missed least first: not in use, then the cheapest."""
    hand = [card for card in table.hand(seat) if not is_back(card) and FACES[card].gold]
    items = [card for card in table.items(seat) if FACES[card].gold]
    return sorted((*hand, *items), key=lambda card: (card in table.equipped, table.rank(ChooseCard(card))))


def typical_sale(table: Table, seat: int, *with_: str) -> Cards:
    """The sale that costs a player least: just enough for a level, with these cards in it; () if nothing reaches it."""
    goods = _goods(table, seat)
    for card in with_:
        if card not in goods:
            return ()
        goods.remove(card)
    chosen, worth = list(with_), price(with_)
    for card in goods:
        if worth >= A_LEVEL:
            break
        chosen.append(card)
        worth += FACES[card].gold or 0
    for card in list(reversed(chosen)):
        if card not in with_ and worth - (FACES[card].gold or 0) >= A_LEVEL:
            chosen.remove(card)
            worth -= FACES[card].gold or 0
    return tuple(chosen) if worth >= A_LEVEL else ()


def possible_sales(table: Table, seat: int) -> Iterator[Move]:
    """The cheapest sale for one level, and that of all that is not in use; the rest `patterns` describe."""
    if table.turn != seat or table.moment != "calm" or seat in table.dead:
        return
    least = typical_sale(table, seat)
    if least:
        yield Sell(least)
    idle = tuple(card for card in _goods(table, seat) if card not in table.equipped)
    if len(idle) > len(least) and set(idle) != set(least):
        yield Sell(idle)  # if it is worth too little: a near miss


def patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describes every sale."""
    if table.turn != seat or table.moment != "calm" or seat in table.dead or table.levels[seat] >= TOP_LEVEL - 1:
        return ()
    names = {card for card in namable(table, HANDS[seat]) if FACES[card].gold is not None} | set(table.items(seat))
    if price(tuple(names)) < A_LEVEL:
        return ()
    cards = {"type": "array", "items": {"enum": sorted(names)}, "minItems": 1, "maxItems": 40}
    return ({"type": Sell.TAG, "fields": {"cards": cards}, "says": BOOK.texts("pattern.sell", gold=A_LEVEL)},)
