"""Where cards can be: whether there is any way to lay the hidden cards that fits everything that was ever shown.

A course is a row of passages. A passage takes cards from places and brings them to places; of each card it shows the
name, or only the back. Where a hidden card goes nobody knows, so any card of the place with that back may be meant.
`Whereabouts.possible` asks whether names can be given to all the hidden cards such that each card is the same one on
its whole way and all of them come out of the box. It draws the ways that cards can have gone (`kernel.routes`), and
looks whether every card that was shown leaving a hidden place finds one back to where it was seen last
(`kernel.routing`).

The answer is exact. Where it is not found within the allowance, it is None: not known. What cards lie in which order is
not looked at: any card of a pile may be the next one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

from referee.engine.cardtracking.network import Map, maps
from referee.engine.cardtracking.solver import Allowance, alone, routed
from referee.engine.cardtracking.transfers import Passage, Piles
from referee.engine.zones import back, is_back

ALL_SPOTS = 3_000_000  # looked at in all searches of a course together, so that whoever asks has an answer in seconds


@dataclass(frozen=True)
class Whereabouts:
    """The passages of a course, and what the box laid where at its beginning: known to all, whatever was shown of it.

    `start` names all cards of a place. The parts of a course share its allowance: once it is used up, no search finds
    anything any more.
    """

    start: Piles
    passages: tuple[Passage, ...]
    allowance: Allowance = field(default_factory=lambda: Allowance(ALL_SPOTS), compare=False)

    @property
    def exhausted(self) -> bool:
        """Whether the searches of the course have used up what they have together."""
        return self.allowance.left < 0

    @cached_property
    def copies(self) -> Counter[str]:
        """All cards there are."""
        return sum(self.start.values(), Counter())

    @cached_property
    def maps(self) -> dict[str, Map]:
        """The ways that the cards of each back can have gone."""
        return maps(self.start, self.passages, {})

    @property
    def sound(self) -> bool:
        """Whether no card vanishes or appears, and none is taken from where so many do not lie."""
        return all(drawn.sound for drawn in self.maps.values())

    def upto(self, version: int) -> Whereabouts:
        """The course as far as this version."""
        return replace(self, passages=tuple(each for each in self.passages if each.version <= version))

    def believed_upto(self, version: int, card: str) -> Whereabouts:
        """The course in which it is not believed that this card was shown after this version."""
        told = tuple(each if each.version <= version else each.without(card) for each in self.passages)
        return replace(self, passages=told)

    def possible(self, held: Piles | None = None, only: str = "") -> bool | None:
        """Whether the hidden cards can have names that fit. None: the search gave up.

        `held`: cards that have to lie at a place in the end, besides whatever else was shown. `only`: look at nothing
        but the copies of this card, so that any other may be anything.
        """
        drawn = self._drawn(held)
        if not all(each.sound for each in drawn.values()):
            return False
        if only:
            return back(only) not in drawn or alone(drawn[back(only)], only)
        found = True
        for shape in sorted(drawn, key=lambda shape: not drawn[shape].lacking):
            way = routed(drawn[shape], self.allowance)
            if way is False:
                return False
            found = found and way is not None
        return True if found else None

    def culprits(self, held: Piles | None = None) -> list[str]:
        """The cards of which the copies alone cannot be where they were shown, sorted."""
        found: set[str] = set()
        for drawn in self._drawn(held).values():
            names = {card for card, _ in drawn.wanted} | drawn.lacking
            found |= {card for card in names if not is_back(card) and not alone(drawn, card)}
        return sorted(found)

    def _drawn(self, held: Piles | None) -> dict[str, Map]:
        return maps(self.start, self.passages, held) if held else self.maps
