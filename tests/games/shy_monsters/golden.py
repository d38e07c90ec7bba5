"""Recorded matches, one for each way a match can end. Writes them anew: `python -m tests.games.shy_monsters.golden`."""

from __future__ import annotations

import json
import random
from collections.abc import Generator
from pathlib import Path
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat, seat_label
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.moves import Claim, Explore

FOLDER = Path(__file__).parents[2] / "golden" / "shy_monsters"
SETTINGS: dict[str, dict[str, Any]] = {
    "won.escaped": {},
    "won.killed": {},
    "won.conceded": {},
    "won.barred": {},
    "won.claimed": {},
    "won.both_games": {"games": 2},
    "match_drawn": {"games": 2},
}


def opened(settings: dict[str, Any]) -> Any:
    """The match at its first question."""
    state: Any = GAME.build_table(GAME.complete_setup(Setup("standard", 2, settings, {})))
    return apply_events(state, resolve_pending_steps(state))


def entry(state: Any, seat: Seat, move: Move) -> tuple[dict[str, Any], Any]:
    """What a move led to, as a person can read it, and the table afterwards."""
    events = play_move(state, seat, move)
    lines = [told["en"] for event in events if (told := GAME.narration.describe_event(event))]
    told = GAME.narration.describe_event(move)
    assert told is not None
    record = {"seat": seat_label(seat), "move": encode(move), "says": told["en"], "then": lines}
    return {**record, "facts": [encode(event) for event in events]}, apply_events(state, events)


def circling(state: Any, seat: Seat, dice: random.Random) -> Move | None:
    """What a hero does who walks in circles as soon as the first card is up, and the master who claims then."""
    if seat != state.hero or state.agenda[-1].question_name() != "sm.Walk":
        return sample_legal_move(state, seat, dice.randrange)
    steps = [move for move in find_legal_moves(state, seat) if isinstance(move, Explore) and not move.sure]
    known = [move for move in steps if state.board[move.spot].up]
    return (known or steps)[0]


def moves(state: Any, reason: str, seed: int) -> Generator[tuple[Seat, Move], Any, None]:
    """A random match, one that may be claimed if that is wanted; send each new table in."""
    dice = random.Random(seed)
    while GAME.find_outcome(state) is None:
        seats = seats_that_must_act(state)
        if CHANCE in seats:
            found: tuple[Seat, Move] = (CHANCE, draw_chance_move(state, dice.randrange))
        elif reason == "won.claimed" and (state.idle or 0) >= 20:
            found = (Seat(state.master), Claim())
        else:
            (seat,) = seats
            pick = (
                circling(state, seat, dice)
                if reason == "won.claimed"
                else sample_legal_move(state, seat, dice.randrange)
            )
            assert pick is not None
            found = (seat, pick)
        state = yield found


def recorded(reason: str, settings: dict[str, Any], seed: int) -> dict[str, Any] | None:
    """The match of this seed if it ends for this reason, else None."""
    state: Any = opened(settings)
    entries: list[dict[str, Any]] = []
    course = moves(state, reason, seed)
    turn = next(course)
    while True:
        record, state = entry(state, *turn)
        entries.append(record)
        try:
            turn = course.send(state)
        except StopIteration:
            break
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    if outcome.reason != reason:
        return None
    return {
        "settings": settings,
        "entries": entries,
        "outcome": encode(outcome),
        "final": GAME.positions.encode_position(state),
    }


def write() -> None:
    """Writes for each way to end the shortest of some random matches."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for reason, settings in SETTINGS.items():
        found = [match for seed in range(120) if (match := recorded(reason, settings, seed))]
        shortest = min(found, key=lambda match: len(match["entries"]))
        text = json.dumps(shortest, indent=1, ensure_ascii=False) + "\n"
        (FOLDER / f"{reason.replace('.', '_')}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    write()
