"""Decks that a player has made, kept with the account for matches to which decks are brought. No match is told."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from flask import Response

from api.http import context, preconditions
from api.http.access.authorization import ACCOUNT_OWNER
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem, negotiate_language
from api.http.responses import format_etag, json_response
from api.resources.decks import schemas as shapes
from api.resources.players.routes import KEPT_MS, PLAYER_PATH
from referee.engine.codec import encode_canonical
from referee.engine.game import Game
from referee.eventstore.decks import Deck, DeckWriteStatus
from referee.games import load_games
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import texts
from referee.repository.card_books import UnknownEdition

DECKS_PATH = f"{PLAYER_PATH}/decks"
DECK_PATH = f"{DECKS_PATH}/<deck:deck>"
blueprint = EndpointBlueprint(
    "decks", "Decks that players have made. Their own secret: nobody else is told even whether there are any."
)


def deck_to_dict(deck: str, version: int, record: bytes) -> dict[str, Any]:
    """A deck as its player sees it."""
    kept = orjson.loads(record)
    return {"deck": deck, "version": version, "variant": load_games()[kept["game"]].deck_variant, **kept}


def encode_deck(body: dict[str, Any], edition: str) -> bytes:
    """What is kept of a deck."""
    return orjson.dumps({"game": body["game"], "edition": edition, "name": body["name"], "cards": body["cards"]})


def find_edition(game: Game, given: str | None) -> str | None:
    """The edition that is meant, installed; None if there is none such."""
    try:
        return context.get_match_service().repository.library.resolve_edition(game, given or "")
    except UnknownEdition:
        return None


def check_deck(body: dict[str, Any]) -> str:
    """The edition of a deck that its game would let a player bring. Raises ProblemError with all that is against it."""
    game, lang = load_games()[body["game"]], negotiate_language()
    if not game.deck_variant:
        said = TABLE_BOOK.render_text("deck.not_brought", lang, game=game.title[lang])
        raise Problem("deck-refused", errors=[{"pointer": "/game", "detail": said}])
    edition = find_edition(game, body.get("edition"))
    errors = []
    if edition is None:
        said = TABLE_BOOK.render_text("deck.no_such_edition", lang, edition=body["edition"], game=game.title[lang])
        errors.append({"pointer": "/edition", "detail": said})
    for at, refused in game.find_deck_refusals(edition, tuple(body["cards"])):
        pointer, ruling = "/cards" if at is None else f"/cards/{at}", refused.ruling
        detail = texts.describe_reason(game, ruling)[lang]
        errors.append({"pointer": pointer, "detail": detail, "clause": ruling.clauses[0]})
    if errors or edition is None:
        raise Problem("deck-refused", errors=errors)
    return edition


def require_deck_version(held: int | None, stands: int) -> None:
    """Raises ProblemError unless the deck is at the version that a write is meant for."""
    if held is not None and held != stands:
        headers = {"ETag": format_etag(stands)} if stands else {}
        raise Problem("stale-deck", params={"held": held}, headers=headers, current_version=stands)


@blueprint.declare(Endpoint("GET", DECKS_PATH, "listDecks", ACCOUNT_OWNER, response=(200, shapes.DecksSchema)))
def list_decks(player: str) -> Response:
    """All decks of a player, for their owner."""
    found = sorted(context.get_match_service().log.read_decks(player).items())
    return json_response({"items": [deck_to_dict(name, kept.version, kept.record) for name, kept in found]})


@blueprint.declare(
    Endpoint(
        "GET",
        DECK_PATH,
        "getDeck",
        ACCOUNT_OWNER,
        response=(200, shapes.DeckSchema),
        problems=["unknown-deck"],
        etag=True,
    )
)
def get_deck(player: str, deck: str) -> Response:
    """A deck, for its owner. Its cards are what the move that brings a deck takes."""
    kept = require_deck(player, deck)
    return json_response(deck_to_dict(deck, kept.version, kept.record), version=kept.version)


def require_deck(player: str, deck: str) -> Deck:
    """A deck that is there. Raises ProblemError."""
    kept = context.get_match_service().log.find_deck(player, deck)
    if kept is None:
        raise Problem("unknown-deck")
    return kept


@blueprint.declare(
    Endpoint(
        "PUT",
        DECK_PATH,
        "putDeck",
        ACCOUNT_OWNER,
        body=shapes.DeckBody,
        response=(200, shapes.DeckSchema),
        key=True,
        etag=True,
        precondition="allowed",
        problems=["deck-refused", "deck-limit", "stale-deck", "idempotency-key-reused"],
    )
)
def put_deck(body: dict[str, Any], player: str, deck: str) -> Response:
    """Keeps a deck under this id, in place of what stood there. One that could not be brought to a match is refused.

    `If-Match: "v0"` insists that there is none yet. A repeated request gets the first answer again.
    """
    key, log, command = (
        preconditions.require_idempotency_key(),
        context.get_match_service().log,
        hashlib.sha256(encode_canonical([deck, body])).digest(),
    )
    known = log.find_deck_write(player, key)
    if known is not None:
        return deck_written_response(body, deck, known[1], again=True, same=known[0] == command)
    held, stands = preconditions.parse_if_match(False), log.find_deck(player, deck)
    require_deck_version(held, 0 if stands is None else stands.version)
    record = encode_deck(body, check_deck(body))
    put = log.put_deck(player, deck, key, command, record, KEPT_MS, shapes.MOST_DECKS, held)
    if put.status is DeckWriteStatus.GONE:
        raise Problem("unauthorized")
    if put.status is DeckWriteStatus.FULL:
        raise Problem("deck-limit", params={"most": shapes.MOST_DECKS})
    if put.status is DeckWriteStatus.STALE:
        require_deck_version(held, put.version)
    return deck_written_response(
        body, deck, put.version, again=put.status is DeckWriteStatus.DUP, same=put.status is not DeckWriteStatus.REUSED
    )


def deck_written_response(body: dict[str, Any], deck: str, version: int, *, again: bool, same: bool) -> Response:
    """The answer to a write that made this version. Raises ProblemError if the key stands for another one."""
    if not same:
        raise Problem("idempotency-key-reused")
    edition = find_edition(load_games()[body["game"]], body.get("edition"))
    assert edition is not None  # it was there when the deck was put, and editions stay
    headers = {"Idempotency-Replayed": "true"} if again else {}
    return json_response(deck_to_dict(deck, version, encode_deck(body, edition)), version=version, headers=headers)


@blueprint.declare(
    Endpoint(
        "DELETE",
        DECK_PATH,
        "deleteDeck",
        ACCOUNT_OWNER,
        response=(204, None),
        precondition="allowed",
        problems=["unknown-deck", "stale-deck"],
    )
)
def delete_deck(player: str, deck: str) -> Response:
    """Forgets a deck. Matches to which it was brought keep their cards."""
    held = preconditions.parse_if_match(False)
    dropped = context.get_match_service().log.drop_deck(player, deck, held)
    if dropped.status is DeckWriteStatus.GONE:
        raise Problem("unknown-deck")
    if dropped.status is DeckWriteStatus.STALE:
        require_deck_version(held, dropped.version)
    return Response(status=204)
