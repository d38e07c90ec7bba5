"""By which names the server answers: a page elsewhere may give its own name this machine's address."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from api.http.access.hosts import MAX_HOST
from referee.infrastructure.settings import Settings
from tests.api import house
from tests.api.house import problem

NAMES = ("table.example", "Referee")
BODY = {"game": "monster_combat", "variant": "V1", "seats": [{"kind": "human"}, {"kind": "bot"}]}
OURS = (
    *("localhost", "localhost:8080", "LOCALHOST", "app.localhost:3000", "127.0.0.1:8080", "192.168.0.20:8080"),
    *("[::1]", "[fe80::1]:8080", "table.example", "Table.Example:443", "table.example.", "referee:8080"),
)
FOREIGN = (
    *("evil.example", "evil.example:8080", "table.example.evil.example", "localhost.evil.example", "127.0.0.1.nip.io"),
    *("", "user@localhost", "localhost:8080:9", "localhost:x", "[::1", "::1", "evil.example#localhost", "0x7f.1"),
    *("xtable.example", "table.example/", "notlocalhost", "9" * (MAX_HOST + 1)),
)


@pytest.fixture(scope="module")
def named() -> Flask:
    return house.app(HOST_NAMES=NAMES)


def opened(app: Flask, host: str) -> Any:
    headers = {"Host": host, "Idempotency-Key": house.fresh()}
    return app.test_client().post("/v1/matches", json=BODY, headers=headers)


@pytest.mark.parametrize("host", OURS)
def test_its_own_names_localhost_and_addresses_are_answered(named: Flask, host: str) -> None:
    assert opened(named, host).status_code == 201


@pytest.mark.parametrize("host", FOREIGN)
def test_under_any_other_name_nothing_is_answered_and_nothing_is_done(named: Flask, host: str) -> None:
    before = named.config["SERVICE"].log.read_partition_info(7).position
    body = problem(opened(named, host), 421, "host-unknown")
    assert len(body["detail"]) < 200
    for path in ("/", "/healthz", "/readyz", "/metrics", "/v1/games", "/nowhere", "/docs", "/openapi.yaml"):
        problem(named.test_client().get(path, headers={"Host": host}), 421, "host-unknown")
    assert named.config["SERVICE"].log.read_partition_info(7).position == before


def test_the_hot_lane_asks_for_the_name_as_well() -> None:
    table = house.opened(house.app(HOST_NAMES=NAMES))
    path = f"{table.path}/view?viewer=seat:0"
    assert table.seats[0].get(path, Host="table.example").status_code == 200
    problem(table.seats[0].get(path, Host="evil.example"), 421, "host-unknown")


def test_a_foreign_name_costs_the_client_nothing_of_its_limits() -> None:
    app = house.app(HOST_NAMES=(), RATES={**house.FREE, "matches": 1})
    for _ in range(3):
        problem(opened(app, "evil.example"), 421, "host-unknown")
    assert opened(app, "localhost").status_code == 201


def test_the_name_is_told_in_german_too(named: Flask) -> None:
    headers = {"Host": "evil.example", "Accept-Language": "de"}
    told: Any = named.test_client().get("/v1/games", headers=headers).json
    assert "unter dem Namen evil.example nicht bekannt" in told["detail"]


def test_links_and_their_codes_name_the_public_address_whatever_the_caller_used() -> None:
    app = house.app(HOST_NAMES=NAMES, PUBLIC_URL="https://table.example", LAN_URL="http://192.168.0.20:8080")
    for host in ("localhost:8080", "192.168.0.20:8080", "table.example"):
        made: Any = opened(app, host).json
        assert made["invitations"][0]["url"].startswith("https://table.example/join#")


def test_the_settings_name_every_address_that_they_mention(tmp_path: Any) -> None:
    files = (tmp_path,) * 4
    assert Settings(*files).host_names == ("127.0.0.1",)
    full = Settings(
        *files,
        host="here.lan",
        lan_url="http://mine.lan:8080",
        public_url="https://table.example",
        allowed_hosts=("a.example",),
    )
    assert set(full.host_names) == {"here.lan", "mine.lan", "table.example", "a.example"}
