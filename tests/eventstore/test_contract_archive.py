"""What every log promises of archived matches: a tombstone stays, and nothing comes again after it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.eventstore.contract import Head, LogWriteStatus, MatchLog, Snapshot, partition_for_match
from tests.eventstore.conftest import House
from tests.eventstore.writing import (
    ELSEWHERE,
    MATCH,
    OTHER,
    add,
    check_feed,
    check_whole,
    everything,
    following,
    grow,
    head_of,
)

P = partition_for_match(MATCH)
HOUR = 3_600_000


def ended(log: MatchLog, match: str = MATCH, count: int = 3) -> Head:
    """A match with so many entries, with everything beside its log that a match may have; its head."""
    grow(log, match, count - 1)
    add(log, match, "0:last", b'{"end":true}', reopens_question=True, question="q", edition="e1", thinking_ms=HOUR)
    log.save_snapshot(match, Snapshot(count, "1", b"state"))
    log.put_grant(match, "token", b"record")
    log.put_seat_names(match, {"0": "Ada"})
    log.link_player(match, 1, "pl-a")
    log.put_pass(match, 0, "k", b"ask", b"record", HOUR)
    log.record_visit(match, 0, "visit", HOUR)
    return head_of(log, match)


def test_a_tombstone_keeps_the_head_and_drops_the_rest(log: MatchLog) -> None:
    head = ended(log)
    assert log.archive_match(MATCH, head.version, head.root) is LogWriteStatus.OK
    reading = log.read(MATCH, key="0:last", grant="token")
    assert reading.head == replace(head, status="archived")
    assert (reading.entries, reading.known, reading.due, reading.snapshot) == ((), None, None, None)
    assert (dict(reading.passes), log.read_passes(MATCH), log.read_present_seats(MATCH)) == ({}, {}, frozenset())
    assert log.read_entries(MATCH) == ()
    assert log.find_next_deadline() is None


def test_what_people_hold_of_an_archived_match_stays(log: MatchLog) -> None:
    head = ended(log)
    log.archive_match(MATCH, head.version, head.root)
    assert log.read(MATCH, grant="token").grant == b"record"
    assert (log.read_seat_names(MATCH), log.read_links([MATCH])) == ({"0": "Ada"}, {MATCH: {1: "pl-a"}})
    check_feed(log, P, {MATCH: 3})


def test_only_the_log_that_was_kept_is_dropped(log: MatchLog) -> None:
    head = ended(log)
    before = everything(log, MATCH, "0:last")
    assert log.archive_match(MATCH, head.version - 1, head.root) is LogWriteStatus.CONFLICT
    assert log.archive_match(MATCH, head.version + 1, head.root) is LogWriteStatus.CONFLICT
    assert log.archive_match(MATCH, head.version, bytes(32)) is LogWriteStatus.FORK
    assert log.archive_match(OTHER, 1, bytes(32)) is LogWriteStatus.CONFLICT
    assert everything(log, MATCH, "0:last") == before
    assert log.read(OTHER, limit=0).head is None
    assert log.list_archived(P) == ()
    assert check_whole(log, MATCH) == 3


def test_a_frozen_match_is_not_archived(log: MatchLog) -> None:
    head = ended(log)
    log.freeze_match(MATCH)
    before = everything(log, MATCH)
    assert log.archive_match(MATCH, head.version, head.root) is LogWriteStatus.FROZEN
    assert everything(log, MATCH) == before


def test_archiving_again_changes_nothing(log: MatchLog) -> None:
    head = ended(log)
    log.archive_match(MATCH, head.version, head.root)
    before = everything(log, MATCH)
    assert log.archive_match(MATCH, head.version, head.root) is LogWriteStatus.DUP
    assert log.archive_match(MATCH, head.version, bytes(32)) is LogWriteStatus.GONE
    assert log.archive_match(MATCH, head.version + 1, head.root) is LogWriteStatus.GONE
    assert everything(log, MATCH) == before


def test_an_archived_match_takes_no_entry_and_never_begins_anew(log: MatchLog) -> None:
    head = ended(log)
    first = log.read_entries(MATCH, 0, 1)[0]
    log.archive_match(MATCH, head.version, head.root)
    before = everything(log, MATCH)
    known_key = following(MATCH, head, "0:last", reopens_question=True)
    of_old = replace(following(MATCH, None, f"0:{MATCH}1"), envelope=first.envelope)
    for commit in (known_key, following(MATCH, head, "0:new"), following(MATCH, None, "0:new"), of_old):
        appended = log.append(commit)
        assert (appended.status, appended.version, appended.wake) == (LogWriteStatus.GONE, head.version, False)
    assert everything(log, MATCH) == before


def test_a_tombstone_is_neither_frozen_nor_given_a_snapshot(log: MatchLog) -> None:
    head = ended(log)
    log.archive_match(MATCH, head.version, head.root)
    log.freeze_match(MATCH)
    assert log.save_snapshot(MATCH, Snapshot(head.version, "2", b"state")) is False
    assert log.read(MATCH).snapshot is None
    assert head_of(log, MATCH).status == "archived"


def test_archived_matches_are_listed_by_partition(log: MatchLog) -> None:
    heads = {match: ended(log, match, count) for match, count in ((MATCH, 4), (OTHER, 2), (ELSEWHERE, 3))}
    assert log.list_archived(P) == ()
    for match, head in heads.items():
        log.archive_match(match, head.version, head.root)
    assert log.list_archived(P) == ((OTHER, 2), (MATCH, 4))
    assert (log.list_archived(P, 1), log.list_archived(P, 2), log.list_archived(P, 0, 1)) == (
        ((MATCH, 4),),
        (),
        ((OTHER, 2),),
    )
    assert (log.list_archived(P, 0, 0), log.list_archived(partition_for_match(ELSEWHERE))) == ((), ((ELSEWHERE, 3),))


def test_other_matches_go_on(log: MatchLog) -> None:
    head = ended(log)
    grow(log, OTHER, 2)
    log.archive_match(MATCH, head.version, head.root)
    grow(log, OTHER, 2)
    assert check_whole(log, OTHER) == 4
    fed = [(match, version) for _, match, version in log.read_feed(P, 0)]
    assert fed == [(MATCH, 1), (MATCH, 2), (MATCH, 3), (OTHER, 1), (OTHER, 2), (OTHER, 3), (OTHER, 4)]


def test_a_log_that_lost_an_entry_is_kept_for_whoever_looks_at_it(streams: House) -> None:
    log = streams.log
    head = ended(log)
    streams.client.xdel("{p07}:m:" + MATCH + ":log", "2-0")
    assert log.archive_match(MATCH, head.version, head.root) is LogWriteStatus.FORK
    assert [entry.version for entry in log.read_entries(MATCH)] == [1, 3]
    assert head_of(log, MATCH).status == "open"


@pytest.mark.parametrize("what", ["log", "keys", "snap", "passes", "visits"])
def test_nothing_of_the_log_is_left_in_memory(streams: House, what: str) -> None:
    log = streams.log
    head = ended(log)
    key = f"{{p07}}:m:{MATCH}:{what}"
    assert streams.client.exists(key)
    log.archive_match(MATCH, head.version, head.root)
    assert not streams.client.exists(key)


def test_the_tombstone_of_a_match_from_elsewhere_takes_no_other_ones_place(log: MatchLog) -> None:
    head = Head(5, b"r" * 32, (b"a" * 32, b"r" * 32), "over", 4, "q", "e1")
    assert log.add_tombstone(MATCH, head) is True
    assert (head_of(log, MATCH), log.read_entries(MATCH)) == (replace(head, status="archived"), ())
    assert (log.list_archived(P), log.read_feed(P, 0)) == (((MATCH, 5),), ())
    assert log.append(following(MATCH, None, "0:k")).status is LogWriteStatus.GONE
    assert log.archive_match(MATCH, 5, head.root) is LogWriteStatus.DUP
    assert log.add_tombstone(MATCH, replace(head, version=4)) is False
    grow(log, OTHER, 2)
    before = everything(log, OTHER)
    assert log.add_tombstone(OTHER, head) is False
    assert everything(log, OTHER) == before
    assert check_whole(log, OTHER) == 2
    with pytest.raises(ValueError, match="no entry"):
        log.add_tombstone(ELSEWHERE, replace(head, version=0))
