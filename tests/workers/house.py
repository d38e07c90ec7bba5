"""What the tests of the workers share: a toy match played out, a context over any log, hints that are only noted."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.engine.events import Event
from referee.engine.game import Outcome
from referee.engine.referee import awaited, sampled
from referee.engine.seats import BYSTANDER, Seat
from referee.eventstore.contract import MatchLog, Write, partition_of
from referee.infrastructure.root_publisher import Publisher
from referee.match.aggregate import OVER, Chair
from referee.match.table import commands
from referee.service.match_service import Desk
from tests.engine.toy import Table, Toy
from tests.service.house import desk
from workers.context import Context
from workers.projections.runner import Fed, Kind, Sources

KNOWING_GAMES = (
    *("referee.games", "referee.service.match_service", "referee.match.aggregate"),
    *("referee.match.events.dispute_events", "referee.arbitration.replay.replay"),
)  # the modules that look games up by themselves


class Short(Toy):
    """The toy, ended as soon as a hand is empty: random players then never run out of moves that lead on."""

    def outcome(self, state: Table) -> Outcome | None:
        seats = range(len(state.hits))
        if max(state.hits) < state.limit and all(state.place(f"hand:{seat}") for seat in seats):
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
    away: Exception | None = None

    def drain(self, partition: int) -> None:
        if self.away is not None:
            raise self.away
        self.drains.append(partition)

    def bots(self, match: str, *, again: bool = False) -> bool:
        if self.away is not None:
            raise self.away
        if match in self.marks and not again:
            return False
        self.marks[match] = "asked"
        self.asked.append(match)
        return True

    def hold(self, match: str) -> None:
        self.marks[match] = "held"

    def release(self, match: str) -> None:
        self.marks.pop(match, None)

    def leave(self, match: str, version: int) -> None:
        self.lefts[match] = version

    def left(self, match: str) -> int:
        return self.lefts.get(match, 0)

    def rest(self, match: str) -> None:
        self.marks[match] = "rest"

    def webhooks(self, partition: int) -> None:
        if self.away is not None:
            raise self.away
        self.sends.append(partition)

    def unmark_webhooks(self, partition: int) -> None:
        pass


def context_of(
    log: MatchLog, hints: Any = None, run_id: Callable[[], str] = lambda: "", publisher: Publisher | None = None
) -> Context:
    """A context whose desk wakes through its hints, as the real one does."""
    hints = Noted() if hints is None else hints
    at = desk(log)
    at.wake = hints.drain
    return Context(at, log, hints, run_id, publisher)


def opened(
    at: Desk,
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
    chairs = tuple(Chair(kind, level=level) for kind in kinds)
    ask = commands.Open(game, variant, {}, chance, chairs, "public")
    match = at.open(ask, key or f"{time.time_ns()}-{OPENED}").match.id
    if begin:
        at.business(match, commands.Start(), key="start", scope="host")
    return match


def played(at: Desk, match: str, seed: int, most: int = 400) -> int:
    """Plays at random for every seat until the end, or so many moves; how many were made."""
    dice = random.Random(seed)
    for made in range(most):
        now = at.load(match)
        if now.match.status in OVER:
            return made
        seat = dice.choice(sorted(seat for seat in awaited(now.match.state) if seat >= 0))
        move = sampled(now.match.state, Seat(seat), dice.randrange)
        at.move(match, Seat(seat), move, key=f"p{seed}-{made}")
    return most


def rewound(at: Desk, match: str, to: int) -> None:
    """Goes back to just after that entry, as a remedy does."""
    from referee.match.aggregate import Rewound

    facts: tuple[Event, ...] = (Rewound(to),)
    at._append(at.load(match), BYSTANDER, "table", commands.Start(), facts, f"host:back{to}-{time.time_ns()}", b"x")


class Counting:
    """A view that adds up: each entry of a match counts once, or the sum tells."""

    name = "counting"
    build = 1
    suffixes: dict[str, Kind] = {"entries": "hash"}

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.before = before  # runs when all is reckoned and nothing is written

    def writes(self, batch: Sequence[Fed], sources: Sources) -> list[Write]:
        counted = {match: int(value) for match, value in sources.own("entries").items()}
        for _position, match, _version in batch:
            counted[match] = counted.get(match, 0) + 1
        self.before()
        touched = {match for _position, match, _version in batch}
        return [Write("hset", "entries", match, str(counted[match]).encode()) for match in touched]


def counted(log: MatchLog, partition: int) -> dict[str, int]:
    """What the counting view holds."""
    found = log.projected(partition, Counting.name, Counting.build, "entries")
    return {match: int(value) for match, value in found.items()}


def in_feed(log: MatchLog, partition: int) -> dict[str, int]:
    """What it is to hold: the entries of each match in the feed."""
    found: dict[str, int] = {}
    after = 0
    while batch := log.feed(partition, after, 1000):
        for _position, match, _version in batch:
            found[match] = found.get(match, 0) + 1
        after = batch[-1][0]
    return found


def busy(at: Desk, entries: int) -> tuple[int, list[str]]:
    """Plays matches until a partition has so many entries; that partition, and its matches."""
    seed = 0
    matches: list[str] = []
    partition: int | None = None
    while partition is None or at.log.about(partition).position < entries:
        match = opened(at, "table", "table", "table", begin=False)
        partition = partition_of(match) if partition is None else partition
        if partition_of(match) == partition:
            at.business(match, commands.Start(), key="start", scope="host")
            played(at, match, seed)
            matches.append(match)
            seed += 1
    return partition, matches
