"""Decide whether all wanted copies of a network find ways back to their stocks.

No leg may carry more than its capacity.

    can_route_all(network, budget) -> True, False, or None if the budget ran out
    can_route_alone(network, card) -> whether the copies of one card find ways, ignoring all others

Ways are negotiated: each copy takes the cheapest way, and a leg that too many took becomes dearer for all, until no
leg is overloaded (L. McMurchie, C. Ebeling: PathFinder, 1995). The prices also prove that there is no solution: if all
copies together pay more than all legs at these prices can carry, they cannot all be carried. If neither happens, the
search branches on an overloaded leg: each card in turn may use less of it than it does now. So the answer is exact if
the budget suffices.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from referee.engine.cardtracking.network import FlowNetwork

OVERLOAD_COST = 8  # the cost of each surplus copy on a leg, at once
PRICE_STEP = 4  # what a surplus copy adds to the price of the leg for good
PROOF_ROUNDS = (4, 12, 40, 120, 360, 1080)  # rounds after which the prices are tried as a proof
MAX_ROUTES_TRIED = 40_000  # ways tried before the search branches
ROUNDS_PER_BRANCH = 24  # rounds of pricing in each branch
MAX_BRANCH_DEPTH = 60

LegLimits = Mapping[tuple[int, str], int]  # how many copies of a card a leg may carry at most
LegLoad = Counter[int]  # how many copies each leg carries
LegsOnward = dict[int, set[tuple[int, int]]]  # by spot: the legs in use that lead on, and their targets


@dataclass
class SearchBudget:
    """How many spots the searches of one history may still visit, all together."""

    remaining: int

    def spend_and_check_exhausted(self, much: int) -> bool:
        """Spend an amount and return whether the budget is used up."""
        self.remaining -= much
        return self.remaining < 0


def can_route_all(network: FlowNetwork, budget: SearchBudget) -> bool | None:
    """Return whether every wanted copy finds a way, or None if the budget ran out."""
    if not network.is_sound or network.missing_cards:
        return False
    if not network.wanted:
        return True
    negotiation = _PriceNegotiation(network, budget)
    found = negotiation.negotiate_routes()
    if found is not None or budget.remaining < 0:
        return found
    if any(can_route_alone(network, card) is False for card in sorted({card for card, _ in network.wanted})):
        return False
    return _BranchingSearch(network, budget, negotiation.price).search_within({}, 0)


def can_route_alone(network: FlowNetwork, card: str) -> bool:
    """Return whether all wanted copies of one card find ways, ignoring other cards."""
    if not network.is_sound or card in network.missing_cards:
        return False
    return route_card_copies(network, card, [0] * len(network.capacity), {}) is not None


class _PriceNegotiation:
    """Negotiates ways for the copies one by one, by prices on the legs."""

    def __init__(self, network: FlowNetwork, budget: SearchBudget) -> None:
        self.network, self.budget = network, budget
        self.price = [0] * len(network.capacity)
        self.load = [0] * len(network.capacity)

    def negotiate_routes(self) -> bool | None:
        """Return True if all copies have a way, False if they cannot, None if undecided."""
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
        """Return whether all copies' cheapest ways cost more than the legs can carry."""
        least, price = 0, self.price
        for (card, spot), count in Counter(self.network.wanted).items():
            way = self._find_cheapest_route(card, spot, 0)
            least += count * sum(price[leg] for leg in way or ())
        return least > sum(much * room for much, room in zip(price, self.network.capacity, strict=True))

    def _find_cheapest_route(self, card: str, spot: int, crowded: int) -> list[int] | None:
        """Return the legs of the cheapest way from a stock of a card to a spot, or None.

        The leg at the stock comes first. `crowded` is the cost of each surplus copy. With 0 only the prices count.
        """
        into, stock, price, load, room = (
            self.network.incoming_legs,
            self.network.stock,
            self.price,
            self.load,
            self.network.capacity,
        )
        step = 1 if crowded else 0  # prefers the shorter of two ways of equal price
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


def route_card_copies(network: FlowNetwork, card: str, price: list[int], limits: LegLimits) -> LegLoad | None:
    """Return the cheapest load that carries all wanted copies of one card, or None.

    Other cards are ignored. Each copy takes the cheapest way that is left and may divert an earlier copy (successive
    shortest paths).
    """
    load: LegLoad = Counter()
    ahead: LegsOnward = {}
    for spot in (spot for name, spot in network.wanted if name == card):
        way = _find_next_route(network, card, spot, price, limits, load, ahead)
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
    network: FlowNetwork, card: str, spot: int, price: list[int], limits: LegLimits, load: LegLoad, ahead: LegsOnward
) -> list[tuple[int, int, int, int]] | None:  # fmt: skip
    """Return the cheapest way for one more copy, or None.

    Each item is a leg, the spots it joins, and whether it carries one more or one less.
    """
    room = network.capacity
    cost: dict[int, int] = {spot: 0}
    came: dict[int, tuple[int, int, int, int, int]] = {}  # by spot: leg, source, target, more, and the spot before
    queue, waiting = deque([spot]), {spot}
    best, end = -1, -1
    while queue:
        at = queue.popleft()
        waiting.discard(at)
        here = cost[at]
        laid = network.stock[at].get(card)
        if laid is not None and load[laid] < min(room[laid], limits.get((laid, card), room[laid])):
            whole = here + price[laid]
            if end < 0 or whole < best:
                best, end = whole, at
        ways = [(leg, source, at, 1, source) for leg, source in network.incoming_legs[at]
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
    way, at = [(network.stock[end][card], -1, end, 1)], end
    while at != spot:
        leg, source, target, more, at = came[at]
        way.append((leg, source, target, more))
    return way


class _BranchingSearch:
    """Routes all copies of a card together and branches by limiting one leg at a time."""

    def __init__(self, network: FlowNetwork, budget: SearchBudget, price: list[int]) -> None:
        self.network, self.budget, self.price = network, budget, price
        self.cards = sorted({card for card, _ in network.wanted})
        self.known: dict[frozenset[tuple[tuple[int, str], int]], bool] = {}

    def search_within(self, limits: dict[tuple[int, str], int], depth: int) -> bool | None:
        """Return whether all copies find ways within these limits.

        None if the budget ran out or the search went too deep.
        """
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
        """Branch on an overloaded leg: some card must use less of it than it does now."""
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
