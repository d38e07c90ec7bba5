"""Matches of any game on a desk over a log in memory, played by chance; by a referee that is broken, if one likes."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves, sample_legal_move, seats_that_may_act, seats_that_must_act
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import DEFAULT_COURTS, CourtSettings, Dispute
from referee.match.evidence import Evidence
from referee.match.loaded import LoadedMatch
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest
from tests.service.house import FixedDraws, identify

GAMES = tuple(load_games())


class Referee(MatchService):
    """A match service that may be broken: `instead` are written once, in place of the events that follow."""

    instead: tuple[Event, ...] | None = None

    def __init__(self) -> None:
        super().__init__(MemoryLog(), FixedDraws(), lambda *_: "", lambda _: None, identify)
        decide = self.appender.decide_move

        def decide_move(loaded: LoadedMatch, seat: Seat, move: Move) -> tuple[Event, ...]:
            events, self.instead = self.instead, None
            return decide(loaded, seat, move) if events is None else events

        self.appender.decide_move = decide_move  # type: ignore[method-assign]


FIRST_COURTS = replace(DEFAULT_COURTS, edition=None, undo_ms=None)  # majorities, and the word of any host or arbiter


def opened(
    house: MatchService,
    game: str,
    setup: Setup,
    key: str = "opening",
    courts: CourtSettings = FIRST_COURTS,
    official: str = "somebody",
) -> str:
    """A match that has begun; people sit on all its seats."""
    settings = {name: value for name, value in setup.settings.items() if value is not None}
    ask = commands.OpenMatch(
        game,
        setup.variant,
        settings,
        setup.chance,
        (SeatAssignment("human"),) * setup.seats,
        edition=setup.edition,
        courts=courts,
        official=official,
        ruleset=setup.ruleset,
    )
    match = house.open_match(ask, key).match.id
    for seat in range(setup.seats):
        house.execute_command(match, commands.TakeSeat(seat), key=f"{key}-{seat}", scope="join")
    house.execute_command(match, commands.StartMatch(), key=f"{key}-start", scope="host")
    return match


def turn(house: MatchService, match: str, dice: random.Random) -> tuple[Seat, Move] | None:
    """What somebody does next, by chance; None once the match is over."""
    found = house.load_match(match).match
    state: Any = found.state
    if found.end is not None or found.status != "running":
        return None
    waiting = seats_that_must_act(state)
    if CHANCE in waiting:
        return CHANCE, dice.choice(list(find_legal_moves(state, CHANCE)))
    seats = sorted(seat for seat in waiting if seat >= 0) or sorted(seats_that_may_act(state) - {CHANCE, CLOCK})
    seat = dice.choice(seats)
    move = sample_legal_move(state, seat, dice.randrange)
    assert move is not None, f"seat {seat} is awaited and has no move"
    return seat, move


def plays(house: MatchService, match: str, seed: int, most: int = 200) -> list[CommandResult]:
    """Plays on by chance, so many moves at most."""
    dice, done = random.Random(f"{match}-{seed}"), list[CommandResult]()
    for number in range(most):
        next_move = turn(house, match, dice)
        if next_move is None:
            break
        seat, move = next_move
        actor = "reporter:0" if seat == CHANCE else "player"
        done.append(house.make_move(MoveRequest(match, seat, move, key=f"{seed}-{number}", actor=actor)))
    return done


def evidence(house: MatchService, match: str) -> Evidence:
    """What a court may look at."""
    return house.build_evidence(house.load_match(match))


def disputes(
    house: MatchService, match: str, about: int, claim: str, by: str = "0", key: str = "", **more: Any
) -> Dispute:
    """Opens a dispute; it, as it then stands."""
    ask = OpenDispute(by, about, claim, **more)
    house.execute_command(match, ask, key=key or f"dispute-{about}-{claim}", scope=f"seat{by}")
    return house.load_match(match).match.disputes[-1]


def started(
    game: str,
    source: str = "server",
    variant: str = "",
    seats: int = 0,
    key: str = "opening",
    courts: CourtSettings = FIRST_COURTS,
    official: str = "somebody",
    ruleset: str = "",
) -> tuple[Referee, str]:
    """A referee with a match of a game that has just begun."""
    box = load_games()[game]
    chance = dict.fromkeys(box.devices, source)
    setup = box.complete_setup(
        Setup(variant or box.variants[0], seats or min(3, box.max_seats), {}, chance, (), "", ruleset)
    )
    house = Referee()
    return house, opened(house, game, setup, key, courts, official)
