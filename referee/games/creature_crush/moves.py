"""The moves of a player.

Dice are given by their pips: `dice: [2, 4]` burns a two and a four. Equal dice are alike. Clauses: CC-COMBAT-1,
CC-PAY-1, CC-SUMMON-1, CC-ATTACK-1, CC-CRUSH-1, CC-CRUSH-FLIP-1, CC-TACTIC-1, CC-TACTIC-2, CC-END-2, CC-END-3,
CC-CHAIN-2, CC-CHAIN-4, CC-AMB-9, CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1.
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
    """Play a creature from the hand to a place of the player's own board (`B2`)."""

    card: str
    place: str
    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    clauses: ClassVar[tuple[str, ...]] = ("CC-SUMMON-1", "CC-PAY-1")

    def applied_clauses(self) -> tuple[str, ...]:
        """Return the clauses of this move.

        CC-SUMMON-2: A free A-place is open for summoning only while the B-place that borders on it is occupied.
        """
        return ("CC-SUMMON-2", "CC-PAY-1") if self.place.startswith("A") else self.clauses


@named("cc.lay")
@dataclass(frozen=True)
class Lay(Move):
    """Lay a crush card of the hand (`?` if nobody reads it) face down on a C-place.

    The place is one of the player's own board (`C1`). A player of real cards that nobody reads to the referee lays a
    back (`?`).
    """

    card: str
    place: str
    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == by else replace_fields(self, card=back_of(self.card))


@named("cc.attack")
@dataclass(frozen=True)
class Attack(Move):
    """Attack an enemy creature with an ally, or without `target` the player directly."""

    creature: str
    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    target: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("CC-ATTACK-1", "CC-PAY-1")


@named("cc.flip")
@dataclass(frozen=True)
class Flip(Move):
    """Flip the crush card at a C-place, `about` one of several allies just destroyed.

    The place is one of the player's own board. `about` is needed only if several allies were destroyed at once and the
    card speaks of one.
    """

    place: str
    card: str
    about: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("CC-CRUSH-FLIP-1",)


@named("cc.pass")
@dataclass(frozen=True)
class Pass(Move):
    """Flip no crush card now."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-4",)


@named("cc.end_combat")
@dataclass(frozen=True)
class EndCombat(Move):
    """End the combat phase. The tactic phase follows."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)


@named("cc.move")
@dataclass(frozen=True)
class MoveCreature(Move):
    """Move an ally to a free place of its own A- or B-row, for one die."""

    creature: str
    place: str
    die: int
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-1",)


@named("cc.swap")
@dataclass(frozen=True)
class Swap(Move):
    """Swap the places of two allies, for two dice."""

    creature: str
    other: str
    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    clauses: ClassVar[tuple[str, ...]] = ("CC-TACTIC-2",)


@named("cc.end_turn")
@dataclass(frozen=True)
class EndTurn(Move):
    """End the tactic phase, and the turn with it."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-TURN-1",)


@named("cc.choose_place")
@dataclass(frozen=True)
class ChoosePlace(Move):
    """Choose the place (`B2`) for a creature that an effect revives, takes or moves."""

    place: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-18",)


@named("cc.order")
@dataclass(frozen=True)
class Order(Move):
    """Choose which of several effects activated at once comes first, by card and text."""

    card: str
    text: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-CHAIN-2",)


@named("cc.reroll")
@dataclass(frozen=True)
class Reroll(Move):
    """Roll these unburned start dice again, as an effect allows."""

    dice: tuple[int, ...] = field(metadata=FEW_DICE)
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-9",)


@named("cc.keep")
@dataclass(frozen=True)
class Keep(Move):
    """Keep four of the seven cards drawn in the draft for the player's own deck."""

    cards: tuple[str, ...] = field(metadata={"max_items": 7})
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-ARENA-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == by else replace_fields(self, cards=backs_of(self.cards))


@named("cc.bring_deck")
@dataclass(frozen=True)
class BringDeck(Move):
    """Bring a deck of 20 different cards to the League."""

    cards: tuple[str, ...] = field(metadata={"max_items": 40})
    clauses: ClassVar[tuple[str, ...]] = ("CC-FORMAT-LEAGUE-1",)

    def view_for(self, seat: int, by: int) -> Move | None:
        return self if seat == by else replace_fields(self, cards=())


@named("cc.deck_ready")
@dataclass(frozen=True)
class DeckReady(Move):
    """Say that the player's deck of real cards lies ready, made as the format says.

    The referee does not learn its cards.
    """

    clauses: ClassVar[tuple[str, ...]] = ("CC-PREP-1",)


@named("cc.offer_draw")
@dataclass(frozen=True)
class OfferDraw(Move):
    """Offer a draw to the other player, at most once in a turn."""

    playable_at_random: ClassVar[bool] = False
    answers_question: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)


@named("cc.accept_draw")
@dataclass(frozen=True)
class AcceptDraw(Move):
    """Accept the offered draw."""

    playable_at_random: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)


@named("cc.decline_draw")
@dataclass(frozen=True)
class DeclineDraw(Move):
    """Decline the offered draw. Play goes on."""

    clauses: ClassVar[tuple[str, ...]] = ("CC-END-3",)


@named("cc.concede")
@dataclass(frozen=True)
class Concede(Move):
    """Give up. The other player wins."""

    playable_at_random: ClassVar[bool] = False
    is_concession: ClassVar[bool] = True
    clauses: ClassVar[tuple[str, ...]] = ("CC-END-2",)
