"""Schemas that positions and their questions share: seats and cards."""

from __future__ import annotations

from collections.abc import Iterable

from referee.cardscript.positions import schema
from referee.cardscript.positions.schema import Schema, list_schema
from referee.games.munchkin.components import BOXES, FACES, SEATS

SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": SEATS - 1}


class CardSchemas:
    """Schemas for places where a position names cards of an edition."""

    def __init__(self, edition: str) -> None:
        self.boxes = BOXES[edition]
        self.count = sum(self.boxes.whole.values())
        self.any: Schema = {"enum": list(self.boxes.whole)}

    def card_names_of_kinds(self, *kinds: str) -> list[str]:
        """Return the names of the cards of these kinds."""
        return [card for card in self.boxes.whole if FACES[card].kind in kinds]

    def build_pile_schema(self, says: str, names: Iterable[str]) -> Schema:
        """Return the schema of the cards of one place: names and backs, a number, or both."""
        return schema.cards_schema(says, names, self.count)

    def build_open_cards_schema(self, says: str, names: Iterable[str], most: int) -> Schema:
        """Return the schema of open cards: all of them, or those that are known."""
        return schema.open_cards_schema(says, {"enum": list(names)}, most)


def build_seats_schema(says: str, least: int = 0) -> Schema:
    """Return the schema of a list of seats."""
    return list_schema(says, SEAT, least, SEATS)
