"""Standing passes: windows that a seat passes in advance, and the passes due now.

A standing pass is the seat's secret. It is kept outside the log, and what it plays looks like a pass made by hand. It
is computed from the public view alone, so it tells nothing of a hand.
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
from referee.engine.steps import State, Step
from referee.match.aggregate import FINAL_STATUSES, Match

UNTIL_TURN_END, UNTIL_MATCH_END = "turn", "match"


@dataclass(frozen=True, slots=True)
class AutoPass:
    """The kinds of window that a seat passes, until the end of the turn or the match.

    `unless_mine`: those of the kinds that are asked all the same if they concern the seat itself.
    """

    kinds: tuple[str, ...]
    until: str
    turn: int  # the turn in which it was set; where a game counts no turns, the match is one turn
    since: int  # the version of the match when it was set
    unless_mine: tuple[str, ...] = ()

    def to_record(self) -> bytes:
        """Return the bytes under which it is stored."""
        data = asdict(self)
        if not self.unless_mine:
            del data["unless_mine"]
        return encode_canonical(data)

    @classmethod
    def from_record(cls, record: bytes) -> AutoPass:
        """Return the standing pass stored in these bytes."""
        data = json.loads(record)
        unless_mine = tuple(data.get("unless_mine", ()))
        return cls(tuple(data["kinds"]), data["until"], data["turn"], data["since"], unless_mine)

    def covers(self, top: Step, state: State, seat: int) -> bool:
        """Tell whether it passes the window of a step; `state` is the public state."""
        kind = top.window_kind
        return kind in self.kinds and not (kind in self.unless_mine and seat in top.concerned_seats(state))

    def is_active(self, match: Match) -> bool:
        """Tell whether it has not ended yet."""
        if match.state is None or match.status in FINAL_STATUSES:
            return False
        return self.until == UNTIL_MATCH_END or turn_of(match) == self.turn


@dataclass(frozen=True, slots=True)
class DuePass:
    """A pass to be played for a seat; `since` is the version at which it was set.

    `by`: who said for the seat that nobody reacts; empty for a standing pass.
    """

    seat: Seat
    move: Move
    since: int
    by: str = ""


def turn_of(match: Match) -> int:
    """Return the public number of the turn; 0 before the start."""
    return 0 if match.state is None else match.rules.turn_number(match.state.view_for(BYSTANDER))


def require_known_kinds(rules: Game, kinds: Sequence[str], member: str = "kinds") -> tuple[str, ...]:
    """Return these kinds in the order of the game.

    Raises MalformedInput if the game has no such window. `member` is the member of the request that names them.
    """
    if not rules.windows:
        detail = f"{rules.title['en']} has no windows that can be passed automatically"
        raise MalformedInput([{"pointer": f"/{member}", "detail": detail}])
    wrong = [
        {"pointer": f"/{member}/{at}", "detail": f"unknown kind of window; known: {', '.join(rules.windows)}"}
        for at, kind in enumerate(kinds)
        if kind not in rules.windows
    ]
    if wrong:
        raise MalformedInput(wrong)
    return tuple(kind for kind in rules.windows if kind in kinds)


def hash_auto_pass_request(kinds: Sequence[str], until: str, unless_mine: Sequence[str] = ()) -> bytes:
    """Return the hash of the request, for its idempotency key."""
    more = {"unless_mine": list(unless_mine)} if unless_mine else {}
    return hashlib.sha256(encode_canonical({"kinds": list(kinds), "until": until, **more})).digest()


def find_auto_pass_state(match: Match) -> State | None:
    """Return the public state if passes are played at once now; otherwise None.

    They are if a window without a limit is open. A window with a limit is closed by the clock, because a fast answer
    would reveal that nobody is there to think. With `quick_close` the table has agreed to fast answers.
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
    """Yield the standing passes for the open window, by seat.

    `seen` is the public state (`find_auto_pass_state`).
    """
    top: Any = seen.agenda[-1]
    for seat in sorted(top.awaited_seats(seen)):
        if seat not in records or not match.chairs[seat].taken:
            continue
        standing = AutoPass.from_record(records[seat])
        move = top.passing_move(seat) if standing.covers(top, seen, seat) and standing.is_active(match) else None
        if move is not None:
            yield DuePass(seat, move, standing.since)
