"""`referee stamp`: a timestamp over the newest checkpoint of the root log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from referee.cli.commands.running.keys import open_log
from referee.cli.output import print_json
from referee.infrastructure.composition import build_publisher
from referee.infrastructure.publication.stamp_files import STAMPS_FOLDER
from referee.infrastructure.publication.stamps import read_certificates, request_stamp
from referee.infrastructure.settings import Settings


def stamp_roots(
    settings: Settings, url: str, certificates: Sequence[Path], folder: Path | None, *, as_json: bool
) -> None:
    """Get a timestamp, keep it, and print what it says.

    Raises HostError, StoreNotFoundError.
    """
    trusted = [each for path in certificates for each in read_certificates(path)]
    with open_log(settings) as log:
        size, _, note = build_publisher(settings, log).sign_checkpoint()
    kept, stamp = request_stamp(url, note, trusted, folder or settings.data_dir / STAMPS_FOLDER)
    at = stamp.at.strftime("%Y-%m-%dT%H:%M:%SZ")
    if as_json:
        print_json({"size": size, "time": at, "authority": stamp.authority, "folder": str(kept)})
    else:
        click.echo(f"{size} leaves existed by {at}, according to {stamp.authority}: {kept}")
