"""What things are worth in Here to Slay, for bots. No rule looks at it.

Everything is judged from a view, without chance. The numbers are rough prices. A drawn card is worth about 30.
"""

from __future__ import annotations

from functools import cache

from referee.cardscript.language.interpreter import Execution
from referee.engine.remembering import remember
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import CLASSES, FACES, PROGRAMS, is_kind
from referee.games.here_to_slay.state import PARTY, Table
from referee.games.here_to_slay.texts.faces import Span
from referee.games.here_to_slay.values import DiceRoll

SLAIN_MONSTER_VALUES = (0, 700, 1700, 9000)  # by number of monsters
CLASS_COUNT_VALUES = (0, 0, 60, 150, 280, 480, 4000)  # by number of classes in the party
HERO_VALUE = 75  # a hero in a party, besides its class and its effect
UNSEEN_CARD_VALUE = 30  # a card whose name is not known
HELD_CARD_VALUES = {"challenge": 45, "modifier": 40, "hero": 35, "magic": 35, "item": 25, "cursed_item": 22}
NEW_CLASS_VALUE = 25  # extra for a hero in hand of a class that the party lacks
FULL_VALUE_CARDS = 7  # further cards in hand are worth half
CARRIED_ITEM_VALUES = {"item": 30, "cursed_item": -45}
VERB_VALUES = {
    "destroy": 110,
    "steal": 150,
    "draw": 35,
    "draw_to": 60,
    "pull": 55,
    "take": 40,
    "play": 60,
    "put": 60,
    "gain_points": 40,
    "use_effect": 60,
    "lasting": 40,
}
OTHER_VERB_VALUE = 10  # any other verb
WAYS_BY_TOTAL = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)  # out of 36, by the total of two dice


def evaluate_state(table: Table, seat: int) -> int:
    """Return how good a position is for a seat.

    It is the value of the seat's own cards less a share of the others', with the strongest rival weighing most.
    """
    theirs = [price_player(table, other) for other in table.other_seats(seat)]
    if not theirs:
        return price_player(table, seat)
    return price_player(table, seat) - (max(theirs) + sum(theirs) // len(theirs)) // 2


def price_player(table: Table, seat: int) -> int:
    """Return what a player's cards are worth. Raises Undetermined."""
    return price_party(table, seat) + price_hand(table, seat)


@remember(*PARTY)
def price_party(table: Table, seat: int) -> int:
    """Return what lies open before a player is worth. Raises Undetermined."""
    slain = SLAIN_MONSTER_VALUES[min(len(table.monsters_slain_by(seat)), 3)]
    heroes = sum(price_hero(table, seat, hero) for hero in table.party_of(seat))
    return slain + price_classes(table, seat) + heroes


def price_classes(table: Table, seat: int) -> int:
    """Return what the classes of a party are worth."""
    return CLASS_COUNT_VALUES[len(table.classes_of(seat) & set(CLASSES))]


def price_hero(table: Table, seat: int, hero: str) -> int:
    """Return what a hero is worth in a party, without its class."""
    item = table.item_of(hero)
    carried = CARRIED_ITEM_VALUES.get(FACES[item].kind, 0) if item and not is_back(item) else 0
    effect = (
        0 if table.is_sealed(hero) else price_effect(table, seat, hero) * compute_hero_chance(table, seat, hero) // 1000
    )
    return HERO_VALUE + carried + effect // 2


@remember("rules", "readings", "zones", "lasting", "gone")  # not public: a view has another answer
def price_hand(table: Table, seat: int) -> int:
    """Return what a hand is worth. Hidden cards count at a flat price."""
    lacks = set(CLASSES) - table.classes_of(seat)
    prices = sorted((price_card(card, lacks) for card in table.cards_in_hand(seat)), reverse=True)
    return sum(prices[:FULL_VALUE_CARDS]) + sum(prices[FULL_VALUE_CARDS:]) // 2


def price_card(card: str, lacks: set[str]) -> int:
    """Return what a card is worth in the hand of a party that lacks these classes."""
    face = FACES.get(card)
    if face is None:
        return UNSEEN_CARD_VALUE
    return HELD_CARD_VALUES.get(face.kind, UNSEEN_CARD_VALUE) + (
        NEW_CLASS_VALUE if face.kind == "hero" and face.class_ in lacks else 0
    )


def price_effect(table: Table, seat: int, card: str) -> int:
    """Return roughly what the text of a hero or of magic is worth, by its verbs."""
    found = 0
    for line in PROGRAMS.get((card, "does"), ()):
        verb = line.effect.WORD
        if verb == "pay":
            found -= UNSEEN_CARD_VALUE * int(getattr(line.effect, "count", 1))
        elif verb not in ("destroy", "steal") or any(table.party_of(other) for other in table.other_seats(seat)):
            found += VERB_VALUES.get(verb, OTHER_VERB_VALUE)
    return found


def compute_hero_chance(table: Table, seat: int, hero: str) -> int:
    """Return the chance that a roll for a hero succeeds, in thousandths."""
    return compute_span_chance(FACES[hero].roll, table.compute_roll_total(DiceRoll("hero", seat, hero)))


@cache
def compute_span_chance(span: Span, plus: int) -> int:
    """Return the chance that two dice and a bonus fall within a span, in thousandths."""
    return 1000 * sum(pips for dice, pips in enumerate(WAYS_BY_TOTAL) if span.contains_total(dice + plus)) // 36


@cache
def compute_chance_to_beat(plus: int, tie: bool) -> int:
    """Return the chance that two dice and a bonus beat two other dice, in thousandths.

    `tie`: an equal total wins as well.
    """
    won = sum(
        mine * theirs
        for first, mine in enumerate(WAYS_BY_TOTAL)
        for second, theirs in enumerate(WAYS_BY_TOTAL)
        if first + plus > second or (tie and first + plus == second)
    )
    return 1000 * won // 36**2


def price_play(table: Table, seat: int, card: str) -> int:
    """Return what a player gains if a card that they play stands."""
    face = FACES[card]
    if face.kind == "hero":
        before = table.classes_of(seat) & set(CLASSES)
        classes = CLASS_COUNT_VALUES[len(before | {face.class_})] - CLASS_COUNT_VALUES[len(before)]
        effect = price_effect(table, seat, card) * compute_hero_chance(table, seat, card) // 1000
        return HERO_VALUE + classes + effect + effect // 2
    if is_kind(card, "item"):
        return abs(CARRIED_ITEM_VALUES[face.kind])
    return max(0, price_effect(table, seat, card))


def price_next_monster(table: Table, seat: int) -> int:
    """Return what the next monster is worth to a player."""
    slain = min(len(table.monsters_slain_by(seat)), 2)
    return SLAIN_MONSTER_VALUES[slain + 1] - SLAIN_MONSTER_VALUES[slain]


def price_fighting_back(table: Table, seat: int, monster: str) -> int:
    """Return what a player loses if a monster fights back."""
    if any(line.effect.WORD == "sacrifice" for line in PROGRAMS.get((monster, "penalty"), ())):
        heroes = table.party_of(seat)
        classes = len(table.classes_of(seat) & set(CLASSES))
        return min((price_hero(table, seat, hero) for hero in heroes), default=0) + (
            CLASS_COUNT_VALUES[classes] - CLASS_COUNT_VALUES[max(0, classes - 1)]
        )
    return 2 * UNSEEN_CARD_VALUE + OTHER_VERB_VALUE


def price_roll_outcome(table: Table, cast: DiceRoll, total: int) -> int:
    """Return what a hero roll or an attack is worth to the roller at a given total."""
    face = FACES[cast.about]
    if cast.kind == "hero":
        return price_effect(table, cast.seat, cast.about) if face.roll.contains_total(total) else 0
    if face.slay.contains_total(total):
        return price_next_monster(table, cast.seat)
    return -price_fighting_back(table, cast.seat, cast.about) if face.fight_back.contains_total(total) else 0


def find_running_text(table: Table) -> Execution | None:
    """Return the text that the open question belongs to, or None."""
    return next((step for step in reversed(table.agenda) if isinstance(step, Execution)), None)
