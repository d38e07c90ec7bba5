"""How a game ends (SM-END-1, SM-AMB-17)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event
from referee.engine.steps import StepPopped
from referee.games.shy_monsters.components import EXIT, Spot, adjacent_spots
from referee.games.shy_monsters.events import GameWon
from referee.games.shy_monsters.state import Dungeon, Tile

RouteState = tuple[Spot, bool, bool, Spot | None]  # place, attack left, jump left, place of the monster killed


def finish_game(state: Dungeon, winner: int, how: str) -> Iterator[Event]:
    """End the game with this winner, and close all its steps down to the match.

    SM-END-1: The hero wins on reaching the exit of the third floor, the dungeon master as soon as the hero dies on any
        floor.
    SM-GOAL-1: The dungeon master tries to kill the hero with monsters. The hero tries to get out alive.
    """
    yield GameWon(winner, how, by_case=True)
    for _ in state.agenda[1:]:
        yield StepPopped()


def is_hero_barred(state: Dungeon) -> bool:
    """Return whether the hero can reach neither a card that is down nor an exit.

    It uses only what everybody sees. What a position leaves out counts in the hero's favour.

    SM-AMB-17: If no card that is down and no exit can be entered any more and no skill can change that, the game goes
        to the dungeon master.
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
    """Yield each card that the hero can reach from `spot`, and whether by a jump.

    `jump` says whether the jump is left.
    """
    for over in adjacent_spots(spot):
        if over in state.board:
            yield over, False
            if jump:
                yield from (
                    (target, True) for target in adjacent_spots(over) if target != spot and target in state.board
                )


def is_known_deadly(tile: Tile) -> bool:
    """Return whether this card, which is up, is known to be an active living monster.

    SM-HERO-KNOWN-1: An active monster that was found but not killed lives on. The hero has to go round it or kill it.
    """
    return tile.active is True and tile.alive is True
