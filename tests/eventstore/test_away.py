"""A store that does not answer: every call says so, in one word, and goes on when it is back."""

from __future__ import annotations

import fakeredis
import pytest

from referee.eventstore.access_store import AccessStore
from referee.eventstore.accounts import AccountStore
from referee.eventstore.books import BookStore
from referee.eventstore.contract import MatchLog, StoreUnavailable
from referee.eventstore.decks import DeckStore
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.projection_store import ProjectionStore
from referee.eventstore.redis.log import RedisLog
from referee.eventstore.transfer import TransferStore
from referee.transparency.root_log import RootLog
from tests.eventstore.servers import AWAY, Server
from tests.eventstore.tour import CALLS
from tests.eventstore.writing import MATCH, check_whole, grow


def test_the_tour_has_every_call_of_the_contract() -> None:
    parts = (MatchLog, AccessStore, AccountStore, BookStore, DeckStore, ProjectionStore, TransferStore, RootLog)
    promised = {name for part in parts for name in vars(part) if not name.startswith("_")}
    assert promised == set(CALLS)


# without replicas to wait for it asks the store for nothing; with them see test_replicas.py
ASKING = {name: call for name, call in CALLS.items() if name != "wait_for_replicas"}


@pytest.mark.parametrize("call", ASKING)
def test_every_call_says_that_a_fake_store_is_away(call: str) -> None:
    server = fakeredis.FakeServer()
    log = RedisLog(fakeredis.FakeRedis(server=server), AWAY)
    server.connected = False
    with pytest.raises(StoreUnavailable):
        CALLS[call](log)


def test_every_call_says_that_a_killed_server_is_away_and_finds_it_again(own_server: Server) -> None:
    log = own_server.log()
    grow(log, MATCH, 3)
    own_server.kill()
    for call in ASKING.values():
        with pytest.raises(StoreUnavailable):
            call(log)
    own_server.start()
    assert check_whole(log, MATCH) == 3  # the same log object, whose scripts the new server does not know
    grow(log, MATCH, 1)
    assert check_whole(log, MATCH) == 4


def test_an_answer_that_is_no_sign_of_absence_is_not_hidden(own_server: Server) -> None:
    log = own_server.log()
    own_server.client().set("{p07}:m:" + MATCH + ":head", "not a hash")
    with pytest.raises(Exception, match="WRONGTYPE") as caught:
        log.read(MATCH)
    assert not isinstance(caught.value, StoreUnavailable)


@pytest.mark.parametrize("call", CALLS)
def test_memory_answers_every_call(call: str) -> None:
    CALLS[call](MemoryLog())
