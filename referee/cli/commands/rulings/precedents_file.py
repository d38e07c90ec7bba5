"""Reads the house rulings that `referee judge --precedents` is to judge by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from referee.audit.bundles.files import parse_bundle_bytes
from referee.audit.bundles.format import BundleError
from referee.audit.checks.rules import UnjudgeableError, run_guarded
from referee.cli.bundle_view import decode_entries, replay_bundle_entries
from referee.cli.commands.rulings.judge import InvalidDataError, UnreadableInputError
from referee.queries.dispute_views import precedent_response

MAX_BYTES = 64 * 1024 * 1024


def read_precedents(path: Path) -> list[dict[str, Any]]:
    """Return the house rulings in a file, as the API lists them.

    The file is output of `referee precedents MATCH --json`, or a bundle. Raises UnreadableInputError, InvalidDataError.
    """
    try:
        with path.open("rb") as source:
            raw = source.read(MAX_BYTES)
    except OSError as wrong:
        raise UnreadableInputError(f"{path} cannot be read: {wrong.strerror}") from wrong
    try:
        listed = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return _read_bundle_precedents(raw, path.name)
    kept = listed.get("precedents", listed.get("items")) if isinstance(listed, dict) else None
    if not isinstance(kept, list):
        raise InvalidDataError(f"{path.name} lists no house rulings; write it with `referee precedents MATCH --json`")
    return kept


def _read_bundle_precedents(raw: bytes, name: str) -> list[dict[str, Any]]:
    try:
        bundle = parse_bundle_bytes(raw)
    except BundleError as wrong:
        detail = "neither output of `referee precedents MATCH --json` nor an exported match"
        raise InvalidDataError(f"{name} is {detail}: {wrong}") from wrong
    try:
        match = run_guarded(lambda: replay_bundle_entries(list(decode_entries(bundle))))
    except UnjudgeableError as wrong:
        raise InvalidDataError(f"the match in {name} cannot be read: {wrong}") from wrong
    return [precedent_response(match, each) for each in match.precedents]
