"""What is hidden: the parts of a bundle against the commitments of its envelopes, and its secrets against those."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from referee.audit.bundles.export import FULL_VIEWERS, PUBLIC, WHOLE
from referee.audit.bundles.format import Bundle, EntryLine
from referee.audit.checks import envelopes
from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.audit.checks.randomness import RENEWED
from referee.match.aggregate import Match
from referee.match.entries import LogEntry, compute_commitment, encode_entry
from referee.transparency import randomness

OPENED = "table.MatchOpened"


def find_part_owner(viewer: str) -> str | None:
    """Whose parts a bundle for these eyes holds: a seat's number, `full`, or (empty) nobody's. None: no such eyes."""
    if viewer == PUBLIC:
        return ""
    if viewer in FULL_VIEWERS:
        return WHOLE
    return viewer if viewer.isascii() and viewer.isdecimal() and str(int(viewer[:3])) == viewer else None


def check_parts(line: EntryLine, told: Mapping[str, Any], whose: str) -> AuditFinding | None:
    """What is wrong with the parts of an entry for the eyes that the bundle is for; None if nothing is."""
    committed, version = told["commitments"], line.version
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


def list_secret_commitments(told: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """What the log says of its secrets, by generation: the version and the commitment."""
    return [
        (entry["version"], str(event.get("commitment")))
        for entry in told
        for event in entry["events"]
        if isinstance(event, dict) and event.get("type") in (OPENED, RENEWED)
    ]


def check_secrets(
    bundle: Bundle, told: list[dict[str, Any]], known: Mapping[int, bytes]
) -> tuple[dict[int, bytes], list[AuditFinding]]:
    """The secrets of a bundle, besides those that are known, which are what was committed to; and what is wrong."""
    committed, good, wrong = list_secret_commitments(told), dict(known), list[AuditFinding]()
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


def find_missing_secrets(bundle: Bundle, told: list[dict[str, Any]]) -> Iterator[AuditFinding]:
    """The secrets that a bundle of all of a match that is over does not hold."""
    for generation, (version, _) in enumerate(list_secret_commitments(told)):
        if generation >= len(bundle.secrets):
            yield AuditFinding(FindingKind.OPENING, "secret.missing", version, {"generation": generation})


def check_named_rules(match: Match, told: Mapping[str, Any]) -> AuditFinding | None:
    """What is wrong with the rules and the edition that an envelope names, given the match after it; None if nothing
    is."""
    for name, due in (("rules", f"{match.game}/{match.ruleset}"), ("edition", match.edition)):
        if told[name] != due:
            params = {"field": name, "found": str(told[name])[:100], "due": due}
            return AuditFinding(FindingKind.RULES, "entry.of_other_rules", told["version"], params)
    return None


def check_envelope(
    after: Match, logged: LogEntry, told: Mapping[str, Any], secret: bytes | None
) -> AuditFinding | None:
    """What is wrong with an envelope, given all that lies under it and the match after it: it must be the very one that
    is packed from that. Without the secret the commitments to what seats saw cannot be told."""

    def salt(match: str, *of: Any) -> bytes:
        return b"" if secret is None else randomness.derive_salt(secret, match, of[-2], of[-1])

    due: dict[str, Any] = orjson.loads(encode_entry(after, logged, salt)[0])
    if due["move"] != told["move"] or due["events"] != told["events"]:
        return AuditFinding(FindingKind.OPENING, "opening.shown", logged.version)
    odd = due["commitments"].keys() ^ told["commitments"].keys()
    if secret is not None and not odd:
        odd = {name for name, value in due["commitments"].items() if value != told["commitments"][name]}
    if odd:
        return AuditFinding(
            FindingKind.OPENING, "opening.commitments", logged.version, {"whose": ", ".join(sorted(odd))}
        )
    return None
