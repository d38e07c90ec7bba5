"""What is told across matches: standings, statistics of cards, the fairness of dice; each as of a place in the logs."""

from __future__ import annotations

import json
import random
import threading
import time
from typing import Any
from xml.etree import ElementTree

import pytest
from flask import Flask

from api.http import consistency_token
from api.resources.standings.cache import LeaderboardCache
from referee.eventstore.contract import PARTITIONS, ProjectionWrite, partition_for_match
from referee.games import load_games
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from tests.api import house
from tests.api.ended import GIVING_UP, account, ended, led, table_of
from tests.api.house import Person, Table, problem
from workers.projections.public_match import PublicMatches
from workers.projections.rebuild import compare_builds, rebuild_projection
from workers.projections.runner import LIVE_PROJECTIONS, catch_up

pytestmark = pytest.mark.deep

SVG = "{http://www.w3.org/2000/svg}"
GAME = "/v1/standings?game=monster_combat"


def standings(app: Flask, query: str = "") -> dict[str, Any]:
    found = Person(app.test_client()).get(GAME + query)
    assert found.status_code == 200, found.text
    return dict(found.json)  # type: ignore[arg-type]


def line(found: dict[str, Any], who: str) -> dict[str, Any]:
    return next(item for item in found["items"] if item["id"] == who)


def test_two_accounts_and_a_bot_are_rated_by_what_they_won(app: Flask) -> None:
    (ada, first), (bob, second) = account(app, "Ada"), account(app, "Bob")
    won = {0: 0, 1: 0, 2: 0}
    for seed in range(4):
        for seat in ended(app, table_of(app, first, second, bots=1), seed)["winners"]:
            won[seat] += 1
    led(app)
    found = standings(app)
    assert (found["matches"], found["rated"]) == (4, 4)
    for seat, who in enumerate((ada, bob, "bot:0")):
        item = line(found, who)
        assert (item["played"], item["rated"], item["won"]) == (4, 4, won[seat])
        assert item["rating"] == pytest.approx(item["mu"] - 3 * item["sigma"], abs=0.01)
    assert [item["rank"] for item in found["items"]] == [1, 2, 3]
    ratings = [item["rating"] for item in found["items"]]
    assert ratings == sorted(ratings, reverse=True)
    assert line(found, ada)["name"] == "Ada"
    assert line(found, "bot:0")["kind"] == "bot"
    assert [(share["at"], share["played"], share["won"]) for share in found["by_seat"]] == [
        (seat, 4, won[seat]) for seat in range(3)
    ]
    assert sum(share["won"] for share in found["by_turn_order"]) == 4
    assert all(share["played"] == 4 for share in found["by_turn_order"])
    assert set(found["says"]) == {"en", "de"}


def test_the_first_on_turn_is_first_in_the_order_whatever_his_seat(app: Flask) -> None:
    table = table_of(app, None, None, settings={"first_player": 1})
    winner = ended(app, table)["winners"][0]
    led(app)
    found = standings(app)
    assert {share["at"]: share["won"] for share in found["by_turn_order"]} == {0: int(winner == 1), 1: int(winner == 0)}


def test_private_matches_and_those_the_table_ended_count_nowhere(app: Flask) -> None:
    ada, person = account(app)
    ended(app, table_of(app, person, bots=1, visibility="private"))
    agreed = table_of(app, person, bots=1)
    body = {"reason": "agreed", "placement": [[0], [1]]}
    done = agreed.host.post(f"{agreed.path}/end", body, If_Match=f'"v{agreed.version}"')
    assert done.status_code == 201
    table_of(app, person, bots=1)
    before = standings(app)
    led(app)
    after = standings(app)
    assert {**after, "as_of": ""} == {**before, "as_of": ""}
    assert (after["matches"], after["items"], after["by_seat"]) == (0, [], [])
    cards: Any = person.get("/v1/games/monster_combat/statistics/cards").json
    assert cards["matches"] == sum(item["drawn"] + item["played"] for item in cards["items"]) == 0
    history: Any = person.get(f"/v1/players/{ada}/matches").json
    assert [item["counts"] for item in history["items"]] == [False, False, False]


def test_a_guest_at_the_table_leaves_the_match_unrated_but_counted(app: Flask) -> None:
    ada, person = account(app)
    outcome = ended(app, table_of(app, person, None))
    led(app)
    found = standings(app)
    assert (found["matches"], found["rated"]) == (1, 0)
    (item,) = found["items"]
    assert (item["id"], item["played"], item["won"], item["rating"]) == (ada, 1, int(0 in outcome["winners"]), None)


def test_whoever_sits_on_two_seats_is_not_rated_against_himself(app: Flask) -> None:
    _, person = account(app)
    ended(app, table_of(app, person, person))
    led(app)
    assert standings(app)["rated"] == 0


def test_those_who_play_together_are_rated_against_the_box(app: Flask) -> None:
    ada, person = account(app)
    won = bool(ended(app, table_of(app, person, bots=1, variant="V2"))["winners"])
    led(app)
    found = standings(app, "&variant=V2")
    assert (found["matches"], found["rated"]) == (1, 1)
    box, mine = line(found, "box:2"), line(found, ada)
    assert (box["kind"], box["won"]) == ("box", int(not won))
    assert (mine["mu"] > 25) == won
    assert standings(app)["items"] == []


def test_a_deleted_player_is_gone_from_the_standings_and_the_others_stay_rated(app: Flask) -> None:
    (ada, first), (bob, second) = account(app, "Ada"), account(app, "Bob")
    for seed in range(2):
        ended(app, table_of(app, first, second), seed)
    led(app)
    assert {item["id"] for item in standings(app)["items"]} == {ada, bob}
    assert first.delete(f"/v1/players/{ada}").status_code == 204
    found = standings(app)
    assert [item["id"] for item in found["items"]] == [bob]
    assert (found["matches"], found["rated"], found["items"][0]["rated"]) == (2, 2, 2)
    assert "Ada" not in repr(found)


def test_what_this_process_kept_equals_what_another_reckons_anew_in_whatever_order_matches_came(app: Flask) -> None:
    people = [account(app)[1] for _ in range(3)]
    log, dice = app.config["SERVICE"].log, random.Random(3)
    for seed in range(8):
        ended(app, table_of(app, *dice.sample(people, 2), bots=seed % 2), seed)
        log.advance_clock(dice.randrange(3))
        for partition in dice.sample(range(PARTITIONS), 40):  # some lag behind, and are read later
            catch_up(log, partition, PublicMatches(log)).raise_failures()
        standings(app)
    led(app)
    kept = app.config["STANDINGS"].get_leaderboard("monster_combat", "V1").load_snapshot()
    fresh = LeaderboardCache(log).get_leaderboard("monster_combat", "V1").load_snapshot()
    assert len(kept.ladder.results) == 8
    assert kept.ladder == fresh.ladder
    assert (kept.sums, kept.cursors) == (fresh.sums, fresh.cursors)


def test_the_sums_of_the_projection_are_those_of_its_rows(app: Flask) -> None:
    for seed in range(3):
        ended(app, table_of(app, None, None), seed)
    led(app)
    from api.resources.standings.routes import sum_partitions

    with app.app_context():
        _, sums = sum_partitions("standings", "monster_combat|V1")
    found = app.config["STANDINGS"].get_leaderboard("monster_combat", "V1").load_snapshot()
    assert {name: value for name, value in sums.items() if name != "digest"} == {
        name: value for name, value in found.sums.items() if name != "digest"
    }


@pytest.mark.parametrize(
    ("query", "pointer"),
    [("", "/game"), ("?game=chess", "/game"), ("?game=monster_combat&variant=V9", "/variant"),
     ("?game=monster_combat&at_least=soon", "/at_least"), ("?game=monster_combat&at_least=aAA", "/at_least"),
     ("?game=monster_combat&sort=up", "/sort"), ("?game=monster_combat&limit=0", "/limit")],
)  # fmt: skip
def test_a_wrong_query_is_named(app: Flask, query: str, pointer: str) -> None:
    wrong = problem(Person(app.test_client()).get(f"/v1/standings{query}"), 422, "invalid-input")
    assert [each["pointer"] for each in wrong["errors"]] == [pointer]


def test_standings_are_paged(app: Flask) -> None:
    people = [account(app)[1] for _ in range(5)]
    for seed, person in enumerate(people):
        ended(app, table_of(app, person, bots=1), seed)
    led(app)
    whole = standings(app)["items"]
    assert len(whole) == 6
    found, path = [], f"{GAME}&limit=4"
    while path:
        page = people[0].get(path)
        found += page.json["items"]  # type: ignore[index]
        path = page.headers.get("Link", "").partition("<")[2].partition(">")[0]
    assert found == whole


# -- as of a place in the logs ---------------------------------------------------------------------


@pytest.mark.parametrize("cursors", [{}, {0: 1}, {63: 127, 5: 128}, {7: 2**40}, dict.fromkeys(range(64), 2**52)])
def test_how_far_a_projection_has_read_is_written_and_read_back(app: Flask, cursors: dict[int, int]) -> None:
    with app.app_context():
        word = consistency_token.encode_consistency_token(
            [cursors.get(partition, 0) for partition in range(PARTITIONS)]
        )
        assert consistency_token.decode_consistency_token(word) == cursors
        assert consistency_token.validate_at_least(word)
        assert len(word) <= 801
        assert word == consistency_token.encode_consistency_token(
            [cursors.get(partition, 0) for partition in range(PARTITIONS)]
        )


def test_a_word_tells_nothing_to_whoever_has_no_secret(app: Flask) -> None:
    words = []
    for position in (5, 6):
        with app.app_context():
            words.append(consistency_token.encode_consistency_token([position] + [0] * 63))
    same = sum(one == other for one, other in zip(*words, strict=True))
    assert same < len(words[0]) / 4
    other = house.app(SECRET=b"another secret of thirty-two byt")
    with other.app_context(), pytest.raises(ValueError, match="no such word"):
        consistency_token.decode_consistency_token(words[0])


def test_words_of_nobodys_are_refused(app: Flask) -> None:
    with app.app_context():
        word = consistency_token.encode_consistency_token([1, 2, 3] + [0] * 61)
        for wrong in ("", "b", "a!", "aA", word[:-4], word + "AAAA", word[:9] + "x" + word[10:], "a" + "A" * 40):
            with pytest.raises(ValueError, match="no such word"):
                consistency_token.decode_consistency_token(wrong)


def test_a_write_is_read_once_the_projection_has_it(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.opened(app, start=False, visibility="public")
    for call in (GAME, "/v1/matches?", "/v1/games/monster_combat/statistics/cards?", f"{table.path}/fairness?"):
        monkeypatch.setattr(consistency_token, "LONGEST_WAIT", 0.05)
        behind = problem(table.anyone.get(f"{call}&at_least={table.match}"), 503, "projection-behind")
        assert behind["as_of"] == "a"
    worker = threading.Timer(0.2, lambda: led(app))
    worker.start()
    monkeypatch.setattr(consistency_token, "LONGEST_WAIT", 20.0)
    found: Any = table.anyone.get(f"/v1/matches?at_least={table.match}").json
    assert [row["match"] for row in found["items"]] == [table.match]
    worker.join()
    again = table.anyone.get(f"{GAME}&at_least={found['as_of']}")
    assert again.status_code == 200
    with app.app_context():
        told = consistency_token.decode_consistency_token(again.json["as_of"])  # type: ignore[index]
    assert told[partition_for_match(table.match)] == table.version


def test_a_retry_is_due_in_a_second_and_a_later_state_than_the_logs_have_is_a_conflict(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consistency_token, "LONGEST_WAIT", 0.02)
    table = house.opened(app, start=False)
    behind = table.anyone.get(f"{GAME}&at_least={table.match}")
    assert behind.headers["Retry-After"] == "1"
    ahead = [0] * PARTITIONS
    ahead[5] = 10**6
    with app.app_context():
        word = consistency_token.encode_consistency_token(ahead)
    begun = time.monotonic()
    problem(table.anyone.get(f"{GAME}&at_least={word}"), 409, "as-of-unknown")
    assert time.monotonic() - begun < 5


def test_whether_a_match_is_there_cannot_be_told_by_waiting_for_it(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistency_token, "LONGEST_WAIT", 0.02)
    private = house.opened(app, start=False)
    unknown = private.match[:3] + "x" * 26
    here, there = (private.anyone.get(f"{GAME}&at_least={match}") for match in (private.match, unknown))
    same = ("status", "title", "detail", "as_of")
    assert {name: here.json[name] for name in same} == {name: there.json[name] for name in same}  # type: ignore[index]
    led(app)
    here, there = (private.anyone.get(f"{GAME}&at_least={match}") for match in (private.match, unknown))
    assert here.json == there.json


def test_where_all_places_are_taken_nobody_waits(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistency_token, "LONGEST_WAIT", 30.0)
    app.config["CHANGE_FEED"].places = 0
    table = house.opened(app, start=False)
    begun = time.monotonic()
    problem(table.anyone.get(f"{GAME}&at_least={table.match}"), 503, "projection-behind")
    assert time.monotonic() - begun < 15


# -- cards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", load_games())
def test_every_game_tells_of_its_cards_once_a_match_is_over_and_not_before(app: Flask, game: str) -> None:
    people = [None] * load_games()[game].min_seats
    table, path = table_of(app, *people, game=game), f"/v1/games/{game}/statistics/cards"
    for _ in range(3):
        led(app)
        during: Any = table.anyone.get(path).json
        assert sum(item["drawn"] + item["played"] for item in during["items"]) == during["matches"] == 0
        if isinstance(table.awaited[0], int):
            seat = table.awaited[0]
            options = [each["move"] for each in table.moves(seat)["legal"]]
            move = next(move for move in reversed(options) if move["type"] not in GIVING_UP)
            assert table.move(seat, move).status_code == 201
    ended(app, table)
    led(app)
    after: Any = table.anyone.get(path).json
    assert after["matches"] == 1
    assert [item["card"] for item in after["items"]] == [
        card["id"] for card in load_games()[game].cards_of_edition(load_games()[game].newest_edition)
    ]
    assert sum(item["drawn"] for item in after["items"]) > 0
    assert sum(item["played"] for item in after["items"]) > 0
    for item in after["items"]:
        assert item["won_with"] <= item["players"] <= len(people)
        assert item["players"] <= item["played"]
        assert item["refused"] is None
    log = app.config["SERVICE"].log
    (sums,) = (rows[name] for _, rows in log.read_across_partitions("cards", 1, "sums").values() for name in rows)
    known = {card["id"] for card in load_games()[game].cards_of_edition(load_games()[game].newest_edition)} | {
        "matches"
    }
    counted = {name.partition(":")[0] for name in json.loads(sums)}
    assert counted <= known, counted - known  # nothing is counted that no box has


def test_drawn_and_played_are_what_the_log_says(app: Flask) -> None:
    table = table_of(app, None, None, settings={"trigger_count": 0})
    ended(app, table)
    led(app)
    found: Any = table.anyone.get("/v1/games/monster_combat/statistics/cards").json
    items = {item["card"]: item for item in found["items"]}
    drawn: dict[str, int] = {}
    played: dict[str, int] = {}
    kinds = {"mc.Dealt": drawn, "mc.Drawn": drawn, "mc.CardPlayed": played, "mc.Parried": played}
    for entry in table.seats[0].get(f"{table.path}/entries?viewer=full&limit=200").json["items"]:  # type: ignore[index]
        for event in entry["events"]:
            to = kinds.get(event["type"])
            for card in event["put"] if to is not None else ():
                to[card.partition("!")[0]] = to.get(card.partition("!")[0], 0) + 1  # type: ignore[index, union-attr]
    assert {card: item["drawn"] for card, item in items.items() if item["drawn"]} == drawn
    assert {card: item["played"] for card, item in items.items() if item["played"]} == played


def test_an_edition_that_is_not_here_is_refused(app: Flask) -> None:
    path = "/v1/games/monster_combat/statistics/cards?edition=gold"
    problem(Person(app.test_client()).get(path), 422, "invalid-input")
    problem(Person(app.test_client()).get("/v1/games/chess/statistics/cards"), 404, "unknown-game")
    problem(Person(app.test_client()).get("/v1/games/chess/fairness"), 404, "unknown-game")


# -- dice ------------------------------------------------------------------------------------------


def with_dice(app: Flask, reports: list[tuple[int, list[int]]], chooses: int = 1, **body: Any) -> Table:
    """A match of Here to Slay in which so many rolls were reported, each by a seat, or which was won before."""
    table = table_of(app, None, None, game="here_to_slay", chance={"dice": "table"}, **body)
    left, dice = list(reports), random.Random(chooses)
    while left and (waiting := table.awaited):
        if "chance" in waiting:
            by, values = left.pop(0)
            many = len(table.moves("chance", table.seats[0])["legal"][0]["move"]["values"])
            move = {"type": "chance.rolled", "values": values[:many]}
            assert table.move("chance", move, table.seats[by]).status_code == 201
            continue
        seat = waiting[0]
        options = [each["move"] for each in table.moves(seat)["legal"] if each["move"]["type"] != "hts.leave"]
        rolls = [move for move in options if move["type"] in ("hts.roll_for", "hts.attack")]
        assert table.move(seat, dice.choice(rolls or options)).status_code == 201
    return table


def test_reported_dice_are_counted_by_reporter_and_by_die(app: Flask) -> None:
    table = with_dice(app, [(0, [3, 3]), (1, [6, 6]), (0, [1, 4]), (1, [2, 5]), (1, [6, 1])])
    led(app)
    found: Any = table.seats[0].get(f"{table.path}/fairness").json
    assert found["dice"][0]["die"] is None
    reported = sum(die["thrown"] for die in found["dice"] if die["die"] is None)
    entries = table.seats[0].get(f"{table.path}/entries?limit=200").json["items"]  # type: ignore[index]
    rolls = [(e["actor"]["seat"], e["move"]["values"]) for e in entries if e["actor"]["kind"] == "reporter"]
    assert reported == sum(len(values) for _, values in rolls)
    assert len(rolls) == 5
    for reporter in found["reporters"]:
        own = [values for by, values in rolls if by == reporter["reporter"]]
        assert reporter["rolls"] == len(own)
        counts = [sum(values.count(face) for values in own) for face in range(1, 7)]
        assert reporter["dice"][0]["counts"] == counts
        assert reporter["dice"][0]["verdict"] == "too_few"
        assert reporter["dice"][0]["p"] is None
        assert "30" in reporter["dice"][0]["says"]["de"]
    second = [die for die in found["dice"] if die["die"] == 2]
    assert second[0]["thrown"] == sum(len(values) == 2 for _, values in rolls)


def test_dice_that_the_server_rolls_are_nobodys_report(app: Flask) -> None:
    table = table_of(app, None, None, game="here_to_slay")
    ended(app, table)
    led(app)
    found: Any = table.anyone.get(f"{table.path}/fairness").json
    assert (found["dice"], found["reporters"]) == ([], [])
    assert "No dice" in found["says"]["en"]


def test_onlookers_see_dice_as_late_as_everything(app: Flask) -> None:
    table = with_dice(app, [(0, [3, 3]), (1, [6, 6])], spectator_delay=100)
    led(app)
    late: Any = table.anyone.get(f"{table.path}/fairness").json
    assert late["reporters"] == []
    assert table.seats[1].get(f"{table.path}/fairness").json["reporters"] != []  # type: ignore[index]
    table.end("abandoned")
    assert table.anyone.get(f"{table.path}/fairness").json["reporters"] != []  # type: ignore[index]


def test_the_picture_of_dice_shows_what_the_figures_say_and_as_late(app: Flask) -> None:
    table = with_dice(app, [(0, [3, 3]), (1, [6, 6]), (0, [1, 4])], spectator_delay=100)
    led(app)
    counts = table.seats[0].get(f"{table.path}/fairness").json["dice"][0]["counts"]  # type: ignore[index]
    drawn = table.seats[0].get(f"{table.path}/fairness.svg?lang=de")
    assert drawn.mimetype == "image/svg+xml"
    for face, count in enumerate(counts, 1):
        assert f"{face}: {count}-mal" in drawn.text
    assert "No dice" in table.anyone.get(f"{table.path}/fairness.svg").text
    table.end("abandoned")
    led(app)
    assert f"face 3: {counts[2]} times" in table.anyone.get(f"{table.path}/fairness.svg").text
    of_game = Person(app.test_client()).get("/v1/games/here_to_slay/fairness.svg")
    assert f"face 3: {counts[2]} times" in of_game.text


def test_the_picture_of_ratings_names_the_best_with_their_strength(app: Flask) -> None:
    (_, first), (_, second) = account(app, "Ada <b>"), account(app)
    ended(app, table_of(app, first, second, bots=1))
    led(app)
    found = standings(app)
    drawn = Person(app.test_client()).get("/v1/standings.svg?game=monster_combat&lang=de")
    assert "Ada &lt;b&gt;" in drawn.text
    assert {"Ohne Namen", "Bot, Stufe 0"} <= {
        text.text for text in ElementTree.fromstring(drawn.text).iter(f"{SVG}text")
    }
    best = f"{found['items'][0]['mu']:.1f}".removesuffix(".0").replace(".", ",")
    assert best in drawn.text
    with_it = {"If-None-Match": drawn.headers["ETag"]}
    assert app.test_client().get("/v1/standings.svg?game=monster_combat&lang=de", headers=with_it).status_code == 304
    assert app.test_client().get("/v1/standings.svg?game=monster_combat", headers=with_it).status_code == 200


def test_the_dice_of_a_game_are_those_of_public_matches_that_are_over(app: Flask) -> None:
    open_, hidden = with_dice(app, [(0, [3, 3]), (1, [6, 6])]), with_dice(app, [(0, [1, 1])], visibility="private")
    path = "/v1/games/here_to_slay/fairness"
    led(app)
    assert open_.anyone.get(path).json["matches"] == 0  # type: ignore[index]
    for table in (open_, hidden):
        table.end("abandoned")
    led(app)
    found: Any = open_.anyone.get(path).json
    assert found["matches"] == 1
    assert found["dice"][0]["counts"][0] == 0
    assert found["dice"][0]["thrown"] == sum(found["dice"][0]["counts"]) > 0
    assert found["reporters"]["tested"] == 0


# -- what was struck is taken back -----------------------------------------------------------------


def test_what_a_match_added_is_taken_back_when_its_course_goes_back(app: Flask) -> None:
    from tests.workers.house import rewound

    service = app.config["SERVICE"]
    table = table_of(app, None, None)
    start = table.version
    ended(app, table)
    led(app)
    assert standings(app)["matches"] == 1
    rewound(service, table.match, start)
    led(app)
    assert standings(app)["matches"] == 0
    cards: Any = table.anyone.get("/v1/games/monster_combat/statistics/cards").json
    assert cards["matches"] == sum(item["drawn"] for item in cards["items"]) == 0
    ended(app, table, seed=7)
    led(app)
    assert standings(app)["matches"] == 1
    log = service.log
    for view in LIVE_PROJECTIONS:
        rebuild_projection(log, view.name, view.build + 1)
        assert compare_builds(log, view.name, view.build, view.build + 1) == ()


def test_a_rebuild_finds_a_wrong_sum(app: Flask) -> None:
    table = table_of(app, None, None)
    ended(app, table)
    led(app)
    log, partition = app.config["SERVICE"].log, partition_for_match(table.match)
    build = PROJECTION_VERSIONS["standings"]
    at = log.read_cursor(partition, "standings", build)
    log.apply_projection(
        partition, "standings", build, at, at, [ProjectionWrite("hset", "sums", "monster_combat|V1", b'{"played":9}')]
    )
    rebuild_projection(log, "standings", build + 1)
    (difference,) = compare_builds(log, "standings", build, build + 1)
    assert (difference.suffix, difference.field) == ("sums", "monster_combat|V1")
