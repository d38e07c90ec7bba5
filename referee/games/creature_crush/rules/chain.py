"""The chain: what an event sets off, who may answer, and the order of all that.

At each event the automatic effects are collected first, and the active player orders them. Then a window opens. In it
first the other player and then the active one may flip a crush card that fits, until both pass in a row. Each flip is
an event with a window of its own. Then everything is resolved, the newest first. What happens meanwhile is handled
after the effect that caused it, and before older effects that still wait.

A window asks only a player with a face-down crush card, and only if some card of the box fits that does not lie open
elsewhere. So it depends only on what everybody can see. Clauses: CC-CHAIN-1 to CC-CHAIN-8, CC-AMB-2, CC-AMB-16,
CC-AMB-20.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import Frame, Step, StepPopped, StepPushed, StepReplaced, TriggerQueued, require_move
from referee.games.creature_crush.components import FLIPPED, HELLS
from referee.games.creature_crush.events.cards import CrushSpent
from referee.games.creature_crush.events.pending import PendingEffects
from referee.games.creature_crush.moves import Flip, Order, Pass
from referee.games.creature_crush.rules.activating import activate_texts
from referee.games.creature_crush.rules.combat.flipping import (
    build_flip_effect,
    build_flip_event,
    check_flip,
    list_flips,
    may_flip_any,
)
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, TriggerEvent


@named("cc.Happened")
@dataclass(frozen=True)
class TriggerStep(Step):
    """An event to be handled: its effects are ordered, then the chain begins.

    CC-CHAIN-4: At each event the automatic effects that it triggers come together first, in the order of the active
        player if they are several. Then a window opens.
    """

    happening: TriggerEvent
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-4",)

    def resolve(self, state: Table) -> Iterator[Event]:
        effects = self.happening.effects
        if len(effects) > 1:
            yield StepReplaced(EffectOrdering(self.happening, effects))
            return
        chain = build_chain(state, self.happening, effects)
        yield StepReplaced(chain) if chain.links or chain.windows else StepPopped()


def queue_trigger(happening: TriggerEvent) -> Event:
    """Build the event that queues a trigger in the innermost frame."""
    return TriggerQueued(TriggerStep(happening))


@named("cc.Ordering")
@dataclass(frozen=True)
class EffectOrdering(CardPrompt):
    """The active player orders effects that were activated at the same time.

    CC-CHAIN-2: If several effects are activated at exactly the same time, the active player decides which is resolved
        first.
    """

    happening: TriggerEvent
    left: tuple[Execution, ...]
    chosen: tuple[Execution, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-2",)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (state.turn,) if len(self._list_orders()) > 1 else ()

    def _list_orders(self) -> tuple[Order, ...]:
        """List what can be resolved first, each once."""
        return tuple(dict.fromkeys(Order(effect.card, effect.text) for effect in self.left))

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return self._list_orders()

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, Order)
        if not any((effect.card, effect.text) == (move.card, move.text) for effect in self.left):
            raise IllegalMove("not_activated", "CC-CHAIN-2", card=move.card)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Order)
        first = next(effect for effect in self.left if (effect.card, effect.text) == (move.card, move.text))
        left = tuple(effect for effect in self.left if effect is not first)
        yield StepReplaced(replace_fields(self, left=left, chosen=(*self.chosen, first)))

    def resolve(self, state: Table) -> Iterator[Event]:
        first_to_last = (*self.chosen, *self.left)
        yield StepReplaced(build_chain(state, self.happening, tuple(reversed(first_to_last))))


@named("cc.FlipOrdering")
@dataclass(frozen=True)
class FlipOrdering(EffectOrdering):
    """The active player orders what creatures do at a flip.

    CC-CHAIN-2: If several effects are activated at exactly the same time, the active player decides which is resolved
        first.
    """

    def resolve(self, state: Table) -> Iterator[Event]:
        chain = state.agenda[-2]
        assert isinstance(chain, Chain)
        yield StepPopped()
        links = (*chain.links, *reversed((*self.chosen, *self.left)))
        yield StepReplaced(replace_fields(chain, links=links))


@named("cc.Window")
@dataclass(frozen=True)
class ResponseWindow:
    """Which seat may answer an event next, and how many have passed in a row."""

    happening: TriggerEvent
    next: int
    passed: int = 0

    def after_pass(self) -> ResponseWindow:
        """Return the window after the next seat has passed."""
        return replace_fields(self, next=1 - self.next, passed=self.passed + 1)


@named("cc.Chain")
@dataclass(frozen=True)
class Chain(PendingEffects):
    """Effects that wait, the newest last, and the open windows, the innermost last.

    CC-CHAIN-4: In a window first the other player and then the active one may flip one crush card whose prerequisite
        fits. It closes when both pass in a row.
    CC-CHAIN-5: Of the effects that wait the newest is resolved first, and one that has begun is finished with all its
        steps.
    """

    windows: tuple[ResponseWindow, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-4",)
    window_kind: ClassVar[str] = "response"

    @property
    def open_event(self) -> str:
        return self.windows[-1].happening.kind if self.windows else ""

    @property
    def answering_seat(self) -> int:
        return self.windows[-1].next if self.windows else NOBODY

    def question_name(self) -> str:
        return f"response.{self.windows[-1].happening.kind}" if self.windows else self.TAG

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        if not self.windows:
            return ()
        top = self.windows[-1]
        return (top.next,) if top.passed < 2 and may_flip_any(state, top.next, top.happening) else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        yield from list_flips(state, int(seat), self.windows[-1].happening)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Flip):
            check_flip(state, int(seat), move, self.windows[-1].happening)
        elif not isinstance(move, Pass):
            raise NotAsked("flip_or_pass", "CC-CHAIN-4", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        top = self.windows[-1]
        if isinstance(move, Flip):
            link, happening = build_flip_effect(state, int(seat), move, top.happening)
            going_on = replace_fields(top, next=1 - int(seat), passed=0)
            yield StepReplaced(
                replace_fields(
                    self,
                    links=(*self.links, link, *list_single_effect(happening)),
                    windows=(*self.windows[:-1], going_on, ResponseWindow(happening, 1 - state.turn)),
                )
            )
            yield build_flip_event(state, int(seat), move)
            yield from order_flip_effects(happening)
        else:
            yield StepReplaced(replace_fields(self, windows=(*self.windows[:-1], top.after_pass())))

    def passing_move(self, seat: Seat) -> Move | None:
        return Pass() if seat >= 0 else None

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return Pass()

    def time_limit(self, state: Table) -> int | None:
        window = state.rules.response_window_ms
        return state.decision_time() if window is None else window

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.windows:
            yield StepReplaced(replace_fields(self, windows=skip_idle_windows(state, self.windows)))
        elif self.links:
            newest = self.links[-1]
            yield StepReplaced(replace_fields(self, links=self.links[:-1]))
            yield StepPushed(Frame())
            if newest.text == "flip" and not newest.at:  # what a flip put off comes without its card
                yield StepPushed(FlippedCardDisposal(newest.card, newest.by))
            yield StepPushed(newest)
        else:
            yield StepPopped()


@named("cc.Spending")
@dataclass(frozen=True)
class FlippedCardDisposal(Step):
    """A flipped crush card goes to hell after its effect.

    CC-CRUSH-3: When its effect has been handled, a flipped crush card goes to its player's hell.
    """

    card: str
    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-3",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield from dispose_flipped_card(state, self.card, self.seat)


def dispose_flipped_card(table: Table, card: str, seat: int) -> Iterator[Event]:
    """Yield the events with which a flipped card goes to hell, unless it has left.

    CC-CHAIN-3: A card that is put into hell is an event.
    """
    if card in table.cards_at(FLIPPED[seat]):
        yield CrushSpent(FLIPPED[seat], HELLS[seat], (card,), (card,), seat)
        yield queue_trigger(TriggerEvent("put", seat, {"card": (card,)}, find_hell_effect(table, card, seat)))


def find_hell_effect(table: Table, card: str, seat: int) -> tuple[Execution, ...]:
    """Return the Hell of a crush card that goes to hell after its flip.

    CC-AMB-26-R2: Hell counts for a crush card as well.
    """
    if table.interpretation_number("CC-AMB-26") == FIRST_INTERPRETATION:
        return ()
    return activate_texts(table, ((card, "hell", seat),))


def skip_idle_windows(table: Table, windows: tuple[ResponseWindow, ...]) -> tuple[ResponseWindow, ...]:
    """Return the windows after players who cannot flip anything have passed.

    What everybody can see decides whether a player can.
    """
    left = list(windows)
    while left and (left[-1].passed > 1 or not may_flip_any(table, left[-1].next, left[-1].happening)):
        if left[-1].passed:
            left.pop()
        else:
            left[-1] = left[-1].after_pass()
    return tuple(left)


def build_chain(table: Table, happening: TriggerEvent, links: tuple[Execution, ...]) -> Chain:
    """Build the chain that an event begins.

    It holds the event's effects, the newest last, and a window in which the other player comes first.
    """
    return Chain(links, skip_idle_windows(table, (ResponseWindow(happening, 1 - table.turn),)))


def start_chain_with_flip(table: Table, seat: int, move: Flip) -> Iterator[Event]:
    """Yield the events of a flip in a player's combat phase, which begins a chain."""
    link, happening = build_flip_effect(table, seat, move, None)
    event = build_flip_event(table, seat, move)
    yield StepPushed(
        Chain(
            (link, *list_single_effect(happening)),
            skip_idle_windows(event.apply(table), (ResponseWindow(happening, 1 - table.turn),)),
        )
    )
    yield event
    yield from order_flip_effects(happening)


def list_single_effect(flipped: TriggerEvent) -> tuple[Execution, ...]:
    """List what creatures do at a flip if it needs no order: one effect, or none."""
    return flipped.effects if len(flipped.effects) == 1 else ()


def order_flip_effects(flipped: TriggerEvent) -> Iterator[Event]:
    """Yield the event with which effects of a flip are put into an order.

    CC-CHAIN-4: At each event the automatic effects that it triggers come first, in the order that the active player
        chooses if there are several.
    """
    if len(flipped.effects) > 1:
        yield StepPushed(FlipOrdering(flipped, flipped.effects))
