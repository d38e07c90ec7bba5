"""Figures: who is let in, what they count, and that they tell nobody more than he may see."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families

from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.test_leaks import CHAFF, GAMES, changed, world

pytestmark = pytest.mark.deep

OPERATOR = "rfs_" + "o" * 43
OPERATED: dict[str, Any] = {"IS_OPERATOR": lambda token: token == OPERATOR, "CLOCK": lambda: 0.0}


def operated(**config: Any) -> Flask:
    """An app that knows its operator, with a clock that stands still."""
    return house.app(**OPERATED, **config)


def scraped(app: Flask, token: str | None = None) -> str:
    """What the figures are for this reader."""
    answer = Person(app.test_client(), token).get("/metrics")
    assert answer.status_code == 200, answer.text
    return answer.text


def figures(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Every sample, by name and labels."""
    families = text_string_to_metric_families(text)
    return {(each.name, frozenset(each.labels.items())): each.value for fam in families for each in fam.samples}


def moves(text: str) -> dict[tuple[str, str, str], float]:
    """How many moves by game, outcome and clause."""
    return {
        (told["game"], told["outcome"], told["clause"]): value
        for (name, labels), value in figures(text).items()
        if name == "referee_moves_total" and (told := dict(labels))
    }


def test_the_operator_and_this_machine_are_let_in_and_nobody_else() -> None:
    app = operated()
    anyone = Person(app.test_client())
    assert anyone.get("/metrics").content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert Person(app.test_client(), OPERATOR).get("/metrics").status_code == 200
    problem(Person(app.test_client(), "rfs_" + "x" * 43).get("/metrics"), 403, "operator-only")
    problem(anyone.get("/metrics", Authorization="Bearer nonsense"), 401, "unauthorized")
    client = app.test_client()
    for peer, host in (("192.168.0.7", "localhost"), ("127.0.0.1", "rebound.example"), ("", "localhost")):
        answer = client.get("/metrics", environ_base={"REMOTE_ADDR": peer}, headers={"Host": host})
        problem(answer, 401, "unauthorized")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    for host in ("localhost:8080", "127.0.0.1", "[::1]:8080"):
        assert client.get("/metrics", environ_base={"REMOTE_ADDR": "::1"}, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("header", ["Forwarded", "Via", "X-Forwarded-For", "X-Real-Ip", "Origin"])
def test_what_a_proxy_on_this_machine_passes_on_does_not_come_from_it(header: str) -> None:
    for proxies in (0, 1):
        answer = operated(PROXIES=proxies).test_client().get("/metrics", headers={header: "127.0.0.1"})
        problem(answer, 401, "unauthorized")


def test_requests_are_counted_by_method_rule_and_status() -> None:
    app = operated()
    anyone = Person(app.test_client())
    for _ in range(3):
        anyone.get("/v1/games/monster_combat")
    for path in ("/nowhere", "/nowhere/else", "/v1/games/nothing"):
        anyone.get(path)
    anyone.client.open("/v1/games", method="BREW")
    found = {
        tuple(dict(labels)[part] for part in ("method", "rule", "status")): value
        for (name, labels), value in figures(scraped(app)).items()
        if name == "referee_http_requests_total"
    }
    assert found == {
        ("GET", "/v1/games/<name:game>", "200"): 3,
        ("GET", "/v1/games/<name:game>", "404"): 1,
        ("GET", "unmatched", "404"): 2,
        ("other", "unmatched", "405"): 1,
    }


def test_moves_are_counted_by_what_became_of_them() -> None:
    app = operated()
    table = house.opened(app)
    seat = table.awaited[0]
    move = table.moves(seat)["legal"][0]["move"]
    key = house.fresh()
    for _ in range(2):
        table.move(seat, move, **{"Idempotency-Key": key})
    table.seats[0].post(f"{table.path}/seats/0/moves/check", {"move": move})
    awaited = table.awaited[0]
    assert table.move(awaited, {"type": "mc.parry", "card": "shield"}).status_code == 409
    assert table.move(1 - awaited, {"type": "hts.draw"}).status_code == 409  # of another game
    game = "monster_combat"
    whole, coarse = moves(scraped(app, OPERATOR)), moves(scraped(app))
    assert whole[game, "accepted", ""] == whole[game, "repeated", ""] == whole[game, "tried", ""] == 1
    against = {clause for (_, outcome, clause) in whole if outcome == "illegal-move"}
    assert "KERNEL-MOVE-1" in against
    assert any(clause.startswith("MC-") for clause in against)
    assert {(outcome, clause) for _, outcome, clause in coarse} == {
        ("accepted", ""), ("repeated", ""), ("tried", ""), ("refused", "KERNEL-MOVE-1"), ("refused", "rules"),
    }  # fmt: skip
    assert sum(coarse.values()) == sum(whole.values())


def test_what_waits_is_told() -> None:
    app = operated(QUEUE_STATE=lambda: {"queue": "ok", "workers": {"drain": 2}, "waiting": {"drain": 5}})
    table = house.opened(app)
    found = figures(scraped(app))
    drain = frozenset({("queue", "drain")})
    assert found["referee_queue_jobs", drain] == 5
    assert found["referee_workers", drain] == 2
    assert found["referee_queue_up", frozenset()] == 1
    assert found["referee_feed_lag_entries", frozenset()] == table.version
    assert found["referee_feed_lag_entries_max", frozenset()] == table.version


def test_open_streams_are_counted() -> None:
    app = operated()
    table = house.opened(app, visibility="public")
    stream = table.anyone.get(f"{table.path}/stream")
    next(iter(stream.response))
    assert figures(scraped(app))["referee_streams_open", frozenset()] == 1
    stream.close()
    assert figures(scraped(app))["referee_streams_open", frozenset()] == 0


def refusals(game: str, *tables: Table) -> None:
    """Has everybody at each of these tables try what is refused at all of them; nothing is ever written."""
    for seat, move in product(range(len(tables[0].seats)), CHAFF[game]):
        path = f"/seats/{seat}/moves/check"
        tried: list[Any] = [table.seats[seat].post(table.path + path, {"move": move}).json for table in tables]
        if all(answer["verdict"] == "refused" for answer in tried):
            for table in tables:
                assert table.move(seat, move).status_code == 409


@pytest.fixture
def told_apart(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes two tables that a seat cannot tell apart, has everybody try the same, and gives the figures of each as who
    sits at the machine and as the operator reads them; and whether anything was hidden."""
    real = house.app
    monkeypatch.setattr(house, "app", lambda *given, **more: real(*given, **OPERATED, **more))

    def made(game: str, variant: str, seat: int, seed: int) -> tuple[list[str], list[Any], bool]:
        worlds = []
        for _ in range(2):
            house.COUNTERS[0] = iter(range(10**6))
            worlds.append(world(game, variant, 5, seed))
        differ = changed(*worlds[1], seat, seed)
        refusals(game, *(table for _, table in worlds))
        apps = [app for app, _ in worlds]
        return [scraped(app) for app in apps], [moves(scraped(app, OPERATOR)) for app in apps], differ

    return made


@pytest.mark.parametrize(("game", "variant"), GAMES)
def test_two_tables_that_a_seat_cannot_tell_apart_count_the_same(game: str, variant: str, told_apart: Any) -> None:
    hidden = 0
    for seat in (-3, 0, 1):
        (here, there), _, differ = told_apart(game, variant, seat, 3)
        assert here == there
        hidden += differ
    assert hidden, "nothing was hidden, so nothing was tested"


def test_the_figures_that_only_the_operator_reads_do_differ_there(told_apart: Any) -> None:
    """Else the test above would prove nothing of what is folded."""
    found = [told_apart("monster_combat", "V1", -3, seed)[1] for seed in range(4)]
    assert any(here != there for here, there in found)
