"""`referee move`: releases a running match to another server.

It writes a file that `referee import` takes in there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
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
from referee.infrastructure.embedded.servers import find_store_url
from referee.infrastructure.settings import Settings
from referee.match.aggregate import Match
from referee.match.errors import MatchUnavailable, UnknownMatch, VersionConflict
from referee.match.events.dispute_state import TransferProposal
from referee.match.loaded import LoadedMatch
from referee.match.table.transfer_policy import find_awaited_seats
from referee.rendering.html import sanitize_line
from referee.transfer.export_import import MatchTransfer

REFUSED = 1
ASKED = 75  # EX_TEMPFAIL of sysexits.h: call again
POLL_SECONDS = 1.0


@dataclass(frozen=True)
class Destination:
    """Where a match is to go: its file, the other server's address, its key.

    `to` is the public key of the only server that may import it; empty: any.
    """

    output: Path
    new_home: str
    to: bytes


@dataclass(frozen=True)
class Consent:
    """How the table is asked.

    - `wait`: how many seconds to wait for its answers.
    - `again`: ask again if it has refused.
    - `without`: move the match also if it has not agreed.
    """

    wait: int = 0
    again: bool = False
    without: bool = False


def move_match(
    settings: Settings, match: str, output: Path, new_home: str, key: str | None, consent: Consent, *, lang: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Release a match, write its file, and return the exit code.

    `key` is the only server that may import it; None: any. The code is 1 if the match or the table refuses, and 75 if
    the table has been asked and has not agreed yet. A repeated call writes the same file. Raises HostError,
    StoreNotFoundError, UnreadableInputError (no such match), UnwritableOutputError, CommandMisuseError (no address, no
    key).
    """
    going = Destination(output, new_home, b"" if key is None else read_public_key(key))
    try:
        partition_for_match(match)
    except ValueError as wrong:
        raise UnreadableInputError(str(wrong)) from wrong
    require_writable(output)
    load_games()  # entries are decoded with the classes of their game
    served = bool(settings.store_url or find_store_url(settings.data_dir))  # else nobody can answer while we wait
    with open_log(settings, plays=True) as log:
        service, publisher = composition.build_match_service(settings, log), composition.build_publisher(settings, log)
        moving = MatchTransfer(service, Archive(settings.archive_path), publisher)
        try:
            left = _release_match(moving, match, going, consent, time.monotonic() + (consent.wait if served else 0))
        except UnknownMatch as wrong:
            raise UnreadableInputError(f"there is no match {match}") from wrong
        except MalformedInput as wrong:
            raise CommandMisuseError("--new-home is not an address (http:// or https://, without a query)") from wrong
        except (MatchUnavailable, IllegalMove, VersionConflict) as wrong:
            return _print_refusal(match, wrong, lang, as_json=as_json)
        if not isinstance(left, LoadedMatch):
            return _print_question(service.load_match(match).match, left, lang, as_json=as_json)
        write_output(encode_bundle(moving.build_file_lines(left)), output, private=True)
        unagreed = moving.list_unagreed_seats(left)
    _print_transfer(left, going, unagreed, lang, as_json=as_json)
    return 0


def _release_match(
    moving: MatchTransfer, match: str, going: Destination, consent: Consent, until: float
) -> LoadedMatch | TransferProposal:
    """Return the match that has left, or the question if the table has not agreed.

    The table may agree until that time of the monotonic clock. Raises as `MatchTransfer.release_match`.
    """
    again = consent.again
    while True:
        try:
            return moving.release_match(match, going.new_home, going.to, without_consent=consent.without)
        except IllegalMove as wrong:
            if wrong.reason != "transfer_unagreed":
                raise
        asked = moving.propose_transfer(match, going.new_home, going.to, again=again)
        again = False  # one call does not press a table that says no
        if asked is None:
            continue  # everybody has agreed meanwhile
        if asked.stage == "refused" or time.monotonic() >= until:
            return asked
        time.sleep(POLL_SECONDS)


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


def _print_question(match: Match, asked: TransferProposal, lang: str, *, as_json: bool) -> int:
    """Print what the table says of a move, and return the exit code."""
    refused, awaited = asked.stage == "refused", sorted(find_awaited_seats(match, asked))
    if as_json:
        answers = {"granted": list(asked.granted), "against": list(asked.against), "asks": awaited}
        state = {"state": "refused", "why": "table"} if refused else {"state": "asked"}
        print_json({"match": match.id, **state, "question": asked.number, **answers})
    else:
        key, seats = ("move.table", asked.against) if refused else ("move.asked", awaited)
        text = TEXTS[key][lang].format(match=match.id, number=asked.number, players=_name_players(seats))
        click.echo(text, err=True)
    return REFUSED if refused else ASKED


def _name_players(seats: Iterable[int]) -> str:
    return ", ".join(str(seat + 1) for seat in seats)


def _print_transfer(
    left: LoadedMatch, going: Destination, unagreed: tuple[int, ...], lang: str, *, as_json: bool
) -> None:
    gone, to = left.match.gone, going.to.hex()
    assert gone is not None
    result: dict[str, Any] = {
        "match": left.match.id, "state": "moved", "version": left.version, "file": str(going.output),
        "new_home": gone.new_home or None, "to": gone.to or None, "unagreed": list(unagreed),
    }  # fmt: skip
    if as_json:
        print_json(result)
        return
    click.echo(
        TEXTS["move.moved"][lang].format(
            match=left.match.id, version=left.version, file=sanitize_line(str(going.output))
        )
    )
    if unagreed:
        click.echo(TEXTS["move.unagreed"][lang].format(players=_name_players(unagreed)))
    if (going.new_home and going.new_home != gone.new_home) or (to and to != gone.to):
        click.echo(TEXTS["move.as_before"][lang].format(new_home=gone.new_home or "–", to=gone.to or "–"))
    click.echo(TEXTS["move.secret"][lang])
    click.echo(TEXTS["move.for_one" if gone.to else "move.for_any"][lang].format(key=gone.to))
    click.echo(TEXTS["move.left_behind"][lang])
