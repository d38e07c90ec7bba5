"""The names of cards in a position: the table's, or plain ones if unambiguous.

The table knows cards of a book by the book's mark, and cards of the League by their deck (`hex_toad#1` from the deck of
seat 0, CC-AMB-7). A position may leave both out. A card that lies with a player then comes from that player's deck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from referee.engine.positions.rows import Position
from referee.engine.positions.shapes import Shape
from referee.engine.zones import Cards, is_back
from referee.games.creature_crush.components import EDITION, SEAT_BY_PLACE, SEATS, Rules, face_of, find_box_cards

LITERAL_KEYS = ("asks", "part", "event", "secret", "type", "given")  # the values under these keys are no cards


class CardNames:
    """The cards of a format and an edition, and the names that a position may use."""

    def __init__(self, variant: str, edition: str) -> None:
        self.box = find_box_cards(Rules(variant=variant, edition=edition))
        self.cards_by_name: dict[str, dict[int, str]] = {}  # by plain name and seat: the card on the table
        for card in self.box:
            deck, copy = card.partition("#")[::2]
            owners = (int(copy) - 1,) if copy else SEATS
            for name in dict.fromkeys((deck, deck.partition("@")[0])):
                for seat in owners:
                    self.cards_by_name.setdefault(name, {}).setdefault(seat, card)

    @property
    def card_count(self) -> int:
        """The number of all cards."""
        return sum(self.box.values())

    def list_names(self, kind: str = "") -> list[str]:
        """List all names that a position may use for cards, or for those of one kind."""
        names = dict.fromkeys((*self.cards_by_name, *self.box))
        return [name for name in names if not kind or face_of(self.find_card(name, 0)).kind == kind]

    def find_card(self, name: str, seat: int | None) -> str:
        """Return the card that a name means if it lies with this player, or with nobody."""
        return name if name in self.box or is_back(name) else self.cards_by_name[name][seat or 0]

    def build_card_shape(self, kind: str = "", *more: str) -> Shape:
        """Return the shape of a card, or of one of a kind, that lies with a player."""
        return Shape({"enum": [*self.list_names(kind), *more]}, lambda name, p: self.find_card(name, p.seat))

    def build_deck_card_shape(self, *more: str) -> Shape:
        """Return the shape of a card on a deck list, which names no deck.

        `more`: what may stand there too.
        """
        return Shape({"enum": [*self.cards_by_name, *more]}, lambda name, _: self._find_listed_card(name, more))

    def _find_listed_card(self, name: str, more: tuple[str, ...]) -> str:
        return name if name in more else self.find_card(name, 0).partition("#")[0]

    def name_cards(self, shape: Shape) -> Shape:
        """Return the shape of cards that lie with a player, from that of plain names."""

        def read(written: Any, p: Position) -> Cards:
            return tuple(self.find_card(name, p.seat) for name in shape.read(written, p))

        return replace(shape, read=read)

    def find_meant_card(self, name: str, zones: Mapping[str, Cards], seat: int = 0) -> str:
        """Return the card that a name means wherever it lies.

        It is the one that is named on the table. Open places come first.
        """
        candidates = self.cards_by_name.get(name)
        if name in self.box or candidates is None:
            return name
        order = sorted(zones, key=lambda place: (":" in place, place not in SEAT_BY_PLACE))
        lying = (card for place in order for card in zones[place] if card in candidates.values())
        return next(lying, candidates.get(seat, next(iter(candidates.values()))))

    def resolve_question_names(self, said: Any, zones: Mapping[str, Cards], seat: int) -> Any:
        """Return a question with every card named as the table does."""
        if isinstance(said, dict):
            return {
                key: part if key in LITERAL_KEYS else self.resolve_question_names(part, zones, seat)
                for key, part in said.items()
            }
        if isinstance(said, list):
            return [self.resolve_question_names(part, zones, seat) for part in said]
        return self.find_meant_card(said, zones, seat) if isinstance(said, str) else said


@cache
def load_card_names(variant: str, edition: str) -> CardNames:
    """Return the names of a format and an edition, built once.

    Raises KeyError if there is no such edition.
    """
    return CardNames(variant, edition or EDITION)
