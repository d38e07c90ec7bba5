"""Routes for results across matches: standings, card statistics, fairness of dice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
from flask import Response, current_app, g

from api.http import consistency_token, context
from api.http.access.authorization import ANYONE, MATCH_VIEWER, Caller
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import json_response
from api.http.schemas.paging import next_link_header, take_page
from api.resources.games.routes import GAME_PATH, require_edition, require_game
from api.resources.matches.routes import MATCH_PATH
from api.resources.standings import schemas as shapes
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import partition_for_match
from referee.games import load_games
from referee.queries import views
from referee.ratings import fairness
from referee.ratings.fairness import DiceFairness
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from referee.ratings.ratings import Ladder, PlayerStanding

STANDINGS_TEXTS: dict[str, Text] = read_yaml(Path(__file__).parent / "standings.yaml")
PROJECTION_PROBLEMS = ["projection-behind", "as-of-unknown"]
DIGITS = 3
blueprint = EndpointBlueprint("standings")


@blueprint.declare(
    Endpoint(
        "GET",
        "/v1/standings",
        "getStandings",
        ANYONE,
        query=shapes.StandingsQuery,
        response=(200, shapes.StandingsSchema),
        problems=PROJECTION_PROBLEMS,
    )
)
def get_standings(query: dict[str, Any]) -> Response:
    """Return the ratings of players and bots, and the shares of wins by seat.

    The ratings are openskill's. The answer also says how often each place in the turn order won.
    """
    game, variant = require_variant(query)
    consistency_token.wait_for_projection("standings", query.get("at_least"))
    now = current_app.config["STANDINGS"].get_leaderboard(game, variant).load_snapshot()
    ranked = rank_players(now.ladder)
    first = int(query.get("after", 0)) + 1
    page, cursor = take_page(ranked, query.get("after"), query["limit"])
    records = context.get_match_service().log.find_players([who for who, _ in page if who.startswith("pl-")])
    body = {
        "game": game,
        "variant": variant,
        "matches": now.sums["played"],
        "rated": sum(each.is_rated for each in now.ladder.results),
        "items": [standing_to_dict(rank, who, at, records.get(who)) for rank, (who, at) in enumerate(page, first)],
        "next_cursor": cursor,
        "by_seat": compute_shares(now.sums, "seat"),
        "by_turn_order": compute_shares(now.sums, "order"),
        "says": STANDINGS_TEXTS["standings"],
        "as_of": consistency_token.encode_consistency_token(now.cursors),
    }
    return json_response(body, headers=next_link_header(cursor))


def require_variant(query: dict[str, Any]) -> tuple[str, str]:
    """Return the game and variant of a query, by default the first variant.

    Raises Problem if the game has no such variant.
    """
    game = load_games()[query["game"]]
    variant = query.get("variant", game.variants[0])
    if variant not in game.variants:
        wrong = {"pointer": "/variant", "detail": f"One of {', '.join(game.variants)}.", "in": "query"}
        raise Problem("invalid-input", errors=[wrong])
    return game.name, variant


def rank_players(ladder: Ladder) -> list[tuple[str, PlayerStanding]]:
    """Return who played, best first."""
    return sorted(ladder.standings.items(), key=lambda each: standing_sort_key(*each))


def standing_sort_key(who: str, at: PlayerStanding) -> tuple[bool, float, int, str]:
    """Return the key that sorts standings.

    Rated ones come first, by rating; then those who won more; then by name, so that there is only one order.
    """
    return (at.rated == 0, -at.rating if at.rated else 0.0, -at.won, who)


def standing_to_dict(rank: int, who: str, at: PlayerStanding, record: bytes | None) -> dict[str, Any]:
    """Return a line of the standings."""
    kind = {"pl": "player", "bo": "bot"}[who[:2]] if not who.startswith("box:") else "box"
    return {
        "rank": rank,
        "kind": kind,
        "id": who,
        "name": orjson.loads(record)["name"] if record is not None else None,
        "rating": round(at.rating, DIGITS) if at.rated else None,
        "mu": round(at.mu, DIGITS),
        "sigma": round(at.sigma, DIGITS),
        "rated": at.rated,
        "played": at.played,
        "won": at.won,
    }


def compute_shares(sums: Counter[str], of: str) -> list[dict[str, int]]:
    """Return how often each seat, or each place in the turn order, played and won."""
    places = sorted(int(name.split(":")[1]) for name in sums if name.startswith(f"{of}:") and name.endswith(":played"))
    return [{"at": at, "played": sums[f"{of}:{at}:played"], "won": sums[f"{of}:{at}:won"]} for at in places]


def sum_partitions(view: str, name: str) -> tuple[tuple[int, ...], Counter[str]]:
    """Return how far each partition of a view was read, and the sums under a name."""
    sums: Counter[str] = Counter()
    partitions = context.get_match_service().log.read_across_partitions(view, PROJECTION_VERSIONS[view], "sums", [name])
    for _, rows in partitions.values():
        sums.update(json.loads(rows[name]) if rows else {})
    return tuple(partitions[part][0] for part in sorted(partitions)), sums


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/statistics/cards",
        "getCardStatistics",
        ANYONE,
        query=shapes.CardStatisticsQuery,
        response=(200, shapes.CardStatisticsSchema),
        problems=["unknown-game", *PROJECTION_PROBLEMS],
    )
)
def get_card_statistics(query: dict[str, Any], game: str) -> Response:
    """Return how often each card was drawn and played, and how often its players won."""
    chosen = require_game(game)
    of = require_edition(chosen, query)
    consistency_token.wait_for_projection("cards", query.get("at_least"))
    cursors, sums = sum_partitions("cards", f"{game}|{of}")
    items = [
        {
            "card": card["id"],
            "name": card["name"],
            "drawn": sums[f"{card['id']}:drawn"],
            "played": sums[f"{card['id']}:played"],
            "refused": None,
            "players": sums[f"{card['id']}:seats"],
            "won_with": sums[f"{card['id']}:won"],
        }
        for card in chosen.cards_of_edition(of)
    ]
    body = {"game": game, "edition": of, "matches": sums["matches"], "items": items, "says": STANDINGS_TEXTS["cards"]}
    return json_response({**body, "as_of": consistency_token.encode_consistency_token(cursors)})


@blueprint.declare(
    Endpoint(
        "GET",
        f"{MATCH_PATH}/fairness",
        "getMatchFairness",
        MATCH_VIEWER,
        query=shapes.AtLeastQuery,
        response=(200, shapes.MatchFairnessSchema),
        problems=PROJECTION_PROBLEMS,
    )
)
def get_match_fairness(query: dict[str, Any], match: str) -> Response:
    """Return how evenly the reported dice of a match fell, by reporter and by die.

    Onlookers see it with the same delay as everything else.
    """
    cursors = consistency_token.wait_for_projection("dice", query.get("at_least"))
    reports = read_reports(match)
    by_reporter = fairness.group_by_reporter(reports)
    every = [roll for rolls in by_reporter.values() for roll in rolls]
    together = dice_to_dict(every)
    body = {
        "match": match,
        "dice": together,
        "reporters": [
            {"reporter": int(by) if by.isdecimal() else by, "rolls": len(rolls), "dice": dice_to_dict(rolls)}
            for by, rolls in by_reporter.items()
        ],
        "says": together[0]["says"] if together else STANDINGS_TEXTS["dice.none"],
        "as_of": consistency_token.encode_consistency_token(cursors),
    }
    return json_response(body)


def read_reports(match: str) -> list[tuple[str, int, tuple[int, ...]]]:
    """Return the reported dice of a match that the caller may see.

    Each has its reporter, its sides, and what they showed. Onlookers see a report as late as everything else.
    """
    caller: Caller = g.caller
    assert caller.table is not None
    log = context.get_match_service().log
    kept = log.read_projection(partition_for_match(match), "dice", PROJECTION_VERSIONS["dice"], "matches", [match]).get(
        match
    )
    reports = json.loads(kept)["reports"] if kept is not None else []
    if caller.table.spectator_delay and caller.is_onlooker:
        late = views.load_visible_version(context.get_match_service(), match, BYSTANDER, None).version
        reports = [report for report in reports if report[0] <= late]
    return [(by, sides, tuple(values)) for _version, by, sides, values in reports]


@blueprint.declare(
    Endpoint(
        "GET",
        f"{GAME_PATH}/fairness",
        "getGameFairness",
        ANYONE,
        query=shapes.AtLeastQuery,
        response=(200, shapes.GameFairnessSchema),
        problems=["unknown-game", *PROJECTION_PROBLEMS],
    )
)
def get_game_fairness(query: dict[str, Any], game: str) -> Response:
    """Return how evenly reported dice fell in all finished public matches of a game.

    It also says how many reporters stand out.
    """
    require_game(game)
    consistency_token.wait_for_projection("dice", query.get("at_least"))
    cursors, sums = sum_partitions("dice", game)
    together = [die_to_dict(place, fell) for place, fell in fairness.parse_sums(sums).items()]
    tested = sums["tested"]
    usual = {"expected_unusual": round(tested * fairness.UNUSUAL, 1), "expected_rare": round(tested * fairness.RARE, 3)}
    says = render_sentence("dice.reporters", tested=tested, unusual=sums["unusual"], expected=usual["expected_unusual"])
    body = {
        "game": game,
        "matches": sums["matches"],
        "dice": together,
        "reporters": {"tested": tested, "unusual": sums["unusual"], "rare": sums["rare"], **usual, "says": says},
        "says": together[0]["says"] if together else STANDINGS_TEXTS["dice.none"],
        "as_of": consistency_token.encode_consistency_token(cursors),
    }
    return json_response(body)


def dice_to_dict(rolls: fairness.Rolls) -> list[dict[str, Any]]:
    """Return how evenly dice fell.

    First come all dice with the same number of sides together, then each die, if the reports distinguish them.
    """
    apart = fairness.can_tell_dice_apart(rolls)
    counted = sorted(fairness.count_faces(rolls).items())
    return [die_to_dict(place, DiceFairness(tuple(counts)), apart) for place, counts in counted]


def die_to_dict(place: tuple[int, int, int], fell: DiceFairness, apart: bool = True) -> dict[str, Any]:
    """Return how evenly a die fell, with a sentence about what that means."""
    sides, of, which = place
    return {
        "sides": sides,
        "of": of or None,
        "die": which or None,
        "counts": list(fell.counts),
        "thrown": fell.throw_count,
        "expected": round(fell.expected_count, DIGITS),
        "chi_squared": round(fell.chi_squared, DIGITS),
        "degrees_of_freedom": fell.degrees_of_freedom,
        "p": None if fell.p_value is None else float(f"{fell.p_value:.4g}"),
        "verdict": fell.verdict,
        "says": describe_evenness(fell, apart),
    }


def describe_evenness(fell: DiceFairness, apart: bool) -> Text:
    """Return what can honestly be said of these counts, in every language."""
    least = fairness.MIN_EXPECTED * len(fell.counts)
    sentence = render_sentence(
        f"dice.{fell.verdict}", thrown=fell.throw_count, least=least, percent=format_percent(fell.p_value)
    )
    return sentence if apart else {lang: sentence[lang] + STANDINGS_TEXTS["dice.sorted"][lang] for lang in LANGUAGES}


def format_percent(p: float | None) -> str:
    """Return a probability in per cent, as people read it."""
    if p is None:
        return ""
    return f"{100 * p:.2g} %" if p >= 1e-6 else "0.0001 %"


def render_sentence(key: str, **params: Any) -> Text:
    """Return a sentence with its numbers, in every language.

    German writes decimals with a comma.
    """
    numbers: Iterable[tuple[str, dict[str, str]]] = (
        (lang, {name: str(value) if lang == "en" else str(value).replace(".", ",") for name, value in params.items()})
        for lang in LANGUAGES
    )
    return {lang: STANDINGS_TEXTS[key][lang].format(**shown) for lang, shown in numbers}
