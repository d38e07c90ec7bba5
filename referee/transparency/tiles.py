"""A Merkle tree as tiles, which a static host can serve (C2SP tlog-tiles).

A tile of level L is a row of up to 256 hashes, each over 256**L leaves. A full tile never changes. A bundle is the data
of up to 256 leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from referee.transparency.merkle import Hash, SubtreeId, compute_root, compute_root_of_leaves

HEIGHT = 8  # levels of the tree in one tile
WIDTH = 1 << HEIGHT  # hashes in a full tile
HASH_BYTES = 32
CHECKPOINT_PATH = "checkpoint"
ENTRIES = -1  # in place of the level: the tile holds the data of leaves
MOST_ENTRY_BYTES = 0xFFFF  # the length of an entry is written in two bytes


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: level (or ENTRIES), index, and number of hashes or entries."""

    level: int
    index: int
    width: int = WIDTH

    @property
    def is_full(self) -> bool:
        """Whether it can never change."""
        return self.width == WIDTH

    @property
    def path(self) -> str:
        """Its path below the address of the log."""
        level = "entries" if self.level == ENTRIES else str(self.level)
        return f"tile/{level}/{_format_index(self.index)}" + ("" if self.is_full else f".p/{self.width}")

    @property
    def start(self) -> int:
        """The index of its first hash on its level."""
        return self.index * WIDTH

    @property
    def end(self) -> int:
        """The number of leaves up to its end."""
        return (self.start + self.width) << HEIGHT * max(self.level, 0)

    @property
    def subtrees(self) -> tuple[SubtreeId, ...]:
        """The perfect subtrees whose hashes it holds."""
        level = max(self.level, 0) * HEIGHT
        return tuple((level, at) for at in range(self.start, self.start + self.width))


def _format_index(index: int) -> str:
    """Write an index in groups of three digits, with an x before all but the last."""
    digits = str(index)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])


def iterate_tiles(size: int, *, entries: bool = False) -> Iterator[Tile]:
    """Yield all tiles of a tree of that many leaves, those of the leaves first.

    With `entries`, each tile of leaves follows its bundle.
    """
    level, count = 0, size
    while count:
        for index in range(-(-count // WIDTH)):
            width = min(WIDTH, count - index * WIDTH)
            if entries and level == 0:
                yield Tile(ENTRIES, index, width)
            yield Tile(level, index, width)
        level, count = level + 1, count // WIDTH


def list_last_tiles(size: int) -> tuple[Tile, ...]:
    """Return the partial tiles at the right edge of a tree, the highest first.

    The root over the tree can be computed from them alone.
    """
    levels = range(-(-size.bit_length() // HEIGHT) - 1, -1, -1)
    counts = ((level, size >> HEIGHT * level) for level in levels)
    return tuple(Tile(level, count // WIDTH, count % WIDTH) for level, count in counts if count % WIDTH)


def compute_root_of_tiles(size: int, rows: Sequence[Sequence[Hash]]) -> Hash:
    """Return the root of a tree from the hashes of its last tiles.

    They come as `list_last_tiles` orders them. Raises ValueError if they are too few or too many.
    """
    frontier = list[Hash]()
    for row in rows:
        at = 0
        for bit in range(HEIGHT - 1, -1, -1):
            if len(row) >> bit & 1:
                frontier.append(compute_root_of_leaves(row[at : at + (1 << bit)]))
                at += 1 << bit
    return compute_root(frontier, size)


def split_hashes(data: bytes) -> tuple[Hash, ...]:
    """Return the hashes in a tile."""
    return tuple(data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES))


def encode_bundle_of_entries(entries: Iterable[bytes]) -> bytes:
    """Return entries one after the other, each after its length.

    Raises ValueError if one is too long.
    """
    parts = []
    for entry in entries:
        if len(entry) > MOST_ENTRY_BYTES:
            raise ValueError(f"an entry of {len(entry)} bytes is too long for a tile")
        parts.append(len(entry).to_bytes(2, "big") + entry)
    return b"".join(parts)
