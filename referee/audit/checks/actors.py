"""Checks who made an entry: whether that actor can have, and the clauses it cites."""

from __future__ import annotations

from referee.arbitration.replay.divergence import is_game_entry
from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.engine.game import Game
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.events.report_events import find_first_report
from referee.match.table.reactions import SPOKEN_FOR
from referee.rendering import texts

SEAT_ACTORS = frozenset({"player", "proxy", "bot", "clock"})


def check_actor(match: Match, logged: LogEntry) -> AuditFinding | None:
    """Return what is wrong with an entry's actor or clauses, or None.

    What an entry cites is how the referee explained it at the time. A later referee may explain it better, so only
    clauses that no rulebook has are wrong; what follows from the move is checked as events.
    """
    if not _is_actor_possible(match, logged):
        params = {"seat": logged.seat, "actor": logged.actor[:40]}
        return AuditFinding(FindingKind.RULES, "entry.actor", logged.version, params)
    game = match.rules if match.game else None
    unknown = [name for name in logged.clauses if not _is_known(game, name)]
    if unknown or not logged.clauses:
        params = {"found": ", ".join(unknown)[:400] or "–"}
        return AuditFinding(FindingKind.RULES, "entry.clauses", logged.version, params)
    return None


def _is_known(game: Game | None, name: str) -> bool:
    try:
        texts.find_clause(game, name)
    except KeyError:
        return False
    return True


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
    if kind == SPOKEN_FOR and by != "host" and not (by.isdecimal() and int(by[:3]) < len(match.chairs)):
        return False
    return (logged.actor in SEAT_ACTORS or kind == SPOKEN_FOR) and 0 <= logged.seat < len(match.chairs)


def _is_real_table(match: Match, logged: LogEntry) -> bool:
    """Return whether the awaited chance is real dice or cards at the table.

    A corrected report is repeated at the entry where it was first made. There it was checked, and the rules ensure that
    the same person made both.
    """
    if find_first_report(logged.version, logged.events) != logged.version:
        return logged.actor != "chance"
    top = match.state.agenda[-1] if match.state is not None and match.state.agenda else None
    return match.setup.is_at_table(getattr(top, "device", ""))
