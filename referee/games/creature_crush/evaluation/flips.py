"""What the text of a crush card does for its player as the table stands, for bots.

No rule uses it. Each line of the text is priced by its verb and by the creatures and cards that it can reach, so the
same card is worth much on one table and nothing on another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.engine.zones import is_back
from referee.games.creature_crush.components import DECKS, HANDS, SEAT_BY_PLACE, face_of
from referee.games.creature_crush.conditions import Amount
from referee.games.creature_crush.derived import compute_amount, is_condition_met
from referee.games.creature_crush.evaluation import standing
from referee.games.creature_crush.rules.actions.actions import may_act
from referee.games.creature_crush.rules.actions.paying import list_payments
from referee.games.creature_crush.rules.combat.attacking import find_targets
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.selecting import SelectWithDice

DRAWN_CARD_VALUE = 20  # a card that changes only from the deck to the hand
FOUND_CARD_VALUE = 30  # the same, but one of choice
CANCELLED_FLIP_VALUE = 80
CRUSH_DIE_VALUE = 12  # a die that the next crush card does not take
ADDED_DIE_VALUE = 15  # a start die more in this turn
ROLLED_TARGET_PERCENT = 60  # how often dice find a target
ATTACK_POINT_VALUE = 8  # of an attack that is still to come in this turn
LASTING_POINT_VALUE = 6


@dataclass(frozen=True)
class Targets:
    """What a name of a text can stand for: `count` of these cards.

    `chosen`: the player chooses them. Otherwise they are all alike, or found by chance.
    `percent` says how often the text finds them.
    """

    cards: tuple[str, ...]
    count: int
    chosen: bool = False
    percent: int = 100

    def add_up(self, price: Callable[[str], int]) -> int:
        """Return the prices of those that the text reaches, summed up."""
        prices = sorted(map(price, self.cards), reverse=True)
        count = min(self.count, len(prices))
        if not count:
            return 0
        total = sum(prices[:count]) if self.chosen else sum(prices) * count // len(prices)
        return total * self.percent // 100


def price_text(table: Table, text: Execution) -> int:
    """Return what a text that is about to be carried out does for its player."""
    total, found, checked = 0, dict[str, Targets](), set[str]()
    for name, values in text.bound.items():
        found[name] = Targets(tuple(value for value in values if isinstance(value, str)), 1)
    bound = dict(text.bound)
    for line in table.find_program(text.card, text.text):
        effect: Any = line.effect
        if line.when in checked and not bound.get(line.when):
            continue
        if effect.WORD == "check":
            checked.add(effect.called)
            if is_condition_met(table, effect.that, text.by, text.card, text.bound):
                bound[effect.called] = (text.by,)
        elif hasattr(effect, "noun") and hasattr(effect, "called"):
            found[effect.called] = find_reach(table, text, effect)
        else:
            total += price_line(table, text, effect, found)
    return total


def find_reach(table: Table, text: Execution, effect: Any) -> Targets:
    """Return what a line that names targets can name."""
    there = tuple(str(value) for value in effect.noun.find_options(table, text, text.by))
    if effect.WORD == "all":
        return Targets(there, len(there))
    if isinstance(effect, SelectWithDice):
        return Targets(there, 1, True, ROLLED_TARGET_PERCENT)
    count = getattr(effect, "count", Amount(1))
    number = compute_amount(table, count, text.bound) if isinstance(count, Amount) else int(count)
    return Targets(there, number, effect.WORD != "at_random")


def price_line(table: Table, text: Execution, effect: Any, found: Mapping[str, Targets]) -> int:
    """Return what one line of a text that acts does for its player."""
    seat = text.by
    named = next((getattr(effect, name) for name in ("creature", "what", "card") if hasattr(effect, name)), "")
    targets = found.get(named, Targets((), 0))
    match effect.WORD:
        case "damage":
            points = compute_amount(table, effect.points, text.bound)
            return targets.add_up(lambda card: price_damage(table, seat, card, points))
        case "destroy":
            return targets.add_up(lambda card: price_loss(table, seat, card))
        case "send_back":
            return targets.add_up(lambda card: price_return(table, seat, card))
        case "take_control":
            return targets.add_up(lambda card: 2 * price_loss(table, seat, card))
        case "heal":
            return targets.add_up(lambda card: 4 * table.damage.get(card, 0) * side_of(table, seat, card) * -1)
        case "strengthen":
            return targets.add_up(lambda card: price_strength(table, seat, card, effect))
        case "ready":
            return targets.add_up(lambda card: price_further_attack(table, seat, card))
        case "revive":
            return standing.CARD_VALUE + targets.add_up(price_revived) if targets.cards else 0
        case "recover" | "recycle":
            return standing.CARD_VALUE * min(targets.count, len(targets.cards))
        case "cancel_attack":
            return -sum(standing.evaluate_pending_step(table, step, seat) for step in table.agenda)
        case "cancel_effect":
            return CANCELLED_FLIP_VALUE
    return price_cards_and_dice(table, text, effect)


def price_cards_and_dice(table: Table, text: Execution, effect: Any) -> int:
    """Return what a line about decks, hands or start dice does for its player."""
    match effect.WORD:
        case "draw":
            count = compute_amount(table, effect.count, text.bound)
            return DRAWN_CARD_VALUE * min(count, len(table.cards_at(DECKS[text.by])))
        case "search":
            return FOUND_CARD_VALUE * int(effect.count)
        case "mill" | "discard":
            piles = DECKS if effect.WORD == "mill" else HANDS
            count = compute_amount(table, effect.count, text.bound)
            return sum(
                standing.CARD_VALUE * min(count, len(table.cards_at(piles[who]))) * (1 if who != text.by else -1)
                for who in effect.who.select_seats(table, text)
            )
        case "next_crush":
            return sum(
                -CRUSH_DIE_VALUE * effect.dice * (1 if who == text.by else -1)
                for who in effect.who.select_seats(table, text)
            )
        case "add_dice" if table.turn == text.by:
            return ADDED_DIE_VALUE * int(effect.count)
        case "start_dice":
            return sum(
                standing.EXTRA_DIE_VALUE * effect.count * (1 if who == text.by else -1)
                for who in effect.who.select_seats(table, text)
            )
    return 0


# ---- what happens to a creature --------------------------------------------------------------------------------------


def side_of(table: Table, seat: int, card: str) -> int:
    """Return 1 if harm to a card is good for the seat, -1 if bad, 0 if it is gone."""
    if card in SEAT_BY_PLACE:
        return 1 if SEAT_BY_PLACE[card] != seat else -1
    owner = table.possessor_of(card)
    return 0 if owner not in (0, 1) else 1 if owner != seat else -1


def price_loss(table: Table, seat: int, card: str) -> int:
    """Return what it is worth to a seat that a card on a board is destroyed."""
    side = side_of(table, seat, card)
    if not side:
        return 0
    value = standing.CRUSH_VALUE if card in SEAT_BY_PLACE else standing.evaluate_creature(table, card)
    return side * (standing.CARD_VALUE + value)


def price_damage(table: Table, seat: int, card: str, points: int) -> int:
    """Return what it is worth to a seat that a creature takes damage."""
    side = side_of(table, seat, card)
    if not side:
        return 0
    return price_loss(table, seat, card) if points >= table.life_left(card) else side * 4 * points


def price_return(table: Table, seat: int, card: str) -> int:
    """Return what it is worth to a seat that a creature goes back to a hand."""
    side = side_of(table, seat, card)
    return side * (standing.evaluate_creature(table, card) - standing.HAND_CARD_VALUE) if side else 0


def price_revived(card: str) -> int:
    """Return what a creature from hell is worth on the field."""
    return 0 if is_back(card) else standing.FIELD_VALUE + 6 * face_of(card).attack + 4 * face_of(card).life


def price_strength(table: Table, seat: int, card: str, effect: Any) -> int:
    """Return what points for a creature are worth to a seat.

    Attack for this turn only helps a creature that attacks, or can be paid for an attack.
    """
    side = -side_of(table, seat, card)
    if effect.armor or not effect.this_turn:
        return side * LASTING_POINT_VALUE * int(effect.armor or effect.attack)
    is_attacking = any(getattr(step, "creature", "") == card for step in table.agenda)
    useful = is_attacking or (may_act(table, card) and can_pay_attack(table, card))
    return side * ATTACK_POINT_VALUE * int(effect.attack) if useful else 0


def price_further_attack(table: Table, seat: int, card: str) -> int:
    """Return what a further action of a creature in this turn is worth to a seat.

    Without dice that pay for an attack and a target for it, it is worth nothing.
    """
    if not can_pay_attack(table, card):
        return 0
    gains = [
        standing.compute_strike_loss(table, card, target) if target else standing.CARD_VALUE
        for target in find_targets(table, card)
    ]
    return -side_of(table, seat, card) * max(gains, default=0)


def can_pay_attack(table: Table, card: str) -> bool:
    """Return whether a creature has a target and the dice left pay for its attack."""
    cost = table.pips_to_pay(table.possessor_of(card), card)
    return bool(table.attack_points(card) and find_targets(table, card) and list_payments(table.dice, cost))
