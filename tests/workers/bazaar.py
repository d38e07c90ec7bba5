"""A toy of invitations: whoever is on turn may offer coins to another seat, who may take them, answer with an offer, or
let it lie.

Nobody waits for an answer: an offer is data on the table, and goes with the turn. After `turns` turns it is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.game import GameParts, Outcome, Setup
from referee.engine.parts.evaluation import Evaluation
from referee.engine.prompts import SeatPrompt
from referee.engine.rulebook.book import Rulebook
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import State, StepReplaced
from tests.engine.toy import GAME, Toy


@named("bazaar.offer")
@dataclass(frozen=True)
class Offer(Move):
    """Offer somebody coins; a price below zero asks for some."""

    to: int
    price: int


@named("bazaar.take")
@dataclass(frozen=True)
class Take(Move):
    """Take what is offered; whoever agrees repeats the terms."""

    price: int


@named("bazaar.next")
@dataclass(frozen=True)
class Next(Move):
    """End the turn."""


@dataclass(frozen=True)
class Stalls(State):
    coins: tuple[int, ...] = ()
    offered: tuple[int, int] | None = None  # to whom, and the price
    turn: int = 1
    turns: int = 4
    dim: bool = False  # whether it is too dark to tell what coins are worth


@named("bazaar.Offered")
@dataclass(frozen=True)
class Offered(Event):
    to: int
    price: int

    def apply(self, state: Any) -> Any:
        return replace(state, offered=(self.to, self.price))


@named("bazaar.Paid")
@dataclass(frozen=True)
class Paid(Event):
    to: int
    price: int

    def apply(self, state: Any) -> Any:
        coins = tuple(had + (self.price if seat == self.to else 0) for seat, had in enumerate(state.coins))
        return replace(state, coins=coins, offered=None)


@named("bazaar.Ended")
@dataclass(frozen=True)
class TurnEnded(Event):
    def apply(self, state: Any) -> Any:
        return replace(state, turn=state.turn + 1, offered=None)


@named("bazaar.Stall")
@dataclass(frozen=True)
class Stall(SeatPrompt):
    """Whose turn it is makes an offer, or ends the turn; anyone may cut in."""

    def admitted_seats(self, state: Stalls) -> frozenset[Seat]:
        return frozenset(map(Seat, range(len(state.coins))))

    def invited_seats(self, state: Stalls) -> frozenset[Seat]:
        return frozenset() if state.offered is None else frozenset({Seat(state.offered[0])})

    def candidate_moves(self, state: Stalls, seat: Seat) -> Iterable[Move]:
        if seat == self.seat:
            yield Next()
        if state.offered is not None:
            yield Take(state.offered[1])
        yield from (Offer(to, price) for to in range(len(state.coins)) for price in (-1, 1))

    def check_move(self, state: Stalls, seat: Seat, move: Move) -> None:
        match move:
            case Next() if seat == self.seat:
                return
            case Take(price=price) if state.offered == (seat, price):
                return
            case Offer(to=to) if to != seat and (seat == self.seat or (state.offered or (-1,))[0] == seat):
                return
        raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def decide_move(self, state: Stalls, seat: Seat, move: Move) -> Iterator[Event]:
        match move:
            case Offer(to=to, price=price):
                yield Offered(to, price)
            case Take(price=price):
                yield Paid(int(seat), price)
            case _:
                yield TurnEnded()
                yield StepReplaced(Stall((self.seat + 1) % len(state.coins)))


class BazaarEvaluation(Evaluation):
    def evaluate_state(self, view: Stalls, seat: int, /) -> int:
        if view.dim:
            raise Undetermined("what_is_a_coin_worth")
        return view.coins[seat]


class Bazaar(Toy):
    name = "bazaar"
    prefix = "bazaar"
    title = {"en": "Bazaar", "de": "Basar"}
    devices = ()
    settings = {"type": "object", "additionalProperties": False, "properties": {}}
    move_types = (Offer, Take, Next)
    state_type = Stalls
    rulebook = Rulebook({}, {"question.Stall": {"en": "Offer something.", "de": "Etwas anbieten."}}, base=GAME.rulebook)
    parts = GameParts(evaluation=BazaarEvaluation())
    dim = False

    def build_table(self, setup: Setup) -> Stalls:
        return Stalls((Stall(0),), (0,) * setup.seats, dim=self.dim)

    def turn_number(self, state: Stalls) -> int:
        return state.turn

    def find_outcome(self, state: Stalls) -> Outcome | None:
        seats = tuple(range(len(state.coins)))
        return Outcome(seats, "toy_over", ("KERNEL-OVER-1",), (seats,)) if state.turn > state.turns else None


BAZAAR = Bazaar()
