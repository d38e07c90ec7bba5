"""Routes for rulings without a match, on written positions."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, g, request

from api.http import context
from api.http.encoding.languages import negotiate_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.raw_bodies import read_raw_body
from api.http.responses import JSON, json_response, whole_response
from api.http.schemas.polymorphic import build_move_schemas, move_component_name
from api.pages.pages import HTML, html_response
from api.resources.card_books.routes import BOOK_MEDIA_TYPES, YAML
from api.resources.games import schemas as shapes
from api.resources.games.routes import GAME_PATH, require_edition, require_game
from api.resources.health.routes import load_contract
from api.resources.rulings import bodies
from api.resources.rulings.schemas import OpenedQuestionSchema, PositionMovesSchema, PositionRulingSchema
from referee.engine.game import Game
from referee.engine.seats import CHANCE, Seat
from referee.position_rulings import report, written_moves
from referee.position_rulings.file_format import MAX_BYTES, QuestionFileError, open_question_file
from referee.position_rulings.house_rulings import add_house_rulings
from referee.position_rulings.judging import rule_on_position
from referee.position_rulings.labels import name_form_words
from referee.position_rulings.natural_names import find_game
from referee.position_rulings.request import parse_question
from referee.repository.card_books import UnknownEdition

blueprint = EndpointBlueprint("rulings")
SEAT_COMPONENT = "SeatNumber"
POSITION_PROBLEMS = ["unknown-game", "position-impossible", "position-malformed"]


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/positions",
        "getPositions",
        query=shapes.PositionsQuery,
        response=(200, shapes.PositionsSchema),
        problems=["unknown-game"],
    )
)
def get_positions(query: dict[str, Any], game: str) -> Response:
    """Return how positions and moves are written: schemas, words and examples.

    There is an example for every question that the game asks.
    """
    chosen = require_game(game)
    variant = query.get("variant", chosen.variants[0])
    if variant not in chosen.variants:
        wrong = {"pointer": "/variant", "detail": f"One of {', '.join(chosen.variants)}.", "in": "query"}
        raise Problem("invalid-input", errors=[wrong])
    schema, examples = (
        chosen.positions.build_schema(variant, require_edition(chosen, query)),
        chosen.positions.build_examples(variant),
    )
    return json_response(
        {
            "variant": variant,
            "schema": schema,
            "examples": examples,
            "asks": [written_moves.find_open_question(chosen, each) for each in examples],
            "words": name_form_words(chosen, schema),
            "moves": [
                {
                    "type": kind.TAG,
                    "says": chosen.narration.describe_move_kind(kind),
                    "schema": write_move_schema(kind.TAG),
                }
                for kind in chosen.move_types
                if kind.TAG in build_move_schemas(chosen.move_types)
            ],
        }
    )


def write_move_schema(tag: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of move, without references.

    It is that of the contract. A seat is marked as in the schema of a position.
    """
    components = load_contract(current_app)["components"]["schemas"]

    def inline(part: Any) -> Any:
        if isinstance(part, list):
            return [inline(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            return {**inline(components[name]), **({"x-seat": True} if name == SEAT_COMPONENT else {})}
        return {key: inline(value) for key, value in part.items()}

    schema: dict[str, Any] = inline(components[f"{move_component_name(tag)}Move"])
    return schema


@blueprint.declare(
    Endpoint(
        "POST",
        f"{GAME_PATH}/positions/moves",
        "listPositionMoves",
        body=bodies.PositionMovesBody,
        response=(200, PositionMovesSchema),
        problems=POSITION_PROBLEMS,
    )
)
def list_position_moves(body: dict[str, Any], game: str) -> Response:
    """List the moves that people may ask about in a written position, legal or not.

    They are what each seat that may act could think of; `POST …/rulings` says which of them are legal, and rules on
    any other move too.
    """
    chosen = require_game(game)
    g.position = True
    position = complete_position(chosen, body)
    return json_response(written_moves.list_askable_moves(chosen, position))


@blueprint.declare(
    Endpoint(
        "POST",
        f"{GAME_PATH}/positions/census",
        "countPosition",
        body=bodies.PositionCensusBody,
        response=(200, shapes.PositionCensusSchema),
        problems=POSITION_PROBLEMS,
    )
)
def count_position(body: dict[str, Any], game: str) -> Response:
    """Check whether the cards of a position are possible, and what to count again."""
    chosen = require_game(game)
    g.position = True
    return json_response(chosen.positions.check_census(complete_position(chosen, body)))


@blueprint.declare(
    Endpoint(
        "POST",
        "/v1/question-files",
        "checkQuestionFile",
        text=YAML,
        response=(200, OpenedQuestionSchema),
        problems=["question-media-type", "question-too-large", "question-malformed"],
    )
)
def check_question_file() -> Response:
    """Read a file for `referee judge`, and return the question in it.

    It may be YAML or JSON, in program names or in words. Nothing is stored. Only what has to be there to go on is
    checked: a game and a position; `POST …/rulings` says what else is wrong.
    """
    text = read_raw_body("question", BOOK_MEDIA_TYPES, MAX_BYTES)
    library = context.get_match_service().repository.library
    try:
        question = open_question_file(text, "file", library, negotiate_language())
    except QuestionFileError as wrong:
        raise Problem("question-malformed", errors=wrong.errors) from None
    return whole_response({"question": question})


@blueprint.declare(
    Endpoint(
        "POST",
        f"{GAME_PATH}/rulings",
        "judgePosition",
        body=bodies.RulingBody,
        response=(200, PositionRulingSchema),
        media=(JSON, HTML),
        other_responses=[(200, {"type": "string"}, HTML)],
        problems=[*POSITION_PROBLEMS, "facts-missing"],
    )
)
def judge_position(body: dict[str, Any], game: str) -> Response:
    """Rule on a move in a written position, and on a disagreement about it.

    The body is the document that `referee judge` takes: members, values, players and moves may be called as people
    call them, in either language, cards by id or by name. A refused move is 200 too: the verdict is in the answer. If
    the answer depends on facts that the position leaves out, the problem lists all of them.

    The answer is data, or if the request prefers HTML, a self-contained page to print.
    """
    chosen = require_game(game)
    g.position = True
    if type(body["move"]) not in chosen.move_types:
        raise Problem("invalid-input", errors=[{"pointer": "/move/type", "detail": "Not a move of this game."}])
    seat = CHANCE if body["seat"] == "chance" else Seat(body["seat"])
    quarrel = add_house_rulings(chosen, parse_question(chosen, body), body.get("precedents", ()))
    position = complete_position(chosen, body)
    ruling = rule_on_position(chosen, position, seat, body["move"], quarrel)
    if request.accept_mimetypes.best_match((JSON, HTML)) == HTML:
        lang = negotiate_language()
        response = html_response(report.render_page(chosen, ruling, lang))
        response.headers["Content-Language"] = lang
        response.headers["Content-Security-Policy"] = f"{report.content_policy()}; frame-ancestors 'none'"
    else:
        response = json_response(ruling)
    response.vary.update(("Accept", "Accept-Language"))
    return response


def complete_position(game: Game, body: dict[str, Any]) -> dict[str, Any]:
    """Return the position, with the variant and the settings that the request adds.

    Raises Problem if it is about another game, or the game has no such variant.
    """
    if find_game(body.get("game", game.name)) is not game:
        raise Problem("invalid-input", errors=[{"pointer": "/game", "detail": "The address names another game."}])
    position: dict[str, Any] = dict(body["position"])
    variant = body.get("variant", position.get("variant", game.variants[0]))
    if variant not in game.variants:
        where = "/variant" if "variant" in body else "/position/variant"
        raise Problem("invalid-input", errors=[{"pointer": where, "detail": f"One of {', '.join(game.variants)}."}])
    members = game.positions.build_schema(variant).get("properties", {})
    g.beside = {name for name in ("variant", "edition", "settings") if name in body and name not in position}
    of = resolve_position_edition(game, body, position)
    for name, value in (("variant", variant), ("edition", of), ("settings", body.get("settings"))):
        if value is not None and name in members:
            position.setdefault(name, value)
    return position


def resolve_position_edition(game: Game, body: dict[str, Any], position: dict[str, Any]) -> str | None:
    """Return the installed edition that the request names; None for the game's own.

    A name in the position is replaced by its full name. Raises Problem if there is no such edition.
    """
    given = position.get("edition", body.get("edition", ""))
    try:
        of = context.get_match_service().repository.library.resolve_edition(
            game, given if isinstance(given, str) else ""
        )
    except UnknownEdition:
        where = "/position/edition" if "edition" in position else "/edition"
        raise Problem("invalid-input", errors=[{"pointer": where, "detail": "No such edition."}]) from None
    if of == game.edition:
        return None
    if isinstance(position.get("edition"), str):
        position["edition"] = of
    return of
