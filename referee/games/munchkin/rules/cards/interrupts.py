"""The handlers of moves that any moment accepts, with cards in play or in hand.

Clauses: MK-6.1 to MK-6.3.
"""

from __future__ import annotations

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
from referee.games.munchkin.rules.combat.combat_changed import HANDLERS, MoveHandler
from referee.games.munchkin.rules.items import equipping, selling, trading

HANDLERS[PutIntoPlay] = MoveHandler(
    equipping.list_puts, equipping.check_put, equipping.put_card, promising=equipping.list_likely_puts
)
HANDLERS[Equip] = MoveHandler(equipping.list_equips, equipping.check_equip, equipping.equip_item)
HANDLERS[Sell] = MoveHandler(
    selling.list_sales, selling.check_sell_move, selling.decide_sale, selling.build_sale_patterns
)
HANDLERS[TakeTrade] = MoveHandler(trading.list_trades_to_take, trading.check_take, trading.take_trade)
HANDLERS[DeclineTrade] = MoveHandler(trading.list_trades_to_decline, trading.check_decline, trading.decline_trade)
HANDLERS[OfferTrade] = MoveHandler(
    trading.list_trade_offers, trading.check_offer, trading.offer_trade, trading.build_trade_patterns
)
HANDLERS[WithdrawTrade] = MoveHandler(trading.list_withdrawals, trading.check_withdraw, trading.withdraw_trade)
HANDLERS[Unequip] = MoveHandler(equipping.list_unequips, equipping.check_unequip, equipping.unequip_item)
HANDLERS[DiscardFromPlay] = MoveHandler(
    equipping.list_discards_from_play, equipping.check_discard_from_play, equipping.discard_from_play
)
HANDLERS[ShowHand] = MoveHandler(trading.list_hand_shows, trading.check_show_hand, trading.show_hand)
