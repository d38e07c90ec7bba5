"""`referee export`: writes the bundle of a match or tournament to a file.

It comes from the API or, sealed, from the store itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from referee.audit.bundles.export import PUBLIC, SEALED, WHOLE, build_bundle_lines, collect_bundle_metadata
from referee.audit.bundles.format import encode_bundle
from referee.audit.tournaments.export import build_tournament_bundle_lines
from referee.cli.client import ApiClient
from referee.cli.commands.rulings.judge import UnreadableInputError, UnwritableOutputError
from referee.cli.exit_codes import CommandMisuseError
from referee.eventstore.contract import partition_for_match
from referee.games import load_games
from referee.infrastructure import composition
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import OriginStore
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.embedded.servers import find_store_url
from referee.infrastructure.errors import StoreNotFoundError
from referee.infrastructure.settings import Settings
from referee.match.errors import UnknownMatch
from referee.repository.tournaments import UnknownTournament
from referee.service.tournament_service import TournamentService
from referee.tournament.state import is_tournament_id

NDJSON = "application/x-ndjson"


def export_bundle(settings: Settings, match: str, viewer: str, output: Path | None) -> None:
    """Write the bundle that the API gives to a viewer.

    Raises CommandMisuseError (no such viewer), ProblemError, ApiUnavailableError, UnwritableOutputError.
    """
    if viewer not in (PUBLIC, WHOLE) and not (viewer.isascii() and viewer.isdecimal()):
        raise CommandMisuseError("--viewer must be public, full, or the number of a seat")
    looks = viewer if viewer in (PUBLIC, WHOLE) else f"seat:{viewer}"
    path = f"/v1/matches/{quote(match, safe='')}/bundle?viewer={looks}"
    if is_tournament_id(match):
        if looks != viewer:
            raise CommandMisuseError("a tournament has no seats: --viewer must be public or full")
        path = f"/v1/tournaments/{quote(match)}/exports/{viewer}.bundle"
    write_output(ApiClient(settings.api_url, settings.token).download(path, NDJSON), output)


def export_sealed(settings: Settings, match: str, output: Path | None) -> None:
    """Write all that the store holds of a match or tournament, for the host alone.

    While a match runs, this includes every hand. Raises StoreNotFoundError, UnreadableInputError (no such match),
    UnwritableOutputError.
    """
    url = settings.store_url or find_store_url(settings.data_dir)
    if url is None:
        raise StoreNotFoundError(
            f"no server runs in {settings.data_dir}; start `referee serve`, or set REFEREE_STORE_URL"
        )
    settings = replace(settings, store_url=url)
    try:
        partition_for_match(match)
    except ValueError as wrong:
        raise UnreadableInputError(str(wrong)) from wrong
    load_games()  # entries are decoded with the classes of their game
    service = composition.build_match_service(settings)
    try:
        metadata = collect_bundle_metadata(
            composition.build_publisher(settings, service.log), OriginStore(Archive(settings.archive_path))
        )
        if is_tournament_id(match):
            lines = build_tournament_bundle_lines(TournamentService(service), match, SEALED, metadata)
        else:
            lines = build_bundle_lines(service, match, SEALED, metadata)
        write_output(encode_bundle(lines), output, private=True)
    except (UnknownMatch, UnknownTournament) as wrong:
        kind = "tournament" if is_tournament_id(match) else "match"
        raise UnreadableInputError(f"there is no {kind} {match}") from wrong


def write_output(pieces: Iterable[bytes], output: Path | None, private: bool = False) -> None:
    """Write a file completely or not at all; None: write to standard output.

    `private`: only the owner may read it. Raises UnwritableOutputError.
    """
    if output is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    half = output.with_name(f".{output.name}.part")
    try:
        half.unlink(missing_ok=True)  # left by a killed process, or placed by somebody who wants to read a private file
        mode = 0o600 if private else 0o644
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        half.replace(output)
        sync_to_disk(output.parent)
    except OSError as wrong:
        raise UnwritableOutputError(f"{output} cannot be written: {wrong.strerror}") from wrong
    finally:
        half.unlink(missing_ok=True)
