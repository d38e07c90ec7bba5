"""A player's die: the roll that a card or running away asks for, the moment to turn it, and what it comes to.

Clauses: MK-2.7, MK-17.3, MK-17.7, MK-17.8, MK-26.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import Bound
from referee.cardscript.moves import ChooseValue
from referee.cardscript.questions import Asking
from referee.engine.chance import Roll
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Closed, Opened
from referee.games.munchkin.components import FACES
from referee.games.munchkin.derived import given, holds, summed
from referee.games.munchkin.events.combat import DieRolled, DieTurned
from referee.games.munchkin.events.dice import Fallen
from referee.games.munchkin.moves import KeepRoll, PlayCard
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import Line, Lines, total
from referee.games.munchkin.values import Foe

SIDES = 6
ESCAPE = 5  # this much or more escapes (MK-17.3)
TIME = "after_my_roll"


def roll(seat: int, card: str, called: str = "") -> Iterator[Event]:
    """The facts with which a player rolls a die. For a text of `card` the running text goes on with the number as
    `called`; with no such name it is the roll to escape the monster `card` of the combat."""
    yield Opened(Throw(seat=seat, card=card, called=called))


@named("mk.Throw")
@dataclass(frozen=True)
class Throw(Roll):
    """A die to roll for a player (MK-17.3)."""

    seat: int = 0
    card: str = ""
    called: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.7",)

    def outcome(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield DieRolled(self.seat, values[0], self.card)
        yield Opened(AfterRoll(self.seat, self.card, self.called, values[0]))


@named("mk.AfterRoll")
@dataclass(frozen=True)
class AfterRoll(Fallen):
    """The player whose die it is may turn it by a card, or keep it. Everybody has that moment (MK-26.3)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-17.7", "MK-26.3")
    window: ClassVar[str] = "roll"
    moment: ClassVar[str] = "roll"

    def passing(self, seat: Seat) -> Move:
        return KeepRoll()

    def by_default(self, state: Table, seat: Seat) -> Move:
        return KeepRoll()

    def thinking(self, state: Table) -> int | None:
        limit = state.rules.curse_window_ms
        return limit if limit is not None else state.decision_time()  # nobody waits for ever (MK-23.2)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        from referee.games.munchkin.rules.cards import playing  # cards are played at all moments, and some roll

        yield KeepRoll()
        for card in playing.playable(state, int(seat)):
            if TIME in FACES[card].when:
                yield from playing.plays_of(state, int(seat), card)

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        from referee.games.munchkin.rules.cards import playing

        if isinstance(move, PlayCard):
            playing.check_card(state, int(seat), move, self.moment)
        elif not isinstance(move, KeepRoll):
            raise Refused("turn_or_keep", "MK-17.7", "MK-26.2", move=move.TAG)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        from referee.games.munchkin.rules.cards import playing

        if isinstance(move, PlayCard):
            yield from playing.carried_out(state, int(seat), move)
        else:
            yield Closed()
            yield from self.counts(state)

    def counts(self, state: Table) -> Iterator[Event]:
        """The facts that follow once the die counts as it lies; the step has closed."""
        if self.called:
            yield Bound(self.called, (total_for_text(state, self.seat, self.value),))
        else:
            from referee.games.munchkin.rules.combat import fleeing  # it rolls, and this says how the roll ends

            yield from fleeing.settled_by_roll(state, self.seat, self.card, self.value)


@named("mk.TurnDie")
@dataclass(frozen=True)
class TurnDie(Asking):
    """A player says which face the die that has just fallen is turned to (MK-17.7)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.7",)

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if fallen(state) is not None else ()

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseValue, range(1, SIDES + 1))

    def by_default(self, state: Table, seat: Seat) -> Move:
        die = fallen(state)
        return ChooseValue(die.value if die is not None else SIDES)  # it stays as it lies

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChooseValue):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if not 1 <= move.value <= SIDES:
            raise Refused("no_such_face", "MK-17.7", sides=SIDES)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseValue)
        die = fallen(state)
        yield Closed()
        if die is not None and die.value != move.value:
            yield DieTurned(die.seat, move.value)


def turning(seat: int, card: str) -> Iterator[Event]:
    """The facts with which a player turns the die that has just fallen, by this card."""
    yield Opened(TurnDie(seat, card))


def fallen(table: Table) -> Fallen | None:
    """The die that has fallen last and does not count yet; None if there is none."""
    return next((step for step in reversed(table.agenda) if isinstance(step, Fallen)), None)


def total_for_text(table: Table, seat: int, value: int) -> int:
    """What a die counts for a card: its face and what cards add to every die of this player, as a face of a die."""
    return min(max(value + summed(table, seat, "die_rolls"), 1), SIDES)


def die_lines(table: Table, seat: int, value: int) -> Lines:
    """The summands of a die rolled for a card: its face, and what cards add to every die of this player."""
    every = given(table, seat, "die_rolls")
    extra = (Line("line.die_rolls", each.number, "MK-17.7", card, seat) for card, each in every)
    return (Line("line.die", value, "MK-17.7", seat=seat), *extra)


def flight_lines(table: Table, seat: int, foe: Foe, value: int | None = None) -> Lines:
    """The summands of a player's roll to escape a monster (MK-17.3, MK-17.7); 5 or more in all escapes.

    The die stands first: `value`, or the one that lies on the table for this roll; before the roll there is none.
    """
    die = fallen(table)
    if value is None and die is not None and not die.called and (die.seat, die.card) == (seat, foe.card):
        value = die.value
    lines = [] if value is None else [Line("line.die", value, "MK-17.7", seat=seat)]
    for what in ("die_rolls", "escape"):
        for card, each in given(table, seat, what):
            lines.append(Line(f"line.{what}", each.number, "MK-17.3", card, seat))
    for each in FACES[foe.of].gives("escape"):
        if holds(table, each.when, seat, foe, harms=each.number < 0):
            lines.append(Line("line.escape_monster", each.number, "MK-17.3", foe.of, of=foe.card))
    if hindered := table.hindered.get(str(seat), 0):
        lines.append(Line("line.hindered", hindered, "MK-17.8", seat=seat))
    return tuple(lines)


def needed(table: Table, seat: int, foe: Foe) -> int:
    """The least face of the die that escapes this monster now; above 6: none does, at 1 or below every one does."""
    die = fallen(table)
    on_it = die is not None and not die.called and (die.seat, die.card) == (seat, foe.card)
    lines = flight_lines(table, seat, foe)
    return ESCAPE - total(lines[1:] if on_it else lines)
