"""The commands that copy a server and put it back."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.cli.options import AS_JSON, DATA_DIR, load_settings


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--without-store", is_flag=True, help="Copy keys and archive only.")
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="Make a folder in DIR that is named by the time, and remove the oldest beyond N.",
)
@click.option("--every", type=click.FloatRange(0.001), metavar="HOURS", help="Go on, with a copy every so many hours.")
@DATA_DIR
@AS_JSON
def backup(
    folder: Path, *, without_store: bool, keep: int | None, every: float | None, data_dir: Path | None, as_json: bool
) -> None:
    """Copy keys, store and archive to DIR while the server runs.

    `referee serve --data-dir DIR` starts from the copy; `referee restore DIR` puts it into a store of your own. It
    holds every write that was acknowledged before the command. DIR appears only after a store server has read the copy.
    The exit code is 1 if matches in it are damaged, as they are in the original.
    """
    from referee.cli.commands.running import backup as copying

    settings, store = load_settings(data_dir), not without_store
    if keep is None:
        if every is not None:
            raise click.UsageError("--every makes many copies; say with --keep how many stay")
        sys.exit(copying.run_backup(settings, folder, store=store, as_json=as_json))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if every is None:
        sys.exit(copying.run_dated_backup(settings, folder, store=store, as_json=as_json, keep=keep))
    copying.run_backups(settings, folder, store=store, as_json=as_json, keep=keep, every_hours=every)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@DATA_DIR
@AS_JSON
def restore(folder: Path, *, data_dir: Path | None, as_json: bool) -> None:
    """Put a backup into an empty store of your own.

    The store is the one that REFEREE_STORE_URL names. Stop API and workers first. DIR is a folder that `referee backup`
    made; keys and archive go to the data directory. If the marks of this server are still there, matches that lack
    what was signed are frozen; the exit code is 1 then. A restore that was interrupted can be repeated.
    """
    from referee.cli.commands.running.backup import run_restore

    sys.exit(run_restore(load_settings(data_dir), folder, as_json=as_json))


COMMANDS = (backup, restore)
