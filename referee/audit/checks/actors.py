"""Who made an entry: whether that seat could be moved that way, and whether the clauses are those that it rests on."""

from __future__ import annotations

from referee.arbitration.replay.divergence import is_play
from referee.audit.checks.findings import Finding, Kind
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK
from referee.match.aggregate import Match
from referee.match.entries import Logged
from referee.match.events.report_events import first_of
from referee.match.game_moves import cited

MOVED = frozenset({"player", "proxy", "bot", "clock"})
LATE = ("TABLE-CLOCK-1",)


def odd(match: Match, logged: Logged) -> Finding | None:
    """What is wrong with who made an entry upon a match, or with its clauses; None if nothing is."""
    if not _could(match, logged):
        params = {"seat": logged.seat, "actor": logged.actor[:40]}
        return Finding(Kind.RULES, "entry.actor", logged.version, params)
    assert logged.move is not None
    late = LATE if logged.actor == "clock" and is_play(logged) and logged.seat >= 0 else ()
    due = cited(match, logged.seat, logged.move, logged.facts, late)
    if due != logged.clauses:
        params = {"found": ", ".join(logged.clauses)[:400] or "–", "due": ", ".join(due) or "–"}
        return Finding(Kind.RULES, "entry.clauses", logged.version, params)
    return None


def _could(match: Match, logged: Logged) -> bool:
    """Whether an entry that the rules grant can have come about so. What the server draws is nobody's to report, and
    what real dice showed is not the server's to draw."""
    kind, _, by = logged.actor.partition(":")
    if not is_play(logged):
        return logged.seat == BYSTANDER
    if logged.seat == CHANCE:
        at_table = _real(match, logged)
        if kind == "reporter":
            return at_table and (by in ("", "host") or (by.isdecimal() and int(by[:3]) < len(match.chairs)))
        return logged.actor == "chance" and not at_table
    if logged.seat == CLOCK:
        return logged.actor == "clock"
    return logged.actor in MOVED and 0 <= logged.seat < len(match.chairs)


def _real(match: Match, logged: Logged) -> bool:
    """Whether what chance is awaited for lies on a real table. A report that is corrected is made again where it was
    made first; there it was looked at, and that it was a report of the same person the rules have seen to."""
    if first_of(logged.version, logged.facts) != logged.version:
        return logged.actor != "chance"
    top = match.state.agenda[-1] if match.state is not None and match.state.agenda else None
    return match.setup.at_table(getattr(top, "device", ""))
