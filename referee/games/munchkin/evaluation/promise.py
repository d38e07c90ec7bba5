"""How well a seat stands in this game, and what a move promises beyond what can be foreseen, for bots.

From a view and without chance. It helps for a share, asks for help when that would win, and interferes where a play
turns the combat of somebody who comes close to winning. No rule looks at it.
"""

from __future__ import annotations

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ChooseValue
from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.munchkin.components import FACES, HANDS
from referee.games.munchkin.evaluation import prices
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    Counter,
    DeclineHelp,
    DeclineTrade,
    Equip,
    FleeFrom,
    Give,
    GiveUpRide,
    HelperFirst,
    Kick,
    LookForTrouble,
    Loot,
    OfferTrade,
    PickTreasure,
    PlayCard,
    RunAway,
    Shed,
    TakeBack,
    TakeCard,
    TakeTrade,
    Unequip,
    WithdrawTrade,
)
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import own
from referee.games.munchkin.values import NOBODY, Deal

LEFT = 2_000_000  # more than a match is worth: what changes nothing must not put off a loss for ever


def worth(table: Table, seat: int) -> int:
    """How well a seat stands: level, belongings, hand, the running combat; less what the strongest rival has."""
    if not table.levels:
        return 0
    mine = prices.LEVEL * table.levels[seat] + prices.belongings(table, seat) + prices.hand(table, seat)
    rivals = [prices.rival(table, seat, other, 0) + _lead(table, other) for other in table.others(seat)]
    dead = 1500 if seat in table.dead else 0
    return mine - max(rivals, default=0) // 3 - sum(rivals) // 12 + prices.combat(table, seat) - dead


def _lead(table: Table, other: int) -> int:
    """How far a rival has come."""
    return prices.LEVEL * table.levels[other] + prices.belongings(table, other) // 2


def promise(table: Table, seat: int, move: Move) -> int:
    """What a move promises. Raises Unknown."""
    match move:
        case Kick():
            return 0
        case LookForTrouble(monster):
            return _trouble(table, seat, monster)
        case Loot():
            return prices.UNSEEN
        case ClaimKill():
            return 400
        case RunAway():
            return prices.hope(table, seat) - _missed(table, seat)  # the flight is reckoned with already
        case AskHelp():
            return _asking(table, seat, move.seat, move.deal)
        case AcceptHelp():
            return 50
        case DeclineHelp():
            return 0
        case Counter():
            return _countering(table, seat, move.deal)
        case Equip():
            return -1  # only if it makes a difference
        case Unequip() | Shed() | OfferTrade() | WithdrawTrade() | TakeBack() | HelperFirst():
            return -LEFT  # it takes a person to make something of these
        case TakeTrade() | DeclineTrade():
            return -30 if isinstance(move, TakeTrade) else 0
        case FleeFrom() | GiveUpRide():
            return 0 if isinstance(move, FleeFrom) else 200
        case Give(cards, _):  # something has to go: the least of it
            given = sum(prices.held(card) for card in cards)
            return given + 20 - given // 50
        case PickTreasure(card) | TakeCard(card):
            return prices.held(card)
        case PlayCard():
            return _played(table, seat, move)
        case Accept():
            return 1
    return _chosen(table, seat, move)


def _trouble(table: Table, seat: int, monster: str) -> int:
    """What it promises to fight a monster of the own hand."""
    face = FACES[monster]
    return -LEFT if own(table, seat) <= face.level + 1 else prices.UNSEEN


def _missed(table: Table, seat: int) -> int:
    """The least that is given up by running: whoever can be asked for help is asked first."""
    combat = table.fight
    if seat != combat.main or combat.helper != NOBODY:
        return 0
    able = [other for other in table.others(seat) if other not in combat.declined and prices.helped(table, other)]
    return 200 if able else 0


def _asking(table: Table, seat: int, other: int, deal: Deal) -> int:
    """What it promises to ask a player for help on these terms."""
    if prices.is_won(table) or not prices.helped(table, other) or table.fight.helper != NOBODY:
        return -LEFT
    gain = prices.kill_of(table, seat, table.fight, deal) + prices.badness(table) // 2
    likely = 800 if deal.all_of_them else 600 if deal.treasures else 60
    return gain * likely // 1000


def _countering(table: Table, seat: int, deal: Deal) -> int:
    """What it promises to name other terms: more of the treasures for the helper, nothing better for main."""
    if seat == table.fight.main:
        return -LEFT
    gain = prices.kill_of(table, seat, table.fight, deal)
    return gain // 3 - 50 if prices.helped(table, seat) and not table.fight.declined else -LEFT


def _played(table: Table, seat: int, move: PlayCard) -> int:
    """What a card played promises besides what can be foreseen: a curse, or a card whose text goes on by chance."""
    kind = FACES[move.card].kind
    if kind == "curse":
        target = move.seat
        if target == seat:
            return -LEFT
        ahead = table.levels[target] - min(table.levels[other] for other in table.living)
        return 60 * ahead + 20 * table.levels[target]
    if kind == "treasure_special":
        return 3 * prices.TREASURE
    return -5


def _chosen(table: Table, seat: int, move: Move) -> int:
    """What a choice promises where its effect cannot be foreseen."""
    match move:
        case ChooseCard(card) | ChooseUnseen(card):
            return -_kept(table, card) if _mine(table, seat, card) else _kept(table, card)
        case ChooseCards(cards):
            return -sum(_kept(table, card) for card in cards)
        case ChoosePlayer(other):
            return -prices.LEVEL * table.levels[other] // 10
        case ChooseValue(value):
            return value
    return 0


def _kept(table: Table, card: str) -> int:
    return prices.UNSEEN if is_back(card) else prices.held(card) + (30 if card in table.equipped else 0)


def _mine(table: Table, seat: int, card: str) -> bool:
    return card in table.zones.get(HANDS[seat], ()) or card in table.items(seat)
