"""A party at a desk: for tests of standing passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.engine.events import Move
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import Seat
from referee.eventstore.contract import AppendResult, Commit, MatchLog
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest


def opened(house: MatchService, *kinds: str, key: str = "party", **settings: Any) -> str:
    """A running match; whoever can sit down has done so. The same key gives the same match at every desk."""
    kinds = kinds or ("human",) * 3
    chairs = tuple(SeatAssignment(kind) for kind in kinds)
    match = house.open_match(commands.OpenMatch("party", "standard", settings, {}, chairs), key).match.id
    for seat, kind in enumerate(kinds):
        if kind == "human":
            house.execute_command(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


BOTH = ("applause", "encore")


def let(house: MatchService, match: str, *seats: int, kinds: tuple[str, ...] = BOTH, until: str = "match") -> None:
    for seat in seats:
        house.set_auto_pass(match, Seat(seat), kinds, until, key=f"let{seat}{until}{house.load_match(match).version}")


def move(house: MatchService, match: str, seat: int, what: Move, key: str = "") -> CommandResult:
    return house.make_move(
        MoveRequest(match, Seat(seat), what, key=key or f"{what.TAG}{house.load_match(match).version}")
    )


def waiting(house: MatchService, match: str) -> set[int]:
    return set(seats_that_must_act(house.load_match(match).match.state))


def movers(house: MatchService, match: str, after: int) -> list[tuple[int, str]]:
    return [
        (entry.seat, "" if entry.move is None else entry.move.TAG)
        for entry in house.repository.load_entries(match, after)
    ]


class Killed(BaseException):
    """The process is gone."""


def dying(log: MatchLog, entries: int) -> Callable[[Commit], AppendResult]:
    """An append that dies after so many entries of what follows."""
    append, written = log.append, []

    def call(commit: Commit) -> AppendResult:
        if len(written) == entries and commit.key.startswith("pass:"):
            raise Killed
        if commit.key.startswith("pass:"):
            written.append(commit.version)
        return append(commit)

    return call
