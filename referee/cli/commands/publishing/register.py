"""The commands that publish the root log.

As in `main`, each command imports its code only when it runs.
"""

from __future__ import annotations

import sys
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


@roots.command("witness")
@click.option(
    "--at",
    "witnesses",
    nargs=2,
    multiple=True,
    required=True,
    metavar="URL KEY",
    help="A witness's address and verifier key (may be given several times).",
)
@DATA_DIR
@AS_JSON
def ask_witnesses(*, witnesses: tuple[tuple[str, str], ...], data_dir: Path | None, as_json: bool) -> None:
    """Ask witnesses to cosign the newest checkpoint of the root log.

    The protocol is C2SP tlog-witness. From then on the server shows that checkpoint with their signatures, and so do
    the files of `referee roots tiles`. The exit code is 1 if a witness did not cosign; the others' signatures are kept.
    """
    from referee.cli.commands.publishing.witnesses import cosign_roots

    sys.exit(cosign_roots(load_settings(data_dir), witnesses, as_json=as_json))


@click.group()
def witness() -> None:
    """Watch the root logs of other servers."""


@witness.command("serve")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--name", required=True, help="The name of the witness: an address without https://, in one word.")
@click.option(
    "--log", "logs", multiple=True, required=True, metavar="KEY",
    help="The verifier key of a root log, from GET /v1/keys of its server (may be given several times).",
)  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True, help="0: any free one.")
def serve_witness(*, folder: Path, name: str, logs: tuple[str, ...], host: str, port: int) -> None:
    """Cosign the root logs of other servers as long as they only grow.

    FOLDER keeps the key of the witness and the latest checkpoint of each log. The protocol is C2SP tlog-witness. Let a
    web server with HTTPS stand before it.
    """
    from referee.cli.commands.publishing.witnesses import run_witness

    run_witness(folder, name, logs, host, port)


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


COMMANDS = (roots, witness, stamp)
