"""A log judged by other rules than it was played by: which of its rulings would differ, and which reading is why.

Nothing is written. After an entry that would be ruled otherwise, the rest is judged upon the table as it was recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from referee.arbitration.replay.divergence import Divergence
from referee.arbitration.replay.replay import Reading, Tried
from referee.engine import codec
from referee.engine.events import Event
from referee.engine.game import Malformed
from referee.engine.rulebook.interpretations import USUAL, departing
from referee.engine.rulings import Refused, Ruling
from referee.games import games
from referee.match.aggregate import Match, Started
from referee.match.entries import Logged

BROKEN = (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, RuntimeError, Refused, Malformed)
READ = re.compile(rb'-R[0-9]+(?=")')


@dataclass(frozen=True)
class Difference:
    """An entry that other rules rule otherwise, the match before it as it was recorded, and the clauses whose reading
    is why: each of them alone would do, or only all of them together. None: by the very readings it was played by, the
    program of today rules otherwise."""

    match: Match
    entry: Logged
    divergence: Divergence
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Otherwise:
    """The rules that are tried: a ruleset (empty, or one that a game has not: its newest), and readings by the clause,
    which go before what the host chose. Clauses that a game has not count for it as nothing."""

    ruleset: str = ""
    readings: Mapping[str, int] = field(default_factory=dict)

    def changes(self, match: Match) -> dict[str, int]:
        """The readings that are other ones than in the match. What its host chose by number, and settings that are not
        those of its ruleset, the table has agreed on: they stay unless they are named."""
        rules = match.rules
        held = rules.held(match.ruleset, match.readings, match.settings)
        was, now = rules.rulesets[match.ruleset], rules.rulesets.get(self.ruleset, rules.rulesets[rules.ruleset])
        found = {}
        for clause, number in held.items():
            agreed = clause in match.readings or number != was.get(clause, USUAL)
            meant = self.readings.get(clause, number if agreed else now.get(clause, USUAL))
            if meant != number:
                found[clause] = meant
        return found


def read_so(match: Match, changes: Mapping[str, int]) -> Match:
    """A match with these clauses read otherwise, as if it had been played so up to here."""
    if not changes or not match.id:
        return match
    rules, readings, settings = match.rules, dict(match.readings), dict(match.settings)
    for clause, number in changes.items():
        reading = rules.readings[clause][number - USUAL]
        if reading.setting:
            settings[reading.setting] = reading.value
        else:
            readings[clause] = number
    held = departing(rules.departing(match.ruleset, {}), readings)
    state = None if match.state is None else rules.read_as(match.state, held, settings)
    return replace(match, readings=readings, settings=settings, state=state)


def differences(entries: Iterable[Logged], otherwise: Otherwise) -> Iterator[tuple[Logged, Difference | None]]:
    """Every entry of a match from its opening, with the difference if it would be ruled otherwise. Ends at what is no
    log of one match."""
    reading = Reading()
    for logged in entries:
        found = _difference(reading, logged, otherwise)
        yield logged, found
        if found is not None and found.divergence.kind == "chain":
            return
        reading.go_on(logged)


def _difference(reading: Reading, logged: Logged, otherwise: Otherwise) -> Difference | None:
    match = reading.match
    changes = otherwise.changes(match) if match.id else {}
    wrong = _wrong(reading, logged, changes)
    if wrong is None:
        return None
    alone = [clause for clause, number in changes.items() if _same(_wrong(reading, logged, {clause: number}), wrong)]
    if not alone and changes and _wrong(reading, logged, {}) is None:
        alone = list(changes)
    return Difference(match, logged, wrong, tuple(alone))


def _same(one: Divergence | None, other: Divergence) -> bool:
    return one is not None and (one.kind, one.at, one.ruling.reason) == (other.kind, other.at, other.ruling.reason)


def _wrong(reading: Reading, logged: Logged, changes: Mapping[str, int]) -> Divergence | None:
    """How an entry is ruled otherwise with these clauses read otherwise; None if it is not."""
    match = reading.match

    def read_as(then: Match) -> Match:
        return read_so(then, changes)

    def alike(fact: Event) -> Event:
        return _neutral(match, fact, changes)

    rules = Tried(read_as, alike) if changes else Tried()
    try:
        return reading.wrong_by(rules, logged)
    except BROKEN as error:  # a table that cannot have come about by the rules that are tried
        if not changes:
            raise
        detail = {"detail": f"{type(error).__name__}: {error}"[:200]}
        return Divergence(logged.version, "illegal", Ruling(False, "court.malformed", ("TABLE-COURSE-1",), detail))


def _neutral(match: Match, fact: Event, changes: Mapping[str, int]) -> Event:
    """A fact without the names of readings: it says the same whichever of them it was decided by."""
    if isinstance(fact, Started):
        rules = games()[fact.game]
        held = departing(rules.departing(match.ruleset, {}), read_so(match, changes).readings)
        state = codec.decode(rules.state, fact.table)
        return replace(fact, table=codec.encode(rules.read_as(state, held, read_so(match, changes).settings)))
    data: Any = orjson.loads(READ.sub(b"", codec.canonical(codec.encode(fact))))
    return codec.decode_named(data, Event)
