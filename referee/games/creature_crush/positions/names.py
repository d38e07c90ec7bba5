"""How a position calls cards: as the table does, or plainly where it is clear which card is meant.

The table knows cards of a book by the book's mark, and in the League by whose deck they come from (`hex_toad#1` from
that of seat 0, CC-AMB-7). A position may leave both out: what lies with a player comes from the own deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from referee.engine.zones import Cards, is_back
from referee.games.creature_crush.components import EDITION, SEAT_BY_PLACE, SEATS, Rules, face_of, find_box_cards

LITERAL_KEYS = ("asks", "part", "event", "secret", "type", "given")  # what stands under these is no card


class CardNames:
    """The cards of a format and an edition, and what a position may call them."""

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
        """How many cards there are in all."""
        return sum(self.box.values())

    def list_names(self, kind: str = "") -> list[str]:
        """All names that a position may use for cards, or for those of one kind."""
        names = dict.fromkeys((*self.cards_by_name, *self.box))
        return [name for name in names if not kind or face_of(self.find_card(name, 0)).kind == kind]

    def list_deck_names(self) -> list[str]:
        """All names that a deck list may use."""
        return [name for name in self.cards_by_name if "#" not in name]

    def find_deck_list_name(self, name: str) -> str:
        """A card as a deck list calls it."""
        return next(iter(self.cards_by_name[name].values())).partition("#")[0]

    def find_card(self, name: str, seat: int) -> str:
        """The card that a name means where it lies with a player."""
        return name if name in self.box or is_back(name) else self.cards_by_name[name][seat]

    def find_cards(self, names: Iterable[str], seat: int) -> Cards:
        """The cards that names mean where they lie with a player."""
        return tuple(self.find_card(name, seat) for name in names)

    def find_meant_card(self, name: str, zones: Mapping[str, Cards], seat: int = 0) -> str:
        """The card that a name means wherever it lies: the one that is named on the table, first in open places."""
        candidates = self.cards_by_name.get(name)
        if name in self.box or candidates is None:
            return name
        order = sorted(zones, key=lambda place: (":" in place, place not in SEAT_BY_PLACE))
        lying = (card for place in order for card in zones[place] if card in candidates.values())
        return next(lying, candidates.get(seat, next(iter(candidates.values()))))

    def resolve_question_names(self, said: Any, zones: Mapping[str, Cards], seat: int) -> Any:
        """What a question says, with every card as the table calls it."""
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
    """The names of a format and an edition; made once. Raises KeyError where there is no such edition."""
    return CardNames(variant, edition or EDITION)
