"""Figures: how large they can become, and where they are answered."""

from __future__ import annotations

from typing import Any

from flask import Flask

from api.http.metrics import OTHER, UNMATCHED
from api.http.problems import PROBLEMS
from tests.api import house
from tests.api.house import Person, problem

OPERATOR = "rfs_" + "o" * 43
MOST_BYTES = 400_000
AT_METRICS = {"SERVER_PORT": "9464"}


def operated(**config: Any) -> Flask:
    return house.app(IS_OPERATOR=lambda token: token == OPERATOR, **config)


def scraped(app: Flask) -> str:
    return app.test_client().get("/metrics").text


def test_no_client_can_make_the_figures_grow_beyond_a_bound() -> None:
    """Every call with every status that any call has: more than all requests there can be."""
    app = operated()
    statuses = {told["status"] for told in PROBLEMS.values()} | {200, 201, 202, 204, 304}
    calls = {(rule.rule, method) for rule in app.url_map.iter_rules() for method in rule.methods or ()}
    methods = {method: {"HEAD": "GET", "OPTIONS": OTHER}.get(method, method) for _, method in calls}
    for rule, method in calls | {(UNMATCHED, method) for method in (*methods, OTHER)}:
        for status in statuses:
            app.config["METRICS"].record_request(methods.get(method, method), rule, status, 0.01)
    assert 100_000 < len(scraped(app)) < MOST_BYTES


def test_only_known_words_are_labels() -> None:
    app = operated()
    anyone = Person(app.test_client())
    for number in range(50):
        anyone.client.open(f"/v1/matches/{number}", method=f"VERB{number}")
        anyone.get(f"/v1/games/game{number}")
        anyone.get(f"/number{number}?x={number}")
    assert scraped(app).count("referee_http_requests_total{") == 2


def test_figures_with_an_address_of_their_own_are_answered_there_alone_and_nothing_else_is() -> None:
    app = operated(METRICS_PORT="9464", HOST_NAMES=("prometheus.example",))
    table = house.opened(app)
    client = app.test_client()
    view = f"{table.path}/view?viewer=seat:0"
    seat = {"Authorization": f"Bearer {table.seats[0].token}"}
    for path, headers in (("/v1/games", {}), ("/", {}), ("/readyz", {}), (view, seat)):
        problem(client.get(path, headers=headers, environ_overrides=AT_METRICS), 404, "not-found")
        assert client.get(path, headers=headers).status_code == 200
    for headers in ({}, {"Authorization": f"Bearer {OPERATOR}"}):
        problem(client.get("/metrics", headers=headers), 404, "not-found")
    elsewhere = {"REMOTE_ADDR": "10.0.0.9", **AT_METRICS}
    told = client.get("/metrics", headers={"Host": "prometheus.example"}, environ_overrides=elsewhere)
    assert told.status_code == 200
    problem(client.get("/metrics", headers={"Host": "evil.example"}, environ_overrides=elsewhere), 421, "host-unknown")
    wrong = {"Authorization": "Bearer rfs_" + "x" * 43}
    problem(client.get("/metrics", headers=wrong, environ_overrides=elsewhere), 403, "operator-only")
