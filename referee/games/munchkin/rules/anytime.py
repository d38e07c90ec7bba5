"""Which plays of cards in play and of the own hand are taken beside the question of a moment (MK-6.1 to MK-6.3)."""

from __future__ import annotations

from referee.games.munchkin.moves import (
    DeclineTrade,
    Equip,
    OfferTrade,
    Put,
    Sell,
    Shed,
    ShowHand,
    TakeTrade,
    Unequip,
    WithdrawTrade,
)
from referee.games.munchkin.rules import putting, selling, trading
from referee.games.munchkin.rules.moments import HANDLERS, Handler

HANDLERS[Put] = Handler(putting.possible_puts, putting.check_put, putting.put, promising=putting.likely_puts)
HANDLERS[Equip] = Handler(putting.possible_equips, putting.check_equip, putting.equip)
HANDLERS[Sell] = Handler(selling.possible_sales, selling.check_sell, selling.sell, selling.patterns)
HANDLERS[TakeTrade] = Handler(trading.possible_takes, trading.check_take, trading.take)
HANDLERS[DeclineTrade] = Handler(trading.possible_declines, trading.check_decline, trading.decline)
HANDLERS[OfferTrade] = Handler(trading.possible_offers, trading.check_offer, trading.offer, trading.patterns)
HANDLERS[WithdrawTrade] = Handler(trading.possible_withdrawals, trading.check_withdraw, trading.withdraw)
HANDLERS[Unequip] = Handler(putting.possible_unequips, putting.check_unequip, putting.unequip)
HANDLERS[Shed] = Handler(putting.possible_sheds, putting.check_shed, putting.shed)
HANDLERS[ShowHand] = Handler(trading.possible_shows, trading.check_show, trading.show)
