"""The moves of Shy Monsters: what a player may ask, and what chance may answer.

The game also uses the kernel's moves `chance.shuffled`, `chance.picked` and `chance.turned_up`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Move
from referee.games.shy_monsters.components import BACK, Spot, format_spot
from referee.games.shy_monsters.state import PLACE, Laid


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the floor: x to the right, y down, the entrance at 0, 0."""

    x: int = field(metadata=PLACE)
    y: int = field(metadata=PLACE)

    @property
    def spot(self) -> Spot:
        """The place as a pair of coordinates."""
        return (self.x, self.y)

    def __str__(self) -> str:
        return format_spot(self.x, self.y)


@named("sm.build")
@dataclass(frozen=True)
class Build(Move):
    """Lay out the whole floor: six cards on their places. Real cards are named `?`.

    SM-BUILD-2: All six hand cards are laid out face down.
    SM-BUILD-4: The places are open to see, the faces hidden.

    The hero may know the places, but neither the faces nor the order in which the cards were named.
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
    """Turn up a card before the hero moves.

    SM-HERO-REVEAL-1: Before the hero moves, two cards are turned up on the first floor, one on the second, none on the
        last.
    """

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
    """Step onto a card side by side, with an attack or without.

    SM-HERO-EXPLORE-1: To explore is to step onto a card that lies side by side with the present one, never diagonally.
    SM-AMB-12: A step onto a monster known to be active kills and has to be confirmed. `sure` confirms exactly that.
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
    """Skip a card and land on one beside it, with an attack or without.

    `over` names the skipped card. It may be left out where only one card can be skipped.

    SM-HERO-JUMP-1: A jump skips one dungeon card and lands on the next one, which is turned up.
    SM-AMB-10: Where two cards could be the skipped one, the hero names one beforehand.
    SM-AMB-12: Landing on a monster known to be active kills and has to be confirmed. `sure` confirms exactly that.
    """

    x: int = field(metadata=PLACE)
    y: int = field(metadata=PLACE)
    over: Place | None = field(default=None, metadata=OMIT_IF_EMPTY)
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
    """Give up the game as the hero.

    SM-AMB-17: The hero may concede on the hero's turn and while the dungeon master builds.
    """

    is_concession: ClassVar[bool] = True
    clauses: ClassVar[tuple[str, ...]] = ("SM-AMB-17",)


@named("sm.claim")
@dataclass(frozen=True)
class Claim(Move):
    """Claim the game as the dungeon master, because the hero walks in circles.

    SM-AMB-17: After twenty hero moves in a row that turned nothing up, the dungeon master may claim the game.
    """

    answers_question: ClassVar[bool] = False
    clauses: ClassVar[tuple[str, ...]] = ("SM-AMB-17",)


@named("sm.roles_drawn")
@dataclass(frozen=True)
class RolesDrawn(Move):
    """Chance: the lot makes this seat the dungeon master.

    SM-AMB-1: The players agree on the roles, or the roles are drawn.
    """

    dungeon_master: int = field(metadata={"minimum": 0, "maximum": 1})
    clauses: ClassVar[tuple[str, ...]] = ("SM-SETUP-3", "SM-AMB-1", "KERNEL-CHANCE-1")


def sort_cells(cells: Iterable[Laid]) -> tuple[Laid, ...]:
    """Sort cards in rows from the top, each row from the left.

    The order then reveals nothing of how the cards were laid.
    """
    return tuple(sorted(cells, key=lambda cell: (cell.y, cell.x)))
