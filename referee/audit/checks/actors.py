"""Checks who made an entry: whether that actor can have, and the clauses it cites."""

from __future__ import annotations

from referee.arbitration.replay.divergence import is_game_entry
from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.events.report_events import find_first_report
from referee.match.game_moves import collect_cited_clauses

SEAT_ACTORS = frozenset({"player", "proxy", "bot", "clock"})
LATE_CLAUSES = ("TABLE-CLOCK-1",)


def check_actor(match: Match, logged: LogEntry) -> AuditFinding | None:
    """Return what is wrong with an entry's actor or clauses, or None."""
    if not _is_actor_possible(match, logged):
        params = {"seat": logged.seat, "actor": logged.actor[:40]}
        return AuditFinding(FindingKind.RULES, "entry.actor", logged.version, params)
    assert logged.move is not None
    late = LATE_CLAUSES if logged.actor == "clock" and is_game_entry(logged) and logged.seat >= 0 else ()
    due = collect_cited_clauses(match, logged.seat, logged.move, logged.events, late)
    if due != logged.clauses:
        params = {"found": ", ".join(logged.clauses)[:400] or "–", "due": ", ".join(due) or "–"}
        return AuditFinding(FindingKind.RULES, "entry.clauses", logged.version, params)
    return None


def _is_actor_possible(match: Match, logged: LogEntry) -> bool:
    """Return whether an entry that the rules allow can have come about like this.

    Nobody may report what the server draws, and the server may not draw what real dice showed.
    """
    kind, _, by = logged.actor.partition(":")
    if not is_game_entry(logged):
        return logged.seat == BYSTANDER
    if logged.seat == CHANCE:
        at_table = _is_real_table(match, logged)
        if kind == "reporter":
            return at_table and (by in ("", "host") or (by.isdecimal() and int(by[:3]) < len(match.chairs)))
        return logged.actor == "chance" and not at_table
    if logged.seat == CLOCK:
        return logged.actor == "clock"
    return logged.actor in SEAT_ACTORS and 0 <= logged.seat < len(match.chairs)


def _is_real_table(match: Match, logged: LogEntry) -> bool:
    """Return whether the awaited chance is real dice or cards at the table.

    A corrected report is repeated at the entry where it was first made. There it was checked, and the rules ensure that
    the same person made both.
    """
    if find_first_report(logged.version, logged.events) != logged.version:
        return logged.actor != "chance"
    top = match.state.agenda[-1] if match.state is not None and match.state.agenda else None
    return match.setup.is_at_table(getattr(top, "device", ""))
