"""The log of roots as a server keeps it: the first key first, no root twice, nothing that cannot be shown."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.root_publisher import NoSuchLeaf, Publisher, RootsDamaged
from referee.transparency.key_chain import ChainKey, RootLeaf, read_leaf, root_leaf, statement, vouched
from referee.transparency.merkle import EMPTY, consistent, included, leaf_hash, root_of_leaves
from referee.transparency.receipts import Signer, verify_note
from referee.transparency.root_log import RootAnswer, adding

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
def publisher(log: MemoryLog) -> Publisher:
    return Publisher(log, signer(), STORE)


def test_the_first_leaf_is_the_first_key_whatever_is_asked_first(log: MemoryLog) -> None:
    for ask in (lambda at: at.publish(leaf()), lambda at: at.checkpoint(), lambda at: at.keys(), lambda at: at.size()):
        fresh = MemoryLog()
        ask(Publisher(fresh, signer(), STORE))
        first = read_leaf(fresh.root_leaves(0, 1)[0])
        assert first == ChainKey(signer().public, fresh.now())


def test_a_checkpoint_names_the_size_and_the_root_under_an_origin_of_its_own(publisher: Publisher) -> None:
    publisher.publish(leaf())
    size, root, note = publisher.checkpoint()
    told = verify_note(note, [signer().public], f"{STORE}/roots")
    assert (told.size, told.root) == (size, root) == (2, publisher.root(2))
    assert publisher.checkpoint(1)[0] == 1
    assert publisher.root(0) == EMPTY
    for size in (3, -1):
        with pytest.raises(NoSuchLeaf):
            publisher.root(size)


def test_every_published_root_is_shown_to_be_there_at_every_size_since(publisher: Publisher) -> None:
    for at, match in enumerate(MATCHES):
        publisher.publish(leaf(match, root=at))
    hashes = publisher.leaf_hashes(0, 100)
    assert len(hashes) == publisher.size() == 9
    assert root_of_leaves(hashes) == publisher.checkpoint()[1]
    for at, match in enumerate(MATCHES):
        for size in range(at + 2, 10):
            found = publisher.inclusion(match, size)
            assert read_leaf(found.data) == leaf(match, root=at)
            assert included(leaf_hash(found.data), at + 1, size, found.path, root_of_leaves(hashes[:size]))
            assert verify_note(found.note, [signer().public]).root == found.root
        with pytest.raises(NoSuchLeaf):
            publisher.inclusion(match, at + 1)
    for first in range(1, 10):
        for second in range(first, 10):
            path = publisher.consistency(first, second)
            assert consistent(first, second, path, root_of_leaves(hashes[:first]), root_of_leaves(hashes[:second]))
    with pytest.raises(NoSuchLeaf):
        publisher.consistency(1, 10)
    with pytest.raises(NoSuchLeaf):
        publisher.inclusion("63-" + "z" * 26)
    assert publisher.leaf_hashes(7, 2) == hashes[7:9]
    assert publisher.leaf_hashes(9, 2) == ()


def test_a_match_that_goes_on_after_its_end_is_published_again_and_the_latest_is_shown(publisher: Publisher) -> None:
    assert publisher.publish(leaf(size=40)).answer is RootAnswer.OK
    assert publisher.publish(leaf(size=45, root=2)).answer is RootAnswer.OK
    assert publisher.publish(leaf(size=45, root=2)).answer is RootAnswer.DUP
    assert publisher.publish(leaf(size=42, root=3)).answer is RootAnswer.STALE
    assert read_leaf(publisher.inclusion(MATCHES[0]).data) == leaf(size=45, root=2)
    assert publisher.size() == 3


def test_another_story_of_the_same_entries_is_no_longer_told(publisher: Publisher) -> None:
    publisher.publish(leaf())
    with pytest.raises(RootsDamaged, match="TAKEN"):
        publisher.publish(leaf(root=2))
    assert publisher.size() == 2


def test_many_who_start_at_once_publish_one_first_key_and_each_root_once(log: MemoryLog) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda match: Publisher(log, signer(), STORE).publish(leaf(match)), MATCHES * 3))
    told = [read_leaf(data) for data in log.root_leaves(0, 100)]
    assert isinstance(told[0], ChainKey)
    assert len(told) == 9
    assert sorted(each.match for each in told[1:] if isinstance(each, RootLeaf)) == MATCHES


def test_a_key_that_nothing_vouches_for_is_published_as_such(log: MemoryLog, publisher: Publisher) -> None:
    publisher.publish(leaf())
    replaced = Publisher(log, signer(2), STORE)
    chain = replaced.keys()
    assert [key.public for key in chain] == [signer().public, signer(2).public]
    assert chain == publisher.keys() == Publisher(log, signer(2), STORE).keys()
    assert vouched(chain, store=STORE) == {signer().public}
    assert log.roots_head().size == 3


def test_a_named_key_is_published_once_and_its_first_statement_stays(log: MemoryLog, publisher: Publisher) -> None:
    publisher.keys()
    named = [
        ChainKey(signer(2).public, at, statement(signer(), STORE, signer(2).public, at)) for at in (1000, 2000)
    ]  # fmt: skip
    assert publisher.succeed(named[0], signer().public) == named[0]
    assert publisher.succeed(named[1], signer().public) == named[0]
    chain = Publisher(log, signer(2), STORE).keys()
    assert chain[1:] == (named[0],)
    assert vouched(chain, store=STORE) == {signer().public, signer(2).public}


def test_of_two_who_name_a_key_at_once_both_are_in_the_chain(log: MemoryLog, publisher: Publisher) -> None:
    publisher.keys()

    def name(number: int) -> None:
        key = ChainKey(signer(number).public, 5, statement(signer(), STORE, signer(number).public, 5))
        Publisher(log, signer(), STORE).succeed(key, signer().public)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(name, range(2, 6)))
    chain = publisher.chain()
    assert vouched(chain, store=STORE) == {signer(number).public for number in range(1, 6)}
    assert len(chain) == 5


def test_a_store_that_lost_its_history_is_not_told_by_what_was_known(log: MemoryLog) -> None:
    class Swapped:
        """A log that is another one from one moment to the next."""

        stands: MemoryLog = log

        def __getattr__(self, name: str) -> Any:
            return getattr(self.stands, name)

    swapped: Any = Swapped()
    publisher = Publisher(swapped, signer(), STORE)
    publisher.succeed(ChainKey(signer(2).public, 5, "note"), b"")
    publisher.keys()
    swapped.stands = MemoryLog()
    assert publisher.keys() == (ChainKey(signer().public, swapped.now()),)


@pytest.mark.parametrize("harm", ["nodes", "data", "key"])
def test_a_damaged_log_of_roots_is_not_vouched_for(log: MemoryLog, publisher: Publisher, harm: str) -> None:
    for match in MATCHES:
        publisher.publish(leaf(match))
    asks: list[Callable[[], object]] = [lambda: publisher.inclusion(MATCHES[3])]
    if harm == "nodes":
        log._root_nodes.clear()
        asks += [lambda: publisher.consistency(3, 9), lambda: publisher.root(5), lambda: publisher.leaf_hashes(0, 9)]
    elif harm == "data":
        log._root_data[4] = root_leaf(leaf(MATCHES[3], root=9))
    else:
        log._root_data[0] = root_leaf(leaf())
        asks = [lambda: Publisher(log, signer(), STORE).keys()]
    for ask in asks:
        with pytest.raises(RootsDamaged):
            ask()


def test_a_leaf_of_a_tree_that_is_not_there_any_more_is_not_taken_up(log: MemoryLog, publisher: Publisher) -> None:
    publisher.publish(leaf())
    old = adding(log.roots_head(), MATCHES[1], 1, b"old")
    publisher.publish(leaf(MATCHES[2]))
    assert log.add_root(old).answer is RootAnswer.CONFLICT
