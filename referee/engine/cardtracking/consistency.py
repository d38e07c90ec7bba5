"""Whether hidden cards can lie in a way that fits everything ever shown of them.

A history is a sequence of transfers. A transfer takes cards from places and puts cards at places. Of each card it
shows the name, or only the back. A hidden card may be any card of its place with that back.

`CardTracker.is_possible` asks whether the hidden cards can be given names such that each card keeps its name all the
way and all of them come out of the box. The module `network` builds the ways that cards can have gone. The module
`solver` decides whether every card that was shown leaving a hidden place has a way back to where it was seen last.

The answer is exact, or None (unknown) if the budget runs out first. The order of cards in a pile is ignored: any card
of a pile may be the next one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property

from referee.engine.cardtracking.network import FlowNetwork, build_networks
from referee.engine.cardtracking.solver import SearchBudget, can_route_all, can_route_alone
from referee.engine.cardtracking.transfers import Piles, Transfer
from referee.engine.zones import back_of, is_back

MAX_SPOTS_VISITED = 3_000_000  # in all searches of one history together, so that an answer takes only seconds


@dataclass(frozen=True)
class CardTracker:
    """The transfers of a match, and what the box laid where at the beginning.

    `start` names all cards of each place, because the contents of the box are public. Trackers derived from one
    history share its `budget`. Once that is used up, no search finds anything.
    """

    start: Piles
    transfers: tuple[Transfer, ...]
    budget: SearchBudget = field(default_factory=lambda: SearchBudget(MAX_SPOTS_VISITED), compare=False)

    @property
    def is_exhausted(self) -> bool:
        """Whether the searches have used up their shared budget."""
        return self.budget.remaining < 0

    @cached_property
    def all_copies(self) -> Counter[str]:
        """All cards of the box."""
        return sum(self.start.values(), Counter())

    @cached_property
    def networks(self) -> dict[str, FlowNetwork]:
        """The ways that the cards of each back can have gone."""
        return build_networks(self.start, self.transfers, {})

    @property
    def is_sound(self) -> bool:
        """Whether no card vanishes, appears, or is taken from a place with too few cards."""
        return all(drawn.is_sound for drawn in self.networks.values())

    def up_to_version(self, version: int) -> CardTracker:
        """Return the tracker with the transfers up to this version."""
        return replace(self, transfers=tuple(each for each in self.transfers if each.version <= version))

    def distrust_card_after(self, version: int, card: str) -> CardTracker:
        """Return the tracker in which this card counts as unseen after this version."""
        transfers = tuple(each if each.version <= version else each.hide_card(card) for each in self.transfers)
        return replace(self, transfers=transfers)

    def is_possible(self, held: Piles | None = None, only: str = "") -> bool | None:
        """Return whether the hidden cards can have names that fit, or None if unknown.

        `held`: cards that have to lie at a place in the end, besides what was shown. `only`: check nothing but the
        copies of this card, as if any other card might be anything.
        """
        networks = self._networks_holding(held)
        if not all(each.is_sound for each in networks.values()):
            return False
        if only:
            return back_of(only) not in networks or can_route_alone(networks[back_of(only)], only)
        found = True
        for shape in sorted(networks, key=lambda shape: not networks[shape].missing_cards):
            way = can_route_all(networks[shape], self.budget)
            if way is False:
                return False
            found = found and way is not None
        return True if found else None

    def find_impossible_cards(self, held: Piles | None = None) -> list[str]:
        """Return the cards whose copies alone cannot be where they were shown, sorted."""
        found: set[str] = set()
        for network in self._networks_holding(held).values():
            names = {card for card, _ in network.wanted} | network.missing_cards
            found |= {card for card in names if not is_back(card) and not can_route_alone(network, card)}
        return sorted(found)

    def _networks_holding(self, held: Piles | None) -> dict[str, FlowNetwork]:
        return build_networks(self.start, self.transfers, held) if held else self.networks
