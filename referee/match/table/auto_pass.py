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

from referee.engine.codec import encode_canonical
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.rulings import MalformedInput
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.steps import State
from referee.match.aggregate import FINAL_STATUSES, Match

UNTIL_TURN_END, UNTIL_MATCH_END = "turn", "match"


@dataclass(frozen=True, slots=True)
class AutoPass:
    """The kinds of window that a seat lets pass, and until when: to the end of the turn or of the match.

    `turn` is the number of the turn in which it was put, and `since` the version of the match then. Where a game counts
    no turns, the match is one turn.
    """

    kinds: tuple[str, ...]
    until: str
    turn: int
    since: int

    def to_record(self) -> bytes:
        """As it is kept."""
        return encode_canonical(asdict(self))

    @classmethod
    def from_record(cls, record: bytes) -> AutoPass:
        """As it was kept."""
        data = json.loads(record)
        return cls(tuple(data["kinds"]), data["until"], data["turn"], data["since"])

    def is_active(self, match: Match) -> bool:
        """Whether it has not ended yet."""
        if match.state is None or match.status in FINAL_STATUSES:
            return False
        return self.until == UNTIL_MATCH_END or turn_of(match) == self.turn


@dataclass(frozen=True, slots=True)
class DuePass:
    """A pass that is to be played for a seat, and since which version it has stood."""

    seat: Seat
    move: Move
    since: int


def turn_of(match: Match) -> int:
    """The number of the turn as everybody counts it; 0 before the start."""
    return 0 if match.state is None else match.rules.turn_number(match.state.view_for(BYSTANDER))


def require_known_kinds(rules: Game, kinds: Sequence[str]) -> tuple[str, ...]:
    """These kinds in the order of the game. Raises MalformedInput where the game has no such window."""
    if not rules.windows:
        raise MalformedInput([{"pointer": "/kinds", "detail": f"{rules.title['en']} has no windows to let pass"}])
    wrong = [
        {"pointer": f"/kinds/{at}", "detail": f"one of {', '.join(rules.windows)}"}
        for at, kind in enumerate(kinds)
        if kind not in rules.windows
    ]
    if wrong:
        raise MalformedInput(wrong)
    return tuple(kind for kind in rules.windows if kind in kinds)


def hash_auto_pass_request(kinds: Sequence[str], until: str) -> bytes:
    """The hash of what was asked, for the idempotency key."""
    return hashlib.sha256(encode_canonical({"kinds": list(kinds), "until": until})).digest()


def find_auto_pass_state(match: Match) -> State | None:
    """The table as everybody sees it while a window is open in which passes are played at once; None while none is.

    A window with a limit is closed by the clock, or a fast answer would tell that nobody is there to think; unless the
    table has agreed on `quick_close`.
    """
    if (
        match.state is None
        or match.status in FINAL_STATUSES
        or not match.state.agenda
        or not match.state.agenda[-1].window_kind
    ):
        return None
    seen: State = match.state.view_for(BYSTANDER)
    limited = match.clocks.window_ms is not None or seen.agenda[-1].time_limit(seen) is not None
    return seen if match.clocks.quick_close or not limited else None


def find_due_passes(match: Match, seen: State, records: Mapping[int, bytes]) -> Iterator[DuePass]:
    """The passes that stand for the open window, by seat. `seen` is the table as everybody sees it
    (`find_auto_pass_state`)."""
    top: Any = seen.agenda[-1]
    for seat in sorted(top.awaited_seats(seen)):
        if seat not in records or not match.chairs[seat].taken:
            continue
        standing = AutoPass.from_record(records[seat])
        move = top.passing_move(seat) if top.window_kind in standing.kinds and standing.is_active(match) else None
        if move is not None:
            yield DuePass(seat, move, standing.since)
