"""The golden matches of Mau-Mau, one for each way a match can end.

`python -m tests.games.mau_mau.golden` writes them again. Read the diff; the commit says why it changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from referee.engine.events import Event, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    draw_chance_move,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE
from referee.games.mau_mau import GAME
from referee.games.mau_mau.events import HandEmptied, PileRenewed, TurnsRanOut
from tests.games.recording import Course, Turn, write

FOLDER = Path(__file__).parents[2] / "golden" / "mau_mau"


def course(setup: Setup, seed: int) -> Course:
    """A random match in which chance draws as the server does, or reports what real cards may be."""
    dice, turns = random.Random(seed), []
    state = apply_events(opened := GAME.build_table(setup), resolve_pending_steps(opened))
    while GAME.find_outcome(state) is None:
        seat = min(seats_that_must_act(state))
        drawn = draw_chance_move if seat == CHANCE else lambda at, below, who=seat: sample_legal_move(at, who, below)
        move = drawn(state, dice.randrange)
        assert move is not None
        turns.append(Turn(state, seat, move, play_move(state, seat, move)))
        state = apply_events(state, turns[-1].events)
    return turns


def has(turns: Course, kind: type[Event]) -> bool:
    """Whether an event of this kind is among those of these turns."""
    return any(isinstance(event, kind) for turn in turns for event in turn.events)


# name -> setup, and what the match must be like
ENDINGS: dict[str, tuple[Setup, Callable[[Course], bool]]] = {
    "hand_emptied": (Setup("standard", 3), lambda turns: has(turns[-1:], HandEmptied)),
    "turns_ran_out": (
        Setup("standard", 2, {"max_turns": 20, "stacking": False, "jack_on_jack": True}),
        lambda turns: has(turns[-1:], TurnsRanOut),
    ),
    "pile_renewed": (Setup("standard", 4), lambda turns: has(turns, PileRenewed) and has(turns[-1:], HandEmptied)),
    "real_cards": (
        Setup("standard", 2, {}, {"deck": "table"}, named=(1,)),
        lambda turns: has(turns[-1:], HandEmptied),
    ),
}


def main() -> None:
    """Writes every golden match."""
    for name, (setup, ends) in ENDINGS.items():
        courses = ((course(setup, seed), seed) for seed in range(150))
        write(FOLDER, name, GAME, setup, [(turns, seed) for turns, seed in courses if ends(turns)])


if __name__ == "__main__":
    main()
