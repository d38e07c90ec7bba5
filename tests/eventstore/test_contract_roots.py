"""What every log promises of the log of roots: no leaf twice, none lost, and a proof of each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from referee.eventstore.contract import MatchLog, StoreUnavailable
from referee.transparency.merkle import (
    EMPTY_TREE_ROOT,
    collect_subtrees,
    compute_proof_hashes,
    compute_root_of_leaves,
    find_consistency_ranges,
    find_inclusion_ranges,
    leaf_hash,
    verify_consistency,
    verify_inclusion,
)
from referee.transparency.root_log import (
    LeafPosition,
    RootAppendResult,
    RootLogHead,
    RootWriteStatus,
    build_root_append,
    publish_leaf,
)
from tests.eventstore.servers import Dropping, Server
from tests.eventstore.writing import MATCH, OTHER


def data_of(log: MatchLog) -> list[bytes]:
    return list(log.read_root_leaves(0, 1000))


def check(log: MatchLog) -> int:
    """Looks at the whole log: the tree is that of the leaves, every subtree of a proof is there. Gives its size."""
    head, leaves = log.read_roots_head(), [leaf_hash(data) for data in data_of(log)]
    assert head.size == len(leaves)
    assert head.root == compute_root_of_leaves(leaves)
    for index, leaf in enumerate(leaves):
        spans = find_inclusion_ranges(index, head.size)
        path = compute_proof_hashes(spans, log.read_root_nodes(collect_subtrees(spans)))
        assert verify_inclusion(leaf, index, head.size, path, head.root)
        spans = find_consistency_ranges(index + 1, head.size)
        path = compute_proof_hashes(spans, log.read_root_nodes(collect_subtrees(spans)))
        assert verify_consistency(index + 1, head.size, path, compute_root_of_leaves(leaves[: index + 1]), head.root)
    return head.size


def test_an_empty_log_of_roots_has_the_root_of_nothing(log: MatchLog) -> None:
    assert log.read_roots_head() == RootLogHead(0, EMPTY_TREE_ROOT, ())
    assert log.read_root_leaves(0) == ()
    assert log.read_root_leaves(0, 0) == ()
    assert log.find_root_leaf(MATCH) is None
    assert log.read_root_nodes([(0, 0)]) == {}
    assert log.read_root_nodes([]) == {}


def test_leaves_stand_in_the_order_in_which_they_came(log: MatchLog) -> None:
    assert publish_leaf(log, "keys", 1, b"key") == RootAppendResult(RootWriteStatus.OK, 0)
    assert publish_leaf(log, MATCH, 40, b"\x00 forty \xff") == RootAppendResult(RootWriteStatus.OK, 1)
    assert publish_leaf(log, OTHER, 7, b"seven") == RootAppendResult(RootWriteStatus.OK, 2)
    assert data_of(log) == [b"key", b"\x00 forty \xff", b"seven"]
    assert log.read_root_leaves(1, 1) == (b"\x00 forty \xff",)
    assert (log.find_root_leaf(MATCH), log.find_root_leaf(OTHER, 7)) == (LeafPosition(40, 1), LeafPosition(7, 2))
    assert log.find_root_leaf(OTHER, 8) is None
    assert check(log) == 3


def test_a_leaf_that_is_there_is_not_added_again(log: MatchLog) -> None:
    for _ in range(3):
        publish_leaf(log, MATCH, 40, b"forty")
        publish_leaf(log, MATCH, 45, b"forty-five")
    assert publish_leaf(log, MATCH, 40, b"forty") == RootAppendResult(RootWriteStatus.DUP, 0)
    assert data_of(log) == [b"forty", b"forty-five"]
    assert log.find_root_leaf(MATCH) == LeafPosition(45, 1)


def test_two_stories_of_one_match_at_one_size_are_not_both_told(log: MatchLog) -> None:
    publish_leaf(log, MATCH, 40, b"forty")
    assert publish_leaf(log, MATCH, 40, b"another") == RootAppendResult(RootWriteStatus.TAKEN, 0)
    assert data_of(log) == [b"forty"]


def test_an_older_state_comes_too_late(log: MatchLog) -> None:
    publish_leaf(log, MATCH, 45, b"forty-five")
    assert publish_leaf(log, MATCH, 40, b"forty") == RootAppendResult(RootWriteStatus.STALE, 0)
    assert publish_leaf(log, OTHER, 4, b"of another match") == RootAppendResult(RootWriteStatus.OK, 1)
    assert data_of(log) == [b"forty-five", b"of another match"]


def test_a_publisher_that_started_from_an_older_tree_adds_nothing(log: MatchLog) -> None:
    slow = build_root_append(log.read_roots_head(), MATCH, 40, b"forty")
    publish_leaf(log, OTHER, 7, b"seven")
    assert log.add_root(slow) == RootAppendResult(RootWriteStatus.CONFLICT, -1)
    wrong = replace(
        build_root_append(log.read_roots_head(), MATCH, 40, b"forty"), head_before=RootLogHead(1, EMPTY_TREE_ROOT, ())
    )
    assert log.add_root(wrong) == RootAppendResult(RootWriteStatus.CONFLICT, -1)
    assert data_of(log) == [b"seven"]
    assert check(log) == 1


def test_of_many_publishers_at_once_each_leaf_is_there_once(log: MatchLog) -> None:
    asked = [(f"{number % 12:02d}-{'m' * 26}", 40, f"leaf {number % 12}".encode()) for number in range(36)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda leaf: publish_leaf(log, *leaf), asked))
    assert sorted(data_of(log)) == sorted({data for _, _, data in asked})
    assert [each.status for each in answers].count(RootWriteStatus.OK) == 12
    assert {each.status for each in answers} == {RootWriteStatus.OK, RootWriteStatus.DUP}
    for (_, _, data), added in zip(asked, answers, strict=True):
        assert data_of(log)[added.index] == data
    assert check(log) == 12


@pytest.mark.parametrize(
    ("group", "rank", "data"), [("", 1, b""), ("a#1", 1, b""), ("a", 0, b""), ("a", 1, b"x" * 20_000)]
)
def test_what_cannot_be_a_leaf_is_refused(group: str, rank: int, data: bytes) -> None:
    with pytest.raises(ValueError, match="no leaf"):
        build_root_append(RootLogHead(), group, rank, data)


@pytest.mark.crash
def test_a_lost_reply_or_a_killed_store_leaves_each_leaf_there_once(own_server: Server) -> None:
    between = Dropping(own_server)
    try:
        log = own_server.log(retries=0, path=between.path)
        publish_leaf(log, "keys", 1, b"key")  # now the server knows the script
        forty = build_root_append(log.read_roots_head(), MATCH, 40, b"forty")
        between.drop = 1
        with pytest.raises(StoreUnavailable):
            log.add_root(forty)
        assert between.dropped == 1
        assert publish_leaf(log, MATCH, 40, b"forty") == RootAppendResult(RootWriteStatus.DUP, 1)
        own_server.kill()
        own_server.start()
        straight = own_server.log()
        assert data_of(straight) == [b"key", b"forty"]
        assert check(straight) == 2
    finally:
        between.close()
