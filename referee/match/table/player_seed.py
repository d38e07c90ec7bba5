"""What a seat adds to the server's draws, and how a draw takes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from referee.engine.codec import OMIT_IF_EMPTY, encode_canonical

SEED_LABEL = b"referee/v1/seed|"
DRAW_SCHEME = 2  # of matches that are opened now


@dataclass(frozen=True)
class PlayerSeed:
    """What a seat adds to the server's draws."""

    seat: int
    commitment: str  # hex; binds the seat to the seed
    revealed: str = ""  # the seed in hex, once it has been shown; then the newest link of the chain that it ends
    # In the second scheme: the hash of the next link, and whether no draw has taken the last one yet.
    awaited: str = field(default="", metadata=OMIT_IF_EMPTY)
    fresh: bool = field(default=False, metadata=OMIT_IF_EMPTY)


def compute_seed_commitment(seed: bytes) -> str:
    """Return the commitment to a seed, in hex."""
    return hashlib.sha256(SEED_LABEL + seed).hexdigest()


def encode_seeds(seeds: Iterable[PlayerSeed]) -> bytes:
    """Return the bytes that the seeds of a match add to its draws.

    They are canonical JSON, a list of `[seat, "<seed in hex>"]` by seat; empty if no seed was revealed.
    """
    shown = [[seed.seat, seed.revealed] for seed in sorted(seeds, key=lambda seed: seed.seat) if seed.revealed]
    return encode_canonical(shown) if shown else b""


def mark_links_served(seeds: tuple[PlayerSeed, ...]) -> tuple[PlayerSeed, ...]:
    """Return seeds of which each seat may show its next link."""
    return tuple(replace(seed, fresh=False) for seed in seeds)
