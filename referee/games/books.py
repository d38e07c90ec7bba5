"""Card books of any game: read them and check them with the words of their game."""

from __future__ import annotations

from referee.cardscript.books.files import MAX_BOOK_BYTES, parse_book, parse_book_leniently
from referee.cardscript.books.idle_texts import find_idle_texts
from referee.cardscript.books.number_ranges import find_odd_numbers
from referee.cardscript.game import CardGame
from referee.engine.rulebook.editions import CardBook, CardBookError
from referee.engine.rulings import MAX_ERRORS
from referee.games import load_games

__all__ = [
    "MAX_BOOK_BYTES",
    "CardBook",
    "CardBookError",
    "check_book_text",
    "games_with_card_books",
    "install_book_text",
    "read_book_name",
]


def games_with_card_books() -> tuple[str, ...]:
    """Return the names of the games that take card books."""
    return tuple(name for name, game in load_games().items() if game.accepts_card_books)


def read_book_name(text: str) -> tuple[str, str]:
    """Return the game and the name of the book in a text.

    Both are empty if it cannot be read.
    """
    try:
        book = parse_book_leniently(text, "book", games_with_card_books())[0]
    except CardBookError:
        return "", ""
    return (book.game, book.name) if book.game in games_with_card_books() else ("", "")


def check_book_text(text: str, file: str = "book", game: str = "") -> CardBook:
    """Return the book in a text, checked by its game but not installed.

    Texts that do nothing and numbers out of their range are errors here only, so that an edition which holds one is
    read as before.

    `game`: the game that the book must be for. Empty: any. Raises CardBookError with all errors.
    """
    book, findings = parse_book_leniently(text, file, games_with_card_books())
    if len(findings.errors) > MAX_ERRORS:
        findings.raise_collected()  # nobody mends more at once, and the game would find as many again
    if book.game in games_with_card_books():
        if game and book.game != game:
            findings.errors.append(f"{file}:1: this is a book of {book.game}, not of {game}")
        with findings.collect_error():
            load_games()[book.game].parse_card_book(book)
    if isinstance(played := load_games().get(book.game), CardGame):
        wrong_lines = {str(each).split(": ")[0] for each in findings.errors}
        found = find_odd_numbers(book, played.library.vocabulary.ranges)
        findings.errors += [each for each in found if each.split(": ")[0] not in wrong_lines]
        if not findings.errors:
            findings.errors += find_idle_texts(book, frozenset(name for _, name in played.library.programs))
    findings.raise_collected()
    return book


def install_book_text(text: str, file: str = "book") -> CardBook:
    """Install the book in a text, so that matches can use it in this process.

    Return the book. Raises CardBookError.
    """
    book = parse_book(text, file, games_with_card_books())
    load_games()[book.game].install_card_book(book)
    return book
