"""Holds the results of a tournament's tables against the bundles of their matches.

The entry that a match reported names the last entry of the match and the root up to there, so another history of the
match is found, no matter who signed it. In logs of earlier versions it does not; there the match has to have ended so
at some time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from referee.audit.bundles.format import Bundle
from referee.audit.checks.findings import AuditFinding, AuditNotice, AuditReport, CheckResult, FindingKind, name_subject
from referee.audit.verdicts import FILE_KINDS
from referee.tournament.results import place_players
from referee.tournament.state import GAME

CHECK = "tables"
FROM_MATCH = "match"  # who reported, in the entry of a match
ENDED = "table.Ended"


@dataclass(frozen=True, slots=True)
class ReportedTable:
    """What a tournament's log says of the match of a table.

    `version` and `root` name the history of the match; 0 and "" in logs of earlier versions.
    """

    entry: int
    match: str
    players: tuple[int, ...]
    placement: tuple[tuple[int, ...], ...]
    version: int
    root: str


@dataclass(frozen=True, slots=True)
class MatchFile:
    """The bundle of a match whose form, entries and signatures are sound.

    `is_same_server` says that a key of the tournament signed it too; anybody can make one with another key.
    """

    bundle: Bundle
    is_same_server: bool


def compare_tables(
    tournament: Bundle, report: AuditReport, matches: Sequence[tuple[Bundle, AuditReport]]
) -> AuditReport:
    """Return the report on a tournament, its results held against its matches.

    A tournament that cannot be read, or for which no match was opened, is reported as it was.
    """
    if tournament.header.game != GAME or not report.root or _is_unread(report):
        return report
    opened = list(list_opened_matches(tournament))
    if not opened:
        return report
    reported = list(list_reported_tables(tournament))
    files = {
        bundle.header.match: MatchFile(bundle, bool(set(report.keys) & set(checked.keys)))
        for bundle, checked in matches
        if bundle.header.game != GAME and not any(each.kind in FILE_KINDS for each in checked.findings)
    }
    usable = [(each, files[each.match]) for each in reported if each.match in files]
    findings = [wrong for table, file in usable if (wrong := compare_table(table, file)) is not None]
    missing = len(reported) - len(usable)
    state = "failed" if findings else "skipped" if missing or not usable else "done"
    check = CheckResult(CHECK, state, "not_compared" if state == "skipped" else "")
    counts = {
        "compared": len(usable),
        "missing": missing,
        "decided": len(opened) - len({each.match for each in reported}),
    }
    notices = [each for each in report.notices if each.key != "tournament.matches"]
    ranked = sorted((*report.findings, *findings), key=lambda each: each.kind)
    return name_subject(
        replace(
            report,
            checks=(*report.checks, check),
            findings=tuple(ranked),
            notices=(*notices, AuditNotice("tournament.tables", counts)),
        )
    )


def _is_unread(report: AuditReport) -> bool:
    """Tell whether the entries of a tournament were not judged to the end."""
    return any(each.name == "rules" and each.state != "done" for each in report.checks)


def list_opened_matches(tournament: Bundle) -> Iterator[str]:
    """Yield the matches that were opened for a tournament, in the order of the log."""
    for line in tournament.entries:
        for event in orjson.loads(line.envelope)["events"]:
            if event["type"] == "tournament.TableSeated":
                yield event["match"]


def list_reported_tables(tournament: Bundle) -> Iterator[ReportedTable]:
    """Yield the results that matches reported, in the order of the log.

    The entries have to be judged before.
    """
    tables: dict[tuple[int, int], tuple[int, ...]] = {}
    matches: dict[tuple[int, int], str] = {}
    for line in tournament.entries:
        for event in orjson.loads(line.envelope)["events"]:
            kind = event["type"]
            if kind == "tournament.RoundPaired":
                tables |= {(event["round"], at): tuple(each) for at, each in enumerate(event["tables"], 1)}
            elif kind == "tournament.TableSeated":
                matches[event["round"], event["table"]] = event["match"]
            elif kind == "tournament.ResultReported" and event["by"] == FROM_MATCH:
                place = (event["round"], event["table"])
                placement = tuple(map(tuple, event["placement"]))
                bound = (event.get("match_version", 0), event.get("match_root", ""))
                yield ReportedTable(line.version, matches.get(place, ""), tables[place], placement, *bound)


def compare_table(table: ReportedTable, match: MatchFile) -> AuditFinding | None:
    """Return what contradicts a result in the bundle of its match, or None.

    A file that no key of the tournament signed accuses nobody but its maker.
    """
    params = {"match": table.match, "entry": table.version}
    entries = match.bundle.entries
    if table.root:
        if len(entries) < table.version:
            return AuditFinding(FindingKind.VERSION, "tournament.match_ends_before", table.entry, params)
        if entries[table.version - 1].root.hex() != table.root:
            kind = FindingKind.FORK if match.is_same_server else FindingKind.VERSION
            return AuditFinding(kind, "tournament.other_match", table.entry, params)
        entries = entries[: table.version]
    ends = [found for line in entries for found in _list_ends(orjson.loads(line.envelope), table.players)]
    if table.placement in (ends[-1:] if table.root else ends):
        return None
    kind = FindingKind.RULES if table.root or match.is_same_server else FindingKind.VERSION
    return AuditFinding(kind, "tournament.other_result", table.entry, params)


def _list_ends(envelope: Mapping[str, Any], players: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield how a match ended with an entry, as entrants.

    What is no end is passed over.
    """
    for event in envelope["events"]:
        if isinstance(event, dict) and event.get("type") == ENDED and event.get("status") == "finished":
            try:
                yield place_players(players, event["winners"], event["placement"])
            except (KeyError, TypeError, IndexError):  # a stranger's data may be anything
                yield ()
