"""Selling items for levels (MK-7.14 to MK-7.17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.hidden_cards import check_cards_from_hand, find_nameable_cards
from referee.cardscript.moves import ChooseCard, describe_card_lists
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.zones import Cards, is_back
from referee.games.munchkin.components import BOOK, FACES, HANDS, PLAYS, TOP_LEVEL
from referee.games.munchkin.derived import multiply_abilities
from referee.games.munchkin.events.course import LevelsGained
from referee.games.munchkin.moves import Sell
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.rules.items.equipping import check_alive, check_out_of_combat
from referee.games.munchkin.state import Table

GOLD_PER_LEVEL = 1000  # gold pieces (MK-7.14)


def sum_gold(cards: Cards) -> int:
    """Return what items are worth together (MK-7.1, MK-7.16).

    An item without value counts as 0.
    """
    return sum(FACES[card].gold or 0 for card in cards)


def compute_sale(table: Table, seat: int, cards: Cards) -> int:
    """Return the gold that items bring a player who sells them now.

    MK-27.3: A text may multiply what a player gets for items.
    """
    return sum_gold(cards) * multiply_abilities(table, seat, "sale_times")


def check_sell_move(table: Table, seat: int, move: Sell) -> None:
    """Raise IllegalMove unless a player may sell these items now.

    MK-7.14: A player sells on their own turn and in calm.
    """
    check_alive(table, seat)
    check_turn_to_sell(table, seat)
    check_calm_to_sell(table, seat)
    check_sale(table, seat, move.cards)


def check_turn_to_sell(table: Table, seat: int) -> None:
    """Raise IllegalMove in another's turn (MK-6.3)."""
    if table.turn != seat:
        raise IllegalMove("on_the_own_turn", "MK-6.3", "MK-7.14")


def check_calm_to_sell(table: Table, seat: int) -> None:
    """Raise IllegalMove while a player fights, or it is not calm.

    MK-9.7: In combat a fighter cannot sell.
    """
    check_out_of_combat(table, seat, "MK-9.7", "MK-7.14")
    if table.turn == seat and table.moment != "calm":
        raise IllegalMove("only_in_calm", "MK-7.14")


def check_sale(table: Table, seat: int, cards: Cards) -> None:
    """Raise IllegalMove unless these cards make a sale, regardless of the moment.

    The cards come from hand and play.
    """
    if table.levels[seat] >= TOP_LEVEL - 1:
        raise IllegalMove("nothing_sold_at_nine", "MK-7.15", "MK-4.2", "MK-3.5")
    for card in cards:
        if card not in table.boxes.whole:
            raise IllegalMove("no_such_card", "MK-7.14", card=card)
        if FACES[card].gold is None:
            raise IllegalMove("not_an_item", "MK-7.17", "MK-7.1", card=card)
    _, of_hand = split_by_place(table, seat, cards)
    try:
        check_cards_from_hand(table, seat, of_hand, "MK-7.14")
    except IllegalMove as refused:
        if refused.reason != "not_in_the_hand":
            raise
        raise IllegalMove("not_yours_to_sell", "MK-7.14", seat=seat, card=refused.params["card"]) from None
    if (worth := compute_sale(table, seat, cards)) < GOLD_PER_LEVEL:
        raise IllegalMove("below_a_thousand", "MK-7.14", sum=worth)


def split_by_place(table: Table, seat: int, cards: Cards) -> tuple[Cards, Cards]:
    """Return the cards of a sale that lie in play, and those from the hand."""
    left, of_play, of_hand = list(table.items_of(seat)), [], []
    for card in cards:
        if card in left:
            left.remove(card)
            of_play.append(card)
        else:
            of_hand.append(card)
    return tuple(of_play), tuple(of_hand)


def sell_cards(table: Table, seat: int, cards: Cards) -> Iterator[Event]:
    """Yield the events of a sale.

    MK-7.14: The player gains one level for each full 1,000.
    MK-7.15: A sale cannot give level 10.
    """
    of_play, of_hand = split_by_place(table, seat, cards)
    yield from discard_cards(table, PLAYS[seat], of_play)
    yield from discard_cards(table, HANDS[seat], of_hand)
    level = min(table.levels[seat] + compute_sale(table, seat, cards) // GOLD_PER_LEVEL, TOP_LEVEL - 1)
    yield LevelsGained(seat, level - table.levels[seat], level)


def decide_sale(table: Table, seat: int, move: Sell) -> Iterator[Event]:
    """Yield the events of the move."""
    yield from sell_cards(table, seat, move.cards)


def _list_goods(table: Table, seat: int) -> list[str]:
    """Return what a player could sell, the least missed first.

    Items not in use come first, then the cheapest. Backs in the hand are left out.
    """
    hand = [card for card in table.cards_in_hand(seat) if not is_back(card) and FACES[card].gold]
    items = [card for card in table.items_of(seat) if FACES[card].gold]
    return sorted((*hand, *items), key=lambda card: (card in table.equipped, table.rank_answer(ChooseCard(card))))


def find_cheapest_sale(table: Table, seat: int, *with_: str) -> Cards:
    """Return the cheapest sale for one level that includes these cards.

    Return () if the goods are not worth enough.
    """
    goods, times = _list_goods(table, seat), multiply_abilities(table, seat, "sale_times")
    for card in with_:
        if card not in goods:
            return ()
        goods.remove(card)
    chosen, worth = list(with_), sum_gold(with_) * times
    for card in goods:
        if worth >= GOLD_PER_LEVEL:
            break
        chosen.append(card)
        worth += (FACES[card].gold or 0) * times
    for card in list(reversed(chosen)):
        if card not in with_ and worth - (FACES[card].gold or 0) * times >= GOLD_PER_LEVEL:
            chosen.remove(card)
            worth -= (FACES[card].gold or 0) * times
    return tuple(chosen) if worth >= GOLD_PER_LEVEL else ()


def list_sales(table: Table, seat: int) -> Iterator[Move]:
    """Yield the cheapest sale for one level, and the sale of all items not in use.

    `build_sale_patterns` describes the others.
    """
    if table.turn != seat or table.moment != "calm" or seat in table.dead:
        return
    least = find_cheapest_sale(table, seat)
    if least:
        yield Sell(least)
    idle = tuple(card for card in _list_goods(table, seat) if card not in table.equipped)
    if len(idle) > len(least) and set(idle) != set(least):
        yield Sell(idle)  # a near miss if it is worth too little


def build_sale_patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describe every sale."""
    if table.turn != seat or table.moment != "calm" or seat in table.dead or table.levels[seat] >= TOP_LEVEL - 1:
        return ()
    names = {card for card in find_nameable_cards(table, HANDS[seat]) if FACES[card].gold is not None} | set(
        table.items_of(seat)
    )
    if compute_sale(table, seat, tuple(names)) < GOLD_PER_LEVEL:
        return ()
    return describe_card_lists(Sell, names, 1, 40, BOOK.render_texts("pattern.sell", gold=GOLD_PER_LEVEL))
