"""Chains of seeds as the devices of seats keep them."""

from __future__ import annotations

import hashlib


class Chain:
    """What the device of a seat keeps."""

    def __init__(self, seed: bytes, length: int = 200) -> None:
        links = [seed]
        for _ in range(length):
            links.append(hashlib.sha256(b"referee/v1/seed|" + links[-1]).digest())
        self.links = [each.hex() for each in reversed(links)]

    @property
    def commitment(self) -> str:
        return self.links[0]

    def follow(self, newest: str) -> str:
        """The link after this one."""
        return self.links[self.links.index(newest) + 1]
