"""The commands that publish the root log.

As in `main`, each command imports its code only when it runs.
"""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.options import AS_JSON, DATA_DIR, load_settings


@click.group()
def roots() -> None:
    """Publish the root log: the roots of all matches, and the keys."""


@roots.command("tiles")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--entries", is_flag=True, help="Also write what the leaves say. It names every match, private ones too.")
@DATA_DIR
@AS_JSON
def write_tiles(folder: Path, *, entries: bool, data_dir: Path | None, as_json: bool) -> None:
    """Write the root log to FOLDER as tiles, for a static host.

    The form is C2SP tlog-tiles. Only what is new is written, and the checkpoint last, so the command may be repeated
    and interrupted at any time. Without --entries the files hold hashes alone, as GET /v1/roots does. A log that FOLDER
    contradicts is refused.
    """
    from referee.cli.commands.publishing.tiles import write_tile_folder

    write_tile_folder(load_settings(data_dir), folder, entries=entries, as_json=as_json)


@click.command()
@click.option("--tsa", "url", required=True, metavar="URL", help="The address of the timestamp authority (RFC 3161).")
@click.option(
    "--certificate",
    "certificates",
    required=True,
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Certificates that vouch for the authority, up to the root, PEM or DER (may be given several times).",
)
@click.option(
    "--to", "folder", type=click.Path(file_okay=False, path_type=Path), help="Keep it here (default: DATA_DIR/stamps)."
)
@DATA_DIR
@AS_JSON
def stamp(
    url: str, certificates: tuple[Path, ...], *, folder: Path | None, data_dir: Path | None, as_json: bool
) -> None:
    """Get a timestamp over the newest checkpoint of the root log.

    The authority sees a hash and no more. Checkpoint, request and answer are kept if the answer is right, and
    `referee verify --stamps` or `openssl ts -verify` checks them. The server may be running.
    """
    from referee.cli.commands.publishing.stamp import stamp_roots

    stamp_roots(load_settings(data_dir), url, certificates, folder, as_json=as_json)


COMMANDS = (roots, stamp)
