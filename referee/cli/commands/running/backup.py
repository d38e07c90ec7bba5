"""`referee backup` and `restore`: copy all that a server starts from, and back."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from referee.cli.output import print_json, print_notice
from referee.cli.processes.stop_signals import StopSignals
from referee.cli.progress import show_progress
from referee.infrastructure.archives.backup import NOTE, create_backup
from referee.infrastructure.archives.restore import restore_backup
from referee.infrastructure.errors import HostError
from referee.infrastructure.settings import Settings

DATED = "%Y-%m-%dT%H-%M-%SZ"  # the name of a copy among several
RETRY_SECONDS = 300.0  # after a copy that failed


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
        if settings.store_url is None:
            click.echo("To serve it instead of this one: referee serve --data-dir DIR.")
        else:
            click.echo("To put it into an empty store: referee restore DIR.")
        click.echo("Never run both: with one key, two servers would write two histories of one match, and receipts")
        click.echo("would prove it.")
    else:
        click.echo(f"{done.folder}: keys and {done.archived} archived matches.")
        click.echo("NOT in it: the store. Copy that with its own tools, after this.")
    for damage in done.damaged:
        click.echo(f"DAMAGED, in the copy as in the original: {damage}", err=True)
    return 1 if done.damaged else 0


def run_dated_backup(settings: Settings, folder: Path, *, store: bool, as_json: bool, keep: int) -> int:
    """Make a backup named by the time, and remove the oldest beyond `keep`.

    Return the exit code of `run_backup`, and raise what it raises: then nothing is removed.
    """
    code = run_backup(settings, folder / datetime.now(UTC).strftime(DATED), store=store, as_json=as_json)
    for old in list_dated_backups(folder)[:-keep]:
        shutil.rmtree(old)
        print_notice(f"removed {old}")
    return code


def list_dated_backups(folder: Path) -> list[Path]:
    """Return the backups in a folder that are named by their time, the oldest first."""
    return sorted(path for path in folder.iterdir() if _is_dated(path.name) and (path / NOTE).is_file())


def _is_dated(name: str) -> bool:
    try:
        datetime.strptime(name, DATED)
    except ValueError:
        return False
    return True


def run_backups(settings: Settings, folder: Path, *, store: bool, as_json: bool, keep: int, every_hours: float) -> None:
    """Make a dated backup again and again until a stop signal comes.

    The signal ends the waiting; a copy that is being made is finished first. A backup that fails is reported and tried
    again soon.
    """
    with StopSignals(interrupts=False) as stopping:
        pause = 0.0
        while not stopping.wait_for_stop(pause):
            pause = every_hours * 3600
            try:
                run_dated_backup(settings, folder, store=store, as_json=as_json, keep=keep)
            except HostError as wrong:
                print_notice(f"NO BACKUP: {wrong}")
                pause = min(pause, RETRY_SECONDS)


def run_restore(settings: Settings, folder: Path, *, as_json: bool) -> int:
    """Put a backup into the settings' store, and return the exit code.

    The code is 1 if something is damaged or lacks what was signed. Raises RestoreError, StoreNotFoundError, HostError.
    """
    done = restore_backup(settings, folder)
    if as_json:
        print_json(json.loads(json.dumps(asdict(done), default=str)))
    else:
        click.echo(f"{done.keys} keys are in the store, and the server's own keys and archive in {settings.data_dir}.")
        click.echo("Rebuild what is computed from the logs once: referee projections rebuild")
    for damage in done.damaged:
        click.echo(f"FROZEN: {damage}", err=True)
    return 1 if done.damaged else 0
