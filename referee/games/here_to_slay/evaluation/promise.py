"""What a move promises beyond its foreseeable events, for bots.

No rule looks at it. Everything is judged from a view. The odds of two dice are known. Hidden hands are just numbers of
unseen cards.
"""

from __future__ import annotations

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ChooseValue
from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import CLASSES, FACES, HANDS
from referee.games.here_to_slay.evaluation import prices
from referee.games.here_to_slay.evaluation.prices import UNSEEN_CARD_VALUE, evaluate_state
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
from referee.games.here_to_slay.rules.rolling import find_open_rolls
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import DiceRoll

__all__ = ["evaluate_state", "expected_gain"]

POINT_COST = 12  # what an unspent point might bring otherwise
WASTED_MODIFIER_COST = 10_000  # for a modifier that changes nothing
MODIFIER_STANDS_PERMILLE = 900  # in thousandths: first modifiers on a roll that nobody undoes
ANSWER_EXPECTED_PERMILLE = 650  # for each modifier on the roll, what is left of that
PLAY_STANDS_PERMILLE = 800  # in thousandths: plays that are not lost to a challenge
LEADER_VALUES = {"the_charismatic_song": 40, "the_divine_arrow": 40, "the_shadow_claw": 30, "the_cloaked_sage": 20}
# Verbs by which the player loses what is chosen.
LOSING_VERBS = frozenset({"give", "move_hero", "put_back", "discard", "pay", "sacrifice"})


def expected_gain(table: Table, seat: int, move: Move) -> int:
    """Return what a move promises. Raises Undetermined."""
    match move:
        case PlayCard(card):
            return PLAY_STANDS_PERMILLE * prices.price_play(table, seat, card) // 1000 - POINT_COST
        case RollFor(hero):
            return estimate_hero_roll(table, seat, hero) - POINT_COST
        case Attack(monster):
            return estimate_attack(table, seat, monster) - 2 * POINT_COST
        case DrawOne():  # the foreseen hand already holds what is drawn
            return -POINT_COST
        case RedrawHand():
            return -3 * POINT_COST
        case UseLeader():
            return 2 * UNSEEN_CARD_VALUE - POINT_COST
        case PickLeader(leader):
            return LEADER_VALUES.get(leader, 0)
        case Challenge():
            return estimate_challenge(table, seat)
        case Modify(value=value, roller=roller):
            change = estimate_modifier(table, seat, roller, value)
            # Without this cost a bot might play useless modifiers only to delay a pass.
            return change * estimate_unanswered(table) // 1000 if change > 0 else -WASTED_MODIFIER_COST
        case Accept():
            return estimate_accepting(table, seat)
    return estimate_choice(table, seat, move)


def estimate_hero_roll(table: Table, seat: int, hero: str) -> int:
    """Return what a roll for a hero promises."""
    return prices.price_effect(table, seat, hero) * prices.compute_hero_chance(table, seat, hero) // 1000


def estimate_attack(table: Table, seat: int, monster: str) -> int:
    """Return what an attack promises, with the player's most helpful modifier.

    It is averaged over all totals of the dice.
    """
    cast = DiceRoll("attack", seat, monster)
    plus = table.compute_roll_total(cast)
    found = 0
    for dice, pips in enumerate(prices.WAYS_BY_TOTAL):
        best = prices.price_roll_outcome(table, cast, dice + plus)
        for value in list_modifier_values(table, seat):
            best = max(
                best, prices.price_roll_outcome(table, cast, dice + plus + value) - prices.HELD_CARD_VALUES["modifier"]
            )
        found += pips * best
    return found // 36


def list_modifier_values(table: Table, seat: int) -> set[int]:
    """Return the values of the known modifiers in a player's hand."""
    return {value for card in table.cards_in_hand(seat) if not is_back(card) for value in FACES[card].options}


def estimate_accepting(table: Table, seat: int) -> int:
    """Return what accepting an offer, or the free roll for a hero, promises."""
    top = table.agenda[-1]
    return estimate_hero_roll(table, seat, top.hero) + 1 if isinstance(top, FreeRoll) else 1


# ---- hindering others ------------------------------------------------------------------------------------------


def estimate_denial(table: Table, seat: int, gain: int) -> int:
    """Return what it is worth to a seat that another player does not get a gain.

    With one rival, or if the gain decides the match, it is the whole gain, else a share of it.
    """
    rivals = len(table.other_seats(seat))
    return gain if rivals < 2 or gain >= prices.CLASS_COUNT_VALUES[6] // 2 else gain * 2 // (rivals + 1)


def estimate_challenge(table: Table, seat: int) -> int:
    """Return what challenging the card being played promises."""
    top = table.agenda[-1]
    assert isinstance(top, ChallengeWindow)
    plus = table.compute_roll_total(DiceRoll("challenger", seat, top.card)) - table.compute_roll_total(
        DiceRoll("challenged", top.seat, top.card)
    )
    stake = estimate_denial(table, seat, prices.price_play(table, top.seat, top.card))
    return stake * prices.compute_chance_to_beat(plus, True) // 1000


def estimate_modifier(table: Table, seat: int, roller: int, value: int) -> int:
    """Return what putting a value on a roll promises.

    It is the difference that it makes to the outcome as things stand.
    """
    casts = find_open_rolls(table)
    totals = {cast.kind: table.compute_roll_total(cast) for cast in casts}
    mine = next(cast for cast in casts if cast.seat == roller)
    after = {**totals, mine.kind: totals[mine.kind] + value}
    if len(casts) == 1:
        change = prices.price_roll_outcome(table, mine, after[mine.kind]) - prices.price_roll_outcome(
            table, mine, totals[mine.kind]
        )
        return change if roller == seat else -estimate_denial(table, seat, change)
    return estimate_challenge_outcome(table, seat, casts, after) - estimate_challenge_outcome(
        table, seat, casts, totals
    )


def estimate_unanswered(table: Table) -> int:
    """Return how often a further modifier decides the rolls, in thousandths.

    Each one that was played before shows that somebody answers, and that takes another card to undo.
    """
    played = sum(len(cast.added) for cast in find_open_rolls(table))
    return int(MODIFIER_STANDS_PERMILLE * (ANSWER_EXPECTED_PERMILLE / 1000) ** played)


def estimate_challenge_outcome(table: Table, seat: int, casts: tuple[DiceRoll, ...], totals: dict[str, int]) -> int:
    """Return what a challenge that ends with these totals is worth to a seat."""
    if totals["challenger"] >= totals["challenged"]:
        return 0
    player = next(cast for cast in casts if cast.kind == "challenged")
    gain = prices.price_play(table, player.seat, player.about)
    return gain if player.seat == seat else -estimate_denial(table, seat, gain)


# ---- answers to card texts -------------------------------------------------------------------------------------


def estimate_choice(table: Table, seat: int, move: Move) -> int:
    """Return what a choice promises if its effect cannot be foreseen."""
    match move:
        case ChooseCard(card) | ChooseUnseen(card):
            return estimate_card_choice(table, seat, card)
        case ChooseCards(cards):
            hand = table.cards_in_hand(seat)
            lacks = set(CLASSES) - table.classes_of(seat)
            kept = [prices.price_card(card, lacks) for card in cards]
            return -sum(kept) if all(card in hand for card in cards) else sum(kept)
        case ChoosePlayer(other):
            return prices.price_player(table, other) // 10 + UNSEEN_CARD_VALUE * len(table.cards_at(HANDS[other])) // 4
        case ChooseValue(value):
            return estimate_value_choice(table, seat, value)
    return 0


def estimate_card_choice(table: Table, seat: int, card: str) -> int:
    """Return what choosing a card promises.

    Choosing a hero of another player hurts that player. Other cards are won, or given away.
    """
    owner = table.controller_of(card)
    if owner is not None:
        price = prices.price_hero(table, owner, card)
        return -price if owner == seat else price + prices.price_player(table, owner) // 10
    price = prices.price_card(card, set(CLASSES) - table.classes_of(seat))
    return -price if gives_card_away(table) and card in table.cards_in_hand(seat) else price


def gives_card_away(table: Table) -> bool:
    """Return whether the next line of the text takes the chosen card from the player."""
    text = prices.find_running_text(table)
    if text is None:
        return False
    lines = table.find_program(text.card, text.text)
    return text.at < len(lines) and lines[text.at].effect.WORD in LOSING_VERBS


def estimate_value_choice(table: Table, seat: int, value: int) -> int:
    """Return what adding a value to the roll that a modifier was played on promises."""
    text = prices.find_running_text(table)
    roller = text.first_value("roller") if text is not None else None
    if type(roller) is not int or not any(cast.seat == roller for cast in find_open_rolls(table)):
        return 0
    wanted = 1 if roller == seat else -1
    casts = find_open_rolls(table)
    if len(casts) == 1 and casts[0].kind == "attack" and FACES[casts[0].about].slay.least is None:
        wanted = -wanted
    return estimate_modifier(table, seat, roller, value) + wanted * value
