"""What the forms of positions and of their questions share: seats and cards."""

from __future__ import annotations

from referee.cards.positions.forms import Schema, listed
from referee.games.munchkin.material import BOX, FACES, SEATS

SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": SEATS - 1}
CARD: Schema = {"enum": list(BOX)}


def called(*kinds: str) -> list[str]:
    """The names of the cards of these kinds."""
    return [face.id for face in FACES.values() if face.kind in kinds]


def seats(says: str, least: int = 0) -> Schema:
    """The schema of a list of seats."""
    return listed(says, SEAT, least, SEATS)
