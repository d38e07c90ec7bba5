"""The ways that hidden cards can have gone, as a flow network for each back.

A spot is a place between two arrivals of cards there. A leg leads from a spot to a later one. It stands for cards that
stayed while others came, or for a group of cards that moved as backs. Its capacity is their number. Copies that are
known to lie at a spot are its stock. Copies that were shown leaving a spot are wanted there. A place whose cards are
all known has no spot: what is shown leaving it is simply looked up. The same goes for a place once it was empty.

All hidden cards can be given names exactly if every wanted copy has a way back to a stock of its name, and no leg
carries more than its capacity. Copies that are wanted nowhere fill the remaining room, which suffices because no card
vanishes or appears. This is a multi-commodity flow. The networks of different backs are independent, because no card
changes its back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.engine.cardtracking.transfers import Piles, Transfer
from referee.engine.zones import back_of

Pile = dict[str, int]


@dataclass
class FlowNetwork:
    """The spots and legs of the cards of one back.

    `capacity`: by leg, how many cards it can carry.
    `incoming_legs`: by spot, the legs that lead there, each with the spot it comes from.
    `stock`: by spot, for each card the leg that brings its known copies there.
    `wanted`: card and spot, once for each copy.
    `missing_cards`: cards that were taken from where they are known not to have been.
    `is_sound`: False if cards vanished, appeared, or were taken from a place with too few.
    """

    capacity: list[int] = field(default_factory=list)
    incoming_legs: list[list[tuple[int, int]]] = field(default_factory=list)
    stock: list[dict[str, int]] = field(default_factory=list)
    wanted: list[tuple[str, int]] = field(default_factory=list)
    missing_cards: set[str] = field(default_factory=set)
    is_sound: bool = True

    def add_spot(self) -> int:
        """Add a spot without incoming legs and return its number."""
        self.incoming_legs.append([])
        self.stock.append({})
        return len(self.incoming_legs) - 1

    def add_leg(self, source: int, target: int, room: int) -> None:
        """Add a leg from a spot to a later one."""
        self.incoming_legs[target].append((len(self.capacity), source))
        self.capacity.append(room)

    def add_stock(self, spot: int, card: str, count: int) -> None:
        """Record that `count` copies of a card are known to lie at a spot."""
        known = self.stock[spot]
        if card in known:
            self.capacity[known[card]] += count
        else:
            known[card] = len(self.capacity)
            self.capacity.append(count)


class _NetworkBuilder:
    """Builds the network of one back, transfer by transfer."""

    def __init__(self, shape: str) -> None:
        self.shape, self.network = shape, FlowNetwork()
        self.known: dict[str, Pile] = {}  # the contents of places whose cards are all known
        self.spot_at: dict[str, int] = {}  # the spot of any other place
        self.size: Counter[str] = Counter()

    def add_initial_cards(self, place: str, card: str, count: int) -> None:
        self.known.setdefault(place, {})[card] = count
        self.size[place] += count

    def add_transfer(self, took: dict[str, Pile], put: dict[str, Pile]) -> None:
        """Add what one transfer took from where, and put where."""
        network, shape = self.network, self.shape
        mixed: Counter[str] = Counter()  # by name: shown going in, less shown coming out
        lots: list[tuple[int, int]] = []
        balance = 0
        for place, pile in took.items():
            for card, count in pile.items():
                balance += count
                self.size[place] -= count
                if card == shape:
                    lots.append((self._find_or_add_spot(place), count))
                else:
                    mixed[card] += count
                    self._add_demand(place, card, count)
            if self.size[place] <= 0:
                network.is_sound = network.is_sound and self.size[place] == 0
                self.spot_at.pop(place, None)
                self.known[place] = {}
        secret = [place for place, pile in put.items() if shape in pile]
        for pile in put.values():
            for card, count in pile.items():
                balance -= count
                if card != shape:
                    mixed[card] -= count
        network.is_sound = network.is_sound and not balance
        left = {card: count for card, count in mixed.items() if count}
        if not lots and len(secret) == 1 and min(left.values(), default=0) > 0:
            # The named cards are exactly those that arrived hidden.
            (place,) = secret
            for card, count in put[place].items():
                if card != shape:
                    left[card] = left.get(card, 0) + count
            put, left = {**put, place: left}, {}
        self._add_arrivals(put, self._add_mixing_spot(lots, left))

    def _add_mixing_spot(self, lots: list[tuple[int, int]], left: Pile) -> int:
        """Return the spot of a transfer's hidden cards on their way, -1 if there are none."""
        if len(lots) <= 1 and not left:
            return lots[0][0] if lots else -1
        mix = self.network.add_spot()
        for spot, count in lots:
            self.network.add_leg(spot, mix, count)
        for card, count in left.items():
            if count > 0:
                self.network.add_stock(mix, card, count)
            else:
                self.network.wanted += [(card, mix)] * -count
        return mix

    def _add_arrivals(self, put: dict[str, Pile], mix: int) -> None:
        for place, pile in put.items():
            secret, stayed = pile.get(self.shape, 0), self.size[place]
            if secret or place in self.spot_at:
                before = self._find_or_add_spot(place) if stayed > 0 else -1
                spot = self.spot_at[place] = self.network.add_spot()
                self.known.pop(place, None)
                if before >= 0:
                    self.network.add_leg(before, spot, stayed)
                if secret:
                    self.network.add_leg(mix, spot, secret)
                for card, count in pile.items():
                    if card != self.shape:
                        self.network.add_stock(spot, card, count)
            else:
                known = self.known.setdefault(place, {})
                for card, count in pile.items():
                    known[card] = known.get(card, 0) + count
            self.size[place] += sum(pile.values())

    def require_cards(self, place: str, pile: Pile) -> None:
        """Require that these cards lie at a place in the end, all at once."""
        if sum(pile.values()) > self.size[place]:
            self.network.is_sound = False
        for card, count in pile.items():
            self._add_demand(place, card, count)

    def _add_demand(self, place: str, card: str, count: int) -> None:
        """Record that a card was shown at a place, as it left or in the end."""
        if place in self.spot_at:
            self.network.wanted += [(card, self.spot_at[place])] * count
            return
        known = self.known.get(place, {})
        there = known.get(card, 0)
        if there < count:
            self.network.missing_cards.add(card)
        if there:
            known[card] = max(0, there - count)

    def _find_or_add_spot(self, place: str) -> int:
        """Return the spot of a place, adding one if all its cards were known so far."""
        if place not in self.spot_at:
            self.spot_at[place] = self.network.add_spot()
            for card, count in self.known.pop(place, {}).items():
                if count:
                    self.network.add_stock(self.spot_at[place], card, count)
        return self.spot_at[place]


def build_networks(start: Piles, steps: Iterable[Transfer], held: Piles) -> dict[str, FlowNetwork]:
    """Return the network of each back for a history that began with these named piles.

    `held`: cards that have to lie at a place in the end, besides what was shown.
    """
    drawings: dict[str, _NetworkBuilder] = {}

    def of(shape: str) -> _NetworkBuilder:
        found = drawings.get(shape)
        if found is None:
            found = drawings[shape] = _NetworkBuilder(shape)
        return found

    for place, pile in start.items():
        for card, count in pile.items():
            if count:
                of(back_of(card)).add_initial_cards(place, card, count)
    for step in steps:
        parted: dict[str, tuple[dict[str, Pile], dict[str, Pile]]] = {}
        for side, piles in enumerate((step.took, step.put)):
            for place, pile in piles.items():
                for card, count in pile.items():
                    if count:
                        shape = back_of(card)
                        if shape not in parted:
                            parted[shape] = ({}, {})
                        parted[shape][side].setdefault(place, {})[card] = count
        for shape, (took, put) in parted.items():
            of(shape).add_transfer(took, put)
    for place, pile in held.items():
        shapes = {back_of(card) for card, count in pile.items() if count}
        for shape in sorted(shapes):
            of(shape).require_cards(place, {card: n for card, n in pile.items() if n and back_of(card) == shape})
    return {shape: drawing.network for shape, drawing in drawings.items()}
