"""Shapes of the places where a position names seats and cards of an edition."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from referee.engine.positions import shapes
from referee.engine.positions.shapes import OMITTED, Shape, choice_shape, list_shape, seat_shape
from referee.games.munchkin.components import BOXES, FACES, SEATS

SEAT = seat_shape(SEATS)
NAME = Shape({"type": "string"})
MAX_LISTED = 40  # of the cards before one player, or in one combat


class CardShapes:
    """The shapes of cards of an edition."""

    def __init__(self, edition: str) -> None:
        self.boxes = BOXES[edition]
        self.count = sum(self.boxes.whole.values())

    @cached_property
    def any(self) -> Shape:
        """The name of any card."""
        return choice_shape(*self.boxes.whole)

    def list_names(self, *kinds: str) -> list[str]:
        """Return the names of the cards of these kinds."""
        return [card for card in self.boxes.whole if FACES[card].kind in kinds]

    def list_powers(self) -> list[str]:
        """Return the names of the powers that cards have."""
        return [power.name for card in self.boxes.whole for power in FACES[card].powers]

    def choice_shape(self, *kinds: str) -> Shape:
        """Return the shape of the name of a card of these kinds."""
        return choice_shape(*self.list_names(*kinds))

    def list_shape(self, *kinds: str, distinct: bool = False) -> Shape:
        """Return the shape of a list of cards of these kinds."""
        return list_shape(self.choice_shape(*kinds), 0, MAX_LISTED, distinct)

    def pile_shape(self, names: Iterable[str]) -> Shape:
        """Return the shape of the cards of one place: names and backs, a number, or both."""
        return shapes.pile_shape(names, self.count)

    def open_cards_shape(self, names: Iterable[str], unknown: Any = OMITTED) -> Shape:
        """Return the shape of open cards: all of them, or those that are known.

        `unknown`: what is written if none is known.
        """
        return shapes.open_cards_shape({"enum": list(names)}, MAX_LISTED, unknown)
