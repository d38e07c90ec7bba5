"""A small game that uses everything a real one will: hidden cards, dice, a window with a clock, moves out of turn, and
effects inside effects.

Each turn a seat plays a card. A bomb opens a window: all others at once may dodge, in time. Anyone may at any moment
cheer. A hit sets off a trigger: the one hit rolls a die, and on a six draws a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.engine.chance import Roll, RollResult, Shuffle, ShuffleResult
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.game import Game, Outcome, Setup
from referee.engine.prompts import SeatPrompt, SharedPrompt, TimedOut
from referee.engine.rulebook.book import KERNEL_RULEBOOK, Rulebook
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CLOCK, Seat
from referee.engine.steps import Frame, Step, StepPopped, StepPushed, StepReplaced, TriggerQueued
from referee.engine.zones import Moved, ZonedState, find_cards_leaving

BOX = {"bomb": 6, "dodge!red": 6, "cake": 6}


@named("toy.play")
@dataclass(frozen=True)
class Play(Move):
    card: str


@named("toy.dodge")
@dataclass(frozen=True)
class Dodge(Move):
    """Give up a dodge card."""


@named("toy.suffer")
@dataclass(frozen=True)
class Suffer(Move):
    """Let it come."""


@named("toy.cheer")
@dataclass(frozen=True)
class Cheer(Move):
    """Make a noise."""


@dataclass(frozen=True)
class Table(ZonedState):
    hits: tuple[int, ...] = ()
    cheers: int = 0
    limit: int = 3
    thinking: int | None = None
    at_table: bool = False

    def collect_triggers(self, event: Event) -> Iterable[Event]:
        if isinstance(event, Hit):
            yield TriggerQueued(Consolation(seat=event.seat))


@named("toy.Played")
@dataclass(frozen=True)
class Played(Moved):
    seat: int


@named("toy.Cheered")
@dataclass(frozen=True)
class Cheered(Event):
    seat: int

    def apply(self, state: Any) -> Any:
        return replace(state, cheers=state.cheers + 1)


@named("toy.Hit")
@dataclass(frozen=True)
class Hit(Event):
    seat: int

    def apply(self, state: Any) -> Any:
        hits = tuple(count + (seat == self.seat) for seat, count in enumerate(state.hits))
        return replace(state, hits=hits)


@named("toy.RollSeen")
@dataclass(frozen=True)
class RollSeen(Event):
    seat: int
    pips: int


class Loud:
    """What all questions share: anyone may cheer at any moment."""

    def admitted_seats(self, state: Table) -> frozenset[Seat]:
        return frozenset(map(Seat, range(len(state.hits))))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Cheer):
            self.judged(state, seat, move)  # type: ignore[attr-defined]

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Cheer):
            yield Cheered(int(seat))
        else:
            yield from self.decided(state, seat, move)  # type: ignore[attr-defined]


@named("toy.Turn")
@dataclass(frozen=True)
class Turn(Loud, SeatPrompt):
    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Cheer()
        if seat == self.seat:
            yield from (Play(card) for card in BOX)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if seat != self.seat:
            raise IllegalMove("not_yours_to_move", "KERNEL-TURN-1", seat=seat)
        hand = state.cards_at(f"hand:{seat}")
        if not isinstance(move, Play):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if move.card not in hand and not (state.at_table and "?" in hand):
            raise IllegalMove("not_these_cards", "KERNEL-CENSUS-1")

    def decided(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Play)
        source = f"hand:{seat}"
        yield Played(source, "discard", find_cards_leaving(state, source, [move.card]), (move.card,), int(seat))
        others = tuple(other for other in range(len(state.hits)) if other != seat)
        yield StepReplaced(Turn((self.seat + 1) % len(state.hits)))
        if move.card == "bomb":
            yield StepPushed(Frame())
            yield StepPushed(Bomb(others))


@named("toy.Bomb")
@dataclass(frozen=True)
class Bomb(Loud, SharedPrompt):
    def time_limit(self, state: Table) -> int | None:
        return 1000

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Cheer()
        if seat in self.waiting:
            yield Dodge()
            yield Suffer()

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if seat == CLOCK and isinstance(move, TimedOut):
            return
        if seat not in self.waiting or not isinstance(move, Dodge | Suffer):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if isinstance(move, Dodge) and "dodge!red" not in state.cards_at(f"hand:{seat}"):
            raise IllegalMove("not_these_cards", "KERNEL-CENSUS-1")

    def decided(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, TimedOut):
            yield StepPopped()
            yield from (Hit(other) for other in self.waiting)
            return
        yield StepReplaced(self.without_seat(seat))
        if isinstance(move, Dodge):
            yield Played(f"hand:{seat}", "discard", ("dodge!red",), ("dodge!red",), int(seat))
        else:
            yield Hit(int(seat))


@named("toy.Consolation")
@dataclass(frozen=True)
class Consolation(Roll):
    seat: int = 0

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield RollSeen(self.seat, values[0])
        if values[0] == 6 and state.cards_at("deck:"):
            card = state.cards_at("deck:")[0]
            yield Moved("deck:", f"hand:{self.seat}", (card,), (card,))


@named("toy.Deal")
@dataclass(frozen=True)
class Deal(Step):
    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        deck = state.cards_at("deck:")
        for seat in range(len(state.hits)):
            cards = deck[seat * 3 : seat * 3 + 3]
            yield Moved("deck:", f"hand:{seat}", cards, cards)


class Toy(Game):
    name = "toy"
    prefix = "toy"
    title = {"en": "Toy", "de": "Spielzeug"}
    min_seats, max_seats = 2, 4
    devices = ("deck", "dice")
    settings = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3}},
    }
    move_types = (Play, Dodge, Suffer, Cheer, RollResult, ShuffleResult)
    state_type = Table

    def count_seats(self, state: Any, /) -> int:
        return len(state.hits)

    rulebook = Rulebook.load(Path(__file__).parent, base=KERNEL_RULEBOOK, names={"bomb": {"en": "Bomb", "de": "Bombe"}})

    def build_table(self, setup: Setup) -> Table:
        deck = tuple(card for card, copies in BOX.items() for _ in range(copies))
        agenda = (Turn(0), Deal(), Shuffle("deck:"))
        return Table(agenda, {"deck:": deck}, (0,) * setup.seats, limit=setup.settings["limit"])

    def find_outcome(self, state: Table) -> Outcome | None:
        spent = not any(state.cards_at(f"hand:{seat}") for seat in range(len(state.hits)))
        if max(state.hits) < state.limit and not spent:
            return None
        best = min(state.hits)
        winners = tuple(seat for seat, hits in enumerate(state.hits) if hits == best)
        losers = tuple(seat for seat, hits in enumerate(state.hits) if hits != best)
        return Outcome(winners, "toy_over", ("KERNEL-OVER-1",), (winners, losers) if losers else (winners,))


GAME = Toy()
