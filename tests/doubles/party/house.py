"""A party at a desk: for tests of standing passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.engine.events import Move
from referee.engine.referee import awaited
from referee.engine.seats import Seat
from referee.eventstore.contract import Appended, Commit, MatchLog
from referee.match.aggregate import Chair
from referee.match.table import commands
from referee.service.match_service import Desk, Done


def opened(house: Desk, *kinds: str, key: str = "party", **settings: Any) -> str:
    """A running match; whoever can sit down has done so. The same key gives the same match at every desk."""
    kinds = kinds or ("human",) * 3
    chairs = tuple(Chair(kind) for kind in kinds)
    match = house.open(commands.Open("party", "standard", settings, {}, chairs), key).match.id
    for seat, kind in enumerate(kinds):
        if kind == "human":
            house.business(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    house.business(match, commands.Start(), key="start", scope="host")
    return match


BOTH = ("applause", "encore")


def let(house: Desk, match: str, *seats: int, kinds: tuple[str, ...] = BOTH, until: str = "match") -> None:
    for seat in seats:
        house.let_pass(match, Seat(seat), kinds, until, key=f"let{seat}{until}{house.load(match).version}")


def move(house: Desk, match: str, seat: int, what: Move, key: str = "") -> Done:
    return house.move(match, Seat(seat), what, key=key or f"{what.TAG}{house.load(match).version}")


def waiting(house: Desk, match: str) -> set[int]:
    return set(awaited(house.load(match).match.state))


def movers(house: Desk, match: str, after: int) -> list[tuple[int, str]]:
    return [(entry.seat, "" if entry.move is None else entry.move.TAG) for entry in house.entries(match, after)]


class Killed(BaseException):
    """The process is gone."""


def dying(log: MatchLog, entries: int) -> Callable[[Commit], Appended]:
    """An append that dies after so many entries of what follows."""
    append, written = log.append, []

    def call(commit: Commit) -> Appended:
        if len(written) == entries and commit.key.startswith("pass:"):
            raise Killed
        if commit.key.startswith("pass:"):
            written.append(commit.version)
        return append(commit)

    return call
