"""What a move promises, for bots: computed from a seat's view, without chance.

No rule uses it. For the hero it estimates from the places of the cards and the monsters already met what may lie face
down. For the dungeon master it estimates how often a hero who walks at random would die on a floor.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from referee.engine.events import Move
from referee.games.shy_monsters.components import (
    BACK,
    CARDS_PER_FLOOR,
    EXIT,
    MONSTERS,
    MONSTERS_PER_FLOOR,
    START_SPOT,
    Spot,
    adjacent_spots,
    is_comfortable,
)
from referee.games.shy_monsters.moves import Build, Explore, Jump, Reveal
from referee.games.shy_monsters.rules.checking import find_skipped_spot
from referee.games.shy_monsters.rules.ending import generate_steps, is_known_deadly
from referee.games.shy_monsters.state import Dungeon, Laid

GAME_VALUE = 100_000  # a game of the match
EXIT_VALUE, PROGRESS_VALUE = 10_000, 5_000  # reaching the exit of a floor; surviving a card that is not the exit
ATTACK_VALUE, JUMP_VALUE = 700, 300  # a skill that is still ready
LEARNING_VALUE = 250  # seeing the card that was skipped
STEP_DISCOUNT_PERCENT = 97  # per cent of its value that a route keeps with each step over cards that are up
PLACEMENT_UNCERTAINTY = 50  # the lower, the likelier monsters are taken to lie where they feel comfortable
ATTACK_PERCENT = 30  # per cent of first encounters in which a random hero would have announced the attack

RouteState = tuple[Spot, bool, bool, Spot | None]  # place, attack left, jump left, place of the monster killed


def evaluate_games(dungeon: Dungeon, seat: int) -> int:
    """Return the value of the games that a seat has won, less those it has lost."""
    return sum(GAME_VALUE if result.winner == seat else -GAME_VALUE for result in dungeon.results)


def estimate_move(dungeon: Dungeon, move: Move) -> int:
    """Return what a floor, a card turned up or a step promises. Raises Undetermined."""
    match move:
        case Build():
            return estimate_floor_danger(move.cells)
        case Reveal():
            far = abs(move.x) + abs(move.y)
            return FloorEstimate(dungeon).death_chances.get(move.spot, 0) * 10 - far
        case Explore() | Jump():
            return FloorEstimate(dungeon).estimate_step(move)
    return 0


class FloorEstimate:
    """The hero's estimate of a floor, in thousandths.

    It holds how likely a card that is down is the exit (`exit_chance`), and for each place how likely it is deadly
    (`death_chances`).
    """

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        board = dungeon.board
        down = [spot for spot, tile in board.items() if not tile.is_up()]
        met = {*dungeon.get_discovered_monsters(), *dungeon.face_up_monsters}
        may_lie = [monster for monster in MONSTERS if monster not in met]
        lurking = MONSTERS_PER_FLOOR - len(dungeon.face_up_monsters)
        exit_up = any(tile.is_up() and tile.card == EXIT for tile in board.values())
        at_home = {
            spot: 1000 * sum(is_comfortable(monster, spot, board) for monster in may_lie) // max(1, len(may_lie))
            for spot in down
        }
        weight = {spot: 1000 * PLACEMENT_UNCERTAINTY // 100 + at_home[spot] for spot in down}
        whole = max(1, sum(weight.values()))
        self.exit_chance = 0 if exit_up or not down else 1000 // len(down)
        self.death_chances: dict[Spot, int] = {}
        for spot in down:
            there = min(1000, 1000 * lurking * weight[spot] // whole)
            self.death_chances[spot] = 0 if dungeon.is_frightened_at(spot) else there * at_home[spot] // 1000

    def estimate_step(self, move: Explore | Jump) -> int:
        """Return what a step or a jump promises."""
        dungeon = self.dungeon
        jumped = isinstance(move, Jump)
        attack = dungeon.is_attack_ready() and not move.attack
        jump = dungeon.is_jump_ready() and not jumped
        over = find_skipped_spot(dungeon, move) if isinstance(move, Jump) else None
        learnt = LEARNING_VALUE if over is not None and not dungeon.board[over].is_up() else 0
        tile = dungeon.board[move.spot]
        if not tile.is_up():
            return learnt + self.estimate_entry(move.spot, move.attack, attack, jump)
        if tile.card == EXIT:
            return EXIT_VALUE
        if is_known_deadly(tile) and not move.attack:
            return 0
        return learnt + self.estimate_best_route(
            (move.spot, attack, jump, move.spot if is_known_deadly(tile) else None)
        )

    def estimate_entry(self, spot: Spot, struck: bool, attack: bool, jump: bool) -> int:
        """Return what it promises to enter a card that is down.

        `struck` says whether an attack is announced. `attack` and `jump` are the skills left afterwards.
        """
        dies = 0 if struck else self.death_chances[spot]
        alive = PROGRESS_VALUE + ATTACK_VALUE * attack + JUMP_VALUE * jump
        return (self.exit_chance * EXIT_VALUE + max(0, 1000 - self.exit_chance - dies) * alive) // 1000

    def estimate_best_route(self, start: RouteState) -> int:
        """Return the best value that a route over cards that are up can reach.

        Each step of the route costs a small share of the value.
        """
        seen, waiting, best, kept = {start}, [start], 0, STEP_DISCOUNT_PERCENT
        while waiting:
            waiting, walked = [], waiting
            for way in walked:
                for value, then in self.generate_options(way):
                    best = max(best, value * kept // 100)
                    if then is not None and then not in seen:
                        seen.add(then)
                        waiting.append(then)
            kept = kept * STEP_DISCOUNT_PERCENT // 100
        return best

    def generate_options(self, way: RouteState) -> Iterator[tuple[int, RouteState | None]]:
        """Yield for each card within reach its value, or the route state that it leads to."""
        spot, attack, jump, killed = way
        for target, jumped in generate_steps(self.dungeon, spot, jump):
            tile = self.dungeon.board[target]
            left = jump and not jumped
            if not tile.is_up():
                yield self.estimate_entry(target, False, attack, left), None
                if attack:
                    yield self.estimate_entry(target, True, False, left), None
            elif tile.card == EXIT:
                yield EXIT_VALUE, None
            elif not is_known_deadly(tile) or target == killed:
                yield 0, (target, attack, left, killed)
            elif attack:
                yield 0, (target, False, left, target)


def estimate_floor_danger(cells: tuple[Laid, ...]) -> int:
    """Return how often a hero who walks at random dies on this floor, of 10,000 times.

    Real cards are laid as backs. Then every floor is as good as any other.
    """
    if len(cells) != CARDS_PER_FLOOR or any(cell.card == BACK for cell in cells):
        return 0
    faces = {(cell.x, cell.y): cell.card for cell in cells}
    board = {START_SPOT, *faces}
    monsters = {spot for spot, card in faces.items() if card in MONSTERS}
    home = {spot for spot in monsters if is_comfortable(faces[spot], spot, board)}
    return estimate_danger(board, next(spot for spot, card in faces.items() if card == EXIT), monsters, home)


def estimate_danger(board: Collection[Spot], way_out: Spot, monsters: Collection[Spot], home: Collection[Spot]) -> int:
    """Return how often of 10,000 times a hero who walks at random dies.

    `way_out`: where the exit lies. `home`: the monsters that are comfortable.
    """
    computed: dict[tuple[frozenset[Spot], bool], int] = {}

    def dies(up: frozenset[Spot], attack: bool) -> int:
        if (up, attack) not in computed:
            edge = {other for spot in up for other in adjacent_spots(spot) if other in board and other not in up}
            computed[up, attack] = sum(entered(up, attack, spot) for spot in edge) // max(1, len(edge))
        return computed[up, attack]

    def entered(up: frozenset[Spot], attack: bool, spot: Spot) -> int:
        if spot == way_out:
            return 0
        calm = spot not in home or any(other in up and other in monsters for other in adjacent_spots(spot))
        if calm:
            return dies(up | {spot}, attack)
        if not attack:
            return 10_000
        return (100 - ATTACK_PERCENT) * 100 + ATTACK_PERCENT * dies(up | {spot}, False) // 100

    return dies(frozenset({START_SPOT}), True)
