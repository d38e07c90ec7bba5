"""A real server that is killed, and replies that are lost: nothing acknowledged is gone, nothing is there twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.eventstore.contract import LogWriteStatus, StoreUnavailable
from tests.eventstore.conftest import FOUND
from tests.eventstore.crash import Course
from tests.eventstore.servers import NO_SERVER, Dropping, Server
from tests.eventstore.writing import MATCH, check_feed, check_whole, following, grow, head_of

pytestmark = [pytest.mark.crash, pytest.mark.skipif(not FOUND, reason=NO_SERVER), pytest.mark.deep]


@pytest.fixture(params=FOUND)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    made = Server(FOUND[request.param]).start()
    yield made
    made.remove()


def test_kills_lose_no_acknowledged_commit(server: Server) -> None:
    course = Course(server)
    for after in (0.1, 0.02, 0.2):
        before = course.acknowledged
        course.kill_once(after)
        assert course.acknowledged > before, "the server was killed before anybody wrote: the test tested nothing"


@pytest.fixture
def dropping(server: Server) -> Iterator[Dropping]:
    between = Dropping(server)
    yield between
    between.close()


def test_a_client_that_resends_after_a_lost_reply_writes_one_entry(server: Server, dropping: Dropping) -> None:
    log = server.log(retries=3, path=dropping.path)
    grow(log, MATCH, 2)
    commit = following(MATCH, head_of(log, MATCH), "0:k", reopens_question=True, thinking_ms=60_000)
    dropping.drop = 1
    appended = log.append(commit)
    assert dropping.dropped == 1
    assert (appended.status, appended.version, appended.wake) == (LogWriteStatus.DUP, 3, False)
    straight = server.log()
    assert check_whole(straight, MATCH) == 3
    check_feed(straight, 7, {MATCH: 3})
    assert len(straight.find_due_deadlines(7, straight.now() + 120_000)) == 1


def test_a_caller_that_resends_after_a_lost_reply_writes_one_entry(server: Server, dropping: Dropping) -> None:
    log = server.log(retries=0, path=dropping.path)
    grow(log, MATCH, 2)
    commit = following(MATCH, head_of(log, MATCH), "0:k")
    dropping.drop = 1
    with pytest.raises(StoreUnavailable):
        log.append(commit)
    assert (log.append(commit).status, log.append(commit).version) == (LogWriteStatus.DUP, 3)
    assert check_whole(log, MATCH) == 3
    check_feed(log, 7, {MATCH: 3})


def test_a_lost_reply_lets_nobody_in_twice(server: Server, dropping: Dropping) -> None:
    log = server.log(retries=3, path=dropping.path)
    log.add_invitation("CODE", b"record", 3, 60_000)
    assert log.redeem_invitation("CODE", "first") == (b"record", True)  # now the server knows the script
    dropping.drop = 1
    assert log.redeem_invitation("CODE", "k") == (b"record", False)
    assert dropping.dropped == 1
    assert log.find_invitation("CODE") == (b"record", 1)


def test_a_lost_reply_puts_a_pass_once(server: Server, dropping: Dropping) -> None:
    log = server.log(retries=3, path=dropping.path)
    log.put_pass(MATCH, 0, "first", b"ask", b"first", 60_000)  # now the server knows the script
    dropping.drop = 1
    assert log.put_pass(MATCH, 0, "k", b"ask", b"second", 60_000) == (b"ask", b"second")
    assert dropping.dropped == 1
    assert log.read_passes(MATCH) == {0: b"second"}
