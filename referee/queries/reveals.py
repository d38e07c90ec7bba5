"""What the log's commitments open to: salts, hidden parts and at the end secrets.

A commitment is SHA-256 of a salt and the bytes of a part (`referee.match.entries`). A seat gets its own part at any
time, everybody gets all of it after the end. The salt of one seat tells nothing of any other. The secret that all salts
come from is disclosed only while the match is over. Not even an arbiter who looks at all cards gets it before, because
it tells what will be drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.engine.codec import encode_canonical
from referee.engine.rulings import IllegalMove
from referee.engine.seats import FULL_VIEWER
from referee.eventstore.contract import StoredEntry
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.entries import content_to_dict
from referee.match.loaded import LoadedMatch
from referee.match.table.rekey import find_secret_renewal
from referee.service.match_service import MatchService


@dataclass(frozen=True, slots=True)
class CommitmentReveal:
    """What one commitment of an entry opens to: its salt, and the hashed text."""

    version: int
    generation: int
    commitment: str
    salt: bytes
    part: str


@dataclass(frozen=True, slots=True)
class DisclosedSecret:
    """A secret of chance, and the commitment to it in the log."""

    generation: int
    commitment: str
    secret: bytes


def list_reveals(
    service: MatchService, loaded: LoadedMatch, viewer: int, after: int = 0, limit: int = 50
) -> tuple[list[CommitmentReveal], int | None]:
    """Return what the commitments to a seat's parts open to, and the next cursor.

    They are those of the entries after a version; for FULL_VIEWER those to whole entries. The cursor is None if there
    are no more now. Raises IllegalMove for FULL_VIEWER while the match is not over.
    """
    if viewer == FULL_VIEWER:
        require_match_over(loaded.match)
    match, end = loaded.match.id, min(loaded.version, after + limit)
    stored = service.log.read_entries(match, after, end - after) if after < end else []
    found = list(_build_reveals(service, stored, viewer, _find_generation(service, loaded, after)))
    return found, end if found and end < loaded.version else None


def disclose_secrets(service: MatchService, match: Match) -> tuple[DisclosedSecret, ...]:
    """Return the secrets behind all draws and salts, the first one first.

    Raises IllegalMove while the match is not over.
    """
    require_match_over(match)
    committed = (match.commitment, *match.renewals)
    return tuple(
        DisclosedSecret(n, said, service.appender.draws.secret(match.id, n)) for n, said in enumerate(committed)
    )


def require_match_over(match: Match) -> None:
    """Raise IllegalMove unless the match is over, so that no more is drawn from it."""
    if match.status not in FINAL_STATUSES:
        raise IllegalMove("still_running", "TABLE-END-1")


def _find_generation(service: MatchService, loaded: LoadedMatch, version: int) -> int:
    """Return which secret the entry of a version was salted with."""
    if loaded.match.generation == 0 or version >= loaded.version:
        return loaded.match.generation
    return sum(
        find_secret_renewal(entry.events) is not None
        for entry in service.repository.load_entries(loaded.match.id, 0, version)
    )


def _build_reveals(
    service: MatchService, stored: Sequence[StoredEntry], viewer: int, generation: int
) -> Iterator[CommitmentReveal]:
    who = "full" if viewer == FULL_VIEWER else str(int(viewer))
    for entry, logged in zip(stored, service.repository.library.decode_entries(stored), strict=True):
        generation += find_secret_renewal(logged.events) is not None
        if viewer == FULL_VIEWER:
            part = entry.sealed
        else:
            part = encode_canonical(content_to_dict(*logged.view_for(viewer), logged.decision_for(viewer)))
        committed = json.loads(entry.envelope)["commitments"]
        if who not in committed:
            continue  # the seat was not there yet, or not any more
        salt = service.appender.draws.salt(logged.match, generation, logged.version, who)
        yield CommitmentReveal(logged.version, generation, committed[who], salt, part.decode())
