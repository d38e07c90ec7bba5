"""What every log promises of archived matches: a tombstone stays, and nothing comes again after it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.eventstore.contract import Answer, Head, MatchLog, Snapshot, partition_of
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

P = partition_of(MATCH)
HOUR = 3_600_000


def ended(log: MatchLog, match: str = MATCH, count: int = 3) -> Head:
    """A match with so many entries, with everything beside its log that a match may have; its head."""
    grow(log, match, count - 1)
    add(log, match, "0:last", b'{"end":true}', asked_anew=True, question="q", edition="e1", thinking_ms=HOUR)
    log.snapshot(match, Snapshot(count, "1", b"state"))
    log.grant(match, "token", b"record")
    log.put_names(match, {"0": "Ada"})
    log.link(match, 1, "pl-a")
    log.put_pass(match, 0, "k", b"ask", b"record", HOUR)
    log.attend(match, 0, "visit", HOUR)
    return head_of(log, match)


def test_a_tombstone_keeps_the_head_and_drops_the_rest(log: MatchLog) -> None:
    head = ended(log)
    assert log.archive(MATCH, head.version, head.root) is Answer.OK
    reading = log.read(MATCH, key="0:last", grant="token")
    assert reading.head == replace(head, status="archived")
    assert (reading.entries, reading.known, reading.due, reading.snapshot) == ((), None, None, None)
    assert (dict(reading.passes), log.passes(MATCH), log.attending(MATCH)) == ({}, {}, frozenset())
    assert log.entries(MATCH) == ()
    assert log.next_due() is None


def test_what_people_hold_of_an_archived_match_stays(log: MatchLog) -> None:
    head = ended(log)
    log.archive(MATCH, head.version, head.root)
    assert log.read(MATCH, grant="token").grant == b"record"
    assert (log.names(MATCH), log.links([MATCH])) == ({"0": "Ada"}, {MATCH: {1: "pl-a"}})
    check_feed(log, P, {MATCH: 3})


def test_only_the_log_that_was_kept_is_dropped(log: MatchLog) -> None:
    head = ended(log)
    before = everything(log, MATCH, "0:last")
    assert log.archive(MATCH, head.version - 1, head.root) is Answer.CONFLICT
    assert log.archive(MATCH, head.version + 1, head.root) is Answer.CONFLICT
    assert log.archive(MATCH, head.version, bytes(32)) is Answer.FORK
    assert log.archive(OTHER, 1, bytes(32)) is Answer.CONFLICT
    assert everything(log, MATCH, "0:last") == before
    assert log.read(OTHER, limit=0).head is None
    assert log.archived(P) == ()
    assert check_whole(log, MATCH) == 3


def test_a_frozen_match_is_not_archived(log: MatchLog) -> None:
    head = ended(log)
    log.freeze(MATCH)
    before = everything(log, MATCH)
    assert log.archive(MATCH, head.version, head.root) is Answer.FROZEN
    assert everything(log, MATCH) == before


def test_archiving_again_changes_nothing(log: MatchLog) -> None:
    head = ended(log)
    log.archive(MATCH, head.version, head.root)
    before = everything(log, MATCH)
    assert log.archive(MATCH, head.version, head.root) is Answer.DUP
    assert log.archive(MATCH, head.version, bytes(32)) is Answer.GONE
    assert log.archive(MATCH, head.version + 1, head.root) is Answer.GONE
    assert everything(log, MATCH) == before


def test_an_archived_match_takes_no_entry_and_never_begins_anew(log: MatchLog) -> None:
    head = ended(log)
    first = log.entries(MATCH, 0, 1)[0]
    log.archive(MATCH, head.version, head.root)
    before = everything(log, MATCH)
    known_key = following(MATCH, head, "0:last", asked_anew=True)
    of_old = replace(following(MATCH, None, f"0:{MATCH}1"), envelope=first.envelope)
    for commit in (known_key, following(MATCH, head, "0:new"), following(MATCH, None, "0:new"), of_old):
        appended = log.append(commit)
        assert (appended.answer, appended.version, appended.wake) == (Answer.GONE, head.version, False)
    assert everything(log, MATCH) == before


def test_a_tombstone_is_neither_frozen_nor_given_a_snapshot(log: MatchLog) -> None:
    head = ended(log)
    log.archive(MATCH, head.version, head.root)
    log.freeze(MATCH)
    assert log.snapshot(MATCH, Snapshot(head.version, "2", b"state")) is False
    assert log.read(MATCH).snapshot is None
    assert head_of(log, MATCH).status == "archived"


def test_archived_matches_are_listed_by_partition(log: MatchLog) -> None:
    heads = {match: ended(log, match, count) for match, count in ((MATCH, 4), (OTHER, 2), (ELSEWHERE, 3))}
    assert log.archived(P) == ()
    for match, head in heads.items():
        log.archive(match, head.version, head.root)
    assert log.archived(P) == ((OTHER, 2), (MATCH, 4))
    assert (log.archived(P, 1), log.archived(P, 2), log.archived(P, 0, 1)) == (((MATCH, 4),), (), ((OTHER, 2),))
    assert (log.archived(P, 0, 0), log.archived(partition_of(ELSEWHERE))) == ((), ((ELSEWHERE, 3),))


def test_other_matches_go_on(log: MatchLog) -> None:
    head = ended(log)
    grow(log, OTHER, 2)
    log.archive(MATCH, head.version, head.root)
    grow(log, OTHER, 2)
    assert check_whole(log, OTHER) == 4
    fed = [(match, version) for _, match, version in log.feed(P, 0)]
    assert fed == [(MATCH, 1), (MATCH, 2), (MATCH, 3), (OTHER, 1), (OTHER, 2), (OTHER, 3), (OTHER, 4)]


def test_a_log_that_lost_an_entry_is_kept_for_whoever_looks_at_it(streams: House) -> None:
    log = streams.log
    head = ended(log)
    streams.client.xdel("{p07}:m:" + MATCH + ":log", "2-0")
    assert log.archive(MATCH, head.version, head.root) is Answer.FORK
    assert [entry.version for entry in log.entries(MATCH)] == [1, 3]
    assert head_of(log, MATCH).status == "open"


@pytest.mark.parametrize("what", ["log", "keys", "snap", "passes", "visits"])
def test_nothing_of_the_log_is_left_in_memory(streams: House, what: str) -> None:
    log = streams.log
    head = ended(log)
    key = f"{{p07}}:m:{MATCH}:{what}"
    assert streams.client.exists(key)
    log.archive(MATCH, head.version, head.root)
    assert not streams.client.exists(key)


def test_the_tombstone_of_a_match_from_elsewhere_takes_no_other_ones_place(log: MatchLog) -> None:
    head = Head(5, b"r" * 32, (b"a" * 32, b"r" * 32), "over", 4, "q", "e1")
    assert log.entomb(MATCH, head) is True
    assert (head_of(log, MATCH), log.entries(MATCH)) == (replace(head, status="archived"), ())
    assert (log.archived(P), log.feed(P, 0)) == (((MATCH, 5),), ())
    assert log.append(following(MATCH, None, "0:k")).answer is Answer.GONE
    assert log.archive(MATCH, 5, head.root) is Answer.DUP
    assert log.entomb(MATCH, replace(head, version=4)) is False
    grow(log, OTHER, 2)
    before = everything(log, OTHER)
    assert log.entomb(OTHER, head) is False
    assert everything(log, OTHER) == before
    assert check_whole(log, OTHER) == 2
    with pytest.raises(ValueError, match="no entry"):
        log.entomb(ELSEWHERE, replace(head, version=0))
