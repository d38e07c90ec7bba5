"""What every log promises of accounts and links, and of reading a projection across its partitions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from referee.eventstore.accounts import DELETED_PLAYER, ItemWriteStatus
from referee.eventstore.contract import PARTITIONS, MatchLog, ProjectionWrite
from tests.eventstore.writing import MATCH, OTHER

ADA, BOB = "pl-ada", "pl-bob"


def test_an_account_is_made_once_and_changed_while_it_is_there(log: MatchLog) -> None:
    assert log.find_player(ADA) is None
    assert log.change_player(ADA, b"early") is False
    assert log.create_player(ADA, "hash", b"\x00record") is True
    assert log.create_player(ADA, "other", b"thief") is False
    assert log.find_player(ADA) == ("hash", b"\x00record")
    assert log.change_player(ADA, b"changed") is True
    assert log.find_player(ADA) == ("hash", b"changed")
    assert log.find_players([BOB, ADA]) == {ADA: b"changed"}
    assert log.find_players([]) == {}


def test_sittings_are_noted_once_and_only_with_an_account(log: MatchLog) -> None:
    assert log.add_sitting(ADA, f"{MATCH}:3", b"note") is False
    assert log.read_sittings(ADA) == {}
    log.create_player(ADA, "hash", b"")
    assert log.add_sitting(ADA, f"{MATCH}:3", b"note") is True
    assert log.add_sitting(ADA, f"{MATCH}:3", b"later") is True
    assert log.add_sitting(ADA, f"{OTHER}:7", b"") is True
    assert log.read_sittings(ADA) == {f"{MATCH}:3": b"note", f"{OTHER}:7": b""}
    assert log.read_sittings(BOB) == {}


def test_an_account_is_dropped_only_when_all_its_sittings_are_known(log: MatchLog) -> None:
    log.create_player(ADA, "hash", b"")
    log.add_sitting(ADA, f"{MATCH}:3", b"")
    assert log.drop_player(ADA, 0) is False
    assert log.find_player(ADA) is not None
    assert log.drop_player(ADA, 1) is True
    assert (log.find_player(ADA), log.read_sittings(ADA)) == (None, {})
    assert log.drop_player(ADA, 0) is True
    assert log.add_sitting(ADA, f"{MATCH}:3", b"") is False
    assert log.create_player(ADA, "hash", b"again") is True
    assert log.read_sittings(ADA) == {}


def test_items_of_an_account_are_kept_by_kind_up_to_a_limit_and_go_with_it(log: MatchLog) -> None:
    assert log.put_account_item(ADA, "device", "a", b"1", 2) is ItemWriteStatus.GONE
    log.create_player(ADA, "hash", b"")
    assert log.put_account_item(ADA, "device", "a", b"1", 2) is ItemWriteStatus.KEPT
    assert log.put_account_item(ADA, "device", "b", b"2", 2) is ItemWriteStatus.KEPT
    assert log.put_account_item(ADA, "device", "c", b"3", 2) is ItemWriteStatus.FULL
    assert log.put_account_item(ADA, "device", "a", b"later", 2) is ItemWriteStatus.KEPT
    assert log.put_account_item(ADA, "devices", "c", b"3", 2) is ItemWriteStatus.KEPT
    assert log.list_account_items(ADA, "device") == {"a": b"1", "b": b"2"}
    assert log.find_account_item(ADA, "device", "c") is None
    log.drop_account_item(ADA, "device", "a")
    log.drop_account_item(ADA, "device", "nothing")
    assert log.put_account_item(ADA, "device", "c", b"3", 2) is ItemWriteStatus.KEPT
    assert log.find_account_item(ADA, "device", "c") == b"3"
    assert log.drop_player(ADA, 0) is True
    assert (log.list_account_items(ADA, "device"), log.find_account_item(ADA, "device", "c")) == ({}, None)


def test_the_first_token_is_revoked_and_the_account_stays(log: MatchLog) -> None:
    log.revoke_first_token(ADA)
    assert log.find_player(ADA) is None
    log.create_player(ADA, "hash", b"record")
    log.revoke_first_token(ADA)
    assert log.find_player(ADA) == ("", b"record")


def test_the_first_link_stays_until_it_is_forgotten_and_then_nobody_is_linked(log: MatchLog) -> None:
    assert log.read_links([MATCH, OTHER]) == {}
    assert log.link_player(MATCH, 3, ADA) == ADA
    assert log.link_player(MATCH, 3, BOB) == ADA
    assert log.link_player(MATCH, 12, BOB) == BOB
    assert log.read_links([OTHER, MATCH]) == {MATCH: {3: ADA, 12: BOB}}
    log.unlink_player(MATCH, 3)
    assert log.link_player(MATCH, 3, ADA) == DELETED_PLAYER
    log.unlink_player(OTHER, 9)
    assert log.read_links([MATCH, OTHER]) == {MATCH: {3: DELETED_PLAYER, 12: BOB}, OTHER: {9: DELETED_PLAYER}}
    assert log.read_links([]) == {}


def test_a_change_of_a_link_shows(log: MatchLog) -> None:
    seen = {log.read_links_version()}
    log.link_player(MATCH, 3, ADA)
    seen.add(log.read_links_version())
    assert log.read_links_version() in seen
    log.unlink_player(MATCH, 3)
    seen.add(log.read_links_version())
    assert len(seen) == 3


def test_of_many_who_make_an_account_at_once_one_does(log: MatchLog) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: log.create_player(ADA, f"hash{number}", b""), range(16)))
    assert made.count(True) == 1
    assert log.find_player(ADA) == (f"hash{made.index(True)}", b"")


def test_fields_of_a_projection_are_read_by_name(log: MatchLog) -> None:
    rows = [ProjectionWrite("hset", "rows", name, name.encode()) for name in "abc"]
    log.apply_projection(5, "lobby", 1, 0, 4, rows)
    assert log.read_projection(5, "lobby", 1, "rows", ["c", "nobody", "a"]) == {"c": b"c", "a": b"a"}
    assert log.read_projection(5, "lobby", 1, "rows", []) == {}
    assert log.read_projection(6, "lobby", 1, "rows", ["a"]) == {}


def test_the_first_scores_are_read_across_the_partitions(log: MatchLog) -> None:
    at = 1_795_000_000_123  # a time in milliseconds: its digits must all come back
    log.apply_projection(
        5,
        "awaited",
        1,
        0,
        4,
        [
            ProjectionWrite("zadd", "since", "late", b"%d" % (at + 1)),
            ProjectionWrite("zadd", "since", "early", b"%d" % at),
        ],
    )
    log.apply_projection(63, "awaited", 1, 0, 9, [ProjectionWrite("zadd", "since", "a", b"0")])
    log.apply_projection(7, "awaited", 2, 0, 1, [ProjectionWrite("zadd", "since", "a", b"3")])
    found = log.find_first_scores("awaited", 1, "since")
    assert len(found) == PARTITIONS
    assert {partition: score for partition, score in enumerate(found) if score is not None} == {5: at, 63: 0}
    assert set(log.find_first_scores("awaited", 1, "other")) == {None}


def test_a_projection_is_read_across_its_partitions(log: MatchLog) -> None:
    log.apply_projection(
        5, "lobby", 1, 0, 4, [ProjectionWrite("hset", "rows", "a", b"1"), ProjectionWrite("hset", "rows", "b", b"2")]
    )
    log.apply_projection(63, "lobby", 1, 0, 9, [ProjectionWrite("hset", "rows", "a", b"3")])
    log.apply_projection(63, "lobby", 2, 0, 1, [ProjectionWrite("hset", "rows", "a", b"another build")])
    cursors = log.read_partition_cursors("lobby", 1)
    assert len(cursors) == PARTITIONS
    assert {at: cursor for at, cursor in enumerate(cursors) if cursor} == {5: 4, 63: 9}
    found = log.read_across_partitions("lobby", 1, "rows")
    assert tuple(found[at][0] for at in range(PARTITIONS)) == cursors
    assert {at: rows for at, (_, rows) in found.items() if rows} == {5: {"a": b"1", "b": b"2"}, 63: {"a": b"3"}}
    assert log.read_across_partitions("lobby", 1, "rows", ["b"], only=(63, 5)) == {63: (9, {}), 5: (4, {"b": b"2"})}
    assert log.read_across_partitions("lobby", 1, "rows", [])[5] == (4, {})
    assert log.read_across_partitions("lobby", 1, "rows", only=()) == {}
