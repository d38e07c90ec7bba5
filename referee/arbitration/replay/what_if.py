"""A log judged by other rules than it was played by, and which reading matters.

Nothing is written. After an entry that would be ruled otherwise, the rest is judged upon the table as it was recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from referee.arbitration.replay.divergence import Divergence
from referee.arbitration.replay.replay import LogReplay, ReplayRules
from referee.engine import codec
from referee.engine.events import Event
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION, select_departures
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling
from referee.games import load_games
from referee.match.aggregate import Match, MatchStarted
from referee.match.entries import LogEntry
from referee.match.house_readings import apply_readings

RULE_FAILURES = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    AssertionError,
    RuntimeError,
    IllegalMove,
    MalformedInput,
)
READING_SUFFIX = re.compile(rb'-R[0-9]+(?=")')


@dataclass(frozen=True)
class RulingDifference:
    """An entry that other rules rule otherwise, and the match before it as recorded.

    Each of `clauses` alone causes the difference by its reading, or only all of them together do. If there are none,
    the program of today rules otherwise by the very readings that the match was played by.
    """

    match: Match
    entry: LogEntry
    divergence: Divergence
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class AlternativeRules:
    """The rules that are tried instead.

    - `ruleset`: empty, or one that the game lacks: its newest.
    - `readings`: interpretations by clause, which override what the host chose. Clauses that a game lacks are ignored.
    """

    ruleset: str = ""
    readings: Mapping[str, int] = field(default_factory=dict)

    def find_changed_readings(self, match: Match) -> dict[str, int]:
        """Return the interpretations that differ from those of the match.

        What its host chose by number, and settings other than the ruleset's, the table has agreed on. They stay unless
        they are named.
        """
        rules = match.rules
        held = rules.effective_interpretations(match.ruleset, match.readings, match.settings)
        was, now = rules.rulesets[match.ruleset], rules.rulesets.get(self.ruleset, rules.rulesets[rules.newest_ruleset])
        found = {}
        for clause, number in held.items():
            agreed = clause in match.readings or number != was.get(clause, FIRST_INTERPRETATION)
            meant = self.readings.get(clause, number if agreed else now.get(clause, FIRST_INTERPRETATION))
            if meant != number:
                found[clause] = meant
        return found


def find_ruling_differences(
    entries: Iterable[LogEntry], otherwise: AlternativeRules
) -> Iterator[tuple[LogEntry, RulingDifference | None]]:
    """Yield every entry of a match, and how it would be ruled otherwise, or None.

    Ends at an entry that is not the next of this match.
    """
    reading = LogReplay()
    for logged in entries:
        found = _find_ruling_difference(reading, logged, otherwise)
        yield logged, found
        if found is not None and found.divergence.kind == "chain":
            return
        reading.append_entry(logged)


def _find_ruling_difference(
    reading: LogReplay, logged: LogEntry, otherwise: AlternativeRules
) -> RulingDifference | None:
    match = reading.match
    changes = otherwise.find_changed_readings(match) if match.id else {}
    wrong = _find_divergence_under(reading, logged, changes)
    if wrong is None:
        return None
    alone = [
        clause
        for clause, number in changes.items()
        if _is_same_divergence(_find_divergence_under(reading, logged, {clause: number}), wrong)
    ]
    if not alone and changes and _find_divergence_under(reading, logged, {}) is None:
        alone = list(changes)
    return RulingDifference(match, logged, wrong, tuple(alone))


def _is_same_divergence(one: Divergence | None, other: Divergence) -> bool:
    return one is not None and (one.kind, one.at, one.ruling.reason) == (other.kind, other.at, other.ruling.reason)


def _find_divergence_under(reading: LogReplay, logged: LogEntry, changes: Mapping[str, int]) -> Divergence | None:
    """Return how an entry is ruled under changed interpretations; None if the same."""
    match = reading.match

    def read_as(then: Match) -> Match:
        return apply_readings(then, changes)

    def alike(event: Event) -> Event:
        return _normalize_event(match, event, changes)

    rules = ReplayRules(read_as, alike) if changes else ReplayRules()
    try:
        return reading.find_divergence_under(rules, logged)
    except RULE_FAILURES as error:  # the recorded table is impossible under the rules that are tried
        if not changes:
            raise
        detail = {"detail": f"{type(error).__name__}: {error}"[:200]}
        return Divergence(logged.version, "illegal", Ruling(False, "court.malformed", ("TABLE-COURSE-1",), detail))


def _normalize_event(match: Match, event: Event, changes: Mapping[str, int]) -> Event:
    """Return an event without names of interpretations: only its effect counts."""
    if isinstance(event, MatchStarted):
        rules = load_games()[event.game]
        held = select_departures(rules.find_departures(match.ruleset, {}), apply_readings(match, changes).readings)
        state = codec.decode(rules.state_type, event.table)
        return replace(
            event,
            table=codec.encode(rules.apply_interpretations(state, held, apply_readings(match, changes).settings)),
        )
    data: Any = orjson.loads(READING_SUFFIX.sub(b"", codec.encode_canonical(codec.encode(event))))
    return codec.decode_named(data, Event)
