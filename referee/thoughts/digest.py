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
    return _compute_digest(_list_sources(game))


@cache
def compute_part_digests(game: str) -> dict[str, str]:
    """Return the digest of each part of what the bots of a game think with.

    The parts of the program are its folders, such as `bots` or `games/munchkin`.
    """
    parts: dict[str, list[Path]] = {}
    for path in _list_sources(game):
        folder = path.relative_to(PACKAGE).parts[:-1]
        parts.setdefault("/".join(folder[: 2 if folder[0] == "games" else 1]), []).append(path)
    return {name: _compute_digest(paths) for name, paths in parts.items()}


def _compute_digest(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
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
