"""`referee move`: releases a running match to another server.

It writes a file that `referee import` takes in there.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from referee.audit.bundles.format import encode_bundle
from referee.audit.checks.findings import TEXTS
from referee.cli.commands.histories.export import write_output
from referee.cli.commands.histories.verify import read_public_key
from referee.cli.commands.rulings.judge import UnreadableInputError, UnwritableOutputError
from referee.cli.commands.running.keys import open_log
from referee.cli.exit_codes import CommandMisuseError
from referee.cli.output import print_json
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.eventstore.contract import partition_for_match
from referee.games import load_games
from referee.infrastructure import composition
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.settings import Settings
from referee.match.errors import MatchUnavailable, UnknownMatch, VersionConflict
from referee.match.loaded import LoadedMatch
from referee.rendering.html import sanitize_line
from referee.transfer.export_import import MatchTransfer

REFUSED = 1


def move_match(
    settings: Settings, match: str, output: Path, new_home: str, key: str | None, *, lang: str, as_json: bool
) -> int:
    """Release a match, write its file, and return the exit code.

    `key` is the only server that may import it; None: any. The code is 1 if the match is refused. A repeated call
    writes the same file. Raises HostError, StoreNotFoundError, UnreadableInputError (no such match),
    UnwritableOutputError, CommandMisuseError (no address, no key).
    """
    to = b"" if key is None else read_public_key(key)
    try:
        partition_for_match(match)
    except ValueError as wrong:
        raise UnreadableInputError(str(wrong)) from wrong
    require_writable(output)
    load_games()  # entries are decoded with the classes of their game
    with open_log(settings, plays=True) as log:
        service, publisher = composition.build_match_service(settings, log), composition.build_publisher(settings, log)
        moving = MatchTransfer(service, Archive(settings.archive_path), publisher)
        try:
            left = moving.release_match(match, new_home, to)
        except UnknownMatch as wrong:
            raise UnreadableInputError(f"there is no match {match}") from wrong
        except MalformedInput as wrong:
            raise CommandMisuseError("--new-home is not an address (http:// or https://, without a query)") from wrong
        except (MatchUnavailable, IllegalMove, VersionConflict) as wrong:
            return _print_refusal(match, wrong, lang, as_json=as_json)
        write_output(encode_bundle(moving.build_file_lines(left)), output, private=True)
    _print_transfer(left, output, new_home, to, lang, as_json=as_json)
    return 0


def require_writable(output: Path) -> None:
    """Raise UnwritableOutputError if no file can be written there.

    This is checked before the match is released.
    """
    folder = output.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK) or output.is_dir():
        raise UnwritableOutputError(f"{output} cannot be written: no such directory, or not yours")


def _print_refusal(
    match: str, wrong: MatchUnavailable | IllegalMove | VersionConflict, lang: str, *, as_json: bool
) -> int:
    why = (
        wrong.reason
        if isinstance(wrong, MatchUnavailable)
        else "busy"
        if isinstance(wrong, VersionConflict)
        else "over"
    )
    why = why if why in ("archived", "frozen", "busy", "over") else "store"
    if as_json:
        print_json({"match": match, "state": "refused", "why": why})
    else:
        click.echo(TEXTS[f"move.{why}"][lang].format(match=match), err=True)
    return REFUSED


def _print_transfer(left: LoadedMatch, output: Path, new_home: str, to: bytes, lang: str, *, as_json: bool) -> None:
    gone = left.match.gone
    assert gone is not None
    result: dict[str, Any] = {
        "match": left.match.id, "state": "moved", "version": left.version, "file": str(output),
        "new_home": gone.new_home or None, "to": gone.to or None,
    }  # fmt: skip
    if as_json:
        print_json(result)
        return
    click.echo(
        TEXTS["move.moved"][lang].format(match=left.match.id, version=left.version, file=sanitize_line(str(output)))
    )
    if (new_home and new_home != gone.new_home) or (to and to.hex() != gone.to):
        click.echo(TEXTS["move.as_before"][lang].format(new_home=gone.new_home or "–", to=gone.to or "–"))
    click.echo(TEXTS["move.secret"][lang])
    click.echo(TEXTS["move.for_one" if gone.to else "move.for_any"][lang].format(key=gone.to))
    click.echo(TEXTS["move.left_behind"][lang])
