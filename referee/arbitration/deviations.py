"""Deviations: moves against the rules that nobody noticed, recorded as made.

Whether a move breaks the rules, and what its result was, is first computed from the caller's view, so that no answer
reveals a hidden card. If the move names a card that only another seat sees, that seat is asked too, even by an arbiter.

TABLE-DEVIATION-1: A move against the rules that happened all the same can be recorded, with the clauses that it broke.
A move that the rules allow is simply made.

TABLE-DEVIATION-2: The host asks the other people at the table, and all have to agree. An arbiter who holds no seat asks
only those whose hidden cards are named.

TABLE-DEVIATION-3: The result of the move follows from the open question or is corrected by hand; it has to be possible
with the cards of the box.

TABLE-DEVIATION-4: At a table with real cards or dice what really lies there can be recorded against the rules, a report
of chance included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

from referee.arbitration import auto_ruling, offices
from referee.arbitration.real_tables import as_it_lies
from referee.arbitration.remedies import house_rulings
from referee.arbitration.remedies.manual_corrections import apply_corrections, find_public_corrections, is_value_visible
from referee.engine.events import Event, Move, apply_events
from referee.engine.referee import build_view, judge_candidates, judge_move, play_unchecked, seats_that_may_act
from referee.engine.rulebook.book import KERNEL_RULEBOOK
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.engine.steps import State
from referee.engine.zones import is_back, is_open_to
from referee.match.aggregate import Match, apply_event
from referee.match.events.deviation_events import (
    AnswerDeviation,
    DeviationGranted,
    DeviationRecorded,
    DeviationRefused,
    DeviationRequested,
    RecordDeviation,
)
from referee.match.events.dispute_state import Deviation
from referee.match.evidence import Evidence
from referee.match.game_moves import decide_match_end, require_playable
from referee.match.house_readings import HouseRulingFollowed
from referee.match.table.officials import find_human_seats

Events = tuple[Event, ...]
MAX_CANDIDATES = 2000  # how many candidates are tried to find which types of move a question takes
IMPOSSIBLE = "court.deviation_impossible"
NEEDS_FIX = "court.deviation_needs_fix"


def require_deviation(match: Match, number: int) -> Deviation:
    """Return the deviation of this number. Raises IllegalMove."""
    deviation = next((each for each in match.deviations if each.number == number), None)
    if deviation is None:
        raise IllegalMove("court.no_such_deviation", "TABLE-DEVIATION-2", deviation=number)
    return deviation


def find_awaited_seats(match: Match, deviation: Deviation) -> tuple[int, ...]:
    """Return the seats that a deviation still waits for."""
    if deviation.stage != "asked":
        return ()
    return tuple(sorted(set(deviation.asks) & find_human_seats(match) - set(deviation.granted)))


def _handle_deviation(evidence: Evidence, command: RecordDeviation) -> Events:
    """Record a deviation at once if nobody has to be asked; else ask.

    TABLE-DEVIATION-2: The host asks the other people at the table. An arbiter who holds no seat asks only whose hidden
    cards are named.
    """
    match, number = evidence.match, evidence.version + 1
    require_playable(match)
    if command.seat == CHANCE and not as_it_lies.has_real_cards_or_dice(match):
        raise IllegalMove("server_draws", "TABLE-REPORT-1")
    if command.seat != CHANCE and not 0 <= command.seat < len(match.chairs):
        raise IllegalMove("no_such_seat", "TABLE-SEAT-1", seat=command.seat)
    move = _parse_deviation_move(match, command)
    against = _require_rule_break(match, command, move)
    if command.house:
        house_rulings.require_allowing_ruling(match, command, against)
    there = find_human_seats(match)
    trusted = command.by == "arbiter" and not command.seats and "arbiter" in match.courts.levels
    if match.courts.edition is not None:
        trusted = trusted and offices.is_trusted(match, command.by, command.official)
    allowed = bool(command.house) and _may_follow_house_ruling(match, command)
    others = set() if trusted or allowed else set(there) - set(command.seats)
    try:
        others |= _find_card_holders(match, command, move) - set(command.seats)
    except IllegalMove as refused:
        if command.house and refused.ruling.reason in (IMPOSSIBLE, NEEDS_FIX):  # and with it no fix is possible
            raise house_rulings.build_no_result_error(command) from None
        raise
    request = DeviationRequested(
        number, command.by, command.seat, command.move, command.cites, command.reason, command.fix,
        tuple(sorted(others)), tuple(sorted(there & set(command.seats))), command.house,
        find_public_corrections(match, command.fix), allowed and bool(there - {command.seat, *command.seats}),
        bool(command.fix),
    )  # fmt: skip
    return (request, *(() if others else _record_deviation(match, request.apply(match).deviations[-1])))


def _may_follow_house_ruling(match: Match, command: RecordDeviation) -> bool:
    """Tell whether the caller may record this seat's move without asking.

    TABLE-HOUSE-2: Only the seat that moved may, its proxy, or an official whom all have accepted: nobody else makes a
    player do what the rules forbid. In matches of the first edition of the courts the host may too.
    """
    if match.courts.edition is None or command.seat in command.seats:
        return True
    if offices.is_trusted(match, command.by, command.official):
        return True
    chair = match.chairs[command.seat] if command.seat != CHANCE else None
    if chair is None:
        return False
    at_host = chair.kind == "table" or chair.proxy == "host"
    return (at_host and command.by == "host") or chair.proxy in map(str, command.seats)


def _parse_deviation_move(match: Match, command: RecordDeviation) -> Move:
    """Return the move of a deviation.

    Raises MalformedInput if it is no move of the game, or if a cited clause does not exist.
    """
    move, rulebook = auto_ruling.parse_game_move(command.move), match.rules.rulebook
    if type(move) not in match.rules.move_types:
        raise MalformedInput([{"pointer": "/move/type", "detail": "no such move in this game"}])
    for at, name in enumerate(command.cites):
        if name not in rulebook.clauses and name not in KERNEL_RULEBOOK.clauses and not name.startswith("TABLE-"):
            raise MalformedInput([{"pointer": f"/clauses/{at}", "detail": "no such clause in this game"}])
    return move


def _find_requesting_viewer(command: RecordDeviation) -> Seat:
    """Return the viewer as which the caller is answered.

    It is the seat that moved if the caller holds it, else the caller's first seat, else the public.
    """
    own = command.seat if command.seat in command.seats else min(command.seats, default=int(BYSTANDER))
    return Seat(own)


def _require_rule_break(match: Match, command: RecordDeviation, move: Move) -> Ruling:
    """Return the refusal of the move in the caller's view.

    Raises IllegalMove if the move may be legal there.
    """
    assert match.state is not None
    given = judge_move(build_view(match.state, _find_requesting_viewer(command)), Seat(command.seat), move)
    if given.verdict != "refused":
        raise IllegalMove("court.move_legal", "TABLE-DEVIATION-1")
    return given


def _find_card_holders(match: Match, command: RecordDeviation, move: Move) -> set[int]:
    """Return the seats that alone see a card which the move names.

    Cards that the caller sees do not count. The seat that moved is among them if only its own view can tell whether the
    move was possible. Raises IllegalMove or MalformedInput if the move cannot be carried out on the caller's view, or
    names a card that no person sees.
    """
    assert match.state is not None
    for at, each in enumerate(command.fix):  # a refusal of one value would reveal the hidden one
        if "set" in each and not is_value_visible(match, str(each["set"]), (int(_find_requesting_viewer(command)),)):
            raise MalformedInput([{"pointer": f"/fix/{at}/set", "detail": "only what lies open to you can be set"}])
    seen: State = build_view(match.state, _find_requesting_viewer(command))
    before = replace(match, state=seen)
    try:
        events = _compute_deviation_events(before, Seat(command.seat), move, command.fix)
    except IllegalMove as refused:
        unseen = not command.fix and refused.ruling.reason == IMPOSSIBLE and _sees_more_by_name(match, command)
        if not unseen or command.seat not in find_human_seats(match):
            raise
        return {command.seat}
    people, holders = find_human_seats(match), set[int]()
    for event in events:
        after = apply_event(before, event)
        for place in _find_uncovered_places(before.state, after.state):
            if any(not is_back(card) for card in _get_zones(match.state).get(place, ())):
                viewer = {seat for seat in range(len(match.chairs)) if is_open_to(place, seat)}
                if not viewer or not viewer <= people:
                    raise IllegalMove(IMPOSSIBLE, "TABLE-DEVIATION-3")
                holders |= viewer
        before = after
    return holders


def _find_uncovered_places(before: State | None, after: State | None) -> list[str]:
    """Return the places from which an event took hidden cards and named them."""
    was, now = _get_zones(before), _get_zones(after)
    if not _count_named_cards(now) - _count_named_cards(was):
        return []
    return [place for place, cards in was.items() if sum(map(is_back, cards)) > sum(map(is_back, now.get(place, ())))]


def _sees_more_by_name(match: Match, command: RecordDeviation) -> bool:
    """Tell whether the seat that moved sees cards by name that the caller cannot."""
    assert match.state is not None
    own, viewer = command.seat, int(_find_requesting_viewer(command))
    return any(
        is_open_to(place, own) and not is_open_to(place, viewer) and any(not is_back(card) for card in cards)
        for place, cards in _get_zones(match.state).items()
    )


def _get_zones(state: State | None) -> dict[str, tuple[str, ...]]:
    zones: dict[str, tuple[str, ...]] = getattr(state, "zones", {})
    return zones


def _count_named_cards(zones: dict[str, tuple[str, ...]]) -> Counter[str]:
    """Return the cards that lie by name."""
    return Counter(card for cards in zones.values() for card in cards if not is_back(card))


def _compute_deviation_events(match: Match, seat: Seat, move: Move, fix: tuple[Any, ...], ground: int = 0) -> Events:
    """Return the result of a forbidden move: its corrections, or what the rules make.

    Raises IllegalMove if it cannot be, MalformedInput if the corrections have the wrong form.

    TABLE-DEVIATION-3: The result follows from the open question or is corrected by hand; it has to be possible.
    """
    state = match.state
    assert state is not None
    if fix:
        return apply_corrections(match, fix)
    if seat == CHANCE and not as_it_lies.is_real_chance_awaited(match):
        raise IllegalMove(NEEDS_FIX, "TABLE-DEVIATION-3")
    if seat not in seats_that_may_act(state) or not _can_take_move_type(state, seat, move):
        raise IllegalMove(NEEDS_FIX, "TABLE-DEVIATION-3")
    possible = None if seat == CHANCE else _find_possible_events(match, seat, move)
    if possible is not None:
        return (*possible, *decide_match_end(match, possible))
    if seat == CHANCE or match.rules.has_hidden_real_cards(match.setup):
        return as_it_lies.play_as_it_lies(match, seat, move, ground)
    raise IllegalMove(IMPOSSIBLE, "TABLE-DEVIATION-3")


def _find_possible_events(match: Match, seat: Seat, move: Move) -> Events | None:
    """Return what the rules make of a forbidden move; None if the box forbids it."""
    positions, state = match.rules.positions, match.state
    assert state is not None
    try:
        events = play_unchecked(state, seat, move)
        after = apply_events(state, events)
        written = positions.encode_position(after)
        positions.decode_position(written)  # a state that no position can say is impossible, such as a fourth heart
        possible = positions.check_census(written)["possible"]
    except Exception:  # without its own check a step may fail in any way
        return None
    return events if possible and after != state else None


def _can_take_move_type(state: State, seat: Seat, move: Move) -> bool:
    """Tell whether the open question takes moves of this type at all.

    With a move of another type a step could do anything.
    """
    return any(
        type(other) is type(move) for other, _ in islice(judge_candidates(state, seat, complete=False), MAX_CANDIDATES)
    )


def _record_deviation(match: Match, deviation: Deviation) -> Events:
    """Return the events of a deviation to which all have agreed.

    If it is impossible because of hidden cards, the refusal does not say why.
    """
    assert match.state is not None
    seat, move = Seat(deviation.seat), auto_ruling.parse_game_move(deviation.move)
    public = judge_move(build_view(match.state, BYSTANDER), seat, move)
    known = seat != CHANCE or move.view_for(int(BYSTANDER), int(seat)) == move  # else the clauses would tell of a card
    against = public.clauses if public.verdict == "refused" and known else ()
    stands = DeviationRecorded(
        deviation.number, deviation.by, deviation.seat, deviation.move, deviation.cites, against, deviation.reason
    )
    allowed = (HouseRulingFollowed(deviation.house),) if deviation.house else ()
    try:
        return (stands, *allowed, *_compute_deviation_events(match, seat, move, deviation.fix, deviation.number))
    except (IllegalMove, MalformedInput):
        raise IllegalMove(IMPOSSIBLE, "TABLE-DEVIATION-3") from None


def _handle_answer(evidence: Evidence, command: AnswerDeviation) -> Events:
    """Record the answer of seats; the last consent records the deviation.

    TABLE-DEVIATION-2: All have to agree; one refusal ends it, and so does play that goes on meanwhile.
    """
    match, deviation = evidence.match, require_deviation(evidence.match, command.deviation)
    if deviation.stage == "overtaken":
        raise IllegalMove("court.deviation_overtaken", "TABLE-DEVIATION-2", deviation=command.deviation)
    if deviation.stage != "asked":
        raise IllegalMove("court.deviation_closed", "TABLE-DEVIATION-2", deviation=command.deviation)
    by = tuple(sorted(set(find_awaited_seats(match, deviation)) & set(command.by)))
    if not by:
        raise IllegalMove("court.no_say_in_deviation", "TABLE-DEVIATION-2", deviation=command.deviation)
    if not command.grant:
        return (DeviationRefused(command.deviation, by),)
    require_playable(match)
    granted = DeviationGranted(command.deviation, by)
    after = require_deviation(granted.apply(match), command.deviation)
    return (granted, *(() if find_awaited_seats(match, after) else _record_deviation(match, after)))


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], Events]] = {
    RecordDeviation: _handle_deviation,
    AnswerDeviation: _handle_answer,
}
