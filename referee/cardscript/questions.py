"""The questions of card texts: choose, accept or decline, look, answer in secret.

Every question of a game with card texts derives from `CardPrompt`, which says who is prompted, what happens when the
time is up, and which moves may interject.
CARDS-CHOICE-1: What a card lets a player choose is chosen by that player alone, from what the text names.
CARDS-CHOICE-2: A choice that the text does not leave open must be made. If everybody can see that there is only one,
    the referee makes it. If there is nothing, it is left out.
CARDS-CHOICE-3: An offer is made once. It is accepted or declined.
CARDS-CHOICE-4: A player who is shown hidden cards confirms having seen them. Only then does the text go on.
CARDS-TIME-1: When the time of a question is up, what may be declined is declined. A duty takes the first legal answer
    in the fixed order of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from referee.cardscript.language.interpreter import Execution, NameBound, NothingToChoose, find_innermost_execution
from referee.cardscript.language.primitives import Selector, Value
from referee.cardscript.moves import Accept, ChooseCards, ConfirmSeen, Decline
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.prompts import TimedOut
from referee.engine.reasons.grounds import ground
from referee.engine.remembering import PUBLIC, remember
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import CLOCK, Seat
from referee.engine.steps import State, Step, StepPopped, StepPushed, require_move
from referee.engine.zones import backs_of, is_back

CLOCK_SEAT = frozenset({CLOCK})


@remember(PUBLIC)
def find_prompted_seats(state: Any) -> tuple[int, ...]:
    """Return the seats that the question on top prompts.

    Every listed move asks for it.
    """
    prompted: tuple[int, ...] = state.agenda[-1].prompted_seats(state)
    return prompted


class CardPrompt(Step):
    """A question of a game with card texts.

    Subclasses say who is prompted, what may be answered, and what follows.
    """

    __slots__ = ()

    def prompted_seats(self, state: Any) -> tuple[int, ...]:
        """Return the prompted seats, from public knowledge alone."""
        raise NotImplementedError

    def possible_answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Yield the answers and near misses in the seat's view."""
        return ()

    def promising_answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Yield the legal answers in the same order, and as few others as is cheap."""
        return self.possible_answers(state, seat)

    def check_answer(self, state: Any, seat: Seat, move: Move) -> None:
        """Raise IllegalMove unless the move answers the question."""
        raise NotAsked("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def apply_answer(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        """Yield the events of an answer that `check_answer` has accepted."""
        yield from ()

    def apply_timeout(self, state: Any) -> Iterator[Event]:
        """Yield the events when the time is up.

        CARDS-TIME-1: What may be declined is declined. A duty takes the first legal answer in the fixed order.
        """
        seat = Seat(self.prompted_seats(state)[0])
        yield from self.apply_answer(state, seat, self.default_answer(state, seat))

    def default_answer(self, state: Any, seat: Seat) -> Move:
        """Return what an absent seat answers. It passes a question that can be passed.

        CARDS-TIME-1: What may be declined is declined. A duty takes the first legal answer in the fixed order.
        """
        if (passing := self.passing_move(seat)) is not None:
            return passing
        offered = [move for move in self.possible_answers(state, seat) if self._is_legal_answer(state, seat, move)]
        declining = next((move for move in offered if isinstance(move, Decline)), None)
        return declining or min(offered, key=state.rank_answer)

    def timeout_move(self, state: Any, seat: Seat) -> Move | None:
        return None if self.is_not_nameable(state) else self.default_answer(state, seat)

    def _is_legal_answer(self, state: Any, seat: Seat, move: Move) -> bool:
        try:
            self.check_answer(state, seat, move)
        except IllegalMove:
            return False
        return True

    def is_not_nameable(self, state: Any) -> bool:
        """Return whether only the players can name the answer, so no clock can answer."""
        return False

    def time_limit(self, state: Any) -> int | None:
        limit: int | None = None if self.is_not_nameable(state) else state.decision_time()
        return limit

    # -- the interface of `Step` -----------------------------------------------------------------------------------

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        seats = frozenset(map(Seat, self._list_prompted_seats(state)))
        return seats | CLOCK_SEAT if seats and self.time_limit(state) is not None else seats

    def admitted_seats(self, state: Any) -> frozenset[Seat]:
        cutting: frozenset[Seat] = state.seats_that_may_interject()
        return cutting

    def candidate_moves(self, state: Any, seat: Seat) -> Iterable[Move]:
        if seat in self._list_prompted_seats(state):
            yield from self.possible_answers(state, seat)
        yield from state.possible_interjections(seat)

    def promising_moves(self, state: Any, seat: Seat) -> Iterable[Move]:
        if seat in self._list_prompted_seats(state):
            yield from self.promising_answers(state, seat)
        yield from state.possible_interjections(seat)

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        if state.is_interjection(move):
            state.check_interjection(seat, move)
        elif seat == CLOCK:
            require_move(move, TimedOut)
        elif seat not in self._list_prompted_seats(state):
            raise NotAsked("not_asked", self._asking_clause(), seat=int(seat))
        else:
            self.check_answer(state, seat, move)

    def _list_prompted_seats(self, state: Any) -> tuple[int, ...]:
        return find_prompted_seats(state) if state.agenda[-1] is self else self.prompted_seats(state)

    def _asking_clause(self) -> str:
        """Return the clause by which other seats may not answer.

        A card gives the choice to one player, or it is not their turn.
        """
        return "CARDS-CHOICE-1" if "CARDS-CHOICE-1" in self.clauses else "KERNEL-TURN-1"

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        if state.is_interjection(move):
            yield from state.apply_interjection(seat, move)
        elif isinstance(move, TimedOut):
            yield from self.apply_timeout(state)
        else:
            yield from self.apply_answer(state, seat, move)


@ground(State, TimedOut)
def find_clock_grounds(state: State, _move: Move, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield the clause by which the clock answers a question of a card.

    CARDS-TIME-1: What may be declined is declined. A duty takes the first legal answer in the fixed order.
    """
    if state.agenda and isinstance(state.agenda[-1], CardPrompt):
        yield "CARDS-TIME-1"


class PlayerPrompt(CardPrompt):
    """A question to the player `seat` alone, a field of the subclass."""

    __slots__ = ()
    seat: int

    def prompted_seats(self, state: Any) -> tuple[int, ...]:
        return (self.seat,)


class AcceptPrompt(PlayerPrompt):
    """A question that a player answers with yes or no, by accepting or declining."""

    __slots__ = ()

    def possible_answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        yield Decline()
        yield Accept()


@named("cards.Choosing")
@dataclass(frozen=True)
class ChoicePrompt(CardPrompt):
    """A player chooses one thing, which the text beneath binds to the name `called`.

    `optional`: the player may choose nothing. `duty`: the player may choose nothing only if there is nothing.
    `unseen`: the others do not see the choice.
    """

    seat: int
    card: str
    noun: Selector
    called: str
    optional: bool = False
    duty: bool = False
    unseen: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)

    def question_name(self) -> str:
        return f"choose.{self.noun.WORD}"

    def prompted_seats(self, state: Any) -> tuple[int, ...]:
        return () if self.noun.has_no_options(state, find_innermost_execution(state), self.seat) else (self.seat,)

    def resolve(self, state: Any) -> Iterator[Event]:
        yield StepPopped()  # everybody has seen that nothing is left to choose from
        yield NameBound(self.called, ())

    def possible_answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        if self.optional or self.duty:
            yield Decline()
        text = find_innermost_execution(state)
        for value in (*self.noun.find_options(state, text, seat), *self.noun.near_miss_values(state, text, seat)):
            yield self.noun.build_answer(value, self.unseen)

    def check_answer(self, state: Any, seat: Seat, move: Move) -> None:
        text = find_innermost_execution(state)
        if isinstance(move, Decline):
            if self.duty and (fitting := self.noun.find_options(state, text, seat)):
                known = [value for value in fitting if self.noun.is_known(state, text, seat, value)]
                if known:
                    raise IllegalMove("must_if_possible", *self.noun.duty_clauses(), "CARDS-CHOICE-2", card=self.card)
            elif not self.optional and not self.duty:
                raise IllegalMove("must_choose", *self.noun.duty_clauses(), "CARDS-CHOICE-2", card=self.card)
            return
        value = self.noun.parse_answer(move, self.unseen)
        if value is None:
            raise NotAsked("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        self.noun.check_value(state, text, seat, value)

    def apply_answer(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()
        value = self.noun.parse_answer(move, self.unseen)
        yield NameBound(self.called, () if value is None else (value,), self.seat if self.unseen else None)

    def find_grounds(self, state: Any, move: Move) -> tuple[str, ...]:
        value = self.noun.parse_answer(move, self.unseen)
        return () if value is None else self.noun.find_grounds(state, find_innermost_execution(state), value)

    def is_not_nameable(self, state: Any) -> bool:
        return self.noun.is_not_nameable(state, find_innermost_execution(state), self.seat)


@named("cards.Offer")
@dataclass(frozen=True)
class OfferPrompt(AcceptPrompt):
    """A player may accept or decline what the text beneath offers.

    CARDS-CHOICE-3: An offer is made once. It is accepted or declined.
    """

    seat: int
    card: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-3",)

    def check_answer(self, state: Any, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise IllegalMove("take_or_leave", "CARDS-CHOICE-3", card=self.card)

    def apply_answer(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()
        if isinstance(move, Accept):
            yield NameBound(self.called, (self.seat,))


@named("cards.Looking")
@dataclass(frozen=True)
class LookPrompt(PlayerPrompt):
    """A player is shown cards that the others do not see, and confirms it.

    CARDS-CHOICE-4: A player who is shown hidden cards confirms having seen them. Only then does the text go on.
    """

    seat: int
    card: str
    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-4",)

    def possible_answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        yield ConfirmSeen()

    def check_answer(self, state: Any, seat: Seat, move: Move) -> None:
        if not isinstance(move, ConfirmSeen):
            raise IllegalMove("say_when_seen", "CARDS-CHOICE-4")

    def apply_answer(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepPopped()

    def view_for(self, seat: int) -> Step:
        return self if seat == self.seat else replace_fields(self, cards=backs_of(self.cards))


@named("cards.Answered")
@dataclass(frozen=True)
class AnswerGiven(Event):
    """A seat has answered a question to several seats. All answers are shown together."""

    seat: int
    cards: tuple[str, ...]

    def apply(self, state: Any) -> Any:
        *rest, top = state.agenda
        return replace_fields(
            state, agenda=(*rest, replace_fields(top, given={**top.given, str(self.seat): self.cards}))
        )

    def view_for(self, seat: int) -> Event:
        return self if seat == self.seat else replace_fields(self, cards=())


@dataclass(frozen=True)
class SimultaneousPrompt(CardPrompt):
    """Several seats answer at the same time, unseen by the others.

    Once all have answered, the answers are carried out in turn. `waiting` holds all prompted seats in that order,
    `given` what each has answered so far. Subclasses say what may be answered (`possible_answers`, `check_answer`),
    what of it is kept (`apply_answer`), and what follows (`carry_out_choices`).
    """

    waiting: tuple[int, ...]
    card: str
    given: dict[str, tuple[str, ...]]
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)
    seals_answers: ClassVar[bool] = True

    def prompted_seats(self, state: Any) -> tuple[int, ...]:
        return tuple(seat for seat in self.waiting if str(seat) not in self.given)

    def carry_out_choices(self, state: Any) -> Iterator[Event]:
        """Yield the events once all have answered and the step is popped."""
        raise NotImplementedError

    def apply_timeout(self, state: Any) -> Iterator[Event]:
        for seat in self.prompted_seats(state):
            yield from self.apply_answer(state, Seat(seat), self.default_answer(state, Seat(seat)))

    def resolve(self, state: Any) -> Iterator[Event]:
        yield StepPopped()
        yield from self.carry_out_choices(state)

    def view_for(self, seat: int) -> Step:
        mine = {who: cards if who == str(seat) else () for who, cards in self.given.items()}
        return replace_fields(self, given=mine)


@dataclass(frozen=True)
class SimultaneousChoice(SimultaneousPrompt):
    """Several seats choose cards at the same time, unseen by the others.

    Subclasses say what may be given (`possible_choices`, `check_choice`) and what follows (`carry_out_choices`).
    """

    def possible_choices(self, state: Any, seat: int) -> Iterable[tuple[str, ...]]:
        """Yield what a seat may give, judged by its view."""
        raise NotImplementedError

    def check_choice(self, state: Any, seat: int, cards: tuple[str, ...]) -> None:
        """Raise IllegalMove unless the seat may give these cards."""
        raise NotImplementedError

    def possible_answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        return map(ChooseCards, self.possible_choices(state, seat))

    def check_answer(self, state: Any, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseCards)
        self.check_choice(state, seat, move.cards)

    def apply_answer(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield AnswerGiven(int(seat), move.cards)


def refuse_wrong_number(least: int, most: int, *clauses: str) -> IllegalMove:
    """Return the refusal of an answer with too few or too many cards."""
    if least == most:
        return IllegalMove("exactly_so_many", *clauses, count=most)
    return IllegalMove("so_many_cards", *clauses, least=least, most=most)


def list_combinations(cards: Iterable[str], count: int, at_least: int) -> Iterator[tuple[str, ...]]:
    """Yield every different choice of `at_least` to `count` of these cards.

    Equal cards count as one.
    """
    held = sorted(cards)
    for size in range(at_least, count + 1):
        yield from dict.fromkeys(combinations(held, size))


def open_choice(state: Any, text: Execution, seat: int, noun: Selector, called: str, **how: bool) -> Iterator[Event]:
    """Yield the events that begin a choice, or settle it if there is nothing to ask.

    CARDS-CHOICE-2: If everybody can see that there is only one choice, the referee makes it. If there is nothing, it
        is left out.
    """
    if noun.has_no_options(state, text, seat):
        yield NothingToChoose(text.card)
        yield NameBound(called, ())
        return
    if noun.is_open_to_all(state, text) and not how.get("optional"):
        options = noun.find_options(state, text, seat)
        if len(set(options)) == 1:
            yield NameBound(called, options[:1], seat if how.get("unseen") else None)
            return
    yield StepPushed(ChoicePrompt(seat, text.card, noun, called, **how))


def has_hidden_card(values: Iterable[Value]) -> bool:
    """Return whether one of these is a card that appears as its back."""
    return any(isinstance(value, str) and is_back(value) for value in values)
