"""Whether all wanted copies of a map find ways back to stocks of their names, and no leg carries more than it has room
for.

    routed(map, allowance) -> True, False, or None where the allowance was used up
    alone(map, card) -> whether the copies of one card find their ways, whatever the others do

Ways are bargained for: each copy takes the cheapest way, and a leg that too many took becomes dearer for all of them,
until nobody is in another's way (L. McMurchie, C. Ebeling: PathFinder, 1995). The prices are also the proof where there
is no way: if all copies together pay more than all legs at these prices can carry, they cannot all be carried. Where
neither comes of it, some leg that too many want is forbidden to one card after the other beyond what it has, and each
of that is looked at in the same manner, so that the answer is exact where the allowance suffices.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from referee.engine.cardtracking.network import FlowNetwork

OVERLOAD_COST = 8  # what each copy too many costs on a leg, at once
PRICE_STEP = 4  # what it adds to the price of the leg from then on
PROOF_ROUNDS = (4, 12, 40, 120, 360, 1080)  # rounds after which the prices are looked at as a proof
MAX_ROUTES_TRIED = 40_000  # ways that are looked for before a map is taken apart
ROUNDS_PER_BRANCH = 24  # of a map that is taken apart
MAX_BRANCH_DEPTH = 60  # how often it is

LegLimits = Mapping[tuple[int, str], int]  # how many copies of a card a leg may carry at most
LegLoad = Counter[int]  # how many copies each leg carries
LegsOnward = dict[int, set[tuple[int, int]]]  # from each spot the legs in use that lead on, and where to


@dataclass
class SearchBudget:
    """How many spots may still be looked at, in all searches of a course together."""

    remaining: int

    def spend_and_check_exhausted(self, much: int) -> bool:
        """Counts what was looked at; whether that was the last of it."""
        self.remaining -= much
        return self.remaining < 0


def can_route_all(drawn: FlowNetwork, allowance: SearchBudget) -> bool | None:
    """Whether every wanted copy finds a way; None: the allowance was used up before that was known."""
    if not drawn.is_sound or drawn.missing_cards:
        return False
    if not drawn.wanted:
        return True
    bargain = _PriceNegotiation(drawn, allowance)
    found = bargain.negotiate_routes()
    if found is not None or allowance.remaining < 0:
        return found
    if any(can_route_alone(drawn, card) is False for card in sorted({card for card, _ in drawn.wanted})):
        return False
    return _BranchingSearch(drawn, allowance, bargain.price).search_within({}, 0)


def can_route_alone(drawn: FlowNetwork, card: str) -> bool:
    """Whether all wanted copies of one card find ways, if no other card took any room."""
    if not drawn.is_sound or card in drawn.missing_cards:
        return False
    return route_card_copies(drawn, card, [0] * len(drawn.capacity), {}) is not None


class _PriceNegotiation:
    """Copies that bargain for ways, one by one."""

    def __init__(self, drawn: FlowNetwork, allowance: SearchBudget) -> None:
        self.network, self.budget = drawn, allowance
        self.price = [0] * len(drawn.capacity)
        self.load = [0] * len(drawn.capacity)

    def negotiate_routes(self) -> bool | None:
        """True: everybody has a way; False: not everybody can have one; None: they found no agreement."""
        room, load, wanted = self.network.capacity, self.load, self.network.wanted
        ways: list[list[int]] = [[] for _ in wanted]
        users: list[set[int]] = [set() for _ in room]
        todo = list(range(len(wanted)))
        looked, rounds = 0, 0
        while looked < MAX_ROUTES_TRIED:
            touched: set[int] = set()
            for copy in todo:
                way = self._find_cheapest_route(*wanted[copy], OVERLOAD_COST)
                if way is None:
                    return False
                ways[copy] = way
                for leg in way:
                    load[leg] += 1
                    users[leg].add(copy)
                touched.update(way)
            looked, rounds = looked + len(todo), rounds + 1
            crowded = sorted(leg for leg in touched if load[leg] > room[leg])
            if not crowded:
                return True
            if self.budget.remaining < 0:
                return None
            for leg in crowded:
                self.price[leg] += PRICE_STEP * (load[leg] - room[leg])
            if rounds in PROOF_ROUNDS and self._prices_prove_infeasible():
                return False
            todo = sorted({copy for leg in crowded for copy in users[leg]}, reverse=rounds % 2 == 0)
            for copy in todo:
                for leg in ways[copy]:
                    load[leg] -= 1
                    users[leg].discard(copy)
        return None

    def _prices_prove_infeasible(self) -> bool:
        """Whether the cheapest ways of all copies cost more than the legs can carry at these prices."""
        least, price = 0, self.price
        for (card, spot), count in Counter(self.network.wanted).items():
            way = self._find_cheapest_route(card, spot, 0)
            least += count * sum(price[leg] for leg in way or ())
        return least > sum(much * room for much, room in zip(price, self.network.capacity, strict=True))

    def _find_cheapest_route(self, card: str, spot: int, crowded: int) -> list[int] | None:
        """The legs of the cheapest way from a stock of a card to a spot, the last leg first out; None: there is none.

        `crowded`: what each copy too many costs; 0: only the prices count.
        """
        into, stock, price, load, room = (
            self.network.incoming_legs,
            self.network.stock,
            self.price,
            self.load,
            self.network.capacity,
        )
        step = 1 if crowded else 0  # the shorter of two ways that cost the same
        heap: list[tuple[int, int, int, int, int]] = [(0, 0, spot, -1, -1)]  # cost, order, spot, the leg on and its end
        came: dict[int, tuple[int, int]] = {}
        order = 0
        while heap:
            cost, _, at, by, after = heappop(heap)
            if at < 0:
                way = [by]
                while after != spot:
                    by, after = came[after]
                    way.append(by)
                self.budget.remaining -= len(came)
                return way
            if at in came:
                continue
            came[at] = (by, after)
            laid = stock[at].get(card)
            if laid is not None:
                order += 1
                over = load[laid] + 1 - room[laid]
                heappush(heap, (cost + price[laid] + (crowded * over if over > 0 else 0), order, -1, laid, at))
            for leg, source in into[at]:
                if source not in came:
                    order += 1
                    over = load[leg] + 1 - room[leg]
                    dear = cost + step + price[leg] + (crowded * over if over > 0 else 0)
                    heappush(heap, (dear, order, source, leg, at))
        self.budget.remaining -= len(came)
        return None


def route_card_copies(drawn: FlowNetwork, card: str, price: list[int], limits: LegLimits) -> LegLoad | None:
    """The cheapest way to carry all wanted copies of one card, whatever the others do; None: they cannot be carried.

    Each copy takes the cheapest way that is left, and may send one before it another way (successive shortest paths).
    """
    load: LegLoad = Counter()
    ahead: LegsOnward = {}
    for spot in (spot for name, spot in drawn.wanted if name == card):
        way = _find_next_route(drawn, card, spot, price, limits, load, ahead)
        if way is None:
            return None
        for leg, source, target, more in way:
            load[leg] += more
            if source >= 0:
                if load[leg] > 0:
                    ahead.setdefault(source, set()).add((leg, target))
                else:
                    ahead[source].discard((leg, target))
    return +load


def _find_next_route(
    drawn: FlowNetwork, card: str, spot: int, price: list[int], limits: LegLimits, load: LegLoad, ahead: LegsOnward
) -> list[tuple[int, int, int, int]] | None:  # fmt: skip
    """The cheapest way of one more copy: legs with the spots they join, and whether they carry one more or one less."""
    room = drawn.capacity
    cost: dict[int, int] = {spot: 0}
    came: dict[int, tuple[int, int, int, int, int]] = {}  # by spot: leg, source, target, more, and the spot before
    queue, waiting = deque([spot]), {spot}
    best, end = -1, -1
    while queue:
        at = queue.popleft()
        waiting.discard(at)
        here = cost[at]
        laid = drawn.stock[at].get(card)
        if laid is not None and load[laid] < min(room[laid], limits.get((laid, card), room[laid])):
            whole = here + price[laid]
            if end < 0 or whole < best:
                best, end = whole, at
        ways = [(leg, source, at, 1, source) for leg, source in drawn.incoming_legs[at]
                if load[leg] < min(room[leg], limits.get((leg, card), room[leg]))]  # fmt: skip
        ways += [(leg, at, target, -1, target) for leg, target in sorted(ahead.get(at, ()))]
        for leg, source, target, more, beyond in ways:
            dear = here + more * price[leg]
            if beyond not in cost or dear < cost[beyond]:
                cost[beyond] = dear
                came[beyond] = (leg, source, target, more, at)
                if beyond not in waiting:
                    waiting.add(beyond)
                    queue.append(beyond)
    if end < 0:
        return None
    way, at = [(drawn.stock[end][card], -1, end, 1)], end
    while at != spot:
        leg, source, target, more, at = came[at]
        way.append((leg, source, target, more))
    return way


class _BranchingSearch:
    """Takes a map apart: looks at all the copies of a card together, and then forbids one leg after the other."""

    def __init__(self, drawn: FlowNetwork, allowance: SearchBudget, price: list[int]) -> None:
        self.network, self.budget, self.price = drawn, allowance, price
        self.cards = sorted({card for card, _ in drawn.wanted})
        self.known: dict[frozenset[tuple[tuple[int, str], int]], bool] = {}

    def search_within(self, limits: dict[tuple[int, str], int], depth: int) -> bool | None:
        """Whether all find ways within these limits; None: the allowance was used up, or it goes too deep."""
        key = frozenset(limits.items())
        if key not in self.known:
            found = self._search_uncached(limits, depth)
            if found is None:
                return None
            self.known[key] = found
        return self.known[key]

    def _search_uncached(self, limits: dict[tuple[int, str], int], depth: int) -> bool | None:
        room = self.network.capacity
        loads: dict[str, LegLoad] = {}
        whole: LegLoad = Counter()
        for nth in range(ROUNDS_PER_BRANCH):
            for card in self.cards:
                whole.subtract(loads.get(card, Counter()))
                dear = list(self.price)
                for leg, count in whole.items():
                    if count >= room[leg]:
                        dear[leg] += OVERLOAD_COST * (count + 1 - room[leg])
                found = route_card_copies(self.network, card, dear, limits)
                if found is None:
                    return False
                loads[card] = found
                whole.update(found)
                if self.budget.spend_and_check_exhausted(len(self.network.incoming_legs)):
                    return None
            crowded = [leg for leg, count in whole.items() if count > room[leg]]
            if not crowded:
                return True
            for leg in crowded:
                self.price[leg] += PRICE_STEP * (whole[leg] - room[leg])
            if nth % 4 == 3 and self._prices_prove_infeasible(limits):
                return False
        return self._branch_on_leg(limits, loads, max(crowded, key=lambda leg: (whole[leg] - room[leg], -leg)), depth)

    def _prices_prove_infeasible(self, limits: LegLimits) -> bool:
        least = 0
        for card in self.cards:
            found = route_card_copies(self.network, card, self.price, limits)
            if found is None:
                return True
            least += sum(self.price[leg] * count for leg, count in found.items())
        return least > sum(much * room for much, room in zip(self.price, self.network.capacity, strict=True))

    def _branch_on_leg(
        self, limits: dict[tuple[int, str], int], loads: dict[str, LegLoad], leg: int, depth: int
    ) -> bool | None:
        """A leg carries more than it has room for: some card has to do with less of it than it has now."""
        if depth >= MAX_BRANCH_DEPTH:
            return None
        sure = True
        kept = list(self.price)
        for card in sorted(self.cards, key=lambda card: -loads[card][leg]):
            if not loads[card][leg]:
                continue
            self.price = list(kept)
            found = self.search_within({**limits, (leg, card): loads[card][leg] - 1}, depth + 1)
            if found:
                return True
            sure = sure and found is False
        return False if sure else None
