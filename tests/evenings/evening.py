"""An evening at a real table: what happens there in order, and how it is written down.

The script says what people do, what dice and cards show, and when nobody reacts. The same script is written down in two
ways: `singly`, each move, die and pass by itself, or `together`, as few taps as the API allows. What is compared is the
number of writes that were granted; the table has to be the same at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from api.resources.matches.time_limits import OBJECTION_MS
from tests.api import tables
from tests.api.house import Table


@dataclass(frozen=True)
class Move:
    """A seat does something."""

    seat: int
    move: dict[str, Any]


@dataclass(frozen=True)
class Shown:
    """Real dice or cards show something."""

    move: dict[str, Any]


@dataclass(frozen=True)
class Nobody:
    """Nobody reacts to what is open; `passing` is the move with which a seat says so by itself."""

    passing: str


Happening = Move | Shown | Nobody
Turn = tuple[Happening, ...]


@dataclass
class Evening:
    """A table and the writes that its turns took."""

    table: Table
    together: bool = False
    writes: list[int] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)

    def plays(self, turn: Turn) -> None:
        """Writes one turn down, and counts."""
        self.writes.append(0)
        if self.together:
            self._write_together(list(turn))
        else:
            for each in turn:
                self._write_singly(each)

    def _write_singly(self, happening: Happening) -> None:
        match happening:
            case Move(seat, move):
                self._post(seat, seat, {"move": move})
            case Shown(move):
                self._post("chance", self._reporter, {"move": move})
            case Nobody(passing):
                for seat in self._window_seats():
                    self._post(seat, seat, {"move": {"type": passing}}, "pass")

    def _write_together(self, turn: list[Happening]) -> None:
        while turn:
            first, rest = turn.pop(0), []
            while turn and not isinstance(turn[0], Move):
                rest.append(turn.pop(0))
            if not isinstance(first, Move):
                self._write_singly(first)
                continue
            reports = [{"move": each.move} if isinstance(each, Shown) else {"nobody_reacts": True} for each in rest]
            self._post(first.seat, first.seat, {"move": first.move, **({"reports": reports} if reports else {})})
            if rest and isinstance(rest[-1], Nobody):
                tables.later(self.table, OBJECTION_MS)  # nobody objects

    @property
    def _reporter(self) -> int:
        return 0

    def _window_seats(self) -> list[int]:
        """The seats that an open window awaits; none if no window is open."""
        version = self.table.host.get(f"{self.table.path}/windows?open=true").json
        assert version is not None
        return [seat for seat in self.table.awaited if isinstance(seat, int)] if version["items"] else []

    def _post(self, seat: int | str, by: int, body: dict[str, Any], kind: str = "") -> Any:
        answer = self.table.seats[by].post(f"{self.table.path}/seats/{seat}/moves", body)
        assert answer.status_code == 201, (body, answer.text)
        self._count(kind or ("report" if seat == "chance" else "move"))
        return answer.json

    def _count(self, kind: str) -> None:
        self.writes[-1] += 1
        self.kinds[kind] = self.kinds.get(kind, 0) + 1

    @property
    def mean(self) -> float:
        """How many writes a turn took."""
        return sum(self.writes) / len(self.writes)
