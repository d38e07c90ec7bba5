"""Card books in files. Those of the host's directory are published at the start."""

from __future__ import annotations

from pathlib import Path

from referee.cardscript.books.files import MAX_BOOK_BYTES
from referee.engine.rulebook.editions import CardBook, CardBookError
from referee.eventstore.contract import MatchLog
from referee.games.books import check_book_text
from referee.infrastructure.errors import HostError
from referee.rendering.input_errors import translate_input_error
from referee.repository.card_books import CardBookLimitReached, CardBookNameConflict, CardBookRepository

BOOK_SUFFIXES = (".yaml", ".yml")
NAME_TAKEN = (
    "a book of this name is published with another text, as {edition}; a published book never changes: give the new "
    "one another name"
)


class CardBookFileError(HostError):
    """A book in a file cannot be published; the message names each error and its line."""


def read_book_text(path: Path, lang: str = "en") -> str:
    """Return the text of a book's file.

    Raises CardBookFileError, which says in a language what is wrong.
    """
    try:
        if path.stat().st_size > MAX_BOOK_BYTES:
            detail = translate_input_error(f"a book can have at most {MAX_BOOK_BYTES} bytes", lang)
            raise CardBookFileError(f"{path.name}:1: {detail}")
        return path.read_bytes().decode()
    except OSError as wrong:
        detail = translate_input_error(f"{path.name} cannot be read: {wrong.strerror}", lang)
        raise CardBookFileError(detail) from wrong
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        detail = translate_input_error("what stands here is no UTF-8", lang)
        raise CardBookFileError(f"{path.name}:{line}: {detail}") from wrong


def read_book(path: Path, lang: str = "en") -> CardBook:
    """Return the book in a file, checked against the vocabulary of its game.

    Raises CardBookFileError, which says in a language what is wrong.
    """
    try:
        return check_book_text(read_book_text(path, lang), path.name)
    except CardBookError as wrong:
        raise CardBookFileError(render_errors(wrong, path.name, lang)) from wrong


def render_errors(wrong: CardBookError, file: str, lang: str = "en") -> str:
    """Return all errors of a book, a line for each, in the order of the file."""
    return "\n".join(f"{file}:{each.line or 1}: {translate_input_error(each.detail, lang)}" for each in wrong.problems)


def publish_book(log: MatchLog, path: Path, lang: str = "en") -> tuple[CardBook, bool]:
    """Publish the book in a file, and return it and whether it is new.

    Raises CardBookFileError, which says in a language what is wrong.
    """
    try:
        return CardBookRepository(log).publish_book(read_book_text(path, lang), path.name)
    except CardBookError as wrong:
        raise CardBookFileError(render_errors(wrong, path.name, lang)) from wrong
    except CardBookNameConflict as taken:
        detail = translate_input_error(NAME_TAKEN.format(edition=taken.edition), lang)
        raise CardBookFileError(f"{path.name}: {detail}") from taken
    except CardBookLimitReached as full:
        detail = translate_input_error(f"no more books of {full} are taken", lang)
        raise CardBookFileError(f"{path.name}: {detail}") from full


def publish_books(log: MatchLog, folder: Path) -> tuple[CardBook, ...]:
    """Publish every book of the host's directory, and return those that are new.

    Nothing is published unless all of them can be read. Raises CardBookFileError with the errors of all files.
    """
    if not folder.is_dir():
        raise CardBookFileError(f"REFEREE_CARDS_DIR: {folder} is no directory")
    files = sorted(path for path in folder.iterdir() if path.suffix in BOOK_SUFFIXES)
    wrong = []
    for path in files:
        try:
            if CardBookRepository(log).find_same_book(read_book_text(path)) is None:
                read_book(path)
        except CardBookFileError as bad:
            wrong.append(str(bad))
    if wrong:
        raise CardBookFileError("\n".join(wrong))
    published = [publish_book(log, path) for path in files]
    return tuple(book for book, new in published if new)
