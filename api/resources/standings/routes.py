"""What projections say across matches: standings, statistics of cards, and whether reported dice fall evenly."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
from flask import Response, current_app, g

from api.http import consistency_token, endpoint
from api.http.access.authorization import ANYONE, SEE, Caller
from api.http.endpoint import Room
from api.http.problems import Problem
from api.http.responses import answer
from api.resources.games.routes import GAME, edition, found
from api.resources.matches.routes import MATCH, following
from api.resources.standings import schemas as shapes
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import partition_of
from referee.games import games
from referee.queries import views
from referee.ratings import fairness
from referee.ratings.fairness import Evenness
from referee.ratings.projection_versions import BUILDS
from referee.ratings.ratings import Standing

SAYS: dict[str, Text] = read_yaml(Path(__file__).parent / "standings.yaml")
BEHIND = ["projection-behind", "as-of-unknown"]
DIGITS = 3
room = Room("standings", "What became of all matches: projections, each as of a place in the logs.")


@room.call(
    "GET", "/v1/standings", "getStandings", ANYONE, query=shapes.StandingsQuery, gives=(200, shapes.StandingsSchema),
    problems=BEHIND,
)  # fmt: skip
def get_standings(query: dict[str, Any]) -> Response:
    """Who plays how well, by openskill's ratings; and how often each seat and each place in the order of turns won."""
    game = games()[query["game"]]
    variant = query.get("variant", game.variants[0])
    if variant not in game.variants:
        wrong = {"pointer": "/variant", "detail": f"One of {', '.join(game.variants)}.", "in": "query"}
        raise Problem("invalid-input", errors=[wrong])
    consistency_token.waited("standings", query.get("at_least"))
    now = current_app.config["STANDINGS"].of(game.name, variant).found()
    ranked = sorted(now.ladder.standings.items(), key=lambda each: before(*each))
    after, limit = query["after"], query["limit"]
    page = ranked[after : after + limit]
    cursor = after + limit if len(ranked) > after + limit else None
    records = endpoint.desk().log.players([who for who, _ in page if who.startswith("pl-")])
    body = {
        "game": game.name,
        "variant": variant,
        "matches": now.sums["played"],
        "rated": sum(each.rated for each in now.ladder.taken),
        "items": [standing(rank, who, at, records.get(who)) for rank, (who, at) in enumerate(page, after + 1)],
        "next_cursor": cursor,
        "by_seat": shares(now.sums, "seat"),
        "by_turn_order": shares(now.sums, "order"),
        "says": SAYS["standings"],
        "as_of": consistency_token.written(now.cursors),
    }
    return answer(body, headers=following(cursor))


def before(who: str, at: Standing) -> tuple[bool, float, int, str]:
    """The order of standings: the rated first, by rating; then who has won more; then by name, so that it is one."""
    return (at.rated == 0, -at.rating if at.rated else 0.0, -at.won, who)


def standing(rank: int, who: str, at: Standing, record: bytes | None) -> dict[str, Any]:
    """A line of the standings."""
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


def shares(sums: Counter[str], of: str) -> list[dict[str, int]]:
    """How often each seat, or each place in the order of turns, played and won."""
    places = sorted(int(name.split(":")[1]) for name in sums if name.startswith(f"{of}:") and name.endswith(":played"))
    return [{"at": at, "played": sums[f"{of}:{at}:played"], "won": sums[f"{of}:{at}:won"]} for at in places]


def summed(view: str, name: str) -> tuple[tuple[int, ...], Counter[str]]:
    """The sums of a view under a name, of all partitions, and how far each was read."""
    sums: Counter[str] = Counter()
    told = endpoint.desk().log.across(view, BUILDS[view], "sums", [name])
    for _, rows in told.values():
        sums.update(json.loads(rows[name]) if rows else {})
    return tuple(told[part][0] for part in sorted(told)), sums


@room.call(
    "GET", f"{GAME}/statistics/cards", "getCardStatistics", ANYONE, query=shapes.CardStatisticsQuery,
    gives=(200, shapes.CardStatisticsSchema), problems=["unknown-game", *BEHIND],
)  # fmt: skip
def get_card_statistics(query: dict[str, Any], game: str) -> Response:
    """How often each card was drawn and played, and how often whoever played it won."""
    chosen = found(game)
    of = edition(chosen, query)
    consistency_token.waited("cards", query.get("at_least"))
    cursors, sums = summed("cards", f"{game}|{of}")
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
        for card in chosen.cards_of(of)
    ]
    body = {"game": game, "edition": of, "matches": sums["matches"], "items": items, "says": SAYS["cards"]}
    return answer({**body, "as_of": consistency_token.written(cursors)})


@room.call(
    "GET", f"{MATCH}/fairness", "getMatchFairness", SEE, query=shapes.AtLeastQuery,
    gives=(200, shapes.MatchFairnessSchema), problems=BEHIND,
)  # fmt: skip
def get_match_fairness(query: dict[str, Any], match: str) -> Response:
    """How evenly the reported dice of a match fell, by reporter and by die. Onlookers see it as late as all else."""
    caller: Caller = g.caller
    assert caller.table is not None
    cursors = consistency_token.waited("dice", query.get("at_least"))
    log = endpoint.desk().log
    kept = log.projected(partition_of(match), "dice", BUILDS["dice"], "matches", [match]).get(match)
    reports = json.loads(kept)["reports"] if kept is not None else []
    if caller.table.spectator_delay and caller.onlooker:
        late = views.latest(endpoint.desk(), match, BYSTANDER, None).version
        reports = [report for report in reports if report[0] <= late]
    by_reporter = fairness.by_reporter((by, sides, tuple(values)) for _version, by, sides, values in reports)
    every = [roll for rolls in by_reporter.values() for roll in rolls]
    together = dies(every)
    body = {
        "match": match,
        "dice": together,
        "reporters": [
            {"reporter": int(by) if by.isdecimal() else by, "rolls": len(rolls), "dice": dies(rolls)}
            for by, rolls in by_reporter.items()
        ],
        "says": together[0]["says"] if together else SAYS["dice.none"],
        "as_of": consistency_token.written(cursors),
    }
    return answer(body)


@room.call(
    "GET", f"{GAME}/fairness", "getGameFairness", ANYONE, query=shapes.AtLeastQuery,
    gives=(200, shapes.GameFairnessSchema), problems=["unknown-game", *BEHIND],
)  # fmt: skip
def get_game_fairness(query: dict[str, Any], game: str) -> Response:
    """How evenly reported dice fell in all public matches that are over, and how many reporters stand out."""
    found(game)
    consistency_token.waited("dice", query.get("at_least"))
    cursors, sums = summed("dice", game)
    together = [die(place, fell) for place, fell in fairness.read(sums).items()]
    tested = sums["tested"]
    usual = {"expected_unusual": round(tested * fairness.UNUSUAL, 1), "expected_rare": round(tested * fairness.RARE, 3)}
    says = filled("dice.reporters", tested=tested, unusual=sums["unusual"], expected=usual["expected_unusual"])
    body = {
        "game": game,
        "matches": sums["matches"],
        "dice": together,
        "reporters": {"tested": tested, "unusual": sums["unusual"], "rare": sums["rare"], **usual, "says": says},
        "says": together[0]["says"] if together else SAYS["dice.none"],
        "as_of": consistency_token.written(cursors),
    }
    return answer(body)


def dies(rolls: fairness.Rolls) -> list[dict[str, Any]]:
    """How evenly dice fell: all of so many sides together first, then each that can be told apart."""
    apart = fairness.told_apart(rolls)
    counted = sorted(fairness.counted(rolls).items())
    return [die(place, Evenness(tuple(counts)), apart) for place, counts in counted]


def die(place: tuple[int, int, int], fell: Evenness, apart: bool = True) -> dict[str, Any]:
    """How evenly a die fell, with a sentence about what that means."""
    sides, of, which = place
    return {
        "sides": sides,
        "of": of or None,
        "die": which or None,
        "counts": list(fell.counts),
        "thrown": fell.thrown,
        "expected": round(fell.expected, DIGITS),
        "chi_squared": round(fell.chi_squared, DIGITS),
        "degrees_of_freedom": fell.freedom,
        "p": None if fell.p is None else float(f"{fell.p:.4g}"),
        "verdict": fell.verdict,
        "says": sentence(fell, apart),
    }


def sentence(fell: Evenness, apart: bool) -> Text:
    """What may honestly be said of counts, in every language."""
    least = fairness.LEAST_EXPECTED * len(fell.counts)
    said = filled(f"dice.{fell.verdict}", thrown=fell.thrown, least=least, percent=percent(fell.p))
    return said if apart else {lang: said[lang] + SAYS["dice.sorted"][lang] for lang in LANGUAGES}


def percent(p: float | None) -> str:
    """A chance as people read it."""
    if p is None:
        return ""
    return f"{100 * p:.2g} %" if p >= 1e-6 else "0.0001 %"


def filled(key: str, **params: Any) -> Text:
    """A sentence with its figures, in every language; German writes decimals with a comma."""
    numbers: Iterable[tuple[str, dict[str, str]]] = (
        (lang, {name: str(value) if lang == "en" else str(value).replace(".", ",") for name, value in params.items()})
        for lang in LANGUAGES
    )
    return {lang: SAYS[key][lang].format(**shown) for lang, shown in numbers}
