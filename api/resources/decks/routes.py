"""Decks that a player has made, kept with the account for matches to which decks are brought. No match is told."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from flask import Response

from api.http import endpoint
from api.http.access.authorization import SELF
from api.http.endpoint import Room
from api.http.problems import Problem, language
from api.http.responses import answer, etag
from api.resources.decks import schemas as shapes
from api.resources.players.routes import KEPT_MS, ONE
from referee.engine.codec import canonical
from referee.engine.game import Game
from referee.eventstore.decks import Deck, Put
from referee.games import games
from referee.match.rulebook import TABLE
from referee.rendering import texts
from referee.repository.card_books import UnknownEdition

DECKS = f"{ONE}/decks"
DECK = f"{DECKS}/<deck:deck>"
room = Room("decks", "Decks that players have made. Their own secret: nobody else is told even whether there are any.")


def shown(deck: str, version: int, record: bytes) -> dict[str, Any]:
    """A deck as its player sees it."""
    kept = orjson.loads(record)
    return {"deck": deck, "version": version, "variant": games()[kept["game"]].deck_variant, **kept}


def recorded(body: dict[str, Any], edition: str) -> bytes:
    """What is kept of a deck."""
    return orjson.dumps({"game": body["game"], "edition": edition, "name": body["name"], "cards": body["cards"]})


def edition_of(game: Game, given: str | None) -> str | None:
    """The edition that is meant, installed; None if there is none such."""
    try:
        return endpoint.desk().library.edition(game, given or "")
    except UnknownEdition:
        return None


def checked(body: dict[str, Any]) -> str:
    """The edition of a deck that its game would let a player bring. Raises Problem with all that is against it."""
    game, lang = games()[body["game"]], language()
    if not game.deck_variant:
        said = TABLE.text("deck.not_brought", lang, game=game.title[lang])
        raise Problem("deck-refused", errors=[{"pointer": "/game", "detail": said}])
    edition = edition_of(game, body.get("edition"))
    errors = []
    if edition is None:
        said = TABLE.text("deck.no_such_edition", lang, edition=body["edition"], game=game.title[lang])
        errors.append({"pointer": "/edition", "detail": said})
    for at, refused in game.deck_refusals(edition, tuple(body["cards"])):
        pointer, ruling = "/cards" if at is None else f"/cards/{at}", refused.ruling
        detail = texts.reason(game, ruling)[lang]
        errors.append({"pointer": pointer, "detail": detail, "clause": ruling.clauses[0]})
    if errors or edition is None:
        raise Problem("deck-refused", errors=errors)
    return edition


def fresh(held: int | None, stands: int) -> None:
    """Raises Problem unless the deck is at the version that a write is meant for."""
    if held is not None and held != stands:
        headers = {"ETag": etag(stands)} if stands else {}
        raise Problem("stale-deck", params={"held": held}, headers=headers, current_version=stands)


@room.call("GET", DECKS, "listDecks", SELF, gives=(200, shapes.DecksSchema))
def list_decks(player: str) -> Response:
    """All decks of a player, for their owner."""
    found = sorted(endpoint.desk().log.decks(player).items())
    return answer({"items": [shown(name, kept.version, kept.record) for name, kept in found]})


@room.call("GET", DECK, "getDeck", SELF, gives=(200, shapes.DeckSchema), problems=["unknown-deck"], etag=True)
def get_deck(player: str, deck: str) -> Response:
    """A deck, for its owner. Its cards are what the move that brings a deck takes."""
    kept = there(player, deck)
    return answer(shown(deck, kept.version, kept.record), version=kept.version)


def there(player: str, deck: str) -> Deck:
    """A deck that is there. Raises Problem."""
    kept = endpoint.desk().log.deck(player, deck)
    if kept is None:
        raise Problem("unknown-deck")
    return kept


@room.call(
    "PUT", DECK, "putDeck", SELF, body=shapes.DeckBody, gives=(200, shapes.DeckSchema), key=True, etag=True,
    precondition="allowed", problems=["deck-refused", "deck-limit", "stale-deck", "idempotency-key-reused"],
)  # fmt: skip
def put_deck(body: dict[str, Any], player: str, deck: str) -> Response:
    """Keeps a deck under this id, in place of what stood there. One that could not be brought to a match is refused.

    `If-Match: "v0"` insists that there is none yet. A repeated request gets the first answer again.
    """
    key, log, ask = endpoint.key(), endpoint.desk().log, hashlib.sha256(canonical([deck, body])).digest()
    known = log.deck_put(player, key)
    if known is not None:
        return done(body, deck, known[1], again=True, same=known[0] == ask)
    held, stands = endpoint.precondition(False), log.deck(player, deck)
    fresh(held, 0 if stands is None else stands.version)
    record = recorded(body, checked(body))
    put = log.put_deck(player, deck, key, ask, record, KEPT_MS, shapes.MOST_DECKS, held)
    if put.answer is Put.GONE:
        raise Problem("unauthorized")
    if put.answer is Put.FULL:
        raise Problem("deck-limit", params={"most": shapes.MOST_DECKS})
    if put.answer is Put.STALE:
        fresh(held, put.version)
    return done(body, deck, put.version, again=put.answer is Put.DUP, same=put.answer is not Put.REUSED)


def done(body: dict[str, Any], deck: str, version: int, *, again: bool, same: bool) -> Response:
    """The answer to a write that made this version. Raises Problem if the key stands for another one."""
    if not same:
        raise Problem("idempotency-key-reused")
    edition = edition_of(games()[body["game"]], body.get("edition"))
    assert edition is not None  # it was there when the deck was put, and editions stay
    headers = {"Idempotency-Replayed": "true"} if again else {}
    return answer(shown(deck, version, recorded(body, edition)), version=version, headers=headers)


@room.call(
    "DELETE", DECK, "deleteDeck", SELF, gives=(204, None), precondition="allowed",
    problems=["unknown-deck", "stale-deck"],
)  # fmt: skip
def delete_deck(player: str, deck: str) -> Response:
    """Forgets a deck. Matches to which it was brought keep their cards."""
    held = endpoint.precondition(False)
    dropped = endpoint.desk().log.drop_deck(player, deck, held)
    if dropped.answer is Put.GONE:
        raise Problem("unknown-deck")
    if dropped.answer is Put.STALE:
        fresh(held, dropped.version)
    return Response(status=204)
