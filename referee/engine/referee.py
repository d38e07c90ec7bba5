"""play, judge, legal: the referee's whole trade, for any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from itertools import chain, islice
from typing import Any, TypeVar

from referee.engine.events import Event, Move, apply_events
from referee.engine.rulings import IllegalMove, MissingInformation, Ruling, Undetermined
from referee.engine.seats import CHANCE, Seat, seat_label
from referee.engine.steps import State

S = TypeVar("S", bound=State)

MAX_EVENTS_PER_MOVE = 20_000  # facts of one move; a rule that yields more goes round in circles


def seats_that_may_act(state: State) -> frozenset[Seat]:
    """The seats whose move would be looked at now: awaited or admitted."""
    if not state.agenda:
        return frozenset()
    top = state.agenda[-1]
    return top.awaited_seats(state) | top.admitted_seats(state)


def seats_that_must_act(state: State) -> frozenset[Seat]:
    """The seats that the open question waits for; empty once the match is over."""
    return state.agenda[-1].awaited_seats(state) if state.agenda else frozenset()


def seats_that_may_respond(state: State) -> frozenset[Seat]:
    """The seats to which something is addressed that nobody waits for, so that they may move, or leave it."""
    if not state.agenda:
        return frozenset()
    top = state.agenda[-1]
    return top.invited_seats(state) & top.admitted_seats(state) - top.awaited_seats(state)


def check_move(state: State, seat: Seat, move: Move) -> None:
    """Raises IllegalMove if the seat may not make this move now. The one predicate behind listing, refusal and play."""
    if not state.agenda:
        raise IllegalMove("nothing_is_open", "KERNEL-OVER-1")
    if seat not in seats_that_may_act(state):
        raise IllegalMove("not_yours_to_move", "KERNEL-TURN-1", seat=seat_label(seat))
    try:
        state.agenda[-1].check_move(state, seat, move)
    except IllegalMove as refused:
        if not state.readings:
            raise
        raise cite_interpretations(state, refused) from None


def cite_interpretations(state: State, refused: IllegalMove) -> IllegalMove:
    """A refusal with its clauses cited by the readings that hold: a rule names the clause alone."""
    given = refused.ruling
    return IllegalMove(given.reason, *state.cite_clauses(given.clauses), **given.params)


def play_move(state: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """The facts that follow from one move, down to the next question. Raises IllegalMove."""
    check_move(state, seat, move)
    return tuple(
        chain.from_iterable(_resolve_in_batches(state, lambda: state.agenda[-1].decide_move(state, seat, move)))
    )


def preview_move(state: State, seat: Seat, move: Move) -> tuple[tuple[Event, ...], MissingInformation | None]:
    """The facts that follow from a legal move as far as a position fixes them, and what it would have to say for more.

    Raises IllegalMove, and Undetermined where the position does not even tell whether the move is legal.
    """
    check_move(state, seat, move)
    facts: list[Event] = []
    try:
        for batch in _resolve_in_batches(state, lambda: state.agenda[-1].decide_move(state, seat, move)):
            facts += batch
    except Undetermined as unknown:
        return tuple(facts), unknown.need
    return tuple(facts), None


def play_unchecked(state: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """The facts that follow from a move without asking whether it is legal: reality did not ask either.

    A step relies on its `check_move`, so whatever it is then handed may break it, in any way.
    """
    return tuple(
        chain.from_iterable(_resolve_in_batches(state, lambda: state.agenda[-1].decide_move(state, seat, move)))
    )


def resolve_pending_steps(state: State) -> tuple[Event, ...]:
    """The facts that follow by themselves, down to the first question: how a match begins."""
    if not state.agenda or state.agenda[-1].awaited_seats(state):
        return ()
    return tuple(chain.from_iterable(_resolve_in_batches(state, lambda: state.agenda[-1].resolve(state))))


def _resolve_in_batches(state: State, first: Callable[[], Iterable[Event]]) -> Iterator[tuple[Event, ...]]:
    """What happens at once, then what follows from it, and so on down to the next question."""
    more, count = tuple(first()), 0
    while more:
        more += tuple(noted for fact in more for noted in state.collect_triggers(fact))
        state = apply_events(state, more)
        yield more
        count += len(more)
        if count > MAX_EVENTS_PER_MOVE:
            raise RuntimeError(f"no end after {MAX_EVENTS_PER_MOVE} facts; on top: {state.agenda[-1:]!r}")
        rests = not state.agenda or state.agenda[-1].awaited_seats(state)
        more = () if rests else tuple(state.agenda[-1].resolve(state))


def judge_move(state: State, seat: Seat, move: Move) -> Ruling:
    """The ruling on a move without making it: granted, refused, or undecided where the position says too little."""
    try:
        check_move(state, seat, move)
    except IllegalMove as refused:
        return refused.ruling
    except Undetermined as unknown:
        return undecided_ruling(unknown.need)
    return Ruling(True, "granted", collect_granting_clauses(state, move))


def undecided_ruling(need: MissingInformation) -> Ruling:
    """The ruling where a position leaves out what a rule looks at."""
    return Ruling(False, "position_says_too_little", ("KERNEL-POSITION-1",), needs=(need,))


def collect_granting_clauses(state: State, move: Move, facts: tuple[Event, ...] = ()) -> tuple[str, ...]:
    """The clauses that a granted move rests on: its own, the open step's, and those of the facts, in order, once."""
    top = state.agenda[-1].clauses if state.agenda else ()
    cited = (*move.clauses, *top, *(clause for fact in facts for clause in fact.applied_clauses()))
    return tuple(dict.fromkeys(state.cite_clauses(cited)))


def build_view(state: S, seat: Seat) -> S:
    """The state as a seat may see it: what is hidden stands as its back."""
    seen: S = state.view_for(seat)
    return seen


def rule_on_move(state: Any, seat: Seat, move: Move) -> tuple[Ruling, tuple[Event, ...]]:
    """The ruling on a move in any state, and the facts that would follow as far as the state fixes them."""
    given = judge_move(state, seat, move)
    if not given.granted:
        return given, ()
    facts, need = preview_move(state, seat, move)
    needs = () if need is None else (need,)
    return replace(given, clauses=collect_granting_clauses(state, move, facts), needs=needs), facts


def find_legal_moves(state: State, seat: Seat) -> Iterator[Move]:
    """The legal moves of a seat, from its view alone: the candidates that pass `check_move`. May be long."""
    if seat in seats_that_may_act(state):
        seen = build_view(state, seat)
        yield from (move for move in collect_candidates(seen, seat) if is_legal_in_view(seen, seat, move))


def find_near_misses(state: State, seat: Seat) -> Iterator[tuple[Move, Ruling]]:
    """The near misses of a seat, from its view alone, each with the ruling that refuses it."""
    for move, ruling in judge_candidates(state, seat):
        if ruling is not None and ruling.verdict == "refused":
            yield move, ruling


def judge_candidates(state: State, seat: Seat) -> Iterator[tuple[Move, Ruling | None]]:
    """Every candidate move of a seat, from its view alone, with the ruling that does not grant it, or None."""
    if seat in seats_that_may_act(state):
        yield from _judge_in_view(build_view(state, seat), seat)


def collect_candidates(seen: State, seat: Seat, near: bool = False) -> Iterator[Move]:
    """What a seat may think of doing in its own view, as far as a position tells what there is to think of.

    `find_near_misses`: with all near misses.
    """
    top = seen.agenda[-1]
    try:
        yield from top.candidate_moves(seen, seat) if near else top.promising_moves(seen, seat)
    except Undetermined:
        return


def is_legal_in_view(seen: State, seat: Seat, move: Move) -> bool:
    """Whether a candidate of a seat that is heard is legal in its own view, as far as a position tells."""
    try:
        seen.agenda[-1].check_move(seen, seat, move)
    except (IllegalMove, Undetermined):
        return False
    return True


def _judge_in_view(seen: State, seat: Seat) -> Iterator[tuple[Move, Ruling | None]]:
    """The candidates of a seat in its own view, each with the ruling that does not grant it, or None."""
    top = seen.agenda[-1]
    for move in collect_candidates(seen, seat, near=True):
        try:
            top.check_move(seen, seat, move)
        except IllegalMove as refused:
            yield move, (cite_interpretations(seen, refused) if seen.readings else refused).ruling
        except Undetermined as unknown:
            yield move, undecided_ruling(unknown.need)
        else:
            yield move, None


def find_closest_legal(state: State, seat: Seat, move: Move, limit: int = 5) -> tuple[Move, ...]:
    """The legal moves of a seat's view that are most like a move: the same kind first, then by equal fields.

    Nobody is advised to leave the table.
    """
    offered = [
        other for other in islice(find_legal_moves(state, seat), find_listing_limit(state)) if other.playable_at_random
    ]
    asked = {part.name: getattr(move, part.name) for part in fields(move)}  # type: ignore[arg-type]

    def unlike(other: Move) -> tuple[bool, int]:
        same = sum(getattr(other, name, None) == value for name, value in asked.items())
        return type(other) is not type(move), -same

    return tuple(sorted(offered, key=unlike)[:limit])


def find_listing_limit(state: State) -> int:
    """How many legal moves of the open question are worth listing."""
    return state.agenda[-1].listing_limit if state.agenda else 0


def find_timeout_move(state: State, seat: Seat, guess: bool) -> Move | None:
    """What an awaited seat does when its time is up, from its view alone (TABLE-CLOCK-1); None: only it can say.

    `guess`: where the game does not say, the first legal move that does not give up; not where cards are real, for such
    a move might tell of cards that nobody has seen.
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
    """The outcome of the open chance step, drawn by `below(n)` (uniform in 0 … n-1). Raises ValueError if none is."""
    if CHANCE not in seats_that_must_act(state):
        raise ValueError("no chance step is open")
    outcome: Move = state.agenda[-1].draw_outcome(state, below)  # type: ignore[attr-defined]  # only chance steps await CHANCE
    return outcome


def sample_legal_move(state: State, seat: Seat, below: Callable[[int], int]) -> Move | None:
    """A random legal move from the seat's view: the kind of move first, then the move. None if there is none."""
    if seat not in seats_that_may_act(state):
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
