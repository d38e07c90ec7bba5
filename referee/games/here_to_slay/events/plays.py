"""Events of plays and rolls: announcements, challenges, modifiers, settled rolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.cardscript.language.primitives import Values
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.steps import Step, replace_innermost_step
from referee.games.here_to_slay.values import AddedValue, DiceRoll


@dataclass(frozen=True)
class UnsettledRolls(Step):
    """One roll, or two in a challenge, that are not settled yet.

    `casts` are the rolls. The steps of the game derive from this class. It stands here so that the events below can
    find them.
    """

    casts: tuple[DiceRoll, ...]


def change_roll(state: Any, roller: int, change: Any) -> Any:
    """Return the state with the innermost roll of that player changed."""

    def at(step: UnsettledRolls) -> Step:
        return replace_fields(step, casts=tuple(change(cast) if cast.seat == roller else cast for cast in step.casts))

    return replace_innermost_step(state, UnsettledRolls, at)


@named("hts.PlayAnnounced")
@dataclass(frozen=True)
class PlayAnnounced(CardsMoved):
    """A player announced a card. It is pending until the play is settled.

    HTS-PLAY-2: Playing goes like this: the card is announced and lies face up, its point is paid (unless it is played
        immediately), and the others may challenge. Then it is carried out, or discarded if it has lost.
    HTS-ZONE-5: A card that is being played is pending: face up, out of the hand and not yet on any pile, so nobody can
        pull it, search for it or shuffle it in.
    """

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
    """A player challenged the card that another player is playing.

    HTS-CHAL-6: A card being played meets a single challenge, the first to be declared. However it ends, no second one
        may follow.
    HTS-CHAL-7: A challenge goes like this: its card leaves the hand, the challenged player's Bloodwing acts, each side
        rolls two dice, modifiers are played on both rolls, then the settled totals are compared.
    """

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-1", "HTS-CHAL-6", "HTS-CHAL-7")


@named("hts.PlayStood")
@dataclass(frozen=True)
class PlayStood(Event):
    """Nobody stopped the card, so it is carried out.

    HTS-PLAY-2: Playing goes like this: the card is announced and lies face up, its point is paid (unless it is played
        immediately), and the others may challenge. Then it is carried out, or discarded if it has lost.
    HTS-CHAL-9: If the challenged player has the higher total, the card stands and takes effect.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-PLAY-2",)


@named("hts.PlayLost")
@dataclass(frozen=True)
class PlayLost(CardsMoved):
    """The card was stopped by a challenge and counts as not played.

    HTS-CHAL-8: The challenger prevails with an equal or higher total: the played card is discarded straight away, and
        its point is gone.
    HTS-PLAY-5: A card lost to a challenge has no effect. For every other rule it counts as never played.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-CHAL-8", "HTS-PLAY-5", "HTS-TURN-4")


@named("hts.HeroEntered")
@dataclass(frozen=True)
class HeroEntered(CardsMoved):
    """A hero entered a party as a new one.

    HTS-HERO-2: When a played hero stands, it joins the party and its player is offered one free roll for its effect at
        once.
    HTS-AMB-26: A hero that is played again counts as new, so no earlier roll of this turn counts for it.
    """

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
    """An item was put under a hero.

    HTS-ITEM-1: Once an item stands, a hero gets it without delay: it lies underneath, and its text stays readable.
    """

    seat: int
    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ITEM-1", "HTS-DO-25")


@named("hts.ToDiscard")
@dataclass(frozen=True)
class PendingCardDiscarded(CardsMoved):
    """A used challenge, or an item that found no hero, went to the discard pile.

    HTS-CHAL-10: Successful or not, the challenge card is discarded after the comparison. A card it has stopped is laid
        on top of it.
    HTS-ITEM-7: If every hero is already equipped when an item should be put on, the item is discarded.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ZONE-3",)


@named("hts.MagicPlayed")
@dataclass(frozen=True)
class MagicPlayed(CardsMoved):
    """Magic was carried out and went to the discard pile.

    HTS-MAGIC-1: A magic card works once. After the last part of its text it goes straight to the discard pile, before
        any trigger.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MAGIC-1", "HTS-TRIG-2")


@named("hts.DiceRolled")
@dataclass(frozen=True)
class DiceRolled(Event):
    """The two dice of a roll have fallen.

    HTS-ROLL-1: A roll is made with two dice. Standing values and whatever is played on it are added.
    """

    seat: int
    kind: str
    about: str
    dice: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-1",)

    def apply(self, state: Any) -> Any:
        return change_roll(state, self.seat, lambda cast: replace_fields(cast, dice=self.dice))


@named("hts.DiceRolledAgain")
@dataclass(frozen=True)
class DiceRolledAgain(Event):
    """The two dice of an open roll were thrown again.

    HTS-AGAIN-1: The second throw takes the place of the first, and what was played on the roll stays.
    """

    seat: int
    kind: str
    about: str
    dice: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-AGAIN-1", "HTS-ROLL-1")

    def apply(self, state: Any) -> Any:
        return change_roll(state, self.seat, lambda cast: replace_fields(cast, dice=self.dice))


@named("hts.HeroMarked")
@dataclass(frozen=True)
class HeroMarked(Event):
    """A hero was rolled for and may not be rolled for again in this turn.

    HTS-ROLL-4: Each hero card gets one roll per turn, successful or not. The hero is marked as soon as the dice are
        thrown. The free roll on playing it counts too.
    """

    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-4",)

    def apply(self, state: Any) -> Any:
        return replace_fields(state, rolled=(*(state.rolled or ()), self.hero))


@named("hts.TargetsDeclared")
@dataclass(frozen=True)
class TargetsDeclared(Event):
    """The roller has named the targets of the effect.

    HTS-TGT-3: Between dice and modifiers the roller names the player, the heroes to destroy or steal, or for Holy
        Curselifter the cursed item. Meowzio and Tipsy Tootie name a player and that player's hero.
    """

    seat: int
    targets: dict[str, Values]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-ROLL-5", "HTS-TGT-3")

    def apply(self, state: Any) -> Any:
        return replace_innermost_step(state, UnsettledRolls, lambda step: replace_fields(step, declared=self.targets))


@named("hts.ModifierPlayed")
@dataclass(frozen=True)
class ModifierPlayed(CardsMoved):
    """A player played a modifier on the roll of `roller`.

    HTS-MOD-1: On any roll of any player everyone may play modifiers from their hand: in any turn, on their own roll or
        another's, for it or against it, without points.
    HTS-MOD-10: A modifier is put on the discard pile the moment it has been played. The roll remembers its value.
    """

    seat: int
    card: str
    value: int
    roller: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MOD-1", "HTS-MOD-3", "HTS-MOD-10")

    def apply(self, state: Any) -> Any:
        added = AddedValue(self.card, self.value, self.seat)
        return change_roll(
            super().apply(state), self.roller, lambda cast: replace_fields(cast, added=(*cast.added, added))
        )


@named("hts.ValueAdded")
@dataclass(frozen=True)
class ValueAdded(Event):
    """An ability put a value on the roll of `roller`.

    HTS-DO-28: A modifier, or an addition by The Protecting Horn or Abyss Queen, is noted on the roll and changes its
        total.
    HTS-DO-45: These answer each modifier card, on any roll: The Protecting Horn may add +1 or -1 to one of its
        owner's, Crowned Serpent lets its owner draw for anybody's, Abyss Queen adds +1 by itself when another player
        changes a roll of her owner.
    """

    seat: int
    source: str
    value: int
    roller: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-28", "HTS-DO-45")

    def apply(self, state: Any) -> Any:
        added = AddedValue(self.source, self.value, self.seat)
        return change_roll(state, self.roller, lambda cast: replace_fields(cast, added=(*cast.added, added)))


@named("hts.RollSettled")
@dataclass(frozen=True)
class RollSettled(Event):
    """The total of a roll is final.

    `outcome` is success, failure, void, slay, fight_back, nothing or compared.
    HTS-MOD-9: After that the roll and all its values are added up. That total is final.
    """

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
