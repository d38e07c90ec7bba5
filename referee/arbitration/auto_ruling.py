"""What the referee says of a dispute by itself: it replays the log and judges the entry again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from referee.arbitration import census_proof
from referee.arbitration.replay.divergence import Divergence, is_play, of_play
from referee.engine.codec import Unreadable, decode_named
from referee.engine.events import Move
from referee.engine.game import Malformed
from referee.engine.referee import granting, judge, view
from referee.engine.rulebook.interpretations import holding
from referee.engine.rulings import Refused, Ruling
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.match.aggregate import GoesBack, Match, OfTable
from referee.match.entries import Logged, course, folded
from referee.match.events.deviation_events import Deviated
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_events import RulingIssued
from referee.match.events.dispute_state import Dispute
from referee.match.events.report_events import ReportCorrected
from referee.match.evidence import Evidence
from referee.rendering import texts


@dataclass(frozen=True)
class Finding:
    """What a court finds: `stands`, `does_not_stand` or `undecided`; a key of the texts with parameters, the clauses.

    `knowing`: the seats that may know the reason and the clauses, where they rest on what is hidden; None: everybody.
    """

    verdict: str
    reason: str
    params: dict[str, Any] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()
    knowing: tuple[int, ...] | None = None


def parties(evidence: Evidence, ask: OpenDispute) -> tuple[int, ...]:
    """The seats that a dispute is between: whoever opens it, and whoever made the entry or the report.

    Raises Refused where there is no such entry of play, or it counts no more.
    """
    found = {int(ask.by)} if ask.by.isdecimal() else set[int]()
    if ask.claim == "wrong_refusal":
        if not evidence.began <= ask.about <= evidence.version or not counts(evidence, ask.about):
            raise Refused("court.no_such_entry", "TABLE-DISPUTE-1", about=ask.about)
        return tuple(sorted(found))
    entry = disputed(evidence, ask)
    if entry.seat >= 0:
        found.add(entry.seat)
    elif entry.seat == CHANCE and entry.reporter.isdecimal():
        found.add(int(entry.reporter))
    return tuple(sorted(found))


def disputed(evidence: Evidence, dispute: OpenDispute | Dispute) -> Logged:
    """The entry that is disputed. Raises Refused where it is none of play, or counts no more."""
    entry = evidence.entry(dispute.about)
    if entry is None or entry.version <= evidence.began or not _of_play(entry):
        raise Refused("court.no_such_entry", "TABLE-DISPUTE-1", about=dispute.about)
    return entry


def _of_play(entry: Logged) -> bool:
    """Whether an entry can be disputed: it changed the table, and is no ruling (against which one appeals)."""
    corrected = any(isinstance(fact, ReportCorrected) for fact in entry.facts)
    ruled = any(isinstance(fact, RulingIssued | GoesBack) for fact in entry.facts) and not corrected
    business = bool(entry.facts) and all(isinstance(fact, OfTable) for fact in entry.facts)
    return not ruled and not business


def counts(evidence: Evidence, version: int) -> bool:
    """Whether the table as it stood after an entry belongs to the valid course: what had been played by then, and
    nothing else, counts of the entries up to there."""
    then = course(evidence.entries[:version])
    return _played(then) == _played(entry for entry in evidence.course if entry.version <= version)


def _played(entries: Iterable[Logged]) -> list[tuple[int, int]]:
    """The entries of a course that did something to the table, and how much of each still counts."""
    lasting = ((entry, [isinstance(fact, OfTable) for fact in entry.facts]) for entry in entries)
    return [(entry.version, len(kinds)) for entry, kinds in lasting if not all(kinds)]


def judged(evidence: Evidence, ask: OpenDispute) -> Finding:
    """The automatic ruling: the entry is judged again upon the table as it was before it. What only people can know is
    undecided, and so is what the rulebook leaves open. Raises Refused, Malformed."""
    _cited(evidence, ask.clause)
    if ask.claim == "wrong_refusal":
        return _refusal(evidence, ask)
    entry = disputed(evidence, ask)
    if ask.move is not None:
        named_move(ask.move)
    if any(isinstance(fact, Deviated) for fact in entry.facts):
        return Finding("stands", "court.deviated", {}, ("TABLE-DEVIATION-1",))
    if not is_play(entry):  # the word of the table, which only the table can take back
        return Finding("undecided", "court.only_people_know", {}, entry.clauses)
    before = evidence.at(entry.version - 1)
    wrong = of_play(before, entry)
    if wrong is not None:
        return _broken(before, entry, wrong)
    if left_open := _left_open(evidence, ask.clause, entry.clauses):
        return left_open
    by_people = reported(before, entry)
    if by_people and ask.claim in ("misreported", "wrong_count"):
        return _counted(evidence, ask, entry, before)
    if ask.claim == "other":
        return Finding("undecided", "court.only_people_know", {}, entry.clauses)
    if ask.claim == "misreported":
        reason = "court.server_drew" if entry.seat == CHANCE else "court.nothing_reported"
        return Finding("stands", reason, {}, ("TABLE-REPORT-1", *entry.clauses))
    return Finding("stands", "court.as_the_rules_say", {}, entry.clauses)


def _counted(evidence: Evidence, ask: OpenDispute, entry: Logged, before: Match) -> Finding:
    """What the census of what everybody saw proves of what people reported; undecided where it proves nothing: then
    only people can know (TABLE-CENSUS-1)."""
    course = [each for each in evidence.course if each.version <= entry.version]
    proof = census_proof.of_entry(before.rules, course)
    if proof is None:
        proof = census_proof.of_claim(before, course, move_told(ask.move, ask.saw), ask.saw)
    if proof is None:
        return Finding("undecided", "court.only_people_know", {}, entry.clauses)
    return Finding(proof.verdict, proof.reason, proof.params, tuple(dict.fromkeys((*proof.clauses, *entry.clauses))))


def move_told(*told: Any) -> Move | None:
    """How a report should have read: the first of these that is a move; None if none is."""
    for each in told:
        if isinstance(each, dict) and "type" in each:
            try:
                return named_move(each)
            except Malformed:
                continue  # what was seen may be said in any words
    return None


def _cited(evidence: Evidence, name: str) -> None:
    """Raises Malformed where a clause is cited that the game has not."""
    if name:
        try:
            texts.clause(evidence.match.rules, name)
        except KeyError:
            raise Malformed([{"pointer": "/clause", "detail": "no such clause"}]) from None


def _left_open(evidence: Evidence, cited: str, rests_on: tuple[str, ...]) -> Finding | None:
    """Undecided, where somebody cites what the rulebook leaves open and the entry rests on the reading of it: with the
    question, how the referee reads it, and why. Readings that the table chose are no question any more."""
    if not cited:
        return None
    game = evidence.match.rules
    named = texts.clause(game, cited)
    about = texts.clause(game, named.reading) if named.reading else named
    first = about.reads or about.id
    rested = [texts.clause(game, name) for name in rests_on]
    resting = {reading for each in rested for reading in (each.id, each.reads, each.reading)}
    if not about.open or first not in resting or _chosen(evidence, first):
        return None
    held = texts.clause(game, *holding([first], evidence.match.held))
    params = {"clause": held.id, "open": held.open, "reading": held.says, "why": held.why or held.says}
    return Finding("undecided", "court.left_open", params, tuple(dict.fromkeys((held.id, *rests_on))))


def _chosen(evidence: Evidence, clause: str) -> bool:
    """Whether the host chose the reading of a clause, or it is a setting of the game: the table has agreed to it by
    playing with it."""
    if clause in evidence.match.readings:
        return True
    settings = evidence.match.rules.settings.get("properties", {}).values()
    return any(f"({clause})" in schema.get("description", "") for schema in settings)


def reported(before: Match, entry: Logged) -> bool:
    """Whether an entry rests on what somebody read from real dice or cards."""
    if entry.seat == CHANCE:
        return entry.actor != "chance"
    return before.rules.holds_real_cards(before.setup)


def _broken(before: Match, entry: Logged, wrong: Divergence) -> Finding:
    """The finding against an entry that is not what the rules say. Why is told to those who may know it."""
    ruling = wrong.ruling
    if wrong.kind == "facts":
        seen = [each and each.seen_by(BYSTANDER) for each in (wrong.expected, wrong.found)]
        if seen[0] == seen[1]:
            seats = range(len(before.chairs))
            knows = (
                seat for seat in seats
                if (wrong.expected and wrong.expected.seen_by(seat)) != (wrong.found and wrong.found.seen_by(seat))
            )  # fmt: skip
            return Finding("does_not_stand", ruling.reason, ruling.params, ruling.clauses, tuple(knows))
        return Finding("does_not_stand", ruling.reason, ruling.params, ruling.clauses)
    knowing = None if public(before, entry.seat, entry.move, ruling) else (entry.seat,) if entry.seat >= 0 else ()
    return Finding("does_not_stand", ruling.reason, ruling.params, ruling.clauses, knowing)


def public(before: Match, seat: int, move: Move | None, ruling: Ruling) -> bool:
    """Whether everybody may know a ruling: what all see of table and move leads to the same one."""
    seen = move and move.seen_by(BYSTANDER, seat)
    if before.state is None or seen is None:
        return False
    return judge(view(before.state, BYSTANDER), Seat(seat), seen) == ruling


def _refusal(evidence: Evidence, ask: OpenDispute) -> Finding:
    """Judges a move again that was refused to a seat. Only that seat is told why: nobody else knows what it asked."""
    move, seat = named_move(ask.move), Seat(int(ask.by)) if ask.by.isdecimal() else BYSTANDER
    state = evidence.at(ask.about).state
    assert state is not None
    knowing = (int(seat),) if seat >= 0 else ()
    ruling = judge(state, seat, move)
    if ruling.granted:
        return Finding("does_not_stand", "court.was_legal", {}, granting(state, move), knowing)
    if left_open := _left_open(evidence, ask.clause, ruling.clauses):
        return replace(left_open, knowing=knowing)
    verdict = "undecided" if ruling.verdict == "undecided" else "stands"
    return Finding(verdict, ruling.reason, ruling.params, ruling.clauses, knowing)


def named_move(data: Any) -> Move:
    """The move that a dispute names. Raises Malformed."""
    if data is None:
        raise Malformed([{"pointer": "/move", "detail": "is missing"}])
    try:
        move = decode_named(data, Move, "/move")
    except Unreadable as unreadable:
        raise Malformed([{"pointer": unreadable.pointer, "detail": unreadable.detail}]) from None
    if move.TAG.startswith("table."):
        raise Malformed([{"pointer": "/move/type", "detail": "no move of the game"}])
    return move


def said(dispute: Dispute) -> Move | None:
    """How a report should have read: as the claimant says, else as all attest who say that it is wrong; None if nobody
    has said it, or they differ."""
    attested = [each.saw for each in dispute.testimony if each.holds and each.saw is not None]
    agreed = attested[:1] if all(each == attested[0] for each in attested) else []
    return move_told(dispute.move, dispute.saw, *agreed)


def asked(evidence: Evidence, dispute: Dispute) -> tuple[str, str]:
    """The question that was open at the disputed entry, and the type of the move: what makes two disputes alike."""
    if dispute.claim == "wrong_refusal":  # what was refused is told to nobody, so it is not kept for others either
        return _question(_then(evidence, dispute.about)), ""
    move = evidence.entries[dispute.about - 1].move
    return _question(_then(evidence, dispute.about - 1)), move.TAG if move is not None else ""


def _then(evidence: Evidence, version: int) -> Match:
    """The match as it stood at a version, whether or not that still counts."""
    return folded(Match(), course(evidence.entries[:version]))


def _question(match: Match) -> str:
    return match.state.agenda[-1].question() if match.state is not None and match.state.agenda else ""
