"""A door is kicked open: the top card is turned up, and what was behind it comes (MK-5.3, MK-5.7, MK-9.6, MK-20.1)."""

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
    """The top door is turned up; where there is none, the kick does nothing (MK-5.3, MK-5.7)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("MK-5.3", "MK-5.7")

    def place_turned_card(self, state: Table, took: str, card: str) -> Iterator[Event]:
        yield StepReplaced(BehindTheDoor(self.seat, card))
        yield DoorOpened(DECKS["door"], PENDING, (took,), (card,), self.seat)


@named("mk.BehindTheDoor")
@dataclass(frozen=True)
class BehindTheDoor(Step):
    """What was behind the door: a monster to fight, a curse, what works at once, or a card for the hand (MK-5.3)."""

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
