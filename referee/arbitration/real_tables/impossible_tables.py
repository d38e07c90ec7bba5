"""The claim that a table cannot be so, and play that goes on as it lies.

TABLE-CENSUS-2: Anybody at the table may say that the table cannot be so, without calling one entry wrong. The referee
names the entries that cannot all be true together. The people correct one of them, or all agree to play on with what
lies there; then the census starts from that.

Only what everybody saw is looked at, so that neither the answer nor what is offered reveals anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from referee.arbitration.auto_ruling import CourtFinding, parse_game_move
from referee.arbitration.real_tables.as_it_lies import is_real_chance_awaited, play_as_it_lies, take_as_it_lies
from referee.arbitration.remedies.options import Remedy
from referee.arbitration.replay.divergence import is_game_entry
from referee.census.check import take_census
from referee.census.observations import Sighting
from referee.census.suspects import CLAUSE, find_suspects, list_contradicting_sightings
from referee.census.texts import render_census_text
from referee.engine.events import Event, Move
from referee.engine.referee import build_view, judge_move
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling
from referee.engine.seats import BYSTANDER, CHANCE
from referee.engine.steps import State
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import AS_IT_LIES, IMPOSSIBLE_TABLE, Dispute
from referee.match.evidence import Evidence
from referee.rendering import texts

MAX_NAMED_ENTRIES = 12  # of contradicting entries only the last are named


def name_subject(evidence: Evidence, command: OpenDispute) -> OpenDispute:
    """Return the command with the entry that the dispute is filed under.

    If the caller named none, it is the one since which the table cannot be so, else the newest entry of play. That does
    not accuse it.
    """
    if command.claim != IMPOSSIBLE_TABLE or command.about:
        return command
    played = [each.version for each in evidence.effective_entries if is_game_entry(each)]
    if not played:
        raise IllegalMove("court.no_such_entry", "TABLE-DISPUTE-1", about=0)
    first = None if command.move is not None else take_census(evidence.effective_entries, int(BYSTANDER)).first
    return replace(command, about=first if first in played else played[-1])


def judge_table(evidence: Evidence, command: OpenDispute) -> CourtFinding:
    """Return whether the table can be so, with the report that is to be made.

    Raises MalformedInput if the report is not one that everybody may know.
    """
    game = evidence.match.rules
    if command.move is None:
        found = take_census(evidence.effective_entries, int(BYSTANDER))
        if found.possible:
            return CourtFinding("stands", "court.table_can_be", {}, (CLAUSE,))
        worst = found.contradictions[0]
        clauses = [each.clause for each in found.contradictions]
        detail = render_census_text(game, worst.key, worst.params)
        verdict = "does_not_stand" if found.sure else "undecided"
        return _build_finding(evidence, command, verdict, list_contradicting_sightings(found), detail, clauses)
    ruling = _judge_report(evidence, _parse_report(command.move))
    detail = texts.render_text(game, ruling.reason, **ruling.params)
    if ruling.verdict != "refused":
        return CourtFinding("stands", "court.report_can_be", {}, (CLAUSE, *ruling.clauses))
    suspects = list_suspects(evidence, command, int(BYSTANDER))
    if not suspects:
        return CourtFinding("stands", "court.report_refused", {"detail": detail}, (CLAUSE, *ruling.clauses))
    return _build_finding(evidence, command, "does_not_stand", suspects, detail, ruling.clauses)


def _build_finding(
    evidence: Evidence,
    dispute: OpenDispute,
    verdict: str,
    suspects: tuple[Sighting, ...],
    detail: Any,
    clauses: Iterable[str],
) -> CourtFinding:
    """Return the finding that entries cannot all be true together.

    It cites the rulebook's own way to settle it, if there is one.
    """
    reason = "court.table_contradicts" if dispute.move is None else "court.report_contradicts"
    entries = ", ".join(str(each.version) for each in suspects[-MAX_NAMED_ENTRIES:]) or "–"
    own = filter(None, (evidence.match.rules.last_word_clause,))
    cites = tuple(dict.fromkeys((CLAUSE, *clauses, *own)))
    return CourtFinding(verdict, reason, {"entries": entries, "detail": detail}, cites)


def list_suspects(evidence: Evidence, dispute: OpenDispute | Dispute, viewer: int) -> tuple[Sighting, ...]:
    """Return the entries that cannot all be true, as the viewer was shown them."""
    history = evidence.effective_entries
    if dispute.move is None:
        return list_contradicting_sightings(take_census(history, viewer))
    ruling = _judge_report(evidence, parse_game_move(dispute.move))
    public = build_view(_require_state(evidence), BYSTANDER)
    return find_suspects(history, viewer, evidence.match.rules.tracking.find_contradicted_cards(public, ruling))


def _parse_report(data: Any) -> Move:
    """Return the report that the table contradicts. Raises MalformedInput."""
    move = parse_game_move(data)
    if move.view_for(int(BYSTANDER), int(CHANCE)) != move:
        raise MalformedInput([{"pointer": "/move", "detail": "a report that everybody may know is needed"}])
    return move


def _judge_report(evidence: Evidence, move: Move) -> Ruling:
    """Return the ruling on a report as everybody could give it."""
    return judge_move(build_view(_require_state(evidence), BYSTANDER), CHANCE, move)


def _require_state(evidence: Evidence) -> State:
    assert evidence.match.state is not None, "a match that has not started has no entries to dispute"
    return evidence.match.state


def list_table_remedies(evidence: Evidence, dispute: Dispute) -> tuple[Remedy, ...]:
    """Return the remedy of this claim alone: to play on with what lies there."""
    if dispute.claim != IMPOSSIBLE_TABLE:
        return ()
    if evidence.match.status == "void" or not is_still_impossible(evidence, dispute):
        return (Remedy(AS_IT_LIES, False, "remedy.nothing_to_accept", possible=False),)
    return (Remedy(AS_IT_LIES, True, "remedy.as_it_lies"),)


def is_still_impossible(evidence: Evidence, dispute: Dispute) -> bool:
    """Tell whether what cannot be still lies there, and play can go on by it.

    Only what everybody saw is asked.
    """
    if dispute.move is None:
        return not take_census(evidence.effective_entries, int(BYSTANDER)).possible
    if not is_real_chance_awaited(evidence.match) or not list_suspects(evidence, dispute, int(BYSTANDER)):
        return False
    public = replace(evidence.match, state=build_view(_require_state(evidence), BYSTANDER))
    try:
        play_as_it_lies(public, CHANCE, parse_game_move(dispute.move), dispute.number)
    except IllegalMove:  # the rules cannot go on from it
        return False
    return True


def play_on_as_it_lies(evidence: Evidence, dispute: Dispute) -> tuple[Event, ...]:
    """Return the events by which play goes on with what lies there.

    TABLE-CENSUS-2: The report is made as it was read, and the census starts from what lies there.
    """
    if dispute.move is None:
        return take_as_it_lies(evidence.match, dispute.number)
    return play_as_it_lies(evidence.match, CHANCE, parse_game_move(dispute.move), dispute.number)
