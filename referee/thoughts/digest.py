"""The digest of a mind: of all that its thoughts depend on."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
SUFFIXES = frozenset({".py", ".yaml"})
DIGITS = 32  # of the hex digest


@cache
def compute_mind_digest(game: str) -> str:
    """Return the digest of what the bots of a game think with, in hex.

    Two programs with the same digest think the same thoughts. It covers more than the minds themselves, because what
    they foresee comes from the rules.
    """
    digest = hashlib.sha256()
    for path in _list_sources(game):
        digest.update(f"{path.relative_to(PACKAGE).as_posix()}|".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:DIGITS]


def _list_sources(game: str) -> list[Path]:
    """Return the files, those of other games left out."""
    games = PACKAGE / "games"
    folders = [PACKAGE / "engine", PACKAGE / "cardscript", games / game]
    found = [path for folder in folders for path in folder.rglob("*")]
    found += [*games.iterdir(), *(PACKAGE / "bots").iterdir()]
    return sorted(path for path in found if path.suffix in SUFFIXES and path.is_file())
