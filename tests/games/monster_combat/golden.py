"""The golden matches of Monster Combat, one for each way a match can end.

`python -m tests.games.monster_combat.golden` writes them again. Read the diff; the commit says why it changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    play_move,
    resolve_pending_steps,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.events import HeartsLost, LightningStruckBack
from referee.games.monster_combat.monster_events import LastSurvivorWon, MonstersWon, PlayersWon
from referee.games.monster_combat.moves import Pass
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.state import Table
from tests.games.recording import Course, Turn, write

FOLDER = Path(__file__).parents[2] / "golden" / "monster_combat"


def course(setup: Setup, seed: int) -> Course:
    """A random match in which chance draws as the server does, or reports what real cards may be."""
    dice, turns = random.Random(seed), []
    state = apply_events(opened := GAME.build_table(setup), resolve_pending_steps(opened))
    while GAME.find_outcome(state) is None:
        seat = min(seats_that_must_act(state))
        move = draw_chance_move(state, dice.randrange) if seat == CHANCE else chosen(state, seat, dice)
        turns.append(Turn(state, seat, move, play_move(state, seat, move)))
        state = apply_events(state, turns[-1].events)
    return turns


def chosen(state: Table, seat: Seat, dice: random.Random) -> Move:
    """A random legal move; nobody passes who can play a card, so that the matches stay short."""
    moves = list(find_legal_moves(state, seat))
    return dice.choice([move for move in moves if not isinstance(move, Pass)] or moves)


def has(turn: Turn, kind: type[Event]) -> bool:
    """Whether a fact of this kind is among those of a turn."""
    return any(isinstance(event, kind) for event in turn.events)


def asked(turn: Turn) -> Any:
    """The question that the last move answered."""
    return turn.before.agenda[-1]


# name -> setup, and how the last turn must look
ENDINGS: dict[str, tuple[Setup, Callable[[Turn], bool]]] = {
    "v1_last_survivor_by_sword": (
        Setup("V1", 3),
        lambda last: (
            has(last, LastSurvivorWon) and isinstance(asked(last), PendingAttack) and asked(last).by == "sword"
        ),
    ),
    "v1_last_survivor_by_event": (
        Setup("V1", 2, {"trigger_mode": "extra_cards"}),
        lambda last: (
            has(last, LastSurvivorWon) and isinstance(asked(last), PendingAttack) and asked(last).by == "event"
        ),
    ),
    "v1_last_survivor_by_lightning": (
        Setup("V1", 4, {"event_copies": "hard"}),
        lambda last: (
            isinstance(asked(last), LightningAttack) and not has(last, LightningStruckBack) and has(last, HeartsLost)
        ),
    ),
    "v1_last_survivor_by_strike_back": (
        Setup("V1", 2),
        lambda last: has(last, LastSurvivorWon) and has(last, LightningStruckBack),
    ),
    "v1_with_real_cards": (Setup("V1", 3, {}, {"deck": "table"}), lambda last: has(last, LastSurvivorWon)),
    "v2_players_win": (Setup("V2", 4, ruleset="1"), lambda last: has(last, PlayersWon)),
    "v2_monsters_win": (
        Setup("V2", 2, {"event_copies": "hard", "v2_immunity_until": "own_next_event_checked"}),
        lambda last: has(last, MonstersWon),
    ),
}


def main() -> None:
    """Writes every golden match."""
    for name, (setup, ends) in ENDINGS.items():
        courses = ((course(setup, seed), seed) for seed in range(150))
        write(FOLDER, name, GAME, setup, [(turns, seed) for turns, seed in courses if ends(turns[-1])])


if __name__ == "__main__":
    main()
