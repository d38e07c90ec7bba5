"""What the tests of the workers share: a toy match played out, a context over any log, hints that are only noted."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.engine.events import Event
from referee.engine.game import Outcome
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import BYSTANDER, Seat
from referee.eventstore.contract import MatchLog, ProjectionWrite, partition_for_match
from referee.infrastructure.root_publisher import RootPublisher
from referee.match.aggregate import FINAL_STATUSES, SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.engine.toy import Table, Toy
from tests.service.house import service
from workers.context import WorkerContext
from workers.projections.base import FeedItem, KeyKind, Sources

KNOWING_GAMES = (
    *("referee.games", "referee.service.match_service", "referee.match.aggregate"),
    *("referee.match.events.dispute_events", "referee.arbitration.replay.replay"),
)  # the modules that look games up by themselves


class Short(Toy):
    """The toy, ended as soon as a hand is empty: random players then never run out of moves that lead on."""

    def find_outcome(self, state: Table) -> Outcome | None:
        seats = range(len(state.hits))
        if max(state.hits) < state.limit and all(state.cards_at(f"hand:{seat}") for seat in seats):
            return None
        best = min(seats, key=lambda seat: (state.hits[seat], seat))
        return Outcome(
            (best,), "toy_over", ("KERNEL-OVER-1",), ((best,), tuple(seat for seat in seats if seat != best))
        )


SHORT = Short()
OPENED = 0


@dataclass
class Noted:
    """Hints that nobody follows: what was asked for, in order. `away` is raised instead, if given."""

    drains: list[int] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    lefts: dict[str, int] = field(default_factory=dict)
    sends: list[int] = field(default_factory=list)
    hints: dict[tuple[str, int, int], dict[str, Any]] = field(default_factory=dict)
    away: Exception | None = None

    def request_drain(self, partition: int) -> None:
        if self.away is not None:
            raise self.away
        self.drains.append(partition)

    def request_bots(self, match: str, *, again: bool = False, search: bool = False) -> bool:
        if self.away is not None:
            raise self.away
        if match in self.marks and not again:
            return False
        self.marks[match] = "asked"
        self.asked.append(match)
        return True

    def mark_bots_playing(self, match: str) -> None:
        self.marks[match] = "held"

    def clear_bots_mark(self, match: str) -> None:
        self.marks.pop(match, None)

    def record_declined_version(self, match: str, version: int) -> None:
        self.lefts[match] = version

    def get_declined_version(self, match: str) -> int:
        return self.lefts.get(match, 0)

    def pause_bots(self, match: str) -> None:
        self.marks[match] = "rest"

    def keep_hint(self, match: str, seat: int, at: int, hint: dict[str, Any]) -> None:
        self.hints[match, seat, at] = hint

    def request_webhooks(self, partition: int) -> None:
        if self.away is not None:
            raise self.away
        self.sends.append(partition)

    def clear_webhooks_mark(self, partition: int) -> None:
        pass


def context_of(
    log: MatchLog, hints: Any = None, run_id: Callable[[], str] = lambda: "", publisher: RootPublisher | None = None
) -> WorkerContext:
    """A context whose desk wakes through its hints, as the real one does."""
    hints = Noted() if hints is None else hints
    at = service(log)
    at.appender.wake = hints.request_drain
    return WorkerContext(at, log, hints, run_id, publisher)


def opened(
    at: MatchService,
    *kinds: str,
    game: str = "toy",
    variant: str = "standard",
    begin: bool = True,
    level: int = 0,
    key: str = "",
    **chance: str,
) -> str:
    """A new match with these chairs, started unless told otherwise; its id, that of the key if one is given."""
    global OPENED
    OPENED += 1
    chairs = tuple(SeatAssignment(kind, level=level) for kind in kinds)
    ask = commands.OpenMatch(game, variant, {}, chance, chairs, "public", official="somebody")
    match = at.open_match(ask, key or f"{time.time_ns()}-{OPENED}").match.id
    if begin:
        at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def played(at: MatchService, match: str, seed: int, most: int = 400) -> int:
    """Plays at random for every seat until the end, or so many moves; how many were made."""
    dice = random.Random(seed)
    for made in range(most):
        now = at.load_match(match)
        if now.match.status in FINAL_STATUSES:
            return made
        seat = dice.choice(sorted(seat for seat in seats_that_must_act(now.match.state) if seat >= 0))
        move = sample_legal_move(now.match.state, Seat(seat), dice.randrange)
        at.make_move(MoveRequest(match, Seat(seat), move, key=f"p{seed}-{made}"))
    return most


def rewound(at: MatchService, match: str, to: int) -> None:
    """Goes back to just after that entry, as a remedy does."""
    from referee.match.aggregate import MatchRewound

    events: tuple[Event, ...] = (MatchRewound(to),)
    at.appender.append_entry(
        at.load_match(match), BYSTANDER, "table", commands.StartMatch(), events, f"host:back{to}-{time.time_ns()}", b"x"
    )


class Counting:
    """A view that adds up: each entry of a match counts once, or the sum tells."""

    name = "counting"
    build = 1
    suffixes: dict[str, KeyKind] = {"entries": "hash"}

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.before = before  # runs when all is reckoned and nothing is written

    def compute_writes(self, batch: Sequence[FeedItem], sources: Sources) -> list[ProjectionWrite]:
        counted = {match: int(value) for match, value in sources.read_own_rows("entries").items()}
        for _position, match, _version in batch:
            counted[match] = counted.get(match, 0) + 1
        self.before()
        touched = {match for _position, match, _version in batch}
        return [ProjectionWrite("hset", "entries", match, str(counted[match]).encode()) for match in touched]


def counted(log: MatchLog, partition: int) -> dict[str, int]:
    """What the counting view holds."""
    found = log.read_projection(partition, Counting.name, Counting.build, "entries")
    return {match: int(value) for match, value in found.items()}


def in_feed(log: MatchLog, partition: int) -> dict[str, int]:
    """What it is to hold: the entries of each match in the feed."""
    found: dict[str, int] = {}
    after = 0
    while batch := log.read_feed(partition, after, 1000):
        for _position, match, _version in batch:
            found[match] = found.get(match, 0) + 1
        after = batch[-1][0]
    return found


def busy(at: MatchService, entries: int) -> tuple[int, list[str]]:
    """Plays matches until a partition has so many entries; that partition, and its matches."""
    seed = 0
    matches: list[str] = []
    partition: int | None = None
    while partition is None or at.log.read_partition_info(partition).position < entries:
        match = opened(at, "table", "table", "table", begin=False)
        partition = partition_for_match(match) if partition is None else partition
        if partition_for_match(match) == partition:
            at.execute_command(match, commands.StartMatch(), key="start", scope="host")
            played(at, match, seed)
            matches.append(match)
            seed += 1
    return partition, matches
