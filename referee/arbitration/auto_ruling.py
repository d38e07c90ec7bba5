"""The automatic ruling on a dispute: replay the log and judge the entry again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from referee.arbitration.real_tables import census_proof
from referee.arbitration.replay.divergence import Divergence, find_play_divergence, is_game_entry
from referee.engine.codec import DecodeError, decode_named
from referee.engine.events import Move
from referee.engine.referee import build_view, collect_granting_clauses, judge_move
from referee.engine.rulebook.interpretations import cite_by_interpretation
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.match.aggregate import LastingTableEvent, Match, RewindEvent
from referee.match.entries import LogEntry, effective_entries, replay_entries
from referee.match.events.deviation_events import DeviationRecorded
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_events import RulingIssued, TableCorrected
from referee.match.events.dispute_state import IMPOSSIBLE_TABLE, Dispute
from referee.match.events.report_events import ReportCorrected
from referee.match.events.slip_events import SlipAnswered
from referee.match.evidence import Evidence
from referee.match.house_readings import apply_readings
from referee.rendering import texts

CLAIMS_ABOUT_DRAWS = ("illegal_move", "misreported", "other")  # of a draw, against which replay is the proof


@dataclass(frozen=True)
class CourtFinding:
    """What a court finds: `stands`, `does_not_stand` or `undecided`, with its reason.

    `reason` is the key of a text with `params`. `knowing` are the seats that may know the reason and the clauses, if
    they rest on hidden cards; None: everybody.
    """

    verdict: str
    reason: str
    params: dict[str, Any] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()
    knowing: tuple[int, ...] | None = None


def find_parties(evidence: Evidence, command: OpenDispute) -> tuple[int, ...]:
    """Return the parties of a dispute: the claimant, and the mover or reporter.

    Raises IllegalMove if the entry is none of play or no longer counts.
    """
    found = {int(command.by)} if command.by.isdecimal() else set[int]()
    if command.claim == "wrong_refusal":
        if not evidence.start_version <= command.about <= evidence.version or not is_version_effective(
            evidence, command.about
        ):
            raise IllegalMove("court.no_such_entry", "TABLE-DISPUTE-1", about=command.about)
        return tuple(sorted(found))
    entry = require_disputed_entry(evidence, command)
    if command.claim == IMPOSSIBLE_TABLE:  # nobody is accused, so all decide
        return ()
    if entry.seat >= 0:
        found.add(entry.seat)
    elif entry.seat == CHANCE and entry.reporter.isdecimal():
        found.add(int(entry.reporter))
    for event in entry.events:
        if isinstance(event, SlipAnswered):  # who admitted the slip, and who confirmed it
            admitted = {each.by for each in evidence.match.slips if each.number == event.slip and each.by >= 0}
            found |= {event.seat, *admitted}
    return tuple(sorted(found))


def require_disputed_entry(evidence: Evidence, dispute: OpenDispute | Dispute) -> LogEntry:
    """Return the disputed entry.

    Raises IllegalMove if it is none of play or no longer counts.
    """
    entry = evidence.find_entry(dispute.about)
    if entry is None or entry.version <= evidence.start_version or not _is_disputable(entry, evidence.match):
        raise IllegalMove("court.no_such_entry", "TABLE-DISPUTE-1", about=dispute.about)
    return entry


def _is_disputable(entry: LogEntry, match: Match) -> bool:
    """Tell whether an entry can be disputed.

    It has to change the table and must not be a ruling, which is appealed against instead.

    TABLE-RULING-8: A table that was corrected by hand can be disputed like a report.
    """
    kinds = (ReportCorrected, SlipAnswered, *((TableCorrected,) if match.courts.needs_consent else ()))
    corrected = any(isinstance(event, kinds) for event in entry.events)
    ruled = any(isinstance(event, RulingIssued | RewindEvent) for event in entry.events) and not corrected
    business = bool(entry.events) and all(isinstance(event, LastingTableEvent) for event in entry.events)
    return not ruled and not business


def is_version_effective(evidence: Evidence, version: int) -> bool:
    """Tell whether the table after an entry is part of the effective history.

    It is if exactly the play up to that entry still counts.
    """
    then = effective_entries(evidence.entries[:version])
    return _list_played_entries(then) == _list_played_entries(
        entry for entry in evidence.effective_entries if entry.version <= version
    )


def _list_played_entries(entries: Iterable[LogEntry]) -> list[tuple[int, int]]:
    """Return each entry that did something to the table, with its number of events."""
    lasting = ((entry, [isinstance(event, LastingTableEvent) for event in entry.events]) for entry in entries)
    return [(entry.version, len(kinds)) for entry, kinds in lasting if not all(kinds)]


def judge_dispute(evidence: Evidence, command: OpenDispute) -> CourtFinding:
    """Return the automatic ruling: judge the entry again upon the table before it.

    What only people can know is undecided, and so is what the rulebook leaves open. Raises IllegalMove, MalformedInput.

    TABLE-DISPUTE-1: An entry of play that still counts, or a refusal, may be disputed. The referee judges at once what
    the log and the rules decide.
    """
    _require_known_clause(evidence, command.clause)
    if command.claim == "wrong_refusal":
        return _judge_refusal(evidence, command)
    entry = require_disputed_entry(evidence, command)
    if command.move is not None:
        parse_game_move(command.move)
    if any(isinstance(event, DeviationRecorded) for event in entry.events):
        return CourtFinding("stands", "court.deviated", {}, ("TABLE-DEVIATION-1",))
    if not is_game_entry(entry):  # a decision of the table, which only the table can take back
        by_hand = any(isinstance(event, TableCorrected) for event in entry.events)
        rests = ("TABLE-RULING-8", *entry.clauses) if by_hand else entry.clauses
        return CourtFinding("undecided", "court.only_people_know", {}, rests)
    before = evidence.replay_to(entry.version - 1)
    wrong = find_play_divergence(before, entry)
    if wrong is not None:
        return _build_divergence_finding(before, entry, wrong)
    if is_drawn_by_server(entry) and evidence.match.courts.edition is not None and command.claim in CLAIMS_ABOUT_DRAWS:
        return CourtFinding("stands", "court.server_drew", {}, ("TABLE-DRAW-1", *entry.clauses))
    if left_open := _find_open_clause(
        before, command.clause, entry.clauses, lambda read: _diverges(read, entry, command.claim)
    ):
        return left_open
    by_people = is_reported(before, entry)
    if by_people and command.claim in ("misreported", "wrong_count"):
        return _judge_by_census(evidence, command, entry, before)
    if command.claim == "other" or (entry.move is not None and entry.move.judged_by_people):
        return CourtFinding("undecided", "court.only_people_know", {}, entry.clauses)
    if command.claim == "misreported":
        reason = "court.server_drew" if entry.seat == CHANCE else "court.nothing_reported"
        return CourtFinding("stands", reason, {}, ("TABLE-REPORT-1", *entry.clauses))
    return CourtFinding("stands", "court.as_the_rules_say", {}, entry.clauses)


def _judge_by_census(evidence: Evidence, command: OpenDispute, entry: LogEntry, before: Match) -> CourtFinding:
    """Return what the census of the public view proves of a report.

    It is undecided if the census proves nothing: then only people can know (TABLE-CENSUS-1).
    """
    history = [each for each in evidence.effective_entries if each.version <= entry.version]
    proof = census_proof.disprove_entry(before.rules, history)
    if proof is None:
        proof = census_proof.disprove_claim(before, history, parse_first_move(command.move, command.saw), command.saw)
    if proof is None:
        return CourtFinding("undecided", "court.only_people_know", {}, entry.clauses)
    return CourtFinding(
        proof.verdict, proof.reason, proof.params, tuple(dict.fromkeys((*proof.clauses, *entry.clauses)))
    )


def parse_first_move(*claimed: Any) -> Move | None:
    """Return the first of these values that is a move; None if none is.

    It says how a report should have read.
    """
    for each in claimed:
        if isinstance(each, dict) and "type" in each:
            try:
                return parse_game_move(each)
            except MalformedInput:
                continue  # `saw` may have any form
    return None


def _require_known_clause(evidence: Evidence, name: str) -> None:
    """Raise MalformedInput if the cited clause is none of the game."""
    if name:
        try:
            texts.find_clause(evidence.match.rules, name)
        except KeyError:
            raise MalformedInput([{"pointer": "/clause", "detail": "no such clause"}]) from None


def _find_open_clause(
    match: Match, cited: str, rests_on: tuple[str, ...], changes: Callable[[Match], bool]
) -> CourtFinding | None:
    """Return `undecided` if another reading of a cited clause changes the verdict.

    `match` is the match at that time, and `changes` tells whether the verdict is another one if that match is read
    otherwise. The finding names the question, how the referee reads it, and why. Return None if no reading that the
    referee knows changes it, and if the table chose the reading itself.
    """
    if not cited:
        return None
    game = match.rules
    named = texts.find_clause(game, cited)
    about = texts.find_clause(game, named.reading) if named.reading else named
    first = about.reads or about.id
    if not about.open or _is_reading_chosen(match, first):
        return None
    number = game.effective_interpretations(match.ruleset, match.readings, match.settings).get(first)
    others = (each.number for each in game.interpretations.get(first, ()) if each.number != number)
    if not any(changes(apply_readings(match, {first: other})) for other in others):
        return None
    held = texts.find_clause(game, *cite_by_interpretation([first], match.unusual_interpretations))
    params = {"clause": held.id, "open": held.open, "reading": held.says, "why": held.why or held.says}
    return CourtFinding("undecided", "court.left_open", params, tuple(dict.fromkeys((held.id, *rests_on))))


def _diverges(match: Match, entry: LogEntry, claim: str) -> bool:
    """Tell whether an entry is wrong upon a match, as far as a claim is about it.

    That a move is illegal depends on the verdict alone; every other claim depends also on what follows.
    """
    wrong = find_play_divergence(match, entry)
    return wrong is not None and (wrong.kind == "illegal" or claim != "illegal_move")


def _is_reading_chosen(match: Match, clause: str) -> bool:
    """Tell whether the table has agreed to the reading of a clause.

    It has if the host chose the reading by number, or if the reading is a setting of the game.
    """
    if clause in match.readings:
        return True
    settings = match.rules.settings.get("properties", {}).values()
    return any(f"({clause})" in schema.get("description", "") for schema in settings)


def is_drawn_by_server(entry: LogEntry) -> bool:
    """Tell whether an entry is a draw of the server."""
    return entry.seat == CHANCE and entry.actor == "chance"


def is_reported(before: Match, entry: LogEntry) -> bool:
    """Tell whether an entry rests on what somebody read from real dice or cards."""
    if entry.seat == CHANCE:
        return entry.actor != "chance"
    return before.rules.has_hidden_real_cards(before.setup)


def _build_divergence_finding(before: Match, entry: LogEntry, wrong: Divergence) -> CourtFinding:
    """Return the finding against an entry that diverges from the rules.

    Only those who may know the reason learn it.
    """
    ruling = wrong.ruling
    if wrong.kind == "facts":
        seen = [each and each.view_for(BYSTANDER) for each in (wrong.expected, wrong.found)]
        if seen[0] == seen[1]:
            seats = range(len(before.chairs))
            knows = (
                seat for seat in seats
                if (wrong.expected and wrong.expected.view_for(seat)) != (wrong.found and wrong.found.view_for(seat))
            )  # fmt: skip
            return CourtFinding("does_not_stand", ruling.reason, ruling.params, ruling.clauses, tuple(knows))
        return CourtFinding("does_not_stand", ruling.reason, ruling.params, ruling.clauses)
    knowing = (
        None if is_ruling_public(before, entry.seat, entry.move, ruling) else (entry.seat,) if entry.seat >= 0 else ()
    )
    return CourtFinding("does_not_stand", ruling.reason, ruling.params, ruling.clauses, knowing)


def is_ruling_public(before: Match, seat: int, move: Move | None, ruling: Ruling) -> bool:
    """Tell whether the public view of table and move leads to the same ruling."""
    seen = move and move.view_for(BYSTANDER, seat)
    if before.state is None or seen is None:
        return False
    return judge_move(build_view(before.state, BYSTANDER), Seat(seat), seen) == ruling


def _judge_refusal(evidence: Evidence, command: OpenDispute) -> CourtFinding:
    """Judge a refused move again. Only the seat that tried it learns the reason.

    TABLE-DISPUTE-8: A refusal can be disputed only if the request reached the server.
    """
    move, seat = parse_game_move(command.move), Seat(int(command.by)) if command.by.isdecimal() else BYSTANDER
    then = evidence.replay_to(command.about)
    state = then.state
    assert state is not None
    knowing = (int(seat),) if seat >= 0 else ()
    if command.refusal is not None and (not command.refusal["found"] or command.refusal["why"] != "rules"):
        return replace(_describe_request(evidence, command), knowing=knowing)
    ruling = judge_move(state, seat, move)
    if ruling.granted:
        return CourtFinding("does_not_stand", "court.was_legal", {}, collect_granting_clauses(state, move), knowing)
    if left_open := _find_open_clause(
        then,
        command.clause,
        ruling.clauses,
        lambda read: read.state is not None and judge_move(read.state, seat, move).verdict != ruling.verdict,
    ):
        return replace(left_open, knowing=knowing)
    verdict = "undecided" if ruling.verdict == "undecided" else "stands"
    return CourtFinding(verdict, ruling.reason, ruling.params, ruling.clauses, knowing)


def _describe_request(evidence: Evidence, command: OpenDispute) -> CourtFinding:
    """Return the finding that the rules did not refuse such a request there."""
    came = command.refusal.get("version")
    if came is None:
        return CourtFinding("stands", "court.no_such_request", {"about": command.about}, ("TABLE-DISPUTE-8",))
    last = evidence.entries[came - 1]
    params = {
        "about": command.about,
        "came": came,
        "why": command.refusal["why"],
        "by_clock": "yes" if last.actor == "clock" else "no",
        "late_ms": max(0, command.refusal["at_ms"] - last.at_ms),
    }
    reason = "court.not_by_the_rules" if command.refusal["found"] else "court.request_elsewhere"
    return CourtFinding("stands", reason, params, ("TABLE-DISPUTE-8",))


def parse_game_move(data: Any) -> Move:
    """Return the move that a dispute names. Raises MalformedInput."""
    if data is None:
        raise MalformedInput([{"pointer": "/move", "detail": "is missing"}])
    try:
        move = decode_named(data, Move, "/move")
    except DecodeError as unreadable:
        raise MalformedInput([{"pointer": unreadable.pointer, "detail": unreadable.detail}]) from None
    if move.TAG.startswith("table."):
        raise MalformedInput([{"pointer": "/move/type", "detail": "no move of the game"}])
    return move


def find_claimed_move(dispute: Dispute) -> Move | None:
    """Return how a report should have read; None if nobody said, or accounts differ.

    The claimant's account counts first, else the one on which all agree who attest that the report is wrong.
    """
    attested = [each.saw for each in dispute.testimony if each.holds and each.saw is not None]
    agreed = attested[:1] if all(each == attested[0] for each in attested) else []
    return parse_first_move(dispute.move, dispute.saw, *agreed)


def find_question_and_move(evidence: Evidence, dispute: Dispute) -> tuple[str, str]:
    """Return the open question and the type of the move at the disputed entry.

    These make two disputes alike.
    """
    if dispute.claim == "wrong_refusal":  # the refused move is secret, so it is not kept for others either
        return _find_open_question(_replay_as_written(evidence, dispute.about)), ""
    move = evidence.entries[dispute.about - 1].move
    return _find_open_question(_replay_as_written(evidence, dispute.about - 1)), move.TAG if move is not None else ""


def _replay_as_written(evidence: Evidence, version: int) -> Match:
    """Return the match as it stood at a version, even if that no longer counts."""
    return replay_entries(Match(), effective_entries(evidence.entries[:version]))


def _find_open_question(match: Match) -> str:
    return match.state.agenda[-1].question_name() if match.state is not None and match.state.agenda else ""
