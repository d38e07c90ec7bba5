"""Who counts requests: all processes together on the queue's server, each for itself while that is away."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis
from limits import RateLimitItemPerSecond

from api.http.access.limits import (
    DEFAULTS,
    LEASES_PER_LIMIT,
    MAX_CLIENTS,
    AddressCounter,
    QuotaLease,
    RateLimitExceeded,
    RateLimits,
)
from referee.infrastructure.clients import build_rate_limit_pool
from referee.infrastructure.embedded.servers import EmbeddedServers
from tests.api import house
from tests.api.house import Person

TOKEN = "rfs_" + "p" * 43


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[EmbeddedServers]:
    with EmbeddedServers(tmp_path / "servers") as found:
        yield found


def person(keeper: EmbeddedServers, reads: int) -> Person:
    """Somebody at an API process of his own; all of them count on one server."""
    url = str(keeper.queue_url)
    app = house.app(
        RATES={**house.FREE, "reads": reads}, RATE_STORAGE=f"redis+{url}", RATE_CONNECTIONS=build_rate_limit_pool(url)
    )
    return Person(app.test_client(), TOKEN)


def test_processes_count_one_person_together(keeper: EmbeddedServers) -> None:
    one, other = person(keeper, 4), person(keeper, 4)
    answers = [each.get("/v1/games").status_code for each in (one, other, one, other, one, other)]
    assert answers == [200] * 4 + [429] * 2


@pytest.mark.parametrize("set_back", [True, False])
def test_a_window_that_lasts_longer_than_a_window_is_over(keeper: EmbeddedServers, set_back: bool) -> None:
    one = person(keeper, 2)
    assert [one.get("/v1/games").status_code for _ in range(3)] == [200, 200, 429]
    counters = redis.Redis.from_url(str(keeper.queue_url))
    (key,) = [name for name in counters.scan_iter("*") if b"reads" in name]
    if set_back:
        counters.expire(key, 3600 + 60)  # what is left of a minute after the clock was set back by an hour
    assert one.get("/v1/games").status_code == (200 if set_back else 429)


def test_what_is_known_is_given_back(keeper: EmbeddedServers) -> None:
    one = person(keeper, 2)
    table = house.opened(one.client.application, visibility="public")
    seat, path = table.seats[0], f"{table.path}/view"
    tag = seat.get(path).headers["ETag"]
    for _ in range(5):
        assert seat.get(path, If_None_Match=tag).status_code == 304
    assert [seat.get(path).status_code for _ in range(2)] == [200, 429]


def test_while_the_server_is_away_each_process_counts_alone_and_answers(keeper: EmbeddedServers) -> None:
    one = person(keeper, 3)
    assert [one.get("/v1/games").status_code for _ in range(2)] == [200, 200]
    keeper.stop()
    answers = [one.get("/v1/games") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 2
    assert int(answers[-1].headers["Retry-After"]) >= 1


def test_a_server_that_is_away_is_not_asked_for_every_request() -> None:
    asked: list[str] = []

    class Away:
        def incr(self, *_args: object, **_how: object) -> int:
            from limits.errors import StorageError

            asked.append("incr")
            raise StorageError(ConnectionError("away"))

    rates = dict.fromkeys(DEFAULTS, 9)
    counted = RateLimits(rates, None)
    counted._shared.storage = Away()  # type: ignore[assignment]
    counted._own = RateLimits(rates, None)._own
    for _ in range(5):
        counted.count_request("reads", "somebody", "somewhere")
    assert asked == ["incr"]


def test_a_server_is_asked_for_a_few_requests_at_a_time_and_grants_no_more_than_the_limit(
    keeper: EmbeddedServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, asked = person(keeper, 3 * LEASES_PER_LIMIT), []
    storage = one.client.application.config["LIMITS"]._shared.storage
    incr = storage.incr
    monkeypatch.setattr(storage, "incr", lambda *args, **how: asked.append(how["amount"]) or incr(*args, **how))
    answers = [one.get("/v1/games").status_code for _ in range(3 * LEASES_PER_LIMIT + 2)]
    assert answers == [200] * 3 * LEASES_PER_LIMIT + [429] * 2
    assert asked == [3] * (LEASES_PER_LIMIT + 2)


def test_processes_with_leave_of_their_own_grant_together_what_the_limit_says(keeper: EmbeddedServers) -> None:
    both = [person(keeper, 3 * LEASES_PER_LIMIT + 1) for _ in range(2)]
    answers = [each.get("/v1/games").status_code for _ in range(2 * LEASES_PER_LIMIT) for each in both]
    assert answers.count(200) == 3 * LEASES_PER_LIMIT + 1
    assert answers[-4:] == [429] * 4


def test_leave_that_one_process_took_and_did_not_need_is_all_that_another_lacks(keeper: EmbeddedServers) -> None:
    idle, busy = person(keeper, 3 * LEASES_PER_LIMIT), person(keeper, 3 * LEASES_PER_LIMIT)
    assert idle.get("/v1/games").status_code == 200
    answers = [busy.get("/v1/games").status_code for _ in range(3 * LEASES_PER_LIMIT)]
    assert answers == [200] * (3 * LEASES_PER_LIMIT - 3) + [429] * 3
    assert [idle.get("/v1/games").status_code for _ in range(3)] == [200, 200, 429]


def test_of_many_requests_at_once_one_takes_leave_and_the_others_use_it(
    keeper: EmbeddedServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = LEASES_PER_LIMIT // 2
    counters = person(keeper, many * LEASES_PER_LIMIT).client.application.config["LIMITS"]
    storage, asked, all_there = counters._shared.storage, [], threading.Barrier(many)
    incr = storage.incr

    def slow(*args: object, **how: int) -> object:
        asked.append(how["amount"])
        time.sleep(0.1)
        return incr(*args, **how)

    def request(_: int) -> None:
        all_there.wait()
        counters.count_request("reads", "somebody", "somewhere")

    monkeypatch.setattr(storage, "incr", slow)
    with ThreadPoolExecutor(many) as threads:
        list(threads.map(request, range(many)))
    assert asked == [many]


def test_who_asks_again_when_he_was_told_to_is_let_in(keeper: EmbeddedServers, monkeypatch: pytest.MonkeyPatch) -> None:
    counters = person(keeper, 1).client.application.config["LIMITS"]
    counters._limits["reads"] = RateLimitItemPerSecond(1, 4, "referee")
    counters.count_request("reads", "somebody", "somewhere")
    time.sleep(0.6)  # 3.4 s are left, which the server rounds to three
    with pytest.raises(RateLimitExceeded) as refused:
        counters.count_request("reads", "somebody", "elsewhere")
    assert refused.value.wait <= 4
    time.sleep(refused.value.wait)
    counters.count_request("reads", "somebody", "elsewhere")


def test_an_address_is_told_whole_seconds_that_are_enough() -> None:
    counted = AddressCounter(RateLimitItemPerSecond(1, 60, "referee"))
    counted.count_request("somewhere")
    time.sleep(0.01)
    with pytest.raises(RateLimitExceeded) as refused:
        counted.count_request("somewhere")
    assert refused.value.wait == 60


def test_leave_is_for_one_asker_and_one_kind_and_for_a_while() -> None:
    leave = QuotaLease()
    leave.add_requests(2, 60, "reads", "ada")
    assert not leave.use_one("writes", "ada")
    assert not leave.use_one("reads", "bob")
    assert [leave.use_one("reads", "ada") for _ in range(3)] == [True, True, False]
    leave.add_requests(2, -1, "reads", "ada")
    assert not leave.use_one("reads", "ada")
    for number in range(MAX_CLIENTS + 1):
        leave.add_requests(1, 60, "reads", str(number))
    assert not leave.use_one("reads", "0"), "those who asked longest ago are forgotten"
    assert leave.use_one("reads", "1")
