"""How fast this machine is now, so that a limit of processor time means the same on each."""

from __future__ import annotations

from time import process_time

LOOP_SECONDS = 0.025  # what the loop takes on the machine that the limits were set on


def measure_slowness() -> float:
    """How many times slower than that machine this one is now; 1 if it is faster."""
    took = []
    for _ in range(3):
        began, total = process_time(), 0
        for number in range(1_000_000):
            total += number
        took.append(process_time() - began)
    return max(1.0, min(took) / LOOP_SECONDS)
