"""How well a seat stands in this game, and what a move promises beyond what can be foreseen, for bots.

From a view and without chance. Every card that is not in hell is a life; creatures count by what they can do where they
stand. An attack that waits for an answer counts for most of what it would do. No rule looks at it.
"""

from __future__ import annotations

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards
from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.creature_crush.components import FIELDS, HANDS, SEAT_OF, column, face, row
from referee.games.creature_crush.moves import AcceptDraw, BringDeck, EndCombat, Flip, Keep, Lay, MoveCreature, Swap
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.losing import Destroying, DirectHit, Discarding, Milling, OneAtRandom
from referee.games.creature_crush.state import Table

LIFE = 100  # of each card that is not in hell
ON_BOARD = 25  # more for a creature on the field, which can act
CRUSH = 30  # more for a crush card that lies ready
DIE = 2  # a start die that is still there
EXTRA_DIE = 25
LIKELY = 4  # of five: what waits for an answer mostly comes off
LEFT = 1_000_000


def worth(table: Table, seat: int) -> int:
    """How well a seat stands: its cards and creatures less those of the other, and what is about to happen."""
    if table.way:
        return 0 if table.winner < 0 else LEFT if table.winner == seat else -LEFT
    mine = side(table, seat) - side(table, 1 - seat)
    dice = DIE * len(table.dice) if table.turn == seat else 0
    return mine + dice + sum(_pending(table, step, seat) for step in table.agenda)


def side(table: Table, seat: int) -> int:
    """What the cards of a player are worth. Raises Unknown."""
    total = LIFE * table.left_in_play(seat) + CRUSH * len(table.crush_places(seat)) + EXTRA_DIE * table.extra[seat]
    return total + sum(creature(table, card) for card in table.creatures(seat)) + 10 * min(7, table.size(HANDS[seat]))


def creature(table: Table, card: str) -> int:
    """What a creature on the field is worth there: its points, cheap attacks more, a free way to the other player."""
    place = table.spots[card]
    seat, points = SEAT_OF[place], table.attack(card)
    value = ON_BOARD + 6 * min(points, 9) + 4 * table.life_left(card) - face(card).cost
    if table.has(card, "vengeful"):
        value += 3 * points
    if row(place) == "A" and points:
        free = not table.at(FIELDS[1 - seat][3 + column(place) - 1])
        value += 30 if free else 0
    return value


def _pending(table: Table, step: object, seat: int) -> int:
    """What waits on the agenda: an attack that was declared, a card about to be destroyed."""
    match step:
        case Strike(cancelled=True):
            return 0
        case Strike(seat=by, target=""):
            gain = LIFE
        case Strike(seat=by, creature=attacker, target=target):
            if not {attacker, target} <= table.spots.keys():
                return 0
            gain = struck(table, attacker, target)
            if table.has(target, "vengeful"):
                gain -= struck(table, target, attacker)
        case DirectHit(seat=by):
            gain = LIFE
        case Milling(seat=loser, count=count) | Discarding(seat=loser, count=count):
            by, gain = 1 - loser, LIFE * count
        case OneAtRandom(targets=targets) | Destroying(what=targets):
            losers = [SEAT_OF.get(target, table.possessor(target)) for target in targets]
            by, gain = 1 - losers[0], LIFE
        case _:
            return 0
    sign = 1 if by == seat else -1
    return sign * gain * LIKELY // 5


def struck(table: Table, attacker: str, target: str) -> int:
    """What it costs the possessor of a creature to be struck by another one."""
    points = max(0, table.attack(attacker) - table.armor(target))
    if points >= table.life_left(target):
        return LIFE + creature(table, target)
    return 4 * points


def promise(table: Table, seat: int, move: Move) -> int:
    """What a move promises beyond what can be foreseen. Raises Unknown."""
    match move:
        case EndCombat():
            return 0
        case Lay(card=card):
            return 0 if is_back(card) else 5
        case Flip(card=card):
            return _flipped(table, seat, card)
        case MoveCreature() | Swap():
            return -6  # only if it makes a difference
        case AcceptDraw():
            return -LEFT // 2
        case Keep(cards) | BringDeck(cards):
            return sum(printed(card) for card in cards)
        case ChooseCard(card):
            return _chosen(table, seat, card)
        case ChooseCards(cards):
            return sum(_chosen(table, seat, card) for card in cards)
        case Accept():
            return 1  # what is offered is mostly worth taking
    return 0


def _flipped(table: Table, seat: int, card: str) -> int:
    """What a crush card promises: it is worth its dice, and best when the other player has much on the board."""
    if is_back(card):
        return 0
    enemies = len(table.creatures(1 - seat))
    return LIFE + CRUSH - 60 + 25 * enemies if enemies or face(card).flips_when else -20


def _chosen(table: Table, seat: int, card: str) -> int:
    """What it is worth to choose a card: an enemy is to be harmed, an own card to be helped, a card of hell to come."""
    if card in table.spots:
        value = creature(table, card)
        return value if table.possessor(card) != seat else value // 4
    if card in SEAT_OF:
        return CRUSH if SEAT_OF[card] != seat else -CRUSH
    return printed(card) if not is_back(card) else 0


def printed(card: str) -> int:
    """What a card that is not on the field is worth in general."""
    if is_back(card):
        return 0
    of = face(card)
    if not of.is_creature:
        return 60
    return 20 + 5 * of.attack + 3 * of.life + 6 * len(of.texts) - 3 * max(0, of.cost - 9)
