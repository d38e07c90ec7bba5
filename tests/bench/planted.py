"""Errors planted in random matches: a broken referee writes one wrong fact, or lets an illegal move pass, and plays on.
The log judged again has to name that entry and no other. Run by hand; a sample runs with the tests.

    python -m tests.bench.planted [matches] [first seed]
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import islice
from time import perf_counter
from typing import Any

from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.referee import judge_candidates, play_unchecked
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.game_moves import apply_all, decide_match_end
from referee.service.requests import MoveRequest
from tests.arbitration.playing import Referee, opened, plays, turn
from tests.games.matches import setups

KINDS = ("wrong_count", "wrong_card", "dropped", "extra", "illegal_move")
GAMES = tuple(load_games())
WAIT = {"shy_monsters": 15}  # its matches are short
LATER = 12  # moves that are made upon the error, if they can be
Facts = tuple[Event, ...]


@dataclass(frozen=True)
class Planted:
    """A log with an error in entry `version`, of this kind."""

    game: str
    kind: str
    version: int
    entries: list[LogEntry]


def planted(seed: int) -> Planted | None:
    """A random match with one error in it; None where this seed found nothing that could be written wrong."""
    dice = random.Random(f"planted-{seed}")
    name, kind = GAMES[seed % len(GAMES)], KINDS[seed // len(GAMES) % len(KINDS)]
    fitting = (each for game, each in setups() if game == name)
    setup = dice.choice([each for each in fitting if not each.named and "@" not in each.edition])
    wait = dice.randrange(WAIT.get(name, 40))
    house = Referee()
    match, wrong = opened(house, name, setup, f"planted-{seed}"), 0
    for number in range(wait + 60):
        following = turn(house, match, dice)
        if following is None:
            break
        seat, move = following
        if number >= wait:
            found = breaking(house, match, seat, move, kind, dice)
            if found is not None:
                wrong = house.load_match(match).version + 1
                _on(house, match, dice, seat, *found)
                break
        house.make_move(MoveRequest(match, seat, move, key=f"{number}", actor=_actor(seat)))
    entries = house.repository.load_entries(match)  # the error is not among them where not even its table can be served
    return Planted(name, kind, wrong, entries) if 0 < wrong <= len(entries) else None


def _actor(seat: Seat) -> str:
    return "reporter:0" if seat == CHANCE else "player"


def _on(house: Referee, match: str, dice: random.Random, seat: Seat, move: Move, events: Facts) -> None:
    """Writes the error, and plays on upon it as long as the rules can make sense of the table."""
    house.instead = events
    with suppress(Exception):  # a table that cannot be: the rules may say anything of it
        house.make_move(MoveRequest(match, seat, move, key="error", actor=_actor(seat)))
        plays(house, match, dice.randrange(1000), LATER)


def breaking(
    house: Referee, match: str, seat: Seat, move: Move, kind: str, dice: random.Random
) -> tuple[Move, Facts] | None:
    """A move and facts that a broken referee would write in place of a legal move; None if there are none of a kind."""
    loaded = house.load_match(match)
    if kind == "illegal_move":
        tries = _illegal(loaded.match, seat, dice)
    else:
        right = house.appender.decide_move(loaded, seat, move)
        tries = ((move, events) for events in _spoiled(right, loaded.match, kind, dice))
    for asked, events in tries:
        try:
            after = apply_all(loaded.match, events)
            encode(after.state)
            [event.view_for(viewer) for event in events for viewer in range(-4, len(after.chairs))]
        except Exception:  # not even a broken referee could fold these
            continue
        return asked, events
    return None


def _illegal(match: Match, seat: Seat, dice: random.Random) -> Iterator[tuple[Move, Facts]]:
    """Moves that are refused, each with what would have followed had nobody looked."""
    state: Any = match.state
    thought_of = islice(judge_candidates(state, seat), 300)  # the floors that can be built are very many
    misses = [move for move, ruling in thought_of if ruling is not None and ruling.verdict == "refused"]
    dice.shuffle(misses)
    for move in misses[:20]:
        try:
            events = play_unchecked(state, seat, move)
            yield move, (*events, *decide_match_end(match, events))
        except Exception:  # what was never meant to be carried out may not carry out
            continue


def _spoiled(events: Facts, match: Match, kind: str, dice: random.Random) -> Iterator[Facts]:
    """These facts with one of them wrong, in every way of a kind, at random."""
    places = list(range(len(events)))
    dice.shuffle(places)
    for at in places:
        if kind == "dropped":
            yield (*events[:at], *events[at + 1 :])
        elif kind == "extra":
            yield (*events[: at + 1], *events[at:])
        else:
            for wrong in _other(events[at], match, kind, dice):
                yield (*events[:at], wrong, *events[at + 1 :])


def _other(event: Event, match: Match, kind: str, dice: random.Random) -> Iterator[Event]:
    """A fact with one of its counts off by one, or one of its cards another one."""
    told: Any = event
    for part in fields(told):
        value = getattr(told, part.name)
        if kind == "wrong_count" and type(value) is int:
            yield replace(told, **{part.name: value + dice.choice((-1, 1))})
        elif kind == "wrong_card" and isinstance(value, tuple) and value and all(type(v) is str for v in value):
            at, other = dice.randrange(len(value)), dice.choice(_names(match))
            if other != value[at]:
                yield replace(told, **{part.name: (*value[:at], other, *value[at + 1 :])})


def _names(match: Match) -> list[str]:
    zones: dict[str, tuple[str, ...]] = getattr(match.state, "zones", {})
    return sorted({card for cards in zones.values() for card in cards}) or ["?"]


def named(error: Planted) -> bool:
    """Whether the log judged again names the entry that is wrong."""
    found = find_first_divergence(error.entries)
    return found is not None and found.version == error.version


def main() -> None:
    """Plants so many errors, and says which were not named."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    kinds, missed, start = Counter[tuple[str, str]](), list[int](), perf_counter()
    while kinds.total() < count:
        error = planted(seed)
        if error is not None:
            kinds[error.game, error.kind] += 1
            if not named(error):
                missed.append(seed)
                print(f"seed {seed}: {error.game}, {error.kind} in entry {error.version} was not named", flush=True)
            if kinds.total() % 100 == 0:
                print(f"{kinds.total()} errors, {len(missed)} missed, {perf_counter() - start:,.0f} s", flush=True)
        seed += 1
    for (game, kind), times in sorted(kinds.items()):
        print(f"{game:16} {kind:13} {times}")
    print(f"{kinds.total()} errors planted, {kinds.total() - len(missed)} named; missed: {missed or 'none'}")


if __name__ == "__main__":
    main()
