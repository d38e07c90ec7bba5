"""Asks a server to prove that its logs only grew.

They are held against what files, receipts and checkpoints say.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from referee.audit.checks.findings import TEXTS, AuditFinding, FindingKind
from referee.audit.comparison import (
    ROOTS,
    Comparison,
    SignedHistory,
    SignedRoot,
    build_fork,
    check_growth,
    verify_statement,
)
from referee.cli.client import ApiClient, ProblemError
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulebook.messages import format_message

PER_LOG = 20  # the most proofs that are asked for of one log


def compare_with_server(
    client: ApiClient, found: Comparison, histories: Sequence[SignedHistory], trusted: Sequence[bytes]
) -> None:
    """Add to a comparison what the server at an address proves or fails to prove.

    Raises ApiUnavailableError. A match that the server does not show to everybody is noted, and is no finding.
    """
    answered = client.get("/v1/keys").body
    store, own = str(answered["store"]), [_decode(each["public"]) for each in answered["keys"]]
    keys = [*trusted, *own]
    origin = f"{store}/{ROOTS}"
    asked = {(each.size, each.root): each for each in found.logs if each.origin == origin and each.size}
    if asked:
        found.open_questions = [each for each in found.open_questions if each[0] != origin]
        _check_log(client, found, f"/v1/{ROOTS}", origin, list(asked.values()), keys)
    for match in dict.fromkeys(each.match for each in histories):
        origin = f"{store}/{match}"
        of_match = [each for history in histories if history.match == match for each in history.signed]
        of_match += [each for each in found.receipts if each.origin == origin]
        own_ones = {(each.size, each.root): each for each in of_match if each.origin == origin and each.size}
        if own_ones:
            _check_log(
                client, found, f"/v1/matches/{quote(match, safe='')}", origin, list(own_ones.values()), keys, histories
            )


def _check_log(
    client: ApiClient,
    found: Comparison,
    path: str,
    origin: str,
    signed: list[SignedRoot],
    keys: Sequence[bytes],
    histories: Sequence[SignedHistory] = (),
) -> None:
    """Compare what was signed of one log with the log as the server shows it now."""
    try:
        note = str(client.get(f"{path}/checkpoint").body["note"])
    except ProblemError as refused:
        _add_note(found, "compare.not_shown", log=origin[:100], detail=str(refused.body.get("title", refused.status)))
        return
    now = verify_statement(note, {origin: keys}, client.url)
    if now is None:
        params = {"number": 1, "about": note.partition("\n")[0][:100]}
        found.findings.append(AuditFinding(FindingKind.SIGNATURE, "compare.unsigned", None, params))
        return
    for each in sorted(signed, key=lambda one: -one.size)[:PER_LOG]:
        if each.size <= now.size:
            found.pairs += 1
            if (wrong := check_growth(each, now, _ask_for_path(client, path, each, now))) is not None:
                found.findings.append(wrong)
        elif not histories:
            found.pairs += 1
            found.findings.append(build_fork("compare.rolled_back", each, now))
        else:
            _compare_with_file(found, each, now, histories)


def _compare_with_file(
    found: Comparison, signed: SignedRoot, now: SignedRoot, histories: Sequence[SignedHistory]
) -> None:
    """Compare a server's shorter log of a match with a file that has more entries.

    A server may show strangers a match late, so that it has fewer is no finding.
    """
    holder = next((each for each in histories if each.source == signed.source and each.size >= now.size), None)
    if holder is None or not now.size:
        _add_note(found, "compare.behind", log=now.origin[:100], size=now.size, signed=signed.size)
        return
    found.pairs += 1
    ours = next((each for each in holder.find_signed(now.size) if each.key), None)
    if ours is not None and ours.root != now.root:
        found.findings.append(build_fork("compare.files", ours, now, version=now.size))


def _ask_for_path(client: ApiClient, path: str, one: SignedRoot, other: SignedRoot) -> list[bytes]:
    """Return the path that the server gives for a proof.

    An unusable answer is one that proves nothing.
    """
    if one.size == other.size:
        return []
    try:
        body: Any = client.get(f"{path}/proofs/consistency", **{"from": one.size, "to": other.size}).body
        return [_decode(each) for each in body["path"]]
    except (ProblemError, KeyError, TypeError, binascii.Error):
        return []


def _add_note(found: Comparison, key: str, **values: Any) -> None:
    found.notes.append({lang: format_message(TEXTS[key][lang], lang, values) for lang in LANGUAGES})


def _decode(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
