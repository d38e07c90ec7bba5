"""A game's own cards, read from the files of its folder `cards/`: entries, faces, and what readers are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from referee.cardscript.books.files import Shelf
from referee.cardscript.language.parser import Marked, marked
from referee.engine.rulebook.book import KERNEL, Book, Misprint, Text

Entry = tuple[str, Marked]  # the name of its file, and what stands there


class Faced(Protocol):
    """A face: it says whose it is."""

    @property
    def id(self) -> str:
        """The card."""


F = TypeVar("F", bound=Faced)


def entries_of(folder: Path) -> list[Entry]:
    """What stands in the card files of a game's folder, file by file. Raises Misprint."""
    return [(file.name, entry) for file in sorted((folder / "cards").glob("*.yaml")) for entry in marked(file)]


def faces_of(
    entries: Iterable[Entry], read: Callable[[str, Marked], F], check: Callable[[str, Marked], None] | None = None
) -> Shelf[str, F]:
    """The faces that these entries describe, read after a `check`. Raises Misprint, also where a card stands twice."""
    faces: Shelf[str, F] = Shelf()
    for file, entry in entries:
        if check is not None:
            check(file, entry)
        face = read(file, entry)
        if face.id in faces:
            raise Misprint(f"{file}:{entry.line}: {face.id} stands twice")
        faces[face.id] = face
    return faces


def shown(entry: Mapping[str, Any], mechanics: Iterable[str]) -> dict[str, Any]:
    """A card as readers are shown it: what its file says, apart from its texts in the card language (`mechanics`)."""
    return {key: value for key, value in {"copies": 1, **entry}.items() if key not in mechanics}


def book_of(folder: Path, entries: Iterable[Entry], words: Mapping[str, Text], places: Mapping[str, Text]) -> Book:
    """The clauses and texts of a game's folder beside those of all card games, with what players read for the rule
    words, the cards and the places that stand as parameters in texts."""
    shared = Book.load(Path(__file__).parents[1], base=KERNEL)
    return Book.load(folder, base=shared, names={**words, **{e["id"]: e["name"] for _, e in entries}, **places})
