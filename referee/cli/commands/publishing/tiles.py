"""`referee roots tiles`: publishes the root log as files."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.commands.running.keys import open_log
from referee.cli.output import print_json
from referee.infrastructure.composition import build_publisher
from referee.infrastructure.publication import tile_folder
from referee.infrastructure.settings import Settings


def write_tile_folder(settings: Settings, folder: Path, *, entries: bool, as_json: bool) -> None:
    """Bring a folder of tiles to the root log as it is.

    Raises HostError, StoreNotFoundError.
    """
    with open_log(settings) as log:
        done = tile_folder.write_tiles(build_publisher(settings, log), folder, entries=entries)
    if as_json:
        print_json({"size_before": done.size_before, "size": done.size, "files": done.files})
    else:
        click.echo(f"{folder}: {done.size} leaves ({done.size_before} before), {done.files} new tiles")
