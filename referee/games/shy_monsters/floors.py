"""All floors that can be built, in a fixed order (SM-BUILD-3, SM-BUILD-4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import permutations

from referee.games.shy_monsters.components import LAID, START, Spot, beside
from referee.games.shy_monsters.state import Laid

Shape = tuple[Spot, ...]


def reached(spots: Collection[Spot]) -> set[Spot]:
    """Which of these places are connected with the entrance by sides; the entrance is one of them."""
    found, waiting = {START}, [START]
    while waiting:
        for spot in beside(waiting.pop()):
            if spot in spots and spot not in found:
                found.add(spot)
                waiting.append(spot)
    return found


@cache
def shapes() -> tuple[Shape, ...]:
    """All 5320 shapes: the six places besides the entrance, in rows from the top."""
    grown = {frozenset({START})}
    for _ in range(LAID):
        grown = {shape | {spot} for shape in grown for at in shape for spot in beside(at) if spot not in shape}
    return tuple(sorted(in_rows(shape - {START}) for shape in grown))


@cache
def known_shapes() -> frozenset[frozenset[Spot]]:
    """The shapes as sets, to see at a glance whether one can be built."""
    return frozenset(map(frozenset, shapes()))


def in_rows(spots: Collection[Spot]) -> Shape:
    """Places in rows from the top, each row from the left."""
    return tuple(sorted(spots, key=lambda spot: (spot[1], spot[0])))


@lru_cache(maxsize=32)
def orders(cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The different orders in which these cards can lie on the places of a shape."""
    return tuple(sorted(set(permutations(cards))))


@lru_cache(maxsize=2048)
def laid(x: int, y: int, card: str) -> Laid:
    """A card on its place; the same few are laid over and over."""
    return Laid(x, y, card)


def floor(shape: Shape, cards: Collection[str]) -> tuple[Laid, ...]:
    """Cards on the places of a shape."""
    return tuple(laid(x, y, card) for (x, y), card in zip(shape, cards, strict=True))


def floors(cards: Collection[str]) -> Iterator[tuple[Laid, ...]]:
    """Every floor of these six cards once. Neighbours in the list differ in shape and in what lies where."""
    ways = orders(tuple(sorted(cards)))
    for turn in range(len(ways)):
        for at, shape in enumerate(shapes()):
            yield floor(shape, ways[(at + turn) % len(ways)])
