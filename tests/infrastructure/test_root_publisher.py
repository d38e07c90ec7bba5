"""The log of roots as a server keeps it: the first key first, no root twice, nothing that cannot be shown."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.root_publisher import LeafNotFoundError, RootLogError, RootPublisher
from referee.transparency.key_chain import (
    ChainKey,
    RootLeaf,
    decode_leaf,
    encode_root_leaf,
    find_trusted_keys,
    sign_statement,
)
from referee.transparency.merkle import (
    EMPTY_TREE_ROOT,
    compute_root_of_leaves,
    leaf_hash,
    verify_consistency,
    verify_inclusion,
)
from referee.transparency.receipts import Signer, verify_note
from referee.transparency.root_log import RootWriteStatus, build_root_append

STORE = "1f3a1f3a1f3a1f3a"
MATCHES = [f"{number:02d}-{'m' * 26}" for number in range(8)]


def signer(number: int = 1) -> Signer:
    return Signer(Ed25519PrivateKey.from_private_bytes(bytes([number] * 32)))


def leaf(match: str = MATCHES[0], size: int = 40, root: int = 1) -> RootLeaf:
    return RootLeaf(match, size, bytes([root] * 32), "finished")


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def publisher(log: MemoryLog) -> RootPublisher:
    return RootPublisher(log, signer(), STORE)


def test_the_first_leaf_is_the_first_key_whatever_is_asked_first(log: MemoryLog) -> None:
    for ask in (
        lambda at: at.publish_root(leaf()),
        lambda at: at.sign_checkpoint(),
        lambda at: at.ensure_key_published(),
        lambda at: at.count_leaves(),
    ):
        fresh = MemoryLog()
        ask(RootPublisher(fresh, signer(), STORE))
        first = decode_leaf(fresh.read_root_leaves(0, 1)[0])
        assert first == ChainKey(signer().public, fresh.now())


def test_a_checkpoint_names_the_size_and_the_root_under_an_origin_of_its_own(publisher: RootPublisher) -> None:
    publisher.publish_root(leaf())
    size, root, note = publisher.sign_checkpoint()
    told = verify_note(note, [signer().public], f"{STORE}/roots")
    assert (told.size, told.root) == (size, root) == (2, publisher.load_root(2))
    assert publisher.sign_checkpoint(1)[0] == 1
    assert publisher.load_root(0) == EMPTY_TREE_ROOT
    for size in (3, -1):
        with pytest.raises(LeafNotFoundError):
            publisher.load_root(size)


def test_every_published_root_is_shown_to_be_there_at_every_size_since(publisher: RootPublisher) -> None:
    for at, match in enumerate(MATCHES):
        publisher.publish_root(leaf(match, root=at))
    hashes = publisher.read_leaf_hashes(0, 100)
    assert len(hashes) == publisher.count_leaves() == 9
    assert compute_root_of_leaves(hashes) == publisher.sign_checkpoint()[1]
    for at, match in enumerate(MATCHES):
        for size in range(at + 2, 10):
            found = publisher.prove_inclusion(match, size)
            assert decode_leaf(found.data) == leaf(match, root=at)
            assert verify_inclusion(
                leaf_hash(found.data), at + 1, size, found.path, compute_root_of_leaves(hashes[:size])
            )
            assert verify_note(found.note, [signer().public]).root == found.root
        with pytest.raises(LeafNotFoundError):
            publisher.prove_inclusion(match, at + 1)
    for first in range(1, 10):
        for second in range(first, 10):
            path = publisher.prove_consistency(first, second)
            assert verify_consistency(
                first, second, path, compute_root_of_leaves(hashes[:first]), compute_root_of_leaves(hashes[:second])
            )
    with pytest.raises(LeafNotFoundError):
        publisher.prove_consistency(1, 10)
    with pytest.raises(LeafNotFoundError):
        publisher.prove_inclusion("63-" + "z" * 26)
    assert publisher.read_leaf_hashes(7, 2) == hashes[7:9]
    assert publisher.read_leaf_hashes(9, 2) == ()


def test_a_match_that_goes_on_after_its_end_is_published_again_and_the_latest_is_shown(
    publisher: RootPublisher,
) -> None:
    assert publisher.publish_root(leaf(size=40)).status is RootWriteStatus.OK
    assert publisher.publish_root(leaf(size=45, root=2)).status is RootWriteStatus.OK
    assert publisher.publish_root(leaf(size=45, root=2)).status is RootWriteStatus.DUP
    assert publisher.publish_root(leaf(size=42, root=3)).status is RootWriteStatus.STALE
    assert decode_leaf(publisher.prove_inclusion(MATCHES[0]).data) == leaf(size=45, root=2)
    assert publisher.count_leaves() == 3


def test_another_story_of_the_same_entries_is_no_longer_told(publisher: RootPublisher) -> None:
    publisher.publish_root(leaf())
    with pytest.raises(RootLogError, match="TAKEN"):
        publisher.publish_root(leaf(root=2))
    assert publisher.count_leaves() == 2


def test_many_who_start_at_once_publish_one_first_key_and_each_root_once(log: MemoryLog) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda match: RootPublisher(log, signer(), STORE).publish_root(leaf(match)), MATCHES * 3))
    told = [decode_leaf(data) for data in log.read_root_leaves(0, 100)]
    assert isinstance(told[0], ChainKey)
    assert len(told) == 9
    assert sorted(each.match for each in told[1:] if isinstance(each, RootLeaf)) == MATCHES


def test_a_key_that_nothing_vouches_for_is_published_as_such(log: MemoryLog, publisher: RootPublisher) -> None:
    publisher.publish_root(leaf())
    replaced = RootPublisher(log, signer(2), STORE)
    chain = replaced.ensure_key_published()
    assert [key.public for key in chain] == [signer().public, signer(2).public]
    assert chain == publisher.ensure_key_published() == RootPublisher(log, signer(2), STORE).ensure_key_published()
    assert find_trusted_keys(chain, store=STORE) == {signer().public}
    assert log.read_roots_head().size == 3


def test_a_named_key_is_published_once_and_its_first_statement_stays(log: MemoryLog, publisher: RootPublisher) -> None:
    publisher.ensure_key_published()
    named = [
        ChainKey(signer(2).public, at, sign_statement(signer(), STORE, signer(2).public, at)) for at in (1000, 2000)
    ]  # fmt: skip
    assert publisher.publish_successor(named[0], signer().public) == named[0]
    assert publisher.publish_successor(named[1], signer().public) == named[0]
    chain = RootPublisher(log, signer(2), STORE).ensure_key_published()
    assert chain[1:] == (named[0],)
    assert find_trusted_keys(chain, store=STORE) == {signer().public, signer(2).public}


def test_of_two_who_name_a_key_at_once_both_are_in_the_chain(log: MemoryLog, publisher: RootPublisher) -> None:
    publisher.ensure_key_published()

    def name(number: int) -> None:
        key = ChainKey(signer(number).public, 5, sign_statement(signer(), STORE, signer(number).public, 5))
        RootPublisher(log, signer(), STORE).publish_successor(key, signer().public)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(name, range(2, 6)))
    chain = publisher.load_chain()
    assert find_trusted_keys(chain, store=STORE) == {signer(number).public for number in range(1, 6)}
    assert len(chain) == 5


def test_a_store_that_lost_its_history_is_not_told_by_what_was_known(log: MemoryLog) -> None:
    class Swapped:
        """A log that is another one from one moment to the next."""

        stands: MemoryLog = log

        def __getattr__(self, name: str) -> Any:
            return getattr(self.stands, name)

    swapped: Any = Swapped()
    publisher = RootPublisher(swapped, signer(), STORE)
    publisher.publish_successor(ChainKey(signer(2).public, 5, "note"), b"")
    publisher.ensure_key_published()
    swapped.stands = MemoryLog()
    assert publisher.ensure_key_published() == (ChainKey(signer().public, swapped.now()),)


@pytest.mark.parametrize("harm", ["nodes", "data", "key"])
def test_a_damaged_log_of_roots_is_not_vouched_for(log: MemoryLog, publisher: RootPublisher, harm: str) -> None:
    for match in MATCHES:
        publisher.publish_root(leaf(match))
    asks: list[Callable[[], object]] = [lambda: publisher.prove_inclusion(MATCHES[3])]
    if harm == "nodes":
        log._root_nodes.clear()
        asks += [
            lambda: publisher.prove_consistency(3, 9),
            lambda: publisher.load_root(5),
            lambda: publisher.read_leaf_hashes(0, 9),
        ]
    elif harm == "data":
        log._root_data[4] = encode_root_leaf(leaf(MATCHES[3], root=9))
    else:
        log._root_data[0] = encode_root_leaf(leaf())
        asks = [lambda: RootPublisher(log, signer(), STORE).ensure_key_published()]
    for ask in asks:
        with pytest.raises(RootLogError):
            ask()


def test_a_leaf_of_a_tree_that_is_not_there_any_more_is_not_taken_up(log: MemoryLog, publisher: RootPublisher) -> None:
    publisher.publish_root(leaf())
    old = build_root_append(log.read_roots_head(), MATCHES[1], 1, b"old")
    publisher.publish_root(leaf(MATCHES[2]))
    assert log.add_root(old).status is RootWriteStatus.CONFLICT
