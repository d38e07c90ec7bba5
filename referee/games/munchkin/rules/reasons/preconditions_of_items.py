"""What the rules demand of putting down, using, selling and trading cards."""

from __future__ import annotations

from referee.engine.events import Move
from referee.engine.rulings import Scope
from referee.games.munchkin.components import FACES
from referee.games.munchkin.moves import (
    DeclineTrade,
    DiscardFromPlay,
    Equip,
    OfferTrade,
    PutIntoPlay,
    Sell,
    ShowHand,
    TakeTrade,
    Unequip,
    WithdrawTrade,
)
from referee.games.munchkin.rules.items import equipping, selling, trading
from referee.games.munchkin.rules.reasons.preconditions import demand
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import Trade


def stays_in_play(table: Table, card: str) -> bool:
    """Return whether a name is that of a card that is put into play."""
    return card in table.boxes.whole and FACES[card].kind in equipping.PLACES_BY_KIND


# ---- putting into play -----------------------------------------------------------------------------------------------


@demand(PutIntoPlay, clauses=("MK-2.1", "MK-2.3", "MK-6.6"))
def require_card_to_put(table: Table, seat: int, move: PutIntoPlay) -> None:
    """Refuse a card that is not in the hand, or does not stay in play."""
    equipping.check_card_to_put(table, seat, move.card)


@demand(PutIntoPlay, clauses=("MK-4.5", "MK-4.6", "MK-7.7", "MK-7.8", "MK-8.6", "MK-8.8"))
def require_room(table: Table, seat: int, move: PutIntoPlay) -> None:
    """Refuse a card for which there is no room."""
    if stays_in_play(table, move.card):
        equipping.check_room_to_put(table, seat, move)


@demand(PutIntoPlay, scope=Scope.WINDOW, clauses=("MK-1.6",))
def require_card_of_setup(table: Table, seat: int, move: PutIntoPlay) -> None:
    """Refuse a card that has to wait for the first turn (MK-1.6)."""
    if stays_in_play(table, move.card):
        equipping.check_setup_puts(table, seat, move.card)


@demand(PutIntoPlay, scope=Scope.WINDOW, clauses=("MK-9.7", "MK-7.6"))
def require_no_combat_to_put(table: Table, seat: int, move: PutIntoPlay) -> None:
    """Refuse items put down by a fighter (MK-9.7)."""
    if stays_in_play(table, move.card):
        equipping.check_combat_bars_no_put(table, seat, move.card)


@demand(PutIntoPlay, scope=Scope.WINDOW, clauses=("MK-7.6",))
def require_calm_to_put(table: Table, seat: int, move: PutIntoPlay) -> None:
    """Refuse items put down in the own turn while something else goes on (MK-7.6)."""
    if stays_in_play(table, move.card):
        equipping.check_calm_to_put(table, seat, move.card)


@demand(PutIntoPlay, scope=Scope.TURN, clauses=("MK-4.4", "MK-6.3", "MK-7.6"))
def require_own_turn_to_put(table: Table, seat: int, move: PutIntoPlay) -> None:
    """Refuse items and citizenships put down in another's turn (MK-4.4, MK-6.3)."""
    if stays_in_play(table, move.card):
        equipping.check_turn_to_put(table, seat, move.card)


# ---- discarding, using, carrying -------------------------------------------------------------------------------------


@demand(DiscardFromPlay, clauses=("MK-4.4", "MK-4.6", "MK-7.8", "MK-8.6", "MK-8.8", "MK-20.6"))
def require_card_to_discard(table: Table, seat: int, move: DiscardFromPlay) -> None:
    """Refuse to discard what is not a citizenship or a ride of one's own."""
    equipping.check_discard_from_play(table, seat, move)


@demand(Equip, clauses=("MK-7.2",))
def require_item_to_use(table: Table, seat: int, move: Equip) -> None:
    """Refuse to use what is no item of one's own, or is in use (MK-7.2)."""
    equipping.check_item_to_use(table, seat, move)


@demand(Equip, clauses=("MK-7.3", "MK-7.4", "MK-8.2"))
def require_use_of_item(table: Table, seat: int, move: Equip) -> None:
    """Refuse to use an item that cannot be used (MK-7.3, MK-7.4)."""
    if move.item in table.items_of(seat):
        equipping.check_use_instead(table, seat, move)


@demand(Unequip, clauses=("MK-7.2",))
def require_item_in_use(table: Table, seat: int, move: Unequip) -> None:
    """Refuse to lay aside what is not in use (MK-7.2)."""
    equipping.check_item_in_use(table, seat, move)


@demand(Equip, Unequip, scope=Scope.WINDOW, clauses=("MK-7.5",))
def require_arranging(table: Table, seat: int, _move: Move) -> None:
    """Refuse to change what is in use in combat and while running away (MK-7.5)."""
    equipping.check_arranging(table, seat)


# ---- selling ---------------------------------------------------------------------------------------------------------


@demand(Sell, clauses=("MK-7.14", "MK-7.15", "MK-7.17", "MK-4.2", "MK-3.5"))
def require_sale(table: Table, seat: int, move: Sell) -> None:
    """Refuse a sale that is none (MK-7.14, MK-7.15, MK-7.17)."""
    selling.check_sale(table, seat, move.cards)


@demand(Sell, scope=Scope.WINDOW, clauses=("MK-9.7", "MK-7.14"))
def require_calm_to_sell(table: Table, seat: int, _move: Sell) -> None:
    """Refuse a sale in combat, or when it is not calm (MK-9.7, MK-7.14)."""
    if seat not in table.agenda[-1].awaited_seats(table) or table.moment:
        selling.check_calm_to_sell(table, seat)


@demand(Sell, scope=Scope.TURN, clauses=("MK-6.3",))
def require_own_turn_to_sell(table: Table, seat: int, _move: Sell) -> None:
    """Refuse a sale in another's turn (MK-6.3)."""
    selling.check_turn_to_sell(table, seat)


# ---- trading and showing ---------------------------------------------------------------------------------------------


@demand(OfferTrade, clauses=("MK-7.9",))
def require_other_trader(table: Table, seat: int, move: OfferTrade) -> None:
    """Refuse a trade with oneself or with nobody (MK-7.9)."""
    trading.check_other_player(table, seat, move.seat, "MK-7.9")


@demand(OfferTrade, clauses=("MK-7.9", "MK-7.10", "MK-8.6", "MK-26.1"))
def require_goods(table: Table, seat: int, move: OfferTrade) -> None:
    """Refuse a trade of what cannot change hands (MK-7.9, MK-7.10)."""
    if 0 <= move.seat < table.rules.seats and move.seat != seat:
        trading.check_goods(table, Trade(seat, move.seat, move.give, move.take))


@demand(OfferTrade, clauses=("MK-26.1",))
def require_offers_left(table: Table, seat: int, _move: OfferTrade) -> None:
    """Refuse an offer after too many of them (MK-26.1-R2)."""
    trading.check_offers_left(table, seat)


@demand(TakeTrade, clauses=("MK-26.1", "MK-3.7"))
def require_offer_to_take(table: Table, seat: int, move: TakeTrade) -> None:
    """Refuse to take an offer that does not stand (MK-26.1, MK-3.7)."""
    trading.check_offer_unchanged(trading.require_offer(table, seat, move.seat), move)


@demand(TakeTrade, clauses=("MK-7.9", "MK-7.10"))
def require_goods_of_offer(table: Table, seat: int, move: TakeTrade) -> None:
    """Refuse an offer whose items are no longer there (MK-7.9, MK-7.10)."""
    trading.check_goods(table, trading.require_offer(table, seat, move.seat))


@demand(OfferTrade, TakeTrade, scope=Scope.WINDOW, clauses=("MK-7.9", "MK-19.7", "MK-1.6"))
def require_time_to_trade(table: Table, seat: int, move: OfferTrade | TakeTrade) -> None:
    """Refuse trades with fighters and with the dead (MK-7.9)."""
    if 0 <= move.seat < table.rules.seats:
        taken = isinstance(move, TakeTrade)
        trading.check_time_to_trade(table, Trade(move.seat, seat) if taken else Trade(seat, move.seat))


@demand(WithdrawTrade, clauses=("MK-26.1",))
def require_offer_to_withdraw(table: Table, seat: int, move: WithdrawTrade) -> None:
    """Refuse to withdraw what was not offered (MK-26.1)."""
    trading.check_withdraw(table, seat, move)


@demand(DeclineTrade, clauses=("MK-26.1",))
def require_offer_to_decline(table: Table, seat: int, move: DeclineTrade) -> None:
    """Refuse to decline what was not offered (MK-26.1)."""
    trading.check_decline(table, seat, move)


@demand(ShowHand, clauses=("MK-2.2",))
def require_hand_to_show(table: Table, seat: int, move: ShowHand) -> None:
    """Refuse to show an empty hand, or to nobody (MK-2.2)."""
    trading.check_show_hand(table, seat, move)
