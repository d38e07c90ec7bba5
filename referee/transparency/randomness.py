"""The server's dice and shuffles: fixed by a secret beforehand, checkable later.

All arithmetic is on whole numbers, so that any language can repeat it:

- match secret = HMAC-SHA256(key, match id). Its commitment, SHA-256 of "referee/v1/commitment|" and the secret, is in
  the match's first entry.
- The secret is disclosed once the match is over. If play goes back behind its end, the entry that does so commits to
  the secret of the next generation n = 1, 2...: HMAC-SHA256(key, "<match id>|<n>"). That entry and all later ones take
  salts and draws from the new secret, so that nothing disclosed reveals what comes.
- subkey = HKDF-SHA256(match secret, no salt, info "referee/v1/draw/<purpose>"), so that no purpose reveals another.
- block i = HMAC-SHA256(subkey, "v2|<match>|<number>|<i>|<SHA-256 of the seats' seeds, in hex>"), i = 0, 1, 2...
  The number counts the match's draws, from 1. So nobody changes a draw by adding entries before it. In matches of the
  first scheme the block is of "v1|<match>|<version>|...", with the version of the entry that draws.
- The blocks in order are read as 64-bit numbers, big end first. A draw below n skips numbers at or above the largest
  multiple of n up to 2^64, and is the first other number modulo n.

Two processes that draw for one match, place and purpose draw the same, and a repeated draw is the same draw.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator
from functools import lru_cache

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

Below = Callable[[int], int]
SPAN = 1 << 64  # how many values one number of the stream can have
COMMITMENT_LABEL = b"referee/v1/commitment|"


class ServerRandomSource:
    """All draws and salts of this server, from one key of 32 bytes or more."""

    def __init__(self, key: bytes) -> None:
        if len(key) < 32:
            raise ValueError("the key of the draws needs 32 bytes")
        self._key = key

    def secret(self, match: str, generation: int = 0) -> bytes:
        """Return the match's secret of a generation.

        It may be disclosed only while the match is over.
        """
        name = f"{match}|{generation}" if generation else match
        return hmac.digest(self._key, name.encode(), "sha256")

    def commitment(self, match: str, generation: int = 0) -> str:
        """Return the hash that the log publishes before the first draw.

        It fixes the secret and reveals nothing of it.
        """
        return compute_commitment(self.secret(match, generation))

    def source(
        self, match: str, generation: int, place: int, purpose: str, seeds: bytes = b"", scheme: int = 1
    ) -> Below:
        """Return `below(n)`, which draws a number of 0..n-1, each equally likely.

        It reads the stream of this match, place and purpose. `generation` is that of the secret now. `place` is the
        number of the draw, in the first `scheme` the version of its entry. `seeds` is what the seats added
        (`player_entropy`).
        """
        return build_draw_source(self.secret(match, generation), match, place, purpose, seeds, scheme)

    def salt(self, match: str, generation: int, version: int, who: int | str) -> bytes:
        """Return the salt of the commitment to what `who` saw of an entry.

        `version` is the entry's. `who` is a seat or "full".
        """
        return derive_salt(self.secret(match, generation), match, version, who)

    def thought_seed(self, match: str, generation: int, version: int, seat: int) -> str:
        """Return the seed of what the bot of a seat thinks at a version."""
        return derive_thought_seed(self.secret(match, generation), match, version, seat)


def compute_commitment(secret: bytes) -> str:
    """Return the commitment to a match's secret, in hex."""
    return hashlib.sha256(COMMITMENT_LABEL + secret).hexdigest()


def build_draw_source(
    secret: bytes, match: str, place: int, purpose: str, seeds: bytes = b"", scheme: int = 1
) -> Below:
    """Return the draws from a disclosed secret, with which a verifier repeats them."""
    numbers = _generate_numbers(
        _derive_subkey(secret, f"draw/{purpose}"), f"v{scheme}|{match}|{place}", hashlib.sha256(seeds).hexdigest()
    )

    def below(n: int) -> int:
        if not 1 <= n <= SPAN:
            raise ValueError(f"a draw is below a number from 1 to 2^64, not below {n}")
        limit = SPAN - SPAN % n
        return next(number for number in numbers if number < limit) % n

    return below


def derive_salt(secret: bytes, match: str, version: int, who: int | str) -> bytes:
    """Return a salt from a disclosed secret."""
    return hmac.digest(_derive_subkey(secret, "salt"), f"v1|{match}|{version}|{who}".encode(), "sha256")


def derive_thought_seed(secret: bytes, match: str, version: int, seat: int) -> str:
    """Return the seed of a bot's thought from a disclosed secret, in hex.

    It is HMAC-SHA256 with the subkey "referee/v1/thought" over "v1|<match>|<version that the bot saw>|<seat>".
    """
    return hmac.digest(_derive_subkey(secret, "thought"), f"v1|{match}|{version}|{seat}".encode(), "sha256").hex()


@lru_cache(4096)
def _derive_subkey(secret: bytes, use: str) -> bytes:
    return HKDF(SHA256(), length=32, salt=None, info=f"referee/v1/{use}".encode()).derive(secret)


def _generate_numbers(key: bytes, head: str, seeds: str) -> Iterator[int]:
    """Yield the stream as 64-bit numbers, four from each block."""
    counter = 0
    while True:
        block = hmac.digest(key, f"{head}|{counter}|{seeds}".encode(), "sha256")
        for start in range(0, len(block), 8):
            yield int.from_bytes(block[start : start + 8], "big")
        counter += 1
