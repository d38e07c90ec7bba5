"""What a move promises in Here to Slay beyond what can be foreseen, for bots: from a view, without chance.

It knows the odds of two dice, and nothing of hidden cards: hands are so many unseen cards. No rule looks at it.
"""

from __future__ import annotations

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ChooseValue
from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import CLASSES, FACES, HANDS
from referee.games.here_to_slay.evaluation import prices
from referee.games.here_to_slay.evaluation.prices import UNSEEN, worth
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    Modify,
    PickLeader,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.rules.playing import ChallengeWindow, FreeRoll
from referee.games.here_to_slay.rules.rolling import open_rolls
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import Cast

__all__ = ["promise", "worth"]

POINT = 12  # a point not spent yet: what else it might have brought
WASTED = 10_000  # a modifier that turns nothing
STANDS = 800  # thousandths of plays that are not lost to a challenge
LEADERS = {"the_charismatic_song": 40, "the_divine_arrow": 40, "the_shadow_claw": 30, "the_cloaked_sage": 20}
GIVEN = frozenset({"give", "move_hero", "put_back", "discard", "pay", "sacrifice"})  # verbs that cost what is chosen


def promise(table: Table, seat: int, move: Move) -> int:
    """What a move promises. Raises Unknown."""
    match move:
        case PlayCard(card):
            return STANDS * prices.played(table, seat, card) // 1000 - POINT
        case RollFor(hero):
            return rolled_for(table, seat, hero) - POINT
        case Attack(monster):
            return attacked(table, seat, monster) - 2 * POINT
        case DrawOne():
            return (UNSEEN if len(table.hand(seat)) < prices.PLENTY else UNSEEN // 2) - POINT
        case RedrawHand():
            return 5 * UNSEEN - 3 * POINT
        case UseLeader():
            return 2 * UNSEEN - POINT
        case PickLeader(leader):
            return LEADERS.get(leader, 0)
        case Challenge():
            return challenged(table, seat)
        case Modify(value=value, roller=roller):
            change = turned(table, seat, roller, value)
            return change if change > 0 else -WASTED  # else it might be played only to put off what a pass brings
        case Accept():
            return accepted(table, seat)
    return chosen(table, seat, move)


def rolled_for(table: Table, seat: int, hero: str) -> int:
    """What a roll for a hero promises."""
    return prices.effect_of(table, seat, hero) * prices.chance_of_hero(table, seat, hero) // 1000


def attacked(table: Table, seat: int, monster: str) -> int:
    """What an attack promises: total by total, with the one modifier of the own hand that helps most."""
    cast = Cast("attack", seat, monster)
    plus = table.total(cast)
    found = 0
    for dice, pips in enumerate(prices.PIPS):
        best = prices.settled(table, cast, dice + plus)
        for value in own_values(table, seat):
            best = max(best, prices.settled(table, cast, dice + plus + value) - prices.HELD["modifier"])
        found += pips * best
    return found // 36


def own_values(table: Table, seat: int) -> set[int]:
    """The values of the modifiers in the own hand."""
    return {value for card in table.hand(seat) if not is_back(card) for value in FACES[card].options}


def accepted(table: Table, seat: int) -> int:
    """What it promises to take an offer, or the free roll for a hero."""
    top = table.agenda[-1]
    return rolled_for(table, seat, top.hero) + 1 if isinstance(top, FreeRoll) else 1


# ---- getting in the way of others ------------------------------------------------------------------------------


def against(table: Table, seat: int, gain: int) -> int:
    """What it is worth to a seat that another player does not get this: all of it between two or if it wins."""
    rivals = len(table.others(seat))
    return gain if rivals < 2 or gain >= prices.CLASSED[6] // 2 else gain * 2 // (rivals + 1)


def challenged(table: Table, seat: int) -> int:
    """What it promises to challenge the card being played; its price is lost already."""
    top = table.agenda[-1]
    assert isinstance(top, ChallengeWindow)
    plus = table.total(Cast("challenger", seat, top.card)) - table.total(Cast("challenged", top.seat, top.card))
    stake = against(table, seat, prices.played(table, top.seat, top.card))
    return stake * prices.chance_to_beat(plus, True) // 1000


def turned(table: Table, seat: int, roller: int, value: int) -> int:
    """What it promises to put a value on a roll: the difference in the outcome as things stand."""
    casts = open_rolls(table)
    totals = {cast.kind: table.total(cast) for cast in casts}
    mine = next(cast for cast in casts if cast.seat == roller)
    after = {**totals, mine.kind: totals[mine.kind] + value}
    if len(casts) == 1:
        change = prices.settled(table, mine, after[mine.kind]) - prices.settled(table, mine, totals[mine.kind])
        return change if roller == seat else -against(table, seat, change)
    return rolled_off(table, seat, casts, after) - rolled_off(table, seat, casts, totals)


def rolled_off(table: Table, seat: int, casts: tuple[Cast, ...], totals: dict[str, int]) -> int:
    """What a challenge that ends with these totals is worth to a seat."""
    if totals["challenger"] >= totals["challenged"]:
        return 0
    player = next(cast for cast in casts if cast.kind == "challenged")
    gain = prices.played(table, player.seat, player.about)
    return gain if player.seat == seat else -against(table, seat, gain)


# ---- what card texts ask ---------------------------------------------------------------------------------------


def chosen(table: Table, seat: int, move: Move) -> int:
    """What a choice promises where its effect cannot be foreseen."""
    match move:
        case ChooseCard(card) | ChooseUnseen(card):
            return card_chosen(table, seat, card)
        case ChooseCards(cards):
            hand = table.hand(seat)
            lacks = set(CLASSES) - table.classes(seat)
            kept = [prices.held(card, lacks) for card in cards]
            return -sum(kept) if all(card in hand for card in cards) else sum(kept)
        case ChoosePlayer(other):
            return prices.standing(table, other) // 10 + UNSEEN * len(table.place(HANDS[other])) // 4
        case ChooseValue(value):
            return value_chosen(table, seat, value)
    return 0


def card_chosen(table: Table, seat: int, card: str) -> int:
    """What it promises to choose a card: heroes of others are lost to them, others are won, or given away."""
    owner = table.controller(card)
    if owner is not None:
        price = prices.of_hero(table, owner, card)
        return -price if owner == seat else price + prices.standing(table, owner) // 10
    price = prices.held(card, set(CLASSES) - table.classes(seat))
    return -price if gives_away(table) and card in table.hand(seat) else price


def gives_away(table: Table) -> bool:
    """Whether the next line of the text that asks takes the chosen card from whoever chooses."""
    text = prices.running_text(table)
    if text is None:
        return False
    lines = table.lines(text.card, text.text)
    return text.at < len(lines) and lines[text.at].word.WORD in GIVEN


def value_chosen(table: Table, seat: int, value: int) -> int:
    """What it promises to push the roll that a modifier was played on by so much more."""
    text = prices.running_text(table)
    roller = text.first("roller") if text is not None else None
    if type(roller) is not int or not any(cast.seat == roller for cast in open_rolls(table)):
        return 0
    wanted = 1 if roller == seat else -1
    casts = open_rolls(table)
    if len(casts) == 1 and casts[0].kind == "attack" and FACES[casts[0].about].slay.least is None:
        wanted = -wanted
    return turned(table, seat, roller, value) + wanted * value
