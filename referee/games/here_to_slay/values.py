"""Plain values that the table and its facts share: rolls, what is put on them, and what lasts for a while."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LastingEffect:
    """What a card gives a player until the end or the start of a turn of theirs (HTS-UNTIL-1, HTS-UNTIL-2)."""

    source: str
    seat: int
    what: str  # roll_bonus, no_challenge, no_destroy, no_steal
    until: str  # own_turn_end, own_turn_start
    value: int = 0


@dataclass(frozen=True)
class AddedValue:
    """A value put on a roll: the card it comes from, the player who put it there."""

    source: str
    value: int
    seat: int


@dataclass(frozen=True)
class DiceRoll:
    """One roll of two dice: `kind` is hero, attack, challenger or challenged; `about` the hero, monster or card."""

    kind: str
    seat: int
    about: str
    dice: tuple[int, ...] = ()
    added: tuple[AddedValue, ...] = ()
