"""Entries of the log: one move and all its facts, as bytes that are hashed and stored, and back.

The envelope is public: who, when, under which rules, the facts as a bystander sees them, and a salted commitment to the
full entry and to what every seat sees of it, even where that adds nothing, or its presence would tell.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

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
from referee.match.errors import UnsupportedRuleset
from referee.match.events import deviation_events as _deviation_facts  # noqa: F401
from referee.match.events import dispute_commands as _asks  # noqa: F401  # read to register what the log may hold
from referee.match.events import report_events as _report_facts  # noqa: F401
from referee.match.events import takeback_events as _requests  # noqa: F401
from referee.match.events.dispute_events import HistoryRestored, TableCorrected
from referee.match.events.transfer_events import MatchImported, MatchTransferred
from referee.match.table import player_entropy as _seeds  # noqa: F401
from referee.match.table import rekey as _renewal  # noqa: F401

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
    """An entry read back: `seat` moved (BYSTANDER: the table), `actor` says how (player, proxy, bot, reporter, …);
    of a reporter also which seat it was, or the host: `reporter:2`, `reporter:host`.

    `game` and `edition` say what is played, where the entry was read back.

    `view_hash` is that of the view which a bot decided on; empty where none is known, or may be. Open to all it could
    be guessed back to the hand, so it lies sealed, for the seat itself and for whoever may see all.
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
    view_hash: str = ""
    game: str = ""
    edition: str = ""

    @property
    def reporter(self) -> str:
        """Who reported what real dice or cards showed: a seat's number, or `host`; empty where nobody did."""
        kind, _, by = self.actor.partition(":")
        return by if kind == "reporter" else ""

    def view_for(self, viewer: int) -> tuple[Move | None, tuple[Event, ...]]:
        """The move and the facts as these eyes may know them."""
        if viewer == FULL_VIEWER:
            return self.move, self.events
        move = self.move.view_for(viewer, self.seat) if self.move is not None else None
        return move, tuple(event.view_for(viewer) for event in self.events)

    def view_hash_for(self, viewer: int) -> str:
        """The hash of the view that was decided on, for the eyes that may know it; empty for all others."""
        return self.view_hash if viewer in (self.seat, FULL_VIEWER) else ""


def content_to_dict(move: Move | None, events: Iterable[Event], view_hash: str = "") -> dict[str, Any]:
    """Move and facts as JSON data, with the hash of the view decided on if there is one."""
    decided_on = {"view_hash": view_hash} if view_hash else {}
    return {"move": None if move is None else encode(move), "events": [encode(event) for event in events], **decided_on}


def encode_entry(match: Match, logged: LogEntry, salt: Salt) -> tuple[bytes, bytes]:
    """The envelope and the sealed part of an entry. `match` is the match after it: its seats are committed to, with
    salts of its generation of the secret."""
    full = encode_canonical(content_to_dict(logged.move, logged.events, logged.view_hash))
    parts = {"full": full}
    for seat in range(len(match.chairs)):
        parts[str(seat)] = encode_canonical(content_to_dict(*logged.view_for(seat), logged.view_hash_for(seat)))
    envelope = {
        "match": logged.match,
        "version": logged.version,
        "at": logged.at_ms,
        "seat": logged.seat,
        "actor": logged.actor,
        "rules": f"{match.game}/{match.ruleset}",
        "edition": match.edition,
        "clauses": list(logged.clauses),
        **content_to_dict(*logged.view_for(BYSTANDER)),
        "commitments": {
            who: compute_commitment(salt(logged.match, match.generation, logged.version, who), part)
            for who, part in parts.items()
        },
    }
    return encode_canonical(envelope), full


def compute_commitment(salt: bytes, part: bytes) -> str:
    """What the log says openly of a hidden part, in hex. Whoever has not the salt learns nothing from it, however few
    parts there may be; whoever gets salt and part after the end can check that nothing else was there."""
    return hashlib.sha256(salt + part).hexdigest()


def decode_entry(entry: StoredEntry) -> LogEntry:
    """The entry that these bytes tell. Raises ValueError if they are no entry, UnsupportedRuleset (which is one too) if
    it is one of a match that only a newer program can judge."""
    return _build_log_entry(entry, orjson.loads(entry.sealed))


def decode_public_entry(entry: StoredEntry) -> LogEntry:
    """The entry as everybody may know it; its sealed part is not looked at. Raises ValueError if it is no entry."""
    return _build_log_entry(entry, None)


def _build_log_entry(entry: StoredEntry, told: dict[str, Any] | None) -> LogEntry:
    """The entry with the move and the facts that are told; None: those of the envelope."""
    envelope = orjson.loads(entry.envelope)
    told = envelope if told is None else told
    game, _, ruleset = envelope.get("rules", "").partition("/")
    rules = load_games().get(game)
    if rules is not None and ruleset and ruleset not in rules.rulesets:  # before its facts, which may be new as well
        raise UnsupportedRuleset(envelope["match"], f"ruleset {ruleset} of {game}")
    events = tuple(decode_named(event, Event) for event in told["events"])
    for event in events:
        chosen = event.readings if isinstance(event, MatchOpened | SettingsChanged) else {}
        if chosen and rules is not None and rules.find_interpretation_errors(chosen):
            raise UnsupportedRuleset(envelope["match"], f"the readings {encode_canonical(chosen).decode()} of {game}")
    return LogEntry(
        envelope["match"],
        envelope["version"],
        envelope["at"],
        envelope["seat"],
        envelope["actor"],
        None if told["move"] is None else decode_named(told["move"], Move),
        events,
        tuple(envelope["clauses"]),
        entry.root,
        told.get("view_hash", ""),
        game,
        envelope.get("edition", ""),
    )


def effective_entries(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """The entries that still stand: `MatchRewound(to)` strikes those after `to`, itself apart; by
    `HistoryRestored(entry)` those stand again that stood just before that entry, and it is struck with all after it.
    Needs all from the first.

    Who sits where and what was ruled is not undone with the play: of a struck entry those facts stay.
    """
    every = list(entries)
    wanted = {event.entry for entry in every for event in entry.events if isinstance(event, HistoryRestored)}
    stood: dict[int, list[LogEntry]] = {}  # what stood before the entries that are restored once
    standing: list[LogEntry] = []
    for at, entry in enumerate(every):
        if entry.version in wanted:
            stood[entry.version] = list(standing)
        for event in entry.events:
            if isinstance(event, MatchRewound):
                standing = _truncate_entries(standing, event.to)
            elif isinstance(event, HistoryRestored) and event.entry in stood:
                since = (each for each in every[:at] if each.version >= event.entry)
                standing = [*stood[event.entry], *_truncate_entries(since, event.entry - 1)]
        standing.append(entry)
    return standing


def _truncate_entries(entries: Iterable[LogEntry], to: int) -> list[LogEntry]:
    """What is left of these entries once play goes back to just after entry `to`."""
    return [left for entry in entries if (left := _strip_rewound_entry(entry, to)) is not None]


def _strip_rewound_entry(entry: LogEntry, to: int) -> LogEntry | None:
    """What is left of an entry once play goes back to `to`; None if nothing is."""
    if entry.version <= to:
        return entry
    kept = tuple(event for event in entry.events if isinstance(event, LastingTableEvent))
    if len(kept) == len(entry.events):
        return entry
    return replace(entry, events=kept, seat=int(BYSTANDER)) if kept else None


def replay_entries(match: Match, entries: Iterable[LogEntry]) -> Match:
    """The match after these entries of its course."""
    for entry in entries:
        before = match
        for at, event in enumerate(entry.events):
            match = apply_event(match, event, f"{entry.version}.{at}")
        match = finish_entry(before, match, entry.seat, entry.actor)
    return match


def up_to_event(entry: LogEntry, at: int) -> LogEntry:
    """An entry with its facts up to that of this place, and without those after it."""
    return replace(entry, events=entry.events[: at + 1])


def has_rewind(entries: Iterable[LogEntry]) -> bool:
    """Whether one of these entries goes back, so that the course has to be folded from its beginning."""
    return any(isinstance(event, RewindEvent) for entry in entries for event in entry.events)


def reopens_question(before: State | None, after: State | None, events: Iterable[Event]) -> bool:
    """Whether an entry asked anew: opened or closed a step, made the top another kind, awaits a new seat, or put the
    table back or right; or the match moved.

    A step whose time runs from its opening (`one_deadline`) asks no seat anew.
    """
    if any(isinstance(event, REOPENING_EVENTS) for event in events):
        return True
    if before is None or after is None or not before.agenda or not after.agenda:
        return (before is None) != (after is None)
    top = after.agenda[-1]
    if type(before.agenda[-1]) is not type(top):
        return True
    return not top.keeps_first_deadline and bool(seats_that_must_act(after) - seats_that_must_act(before))
