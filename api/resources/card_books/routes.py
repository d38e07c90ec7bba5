"""Routes to publish and read card books, also the one a match is played with."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, g, request

from api.http import context, preconditions
from api.http.access import admission
from api.http.access.authorization import MATCH_VIEWER, Caller, PathArguments, Permission
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.raw_bodies import read_raw_body
from api.http.responses import json_response, replay_header
from api.http.schemas.paging import next_link_header
from api.resources.card_books import schemas as shapes
from api.resources.games.routes import GAME_PATH, require_game
from api.resources.matches.routes import MATCH_PATH
from api.resources.webhooks.routes import is_repeated_request, remember_request
from referee.cardscript.books.files import MAX_BOOK_BYTES
from referee.engine.game import Game
from referee.engine.rulebook.editions import CardBook, CardBookError, strip_edition
from referee.games import load_games
from referee.repository.card_books import CardBookLimitReached, CardBookNameConflict, UnknownEdition

BOOKS_PATH = f"{GAME_PATH}/books"
YAML = "application/yaml"
BOOK_MEDIA_TYPES = (YAML, "application/x-yaml", "text/yaml")  # the first by RFC 9512, the others by custom
CACHE_FOREVER = "public, max-age=31536000, immutable"
blueprint = EndpointBlueprint("books", tag="card-books")


def _require_operator(_caller: Caller, _args: PathArguments) -> None:
    if not admission.is_operator():
        raise Problem("operator-only")


OPERATOR = Permission(True, False, _require_operator, ("operator-only",))


def book_to_dict(book: CardBook) -> dict[str, Any]:
    """Return a book as data, without its text."""
    own = {entry["id"] for entry in book.entries}  # all challenges are one card, which keeps its name in every book
    return {
        "book": book.name,
        "edition": book.edition,
        "game": book.game,
        "title": book.title,
        "hash": book.hash,
        "extends": book.extends or None,
        "cards": [
            card["id"]
            for card in load_games()[book.game].cards_of_edition(book.edition)
            if is_from_book(book, card["id"]) or card["id"] in own
        ],
        "bytes": len(book.text.encode()),
    }


def is_from_book(book: CardBook, card: str) -> bool:
    """Return whether this book brought the card."""
    return card == book.card_id(strip_edition(card))


def require_book_game(game: str) -> Game:
    """Return the game if it takes card books. Raises Problem."""
    chosen = require_game(game)
    if not chosen.accepts_card_books:
        raise Problem("no-card-books", params={"game": chosen.name})
    return chosen


@blueprint.declare(
    Endpoint(
        "GET",
        BOOKS_PATH,
        "listBooks",
        query=shapes.BooksQuery,
        response=(200, shapes.BooksSchema),
        problems=["unknown-game"],
    )
)
def list_books(query: dict[str, Any], game: str) -> Response:
    """List the published card books of a game, by name."""
    found = context.get_match_service().repository.library.list_books(require_game(game))
    rest = [book for book in found if book.name > query.get("after", "")]
    page = rest[: query["limit"]]
    cursor = page[-1].name if len(rest) > len(page) else None
    body = {"items": [book_to_dict(book) for book in page], "next_cursor": cursor}
    return json_response(body, headers=next_link_header(cursor))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{BOOKS_PATH}/<edition:book>",
        "getBook",
        response=(200, {"type": "string"}),
        media=(YAML,),
        etag=True,
        file=True,
        problems=["unknown-game", "unknown-book"],
    )
)
def get_book(game: str, book: str) -> Response:
    """Return the text of a card book exactly as it was published.

    It is named by its edition, or by its name alone.
    """
    try:
        return book_text_response(context.get_match_service().repository.library.find_book(require_game(game), book))
    except UnknownEdition:
        raise Problem("unknown-book") from None


def book_text_response(book: CardBook, kept: str = CACHE_FOREVER) -> Response:
    """Return a response with the text of a book, or 304 if the request names its hash."""
    response = Response(book.text.encode(), 200, content_type=f"{YAML}; charset=utf-8")
    response.set_etag(book.hash)
    response.headers["Cache-Control"] = kept
    response.headers["Content-Disposition"] = f'inline; filename="{book.name}.yaml"'
    response.make_conditional(request)
    return response


@blueprint.declare(
    Endpoint(
        "POST",
        BOOKS_PATH,
        "publishBook",
        OPERATOR,
        text=YAML,
        response=(201, shapes.BookSchema),
        key=True,
        location=True,
        other_responses=[(200, shapes.BookSchema, "application/json")],
        problems=[
            "unknown-game",
            "no-card-books",
            "book-media-type",
            "book-too-large",
            "book-malformed",
            "name-taken",
            "shelf-full",
            "idempotency-key-reused",
        ],
    )
)
def publish_book(game: str) -> Response:
    """Publish a card book: 201, or 200 if this same text is already published.

    The name of a book stands for its first text for ever. Errors in a text are listed line by line.
    """
    chosen, key, text = (
        require_book_game(game),
        preconditions.require_idempotency_key(),
        read_raw_body("book", BOOK_MEDIA_TYPES, MAX_BOOK_BYTES),
    )
    request_hash, scope = hashlib.sha256(game.encode() + b"\0" + text).digest(), "books"
    before = is_repeated_request(scope, key, request_hash)
    try:
        book, new = context.get_match_service().repository.library.publish_book(
            decode_book_text(text), "book", chosen.name
        )
    except CardBookError as wrong:
        raise Problem("book-malformed", errors=[book_error_to_dict(each) for each in wrong.problems]) from None
    except CardBookNameConflict as taken:
        raise Problem("name-taken", params={"edition": taken.edition}) from None
    except CardBookLimitReached:
        raise Problem("shelf-full") from None
    remember_request(scope, key, request_hash)
    headers = {"Location": f"/v1/games/{book.game}/books/{book.edition}"} | replay_header(before)
    return json_response(book_to_dict(book), 201 if new or before else 200, headers=headers)


def book_error_to_dict(wrong: Any) -> dict[str, Any]:
    """Return an error in a book as a problem lists it."""
    error = {"pointer": "", "detail": wrong.detail, "line": wrong.line}
    return error | ({"suggestion": wrong.suggestion} if wrong.suggestion else {})


def decode_book_text(text: bytes) -> str:
    """Return the text of a body. Raises Problem if it is not UTF-8."""
    try:
        return text.decode()
    except UnicodeDecodeError as wrong:
        line = text.count(b"\n", 0, wrong.start) + 1
        error = {"pointer": "", "detail": "what stands here is no UTF-8", "line": line}
        raise Problem("book-malformed", errors=[error]) from None


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/book",
        "getMatchBook",
        MATCH_VIEWER,
        response=(200, {"type": "string"}),
        media=(YAML,),
        etag=True,
        file=True,
        problems=["unknown-book"],
    )
)
def get_match_book(match: str) -> Response:
    """Return the card book that a match is played with.

    There is none if the match uses the game's own cards.
    """
    table = g.caller.table
    assert table is not None
    assert table.id == match  # as admission has just read it
    book = table.rules.find_card_book(table.edition)
    if book is None:
        raise Problem("unknown-book")
    return book_text_response(book, "private, no-cache")
