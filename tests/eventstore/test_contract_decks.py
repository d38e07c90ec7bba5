"""What every log promises of decks: kept beside an account, once per key, at the version that was meant, and gone
with the account."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from referee.eventstore.contract import MatchLog
from referee.eventstore.decks import Deck, DeckWriteResult, DeckWriteStatus
from referee.eventstore.redis.log import RedisLog
from tests.eventstore.conftest import House
from tests.eventstore.servers import Server

ADA, BOB = "pl-ada", "pl-bob"
HOUR, MOST = 3_600_000, 3


def put(log: MatchLog, deck: str, key: str, record: bytes = b"record", held: int | None = None) -> DeckWriteResult:
    return log.put_deck(ADA, deck, key, b"ask " + record, record, HOUR, MOST, held)


def test_a_deck_is_kept_beside_an_account_and_by_its_name(log: MatchLog) -> None:
    assert put(log, "fast", "k") == DeckWriteResult(DeckWriteStatus.GONE, 0)
    assert (log.find_deck(ADA, "fast"), log.read_decks(ADA), log.find_deck_write(ADA, "k")) == (None, {}, None)
    log.create_player(ADA, "hash", b"account")
    assert put(log, "fast", "k", b"\x00:7:\xff") == DeckWriteResult(DeckWriteStatus.OK, 1)
    assert put(log, "slow", "l") == DeckWriteResult(DeckWriteStatus.OK, 2)
    assert log.find_deck(ADA, "fast") == Deck(1, b"\x00:7:\xff")
    assert log.find_deck(ADA, "none") is None
    assert log.read_decks(ADA) == {"fast": Deck(1, b"\x00:7:\xff"), "slow": Deck(2, b"record")}
    assert log.find_player(ADA) == ("hash", b"account")


def test_decks_of_one_player_are_not_those_of_another(log: MatchLog) -> None:
    for player in (ADA, BOB):
        log.create_player(player, "hash", b"")
    put(log, "fast", "k")
    assert (log.read_decks(BOB), log.find_deck(BOB, "fast"), log.find_deck_write(BOB, "k")) == ({}, None, None)
    assert log.drop_deck(BOB, "fast") == DeckWriteResult(DeckWriteStatus.GONE, 0)
    assert log.put_deck(BOB, "fast", "k", b"other", b"his", HOUR, MOST) == DeckWriteResult(DeckWriteStatus.OK, 1)
    assert log.find_deck(ADA, "fast") == Deck(1, b"record")


def test_a_write_is_done_once_per_key_and_the_key_stands_for_one_ask(log: MatchLog) -> None:
    log.create_player(ADA, "hash", b"")
    assert put(log, "fast", "k", b"one") == DeckWriteResult(DeckWriteStatus.OK, 1)
    assert put(log, "fast", "l", b"two") == DeckWriteResult(DeckWriteStatus.OK, 2)
    assert put(log, "fast", "k", b"one") == DeckWriteResult(DeckWriteStatus.DUP, 1)
    assert put(log, "fast", "k", b"three") == DeckWriteResult(DeckWriteStatus.REUSED, 0)
    assert log.find_deck(ADA, "fast") == Deck(2, b"two")
    assert log.find_deck_write(ADA, "k") == (b"ask one", 1)
    assert log.drop_deck(ADA, "fast") == DeckWriteResult(DeckWriteStatus.OK, 2)
    assert put(log, "fast", "l", b"two") == DeckWriteResult(DeckWriteStatus.DUP, 2)
    assert log.read_decks(ADA) == {}


def test_a_key_is_forgotten_after_a_while_and_the_deck_is_not(house: House) -> None:
    log = house.log
    log.create_player(ADA, "hash", b"")
    assert log.put_deck(ADA, "fast", "k", b"ask", b"one", 50, MOST).status == DeckWriteStatus.OK
    house.wait(50)
    assert log.find_deck_write(ADA, "k") is None
    assert log.find_deck(ADA, "fast") == Deck(1, b"one")
    assert log.put_deck(ADA, "fast", "k", b"other", b"two", 50, MOST) == DeckWriteResult(DeckWriteStatus.OK, 2)


def test_a_write_that_is_meant_for_another_version_changes_nothing_and_uses_up_no_key(log: MatchLog) -> None:
    log.create_player(ADA, "hash", b"")
    assert put(log, "fast", "k", held=1) == DeckWriteResult(DeckWriteStatus.STALE, 0)
    assert put(log, "fast", "k", held=0) == DeckWriteResult(DeckWriteStatus.OK, 1)
    assert put(log, "fast", "l", b"late", held=0) == DeckWriteResult(DeckWriteStatus.STALE, 1)
    assert put(log, "fast", "l", b"later", held=1) == DeckWriteResult(DeckWriteStatus.OK, 2)
    assert log.drop_deck(ADA, "fast", 1) == DeckWriteResult(DeckWriteStatus.STALE, 2)
    assert log.find_deck(ADA, "fast") == Deck(2, b"later")
    assert log.drop_deck(ADA, "fast", 2) == DeckWriteResult(DeckWriteStatus.OK, 2)
    assert log.drop_deck(ADA, "fast") == DeckWriteResult(DeckWriteStatus.GONE, 0)


def test_a_deck_that_comes_back_has_a_version_that_no_deck_had_before(log: MatchLog) -> None:
    log.create_player(ADA, "hash", b"")
    put(log, "fast", "k")
    log.drop_deck(ADA, "fast")
    assert put(log, "fast", "l") == DeckWriteResult(DeckWriteStatus.OK, 2)


def test_there_are_no_more_decks_than_may_be_and_those_that_are_there_can_still_be_changed(log: MatchLog) -> None:
    log.create_player(ADA, "hash", b"")
    for number in range(MOST):
        assert put(log, f"deck{number}", f"key{number}").status == DeckWriteStatus.OK
    assert put(log, "another", "key") == DeckWriteResult(DeckWriteStatus.FULL, 0)
    assert put(log, "deck0", "key").status == DeckWriteStatus.OK
    log.drop_deck(ADA, "deck1")
    assert put(log, "another", "other").status == DeckWriteStatus.OK
    assert sorted(log.read_decks(ADA)) == ["another", "deck0", "deck2"]


def test_of_many_who_put_a_last_deck_at_once_one_does(log: MatchLog) -> None:
    log.create_player(ADA, "hash", b"")
    for number in range(MOST - 1):
        put(log, f"deck{number}", f"key{number}")
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: put(log, f"last{number}", f"last{number}").status, range(16)))
    assert (made.count(DeckWriteStatus.OK), made.count(DeckWriteStatus.FULL)) == (1, 15)
    assert len(log.read_decks(ADA)) == MOST


def test_of_many_who_repeat_one_write_at_once_one_does_it(log: MatchLog) -> None:
    log.create_player(ADA, "hash", b"")
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: put(log, "fast", "k"), range(16)))
    assert {each.version for each in made} == {1}
    assert [each.status for each in made].count(DeckWriteStatus.OK) == 1
    assert {each.status for each in made} == {DeckWriteStatus.OK, DeckWriteStatus.DUP}
    assert log.find_deck(ADA, "fast") == Deck(1, b"record")


def test_decks_go_with_the_account(log: MatchLog) -> None:
    for player in (ADA, BOB):
        log.create_player(player, "hash", b"")
        log.put_deck(player, "fast", "k", b"ask", b"record", HOUR, MOST)
    log.add_sitting(ADA, "07-x:3", b"")
    assert log.drop_player(ADA, 0) is False
    assert len(log.read_decks(ADA)) == 1
    assert log.drop_player(ADA, 1) is True
    assert log.read_decks(ADA) == {}
    assert put(log, "fast", "l").status == DeckWriteStatus.GONE
    log.create_player(ADA, "hash", b"again")
    assert log.read_decks(ADA) == {}
    assert len(log.read_decks(BOB)) == 1


def test_decks_survive_a_server_that_is_killed(own_server: Server) -> None:
    log: RedisLog = own_server.log()
    log.create_player(ADA, "hash", b"")
    assert put(log, "fast", "k").status == DeckWriteStatus.OK
    own_server.kill()
    own_server.start()
    assert log.find_deck(ADA, "fast") == Deck(1, b"record")
    assert put(log, "fast", "k") == DeckWriteResult(DeckWriteStatus.DUP, 1)
