"""How well a seat stands in Creature Crush, for bots.

It is computed from a view, without chance. Every card outside hell is a life. Creatures count by what they can do from
their place. An attack that waits for an answer counts for most of what it would do. No rule uses it.
"""

from __future__ import annotations

from referee.games.creature_crush.components import FIELD_PLACES, HANDS, SEAT_BY_PLACE, column_of, face_of, row_of
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
HAND_CARD_VALUE = 10  # more for each of the first cards in hand, which can be played
FULL_HAND = 7
PENDING_FIFTHS = 4  # of five: what waits for an answer mostly succeeds
WIN_VALUE = 1_000_000


def evaluate_state(table: Table, seat: int) -> int:
    """Return how well a seat stands compared with the other, pending steps included."""
    if table.way:
        return 0 if table.winner < 0 else WIN_VALUE if table.winner == seat else -WIN_VALUE
    mine = evaluate_side(table, seat) - evaluate_side(table, 1 - seat)
    dice = DIE_VALUE * len(table.dice) if table.turn == seat else 0
    return mine + dice + sum(evaluate_pending_step(table, step, seat) for step in table.agenda)


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
        + HAND_CARD_VALUE * min(FULL_HAND, table.count_cards_at(HANDS[seat]))
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


def evaluate_pending_step(table: Table, step: object, seat: int) -> int:
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
    points = table.attack_damage(attacker, target)
    if points >= table.life_left(target):
        return CARD_VALUE + evaluate_creature(table, target)
    return 4 * points
