"""Random legal matches and their census: no false alarm may come of it. Run by hand; a sample runs with the tests.

    python -m tests.bench.census GAME|all [N] [--from K] [--every E] [--state FILE]

Matches of all variants and numbers of seats take turns, dealt by the server and with real cards, with the game's own
cards and with the card books of the tests. Of each match the census is taken at the end, and of one match in E at a
dozen entries on its way too, for the onlookers, for a seat and for whoever sees all. (What was possible in the end was
so on the way: who can say where all cards went can say it of the first half.)

`N` is how many matches of each game there shall be in the end; `all` plays the games in turn. With `--state` it keeps
its place and its totals in a file after every match: killed at any time, it goes on there when it is called again, and
at most the match that was being played is played once more.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from referee.census.check import Census, take_census
from referee.engine.codec import encode
from referee.engine.events import Event
from referee.engine.game import Setup
from referee.engine.referee import resolve_pending_steps
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER
from referee.games import load_games
from referee.match.aggregate import MatchOpened, MatchStarted, SeatAssignment
from referee.match.entries import LogEntry
from tests.games.matches import Turned, ids, random_match, setups
from tests.games.real_cards import real_match
from tests.games.true_moves import true_moves

BEGAN = 2  # the version of the start
MOST = 600  # moves of a match at a table: by then the cards have gone round
AT_ONCE = 20  # matches of a game before the next game has its turn
MOST_TOLD = 50
ON_THE_WAY = 12


def entry(version: int, seat: int, actor: str, events: tuple[Event, ...]) -> LogEntry:
    """An entry of a log that was never written."""
    return LogEntry("07-census", version, 0, int(seat), actor, None, events, (), b"")


def course(name: str, setup: Setup, turns: Iterable[Turned]) -> Iterator[LogEntry]:
    """A random match as a course of entries."""
    game = load_games()[name]
    chairs = tuple(SeatAssignment("bot" if seat in setup.named else "human", 0, True) for seat in range(setup.seats))
    opened = MatchOpened(
        "07-census", name, setup.variant, setup.edition, "1", setup.settings, setup.chance, "public", 0, "", chairs
    )
    yield entry(1, BYSTANDER, "table", (opened,))
    state = game.build_table(setup)
    yield entry(BEGAN, BYSTANDER, "table", (MatchStarted(name, encode(state)), *resolve_pending_steps(state)))
    for version, turn in enumerate(turns, BEGAN + 1):
        reports = turn.seat == CHANCE and setup.is_at_table("deck")
        actor = "reporter:0" if reports else "chance" if turn.seat == CHANCE else "player"
        yield entry(version, turn.seat, actor, turn.events)


def pairs(name: str) -> list[tuple[str, Setup]]:
    """The setups of a game that take turns."""
    return [pair for pair in setups() if pair[0] == name]


def played(name: str, number: int) -> tuple[str, Setup, list[LogEntry]]:
    """Random match `number` of a game, its setup in words and its course."""
    choice = pairs(name)
    pair = choice[number % len(choice)]
    setup = pair[1]
    real = any(setup.is_at_table(device) for device in load_games()[name].devices if device != "dice")
    turns = real_match(name, setup, number, MOST, true_moves) if real else random_match(name, setup, number, 50_000)
    return ids(pair), setup, list(course(name, setup, turns))


def eyes_of(setup: Setup, number: int) -> tuple[int, ...]:
    """Onlookers, one seat, and all."""
    return int(BYSTANDER), number % setup.seats, int(FULL_VIEWER)


def alarms(entries: list[LogEntry], setup: Setup, number: int, each: bool) -> Iterator[tuple[int, int, Census]]:
    """The alarms that a legal match sets off, by eyes and version; and those of which the census is not sure."""
    for viewer in eyes_of(setup, number):
        step = max(1, len(entries) // ON_THE_WAY)
        for upto in (*(range(BEGAN, len(entries), step) if each else ()), len(entries)):
            census = take_census(entries[:upto], viewer)
            if not census.possible or not census.sure:
                yield viewer, upto, census


@dataclass
class Totals:
    """What came of the matches of a game so far; `next` is the number of the match that comes next.

    `found` names the first alarms and the first censuses that were not sure.
    """

    next: int
    matches: int = 0
    at_tables: int = 0
    entries: int = 0
    alarms: int = 0
    unsure: int = 0
    seconds: float = 0.0
    found: list[str] = field(default_factory=list)

    def played(self, game: str, every: int) -> None:
        """Plays the next match and counts it."""
        start, number = perf_counter(), self.next
        name, setup, log = played(game, number)
        for viewer, upto, census in alarms(log, setup, number, number % every == 0):
            self.alarms += not census.possible
            self.unsure += not census.sure
            told = f"{number} {name} eyes {viewer} upto {upto}: {census}"
            print(told, flush=True)
            self.found = [*self.found, told][:MOST_TOLD]
        self.at_tables += "table" in setup.chance.values()
        self.entries += len(log)
        self.matches, self.next = self.matches + 1, number + 1
        self.seconds += perf_counter() - start

    def __str__(self) -> str:
        return (
            f"{self.matches:,} matches ({self.at_tables:,} at a table) to number {self.next - 1}, {self.entries:,} "
            f"entries, {self.alarms} false alarms, {self.unsure} not sure, {self.seconds:,.0f} s"
        )


def kept(file: Path | None, names: list[str], first: int) -> dict[str, Totals]:
    """The totals of these games as they stand in a file, if there is one."""
    told = json.loads(file.read_text("utf-8")) if file is not None and file.exists() else {}
    return {name: Totals(**told[name]) if name in told else Totals(first) for name in names}


def keep(file: Path | None, totals: dict[str, Totals]) -> None:
    """Writes the totals down, whole or not at all."""
    if file is not None:
        new = file.with_name(f"{file.name}.new")
        new.write_text(json.dumps({name: asdict(each) for name, each in totals.items()}, indent=1), "utf-8")
        os.replace(new, file)


def main() -> None:
    """Plays so many matches, and tells of every alarm."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("game", choices=[*sorted(load_games()), "all"])
    given.add_argument("count", type=int, nargs="?", default=100)
    given.add_argument("--from", dest="first", type=int, default=0)
    given.add_argument("--every", type=int, default=50)
    given.add_argument("--state", type=Path)
    asked: Any = given.parse_args()
    names = sorted(load_games()) if asked.game == "all" else [asked.game]
    totals = kept(asked.state, sorted(load_games()) if asked.state else names, asked.first)
    while left := [name for name in names if totals[name].matches < asked.count]:
        for name in left:
            for _ in range(min(AT_ONCE, asked.count - totals[name].matches)):
                totals[name].played(name, asked.every)
                keep(asked.state, totals)
            print(f"{name}: {totals[name]}", flush=True)


if __name__ == "__main__":
    main()
