"""Plain values of the table and its events: rolls, added values, lasting effects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.engine.codec import OMIT_IF_EMPTY

MOST_POINTS = 99  # HTS-POINTS-1: nobody has more points in a turn
MONSTERS_TO_WIN = 3  # HTS-WIN-1: the third slain monster wins the game


@dataclass(frozen=True)
class LastingEffect:
    """What a card gives a player until one of their turns ends or starts.

    HTS-UNTIL-1: What lasts until the turn ends runs from that moment to the end of the player's own turn, whatever
        becomes of the card.
    HTS-UNTIL-2: What lasts until the next turn ends when that player's turn starts.
    """

    source: str
    seat: int
    what: str  # roll_bonus, no_challenge, no_destroy, no_steal, no_attack, no_challenging, no_modifying
    until: str  # own_turn_end, own_turn_start, next_roll, my_turn_start
    value: int = 0
    of: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # whose turn ends it, if not that of `seat`

    @property
    def ends_with(self) -> int:
        """The player with whose turn or roll it ends."""
        return self.of[0] if self.of else self.seat


@dataclass(frozen=True)
class AddedValue:
    """A value put on a roll: the card it comes from, and the player who put it there."""

    source: str
    value: int
    seat: int


@dataclass(frozen=True)
class DiceRoll:
    """One roll of two dice.

    `kind` is hero, attack, challenger or challenged. `about` is the hero, the monster or the card being played.
    """

    kind: str
    seat: int
    about: str
    dice: tuple[int, ...] = ()
    added: tuple[AddedValue, ...] = ()


def sign_values(values: Iterable[int]) -> tuple[str, ...]:
    """Return values as they stand on a card, with their signs."""
    return tuple(f"{value:+d}" for value in values)
