"""`referee salvage`: recovers a damaged data directory into a new one."""

from __future__ import annotations

from pathlib import Path

import click

from referee.infrastructure.salvage.salvage import ASIDE, REPORT, salvage
from referee.infrastructure.settings import Settings

MAX_KEYS = 20  # that are named on the terminal; the report has all


def run_salvage(settings: Settings, folder: Path, *, as_json: bool) -> int:
    """Recover what is whole, report what is lost, and return the exit code.

    The code is 1 if anything is lost. Raises BackupFolderError, AlreadyServedError, StoreNotFoundError, HostError.
    """
    done = salvage(settings, folder)
    if as_json:
        click.echo((done.folder / REPORT).read_text("utf-8"), nl=False)
        return 0 if done.is_whole else 1
    click.echo(f"{done.folder}: {done.sound} matches are sound, {len(done.lost)} have lost something.")
    for misfit in done.misfits:
        click.echo(f"DAMAGED: {misfit}", err=True)
    for loss in done.lost:
        click.echo(f"LOST: {loss}", err=True)
    if done.parts:
        click.echo(f"LOST: {done.parts} parts of the files could not be read ({done.unread} bytes).", err=True)
    for key in done.keys[:MAX_KEYS]:
        click.echo(f"LOST, or older than it was: {key}", err=True)
    if len(done.keys) > MAX_KEYS:
        click.echo(f"... and {len(done.keys) - MAX_KEYS} more keys", err=True)
    if done.is_whole:
        click.echo("Nothing is lost.")
        return 0
    click.echo(f"{REPORT} there has all of it, and {ASIDE} the entries that were set aside, if there are any.")
    click.echo("A match that lost something is frozen at its last sound entry: it can be read and not go on.")
    click.echo("Then: referee serve --data-dir DIR, never beside the old one; referee projections rebuild;")
    click.echo("referee audit. Keep the old directory until then.")
    return 1
