"""How well a seat stands in this game, and what a move promises, for bots.

It is computed from a view, without chance. Every card outside hell is a life. Creatures count by what they can do from
their place. An attack that waits for an answer counts for most of what it would do. No rule uses it.
"""

from __future__ import annotations

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards
from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.creature_crush.components import FIELD_PLACES, HANDS, SEAT_BY_PLACE, column_of, face_of, row_of
from referee.games.creature_crush.moves import AcceptDraw, BringDeck, EndCombat, Flip, Keep, Lay, MoveCreature, Swap
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.losing import (
    Destroying,
    DirectHit,
    Discarding,
    Milling,
    RandomDestruction,
)
from referee.games.creature_crush.state import Table

CARD_VALUE = 100  # of each card that is not in hell
FIELD_VALUE = 25  # more for a creature on the field, which can act
CRUSH_VALUE = 30  # more for a crush card that lies ready
DIE_VALUE = 2  # a start die that is not burned
EXTRA_DIE_VALUE = 25
PENDING_FIFTHS = 4  # of five: what waits for an answer mostly succeeds
WIN_VALUE = 1_000_000


def evaluate_state(table: Table, seat: int) -> int:
    """Return how well a seat stands compared with the other, pending steps included."""
    if table.way:
        return 0 if table.winner < 0 else WIN_VALUE if table.winner == seat else -WIN_VALUE
    mine = evaluate_side(table, seat) - evaluate_side(table, 1 - seat)
    dice = DIE_VALUE * len(table.dice) if table.turn == seat else 0
    return mine + dice + sum(_evaluate_pending_step(table, step, seat) for step in table.agenda)


def evaluate_side(table: Table, seat: int) -> int:
    """Return what the cards of a player are worth. Raises Undetermined."""
    total = (
        CARD_VALUE * table.count_left_in_play(seat)
        + CRUSH_VALUE * len(table.list_crush_places(seat))
        + EXTRA_DIE_VALUE * table.extra[seat]
    )
    return (
        total
        + sum(evaluate_creature(table, card) for card in table.list_creatures(seat))
        + 10 * min(7, table.count_cards_at(HANDS[seat]))
    )


def evaluate_creature(table: Table, card: str) -> int:
    """Return what a creature on the field is worth on its place.

    Its points count, cheap attacks count more, and so does a free way to the other player.
    """
    place = table.places_by_creature[card]
    seat, points = SEAT_BY_PLACE[place], table.attack_points(card)
    value = FIELD_VALUE + 6 * min(points, 9) + 4 * table.life_left(card) - face_of(card).cost
    if table.has_keyword(card, "vengeful"):
        value += 3 * points
    if row_of(place) == "A" and points:
        free = not table.card_at(FIELD_PLACES[1 - seat][3 + column_of(place) - 1])
        value += 30 if free else 0
    return value


def _evaluate_pending_step(table: Table, step: object, seat: int) -> int:
    """Return what a pending attack or destruction is worth to a seat."""
    match step:
        case Strike(cancelled=True):
            return 0
        case Strike(seat=by, target=""):
            gain = CARD_VALUE
        case Strike(seat=by, creature=attacker, target=target):
            if not {attacker, target} <= table.places_by_creature.keys():
                return 0
            gain = compute_strike_loss(table, attacker, target)
            if table.has_keyword(target, "vengeful"):
                gain -= compute_strike_loss(table, target, attacker)
        case DirectHit(seat=by):
            gain = CARD_VALUE
        case Milling(seat=loser, count=count) | Discarding(seat=loser, count=count):
            by, gain = 1 - loser, CARD_VALUE * count
        case RandomDestruction(targets=targets) | Destroying(what=targets):
            losers = [SEAT_BY_PLACE.get(target, table.possessor_of(target)) for target in targets]
            by, gain = 1 - losers[0], CARD_VALUE
        case _:
            return 0
    sign = 1 if by == seat else -1
    return sign * gain * PENDING_FIFTHS // 5


def compute_strike_loss(table: Table, attacker: str, target: str) -> int:
    """Return what it costs a creature's possessor if another creature strikes it."""
    points = max(0, table.attack_points(attacker) - table.armor_points(target))
    if points >= table.life_left(target):
        return CARD_VALUE + evaluate_creature(table, target)
    return 4 * points


def expected_gain(table: Table, seat: int, move: Move) -> int:
    """Return what a move promises beyond what can be foreseen. Raises Undetermined."""
    match move:
        case EndCombat():
            return 0
        case Lay(card=card):
            return 0 if is_back(card) else 5
        case Flip(card=card):
            return _evaluate_flip(table, seat, card)
        case MoveCreature() | Swap():
            return -6  # so that a bot moves only if its position gets better
        case AcceptDraw():
            return -WIN_VALUE // 2
        case Keep(cards) | BringDeck(cards):
            return sum(evaluate_card(card) for card in cards)
        case ChooseCard(card):
            return _evaluate_choice(table, seat, card)
        case ChooseCards(cards):
            return sum(_evaluate_choice(table, seat, card) for card in cards)
        case Accept():
            return 1  # what is offered is mostly worth taking
    return 0


def _evaluate_flip(table: Table, seat: int, card: str) -> int:
    """Return what flipping a crush card promises.

    It is worth its dice, and most if the other player has many creatures.
    """
    if is_back(card):
        return 0
    enemies = len(table.list_creatures(1 - seat))
    return CARD_VALUE + CRUSH_VALUE - 60 + 25 * enemies if enemies or face_of(card).flips_when else -20


def _evaluate_choice(table: Table, seat: int, card: str) -> int:
    """Return what it is worth to choose a card.

    A chosen enemy is mostly harmed, an own card helped, and a card of hell brought back.
    """
    if card in table.places_by_creature:
        value = evaluate_creature(table, card)
        return value if table.possessor_of(card) != seat else value // 4
    if card in SEAT_BY_PLACE:
        return CRUSH_VALUE if SEAT_BY_PLACE[card] != seat else -CRUSH_VALUE
    return evaluate_card(card) if not is_back(card) else 0


def evaluate_card(card: str) -> int:
    """Return what a card that is not on the field is worth in general."""
    if is_back(card):
        return 0
    of = face_of(card)
    if not of.is_creature:
        return 60
    return 20 + 5 * of.attack + 3 * of.life + 6 * len(of.texts) - 3 * max(0, of.cost - 9)
