"""A toy with windows that can be let pass: of several seats at once, of one after the other, and one with a clock.

A cake is applauded by all others at once (`applause`), and then asked for again by each in turn (`encore`). A drum is
applauded, and then a die rolls. A bomb is applauded in a hurry: that window has a limit. Who holds a dodge may give it
up instead of keeping silent, and then everybody is asked anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.engine.chance import Rolled
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.game import Outcome, Setup
from referee.engine.prompts import Ask, AskAll, AskRound, TimedOut
from referee.engine.rulebook.book import Book
from referee.engine.rulings import Refused
from referee.engine.seats import CLOCK, Seat
from referee.engine.steps import Became, Opened, Step
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
class Serve(Ask):
    """Whose turn it is plays a card."""

    def candidates(self, state: Party, seat: Seat) -> Iterable[Move]:
        return (Play(card) for card in CARDS)

    def check(self, state: Party, seat: Seat, move: Move) -> None:
        if not isinstance(move, Play):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if move.card not in state.place(f"hand:{seat}"):
            raise Refused("not_these_cards", "KERNEL-CENSUS-1")

    def decide(self, state: Party, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, Play)
        yield Played(f"hand:{seat}", "discard", (move.card,), (move.card,), int(seat))
        yield Became(Over((self.seat + 1) % len(state.hits)))
        others = tuple(other for other in range(len(state.hits)) if other != seat)
        if move.card == "bomb":
            yield Opened(Hurried(others))
        elif move.card == "cake":
            yield Opened(Encore(others))
            yield Opened(Applause(others))
        elif move.card == "drum":
            yield Opened(Consolation(seat=int(seat)))
            yield Opened(Applause(others))
        if state.dull:
            yield Opened(Dull(others[0], state.dull))


@named("party.Over")
@dataclass(frozen=True)
class Over(Step):
    """The turn is over."""

    following: int

    def resolve(self, state: Party) -> Iterator[Event]:
        yield Turned()
        yield Became(Serve(self.following))


@named("party.Applause")
@dataclass(frozen=True)
class Applause(AskAll):
    """All others at once keep silent, or give up a dodge."""

    window = "applause"

    def passing(self, seat: Seat) -> Move | None:
        return Hush()

    def candidates(self, state: Party, seat: Seat) -> Iterable[Move]:
        return (Hush(), Dodge())

    def check(self, state: Party, seat: Seat, move: Move) -> None:
        if seat == CLOCK and isinstance(move, TimedOut):
            return
        if not isinstance(move, Hush | Dodge):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if isinstance(move, Dodge) and "dodge" not in state.place(f"hand:{seat}"):
            raise Refused("not_these_cards", "KERNEL-CENSUS-1")

    def decide(self, state: Party, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, TimedOut):
            yield Became(replace(self, waiting=()))
        elif isinstance(move, Dodge):
            yield Played(f"hand:{seat}", "discard", ("dodge",), ("dodge",), int(seat))
            yield Became(replace(self, waiting=tuple(other for other in range(len(state.hits)) if other != seat)))
        else:
            yield Became(self.answered(seat))


@named("party.Hurried")
@dataclass(frozen=True)
class Hurried(Applause):
    """The same within a second."""

    def thinking(self, state: Party) -> int | None:
        return 1000


@named("party.Encore")
@dataclass(frozen=True)
class Encore(AskRound):
    """The others in turn keep silent."""

    window = "encore"

    def passing(self, seat: Seat) -> Move | None:
        return Hush()

    def candidates(self, state: Party, seat: Seat) -> Iterable[Move]:
        return (Hush(),)

    def check(self, state: Party, seat: Seat, move: Move) -> None:
        if not isinstance(move, Hush):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def decide(self, state: Party, seat: Seat, move: Move) -> Iterator[Event]:
        yield Became(self.next())


@named("party.Dull")
@dataclass(frozen=True)
class Dull(Ask):
    """A question whose pass leads nowhere: it is refused, answers nothing (`idle`), or asks the same anew (`again`)."""

    how: str
    round: int = 0
    window = "dull"

    def passing(self, seat: Seat) -> Move | None:
        return Hush() if self.how == "refused" else Cheer()

    def candidates(self, state: Party, seat: Seat) -> Iterable[Move]:
        return (Cheer(),)

    def check(self, state: Party, seat: Seat, move: Move) -> None:
        if not isinstance(move, Cheer):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)

    def decide(self, state: Party, seat: Seat, move: Move) -> Iterator[Event]:
        yield Cheered(int(seat))
        if self.how == "again":
            yield Became(replace(self, round=self.round + 1))


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
    moves = (Play, Dodge, Cheer, Hush, Rolled)
    state = Party
    book = Book.load(Path(__file__).parent, base=GAME.book)

    def open(self, setup: Setup) -> Party:
        fourth = "dodge" if setup.settings["dodges"] else "cake"
        hands = {f"hand:{seat}": ("cake", "bomb", "drum", fourth) for seat in range(setup.seats)}
        zones = {"deck:": ("cake",) * 6, "discard": (), **hands}
        return Party((Serve(0),), zones, (0,) * setup.seats, dull=setup.settings["dull"])

    def turn(self, state: Party) -> int:
        return state.turn

    def outcome(self, state: Party) -> Outcome | None:
        if any(state.place(f"hand:{seat}") for seat in range(len(state.hits))):
            return None
        seats = tuple(range(len(state.hits)))
        return Outcome(seats, "toy_over", ("KERNEL-OVER-1",), (seats,))


PARTY = PartyGame()
