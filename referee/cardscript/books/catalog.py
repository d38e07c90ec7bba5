"""A game's own cards, read from its folder `cards/`: entries, faces, descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from referee.cardscript.books.acts import list_acts
from referee.cardscript.books.files import CardRegistry
from referee.cardscript.language.located_yaml import LocatedMapping, load_entries
from referee.cardscript.language.primitives import Program
from referee.engine.rulebook.book import KERNEL_RULEBOOK, BookError, Rulebook, Text

CardFileEntry = tuple[str, LocatedMapping]  # the name of the file, and the entry


class CardFace(Protocol):
    """A card's face, which knows its card."""

    @property
    def id(self) -> str:
        """The id of the card."""


F = TypeVar("F", bound=CardFace)


def load_cards(
    folder: Path,
    mechanics: Iterable[str],
    read: Callable[[str, LocatedMapping], F],
    check: Callable[[str, LocatedMapping], None] | None = None,
) -> tuple[list[CardFileEntry], CardRegistry[str, F], tuple[dict[str, Any], ...]]:
    """Return a game's own cards: as entries, as faces, and as readers are shown them.

    Each entry is read after a `check`. Raises BookError, also if a card occurs twice.
    """
    entries = [(file.name, entry) for file in sorted((folder / "cards").glob("*.yaml")) for entry in load_entries(file)]
    faces: CardRegistry[str, F] = CardRegistry()
    for file, entry in entries:
        if check is not None:
            check(file, entry)
        face = read(file, entry)
        if face.id in faces:
            raise BookError(f"{file}:{entry.line}: {face.id} appears twice")
        faces[face.id] = face
    return entries, faces, tuple(describe_card(entry, mechanics) for _, entry in entries)


def register_texts(
    programs: CardRegistry[tuple[str, str], Program],
    entries: Iterable[CardFileEntry],
    read: Callable[[str, LocatedMapping], Mapping[str, Program]],
) -> None:
    """Enter the texts of these entries under card and text. Raises BookError."""
    for file, entry in entries:
        for name, lines in read(file, entry).items():
            programs[entry["id"], name] = lines


def describe_card(entry: Mapping[str, Any], mechanics: Iterable[str]) -> dict[str, Any]:
    """Return a card as readers are shown it.

    It is what its file says; of its texts in the card language (`mechanics`), only what they do in single words.
    """
    texts = tuple(mechanics)
    shown = {key: value for key, value in {"copies": 1, **entry}.items() if key not in texts}
    return {**shown, "acts": list_acts(entry, texts)}


def is_invented(card: Mapping[str, Any]) -> bool:
    """Return whether a game's own card is marked (`sourced`) as no printed one.

    The mark of its name decides, because a card may have a sourced name and numbers of ours. Where a game marks no
    names, all that is on the card has to be ours.
    """
    marks = card.get("sourced", {})
    return {marks["name"]} == {"invented"} if "name" in marks else set(marks.values()) == {"invented"}


@cache
def load_shared_rulebook() -> Rulebook:
    """Return the rulebook of all card games: what they share."""
    return Rulebook.load(Path(__file__).parents[1], base=KERNEL_RULEBOOK)


def load_game_rulebook(
    folder: Path, entries: Iterable[CardFileEntry], words: Mapping[str, Text], places: Mapping[str, Text]
) -> Rulebook:
    """Return the rulebook of a game, on top of that of all card games.

    Its names are those of the rule words, the cards and the places that occur as parameters in texts.
    """
    shared = load_shared_rulebook()
    cards = {entry["id"]: entry["name"] for _, entry in entries}
    return Rulebook.load(folder, base=shared, names={**words, **cards, **places}, quoted_names=cards)
