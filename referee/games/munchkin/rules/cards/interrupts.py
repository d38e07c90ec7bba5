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
from referee.games.munchkin.rules.combat.combat_changed import HANDLERS, Handler
from referee.games.munchkin.rules.items import equipping, selling, trading

HANDLERS[Put] = Handler(equipping.possible_puts, equipping.check_put, equipping.put, promising=equipping.likely_puts)
HANDLERS[Equip] = Handler(equipping.possible_equips, equipping.check_equip, equipping.equip)
HANDLERS[Sell] = Handler(selling.possible_sales, selling.check_sell, selling.sell, selling.patterns)
HANDLERS[TakeTrade] = Handler(trading.possible_takes, trading.check_take, trading.take)
HANDLERS[DeclineTrade] = Handler(trading.possible_declines, trading.check_decline, trading.decline)
HANDLERS[OfferTrade] = Handler(trading.possible_offers, trading.check_offer, trading.offer, trading.patterns)
HANDLERS[WithdrawTrade] = Handler(trading.possible_withdrawals, trading.check_withdraw, trading.withdraw)
HANDLERS[Unequip] = Handler(equipping.possible_unequips, equipping.check_unequip, equipping.unequip)
HANDLERS[Shed] = Handler(equipping.possible_sheds, equipping.check_shed, equipping.shed)
HANDLERS[ShowHand] = Handler(trading.possible_shows, trading.check_show, trading.show)
