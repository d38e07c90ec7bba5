"""Seeds: what the seats add to the server's draws, so that the server alone does not choose them.

Before the start a seat commits to a seed: SHA-256 of "referee/v1/seed|" and its bytes. Once everybody has committed
who wants to, the seeds are revealed. By then the server has long been bound to its secret, so nobody knows what a seed
does to the draws: whoever reveals last gains nothing by it. What was committed to after a seed was revealed could have
been chosen to fit it by somebody in league with the server; so from then on nobody commits any more.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import canonical, named
from referee.engine.events import Event, Move
from referee.engine.game import Malformed
from referee.engine.rulings import Refused
from referee.match.aggregate import Match, OfChair, Seed

LABEL = b"referee/v1/seed|"
SHORTEST, LONGEST = 16, 64  # bytes of a seed
COMMITMENT = re.compile("[0-9a-f]{64}")
SEED = re.compile(f"(?:[0-9a-f]{{2}}){{{SHORTEST},{LONGEST}}}")


@named("table.commit_seed")
@dataclass(frozen=True)
class CommitSeed(Move):
    """Bind a seat to a seed, or to another one than before, before any is revealed."""

    seat: int
    commitment: str


@named("table.reveal_seed")
@dataclass(frozen=True)
class RevealSeed(Move):
    """Show the seed that a seat is bound to, in hex."""

    seat: int
    seed: str


@named("table.SeedCommitted")
@dataclass(frozen=True)
class SeedCommitted(OfChair):
    """A seat bound itself to a seed; it takes the place of one that it was bound to before."""

    commitment: str
    clauses = ("TABLE-SEED-1",)

    def apply(self, state: Match) -> Match:
        others = (seed for seed in state.seeds if seed.seat != self.seat)
        seeds = sorted((*others, Seed(self.seat, self.commitment)), key=lambda seed: seed.seat)
        return replace(state, seeds=tuple(seeds))


@named("table.SeedRevealed")
@dataclass(frozen=True)
class SeedRevealed(OfChair):
    """A seat showed its seed (hex); everybody can check that it is the one that it was bound to."""

    seed: str
    clauses = ("TABLE-SEED-1",)

    def apply(self, state: Match) -> Match:
        seeds = (replace(seed, revealed=self.seed) if seed.seat == self.seat else seed for seed in state.seeds)
        return replace(state, seeds=tuple(seeds))


def seed_commitment(seed: bytes) -> str:
    """What binds a seat to a seed, in hex."""
    return hashlib.sha256(LABEL + seed).hexdigest()


def seed_bytes(seeds: Iterable[Seed]) -> bytes:
    """What the seeds of a match add to its draws: canonical JSON, a list of `[seat, "<seed in hex>"]` by seat; nothing
    where none was revealed."""
    shown = [[seed.seat, seed.revealed] for seed in sorted(seeds, key=lambda seed: seed.seat) if seed.revealed]
    return canonical(shown) if shown else b""


def committing(match: Match, seat: int, commitment: str) -> tuple[Event, ...]:
    """The fact of a seat that binds itself to a seed; nothing if it does not. Raises Refused (TABLE-*),
    Malformed."""
    if not commitment:
        return ()
    if match.status != "lobby":
        raise Refused("already_started", "TABLE-SEED-1")
    if not COMMITMENT.fullmatch(commitment):
        raise Malformed([{"pointer": "/seed_commitment", "detail": "64 hexadecimal digits in small letters"}])
    shown = [seed.seat for seed in match.seeds if seed.revealed]
    if shown:
        raise Refused("seeds_revealed", "TABLE-SEED-2", seats=shown)
    return (SeedCommitted(seat, commitment),)


def unrevealed(match: Match) -> list[int]:
    """The seats whose seed is still to be shown."""
    return [seed.seat for seed in match.seeds if not seed.revealed]


def _commit(match: Match, ask: CommitSeed) -> tuple[Event, ...]:
    _held(match, ask.seat)
    return committing(match, ask.seat, ask.commitment)


def _reveal(match: Match, ask: RevealSeed) -> tuple[Event, ...]:
    _held(match, ask.seat)
    if match.status != "lobby":
        raise Refused("already_started", "TABLE-SEED-1")
    bound = next((seed for seed in match.seeds if seed.seat == ask.seat), None)
    if bound is None:
        raise Refused("seed_unbound", "TABLE-SEED-1", seat=ask.seat)
    if bound.revealed:
        raise Refused("seed_shown_already", "TABLE-SEED-1", seat=ask.seat)
    if not SEED.fullmatch(ask.seed) or seed_commitment(bytes.fromhex(ask.seed)) != bound.commitment:
        raise Refused("seed_mismatch", "TABLE-SEED-1", seat=ask.seat)
    return (SeedRevealed(ask.seat, ask.seed),)


def _held(match: Match, seat: int) -> None:
    if not 0 <= seat < len(match.chairs):
        raise Refused("no_such_seat", "TABLE-SEAT-1", seat=seat)
    if not match.chairs[seat].taken:
        raise Refused("seat_empty", "TABLE-SEED-1", seat=seat)


DECIDES: dict[type[Move], Callable[[Match, Any], tuple[Event, ...]]] = {CommitSeed: _commit, RevealSeed: _reveal}
