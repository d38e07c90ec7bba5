"""What a report on a free text needs of Munchkin."""

from __future__ import annotations

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.games.munchkin.components import DECKS, DISCARDS, FACES
from referee.games.munchkin.rules.drawing import draw_cards
from referee.games.munchkin.state import Table


def draw_reported_cards(table: Table, seat: int, source: str, count: int) -> Event:
    """Return the event with which a player begins to draw face down.

    Raises IllegalMove unless `source` is one of the two decks, and for the dead (MK-19.7).
    """
    deck = next((name for name, place in DECKS.items() if place == source), None)
    if deck is None or seat in table.dead:
        raise IllegalMove("no_such_draw", "CARDS-FREE-2", seat=seat)
    return draw_cards(table, seat, deck, count)


def find_place_of_unseen(source: str, target: str, card: str) -> str:
    """Return where a card goes that its player could not see, or nothing.

    MK-1.2: Doors and treasures are kept apart, so a card of a hand goes to the pile of its own kind. A deck takes
    no card back unseen but its own.
    """
    if target in DECKS.values():
        return target if source == target else ""
    if target not in DISCARDS.values():
        return target if ":" in target else ""
    own = next((deck for deck, place in DECKS.items() if place == source), None)
    if own is None and card in FACES:
        own = FACES[card].deck
    return DISCARDS[own] if own else target


def list_settable_values(table: Table) -> tuple[str, ...]:
    """Return the pointers of the values that a report may set: the levels."""
    return tuple(f"/levels/{seat}" for seat in range(table.rules.seats))
