"""The golden matches of Here to Slay: one for each way to win, one with plays within plays and replacements.

`python -m tests.games.here_to_slay.golden` writes them again. Read the diff; the commit says why it changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from referee.cardscript.language.interpreter import Execution
from referee.engine.events import Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    play_move,
    resolve_pending_steps,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.events.heroes import ReplacementApplied
from referee.games.here_to_slay.events.plays import PlayAnnounced
from referee.games.here_to_slay.moves import Attack, EndTurn, Leave, Pass, RedrawHand
from referee.games.here_to_slay.state import Table
from tests.games.recording import Course, Turn, write

FOLDER = Path(__file__).parents[2] / "golden" / "here_to_slay"
TRIED = 120  # matches looked through for each
LEAVES_AFTER = 60  # moves, where the players are to leave one by one


def course(setup: Setup, seed: int, style: str = "hasty") -> Course:
    """A random match in which chance draws as the server does, or reports what real cards and dice may be."""
    dice, turns = random.Random(seed), []
    state: Table = apply_events(opened := GAME.build_table(setup), resolve_pending_steps(opened))
    while GAME.find_outcome(state) is None:
        seat = min(seat for seat in seats_that_must_act(state))
        if seat == CHANCE:
            at_table = setup.is_at_table(getattr(state.agenda[-1], "device", ""))
            move = (
                dice.choice(list(find_legal_moves(state, seat)))
                if at_table
                else draw_chance_move(state, dice.randrange)
            )
        elif style == "leaving" and len(turns) > LEAVES_AFTER:
            seat, move = Seat(dice.choice(state.seats_at_table)), Leave()
        else:
            move = chosen(state, seat, dice, peaceful=style == "peaceful")
        turns.append(Turn(state, seat, move, play_move(state, seat, move)))
        state = apply_events(state, turns[-1].events)
    return turns


def chosen(state: Table, seat: Seat, dice: random.Random, peaceful: bool = False) -> Move:
    """A random legal move of someone in a hurry: who can attack does (the peaceful never), and nobody wastes points."""
    moves = [move for move in find_legal_moves(state, seat) if move.playable_at_random]
    attacks = [move for move in moves if isinstance(move, Attack)]
    if attacks and not peaceful:
        return dice.choice(attacks)
    moves = [move for move in moves if move not in attacks]
    if passing := [move for move in moves if isinstance(move, Pass)]:
        return passing[0] if dice.random() < 0.6 else dice.choice(moves)
    return dice.choice([move for move in moves if not isinstance(move, EndTurn | RedrawHand)] or moves)


def won_by(way: str) -> Callable[[Course], bool]:
    """Whether a match was won that way."""
    return lambda turns: turns[-1].after.way == way


def nested(turns: Course) -> bool:
    """Whether a card was played inside the text of another, and something that was to happen was replaced."""
    within = any(
        any(isinstance(step, Execution) for step in turn.before.agenda)
        and any(isinstance(event, PlayAnnounced) and event.immediate for event in turn.events)
        for turn in turns
    )
    return within and any(isinstance(event, ReplacementApplied) for turn in turns for event in turn.events)


# name -> setup, how it is played, and what the match must have in it
MATCHES: dict[str, tuple[Setup, str, Callable[[Course], bool]]] = {
    "three_monsters": (Setup("standard", 2), "hasty", won_by("three_monsters")),
    "six_classes": (Setup("standard", 2), "peaceful", won_by("six_classes")),
    "last_one_left": (Setup("standard", 3, {"leader_choice": "at_once"}), "leaving", won_by("last_one_left")),
    "plays_within_plays": (
        Setup("standard", 3, {"challenge_out_of_turn": True, "targets": "after_success"}), "hasty", nested,
    ),
    "with_real_cards_and_dice": (
        Setup("standard", 2, {}, {"dice": "table", "deck": "table"}), "hasty", won_by("three_monsters"),
    ),
}  # fmt: skip


def main() -> None:
    """Writes every golden match."""
    for name, (setup, style, has) in MATCHES.items():
        courses = ((course(setup, seed, style), seed) for seed in range(TRIED))
        write(FOLDER, name, GAME, setup, [(turns, seed) for turns, seed in courses if has(turns)])


if __name__ == "__main__":
    main()
