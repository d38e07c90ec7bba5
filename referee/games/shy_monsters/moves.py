"""What a player may ask, and what chance may answer. Kernel moves used here: `chance.shuffled`, `chance.picked`,
`chance.turned_up`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Move
from referee.games.shy_monsters.components import BACK, Spot
from referee.games.shy_monsters.state import PLACE, Laid


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the floor: x to the right, y down, the entrance at 0, 0."""

    x: int = field(metadata=PLACE)
    y: int = field(metadata=PLACE)

    @property
    def spot(self) -> Spot:
        """The place as the rules count it."""
        return (self.x, self.y)

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


@named("sm.build")
@dataclass(frozen=True)
class Build(Move):
    """Lay out the whole floor: six cards on their places (SM-BUILD-2). Real cards are told as `?`.

    The hero may know the places, not the faces, nor in which order the cards were told (SM-BUILD-4).
    """

    cells: tuple[Laid, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SM-BUILD-2", "SM-BUILD-3", "SM-BUILD-4")

    def view_for(self, seat: int, by: int) -> Move | None:
        if seat == by:
            return self
        return replace(self, cells=sort_cells(replace(cell, card=BACK) for cell in self.cells))


@named("sm.reveal")
@dataclass(frozen=True)
class Reveal(Move):
    """Turn up a card before setting out (SM-HERO-REVEAL-1)."""

    x: int = field(metadata=PLACE)
    y: int = field(metadata=PLACE)
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-REVEAL-1",)

    @property
    def spot(self) -> Spot:
        """The place of the card."""
        return (self.x, self.y)


@named("sm.explore")
@dataclass(frozen=True)
class Explore(Move):
    """Step onto a card side by side (SM-HERO-EXPLORE-1), with an attack or without.

    `sure` confirms the step onto a monster known to be active, and nothing else (SM-AMB-12).
    """

    x: int = field(metadata=PLACE)
    y: int = field(metadata=PLACE)
    attack: bool = False
    sure: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-EXPLORE-1",)

    @property
    def spot(self) -> Spot:
        """The place to enter."""
        return (self.x, self.y)


@named("sm.jump")
@dataclass(frozen=True)
class Jump(Move):
    """Skip the card on `over` and land on another beside it (SM-HERO-JUMP-1), with an attack or without.

    `sure` confirms the landing on a monster known to be active, and nothing else (SM-AMB-12).
    """

    x: int = field(metadata=PLACE)
    y: int = field(metadata=PLACE)
    over: Place
    attack: bool = False
    sure: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-JUMP-1", "SM-HERO-JUMP-3", "SM-AMB-10")

    @property
    def spot(self) -> Spot:
        """The place to land on."""
        return (self.x, self.y)


@named("sm.concede")
@dataclass(frozen=True)
class Concede(Move):
    """The hero gives the game up (SM-AMB-17)."""

    is_concession: ClassVar[bool] = True
    clauses: ClassVar[tuple[str, ...]] = ("SM-AMB-17",)


@named("sm.claim")
@dataclass(frozen=True)
class Claim(Move):
    """The dungeon master claims the game because the hero walks in circles (SM-AMB-17)."""

    clauses: ClassVar[tuple[str, ...]] = ("SM-AMB-17",)


@named("sm.roles_drawn")
@dataclass(frozen=True)
class RolesDrawn(Move):
    """Chance: the lot makes this seat the dungeon master (SM-AMB-1)."""

    dungeon_master: int = field(metadata={"minimum": 0, "maximum": 1})
    clauses: ClassVar[tuple[str, ...]] = ("SM-SETUP-3", "SM-AMB-1", "KERNEL-CHANCE-1")


def sort_cells(cells: Iterable[Laid]) -> tuple[Laid, ...]:
    """Cards in rows from the top, each row from the left: the order tells nothing of how they were laid."""
    return tuple(sorted(cells, key=lambda cell: (cell.y, cell.x)))
