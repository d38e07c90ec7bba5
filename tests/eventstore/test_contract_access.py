"""What every log promises beside the log: grants, names, invitations, answers that are kept, standing passes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from referee.eventstore.contract import PARTITIONS, LogWriteStatus, MatchLog, PartitionProgress, partition_for_match
from tests.eventstore.conftest import House
from tests.eventstore.writing import MATCH, OTHER, add, following, head_of

MINUTE = 60_000
RECORD = b'{"seat":1}\x00\xff'


def test_grants_are_kept_by_match_and_taken_back(log: MatchLog) -> None:
    log.put_grant(MATCH, "t1", RECORD)
    log.put_grant(MATCH, "t2", b"")
    log.put_grant(OTHER, "t1", b"other")
    assert log.read_grants(MATCH) == {"t1": RECORD, "t2": b""}
    assert log.read(MATCH, grant="t1").grant == RECORD  # also before the first entry
    add(log, MATCH, "0:1")
    assert log.read(MATCH, grant="t1").grant == RECORD
    assert log.read(MATCH, grant="t2").grant == b""
    assert log.read(MATCH, grant="t3").grant is None
    assert log.read(MATCH).grant is None
    log.put_grant(MATCH, "t1", b"changed")
    assert log.read(MATCH, grant="t1").grant == b"changed"
    log.revoke_grants(MATCH, ["t1", "t3"])
    log.revoke_grants(MATCH, [])
    assert log.read_grants(MATCH) == {"t2": b""}
    assert log.read(MATCH, grant="t1").grant is None
    assert log.read_grants(OTHER) == {"t1": b"other"}


def test_names_are_set_and_forgotten(log: MatchLog) -> None:
    assert log.read_seat_names(MATCH) == {}
    log.put_seat_names(MATCH, {"0": "Ada", "1": "Zoë 😀", "2": ""})
    log.put_seat_names(MATCH, {"0": None, "2": "Cy", "5": None})
    log.put_seat_names(MATCH, {})
    assert log.read_seat_names(MATCH) == {"1": "Zoë 😀", "2": "Cy"}
    assert log.read_seat_names(OTHER) == {}


def test_an_invitation_is_used_once_per_key(log: MatchLog) -> None:
    assert log.find_invitation("CODE") is None
    assert log.redeem_invitation("CODE", "k1") is None
    assert log.add_invitation("CODE", RECORD, 2, MINUTE) is True
    assert log.find_invitation("CODE") == (RECORD, 2)
    assert log.redeem_invitation("CODE", "k1") == (RECORD, True)
    assert log.redeem_invitation("CODE", "k1") == (RECORD, False)
    assert log.find_invitation("CODE") == (RECORD, 1)
    assert log.redeem_invitation("CODE", "k2") == (RECORD, True)
    assert log.find_invitation("CODE") == (RECORD, 0)
    assert log.redeem_invitation("CODE", "k3") is None
    assert log.redeem_invitation("CODE", "k1") == (RECORD, False)  # a resent redeem finds its answer, used up or not


def test_a_released_use_is_there_for_others(log: MatchLog) -> None:
    log.release_invitation("CODE", "k1")
    assert log.add_invitation("CODE", RECORD, 1, MINUTE) is True
    assert log.redeem_invitation("CODE", "k1") == (RECORD, True)
    log.release_invitation("CODE", "another")
    assert log.find_invitation("CODE") == (RECORD, 0)
    log.release_invitation("CODE", "k1")
    assert log.find_invitation("CODE") == (RECORD, 1)
    assert log.redeem_invitation("CODE", "k2") == (RECORD, True)


def test_a_code_is_taken_until_it_is_revoked(log: MatchLog) -> None:
    assert log.add_invitation("CODE", b"first", 1, MINUTE) is True
    log.redeem_invitation("CODE", "k")
    assert log.add_invitation("CODE", b"second", 9, MINUTE) is False
    assert log.find_invitation("CODE") == (b"first", 0)
    log.revoke_invitation("CODE")
    log.revoke_invitation("CODE")
    assert log.find_invitation("CODE") is None
    assert log.redeem_invitation("CODE", "k") is None
    assert log.add_invitation("CODE", b"second", 1, MINUTE) is True
    assert log.redeem_invitation("CODE", "k") == (b"second", True)


@pytest.mark.parametrize("key", ["record", "uses", "k:record", "ä", "{p01}", ""])
def test_a_redeeming_key_may_be_any_text(log: MatchLog, key: str) -> None:
    log.add_invitation("CODE", RECORD, 1, MINUTE)
    assert log.redeem_invitation("CODE", key) == (RECORD, True)
    assert log.redeem_invitation("CODE", key) == (RECORD, False)
    assert log.redeem_invitation("CODE", "another") is None
    assert log.find_invitation("CODE") == (RECORD, 0)


@pytest.mark.parametrize("code", [f"X{number}" for number in range(20)])
def test_a_code_made_of_another_one_is_simply_unknown(log: MatchLog, code: str) -> None:
    log.add_invitation(code, RECORD, 1, MINUTE)
    log.redeem_invitation(code, "k")
    for other in (f"{code}:redeemed", f"{code}:", f":{code}", f"{code}}}", code.lower()):
        assert log.find_invitation(other) is None
        assert log.redeem_invitation(other, "k") is None


def test_an_invitation_expires_with_its_uses(house: House) -> None:
    log, began = house.log, house.log.now()
    log.add_invitation("CODE", b"first", 1, 150)
    log.redeem_invitation("CODE", "k")
    assert log.find_invitation("CODE") == (b"first", 0) or log.now() >= began + 150
    house.wait(150)
    assert log.find_invitation("CODE") is None
    assert log.redeem_invitation("CODE", "k") is None
    assert log.add_invitation("CODE", b"second", 1, MINUTE) is True
    assert log.redeem_invitation("CODE", "k") == (b"second", True)


def test_of_many_who_redeem_at_once_as_many_get_in_as_there_are_uses(log: MatchLog) -> None:
    log.add_invitation("CODE", RECORD, 3, MINUTE)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda who: log.redeem_invitation("CODE", f"k{who}"), range(8)))
    assert found.count((RECORD, True)) == 3
    assert found.count(None) == 5


def test_the_first_answer_is_kept(log: MatchLog) -> None:
    assert log.find_answer("scope", "k") is None
    assert log.remember_answer("scope", "k", b"ask", RECORD, MINUTE) == (b"ask", RECORD)
    assert log.remember_answer("scope", "k", b"other", b"other", MINUTE) == (b"ask", RECORD)
    assert log.find_answer("scope", "k") == (b"ask", RECORD)
    assert log.find_answer("scope", "k2") is None


def test_scope_and_key_do_not_run_into_each_other(log: MatchLog) -> None:
    for number in range(300):  # among so many, some share a partition
        log.remember_answer(f"{number}:b", "c", b"1", b"", MINUTE)
        assert log.find_answer(f"{number}", "b:c") is None
        assert log.find_answer(f"{number}:b", "c") == (b"1", b"")


def test_another_answer_takes_the_place_of_the_first_and_expires_with_it(house: House) -> None:
    log = house.log
    log.replace_answer("scope", "k", b"none yet")
    assert log.find_answer("scope", "k") is None
    began = log.now()
    log.remember_answer("scope", "k", b"ask", RECORD, 100)
    log.replace_answer("scope", "k", b"short")
    assert log.find_answer("scope", "k") == (b"ask", b"short") or log.now() >= began + 100
    house.wait(100)
    assert log.find_answer("scope", "k") is None


def test_a_kept_answer_expires(house: House) -> None:
    began = house.log.now()
    house.log.remember_answer("scope", "k", b"1", b"1", 100)
    assert house.log.find_answer("scope", "k") == (b"1", b"1") or house.log.now() >= began + 100
    house.wait(100)
    assert house.log.find_answer("scope", "k") is None
    assert house.log.remember_answer("scope", "k", b"2", b"2", MINUTE) == (b"2", b"2")


def test_only_so_many_openings_of_a_host_are_noted(log: MatchLog) -> None:
    assert [log.reserve_opening("ada", match, 2, MINUTE) for match in (MATCH, OTHER, "x", MATCH)] == [
        *(True, True, False, True)
    ]
    assert log.reserve_opening("bob", "x", 1, MINUTE) is True
    assert (log.read_openings("ada"), log.read_openings("cy")) == ({MATCH, OTHER}, frozenset())
    log.drop_openings("ada", [])
    log.drop_openings("ada", [MATCH, "x"])
    log.drop_openings("cy", [MATCH])
    assert log.reserve_opening("ada", "x", 2, MINUTE) is True
    assert (log.read_openings("ada"), log.read_openings("bob")) == ({OTHER, "x"}, {"x"})


def test_openings_stay_noted_for_a_while_after_the_last_one(house: House) -> None:
    house.log.reserve_opening("ada", MATCH, 2, 100)
    began = house.log.now()
    house.log.reserve_opening("ada", OTHER, 2, 300)
    house.wait(100)
    assert house.log.read_openings("ada") == {MATCH, OTHER} or house.log.now() >= began + 300
    house.wait(200)
    assert house.log.read_openings("ada") == frozenset()
    assert house.log.reserve_opening("ada", "x", 1, MINUTE) is True


def test_a_pass_stands_for_its_seat_and_match_until_it_is_dropped(log: MatchLog) -> None:
    assert log.read_passes(MATCH) == {}
    assert log.put_pass(MATCH, 0, "k", b"ask", RECORD, MINUTE) == (b"ask", RECORD)
    log.put_pass(MATCH, 12, "k", b"ask", b"", MINUTE)
    log.put_pass(OTHER, 0, "k", b"ask", b"other", MINUTE)
    assert log.read_passes(MATCH) == {0: RECORD, 12: b""}
    log.put_pass(MATCH, 0, "k2", b"ask", b"changed", MINUTE)
    assert log.read_passes(MATCH) == {0: b"changed", 12: b""}
    log.drop_pass(MATCH, 0)
    log.drop_pass(MATCH, 7)
    assert log.read_passes(MATCH) == {12: b""}
    log.put_pass(MATCH, 3, "k", b"ask", RECORD, MINUTE)
    log.drop_pass(MATCH)
    log.drop_pass(MATCH)
    assert log.read_passes(MATCH) == {}
    assert log.read_passes(OTHER) == {0: b"other"}


def test_a_pass_is_put_once_per_key(log: MatchLog) -> None:
    assert log.find_pass_by_key(MATCH, 0, "k") is None
    log.put_pass(MATCH, 0, "k", b"ask", RECORD, MINUTE)
    assert log.find_pass_by_key(MATCH, 0, "k") == (b"ask", RECORD)
    log.put_pass(MATCH, 0, "later", b"ask", b"later", MINUTE)
    assert log.put_pass(MATCH, 0, "k", b"other", b"other", MINUTE) == (b"ask", RECORD)
    assert log.read_passes(MATCH) == {0: b"later"}  # a request that comes late once more undoes nothing
    log.drop_pass(MATCH)
    assert log.put_pass(MATCH, 0, "k", b"ask", b"again", MINUTE) == (b"ask", RECORD)
    assert log.read_passes(MATCH) == {}
    for match, seat in ((MATCH, 1), (OTHER, 0)):
        assert log.find_pass_by_key(match, seat, "k") is None


def test_the_key_of_a_pass_expires_and_the_pass_does_not(house: House) -> None:
    house.log.put_pass(MATCH, 0, "k", b"1", b"1", 100)
    house.wait(100)
    assert house.log.find_pass_by_key(MATCH, 0, "k") is None
    assert house.log.read_passes(MATCH) == {0: b"1"}
    assert house.log.put_pass(MATCH, 0, "k", b"2", b"2", MINUTE) == (b"2", b"2")
    assert house.log.read_passes(MATCH) == {0: b"2"}


# -- who looks on, and what stirs -------------------------------------------------------------------------------------

PART = partition_for_match(MATCH)


def test_a_seat_is_attended_while_one_visit_lasts(house: House) -> None:
    log = house.log
    assert log.read_present_seats(MATCH) == frozenset()
    log.record_visit(MATCH, 1, "a", MINUTE)
    log.record_visit(MATCH, 1, "b:c", MINUTE)
    log.record_visit(OTHER, 3, "a", MINUTE)
    began = log.now()
    log.record_visit(MATCH, 12, "a", 50)
    assert log.read_present_seats(MATCH) == {1, 12} or log.now() >= began + 50
    house.wait(50)
    assert log.read_present_seats(MATCH) == {1}
    log.record_visit(MATCH, 1, "a", 0)
    assert log.read_present_seats(MATCH) == {1}
    log.record_visit(MATCH, 1, "b:c", 0)
    log.record_visit(MATCH, 1, "b:c", 0)
    assert log.read_present_seats(MATCH) == frozenset()
    assert log.read_present_seats(OTHER) == {3}


def test_whoever_comes_or_goes_stirs_the_match_and_nothing_else_does(house: House) -> None:
    log, tide = house.log, house.log.read_progress(PART)

    def stirs() -> bool:
        nonlocal tide
        found = log.wait_for_changes({PART: tide}, 1)
        tide = found[PART].progress if found else tide
        assert not found or (found[PART].versions, found[PART].visited) == ({}, {MATCH})
        return bool(found)

    assert not stirs()
    for seat, visit, ttl, stirring in (
        (0, "a", MINUTE, True), (0, "a", MINUTE, False), (0, "b", MINUTE, False), (1, "c", 1500, True),
        (0, "a", 0, False), (0, "b", 0, True), (0, "b", 0, False),
    ):  # fmt: skip
        log.record_visit(MATCH, seat, visit, ttl)
        assert stirs() is stirring, (seat, visit, ttl)
    house.wait(1500)
    log.record_visit(MATCH, 0, "b", 0)
    assert stirs(), "seat 1 has gone since, and nobody had told so"


def test_a_commit_stirs_its_match_once_and_only_for_those_who_follow_its_partition(log: MatchLog) -> None:
    elsewhere = (PART + 1) % PARTITIONS
    since = {PART: log.read_progress(PART), elsewhere: log.read_progress(elsewhere)}
    assert log.wait_for_changes(since, 1) == {}
    assert log.wait_for_changes({}, 1) == {}
    add(log, MATCH, "0:1")
    add(log, MATCH, "0:2")
    log.record_visit(MATCH, 0, "a", MINUTE)
    found = log.wait_for_changes(since, 1)
    assert set(found) == {PART}
    tide = found[PART].progress
    assert (found[PART].versions, found[PART].visited) == ({MATCH: 2}, {MATCH})
    assert tide == log.read_progress(PART) == PartitionProgress(since[PART].position + 2, since[PART].notes + 1)
    assert log.wait_for_changes({**since, PART: tide}, 1) == {}
    assert log.wait_for_changes({elsewhere: since[elsewhere]}, 1) == {}


def test_who_waits_is_woken_by_a_commit(log: MatchLog) -> None:
    since = {PART: log.read_progress(PART)}
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(log.wait_for_changes, since, 3000)
        add(log, MATCH, "0:1")
        found = waiting.result(5) or log.wait_for_changes(since, 1)  # a store that cannot wait answers at once
    assert (found[PART].versions, found[PART].visited) == ({MATCH: 1}, frozenset())


def test_an_entry_is_added_only_while_the_token_has_the_rights_that_the_writer_saw(log: MatchLog) -> None:
    add(log, MATCH, "0:1")
    log.put_grant(MATCH, "t1", RECORD)
    add(log, MATCH, "0:2", token_hash="t1", grant=RECORD)
    for change in (lambda: log.put_grant(MATCH, "t1", b"less"), lambda: log.revoke_grants(MATCH, ["t1"])):
        change()
        head = head_of(log, MATCH)
        refused = log.append(following(MATCH, head, "0:3", token_hash="t1", grant=RECORD))
        assert (refused.status, refused.version) == (LogWriteStatus.STALE, 2)
        assert head_of(log, MATCH) == head
        assert log.read(MATCH, key="0:3").known is None
    add(log, MATCH, "0:3")  # nobody's token matters to the server itself


@pytest.mark.parametrize("late_ms", [-MINUTE, -2500, 2500, MINUTE])
def test_an_entry_decided_at_another_time_is_not_added(log: MatchLog, late_ms: int) -> None:
    add(log, MATCH, "0:1")
    head = head_of(log, MATCH)
    refused = log.append(following(MATCH, head, "0:2", at_ms=log.now() + late_ms))
    assert refused.status is LogWriteStatus.STALE
    assert head_of(log, MATCH) == head
    add(log, MATCH, "0:2", at_ms=log.now())


def test_an_append_tells_what_a_next_decision_needs(log: MatchLog) -> None:
    add(log, MATCH, "0:1")
    log.put_pass(MATCH, 1, "key", b"ask", b"stands", MINUTE)
    done = add(log, MATCH, "0:2", reopens_question=True, thinking_ms=MINUTE)
    assert done.passes == {1: b"stands"}
    assert done.due_ms is not None
    assert abs(done.due_ms - done.now_ms - MINUTE) < 1000
    assert abs(done.now_ms - log.now()) < 5000
    later = add(log, MATCH, "0:3")
    assert later.due_ms == done.due_ms
    assert add(log, MATCH, "0:4", reopens_question=True).due_ms is None


def test_a_reader_that_has_the_match_is_told_so(log: MatchLog) -> None:
    add(log, MATCH, "0:1", reopens_question=True, thinking_ms=MINUTE)
    log.put_grant(MATCH, "t1", RECORD)
    log.put_pass(MATCH, 1, "key", b"ask", b"stands", MINUTE)
    whole = log.read(MATCH, grant="t1", key="0:1")
    assert whole.head is not None
    root = whole.head.root
    short = log.read(MATCH, after=1, grant="t1", key="0:1", root=root)
    assert short.is_unchanged
    assert (short.head, short.entries, short.snapshot) == (None, (), None)
    assert (short.due, short.grant, short.passes, short.known, short.epoch) == (
        whole.due, RECORD, {1: b"stands"}, whole.known, whole.epoch
    )  # fmt: skip
    assert not log.read(MATCH, after=1, root=bytes(32)).is_unchanged
    assert not log.read(OTHER, after=1, root=root).is_unchanged
    add(log, MATCH, "0:2")
    grown = log.read(MATCH, after=1, root=root)
    assert not grown.is_unchanged
    assert [entry.version for entry in grown.entries] == [2]
    log.freeze_match(MATCH)
    frozen = log.read(MATCH, after=2, root=head_of(log, MATCH).root)
    assert not frozen.is_unchanged
    assert frozen.head is not None
    assert frozen.head.status == "frozen"
