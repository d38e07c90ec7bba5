"""`referee backup`: copies everything from which a server can be started."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from referee.cli.output import print_json
from referee.cli.progress import show_progress
from referee.infrastructure.archives.backup import create_backup
from referee.infrastructure.settings import Settings


def run_backup(settings: Settings, folder: Path, *, store: bool, as_json: bool) -> int:
    """Make a backup, report it, and return the exit code.

    The code is 1 if something in the copy is damaged. Raises BackupFolderError, StoreNotFoundError, HostError.
    """
    with show_progress("backup", is_hidden=as_json) as note:
        done = create_backup(
            settings, folder, store=store, note_progress=lambda what, done, total: note(done, total or None, what)
        )
    if as_json:
        print_json({**asdict(done), "folder": str(done.folder), "store": store})
        return 1 if done.damaged else 0
    if store:
        click.echo(f"{done.folder}: keys, {done.store_bytes} bytes of store, {done.archived} archived matches.")
        click.echo("A store server was started on the copy and has read all of it.")
        click.echo("To serve it instead of this one: referee serve --data-dir DIR. Never run both: with one key, two")
        click.echo("servers would write two histories of one match, and receipts would prove it.")
    else:
        click.echo(f"{done.folder}: keys and {done.archived} archived matches.")
        click.echo("NOT in it: the store. Copy that with its own tools, after this.")
    for damage in done.damaged:
        click.echo(f"DAMAGED, in the copy as in the original: {damage}", err=True)
    return 1 if done.damaged else 0
