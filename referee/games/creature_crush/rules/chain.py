"""The chain: what an event sets off, who may answer with a crush card, and in which order it is all carried out.

At each event first the automatic effects are collected; the active player orders them. Then a window opens in which
first the other player and then the active one may flip a crush card that fits, until both pass in a row; each flip is
an event with a window of its own. Then all is carried out, the newest first; what happens meanwhile is handled after
the effect that caused it, and before older ones that still wait.

A window asks only a player with a crush card face down, and only if a card of the box fits that does not lie open
elsewhere: what everybody can see, and nothing else. Clauses: CC-CHAIN-1 to CC-CHAIN-8, CC-AMB-2, CC-AMB-16, CC-AMB-20.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Frame, Opened, Step
from referee.games.creature_crush.components import FLIPPED, HELLS
from referee.games.creature_crush.events.cards import CrushSpent
from referee.games.creature_crush.moves import Flip, Order, Pass
from referee.games.creature_crush.rules.combat.flipping import check_flip, could_flip, face_up, flippable, turned_up
from referee.games.creature_crush.rules.triggers import noted
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import Happening


@named("cc.Happened")
@dataclass(frozen=True)
class Happened(Step):
    """An event to be handled: its effects are ordered, then the chain begins (CC-CHAIN-4)."""

    happening: Happening
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-4",)

    def resolve(self, state: Table) -> Iterator[Event]:
        effects = self.happening.effects
        if len(effects) > 1:
            yield Became(Ordering(self.happening, effects))
            return
        chain = begun(state, self.happening, effects)
        yield Became(chain) if chain.links or chain.windows else Closed()


@named("cc.Ordering")
@dataclass(frozen=True)
class Ordering(Asking):
    """Of effects activated exactly at the same time the active player says which is carried out first (CC-CHAIN-2)."""

    happening: Happening
    left: tuple[CarryOut, ...]
    chosen: tuple[CarryOut, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-2",)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (state.turn,) if len(self.left) > 1 else ()

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (Order(effect.card, effect.text) for effect in self.left)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Order):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if not any((effect.card, effect.text) == (move.card, move.text) for effect in self.left):
            raise Refused("not_activated", "CC-CHAIN-2", card=move.card)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Order)
        first = next(effect for effect in self.left if (effect.card, effect.text) == (move.card, move.text))
        left = tuple(effect for effect in self.left if effect is not first)
        yield Became(changed(self, left=left, chosen=(*self.chosen, first)))

    def resolve(self, state: Table) -> Iterator[Event]:
        first_to_last = (*self.chosen, *self.left)
        yield Became(begun(state, self.happening, tuple(reversed(first_to_last))))


@named("cc.Window")
@dataclass(frozen=True)
class Window:
    """Who may answer an event next, and how many have passed in a row."""

    happening: Happening
    next: int
    passed: int = 0

    def after_pass(self) -> Window:
        """The window once the next seat has passed."""
        return changed(self, next=1 - self.next, passed=self.passed + 1)


@named("cc.Chain")
@dataclass(frozen=True)
class Chain(Asking):
    """Effects that wait, the newest last, and the open windows, the innermost last (CC-CHAIN-4, CC-CHAIN-5)."""

    links: tuple[CarryOut, ...]
    windows: tuple[Window, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-4", "CC-CHAIN-5")
    window: ClassVar[str] = "response"

    def question(self) -> str:
        return f"response.{self.windows[-1].happening.kind}" if self.windows else self.TAG

    def asked(self, state: Table) -> tuple[int, ...]:
        if not self.windows:
            return ()
        top = self.windows[-1]
        return (top.next,) if top.passed < 2 and could_flip(state, top.next, top.happening) else ()

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        yield from flippable(state, int(seat), self.windows[-1].happening)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Flip):
            check_flip(state, int(seat), move, self.windows[-1].happening)
        elif not isinstance(move, Pass):
            raise Refused("flip_or_pass", "CC-CHAIN-4", move=move.TAG)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        top = self.windows[-1]
        if isinstance(move, Flip):
            link, happening = turned_up(state, int(seat), move, top.happening)
            going_on = changed(top, next=1 - int(seat), passed=0)
            yield Became(
                changed(
                    self,
                    links=(*self.links, link),
                    windows=(*self.windows[:-1], going_on, Window(happening, 1 - state.turn)),
                )
            )
            yield face_up(state, int(seat), move)
        else:
            yield Became(changed(self, windows=(*self.windows[:-1], top.after_pass())))

    def passing(self, seat: Seat) -> Move | None:
        return Pass() if seat >= 0 else None

    def by_default(self, state: Table, seat: Seat) -> Move:
        return Pass()

    def thinking(self, state: Table) -> int | None:
        window = state.rules.response_window_ms
        return state.decision_time() if window is None else window

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.windows:
            yield Became(changed(self, windows=still_open(state, self.windows)))
        elif self.links:
            newest = self.links[-1]
            yield Became(changed(self, links=self.links[:-1]))
            yield Opened(Frame())
            if newest.text == "flip":
                yield Opened(Spending(newest.card, newest.by))
            yield Opened(newest)
        else:
            yield Closed()


@named("cc.Spending")
@dataclass(frozen=True)
class Spending(Step):
    """After its effect has been handled a crush card goes to the hell of its player (CC-CRUSH-3)."""

    card: str
    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-3",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        yield from spent(state, self.card, self.seat)


def spent(table: Table, card: str, seat: int) -> Iterator[Event]:
    """The facts with which a flipped card goes to hell, if it still lies there: an event, too (CC-CHAIN-3)."""
    if card in table.place(FLIPPED[seat]):
        yield CrushSpent(FLIPPED[seat], HELLS[seat], (card,), (card,), seat)
        yield noted(Happening("put", seat, {"card": (card,)}))


def still_open(table: Table, windows: tuple[Window, ...]) -> tuple[Window, ...]:
    """The windows as they stand once whoever could not flip anything, as all can see, has passed."""
    left = list(windows)
    while left and (left[-1].passed > 1 or not could_flip(table, left[-1].next, left[-1].happening)):
        if left[-1].passed:
            left.pop()
        else:
            left[-1] = left[-1].after_pass()
    return tuple(left)


def begun(table: Table, happening: Happening, links: tuple[CarryOut, ...]) -> Chain:
    """The chain that an event begins: its effects, the newest last, and the window for the other player first."""
    return Chain(links, still_open(table, (Window(happening, 1 - table.turn),)))


def chained(table: Table, seat: int, move: Flip) -> Iterator[Event]:
    """The facts of a flip in the own combat phase, when no chain is open: it begins one."""
    link, happening = turned_up(table, seat, move, None)
    fact = face_up(table, seat, move)
    yield Opened(Chain((link,), still_open(fact.apply(table), (Window(happening, 1 - table.turn),))))
    yield fact
