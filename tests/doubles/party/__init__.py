"""A toy with windows that can be let pass: of several seats at once, of one after the other, and one with a clock.

A cake is applauded by all others at once (`applause`), and then asked for again by each in turn (`encore`). A drum is
applauded, and then a die rolls. A bomb is applauded in a hurry: that window has a limit. Who holds a dodge may give it
up instead of keeping silent, and then everybody is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.engine.chance import RollResult
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.game import Outcome, Setup
from referee.engine.prompts import RoundPrompt, SeatPrompt, SharedPrompt, TimedOut
from referee.engine.rulebook.book import Rulebook
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CLOCK, Seat
from referee.engine.steps import Step, StepPushed, StepReplaced
from tests.engine.toy import GAME, Cheer, Cheered, Consolation, Dodge, Play, Played, Table, Toy

CARDS = ("cake", "bomb", "drum", "dodge")


@named("party.hush")
@dataclass(frozen=True)
class Hush(Move):
    """Keep silent."""


@dataclass(frozen=True)
class Party(Table):
    turn: int = 1
    dull: str = ""


@named("party.Turned")
@dataclass(frozen=True)
class Turned(Event):
    """The next turn begins."""

    def apply(self, state: Any) -> Any:
        return replace(state, turn=state.turn + 1)


@named("party.Serve")
@dataclass(frozen=True)
class Serve(SeatPrompt):
    """Whose turn it is plays a card."""

    def candidate_moves(self, state: Party, seat: Seat) -> Iterable[Move]:
        return (Play(card) for card in CARDS)

    def check_move(self, state: Party, seat: Seat, move: Move) -> None:
        if not isinstance(move, Play):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if move.card not in state.cards_at(f"hand:{seat}"):
            raise IllegalMove("not_these_cards", "KERNEL-CENSUS-1")

    def decide_move(self, state: Party, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Play)
        yield Played(f"hand:{seat}", "discard", (move.card,), (move.card,), int(seat))
        yield StepReplaced(Over((self.seat + 1) % len(state.hits)))
        others = tuple(other for other in range(len(state.hits)) if other != seat)
        if move.card == "bomb":
            yield StepPushed(Hurried(others))
        elif move.card == "cake":
            yield StepPushed(Encore(others))
            yield StepPushed(Applause(others))
        elif move.card == "drum":
            yield StepPushed(Consolation(seat=int(seat)))
            yield StepPushed(Applause(others))
        if state.dull:
            yield StepPushed(Dull(others[0], state.dull))


@named("party.Over")
@dataclass(frozen=True)
class Over(Step):
    """The turn is over."""

    following: int

    def resolve(self, state: Party) -> Iterator[Event]:
        yield Turned()
        yield StepReplaced(Serve(self.following))


@named("party.Applause")
@dataclass(frozen=True)
class Applause(SharedPrompt):
    """All others at once keep silent, or give up a dodge."""

    window_kind = "applause"

    def passing_move(self, seat: Seat) -> Move | None:
        return Hush()

    def candidate_moves(self, state: Party, seat: Seat) -> Iterable[Move]:
        return (Hush(), Dodge())

    def check_move(self, state: Party, seat: Seat, move: Move) -> None:
        if seat == CLOCK and isinstance(move, TimedOut):
            return
        if not isinstance(move, Hush | Dodge):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if isinstance(move, Dodge) and "dodge" not in state.cards_at(f"hand:{seat}"):
            raise IllegalMove("not_these_cards", "KERNEL-CENSUS-1")

    def decide_move(self, state: Party, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, TimedOut):
            yield StepReplaced(replace(self, waiting=()))
        elif isinstance(move, Dodge):
            yield Played(f"hand:{seat}", "discard", ("dodge",), ("dodge",), int(seat))
            yield StepReplaced(replace(self, waiting=tuple(other for other in range(len(state.hits)) if other != seat)))
        else:
            yield StepReplaced(self.without_seat(seat))


@named("party.Hurried")
@dataclass(frozen=True)
class Hurried(Applause):
    """The same within a second."""

    def time_limit(self, state: Party) -> int | None:
        return 1000


@named("party.Encore")
@dataclass(frozen=True)
class Encore(RoundPrompt):
    """The others in turn keep silent."""

    window_kind = "encore"

    def passing_move(self, seat: Seat) -> Move | None:
        return Hush()

    def candidate_moves(self, state: Party, seat: Seat) -> Iterable[Move]:
        return (Hush(),)

    def check_move(self, state: Party, seat: Seat, move: Move) -> None:
        if not isinstance(move, Hush):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def decide_move(self, state: Party, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepReplaced(self.with_next_seat())


@named("party.Dull")
@dataclass(frozen=True)
class Dull(SeatPrompt):
    """A question whose pass leads nowhere: it is refused, answers nothing (`idle`), or asks the same anew (`again`)."""

    how: str
    round: int = 0
    window_kind = "dull"

    def passing_move(self, seat: Seat) -> Move | None:
        return Hush() if self.how == "refused" else Cheer()

    def candidate_moves(self, state: Party, seat: Seat) -> Iterable[Move]:
        return (Cheer(),)

    def check_move(self, state: Party, seat: Seat, move: Move) -> None:
        if not isinstance(move, Cheer):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def decide_move(self, state: Party, seat: Seat, move: Move) -> Iterator[Event]:
        yield Cheered(int(seat))
        if self.how == "again":
            yield StepReplaced(replace(self, round=self.round + 1))


class PartyGame(Toy):
    """Three cards for each seat, and a fourth: a dodge, or a second cake."""

    name = "party"
    prefix = "party"
    title = {"en": "Party", "de": "Feier"}
    windows = ("applause", "encore", "dull")
    settings = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "dodges": {"type": "boolean", "default": False},
            "dull": {"enum": ["", "refused", "idle", "again"], "default": ""},
        },
    }
    move_types = (Play, Dodge, Cheer, Hush, RollResult)
    state_type = Party
    rulebook = Rulebook.load(Path(__file__).parent, base=GAME.rulebook)

    def build_table(self, setup: Setup) -> Party:
        fourth = "dodge" if setup.settings["dodges"] else "cake"
        hands = {f"hand:{seat}": ("cake", "bomb", "drum", fourth) for seat in range(setup.seats)}
        zones = {"deck:": ("cake",) * 6, "discard": (), **hands}
        return Party((Serve(0),), zones, (0,) * setup.seats, dull=setup.settings["dull"])

    def turn_number(self, state: Party) -> int:
        return state.turn

    def find_outcome(self, state: Party) -> Outcome | None:
        if any(state.cards_at(f"hand:{seat}") for seat in range(len(state.hits))):
            return None
        seats = tuple(range(len(state.hits)))
        return Outcome(seats, "toy_over", ("KERNEL-OVER-1",), (seats,))


PARTY = PartyGame()
