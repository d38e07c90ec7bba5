"""Seats: places at the table, and the special seats that no person holds."""

from __future__ import annotations

from typing import NewType

Seat = NewType("Seat", int)

CHANCE = Seat(-1)  # dice and shuffles make moves too
CLOCK = Seat(-2)  # deadlines make moves too
BYSTANDER = Seat(-3)  # the public: watches and never moves
FULL_VIEWER = Seat(-4)  # sees everything; granted to nobody before the end


def seats_in_order(seats: int, start: int, direction: int = 1) -> tuple[Seat, ...]:
    """Return the seats `0 … seats-1` round the table, beginning with `start`.

    `direction` is 1 or -1.
    """
    return tuple(Seat((start + direction * step) % seats) for step in range(seats))


def seat_label(seat: int) -> str:
    """Return the seat as the log and the API write it.

    It is the number, or `chance`, `clock`, `bystander`.
    """
    return {CHANCE: "chance", CLOCK: "clock", BYSTANDER: "bystander"}.get(Seat(seat), str(seat))
