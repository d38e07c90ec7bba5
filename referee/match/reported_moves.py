"""A move with what real dice and cards showed after it, as its seat foresees it.

All is judged in order on the seat's own view before anything is decided. So a refusal tells nothing that the seat could
not know without making the move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from referee.engine.events import Event, Move, apply_events, replace_fields
from referee.engine.referee import build_view, find_state_after, rule_on_move, seats_that_must_act
from referee.engine.rulings import IllegalMove, Ruling
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import StepPushed, StepReplaced
from referee.match.aggregate import Match
from referee.match.table.reactions import find_spoken_people, require_speaker

NOBODY_REACTS = None  # stands among reports for: somebody says for all that nobody reacts
Report = Move | None


@dataclass
class Foreseen:
    """A move and the reports after it as the seat can foresee them.

    `ruling` is that on the move or, if `refused_at` is not None, on the report of that place. `after` is the view after
    all of them; None: it cannot be foreseen.
    """

    ruling: Ruling
    events: list[Event] = field(default_factory=list)
    after: Any | None = None
    refused_at: int | None = None


def foresee_reports(match: Match, seat: Seat, move: Move, reports: tuple[Report, ...]) -> Foreseen:
    """Return what a seat can foresee of a move and the reports after it.

    TABLE-TAP-3: A move may carry what real dice and cards showed after it. It is judged in order, and all of it counts
    or nothing.
    """
    assert match.state is not None
    seen = build_view(match.state, seat)
    given, told = rule_on_move(seen, seat, move)
    events = _correct_steps(told)
    found = Foreseen(given, events, find_state_after(seen, given, events))
    for at, report in enumerate(reports if given.granted else ()):
        try:
            if found.after is None:
                raise IllegalMove("report.not_foreseeable", "TABLE-TAP-3")
            if report is NOBODY_REACTS:
                _pass_for_all(match, found)
            else:
                _add_report(match, found, report)
        except IllegalMove as refused:
            found.ruling, found.refused_at = refused.ruling, at
            break
    return found


def _add_report(match: Match, found: Foreseen, report: Move) -> None:
    state: Any = found.after
    if CHANCE in seats_that_must_act(state) and not match.setup.is_at_table(getattr(state.agenda[-1], "device", "")):
        raise IllegalMove("server_draws", "TABLE-REPORT-1")
    _carry_on(found, CHANCE, report)


def _pass_for_all(match: Match, found: Foreseen) -> None:
    """Let all people pass the open window, one after the other. Raises IllegalMove."""
    require_speaker(match)
    state: Any = found.after
    people = set(find_spoken_people(match))
    depth, top = len(state.agenda), state.agenda[-1] if state.agenda else None
    kind = type(top)
    if top is None or not top.window_kind or not people & set(seats_that_must_act(state)):
        raise IllegalMove("report.no_window", "TABLE-TAP-3")
    while len(state.agenda) == depth and type(state.agenda[-1]) is kind:
        seat = min(people & set(seats_that_must_act(state)), default=None)
        move = None if seat is None else top.passing_move(Seat(seat))
        if seat is None or move is None:
            return
        people.discard(seat)
        _carry_on(found, Seat(seat), move)
        if found.after is None:
            return
        state = found.after


def _carry_on(found: Foreseen, seat: Seat, move: Move) -> None:
    before: Any = found.after
    given, told = rule_on_move(before, seat, move)
    if not given.granted:
        raise IllegalMove(given.reason, *given.clauses, **given.params)
    events = _correct_steps(told)
    found.events += events
    found.after = apply_events(before, events) if not given.needs else None


def _correct_steps(events: Iterable[Event]) -> list[Event]:
    """Return events that a seat foresees, with steps as they really open."""
    found: list[Event] = []
    for event in events:
        match event:
            case StepPushed(step) | StepReplaced(step):
                found.append(replace_fields(event, step=step.as_foreseen(found)))
            case _:
                found.append(event)
    return found
