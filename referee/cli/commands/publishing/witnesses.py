"""`referee roots witness` and `referee witness serve`: cosignatures of root logs."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from referee.audit.bundles.files import PublicKeyError, parse_public_key
from referee.cli.commands.running.keys import open_log
from referee.cli.output import print_json, print_notice
from referee.infrastructure.composition import build_publisher
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.publication.cosigned import COSIGNED_FILE, CosignedFile, Witness, collect_cosignatures
from referee.infrastructure.publication.witness import WatchingWitness, build_server
from referee.infrastructure.secrets import make_private_dir
from referee.infrastructure.settings import Settings
from referee.transparency.cosignatures import WitnessKey, parse_witness_key
from referee.transparency.receipts import is_note_name

KEY_FILE = "witness.pem"
VERIFIER_KEY = re.compile(r"([^+\s]+)\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*")


def cosign_roots(settings: Settings, witnesses: Sequence[tuple[str, str]], *, as_json: bool) -> int:
    """Ask witnesses, print who cosigned, and return 1 if one did not.

    Raises HostError, StoreNotFoundError, UsageError (no key of a witness).
    """
    asked = [Witness(url, _parse_witness(key)) for url, key in witnesses]
    with open_log(settings) as log:
        publisher = build_publisher(settings, log)
        note, found, failed = collect_cosignatures(publisher, CosignedFile(settings.data_dir / COSIGNED_FILE), asked)
    if as_json:
        signed = [{"witness": each.witness.name, "time": _format_time(each.at_s)} for each in found]
        print_json({"note": note, "cosigned": signed, "failed": [str(each) for each in failed]})
    else:
        for each in found:
            click.echo(f"{each.witness.name} cosigned {note.split(chr(10))[1]} leaves at {_format_time(each.at_s)}")
        for wrong in failed:
            print_notice(f"referee: {wrong}")
    return 1 if failed else 0


def _parse_witness(text: str) -> WitnessKey:
    try:
        return parse_witness_key(text)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong


def _format_time(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def run_witness(folder: Path, name: str, logs: Sequence[str], host: str, port: int) -> None:
    """Serve a witness until it is told to stop.

    Raises HostError, UsageError (a wrong name or key).
    """
    if not is_note_name(name):
        raise click.UsageError("the name of a witness is one word without '+'")
    watched = [_parse_log(text) for text in logs]
    make_private_dir(folder)
    witness = WatchingWitness(load_signer(folder / KEY_FILE), name, watched, folder)
    with build_server(witness, host, port) as server:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
        click.echo(witness.key.encode())
        click.echo(f"http://{host}:{server.server_address[1]}")
        server.serve_forever()


def _parse_log(text: str) -> tuple[str, bytes]:
    """Return origin and public key of a log's verifier key. Raises UsageError."""
    try:
        public = parse_public_key(text)
    except PublicKeyError as wrong:
        raise click.UsageError(f"--log: {wrong}") from wrong
    named = VERIFIER_KEY.fullmatch(text.strip())
    if named is None:
        raise click.UsageError("--log: a verifier key names its log, as in `verifier_keys` of GET /v1/keys")
    return named[1], public
