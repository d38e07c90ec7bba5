"""`referee projections`: shows their progress, or rebuilds them.

The workers do both, in a child process, because this room may not import them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from tempfile import TemporaryFile

import click

from referee.cli.commands.running.serve import build_child_environment
from referee.cli.output import print_json
from referee.cli.progress import show_progress
from referee.infrastructure.embedded.servers import find_store_url
from referee.infrastructure.errors import HostError, StoreNotFoundError
from referee.infrastructure.settings import Settings

PROGRESS_LINE = '{"progress":'  # how the lines of a rebuild begin that say how far it is


def print_progress(settings: Settings, *, as_json: bool) -> None:
    """Print how many entries each projection has read.

    Raises HostError, StoreNotFoundError.
    """
    done = run_worker_command(settings, "list")
    if done.returncode:
        kind = StoreNotFoundError if done.returncode == StoreNotFoundError.exit_code else HostError
        raise kind(done.stderr.strip())
    views = [json.loads(line) for line in done.stdout.splitlines()]
    if as_json:
        print_json({"projections": views})
        return
    for view in views:
        click.echo(f"{view['name']:<12} build {view['build']}  {view['read']} entries read, {view['lag']} to come")


def rebuild_views(settings: Settings, names: tuple[str, ...]) -> int:
    """Rebuild projections, all if none is named, and return the exit code.

    The code is 1 if a live projection was wrong, 2 if there is no such projection, 69 if the store is away. Raises
    StoreNotFoundError.
    """
    with show_progress("projections") as note:

        def show(line: str) -> bool:
            if not line.startswith(PROGRESS_LINE):
                return True
            told = json.loads(line)
            note(told["progress"], told["of"], told["name"])
            return False

        done = run_worker_command(settings, "rebuild", "--progress", *(names or ("all",)), keep_line=show)
    click.echo(done.stdout, nl=False)
    click.echo(done.stderr, nl=False, err=True)
    return done.returncode


def run_worker_command(
    settings: Settings, *arguments: str, keep_line: Callable[[str], bool] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of the workers against the store.

    It is the store that the settings name, or the one that a server runs in their data directory. `keep_line` is
    given each line as it is printed, and says whether it is a part of the output. Raises StoreNotFoundError.
    """
    url = settings.store_url or find_store_url(settings.data_dir)
    if url is None:
        raise StoreNotFoundError(
            f"no server runs in {settings.data_dir}; start `referee serve`, or set REFEREE_STORE_URL"
        )
    words = [sys.executable, "-m", "workers", *arguments]
    environment = build_child_environment(replace(settings, store_url=url))
    with (
        TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True) as child,  # noqa: S603  (this program itself)
    ):
        output = "".join(line for line in child.stdout or () if keep_line is None or keep_line(line))
        code = child.wait()
        errors.seek(0)
        return subprocess.CompletedProcess(words, code, output, errors.read())
