"""How a game ends (SM-END-1, SM-AMB-17)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event
from referee.engine.steps import StepPopped
from referee.games.shy_monsters.components import EXIT, Spot, adjacent_spots
from referee.games.shy_monsters.events import GameWon
from referee.games.shy_monsters.state import Dungeon, Tile

RouteState = tuple[Spot, bool, bool, Spot | None]  # where, attack left, jump left, which monster was killed on it


def finish_game(state: Dungeon, winner: int, how: str) -> Iterator[Event]:
    """A game is won; everything of it that was pending is closed, down to the match (SM-END-1, SM-GOAL-1)."""
    yield GameWon(winner, how)
    for _ in state.agenda[1:]:
        yield StepPopped()


def is_hero_barred(state: Dungeon) -> bool:
    """Whether nothing that is down and no exit can be entered any more, with all skills that are left (SM-AMB-17).

    Looks at what everybody sees. What a position leaves out counts in the hero's favour.
    """
    start: RouteState = (state.hero_spot, state.attack is not False, state.jump is not False, None)
    seen, waiting = {start}, [start]
    while waiting:
        spot, attack, jump, killed = waiting.pop()
        for target, jumped in generate_steps(state, spot, jump):
            tile = state.board[target]
            if not tile.up or tile.card in (EXIT, "?"):
                return False
            blow = is_known_deadly(tile) and target != killed
            if blow and not attack:
                continue
            then = (target, attack and not blow, jump and not jumped, target if blow else killed)
            if then not in seen:
                seen.add(then)
                waiting.append(then)
    return True


def generate_steps(state: Dungeon, spot: Spot, jump: bool) -> Iterator[tuple[Spot, bool]]:
    """The cards to which the hero can go from a place, by a step or, if that is left, a jump; and whether it is one."""
    for over in adjacent_spots(spot):
        if over in state.board:
            yield over, False
            if jump:
                yield from (
                    (target, True) for target in adjacent_spots(over) if target != spot and target in state.board
                )


def is_known_deadly(tile: Tile) -> bool:
    """Whether this up card is known to be an active living monster (SM-HERO-KNOWN-1)."""
    return tile.active is True and tile.alive is True
