"""Games: what is in the box, the book, the cards. All of it is data that changes only with a release."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response

import referee
from api.http import endpoint
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer
from api.http.schemas.polymorphic import component, first_paragraph, members
from api.resources.games import schemas as shapes
from referee.engine.game import Game
from referee.engine.rulebook.book import Book, Clause, read_yaml
from referee.games import games
from referee.match.rulebook import TABLE
from referee.repository.card_books import UnknownEdition

GAME = "/v1/games/<name:game>"
BOTS: list[dict[str, Any]] = read_yaml(Path(__file__).parent / "bots.yaml")
RECORD = Path(referee.__file__).parent / "coverage.json"  # which tests exercise which clause, written by a test run
Cards = tuple[dict[str, Any], ...]
room = Room("games", "The boxes: rules as numbered clauses, cards, positions.")


def found(name: str) -> Game:
    """The game of that name. Raises Problem."""
    if name not in games():
        raise Problem("unknown-game")
    return games()[name]


@room.call("GET", "/v1/games", "listGames", gives=(200, shapes.BoxesSchema))
def list_games() -> Response:
    """Every game that is refereed here."""
    return answer({"items": [box(game) for game in games().values()]})


@room.call("GET", GAME, "getGame", gives=(200, shapes.BoxSchema), problems=["unknown-game"])
def get_game(game: str) -> Response:
    """One box."""
    return answer(box(found(game)))


def box(game: Game) -> dict[str, Any]:
    """A game as data."""
    return {
        "name": game.name,
        "title": game.title,
        "prefix": game.prefix,
        "variants": list(game.variants),
        "deck_variant": game.deck_variant or None,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "edition": game.edition,
        "editions": list(endpoint.desk().library.editions(game)),
        "ruleset": game.ruleset,
        "rulesets": {name: dict(chosen) for name, chosen in game.rulesets.items()},
        "readings": {clause: len(known) for clause, known in game.readings.items()},
        "devices": list(game.devices),
        "windows": list(game.windows),
        "settings": game.settings,
        "moves": [
            {
                "type": kind.TAG,
                "description": first_paragraph(kind),
                "clauses": list(kind.clauses),
                "schema": {"$ref": f"/openapi.json#/components/schemas/{component(kind.TAG)}Move"},
            }
            for kind in game.moves
            if kind.TAG in members(game.moves)
        ],
    }


@cache
def tested() -> dict[str, list[str]]:
    """The tests of each clause, as the record says; none without a record."""
    if not RECORD.exists():
        return {}
    record: dict[str, list[str]] = json.loads(RECORD.read_text("utf-8"))["clauses"]
    return record


def clauses(game: Game) -> list[Clause]:
    """The clauses of a game, then the table's and the kernel's, which hold in every game."""
    listed: list[Clause] = []
    book: Book | None = game.book
    while book is not None and book is not TABLE.base:
        listed += book.clauses.values()
        book = book.base
    return [*listed, *TABLE.clauses.values(), *(TABLE.base.clauses.values() if TABLE.base else ())]


def others(game: Game, clause: Clause) -> list[dict[str, Any]]:
    """The other readings of a clause that can be chosen, as data."""
    known = game.readings.get(clause.reads or clause.id, ())
    return [
        {
            "reading": each.number,
            "id": each.name,
            "says": each.says or None,
            "why": each.why or None,
            "setting": {"name": each.setting, "value": each.value} if each.setting else None,
        }
        for each in known
        if (each.number > 1 if each.setting else each.name != clause.id)
    ]


def shown(game: Game, clause: Clause, cards: Cards) -> dict[str, Any]:
    """A clause as data, with those of some cards that rest on it and the tests that exercise it."""
    return {
        "id": clause.id,
        "chapter": clause.chapter,
        "found": clause.found,
        "says": clause.says,
        "reading": clause.reading,
        "number": clause.number,
        "other_readings": others(game, clause),
        "variant": clause.variant,
        "players_duty": clause.players_duty,
        "open": clause.open,
        "why": clause.why,
        "cards": [card["id"] for card in cards if clause.id in card.get("clauses", ())],
        "tests": tested().get(clause.id, []),
    }


def of_chapter(listed: Iterable[Clause], chapter: str | None) -> list[Clause]:
    """Those of a chapter, named in either language; all if none is named."""
    if chapter is None:
        return list(listed)
    return [c for c in listed if chapter.casefold() in (name.casefold() for name in c.chapter.values())]


@room.call(
    "GET", f"{GAME}/rulebook", "getRulebook", query=shapes.BookQuery, gives=(200, shapes.RulebookSchema),
    problems=["unknown-game"],
)  # fmt: skip
def get_rulebook(query: dict[str, Any], game: str) -> Response:
    """The book of a game: chapters, and their clauses in order."""
    chosen = found(game)
    of, chapters = edition(chosen, query), dict[str, dict[str, Any]]()
    cards = chosen.cards_of(of)
    for clause in of_chapter(clauses(chosen), query.get("chapter")):
        name = clause.chapter.get("en", "")
        of_name = chapters.setdefault(name, {"chapter": clause.chapter, "items": []})
        of_name["items"].append(shown(chosen, clause, cards))
    return answer({"game": game, "edition": of, "chapters": list(chapters.values())})


@room.call(
    "GET", f"{GAME}/clauses", "listClauses", query=shapes.ClauseQuery, gives=(200, shapes.ClausesSchema),
    problems=["unknown-game"],
)  # fmt: skip
def list_clauses(query: dict[str, Any], game: str) -> Response:
    """Clauses that hold these words, stand in this chapter, or bear this card."""
    chosen = found(game)
    wanted, card = query.get("q", "").casefold(), query.get("card")
    cards = chosen.cards if card is None else chosen.cards_of(edition_of(chosen, card))
    items = [shown(chosen, clause, cards) for clause in of_chapter(clauses(chosen), query.get("chapter"))]
    items = [each for each in items if wanted in " ".join((each["id"], *each["says"].values())).casefold()]
    return answer({"items": [each for each in items if card is None or card in each["cards"]]})


@room.call(
    "GET", f"{GAME}/clauses/<word:clause>", "getClause", gives=(200, shapes.ClauseSchema),
    problems=["unknown-game", "unknown-clause"],
)  # fmt: skip
def get_clause(game: str, clause: str) -> Response:
    """One clause."""
    chosen = found(game)
    for each in clauses(chosen):
        if each.id == clause:
            return answer(shown(chosen, each, chosen.cards))
    raise Problem("unknown-clause")


@room.call(
    "GET", f"{GAME}/cards", "listCards", query=shapes.CardQuery, gives=(200, shapes.CardsSchema),
    problems=["unknown-game"],
)  # fmt: skip
def list_cards(query: dict[str, Any], game: str) -> Response:
    """The cards of the box, in our own words."""
    chosen = found(game)
    wanted, kind = query.get("q", "").casefold(), query.get("kind")
    items = [card for card in chosen.cards_of(edition(chosen, query)) if kind is None or card.get("kind") == kind]
    return answer({"items": [card for card in items if wanted in in_words(card).casefold()]})


def in_words(card: dict[str, Any]) -> str:
    """Everything of a card that can be searched."""
    return " ".join((card["id"], *card["name"].values(), *(card.get("text") or {}).values()))


@room.call(
    "GET", f"{GAME}/cards/<edition:card>", "getCard", gives=(200, {"type": "object", "required": ["id", "name"]}),
    problems=["unknown-game", "unknown-card"],
)  # fmt: skip
def get_card(game: str, card: str) -> Response:
    """One card; one of a card book is called by its full name."""
    chosen = found(game)
    for each in chosen.cards_of(edition_of(chosen, card)):
        if each["id"] == card:
            return answer(each)
    raise Problem("unknown-card")


@room.call("GET", f"{GAME}/coverage", "getCoverage", gives=(200, shapes.CoverageSchema), problems=["unknown-game"])
def get_coverage(game: str) -> Response:
    """Which clauses tests exercise, which are the players' own duty, and which cards rest on them."""
    chosen = found(game)
    listed = [shown(chosen, clause, chosen.cards) for clause in clauses(chosen)]
    return answer(
        {
            "game": game,
            "clauses": len(listed),
            "tested": sum(bool(each["tests"]) for each in listed),
            "players_duty": sum(each["players_duty"] for each in listed),
            "cards": len(chosen.cards),
            "items": [{key: each[key] for key in ("id", "tests", "players_duty", "cards")} for each in listed],
        }
    )


@room.call("GET", f"{GAME}/bots", "listBots", gives=(200, shapes.BotsSchema), problems=["unknown-game"])
def list_bots(game: str) -> Response:
    """The levels of bots, and what each looks at."""
    found(game)
    return answer({"items": [measured(bot, game) for bot in BOTS]})


def measured(bot: dict[str, Any], game: str) -> dict[str, Any]:
    """A level of bots with what was measured in this game; null where nothing was."""
    rows = [
        {name: value for name, value in row.items() if name != "game"}
        for row in bot["measured_strength"] or ()
        if row["game"] == game
    ]
    return {**bot, "measured_strength": rows or None}


def edition(game: Game, query: dict[str, Any]) -> str:
    """The edition that the query names, installed; the game's own if it names none. Raises Problem."""
    try:
        return endpoint.desk().library.edition(game, query.get("edition", ""))
    except UnknownEdition:
        wrong = {"pointer": "/edition", "detail": "No such edition.", "in": "query"}
        raise Problem("invalid-input", errors=[wrong]) from None


def edition_of(game: Game, card: str) -> str:
    """The edition that a card is from by its full name, where there is one; else the game's own."""
    digits = card.partition("@")[2]
    if not digits:
        return game.edition
    found = (each for each in endpoint.desk().library.editions(game) if each.endswith(f"@{digits}"))
    return next(found, game.edition)
