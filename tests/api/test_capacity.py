"""How much is done at once: beyond it the answer is no, at once, and the place is free again as soon as it is left."""

from __future__ import annotations

from typing import Any

import pytest

from api.http.access.load_shedding import BUSY_REQUESTS_KEY, RequestCounter, compute_request_limit
from tests.api import house
from tests.api.house import Person, problem


def call(app: RequestCounter, **environ: Any) -> Any:
    """One request to a WSGI app; its body, which has to be closed."""
    return app(environ, lambda *_: None)


def test_a_request_counts_until_its_answer_is_closed_and_once() -> None:
    noted: list[int] = []
    app = RequestCounter(lambda environ, start: [str(environ[BUSY_REQUESTS_KEY]).encode()], noted.append)
    first, second = call(app), call(app)
    assert (list(first), list(second)) == ([b"1"], [b"2"])
    for _ in range(2):
        first.close()
    assert list(call(app)) == [b"2"]
    assert noted == [1, 2, 1, 2]


def test_a_request_that_breaks_counts_no_more() -> None:
    noted: list[int] = []

    def broken(environ: Any, start: Any) -> Any:
        raise ValueError

    app = RequestCounter(broken, noted.append)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"^$"):
            call(app)
    assert noted == [1, 0, 1, 0]


@pytest.mark.parametrize(("threads", "many"), [(1, 1), (2, 2), (4, 3), (16, 12), (256, 252)])
def test_some_threads_only_say_no(threads: int, many: int) -> None:
    assert compute_request_limit(threads) == many


def test_who_comes_beyond_is_told_when_to_come_again() -> None:
    app = house.app(MAX_REQUESTS=2)
    client = app.test_client()
    with client.get("/v1/games") as first, client.get("/v1/games") as second:
        assert (first.status_code, second.status_code) == (200, 200)
        with Person(client).get("/v1/games", X_Request_Id="mine") as third:
            refused = problem(third, 503, "overloaded")
            assert third.headers["Retry-After"] == "1"
            assert (refused["limit"], refused["seconds"], refused["request_id"]) == (2, 1, "mine")
            assert "2 requests" in refused["detail"]
        with client.get("/healthz") as health:
            assert health.status_code == 200
        with Person(client).post("/v1/matches", {}, Accept_Language="de") as write:
            assert "2 Anfragen" in problem(write, 503, "overloaded")["detail"]
        with client.get("/nowhere") as nowhere:
            problem(nowhere, 503, "overloaded")
    with client.get("/v1/games") as again:
        assert again.status_code == 200


def test_a_stream_holds_its_place_until_it_ends() -> None:
    app = house.app(MAX_REQUESTS=2)
    table = house.opened(house.app(app.config["SERVICE"]), visibility="public")
    client = app.test_client()
    streams = [client.get(f"{table.path}/stream") for _ in range(2)]
    with client.get("/v1/games") as refused:
        problem(refused, 503, "overloaded")
    for stream in streams:
        stream.close()
    with client.get("/v1/games") as again:
        assert again.status_code == 200


def test_what_was_refused_counts_against_no_limit() -> None:
    app = house.app(MAX_REQUESTS=1, RATES={**house.FREE, "reads": 1})
    client, someone = app.test_client(), Person(app.test_client(), "rfs_" + "s" * 43)
    with client.get("/healthz"):
        for _ in range(3):
            with someone.get("/v1/games") as refused:
                problem(refused, 503, "overloaded")
    with someone.get("/v1/games") as served:
        assert served.status_code == 200
