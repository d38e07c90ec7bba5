"""`referee archive`: archives finished matches to files.

The workers do it, in a child process, because this room may not import them.
"""

from __future__ import annotations

import itertools
import json

import click

from referee.cli.commands.running.projections import run_worker_command
from referee.cli.output import print_json
from referee.cli.progress import show_progress
from referee.infrastructure.settings import Settings

STATE_TEXTS = {
    "archived": "archived",
    "already": "was archived before",
    "running": "is not over",
    "moved": "has moved to another server",
    "disputed": "is disputed",
    "claims": "may still be disputed; --now archives it anyway",
    "frozen": "is frozen: its log failed a check",
    "fork": "contradicts its own records: run `referee audit`",
    "unknown": "is not known here",
    "lost": "cannot be read back",
    "failed": "could not be archived",
}


def archive_matches(
    settings: Settings, matches: tuple[str, ...], *, older_than: int | None, now: bool, as_json: bool
) -> int:
    """Archive matches, report each, and return the exit code.

    Without `matches`, all that ended more than `older_than` days ago are archived. The code is 1 if one could not be
    archived. Raises StoreNotFoundError.
    """
    words = matches if older_than is None else ("--older-than", str(older_than))
    with show_progress("matches", len(matches) or None, is_hidden=as_json) as note:
        done_so_far = itertools.count(1)

        def count_line(_: str) -> bool:
            note(next(done_so_far))
            return True

        done = run_worker_command(settings, "archive", *(("--now",) if now else ()), *words, keep_line=count_line)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if as_json:
        print_json({"matches": found})
    else:
        for each in found:
            detail = f" ({each['detail']})" if "detail" in each else ""
            click.echo(f"{each['match']}  {STATE_TEXTS.get(each['state'], each['state'])}{detail}")
        if not found and not done.returncode:
            click.echo("nothing to archive")
    click.echo(done.stderr, nl=False, err=True)
    return done.returncode
