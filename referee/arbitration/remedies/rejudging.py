"""Rejudging: make the moves after an entry again upon a corrected table.

Entries that went back lie in the effective history like any other. What they struck is not in it any more, so only what
else they did is made again: shuffles, moves that a ruling had made again, and its corrections by hand. What has no
meaning upon another table raises NotReplayableError.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.arbitration import auto_ruling
from referee.arbitration.remedies.manual_corrections import apply_corrections
from referee.arbitration.replay.divergence import is_game_entry
from referee.engine.chance import Shuffle
from referee.engine.events import Event, Move
from referee.engine.referee import resolve_pending_steps
from referee.engine.rulings import IllegalMove, MalformedInput, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import StepPopped, StepPushed
from referee.match.aggregate import FINAL_STATUSES, LastingTableEvent, Match, MatchEnded, RewindEvent
from referee.match.entries import LogEntry, replay_entries
from referee.match.events.dispute_commands import IssueRuling
from referee.match.events.dispute_events import MoveRemade, RefusedMoveMade, RulingIssued, TableCorrected
from referee.match.events.dispute_state import Dispute
from referee.match.events.report_events import split_play_events
from referee.match.evidence import Evidence
from referee.match.game_moves import apply_all, decide_move
from referee.match.house_readings import follow_readings

Events = tuple[Event, ...]
ReplayMark = MoveRemade | RefusedMoveMade


class NotReplayableError(Exception):
    """What an entry did to the table cannot be repeated on another one."""


@dataclass(frozen=True)
class Rejudged:
    """The result of making entries again: the events, and the match after them."""

    events: Events
    after: Match
    keeps: tuple[int, ...] = ()  # versions of the entries that stay
    drops: tuple[int, ...] = ()  # versions of the entries that cannot be made again
    left_out: bool = False  # nothing is made in place of the disputed entry
    no_move: bool = False  # the first dropped entry was no move, and what it did cannot be repeated


def rejudge_entries(evidence: Evidence, to: int, first: tuple[Seat, Move] | None, skip: int) -> Rejudged:
    """Make the moves after entry `to` again, up to the first that is illegal now.

    Entry `skip` is left out and `first` made in its place. What chance gave is kept. Raises IllegalMove if `first`
    itself is not legal, and Undetermined.

    Each move is judged by the readings of its time. House rulings that came later last when play goes back, so the
    readings of the time are set first, and at the end those that hold now (TABLE-HOUSE-1).
    """
    again = _rejudge_by_readings_of_their_time(evidence, to, first, skip)
    return _follow(again, evidence.match)


def _follow(again: Rejudged, then: Match) -> Rejudged:
    """Return what was made again, under the readings of another match from here on."""
    events = follow_readings(again.after, then)
    if not events:
        return again
    return replace(again, events=(*again.events, *events), after=apply_all(again.after, events))


def _rejudge_by_readings_of_their_time(
    evidence: Evidence, to: int, first: tuple[Seat, Move] | None, skip: int
) -> Rejudged:
    then, later = evidence.replay_to(to), evidence.list_entries_since(to)
    events: Events = follow_readings(evidence.match, then)
    if first is not None:
        seat = int(first[0])
        events = (*events, MoveRemade(skip, seat) if skip else RefusedMoveMade(seat), *decide_move(then, *first))
    again = Rejudged(events, apply_all(then, events), left_out=first is None)
    for at, entry in enumerate(later):
        if entry.version != skip and has_game_events(entry):
            try:
                more, no_move = _rejudge_entry(evidence, again.after, then, entry), False
            except NotReplayableError:
                more, no_move = None, True
            if more is None:
                dropped = tuple(each.version for each in later[at:] if each.version != skip and has_game_events(each))
                return replace(again, drops=dropped, no_move=no_move)
            kept = (*again.keeps, entry.version) if more else again.keeps
            again = replace(again, events=(*again.events, *more), after=apply_all(again.after, more), keeps=kept)
        then = replay_entries(then, [entry])
        again = _follow(again, then)
    return again


def reshuffle_piles(match: Match, piles: Iterable[str]) -> Events:
    """Return the events that shuffle these piles again.

    Somebody knows cards in them. The ordinary chance step draws the server's piles. Piles of real cards are shuffled by
    hand, so nobody is awaited.

    TABLE-REMEDY-3: Where play goes back across hidden cards that became known, the pile they came from is shuffled
    again.
    """
    opened = tuple(StepPushed(Shuffle(pile)) for pile in piles)
    then = apply_all(match, opened).state
    assert then is not None
    return (*opened, *resolve_pending_steps(then)) if opened else ()


def has_game_events(entry: LogEntry) -> bool:
    """Tell whether something of an entry would have to be made again.

    Lasting events stay by themselves.
    """
    return any(not isinstance(event, LastingTableEvent) for event in entry.events)


def find_repeatable_events(events: Events) -> Events:
    """Return the events of an entry that would have to be made again.

    They are those of the game, and the table's own of its end.
    """
    return tuple(
        event for event in split_play_events(events)[1] if not isinstance(event, LastingTableEvent | RewindEvent)
    )


def _rejudge_entry(evidence: Evidence, match: Match, then: Match, entry: LogEntry) -> Events | None:
    """Return the events of an entry made again, marked by move; None if impossible.

    `then` is the match that it was made on. Raises NotReplayableError.
    """
    left = find_repeatable_events(entry.events)
    if not left and not is_game_entry(entry):
        return ()
    if match.status in FINAL_STATUSES or match.state is None:
        return None
    if any(isinstance(event, ReplayMark) for event in left):
        return _repeat_ruling(evidence, match, then, entry)
    more = _repeat_entry(match, then, entry)
    return None if more is None else (MoveRemade(entry.version, entry.seat), *more)


def _repeat_entry(match: Match, then: Match, entry: LogEntry) -> Events | None:
    """Return what an entry itself did, made again on a match; None if impossible.

    Raises NotReplayableError.
    """
    if is_game_entry(entry):
        assert entry.move is not None
        if entry.seat == CHANCE and not _is_same_question(match, then):
            return None
        try:
            return decide_move(match, Seat(entry.seat), entry.move)
        except (IllegalMove, Undetermined):
            return None
    left = find_repeatable_events(entry.events)
    if all(isinstance(event, MatchEnded) for event in left) and then.status not in FINAL_STATUSES:
        return left  # the table ended the match, whatever was played
    if isinstance(entry.move, IssueRuling) and entry.move.fix and left and isinstance(left[0], TableCorrected):
        try:
            return apply_corrections(match, entry.move.fix)
        except (IllegalMove, MalformedInput):
            return None
    return reshuffle_piles(match, _list_shuffled_piles(left))


def _list_shuffled_piles(events: Events) -> list[str]:
    """Return the piles that these events shuffle.

    Raises NotReplayableError if they do anything else.
    """
    piles = list[str]()
    for event in events:
        if isinstance(event, StepPushed) and isinstance(event.step, Shuffle):
            piles.append(event.step.where)
        elif not isinstance(event, StepPopped):  # the step of a pile that needs no shuffle closes at once
            raise NotReplayableError
    return piles


def can_repeat_move(match: Match, then: Match, entry: LogEntry) -> bool:
    """Tell whether the move of an entry can be tried on a match at all.

    The match has to go on, and chance has to be asked the same question. `then` is the match that it was made on.
    """
    if match.status in FINAL_STATUSES or match.state is None:
        return False
    return entry.seat != CHANCE or _is_same_question(match, then)


def _is_same_question(match: Match, then: Match) -> bool:
    """Tell whether the open question is of the same type in both matches.

    A die that fell for one question is no answer to another.
    """
    if then.state is None or match.state is None or not then.state.agenda or not match.state.agenda:
        return False
    return type(then.state.agenda[-1]) is type(match.state.agenda[-1])


# -- moves that a ruling made again ------------------------------------------------------------------------------------


def _repeat_ruling(evidence: Evidence, match: Match, then: Match, entry: LogEntry) -> Events | None:
    """Return the moves that a ruling made again, repeated in order with its shuffles.

    Return None if one of them is impossible. Raises NotReplayableError.
    """
    marks = [at for at, event in enumerate(entry.events) if isinstance(event, ReplayMark)]
    then, events = apply_all(then, entry.events[: marks[0]]), list[Event]()
    for start, end in pairwise([*marks, len(entry.events)]):
        mark, made = (
            entry.events[start],
            tuple(f for f in entry.events[start + 1 : end] if not isinstance(f, LastingTableEvent)),
        )
        assert isinstance(mark, ReplayMark)
        way = _find_move_origin(evidence, then, entry, mark, made)
        if way is None:
            raise NotReplayableError
        right, moving, due = way
        more = _repeat_entry(match, then, moving)
        if more is None:
            return None
        match = apply_all(match, more)
        if piles := _list_shuffled_piles(made[due:]):
            again = reshuffle_piles(match, piles)
            more, match = (*more, *again), apply_all(match, again)
        events += [replace(mark, right=right), *more]
        then = apply_all(then, (mark, *made))
    return tuple(events)


def _find_move_origin(
    evidence: Evidence, then: Match, entry: LogEntry, mark: ReplayMark, made: Events
) -> tuple[int, LogEntry, int] | None:
    """Return how a marked move was made, as (dispute, entry as it then read, events).

    The dispute is the one by which the move reads otherwise than it was logged; 0: as logged. The last is the number of
    the ruling's events that are the move's own. Return None if no origin leads to those events.
    """
    for right, moving in _iterate_move_origins(evidence, then, entry, mark):
        due = _repeat_entry(then, then, moving)
        if due is not None and made[: len(due)] == due:
            return right, moving, len(due)
    return None


def _iterate_move_origins(
    evidence: Evidence, then: Match, entry: LogEntry, mark: ReplayMark
) -> Iterator[tuple[int, LogEntry]]:
    own = next((event.dispute for event in entry.events if isinstance(event, RulingIssued)), 0)
    dispute = next((each for each in then.disputes if each.number == (mark.right or own)), None)
    if isinstance(mark, RefusedMoveMade):
        if dispute is not None and dispute.claim == "wrong_refusal":
            refused = auto_ruling.parse_game_move(dispute.move)
            yield dispute.number, replace(entry, seat=mark.seat, actor="player", move=refused, events=())
        return
    written = evidence.entries[mark.entry - 1]
    if dispute is not None and (move := find_corrected_report(dispute, written.version)) is not None:
        yield dispute.number, replace(written, move=move)
    if not mark.right:
        yield 0, written


def find_corrected_report(dispute: Dispute, about: int) -> Move | None:
    """Return how a dispute says that the report of entry `about` should have read.

    Return None if it says nothing of it.
    """
    return auto_ruling.find_claimed_move(dispute) if dispute.claim == "misreported" and dispute.about == about else None
