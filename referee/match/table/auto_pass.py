"""Standing passes: what a seat lets pass in advance, and for which seats that answers the open question now.

A standing pass is the seat's secret: it lies beside the log and never in it, and what it plays looks like a pass made
by hand. It knows only what everybody knows: of the table it is shown what a bystander sees, so it tells of no hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from referee.engine.codec import canonical
from referee.engine.events import Move
from referee.engine.game import Game, Malformed
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.steps import State
from referee.match.aggregate import OVER, Match

TURN, MATCH = "turn", "match"


@dataclass(frozen=True, slots=True)
class Standing:
    """The kinds of window that a seat lets pass, and until when: to the end of the turn or of the match.

    `turn` is the number of the turn in which it was put, and `since` the version of the match then. Where a game counts
    no turns, the match is one turn.
    """

    kinds: tuple[str, ...]
    until: str
    turn: int
    since: int

    def packed(self) -> bytes:
        """As it is kept."""
        return canonical(asdict(self))

    @classmethod
    def of(cls, record: bytes) -> Standing:
        """As it was kept."""
        data = json.loads(record)
        return cls(tuple(data["kinds"]), data["until"], data["turn"], data["since"])

    def holds(self, match: Match) -> bool:
        """Whether it has not ended yet."""
        if match.state is None or match.status in OVER:
            return False
        return self.until == MATCH or turn_of(match) == self.turn


@dataclass(frozen=True, slots=True)
class Passing:
    """A pass that is to be played for a seat, and since which version it has stood."""

    seat: Seat
    move: Move
    since: int


def turn_of(match: Match) -> int:
    """The number of the turn as everybody counts it; 0 before the start."""
    return 0 if match.state is None else match.rules.turn(match.state.seen_by(BYSTANDER))


def known_kinds(rules: Game, kinds: Sequence[str]) -> tuple[str, ...]:
    """These kinds in the order of the game. Raises Malformed where the game has no such window."""
    if not rules.windows:
        raise Malformed([{"pointer": "/kinds", "detail": f"{rules.title['en']} has no windows to let pass"}])
    wrong = [
        {"pointer": f"/kinds/{at}", "detail": f"one of {', '.join(rules.windows)}"}
        for at, kind in enumerate(kinds)
        if kind not in rules.windows
    ]
    if wrong:
        raise Malformed(wrong)
    return tuple(kind for kind in rules.windows if kind in kinds)


def asked(kinds: Sequence[str], until: str) -> bytes:
    """The hash of what was asked, for the idempotency key."""
    return hashlib.sha256(canonical({"kinds": list(kinds), "until": until})).digest()


def window(match: Match) -> State | None:
    """The table as everybody sees it while a window is open in which passes are played at once; None while none is.

    A window with a limit is closed by the clock, or a fast answer would tell that nobody is there to think; unless the
    table has agreed on `quick_close`.
    """
    if match.state is None or match.status in OVER or not match.state.agenda or not match.state.agenda[-1].window:
        return None
    seen: State = match.state.seen_by(BYSTANDER)
    limited = match.clocks.window_ms is not None or seen.agenda[-1].thinking(seen) is not None
    return seen if match.clocks.quick_close or not limited else None


def passing(match: Match, seen: State, records: Mapping[int, bytes]) -> Iterator[Passing]:
    """The passes that stand for the open window, by seat. `seen` is the table as everybody sees it (`window`)."""
    top: Any = seen.agenda[-1]
    for seat in sorted(top.awaits(seen)):
        if seat not in records or not match.chairs[seat].taken:
            continue
        standing = Standing.of(records[seat])
        move = top.passing(seat) if top.window in standing.kinds and standing.holds(match) else None
        if move is not None:
            yield Passing(seat, move, standing.since)
