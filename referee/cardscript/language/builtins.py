"""The words that the cards of every game share: choosing, offers, repeating, stopping, and what no other word says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.language.interpreter import CarryOut, Loop
from referee.cardscript.language.primitives import ME, Called, Name, Noun, Values, Vocabulary, Who, Word
from referee.cardscript.questions import Offer, asked_for
from referee.engine.events import Event, changed
from referee.engine.steps import Became, Opened

COMMON = Vocabulary()
SPECIALS: dict[str, Callable[[Any, CarryOut], Iterator[Event]]] = {}


@COMMON.word("choose")
@dataclass(frozen=True)
class Choose(Word):
    """A player chooses one thing and the text calls it `called`. `declared`: before others decide on modifiers, say.

    `optional`: or nothing; `duty`: nothing only where there is nothing; `unseen`: the others do not see what.
    """

    noun: Noun
    called: Called
    who: Who = ME
    declared: bool = False
    optional: bool = False
    duty: bool = False
    unseen: bool = False

    def act(self, state: Any, text: CarryOut) -> Iterator[Event]:
        if self.called in text.bound:
            return  # declared in advance: that binds
        for seat in self.who.seats(state, text)[:1]:
            yield from asked_for(
                state, text, seat, self.noun, self.called,
                optional=self.optional, duty=self.duty, unseen=self.unseen,
            )  # fmt: skip


@COMMON.word("offer")
@dataclass(frozen=True)
class OfferTo(Word):
    """A player may take what the following lines give; if so, the name is bound to that player."""

    called: Called
    who: Who = ME

    def act(self, state: Any, text: CarryOut) -> Iterator[Event]:
        for seat in self.who.seats(state, text)[:1]:
            yield Opened(Offer(seat, text.card, self.called))


@COMMON.word("stop")
@dataclass(frozen=True)
class Stop(Word):
    """The text ends here."""

    def act(self, state: Any, text: CarryOut) -> Iterator[Event]:
        yield Became(changed(text, at=len(state.lines(text.card, text.text))))


@COMMON.word("for_each")
@dataclass(frozen=True)
class ForEach(Word, Loop):
    """The lines within are carried out once for each player that fits, or each of the things bound to a name."""

    called: Called
    noun: Noun | None = None
    in_: Name | None = None
    LOOPS: ClassVar[bool] = True

    def finds_nothing(self, state: Any, text: CarryOut, at: int) -> bool:
        begun = f"{self.called}/{at}" in text.bound
        return not begun and self.noun is not None and not self.noun.options(state, text, text.by)

    def turn(self, state: Any, text: CarryOut, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        rest = f"{self.called}/{at}"
        left = text.bound.get(rest)
        if left is None:
            left = self.noun.options(state, text, text.by) if self.noun else text.bound.get(self.in_ or "", ())
        if left:
            return at + 1, {**text.bound, self.called: left[:1], rest: left[1:]}
        return jump, {name: values for name, values in text.bound.items() if name not in (rest, self.called)}


@COMMON.word("go_back")
@dataclass(frozen=True)
class GoBack(Word, Loop):
    """The end of lines that are repeated; the reader writes it. `names` were bound within, and are free again."""

    to: int
    names: tuple[str, ...] = ()

    def turn(self, state: Any, text: CarryOut, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        return self.to, {name: values for name, values in text.bound.items() if name not in self.names}


@COMMON.word("again")
@dataclass(frozen=True)
class Again(Word, Loop):
    """The text begins anew with the rest of a set, as long as something of it was chosen; the reader writes it."""

    chosen: str
    among: str

    def turn(self, state: Any, text: CarryOut, at: int, jump: int) -> tuple[int, dict[str, Values]]:
        chosen = text.bound.get(self.chosen, ())
        if not chosen:
            return jump, text.bound
        left = list(text.bound.get(self.among, ()))
        gone = chosen[0] if chosen[0] in left else "?"
        left.remove(gone)
        kept = {"me", "this", self.among, "lot", *(name for name in text.bound if "/" in name)}
        bound = {name: values for name, values in text.bound.items() if name in kept}
        return (0, {**bound, self.among: tuple(left)}) if left else (jump, bound)


@COMMON.word("special")
@dataclass(frozen=True)
class Special(Word):
    """What no word says: a function of the game, by name. At most one card in ten may need one."""

    rule: str

    def amiss(self) -> str:
        return "" if self.rule in SPECIALS else f"no special function is called {self.rule!r}"

    def act(self, state: Any, text: CarryOut) -> Iterator[Event]:
        yield from SPECIALS[self.rule](state, text)
