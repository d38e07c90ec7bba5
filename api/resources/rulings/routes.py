"""Rulings without a match: a position as somebody wrote it down, and what the referee says of a move in it."""

from __future__ import annotations

from typing import Any

from flask import Response, g, request

from api.http import endpoint
from api.http.endpoint import Room
from api.http.problems import Problem, language
from api.http.responses import JSON, answer
from api.pages.pages import HTML, page
from api.resources.games import schemas as shapes
from api.resources.games.routes import GAME, edition, found
from referee.engine.game import Game
from referee.engine.seats import CHANCE, Seat
from referee.position_rulings import report
from referee.position_rulings.judging import judged
from referee.position_rulings.request import quarrel_of
from referee.repository.card_books import UnknownEdition

room = Room("rulings", "Stateless rulings: nothing is kept, and no key is needed.")
WRONG = ["unknown-game", "position-impossible", "position-malformed"]


@room.call(
    "GET", f"{GAME}/positions", "getPositions", query=shapes.PositionsQuery, gives=(200, shapes.PositionsSchema),
    problems=["unknown-game"],
)  # fmt: skip
def get_positions(query: dict[str, Any], game: str) -> Response:
    """How a position is written: its JSON Schema, and an example for every question that the game asks."""
    chosen = found(game)
    variant = query.get("variant", chosen.variants[0])
    if variant not in chosen.variants:
        wrong = {"pointer": "/variant", "detail": f"One of {', '.join(chosen.variants)}.", "in": "query"}
        raise Problem("invalid-input", errors=[wrong])
    schema, examples = chosen.schema_of(variant, edition(chosen, query)), chosen.examples(variant)
    return answer({"variant": variant, "schema": schema, "examples": examples})


@room.call(
    "POST", f"{GAME}/positions/census", "countPosition", body=shapes.CensusBody, gives=(200, shapes.CensusSchema),
    problems=WRONG,
)  # fmt: skip
def count_position(body: dict[str, Any], game: str) -> Response:
    """Whether the cards of a position can be, and what to count again."""
    chosen = found(game)
    g.position = True
    return answer(chosen.census(filled(chosen, body)))


@room.call(
    "POST", f"{GAME}/rulings", "judgePosition", body=shapes.RulingBody, query=shapes.RulingQuery,
    gives=(200, shapes.JudgedSchema), media=(JSON, HTML), also=[(200, {"type": "string"}, HTML)], problems=WRONG,
)  # fmt: skip
def judge_position(query: dict[str, Any], body: dict[str, Any], game: str) -> Response:
    """The ruling on a move in a written position, whatever the verdict; and on a quarrel about it, who is right.

    As data, or for whoever prefers one as a page to print, which is whole in itself.
    """
    chosen = found(game)
    g.position = True
    if type(body["move"]) not in chosen.moves:
        raise Problem("invalid-input", errors=[{"pointer": "/move/type", "detail": "Not a move of this game."}])
    seat = CHANCE if body["seat"] == "chance" else Seat(body["seat"])
    ruling = judged(chosen, filled(chosen, body), seat, body["move"], quarrel_of(chosen, body))
    if request.accept_mimetypes.best_match((JSON, HTML)) == HTML:
        lang = query.get("lang", language())
        response = page(report.page(chosen, ruling, lang))
        response.headers["Content-Language"] = lang
        response.headers["Content-Security-Policy"] = f"{report.policy()}; frame-ancestors 'none'"
    else:
        response = answer(ruling)
    response.vary.update(("Accept", "Accept-Language"))
    return response


def filled(game: Game, body: dict[str, Any]) -> dict[str, Any]:
    """The position, with the variant and the settings that the request names beside it.

    Raises Problem where the game has no such variant, or its positions no such member.
    """
    position: dict[str, Any] = dict(body["position"])
    variant = body.get("variant", position.get("variant", game.variants[0]))
    if variant not in game.variants:
        where = "/variant" if "variant" in body else "/position/variant"
        raise Problem("invalid-input", errors=[{"pointer": where, "detail": f"One of {', '.join(game.variants)}."}])
    members = game.position_schema(variant).get("properties", {})
    g.beside = {name for name in ("variant", "edition", "settings") if name in body and name not in position}
    of = played(game, body, position)
    for name, value in (("variant", variant), ("edition", of), ("settings", body.get("settings"))):
        if value is not None and name in members:
            position.setdefault(name, value)
    return position


def played(game: Game, body: dict[str, Any], position: dict[str, Any]) -> str | None:
    """The edition that the request names, installed; the position then has its full name. None: the game's own.

    Raises Problem where there is none such.
    """
    given = position.get("edition", body.get("edition", ""))
    try:
        of = endpoint.desk().library.edition(game, given if isinstance(given, str) else "")
    except UnknownEdition:
        where = "/position/edition" if "edition" in position else "/edition"
        raise Problem("invalid-input", errors=[{"pointer": where, "detail": "No such edition."}]) from None
    if of == game.edition:
        return None
    if isinstance(position.get("edition"), str):
        position["edition"] = of
    return of
