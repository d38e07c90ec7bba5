"""Reports of real dice and cards: corrections by the reporter, and witnesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from referee.arbitration import auto_ruling, disputes
from referee.arbitration.real_tables import slips
from referee.arbitration.remedies.rewind_impact import find_hidden_piles, was_over_since
from referee.engine.chance import Shuffle
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.referee import collect_granting_clauses
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import is_back
from referee.match.aggregate import FINAL_STATUSES, LastingTableEvent, Match, MatchRewound
from referee.match.entries import LogEntry, replay_entries
from referee.match.events.dispute_commands import OpenDispute
from referee.match.events.dispute_state import PendingWitness
from referee.match.events.reaction_events import WindowTalk
from referee.match.events.report_events import (
    CorrectReport,
    ReportCorrected,
    ReportWitnessed,
    WitnessAwaited,
    WitnessDeadline,
    WitnessReport,
    WitnessWaived,
    find_first_report,
    split_play_events,
)
from referee.match.events.slip_events import ReportRetracted, RetractReport
from referee.match.evidence import Evidence
from referee.match.game_moves import apply_all, decide_move, require_unhalted
from referee.match.table.officials import find_human_seats
from referee.match.table.reactions import SPOKEN_FOR

Events = tuple[Event, ...]
UNCORRECTABLE_STATUSES = ("void", "withdrawn", "abandoned", "archived")
HAND_ACTORS = ("player", "proxy")  # the kinds of actor that name cards of a hand


def require_report(evidence: Evidence, about: int) -> LogEntry:
    """Return the entry if it is a report that counts. Raises IllegalMove.

    A report is what real dice or cards showed, or a move that named cards of a real hand.
    """
    entry = evidence.find_entry(about)
    if entry is None:
        raise IllegalMove("court.no_such_entry", "TABLE-REPORT-3", about=about)
    if not entry.reporter and not find_newly_named_cards(evidence, entry):
        raise IllegalMove("court.not_a_report", "TABLE-REPORT-3", about=about)
    return entry


def find_newly_named_cards(evidence: Evidence, entry: LogEntry) -> frozenset[str]:
    """Return the cards of a real hand that a move named and nobody could name before.

    For all other entries there are none.
    """
    match = evidence.match
    by_hand = entry.seat >= 0 and entry.actor in HAND_ACTORS and entry.move is not None
    if not by_hand or not match.rules.has_hidden_real_cards(match.setup):
        return frozenset()
    before = evidence.replay_to(find_first_report(entry.version, entry.events) - 1)
    return frozenset(_count_named_cards(replay_entries(before, [entry])) - _count_named_cards(before))


def _count_named_cards(match: Match) -> Counter[str]:
    zones: dict[str, tuple[str, ...]] = getattr(match.state, "zones", {})
    return Counter(card for cards in zones.values() for card in cards if not is_back(card))


def is_own_report(match: Match, entry: LogEntry, seats: Iterable[int], host: bool) -> bool:
    """Tell whether an entry was made by the host or the holder of these seats."""
    if entry.reporter:
        return host if entry.reporter == "host" else int(entry.reporter) in seats
    if entry.seat < 0 or entry.actor not in HAND_ACTORS:
        return False
    return entry.seat in seats or (host and match.chairs[entry.seat].kind == "table")


def find_corrected_move(evidence: Evidence, command: CorrectReport) -> tuple[int, str, Move]:
    """Return seat, actor and corrected move under which a correction is logged."""
    entry = require_report(evidence, command.about)
    return entry.seat, entry.actor, auto_ruling.parse_game_move(command.move)


def _handle_correction(evidence: Evidence, command: CorrectReport) -> Events:
    """Go back to before a report and make it as it should read, in one entry.

    TABLE-REPORT-3: The reporter of real dice or cards may correct just that once, for a few seconds, until the next
    report or until somebody else moves.

    TABLE-TAP-4: Until the end of the turn that is so as long as nobody has learned anything by it, and else with the
    confirmation of one other seat.
    """
    match, entry = evidence.match, require_report(evidence, command.about)
    if not is_own_report(match, entry, command.seats, command.host):
        raise IllegalMove("court.not_your_report", "TABLE-REPORT-3", about=command.about)
    first = find_first_report(entry.version, entry.events)
    _require_correctable(evidence)
    move = auto_ruling.parse_game_move(command.move)
    obstacle = _find_obstacle(evidence, command, first)
    if obstacle is None or slips.is_same_turn(evidence, first):
        _require_only_report_changed(evidence, entry, move)
    if obstacle is not None:
        return slips.ask_for_correction(evidence, entry, first, command.seats, move, obstacle)
    before = evidence.replay_to(first - 1)
    assert before.state is not None
    try:
        events = decide_move(before, Seat(entry.seat), move)
    except Undetermined as unknown:
        raise IllegalMove(unknown.need.key, "KERNEL-POSITION-1", **unknown.need.params) from unknown
    after = apply_all(before, events)
    if was_over_since(evidence, first - 1) and after.status not in FINAL_STATUSES and _has_secret_pile_order(after):
        raise IllegalMove("court.all_shown", "TABLE-REPORT-3")  # a dispute would shuffle the piles, a correction not
    rests = ("TABLE-REPORT-3", *collect_granting_clauses(before.state, move, events))
    seats = command.seats if entry.reporter else None
    return (
        ReportCorrected(command.about, first, tuple(dict.fromkeys(rests))),
        MatchRewound(first - 1),
        *events,
        *(() if seats is None else await_witness(match, after.status, evidence.version + 1, seats, evidence.now_ms)),
    )


def _handle_retraction(evidence: Evidence, command: RetractReport) -> Events:
    """Go back to before a report (TABLE-TAP-4)."""
    entry = require_report(evidence, command.about)
    if not is_own_report(evidence.match, entry, command.seats, command.host):
        raise IllegalMove("court.not_your_report", "TABLE-REPORT-3", about=command.about)
    first = find_first_report(entry.version, entry.events)
    _require_correctable(evidence)
    if (obstacle := _find_obstacle(evidence, command, first)) is not None:
        raise obstacle
    if was_over_since(evidence, first - 1) and _has_secret_pile_order(evidence.replay_to(first - 1)):
        raise IllegalMove("court.all_shown", "TABLE-REPORT-3")  # a dispute would shuffle the piles
    return (ReportRetracted(command.about), MatchRewound(first - 1))


def _find_obstacle(evidence: Evidence, command: CorrectReport | RetractReport, first: int) -> IllegalMove | None:
    """Return why a report cannot be corrected by the reporter alone; None if it can."""
    if _is_out_of_time(evidence, command.about, first):
        return IllegalMove("court.out_of_time", "TABLE-REPORT-3")
    if first != command.about or _was_retracted_before(evidence, first):
        return IllegalMove("court.corrected_already", "TABLE-REPORT-3", about=first)
    for later in evidence.list_entries_since(command.about):
        played = any(not isinstance(event, LastingTableEvent | WindowTalk) for event in later.events)
        spoken = later.actor.partition(":")[0] == SPOKEN_FOR  # the seat itself has built upon nothing
        own = not later.reporter and is_own_report(evidence.match, later, command.seats, command.host)
        if played and not spoken and not own:
            return IllegalMove("court.built_upon", "TABLE-REPORT-3", entry=later.version)
    return None


def _was_retracted_before(evidence: Evidence, first: int) -> bool:
    """Tell whether a report was made in place of one that was taken back."""
    for earlier in reversed(evidence.entries[: first - 1]):
        if any(isinstance(event, ReportRetracted) for event in earlier.events):
            return True
        if any(not isinstance(event, LastingTableEvent | WindowTalk) for event in earlier.events):
            return False
    return False


def _is_out_of_time(evidence: Evidence, about: int, first: int) -> bool:
    """Tell whether only another seat can still confirm a slip of the reporter."""
    late = evidence.now_ms > evidence.entries[first - 1].at_ms + evidence.match.courts.correct_ms
    return late and not slips.is_harmless(evidence, about, first)


def _require_correctable(evidence: Evidence) -> None:
    """Raise IllegalMove unless reports of the match can be corrected now."""
    match = evidence.match
    if match.status in UNCORRECTABLE_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if match.witnessing is None:
        require_unhalted(match)


def check_side_events(evidence: Evidence, logged: LogEntry) -> None:
    """Raise IllegalMove unless an entry's events beside its move are possible.

    They may say that it corrects a report of the same seat and actor, and that it waits for a witness. The log does not
    say which seats a person holds, so this does not check whether others built upon the report.
    """
    corrects, events, waits = split_play_events(logged.events)
    correction = corrects[0] if corrects else None
    if isinstance(correction, ReportCorrected):
        assert logged.move is not None
        entry = require_report(evidence, correction.about)
        if (entry.seat, entry.actor) != (logged.seat, logged.actor):
            raise IllegalMove("court.not_your_report", "TABLE-REPORT-3", about=correction.about)
        first = find_first_report(entry.version, entry.events)
        _require_correctable(evidence)
        if _is_out_of_time(evidence, correction.about, first):
            raise IllegalMove("court.out_of_time", "TABLE-REPORT-3")
        _require_only_report_changed(evidence, entry, logged.move)
        before = evidence.replay_to(first - 1).state
        rests = () if before is None else ("TABLE-REPORT-3", *collect_granting_clauses(before, logged.move, events))
        if correction != ReportCorrected(correction.about, first, tuple(dict.fromkeys(rests))):
            raise IllegalMove("court.wrong_facts", "TABLE-COURSE-1", at=f"{logged.version}.0")
    for awaited in waits:
        match = evidence.match
        voices = find_human_seats(match) - ({int(logged.reporter)} if logged.reporter.isdecimal() else set())
        wanted = match.courts.witness and logged.actor.startswith("reporter") and bool(getattr(awaited, "asks", ()))
        until = logged.at_ms + match.courts.answer_ms
        asks = tuple(sorted(voices & set(getattr(awaited, "asks", ()))))
        if not wanted or awaited != WitnessAwaited(logged.version, asks, until):
            raise IllegalMove("court.wrong_facts", "TABLE-REPORT-2", at=f"{logged.version}.{len(logged.events) - 1}")


def _has_secret_pile_order(match: Match) -> bool:
    """Tell whether the server alone knows the order of piles."""
    return any(Shuffle(pile).awaited_seats(match.state) for pile in find_hidden_piles(match))  # type: ignore[arg-type]


def _require_only_report_changed(evidence: Evidence, entry: LogEntry, move: Move) -> None:
    """Raise IllegalMove if more than the reported part changes.

    That would be a takeback.
    """
    if entry.seat == CHANCE:
        return
    assert entry.move is not None
    was, now, named = encode(entry.move), encode(move), find_newly_named_cards(evidence, entry)
    same = was["type"] == now["type"]
    if not same or any(now[name] != value and not _has_named_card(value, named) for name, value in was.items()):
        raise IllegalMove("court.corrects_more", "TABLE-REPORT-3")


def _has_named_card(value: Any, names: frozenset[str]) -> bool:
    """Tell whether a part of a move names one of these cards."""
    if isinstance(value, list):
        return any(_has_named_card(part, names) for part in value)
    if isinstance(value, dict):
        return any(_has_named_card(part, names) for part in value.values())
    return isinstance(value, str) and value in names


def await_witness(match: Match, status: str, version: int, own: Iterable[int], now_ms: int) -> Events:
    """Return the event by which the report of entry `version` awaits a witness.

    There is none if the match needs no witness. `own` are the seats of the reporter, `status` is the match's after the
    report.

    TABLE-REPORT-2: Where a match asks for witnesses, play waits after a report until somebody else at the table
    confirms it or the time to answer is up. Nobody witnesses a report of their own.
    """
    asks = tuple(sorted(find_human_seats(match) - set(own)))
    if not match.courts.witness or status != "running" or not asks:
        return ()
    return (WitnessAwaited(version, asks, now_ms + match.courts.answer_ms),)


def find_overdue_report(match: Match, now_ms: int) -> PendingWitness | None:
    """Return the report that nobody contradicted in time; None if there is none."""
    waits = match.witnessing if match.status == "running" else None
    return waits if waits is not None and waits.until_ms <= now_ms else None


def _handle_witness(evidence: Evidence, command: WitnessReport) -> Events:
    """Record what a witness says; a contradiction opens a dispute at once."""
    match, entry = evidence.match, require_report(evidence, command.report)
    if is_own_report(match, entry, command.seats, command.host):
        raise IllegalMove("court.own_report", "TABLE-REPORT-2")
    if command.seat not in find_human_seats(match) or command.seat not in command.seats:
        raise IllegalMove("court.no_say", "TABLE-REPORT-2", seat=command.seat)
    if any(answer.seat == command.seat for answer in list_attestations(evidence.entries, command.report)):
        raise IllegalMove("court.said_already", "TABLE-REPORT-2", seat=command.seat)
    answer = ReportWitnessed(command.report, command.seat, command.holds, command.saw)
    if command.holds:
        return (answer,)
    disputed = OpenDispute(str(command.seat), command.report, "misreported", move=command.move, saw=command.saw)
    return (answer, *disputes.open_dispute(replace(evidence, match=answer.apply(match)), disputed))


def list_attestations(entries: Iterable[LogEntry], report: int) -> list[ReportWitnessed]:
    """Return what was attested of a report, in order."""
    answers = (event for entry in entries for event in entry.events if isinstance(event, ReportWitnessed))
    return [event for event in answers if event.report == report]


def _handle_witness_deadline(evidence: Evidence, command: WitnessDeadline) -> Events:
    """Let a report stand that nobody contradicted in time (TABLE-REPORT-2)."""
    waits = find_overdue_report(evidence.match, evidence.now_ms)
    if waits is None or waits.report != command.report:
        raise IllegalMove("court.witness_not_late", "TABLE-REPORT-2")
    return (WitnessWaived(command.report, "late"),)


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {
    CorrectReport: _handle_correction,
    RetractReport: _handle_retraction,
    WitnessReport: _handle_witness,
    WitnessDeadline: _handle_witness_deadline,
}
