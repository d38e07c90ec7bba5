"""Where cards can be: whether there is any way to lay the hidden cards that fits everything that was ever shown.

A course is a row of passages. A passage takes cards from places and brings them to places; of each card it shows the
name, or only the back. Where a hidden card goes nobody knows, so any card of the place with that back may be meant.
`CardTracker.is_possible` asks whether names can be given to all the hidden cards such that each card is the same one on
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

from referee.engine.cardtracking.network import FlowNetwork, build_networks
from referee.engine.cardtracking.solver import SearchBudget, can_route_all, can_route_alone
from referee.engine.cardtracking.transfers import Piles, Transfer
from referee.engine.zones import back_of, is_back

MAX_SPOTS_VISITED = (
    3_000_000  # looked at in all searches of a course together, so that whoever asks has an answer in seconds
)


@dataclass(frozen=True)
class CardTracker:
    """The passages of a course, and what the box laid where at its beginning: known to all, whatever was shown of it.

    `start` names all cards of a place. The parts of a course share its allowance: once it is used up, no search finds
    anything any more.
    """

    start: Piles
    transfers: tuple[Transfer, ...]
    budget: SearchBudget = field(default_factory=lambda: SearchBudget(MAX_SPOTS_VISITED), compare=False)

    @property
    def is_exhausted(self) -> bool:
        """Whether the searches of the course have used up what they have together."""
        return self.budget.remaining < 0

    @cached_property
    def all_copies(self) -> Counter[str]:
        """All cards there are."""
        return sum(self.start.values(), Counter())

    @cached_property
    def networks(self) -> dict[str, FlowNetwork]:
        """The ways that the cards of each back can have gone."""
        return build_networks(self.start, self.transfers, {})

    @property
    def is_sound(self) -> bool:
        """Whether no card vanishes or appears, and none is taken from where so many do not lie."""
        return all(drawn.is_sound for drawn in self.networks.values())

    def up_to_version(self, version: int) -> CardTracker:
        """The course as far as this version."""
        return replace(self, transfers=tuple(each for each in self.transfers if each.version <= version))

    def distrust_card_after(self, version: int, card: str) -> CardTracker:
        """The course in which it is not believed that this card was shown after this version."""
        told = tuple(each if each.version <= version else each.hide_card(card) for each in self.transfers)
        return replace(self, transfers=told)

    def is_possible(self, held: Piles | None = None, only: str = "") -> bool | None:
        """Whether the hidden cards can have names that fit. None: the search gave up.

        `held`: cards that have to lie at a place in the end, besides whatever else was shown. `only`: look at nothing
        but the copies of this card, so that any other may be anything.
        """
        drawn = self._networks_holding(held)
        if not all(each.is_sound for each in drawn.values()):
            return False
        if only:
            return back_of(only) not in drawn or can_route_alone(drawn[back_of(only)], only)
        found = True
        for shape in sorted(drawn, key=lambda shape: not drawn[shape].missing_cards):
            way = can_route_all(drawn[shape], self.budget)
            if way is False:
                return False
            found = found and way is not None
        return True if found else None

    def find_impossible_cards(self, held: Piles | None = None) -> list[str]:
        """The cards of which the copies alone cannot be where they were shown, sorted."""
        found: set[str] = set()
        for drawn in self._networks_holding(held).values():
            names = {card for card, _ in drawn.wanted} | drawn.missing_cards
            found |= {card for card in names if not is_back(card) and not can_route_alone(drawn, card)}
        return sorted(found)

    def _networks_holding(self, held: Piles | None) -> dict[str, FlowNetwork]:
        return build_networks(self.start, self.transfers, held) if held else self.networks
