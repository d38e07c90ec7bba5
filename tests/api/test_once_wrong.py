"""What was found wrong in the running program by those who attacked it, each as it was found."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from api.app import create_app
from referee.engine.seats import BYSTANDER
from referee.games import load_games
from referee.match import clocks
from tests.api import house
from tests.api.house import Person, problem


def test_a_proxy_is_told_by_a_refusal_the_same_whatever_is_in_the_hand(app: Flask) -> None:
    """Two tables that look the same to everybody are found, with other cards in the hand."""
    looks: dict[str, tuple[Any, house.Table]] = {}
    while True:
        table = house.opened(app)
        state: Any = app.config["SERVICE"].load_match(table.match).match.state
        there = state.zones[f"hand:{table.awaited[0]}"]
        seen = repr(state.view_for(BYSTANDER))
        if seen in looks and sorted(looks[seen][0]) != sorted(there):
            break
        looks[seen] = (there, table)
    answers = []
    for each in (looks[seen][1], table):
        seat = each.awaited[0]
        path = f"{each.path}/seats/{seat}"
        assert each.seats[seat].put(f"{path}/proxy", {"by": str(1 - seat)}).status_code == 200
        told: dict[str, Any] = {}
        for card in load_games()["monster_combat"].cards:
            for name in (card["id"], f"{card['id']}!trigger"):
                move = {"type": "mc.play", "card": name, "target": 19}
                refused: Any = each.seats[1 - seat].post(f"{path}/moves", {"move": move}, X_Request_Id="same")
                told[name] = problem(refused, 409, "illegal-move")["ruling"]
        answers.append(told)
        own = problem(each.seats[seat].post(f"{path}/moves", {"move": move}), 409, "illegal-move")
        assert own["ruling"]["clauses"][0]["id"].startswith("MC-")
    assert answers[0] == answers[1]
    lacking = next(card for card in ("sword", "skip", "lightning", "thief_1", "thief_2") if card not in there)
    refused = table.seats[1 - seat].post(f"{path}/moves", {"move": {"type": "mc.play", "card": lacking}})
    assert problem(refused, 409, "illegal-move")["ruling"]["clauses"][0]["id"] == "TABLE-PROXY-1"


def test_a_proxy_is_told_what_everybody_sees(app: Flask) -> None:
    table = house.opened(app)
    seat = 1 - table.awaited[0]
    path = f"{table.path}/seats/{seat}"
    assert table.seats[seat].put(f"{path}/proxy", {"by": str(1 - seat)}).status_code == 200
    refused = table.seats[1 - seat].post(f"{path}/moves", {"move": {"type": "mc.pass"}})
    assert problem(refused, 409, "illegal-move")["ruling"]["clauses"][0]["id"] == "MC-TURN-PLAY-1"


@pytest.mark.clause("TABLE-CLOCK-1")
def test_the_clock_waits_where_nobody_is_there_any_more(app: Flask) -> None:
    table = house.opened(app, "shy_monsters", visibility="public", clocks={"move_ms": 1000})
    log, most = app.config["SERVICE"].log, clocks.MAX_LATE_MOVES_PER_SEAT * 2
    for _ in range(most + 10):
        log.advance_clock(1001)
        table.anyone.get(table.path)
    entries = app.config["SERVICE"].repository.load_entries(table.match, 0)
    late = [entry for entry in entries if entry.actor == "clock"]
    over = table.anyone.get(table.path).json["status"] != "running"  # type: ignore[index]
    assert len(late) == most or over
    if over:
        return
    assert table.anyone.get(table.path).json["deadline"] is None  # type: ignore[index]
    seat = table.awaited[0]
    done = table.move(seat, table.moves(seat)["legal"][0]["move"])
    assert done.status_code == 201
    assert table.anyone.get(table.path).json["deadline"] is not None, "somebody is there again"  # type: ignore[index]


def test_what_is_hidden_till_the_end_is_kept_by_no_cache(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    assert table.end("abandoned").status_code == 201
    full = table.seats[0].get(f"{table.path}/entries/5?viewer=full")
    assert full.headers["Cache-Control"] == "private, no-store"
    assert "immutable" in table.anyone.get(f"{table.path}/entries/5").headers["Cache-Control"]


def test_the_host_gives_nobodys_seat_to_a_bot_by_changing_the_table(app: Flask) -> None:
    table = house.opened(app, start=False)
    chairs = [{"kind": "bot"}, {"kind": "human"}]
    refused = table.host.patch(table.path, {"seats": chairs}, If_Match="*")
    problem(refused, 409, "seat-taken")
    assert table.seats[0].get(f"{table.path}/view?viewer=seat:0").status_code == 200


def absent(app: Flask) -> house.Table:
    """A running match of three whose seat 0 is free."""
    table = house.opened(app, seats=3)
    assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
    return table


def test_a_yes_holds_for_the_question_that_was_asked(app: Flask) -> None:
    table = absent(app)
    bot = f"{table.path}/seats/0/bot"
    asked = table.host.put(bot, {"level": 0})
    assert asked.status_code == 202
    again = table.seats[1].put(bot, {"level": 1})
    first, second = (each.json["seats"][0]["proposal"]["proposal"] for each in (asked, again))
    late = table.seats[2].post(f"{bot}/proposals/{second}/consents", {"grant": True}, If_Match=asked.headers["ETag"])
    problem(late, 412, "stale-version")
    problem(table.seats[2].post(f"{bot}/proposals/{first}/consents", {"grant": True}), 409, "asked-otherwise")
    assert table.seats[2].post(f"{bot}/proposals/{second}/consents", {"grant": True}).status_code == 200


def test_a_question_is_decided_when_the_last_who_was_asked_leaves(app: Flask) -> None:
    table = absent(app)
    assert table.seats[1].put(f"{table.path}/seats/0/bot", {"level": 0}).status_code == 202
    assert table.seats[2].delete(f"{table.path}/seats/2/player").status_code == 204
    chair: Any = table.host.get(table.path).json["seats"][0]  # type: ignore[index]
    assert (chair["kind"], chair["proposal"]) == ("bot", None)


def test_a_question_that_nobody_is_left_to_answer_is_closed(app: Flask) -> None:
    table = absent(app)
    assert table.host.put(f"{table.path}/seats/0/bot", {"level": 0}).status_code == 202
    for seat in (1, 2):
        assert table.seats[seat].delete(f"{table.path}/seats/{seat}/player").status_code == 204
    chair: Any = table.host.get(table.path).json["seats"][0]  # type: ignore[index]
    assert (chair["kind"], chair["taken"], chair["proposal"]) == ("human", False, None)


def test_the_operator_reads_nothing_of_a_private_matchs_webhook_and_may_take_it_away() -> None:
    known = "rfs_" + "o" * 43
    app = house.app(IS_OPERATOR=lambda token: token == known)
    table = house.opened(app)
    operator = Person(table.anyone.client, known)
    body = {"url": "https://example.com/hook", "events": ["match.ended"], "match": table.match}
    hook: Any = table.host.post("/v1/webhooks", body).json
    path = f"/v1/webhooks/{hook['id']}"
    problem(operator.get(path), 404, "unknown-webhook")
    problem(operator.patch(path, {"url": "https://example.com/other"}), 404, "unknown-webhook")
    problem(operator.get(f"{path}/deliveries"), 404, "unknown-webhook")
    assert table.host.get(path).status_code == 200
    assert operator.delete(path).status_code == 204


def test_an_address_with_empty_parts_leads_nowhere_and_not_elsewhere() -> None:
    app = create_app({"SERVICE": house.app().config["SERVICE"]})
    answer = app.test_client().get("/v1//games", headers={"Host": "evil.example"})
    assert answer.status_code == 404
    assert answer.content_type == "application/problem+json"
    assert "Location" not in answer.headers


def test_who_joins_as_an_onlooker_is_told_no_later_version_than_he_sees(app: Flask) -> None:
    table = house.opened(app, spectator_delay=2)
    for _ in range(4):
        seat = table.awaited[0]
        table.move(seat, table.moves(seat)["legal"][0]["move"])
    code: Any = table.host.post(f"{table.path}/invitations", {"role": "spectator"}).json
    joined: Any = table.anyone.post("/v1/join", {"code": code["code"]}).json
    seen: Any = Person(table.anyone.client, joined["token"]).get(table.path).json
    assert joined.get("version", seen["version"]) == seen["version"] < table.version
