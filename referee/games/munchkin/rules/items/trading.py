"""Trades and gifts between players outside combat, and showing a hand.

An offer stands until it is taken, declined, withdrawn or replaced, or the turn ends. It is checked again when it is
taken. Clauses: MK-2.2, MK-6.2, MK-7.8 to MK-7.10, MK-8.6, MK-19.7, MK-26.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.zones import Cards
from referee.games.munchkin.components import BOOK, FACES
from referee.games.munchkin.events.cards import HandShown
from referee.games.munchkin.events.course import TradeOfferClosed, TradeOffered
from referee.games.munchkin.moves import DeclineTrade, OfferTrade, ShowHand, TakeTrade, WithdrawTrade
from referee.games.munchkin.rules.items.discarding import pass_item
from referee.games.munchkin.rules.items.equipping import check_alive, check_out_of_combat
from referee.games.munchkin.rules.items.slots import can_carry
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import Trade

MOST_OFFERS = 20  # trades that a player offers in one turn (MK-26.1-R2)


def check_other_player(table: Table, seat: int, other: int, clause: str) -> None:
    """Raise IllegalMove unless `other` is another player of the match."""
    if other == seat:
        raise IllegalMove("not_oneself", clause)
    if not 0 <= other < table.rules.seats:
        raise IllegalMove("no_such_player", clause, seat=other)


def check_trade(table: Table, trade: Trade) -> None:
    """Raise IllegalMove unless this trade could be carried out now.

    MK-7.9: Only items in play can be traded, between two players neither of whom is in combat.
    MK-7.10: A trade that would leave somebody with too many Big items is refused.
    """
    check_time_to_trade(table, trade)
    check_goods(table, trade)


def check_time_to_trade(table: Table, trade: Trade) -> None:
    """Raise IllegalMove before the first turn, and if one is dead or fights."""
    if table.moment == "setup":
        raise IllegalMove("not_begun_yet", "MK-1.6")
    for seat in (trade.by, trade.to):
        check_alive(table, seat)
        check_out_of_combat(table, seat, "MK-7.9", "MK-6.2", "MK-9.7")


def check_goods(table: Table, trade: Trade) -> None:
    """Raise IllegalMove unless the two have these items and can carry them."""
    if not trade.give and not trade.take:
        raise IllegalMove("nothing_is_traded", "MK-26.1")
    for seat, cards in ((trade.by, trade.give), (trade.to, trade.take)):
        mine = list(table.items_of(seat))
        for card in cards:
            if card not in mine:
                if card in FACES and FACES[card].kind in ("ride", "ride_enhancer"):
                    raise IllegalMove("rides_are_not_traded", "MK-8.6", card=card)
                raise IllegalMove("not_an_item_of_theirs", "MK-7.9", card=card, seat=seat)
            mine.remove(card)
    for seat, comes, goes in ((trade.to, trade.give, trade.take), (trade.by, trade.take, trade.give)):
        if not can_carry(table, seat, comes, goes):
            raise IllegalMove("too_many_big_by_trade", "MK-7.10", "MK-7.7", seat=seat)


def find_offer(table: Table, by: int) -> Trade | None:
    """Return the standing offer of a player, or None."""
    return next((trade for trade in table.trades if trade.by == by), None)


def check_offer(table: Table, seat: int, move: OfferTrade) -> None:
    """Raise IllegalMove unless a player may offer this trade."""
    check_alive(table, seat)
    check_other_player(table, seat, move.seat, "MK-7.9")
    trade = Trade(seat, move.seat, move.give, move.take)
    check_trade(table, trade)
    check_offers_left(table, seat)
    if trade in table.trades:
        raise IllegalMove("offered_already", "MK-26.1")


def check_offers_left(table: Table, seat: int) -> None:
    """Raise IllegalMove if a player has offered too often, where that is limited.

    MK-26.1-R2: In one turn each player offers at most twenty trades.
    """
    if table.interpretation_number("MK-26.1") == 2 and table.offers.get(str(seat), 0) >= MOST_OFFERS:
        raise IllegalMove("offered_enough", "MK-26.1", most=MOST_OFFERS)


def has_offers_left(table: Table, seat: int) -> bool:
    """Return whether a player may offer another trade in this turn."""
    try:
        check_offers_left(table, seat)
    except IllegalMove:
        return False
    return True


def offer_trade(_table: Table, seat: int, move: OfferTrade) -> Iterator[Event]:
    """Yield the event of an offer."""
    yield TradeOffered(Trade(seat, move.seat, move.give, move.take))


def check_withdraw(table: Table, seat: int, _move: WithdrawTrade) -> None:
    """Raise IllegalMove unless the player has a standing offer."""
    if find_offer(table, seat) is None:
        raise IllegalMove("no_offer_of_yours", "MK-26.1")


def withdraw_trade(_table: Table, seat: int, _move: WithdrawTrade) -> Iterator[Event]:
    """Yield the event of a withdrawn offer."""
    yield TradeOfferClosed(seat, "withdrawn")


def require_offer(table: Table, seat: int, by: int) -> Trade:
    """Return the standing offer of a player to this one.

    Raises IllegalMove if there is none.
    """
    trade = find_offer(table, by)
    if trade is None or trade.to != seat:
        raise IllegalMove("no_such_offer", "MK-26.1", seat=by)
    return trade


def check_take(table: Table, seat: int, move: TakeTrade) -> None:
    """Raise IllegalMove unless the player may take that player's offer now."""
    check_alive(table, seat)
    trade = require_offer(table, seat, move.seat)
    check_offer_unchanged(trade, move)
    check_trade(table, trade)


def check_offer_unchanged(trade: Trade, move: TakeTrade) -> None:
    """Raise IllegalMove if the offer is not the one that the player read (MK-3.7)."""
    if (move.give or move.take) and (trade.give, trade.take) != (move.give, move.take):
        raise IllegalMove("offer_has_changed", "MK-3.7", "MK-26.1", seat=move.seat)


def take_trade(table: Table, seat: int, move: TakeTrade) -> Iterator[Event]:
    """Yield the events of a trade.

    MK-7.12: A card attached to an item goes where the item goes.
    """
    trade = require_offer(table, seat, move.seat)
    yield TradeOfferClosed(trade.by, "taken")
    yield from _hand_over_items(table, trade.give, trade.by, trade.to)
    yield from _hand_over_items(table, trade.take, trade.to, trade.by)


def _hand_over_items(table: Table, items: Cards, by: int, to: int) -> Iterator[Event]:
    """Yield the events of items that change hands.

    Of two copies of one item only the first takes the attached card with it.
    """
    for at, item in enumerate(items):
        yield pass_item(table, item, by, to, bare=item in items[:at])


def check_decline(table: Table, seat: int, move: DeclineTrade) -> None:
    """Raise IllegalMove unless that player has a standing offer to this one."""
    require_offer(table, seat, move.seat)


def decline_trade(_table: Table, _seat: int, move: DeclineTrade) -> Iterator[Event]:
    """Yield the event of a declined offer."""
    yield TradeOfferClosed(move.seat, "declined")


# ---- what is listed --------------------------------------------------------------------------------------------------


def _find_carried_items(table: Table, seat: int) -> Cards:
    return tuple(item for item in table.items_of(seat) if item not in table.equipped)


def list_trade_offers(table: Table, seat: int) -> Iterator[Move]:
    """Yield typical offers of carried items: a gift, and a swap with each player.

    `build_trade_patterns` describes the others.
    """
    if seat in table.dead or table.is_in_combat(seat) or table.moment == "setup" or not has_offers_left(table, seat):
        return
    mine = _find_carried_items(table, seat)[:1]
    if not mine:
        return
    gift = True
    for other in table.other_seats(seat):
        if table.is_in_combat(other):
            continue
        if gift:
            gift = False
            yield OfferTrade(other, mine)
        if theirs := _find_carried_items(table, other)[:1]:
            yield OfferTrade(other, mine, theirs)


def list_withdrawals(table: Table, seat: int) -> Iterator[Move]:
    """Yield the move that withdraws the player's offer."""
    if table.trades and find_offer(table, seat) is not None:
        yield WithdrawTrade()


def list_trades_to_take(table: Table, seat: int) -> Iterator[Move]:
    """Yield the moves that take the offers made to this player."""
    yield from (TakeTrade(trade.by, trade.give, trade.take) for trade in table.trades if trade.to == seat)


def list_trades_to_decline(table: Table, seat: int) -> Iterator[Move]:
    """Yield the moves that decline the offers made to this player."""
    yield from (DeclineTrade(trade.by) for trade in table.trades if trade.to == seat)


def build_trade_patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describe every trade that could be offered, player by player."""
    if seat in table.dead or table.is_in_combat(seat) or table.moment == "setup" or not has_offers_left(table, seat):
        return ()
    mine, found = sorted(table.items_of(seat)), []
    for other in table.other_seats(seat):
        theirs = sorted(table.items_of(other))
        if table.is_in_combat(other) or not (mine or theirs):
            continue
        fields = {"seat": {"const": other}, "give": _build_subset_schema(mine), "take": _build_subset_schema(theirs)}
        found.append({"type": OfferTrade.TAG, "fields": fields, "says": BOOK.render_texts("pattern.trade", seat=other)})
    return tuple(found)


def _build_subset_schema(names: list[str]) -> dict[str, Any]:
    if not names:
        return {"type": "array", "maxItems": 0}
    return {"type": "array", "items": {"enum": names}, "maxItems": len(names)}


# ---- showing ---------------------------------------------------------------------------------------------------------


def check_show_hand(table: Table, seat: int, move: ShowHand) -> None:
    """Raise IllegalMove unless a player may show the hand to that player.

    MK-2.2: A player may show their own hand to anyone.
    """
    check_alive(table, seat)
    check_other_player(table, seat, move.seat, "MK-2.2")
    if not table.cards_in_hand(seat):
        raise IllegalMove("hand_is_empty", "MK-2.2")


def show_hand(table: Table, seat: int, move: ShowHand) -> Iterator[Event]:
    """Yield the event of showing a hand.

    At a real table the event holds backs, and the players show the cards there.
    """
    yield HandShown(seat, move.seat, table.cards_in_hand(seat))


def list_hand_shows(table: Table, seat: int) -> Iterator[Move]:
    """Yield the moves that show the hand to each of the other players."""
    if seat not in table.dead and table.cards_in_hand(seat):
        yield from map(ShowHand, table.other_seats(seat))
