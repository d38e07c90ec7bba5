"""The golden matches of Monster Combat, one for each way a match can end.

`python -m tests.games.monster_combat.golden` writes them anew; read the difference, and say in the commit why it moved.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.games.monster_combat import GAME
from referee.games.monster_combat.events import HeartsLost, StruckBack
from referee.games.monster_combat.monster_events import LastSurvivor, MonstersWon, PlayersWon
from referee.games.monster_combat.moves import Pass
from referee.games.monster_combat.rules.attacks import Lightning, Struck
from referee.games.monster_combat.state import Table
from referee.kernel.box import Setup
from referee.kernel.codec import canonical, encode
from referee.kernel.facts import Event, Move, fold
from referee.kernel.play import awaited, drawn, legal, play, settle
from referee.kernel.seats import CHANCE, Seat

FOLDER = Path(__file__).parents[2] / "golden" / "monster_combat"


@dataclass(frozen=True)
class Turn:
    """One move of a match: the table before, who moved what, and the facts."""

    before: Table
    seat: Seat
    move: Move
    facts: tuple[Event, ...]


Course = list[Turn]


def course(setup: Setup, seed: int) -> Course:
    """A random match in which chance draws as the server does, or reports what real cards may be."""
    dice, turns = random.Random(seed), []
    state = fold(opened := GAME.open(setup), settle(opened))
    while GAME.outcome(state) is None:
        seat = min(awaited(state))
        move = drawn(state, dice.randrange) if seat == CHANCE else chosen(state, seat, dice)
        turns.append(Turn(state, seat, move, play(state, seat, move)))
        state = fold(state, turns[-1].facts)
    return turns


def chosen(state: Table, seat: Seat, dice: random.Random) -> Move:
    """A random legal move; nobody passes who can play a card, so that the matches stay short."""
    moves = list(legal(state, seat))
    return dice.choice([move for move in moves if not isinstance(move, Pass)] or moves)


def has(turn: Turn, kind: type[Event]) -> bool:
    """Whether a fact of this kind is among those of a turn."""
    return any(isinstance(fact, kind) for fact in turn.facts)


def asked(turn: Turn) -> Any:
    """The question that the last move answered."""
    return turn.before.agenda[-1]


# name -> setup, and how the last turn must look
ENDINGS: dict[str, tuple[Setup, Callable[[Turn], bool]]] = {
    "v1_last_survivor_by_sword": (
        Setup("V1", 3),
        lambda last: has(last, LastSurvivor) and isinstance(asked(last), Struck) and asked(last).by == "sword",
    ),
    "v1_last_survivor_by_event": (
        Setup("V1", 2, {"trigger_mode": "extra_cards"}),
        lambda last: has(last, LastSurvivor) and isinstance(asked(last), Struck) and asked(last).by == "event",
    ),
    "v1_last_survivor_by_lightning": (
        Setup("V1", 4, {"event_copies": "hard"}),
        lambda last: isinstance(asked(last), Lightning) and not has(last, StruckBack) and has(last, HeartsLost),
    ),
    "v1_last_survivor_by_strike_back": (
        Setup("V1", 2),
        lambda last: has(last, LastSurvivor) and has(last, StruckBack),
    ),
    "v1_with_real_cards": (Setup("V1", 3, {}, {"deck": "table"}), lambda last: has(last, LastSurvivor)),
    "v2_players_win": (Setup("V2", 4), lambda last: has(last, PlayersWon)),
    "v2_monsters_win": (
        Setup("V2", 2, {"event_copies": "hard", "v2_immunity_until": "own_next_event_checked"}),
        lambda last: has(last, MonstersWon),
    ),
}


def recorded(name: str) -> dict[str, Any]:
    """The shortest of the first matches that end this way, as it is written down."""
    setup, ends = ENDINGS[name]
    found = [(turns, seed) for seed in range(150) if ends((turns := course(setup, seed))[-1])]
    turns, seed = min(found, key=lambda each: len(each[0]))
    outcome = GAME.outcome(fold(turns[-1].before, turns[-1].facts))
    return {"setup": encode(setup), "seed": seed, "outcome": encode(outcome), "course": list(map(written, turns))}


def written(turn: Turn) -> dict[str, Any]:
    """A turn as it is written down, with the lines that a player reads."""
    told = [line["en"] for fact in turn.facts if (line := GAME.told(fact))]
    return {
        "seat": int(turn.seat),
        "move": encode(turn.move),
        "facts": [encode(fact) for fact in turn.facts],
        "told": told,
    }


def main() -> None:
    """Writes every golden match, a turn to a line."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in ENDINGS:
        record = recorded(name)
        lines = ",\n".join(canonical(turn).decode() for turn in record.pop("course"))
        head = json.dumps(record, sort_keys=True)[1:-1]
        (FOLDER / f"{name}.json").write_text(f'{{{head}, "course": [\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    main()
