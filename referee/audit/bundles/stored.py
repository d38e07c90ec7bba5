"""Reads a log of the store, and the sealed bundle that its entries make.

No time limit is enforced and no standing pass is played meanwhile, as a service would do for a player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.audit.bundles.export import SEALED, BundleMetadata, build_bundle_lines
from referee.audit.bundles.format import Bundle, decode_bundle, encode_bundle
from referee.audit.checks import randomness
from referee.audit.tournaments.export import build_tournament_bundle_lines
from referee.eventstore.contract import Head
from referee.match.aggregate import Match
from referee.match.entries import effective_entries, replay_entries
from referee.match.loaded import LoadedMatch
from referee.repository.matches import SNAPSHOT_RULES, encode_snapshot
from referee.service.match_service import MatchService
from referee.service.tournament_service import TournamentService
from referee.tournament.state import LOTS, is_tournament_id


@dataclass(frozen=True)
class StoredLog:
    """A log of the store.

    `secrets` are the server's own, so that draws are checked before the end. `wrong_snapshot` is the version of a
    snapshot that is not what the entries make; 0 if there is none.
    """

    head: Head
    bundle: Bundle
    secrets: Mapping[int, bytes]
    wrong_snapshot: int = 0


def read_stored_log(service: MatchService, name: str, metadata: BundleMetadata) -> StoredLog:
    """Return the log of a match or a tournament.

    It raises whatever a damaged log makes of itself, and StoreUnavailable.
    """
    draws = service.appender.draws
    if is_tournament_id(name):
        tournaments = TournamentService(service)
        head = tournaments.repository.read(name).head
        lines = build_tournament_bundle_lines(tournaments, name, SEALED, metadata)
        return StoredLog(head, decode_bundle(encode_bundle(lines)), {LOTS: draws.secret(name, LOTS)})
    loaded, odd = _replay_match(service, name)
    lines = build_bundle_lines(service, loaded, SEALED, metadata)
    secrets = {
        generation: randomness.get_secret(draws, name, generation)
        for generation, _ in enumerate(randomness.list_commitments(loaded.match))
    }
    return StoredLog(loaded.head, decode_bundle(encode_bundle(lines)), secrets, odd)


def _replay_match(service: MatchService, match: str) -> tuple[LoadedMatch, int]:
    """Return the match that its entries make, and the version of a wrong snapshot."""
    reading = service.log.read(match, limit=0)
    head = reading.head
    assert head is not None
    entries = service.repository.load_entries(match, 0, head.version)
    if not entries:
        raise ValueError("there are no entries")
    state = replay_entries(Match(), effective_entries(entries))
    kept, odd = reading.snapshot, 0
    if kept is not None and kept.rules == SNAPSHOT_RULES:
        upto = [entry for entry in entries if entry.version <= kept.version]
        due = encode_snapshot(upto[-1].root, replay_entries(Match(), effective_entries(upto))) if upto else b""
        odd = kept.version if due != kept.body else 0
    return LoadedMatch(state, entries[-1].version, head, reading), odd
