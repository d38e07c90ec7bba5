"""What happens in a combat: monsters, help, strength, the kill, the flight.

Clauses: MK-9.5, MK-10.1, MK-11.1, MK-12.1, MK-13.1, MK-13.2, MK-13.10, MK-13.11, MK-15.1, MK-15.2, MK-16.9, MK-17.2,
MK-17.3, MK-17.6, MK-17.7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import replace_innermost_step
from referee.games.munchkin.events.cards import MunchkinCardsMoved
from referee.games.munchkin.events.dice import RolledDie
from referee.games.munchkin.events.lasting import end_lasting
from referee.games.munchkin.values import COMBAT_END, NOBODY, AddedStrength, Combat, Deal, Foe


def change_combat(state: Any, **changes: Any) -> Any:
    """Return the table with its combat changed.

    MK-13.2: A player who declined may be asked again once the combat has changed.
    """
    return replace_fields(state, combat=replace_fields(state.combat, **{"declined": (), "proposals": 0, **changes}))


@named("mk.CombatBegan")
@dataclass(frozen=True)
class CombatBegan(Event):
    """A player entered a combat (MK-6.5, MK-9.6)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-6.5", "MK-9.6")

    def apply(self, state: Any) -> Any:
        return replace_fields(state, combat=Combat(self.seat), fought=True)


@named("mk.MonsterJoined")
@dataclass(frozen=True)
class MonsterJoined(MunchkinCardsMoved):
    """A monster came into the combat (MK-11.1).

    `by` played it, or `NOBODY` if it came from behind the door.
    """

    card: str
    of: str
    by: int = NOBODY
    enhancers: tuple[str, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("MK-11.1",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        foe = Foe(self.card, self.of, self.enhancers)
        return change_combat(after, foes=(*after.combat.foes, foe))


@named("mk.MonsterEnhanced")
@dataclass(frozen=True)
class MonsterEnhanced(Event):
    """An enhancer was laid on a monster and on its twins (MK-10.1, MK-10.3)."""

    card: str
    monsters: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MK-10.1", "MK-10.2")

    def apply(self, state: Any) -> Any:
        foes = tuple(
            replace_fields(foe, enhancers=(*foe.enhancers, self.card)) if foe.card in self.monsters else foe
            for foe in state.combat.foes
        )
        return change_combat(state, foes=foes)


@named("mk.StrengthAdded")
@dataclass(frozen=True)
class StrengthAdded(Event):
    """Strength was added to a side for this combat (MK-9.1)."""

    added: AddedStrength
    clauses: ClassVar[tuple[str, ...]] = ("MK-9.1", "MK-9.3")

    def apply(self, state: Any) -> Any:
        return change_combat(state, added=(*state.combat.added, self.added))


@named("mk.MonsterGone")
@dataclass(frozen=True)
class MonsterRemoved(Event):
    """A monster left the combat without a kill, or was replaced (MK-11.3, MK-16.6)."""

    card: str
    replaced: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-11.3", "MK-16.6")

    def apply(self, state: Any) -> Any:
        combat = state.combat
        foes = tuple(foe for foe in combat.foes if foe.card != self.card)
        left = tuple(pair for pair in combat.to_flee if pair.partition("/")[2] != self.card)
        removed = combat.removed + (0 if self.replaced else 1)
        return change_combat(state, foes=foes, to_flee=left, removed=removed)


@named("mk.PowerUsed")
@dataclass(frozen=True)
class PowerUsed(Event):
    """A player used the power of a citizenship (MK-4.9).

    `monster` is the one that it was used on, for a power that works on one monster.
    """

    seat: int
    power: str
    card: str
    monster: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-4.9",)

    def apply(self, state: Any) -> Any:
        return replace_fields(
            state, combat=replace_fields(state.combat, used=(*state.combat.used, f"{self.power}/{self.seat}"))
        )


@named("mk.TermsNamed")
@dataclass(frozen=True)
class HelpTermsProposed(Event):
    """A player asked for help or proposed other terms (MK-13.1, MK-13.2, MK-13.6)."""

    seat: int
    to: int
    deal: Deal
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.1", "MK-13.6")

    def apply(self, state: Any) -> Any:
        """Return the table with these terms open.

        MK-13.2-R2: Terms are named a limited number of times in an unchanged combat, so they are counted.
        """
        counted = {"proposals": state.combat.proposals + 1} if state.interpretation_number("MK-13.2") == 2 else {}
        changes = {"asked": self.to, "offered_by": self.seat, "offer": self.deal, **counted}
        return replace_fields(state, combat=replace_fields(state.combat, **changes))


@named("mk.TermsOff")
@dataclass(frozen=True)
class HelpTermsClosed(Event):
    """The open terms of help were declined or taken back (MK-13.1).

    Without the limit on requests taken back, main could ask and take back endlessly, and each time the clock would
    start
    again.
    MK-13.2: The second request taken back in an unchanged combat counts as declined, and so does each one after it.
    """

    seat: int
    how: str  # declined or taken_back
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.2",)

    def apply(self, state: Any) -> Any:
        combat = state.combat
        other = combat.asked if combat.asked != combat.main else combat.offered_by
        free = self.how == "taken_back" and combat.main not in combat.declined
        declined = (*combat.declined, combat.main if free else other)
        return replace_fields(
            state, combat=replace_fields(combat, asked=NOBODY, offered_by=NOBODY, offer=None, declined=declined)
        )


@named("mk.HelperJoined")
@dataclass(frozen=True)
class HelperJoined(Event):
    """A player became the helper, or main and helper agreed on new terms.

    MK-13.2: A player who is asked accepts, declines or makes a counter-offer.
    MK-13.6: A deal holds when both have accepted the same text.
    """

    seat: int
    deal: Deal | None = None
    forced: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.1", "MK-13.4", "MK-13.9")

    def apply(self, state: Any) -> Any:
        talks = {"asked": NOBODY, "offered_by": NOBODY, "offer": None, "proposals": state.combat.proposals}
        return change_combat(state, helper=self.seat, forced=self.forced, deal=self.deal, **talks)


@named("mk.HelperLeft")
@dataclass(frozen=True)
class HelperLeft(Event):
    """The helper left the combat unharmed, and the deal is void (MK-13.10, MK-13.11)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.11",)

    def apply(self, state: Any) -> Any:
        left = tuple(pair for pair in state.combat.to_flee if not pair.startswith(f"{self.seat}/"))
        return change_combat(
            state, helper=NOBODY, forced=False, deal=None, asked=NOBODY, offered_by=NOBODY, offer=None, to_flee=left
        )


@named("mk.KillClaimed")
@dataclass(frozen=True)
class KillClaimed(Event):
    """Main claimed the kill, which opens a window for the others (MK-15.1)."""

    seat: int
    munchkins: int
    monsters: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-15.1",)


@named("mk.ClaimBroken")
@dataclass(frozen=True)
class ClaimBroken(Event):
    """A play in the window broke the claim, so the combat is open again (MK-15.2).

    `seat` is `NOBODY` if the fighters were no longer stronger when the window ran out.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-15.2",)


@named("mk.Passed")
@dataclass(frozen=True)
class WindowPassed(Event):
    """A player passed in a window, or took the pass back (MK-15.3, MK-15.5)."""

    seat: int
    taken_back: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-15.3", "MK-15.5")


@named("mk.MonstersKilled")
@dataclass(frozen=True)
class MonstersKilled(Event):
    """The monsters were killed (MK-15.3)."""

    seat: int
    monsters: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MK-9.2", "MK-15.3")


@named("mk.TurnedToRun")
@dataclass(frozen=True)
class FlightStarted(Event):
    """The fighters turned to run, each from each monster (MK-17.1, MK-17.3)."""

    to_flee: tuple[str, ...]
    forced: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.1", "MK-17.2")

    def apply(self, state: Any) -> Any:
        return replace_fields(
            state,
            combat=replace_fields(state.combat, to_flee=self.to_flee, asked=NOBODY, offered_by=NOBODY, offer=None),
        )


@named("mk.OrderWanted")
@dataclass(frozen=True)
class HelperFirstRequested(Event):
    """A fighter asked that the helper runs first.

    MK-17.5: The main player goes first, unless both ask for the other order.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.5",)

    def apply(self, state: Any) -> Any:
        wanted = (*state.combat.swap_wanted, self.seat)
        return replace_fields(
            state, combat=replace_fields(state.combat, swap_wanted=wanted, helper_first=len(wanted) > 1)
        )


@named("mk.DieRolled")
@dataclass(frozen=True)
class DieRolled(Event):
    """A player rolled a die, for a card or to run away (MK-17.3)."""

    seat: int
    value: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.7",)


@named("mk.DieTurned")
@dataclass(frozen=True)
class DieTurned(Event):
    """A player turned the die to another face, which counts as rolled (MK-17.7)."""

    seat: int
    value: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.7",)

    def apply(self, state: Any) -> Any:
        return replace_innermost_step(state, RolledDie, lambda die: replace_fields(die, value=self.value))


@named("mk.DieRolledAgain")
@dataclass(frozen=True)
class DieRolledAgain(DieTurned):
    """A die was rolled again, and the second number counts (MK-27.5)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-27.5", "MK-2.7")


@named("mk.Hindered")
@dataclass(frozen=True)
class FlightRollModified(Event):
    """A player's next roll to run away was changed by `count` (MK-17.8)."""

    seat: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.8",)

    def apply(self, state: Any) -> Any:
        before = state.hindered.get(str(self.seat), 0)
        return replace_fields(state, hindered={**state.hindered, str(self.seat): before + self.count})


@named("mk.Escaped")
@dataclass(frozen=True)
class Escaped(Event):
    """A fighter escaped a monster (MK-17.3, MK-17.6).

    It was by a roll, by a card, or because the monster does not pursue.
    """

    seat: int
    monster: str
    how: str  # rolled, card, not_pursued
    total: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.3", "MK-17.6")

    def apply(self, state: Any) -> Any:
        return mark_flight_settled(state, self.seat, self.monster, rolled=self.how == "rolled")


@named("mk.Caught")
@dataclass(frozen=True)
class Caught(Event):
    """A monster caught a fighter, and its bad stuff strikes (MK-17.3, MK-17.4)."""

    seat: int
    monster: str
    total: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.3", "MK-17.4")

    def apply(self, state: Any) -> Any:
        return mark_flight_settled(state, self.seat, self.monster)


def mark_flight_settled(state: Any, seat: int, monster: str, rolled: bool = True) -> Any:
    """Return the table with one roll to run away settled.

    If a roll was made, it uses up what changed the next roll.
    """
    left = tuple(pair for pair in state.combat.to_flee if pair != f"{seat}/{monster}")
    hindered = {who: count for who, count in state.hindered.items() if not rolled or who != str(seat)}
    return replace_fields(state, combat=replace_fields(state.combat, to_flee=left), hindered=hindered)


@named("mk.CombatEnded")
@dataclass(frozen=True)
class CombatEnded(Event):
    """The combat ended (MK-6.5, MK-16.9, MK-17.9).

    `how` is killed, removed or fled.
    """

    how: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-6.5",)

    def apply(self, state: Any) -> Any:
        return replace_fields(end_lasting(state, COMBAT_END), combat=None, hindered={})


@named("mk.PromiseLapsed")
@dataclass(frozen=True)
class PromiseLapsed(Event):
    """Something promised for help could not be given any more (MK-13.7, MK-7.10)."""

    seat: int
    to: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.7",)
