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

from referee.engine.codec import canonical, decode_named, encode
from referee.engine.events import Event, Move
from referee.engine.referee import awaited
from referee.engine.seats import BYSTANDER, FULL
from referee.engine.steps import Cleared, Closed, Opened, State
from referee.eventstore.contract import Entry
from referee.games import games
from referee.match.aggregate import (
    Ended,
    GoesBack,
    Match,
    MatchOpened,
    OfTable,
    Rewound,
    SettingsChanged,
    happened,
    turned,
)
from referee.match.errors import NewerRules
from referee.match.events import deviation_events as _deviation_facts  # noqa: F401
from referee.match.events import dispute_commands as _asks  # noqa: F401  # read to register what the log may hold
from referee.match.events import report_events as _report_facts  # noqa: F401
from referee.match.events import takeback_events as _requests  # noqa: F401
from referee.match.events.dispute_events import Corrected, Restored
from referee.match.events.transfer_events import MatchArrived, MatchMoved
from referee.match.table import player_entropy as _seeds  # noqa: F401
from referee.match.table import rekey as _renewal  # noqa: F401

ANEW = (Opened, Closed, Cleared, GoesBack, Corrected, MatchOpened, Ended, MatchMoved, MatchArrived)
Salt = Callable[[str, int, int, str], bytes]  # match, generation of the secret, version, whose


@dataclass(frozen=True, slots=True)
class Logged:
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
    facts: tuple[Event, ...]
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

    def seen_by(self, eyes: int) -> tuple[Move | None, tuple[Event, ...]]:
        """The move and the facts as these eyes may know them."""
        if eyes == FULL:
            return self.move, self.facts
        move = self.move.seen_by(eyes, self.seat) if self.move is not None else None
        return move, tuple(fact.seen_by(eyes) for fact in self.facts)

    def hash_for(self, eyes: int) -> str:
        """The hash of the view that was decided on, for the eyes that may know it; empty for all others."""
        return self.view_hash if eyes in (self.seat, FULL) else ""


def shown(move: Move | None, facts: Iterable[Event], view_hash: str = "") -> dict[str, Any]:
    """Move and facts as JSON data, with the hash of the view decided on if there is one."""
    decided_on = {"view_hash": view_hash} if view_hash else {}
    return {"move": None if move is None else encode(move), "events": [encode(fact) for fact in facts], **decided_on}


def pack(match: Match, logged: Logged, salt: Salt) -> tuple[bytes, bytes]:
    """The envelope and the sealed part of an entry. `match` is the match after it: its seats are committed to, with
    salts of its generation of the secret."""
    full = canonical(shown(logged.move, logged.facts, logged.view_hash))
    parts = {"full": full}
    for seat in range(len(match.chairs)):
        parts[str(seat)] = canonical(shown(*logged.seen_by(seat), logged.hash_for(seat)))
    envelope = {
        "match": logged.match,
        "version": logged.version,
        "at": logged.at_ms,
        "seat": logged.seat,
        "actor": logged.actor,
        "rules": f"{match.game}/{match.ruleset}",
        "edition": match.edition,
        "clauses": list(logged.clauses),
        **shown(*logged.seen_by(BYSTANDER)),
        "commitments": {
            who: commitment(salt(logged.match, match.generation, logged.version, who), part)
            for who, part in parts.items()
        },
    }
    return canonical(envelope), full


def commitment(salt: bytes, part: bytes) -> str:
    """What the log says openly of a hidden part, in hex. Whoever has not the salt learns nothing from it, however few
    parts there may be; whoever gets salt and part after the end can check that nothing else was there."""
    return hashlib.sha256(salt + part).hexdigest()


def unpack(entry: Entry) -> Logged:
    """The entry that these bytes tell. Raises ValueError if they are no entry, NewerRules (which is one too) if it is
    one of a match that only a newer program can judge."""
    return _logged(entry, orjson.loads(entry.sealed))


def public(entry: Entry) -> Logged:
    """The entry as everybody may know it; its sealed part is not looked at. Raises ValueError if it is no entry."""
    return _logged(entry, None)


def _logged(entry: Entry, told: dict[str, Any] | None) -> Logged:
    """The entry with the move and the facts that are told; None: those of the envelope."""
    envelope = orjson.loads(entry.envelope)
    told = envelope if told is None else told
    game, _, ruleset = envelope.get("rules", "").partition("/")
    rules = games().get(game)
    if rules is not None and ruleset and ruleset not in rules.rulesets:  # before its facts, which may be new as well
        raise NewerRules(envelope["match"], f"ruleset {ruleset} of {game}")
    facts = tuple(decode_named(fact, Event) for fact in told["events"])
    for fact in facts:
        chosen = fact.readings if isinstance(fact, MatchOpened | SettingsChanged) else {}
        if chosen and rules is not None and rules.misread(chosen):
            raise NewerRules(envelope["match"], f"the readings {canonical(chosen).decode()} of {game}")
    return Logged(
        envelope["match"],
        envelope["version"],
        envelope["at"],
        envelope["seat"],
        envelope["actor"],
        None if told["move"] is None else decode_named(told["move"], Move),
        facts,
        tuple(envelope["clauses"]),
        entry.root,
        told.get("view_hash", ""),
        game,
        envelope.get("edition", ""),
    )


def course(entries: Iterable[Logged]) -> list[Logged]:
    """The entries that still stand: `Rewound(to)` strikes those after `to`, itself apart; by `Restored(entry)` those
    stand again that stood just before that entry, and it is struck with all after it. Needs all from the first.

    Who sits where and what was ruled is not undone with the play: of a struck entry those facts stay.
    """
    every = list(entries)
    wanted = {fact.entry for entry in every for fact in entry.facts if isinstance(fact, Restored)}
    stood: dict[int, list[Logged]] = {}  # what stood before the entries that are restored once
    standing: list[Logged] = []
    for at, entry in enumerate(every):
        if entry.version in wanted:
            stood[entry.version] = list(standing)
        for fact in entry.facts:
            if isinstance(fact, Rewound):
                standing = _left(standing, fact.to)
            elif isinstance(fact, Restored) and fact.entry in stood:
                since = (each for each in every[:at] if each.version >= fact.entry)
                standing = [*stood[fact.entry], *_left(since, fact.entry - 1)]
        standing.append(entry)
    return standing


def _left(entries: Iterable[Logged], to: int) -> list[Logged]:
    """What is left of these entries once play goes back to just after entry `to`."""
    return [left for entry in entries if (left := _struck(entry, to)) is not None]


def _struck(entry: Logged, to: int) -> Logged | None:
    """What is left of an entry once play goes back to `to`; None if nothing is."""
    if entry.version <= to:
        return entry
    kept = tuple(fact for fact in entry.facts if isinstance(fact, OfTable))
    if len(kept) == len(entry.facts):
        return entry
    return replace(entry, facts=kept, seat=int(BYSTANDER)) if kept else None


def folded(match: Match, entries: Iterable[Logged]) -> Match:
    """The match after these entries of its course."""
    for entry in entries:
        before = match
        for at, fact in enumerate(entry.facts):
            match = happened(match, fact, f"{entry.version}.{at}")
        match = turned(before, match, entry.seat, entry.actor)
    return match


def until(entry: Logged, at: int) -> Logged:
    """An entry with its facts up to that of this place, and without those after it."""
    return replace(entry, facts=entry.facts[: at + 1])


def rewinds(entries: Iterable[Logged]) -> bool:
    """Whether one of these entries goes back, so that the course has to be folded from its beginning."""
    return any(isinstance(fact, GoesBack) for entry in entries for fact in entry.facts)


def asked_anew(before: State | None, after: State | None, facts: Iterable[Event]) -> bool:
    """Whether an entry asked anew: opened or closed a step, made the top another kind, awaits a new seat, or put the
    table back or right; or the match moved.

    A step whose time runs from its opening (`one_deadline`) asks no seat anew.
    """
    if any(isinstance(fact, ANEW) for fact in facts):
        return True
    if before is None or after is None or not before.agenda or not after.agenda:
        return (before is None) != (after is None)
    top = after.agenda[-1]
    if type(before.agenda[-1]) is not type(top):
        return True
    return not top.one_deadline and bool(awaited(after) - awaited(before))
