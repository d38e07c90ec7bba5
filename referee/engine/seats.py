"""Seats: places at the table, and the three that no person holds."""

from __future__ import annotations

from typing import NewType

Seat = NewType("Seat", int)

CHANCE = Seat(-1)  # dice and shuffles make moves too
CLOCK = Seat(-2)  # and so does a deadline
BYSTANDER = Seat(-3)  # looks on; never moves
FULL_VIEWER = Seat(-4)  # sees all; nobody before the end


def seats_in_order(seats: int, start: int, direction: int = 1) -> tuple[Seat, ...]:
    """The seats `0 … seats-1` round the table from `start` on, in steps of `direction` (1 or -1)."""
    return tuple(Seat((start + direction * step) % seats) for step in range(seats))


def seat_label(seat: int) -> str:
    """The seat as the log and the API write it: its number, or `chance`, `clock`, `bystander`."""
    return {CHANCE: "chance", CLOCK: "clock", BYSTANDER: "bystander"}.get(Seat(seat), str(seat))
