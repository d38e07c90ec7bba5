"""The cap on open matches: by account, else by address; what is over counts no more, and nobody loses an answer."""

from __future__ import annotations

from typing import Any

from flask import Flask

from tests.api import ended, house
from tests.api.house import Person, problem

BODY = {"game": "monster_combat", "seats": [{"kind": "human"}] * 2, "visibility": "public"}


def capped(**config: Any) -> Flask:
    return house.app(OPEN_MATCHES_PER_ACCOUNT=2, OPEN_MATCHES_PER_ADDRESS=3, **config)


def opened(person: Person, **headers: str) -> dict[str, Any]:
    made = person.post("/v1/matches", BODY, **headers)
    assert made.status_code == 201, made.text
    return made.json  # type: ignore[return-value]


def test_an_address_has_only_so_many_matches_open() -> None:
    anyone = Person(capped().test_client())
    for _ in range(3):
        opened(anyone)
    said = problem(anyone.post("/v1/matches", BODY), 409, "too-many-matches")
    assert "3" in said["detail"]
    elsewhere = anyone.client.post(
        "/v1/matches", json=BODY, headers={"Idempotency-Key": house.fresh()}, environ_base={"REMOTE_ADDR": "192.0.2.9"}
    )
    assert elsewhere.status_code == 201


def test_an_account_is_counted_wherever_it_is_and_leaves_the_address_alone() -> None:
    app = capped()
    _, ada = ended.account(app, "Ada")
    for address in ("192.0.2.1", "192.0.2.2"):
        headers = {"Idempotency-Key": house.fresh(), "Authorization": f"Bearer {ada.token}"}
        made = ada.client.post("/v1/matches", json=BODY, headers=headers, environ_base={"REMOTE_ADDR": address})
        assert made.status_code == 201, made.text
    problem(ada.post("/v1/matches", BODY), 409, "too-many-matches")
    opened(Person(ada.client))


def test_what_is_over_makes_room() -> None:
    app = capped()
    anyone = Person(app.test_client())
    matches = [opened(anyone) for _ in range(3)]
    host = Person(anyone.client, matches[1]["token"])
    assert host.delete(f"/v1/matches/{matches[1]['match']}", If_Match="*").status_code == 204
    ended.led(app)
    opened(anyone)
    problem(anyone.post("/v1/matches", BODY), 409, "too-many-matches")


def test_a_repeated_opening_gets_its_answer_again_when_all_places_are_taken() -> None:
    app = capped()
    anyone, key = Person(app.test_client()), house.fresh()
    first = opened(anyone, Idempotency_Key=key)
    for _ in range(2):
        opened(anyone)
    assert opened(anyone, Idempotency_Key=key)["match"] == first["match"]
    ended.led(app)
    host = Person(anyone.client, first["token"])
    assert host.delete(f"/v1/matches/{first['match']}", If_Match="*").status_code == 204
    ended.led(app)
    opened(anyone)  # now the first one is not noted any more, and all places are taken
    assert opened(anyone, Idempotency_Key=key)["match"] == first["match"]


def test_an_opening_that_is_refused_takes_no_place_for_good() -> None:
    anyone = Person(capped().test_client())
    for _ in range(5):
        wrong = anyone.post("/v1/matches", {**BODY, "edition": "no such edition"})
        assert wrong.status_code == 422, wrong.text
    for _ in range(3):
        opened(anyone)


def test_the_operator_opens_as_many_as_there_are() -> None:
    token = "rfs_" + "o" * 43
    operator = Person(capped(IS_OPERATOR=lambda given: given == token).test_client(), token)
    for _ in range(5):
        opened(operator)


def test_openings_that_are_refused_count_as_writes_but_not_as_matches() -> None:
    anyone = Person(house.app(RATES={**house.FREE, "matches": 2, "writes": 6}).test_client())
    for path in ("/v1/matches", "/v1/tournaments"):
        assert anyone.post(path, {**BODY, "edition": "no such edition"}).status_code == 422
    opened(anyone)
    assert anyone.post("/v1/matches", {"game": "chess"}).status_code == 422
    opened(anyone)
    for kind, body in (("matches", BODY), ("writes", {"game": "chess"})):
        said = problem(anyone.post("/v1/matches", body), 429, "too-many-requests")
        assert (said["kind"], said["limit"]) == (kind, 2 if kind == "matches" else 6)
