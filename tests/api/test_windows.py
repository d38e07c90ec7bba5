"""Windows over HTTP: what was asked of whom, until when, and how it was closed; and clocks as a client meets them."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Table, problem
from tests.api.streaming import ended, entries, open_stream, quick

WINDOW, MOVE = 20_000, 90_000
CLOCKS = {"window_ms": WINDOW, "move_ms": MOVE}


def later(app: Flask, ms: int) -> None:
    app.config["SERVICE"].log.advance_clock(ms)


def windows(table: Table, viewer: int | None = None, query: str = "") -> list[dict[str, Any]]:
    person = table.anyone if viewer is None else table.seats[viewer]
    found = person.get(house.seen_as(f"{table.path}/windows{query}", viewer))
    assert found.status_code == 200, found.text
    return list(found.json["items"])  # type: ignore[index]


def challenged(app: Flask, **body: Any) -> Table:
    """A match of three, played by the first move that leads on until a card is played that may be challenged."""
    table = house.opened(app, "here_to_slay", 3, visibility="public", **{"clocks": CLOCKS, **body})
    for _ in range(60):
        if any(each["kind"] == "challenge" for each in windows(table, 0, "?open=true")):
            return table
        play_on(table)
    raise AssertionError("no card was played")


def play_on(table: Table) -> None:
    """A move of whoever is awaited, a card played if there is one that may be."""
    seat = next(seat for seat in table.awaited if isinstance(seat, int))
    legal = [each["move"] for each in table.moves(seat)["legal"]]
    plays = [move for move in legal if move["type"] == "hts.play"]
    others = [move for move in legal if move["type"] not in ("hts.leave", "hts.end_turn")]
    assert table.move(seat, (plays or others or legal)[0]).status_code == 201


def test_a_window_tells_who_is_asked_what_and_until_when(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    entry, event = map(int, window["id"].split("."))
    shown: Any = table.anyone.get(f"{table.path}/entries/{entry}").json
    assert shown["events"][event]["type"] == "Opened"
    assert shown["events"][event]["n"] == window["id"]
    assert (window["kind"], window["status"], window["order"]) == ("challenge", "open", "at_once")
    assert window["seats"] == window["awaits"] == sorted(table.awaited)
    assert window["question"]["asks"]["de"]
    assert {clause["id"] for clause in window["clauses"]} >= {"HTS-CHAL-1"}
    assert window["trigger"]["version"] == entry
    assert window["trigger"]["move"]["type"] == "hts.play"
    assert all(event["told"]["en"] for event in window["trigger"]["events"])
    assert window["default"]["move"] == {"type": "hts.pass"}
    assert window["limit_ms"] == WINDOW
    assert window["deadline"]["left_ms"] == window["deadline"]["limit_ms"] == WINDOW
    assert window["answers"] == {"count": 0, "seen": []}
    assert window["outcome"] is None
    later(app, 1500)
    (window,) = windows(table, query="?open=true")
    assert window["deadline"]["left_ms"] == WINDOW - 1500
    again: Any = table.anyone.get(f"{table.path}/windows/{window['id']}").json
    assert again == window
    for path in (f"{table.path}/windows", f"{table.path}/windows/{window['id']}"):
        assert "ETag" not in table.anyone.get(path).headers


def test_the_deadline_stands_wherever_a_phone_looks_for_whom_the_table_waits(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, due = window["awaits"][0], window["deadline"]
    moves = table.moves(seat)
    assert moves["window"] == {"id": window["id"], "kind": "challenge", "deadline": due}
    assert moves["deadline"] == due
    shown = (table.path, f"{table.path}/view", f"{table.path}/view?viewer=seat:{seat}")
    for person, path in zip((table.anyone, table.anyone, table.seats[seat]), shown, strict=True):
        answer: Any = person.get(path)
        assert answer.json["deadline"] == due
        assert person.get(path, If_None_Match=answer.headers["ETag"]).status_code == 200  # the clock runs on
    old: Any = table.anyone.get(f"{table.path}/view?version={table.version - 1}").json
    assert old["deadline"] is None
    view: Any = table.anyone.get(f"{table.path}/view").json
    later(app, 1000)
    ticked: Any = table.anyone.get(f"{table.path}/view").json
    assert ticked["view_hash"] == view["view_hash"]
    assert ticked["deadline"] != view["deadline"]


def test_answers_are_counted_and_the_last_one_closes_the_window(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    first, second = window["awaits"]
    table.move(first, {"type": "hts.pass"}, window=window["id"])
    (half,) = windows(table, query="?open=true")
    assert (half["answers"]["count"], half["awaits"], half["seats"]) == (1, [second], [first, second])
    (answer,) = half["answers"]["seen"]
    assert (answer["seat"], answer["actor"]) == (first, {"kind": "player"})
    assert answer["move"]["type"] == "hts.pass"
    later(app, WINDOW - 1)
    done: Any = table.move(second, {"type": "hts.pass"}, window=window["id"])
    assert done.status_code == 201
    shut: Any = table.anyone.get(f"{table.path}/windows/{window['id']}").json
    assert (shut["status"], shut["awaits"], shut["deadline"], shut["default"]) == ("closed", [], None, None)
    assert shut["outcome"] == {
        "how": "answered", "version": done.json["entry"]["version"], "at": done.json["entry"]["at"],
    }  # fmt: skip
    then: Any = table.anyone.get(f"{table.path}/windows/{window['id']}?version={half['trigger']['version']}").json
    assert (then["status"], then["answers"]["count"], then["deadline"]) == ("open", 0, None)


@pytest.mark.clause("TABLE-CLOCK-1")
def test_the_clock_closes_a_window_before_any_answer_is_given(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    version, late = table.version, window["awaits"][0]
    later(app, WINDOW)
    refused: Any = problem(table.move(late, {"type": "hts.pass"}, window=window["id"]), 409, "window-closed")
    assert refused["window"] == window["id"]
    assert refused["current_version"] > version
    shut: Any = table.anyone.get(f"{table.path}/windows/{window['id']}").json
    assert shut["outcome"]["how"] == "clock"
    assert [each["actor"]["kind"] for each in shut["answers"]["seen"]] == ["clock"] * len(window["awaits"])
    entries: Any = table.anyone.get(f"{table.path}/entries?after={version}").json
    assert entries["items"][0]["actor"] == {"kind": "clock"}
    assert entries["items"][0]["clauses"][0] == "TABLE-CLOCK-1"


def test_a_move_for_a_window_that_is_shut_or_never_was_is_refused_and_changes_nothing(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    seat, version = window["awaits"][0], table.version
    for name in ("1.0", "999999.0"):
        problem(table.move(seat, {"type": "hts.pass"}, window=name), 409, "window-closed")
        path = f"{table.path}/seats/{seat}/moves/check"
        problem(table.seats[seat].post(path, {"move": {"type": "hts.pass"}, "window": name}), 409, "window-closed")
    for name in ("x", "1", "01.1", "1.1\n", 7):
        problem(table.move(seat, {"type": "hts.pass"}, window=name), 422, "invalid-input")
    assert table.version == version
    key = {"Idempotency-Key": "one-key-for-this-answer-only"}
    first = table.move(seat, {"type": "hts.pass"}, window=window["id"], **key)
    assert first.status_code == 201
    later(app, WINDOW)
    table.anyone.get(table.path)
    again = table.move(seat, {"type": "hts.pass"}, window=window["id"], **key)  # the window is shut by now
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    problem(table.move(seat, {"type": "hts.pass"}, **key), 422, "idempotency-key-reused")


def test_windows_come_in_pages_and_only_those_that_were(app: Flask) -> None:
    table = challenged(app)
    for _ in range(40):
        play_on(table)
    every = windows(table)
    names = [tuple(map(int, each["id"].split("."))) for each in every]
    assert len(names) > 1
    assert names == sorted(set(names))
    paged, after = [], ""
    while True:
        page: Any = table.anyone.get(f"{table.path}/windows?limit=1{after}").json
        paged += page["items"]
        if page["next_cursor"] is None:
            break
        after = f"&after={page['next_cursor']}"
    assert paged == every
    problem(table.anyone.get(f"{table.path}/windows/999.9"), 404, "unknown-window")
    problem(table.anyone.get(f"{table.path}/windows/nine"), 404, "not-found")
    problem(table.anyone.get(f"{table.path}/windows?version=99999"), 404, "unknown-version")
    problem(table.anyone.get(f"{table.path}/windows?after=x"), 422, "invalid-input")


def test_the_same_windows_are_told_by_a_desk_that_reads_the_log_anew(app: Flask) -> None:
    table = challenged(app)
    for _ in range(6):
        later(app, WINDOW)
        table.anyone.get(f"{table.path}/windows")
    told = windows(table)
    app.config["SERVICE"].windows._kept.clear()
    assert windows(table) == told


def test_a_shield_is_asked_for_in_a_window_whether_or_not_one_is_held(app: Flask) -> None:
    table = house.opened(app, "monster_combat", 2, visibility="public", clocks=CLOCKS)
    for _ in range(80):
        seat = table.awaited[0]
        found = table.moves(seat)
        if found["window"] is not None:
            break
        legal = [each["move"] for each in found["legal"]]
        sword = [move for move in legal if move.get("card", "").startswith("sword")]
        assert table.move(seat, (sword or legal)[0]).status_code == 201
    (window,) = windows(table, query="?open=true")
    assert (window["kind"], window["seats"], window["default"]["move"]) == ("attack", [seat], {"type": "mc.take_it"})
    later(app, WINDOW)
    shut: Any = table.anyone.get(f"{table.path}/windows/{window['id']}").json
    assert shut["outcome"]["how"] == "clock"


def test_onlookers_who_come_late_see_windows_late_and_no_deadline(app: Flask) -> None:
    table = challenged(app, spectator_delay=3)
    assert windows(table) == []
    (mine,) = windows(table, 0, "?open=true")
    assert mine["deadline"]
    for path in (f"{table.path}/windows/{mine['id']}", f"{table.path}/windows?version={table.version}"):
        assert table.anyone.get(path).status_code == 404
    assert table.anyone.get(f"{table.path}/view").json["deadline"] is None  # type: ignore[index]
    for seat in mine["awaits"]:
        table.move(seat, {"type": "hts.pass"})
    late = table.anyone.get(f"{table.path}/windows/{mine['id']}")
    now: Any = table.seats[0].get(f"{table.path}/windows/{mine['id']}?viewer=seat:0").json
    assert now["status"] == "closed"
    if late.status_code == 200:
        assert late.json["status"] == "open"  # type: ignore[index]
        assert late.json["deadline"] is None  # type: ignore[index]


def test_a_match_that_ends_supersedes_what_was_open(app: Flask) -> None:
    table = challenged(app)
    (window,) = windows(table, query="?open=true")
    ended(table)
    (shut,) = [each for each in windows(table) if each["id"] == window["id"]]
    assert shut["outcome"]["how"] == "superseded"
    assert windows(table, query="?open=true") == []
    full: Any = table.seats[0].get(f"{table.path}/windows/{window['id']}?viewer=full").json
    assert full | {"trigger": None} == shut | {"trigger": None}


def test_a_stream_tells_each_deadline_until_the_match_ends(app: Flask) -> None:
    table = challenged(quick(app))
    (window,) = windows(table, query="?open=true")
    with open_stream(table.anyone, table.path) as stream:
        snapshot, _presence, told = stream.now()
        assert snapshot.data["deadline"] == window["deadline"]
        assert (told.kind, told.id) == ("deadline", None)
        version, at = window["trigger"]["version"], window["deadline"]["at"]
        assert told.data == {"version": version, "window": window["id"], "at": at, "limit_ms": WINDOW}
        later(app, WINDOW)
        table.anyone.get(table.path)
        following = stream.now()
        assert [each.kind for each in following][-1] == "deadline"
        assert following[-1].data["version"] > version
        assert all("deadline" not in entry for entry in entries(following))
        ended(table)
        assert stream.now()[-1].kind == "end"
    with open_stream(table.anyone, table.path, after=version) as again:
        assert "deadline" not in {each.kind for each in again.now()}


@pytest.mark.parametrize(
    "clocks",
    [{"move_ms": 999}, {"window_ms": 0}, {"move_ms": 7 * 24 * 3600 * 1000 + 1}, {"move_ms": "5000"}, {"hurry": 1}, 5,
     {"quick_close": 1}],
)  # fmt: skip
def test_a_limit_that_cannot_be_is_refused(app: Flask, clocks: Any) -> None:
    anyone = house.Person(app.test_client())
    body = {"game": "monster_combat", "seats": [{"kind": "human"}] * 2, "clocks": clocks}
    refused = problem(anyone.post("/v1/matches", body), 422, "invalid-input")
    assert refused["errors"][0]["pointer"].startswith("/clocks")


def test_a_match_says_which_limits_it_has_and_a_lobby_changes_them(app: Flask) -> None:
    table = house.opened(app, start=False)
    assert table.host.get(table.path).json["clocks"] == {  # type: ignore[index]
        "move_ms": None, "window_ms": None, "quick_close": False, "objection_ms": None,
    }  # fmt: skip
    version = table.version
    changed: Any = table.host.patch(table.path, {"clocks": {"move_ms": 5000}}, If_Match=f'"v{version}"').json
    assert changed["clocks"] == {"move_ms": 5000, "window_ms": None, "quick_close": False, "objection_ms": None}
    assert changed["deadline"] is None
    table.host.post(f"{table.path}/start", If_Match=f'"v{version + 1}"')
    assert table.host.get(table.path).json["deadline"]["limit_ms"] == 5000  # type: ignore[index]
