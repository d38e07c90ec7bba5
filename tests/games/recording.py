"""Recorded matches: how a course is written down as a golden file, and played again from it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine.codec import decode, decode_named, encode, encode_canonical
from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Game, Setup
from referee.engine.referee import play_move, resolve_pending_steps
from referee.engine.seats import Seat


@dataclass(frozen=True)
class Turn:
    """One move of a match: the table before, who moved what, and the facts."""

    before: Any
    seat: Seat
    move: Move
    events: tuple[Event, ...]

    @property
    def after(self) -> Any:
        """The table after it."""
        return apply_events(self.before, self.events)


Course = list[Turn]


def written(game: Game, turn: Turn) -> dict[str, Any]:
    """A turn as it is written down, with the lines that a player reads."""
    told = [line["en"] for event in turn.events if (line := game.narration.describe_event(event))]
    return {
        "seat": int(turn.seat),
        "move": encode(turn.move),
        "facts": [encode(event) for event in turn.events],
        "told": told,
    }


def write(folder: Path, name: str, game: Game, setup: Setup, found: Iterable[tuple[Course, int]]) -> None:
    """Writes the shortest of these courses (each with its seed) as a golden file, a turn to a line.

    Raises ValueError if there is none.
    """
    turns, seed = min(found, key=lambda each: len(each[0]))
    lines = ",\n".join(encode_canonical(written(game, turn)).decode() for turn in turns)
    head = {"setup": encode(setup), "seed": seed, "outcome": encode(game.find_outcome(turns[-1].after))}
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(head, sort_keys=True)[1:-1]
    (folder / f"{name}.json").write_text(f'{{{text}, "course": [\n{lines}\n]}}\n', "utf-8")


def opened(game: Game, record: dict[str, Any]) -> Any:
    """The table as the recorded match began."""
    state: Any = game.build_table(decode(Setup, record["setup"]))
    return apply_events(state, resolve_pending_steps(state))


def replayed(game: Game, record: dict[str, Any]) -> Course:
    """The recorded match played again; each turn must be as it was written, and the end as it ended."""
    state, turns = opened(game, record), []
    for line in record["course"]:
        move = decode_named(line["move"], Move)
        turns.append(Turn(state, Seat(line["seat"]), move, play_move(state, Seat(line["seat"]), move)))
        assert as_compared(written(game, turns[-1])) == as_compared(line)
        state = turns[-1].after
    assert encode(game.find_outcome(state)) == record["outcome"]
    return turns


def as_compared(line: dict[str, Any]) -> dict[str, Any]:
    """A recorded turn as replay compares logs: without what facts cite, which a later release may cite otherwise."""
    return {**line, "facts": [encode(decode_named(fact, Event).without_refusal()) for fact in line["facts"]]}


def folded(game: Game, record: dict[str, Any]) -> Any:
    """The table after all recorded facts, without the rules."""
    state = opened(game, record)
    for line in record["course"]:
        state = apply_events(state, [decode_named(event, Event) for event in line["facts"]])
    return state
