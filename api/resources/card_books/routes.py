"""Card books: owners' own cards, published once and never changed; and the book that a match is played with."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, g, request

from api.http import endpoint
from api.http.access.authorization import SEE, Args, Caller, Right
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.raw_bodies import sent
from api.http.responses import answer
from api.resources.card_books import schemas as shapes
from api.resources.games.routes import GAME, found
from api.resources.matches.routes import MATCH, operator
from api.resources.webhooks.routes import done, repeated, replayed
from referee.engine.game import Game
from referee.engine.rulebook.editions import plain
from referee.games import games
from referee.games.books import BYTES, CardBook, Misprints
from referee.repository.card_books import NameTaken, ShelfFull, UnknownEdition

BOOKS = f"{GAME}/books"
YAML = "application/yaml"
MEDIA = (YAML, "application/x-yaml", "text/yaml")  # the first by RFC 9512, the others as people write it
FOR_GOOD = "public, max-age=31536000, immutable"
room = Room("books", "Card books: owners' own cards. A published book never changes.")


def _operator(_caller: Caller, _args: Args) -> None:
    if not operator():
        raise Problem("operator-only")


OPERATOR = Right(True, False, _operator, ("operator-only",))


def shown(book: CardBook) -> dict[str, Any]:
    """A book as data, apart from its text."""
    return {
        "book": book.name,
        "edition": book.edition,
        "game": book.game,
        "title": book.title,
        "hash": book.hash,
        "extends": book.extends or None,
        "cards": [card["id"] for card in games()[book.game].cards_of(book.edition) if is_of(book, card["id"])],
        "bytes": len(book.text.encode()),
    }


def is_of(book: CardBook, card: str) -> bool:
    """Whether a card was brought by this book."""
    return card == book.called(plain(card))


def booked(game: str) -> Game:
    """A game that takes card books. Raises Problem."""
    chosen = found(game)
    if not chosen.takes_books:
        raise Problem("no-card-books", params={"game": chosen.name})
    return chosen


@room.call("GET", BOOKS, "listBooks", gives=(200, shapes.BooksSchema), problems=["unknown-game"])
def list_books(game: str) -> Response:
    """The published card books of a game, by name."""
    return answer({"items": [shown(book) for book in endpoint.desk().library.published(found(game))]})


@room.call(
    "GET", f"{BOOKS}/<edition:book>", "getBook", gives=(200, {"type": "string"}), media=(YAML,),
    problems=["unknown-game", "unknown-book"],
)  # fmt: skip
def get_book(game: str, book: str) -> Response:
    """The text of a card book, just as it was published; by its edition or by its name alone."""
    try:
        return text_of(endpoint.desk().library.book(found(game), book))
    except UnknownEdition:
        raise Problem("unknown-book") from None


def text_of(book: CardBook, kept: str = FOR_GOOD) -> Response:
    """The text of a book; 304 if the caller names its hash."""
    response = Response(book.text.encode(), 200, content_type=f"{YAML}; charset=utf-8")
    response.set_etag(book.hash)
    response.headers["Cache-Control"] = kept
    response.headers["Content-Disposition"] = f'inline; filename="{book.name}.yaml"'
    return response.make_conditional(request)


@room.call(
    "POST", BOOKS, "publishBook", OPERATOR, text=YAML, gives=(201, shapes.BookSchema), key=True,
    also=[(200, shapes.BookSchema, "application/json")],
    problems=[
        "unknown-game", "no-card-books", "book-media-type", "book-too-large", "book-malformed", "name-taken",
        "shelf-full", "idempotency-key-reused",
    ],
)  # fmt: skip
def publish_book(game: str) -> Response:
    """Publishes a card book: 201, and 200 if this very text is published already.

    The name of a book stands for its first text for ever; what is wrong with a text is told line by line.
    """
    chosen, key, text = booked(game), endpoint.key(), sent("book", MEDIA, BYTES)
    ask, scope = hashlib.sha256(game.encode() + b"\0" + text).digest(), "books"
    before = repeated(scope, key, ask)
    try:
        book, new = endpoint.desk().library.publish(decoded(text), "book", chosen.name)
    except Misprints as wrong:
        raise Problem("book-malformed", errors=[misprint(each) for each in wrong.wrong]) from None
    except NameTaken as taken:
        raise Problem("name-taken", params={"edition": taken.edition}) from None
    except ShelfFull:
        raise Problem("shelf-full") from None
    done(scope, key, ask)
    headers = {"Location": f"/v1/games/{book.game}/books/{book.edition}"} | replayed(before)
    return answer(shown(book), 201 if new or before else 200, headers=headers)


def misprint(wrong: Any) -> dict[str, Any]:
    """One thing that is wrong with a book, as a problem lists it."""
    told = {"pointer": "", "detail": wrong.detail, "line": wrong.line}
    return told | ({"suggestion": wrong.suggestion} if wrong.suggestion else {})


def decoded(text: bytes) -> str:
    """The text as such. Raises Problem where it is no UTF-8."""
    try:
        return text.decode()
    except UnicodeDecodeError as wrong:
        line = text.count(b"\n", 0, wrong.start) + 1
        error = {"pointer": "", "detail": "what stands here is no UTF-8", "line": line}
        raise Problem("book-malformed", errors=[error]) from None


@room.call(
    "GET", f"{MATCH}/book", "getMatchBook", SEE, gives=(200, {"type": "string"}), media=(YAML,),
    problems=["unknown-book"],
)  # fmt: skip
def get_match_book(match: str) -> Response:
    """The card book that a match is played with; none if it is the game's own cards."""
    table = g.caller.table
    assert table is not None
    assert table.id == match  # as the door has just read it
    book = table.rules.card_book(table.edition)
    if book is None:
        raise Problem("unknown-book")
    return text_of(book, "private, no-cache")
