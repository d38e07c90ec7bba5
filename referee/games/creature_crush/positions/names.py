"""How a position calls cards: as the table does, or plainly where it is clear which card is meant.

The table knows cards of a book by the book's mark, and in the League by whose deck they come from (`hex_toad#1` from
that of seat 0, CC-AMB-7). A position may leave both out: what lies with a player comes from the own deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from referee.engine.zones import Cards, is_back
from referee.games.creature_crush.components import EDITION, SEAT_OF, SEATS, Rules, box, face

LITERAL = ("asks", "part", "event", "secret", "type", "given")  # what stands under these is no card


class Names:
    """The cards of a format and an edition, and what a position may call them."""

    def __init__(self, variant: str, edition: str) -> None:
        self.box = box(Rules(variant=variant, edition=edition))
        self.plain: dict[str, dict[int, str]] = {}  # by plain name and seat: the card on the table
        for card in self.box:
            deck, copy = card.partition("#")[::2]
            owners = (int(copy) - 1,) if copy else SEATS
            for name in dict.fromkeys((deck, deck.partition("@")[0])):
                for seat in owners:
                    self.plain.setdefault(name, {}).setdefault(seat, card)

    @property
    def total(self) -> int:
        """How many cards there are in all."""
        return sum(self.box.values())

    def known(self, kind: str = "") -> list[str]:
        """All names that a position may use for cards, or for those of one kind."""
        names = dict.fromkeys((*self.plain, *self.box))
        return [name for name in names if not kind or face(self.of(name, 0)).kind == kind]

    def decks(self) -> list[str]:
        """All names that a deck list may use."""
        return [name for name in self.plain if "#" not in name]

    def listed(self, name: str) -> str:
        """A card as a deck list calls it."""
        return next(iter(self.plain[name].values())).partition("#")[0]

    def of(self, name: str, seat: int) -> str:
        """The card that a name means where it lies with a player."""
        return name if name in self.box or is_back(name) else self.plain[name][seat]

    def all_of(self, names: Iterable[str], seat: int) -> Cards:
        """The cards that names mean where they lie with a player."""
        return tuple(self.of(name, seat) for name in names)

    def meant(self, name: str, zones: Mapping[str, Cards], seat: int = 0) -> str:
        """The card that a name means wherever it lies: the one that is named on the table, first in open places."""
        candidates = self.plain.get(name)
        if name in self.box or candidates is None:
            return name
        order = sorted(zones, key=lambda place: (":" in place, place not in SEAT_OF))
        lying = (card for place in order for card in zones[place] if card in candidates.values())
        return next(lying, candidates.get(seat, next(iter(candidates.values()))))

    def in_question(self, said: Any, zones: Mapping[str, Cards], seat: int) -> Any:
        """What a question says, with every card as the table calls it."""
        if isinstance(said, dict):
            return {key: part if key in LITERAL else self.in_question(part, zones, seat) for key, part in said.items()}
        if isinstance(said, list):
            return [self.in_question(part, zones, seat) for part in said]
        return self.meant(said, zones, seat) if isinstance(said, str) else said


@cache
def names_of(variant: str, edition: str) -> Names:
    """The names of a format and an edition; made once. Raises KeyError where there is no such edition."""
    return Names(variant, edition or EDITION)
