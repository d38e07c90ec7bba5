"""Makes bundles of tournaments: the lines of a file for a viewer."""

from __future__ import annotations

from collections.abc import Iterator

import referee
from referee.audit.bundles.export import PUBLIC, SEALED, WHOLE, BundleMetadata
from referee.audit.bundles.format import (
    BundleHeader,
    BundleLine,
    CheckpointLine,
    EntryLine,
    OpenedPart,
    PublishedRootLine,
    SecretLine,
    StampLine,
)
from referee.eventstore.contract import StoredEntry
from referee.repository.tournaments import LoadedTournament
from referee.service.tournament_service import TournamentService
from referee.tournament.deciding.evidence import require_over
from referee.tournament.state import GAME, LOTS, RULESET, SALTS

PAGE = 200
VIEWERS = (PUBLIC, WHOLE, SEALED)


def build_tournament_bundle_lines(
    service: TournamentService, tournament: str, viewer: str, metadata: BundleMetadata
) -> Iterator[BundleLine]:
    """Return the lines of a tournament's bundle, all but the last; read on demand.

    `viewer` is `public`, `full` (for officials, after the end) or `sealed` (for the server itself, at any time). Errors
    are raised at the call, before the first line. Raises UnknownTournament, ValueError (no such viewer), IllegalMove
    for the full view before the end.
    """
    if viewer not in VIEWERS:
        raise ValueError(f"the bundle of a tournament is for one of: {', '.join(VIEWERS)}")
    loaded = service.repository.read(tournament)
    if viewer == WHOLE:
        require_over(loaded.state)
    return _build_lines(service, loaded, viewer, metadata)


def _build_lines(
    service: TournamentService, loaded: LoadedTournament, viewer: str, metadata: BundleMetadata
) -> Iterator[BundleLine]:
    state, version = loaded.state, loaded.version
    entries = list(_read_entries(service, loaded))
    note = service.matches.sign(state.id, version, entries[-1].root)
    published = metadata.published(state.id, version)
    keys = metadata.keys if metadata.latest is None else metadata.latest()
    yield BundleHeader(
        state.id, note.partition("\n")[0], viewer, GAME, state.format.game, "", RULESET, state.status, version,
        loaded.now_ms, f"referee {referee.__version__}",
    )  # fmt: skip
    yield from keys
    draws = service.matches.appender.draws
    for entry in entries:
        parts: tuple[OpenedPart, ...] = ()
        if viewer != PUBLIC:
            salt = draws.salt(state.id, SALTS, entry.version, WHOLE)
            parts = (OpenedPart(WHOLE, salt, entry.sealed.decode()),)
        yield EntryLine(entry.version, entry.envelope.decode(), entry.root, parts)
    if state.is_over:
        yield SecretLine(LOTS, draws.secret(state.id, LOTS))
    yield CheckpointLine(note)
    yield from (line for line in published if isinstance(line, PublishedRootLine))
    yield from (line for line in published if isinstance(line, StampLine))


def _read_entries(service: TournamentService, loaded: LoadedTournament) -> Iterator[StoredEntry]:
    """Yield the stored entries up to the version that was loaded."""
    after = 0
    while after < loaded.version and (page := service.log.read_entries(loaded.state.id, after, PAGE)):
        yield from (entry for entry in page if entry.version <= loaded.version)
        after = page[-1].version
