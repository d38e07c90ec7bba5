"""`referee history`: what was signed and is lost, and what the host accepts."""

from __future__ import annotations

from collections.abc import Sequence

import click

from referee.cli.commands.running.keys import open_log
from referee.cli.output import print_json
from referee.eventstore.contract import MatchLog, StoreUnavailable
from referee.infrastructure.clients import STORE_ERRORS, build_store_client
from referee.infrastructure.composition import build_random_source, open_signed_history
from referee.infrastructure.errors import HostError
from referee.infrastructure.integrity_check import check_match_log, find_lost_histories
from referee.infrastructure.root_publisher import ORIGIN_SUFFIX
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.guard import SignedHistory
from referee.infrastructure.watermarks.mark_file import Mark
from referee.infrastructure.watermarks.sharing import read_folder_id, take_over_store
from referee.match.errors import MatchUnavailable


def print_lost(settings: Settings, *, as_json: bool) -> int:
    """Print the logs that lack what was signed of them; return 1 if there are any.

    Raises HostError, StoreNotFoundError.
    """
    history = open_signed_history(settings)
    with open_log(settings) as log:
        lost = _list_lost(log, history)
    if as_json:
        print_json({"lost": lost, "journal": history.journal.read_lines()})
    else:
        for name in lost:
            click.echo(f"{name}: receipts were given for what it no longer has")
        if not lost:
            click.echo("every log has what was signed of it")
    return 1 if lost else 0


def accept_histories(settings: Settings, names: Sequence[str], reason: str, *, everything: bool, as_json: bool) -> None:
    """Take logs as they are now, put that on record, and let their matches go on.

    `everything` means all that lack what was signed of them. Raises HostError, StoreNotFoundError.
    """
    history = open_signed_history(settings)
    with open_log(settings) as log:
        lost = _list_lost(log, history)
        chosen = lost if everything else [name for name in names if name in lost or _is_stopped(log, history, name)]
        done = [_accept(settings, log, history, name, reason) for name in chosen]
    if as_json:
        print_json({"accepted": [{"log": name, "was": was, "is": now} for name, was, now in done]})
        return
    for name, was, now in done:
        click.echo(f"{name}: signed up to {was}, goes on from {now}")
    for name in names:
        if name not in chosen:
            click.echo(f"{name}: nothing is lost, and nothing was changed")
    if everything and not done:
        click.echo("nothing is lost")


def claim_store(settings: Settings, reason: str) -> None:
    """Take this folder of marks as the one of the store, on record.

    Raises HostError.
    """
    folder = settings.watermarks_path
    if settings.store_url is None:
        raise HostError("REFEREE_STORE_URL is not set; a server with a store of its own has its own folder of marks")
    try:
        before = take_over_store(build_store_client(settings), folder)
        open_signed_history(settings).journal.note_claimed(before, reason)
    except (OSError, *STORE_ERRORS) as wrong:
        raise HostError(f"the folder of marks was not taken: {wrong}") from wrong
    other = before if before != read_folder_id(folder) else ""
    click.echo(f"the marks of this store are in {folder} now" + (f", no longer in folder {other}" if other else ""))


def _list_lost(log: MatchLog, history: SignedHistory) -> list[str]:
    return sorted({*history.journal.list_lost(), *(name for name, _ in find_lost_histories(log, history))})


def _is_stopped(log: MatchLog, history: SignedHistory, name: str) -> bool:
    """Return whether a log that has what was signed of it does not go on.

    Raises HostError if there is no such log.
    """
    if name == ORIGIN_SUFFIX:
        return False
    try:
        head = log.read(name, after=1, limit=0).head
    except ValueError as wrong:  # it is no id
        raise HostError(str(wrong)) from wrong
    if head is None and history.marks.find(name) is None:
        raise HostError(f"there is no match {name}, and no receipt was given for one")
    return head is not None and head.status == "frozen"


def _accept(settings: Settings, log: MatchLog, history: SignedHistory, name: str, reason: str) -> tuple[str, int, int]:
    """Accept one log; return its name, the size signed, and its size now.

    Raises HostError.
    """
    mark: Mark | None = None
    try:
        if name == ORIGIN_SUFFIX:
            roots = log.read_roots_head()
            mark = Mark(roots.size, roots.root) if roots.size else None
        elif (head := log.read(name, limit=0).head) is not None:
            if head.status != "archived" and (damage := check_match_log(log, name, build_random_source(settings).salt)):
                raise HostError(f"{damage}; a damaged match cannot be accepted")
            mark = Mark(head.version, head.root)
    except (ValueError, MatchUnavailable) as wrong:  # it is no id, or its file is no help
        raise HostError(str(wrong)) from wrong
    except StoreUnavailable as away:
        raise HostError(f"the store does not answer: {away}") from away
    was = history.accept(name, mark, reason)
    if name != ORIGIN_SUFFIX:
        log.unfreeze_match(name)
    return name, was.size if was else 0, mark.size if mark else 0
