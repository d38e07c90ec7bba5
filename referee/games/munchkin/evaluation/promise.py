"""How good a seat's situation is, and what a move promises, for bots.

It uses a view and no chance. A bot helps for a share, asks for help if that would win, and interferes where a play
turns the combat of a player who is close to winning. No rule uses it.
"""

from __future__ import annotations

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ChooseValue
from referee.engine.events import Move
from referee.engine.referee import foresee_state
from referee.engine.seats import Seat
from referee.engine.zones import is_back
from referee.games.munchkin.components import FACES, HANDS
from referee.games.munchkin.evaluation import prices
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    CounterOffer,
    DeclineHelp,
    DeclineTrade,
    DiscardFromPlay,
    Equip,
    FleeFrom,
    GiveToCharity,
    GiveUpRide,
    HelperFirst,
    KickDoor,
    LookForTrouble,
    LootRoom,
    OfferTrade,
    PickTreasure,
    PlayCard,
    RunAway,
    TakeBackRequest,
    TakeCard,
    TakeTrade,
    Unequip,
    WithdrawTrade,
)
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import compute_own_strength
from referee.games.munchkin.values import NOBODY, Deal

# more than a match is worth, so that no bot delays a loss endlessly by moves without effect
PROHIBITIVE_COST = 2_000_000
DEAD_COST = 1500
# thousandths of requests that are agreed to, where the helper gains by the terms and where not
AGREED_PERMILLE, REFUSED_PERMILLE = 850, 60


def evaluate_state(table: Table, seat: int) -> int:
    """Return how good a seat's situation is, compared with its rivals.

    It counts level, belongings, hand and the running combat.
    """
    if not table.levels:
        return 0
    mine = (
        prices.LEVEL_VALUE * table.levels[seat] + prices.price_belongings(table, seat) + prices.price_hand(table, seat)
    )
    rivals = [
        prices.price_rival_gain(table, seat, other, 0) + _estimate_lead(table, other)
        for other in table.other_seats(seat)
    ]
    dead = DEAD_COST if seat in table.dead else 0
    return mine - max(rivals, default=0) // 3 - sum(rivals) // 12 + prices.price_combat(table, seat) - dead


def judge_position(table: Table, seat: int) -> int:
    """Return how near a seat is to winning, by matches of greedy bots.

    In these, belongings decided far more often than `evaluate_state` has it. A greedy bot cannot go by that: it would
    gather belongings that win nothing. A search can, as it looks at where several courses end.
    """
    if not table.levels:
        return 0
    rivals = [estimate_standing(table, other) for other in table.other_seats(seat)]
    behind = prices.BEST_RIVAL_PERCENT * max(rivals, default=0)
    behind += prices.RIVALS_PERCENT * sum(rivals) // max(1, len(rivals))
    mine = estimate_standing(table, seat) + prices.price_hand(table, seat)
    if seat == table.turn:
        mine += prices.TURN_VALUE
    return mine - behind // 100 + prices.price_combat(table, seat) - (DEAD_COST if seat in table.dead else 0)


def estimate_standing(table: Table, seat: int) -> int:
    """Return how far a player has come, by what everybody sees."""
    belongings = prices.price_belongings(table, seat) * prices.BELONGINGS_PERCENT // 100
    return prices.LEVEL_VALUE * table.levels[seat] + belongings


def _estimate_lead(table: Table, other: int) -> int:
    """Return how far a rival has come."""
    return prices.LEVEL_VALUE * table.levels[other] + prices.price_belongings(table, other) // 2


def expected_gain(table: Table, seat: int, move: Move) -> int:
    """Return what a move promises beyond what can be foreseen. Raises Undetermined."""
    match move:
        case KickDoor():
            return 0
        case LookForTrouble(monster):
            return _estimate_trouble(table, seat, monster)
        case LootRoom():
            return prices.UNSEEN_CARD_VALUE
        case ClaimKill():
            return 400
        case RunAway():
            # the foreseen state already contains the flight
            return prices.price_lost_by_running(table, seat) - _estimate_missed_help(table, seat)
        case AskHelp():
            return _estimate_asking(table, seat, move.seat, move.deal)
        case AcceptHelp():
            return prices.GOODWILL
        case DeclineHelp():
            return 0
        case CounterOffer():
            return _estimate_counteroffer(table, seat, move.deal)
        case Equip():
            return -1  # worth it only if it makes a difference
        case Unequip() | DiscardFromPlay() | OfferTrade() | WithdrawTrade() | TakeBackRequest() | HelperFirst():
            return -PROHIBITIVE_COST  # only people make good use of these
        case TakeTrade() | DeclineTrade():
            return -30 if isinstance(move, TakeTrade) else 0
        case FleeFrom() | GiveUpRide():
            return 0 if isinstance(move, FleeFrom) else 200
        case GiveToCharity(cards, _):  # the excess has to go, so the cheapest cards go
            given = sum(prices.price_card(card) for card in cards)
            return given + 20 - given // 50
        case PickTreasure(card) | TakeCard(card):
            return prices.price_card(card)
        case PlayCard():
            return _estimate_play(table, seat, move)
        case Accept():
            return 1
    return _estimate_choice(table, seat, move)


def _estimate_trouble(table: Table, seat: int, monster: str) -> int:
    """Return what it promises to fight a monster from the seat's hand."""
    face = FACES[monster]
    return -PROHIBITIVE_COST if compute_own_strength(table, seat) <= face.level + 1 else prices.UNSEEN_CARD_VALUE


def _estimate_missed_help(table: Table, seat: int) -> int:
    """Return the least that main gives up by running without asking for possible help."""
    combat = table.running_combat
    if seat != combat.main or combat.helper != NOBODY:
        return 0
    able = [
        other
        for other in table.other_seats(seat)
        if other not in combat.declined and prices.would_win_with_helper(table, other)
    ]
    return 200 if able else 0


def _estimate_asking(table: Table, seat: int, other: int, deal: Deal) -> int:
    """Return what it promises to ask a player for help on these terms."""
    if (
        prices.is_combat_won(table)
        or not prices.would_win_with_helper(table, other)
        or table.running_combat.helper != NOBODY
    ):
        return -PROHIBITIVE_COST
    gain = prices.price_kill(table, seat, table.running_combat, deal) + prices.price_all_bad_stuff(table) // 2
    likely = AGREED_PERMILLE if prices.would_help(table, other, deal) else REFUSED_PERMILLE
    return gain * likely // 1000


def _estimate_counteroffer(table: Table, seat: int, deal: Deal) -> int:
    """Return what it promises to propose other terms.

    A helper asks for more of the treasures. Main proposes nothing better.
    """
    if seat == table.running_combat.main:
        return -PROHIBITIVE_COST
    gain = prices.price_kill(table, seat, table.running_combat, deal)
    return (
        gain // 3 - 50
        if prices.would_win_with_helper(table, seat) and not table.running_combat.declined
        else -PROHIBITIVE_COST
    )


def _estimate_play(table: Table, seat: int, move: PlayCard) -> int:
    """Return what a play promises beyond what can be foreseen.

    These are curses, and cards whose text depends on chance.
    """
    kind = FACES[move.card].kind
    if kind == "curse":
        target = move.seat
        if target == seat:
            return -PROHIBITIVE_COST
        ahead = table.levels[target] - min(table.levels[other] for other in table.living_seats)
        return 60 * ahead + 20 * table.levels[target] - _estimate_delayed_loss(table, seat, move)
    if kind == "treasure_special":
        return 3 * prices.TREASURE_VALUE
    return -5


def _estimate_delayed_loss(table: Table, seat: int, move: PlayCard) -> int:
    """Return what a seat loses by a kill that a play puts off and does not prevent.

    Without it a bot would play one curse after the other, each of them only to decide later.
    """
    passing = table.agenda[-1].passing_move(Seat(seat)) if table.agenda else None
    if table.combat is None or passing is None or seat in table.combat.fighters:
        return 0
    later = foresee_state(table, Seat(seat), move)
    if later.combat is None or not prices.is_combat_won(later):
        return 0
    killed = foresee_state(table, Seat(seat), passing)
    return max(0, evaluate_state(table, seat) - evaluate_state(killed, seat))


def _estimate_choice(table: Table, seat: int, move: Move) -> int:
    """Return what a choice promises if its effect cannot be foreseen."""
    match move:
        case ChooseCard(card) | ChooseUnseen(card):
            return (
                -_estimate_kept_card(table, card)
                if _is_own_card(table, seat, card)
                else _estimate_kept_card(table, card)
            )
        case ChooseCards(cards):
            return -sum(_estimate_kept_card(table, card) for card in cards)
        case ChoosePlayer(other):
            return -prices.LEVEL_VALUE * table.levels[other] // 10
        case ChooseValue(value):
            return value
    return 0


def _estimate_kept_card(table: Table, card: str) -> int:
    return (
        prices.UNSEEN_CARD_VALUE if is_back(card) else prices.price_card(card) + (30 if card in table.equipped else 0)
    )


def _is_own_card(table: Table, seat: int, card: str) -> bool:
    return card in table.zones.get(HANDS[seat], ()) or card in table.items_of(seat)
