"""Entries as a viewer may see them.

Of each it is said what happened and why, and which numbers of the board it changed. All of it is computed from the
viewer's view of the entries, which is folded on from one to the next. So it cannot reveal more than log and board do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from referee.engine.breakdown import Term
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.parts.boards import BoardNumbers, Boards, list_numbers
from referee.engine.parts.narration import BOOKKEEPING_TYPES
from referee.engine.remembering import keep_answer, remember
from referee.engine.rulebook.book import Text
from referee.engine.rulebook.interpretations import cite_by_interpretation
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.engine.steps import State
from referee.match.aggregate import FINAL_STATUSES, Match, RewindEvent, TableEvent, apply_event, finish_entry
from referee.match.entries import LogEntry, has_rewind
from referee.match.house_readings import HouseRulingFollowed, find_allowing_ruling, find_deciding_readings
from referee.rendering import summary, texts
from referee.rendering.house_rulings import HouseNotes, describe_house_ruling, house_notes_response, read_aloud
from referee.repository.matches import MatchRepository


@dataclass(frozen=True, slots=True)
class VisibleEntry:
    """An entry as its viewer may see it, with the match before it.

    `replay_to(at)` returns the match after its event at that place, by which play goes back.
    """

    before: Match
    move: Move | None
    events: tuple[Event, ...]
    viewer: int
    replay_to: Callable[[int], Match] | None = None
    version: int = 0


@dataclass(frozen=True, slots=True)
class ToldEntry:
    """What is said of an entry, and what that rests on.

    `clauses` are those that it reads, `decides` the readings of house rulings without which the move was refused, and
    `notes` the house rulings by the clauses that they concern.
    """

    says: Text
    clauses: tuple[str, ...]
    decides: tuple[str, ...]
    notes: HouseNotes


def tell_entries(
    repository: MatchRepository,
    game: Game,
    before: Match,
    found: Sequence[LogEntry],
    viewer: int,
    steps: bool,
    last: Match | None = None,
) -> tuple[list[dict[str, Any]], Match]:
    """Return entries as a viewer sees them, with sentences and changed numbers.

    With them comes the match after them, as the viewer sees it. `before` is the match before the first of them, `last`
    the one after the last if it is known; only what the viewer sees of both is used. `steps` as in `entry_response`.
    """
    items, numbers = [], count_board(game, before, viewer)
    before = before.view_for(viewer)
    for logged in found:
        goes_back = has_rewind([logged])
        back = partial(repository.replay_within_entry, logged, viewer=viewer) if goes_back else None
        seen = VisibleEntry(before, *logged.view_for(viewer), viewer, back, logged.version)
        counted, course = compute_breakdowns(game, seen)
        told = tell_entry(game, logged, replace(seen, before=find_answered_match(seen, logged.seat)), counted)
        if goes_back:
            before = repository.replay_for_viewer(logged.match, viewer, logged.version)
        else:
            before = finish_entry(seen.before, course[-1], logged.seat, logged.actor)
        now = count_board(game, before if last is None or logged is not found[-1] else last, viewer)
        more = {"says": told.says, "changes": changes_response(numbers, now)}
        states = [match.state for match in course]
        items.append({**texts.entry_response(game, logged, viewer, steps, states), **more})
        numbers = now
    return items, before


def tell_entry(game: Game, logged: LogEntry, seen: VisibleEntry, numbers: Mapping[int, Sequence[Term]]) -> ToldEntry:
    """Return what is said of an entry.

    `seen` has the match whose question the entry answers (`find_answered_match`), `numbers` are those of its events.
    """
    sentence, why = summary.render_sentences(
        game,
        logged,
        seen.move,
        seen.events,
        numbers,
        lambda clauses: apply_interpretations(seen, clauses),
        lambda event: "" if isinstance(event, TableEvent) else game.narration.find_reason(seen.before.state, event),
    )
    notes = {**house_notes_response(seen.before), **allowing_ruling_response(seen)}
    decides = find_house_grounds(seen, logged.seat)
    return ToldEntry(read_aloud(sentence, dict.fromkeys((*why, *decides)), notes), why, decides, notes)


def draw_board(game: Game, match: Match, viewer: int) -> Any:
    """Return the board of a match for a viewer, and remember its numbers.

    Play has begun.
    """
    assert match.state is not None
    board = game.boards.draw(view_state(match.state, viewer), viewer, match.variant)
    keep_answer(count_state, match.state, list_numbers(board), game.boards, viewer, match.variant)
    return board


def count_board(game: Game, match: Match, viewer: int) -> BoardNumbers:
    """Return the numbers of the board that the viewer has; none before play has begun."""
    return {} if match.state is None else count_state(match.state, game.boards, viewer, match.variant)


@remember()
def count_state(state: State, boards: Boards, viewer: int, variant: str) -> BoardNumbers:
    """Return the numbers of the board that is drawn of a state for a viewer."""
    return list_numbers(boards.draw(view_state(state, viewer), viewer, variant))


def view_state(state: Any, viewer: int) -> Any:
    """Return a state as a viewer may see it."""
    return state if viewer == FULL_VIEWER else state.view_for(viewer)


def changes_response(before: BoardNumbers, now: BoardNumbers) -> list[dict[str, Any]]:
    """Return the numbers that differ between two boards.

    There are none if there was no board before.
    """
    if not before:
        return []
    gone = {key: (at, None) for key, (at, _) in before.items() if key not in now}
    return [
        {"seat": key[0], "what": key[1], "at": at, "from": was, "to": value}
        for key, (at, value) in {**now, **gone}.items()
        for was in (before.get(key, ("", None))[1],)
        if was != value
    ]


def find_house_grounds(seen: VisibleEntry, seat: int) -> tuple[str, ...]:
    """Return the readings of house rulings without which a player's move was refused."""
    if seat < 0 or seen.move is None or texts.is_of_table(seen.move):
        return ()
    return find_deciding_readings(seen.before, Seat(seat), seen.move)


def allowing_ruling_response(seen: VisibleEntry) -> HouseNotes:
    """Return which house ruling allowed a deviation, by the clause that lets it."""
    return {
        clause: describe_house_ruling(kept.match, kept.entry, seen.before.id)
        for event in seen.events
        if isinstance(event, HouseRulingFollowed)
        for kept in (find_allowing_ruling(seen.before, event.entry),)
        if kept is not None
        for clause in event.clauses
    }


def find_answered_match(seen: VisibleEntry, seat: int) -> Match:
    """Return the match whose open question an entry answers.

    If a seat's entry goes back first, that is the match after going back.
    """
    backs = [at for at, event in enumerate(seen.events) if isinstance(event, RewindEvent)]
    return seen.replay_to(backs[-1]) if backs and seat != BYSTANDER and seen.replay_to is not None else seen.before


def find_active_state(match: Match) -> Any:
    """Return the state of a running game with an open question; otherwise None."""
    state = match.state
    return None if state is None or match.status in FINAL_STATUSES or not state.agenda else state


def apply_interpretations(seen: VisibleEntry, clauses: Iterable[str]) -> tuple[str, ...]:
    """Return clauses as they are cited in a match, by the interpretation in force."""
    return cite_by_interpretation(clauses, seen.before.unusual_interpretations if seen.before.game else {})


def compute_breakdowns(game: Game, seen: VisibleEntry) -> tuple[dict[int, Sequence[Term]], list[Match]]:
    """Return the numbers of each event that has some, by its place.

    They are computed on the table as it was seen just before the event. With them come the matches before
    each event and after the last.
    """
    match, course = seen.before, [seen.before]
    found: dict[int, Sequence[Term]] = {}
    for at, event in enumerate(seen.events):
        if not isinstance(event, (TableEvent, *BOOKKEEPING_TYPES)):
            numbers = game.breakdowns.break_down_event(match.state, event)
            if numbers:
                found[at] = numbers
        match = (
            seen.replay_to(at)
            if seen.replay_to is not None and isinstance(event, RewindEvent)
            else apply_event(match, event, f"{seen.version}.{at}")
        )
        course.append(match)
    return found, course
