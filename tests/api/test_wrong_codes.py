"""Who tries codes is slowed down, however many addresses he has; nobody else is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from api.http.access.addresses import group_address
from api.http.access.wrong_codes import SPARE_TRIES, WRONG_FACTOR
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.service.rights.tokens import CODE_LENGTH, LINK_LENGTH
from tests.api import house
from tests.api.house import Person, problem
from tests.api.test_invitation_links import invited

JOINS = 8
RATES = {**house.FREE, "joins": JOINS}
WRONG = "Z" * CODE_LENGTH


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with EmbeddedServers(Path(tmp_path_factory.mktemp("q")), store=False) as keeper:
        yield f"redis+{keeper.queue_url}"


def try_code(app: Flask, address: str, code: str = WRONG) -> Any:
    headers = {"Idempotency-Key": house.fresh()}
    return app.test_client().post(
        "/v1/join", json={"code": code}, headers=headers, environ_base={"REMOTE_ADDR": address}
    )


def try_from_everywhere(app: Flask) -> list[str]:
    """Wrong codes from many addresses, until the server has had enough of them; the addresses."""
    addresses = [f"10.0.{number}.1" for number in range(JOINS * WRONG_FACTOR // SPARE_TRIES + 1)]
    for address in addresses:
        for _ in range(SPARE_TRIES):
            problem(try_code(app, address), 404, "unknown-code")
    return addresses


def test_after_many_wrong_codes_those_who_sent_them_wait_and_nobody_else() -> None:
    app = house.app(RATES=RATES)
    table = house.opened(app, seats=3, join=False, start=False)
    link = invited(table)
    addresses = try_from_everywhere(app)
    for address in addresses[:3]:
        body = problem(try_code(app, address), 429, "too-many-requests")
        assert (body["kind"], body["limit"], body["seconds"]) == ("joins", SPARE_TRIES, 3600)
    refused = try_code(app, addresses[0], table.codes[0])
    problem(refused, 429, "too-many-requests")
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    assert try_code(app, "192.168.0.9", table.codes[0]).status_code == 201
    assert try_code(app, addresses[0], link["code"]).status_code == 201, "a link cannot be found by trying"


def test_a_few_typing_errors_delay_nobody() -> None:
    app = house.app(RATES=RATES)
    for _ in range(SPARE_TRIES + 1):
        problem(try_code(app, "10.0.0.1"), 404, "unknown-code")


def test_wrong_links_count_nothing() -> None:
    app = house.app(RATES={**house.FREE, "joins": 1})
    for number in range(2 * WRONG_FACTOR):
        problem(try_code(app, f"10.1.{number}.1", "Z" * LINK_LENGTH), 404, "unknown-code")
        problem(try_code(app, f"10.2.{number}.1", "Z" * LINK_LENGTH), 404, "unknown-code")


def test_all_processes_count_together(queue: str) -> None:
    here, there = (house.app(RATES=RATES, RATE_STORAGE=queue) for _ in range(2))
    addresses = try_from_everywhere(here)
    problem(try_code(there, addresses[0]), 429, "too-many-requests")
    problem(try_code(there, "192.168.0.10"), 404, "unknown-code")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.168.0.1", "192.168.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("::ffff:192.168.0.1", "192.168.0.1"),
        ("::1", "::/64"),
        ("", "nowhere"),
        ("unix", "unix"),
    ],
)
def test_an_ipv6_client_is_its_network(address: str, counted: str) -> None:
    assert group_address(address) == counted


def test_the_limits_of_an_address_hold_for_its_network() -> None:
    app = house.app(RATES=RATES)
    answers = [try_code(app, f"2001:db8:0:1::{number:x}").status_code for number in range(JOINS + 2)]
    assert answers == [404] * JOINS + [429] * 2
    assert try_code(app, "2001:db8:0:2::1").status_code == 404


def test_the_hot_lane_counts_networks_as_well() -> None:
    app = house.app(RATES={**house.FREE, "reads": 2})  # an address may make ten times as many requests
    table = house.opened(app)
    person = Person(app.test_client(), table.seats[0].token)
    path = f"{table.path}/view?viewer=seat:0"
    app.config["LIMITS"]._limits["reads"].amount = 1_000_000

    def read(number: int) -> int:
        headers = {"Authorization": f"Bearer {person.token}"}
        where = {"REMOTE_ADDR": f"2001:db8:0:9::{number:x}"}
        return int(person.client.get(path, headers=headers, environ_base=where).status_code)

    assert [read(number) for number in range(22)] == [200] * 20 + [429] * 2
