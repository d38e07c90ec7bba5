"""The report on a free text: what the player of the card says has changed.

A change names places as the zones of a view are named. It says no more than a correction by hand does, and what it
names is shown to each seat only as far as that seat sees the places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Move, replace_fields
from referee.engine.zones import back_of, is_open_to

MAX_CHANGES = 50  # in one report, as in one correction by hand
PLACE_LENGTH = 80


@dataclass(frozen=True)
class CardMove:
    """A card goes to another place.

    A back means the first card of a pile, or a card of a hand picked by chance. `top`: on top of a pile.
    """

    move: str
    source: str = field(metadata={"max_length": PLACE_LENGTH})
    target: str = field(metadata={"max_length": PLACE_LENGTH})
    top: bool = field(default=False, metadata=OMIT_IF_EMPTY)


@dataclass(frozen=True)
class NewValue:
    """A value that lies open to all becomes another.

    `set` is its JSON pointer in the table of a view.
    """

    set: str
    to: int | bool | str


@dataclass(frozen=True)
class CardsToDraw:
    """A player draws cards, which the referee deals or the real deck gives.

    `source`: the deck, if there are several.
    """

    draw: int = field(metadata={"minimum": 1, "maximum": 20})
    seat: int
    source: str = field(default="", metadata={**OMIT_IF_EMPTY, "max_length": PLACE_LENGTH})


Change = CardMove | NewValue | CardsToDraw


@named("choose.as_written")
@dataclass(frozen=True)
class CarryOutAsWritten(Move):
    """Carry out the text of the card as written, and report what has changed.

    `more`: the text is not finished, and a further report follows.
    """

    changes: tuple[Change, ...] = field(default=(), metadata={"max_items": MAX_CHANGES})
    more: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    judged_by_people: ClassVar[bool] = True

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the move as `seat` may know it, with backs of cards that it does not see."""
        return replace_fields(self, changes=tuple(mask_change(change, seat) for change in self.changes))


def mask_change(change: Change, seat: int) -> Change:
    """Return a change as a seat may know it."""
    if not isinstance(change, CardMove) or is_open_to(change.source, seat) or is_open_to(change.target, seat):
        return change
    return replace_fields(change, move=back_of(change.move))
