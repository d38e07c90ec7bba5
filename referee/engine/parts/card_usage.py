"""Which seat drew or played which card, for statistics. No rule looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.engine.events import Event
from referee.engine.zones import Moved, is_back


@dataclass(frozen=True, slots=True)
class CardUse:
    """A seat drew or played a card, given by the name of its design."""

    seat: int
    card: str
    how: Literal["drawn", "played"]


def design_name(card: str) -> str:
    """Return the name of a card's design, without its back and copy number."""
    return card.partition("!")[0].partition("#")[0]


def sole_viewer(place: str) -> int | None:
    """Return the one seat to which a place is open (`hand:2`).

    None if it is open to all, to several or to nobody.
    """
    viewer = place.partition(":")[2]
    return int(viewer) if viewer.isdecimal() else None


def collect_card_uses(event: Event) -> Iterator[CardUse]:
    """Yield the cards that an event shows to be drawn or played.

    A card is drawn if it moves from a pile that nobody sees into a hand. It is played if it moves from a hand into the
    open. Cards that stay backs are left out.
    """
    if not isinstance(event, Moved):
        return
    came, went = sole_viewer(event.target), sole_viewer(event.source)
    if came is not None and event.source.endswith(":"):
        yield from (CardUse(came, design_name(card), "drawn") for card in event.put if not is_back(card))
    elif went is not None and ":" not in event.target:
        yield from (CardUse(went, design_name(card), "played") for card in event.put if not is_back(card))
