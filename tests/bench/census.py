"""Random legal matches and their census: no false alarm may come of it. Run by hand; a sample runs with the tests.

    python -m tests.bench.census GAME [N matches] [--from K] [--every E]

Matches of all variants and numbers of seats take turns, dealt by the server and with real cards, with the game's own
cards and with the card books of the tests. Of each match the census is taken at the end, and of one match in E at every
entry, for the onlookers, for a seat and for whoever sees all. To go on, begin `--from` the number printed last.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Any

from referee.desk.court.counting import Census, counted
from referee.desk.entries import Logged
from referee.desk.matches import Chair, MatchOpened, Started
from referee.games import games
from referee.kernel.box import Setup
from referee.kernel.codec import encode
from referee.kernel.facts import Event
from referee.kernel.play import settle
from referee.kernel.seats import BYSTANDER, CHANCE, FULL
from tests.games.matches import Turned, ids, random_match, setups
from tests.games.real_cards import real_match

BEGAN = 2  # the version of the start


def entry(version: int, seat: int, actor: str, facts: tuple[Event, ...]) -> Logged:
    """An entry of a log that was never written."""
    return Logged("07-census", version, 0, int(seat), actor, None, facts, (), b"")


def course(name: str, setup: Setup, turns: Iterable[Turned]) -> Iterator[Logged]:
    """A random match as a course of entries."""
    game = games()[name]
    chairs = tuple(Chair("bot" if seat in setup.named else "human", 0, True) for seat in range(setup.seats))
    opened = MatchOpened(
        "07-census", name, setup.variant, setup.edition, "1", setup.settings, setup.chance, "public", 0, "", chairs
    )
    yield entry(1, BYSTANDER, "table", (opened,))
    state = game.open(setup)
    yield entry(BEGAN, BYSTANDER, "table", (Started(name, encode(state)), *settle(state)))
    for version, turn in enumerate(turns, BEGAN + 1):
        reports = turn.seat == CHANCE and setup.at_table("deck")
        actor = "reporter:0" if reports else "chance" if turn.seat == CHANCE else "player"
        yield entry(version, turn.seat, actor, turn.facts)


def pairs(name: str) -> list[tuple[str, Setup]]:
    """The setups of a game that take turns."""
    return [pair for pair in setups() if pair[0] == name]


def played(name: str, number: int) -> tuple[str, Setup, list[Logged]]:
    """Random match `number` of a game, its setup in words and its course."""
    choice = pairs(name)
    pair = choice[number % len(choice)]
    setup = pair[1]
    real = any(setup.at_table(device) for device in games()[name].devices if device != "dice")
    turns = real_match(name, setup, number) if real else random_match(name, setup, number, 50_000)
    return ids(pair), setup, list(course(name, setup, turns))


def eyes_of(setup: Setup, number: int) -> tuple[int, ...]:
    """Onlookers, one seat, and all."""
    return int(BYSTANDER), number % setup.seats, int(FULL)


def alarms(entries: list[Logged], setup: Setup, number: int, each: bool) -> Iterator[tuple[int, int, Census]]:
    """The alarms that a legal match sets off, by eyes and version; and those of which the census is not sure."""
    for eyes in eyes_of(setup, number):
        for upto in range(BEGAN, len(entries) + 1) if each else (len(entries),):
            census = counted(entries[:upto], eyes)
            if not census.possible or not census.sure:
                yield eyes, upto, census


def main() -> None:
    """Plays so many matches, and tells of every alarm."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("game", choices=sorted(games()))
    given.add_argument("count", type=int, nargs="?", default=100)
    given.add_argument("--from", dest="first", type=int, default=0)
    given.add_argument("--every", type=int, default=50)
    asked: Any = given.parse_args()
    start, false, unsure, entries, done = perf_counter(), 0, 0, 0, 0
    for number in range(asked.first, asked.first + asked.count):
        name, setup, log = played(asked.game, number)
        entries, done = entries + len(log), done + 1
        for eyes, upto, census in alarms(log, setup, number, number % asked.every == 0):
            false, unsure = false + (not census.possible), unsure + (not census.sure)
            print(f"{number} {name} eyes {eyes} upto {upto}: {census}", flush=True)
        if done % 20 == 0 or done == asked.count:
            spent = perf_counter() - start
            print(
                f"{done} matches to number {number}, {entries:,} entries, {false} false alarms, {unsure} not sure, "
                f"{spent:,.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
