"""What the commitments of the log open to: for a seat its own part at any time, for everybody all of it after the end.

A commitment is SHA-256 of a salt and the bytes of a part (`referee.match.entries`). The salt of one seat tells nothing
of any other; the secret that all salts come from is told while the match is over, and at no other time: not even to
an arbiter who looks at all cards, for it tells what will be drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.engine.codec import canonical
from referee.engine.rulings import Refused
from referee.engine.seats import FULL
from referee.eventstore.contract import Entry
from referee.match.aggregate import OVER, Match
from referee.match.entries import shown
from referee.match.table.rekey import renewed
from referee.service.match_service import Desk, Loaded


@dataclass(frozen=True, slots=True)
class Opening:
    """What one commitment of an entry opens to: its salt, and the part as the very text that was hashed."""

    version: int
    generation: int
    commitment: str
    salt: bytes
    part: str


@dataclass(frozen=True, slots=True)
class Disclosed:
    """A secret of chance, and the commitment to it in the log."""

    generation: int
    commitment: str
    secret: bytes


def openings(
    desk: Desk, loaded: Loaded, eyes: int, after: int = 0, limit: int = 50
) -> tuple[list[Opening], int | None]:
    """What the commitments to a seat's parts (FULL: to whole entries) open to, in the entries after a version, and the
    cursor of the next page (None: no more now). Raises Refused for FULL while the match is not over."""
    if eyes == FULL:
        ended(loaded.match)
    match, end = loaded.match.id, min(loaded.version, after + limit)
    stored = desk.log.entries(match, after, end - after) if after < end else []
    found = list(_opened(desk, stored, eyes, _generation(desk, loaded, after)))
    return found, end if found and end < loaded.version else None


def disclosed(desk: Desk, match: Match) -> tuple[Disclosed, ...]:
    """The secrets behind all draws and salts, the first one first. Raises Refused while the match is not over."""
    ended(match)
    committed = (match.commitment, *match.renewals)
    return tuple(Disclosed(n, said, desk.draws.secret(match.id, n)) for n, said in enumerate(committed))


def ended(match: Match) -> None:
    """Raises Refused unless the match is over, so that nothing is drawn any more from what is disclosed."""
    if match.status not in OVER:
        raise Refused("still_running", "TABLE-END-1")


def _generation(desk: Desk, loaded: Loaded, version: int) -> int:
    """Which secret the entry of a version was salted with."""
    if loaded.match.generation == 0 or version >= loaded.version:
        return loaded.match.generation
    return sum(renewed(entry.facts) is not None for entry in desk.entries(loaded.match.id, 0, version))


def _opened(desk: Desk, stored: Sequence[Entry], eyes: int, generation: int) -> Iterator[Opening]:
    who = "full" if eyes == FULL else str(int(eyes))
    for entry, logged in zip(stored, desk.library.unpacked(stored), strict=True):
        generation += renewed(logged.facts) is not None
        if eyes == FULL:
            part = entry.sealed
        else:
            part = canonical(shown(*logged.seen_by(eyes), logged.hash_for(eyes)))
        committed = json.loads(entry.envelope)["commitments"]
        if who not in committed:
            continue  # the table had not this seat yet, or has it no more
        salt = desk.draws.salt(logged.match, generation, logged.version, who)
        yield Opening(logged.version, generation, committed[who], salt, part.decode())
