"""What happens when cards are played and dice are rolled: announcements, challenges, modifiers, settled rolls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.cardscript.language.primitives import Values
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import Step, replace_innermost_step
from referee.games.here_to_slay.values import AddedValue, DiceRoll


@dataclass(frozen=True)
class UnsettledRolls(Step):
    """Rolls that are not settled yet, one or (in a challenge) two; `declared` are the targets named for the effect.

    A step of the game derives from this; the facts below only need to find it.
    """

    casts: tuple[DiceRoll, ...]


def change_roll(state: Any, roller: int, change: Any) -> Any:
    """The state with the innermost roll of that player changed."""

    def at(step: UnsettledRolls) -> Step:
        return replace_fields(step, casts=tuple(change(cast) if cast.seat == roller else cast for cast in step.casts))

    return replace_innermost_step(state, UnsettledRolls, at)


@named("hts.PlayAnnounced")
@dataclass(frozen=True)
class PlayAnnounced(CardsMoved):
    """A player announced a card; until it is settled it is pending (HTS-PLAY-2, HTS-ZONE-5)."""

    seat: int
    immediate: bool
    clauses: ClassVar[tuple[str, ...]] = ("HTS-PLAY-2", "HTS-PLAY-3", "HTS-ZONE-5")

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, "HTS-NOW-1") if self.immediate else self.clauses


@named("hts.Passed")
@dataclass(frozen=True)
class WindowPassed(Event):
    """A player plays nothing in this window."""

    seat: int


@named("hts.ChallengeDeclared")
@dataclass(frozen=True)
class ChallengeDeclared(CardsMoved):
    """A player challenged the card that another is playing (HTS-CHAL-6, HTS-CHAL-7)."""

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-1", "HTS-CHAL-6", "HTS-CHAL-7")


@named("hts.PlayStood")
@dataclass(frozen=True)
class PlayStood(Event):
    """Nobody stopped the card; it is carried out (HTS-PLAY-2, HTS-CHAL-9)."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-PLAY-2",)


@named("hts.PlayLost")
@dataclass(frozen=True)
class PlayLost(CardsMoved):
    """The card was stopped by a challenge and counts as not played (HTS-CHAL-8, HTS-PLAY-5)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-8", "HTS-PLAY-5", "HTS-TURN-4")


@named("hts.HeroEntered")
@dataclass(frozen=True)
class HeroEntered(CardsMoved):
    """A hero entered a party, as a new one: no roll of this turn counts for it (HTS-HERO-2, HTS-AMB-26)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-HERO-2",)

    def apply(self, state: Any) -> Any:
        after = super().apply(state)
        return replace_fields(
            after, rolled=after.rolled and tuple(hero for hero in after.rolled if hero not in self.put)
        )


@named("hts.ItemEquipped")
@dataclass(frozen=True)
class ItemEquipped(CardsMoved):
    """An item was put under a hero (HTS-ITEM-1)."""

    seat: int
    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ITEM-1", "HTS-DO-25")


@named("hts.ToDiscard")
@dataclass(frozen=True)
class PendingCardDiscarded(CardsMoved):
    """A used challenge, or an item that found no hero, went to the discard pile (HTS-CHAL-10, HTS-ITEM-7)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ZONE-3",)


@named("hts.MagicPlayed")
@dataclass(frozen=True)
class MagicPlayed(CardsMoved):
    """Magic was carried out and went to the discard pile (HTS-MAGIC-1)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MAGIC-1", "HTS-TRIG-2")


@named("hts.DiceRolled")
@dataclass(frozen=True)
class DiceRolled(Event):
    """The two dice of a roll lie there (HTS-ROLL-1)."""

    seat: int
    kind: str
    about: str
    dice: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-1",)

    def apply(self, state: Any) -> Any:
        return change_roll(state, self.seat, lambda cast: replace(cast, dice=self.dice))


@named("hts.HeroMarked")
@dataclass(frozen=True)
class HeroMarked(Event):
    """A hero was rolled for; not again in this turn (HTS-ROLL-4)."""

    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-4",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, rolled=(*(state.rolled or ()), self.hero))


@named("hts.TargetsDeclared")
@dataclass(frozen=True)
class TargetsDeclared(Event):
    """The roller has named what the effect is aimed at (HTS-TGT-3)."""

    seat: int
    targets: dict[str, Values]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-5", "HTS-TGT-3")

    def apply(self, state: Any) -> Any:
        return replace_innermost_step(state, UnsettledRolls, lambda step: replace_fields(step, declared=self.targets))


@named("hts.ModifierPlayed")
@dataclass(frozen=True)
class ModifierPlayed(CardsMoved):
    """A player played a modifier on the roll of `roller` (HTS-MOD-1, HTS-MOD-10)."""

    seat: int
    card: str
    value: int
    roller: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MOD-1", "HTS-MOD-3", "HTS-MOD-10")

    def apply(self, state: Any) -> Any:
        added = AddedValue(self.card, self.value, self.seat)
        return change_roll(super().apply(state), self.roller, lambda cast: replace(cast, added=(*cast.added, added)))


@named("hts.ValueAdded")
@dataclass(frozen=True)
class ValueAdded(Event):
    """An ability put a value on the roll of `roller` (HTS-DO-28, HTS-DO-45)."""

    seat: int
    source: str
    value: int
    roller: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-28", "HTS-DO-45")

    def apply(self, state: Any) -> Any:
        added = AddedValue(self.source, self.value, self.seat)
        return change_roll(state, self.roller, lambda cast: replace(cast, added=(*cast.added, added)))


@named("hts.RollSettled")
@dataclass(frozen=True)
class RollSettled(Event):
    """The total of a roll stands (HTS-MOD-9): success, failure, void, slay, fight_back, nothing or compared."""

    seat: int
    kind: str
    about: str
    total: int
    outcome: str

    def applied_clauses(self) -> tuple[str, ...]:
        more = {
            "success": ("HTS-ROLL-6",),
            "failure": ("HTS-ROLL-7",),
            "void": ("HTS-ROLL-8", "HTS-AMB-27"),
            "compared": ("HTS-CHAL-7",),
        }.get(self.outcome, ("HTS-MON-7",))
        return ("HTS-MOD-9", *more)
