"""Lines that give a name to what a text is about: several of the player's choice, at random, all, hit by dice.

`choose`, for one thing, is a word of every game. All is mandatory but for `up_to`: as many as there are are taken, and
with none the line says that it did nothing. Clauses: CC-AMB-18, CC-GLOSS-7, CC-AMB-24, CC-DICE-1, CC-AMB-23.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from referee.cardscript.language.interpreter import Bound, CarryOut, running
from referee.cardscript.language.primitives import Called, Noun, Values, Word
from referee.cardscript.moves import ChooseCards
from referee.cardscript.questions import Asking, asked_for, combined, wrong_number
from referee.engine.chance import Below, ChanceStep, Picked, Roll, shuffled
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Closed, Opened
from referee.games.creature_crush.components import BOOK
from referee.games.creature_crush.conditions import ONE, Amount
from referee.games.creature_crush.derived import worth
from referee.games.creature_crush.events.course import TargetDiceRolled, TargetsDrawn
from referee.games.creature_crush.events.field import NoEffect
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.nouns import InReach
from referee.games.creature_crush.texts.vocabulary import WORDS

MOST_TARGET_DICE = 5


def nothing_fits(text: CarryOut, called: str) -> Iterator[Event]:
    """The facts of a line that finds nothing: it says so, and the name stands for nothing (CC-AMB-18)."""
    yield NoEffect(text.card, "nothing_fits")
    yield Bound(called, ())


# ---- all -------------------------------------------------------------------------------------------------------------


@WORDS.word("all")
@dataclass(frozen=True)
class All(Word):
    """Everything that fits."""

    noun: Noun
    called: Called

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        fitting = self.noun.options(state, text, text.by)
        if fitting:
            yield Bound(self.called, fitting)
        else:
            yield from nothing_fits(text, self.called)


# ---- several of the player's choice ----------------------------------------------------------------------------------


@WORDS.word("choose_some")
@dataclass(frozen=True)
class ChooseSome(Word):
    """The player of the text chooses so many, or as many as there are; `up_to`: or fewer, even none."""

    noun: Noun
    count: Amount
    called: Called
    up_to: bool = False

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        count, fitting = worth(state, self.count, text.bound), self.noun.options(state, text, text.by)
        if not count or not fitting:
            yield from nothing_fits(text, self.called)
        elif len(fitting) <= count and not self.up_to:
            yield Bound(self.called, fitting)
        else:
            yield Opened(ChoosingSome(text.by, text.card, self.noun, self.called, count, self.up_to))


@named("cc.ChoosingSome")
@dataclass(frozen=True)
class ChoosingSome(Asking):
    """A player chooses several things at once for the text beneath (CC-AMB-18)."""

    seat: int
    card: str
    noun: Noun
    called: str
    count: int
    up_to: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-18",)

    def _limits(self, state: Table) -> tuple[Values, int, int]:
        """What fits, and how many at least and at most are named."""
        fitting = self.noun.options(state, running(state), self.seat)
        most = min(self.count, len(fitting))
        return fitting, 0 if self.up_to else most, most

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        fitting, least, most = self._limits(state)
        yield from map(ChooseCards, combined(map(str, fitting), most, least))
        text = running(state)
        for value in self.noun.thinkable(state, text, seat):
            yield ChooseCards((str(value), *map(str, fitting[: most - 1])))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseCards):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        text = running(state)
        for value in move.cards:
            self.noun.check(state, text, seat, value)
            if move.cards.count(value) > 1:
                raise Refused("named_twice", *self.clauses, card=value)
        _, least, most = self._limits(state)
        if not least <= len(move.cards) <= most:
            raise wrong_number(least, most, *self.clauses)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseCards)
        yield Closed()
        if not move.cards:
            yield NoEffect(self.card, "none_chosen")
        yield Bound(self.called, move.cards)


# ---- at random -------------------------------------------------------------------------------------------------------


@WORDS.word("at_random")
@dataclass(frozen=True)
class AtRandom(Word):
    """Chance finds so many of those that fit, each with the same likelihood and none twice (CC-AMB-24)."""

    noun: Noun
    called: Called
    count: Amount = ONE

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        count, fitting = worth(state, self.count, text.bound), self.noun.options(state, text, text.by)
        if not count or not fitting:
            yield from nothing_fits(text, self.called)
        elif len(fitting) <= count:
            yield Bound(self.called, fitting)
        else:
            yield Opened(DrawTargets(text.card, self.noun, self.called, count))


@named("cc.DrawTargets")
@dataclass(frozen=True)
class DrawTargets(ChanceStep):
    """Chance finds targets for the text beneath: everybody sees among which, and a die finds them (CC-GLOSS-7)."""

    card: str
    noun: Noun
    called: str
    count: int
    device: ClassVar[str] = "dice"
    clauses: ClassVar[tuple[str, ...]] = ("CC-GLOSS-7", "CC-AMB-24")

    def fitting(self, state: Table) -> tuple[str, ...]:
        """Among what chance finds the targets."""
        text = running(state)
        return tuple(map(str, self.noun.options(state, text, text.by)))

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(Picked, combinations(self.fitting(state), self.count))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Picked):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if len(move.cards) != self.count or len(set(move.cards)) != self.count:
            raise Refused("name_so_many_targets", *self.clauses, count=self.count)
        text = running(state)
        for value in move.cards:
            self.noun.check(state, text, text.by, value)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Picked)
        yield Closed()
        yield TargetsDrawn(self.card, move.cards)
        yield Bound(self.called, move.cards)

    def draw(self, state: Table, below: Below) -> Move:
        return Picked(tuple(shuffled(self.fitting(state), below)[: self.count]))

    def patterns(self, state: Table, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat != CHANCE:
            return ()
        items = {"enum": sorted(self.fitting(state))}
        listed = {"type": "array", "items": items, "minItems": self.count, "maxItems": self.count}
        says = BOOK.texts("pattern.targets", count=self.count)
        return ({"type": Picked.TAG, "fields": {"cards": listed}, "says": says},)


# ---- with dice -------------------------------------------------------------------------------------------------------


@WORDS.word("with_dice")
@dataclass(frozen=True)
class WithDice(Word):
    """Dice are rolled; the player chooses one of those whose cost they have hit (CC-DICE-1)."""

    dice: int
    noun: Noun
    called: Called

    def amiss(self) -> str:
        return "" if 1 <= self.dice <= MOST_TARGET_DICE else f"with_dice takes 1 to {MOST_TARGET_DICE} dice"

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if self.noun.options(state, text, text.by):
            yield Opened(
                RollForTarget(dice=self.dice, seat=text.by, card=text.card, noun=self.noun, called=self.called)
            )
        else:
            yield from nothing_fits(text, self.called)


@named("cc.RollForTarget")
@dataclass(frozen=True, kw_only=True)
class RollForTarget(Roll):
    """Extra dice are rolled that find a target by its cost; then the player of the text chooses (CC-DICE-1)."""

    seat: int
    card: str
    noun: Noun
    called: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-DICE-1", "CC-AMB-23")

    def outcome(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield TargetDiceRolled(self.seat, self.card, values)
        pips = Bound(pips_of(self.called), values)
        yield pips
        text = running(state)
        text = changed(text, bound={**text.bound, pips.name: values})
        noun = InReach(self.noun, pips.name)
        if noun.options(state, text, self.seat):
            yield from asked_for(state, text, self.seat, noun, self.called)
        else:
            yield from nothing_fits(text, self.called)


def pips_of(called: str) -> str:
    """The name under which a text keeps the dice that were rolled for what it calls so."""
    return f"dice/{called}"
