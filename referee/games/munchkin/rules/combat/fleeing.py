"""Running away: the order, the choice of monsters, and the end of the flight.

Clauses: MK-8.7, MK-17.1 to MK-17.6, MK-17.8, MK-17.9, MK-19.2, MK-19.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepReplaced
from referee.games.munchkin.components import RIDES
from referee.games.munchkin.events.combat import Escaped, FlightStarted, HelperFirstRequested
from referee.games.munchkin.moves import FleeFrom, GiveUpRide, HelperFirst
from referee.games.munchkin.rules import dying
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.combat.combat_end import end_combat
from referee.games.munchkin.rules.combat.rolling import monsters_to_escape, start_roll
from referee.games.munchkin.rules.items.discarding import discard_cards
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import find_foe_abilities, is_condition_met
from referee.games.munchkin.values import NOBODY, Foe


def start_flight(table: Table, forced: bool = False) -> Iterator[Event]:
    """Yield the event with which the fighters turn to run.

    The caller replaces the step of the fight by `Fleeing`.
    MK-17.3: Each fighter rolls once per monster.
    MK-17.5: Both fighters roll, the main player first.
    """
    combat = table.running_combat
    runners = (seat for seat in combat.fighters if seat not in table.dead)
    yield FlightStarted(tuple(f"{seat}/{foe.card}" for seat in runners for foe in combat.foes), forced)


def find_runner(table: Table) -> int | None:
    """Return the seat that runs next, or None if nobody has to.

    MK-17.5: The main player goes first, unless both ask for the other order.
    """
    if table.combat is None or not table.combat.to_flee:
        return None
    fighters = table.combat.fighters
    order = reversed(fighters) if table.combat.helper_first else fighters
    return next((seat for seat in order if monsters_to_escape(table, seat)), None)


def is_pursuing(table: Table, seat: int, foe: Foe) -> bool:
    """Return whether a monster runs after this player.

    MK-17.6: A monster that does not pursue is escaped without a roll.
    """
    return not any(is_condition_met(table, each.when, seat, foe) for _, each in find_foe_abilities(foe, "no_pursuit"))


def find_unpursued(table: Table) -> Iterator[tuple[int, str]]:
    """Yield the pairs of player and monster that need no roll.

    MK-17.6: A monster that does not pursue is escaped without a roll.
    """
    combat = table.running_combat
    for pair in combat.to_flee:
        who, _, monster = pair.partition("/")
        foe = combat.find_foe(monster)
        if foe is not None and not is_pursuing(table, int(who), foe):
            yield int(who), monster


def escape_without_roll(table: Table, seat: int, monster: str = "", every: bool = False) -> Iterator[Event]:
    """Yield the events with which a player escapes without a roll.

    The player escapes the monster named, else the next one, or `every` one left. No event follows if none is left.
    MK-17.6: An automatic escape takes the place of the roll.
    """
    left = monsters_to_escape(table, seat)
    if not every:
        left = (monster,) if monster in left else left[:1] if not monster else ()
    for each in left:
        yield Escaped(seat, each, "card")


@named("mk.Fleeing")
@dataclass(frozen=True)
class Fleeing(Moment):
    """The moment in which a fighter chooses the next monster to run from (MK-24.7).

    `begun` says that a fighter has run already.
    MK-17.3: Each fighter rolls once per monster, in the order that fighter chooses.
    MK-17.5: The main player goes first, unless both ask for the other order.
    MK-11.4: A player who runs away gains no level and no treasure, not even for monsters removed before.
    """

    begun: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.1", "MK-17.3")
    moment: ClassVar[str] = "flee"

    def find_pending_seats(self, state: Table) -> tuple[int, ...]:
        seat = find_runner(state)
        return () if seat is None or next(find_unpursued(state), None) is not None else (seat,)

    def settle_moment(self, state: Table) -> Iterator[Event]:
        if spared := tuple(find_unpursued(state)):
            for seat, monster in spared:
                yield Escaped(seat, monster, "not_pursued")
            return
        caught = sorted(state.running_combat.caught, key=lambda seat: seat != state.running_combat.main)
        yield StepPopped()
        yield from end_combat(state, "fled")
        yield from dying.start_looting(caught)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield from map(FleeFrom, monsters_to_escape(state, seat))
        if state.rules.ride_sacrifice:
            yield GiveUpRide()

    def default_answer(self, state: Table, seat: Seat) -> Move:
        return FleeFrom(monsters_to_escape(state, seat)[0])

    def list_unprompted_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        if state.combat is not None and state.combat.helper != NOBODY and state.is_in_combat(seat) and not self.begun:
            yield HelperFirst()

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, HelperFirst) and seat >= 0:
            check_order_wish(state, int(seat), self.begun)  # open to the fighter who does not run now, too
        else:
            super().check_move(state, seat, move)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, HelperFirst):
            yield HelperFirstRequested(int(seat))
        else:
            yield from super().decide_move(state, seat, move)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, GiveUpRide):
            check_ride_to_give_up(state, int(seat))
        elif not isinstance(move, FleeFrom):
            raise NotAsked("run_from_a_monster", "MK-17.3", move=move.TAG)
        else:
            check_monster_to_escape(state, int(seat), move.monster)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        yield StepReplaced(Fleeing(begun=True))
        if isinstance(move, FleeFrom):
            yield from start_roll(int(seat), move.monster)
        else:
            place = RIDES[seat]
            yield from discard_cards(state, place, state.open_cards_at(place))
            yield from escape_without_roll(state, int(seat), every=True)


def check_ride_to_give_up(table: Table, seat: int) -> None:
    """Raise IllegalMove unless the player has a ride to give up (MK-8.7)."""
    if not table.rules.ride_sacrifice:
        raise IllegalMove("rides_are_not_given_up", "MK-8.7")
    if table.ride_of(seat) is None:
        raise IllegalMove("no_ride", "MK-8.7", seat=seat)


def check_monster_to_escape(table: Table, seat: int, monster: str) -> None:
    """Raise IllegalMove unless the player still has to escape this monster.

    MK-17.3: Each fighter rolls once per monster.
    """
    if table.running_combat.find_foe(monster) is None:
        raise IllegalMove("not_in_the_combat", "MK-17.3", card=monster)
    if monster not in monsters_to_escape(table, seat):
        raise IllegalMove("settled_already", "MK-17.3", card=monster)


def check_order_wish(table: Table, seat: int, begun: bool) -> None:
    """Raise IllegalMove unless a fighter may still ask that the helper runs first.

    MK-17.5: The main player goes first, unless both ask for the other order.
    """
    combat = table.running_combat
    if seat == combat.main and combat.helper == NOBODY:
        raise IllegalMove("no_helper_to_run", "MK-17.5")
    if seat not in combat.fighters:
        raise IllegalMove("only_fighters_with_a_helper", "MK-17.5", seat=seat)
    if begun or not all(monsters_to_escape(table, each) for each in combat.fighters):
        raise IllegalMove("running_already", "MK-17.5")
    if seat in combat.swap_wanted:
        raise IllegalMove("asked_already", "MK-17.5")
