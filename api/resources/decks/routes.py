"""Routes for decks that players keep with their accounts and bring to matches.

No log of a match names them.
"""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from flask import Response

from api.http import context, preconditions
from api.http.access.authorization import ACCOUNT_OWNER
from api.http.encoding.languages import negotiate_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import format_etag, json_response, replay_header
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
blueprint = EndpointBlueprint("decks")


def deck_to_dict(deck: str, version: int, record: bytes) -> dict[str, Any]:
    """Return a deck as its player sees it."""
    kept = orjson.loads(record)
    return {"deck": deck, "version": version, "variant": load_games()[kept["game"]].deck_variant, **kept}


def encode_deck(body: dict[str, Any], edition: str) -> bytes:
    """Return the stored form of a deck."""
    return orjson.dumps({"game": body["game"], "edition": edition, "name": body["name"], "cards": body["cards"]})


def find_edition(game: Game, given: str | None) -> str | None:
    """Return the installed edition that is meant; None if there is none."""
    try:
        return context.get_match_service().repository.library.resolve_edition(game, given or game.newest_edition)
    except UnknownEdition:
        return None


def check_deck(body: dict[str, Any]) -> str:
    """Return the edition of a deck that its game lets a player bring.

    Raises Problem, with everything that is wrong with the deck.
    """
    game, lang = load_games()[body["game"]], negotiate_language()
    if not game.deck_variant:
        text = TABLE_BOOK.render_text("deck.not_brought", lang, game=game.title[lang])
        raise Problem("deck-refused", errors=[{"pointer": "/game", "detail": text}])
    edition = find_edition(game, body.get("edition"))
    errors = []
    if edition is None:
        text = TABLE_BOOK.render_text("deck.no_such_edition", lang, edition=body["edition"], game=game.title[lang])
        errors.append({"pointer": "/edition", "detail": text})
    for at, refused in game.find_deck_refusals(edition, tuple(body["cards"])):
        pointer, ruling = "/cards" if at is None else f"/cards/{at}", refused.ruling
        detail = texts.describe_reason(game, ruling)[lang]
        errors.append({"pointer": pointer, "detail": detail, "clause": ruling.clauses[0]})
    if errors or edition is None:
        raise Problem("deck-refused", errors=errors)
    return edition


def require_deck_version(held: int | None, stands: int) -> None:
    """Check that the deck is at the version that a write is meant for. Raises Problem."""
    if held is not None and held != stands:
        headers = {"ETag": format_etag(stands)} if stands else {}
        raise Problem("stale-deck", params={"held": held}, headers=headers, current_version=stands)


@blueprint.declare(Endpoint("GET", DECKS_PATH, "listDecks", ACCOUNT_OWNER, response=(200, shapes.DecksSchema)))
def list_decks(player: str) -> Response:
    """List all decks of a player; only the player may."""
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
    """Return a deck; only its player may see it.

    The move that brings a deck to a match takes its `cards`.
    """
    kept = require_deck(player, deck)
    return json_response(deck_to_dict(deck, kept.version, kept.record), version=kept.version)


def require_deck(player: str, deck: str) -> Deck:
    """Return a deck if it exists. Raises Problem."""
    kept = context.get_match_service().log.find_deck(player, deck)
    if kept is None:
        raise Problem("unknown-deck")
    return kept


@blueprint.declare(
    Endpoint(
        "PUT",
        DECK_PATH,
        "setDeck",
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
    """Store a deck under this id, and replace the one that was there.

    A deck that could not be brought to a match is refused. `If-Match: "v0"` requires that there is none yet. A repeated
    request gets the first answer again.
    """
    key, log, request_hash = (
        preconditions.require_idempotency_key(),
        context.get_match_service().log,
        hashlib.sha256(encode_canonical([deck, body])).digest(),
    )
    stored = log.find_deck_write(player, key)
    if stored is not None:
        return deck_written_response(body, deck, stored[1], again=True, same=stored[0] == request_hash)
    held, stands = preconditions.parse_if_match(False), log.find_deck(player, deck)
    require_deck_version(held, 0 if stands is None else stands.version)
    record = encode_deck(body, check_deck(body))
    put = log.put_deck(player, deck, key, request_hash, record, KEPT_MS, shapes.MOST_DECKS, held)
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
    """Return the answer to a write that made this version.

    Raises Problem if the key belongs to another request.
    """
    if not same:
        raise Problem("idempotency-key-reused")
    edition = find_edition(load_games()[body["game"]], body.get("edition"))
    assert edition is not None  # it existed when the deck was stored, and editions are never removed
    headers = replay_header(again)
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
    """Delete a deck. Matches to which it was brought keep their cards."""
    held = preconditions.parse_if_match(False)
    dropped = context.get_match_service().log.drop_deck(player, deck, held)
    if dropped.status is DeckWriteStatus.GONE:
        raise Problem("unknown-deck")
    if dropped.status is DeckWriteStatus.STALE:
        require_deck_version(held, dropped.version)
    return Response(status=204)
