"""Routes for games: what is in the box, the rulebook, the cards, the bots.

All of it is data that changes only with a release.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response

import referee
from api.http import context
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import json_response
from api.http.schemas.fields import refer
from api.http.schemas.polymorphic import build_move_schemas, first_paragraph, move_component_name
from api.resources.games import schemas as shapes
from referee.bots.levels import BOT_LEVELS, list_styles
from referee.engine.game import Game
from referee.engine.rulebook.book import Clause
from referee.games import load_games
from referee.rendering.rulebooks import clause_response, collect_clauses
from referee.repository.card_books import UnknownEdition

GAME_PATH = "/v1/games/<name:game>"
# how many tests exercise each clause; `referee rules coverage --write` writes it from a test run
COVERAGE_FILE = Path(referee.__file__).parent / "coverage.json"
CardRecords = tuple[dict[str, Any], ...]
blueprint = EndpointBlueprint("games")


def require_game(name: str) -> Game:
    """Return the game of that name. Raises Problem."""
    if name not in load_games():
        raise Problem("unknown-game")
    return load_games()[name]


@blueprint.declare(Endpoint("GET", "/v1/games", "listGames", response=(200, shapes.GamesSchema)))
def list_games() -> Response:
    """List the games that this server referees."""
    return json_response({"items": [game_to_dict(game) for game in load_games().values()]})


@blueprint.declare(Endpoint("GET", GAME_PATH, "getGame", response=(200, shapes.GameSchema), problems=["unknown-game"]))
def get_game(game: str) -> Response:
    """Return a game: variants, seats, cards, editions, settings and kinds of move."""
    return json_response(game_to_dict(require_game(game)))


def game_to_dict(game: Game) -> dict[str, Any]:
    """Return a game as data."""
    return {
        "name": game.name,
        "title": game.title,
        "prefix": game.prefix,
        "variants": list(game.variants),
        "deck_variant": game.deck_variant or None,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "edition": game.newest_edition,
        "cards": describe_own_cards(game),
        "editions": list(context.get_match_service().repository.library.list_editions(game)),
        "ruleset": game.newest_ruleset,
        "rulesets": {name: dict(chosen) for name, chosen in game.rulesets.items()},
        "readings": {clause: len(interpretations) for clause, interpretations in game.interpretations.items()},
        "devices": list(game.devices),
        "windows": list(game.windows),
        "settings": game.settings,
        "settings_told": {
            name: game.rulebook.render_texts(key)
            for name in game.settings["properties"]
            if game.rulebook.has_text(key := f"setting.{name}.says")
        },
        "moves": [
            {
                "type": kind.TAG,
                "description": first_paragraph(kind),
                "clauses": list(kind.clauses),
                "schema": {"$ref": f"/openapi.json#/components/schemas/{move_component_name(kind.TAG)}Move"},
            }
            for kind in game.move_types
            if kind.TAG in build_move_schemas(game.move_types)
        ],
    }


def describe_own_cards(game: Game) -> dict[str, Any]:
    """Return how many designs a game comes with, and how many of them are ours."""
    count, invented = len(game.cards), game.count_invented_cards()
    told = None
    if invented:
        numbers = {"all": "yes" if invented == count else "no", "count": count, "invented": invented}
        told = game.rulebook.render_texts("cards.invented", **numbers)
    return {"designs": count, "invented": invented, "told": told}


@cache
def load_clause_tests() -> dict[str, int]:
    """Return how many tests exercise each clause; nothing if there is no record."""
    if not COVERAGE_FILE.exists():
        return {}
    record: dict[str, int] = json.loads(COVERAGE_FILE.read_text("utf-8"))["clauses"]
    return record


def clause_to_dict(game: Game, clause: Clause, cards: CardRecords) -> dict[str, Any]:
    """Return a clause as data, with its tests and those of `cards` that rest on it."""
    return {**clause_response(game, clause, cards), "tests": load_clause_tests().get(clause.id, 0)}


def filter_by_chapter(listed: Iterable[Clause], chapter: str | None) -> list[Clause]:
    """Return the clauses of a chapter, named in either language; all if none is named."""
    if chapter is None:
        return list(listed)
    return [c for c in listed if chapter.casefold() in (name.casefold() for name in c.chapter.values())]


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/rulebook",
        "getRulebook",
        query=shapes.RulebookQuery,
        response=(200, shapes.RulebookSchema),
        problems=["unknown-game"],
    )
)
def get_rulebook(query: dict[str, Any], game: str) -> Response:
    """Return the rulebook of a game: chapters, and their clauses in order."""
    chosen = require_game(game)
    of, chapters = require_edition(chosen, query), dict[str, dict[str, Any]]()
    cards = chosen.cards_of_edition(of)
    for clause in filter_by_chapter(collect_clauses(chosen), query.get("chapter")):
        name = clause.chapter.get("en", "")
        of_name = chapters.setdefault(name, {"chapter": clause.chapter, "items": []})
        of_name["items"].append(clause_to_dict(chosen, clause, cards))
    return json_response({"game": game, "edition": of, "chapters": list(chapters.values())})


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/clauses",
        "listClauses",
        query=shapes.ClauseQuery,
        response=(200, shapes.ClausesSchema),
        problems=["unknown-game"],
    )
)
def list_clauses(query: dict[str, Any], game: str) -> Response:
    """List the clauses with these words, in this chapter or for this card."""
    chosen = require_game(game)
    wanted, card = query.get("q", "").casefold(), query.get("card")
    cards = chosen.cards if card is None else chosen.cards_of_edition(find_card_edition(chosen, card))
    items = [
        clause_to_dict(chosen, clause, cards)
        for clause in filter_by_chapter(collect_clauses(chosen), query.get("chapter"))
    ]
    items = [each for each in items if wanted in " ".join((each["id"], *each["says"].values())).casefold()]
    return json_response({"items": [each for each in items if card is None or card in each["cards"]]})


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/clauses/<word:clause>",
        "getClause",
        response=(200, shapes.ClauseSchema),
        problems=["unknown-game", "unknown-clause"],
    )
)
def get_clause(game: str, clause: str) -> Response:
    """Return a clause."""
    chosen = require_game(game)
    for each in collect_clauses(chosen):
        if each.id == clause:
            return json_response(clause_to_dict(chosen, each, chosen.cards))
    raise Problem("unknown-clause")


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/cards",
        "listCards",
        query=shapes.CardQuery,
        response=(200, shapes.CardsSchema),
        problems=["unknown-game"],
    )
)
def list_cards(query: dict[str, Any], game: str) -> Response:
    """List the cards of a game, with texts in our own words."""
    chosen = require_game(game)
    wanted, kind = query.get("q", "").casefold(), query.get("kind")
    items = [
        card
        for card in chosen.cards_of_edition(require_edition(chosen, query))
        if kind is None or card.get("kind") == kind
    ]
    return json_response({"items": [card for card in items if wanted in card_search_text(card).casefold()]})


def card_search_text(card: dict[str, Any]) -> str:
    """Return all text of a card that a search looks at."""
    return " ".join((card["id"], *card["name"].values(), *(card.get("text") or {}).values()))


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/cards/<edition:card>",
        "getCard",
        response=(200, refer("Card")),
        problems=["unknown-game", "unknown-card"],
    )
)
def get_card(game: str, card: str) -> Response:
    """Return a card; name a card of a card book by its full id."""
    chosen = require_game(game)
    for each in chosen.cards_of_edition(find_card_edition(chosen, card)):
        if each["id"] == card:
            return json_response(each)
    raise Problem("unknown-card")


@blueprint.declare(
    Endpoint(
        "GET", f"{GAME_PATH}/coverage", "getCoverage", response=(200, shapes.CoverageSchema), problems=["unknown-game"]
    )
)
def get_coverage(game: str) -> Response:
    """Show which clauses have tests, and which cards rest on them.

    Some clauses are the players' own duty, and need no test.
    """
    chosen = require_game(game)
    listed = [clause_to_dict(chosen, clause, chosen.cards) for clause in collect_clauses(chosen)]
    return json_response(
        {
            "game": game,
            "clauses": len(listed),
            "tested": sum(bool(each["tests"]) for each in listed),
            "players_duty": sum(each["players_duty"] for each in listed),
            "cards": len(chosen.cards),
            "items": [{key: each[key] for key in ("id", "tests", "players_duty", "cards")} for each in listed],
        }
    )


@blueprint.declare(
    Endpoint("GET", f"{GAME_PATH}/bots", "listBots", response=(200, shapes.BotsSchema), problems=["unknown-game"])
)
def list_bots(game: str) -> Response:
    """List the levels and styles of bots, and what each looks at."""
    require_game(game)
    levels = [bot_level_to_dict(bot, game) for bot in BOT_LEVELS]
    return json_response({"items": levels, "styles": list_styles(game)})


def bot_level_to_dict(bot: dict[str, Any], game: str) -> dict[str, Any]:
    """Return a level of bots with its measured strength in this game, or null."""
    rows = [
        {name: value for name, value in row.items() if name != "game"}
        for row in bot["measured_strength"] or ()
        if row["game"] == game
    ]
    return {**bot, "measured_strength": rows or None}


def require_edition(game: Game, query: dict[str, Any]) -> str:
    """Return the installed edition that the query names; by default the game's own.

    Raises Problem.
    """
    try:
        return context.get_match_service().repository.library.resolve_edition(
            game, query.get("edition", game.newest_edition)
        )
    except UnknownEdition:
        wrong = {"pointer": "/edition", "detail": "No such edition.", "in": "query"}
        raise Problem("invalid-input", errors=[wrong]) from None


def find_card_edition(game: Game, card: str) -> str:
    """Return the edition that has a card, or the game's first one."""
    digits = card.partition("@")[2]
    if not digits:
        listed = {each: {entry["id"] for entry in game.cards_of_edition(each)} for each in game.own_editions}
        return next((each for each, cards in listed.items() if card in cards), game.edition)
    found = (
        each
        for each in context.get_match_service().repository.library.list_editions(game)
        if each.endswith(f"@{digits}")
    )
    return next(found, game.edition)
