"""How a game ends (SM-END-1, SM-AMB-17)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event
from referee.engine.steps import Closed
from referee.games.shy_monsters.components import EXIT, Spot, beside
from referee.games.shy_monsters.events import GameWon
from referee.games.shy_monsters.state import Dungeon, Tile

Way = tuple[Spot, bool, bool, Spot | None]  # where, attack left, jump left, which monster was killed on it


def finish(state: Dungeon, winner: int, how: str) -> Iterator[Event]:
    """A game is won; everything of it that was pending is closed, down to the match (SM-END-1, SM-GOAL-1)."""
    yield GameWon(winner, how)
    for _ in state.agenda[1:]:
        yield Closed()


def barred(state: Dungeon) -> bool:
    """Whether nothing that is down and no exit can be entered any more, with all skills that are left (SM-AMB-17).

    Looks at what everybody sees. What a position leaves out counts in the hero's favour.
    """
    start: Way = (state.at, state.attack is not False, state.jump is not False, None)
    seen, waiting = {start}, [start]
    while waiting:
        spot, attack, jump, killed = waiting.pop()
        for target, jumped in steps(state, spot, jump):
            tile = state.board[target]
            if not tile.up or tile.card in (EXIT, "?"):
                return False
            blow = deadly(tile) and target != killed
            if blow and not attack:
                continue
            then = (target, attack and not blow, jump and not jumped, target if blow else killed)
            if then not in seen:
                seen.add(then)
                waiting.append(then)
    return True


def steps(state: Dungeon, spot: Spot, jump: bool) -> Iterator[tuple[Spot, bool]]:
    """The cards to which the hero can go from a place, by a step or, if that is left, a jump; and whether it is one."""
    for over in beside(spot):
        if over in state.board:
            yield over, False
            if jump:
                yield from ((target, True) for target in beside(over) if target != spot and target in state.board)


def deadly(tile: Tile) -> bool:
    """Whether this up card is known to be an active living monster (SM-HERO-KNOWN-1)."""
    return tile.active is True and tile.alive is True
