"""What every log promises of matches that leave for another server, and of those that arrive."""

from __future__ import annotations

from dataclasses import replace

from referee.eventstore.contract import (
    MAX_ENTRY_BYTES,
    AppendResult,
    Commit,
    LogWriteStatus,
    MatchLog,
    StoredEntry,
    partition_for_match,
)
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.transfer import TransferPayload
from tests.eventstore.writing import MATCH, OTHER, add, check_feed, check_whole, everything, following, grow, head_of

P = partition_for_match(MATCH)
HOUR = 3_600_000


def begun(log: MatchLog, match: str = MATCH, count: int = 3) -> TransferPayload:
    """A match with so many entries, a deadline, and what may lie beside its log."""
    grow(log, match, count - 1)
    add(log, match, "0:last", b"{}", reopens_question=True, question="q", edition="e1", thinking_ms=HOUR)
    log.put_grant(match, "token", b"record")
    log.put_seat_names(match, {"0": "Ada"})
    log.put_pass(match, 0, "k", b"ask", b"stands", HOUR)
    return log.read_transfer_payload(match)


def leaving(log: MatchLog, match: str = MATCH) -> Commit:
    return following(match, head_of(log, match), "table:go", b"{}", status="moved", reopens_question=True)


def left(log: MatchLog, match: str = MATCH) -> tuple[TransferPayload, tuple[StoredEntry, ...]]:
    """A match that has left, what it took along, and its entries."""
    beside = begun(log, match)
    assert log.transfer_out(leaving(log, match), beside, b"packed").status is LogWriteStatus.OK
    return beside, log.read_entries(match)


def arriving(entries: tuple[StoredEntry, ...], match: str = MATCH, key: str = "arrive") -> Commit:
    """The first entry that another server adds to these."""
    scratch = MemoryLog()
    for entry in entries:
        head = scratch.read(match, limit=0).head
        made = following(match, head, f"k{entry.version}", entry.envelope)
        assert made.root == entry.root
        scratch.append(made)
    return following(match, head_of(scratch, match), key, b'{"here":1}', reopens_question=True, thinking_ms=HOUR)


def test_what_lies_beside_a_log_is_told_whole(log: MatchLog) -> None:
    found = begun(log)
    assert (dict(found.grants), dict(found.names)) == ({"token": b"record"}, {"0": "Ada"})
    assert dict(found.passes) == {0: b"stands"}
    versions = {key: known.version for key, known in found.keys.items()}
    assert versions == {f"0:{MATCH}1": 1, f"0:{MATCH}2": 2, "0:last": 3}
    assert log.read_transfer_payload(OTHER) == TransferPayload()


def test_nobody_adds_to_a_match_that_has_left_and_its_deadline_is_gone(log: MatchLog) -> None:
    beside = begun(log)
    gone = log.transfer_out(leaving(log), beside, b"packed")
    assert (gone.status, gone.version, log.find_departed_payload(MATCH)) == (LogWriteStatus.OK, 4, b"packed")
    assert (head_of(log, MATCH).status, log.read(MATCH).due, log.find_next_deadline()) == ("moved", None, None)
    before = everything(log, MATCH)
    late = log.append(following(MATCH, head_of(log, MATCH), "0:late"))
    assert (late.status, late.version) == (LogWriteStatus.MOVED, 4)
    assert log.append(replace(leaving(log), version=3, key="0:stale")).status is LogWriteStatus.MOVED
    assert log.archive_match(MATCH, 4, head_of(log, MATCH).root) is LogWriteStatus.CONFLICT
    assert everything(log, MATCH) == before
    assert check_whole(log, MATCH) == 4
    check_feed(log, P, {MATCH: 4})


def test_a_token_or_a_name_that_came_in_between_keeps_a_match_from_leaving(log: MatchLog) -> None:
    beside = begun(log)
    for change in (
        lambda: log.put_grant(MATCH, "another", b"record"),
        lambda: log.revoke_grants(MATCH, ["token", "another"]),
        lambda: log.put_seat_names(MATCH, {"0": "Bob"}),
        lambda: log.drop_pass(MATCH),
    ):
        change()
        assert log.transfer_out(leaving(log), beside, b"packed").status is LogWriteStatus.CONFLICT
        assert (head_of(log, MATCH).status, log.find_departed_payload(MATCH)) == ("open", None)
        beside = log.read_transfer_payload(MATCH)
    log.put_grant(MATCH, "token", b"another record")
    assert (
        log.transfer_out(leaving(log), replace(beside, grants={"token": b"record"}), b"").status
        is LogWriteStatus.CONFLICT
    )
    assert log.transfer_out(leaving(log), log.read_transfer_payload(MATCH), b"packed").status is LogWriteStatus.OK


def test_a_match_arrives_whole_and_once(log: MatchLog) -> None:
    beside, entries = left(MemoryLog())
    commit = arriving(entries)
    came = log.transfer_in(commit, entries, 0, b"", beside)
    assert (came.status, came.version, came.position, came.wake) == (LogWriteStatus.OK, 5, 1, True)
    assert log.read_entries(MATCH)[:4] == entries
    assert check_whole(log, MATCH) == 5
    assert log.read_feed(P, 0) == ((1, MATCH, 5),), "the feed tells of what was written here"
    head, reading = head_of(log, MATCH), log.read(MATCH, key="0:last", grant="token")
    assert (head.status, head.question_version, head.version) == ("open", 5, 5)
    assert reading.known is not None
    assert (reading.known.version, reading.grant, reading.due is not None) == (3, b"record", True)
    assert (log.read_seat_names(MATCH), log.read_passes(MATCH)) == ({"0": "Ada"}, {0: b"stands"})
    before = everything(log, MATCH)
    assert log.transfer_in(commit, entries, 0, b"", beside) == AppendResult(LogWriteStatus.DUP, 5, 1, False)
    assert (
        log.transfer_in(replace(commit, fingerprint=b"another"), entries, 0, b"", beside).status
        is LogWriteStatus.REUSED
    )
    assert log.transfer_in(replace(commit, key="other"), entries, 0, b"", beside).status is LogWriteStatus.CONFLICT
    assert everything(log, MATCH) == before
    add(log, MATCH, "0:on")
    assert check_whole(log, MATCH) == 6


def test_a_match_comes_back_with_what_was_added_and_revoked_elsewhere(log: MatchLog) -> None:
    beside, entries = left(log)
    there = MemoryLog()
    there.transfer_in(arriving(entries), entries, 0, b"", beside)
    add(there, MATCH, "0:there")
    there.revoke_grants(MATCH, ["token"])
    there.put_grant(MATCH, "new", b"record")
    there.drop_pass(MATCH)
    assert (
        there.transfer_out(leaving(there), there.read_transfer_payload(MATCH), b"packed there").status
        is LogWriteStatus.OK
    )
    back = there.read_entries(MATCH)
    commit, luggage = arriving(back, key="back"), there.read_transfer_payload(MATCH)
    assert log.transfer_in(commit, back[3:], 3, back[2].root, luggage).status is LogWriteStatus.CONFLICT, (
        "it left with four"
    )
    assert log.transfer_in(commit, back[4:], 4, back[2].root, luggage).status is LogWriteStatus.CONFLICT, (
        "under another root"
    )
    assert log.transfer_in(commit, back, 0, b"", luggage).status is LogWriteStatus.CONFLICT, "it is not unknown here"
    assert log.transfer_in(commit, back[4:], 4, back[3].root, luggage).status is LogWriteStatus.OK
    assert log.read_entries(MATCH)[:7] == back
    assert check_whole(log, MATCH) == 8
    assert [version for _, _, version in log.read_feed(P, 0)] == [1, 2, 3, 4, 8]
    assert (log.read_grants(MATCH), log.read_passes(MATCH), log.find_departed_payload(MATCH)) == (
        {"new": b"record"},
        {},
        None,
    )
    known = log.read_transfer_payload(MATCH).keys
    assert {"0:last", "table:go", "0:there", "arrive", "back"} <= known.keys()


def test_what_is_here_and_has_not_left_is_not_overwritten(log: MatchLog) -> None:
    beside, entries = left(MemoryLog())
    grow(log, MATCH, 2)
    before = everything(log, MATCH)
    mine = log.read_entries(MATCH)
    assert log.transfer_in(arriving(entries), entries, 0, b"", beside).status is LogWriteStatus.CONFLICT
    assert log.transfer_in(arriving(entries), entries[2:], 2, mine[1].root, beside).status is LogWriteStatus.CONFLICT
    assert everything(log, MATCH) == before
    head = head_of(log, MATCH)
    log.archive_match(MATCH, head.version, head.root)
    assert log.transfer_in(arriving(entries), entries, 0, b"", beside).status is LogWriteStatus.CONFLICT
    log.freeze_match(OTHER)


def test_an_entry_that_is_too_large_lets_nothing_in(log: MatchLog) -> None:
    beside, entries = left(MemoryLog())
    large = replace(entries[-1], sealed=b"x" * MAX_ENTRY_BYTES)
    assert log.transfer_in(arriving(entries), (*entries[:-1], large), 0, b"", beside).status is LogWriteStatus.TOOBIG
    assert (
        log.transfer_in(replace(arriving(entries), sealed=b"x" * MAX_ENTRY_BYTES), entries, 0, b"", beside).status
        is LogWriteStatus.TOOBIG
    )
    assert log.read(MATCH).head is None
    assert (log.read_entries(MATCH), log.read_grants(MATCH)) == ((), {})
