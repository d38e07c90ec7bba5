"""Kicking open a door: the card is turned up and takes effect.

Clauses: MK-5.3, MK-5.7, MK-9.6, MK-20.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import cards_arriving
from referee.engine.codec import named
from referee.engine.events import Event
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.games.munchkin.components import DECKS, FACES, HANDS, PENDING
from referee.games.munchkin.events.cards import CardKept, DoorOpened
from referee.games.munchkin.rules.cards.cursing import start_curse
from referee.games.munchkin.rules.cards.playing import FinishPlay
from referee.games.munchkin.rules.cards.texts import build_text_execution
from referee.games.munchkin.rules.combat.fighting import start_combat
from referee.games.munchkin.rules.drawing import TurningUp
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY


@named("mk.OpenDoor")
@dataclass(frozen=True)
class OpenDoor(TurningUp):
    """The turning up of the top door.

    MK-5.3: To kick open the door is to draw the top door face up.
    MK-5.7: If no door can be drawn for the kick, the choice follows as if the door had brought no combat.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3",)

    def place_card(self, table: Table, took: str, card: str) -> Iterator[Event]:
        yield StepReplaced(BehindTheDoor(self.seat, card))
        yield DoorOpened(DECKS["door"], PENDING, (took,), (card,), self.seat)


@named("mk.BehindTheDoor")
@dataclass(frozen=True)
class BehindTheDoor(Step):
    """The effect of the card behind the door.

    MK-5.3: With a monster combat begins at once. A curse strikes the player who drew it. A card that says it takes
        effect
    when drawn face up does so. Anything else goes to the hand.
    MK-9.6: Nothing can be done between the reveal of a monster and the combat.
    MK-20.1: A curse drawn face up behind the door strikes the player who drew it.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3", "MK-9.6", "MK-20.1")

    def resolve(self, state: Table) -> Iterator[Event]:
        seat, card, face = self.seat, self.card, FACES[self.card]
        yield StepPopped()
        if face.kind == "monster":
            yield from start_combat(state, card, PENDING, seat, by=NOBODY)
        elif face.kind == "curse":
            yield from start_curse(state, card, victim=seat, by=NOBODY)
        elif face.face_up:
            yield StepPushed(FinishPlay(card))
            yield StepPushed(build_text_execution(state, card, "does", by=seat))
        else:
            yield CardKept(PENDING, HANDS[seat], (card,), cards_arriving(state, seat, (card,)), seat)
