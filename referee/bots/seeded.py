"""Chance from a seed: the same numbers on every machine and in every Python.

It is for research and tournaments, where a course has to be repeated. What a server draws in a match is drawn so that
it can be proved afterwards (`referee.transparency`).
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

DIGEST_BYTES = 16
NUMBERS = 1 << 8 * DIGEST_BYTES


@dataclass
class SeededChance:
    """A source of random numbers: `chance(n)` is uniform in 0 … n-1.

    The seed and the count of numbers drawn are all that it remembers, so a copy goes on with the same numbers.
    """

    seed: str
    drawn: int = 0

    def __call__(self, below: int) -> int:
        if below < 1:
            raise ValueError("there is no number below this")
        fair = NUMBERS - NUMBERS % below  # from here on, the first remainders would come up more often
        while True:
            digest = blake2b(f"{self.drawn}|{self.seed}".encode(), digest_size=DIGEST_BYTES).digest()
            self.drawn += 1
            number = int.from_bytes(digest, "big")
            if number < fair:
                return number % below
