"""What things are worth in Here to Slay, for bots: from a view, without chance. No rule looks at it.

Numbers are rough prices; a card drawn is about 30.
"""

from __future__ import annotations

from referee.cardscript.language.interpreter import CarryOut
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import CLASSES, FACES, PROGRAMS, is_kind
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.faces import Span
from referee.games.here_to_slay.values import Cast

SLAIN = (0, 700, 1700, 9000)  # so many monsters
CLASSED = (0, 0, 60, 150, 280, 480, 4000)  # so many classes in the party
HERO = 75  # a hero in a party, besides its class and its effect
UNSEEN = 30  # a card whose name is not known
HELD = {"challenge": 45, "modifier": 40, "hero": 35, "magic": 35, "item": 25, "cursed_item": 22}
NEW_CLASS = 25  # a hero in hand of a class that the party lacks
PLENTY = 7  # cards beyond are worth half
CARRIED = {"item": 30, "cursed_item": -45}
DOES = {"destroy": 110, "steal": 150, "draw": 35, "draw_to": 60, "pull": 55, "take": 40, "play": 60, "lasting": 40}
LITTLE = 10  # a verb that is not priced
PIPS = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)  # of 36, by the total of two dice


def worth(table: Table, seat: int) -> int:
    """How well a seat stands: its own table, less those of the others, the strongest of them above all."""
    theirs = [standing(table, other) for other in table.others(seat)]
    if not theirs:
        return standing(table, seat)
    return standing(table, seat) - (max(theirs) + sum(theirs) // len(theirs)) // 2


def standing(table: Table, seat: int) -> int:
    """What lies with one player. Raises Unknown."""
    slain = SLAIN[min(len(table.slain(seat)), 3)]
    party = table.party(seat)
    return slain + classed(table, seat) + sum(of_hero(table, seat, hero) for hero in party) + of_hand(table, seat)


def classed(table: Table, seat: int) -> int:
    """What the classes of a party are worth."""
    return CLASSED[len(table.classes(seat) & set(CLASSES))]


def of_hero(table: Table, seat: int, hero: str) -> int:
    """What a hero is worth in a party, without its class."""
    item = table.item_of(hero)
    carried = CARRIED.get(FACES[item].kind, 0) if item and not is_back(item) else 0
    effect = 0 if table.sealed(hero) else effect_of(table, seat, hero) * chance_of_hero(table, seat, hero) // 1000
    return HERO + carried + effect // 2


def of_hand(table: Table, seat: int) -> int:
    """What a hand is worth, as far as the view shows it."""
    lacks = set(CLASSES) - table.classes(seat)
    prices = sorted((held(card, lacks) for card in table.hand(seat)), reverse=True)
    return sum(prices[:PLENTY]) + sum(prices[PLENTY:]) // 2


def held(card: str, lacks: set[str]) -> int:
    """What a card is worth in the hand of a party that lacks some classes."""
    face = FACES.get(card)
    if face is None:
        return UNSEEN
    return HELD.get(face.kind, UNSEEN) + (NEW_CLASS if face.kind == "hero" and face.class_ in lacks else 0)


def effect_of(table: Table, seat: int, card: str) -> int:
    """What the text of a hero or of magic does for a player, roughly, by its verbs."""
    found = 0
    for line in PROGRAMS.get((card, "does"), ()):
        verb = line.word.WORD
        if verb == "pay":
            found -= UNSEEN * int(getattr(line.word, "count", 1))
        elif verb not in ("destroy", "steal") or any(table.party(other) for other in table.others(seat)):
            found += DOES.get(verb, LITTLE)
    return found


def chance_of_hero(table: Table, seat: int, hero: str) -> int:
    """How likely a roll for a hero succeeds, in thousandths."""
    return chance(FACES[hero].roll, table.total(Cast("hero", seat, hero)))


def chance(span: Span, plus: int) -> int:
    """How likely two dice and a bonus fall within a span, in thousandths."""
    return 1000 * sum(pips for dice, pips in enumerate(PIPS) if span.holds(dice + plus)) // 36


def chance_to_beat(plus: int, tie: bool) -> int:
    """How likely two dice and a bonus are above two other dice, or equal where a tie wins, in thousandths."""
    won = sum(
        mine * theirs
        for first, mine in enumerate(PIPS)
        for second, theirs in enumerate(PIPS)
        if first + plus > second or (tie and first + plus == second)
    )
    return 1000 * won // 36**2


def played(table: Table, seat: int, card: str) -> int:
    """What it brings a player that a card which is played stands."""
    face = FACES[card]
    if face.kind == "hero":
        before = table.classes(seat) & set(CLASSES)
        classes = CLASSED[len(before | {face.class_})] - CLASSED[len(before)]
        effect = effect_of(table, seat, card) * chance_of_hero(table, seat, card) // 1000
        return HERO + classes + effect + effect // 2
    if is_kind(card, "item"):
        return abs(CARRIED[face.kind])
    return max(0, effect_of(table, seat, card))


def slaying(table: Table, seat: int) -> int:
    """What the next monster is worth to a player."""
    slain = min(len(table.slain(seat)), 2)
    return SLAIN[slain + 1] - SLAIN[slain]


def fought_back(table: Table, seat: int, monster: str) -> int:
    """What it costs a player that a monster fights back."""
    if any(line.word.WORD == "sacrifice" for line in PROGRAMS.get((monster, "penalty"), ())):
        heroes = table.party(seat)
        classes = len(table.classes(seat) & set(CLASSES))
        return min((of_hero(table, seat, hero) for hero in heroes), default=0) + (
            CLASSED[classes] - CLASSED[max(0, classes - 1)]
        )
    return 2 * UNSEEN + LITTLE


def settled(table: Table, cast: Cast, total: int) -> int:
    """What the outcome of a roll for a hero or of an attack is worth to the roller, if it comes to this total."""
    face = FACES[cast.about]
    if cast.kind == "hero":
        return effect_of(table, cast.seat, cast.about) if face.roll.holds(total) else 0
    if face.slay.holds(total):
        return slaying(table, cast.seat)
    return -fought_back(table, cast.seat, cast.about) if face.fight_back.holds(total) else 0


def running_text(table: Table) -> CarryOut | None:
    """The text that the open question belongs to, None if it belongs to none."""
    return next((step for step in reversed(table.agenda) if isinstance(step, CarryOut)), None)
