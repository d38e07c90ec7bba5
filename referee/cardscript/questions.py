"""The questions that card texts ask: choose one thing, take an offer or leave it, look at cards, all at once in secret.

Every question of a game with card texts derives from `Asking`: who is asked, what happens when the time is up, and
with what anybody may cut in. Clauses: CARDS-CHOICE-1 to CARDS-CHOICE-4, CARDS-TIME-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from referee.cardscript.language.interpreter import Bound, CarryOut, NothingThere, running
from referee.cardscript.language.primitives import Noun, Value
from referee.cardscript.moves import Accept, ChooseCards, Decline, Seen
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.prompts import TimedOut
from referee.engine.rulings import Refused
from referee.engine.seats import CLOCK, Seat
from referee.engine.steps import Closed, Opened, Step
from referee.engine.zones import backs, is_back

CLOCK_TOO = frozenset({CLOCK})


class Asking(Step):
    """A question of a game with card texts. Subclasses say who is asked, what may be answered, and what follows."""

    __slots__ = ()

    def asked(self, state: Any) -> tuple[int, ...]:
        """The seats asked, from public knowledge alone."""
        raise NotImplementedError

    def answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        """Of the seat's view: what it may answer, and near misses."""
        return ()

    def judged(self, state: Any, seat: Seat, move: Move) -> None:
        """Raises Refused unless this answers the question."""
        raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def answered(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        """The facts of an answer that was let pass."""
        yield from ()

    def too_late(self, state: Any) -> Iterator[Event]:
        """The facts when the time is up: for each seat still asked, its answer in the fixed order (CARDS-TIME-1)."""
        seat = Seat(self.asked(state)[0])
        yield from self.answered(state, seat, self.by_default(state, seat))

    def by_default(self, state: Any, seat: Seat) -> Move:
        """What an absent seat answers: it declines what it may decline, else the first legal answer (CARDS-TIME-1)."""
        offered = [move for move in self.answers(state, seat) if self._passes(state, seat, move)]
        declining = next((move for move in offered if isinstance(move, Decline)), None)
        return declining or min(offered, key=state.rank)

    def when_late(self, state: Any, seat: Seat) -> Move | None:
        return None if self.nameless(state) else self.by_default(state, seat)

    def _passes(self, state: Any, seat: Seat, move: Move) -> bool:
        try:
            self.judged(state, seat, move)
        except Refused:
            return False
        return True

    def nameless(self, state: Any) -> bool:
        """Whether only the players can name what is asked for, so that no clock can answer for them."""
        return False

    def thinking(self, state: Any) -> int | None:
        limit: int | None = None if self.nameless(state) else state.decision_time()
        return limit

    # -- what the kernel asks --------------------------------------------------------------------------------------

    def awaits(self, state: Any) -> frozenset[Seat]:
        seats = frozenset(map(Seat, self.asked(state)))
        return seats | CLOCK_TOO if seats and self.thinking(state) is not None else seats

    def admits(self, state: Any) -> frozenset[Seat]:
        cutting: frozenset[Seat] = state.anyone_may()
        return cutting

    def candidates(self, state: Any, seat: Seat) -> Iterable[Move]:
        if seat in self.asked(state):
            yield from self.answers(state, seat)
        yield from state.interjections(seat)

    def check(self, state: Any, seat: Seat, move: Move) -> None:
        if state.cuts_in(move):
            state.check_interjection(seat, move)
        elif seat == CLOCK:
            if not isinstance(move, TimedOut):
                raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        elif seat not in self.asked(state):
            raise Refused("not_asked", "CARDS-CHOICE-1", seat=int(seat))
        else:
            self.judged(state, seat, move)

    def decide(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        if state.cuts_in(move):
            yield from state.interject(seat, move)
        elif isinstance(move, TimedOut):
            yield from self.too_late(state)
        else:
            yield from self.answered(state, seat, move)


@named("cards.Choosing")
@dataclass(frozen=True)
class Choosing(Asking):
    """A player chooses one thing for the text beneath, which goes on with it under the name `called`.

    `optional`: nothing may be chosen. `duty`: nothing only if there is nothing. `unseen`: the others do not see what.
    """

    seat: int
    card: str
    noun: Noun
    called: str
    optional: bool = False
    duty: bool = False
    unseen: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)

    def question(self) -> str:
        return f"choose.{self.noun.WORD}"

    def asked(self, state: Any) -> tuple[int, ...]:
        return () if self.noun.nothing_there(state, running(state), self.seat) else (self.seat,)

    def resolve(self, state: Any) -> Iterator[Event]:
        yield Closed()  # what there was to choose from is gone, and everybody has seen it go
        yield Bound(self.called, ())

    def answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        if self.optional or self.duty:
            yield Decline()
        text = running(state)
        for value in (*self.noun.options(state, text, seat), *self.noun.thinkable(state, text, seat)):
            yield self.noun.answer(value, self.unseen)

    def judged(self, state: Any, seat: Seat, move: Move) -> None:
        text = running(state)
        if isinstance(move, Decline):
            if self.duty and (fitting := self.noun.options(state, text, seat)):
                known = [value for value in fitting if self.noun.is_known(state, text, seat, value)]
                if known:
                    raise Refused("must_if_possible", *self.noun.clauses, "CARDS-CHOICE-2", card=self.card)
            elif not self.optional and not self.duty:
                raise Refused("must_choose", *self.noun.clauses, "CARDS-CHOICE-2", card=self.card)
            return
        value = self.noun.named(move, self.unseen)
        if value is None:
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        self.noun.check(state, text, seat, value)

    def answered(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield Closed()
        value = self.noun.named(move, self.unseen)
        yield Bound(self.called, () if value is None else (value,), self.seat if self.unseen else None)

    def nameless(self, state: Any) -> bool:
        return self.noun.nameless(state, running(state), self.seat)


@named("cards.Offer")
@dataclass(frozen=True)
class Offer(Asking):
    """A player may take what the text beneath offers, or leave it (CARDS-CHOICE-3)."""

    seat: int
    card: str
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-3",)

    def asked(self, state: Any) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        yield Decline()
        yield Accept()

    def judged(self, state: Any, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise Refused("take_or_leave", "CARDS-CHOICE-3", card=self.card)

    def answered(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield Closed()
        if isinstance(move, Accept):
            yield Bound(self.called, (self.seat,))


@named("cards.Looking")
@dataclass(frozen=True)
class Looking(Asking):
    """A player is shown cards that the others do not see, and says when they have been looked at (CARDS-CHOICE-4)."""

    seat: int
    card: str
    cards: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-4",)

    def asked(self, state: Any) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        yield Seen()

    def judged(self, state: Any, seat: Seat, move: Move) -> None:
        if not isinstance(move, Seen):
            raise Refused("say_when_seen", "CARDS-CHOICE-4")

    def answered(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        yield Closed()

    def seen_by(self, seat: int) -> Step:
        return self if seat == self.seat else changed(self, cards=backs(self.cards))


@named("cards.Answered")
@dataclass(frozen=True)
class Answered(Event):
    """A seat has answered a question that several are asked at once; what it says is shown when all have."""

    seat: int
    cards: tuple[str, ...]

    def apply(self, state: Any) -> Any:
        *rest, top = state.agenda
        return changed(state, agenda=(*rest, changed(top, given={**top.given, str(self.seat): self.cards})))

    def seen_by(self, seat: int) -> Event:
        return self if seat == self.seat else changed(self, cards=())


@dataclass(frozen=True)
class Together(Asking):
    """Several seats choose cards at the same time, unseen; once all have answered it is carried out in turn.

    `waiting` are all who were asked, in the order in which it is carried out; `given` what each has answered so far.
    Subclasses say what may be given (`choices`, `fits`) and what follows (`carried_out`).
    """

    waiting: tuple[int, ...]
    card: str
    given: dict[str, tuple[str, ...]]
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-CHOICE-1",)
    sealed: ClassVar[bool] = True

    def asked(self, state: Any) -> tuple[int, ...]:
        return tuple(seat for seat in self.waiting if str(seat) not in self.given)

    def choices(self, state: Any, seat: int) -> Iterable[tuple[str, ...]]:
        """What a seat may give, as far as its view shows."""
        raise NotImplementedError

    def fits(self, state: Any, seat: int, cards: tuple[str, ...]) -> None:
        """Raises Refused unless the seat may give these."""
        raise NotImplementedError

    def carried_out(self, state: Any) -> Iterator[Event]:
        """The facts once all have answered; the step has closed."""
        raise NotImplementedError

    def answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        return map(ChooseCards, self.choices(state, seat))

    def judged(self, state: Any, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCards):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        self.fits(state, seat, move.cards)

    def answered(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield Answered(int(seat), move.cards)

    def too_late(self, state: Any) -> Iterator[Event]:
        for seat in self.asked(state):
            yield from self.answered(state, Seat(seat), self.by_default(state, Seat(seat)))

    def resolve(self, state: Any) -> Iterator[Event]:
        yield Closed()
        yield from self.carried_out(state)

    def seen_by(self, seat: int) -> Step:
        mine = {who: cards if who == str(seat) else () for who, cards in self.given.items()}
        return changed(self, given=mine)


def wrong_number(least: int, most: int, *clauses: str) -> Refused:
    """The refusal of an answer that names too few or too many cards."""
    if least == most:
        return Refused("exactly_so_many", *clauses, count=most)
    return Refused("so_many_cards", *clauses, least=least, most=most)


def combined(cards: Iterable[str], count: int, at_least: int) -> Iterator[tuple[str, ...]]:
    """Every different choice of `at_least` to `count` of these cards; equal cards count as one."""
    held = sorted(cards)
    for size in range(at_least, count + 1):
        yield from dict.fromkeys(combinations(held, size))


def asked_for(state: Any, text: CarryOut, seat: int, noun: Noun, called: str, **how: bool) -> Iterator[Event]:
    """The facts with which a choice begins: none if there is nothing, the answer at once if all see the only one.

    (CARDS-CHOICE-2: what everybody can see to be the only choice is no question.)
    """
    if noun.nothing_there(state, text, seat):
        yield NothingThere(text.card)
        yield Bound(called, ())
        return
    if noun.open_to_all(state, text) and not how.get("optional"):
        options = noun.options(state, text, seat)
        if len(set(options)) == 1:
            yield Bound(called, options[:1], seat if how.get("unseen") else None)
            return
    yield Opened(Choosing(seat, text.card, noun, called, **how))


def hidden_among(values: Iterable[Value]) -> bool:
    """Whether one of these is a card that stands as its back."""
    return any(isinstance(value, str) and is_back(value) for value in values)
