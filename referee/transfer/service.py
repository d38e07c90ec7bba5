"""Leaving for another server and arriving from one: each writes one entry, in one act with all that belongs to it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.arbitration import dispatch
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import Answer, Entry, Head
from referee.eventstore.transfer import Luggage
from referee.match.aggregate import Match
from referee.match.entries import course, folded
from referee.match.events.transfer_events import Arrive, LeaveHome
from referee.match.evidence import Evidence
from referee.service.match_service import TRIES, Behind, Desk, Loaded, written_to
from referee.transparency.merkle import Hash, extended, leaf_hash

GRACE_MS = 30_000  # that the open question has at least: players have to find the new address first
Packs = Callable[[Loaded, Luggage], bytes]  # what goes along beside the log, as it is kept and bound to


def leave(desk: Desk, match: str, store: str, packs: Packs, *, new_home: str = "", to: str = "") -> Loaded:
    """Lets a match go: from then on nobody writes to it here. The match after its last entry; as it stands, if it has
    gone before.

    Raises UnknownMatch; Away: archived or frozen; Refused: it is over; Malformed: no address, or no key; Behind:
    somebody was faster again and again.
    """
    for _ in range(TRIES):
        loaded = desk.load(match)
        if loaded.head.status == "moved":
            return loaded
        written_to(loaded)
        beside = desk.log.luggage(match)
        packed = packs(loaded, beside)
        ask = LeaveHome(store, hashlib.sha256(packed).hexdigest(), new_home, to)
        facts = dispatch.settled(desk.evidence(loaded), ask)
        made = desk.made(loaded, BYSTANDER, "table", ask, facts, f"leave:{loaded.version + 1}", b"")
        made = replace(made, commit=replace(made.commit, status="moved", thinking_ms=None))
        _, after = desk.written(loaded, made, desk.log.depart(made.commit, beside, packed))
        if after is not None:
            return after
    raise Behind(loaded.version, desk.load(match).version, False)


def arrive(desk: Desk, entries: Sequence[Entry], here: int, ask: Arrive, luggage: Luggage) -> tuple[Answer, int]:
    """Takes a match in that left another server with these entries, so many of which are `here` because it left from
    here before: OK, DUP or REUSED (it was taken in before, by the same entries or by others), or CONFLICT (something
    else is here); and the version by which it has arrived, or the one that is here.

    Raises Refused: it has not left, or not from there; Malformed; Away: the store does not fit itself.
    """
    logged = desk.library.unpacked(entries)
    match, version = folded(Match(), course(logged)), len(entries)
    reading = desk.log.read(match.id, limit=0)
    head = Head(version, entries[-1].root, _frontier(entries), "moved", 0, "", match.edition)
    loaded = Loaded(match, version, head, reading)
    facts = dispatch.settled(Evidence(match, version, reading.now_ms, None, lambda: logged), ask)
    made = desk.made(loaded, BYSTANDER, "table", ask, facts, f"arrive:{version + 1}", bytes.fromhex(ask.root))
    if (limit := made.commit.thinking_ms) is not None:
        made = replace(made, commit=replace(made.commit, thinking_ms=max(limit, GRACE_MS)))
    root = entries[here - 1].root if here else b""
    done = desk.log.adopt(made.commit, entries[here:], here, root, luggage)
    answer, _ = desk.written(loaded, made, done)
    return answer, done.version


def _frontier(entries: Sequence[Entry]) -> tuple[Hash, ...]:
    frontier: tuple[Hash, ...] = ()
    for at, entry in enumerate(entries):
        frontier = extended(frontier, at, leaf_hash(entry.envelope))
    return frontier
