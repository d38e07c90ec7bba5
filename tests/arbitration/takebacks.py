"""Matches of all games at a desk, played at random up to where a takeback of a kind is at hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.arbitration.remedies.rewind_impact import Crossing, crossed
from referee.engine.referee import awaited, sampled
from referee.engine.seats import Seat
from referee.games import games
from referee.match.aggregate import OVER, UNLIMITED, Chair, Clocks, Match
from referee.match.events.dispute_state import AS_USUAL, Courts, Takeback
from referee.match.events.takeback_events import Consent, TakeBack
from referee.match.table import commands
from referee.service.match_service import Desk, Done

GAMES = sorted(games())
ALL_RULES = {"turn", "others", "revealed", "random"}


@dataclass
class Room:
    """A running match at a desk."""

    house: Desk
    match: str
    dice: random.Random
    keys: int = field(default=0)

    @property
    def now(self) -> Match:
        return self.house.load(self.match).match

    @property
    def version(self) -> int:
        return self.house.load(self.match).version

    def key(self) -> str:
        self.keys += 1
        return f"key{self.keys}"

    def play(self) -> tuple[int, int]:
        """One random move: the version before it, and who made it."""
        loaded = self.house.load(self.match)
        state = loaded.match.state
        waiting = sorted(seat for seat in awaited(state) if seat >= 0)
        seat = Seat(self.dice.choice(waiting))
        move = sampled(state, seat, self.dice.randrange)
        assert move is not None
        self.house.move(self.match, seat, move, key=self.key())
        return loaded.version, seat

    def crossing(self, to: int, seat: int) -> Crossing:
        return crossed(self.house.evidence(self.house.load(self.match)), to, seat)

    def take_back(self, seat: int, to: int, key: str = "", strict: int | None = None) -> Done:
        ask = TakeBack(seat, to)
        return self.house.business(self.match, ask, key=key or self.key(), scope=f"seat{seat}", strict=strict)

    def consent(self, number: int, seat: int, grant: bool = True, bar: bool = False) -> Done:
        ask = Consent(number, seat, grant, bar)
        return self.house.business(self.match, ask, key=self.key(), scope=f"seat{seat}")

    def taken(self) -> Takeback:
        return self.now.takebacks[-1]


def room(
    house: Desk,
    game: str = "munchkin",
    seed: object = 0,
    kinds: tuple[str, ...] = (),
    clocks: Clocks = UNLIMITED,
    courts: Courts = AS_USUAL,
) -> Room:
    """A running match with people on all seats, or as `kinds` says."""
    rules = games()[game]
    kinds = kinds or ("human",) * rules.min_seats
    chairs = tuple(Chair(kind) for kind in kinds)
    ask = commands.Open(game, rules.variants[0], {}, {}, chairs, clocks=clocks, courts=courts)
    match = house.open(ask, f"opening-{game}-{seed}").match.id
    for seat, kind in enumerate(kinds):
        if kind == "human":
            house.business(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    house.business(match, commands.Start(), key="start", scope="host")
    return Room(house, match, random.Random(f"{game}{seed}"))


def reached(
    house: Desk, game: str, wanted: Callable[[Crossing], bool], most: int = 120, seeds: int = 30, **more: Any
) -> tuple[Room, int, int]:
    """A match in which the last move is one that the asker could take back so: with the version to go back to, and the
    asker."""
    for seed in range(seeds):
        here = room(house, game, seed, **more)
        for _ in range(most):
            if here.now.status in OVER:
                break
            to, seat = here.play()
            if here.now.status == "running" and wanted(here.crossing(to, seat)):
                return here, to, seat
    raise AssertionError(f"no such move in {seeds} matches of {game}")


def at_once(crossing: Crossing) -> bool:
    return crossing.rules == ()


def breaking(*rules: str) -> Callable[[Crossing], bool]:
    return lambda crossing: set(rules) <= set(crossing.rules)


def but(*rules: str) -> Callable[[Crossing], bool]:
    """Breaks these rules and no others."""
    return lambda crossing: set(crossing.rules) == set(rules)
