"""Entries of the log: one command with all its events, encoded and decoded.

The envelope is public. It says who, when and under which rules, and holds the events as a bystander sees them. It also
holds a salted commitment to the full entry and to each seat's view of it. A commitment is there even if it adds
nothing, because its absence would reveal something.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass, replace
from typing import Any, Protocol

import orjson

from referee.engine.codec import decode_named, encode, encode_canonical
from referee.engine.events import Event, Move
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.engine.steps import StackCleared, State, StepPopped, StepPushed
from referee.eventstore.contract import StoredEntry
from referee.games import load_games
from referee.match.aggregate import (
    LastingTableEvent,
    Match,
    MatchEnded,
    MatchOpened,
    MatchRewound,
    RewindEvent,
    SettingsChanged,
    apply_event,
    finish_entry,
)
from referee.match.bots.decisions import NO_DECISION, BotDecision
from referee.match.errors import UnsupportedRuleset
from referee.match.events import deviation_events as _deviation_events  # noqa: F401  # imported to register their tags
from referee.match.events import dispute_commands as _dispute_commands  # noqa: F401
from referee.match.events import ending_events as _ending_events  # noqa: F401
from referee.match.events import office_events as _office_events  # noqa: F401
from referee.match.events import reaction_events as _reaction_events  # noqa: F401
from referee.match.events import report_events as _report_events  # noqa: F401
from referee.match.events import slip_events as _slip_events  # noqa: F401
from referee.match.events import takeback_events as _takeback_events  # noqa: F401
from referee.match.events.dispute_events import HistoryRestored, RulingIssued, TableCorrected
from referee.match.events.transfer_events import MatchImported, MatchTransferred
from referee.match.house_readings import HouseReadingAdopted, ReadingFollowed
from referee.match.table import hints as _hints  # noqa: F401
from referee.match.table import rekey as _rekey  # noqa: F401
from referee.match.table import signed_moves as _signed_moves  # noqa: F401
from referee.match.table.player_entropy import LinkRevealed

REOPENING_EVENTS = (
    StepPushed,
    StepPopped,
    StackCleared,
    RewindEvent,
    TableCorrected,
    MatchOpened,
    MatchEnded,
    MatchTransferred,
    MatchImported,
)
Salt = Callable[[str, int, int, str], bytes]  # match, generation of the secret, version, whose


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry decoded from the log.

    - `seat`: the seat that moved; BYSTANDER: the table.
    - `actor`: how the entry came about: player, proxy, bot, reporter, … A reporter is named too: `reporter:2`,
    `reporter:host`.
    - `game`, `edition`: what is played, if the entry was decoded from the store.
    - `decision`: what a bot's move rests on, sealed for the seat itself and the full viewer.
    """

    match: str
    version: int
    at_ms: int
    seat: int
    actor: str
    move: Move | None
    events: tuple[Event, ...]
    clauses: tuple[str, ...]
    root: bytes
    decision: BotDecision = NO_DECISION
    game: str = ""
    edition: str = ""

    @property
    def reporter(self) -> str:
        """Who reported real dice or cards: a seat's number or `host`; empty if nobody did."""
        kind, _, by = self.actor.partition(":")
        return by if kind == "reporter" else ""

    def view_for(self, viewer: int) -> tuple[Move | None, tuple[Event, ...]]:
        """Return the move and the events as the viewer may know them."""
        if viewer == FULL_VIEWER:
            return self.move, self.events
        move = self.move.view_for(viewer, self.seat) if self.move is not None else None
        return move, tuple(event.view_for(viewer) for event in self.events)

    def decision_for(self, viewer: int) -> BotDecision:
        """Return what a bot's move rests on, empty if the viewer may not know it."""
        return self.decision if viewer in (self.seat, FULL_VIEWER) else NO_DECISION


def content_to_dict(move: Move | None, events: Iterable[Event], decision: BotDecision = NO_DECISION) -> dict[str, Any]:
    """Return move, events and what a bot's move rests on as JSON data."""
    return {
        "move": None if move is None else encode(move),
        "events": [encode(event) for event in events],
        **decision.to_dict(),
    }


class LoggedAggregate(Protocol):
    """What has a log of its own: a match, or a tournament."""

    @property
    def game(self) -> str:
        """The game that is played, or what stands in its place."""

    @property
    def ruleset(self) -> str:
        """The ruleset by which it is decided."""

    @property
    def edition(self) -> str:
        """The edition of the cards."""

    @property
    def chairs(self) -> Sized:
        """Those who get a commitment to what they see."""

    @property
    def generation(self) -> int:
        """The generation of the secret behind the salts."""


def encode_entry(match: LoggedAggregate, logged: LogEntry, salt: Salt) -> tuple[bytes, bytes]:
    """Return the envelope and the sealed part of an entry.

    `match` is the match, or the tournament, after the entry. Each of its seats gets a commitment, salted from its
    generation of the secret.
    """
    encoder = _ContentEncoder(logged)
    full = encode_canonical(encoder.encode_for(FULL_VIEWER))
    parts = {"full": full}
    for seat in range(len(match.chairs)):
        seen = encoder.encode_for(seat)
        parts[str(seat)] = full if seen is encoder.whole else encode_canonical(seen)
    envelope = {
        "match": logged.match,
        "version": logged.version,
        "at": logged.at_ms,
        "seat": logged.seat,
        "actor": logged.actor,
        "rules": f"{match.game}/{match.ruleset}",
        "edition": match.edition,
        "clauses": list(logged.clauses),
        **encoder.encode_for(BYSTANDER),
        "commitments": {
            who: compute_commitment(salt(logged.match, match.generation, logged.version, who), part)
            for who, part in parts.items()
        },
    }
    return encode_canonical(envelope), full


class _ContentEncoder:
    """Encodes the content of an entry for several viewers, shared parts once."""

    def __init__(self, logged: LogEntry) -> None:
        self._logged = logged
        self.whole = content_to_dict(logged.move, logged.events, logged.decision)

    def encode_for(self, viewer: int) -> dict[str, Any]:
        """Return what a viewer may know; `whole` itself if that is everything."""
        logged, whole = self._logged, self.whole
        move, events = logged.view_for(viewer)
        decision = logged.decision_for(viewer)
        is_shown = [seen is event for seen, event in zip(events, logged.events, strict=True)]
        if move is logged.move and all(is_shown) and decision == logged.decision:
            return whole
        shown = zip(is_shown, events, whole["events"], strict=True)
        return {
            "move": whole["move"] if move is logged.move else None if move is None else encode(move),
            "events": [encoded if same else encode(event) for same, event, encoded in shown],
            **decision.to_dict(),
        }


def compute_commitment(salt: bytes, part: bytes) -> str:
    """Return the public commitment to a hidden part, in hex.

    Without the salt nobody learns anything from it, even if only few parts are possible. With salt and part, after the
    end, everybody can check that nothing else was committed to.
    """
    return hashlib.sha256(salt + part).hexdigest()


def decode_entry(entry: StoredEntry) -> LogEntry:
    """Return the entry that is stored in these bytes.

    Raises ValueError if they are no entry, and its subclass UnsupportedRuleset if only a newer program can judge the
    match.
    """
    return _build_log_entry(entry, orjson.loads(entry.sealed))


def decode_public_entry(entry: StoredEntry) -> LogEntry:
    """Return the entry as everybody may know it, without reading its sealed part.

    Raises ValueError if it is no entry.
    """
    return _build_log_entry(entry, None)


def _build_log_entry(entry: StoredEntry, content: dict[str, Any] | None) -> LogEntry:
    """Return the entry with move and events of `content`; None: of the envelope."""
    envelope = orjson.loads(entry.envelope)
    content = envelope if content is None else content
    game, _, ruleset = envelope.get("rules", "").partition("/")
    rules = load_games().get(game)
    if rules is not None and ruleset and ruleset not in rules.rulesets:  # first, because the events may be new as well
        raise UnsupportedRuleset(envelope["match"], f"ruleset {ruleset} of {game}")
    events = tuple(decode_named(event, Event) for event in content["events"])
    for event in events:
        chosen = _find_chosen_readings(event)
        if chosen and rules is not None and rules.find_interpretation_errors(chosen):
            raise UnsupportedRuleset(envelope["match"], f"the readings {encode_canonical(chosen).decode()} of {game}")
    return LogEntry(
        envelope["match"],
        envelope["version"],
        envelope["at"],
        envelope["seat"],
        envelope["actor"],
        None if content["move"] is None else decode_named(content["move"], Move),
        events,
        tuple(envelope["clauses"]),
        entry.root,
        BotDecision.from_dict(content),
        game,
        envelope.get("edition", ""),
    )


def _find_chosen_readings(event: Event) -> dict[str, int]:
    """Return by clause the numbers of the readings that an event chooses."""
    if isinstance(event, HouseReadingAdopted | ReadingFollowed):
        return {event.clause: event.number}
    return event.readings if isinstance(event, MatchOpened | SettingsChanged) else {}


def effective_entries(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the entries that still count after rewinds and restorations.

    `entries` must be all entries from the first.

    - `MatchRewound(to)` strikes the entries after `to`, except its own.
    - `HistoryRestored(entry)` brings back what counted just before that entry, and strikes it with all after it.

    Of a struck entry the lasting events stay: who sits where and what was ruled is not undone with the play. A house
    ruling of the entry that is undone falls away too (TABLE-HOUSE-1).
    """
    every = list(entries)
    wanted = {event.entry for entry in every for event in entry.events if isinstance(event, HistoryRestored)}
    stood: dict[int, list[LogEntry]] = {}  # by entry that is restored later: what counted just before it
    standing: list[LogEntry] = []
    for at, entry in enumerate(every):
        if entry.version in wanted:
            stood[entry.version] = list(standing)
        for event in entry.events:
            if isinstance(event, MatchRewound):
                standing = _truncate_entries(standing, event.to)
            elif isinstance(event, HistoryRestored) and event.entry in stood:
                since = (
                    _without_house_ruling(each) if each.version == event.entry else each
                    for each in every[:at] if each.version >= event.entry
                )  # fmt: skip
                standing = [*stood[event.entry], *_truncate_entries(since, event.entry - 1)]
        standing.append(entry)
    return standing


def _without_house_ruling(entry: LogEntry) -> LogEntry:
    """Return an entry without the house ruling that it keeps, if it keeps one."""
    events = tuple(
        replace(event, keep=None)
        if isinstance(event, RulingIssued) and event.keep is not None and event.keep.entry
        else event
        for event in entry.events
        if not isinstance(event, HouseReadingAdopted)
    )
    return entry if events == entry.events else replace(entry, events=events)


def _truncate_entries(entries: Iterable[LogEntry], to: int) -> list[LogEntry]:
    """Return what is left of these entries after a rewind to just after entry `to`."""
    return [left for entry in entries if (left := _strip_rewound_entry(entry, to)) is not None]


def _strip_rewound_entry(entry: LogEntry, to: int) -> LogEntry | None:
    """Return what is left of an entry after a rewind to `to`; None if nothing is."""
    if entry.version <= to:
        return entry
    kept = tuple(event for event in entry.events if isinstance(event, LastingTableEvent))
    if len(kept) == len(entry.events):
        return entry
    if not kept:
        return None
    # Links that came with a move stay known, the move is gone.
    move = None if all(isinstance(event, LinkRevealed) for event in kept) else entry.move
    return replace(entry, events=kept, seat=int(BYSTANDER), move=move)


def replay_entries(match: Match, entries: Iterable[LogEntry]) -> Match:
    """Return the match after these entries of its effective history."""
    for entry in entries:
        before = match
        for at, event in enumerate(entry.events):
            match = apply_event(match, event, f"{entry.version}.{at}")
        match = finish_entry(before, match, entry.seat, entry.actor)
    return match


def up_to_event(entry: LogEntry, at: int) -> LogEntry:
    """Return an entry with its events up to and including place `at`."""
    return replace(entry, events=entry.events[: at + 1])


def has_rewind(entries: Iterable[LogEntry]) -> bool:
    """Tell whether one of these entries goes back.

    The effective history then has to be folded from its beginning.
    """
    return any(isinstance(event, RewindEvent) for entry in entries for event in entry.events)


def reopens_question(before: State | None, after: State | None, events: Iterable[Event]) -> bool:
    """Tell whether an entry reopened the question.

    It does if it opened or closed a step, changed the kind of the top step, awaits a new seat, corrected or rewound the
    state, or if the match moved. A step whose time runs from its opening (`keeps_first_deadline`) is not reopened by a
    new awaited seat.
    """
    if any(isinstance(event, REOPENING_EVENTS) for event in events):
        return True
    if before is None or after is None or not before.agenda or not after.agenda:
        return (before is None) != (after is None)
    top = after.agenda[-1]
    if type(before.agenda[-1]) is not type(top):
        return True
    return not top.keeps_first_deadline and bool(seats_that_must_act(after) - seats_that_must_act(before))
