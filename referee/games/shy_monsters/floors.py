"""All floors that can be built, in a fixed order.

SM-BUILD-3: The seven cards form one shape on a square grid, connected by sides.
SM-BUILD-4: Any connected shape will do, and any card may lie anywhere in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import permutations

from referee.games.shy_monsters.components import CARDS_PER_FLOOR, START_SPOT, Spot, adjacent_spots
from referee.games.shy_monsters.state import Laid

Shape = tuple[Spot, ...]


def find_connected_spots(spots: Collection[Spot]) -> set[Spot]:
    """Return the entrance and those of `spots` that are connected with it by sides."""
    found, waiting = {START_SPOT}, [START_SPOT]
    while waiting:
        for spot in adjacent_spots(waiting.pop()):
            if spot in spots and spot not in found:
                found.add(spot)
                waiting.append(spot)
    return found


@cache
def list_shapes() -> tuple[Shape, ...]:
    """List all 5320 shapes, each as the six places besides the entrance.

    The places of a shape are sorted in rows from the top.
    """
    grown = {frozenset({START_SPOT})}
    for _ in range(CARDS_PER_FLOOR):
        grown = {shape | {spot} for shape in grown for at in shape for spot in adjacent_spots(at) if spot not in shape}
    return tuple(sorted(sort_spots(shape - {START_SPOT}) for shape in grown))


@cache
def get_shape_sets() -> frozenset[frozenset[Spot]]:
    """Return the shapes as sets, for a quick test whether one can be built."""
    return frozenset(map(frozenset, list_shapes()))


def sort_spots(spots: Collection[Spot]) -> Shape:
    """Sort places in rows from the top, each row from the left."""
    return tuple(sorted(spots, key=lambda spot: (spot[1], spot[0])))


@lru_cache(maxsize=32)
def list_card_orders(cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """List the different orders in which cards can lie on the places of a shape."""
    return tuple(sorted(set(permutations(cards))))


@lru_cache(maxsize=2048)
def lay_card(x: int, y: int, card: str) -> Laid:
    """Return a card on its place. The few possible results are cached."""
    return Laid(x, y, card)


def lay_floor(shape: Shape, cards: Collection[str]) -> tuple[Laid, ...]:
    """Lay cards on the places of a shape."""
    return tuple(lay_card(x, y, card) for (x, y), card in zip(shape, cards, strict=True))


def generate_floors(cards: Collection[str]) -> Iterator[tuple[Laid, ...]]:
    """Yield every floor of these six cards once.

    Neighbours in the list differ in shape and in which card lies where, so that its beginning is varied.
    """
    ways = list_card_orders(tuple(sorted(cards)))
    for turn in range(len(ways)):
        for at, shape in enumerate(list_shapes()):
            yield lay_floor(shape, ways[(at + turn) % len(ways)])
