"""Seeds of the seats: what they add to the server's draws.

With them the server alone does not choose the draws. Before the start a seat commits to a seed: SHA-256 of
"referee/v1/seed|" and its bytes. Then the seeds are revealed. By then the server has long been bound to its secret, so
nobody knows what a seed does to the draws, and the last to reveal gains nothing.

TABLE-SEED-1: Before the start a seat may add a seed to the server's draws. It first commits to it and then shows it.

TABLE-SEED-2: Once a seed was shown, nobody commits to one any more, and no match starts while a seed is hidden. A later
commitment could be chosen to fit the shown seed by somebody in league with the server.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import encode_canonical, named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.match.aggregate import Match, PlayerSeed, SeatEvent

SEED_LABEL = b"referee/v1/seed|"
MIN_SEED_BYTES, MAX_SEED_BYTES = 16, 64  # bytes of a seed
COMMITMENT_PATTERN = re.compile("[0-9a-f]{64}")
SEED_PATTERN = re.compile(f"(?:[0-9a-f]{{2}}){{{MIN_SEED_BYTES},{MAX_SEED_BYTES}}}")


@named("table.commit_seed")
@dataclass(frozen=True)
class CommitSeed(Move):
    """Bind a seat to a seed, or to another than before, until one is revealed."""

    seat: int
    commitment: str


@named("table.reveal_seed")
@dataclass(frozen=True)
class RevealSeed(Move):
    """Reveal the seed that a seat is bound to, in hex."""

    seat: int
    seed: str


@named("table.SeedCommitted")
@dataclass(frozen=True)
class SeedCommitted(SeatEvent):
    """A seat bound itself to a seed, in place of one that it was bound to before."""

    commitment: str
    clauses = ("TABLE-SEED-1",)

    def apply(self, state: Match) -> Match:
        others = (seed for seed in state.seeds if seed.seat != self.seat)
        seeds = sorted((*others, PlayerSeed(self.seat, self.commitment)), key=lambda seed: seed.seat)
        return replace(state, seeds=tuple(seeds))


@named("table.SeedRevealed")
@dataclass(frozen=True)
class SeedRevealed(SeatEvent):
    """A seat revealed its seed (hex); everybody can check it against the commitment."""

    seed: str
    clauses = ("TABLE-SEED-1",)

    def apply(self, state: Match) -> Match:
        seeds = (replace(seed, revealed=self.seed) if seed.seat == self.seat else seed for seed in state.seeds)
        return replace(state, seeds=tuple(seeds))


def compute_seed_commitment(seed: bytes) -> str:
    """Return the commitment to a seed, in hex."""
    return hashlib.sha256(SEED_LABEL + seed).hexdigest()


def encode_seeds(seeds: Iterable[PlayerSeed]) -> bytes:
    """Return the bytes that the seeds of a match add to its draws.

    They are canonical JSON, a list of `[seat, "<seed in hex>"]` by seat; empty if no seed was revealed.
    """
    shown = [[seed.seat, seed.revealed] for seed in sorted(seeds, key=lambda seed: seed.seat) if seed.revealed]
    return encode_canonical(shown) if shown else b""


def decide_seed_commitment(match: Match, seat: int, commitment: str) -> tuple[Event, ...]:
    """Return the event of a seat that binds itself to a seed; nothing if it does not.

    Raises IllegalMove (TABLE-*), MalformedInput.
    """
    if not commitment:
        return ()
    if match.status != "lobby":
        raise IllegalMove("already_started", "TABLE-SEED-1")
    if not COMMITMENT_PATTERN.fullmatch(commitment):
        raise MalformedInput([{"pointer": "/seed_commitment", "detail": "64 lower-case hexadecimal digits are needed"}])
    shown = [seed.seat for seed in match.seeds if seed.revealed]
    if shown:
        raise IllegalMove("seeds_revealed", "TABLE-SEED-2", seats=shown)
    return (SeedCommitted(seat, commitment),)


def find_unrevealed_seats(match: Match) -> list[int]:
    """Return the seats that have not revealed their seed yet."""
    return [seed.seat for seed in match.seeds if not seed.revealed]


def _handle_commit_seed(match: Match, command: CommitSeed) -> tuple[Event, ...]:
    """Bind a seat to a seed (TABLE-SEED-1)."""
    _require_taken_seat(match, command.seat)
    return decide_seed_commitment(match, command.seat, command.commitment)


def _handle_reveal_seed(match: Match, command: RevealSeed) -> tuple[Event, ...]:
    """Reveal the seed of a seat; it has to match its commitment (TABLE-SEED-1)."""
    _require_taken_seat(match, command.seat)
    if match.status != "lobby":
        raise IllegalMove("already_started", "TABLE-SEED-1")
    bound = next((seed for seed in match.seeds if seed.seat == command.seat), None)
    if bound is None:
        raise IllegalMove("seed_unbound", "TABLE-SEED-1", seat=command.seat)
    if bound.revealed:
        raise IllegalMove("seed_shown_already", "TABLE-SEED-1", seat=command.seat)
    if (
        not SEED_PATTERN.fullmatch(command.seed)
        or compute_seed_commitment(bytes.fromhex(command.seed)) != bound.commitment
    ):
        raise IllegalMove("seed_mismatch", "TABLE-SEED-1", seat=command.seat)
    return (SeedRevealed(command.seat, command.seed),)


def _require_taken_seat(match: Match, seat: int) -> None:
    if not 0 <= seat < len(match.chairs):
        raise IllegalMove("no_such_seat", "TABLE-SEAT-1", seat=seat)
    if not match.chairs[seat].taken:
        raise IllegalMove("seat_empty", "TABLE-SEED-1", seat=seat)


COMMAND_HANDLERS: dict[type[Move], Callable[[Match, Any], tuple[Event, ...]]] = {
    CommitSeed: _handle_commit_seed,
    RevealSeed: _handle_reveal_seed,
}
