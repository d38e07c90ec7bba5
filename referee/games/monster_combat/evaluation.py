"""How well a seat stands, for bots: computed from its view, without chance.

No rule uses it. Numbers are rough prices in hundredths of a heart. In variant 2 all players are one side, so all hearts
count alike.
"""

from __future__ import annotations

from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.monster_combat.components import (
    HEARTS_HIT_BY_CARD,
    MAGNETS_BY_CARD,
    MONSTERS,
    attack_strength_of,
    design_name,
)
from referee.games.monster_combat.moves import PlayCard
from referee.games.monster_combat.state import Table

OWN_HEART_VALUES = (0, 400, 580, 700)  # what this many hearts are worth to their owner: the last one most
RIVAL_HEART_VALUES = (0, 200, 310, 390)  # what this many hearts of another player cost the seat
TEAM_HEART_VALUES = (0, 300, 480, 600)
MONSTER_HEART_VALUE = 70  # for each heart that the monsters lose
UNSEEN_CARD_VALUE = 25  # a card whose name is not known
HELD_CARD_VALUES = {  # a card in hand
    "V1": {"shield": 50, "life_back": 45, "lightning": 20, "sword": 18, "skip": 18, "thief_2": 25, "thief_1": 18},
    "V2": {"shield": 45, "life_back": 60, "lightning": 50, "sword": 25, "skip": 35, "thief_2": 20, "thief_1": 10},
}
ATTACK_LANDS_PERCENT = 60  # per cent of attacks that are not parried


def evaluate_state(table: Table, seat: int) -> int:
    """Return how well a seat stands: hearts, monsters, cards. Raises Undetermined."""
    prices = HELD_CARD_VALUES[table.rules.variant]
    cards = sum(
        UNSEEN_CARD_VALUE if is_back(card) else prices.get(design_name(card), 0) for card in table.cards_in_hand(seat)
    )
    if table.rules.is_against_monsters:
        hearts = sum(TEAM_HEART_VALUES[table.hearts_of(other)] for other in table.seats)
        return hearts + cards - MONSTER_HEART_VALUE * count_monster_hearts_left(table)
    others = [other for other in table.seats if other != seat]
    theirs = sum(RIVAL_HEART_VALUES[table.hearts_of(other)] for other in others)
    return OWN_HEART_VALUES[table.hearts_of(seat)] + cards - theirs


def count_monster_hearts_left(table: Table) -> int:
    """Count the hearts that all monsters still have together. Raises Undetermined."""
    number = table.monster_number()
    later: int = sum(monster["hearts"] for other, monster in MONSTERS.items() if other > number)
    return table.monster_hearts_left() + later


def expected_gain(table: Table, seat: int, move: Move) -> int:
    """Return what a card played promises beyond what can be foreseen.

    Raises Undetermined.
    """
    if not isinstance(move, PlayCard):
        return 0
    card = design_name(move.card)
    return (
        estimate_against_monsters(table, card)
        if table.rules.is_against_monsters
        else estimate_against_players(table, seat, card)
    )


def estimate_against_monsters(table: Table, card: str) -> int:
    """Estimate what a card is worth in variant 2.

    Thieves draw cards. A skip card gives a round in which the monster sleeps and each hit counts double.
    """
    if card in MAGNETS_BY_CARD:
        return UNSEEN_CARD_VALUE * MAGNETS_BY_CARD[card] + 10
    if card != "skip":
        return 0
    if table.is_monster_asleep() or table.monster_hearts_left() < max(HEARTS_HIT_BY_CARD.values()):
        return -MONSTER_HEART_VALUE
    return 20 * attack_strength_of(table.monster_number()) + 15 * len(table.living_seats())


def estimate_against_players(table: Table, seat: int, card: str) -> int:
    """Estimate what a card is worth in variant 1.

    Attacks may land, thieves steal cards, a skip card takes a turn from the next player.
    """
    following = table.find_next_living(seat)
    if card == "lightning":
        return estimate_lightning(table, seat)
    if card == "life_back" or following == seat:
        return 0
    if table.is_immune(following):
        return -UNSEEN_CARD_VALUE
    if card == "sword":
        return ATTACK_LANDS_PERCENT * price_heart_loss(table, following) // 100
    if card in MAGNETS_BY_CARD:
        return MAGNETS_BY_CARD[card] * (
            2 * UNSEEN_CARD_VALUE if table.count_hand_cards(following) else UNSEEN_CARD_VALUE
        )
    return 80 if len(table.living_seats()) == 2 else 30


def estimate_lightning(table: Table, seat: int) -> int:
    """Estimate what lightning is worth.

    Each other player is hit or parries. If all of them parry, it strikes back.
    """
    others = [other for other in table.living_seats() if other != seat]
    hit = [other for other in others if not table.is_immune(other)]
    back = OWN_HEART_VALUES[table.hearts_of(seat)] - OWN_HEART_VALUES[table.hearts_of(seat) - 1]
    if len(hit) == len(others) and not table.is_immune(seat):
        for _ in hit:
            back = back * (100 - ATTACK_LANDS_PERCENT) // 100
    else:
        back = 0
    return ATTACK_LANDS_PERCENT * sum(price_heart_loss(table, other) for other in hit) // 100 - back


def price_heart_loss(table: Table, seat: int) -> int:
    """Return what it is worth that another player loses a heart."""
    hearts = table.hearts_of(seat)
    return RIVAL_HEART_VALUES[hearts] - RIVAL_HEART_VALUES[hearts - 1]
