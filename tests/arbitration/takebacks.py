"""Matches of all games at a desk, played at random up to where a takeback of a kind is at hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.arbitration.remedies.rewind_impact import RewindImpact, compute_rewind_impact
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.seats import Seat
from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES, NO_TIME_LIMITS, Clocks, Match, SeatAssignment
from referee.match.events.dispute_state import DEFAULT_COURTS, CourtSettings, Takeback
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest

GAMES = sorted(load_games())
NEVER_AT_ONCE = ("mau_mau",)  # games in which nearly every move shows a card or ends the turn
AT_ONCE = [game for game in GAMES if game not in NEVER_AT_ONCE]
ALL_RULES = {"turn", "others", "revealed", "random"}


@dataclass
class Room:
    """A running match at a desk."""

    house: MatchService
    match: str
    dice: random.Random
    keys: int = field(default=0)

    @property
    def now(self) -> Match:
        return self.house.load_match(self.match).match

    @property
    def version(self) -> int:
        return self.house.load_match(self.match).version

    def key(self) -> str:
        self.keys += 1
        return f"key{self.keys}"

    def play(self) -> tuple[int, int]:
        """One random move: the version before it, and who made it."""
        loaded = self.house.load_match(self.match)
        state = loaded.match.state
        waiting = sorted(seat for seat in seats_that_must_act(state) if seat >= 0)
        seat = Seat(self.dice.choice(waiting))
        move = sample_legal_move(state, seat, self.dice.randrange)
        assert move is not None
        self.house.make_move(MoveRequest(self.match, seat, move, key=self.key()))
        return loaded.version, seat

    def crossing(self, to: int, seat: int) -> RewindImpact:
        return compute_rewind_impact(self.house.build_evidence(self.house.load_match(self.match)), to, seat)

    def take_back(self, seat: int, to: int, key: str = "", strict: int | None = None) -> CommandResult:
        ask = RequestTakeback(seat, to)
        return self.house.execute_command(self.match, ask, key=key or self.key(), scope=f"seat{seat}", strict=strict)

    def consent(self, number: int, seat: int, grant: bool = True, bar: bool = False) -> CommandResult:
        ask = AnswerTakeback(number, seat, grant, bar)
        return self.house.execute_command(self.match, ask, key=self.key(), scope=f"seat{seat}")

    def taken(self) -> Takeback:
        return self.now.takebacks[-1]


def room(
    house: MatchService,
    game: str = "munchkin",
    seed: object = 0,
    kinds: tuple[str, ...] = (),
    clocks: Clocks = NO_TIME_LIMITS,
    courts: CourtSettings = DEFAULT_COURTS,
) -> Room:
    """A running match with people on all seats, or as `kinds` says."""
    rules = load_games()[game]
    kinds = kinds or ("human",) * rules.min_seats
    chairs = tuple(SeatAssignment(kind) for kind in kinds)
    ask = commands.OpenMatch(game, rules.variants[0], {}, {}, chairs, clocks=clocks, courts=courts, official="somebody")
    match = house.open_match(ask, f"opening-{game}-{seed}").match.id
    for seat, kind in enumerate(kinds):
        if kind == "human":
            house.execute_command(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return Room(house, match, random.Random(f"{game}{seed}"))


def reached(
    house: MatchService,
    game: str,
    wanted: Callable[[RewindImpact], bool],
    most: int = 120,
    seeds: int = 30,
    **more: Any,
) -> tuple[Room, int, int]:
    """A match in which the last move is one that the asker could take back so: with the version to go back to, and the
    asker."""
    for seed in range(seeds):
        here = room(house, game, seed, **more)
        for _ in range(most):
            if here.now.status in FINAL_STATUSES:
                break
            to, seat = here.play()
            if here.now.status == "running" and wanted(here.crossing(to, seat)):
                return here, to, seat
    raise AssertionError(f"no such move in {seeds} matches of {game}")


def at_once(crossing: RewindImpact) -> bool:
    return crossing.rules == ()


def breaking(*rules: str) -> Callable[[RewindImpact], bool]:
    return lambda crossing: set(rules) <= set(crossing.rules)


def but(*rules: str) -> Callable[[RewindImpact], bool]:
    """Breaks these rules and no others."""
    return lambda crossing: set(crossing.rules) == set(rules)
