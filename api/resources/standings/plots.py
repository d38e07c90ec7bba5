"""Routes for figures as pictures: ratings, and how reported dice fell."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import orjson
from flask import Response, current_app, request

from api.http import consistency_token, context
from api.http.access.authorization import ANYONE, MATCH_VIEWER
from api.http.encoding.languages import Language, negotiate_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.responses import language_headers
from api.resources.games.routes import GAME_PATH, require_game
from api.resources.matches.routes import MATCH_PATH
from api.resources.standings import schemas as shapes
from api.resources.standings.routes import (
    PROJECTION_PROBLEMS,
    rank_players,
    read_reports,
    require_variant,
    sum_partitions,
)
from referee.ratings import fairness
from referee.rendering.html import compute_content_policy
from referee.rendering.plots import figures
from referee.rendering.plots.drawing import STYLE

SVG = "image/svg+xml"
WIDTH = 360  # of a picture, so that a phone shows it as it is
MOST_RATED = 10
PICTURE = (200, {"type": "string"})
blueprint = EndpointBlueprint("plots", tag="standings")


@blueprint.declare(
    Endpoint(
        "GET",
        "/v1/standings.svg",
        "getStandingsPlot",
        ANYONE,
        query=shapes.StandingsPlotQuery,
        response=PICTURE,
        media=(SVG,),
        problems=PROJECTION_PROBLEMS,
        etag=True,
    )
)
def get_standings_plot(query: dict[str, Any]) -> Response:
    """Draw the ratings of the best ten players and bots, with their uncertainty.

    The dot is mu, and the line goes from mu minus three sigma, the rating, to mu plus three sigma.
    """
    game, variant = require_variant(query)
    consistency_token.wait_for_projection("standings", query.get("at_least"))
    now = current_app.config["STANDINGS"].get_leaderboard(game, variant).load_snapshot()
    best = [(who, at) for who, at in rank_players(now.ladder) if at.rated][:MOST_RATED]
    records = context.get_match_service().log.find_players([who for who, _ in best if who.startswith("pl-")])
    lang = negotiate_language()
    rated = []
    for who, at in best:
        record = records.get(who)
        name = figures.name_standing(who, orjson.loads(record)["name"] if record is not None else None, lang)
        rated.append(figures.RatedName(name, at.mu, at.sigma))
    return picture_response(draw_ratings(tuple(rated), lang), lang)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/fairness.svg",
        "getMatchFairnessPlot",
        MATCH_VIEWER,
        query=shapes.AtLeastQuery,
        response=PICTURE,
        media=(SVG,),
        problems=PROJECTION_PROBLEMS,
        etag=True,
    )
)
def get_match_fairness_plot(query: dict[str, Any], match: str) -> Response:
    """Draw how often each face of the reported dice of a match came up.

    Of dice with different numbers of sides those that were thrown most are drawn. Onlookers see them with the same
    delay as everything else.
    """
    consistency_token.wait_for_projection("dice", query.get("at_least"))
    counted = fairness.count_faces([(sides, values) for _, sides, values in read_reports(match)])
    lang = negotiate_language()
    return picture_response(draw_dice(choose_dice(counted.items()), lang), lang)


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/fairness.svg",
        "getGameFairnessPlot",
        ANYONE,
        query=shapes.AtLeastQuery,
        response=PICTURE,
        media=(SVG,),
        problems=["unknown-game", *PROJECTION_PROBLEMS],
        etag=True,
    )
)
def get_game_fairness_plot(query: dict[str, Any], game: str) -> Response:
    """Draw how often each face of the reported dice of a game came up.

    All finished public matches count. Of dice with different numbers of sides those that were thrown most are drawn.
    """
    require_game(game)
    consistency_token.wait_for_projection("dice", query.get("at_least"))
    _, sums = sum_partitions("dice", game)
    lang = negotiate_language()
    counted = ((place, fell.counts) for place, fell in fairness.parse_sums(sums).items())
    return picture_response(draw_dice(choose_dice(counted), lang), lang)


def choose_dice(counted: Iterable[tuple[tuple[int, int, int], Iterable[int]]]) -> tuple[int, ...]:
    """Return the counts by face of the dice that were thrown most.

    Dice with the same number of sides count together. Without dice it is empty.
    """
    together = (tuple(counts) for (_sides, dice, _which), counts in counted if not dice)
    return max(together, key=sum, default=())


@lru_cache(maxsize=64)
def draw_ratings(rated: tuple[figures.RatedName, ...], lang: Language) -> str:
    """Return the picture of ratings as a file."""
    return figures.plot_ratings(rated, lang, WIDTH).to_file()


@lru_cache(maxsize=64)
def draw_dice(counts: tuple[int, ...], lang: Language) -> str:
    """Return the picture of dice as a file."""
    return figures.plot_dice(counts, lang, WIDTH).to_file()


def picture_response(picture: str, lang: Language) -> Response:
    """Return a picture with its digest as ETag, and 304 if the client has it.

    Its policy allows its own style, for those who open it by itself.
    """
    digest = hashlib.sha256(picture.encode()).hexdigest()[:16]
    if request.if_none_match.contains_weak(digest):
        response = Response(status=304, headers=language_headers(lang))
    else:
        response = Response(picture, mimetype=SVG, headers=language_headers(lang))
    response.set_etag(digest)
    response.headers["Content-Security-Policy"] = f"{compute_content_policy(STYLE)}; frame-ancestors 'none'"
    return response
