"""The agenda: whatever is still pending lies as plain data on a stack inside the state.

A question, a reaction, a die to roll, half of a card's text: each is a `Step`. The last one is on top. A step has its
return address for free, so an interrupted effect simply lies underneath.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION, cite_by_interpretation
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat

NO_SEATS: frozenset[Seat] = frozenset()


class Step:
    """One pending thing; a frozen dataclass of plain values with a registered name.

    `clauses` are those it carries out. `window_kind` names the kind of question that a seat may let pass in advance
    (`modifiers`); empty: it has to be answered each time. `reaction_kind` names what is asked of those whom a move
    concerns where it cannot be let pass (`attack`). `seals_answers`: nobody sees an answer before all have answered.
    `keeps_first_deadline`: its time runs from its opening, even if it waits again for a seat that it had ceased to wait
    for.
    """

    __slots__ = ()
    TAG: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()
    window_kind: ClassVar[str] = ""
    reaction_kind: ClassVar[str] = ""
    seals_answers: ClassVar[bool] = False
    keeps_first_deadline: ClassVar[bool] = False
    listing_limit: ClassVar[int] = (
        200  # how many legal moves are worth listing; beyond, `move_patterns` describe the rest
    )
    answers_tell_hidden_cards: ClassVar[bool] = (
        False  # whether an answer says, without a name, what only who holds hidden cards knows
    )
    lists_examples_only: ClassVar[bool] = (
        False  # what can be listed are but examples: `move_patterns` describe the rest in any case
    )

    def time_limit(self, state: Any) -> int | None:
        """How long the awaited seats have, in ms, from the entry that asked anew; None: no limit, and no CLOCK."""
        return None

    def passing_move(self, seat: Seat) -> Move | None:
        """The move with which a seat lets this question pass, if it is one that can be passed in advance."""
        return None

    def timeout_move(self, state: Any, seat: Seat) -> Move | None:
        """What an awaited seat does when a limit of the match is up: the least that the rules allow, from its view.

        None: the game does not say, or only the people at the table can. A window's must not depend on what is hidden.
        """
        return self.passing_move(seat)

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        """The seats this step waits for, from public knowledge alone. Nobody: it resolves by itself."""
        return NO_SEATS

    def admitted_seats(self, state: Any) -> frozenset[Seat]:
        """The seats that may move although nobody waits for them."""
        return NO_SEATS

    def invited_seats(self, state: Any) -> frozenset[Seat]:
        """Of the seats it admits, those to whom something is addressed that nobody waits for: a trade offered to them,
        a claim they may make. From public knowledge alone. Whoever is invited may leave it; only bots are asked for it.
        """
        return NO_SEATS

    def candidate_moves(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Of the seat's view: every legal move, and the near misses a player may think of. May be lazy and long."""
        return ()

    def promising_moves(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Of the candidates every legal move, in their order, and of the others as few as come cheaply: what is looked
        at where nobody asks for near misses. `check_move` decides on each of them all the same."""
        return self.candidate_moves(state, seat)

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        """The predicate: raises Refused if the move is not legal. The same on the seat's view and on the full state."""
        raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        """The facts that follow at once from a move that `check_move` has let pass."""
        yield from ()

    def resolve(self, state: Any) -> Iterator[Event]:
        """The facts of a step that awaits nobody; it must settle itself (`StepPopped` or `StepReplaced`)."""
        yield StepPopped()

    def move_patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        """Describes the legal moves where they are too many to list: `{type, fields (JSON Schema), says {en, de}}`."""
        return ()

    def sample_move(self, state: Any, seat: Seat, below: Callable[[int], int]) -> Move | None:
        """A random legal move of the seat's view where listing all is too long; None: list them."""
        return None

    def question_name(self) -> str:
        """The name of what is asked; its text stands in `reasons.yaml` under `question.<name>`."""
        return self.TAG

    def view_for(self, seat: int) -> Step:
        """The step as `seat` may know it."""
        return self


@dataclass(frozen=True)
class State:
    """The table of a game; games add their fields. The last step of the agenda is on top.

    `readings`: the clauses of which another than the first reading holds in this match, with its number. Everybody may
    know them, so views and positions carry them too.
    """

    agenda: tuple[Step, ...] = ()
    readings: dict[str, int] = field(default_factory=dict, kw_only=True, metadata=OMIT_IF_EMPTY)

    def interpretation_number(self, clause: str) -> int:
        """The number of the reading of a clause that holds here: what a rule asks that has several."""
        return self.readings.get(clause, FIRST_INTERPRETATION)

    def cite_clauses(self, names: Iterable[str]) -> tuple[str, ...]:
        """Clauses as a ruling cites them here: each by the reading of it that holds."""
        return cite_by_interpretation(names, self.readings) if self.readings else tuple(names)

    def collect_triggers(self, fact: Event) -> Iterable[Event]:
        """The triggers that a fact sets off, as `TriggerQueued`."""
        return ()

    def view_for(self, seat: int) -> Any:
        """The view of a seat: a state of the same class with backs for what is hidden. Games override for more."""
        return replace_fields(self, agenda=tuple(step.view_for(seat) for step in self.agenda))


S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class StepEvent(Event):
    """A fact about a step."""

    step: Step

    def view_for(self, seat: int) -> StepEvent:
        return replace(self, step=self.step.view_for(seat))


@named("Opened")
@dataclass(frozen=True)
class StepPushed(StepEvent):
    """A step was laid on top."""

    def apply(self, state: S) -> S:
        return replace_fields(state, agenda=(*state.agenda, self.step))


@named("Became")
@dataclass(frozen=True)
class StepReplaced(StepEvent):
    """The step on top goes on: a line further, one answer more."""

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
    """Nothing is pending any more: the match has ended."""

    def apply(self, state: S) -> S:
        return replace_fields(state, agenda=())


@named("Frame")
@dataclass(frozen=True)
class Frame(Step):
    """One thing carried out to its end, and then what it has set off, in the order in which it was noticed.

    A game with another order (the active player chooses, say) derives its own.
    """

    noted: tuple[Step, ...] = ()

    def resolve(self, state: Any) -> Iterator[Event]:
        if self.noted:
            yield StepReplaced(replace(self, noted=self.noted[1:]))
            yield StepPushed(self.noted[0])
        else:
            yield StepPopped()

    def view_for(self, seat: int) -> Step:
        return replace(self, noted=tuple(step.view_for(seat) for step in self.noted))


@named("Noted")
@dataclass(frozen=True)
class TriggerQueued(StepEvent):
    """A trigger has come true; it waits in the innermost frame."""

    def apply(self, state: S) -> S:
        def add(frame: Any) -> Step:
            noted: Step = replace(frame, noted=(*frame.noted, self.step))
            return noted

        return replace_innermost_step(state, Frame, add)


def replace_innermost_step(state: S, kind: type[Step], change: Callable[[Any], Step]) -> S:
    """The state with its innermost step of that kind changed: how an answer reaches the step that waits for it.

    Raises ValueError if no such step is pending.
    """
    at = max(index for index, step in enumerate(state.agenda) if isinstance(step, kind))
    return replace_fields(state, agenda=(*state.agenda[:at], change(state.agenda[at]), *state.agenda[at + 1 :]))
