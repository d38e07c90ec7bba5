"""What every log promises of matches that leave for another server, and of those that arrive."""

from __future__ import annotations

from dataclasses import replace

from referee.eventstore.contract import LARGEST, Answer, Appended, Commit, Entry, MatchLog, partition_of
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.transfer import Luggage
from tests.eventstore.writing import MATCH, OTHER, add, check_feed, check_whole, everything, following, grow, head_of

P = partition_of(MATCH)
HOUR = 3_600_000


def begun(log: MatchLog, match: str = MATCH, count: int = 3) -> Luggage:
    """A match with so many entries, a deadline, and what may lie beside its log."""
    grow(log, match, count - 1)
    add(log, match, "0:last", b"{}", asked_anew=True, question="q", edition="e1", thinking_ms=HOUR)
    log.grant(match, "token", b"record")
    log.put_names(match, {"0": "Ada"})
    log.put_pass(match, 0, "k", b"ask", b"stands", HOUR)
    return log.luggage(match)


def leaving(log: MatchLog, match: str = MATCH) -> Commit:
    return following(match, head_of(log, match), "table:go", b"{}", status="moved", asked_anew=True)


def left(log: MatchLog, match: str = MATCH) -> tuple[Luggage, tuple[Entry, ...]]:
    """A match that has left, what it took along, and its entries."""
    beside = begun(log, match)
    assert log.depart(leaving(log, match), beside, b"packed").answer is Answer.OK
    return beside, log.entries(match)


def arriving(entries: tuple[Entry, ...], match: str = MATCH, key: str = "arrive") -> Commit:
    """The first entry that another server adds to these."""
    scratch = MemoryLog()
    for entry in entries:
        head = scratch.read(match, limit=0).head
        made = following(match, head, f"k{entry.version}", entry.envelope)
        assert made.root == entry.root
        scratch.append(made)
    return following(match, head_of(scratch, match), key, b'{"here":1}', asked_anew=True, thinking_ms=HOUR)


def test_what_lies_beside_a_log_is_told_whole(log: MatchLog) -> None:
    found = begun(log)
    assert (dict(found.grants), dict(found.names)) == ({"token": b"record"}, {"0": "Ada"})
    assert dict(found.passes) == {0: b"stands"}
    versions = {key: known.version for key, known in found.keys.items()}
    assert versions == {f"0:{MATCH}1": 1, f"0:{MATCH}2": 2, "0:last": 3}
    assert log.luggage(OTHER) == Luggage()


def test_nobody_adds_to_a_match_that_has_left_and_its_deadline_is_gone(log: MatchLog) -> None:
    beside = begun(log)
    gone = log.depart(leaving(log), beside, b"packed")
    assert (gone.answer, gone.version, log.departed(MATCH)) == (Answer.OK, 4, b"packed")
    assert (head_of(log, MATCH).status, log.read(MATCH).due, log.next_due()) == ("moved", None, None)
    before = everything(log, MATCH)
    late = log.append(following(MATCH, head_of(log, MATCH), "0:late"))
    assert (late.answer, late.version) == (Answer.MOVED, 4)
    assert log.append(replace(leaving(log), version=3, key="0:stale")).answer is Answer.MOVED
    assert log.archive(MATCH, 4, head_of(log, MATCH).root) is Answer.CONFLICT
    assert everything(log, MATCH) == before
    assert check_whole(log, MATCH) == 4
    check_feed(log, P, {MATCH: 4})


def test_a_token_or_a_name_that_came_in_between_keeps_a_match_from_leaving(log: MatchLog) -> None:
    beside = begun(log)
    for change in (
        lambda: log.grant(MATCH, "another", b"record"),
        lambda: log.revoke(MATCH, ["token", "another"]),
        lambda: log.put_names(MATCH, {"0": "Bob"}),
        lambda: log.drop_pass(MATCH),
    ):
        change()
        assert log.depart(leaving(log), beside, b"packed").answer is Answer.CONFLICT
        assert (head_of(log, MATCH).status, log.departed(MATCH)) == ("open", None)
        beside = log.luggage(MATCH)
    log.grant(MATCH, "token", b"another record")
    assert log.depart(leaving(log), replace(beside, grants={"token": b"record"}), b"").answer is Answer.CONFLICT
    assert log.depart(leaving(log), log.luggage(MATCH), b"packed").answer is Answer.OK


def test_a_match_arrives_whole_and_once(log: MatchLog) -> None:
    beside, entries = left(MemoryLog())
    commit = arriving(entries)
    came = log.adopt(commit, entries, 0, b"", beside)
    assert (came.answer, came.version, came.position, came.wake) == (Answer.OK, 5, 1, True)
    assert log.entries(MATCH)[:4] == entries
    assert check_whole(log, MATCH) == 5
    assert log.feed(P, 0) == ((1, MATCH, 5),), "the feed tells of what was written here"
    head, reading = head_of(log, MATCH), log.read(MATCH, key="0:last", grant="token")
    assert (head.status, head.asked, head.version) == ("open", 5, 5)
    assert reading.known is not None
    assert (reading.known.version, reading.grant, reading.due is not None) == (3, b"record", True)
    assert (log.names(MATCH), log.passes(MATCH)) == ({"0": "Ada"}, {0: b"stands"})
    before = everything(log, MATCH)
    assert log.adopt(commit, entries, 0, b"", beside) == Appended(Answer.DUP, 5, 1, False)
    assert log.adopt(replace(commit, ask=b"another"), entries, 0, b"", beside).answer is Answer.REUSED
    assert log.adopt(replace(commit, key="other"), entries, 0, b"", beside).answer is Answer.CONFLICT
    assert everything(log, MATCH) == before
    add(log, MATCH, "0:on")
    assert check_whole(log, MATCH) == 6


def test_a_match_comes_back_with_what_was_added_and_revoked_elsewhere(log: MatchLog) -> None:
    beside, entries = left(log)
    there = MemoryLog()
    there.adopt(arriving(entries), entries, 0, b"", beside)
    add(there, MATCH, "0:there")
    there.revoke(MATCH, ["token"])
    there.grant(MATCH, "new", b"record")
    there.drop_pass(MATCH)
    assert there.depart(leaving(there), there.luggage(MATCH), b"packed there").answer is Answer.OK
    back = there.entries(MATCH)
    commit, luggage = arriving(back, key="back"), there.luggage(MATCH)
    assert log.adopt(commit, back[3:], 3, back[2].root, luggage).answer is Answer.CONFLICT, "it left with four"
    assert log.adopt(commit, back[4:], 4, back[2].root, luggage).answer is Answer.CONFLICT, "under another root"
    assert log.adopt(commit, back, 0, b"", luggage).answer is Answer.CONFLICT, "it is not unknown here"
    assert log.adopt(commit, back[4:], 4, back[3].root, luggage).answer is Answer.OK
    assert log.entries(MATCH)[:7] == back
    assert check_whole(log, MATCH) == 8
    assert [version for _, _, version in log.feed(P, 0)] == [1, 2, 3, 4, 8]
    assert (log.grants(MATCH), log.passes(MATCH), log.departed(MATCH)) == ({"new": b"record"}, {}, None)
    known = log.luggage(MATCH).keys
    assert {"0:last", "table:go", "0:there", "arrive", "back"} <= known.keys()


def test_what_is_here_and_has_not_left_is_not_overwritten(log: MatchLog) -> None:
    beside, entries = left(MemoryLog())
    grow(log, MATCH, 2)
    before = everything(log, MATCH)
    mine = log.entries(MATCH)
    assert log.adopt(arriving(entries), entries, 0, b"", beside).answer is Answer.CONFLICT
    assert log.adopt(arriving(entries), entries[2:], 2, mine[1].root, beside).answer is Answer.CONFLICT
    assert everything(log, MATCH) == before
    head = head_of(log, MATCH)
    log.archive(MATCH, head.version, head.root)
    assert log.adopt(arriving(entries), entries, 0, b"", beside).answer is Answer.CONFLICT
    log.freeze(OTHER)


def test_an_entry_that_is_too_large_lets_nothing_in(log: MatchLog) -> None:
    beside, entries = left(MemoryLog())
    large = replace(entries[-1], sealed=b"x" * LARGEST)
    assert log.adopt(arriving(entries), (*entries[:-1], large), 0, b"", beside).answer is Answer.TOOBIG
    assert log.adopt(replace(arriving(entries), sealed=b"x" * LARGEST), entries, 0, b"", beside).answer is Answer.TOOBIG
    assert log.read(MATCH).head is None
    assert (log.entries(MATCH), log.grants(MATCH)) == ((), {})
