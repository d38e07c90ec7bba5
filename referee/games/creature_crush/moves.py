"""What a player may do. Dice are given by their pips: `dice: [2, 4]` burns a two and a four; equal dice are alike.

Clauses: CC-COMBAT-1, CC-PAY-1, CC-SUMMON-1, CC-ATTACK-1, CC-CRUSH-1, CC-CRUSH-FLIP-1, CC-TACTIC-1, CC-TACTIC-2,
CC-END-2, CC-END-3, CC-CHAIN-2, CC-CHAIN-4, CC-AMB-9, CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Move, replace_fields
from referee.engine.zones import back_of, backs_of

FEW_DICE = {"max_items": 5}


@named("cc.summon")
@dataclass(frozen=True)
class Summon(Move):
    """A creature of the hand is played to a place of the own board (`B2`)."""

    card: str
    place: str
    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    clauses: ClassVar[tuple[str, ...]] = ("CC-SUMMON-1", "CC-PAY-1")


@named("cc.lay")
@dataclass(frozen=True)
class Lay(Move):
    """A crush card of the hand is laid face down on a C-place of the own board (`C1`). Whoever holds real cards that
    nobody reads to the referee lays a back (`?`)."""

    card: str
    place: str
    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == by else replace_fields(self, card=back_of(self.card))


@named("cc.attack")
@dataclass(frozen=True)
class Attack(Move):
    """An ally attacks an enemy creature; without `target` it attacks the player directly."""

    creature: str
    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    target: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("CC-ATTACK-1", "CC-PAY-1")


@named("cc.flip")
@dataclass(frozen=True)
class Flip(Move):
    """The crush card at a C-place of the own board is turned face up. `about`: which of several allies destroyed at
    once is meant, where the card speaks of one."""

    place: str
    card: str
    about: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-FLIP-1",)


@named("cc.pass")
@dataclass(frozen=True)
class Pass(Move):
    """No crush card is flipped now."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-4",)


@named("cc.end_combat")
@dataclass(frozen=True)
class EndCombat(Move):
    """The combat phase is over; the tactic phase follows."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)


@named("cc.move")
@dataclass(frozen=True)
class MoveCreature(Move):
    """An ally goes to a free place of the own A- or B-row, for one die."""

    creature: str
    place: str
    die: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-1",)


@named("cc.swap")
@dataclass(frozen=True)
class Swap(Move):
    """Two allies swap places, for two dice."""

    creature: str
    other: str
    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-2",)


@named("cc.end_turn")
@dataclass(frozen=True)
class EndTurn(Move):
    """The tactic phase, and with it the turn, is over."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-3", "CC-TURN-1")


@named("cc.choose_place")
@dataclass(frozen=True)
class ChoosePlace(Move):
    """A creature that an effect revives, takes over or moves comes to this place (`B2`) of the board it is on then."""

    place: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-SUMMON-3",)


@named("cc.order")
@dataclass(frozen=True)
class Order(Move):
    """Of several effects that were activated at once, this one is carried out first: its card and its text."""

    card: str
    text: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-2",)


@named("cc.reroll")
@dataclass(frozen=True)
class Reroll(Move):
    """These unburned start dice are rolled again, as an effect allows."""

    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-9",)


@named("cc.keep")
@dataclass(frozen=True)
class Keep(Move):
    """These four cards of the seven drawn come into the own deck (draft)."""

    cards: tuple[str, ...] = field(metadata={"max_items": 7})
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == by else replace_fields(self, cards=backs_of(self.cards))


@named("cc.bring_deck")
@dataclass(frozen=True)
class BringDeck(Move):
    """The deck of 20 different cards that a player brings to the League."""

    cards: tuple[str, ...] = field(metadata={"max_items": 40})
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-LEAGUE-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == by else replace_fields(self, cards=())


@named("cc.deck_ready")
@dataclass(frozen=True)
class DeckReady(Move):
    """At a real table the own deck lies ready, chosen or built as the format says; its cards are nobody's business."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-1",)


@named("cc.offer_draw")
@dataclass(frozen=True)
class OfferDraw(Move):
    """A draw is offered to the other player; once in a turn."""

    playable_at_random: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)


@named("cc.accept_draw")
@dataclass(frozen=True)
class AcceptDraw(Move):
    """The offered draw is agreed."""

    playable_at_random: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)


@named("cc.decline_draw")
@dataclass(frozen=True)
class DeclineDraw(Move):
    """The offered draw is declined; play goes on."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)


@named("cc.concede")
@dataclass(frozen=True)
class Concede(Move):
    """A player gives up; the other one wins."""

    playable_at_random: ClassVar[bool] = False
    is_concession: ClassVar[bool] = True
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-2",)
