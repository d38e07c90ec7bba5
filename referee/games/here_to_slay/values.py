"""Plain values of the table and its events: rolls, added values, lasting effects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class LastingEffect:
    """What a card gives a player until one of their turns ends or starts.

    HTS-UNTIL-1: What lasts until the turn ends runs from that moment to the end of the player's own turn, whatever
        becomes of the card.
    HTS-UNTIL-2: What lasts until the next turn ends when that player's turn starts.
    """

    source: str
    seat: int
    what: str  # roll_bonus, no_challenge, no_destroy, no_steal
    until: str  # own_turn_end, own_turn_start
    value: int = 0


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
