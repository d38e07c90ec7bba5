"""The agenda: everything pending lies as plain data on a stack inside the state.

A question, a reaction, a die to roll, half of a card's text: each is a `Step`, and the last one is on top. An
interrupted effect simply lies underneath and goes on when the steps above it are done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.remembering import remembered_property
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION, cite_by_interpretation
from referee.engine.rulings import NotAsked
from referee.engine.seats import Seat

M = TypeVar("M", bound=Move)
NO_SEATS: frozenset[Seat] = frozenset()


class Step:
    """One pending thing: a frozen dataclass of plain values with a registered name.

    `clauses`: the clauses that the step carries out.
    `window_kind`: the kind of question that a seat may pass in advance (`modifiers`). Empty: it must be answered each
    time.
    `reaction_kind`: what is asked of the seats that a move concerns, if it cannot be passed in advance (`attack`).
    `seals_answers`: nobody sees an answer before all have answered.
    `keeps_first_deadline`: the time runs from the opening of the step, even if it waits again for a seat it had
    stopped waiting for.
    """

    __slots__ = ()
    TAG: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()
    window_kind: ClassVar[str] = ""
    reaction_kind: ClassVar[str] = ""
    seals_answers: ClassVar[bool] = False
    keeps_first_deadline: ClassVar[bool] = False
    listing_limit: ClassVar[int] = 200  # how many legal moves are worth listing; `move_patterns` describe the rest
    # Whether an answer says, without naming a card, what only the holder of hidden cards knows.
    answers_tell_hidden_cards: ClassVar[bool] = False
    # Whether the listed moves are only examples, so that `move_patterns` always describe the rest.
    lists_examples_only: ClassVar[bool] = False

    def time_limit(self, state: Any) -> int | None:
        """Return how long the awaited seats have, in ms, or None for no limit.

        The time runs from the entry that opened or reopened the question. Without a limit CLOCK is not awaited.
        """
        return None

    def passing_move(self, seat: Seat) -> Move | None:
        """Return the move that passes this question, or None if it cannot be passed ahead."""
        return None

    def concerned_seats(self, state: Any) -> frozenset[int]:
        """Return the seats that a window is about, from public knowledge alone.

        Examples are who rolled and who is aimed at. A standing pass may leave out windows about its own seat.
        """
        return frozenset()

    def timeout_move(self, state: Any, seat: Seat) -> Move | None:
        """Return what an awaited seat does when a time limit of the match is up.

        It is the least that the rules allow, judged from the seat's view. None: the game does not say, or only the
        people at the table can. The move of a window must not depend on what is hidden.
        """
        return self.passing_move(seat)

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        """Return the seats this step waits for, from public knowledge alone.

        A step that awaits nobody resolves by itself.
        """
        return NO_SEATS

    def admitted_seats(self, state: Any) -> frozenset[Seat]:
        """Return the seats that may move although nobody waits for them."""
        return NO_SEATS

    def invited_seats(self, state: Any) -> frozenset[Seat]:
        """Return the admitted seats that are addressed, from public knowledge alone.

        Examples are a trade offered to a seat or a claim it may make. An invited seat may ignore it. Only bots are
        prompted.
        """
        return NO_SEATS

    def candidate_moves(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Yield every legal move in the seat's view, and likely near misses.

        The result may be lazy and long.
        """
        return ()

    def promising_moves(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Yield every legal candidate in order, and as few others as is cheap.

        This is used if nobody asks for near misses. `check_move` still decides on each move.
        """
        return self.candidate_moves(state, seat)

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        """Raise IllegalMove if the move is not legal: the predicate of the step.

        It must say the same on the seat's view and on the full state.
        KERNEL-MOVE-1: A move has to answer the question that is open.
        """
        raise NotAsked("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def find_grounds(self, state: Any, move: Move) -> tuple[str, ...]:
        """Return the clauses that make this legal move legal, from public knowledge alone."""
        return ()

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        """Yield the immediate events of a move that `check_move` has accepted."""
        yield from ()

    def resolve(self, state: Any) -> Iterator[Event]:
        """Yield the events of a step that awaits nobody.

        It must settle itself with `StepPopped` or `StepReplaced`.
        """
        yield StepPopped()

    def as_foreseen(self, events: Sequence[Event], /) -> Step:
        """Return the step as it really opens after events that a seat has foreseen.

        A view hides some of what the referee knows, so a step may be built of too much that is unknown.
        """
        return self

    def move_patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        """Describe the legal moves if they are too many to list.

        Each pattern is `{type, fields (JSON Schema), says {en, de}}`. `beside`: moves of the type are listed, too.
        """
        return ()

    def sample_move(self, state: Any, seat: Seat, below: Callable[[int], int]) -> Move | None:
        """Return a random legal move in the seat's view, or None to draw from the list.

        Override this if listing all moves takes too long.
        """
        return None

    def question_name(self) -> str:
        """Return the name of the question.

        Its text is `question.<name>` in `messages.yaml`.
        """
        return self.TAG

    def view_for(self, seat: int) -> Step:
        """Return the step as `seat` may know it."""
        return self


def require_move(move: Move, *kinds: type[M]) -> M:
    """Return a move that is of one of these kinds. Raises IllegalMove if it is not.

    KERNEL-MOVE-1: A move has to answer the question that is open.
    """
    if not isinstance(move, kinds):
        raise NotAsked("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
    return move


@dataclass(frozen=True)
class State:
    """The table of a game.

    Games add their fields. The last step of the agenda is on top. `readings`: the clauses that are not read by
    interpretation 1 in this match, with the number that holds. This is public, so views and positions carry it too.
    """

    over_clauses: ClassVar[tuple[str, ...]] = ()  # the clauses of the game by which nothing follows its end

    agenda: tuple[Step, ...] = ()
    readings: dict[str, int] = field(default_factory=dict, kw_only=True, metadata=OMIT_IF_EMPTY)

    @remembered_property()
    def awaited_seats(self) -> frozenset[Seat]:
        """The seats that the step on top waits for."""
        return self.agenda[-1].awaited_seats(self) if self.agenda else NO_SEATS

    def interpretation_number(self, clause: str) -> int:
        """Return the number of the interpretation of a clause that holds in this match."""
        return self.readings.get(clause, FIRST_INTERPRETATION)

    def cite_clauses(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return clause ids as rulings cite them: by the interpretation that holds."""
        return cite_by_interpretation(names, self.readings) if self.readings else tuple(names)

    def collect_triggers(self, event: Event) -> Iterable[Event]:
        """Yield the triggers that an event sets off, as `TriggerQueued`."""
        return ()

    def view_for(self, seat: int) -> Any:
        """Return the view of a seat: a state of the same class without hidden information.

        Games override it to put backs in place of hidden cards.
        """
        return replace_fields(self, agenda=tuple(step.view_for(seat) for step in self.agenda))


S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class StepEvent(Event):
    """An event about a step."""

    step: Step

    def view_for(self, seat: int) -> StepEvent:
        return replace_fields(self, step=self.step.view_for(seat))


@named("Opened")
@dataclass(frozen=True)
class StepPushed(StepEvent):
    """A step was put on top of the stack."""

    def apply(self, state: S) -> S:
        return replace_fields(state, agenda=(*state.agenda, self.step))


@named("Became")
@dataclass(frozen=True)
class StepReplaced(StepEvent):
    """The step on top advanced, for instance by a line or an answer."""

    def apply(self, state: S) -> S:
        return replace_fields(state, agenda=(*state.agenda[:-1], self.step))


@named("Closed")
@dataclass(frozen=True)
class StepPopped(Event):
    """The step on top is done."""

    def apply(self, state: S) -> S:
        return replace_fields(state, agenda=state.agenda[:-1])


@named("Cleared")
@dataclass(frozen=True)
class StackCleared(Event):
    """Nothing is pending any more, because the match has ended."""

    def apply(self, state: S) -> S:
        return replace_fields(state, agenda=())


@named("Frame")
@dataclass(frozen=True)
class Frame(Step):
    """One matter carried out to its end, followed by the triggers it has set off.

    Triggers run in the order in which they were queued. A game with another order, for instance one that the active
    player chooses, derives its own class.
    """

    noted: tuple[Step, ...] = ()

    def resolve(self, state: Any) -> Iterator[Event]:
        if self.noted:
            yield StepReplaced(replace_fields(self, noted=self.noted[1:]))
            yield StepPushed(self.noted[0])
        else:
            yield StepPopped()

    def view_for(self, seat: int) -> Step:
        return replace_fields(self, noted=tuple(step.view_for(seat) for step in self.noted))


@named("Noted")
@dataclass(frozen=True)
class TriggerQueued(StepEvent):
    """A trigger was set off and waits in the innermost frame."""

    def apply(self, state: S) -> S:
        def add(frame: Any) -> Step:
            noted: Step = replace_fields(frame, noted=(*frame.noted, self.step))
            return noted

        return replace_innermost_step(state, Frame, add)


def replace_innermost_step(state: S, kind: type[Step], change: Callable[[Any], Step]) -> S:
    """Return the state with its innermost step of a kind changed.

    This is how an answer reaches the step that waits for it. Raises ValueError if no such step is pending.
    """
    at = max(index for index, step in enumerate(state.agenda) if isinstance(step, kind))
    return replace_fields(state, agenda=(*state.agenda[:at], change(state.agenda[at]), *state.agenda[at + 1 :]))
