"""Running away: who runs from which monster in which order, the roll and what follows, and the end of the flight.

Clauses: MK-8.7, MK-17.1 to MK-17.6, MK-17.8, MK-17.9, MK-19.2, MK-19.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened
from referee.games.munchkin.components import FACES, RIDES
from referee.games.munchkin.derived import holds
from referee.games.munchkin.events.combat import Caught, Escaped, OrderWanted, TurnedToRun
from referee.games.munchkin.moves import FleeFrom, GiveUpRide, HelperFirst
from referee.games.munchkin.rules import dying
from referee.games.munchkin.rules.cards.texts import has_text, text_of
from referee.games.munchkin.rules.combat import rolling
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.items.discarding import discarded
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import total
from referee.games.munchkin.values import NOBODY, Foe


def run(table: Table, forced: bool = False) -> Iterator[Event]:
    """The fact with which the fighters turn to run: each living fighter from each monster, main first (MK-17.3,
    MK-17.5). It opens nothing; the step of the fight becomes `Fleeing`."""
    combat = table.fight
    runners = (seat for seat in combat.fighters if seat not in table.dead)
    yield TurnedToRun(tuple(f"{seat}/{foe.card}" for seat in runners for foe in combat.foes), forced)


def to_escape(table: Table, seat: int) -> tuple[str, ...]:
    """The monsters that a player has still to escape, by name."""
    if table.combat is None:
        return ()
    pairs = (pair.partition("/") for pair in table.combat.to_flee)
    return tuple(monster for who, _, monster in pairs if who == str(seat))


def runner(table: Table) -> int | None:
    """Whose turn it is to run: main's, or the helper's if both asked for that (MK-17.5). None: nobody has to."""
    if table.combat is None or not table.combat.to_flee:
        return None
    fighters = table.combat.fighters
    order = reversed(fighters) if table.combat.helper_first else fighters
    return next((seat for seat in order if to_escape(table, seat)), None)


def pursues(table: Table, seat: int, foe: Foe) -> bool:
    """Whether a monster runs after this player at all (MK-17.6)."""
    return not any(holds(table, each.when, seat, foe) for each in FACES[foe.of].gives("no_pursuit"))


def let_go(table: Table) -> Iterator[tuple[int, str]]:
    """The players and monsters of which nobody has to roll, for the monster does not pursue (MK-17.6)."""
    combat = table.fight
    for pair in combat.to_flee:
        who, _, monster = pair.partition("/")
        foe = combat.foe(monster)
        if foe is not None and not pursues(table, int(who), foe):
            yield int(who), monster


def escapes(table: Table, seat: int, monster: str = "", every: bool = False) -> Iterator[Event]:
    """The facts with which a player escapes without a roll: the monster named, else the one that would be next; or
    `every` one left (MK-17.6). Nothing if there is none to escape."""
    left = to_escape(table, seat)
    if not every:
        left = (monster,) if monster in left else left[:1] if not monster else ()
    for each in left:
        yield Escaped(seat, each, "card")


def settled_by_roll(table: Table, seat: int, monster: str, value: int) -> Iterator[Event]:
    """The facts of a roll to escape a monster with this die: escaped, or caught and its bad stuff (MK-17.3, 17.4)."""
    foe = table.combat.foe(monster) if table.combat is not None else None
    if foe is None or monster not in to_escape(table, seat):
        return  # a card played on the die has settled it
    count = total(rolling.flight_lines(table, seat, foe, value))
    if count >= rolling.ESCAPE:
        yield Escaped(seat, monster, "rolled", count)
        text = "escaped"
    else:
        yield Caught(seat, monster, count)
        text = "bad_stuff"
    if has_text(table, foe.of, text):
        yield Opened(text_of(table, foe.of, text, by=seat, monster=monster))


@named("mk.Fleeing")
@dataclass(frozen=True)
class Fleeing(Moment):
    """The fighters run: one after the other says which monster comes next (MK-17.3, MK-17.5, MK-24.7).

    `begun`: one has.

    No reward follows, for monsters that were removed before either (MK-11.4).
    """

    begun: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.1", "MK-17.3", "MK-17.5", "MK-17.8")
    moment: ClassVar[str] = "flee"

    def asks(self, state: Table) -> tuple[int, ...]:
        seat = runner(state)
        return () if seat is None or next(let_go(state), None) is not None else (seat,)

    def settles(self, state: Table) -> Iterator[Event]:
        if spared := tuple(let_go(state)):
            for seat, monster in spared:
                yield Escaped(seat, monster, "not_pursued")
            return
        from referee.games.munchkin.rules.combat import fighting  # the fight opens the flight, and the flight ends it

        caught = sorted(state.fight.caught, key=lambda seat: seat != state.fight.main)
        yield Closed()
        yield from fighting.ended(state, "fled")
        yield from dying.looting(caught)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield from map(FleeFrom, to_escape(state, seat))
        if state.rules.ride_sacrifice:
            yield GiveUpRide()

    def by_default(self, state: Table, seat: Seat) -> Move:
        return FleeFrom(to_escape(state, seat)[0])

    def besides(self, state: Table, seat: Seat) -> Iterable[Move]:
        if state.combat is not None and state.combat.helper != NOBODY and state.in_combat(seat) and not self.begun:
            yield HelperFirst()

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, HelperFirst) and seat >= 0:
            self._check_order(state, int(seat))  # the fighter who does not run now is heard too
        else:
            super().check(state, seat, move)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, HelperFirst):
            yield OrderWanted(int(seat))
        else:
            yield from super().decide(state, seat, move)

    def _check_order(self, state: Table, seat: int) -> None:
        combat = state.fight
        if seat not in combat.fighters or combat.helper == NOBODY:
            raise Refused("only_fighters_with_a_helper", "MK-17.5", seat=seat)
        if self.begun or not all(to_escape(state, each) for each in combat.fighters):
            raise Refused("running_already", "MK-17.5")
        if seat in combat.swap_wanted:
            raise Refused("asked_already", "MK-17.5")

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, GiveUpRide):
            if not state.rules.ride_sacrifice:
                raise Refused("rides_are_not_given_up", "MK-8.7")
            if state.ride(seat) is None:
                raise Refused("no_ride", "MK-8.7", seat=int(seat))
        elif not isinstance(move, FleeFrom):
            raise Refused("run_from_a_monster", "MK-17.3", move=move.TAG)
        elif state.fight.foe(move.monster) is None:
            raise Refused("not_in_the_combat", "MK-17.3", card=move.monster)
        elif move.monster not in to_escape(state, seat):
            raise Refused("settled_already", "MK-17.3", card=move.monster)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield Became(Fleeing(begun=True))
        if isinstance(move, FleeFrom):
            yield from rolling.roll(int(seat), move.monster)
        else:
            place = RIDES[seat]
            yield from discarded(state, place, state.open_at(place))
            yield from escapes(state, int(seat), every=True)
