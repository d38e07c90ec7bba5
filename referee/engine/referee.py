"""The referee for any game: judge moves, play them, and list the legal ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from itertools import islice
from typing import Any, TypeVar

from referee.engine.events import Event, Move, apply_events
from referee.engine.reasons.grounds import find_grounds
from referee.engine.reasons.preconditions import complete_refusal
from referee.engine.rulings import IllegalMove, MissingInformation, Ruling, Undetermined
from referee.engine.seats import CHANCE, Seat, seat_label
from referee.engine.steps import State

S = TypeVar("S", bound=State)

MAX_EVENTS_PER_MOVE = 20_000  # a rule that yields more for one move never ends


def seats_that_may_act(state: State) -> frozenset[Seat]:
    """Return the seats whose moves are considered now: awaited or admitted."""
    if not state.agenda:
        return frozenset()
    return state.awaited_seats | state.agenda[-1].admitted_seats(state)


def may_act(state: State, seat: Seat) -> bool:
    """Return whether moves of this seat are considered now."""
    if not state.agenda:
        return False
    return seat in state.awaited_seats or seat in state.agenda[-1].admitted_seats(state)


def seats_that_must_act(state: State) -> frozenset[Seat]:
    """Return the seats that the open question waits for; none once the match is over."""
    return state.awaited_seats


def seats_that_may_respond(state: State) -> frozenset[Seat]:
    """Return the seats that are invited to move although nobody waits for them."""
    if not state.agenda:
        return frozenset()
    top = state.agenda[-1]
    return top.invited_seats(state) & top.admitted_seats(state) - state.awaited_seats


def check_move(state: State, seat: Seat, move: Move) -> None:
    """Raise IllegalMove if the seat may not make this move now.

    The refusal names every rule that the move breaks. This is the one predicate behind listing, refusal and play.
    KERNEL-OVER-1: Once the game has ended there is nothing left to move.
    """
    if not state.agenda:
        raise IllegalMove("nothing_is_open", *state.over_clauses, "KERNEL-OVER-1")
    try:
        _check_open_question(state, seat, move)
    except IllegalMove as refused:
        raise complete_refusal(state, seat, move, refused) from None


def _check_open_question(state: State, seat: Seat, move: Move) -> None:
    """Raise IllegalMove if the move does not answer what is open now.

    KERNEL-TURN-1: Only a seat that the open question awaits or admits may move.
    """
    if not may_act(state, seat):
        if seat == CHANCE:
            raise IllegalMove("no_result_is_awaited", "KERNEL-TURN-1")
        raise IllegalMove("not_yours_to_move", "KERNEL-TURN-1", seat=seat_label(seat))
    state.agenda[-1].check_move(state, seat, move)


def play_move(state: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Return the events that follow from a move, down to the next question.

    Raises IllegalMove.
    """
    check_move(state, seat, move)
    return carry_out_move(state, seat, move)[0]


def carry_out_move(state: S, seat: Seat, move: Move) -> tuple[tuple[Event, ...], S]:
    """Return the events that follow from a move, and the state after them.

    Raises IllegalMove.
    """
    check_move(state, seat, move)
    return _carry_out(state, state.agenda[-1].decide_move(state, seat, move))


def preview_move(state: State, seat: Seat, move: Move) -> tuple[tuple[Event, ...], MissingInformation | None]:
    """Return the events that follow from a legal move, and what is missing for more.

    The events end where the position does not determine the next one. Raises IllegalMove, or Undetermined if the
    position does not even say whether the move is legal.
    """
    check_move(state, seat, move)
    events: list[Event] = []
    try:
        for batch, _ in _resolve_in_batches(state, state.agenda[-1].decide_move(state, seat, move)):
            events += batch
    except Undetermined as unknown:
        return tuple(events), unknown.need
    return tuple(events), None


def foresee_state(state: S, seat: Seat, move: Move) -> S:
    """Return the state after a legal move, as far as the position determines it.

    The move is not checked again: it must have passed `check_move` on this very state, for instance because it was
    listed. Unlike `preview_move` it folds each event once and keeps none.
    """
    after = state
    try:
        for _, reached in _resolve_in_batches(state, state.agenda[-1].decide_move(state, seat, move)):
            after = reached
    except Undetermined:
        return after  # what follows is not determined
    return after


def play_unchecked(state: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Return the events that follow from a move without checking that it is legal.

    It serves moves that really happened against the rules. A step relies on its `check_move`, so an illegal move may
    make it fail in any way.
    """
    return _carry_out(state, state.agenda[-1].decide_move(state, seat, move))[0]


def resolve_pending_steps(state: State) -> tuple[Event, ...]:
    """Return the events that follow without a move, down to the first question.

    This is how a match begins.
    """
    return () if _is_at_rest(state) else _carry_out(state, state.agenda[-1].resolve(state))[0]


def _carry_out(state: S, first: Iterable[Event]) -> tuple[tuple[Event, ...], S]:
    """Return all events down to the next question, and the state after them."""
    events: list[Event] = []
    after = state
    for batch, reached in _resolve_in_batches(state, first):
        events += batch
        after = reached
    return tuple(events), after


def _resolve_in_batches(state: S, first: Iterable[Event]) -> Iterator[tuple[tuple[Event, ...], S]]:
    """Yield the immediate events, then what follows, each with the state after it.

    The last ones lead to the next question.
    """
    more, count = tuple(first), 0
    sets_off_triggers = type(state).collect_triggers is not State.collect_triggers
    while more:
        if sets_off_triggers:
            more += tuple(noted for event in more for noted in state.collect_triggers(event))
        state = apply_events(state, more)
        yield more, state
        count += len(more)
        if count > MAX_EVENTS_PER_MOVE:
            raise RuntimeError(f"no end after {MAX_EVENTS_PER_MOVE} events. On top: {state.agenda[-1:]!r}")
        more = () if _is_at_rest(state) else tuple(state.agenda[-1].resolve(state))


def _is_at_rest(state: State) -> bool:
    """Return whether nothing is pending or the open question waits for an answer."""
    return not state.agenda or bool(state.awaited_seats)


def judge_move(state: State, seat: Seat, move: Move) -> Ruling:
    """Return the ruling on a move without making it.

    The ruling is undecided if the position says too little.
    """
    try:
        check_move(state, seat, move)
    except IllegalMove as refused:
        return refused.ruling
    except Undetermined as unknown:
        return undecided_ruling(unknown.need)
    return Ruling(True, "granted", collect_granting_clauses(state, move))


def undecided_ruling(need: MissingInformation) -> Ruling:
    """Return the ruling for a position that leaves out what a rule needs.

    KERNEL-POSITION-1: What a written position leaves out is unknown, so the ruling stays undecided and asks.
    """
    return Ruling(False, "position_says_too_little", ("KERNEL-POSITION-1",), needs=(need,))


def collect_granting_clauses(state: State, move: Move, events: tuple[Event, ...] = ()) -> tuple[str, ...]:
    """Return the clauses that a granted move rests on, in order and without repeats.

    They are those of the move, of the open step and of the events, and those of this very situation. A move that is
    made beside the open question does not rest on that.
    """
    answers = move.answers_question and not move.is_concession
    top = state.agenda[-1].clauses if state.agenda and answers else ()
    grounds = find_grounds(state, move, events)
    followed = (clause for event in events for clause in event.applied_clauses())
    cited = (*move.applied_clauses(), *top, *followed, *grounds)
    return tuple(dict.fromkeys(state.cite_clauses(cited)))


def build_view(state: S, seat: Seat) -> S:
    """Return the state as a seat may see it, with backs in place of hidden cards."""
    seen: S = state.view_for(seat)
    return seen


def rule_on_move(state: Any, seat: Seat, move: Move) -> tuple[Ruling, tuple[Event, ...]]:
    """Return the ruling on a move in any state, and the events that would follow.

    The events end where the state does not determine the next one.
    """
    given = judge_move(state, seat, move)
    if not given.granted:
        return given, ()
    events, need = preview_move(state, seat, move)
    needs = () if need is None else (need,)
    return replace(given, clauses=collect_granting_clauses(state, move, events), needs=needs), events


def find_state_after(state: Any, given: Ruling, events: Iterable[Event]) -> Any | None:
    """Return the state after a ruling on a move, whose events are given.

    What is refused changes nothing. None if what follows is not determined.
    """
    if given.verdict == "refused":
        return state
    return apply_events(state, tuple(events)) if given.granted and not given.needs else None


def find_legal_moves(state: State, seat: Seat) -> Iterator[Move]:
    """Yield the legal moves of a seat, from its view alone.

    They are the candidates that pass `check_move`. There may be many.
    """
    if may_act(state, seat):
        seen = build_view(state, seat)
        for move in collect_candidates(seen, seat):
            if is_legal_in_view(seen, seat, move):
                yield move


def find_near_misses(state: State, seat: Seat) -> Iterator[tuple[Move, Ruling]]:
    """Yield the near misses of a seat, from its view alone, each with its refusal."""
    for move, ruling in judge_candidates(state, seat):
        if ruling is not None and ruling.verdict == "refused":
            yield move, ruling


def judge_candidates(state: State, seat: Seat, complete: bool = True) -> Iterator[tuple[Move, Ruling | None]]:
    """Yield every candidate move of a seat with its ruling, or None if granted.

    Only the seat's view is used. If `complete` is false, refusals say only what the open question says: that is enough
    to list moves, of which few refusals are shown.
    """
    if may_act(state, seat):
        yield from _judge_in_view(build_view(state, seat), seat, complete)


def collect_candidates(seen: State, seat: Seat, near: bool = False) -> Iterator[Move]:
    """Yield the moves that a seat may think of in its own view.

    The list ends where a position does not say what there is. `near`: include all near misses.
    """
    top = seen.agenda[-1]
    try:
        yield from top.candidate_moves(seen, seat) if near else top.promising_moves(seen, seat)
    except Undetermined:
        return


def is_legal_in_view(seen: State, seat: Seat, move: Move) -> bool:
    """Return whether a candidate is surely legal in the seat's own view.

    The seat must be one that may act. An undecided move counts as not legal.
    """
    try:
        seen.agenda[-1].check_move(seen, seat, move)
    except (IllegalMove, Undetermined):
        return False
    return True


def _judge_in_view(seen: State, seat: Seat, complete: bool) -> Iterator[tuple[Move, Ruling | None]]:
    """Yield the seat's candidates in its own view with their rulings, None if granted."""
    top = seen.agenda[-1]
    for move in collect_candidates(seen, seat, near=True):
        try:
            top.check_move(seen, seat, move)
        except IllegalMove as refused:
            yield move, (complete_refusal(seen, seat, move, refused) if complete else refused).ruling
        except Undetermined as unknown:
            yield move, undecided_ruling(unknown.need)
        else:
            yield move, None


def find_closest_legal(state: State, seat: Seat, move: Move, limit: int = 5) -> tuple[Move, ...]:
    """Return the legal moves in a seat's view that are most like a given move.

    Moves of the same kind come first, then those with more equal fields. A concession is never offered.
    """
    offered = [
        other
        for other in islice(find_legal_moves(state, seat), find_listing_limit(state))
        if other.playable_at_random and not other.is_concession
    ]
    wanted = {part.name: getattr(move, part.name) for part in fields(move)}  # type: ignore[arg-type]

    def unlike(other: Move) -> tuple[bool, int]:
        same = sum(getattr(other, name, None) == value for name, value in wanted.items())
        return type(other) is not type(move), -same

    return tuple(sorted(offered, key=unlike)[:limit])


def find_listing_limit(state: State) -> int:
    """Return how many legal moves of the open question are worth listing."""
    return state.agenda[-1].listing_limit if state.agenda else 0


def find_timeout_move(state: State, seat: Seat, guess: bool) -> Move | None:
    """Return what an awaited seat does when its time is up, from its view alone.

    TABLE-CLOCK-1: When the time is up, the referee plays the least that the rules allow for the seat.

    Return None if only the seat itself can say. `guess`: if the game does not say either, take the first legal move
    that is no concession. Do not guess if cards are real, because such a move might tell of cards that nobody has
    seen.
    """
    if seat not in seats_that_must_act(state):
        return None
    seen = build_view(state, seat)
    try:
        move = seen.agenda[-1].timeout_move(seen, seat)
    except Undetermined:
        return None
    if move is None and guess:
        going_on = (
            other for other in find_legal_moves(state, seat) if other.playable_at_random and not other.is_concession
        )
        move = next(going_on, None)
    return move if move is not None and judge_move(seen, seat, move).granted else None


def draw_chance_move(state: State, below: Callable[[int], int]) -> Move:
    """Return an outcome of the open chance step, drawn with `below`.

    `below(n)` is uniform in 0 … n-1. Raises ValueError if no chance step is open.
    """
    if CHANCE not in seats_that_must_act(state):
        raise ValueError("no chance step is open")
    outcome: Move = state.agenda[-1].draw_outcome(state, below)  # type: ignore[attr-defined]  # only chance steps await CHANCE
    return outcome


def sample_legal_move(state: State, seat: Seat, below: Callable[[int], int]) -> Move | None:
    """Return a random legal move from the seat's view, or None if there is none.

    First the kind of move is drawn, then the move.
    """
    if not may_act(state, seat):
        return None
    seen = build_view(state, seat)
    offered: Move | None = seen.agenda[-1].sample_move(seen, seat, below)
    if offered is not None:
        return offered
    kinds: dict[str, list[Move]] = {}
    for move in collect_candidates(seen, seat):
        if move.playable_at_random:
            kinds.setdefault(move.TAG, []).append(move)
    able = sorted(kind for kind, moves in kinds.items() if any(is_legal_in_view(seen, seat, move) for move in moves))
    if not able:
        return None
    of_kind = [move for move in kinds[able[below(len(able))]] if is_legal_in_view(seen, seat, move)]
    return of_kind[below(len(of_kind))]
