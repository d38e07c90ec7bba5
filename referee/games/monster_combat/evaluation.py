"""How well a seat stands, for bots: from its view, without chance. No rule looks at it.

Numbers are rough prices in hundredths of a heart. In variant 2 all players are one side, so every heart counts alike.
"""

from __future__ import annotations

from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.monster_combat.components import HITS, MAGNETS, MONSTERS, design, strength
from referee.games.monster_combat.moves import PlayCard
from referee.games.monster_combat.state import Table

OWN_HEARTS = (0, 400, 580, 700)  # what this many hearts are worth to their owner: the last one most
THEIR_HEARTS = (0, 200, 310, 390)  # and what it is worth that others lose them
TEAM_HEARTS = (0, 300, 480, 600)
HIT = 70  # a heart less of the monsters
UNSEEN = 25  # a card whose name is not known
HELD = {  # a card in hand
    "V1": {"shield": 50, "life_back": 45, "lightning": 20, "sword": 18, "skip": 18, "thief_2": 25, "thief_1": 18},
    "V2": {"shield": 45, "life_back": 60, "lightning": 50, "sword": 25, "skip": 35, "thief_2": 20, "thief_1": 10},
}
LANDS = 60  # per cent of attacks that are not parried


def worth(table: Table, seat: int) -> int:
    """How well a seat stands: hearts, monsters, cards. Raises Unknown."""
    prices = HELD[table.rules.variant]
    cards = sum(UNSEEN if is_back(card) else prices.get(design(card), 0) for card in table.hand(seat))
    if table.rules.against_monsters:
        hearts = sum(TEAM_HEARTS[table.hearts_of(other)] for other in table.seats)
        return hearts + cards - HIT * hearts_to_go(table)
    others = [other for other in table.seats if other != seat]
    theirs = sum(THEIR_HEARTS[table.hearts_of(other)] for other in others)
    return OWN_HEARTS[table.hearts_of(seat)] + cards - theirs


def hearts_to_go(table: Table) -> int:
    """The hearts that all monsters still have together. Raises Unknown."""
    number = table.monster_number()
    later: int = sum(monster["hearts"] for other, monster in MONSTERS.items() if other > number)
    return table.monster_left() + later


def promise(table: Table, seat: int, move: Move) -> int:
    """What a card played promises beyond what can be foreseen. Raises Unknown."""
    if not isinstance(move, PlayCard):
        return 0
    card = design(move.card)
    return against_monsters(table, card) if table.rules.against_monsters else against_players(table, seat, card)


def against_monsters(table: Table, card: str) -> int:
    """Cards to be drawn; a round in which the monster sleeps and is hit twice as hard."""
    if card in MAGNETS:
        return UNSEEN * MAGNETS[card] + 10
    if card != "skip":
        return 0
    if table.asleep() or table.monster_left() < max(HITS.values()):
        return -HIT
    return 20 * strength(table.monster_number()) + 15 * len(table.living())


def against_players(table: Table, seat: int, card: str) -> int:
    """Attacks that land or do not; cards stolen; a turn taken from the next player."""
    following = table.next_living(seat)
    if card == "lightning":
        return lightning(table, seat)
    if card == "life_back" or following == seat:
        return 0
    if table.is_immune(following):
        return -UNSEEN
    if card == "sword":
        return LANDS * hurt(table, following) // 100
    if card in MAGNETS:
        return MAGNETS[card] * (2 * UNSEEN if table.hand_size(following) else UNSEEN)
    return 80 if len(table.living()) == 2 else 30


def lightning(table: Table, seat: int) -> int:
    """Each of the others is hit or parries; if all parry, it strikes back."""
    others = [other for other in table.living() if other != seat]
    hit = [other for other in others if not table.is_immune(other)]
    back = OWN_HEARTS[table.hearts_of(seat)] - OWN_HEARTS[table.hearts_of(seat) - 1]
    if len(hit) == len(others) and not table.is_immune(seat):
        for _ in hit:
            back = back * (100 - LANDS) // 100
    else:
        back = 0
    return LANDS * sum(hurt(table, other) for other in hit) // 100 - back


def hurt(table: Table, seat: int) -> int:
    """What it is worth that another player loses a heart."""
    hearts = table.hearts_of(seat)
    return THEIR_HEARTS[hearts] - THEIR_HEARTS[hearts - 1]
