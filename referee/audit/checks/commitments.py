"""What is hidden: the parts of a bundle against the commitments of its envelopes, and its secrets against those."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from referee.audit.bundles.export import OPEN, PUBLIC, WHOLE
from referee.audit.bundles.format import Bundle, EntryLine
from referee.audit.checks import envelopes
from referee.audit.checks.findings import Finding, Kind
from referee.audit.checks.randomness import RENEWED
from referee.match.aggregate import Match
from referee.match.entries import Logged, commitment, pack
from referee.transparency import randomness

OPENED = "table.MatchOpened"


def who(eyes: str) -> str | None:
    """Whose parts a bundle for these eyes holds: a seat's number, `full`, or (empty) nobody's. None: no such eyes."""
    if eyes == PUBLIC:
        return ""
    if eyes in OPEN:
        return WHOLE
    return eyes if eyes.isascii() and eyes.isdecimal() and str(int(eyes[:3])) == eyes else None


def of_entry(line: EntryLine, told: Mapping[str, Any], whose: str) -> Finding | None:
    """What is wrong with the parts of an entry for the eyes that the bundle is for; None if nothing is."""
    committed, version = told["commitments"], line.version
    due = [whose] if whose in committed else []
    if [part.who for part in line.parts] != due:
        return Finding(Kind.OPENING, "opening.parts", version, {"whose": whose or PUBLIC})
    for each in line.parts:
        if commitment(each.salt, each.part.encode()) != committed[each.who]:
            return Finding(Kind.OPENING, "opening.other", version, {"whose": each.who})
        try:
            envelopes.part(each.part)
        except envelopes.BadEntry as wrong:
            return Finding(Kind.UNREADABLE, "opening.malformed", version, {"whose": each.who, "detail": str(wrong)})
    return None


def commitments(told: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """What the log says of its secrets, by generation: the version and the commitment."""
    return [
        (entry["version"], str(event.get("commitment")))
        for entry in told
        for event in entry["events"]
        if isinstance(event, dict) and event.get("type") in (OPENED, RENEWED)
    ]


def secrets(
    bundle: Bundle, told: list[dict[str, Any]], known: Mapping[int, bytes]
) -> tuple[dict[int, bytes], list[Finding]]:
    """The secrets of a bundle, besides those that are known, which are what was committed to; and what is wrong."""
    committed, good, wrong = commitments(told), dict(known), list[Finding]()
    for at, line in enumerate(bundle.secrets):
        if line.generation != at or at >= len(committed):
            wrong.append(Finding(Kind.OPENING, "secret.out_of_place", None, {"generation": line.generation}))
        elif randomness.commitment(line.secret) != committed[at][1]:
            params = {"generation": line.generation}
            wrong.append(Finding(Kind.OPENING, "secret.other", committed[at][0], params))
        else:
            good[at] = line.secret
    return good, wrong


def missing(bundle: Bundle, told: list[dict[str, Any]]) -> Iterator[Finding]:
    """The secrets that a bundle of all of a match that is over does not hold."""
    for generation, (version, _) in enumerate(commitments(told)):
        if generation >= len(bundle.secrets):
            yield Finding(Kind.OPENING, "secret.missing", version, {"generation": generation})


def of_other_rules(match: Match, told: Mapping[str, Any]) -> Finding | None:
    """What is wrong with the rules and the edition that an envelope names, given the match after it; None if nothing
    is."""
    for name, due in (("rules", f"{match.game}/{match.ruleset}"), ("edition", match.edition)):
        if told[name] != due:
            params = {"field": name, "found": str(told[name])[:100], "due": due}
            return Finding(Kind.RULES, "entry.of_other_rules", told["version"], params)
    return None


def sealed(after: Match, logged: Logged, told: Mapping[str, Any], secret: bytes | None) -> Finding | None:
    """What is wrong with an envelope, given all that lies under it and the match after it: it must be the very one that
    is packed from that. Without the secret the commitments to what seats saw cannot be told."""

    def salt(match: str, *of: Any) -> bytes:
        return b"" if secret is None else randomness.salt(secret, match, of[-2], of[-1])

    due: dict[str, Any] = orjson.loads(pack(after, logged, salt)[0])
    if due["move"] != told["move"] or due["events"] != told["events"]:
        return Finding(Kind.OPENING, "opening.shown", logged.version)
    odd = due["commitments"].keys() ^ told["commitments"].keys()
    if secret is not None and not odd:
        odd = {name for name, value in due["commitments"].items() if value != told["commitments"][name]}
    if odd:
        return Finding(Kind.OPENING, "opening.commitments", logged.version, {"whose": ", ".join(sorted(odd))})
    return None
