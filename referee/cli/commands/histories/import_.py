"""`referee import`: matches of any server, taken in: finished ones to be read, running ones to be played on."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from referee.audit.bundles.export import MOVING
from referee.audit.bundles.files import bundle_at
from referee.audit.bundles.format import BadBundle
from referee.audit.bundles.importing import TAKEN, Importing, NotTaken
from referee.audit.checks.findings import TEXTS, Report
from referee.audit.checks.verifier import unreadable
from referee.audit.reporting import as_data, as_lines
from referee.cli.commands.histories.verify import key_of
from referee.cli.commands.rulings.judge import NoInput
from referee.cli.commands.running.keys import reached
from referee.cli.output import print_json
from referee.eventstore.contract import MatchLog
from referee.games import games
from referee.infrastructure import composition
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import Origins
from referee.infrastructure.errors import HostError
from referee.infrastructure.secrets import derived, server_secret
from referee.infrastructure.settings import Settings
from referee.rendering.html import shown
from referee.transfer.export_import import Moving

READS_ALL = orjson.dumps({"role": "auditor", "seats": []})  # what a token lets its bearer do, as the API reads it
REFUSED = 1


def take_in(settings: Settings, files: Sequence[Path], keys: Sequence[str], *, lang: str, as_json: bool) -> int:
    """Takes files in, and says what became of each; the exit code: that of the gravest finding of the first file that
    is not sound, or 1 if one was refused otherwise. Raises NoInput, Misused (no key), NoStore."""
    trusted = [key_of(key) for key in keys]
    games()  # what a bundle holds is read with the words of its game
    with reached(settings) as log:
        publisher, archive = composition.publisher(settings, log), Archive(settings.archive)
        importing = Importing(log, archive, publisher.store, [key.public for key in publisher.chain()])
        moving = Moving(composition.desk(settings, log), archive, publisher)
        key = derived(server_secret(settings.secret_file), "imports")
        found = [_one(importing, moving, path, trusted, key) for path in files]
    if as_json:
        print_json({"files": [told for told, _ in found]})
    else:
        for told, report in found:
            _say(told, report, lang)
    return next((code for told, report in found if (code := _code(told, report))), 0)


def _one(
    importing: Importing, moving: Moving, path: Path, trusted: list[bytes], key: bytes
) -> tuple[dict[str, Any], Report | None]:
    told: dict[str, Any] = {"file": str(path), "match": None, "state": "refused"}
    try:
        bundle = bundle_at(path)
        told["match"] = bundle.header.match
        moves = bundle.header.eyes == MOVING
        state, report = moving.take(bundle, trusted) if moves else importing.take(bundle, trusted)
    except OSError as wrong:
        raise NoInput(f"{path} cannot be read: {wrong.strerror}") from wrong
    except BadBundle as wrong:
        broken = unreadable("", wrong)
        return told | {"why": "unsound", "detail": str(wrong), "report": as_data(broken)}, broken
    except NotTaken as wrong:
        report_too = {} if wrong.report is None else {"report": as_data(wrong.report)}
        return told | {"why": wrong.why, "detail": str(wrong), **report_too}, wrong.report
    except HostError as wrong:
        return told | {"why": "failed", "detail": str(wrong)}, None
    told |= {"state": state, "goes_on": moves, "report": as_data(report)}
    if not moves and Origins(importing.archive).of(bundle.header.match) is not None:
        told["token"] = let_in(importing.log, bundle.header.match, key)
    return told, report


def let_in(log: MatchLog, match: str, key: bytes) -> str:
    """The token of an auditor of a match from elsewhere: nobody here has one of it. It is the same each time."""
    token = "rfs_" + base64.urlsafe_b64encode(hmac.digest(key, match.encode(), "sha256")).rstrip(b"=").decode()
    log.grant(match, hashlib.sha256(token.encode()).hexdigest(), READS_ALL)
    return token


def _say(told: dict[str, Any], report: Report | None, lang: str) -> None:
    state = "goes_on" if told.get("goes_on") and told["state"] == TAKEN else told["state"]
    says = TEXTS[f"import.{state}" if state != "refused" else f"import.why.{told['why']}"][lang]
    detail = f" ({told['detail']})" if told.get("why") in ("failed", "luggage", "book", "store", "other") else ""
    click.echo(f"{shown(told['file'])}: {shown(says.format(match=told['match'] or '–'))}{shown(detail)}")
    if "token" in told:
        click.echo(f"  who reads it needs this token, if it is private or for all of it: {told['token']}")
    if report is not None and (told["state"] == TAKEN or not report.sound):
        for each in as_lines(report, lang):
            click.echo(f"  {shown(each)}")


def _code(told: dict[str, Any], report: Report | None) -> int:
    if told["state"] != "refused":
        return 0
    return REFUSED if report is None or report.sound else report.exit_code
