"""What a move promises, for bots: from the view of the seat, without chance. No rule looks at it.

The hero sees where cards lie and which monsters have been met, and reckons from that what may lie face down. The
dungeon master reckons how often a hero who walks at random would die on a floor.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Move
from referee.games.shy_monsters.components import EXIT, LAID, MONSTERS, PER_FLOOR, START, Spot, beside, comfortable
from referee.games.shy_monsters.moves import Build, Explore, Jump, Reveal
from referee.games.shy_monsters.rules.ending import deadly, steps
from referee.games.shy_monsters.state import Dungeon, Laid

WON = 100_000  # a game of the match
OUT, ON = 10_000, 5_000  # the exit of a floor; a way on from a card that was none
ATTACK, JUMP = 700, 300  # a skill that is still ready
LEARNT = 250  # to see the card that was skipped
TIRING = 97  # per cent of its worth that a way keeps with each step over cards that are up
LAID_WELL = 50  # how sure monsters are thought to lie where they feel comfortable: lower is surer
STRUCK = 30  # per cent of first encounters in which a hero at random would have announced the attack

Way = tuple[Spot, bool, bool, Spot | None]  # where, attack left, jump left, which monster was killed on it


def worth(dungeon: Dungeon, seat: int) -> int:
    """The games of the match won, less those lost."""
    return sum(WON if result.winner == seat else -WON for result in dungeon.results)


def promise(dungeon: Dungeon, move: Move) -> int:
    """What a floor, a card turned up or a step promises. Raises Unknown."""
    match move:
        case Build():
            return danger(move.cells)
        case Reveal():
            far = abs(move.x) + abs(move.y)
            return Guess(dungeon).deaths.get(move.spot, 0) * 10 - far
        case Explore() | Jump():
            return Guess(dungeon).step(move)
    return 0


class Guess:
    """What the hero makes of a floor: how likely each card that is down is the exit, or deadly, in thousandths."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        board = dungeon.board
        down = [spot for spot, tile in board.items() if not tile.is_up()]
        met = {*dungeon.discovered(), *dungeon.monsters_up}
        may_lie = [monster for monster in MONSTERS if monster not in met]
        lurking = PER_FLOOR - len(dungeon.monsters_up)
        exit_up = any(tile.is_up() and tile.card == EXIT for tile in board.values())
        at_home = {
            spot: 1000 * sum(comfortable(monster, spot, board) for monster in may_lie) // max(1, len(may_lie))
            for spot in down
        }
        weight = {spot: 1000 * LAID_WELL // 100 + at_home[spot] for spot in down}
        whole = max(1, sum(weight.values()))
        self.exit = 0 if exit_up or not down else 1000 // len(down)
        self.deaths: dict[Spot, int] = {}
        for spot in down:
            there = min(1000, 1000 * lurking * weight[spot] // whole)
            self.deaths[spot] = 0 if dungeon.frightened(spot) else there * at_home[spot] // 1000

    def step(self, move: Explore | Jump) -> int:
        """What a step or a jump promises."""
        dungeon = self.dungeon
        jumped = isinstance(move, Jump)
        attack = dungeon.attack_ready() and not move.attack
        jump = dungeon.jump_ready() and not jumped
        learnt = LEARNT if isinstance(move, Jump) and not dungeon.board[move.over.spot].is_up() else 0
        tile = dungeon.board[move.spot]
        if not tile.is_up():
            return learnt + self.entered(move.spot, move.attack, attack, jump)
        if tile.card == EXIT:
            return OUT
        if deadly(tile) and not move.attack:
            return 0
        return learnt + self.onward((move.spot, attack, jump, move.spot if deadly(tile) else None))

    def entered(self, spot: Spot, struck: bool, attack: bool, jump: bool) -> int:
        """What it promises to enter a card that is down, `struck` with an attack; the skills are those left then."""
        dies = 0 if struck else self.deaths[spot]
        alive = ON + ATTACK * attack + JUMP * jump
        return (self.exit * OUT + max(0, 1000 - self.exit - dies) * alive) // 1000

    def onward(self, start: Way) -> int:
        """The best that can be come to from a place over cards that are up, each step tiring a little."""
        seen, waiting, best, kept = {start}, [start], 0, TIRING
        while waiting:
            waiting, walked = [], waiting
            for way in walked:
                for value, then in self.ways(way):
                    best = max(best, value * kept // 100)
                    if then is not None and then not in seen:
                        seen.add(then)
                        waiting.append(then)
            kept = kept * TIRING // 100
        return best

    def ways(self, way: Way) -> Iterator[tuple[int, Way | None]]:
        """Each card within reach of a place: what it promises to enter it, or where it leads on to."""
        spot, attack, jump, killed = way
        for target, jumped in steps(self.dungeon, spot, jump):
            tile = self.dungeon.board[target]
            left = jump and not jumped
            if not tile.is_up():
                yield self.entered(target, False, attack, left), None
                if attack:
                    yield self.entered(target, True, False, left), None
            elif tile.card == EXIT:
                yield OUT, None
            elif not deadly(tile) or target == killed:
                yield 0, (target, attack, left, killed)
            elif attack:
                yield 0, (target, False, left, target)


def danger(cells: tuple[Laid, ...]) -> int:
    """How often, in ten-thousandths, a hero dies on this floor who enters one card after the other at random.

    Real cards are laid as backs; then every floor is as good as any other.
    """
    if len(cells) != LAID:
        return 0
    faces = {(cell.x, cell.y): cell.card for cell in cells}
    board = {START, *faces}
    home = {spot for spot, card in faces.items() if card in MONSTERS and comfortable(card, spot, board)}
    monsters = {spot for spot, card in faces.items() if card in MONSTERS}
    known: dict[tuple[frozenset[Spot], bool], int] = {}

    def dies(up: frozenset[Spot], attack: bool) -> int:
        if (up, attack) not in known:
            edge = {other for spot in up for other in beside(spot) if other in board and other not in up}
            known[up, attack] = sum(entered(up, attack, spot) for spot in edge) // max(1, len(edge))
        return known[up, attack]

    def entered(up: frozenset[Spot], attack: bool, spot: Spot) -> int:
        if faces[spot] == EXIT:
            return 0
        calm = spot not in home or any(other in up and other in monsters for other in beside(spot))
        if calm:
            return dies(up | {spot}, attack)
        if not attack:
            return 10_000
        return (100 - STRUCK) * 100 + STRUCK * dies(up | {spot}, False) // 100

    return dies(frozenset({START}), True)
