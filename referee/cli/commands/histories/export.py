"""`referee export`: the bundle of a match as a file, from the API or, sealed, from the store itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from referee.audit.bundles.export import PUBLIC, SEALED, WHOLE, beside, lines
from referee.audit.bundles.format import written
from referee.cli.client import Client
from referee.cli.commands.rulings.judge import NoInput, NoOutput
from referee.cli.exit_codes import Misused
from referee.eventstore.contract import partition_of
from referee.games import games
from referee.infrastructure import composition
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import Origins
from referee.infrastructure.disk import synced
from referee.infrastructure.embedded.servers import store_of
from referee.infrastructure.errors import NoStore
from referee.infrastructure.settings import Settings
from referee.match.errors import UnknownMatch

NDJSON = "application/x-ndjson"


def export(settings: Settings, match: str, eyes: str, output: Path | None) -> None:
    """Writes the bundle that the API gives for these eyes. Raises Misused (no such eyes), Problem, Unanswered,
    NoOutput."""
    if eyes not in (PUBLIC, WHOLE) and not (eyes.isascii() and eyes.isdecimal()):
        raise Misused("--eyes is public, full, or the number of a seat")
    own = {PUBLIC: "", WHOLE: "/full"}.get(eyes, f"/seats/{eyes}")
    path = f"/v1/matches/{quote(match, safe='')}{own}/bundle"
    put(Client(settings.api_url, settings.token).download(path, NDJSON), output)


def export_sealed(settings: Settings, match: str, output: Path | None) -> None:
    """Writes all that the store holds of a match, for the host's own keeping: while it runs, with every hand. Raises
    NoStore, NoInput (no such match), NoOutput."""
    url = settings.store_url or store_of(settings.data_dir)
    if url is None:
        raise NoStore(f"no server runs in {settings.data_dir}; start `referee serve`, or set REFEREE_STORE_URL")
    settings = replace(settings, store_url=url)
    try:
        partition_of(match)
    except ValueError as wrong:
        raise NoInput(str(wrong)) from wrong
    games()  # what a log holds is read with the words of its game
    desk = composition.desk(settings)
    try:
        told = beside(composition.publisher(settings, desk.log), Origins(Archive(settings.archive)))
        put(written(lines(desk, match, SEALED, told)), output, private=True)
    except UnknownMatch as wrong:
        raise NoInput(f"there is no match {match}") from wrong


def put(pieces: Iterable[bytes], output: Path | None, private: bool = False) -> None:
    """Writes a file whole or not at all (None: to standard output). Raises NoOutput."""
    if output is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    half = output.with_name(f".{output.name}.part")
    try:
        half.unlink(missing_ok=True)  # by somebody who was killed, or who waits for what is to be private
        mode = 0o600 if private else 0o644
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        half.replace(output)
        synced(output.parent)
    except OSError as wrong:
        raise NoOutput(f"{output} cannot be written: {wrong.strerror}") from wrong
    finally:
        half.unlink(missing_ok=True)
