"""The shapes of what positions name: seats, bindings, and the cards of an edition."""

from __future__ import annotations

from typing import Any

from referee.cardscript.positions.steps import decode_values
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.positions import shapes
from referee.engine.positions.schema import BACK, BINDINGS_SCHEMA, list_schema
from referee.engine.positions.shapes import Shape, choice_shape, list_shape, number_shape, seat_shape
from referee.games.here_to_slay.components import FACES, SEATS, boxes_of

UNKNOWN_CARDS = (UNCOUNTED_CARDS,)
DIE, NAME = number_shape(1, 6), Shape({"type": "string"})
SEAT = seat_shape(SEATS)
SEATS_LISTED, SOME_SEATS = list_shape(SEAT, 0, SEATS), list_shape(SEAT, 1, SEATS)
DISTINCT_SEATS = list_shape(SEAT, 0, SEATS, distinct=True)


def _list_values(bound: Any) -> dict[str, list[Any]]:
    return {name: list(values) for name, values in bound.items()}


BINDINGS = Shape(BINDINGS_SCHEMA, lambda written, _: decode_values(written), _list_values)


class CardShapes:
    """The shapes of places where a position names cards of an edition.

    Raises KeyError if the edition is not installed.
    """

    def __init__(self, edition: str) -> None:
        self.boxes = boxes_of(edition)
        self.count = sum(self.boxes.all_cards.values())
        self.any = choice_shape(*self.boxes.all_cards)
        self.hero, self.monster = self.of_kinds("hero"), self.of_kinds("monster")
        self.item = self.of_kinds("item", "cursed_item")
        self.monsters = self.open_cards(*self.boxes.monsters, most=len(self.boxes.monsters))
        self.seen = list_shape(choice_shape(*self.boxes.all_cards, BACK), 0, self.count)
        answers = list_schema("Cards.", {"enum": [*self.boxes.main, BACK]})
        self.by_seat = Shape(
            {"type": "object", "additionalProperties": answers}, lambda written, _: decode_values(written), _list_values
        )

    def of_kinds(self, *kinds: str) -> Shape:
        """Return the shape of a card of one of these kinds."""
        return choice_shape(*(card for card in self.boxes.all_cards if FACES[card].kind in kinds))

    def pile(self, names: Any) -> Shape:
        """Return the shape of the cards of one place: listed, counted, or both."""
        return shapes.pile_shape(names, self.count)

    def open_cards(self, *names: str, most: int = 0) -> Shape:
        """Return the shape of open cards: all of them, or the known ones among more."""
        return shapes.open_cards_shape({"enum": list(names)}, most or self.count)
