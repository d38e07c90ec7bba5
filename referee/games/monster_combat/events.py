"""The events of Monster Combat. `apply` only updates the state and holds no rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, replace_fields
from referee.engine.seats import BYSTANDER
from referee.engine.zones import back_of
from referee.games.monster_combat.components import EVENT_BACK, design_name
from referee.games.monster_combat.moving import MonsterCombatCardsMoved
from referee.games.monster_combat.state import FULL_HEARTS, NOBODY, Table

V = TypeVar("V")


def replace_at_seat(values: tuple[V, ...], seat: int, value: V) -> tuple[V, ...]:
    """Return the values by seat with that of one seat changed."""
    return (*values[:seat], value, *values[seat + 1 :])


class CitingEvent(Event):
    """An event that keeps in `rules` the clauses that act in its case only."""

    __slots__ = ()
    rules: tuple[str, ...]

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, *self.rules)

    def without_refusal(self) -> Event:
        """Return the event without the clauses of its case.

        A later referee may cite others, so a log is compared without them.
        """
        return replace_fields(self, rules=())


# ---- setup and turns ---------------------------------------------------------------------------------------


@named("mc.FirstPlayer")
@dataclass(frozen=True)
class FirstPlayerChosen(Event):
    """A player was chosen to begin.

    MC-SETUP-6: One player begins. At first the turn passes clockwise.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-6", "MC-AMB-5")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, turn=self.seat)


@named("mc.Dealt")
@dataclass(frozen=True)
class HandDealt(CitingEvent, MonsterCombatCardsMoved):
    """A player got a first hand.

    MC-SETUP-5: A hand starts as five cards off the draw pile, for everybody.
    """

    seat: int
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-SETUP-5",)


@named("mc.TopShown")
@dataclass(frozen=True)
class DeckTopShown(Event):
    """The draw pile shows a new back on top.

    `back` is None if nobody has said which, and empty if no card is left.

    MC-AMB-1: Trigger cards are playing cards with a back of their own.
    """

    back: str | None
    clauses: ClassVar[tuple[str, ...]] = ("MC-MAT-4",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, top=self.back)

    def seats_shown_cards(self) -> tuple[int, ...]:
        return (BYSTANDER,) if self.back else ()


@named("mc.TurnBegan")
@dataclass(frozen=True)
class TurnBegan(Event):
    """A player is on turn.

    MC-TURN-END-2: After the end of a turn it is the next player's turn.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-2",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, turn=self.seat)


@named("mc.TurnMissed")
@dataclass(frozen=True)
class TurnMissed(Event):
    """A player missed a turn because of a skip card.

    MC-V1-SKIP-1: A skip card takes the coming turn from the next player.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-SKIP-1",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, skipped=NOBODY)


@named("mc.Drawn")
@dataclass(frozen=True)
class PlayerDrewCards(CitingEvent, MonsterCombatCardsMoved):
    """A player drew from the draw pile.

    `rules` are the clauses that say why, and what a trigger among the cards does.

    MC-TURN-DRAW-1: The turn begins with the top card of the draw pile going into the active player's hand.
    """

    seat: int
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)


@named("mc.NothingToDraw")
@dataclass(frozen=True)
class NothingToDraw(Event):
    """A card was due, and neither the draw pile nor the discard had one.

    MC-AMB-6: The discard becomes the draw pile. If that has no card either, none is drawn.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-6",)


@named("mc.PileRenewed")
@dataclass(frozen=True)
class PileRenewed(MonsterCombatCardsMoved):
    """Used cards became a new pile, to be shuffled.

    MC-AMB-6: The discard, less a card that is being played just now, is shuffled and becomes the draw pile. The event
        tray is reshuffled likewise.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-6",)


@named("mc.CardPlayed")
@dataclass(frozen=True)
class CardPlayed(CitingEvent, MonsterCombatCardsMoved):
    """A player played a card. `rules` are the clauses that say what it does.

    MC-TURN-PLAY-1: Last, the active player may lay one card from the hand on the discard, and it does what it says.
    """

    seat: int
    rules: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-PLAY-1", "MC-TERM-2")


@named("mc.GivenUp")
@dataclass(frozen=True)
class SurplusDiscarded(MonsterCombatCardsMoved):
    """A player gave up surplus cards.

    MC-TURN-END-1: A player who ends a turn with more than seven cards gives up cards of their own choice down to seven.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-END-1", "MC-TERM-2")


# ---- attacks and lives -------------------------------------------------------------------------------------


@named("mc.Parried")
@dataclass(frozen=True)
class AttackParried(CitingEvent, MonsterCombatCardsMoved):
    """A player fended off an attack with a shield.

    MC-SHIELD-1: A player who is attacked may answer with a shield from the hand, and the attack is off.
    """

    seat: int
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-SHIELD-1", "MC-SHIELD-3")


@named("mc.HeartsLost")
@dataclass(frozen=True)
class HeartsLost(CitingEvent):
    """A player lost hearts.

    MC-TERM-8: Losing a life empties one full heart.
    """

    seat: int
    count: int
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-8", "MC-LIFE-1")

    def apply(self, state: Table) -> Table:
        return replace_fields(
            state, hearts=replace_at_seat(state.hearts, self.seat, state.hearts_of(self.seat) - self.count)
        )


@named("mc.StruckBack")
@dataclass(frozen=True)
class LightningStruckBack(CitingEvent):
    """All others parried, and the lightning turned on the player of the card.

    MC-V1-LIGHTNING-3: If all of them parried, the lightning costs the active player one life, and no shield helps.
    """

    seat: int
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-LIGHTNING-3",)


@named("mc.Unaffected")
@dataclass(frozen=True)
class ImmunityHeld(Event):
    """Something would have affected an immune player and did not.

    MC-AMB-12: Immunity keeps off sword, lightning and its strike back, skip, thief and attack by event.
    MC-AMB-11: Lightning does not hit the immune, nor does its strike back.
    MC-AMB-16: Immunity that lasts until the owner's next event keeps an attack, a lost hand or a change of direction
        by that event off.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-IMMUNE-1", "MC-AMB-12")

    def applied_clauses(self) -> tuple[str, ...]:
        if back_of(self.card) == EVENT_BACK:
            return (*self.clauses, "MC-AMB-16")
        return (*self.clauses, "MC-AMB-11") if design_name(self.card) == "lightning" else self.clauses


@named("mc.Defeated")
@dataclass(frozen=True)
class PlayerDefeated(CitingEvent):
    """A player's last heart is empty.

    MC-TERM-7: A player who has a full heart lives. A player who has none is defeated.
    """

    seat: int
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-7", "MC-LIFE-1", "MC-LIFE-2")

    def apply(self, state: Table) -> Table:
        fallen = None if state.fallen is None else (*(seat for seat in state.fallen if seat != self.seat), self.seat)
        return replace_fields(state, fallen=fallen, immune=replace_at_seat(state.immune, self.seat, False))


@named("mc.HandLost")
@dataclass(frozen=True)
class HandLost(CitingEvent, MonsterCombatCardsMoved):
    """A hand, or a card of it, went to the discard.

    `rules` are the clauses that say why.

    MC-EVENT-DISCARD-1: Every card the active player holds goes to the discard and does nothing there.
    MC-AMB-18: On defeat the hand goes to the discard if the match goes on.
    """

    seat: int
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-2",)  # what older logs cited

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rules or self.clauses


@named("mc.HeartRegained")
@dataclass(frozen=True)
class HeartRegained(Event):
    """An empty heart is full again.

    MC-TERM-8: Getting a life back fills one empty heart.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-TERM-8",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, hearts=replace_at_seat(state.hearts, self.seat, state.hearts_of(self.seat) + 1))


@named("mc.Revived")
@dataclass(frozen=True)
class PlayerRevived(Event):
    """A defeated player is back in play.

    MC-V2-LIFE-1: A life-back card fills one empty heart of a player of one's choice. A defeated one comes back with it.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-LIFE-1", "MC-AMB-18")

    def apply(self, state: Table) -> Table:
        left = None if state.fallen is None else tuple(seat for seat in state.fallen if seat != self.seat)
        return replace_fields(state, fallen=left)


@named("mc.HeartsRefilled")
@dataclass(frozen=True)
class HeartsRefilled(Event):
    """All hearts of a player are full.

    MC-EVENT-HEARTS-1: The active player has three full hearts again.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-HEARTS-1",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, hearts=replace_at_seat(state.hearts, self.seat, FULL_HEARTS))


@named("mc.TurnTaken")
@dataclass(frozen=True)
class ComingTurnLost(Event):
    """A skip card took a player's coming turn.

    MC-V1-SKIP-1: A skip card takes the coming turn from the next player.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-SKIP-1",)

    def apply(self, state: Table) -> Table:
        return replace_fields(state, skipped=self.seat)


@named("mc.Stolen")
@dataclass(frozen=True)
class CardsStolen(MonsterCombatCardsMoved):
    """A thief took cards from another hand, unseen.

    MC-V1-THIEF-1: A thief takes one card of the next player's hand for each magnet, unseen and by chance.
    """

    victim: int
    thief: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-V1-THIEF-1", "MC-AMB-26")


# ---- events ------------------------------------------------------------------------------------------------


@named("mc.EventTurnedUp")
@dataclass(frozen=True)
class EventTurnedUp(CitingEvent, MonsterCombatCardsMoved):
    """An event was turned up for the active player. It lies on the tray.

    `rules` are the clauses that say why there is an event, and what it does.

    MC-EVENT-1: An event concerns the active player, now. Nobody can keep it or hand it on.
    """

    seat: int
    rules: tuple[str, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-1", "MC-TERM-3")

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.rules, *self.clauses)


@named("mc.TriggerSpent")
@dataclass(frozen=True)
class TriggerSpent(MonsterCombatCardsMoved):
    """A trigger card without a face was discarded after its event.

    MC-AMB-1: Cards without a face are discarded after their event.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-AMB-1",)


@named("mc.BecameImmune")
@dataclass(frozen=True)
class BecameImmune(Event):
    """A player became immune for a round.

    MC-EVENT-IMMUNE-1: For a round nothing can be done to the active player.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-IMMUNE-1", "MC-TERM-9")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, immune=replace_at_seat(state.immune, self.seat, True))


@named("mc.ImmunityEnded")
@dataclass(frozen=True)
class ImmunityEnded(CitingEvent):
    """A player's immunity is over.

    `sure` is False if a position left out whether there was one.

    MC-EVENT-2: What lasts a round is over when the player concerned has the turn again.
    """

    seat: int
    sure: bool = True
    rules: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-2",)

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rules or self.clauses

    def apply(self, state: Table) -> Table:
        return replace_fields(state, immune=replace_at_seat(state.immune, self.seat, False))


@named("mc.DirectionChanged")
@dataclass(frozen=True)
class DirectionChanged(Event):
    """Play runs the other way round.

    MC-EVENT-DIRECTION-1: Play changes direction, this turn is over, and the player before has the turn.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-EVENT-DIRECTION-1", "MC-AMB-7")

    def apply(self, state: Table) -> Table:
        return replace_fields(state, direction=None if state.direction is None else -state.direction)
