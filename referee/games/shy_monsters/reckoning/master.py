"""The floor that a dungeon master lays: one of several, drawn by lot.

So no hero can rely on where the monsters are.

Two sorts of heroes are reckoned with: one who plays as most do, and one who knows how floors are laid and walks best
against that. Half of what a floor is worth comes from each. Against the second sort the dungeon master mixes floors of
one shape: the hero's best walk against the present mixture is added to the walks reckoned with, and the mixture is
settled again, by regret matching.

SM-BUILD-4: The places of a floor are open. So a mixture has to be one of floors of the same shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from referee.engine.chance import RandomBelow
from referee.engine.events import Move
from referee.engine.referee import foresee_state
from referee.engine.seats import Seat
from referee.games.shy_monsters.components import (
    EXIT,
    FLOOR_COUNT,
    MONSTERS,
    REVEALS_PER_FLOOR,
    START_SPOT,
    Spot,
)
from referee.games.shy_monsters.evaluation import estimate_floor_danger
from referee.games.shy_monsters.floors import Shape, lay_floor, list_card_orders, list_shapes
from referee.games.shy_monsters.moves import Build
from referee.games.shy_monsters.reckoning.beliefs import imagine_worlds, list_comforts
from referee.games.shy_monsters.reckoning.hero import LATER_FLOORS, Weighed
from referee.games.shy_monsters.reckoning.walks import DOWN, OPEN, Action, Knowledge, Outline, Walks, World
from referee.games.shy_monsters.state import Dungeon, Laid

Floor = tuple[Laid, ...]
Rival = Callable[[Dungeon, Seat], Move | None]  # how the hero is taken to move

SHAPES_DRAWN = 60  # of which the most promising are looked at
FLOORS_A_SHAPE = 12
KNOWING_HEROES = 3  # walks that are reckoned with, each the best against the mixture before it
KNOWING_SHARE = 0.5  # of what a floor is worth
DOUBT = 0.1  # the weight that a knowing hero leaves to floors that are not in the mixture
MOST_DOUBTS = 60  # the likeliest of some two hundred; those after them are hardly ever laid
MATCHING_ROUNDS = 200
MOST_STEPS = 60  # of a hero on one floor
PLAYOUTS_A_SHAPE = 30  # of the effort


class Mixture(NamedTuple):
    """Floors of one shape, with how likely each is laid and how often it kills."""

    floors: Sequence[Floor]
    shares: Sequence[float]
    kills: Sequence[float]

    @property
    def value(self) -> float:
        """How often the floors kill."""
        return sum(share * kill for share, kill in zip(self.shares, self.kills, strict=True))


def weigh_floors(dungeon: Dungeon, below: RandomBelow, effort: int, rival: Rival) -> list[Weighed]:
    """Return floors with their chances to win, the one drawn first.

    Raises Undetermined.
    """
    shapes = draw_shapes(dungeon.get_hand(), below)[: max(1, effort // PLAYOUTS_A_SHAPE)]
    best = max((mix_floors(dungeon, shape, rival) for shape in shapes), key=lambda mixture: mixture.value)
    escapes = LATER_FLOORS[FLOOR_COUNT - dungeon.floor_number]
    ranked = sorted(range(len(best.floors)), key=lambda row: -best.shares[row])
    drawn = draw_row(best.shares, below)
    return [
        (Build(best.floors[row]), 1 - (1 - best.kills[row]) * escapes)
        for row in (drawn, *(row for row in ranked if row != drawn))
    ]


def draw_shapes(hand: Sequence[str], below: RandomBelow) -> list[Shape]:
    """Return shapes drawn by lot, the most promising first.

    That is judged by how dangerous the hand is on them, laid by lot.
    """
    shapes = list_shapes()
    orders = list_card_orders(tuple(sorted(hand)))
    found: dict[Shape, int] = {}
    for _ in range(SHAPES_DRAWN):
        shape = shapes[below(len(shapes))]
        found[shape] = estimate_floor_danger(lay_floor(shape, orders[below(len(orders))]))
    return sorted(found, key=lambda shape: -found[shape])


def mix_floors(dungeon: Dungeon, shape: Shape, rival: Rival) -> Mixture:
    """Return a mixture of floors of one shape. Raises Undetermined."""
    hand = tuple(sorted(dungeon.get_hand()))
    every = [lay_floor(shape, order) for order in list_card_orders(hand)]
    floors = sorted(every, key=lambda floor: -estimate_floor_danger(floor))[:FLOORS_A_SHAPE]
    spots = (START_SPOT, *shape)
    worlds = [describe_floor(floor, spots) for floor in floors]
    built = foresee_state(dungeon, Seat(dungeon.master), Build(floors[0]))
    doubts = sorted(imagine_worlds(built, spots), key=lambda world: -world.weight)[:MOST_DOUBTS]
    usual = [float(kills_usual_hero(dungeon, floor, rival)) for floor in floors]
    believed, walks = merge_worlds(worlds, doubts), list[list[float]]()
    for _ in range(KNOWING_HEROES):
        knowing = KnowingHero(spots, believed, REVEALS_PER_FLOOR[dungeon.floor_number - 1])
        walks.append([float(knowing.dies_on(world)) for world in worlds])
        payoffs = [
            [(1 - KNOWING_SHARE) * kill + KNOWING_SHARE * dies[row] for dies in walks] for row, kill in enumerate(usual)
        ]
        shares = match_regrets(payoffs)
        mixed = [world._replace(weight=share) for world, share in zip(worlds, shares, strict=True)]
        believed = merge_worlds(mixed, doubts)
    worst = min(range(len(walks)), key=lambda column: sum(map(float.__mul__, shares, walks[column])))
    return Mixture(floors, shares, [row[worst] for row in payoffs])


def kills_usual_hero(dungeon: Dungeon, floor: Floor, rival: Rival) -> bool:
    """Return whether a hero who plays as most do dies on a floor."""
    hero, number = Seat(dungeon.hero), dungeon.floor_number
    state = foresee_state(dungeon, Seat(dungeon.master), Build(floor))
    for _ in range(MOST_STEPS):
        if len(state.results) > len(dungeon.results):
            return state.results[-1].winner == dungeon.master
        if state.floor_number != number or hero not in state.awaited_seats:
            return False
        move = rival(state, hero)
        if move is None:
            return True
        state = foresee_state(state, hero, move)
    return True


def describe_floor(floor: Floor, spots: tuple[Spot, ...]) -> World:
    """Return what matters of a floor."""
    number = {spot: index for index, spot in enumerate(spots)}
    comforts = list_comforts(spots)
    at = {number[cell.x, cell.y]: cell.card for cell in floor}
    first, second = sorted(index for index, card in at.items() if card in MONSTERS)
    way_out = next(index for index, card in at.items() if card == EXIT)
    return World(way_out, first, second, comforts[at[first]][first], comforts[at[second]][second], 1.0)


def merge_worlds(mixed: Sequence[World], doubts: Sequence[World]) -> list[World]:
    """Return a mixture of floors, with a little of everything else that may be."""
    found: dict[World, float] = {}
    whole = sum(world.weight for world in doubts)
    for part, weight in ((mixed, 1.0), (doubts, DOUBT / whole)):
        for world in part:
            key = world._replace(weight=0.0)
            found[key] = found.get(key, 0.0) + world.weight * weight
    return [world._replace(weight=weight) for world, weight in found.items() if weight]


class KnowingHero:
    """A hero who believes in these worlds, and walks best if they are true."""

    def __init__(self, spots: tuple[Spot, ...], worlds: list[World], reveals: int) -> None:
        self.outline, self.worlds, self.reveals = Outline.of(spots), worlds, reveals
        self.walks = Walks(self.outline)
        self._reveals: dict[Knowledge, int] = {}
        self._actions: dict[Knowledge, Action | None] = {}

    def dies_on(self, world: World) -> bool:
        """Return whether the hero dies if this is how the cards lie."""
        cards = (OPEN, *[DOWN] * (len(self.outline.spots) - 1))
        known, believed = Knowledge(0, True, True, cards), self.worlds
        for left in range(self.reveals, 0, -1):
            if known not in self._reveals:
                self._reveals[known] = self.walks.choose_reveal(known, left, believed)
            card = self._reveals[known]
            ((then, _),) = self.walks.turn_up(known, card, [world])
            believed = dict(self.walks.turn_up(known, card, believed))[then]
            known = then
        while True:
            if known not in self._actions:
                self._actions[known] = self.walks.choose_action(known, believed)
            action = self._actions[known]
            if action is None:
                return True
            escaped, others = self.walks.carry_out(known, action, [world])
            if not others:
                return not escaped
            ((then, _),) = others
            believed = dict(self.walks.carry_out(known, action, believed)[1])[then]
            known = then


def match_regrets(payoffs: Sequence[Sequence[float]]) -> list[float]:
    """Return how often to take each row if the other side picks columns against it.

    Regret matching: each side takes what it regrets not to have taken before, in proportion to the regret. The mean of
    what it took comes close to the best mixture.
    """
    rows, columns = len(payoffs), len(payoffs[0])
    regrets, against = [0.0] * rows, [0.0] * columns
    taken = [0.0] * rows
    for _ in range(MATCHING_ROUNDS):
        mine, theirs = share_out(regrets), share_out(against)
        gains = [sum(map(float.__mul__, row, theirs)) for row in payoffs]
        losses = [sum(mine[row] * payoffs[row][column] for row in range(rows)) for column in range(columns)]
        value = sum(map(float.__mul__, mine, gains))
        regrets = [regret + gain - value for regret, gain in zip(regrets, gains, strict=True)]
        against = [regret + value - loss for regret, loss in zip(against, losses, strict=True)]
        taken = [before + now for before, now in zip(taken, mine, strict=True)]
    return [each / MATCHING_ROUNDS for each in taken]


def share_out(regrets: Sequence[float]) -> list[float]:
    """Return shares in proportion to the regrets above nothing, else equal ones."""
    positive = [max(0.0, regret) for regret in regrets]
    whole = sum(positive)
    return [each / whole for each in positive] if whole else [1 / len(regrets)] * len(regrets)


def draw_row(shares: Sequence[float], below: RandomBelow) -> int:
    """Draw a row by these shares."""
    weights = [int(share * 1_000_000) for share in shares]
    drawn = below(max(1, sum(weights)))
    for row, weight in enumerate(weights):
        drawn -= weight
        if drawn < 0:
            return row
    return 0
