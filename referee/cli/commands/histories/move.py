"""`referee move`: lets a running match go to another server, as a file that `referee import` takes in there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from referee.audit.bundles.format import written
from referee.audit.checks.findings import TEXTS
from referee.cli.commands.histories.export import put
from referee.cli.commands.histories.verify import key_of
from referee.cli.commands.rulings.judge import NoInput, NoOutput
from referee.cli.commands.running.keys import reached
from referee.cli.exit_codes import Misused
from referee.cli.output import print_json
from referee.engine.game import Malformed
from referee.engine.rulings import Refused
from referee.eventstore.contract import partition_of
from referee.games import games
from referee.infrastructure import composition
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.settings import Settings
from referee.match.errors import Away
from referee.rendering.html import shown
from referee.service.match_service import Behind, Loaded, UnknownMatch
from referee.transfer.export_import import Moving

REFUSED = 1


def move(
    settings: Settings, match: str, output: Path, new_home: str, key: str | None, *, lang: str, as_json: bool
) -> int:
    """Lets a match go and writes its file; the exit code: 1 if it is refused. Whoever calls again gets the same file.

    Raises HostError, NoStore, NoInput (no such match), NoOutput, Misused (no address, no key).
    """
    to = b"" if key is None else key_of(key)
    try:
        partition_of(match)
    except ValueError as wrong:
        raise NoInput(str(wrong)) from wrong
    writable(output)
    games()  # what a log holds is read with the words of its game
    with reached(settings, plays=True) as log:
        desk, publisher = composition.desk(settings, log), composition.publisher(settings, log)
        moving = Moving(desk, Archive(settings.archive), publisher)
        try:
            left = moving.leave(match, new_home, to)
        except UnknownMatch as wrong:
            raise NoInput(f"there is no match {match}") from wrong
        except Malformed as wrong:
            raise Misused("--new-home is no address (http:// or https://, without a query)") from wrong
        except (Away, Refused, Behind) as wrong:
            return _refused(match, wrong, lang, as_json=as_json)
        put(written(moving.file(left)), output, private=True)
    _tell(left, output, new_home, to, lang, as_json=as_json)
    return 0


def writable(output: Path) -> None:
    """Raises NoOutput where no file can be written: better now than once the match has gone."""
    folder = output.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK) or output.is_dir():
        raise NoOutput(f"{output} cannot be written: no such directory, or not yours")


def _refused(match: str, wrong: Away | Refused | Behind, lang: str, *, as_json: bool) -> int:
    why = wrong.why if isinstance(wrong, Away) else "busy" if isinstance(wrong, Behind) else "over"
    why = why if why in ("archived", "frozen", "busy", "over") else "store"
    if as_json:
        print_json({"match": match, "state": "refused", "why": why})
    else:
        click.echo(TEXTS[f"move.{why}"][lang].format(match=match), err=True)
    return REFUSED


def _tell(left: Loaded, output: Path, new_home: str, to: bytes, lang: str, *, as_json: bool) -> None:
    gone = left.match.gone
    assert gone is not None
    told: dict[str, Any] = {
        "match": left.match.id, "state": "moved", "version": left.version, "file": str(output),
        "new_home": gone.new_home or None, "to": gone.to or None,
    }  # fmt: skip
    if as_json:
        print_json(told)
        return
    click.echo(TEXTS["move.moved"][lang].format(match=left.match.id, version=left.version, file=shown(str(output))))
    if (new_home and new_home != gone.new_home) or (to and to.hex() != gone.to):
        click.echo(TEXTS["move.as_before"][lang].format(new_home=gone.new_home or "–", to=gone.to or "–"))
    click.echo(TEXTS["move.secret"][lang])
    click.echo(TEXTS["move.for_one" if gone.to else "move.for_any"][lang].format(key=gone.to))
    click.echo(TEXTS["move.left_behind"][lang])
