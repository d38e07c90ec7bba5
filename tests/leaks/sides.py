"""One of two worlds: an app over a log in memory, the people at one table, and chance that can be foretold."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from unittest import mock

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask

from api.resources.census import routes
from referee.engine import referee, steps
from referee.engine.events import Move
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.steps import State
from referee.eventstore.contract import partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure import logs
from referee.infrastructure.root_publisher import RootPublisher
from referee.match import entries
from referee.match.loaded import LoadedMatch
from referee.repository import card_books
from referee.repository.proofs import Prover
from referee.service import appender
from referee.service.match_service import MatchService
from referee.transparency.receipts import Signer
from tests.api import house
from tests.leaks.worlds import Course, Eyes, Leak
from tests.service.house import FixedDraws, identify
from workers.projections.public_match import PublicMatches
from workers.projections.runner import LIVE_PROJECTIONS, catch_up

UNWEIGHED = ("wait_for_changes", "read_progress")  # called by a thread of its own, as often as it likes
FIRST_MS = 1_790_000_000_000
WORK: Counter[str] = Counter()  # what has been done so far, by the thread that runs the tests


@dataclass(frozen=True)
class Foretold:
    """A source of chance that knows what comes."""

    outcome: Move

    def __call__(self, n: int) -> int:
        raise AssertionError("what is foretold is not drawn")


@dataclass
class Draws(FixedDraws):
    """Chance that is the same in every run, or foretold."""

    key: bytes = b"leaks"
    course: Course | None = None

    def source(
        self, match: str, generation: int, place: int, purpose: str, seeds: bytes = b"", scheme: int = 1
    ) -> Callable[[int], int]:
        told = None if self.course is None else self.course.draw_at(place)
        return Foretold(told) if told is not None else super().source(match, generation, place, purpose, seeds, scheme)


class Weighed:
    """A log whose calls are counted: how much work an answer takes must not tell either."""

    def __init__(self, log: MemoryLog) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._log, name)
        if callable(found) and name not in UNWEIGHED and threading.current_thread() is threading.main_thread():
            WORK[f"store {name}"] += 1
        return found


def drawn(state: State, below: Any) -> Move:
    """As the kernel draws, unless the outcome is foretold."""
    return below.outcome if isinstance(below, Foretold) else referee.draw_chance_move(state, below)


@contextmanager
def arranged() -> Iterator[list[dict[str, Any]]]:
    """Chance can be foretold, commitments are all alike, rulings are counted; gives the lines that go to the log.

    An entry is decoded once: what its bytes tell is always the same, and everything here is asked hundreds of times.
    """
    logs.configure_structlog("info")  # an app that is made below would configure it anew, and nothing would be captured
    with (
        mock.patch.object(logs, "configure_structlog"),
        mock.patch.object(appender, "draw_chance_move", drawn),
        mock.patch.object(entries, "compute_commitment", return_value="0" * 64),
        mock.patch.object(card_books, "decode_entry", lru_cache(1000)(entries.decode_entry)),
        counted(),
        structlog.testing.capture_logs() as lines,
    ):
        yield lines


@contextmanager
def counted() -> Iterator[None]:
    """Counts how often any step is asked whether a move is legal."""
    kinds = [steps.Step]
    for kind in kinds:
        kinds += [below for below in kind.__subclasses__() if below not in kinds]
    with ExitStack() as stack:
        for kind in kinds:
            if "check_move" in kind.__dict__:
                stack.enter_context(mock.patch.object(kind, "check_move", counting(kind.__dict__["check_move"])))
        yield


def counting(check: Callable[..., None]) -> Callable[..., None]:
    """A predicate that notes that it was asked."""

    def asked(*args: Any) -> None:
        if threading.current_thread() is threading.main_thread():
            WORK["check"] += 1
        check(*args)

    return asked


@dataclass(frozen=True)
class Sitting:
    """How a table is opened, and who there must not learn what is hidden: `held` are his seats, none is the host."""

    game: str
    variant: str
    chairs: tuple[dict[str, Any], ...]
    chance: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    visibility: str = "public"
    delay: int = 0
    held: tuple[int, ...] = ()

    @property
    def viewers(self) -> Eyes:
        """All that he may look through."""
        return (*map(Seat, self.held), BYSTANDER)

    def __str__(self) -> str:
        bots = "".join(str(at) for at, chair in enumerate(self.chairs) if chair["kind"] == "bot")
        seen = "+".join(map(str, self.held)) or "host"
        return f"{self.game}-{self.variant}-{len(self.chairs)}-{self.chance}{bots and '-bots'}{bots}-by-{seen}"


class Side:
    """One world. The same calls in the same order make the same one, but for what a course foretells."""

    def __init__(self, sitting: Sitting, course: Course | None = None) -> None:
        house.COUNTERS[0] = itertools.count()
        routes._cache.clear()  # by the root of the log, which is the same in both worlds as commitments are alike here
        self.sitting, self.course = sitting, course
        self.log = MemoryLog()
        self.log.advance_clock(FIRST_MS)
        self.service = MatchService(
            Weighed(self.log),  # type: ignore[arg-type]  # a log behind a counter
            Draws(course=course),
            lambda match, size, root: f"{match} {size} {root.hex()}",
            lambda partition: None,
            identify,
        )
        with mock.patch("api.http.request_log.logs.configure_structlog"):  # the lines of the log are caught
            # which leaf hashes are kept tells who has asked for a proof; the key is published before anybody asks
            self.app: Flask = house.app(
                self.service,
                PROVER=Prover(self.service.log, kept=0),
                PUBLISHER=RootPublisher(
                    self.service.log, Signer(Ed25519PrivateKey.from_private_bytes(b"l" * 32)), "leaks"
                ),
            )
        self.app.config["PUBLISHER"].ensure_key_published()
        self.table = house.opened(
            self.app,
            sitting.game,
            chairs=list(sitting.chairs),
            variant=sitting.variant,
            settings=dict(sitting.settings),
            chance=sitting.chance,
            visibility=sitting.visibility,
            spectator_delay=sitting.delay,
            start=False,
            join=False,
            host_plays=False,
            hints=True,
        )
        self.people: dict[int, house.Person] = {}
        humans = [at for at, chair in enumerate(sitting.chairs) if chair["kind"] == "human"]
        for seat, code in zip(humans, self.table.codes, strict=True):
            shown = self.people[sitting.held[0]].token if seat in sitting.held[1:] else None
            joined = house.Person(self.table.anyone.client, shown).post("/v1/join", {"code": code})
            assert joined.status_code == 201, joined.text
            self.people[seat] = house.Person(self.table.anyone.client, joined.json["token"])  # type: ignore[index]
        self.drains: PublicMatches = PublicMatches(self.log)

    @property
    def observer(self) -> house.Person:
        """Whoever must not tell the worlds apart."""
        return self.people[self.sitting.held[0]] if self.sitting.held else self.table.host

    @property
    def match(self) -> str:
        """The id of the match."""
        return self.table.match

    def loaded(self) -> LoadedMatch:
        """The match as it stands, all of it."""
        return self.service.load_match(self.match)

    def drain(self) -> None:
        """Every projection takes in every commit. Raises Leak where what everybody is told makes no table."""
        stuck = catch_up(self.log, partition_for_match(self.match), self.drains, LIVE_PROJECTIONS).failures
        if stuck:
            raise Leak(f"what everybody is told cannot have happened on the table that everybody sees: {stuck[0]}")

    def close(self) -> None:
        """Lets the threads of this world end."""
        self.app.config["CHANGE_FEED"].close()
