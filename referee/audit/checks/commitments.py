"""Checks a bundle's hidden parts and secrets against the commitments to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from referee.audit.bundles import envelopes
from referee.audit.bundles.export import FULL_VIEWERS, PUBLIC, WHOLE
from referee.audit.bundles.format import Bundle, EntryLine
from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.audit.checks.randomness import RENEWED
from referee.match.entries import LogEntry, LoggedAggregate, compute_commitment, encode_entry
from referee.transparency import randomness

OPENED = "table.MatchOpened"


def find_part_owner(viewer: str) -> str | None:
    """Return whose parts a bundle for this viewer holds: a seat's number or `full`.

    Return an empty text for the public, and None if there is no such viewer.
    """
    if viewer == PUBLIC:
        return ""
    if viewer in FULL_VIEWERS:
        return WHOLE
    return viewer if viewer.isascii() and viewer.isdecimal() and str(int(viewer[:3])) == viewer else None


def opens_seat(viewer: str, seat: int) -> bool:
    """Return whether a bundle for this viewer holds what the seat itself got."""
    return find_part_owner(viewer) in (WHOLE, str(seat))


def check_parts(line: EntryLine, envelope: Mapping[str, Any], whose: str) -> AuditFinding | None:
    """Return what is wrong with an entry's parts for the bundle's viewer, or None."""
    committed, version = envelope["commitments"], line.version
    due = [whose] if whose in committed else []
    if [part.who for part in line.parts] != due:
        return AuditFinding(FindingKind.OPENING, "opening.parts", version, {"whose": whose or PUBLIC})
    for each in line.parts:
        if compute_commitment(each.salt, each.part.encode()) != committed[each.who]:
            return AuditFinding(FindingKind.OPENING, "opening.other", version, {"whose": each.who})
        try:
            envelopes.parse_part(each.part)
        except envelopes.EntryFormatError as wrong:
            return AuditFinding(
                FindingKind.UNREADABLE, "opening.malformed", version, {"whose": each.who, "detail": str(wrong)}
            )
    return None


def list_secret_commitments(entries: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """Return the versions and commitments of the secrets in a log, by generation."""
    return [
        (entry["version"], str(event.get("commitment")))
        for entry in entries
        for event in entry["events"]
        if isinstance(event, dict) and event.get("type") in (OPENED, RENEWED)
    ]


def check_secrets(
    bundle: Bundle, entries: list[dict[str, Any]], known: Mapping[int, bytes]
) -> tuple[dict[int, bytes], list[AuditFinding]]:
    """Return the secrets that match their commitments, and findings for the others.

    `known` are secrets that count without a check.
    """
    committed, good, wrong = list_secret_commitments(entries), dict(known), list[AuditFinding]()
    for at, line in enumerate(bundle.secrets):
        if line.generation != at or at >= len(committed):
            wrong.append(
                AuditFinding(FindingKind.OPENING, "secret.out_of_place", None, {"generation": line.generation})
            )
        elif randomness.compute_commitment(line.secret) != committed[at][1]:
            params = {"generation": line.generation}
            wrong.append(AuditFinding(FindingKind.OPENING, "secret.other", committed[at][0], params))
        else:
            good[at] = line.secret
    return good, wrong


def find_missing_secrets(bundle: Bundle, entries: list[dict[str, Any]]) -> Iterator[AuditFinding]:
    """Yield findings for secrets that a full bundle of a finished match lacks."""
    for generation, (version, _) in enumerate(list_secret_commitments(entries)):
        if generation >= len(bundle.secrets):
            yield AuditFinding(FindingKind.OPENING, "secret.missing", version, {"generation": generation})


def check_named_rules(match: LoggedAggregate, envelope: Mapping[str, Any]) -> AuditFinding | None:
    """Return what is wrong with the rules and edition that an envelope names, or None.

    `match` is the match after the entry.
    """
    for name, due in (("rules", f"{match.game}/{match.ruleset}"), ("edition", match.edition)):
        if envelope[name] != due:
            params = {"field": name, "found": str(envelope[name])[:100], "due": due}
            return AuditFinding(FindingKind.RULES, "entry.of_other_rules", envelope["version"], params)
    return None


def check_envelope(
    after: LoggedAggregate, logged: LogEntry, envelope: Mapping[str, Any], secret: bytes | None
) -> AuditFinding | None:
    """Return what is wrong with an envelope, given the whole entry, or None.

    It must be the very envelope that the entry and the match after it give. Without the secret, the commitments to what
    seats saw cannot be computed.
    """

    def salt(match: str, *of: Any) -> bytes:
        return b"" if secret is None else randomness.derive_salt(secret, match, of[-2], of[-1])

    due: dict[str, Any] = orjson.loads(encode_entry(after, logged, salt)[0])
    if due["move"] != envelope["move"] or due["events"] != envelope["events"]:
        return AuditFinding(FindingKind.OPENING, "opening.shown", logged.version)
    odd = due["commitments"].keys() ^ envelope["commitments"].keys()
    if secret is not None and not odd:
        odd = {name for name, value in due["commitments"].items() if value != envelope["commitments"][name]}
    if odd:
        return AuditFinding(
            FindingKind.OPENING, "opening.commitments", logged.version, {"whose": ", ".join(sorted(odd))}
        )
    return None
