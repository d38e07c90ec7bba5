"""`referee import`: imports matches of any server.

Finished matches are imported to be read, running ones to be played on.
"""

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
from referee.audit.bundles.files import read_bundle_file
from referee.audit.bundles.format import BundleError
from referee.audit.bundles.importing import IMPORTED, ImportRejected, MatchImporter
from referee.audit.checks.findings import TEXTS, AuditReport
from referee.audit.checks.verifier import build_unreadable_report
from referee.audit.reporting import render_report, report_to_dict
from referee.cli.commands.histories.verify import read_public_key
from referee.cli.commands.rulings.judge import UnreadableInputError
from referee.cli.commands.running.keys import open_log
from referee.cli.output import print_json
from referee.cli.progress import show_progress
from referee.eventstore.contract import MatchLog
from referee.games import load_games
from referee.infrastructure import composition
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import OriginStore
from referee.infrastructure.errors import HostError
from referee.infrastructure.secrets import derive_key, load_server_secret
from referee.infrastructure.settings import Settings
from referee.rendering.html import sanitize_line
from referee.transfer.export_import import MatchTransfer

AUDITOR_RIGHTS = orjson.dumps({"role": "auditor", "seats": []})  # the rights of a token, in the form that the API reads
REFUSED = 1


def import_files(settings: Settings, files: Sequence[Path], keys: Sequence[str], *, lang: str, as_json: bool) -> int:
    """Import files, report each, and return the exit code.

    It is the code of the first refused file: that of its gravest finding, or 1 if it is refused for another reason.
    Raises UnreadableInputError, CommandMisuseError (no key), StoreNotFoundError.
    """
    trusted = [read_public_key(key) for key in keys]
    found: list[tuple[dict[str, Any], AuditReport | None]] = []
    load_games()  # entries are decoded with the classes of their game
    with open_log(settings) as log:
        publisher, archive = composition.build_publisher(settings, log), Archive(settings.archive_path)
        importing = MatchImporter(log, archive, publisher.store, [key.public for key in publisher.load_chain()])
        moving = MatchTransfer(composition.build_match_service(settings, log), archive, publisher)
        key = derive_key(load_server_secret(settings.secret_file), "imports")
        with show_progress("files", len(files), is_hidden=as_json) as note:
            for path in files:
                found.append(_import_file(importing, moving, path, trusted, key))
                note(len(found))
    if as_json:
        print_json({"files": [result for result, _ in found]})
    else:
        for result, report in found:
            _print_result(result, report, lang)
    return next((code for result, report in found if (code := _find_exit_code(result, report))), 0)


def _import_file(
    importing: MatchImporter, moving: MatchTransfer, path: Path, trusted: list[bytes], key: bytes
) -> tuple[dict[str, Any], AuditReport | None]:
    result: dict[str, Any] = {"file": str(path), "match": None, "state": "refused"}
    try:
        bundle = read_bundle_file(path)
        result["match"] = bundle.header.match
        moves = bundle.header.eyes == MOVING
        state, report = moving.import_match(bundle, trusted) if moves else importing.import_match(bundle, trusted)
    except OSError as wrong:
        raise UnreadableInputError(f"{path} cannot be read: {wrong.strerror}") from wrong
    except BundleError as wrong:
        broken = build_unreadable_report("", wrong)
        return result | {"why": "unsound", "detail": str(wrong), "report": report_to_dict(broken)}, broken
    except ImportRejected as wrong:
        report_too = {} if wrong.report is None else {"report": report_to_dict(wrong.report)}
        return result | {"why": wrong.reason, "detail": str(wrong), **report_too}, wrong.report
    except HostError as wrong:
        return result | {"why": "failed", "detail": str(wrong)}, None
    result |= {"state": state, "goes_on": moves, "report": report_to_dict(report)}
    if not moves and OriginStore(importing.archive).find_origin(bundle.header.match) is not None:
        result["token"] = grant_auditor_token(importing.log, bundle.header.match, key)
    return result, report


def grant_auditor_token(log: MatchLog, match: str, key: bytes) -> str:
    """Grant an auditor's token for a match of another server, and return it.

    No other token of this server belongs to such a match. The token is the same each time.
    """
    token = "rfs_" + base64.urlsafe_b64encode(hmac.digest(key, match.encode(), "sha256")).rstrip(b"=").decode()
    log.put_grant(match, hashlib.sha256(token.encode()).hexdigest(), AUDITOR_RIGHTS)
    return token


def _print_result(result: dict[str, Any], report: AuditReport | None, lang: str) -> None:
    state = "goes_on" if result.get("goes_on") and result["state"] == IMPORTED else result["state"]
    says = TEXTS[f"import.{state}" if state != "refused" else f"import.why.{result['why']}"][lang]
    detail = f" ({result['detail']})" if result.get("why") in ("failed", "luggage", "book", "store", "other") else ""
    said = says.format(match=result["match"] or "–")
    click.echo(f"{sanitize_line(result['file'])}: {sanitize_line(said)}{sanitize_line(detail)}")
    if "token" in result:
        click.echo(f"  a private match, and all that was hidden, is read with this token: {result['token']}")
    if report is not None and (result["state"] == IMPORTED or not report.is_sound):
        for each in render_report(report, lang):
            click.echo(f"  {sanitize_line(each)}")


def _find_exit_code(result: dict[str, Any], report: AuditReport | None) -> int:
    if result["state"] != "refused":
        return 0
    return REFUSED if report is None or report.is_sound else report.exit_code
