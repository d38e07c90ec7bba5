"""Behind reverse proxies: who is counted, and who is believed."""

from __future__ import annotations

import pytest
from flask import Flask, request

from tests.api import house
from tests.api.house import Person

JOINS = {**house.FREE, "joins": 2}


def tries(app: Flask, *addresses: str) -> list[int]:
    """The statuses of attempts to join that a proxy passes on for these addresses."""
    client, body = Person(app.test_client()), {"code": "ZZZZZZ"}
    return [client.post("/v1/join", body, X_Forwarded_For=address).status_code for address in addresses]


def test_what_a_request_says_of_its_way_is_not_believed_unless_that_was_set() -> None:
    app = house.app(RATES=JOINS)
    assert tries(app, "10.0.0.1", "10.0.0.2", "10.0.0.3") == [404, 404, 429]


def test_behind_a_proxy_each_address_has_limits_of_its_own() -> None:
    app = house.app(RATES=JOINS, PROXIES=1)
    assert tries(app, *["10.0.0.1"] * 3, *["10.0.0.2"] * 3) == [404, 404, 429] * 2


@pytest.mark.parametrize("made_up", ["1.1.1.1", "2.2.2.2", "3.3.3.3"])
def test_what_stands_before_the_trusted_proxies_words_buys_nothing(made_up: str) -> None:
    app = house.app(RATES=JOINS, PROXIES=2)
    assert tries(app, *[f"{made_up}, 10.0.0.9, 192.168.0.1"] * 3) == [404, 404, 429]
    assert tries(app, f"{made_up}{made_up}, 10.0.0.9, 192.168.0.1") == [429]
    assert tries(app, "10.0.0.8, 192.168.0.1") == [404]


def test_addresses_to_join_at_follow_the_proxys_scheme_and_never_a_forwarded_host() -> None:
    seen: list[str] = []
    app = house.app(PROXIES=1)
    app.before_request(lambda: seen.append(request.host_url))
    Person(app.test_client()).get("/healthz", X_Forwarded_Proto="https", X_Forwarded_Host="evil.example")
    assert seen == ["https://localhost/"]
