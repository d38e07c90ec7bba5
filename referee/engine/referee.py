"""play, judge, legal: the referee's whole trade, for any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from itertools import chain, islice
from typing import Any, TypeVar

from referee.engine.events import Event, Move, fold
from referee.engine.rulings import Need, Refused, Ruling, Unknown
from referee.engine.seats import CHANCE, Seat, spoken
from referee.engine.steps import State

S = TypeVar("S", bound=State)

ENDLESS = 20_000  # facts of one move; a rule that yields more goes round in circles


def heard(state: State) -> frozenset[Seat]:
    """The seats whose move would be looked at now: awaited or admitted."""
    if not state.agenda:
        return frozenset()
    top = state.agenda[-1]
    return top.awaits(state) | top.admits(state)


def awaited(state: State) -> frozenset[Seat]:
    """The seats that the open question waits for; empty once the match is over."""
    return state.agenda[-1].awaits(state) if state.agenda else frozenset()


def invited(state: State) -> frozenset[Seat]:
    """The seats to which something is addressed that nobody waits for, so that they may move, or leave it."""
    if not state.agenda:
        return frozenset()
    top = state.agenda[-1]
    return top.invites(state) & top.admits(state) - top.awaits(state)


def check(state: State, seat: Seat, move: Move) -> None:
    """Raises Refused if the seat may not make this move now. The one predicate behind listing, refusal and play."""
    if not state.agenda:
        raise Refused("nothing_is_open", "KERNEL-OVER-1")
    if seat not in heard(state):
        raise Refused("not_yours_to_move", "KERNEL-TURN-1", seat=spoken(seat))
    try:
        state.agenda[-1].check(state, seat, move)
    except Refused as refused:
        if not state.readings:
            raise
        raise read_so(state, refused) from None


def read_so(state: State, refused: Refused) -> Refused:
    """A refusal with its clauses cited by the readings that hold: a rule names the clause alone."""
    given = refused.ruling
    return Refused(given.reason, *state.cited(given.clauses), **given.params)


def play(state: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """The facts that follow from one move, down to the next question. Raises Refused."""
    check(state, seat, move)
    return tuple(chain.from_iterable(_batches(state, lambda: state.agenda[-1].decide(state, seat, move))))


def foreseen(state: State, seat: Seat, move: Move) -> tuple[tuple[Event, ...], Need | None]:
    """The facts that follow from a legal move as far as a position fixes them, and what it would have to say for more.

    Raises Refused, and Unknown where the position does not even tell whether the move is legal.
    """
    check(state, seat, move)
    facts: list[Event] = []
    try:
        for batch in _batches(state, lambda: state.agenda[-1].decide(state, seat, move)):
            facts += batch
    except Unknown as unknown:
        return tuple(facts), unknown.need
    return tuple(facts), None


def carried_out(state: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """The facts that follow from a move without asking whether it is legal: reality did not ask either.

    A step relies on its `check`, so whatever it is then handed may break it, in any way.
    """
    return tuple(chain.from_iterable(_batches(state, lambda: state.agenda[-1].decide(state, seat, move))))


def settle(state: State) -> tuple[Event, ...]:
    """The facts that follow by themselves, down to the first question: how a match begins."""
    if not state.agenda or state.agenda[-1].awaits(state):
        return ()
    return tuple(chain.from_iterable(_batches(state, lambda: state.agenda[-1].resolve(state))))


def _batches(state: State, first: Callable[[], Iterable[Event]]) -> Iterator[tuple[Event, ...]]:
    """What happens at once, then what follows from it, and so on down to the next question."""
    more, count = tuple(first()), 0
    while more:
        more += tuple(noted for fact in more for noted in state.noticed(fact))
        state = fold(state, more)
        yield more
        count += len(more)
        if count > ENDLESS:
            raise RuntimeError(f"no end after {ENDLESS} facts; on top: {state.agenda[-1:]!r}")
        rests = not state.agenda or state.agenda[-1].awaits(state)
        more = () if rests else tuple(state.agenda[-1].resolve(state))


def judge(state: State, seat: Seat, move: Move) -> Ruling:
    """The ruling on a move without making it: granted, refused, or undecided where the position says too little."""
    try:
        check(state, seat, move)
    except Refused as refused:
        return refused.ruling
    except Unknown as unknown:
        return undecided(unknown.need)
    return Ruling(True, "granted", granting(state, move))


def undecided(need: Need) -> Ruling:
    """The ruling where a position leaves out what a rule looks at."""
    return Ruling(False, "position_says_too_little", ("KERNEL-POSITION-1",), needs=(need,))


def granting(state: State, move: Move, facts: tuple[Event, ...] = ()) -> tuple[str, ...]:
    """The clauses that a granted move rests on: its own, the open step's, and those of the facts, in order, once."""
    top = state.agenda[-1].clauses if state.agenda else ()
    cited = (*move.clauses, *top, *(clause for fact in facts for clause in fact.rests_on()))
    return tuple(dict.fromkeys(state.cited(cited)))


def view(state: S, seat: Seat) -> S:
    """The state as a seat may see it: what is hidden stands as its back."""
    seen: S = state.seen_by(seat)
    return seen


def ruled(state: Any, seat: Seat, move: Move) -> tuple[Ruling, tuple[Event, ...]]:
    """The ruling on a move in any state, and the facts that would follow as far as the state fixes them."""
    given = judge(state, seat, move)
    if not given.granted:
        return given, ()
    facts, need = foreseen(state, seat, move)
    needs = () if need is None else (need,)
    return replace(given, clauses=granting(state, move, facts), needs=needs), facts


def legal(state: State, seat: Seat) -> Iterator[Move]:
    """The legal moves of a seat, from its view alone: the candidates that pass `check`. May be long."""
    if seat in heard(state):
        seen = view(state, seat)
        yield from (move for move in thought_of(seen, seat) if passes(seen, seat, move))


def near(state: State, seat: Seat) -> Iterator[tuple[Move, Ruling]]:
    """The near misses of a seat, from its view alone, each with the ruling that refuses it."""
    for move, ruling in considered(state, seat):
        if ruling is not None and ruling.verdict == "refused":
            yield move, ruling


def considered(state: State, seat: Seat) -> Iterator[tuple[Move, Ruling | None]]:
    """Every candidate move of a seat, from its view alone, with the ruling that does not grant it, or None."""
    if seat in heard(state):
        yield from _looked_at(view(state, seat), seat)


def thought_of(seen: State, seat: Seat, near: bool = False) -> Iterator[Move]:
    """What a seat may think of doing in its own view, as far as a position tells what there is to think of.

    `near`: with all near misses.
    """
    top = seen.agenda[-1]
    try:
        yield from top.candidates(seen, seat) if near else top.promising(seen, seat)
    except Unknown:
        return


def passes(seen: State, seat: Seat, move: Move) -> bool:
    """Whether a candidate of a seat that is heard is legal in its own view, as far as a position tells."""
    try:
        seen.agenda[-1].check(seen, seat, move)
    except (Refused, Unknown):
        return False
    return True


def _looked_at(seen: State, seat: Seat) -> Iterator[tuple[Move, Ruling | None]]:
    """The candidates of a seat in its own view, each with the ruling that does not grant it, or None."""
    top = seen.agenda[-1]
    for move in thought_of(seen, seat, near=True):
        try:
            top.check(seen, seat, move)
        except Refused as refused:
            yield move, (read_so(seen, refused) if seen.readings else refused).ruling
        except Unknown as unknown:
            yield move, undecided(unknown.need)
        else:
            yield move, None


def nearest(state: State, seat: Seat, move: Move, limit: int = 5) -> tuple[Move, ...]:
    """The legal moves of a seat's view that are most like a move: the same kind first, then by equal fields.

    Nobody is advised to leave the table.
    """
    offered = [other for other in islice(legal(state, seat), listed(state)) if other.at_random]
    asked = {part.name: getattr(move, part.name) for part in fields(move)}  # type: ignore[arg-type]

    def unlike(other: Move) -> tuple[bool, int]:
        same = sum(getattr(other, name, None) == value for name, value in asked.items())
        return type(other) is not type(move), -same

    return tuple(sorted(offered, key=unlike)[:limit])


def listed(state: State) -> int:
    """How many legal moves of the open question are worth listing."""
    return state.agenda[-1].listed if state.agenda else 0


def least(state: State, seat: Seat, guess: bool) -> Move | None:
    """What an awaited seat does when its time is up, from its view alone (TABLE-CLOCK-1); None: only it can say.

    `guess`: where the game does not say, the first legal move that does not give up; not where cards are real, for such
    a move might tell of cards that nobody has seen.
    """
    if seat not in awaited(state):
        return None
    seen = view(state, seat)
    try:
        move = seen.agenda[-1].when_late(seen, seat)
    except Unknown:
        return None
    if move is None and guess:
        going_on = (other for other in legal(state, seat) if other.at_random and not other.gives_up)
        move = next(going_on, None)
    return move if move is not None and judge(seen, seat, move).granted else None


def drawn(state: State, below: Callable[[int], int]) -> Move:
    """The outcome of the open chance step, drawn by `below(n)` (uniform in 0 … n-1). Raises ValueError if none is."""
    if CHANCE not in awaited(state):
        raise ValueError("no chance step is open")
    outcome: Move = state.agenda[-1].draw(state, below)  # type: ignore[attr-defined]  # only chance steps await CHANCE
    return outcome


def sampled(state: State, seat: Seat, below: Callable[[int], int]) -> Move | None:
    """A random legal move from the seat's view: the kind of move first, then the move. None if there is none."""
    if seat not in heard(state):
        return None
    seen = view(state, seat)
    offered: Move | None = seen.agenda[-1].sample(seen, seat, below)
    if offered is not None:
        return offered
    kinds: dict[str, list[Move]] = {}
    for move in thought_of(seen, seat):
        if move.at_random:
            kinds.setdefault(move.TAG, []).append(move)
    able = sorted(kind for kind, moves in kinds.items() if any(passes(seen, seat, move) for move in moves))
    if not able:
        return None
    of_kind = [move for move in kinds[able[below(len(able))]] if passes(seen, seat, move)]
    return of_kind[below(len(of_kind))]
