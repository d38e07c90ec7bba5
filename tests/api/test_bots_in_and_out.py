"""Bots come to seats and go: by the host before the start, by the word of the table afterwards; people come back."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES
from referee.repository.matches import decode_snapshot, encode_snapshot
from tests.api import house
from tests.api.house import Person, Table, fresh, problem
from tests.api.test_playing import GIVING_UP
from tests.games.declared import require_devices
from workers.bots.player import play_bots

GAMES = [(name, variant) for name, game in load_games().items() for variant in game.variants]


def bot(table: Table, seat: int = 0) -> str:
    return f"{table.path}/seats/{seat}/bot"


def consents(table: Table, seat: int = 0) -> str:
    """Where the open question about the bot of a seat is answered."""
    asked = chair(table, seat)["proposal"] or {"proposal": 1}
    return f"{bot(table, seat)}/proposals/{asked['proposal']}/consents"


def asked_of(table: Table, seat: int = 0) -> dict[str, Any]:
    """The open question about the bot of a seat, without its number."""
    return {name: part for name, part in chair(table, seat)["proposal"].items() if name != "proposal"}


def chair(table: Table, seat: int) -> dict[str, Any]:
    found: Any = table.host.get(table.path).json
    return dict(found["seats"][seat])


def returned(table: Table, seat: int) -> Person:
    """Somebody comes to the seat with a new code."""
    made: Any = table.host.post(f"{table.path}/invitations", {"role": f"seat:{seat}"})
    assert made.status_code == 201, made.text
    joined: Any = table.anyone.post("/v1/join", {"code": made.json["code"]})
    assert joined.status_code == 201, joined.text
    return Person(table.anyone.client, joined.json["token"])


def three(app: Flask, **body: Any) -> Table:
    """A running match of three people; nobody holds seat 0 any more."""
    table = house.opened(app, seats=3, **body)
    assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
    return table


def last(table: Table) -> dict[str, Any]:
    """The last entry, as everybody sees it."""
    found: Any = table.host.get(f"{table.path}/entries?limit=200").json
    return dict(found["items"][-1])


def types(entry: dict[str, Any]) -> list[str]:
    return [event["type"] for event in entry["events"]]


@pytest.mark.clause("TABLE-BOT-1")
def test_before_the_start_the_host_puts_bots_on_free_seats_and_takes_them_away(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    put = table.host.put(bot(table), {"level": 1})
    assert put.status_code == 200, put.text
    assert put.json["seats"][0] == {  # type: ignore[index]
        "seat": 0, "kind": "bot", "level": 1, "style": None, "taken": False, "proxy": "nobody", "stands_in": False,
        "device_key": None, "proposal": None,
    }  # fmt: skip
    assert put.headers["ETag"] == '"v2"'
    problem(table.anyone.post("/v1/join", {"code": table.codes[0]}), 409, "seat-not-for-people")
    assert table.host.put(bot(table), {"level": 0}).json["seats"][0]["level"] == 0  # type: ignore[index]
    for _ in range(2):  # there is none any more the second time
        assert table.host.delete(bot(table)).status_code == 204
    assert table.version == 4
    assert chair(table, 0)["kind"] == "human"
    person = Person(table.anyone.client, table.anyone.post("/v1/join", {"code": table.codes[1]}).json["token"])  # type: ignore[index]
    problem(table.host.put(bot(table, 1), {"level": 0}), 409, "seat-held")
    for method in ("PUT", "DELETE"):
        problem(person.ask(method, bot(table), {"level": 0} if method == "PUT" else None), 403, "host-only")
    assert table.version == 5


def test_what_is_asked_of_a_bot_is_checked(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    for body in ({}, {"level": 4}, {"level": -1}, {"level": "1"}, {"level": True}, {"level": 0, "kind": "human"}, []):
        problem(table.host.put(bot(table), body), 422, "invalid-input")
    problem(table.host.put(bot(table, 7), {"level": 0}), 404, "unknown-seat")
    problem(table.host.delete(bot(table, 7)), 404, "unknown-seat")
    problem(table.host.put(bot(table), {"level": 0}, If_Match='"v9"'), 412, "stale-version")
    problem(table.host.delete(bot(table), If_Match="nine"), 400, "header-malformed")
    assert table.version == 1


def test_a_style_is_taken_where_it_makes_a_difference_and_refused_elsewhere(app: Flask) -> None:
    styles = [each["id"] for each in house.opened(app).anyone.get("/v1/games/monster_combat/bots").json["styles"]]  # type: ignore[index]
    assert styles == ["cautious", "bold", "spiteful"]
    table = house.opened(app, start=False, join=False)
    for style in styles:
        assert table.host.put(bot(table), {"level": 3, "style": style}).json["seats"][0]["style"] == style  # type: ignore[index]
    version = table.version
    for body in ({"level": 1, "style": "bold"}, {"level": 3, "style": "brave"}, {"level": 2, "style": None}):
        refused = problem(table.host.put(bot(table), body), 422, "invalid-input")
        assert refused["errors"][0]["pointer"] == "/style"
    assert table.version == version
    seats = [{"kind": "bot", "level": 3, "style": "spiteful"}, {"kind": "human"}]
    opened: Any = table.anyone.post("/v1/matches", {"game": "monster_combat", "seats": seats}).json
    host = Person(table.anyone.client, opened["token"])
    shown: Any = host.get(f"/v1/matches/{opened['match']}").json
    assert [each["style"] for each in shown["seats"]] == ["spiteful", None]
    for game in ("creature_crush", "shy_monsters"):  # two players; and moves that are worked out
        refused = problem(table.anyone.post("/v1/matches", {"game": game, "seats": seats}), 422, "invalid-input")
        assert refused["errors"][0]["pointer"] == "/seats/0/style"
        german = table.anyone.post("/v1/matches", {"game": game, "seats": seats}, Accept_Language="de")
        said = german.json["errors"][0]["detail"]  # type: ignore[index]
        assert said in (
            "Erlaubt ist hier eins von: cautious, bold.",
            "Bots dieser Stufe oder in diesem Spiel haben keine Spielweise.",
        )
    assert table.anyone.get("/v1/games/shy_monsters/bots").json["styles"] == []  # type: ignore[index]


@pytest.mark.clause("TABLE-BOT-2")
def test_a_bot_of_another_style_comes_only_with_consent_and_plays_in_the_next_match_too(app: Flask) -> None:
    table = three(app)
    table.host.put(bot(table), {"level": 3, "style": "bold"})
    assert asked_of(table)["style"] == "bold"
    for person in (1, 2):
        table.seats[person].post(consents(table), {"grant": True})
    assert (chair(table, 0)["level"], chair(table, 0)["style"]) == (3, "bold")
    assert table.host.put(bot(table), {"level": 3, "style": "bold"}).status_code == 200  # it plays like that already
    assert table.host.put(bot(table), {"level": 3}).status_code == 202
    assert asked_of(table)["style"] is None


@pytest.mark.clause("TABLE-BOT-2")
def test_while_the_match_runs_every_other_held_seat_has_to_agree(app: Flask) -> None:
    table = three(app)
    asked = table.host.put(bot(table), {"level": 1})
    assert asked.status_code == 202
    open_question = {"bot": True, "level": 1, "style": None, "granted": [], "asks": [1, 2]}
    assert asked_of(table) == open_question
    assert chair(table, 0)["kind"] == "human"
    assert table.seats[1].post(consents(table), {"grant": True}).status_code == 202
    assert asked_of(table) == {**open_question, "granted": [1], "asks": [2]}
    done: Any = table.seats[2].post(consents(table), {"grant": True})
    assert done.status_code == 200
    assert (done.json["seats"][0]["kind"], done.json["seats"][0]["stands_in"]) == ("bot", True)
    assert types(last(table)) == ["table.BotGranted", "table.BotSeated"]
    assert last(table)["clauses"] == ["TABLE-BOT-2"]
    assert all(set(event["told"]) == {"en", "de"} for event in last(table)["events"])
    problem(table.seats[2].post(consents(table), {"grant": True}), 409, "nothing-asked")


@pytest.mark.clause("TABLE-BOT-2")
def test_one_refusal_closes_the_question_and_it_may_be_asked_again(app: Flask) -> None:
    table = three(app)
    table.host.put(bot(table), {"level": 1})
    assert table.seats[1].post(consents(table), {"grant": True}).status_code == 202
    assert table.seats[2].post(consents(table), {"grant": False}).status_code == 200
    assert chair(table, 0)["proposal"] is None
    assert chair(table, 0)["kind"] == "human"
    assert types(last(table)) == ["table.BotDenied"]
    asked: Any = table.seats[1].put(bot(table), {"level": 0})  # a seat may ask, too, and agrees by asking
    assert asked.status_code == 202
    assert asked_of(table) == {"bot": True, "level": 0, "style": None, "granted": [1], "asks": [2]}


@pytest.mark.clause("TABLE-BOT-2")
def test_a_question_is_withdrawn_or_put_anew(app: Flask) -> None:
    table = three(app)
    table.host.put(bot(table), {"level": 1})
    table.seats[1].post(consents(table), {"grant": True})
    table.host.put(bot(table), {"level": 0})  # another question: nobody has agreed to this one
    assert asked_of(table) == {"bot": True, "level": 0, "style": None, "granted": [], "asks": [1, 2]}
    assert table.host.delete(bot(table)).status_code == 204
    assert types(last(table)) == ["table.BotQuestionClosed"]
    assert chair(table, 0)["proposal"] is None


@pytest.mark.clause("TABLE-BOT-2")
def test_a_yes_to_a_bot_of_one_level_does_not_count_for_another(app: Flask) -> None:
    table = three(app)
    table.host.put(bot(table), {"level": 0})
    first = consents(table)
    table.host.put(bot(table), {"level": 3})
    said = problem(table.seats[1].post(first, {"grant": True}), 409, "asked-otherwise")
    assert f"proposal {chair(table, 0)['proposal']['proposal']}" in said["detail"]
    problem(table.seats[2].post(first, {"grant": False}, If_Match="*"), 409, "asked-otherwise")
    assert asked_of(table) == {"bot": True, "level": 3, "style": None, "granted": [], "asks": [1, 2]}
    (pending,) = table.moves(1)["asked"]
    for person in table.seats[1:]:
        assert person.post(pending["path"], {"grant": True}).status_code in (200, 202)
    assert (chair(table, 0)["kind"], chair(table, 0)["level"]) == ("bot", 3)


@pytest.mark.clause("TABLE-BOT-1")
def test_a_seat_that_somebody_holds_is_not_given_away(app: Flask) -> None:
    table = house.opened(app, seats=3)
    version = table.version
    held = problem(table.host.put(bot(table), {"level": 0}), 409, "seat-held")
    assert [clause["id"] for clause in held["ruling"]["clauses"]] == ["TABLE-BOT-1"]
    problem(table.seats[1].put(bot(table), {"level": 0}), 409, "seat-held")
    problem(table.seats[1].post(consents(table), {"grant": True}), 409, "nothing-asked")
    problem(table.host.post(consents(table), {"grant": True}), 403, "players-only")
    assert table.version == version


@pytest.mark.clause("TABLE-BOT-3")
def test_who_comes_back_takes_the_seat_from_the_bot(app: Flask) -> None:
    table = three(app)
    table.host.put(bot(table), {"level": 0})
    for person in table.seats[1:]:
        person.post(consents(table), {"grant": True})
    path = f"{table.path}/view?viewer=seat:0"
    problem(table.seats[0].get(path), 404, "unknown-match")  # the token that left is dead
    problem(table.seats[1].get(path), 403, "not-your-seat")
    problem(table.host.get(path), 403, "not-your-seat")
    back = returned(table, 0)
    assert back.get(path).status_code == 200
    assert types(last(table)) == ["table.BotRemoved", "table.SeatTaken"]
    assert last(table)["clauses"] == ["TABLE-BOT-3", "TABLE-SEAT-1"]
    kept = chair(table, 0)
    assert (kept["kind"], kept["taken"], kept["stands_in"]) == ("human", True, False)
    problem(table.host.put(bot(table), {"level": 0}), 409, "seat-held")


@pytest.mark.clause("TABLE-BOT-3")
def test_a_bot_that_belongs_to_the_table_goes_only_with_consent(app: Flask) -> None:
    table = house.opened(app, chairs=[{"kind": "bot"}, {"kind": "human"}, {"kind": "human"}])
    problem(table.host.post(f"{table.path}/invitations", {"role": "seat:0"}), 409, "seat-not-for-people")
    asked: Any = table.host.delete(bot(table))
    assert asked.status_code == 202
    assert asked_of(table) == {"bot": False, "level": None, "style": None, "granted": [], "asks": [1, 2]}
    version = table.version
    assert table.host.delete(bot(table)).status_code == 202  # asked already
    assert table.version == version
    for person, status in zip(table.seats, (202, 200), strict=True):
        assert person.post(consents(table), {"grant": True}).status_code == status
    assert types(last(table)) == ["table.BotGranted", "table.BotRemoved"]
    assert chair(table, 0)["kind"] == "human"
    returned(table, 0)
    assert chair(table, 0)["taken"] is True


def test_coming_back_while_the_table_is_being_asked_closes_the_question(app: Flask) -> None:
    table = three(app)
    table.host.put(bot(table), {"level": 0})
    returned(table, 0)
    assert types(last(table)) == ["table.BotQuestionClosed", "table.SeatTaken"]
    problem(table.seats[1].post(consents(table), {"grant": True}), 409, "nothing-asked")


def test_where_nobody_else_is_left_to_ask_the_bot_comes_at_once(app: Flask) -> None:
    table = house.opened(app, chairs=[{"kind": "human"}, {"kind": "bot"}])
    table.seats[0].delete(f"{table.path}/seats/0/player")
    put = table.host.put(bot(table), {"level": 1})
    assert put.status_code == 200
    assert types(last(table)) == ["table.BotAsked", "table.BotSeated"]


def test_a_repeated_request_changes_nothing_and_another_body_is_refused(app: Flask) -> None:
    table, keys = three(app), (fresh(), fresh())
    for _ in range(3):
        put = table.host.put(bot(table), {"level": 1}, Idempotency_Key=keys[0])
        assert put.status_code == 202
    assert put.headers["Idempotency-Replayed"] == "true"
    problem(table.host.put(bot(table), {"level": 0}, Idempotency_Key=keys[0]), 422, "idempotency-key-reused")
    version = table.version
    for _ in range(3):
        said = table.seats[1].post(consents(table), {"grant": True}, Idempotency_Key=keys[1])
        assert said.status_code == 202
    assert table.version == version + 1
    refused = table.seats[1].post(consents(table), {"grant": False}, Idempotency_Key=keys[1])
    problem(refused, 422, "idempotency-key-reused")
    assert table.seats[2].post(consents(table), {"grant": True}, Idempotency_Key=keys[1]).status_code == 200
    again = table.host.put(bot(table), {"level": 1}, Idempotency_Key=keys[0])
    assert again.status_code == 202  # as it was answered then
    assert table.version == version + 2


@pytest.mark.clause("TABLE-BOT-4")
@pytest.mark.parametrize("game", load_games())
def test_where_real_cards_are_held_bots_come_and_go_only_before_the_start(app: Flask, game: str) -> None:
    devices = require_devices(game, hidden=True)
    chairs = [{"kind": "human"}] * (load_games()[game].min_seats - 1) + [{"kind": "bot"}]
    table = house.opened(app, game, chairs=chairs, chance={devices[0]: "table"}, start=False)
    seat = len(chairs) - 1
    assert table.host.delete(bot(table, seat)).status_code == 204
    assert table.host.put(bot(table, seat), {"level": 0}).status_code == 200
    started = table.host.post(f"{table.path}/start", If_Match=f'"v{table.version}"')
    assert started.status_code == 201, started.text
    table.seats[0].delete(f"{table.path}/seats/0/player")
    refused = problem(table.host.put(bot(table), {"level": 0}), 409, "hand-unknown")
    assert [clause["id"] for clause in refused["ruling"]["clauses"]] == ["TABLE-BOT-4"]
    problem(table.host.delete(bot(table, seat)), 409, "hand-unknown")


def test_standing_passes_end_with_the_seat(app: Flask) -> None:
    table = house.opened(app, "here_to_slay", seats=2)
    body = {"kinds": ["modifiers"], "until": "match"}
    assert table.seats[0].put(f"{table.path}/seats/0/standing-passes", body).status_code == 200
    log = app.config["SERVICE"].log
    assert set(log.read_passes(table.match)) == {0}
    table.seats[0].delete(f"{table.path}/seats/0/player")
    table.seats[1].put(bot(table), {"level": 0})
    assert log.read_passes(table.match) == {}
    assert returned(table, 0).get(f"{table.path}/seats/0/standing-passes").json["kinds"] == []  # type: ignore[index]


def test_a_bot_that_was_thinking_when_the_player_came_back_does_not_move(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.opened(app)
    seat = table.awaited[0]
    table.seats[seat].delete(f"{table.path}/seats/{seat}/player")
    assert table.seats[1 - seat].put(bot(table, seat), {"level": 0}).status_code == 200
    thought = []

    def slow(view: Any, of: Any, below: Any) -> Any:
        thought.append(of)
        returned(table, seat)
        return None if not view else next(iter(moves(view, of)))

    from referee.bots import minds
    from referee.engine.referee import find_legal_moves as moves

    monkeypatch.setitem(minds.CHOICES, 0, slow)
    assert play_bots(app.config["SERVICE"], table.match) is False
    assert thought == [seat]
    assert types(last(table)) == ["table.BotRemoved", "table.SeatTaken"]


def go_on(app: Flask, table: Table, people: dict[int, Person], dice: random.Random, most: int) -> bool:
    """Lets bots move whenever they are awaited, and people choose at random; whether the match is over."""
    for _ in range(most):
        play_bots(app.config["SERVICE"], table.match, seconds=30)
        found: Any = table.host.get(table.path).json
        if found["status"] in FINAL_STATUSES:
            return True
        awaited = [seat for seat in found["awaits"] if seat in people]
        assert awaited, found["awaits"]
        seat = dice.choice(awaited)
        options = [each["move"] for each in table.moves(seat, people[seat])["legal"]]
        going_on = [move for move in options if move["type"] not in GIVING_UP]
        done = table.move(seat, dice.choice(going_on or options), people[seat])
        assert done.status_code == 201, done.text
    return False


@pytest.mark.parametrize(
    ("game", "variant"),
    [pytest.param(*each, marks=pytest.mark.deep if each[0] in ("munchkin", "here_to_slay") else ()) for each in GAMES],
)
def test_a_match_goes_on_to_its_end_through_a_bot_and_back(app: Flask, game: str, variant: str) -> None:
    dice, seats = random.Random(f"{game}{variant}"), load_games()[game].min_seats
    table = house.opened(app, game, seats, variant=variant)
    people = dict(enumerate(table.seats))
    assert not go_on(app, table, people, dice, 3)
    absent = next(seat for seat in table.awaited if isinstance(seat, int))

    people.pop(absent)
    table.seats[absent].delete(f"{table.path}/seats/{absent}/player")
    table.host.put(bot(table, absent), {"level": 1})
    for person in people.values():
        said = person.post(consents(table, absent), {"grant": True})
    assert said.status_code == 200
    over = go_on(app, table, people, dice, 2)
    entries = app.config["SERVICE"].repository.load_entries(table.match)
    moved = [entry for entry in entries if entry.actor == "bot"]
    assert moved
    assert {entry.seat for entry in moved} == {absent}
    assert all(
        entry.decision.view_hash and not entry.decision_for(other).view_hash for entry in moved for other in people
    )
    if not over:
        people[absent] = returned(table, absent)
        last_of_bot = moved[-1].version
        shown: Any = people[absent].get(f"{table.path}/entries/{last_of_bot}?viewer=seat:{absent}").json
        assert shown["view_hash"]
        over = go_on(app, table, people, dice, 3000)
    assert over
    after = [
        entry
        for entry in app.config["SERVICE"].repository.load_entries(table.match)
        if entry.version > moved[-1].version
    ]
    assert not [entry for entry in after if entry.actor == "bot"]


def test_a_snapshot_keeps_who_stands_in_and_what_is_asked(app: Flask) -> None:
    table = three(app)
    table.host.put(bot(table), {"level": 1})
    asked = app.config["SERVICE"].load_match(table.match).match
    for person in table.seats[1:]:
        person.post(consents(table), {"grant": True})
    seated = app.config["SERVICE"].load_match(table.match).match
    assert (len(asked.proposals), asked.stand_ins, seated.proposals, seated.stand_ins) == (1, (), (), (0,))
    for match in (asked, seated):
        assert decode_snapshot(encode_snapshot(b"\0" * 32, match)) == (b"\0" * 32, match)
