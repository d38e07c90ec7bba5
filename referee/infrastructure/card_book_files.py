"""Card books in files: read, and those of the host's directory published when the server starts."""

from __future__ import annotations

from pathlib import Path

from referee.eventstore.contract import MatchLog
from referee.games.books import BYTES, CardBook, Misprints, checked
from referee.infrastructure.errors import HostError
from referee.repository.card_books import Library, NameTaken, ShelfFull

ENDINGS = (".yaml", ".yml")


class BadBook(HostError):
    """A book in a file cannot be published; the message names each error with file and line."""


def text_of(path: Path) -> str:
    """The text of a book's file. Raises BadBook."""
    try:
        if path.stat().st_size > BYTES:
            raise BadBook(f"{path.name}:1: a book has up to {BYTES} bytes")
        return path.read_bytes().decode()
    except OSError as wrong:
        raise BadBook(f"{path.name} cannot be read: {wrong.strerror}") from wrong
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        raise BadBook(f"{path.name}:{line}: what stands here is no UTF-8") from wrong


def read(path: Path) -> CardBook:
    """The book in a file, checked with the words of its game. Raises BadBook."""
    try:
        return checked(text_of(path), path.name)
    except Misprints as wrong:
        raise BadBook(in_order(wrong, path.name)) from wrong


def in_order(wrong: Misprints, file: str) -> str:
    """All that is wrong with a book, a line for each, in the order of the file."""
    return "\n".join(f"{file}:{each.line or 1}: {each.detail}" for each in wrong.wrong)


def publish(log: MatchLog, path: Path) -> tuple[CardBook, bool]:
    """Publishes the book in a file, and says whether it was not there before. Raises BadBook."""
    try:
        return Library(log).publish(text_of(path), path.name)
    except Misprints as wrong:
        raise BadBook(in_order(wrong, path.name)) from wrong
    except NameTaken as taken:
        raise BadBook(
            f"{path.name}: a book of this name is published with another text, as {taken.edition}; a published book "
            "never changes: give the new one another name"
        ) from taken
    except ShelfFull as full:
        raise BadBook(f"{path.name}: no more books of {full} are taken") from full


def stock(log: MatchLog, folder: Path) -> tuple[CardBook, ...]:
    """Publishes every book of a directory, the host's shelf, and gives those that are new. Nothing is published unless
    all of them can be read. Raises BadBook with the errors of all files."""
    if not folder.is_dir():
        raise BadBook(f"REFEREE_CARDS_DIR: {folder} is no directory")
    files = sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)
    wrong = []
    for path in files:
        try:
            read(path)
        except BadBook as bad:
            wrong.append(str(bad))
    if wrong:
        raise BadBook("\n".join(wrong))
    published = [publish(log, path) for path in files]
    return tuple(book for book, new in published if new)
