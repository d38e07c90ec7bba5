"""The Merkle tree against published answers, and against its own definition (RFC 9162, section 2.1)."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.transparency.merkle import (
    EMPTY_TREE_ROOT,
    build_consistency_proof,
    build_inclusion_proof,
    collect_subtrees,
    compute_proof_hashes,
    compute_root,
    compute_root_of_leaves,
    extend_frontier,
    find_completed_subtrees,
    find_consistency_ranges,
    find_inclusion_ranges,
    leaf_hash,
    node_hash,
    verify_consistency,
    verify_inclusion,
)

# The reference tree of eight leaves. Leaves, roots, paths and proofs: google/certificate-transparency,
# cpp/merkletree/merkle_tree_test.cc (kInputs, kSHA256Roots, kSHA256Paths, kSHA256Proofs), commit 0e901cac; the hashes
# of the perfect subtrees: transparency-dev/merkle, testonly/constants.go (NodeHashes, CompactTrees), commit 582a6ad1.
LEAVES = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
]
EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
NODES = [  # by level: leaves, pairs, fours, all eight
    [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7",
        "07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "4271a26be0d8a84f0bd54c8c302e7cb3a3b5d1fa6780a40bcce2873477dab658",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "46f6ffadd3d06a09ff3c5860d2755c8b9819db7df44251788c7d8e3180de8eb1",
    ],
    [
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    ],
    [
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    ["5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
]
ROOTS = [  # of the first 1, 2, ... 8 leaves
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
FRONTIERS = [  # places in NODES: level, index
    [(0, 0)],
    [(1, 0)],
    [(1, 0), (0, 2)],
    [(2, 0)],
    [(2, 0), (0, 4)],
    [(2, 0), (1, 2)],
    [(2, 0), (1, 2), (0, 6)],
    [(3, 0)],
]
PATHS = [  # leaf (the source counts from 1), size, path
    (1, 1, []),
    (1, 8, [NODES[0][1], NODES[1][1], NODES[2][1]]),
    (6, 8, [NODES[0][4], NODES[1][3], NODES[2][0]]),
    (3, 3, [NODES[1][0]]),
    (2, 5, [NODES[0][0], NODES[1][1], NODES[0][4]]),
]
PROOFS = [  # first size, second size, proof
    (1, 1, []),
    (1, 8, [NODES[0][1], NODES[1][1], NODES[2][1]]),
    (6, 8, [NODES[1][2], NODES[1][3], NODES[2][0]]),
    (2, 5, [NODES[1][1], NODES[0][4]]),
]
HASHES = [leaf_hash(bytes.fromhex(leaf)) for leaf in LEAVES]


def raw(hashes: list[str]) -> tuple[bytes, ...]:
    return tuple(map(bytes.fromhex, hashes))


# -- published answers ------------------------------------------------------------------------------------------------


def test_nothing_hashes_to_the_hash_of_nothing() -> None:
    assert EMPTY_TREE_ROOT.hex() == compute_root([], 0).hex() == compute_root_of_leaves([]).hex() == EMPTY_ROOT


def test_leaves_and_nodes_are_those_of_the_reference_tree() -> None:
    level = HASHES
    for known in NODES:
        assert [node.hex() for node in level] == known
        level = [node_hash(left, right) for left, right in zip(level[::2], level[1::2], strict=False)]


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_and_frontiers_are_those_of_the_reference_tree(size: int) -> None:
    frontier: tuple[bytes, ...] = ()
    for at in range(size):
        frontier = extend_frontier(frontier, at, HASHES[at])
    assert [node.hex() for node in frontier] == [NODES[level][index] for level, index in FRONTIERS[size - 1]]
    assert compute_root(frontier, size).hex() == compute_root_of_leaves(HASHES[:size]).hex() == ROOTS[size - 1]


@pytest.mark.parametrize(("leaf", "size", "path"), PATHS)
def test_inclusion_paths_are_those_of_the_reference_tree(leaf: int, size: int, path: list[str]) -> None:
    assert build_inclusion_proof(HASHES[:size], leaf - 1) == raw(path)
    assert verify_inclusion(HASHES[leaf - 1], leaf - 1, size, raw(path), bytes.fromhex(ROOTS[size - 1]))


@pytest.mark.parametrize(("first", "second", "proof"), PROOFS)
def test_consistency_proofs_are_those_of_the_reference_tree(first: int, second: int, proof: list[str]) -> None:
    assert build_consistency_proof(HASHES[:second], first) == raw(proof)
    roots = bytes.fromhex(ROOTS[first - 1]), bytes.fromhex(ROOTS[second - 1])
    assert verify_consistency(first, second, raw(proof), *roots)


# -- published proofs, good and bad (tests/store/vectors: each file names its source) ----------------------------------

VECTORS = Path(__file__).parent / "vectors"


def published(kind: str) -> list[Any]:
    found = json.loads((VECTORS / f"rfc9162_{kind}.json").read_text())
    assert "transparency-dev/merkle" in found["source"]
    return [pytest.param(case, id=case["name"]) for case in found["cases"]]


def plain(text: str | None) -> bytes:
    return base64.b64decode(text or "")


@pytest.mark.parametrize("case", published("inclusion"))
def test_a_published_inclusion_proof_holds_as_its_source_says(case: dict[str, Any]) -> None:
    proof = [plain(step) for step in case["proof"]]
    holds = verify_inclusion(plain(case["leaf"]), case["index"], case["size"], proof, plain(case["root"]))
    assert holds is case["holds"]


@pytest.mark.parametrize("case", published("consistency"))
def test_a_published_consistency_proof_holds_as_its_source_says(case: dict[str, Any]) -> None:
    proof = [plain(step) for step in case["proof"]]
    roots = plain(case["first_root"]), plain(case["second_root"])
    assert verify_consistency(case["first"], case["second"], proof, *roots) is case["holds"]


# -- what holds for every tree ----------------------------------------------------------------------------------------

SIZES = st.integers(1, 200)


def leaves_of(size: int, salt: str = "") -> list[bytes]:
    return [leaf_hash(f"{salt}{at}".encode()) for at in range(size)]


@settings(deadline=None)
@given(st.data(), SIZES)
def test_the_frontier_gives_the_root_of_the_definition(data: st.DataObject, size: int) -> None:
    leaves = leaves_of(size)
    cut = data.draw(st.integers(0, size))
    frontier: tuple[bytes, ...] = ()
    for at, leaf in enumerate(leaves):
        if at == cut:
            assert compute_root(frontier, at) == compute_root_of_leaves(leaves[:at])
        frontier = extend_frontier(frontier, at, leaf)
    assert compute_root(frontier, size) == compute_root_of_leaves(leaves)
    assert len(frontier) == size.bit_count()


@settings(deadline=None)
@given(st.data(), SIZES)
def test_every_leaf_is_included_and_no_other(data: st.DataObject, size: int) -> None:
    leaves = leaves_of(size)
    index = data.draw(st.integers(0, size - 1))
    root, path = compute_root_of_leaves(leaves), build_inclusion_proof(leaves, index)
    assert verify_inclusion(leaves[index], index, size, path, root)
    assert len(path) <= (size - 1).bit_length()
    assert not verify_inclusion(leaf_hash(b"another"), index, size, path, root)
    assert not verify_inclusion(leaves[index], index, size, path, leaf_hash(b"another"))
    assert not verify_inclusion(leaves[index], index, size, (*path, root), root)
    assert not verify_inclusion(leaves[index], index, size, (root, *path), root)
    assert not verify_inclusion(leaves[index], index, size * 2, path, root)
    assert not verify_inclusion(leaves[index], index, size // 2, path, root)
    for wrong in {index - 1, index + 1, index ^ 2, -1, size} - {index}:
        assert not verify_inclusion(leaves[index], wrong, size, path, root)
    for at in range(len(path)):
        assert not verify_inclusion(leaves[index], index, size, (*path[:at], EMPTY_TREE_ROOT, *path[at + 1 :]), root)
        assert not verify_inclusion(leaves[index], index, size, (*path[:at], *path[at + 1 :]), root)


@settings(deadline=None)
@given(st.data(), SIZES)
def test_every_beginning_is_consistent_and_nothing_else(data: st.DataObject, second: int) -> None:
    leaves = leaves_of(second)
    first = data.draw(st.integers(1, second))
    roots = compute_root_of_leaves(leaves[:first]), compute_root_of_leaves(leaves)
    proof = build_consistency_proof(leaves, first)
    assert verify_consistency(first, second, proof, *roots)
    assert not verify_consistency(first, second, (*proof, roots[1]), *roots)
    assert not verify_consistency(first, second, proof, leaf_hash(b"another"), roots[1])
    assert not verify_consistency(first, second, proof, roots[0], leaf_hash(b"another"))
    for wrong in {0, -1, second + 1}:
        assert not verify_consistency(wrong, second, proof, *roots)
    if first == second:
        assert proof == ()
        return
    assert not verify_consistency(first, second, (), *roots)
    assert not verify_consistency(first, second * 2, proof, *roots)
    assert not verify_consistency(first, second // 2, proof, *roots)
    assert not verify_consistency(first, second, proof, roots[1], roots[0])
    assert not verify_consistency(second, first, proof, *roots)
    for at in range(len(proof)):
        assert not verify_consistency(first, second, (*proof[:at], EMPTY_TREE_ROOT, *proof[at + 1 :]), *roots)
        assert not verify_consistency(first, second, (*proof[:at], *proof[at + 1 :]), *roots)


@settings(deadline=None)
@given(st.data(), SIZES)
def test_proofs_from_kept_subtrees_are_those_from_all_leaves(data: st.DataObject, size: int) -> None:
    leaves = leaves_of(size)
    nodes: dict[tuple[int, int], bytes] = {}
    frontier: tuple[bytes, ...] = ()
    for at, leaf in enumerate(leaves):
        nodes |= dict(find_completed_subtrees(frontier, at, leaf))
        frontier = extend_frontier(frontier, at, leaf)
    index, first = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    shown = find_inclusion_ranges(index, size), find_consistency_ranges(first, size)
    assert compute_proof_hashes(shown[0], nodes) == build_inclusion_proof(leaves, index)
    assert compute_proof_hashes(shown[1], nodes) == build_consistency_proof(leaves, first)
    assert all(len(collect_subtrees(spans)) <= 2 * size.bit_length() for spans in shown)


@settings(deadline=None)
@given(st.data(), st.integers(2, 100))
def test_another_history_cannot_be_shown_to_be_consistent(data: st.DataObject, size: int) -> None:
    first = data.draw(st.integers(1, size - 1))
    changed = data.draw(st.integers(0, first - 1))
    told = leaves_of(size)
    other = told.copy()
    other[changed] = leaf_hash(b"changed")
    proof = build_consistency_proof(other, first)
    assert not verify_consistency(
        first, size, proof, compute_root_of_leaves(told[:first]), compute_root_of_leaves(other)
    )


@settings(deadline=None)
@given(st.lists(st.binary(max_size=70), min_size=1, max_size=12))
def test_a_changed_byte_in_any_entry_changes_the_root(entries: list[bytes]) -> None:
    root = compute_root_of_leaves([leaf_hash(entry) for entry in entries])
    for at, entry in enumerate(entries):
        for other in (entry + b"\x00", entry[:-1] if entry else b"\x01", bytes(byte ^ 1 for byte in entry) or b"\x02"):
            changed = [*entries[:at], other, *entries[at + 1 :]]
            assert compute_root_of_leaves([leaf_hash(one) for one in changed]) != root


def test_a_node_is_never_a_leaf() -> None:
    left, right = HASHES[:2]
    assert leaf_hash(left + right) != node_hash(left, right)
    assert node_hash(left, right) != node_hash(right, left)
    assert leaf_hash(b"") == hashlib.sha256(b"\x00").digest()


@pytest.mark.parametrize(
    ("frontier", "size"),
    [([], 1), ([EMPTY_TREE_ROOT], 0), ([EMPTY_TREE_ROOT], 3), ([EMPTY_TREE_ROOT, EMPTY_TREE_ROOT], 4)],
)
def test_a_frontier_of_another_size_is_refused(frontier: list[bytes], size: int) -> None:
    with pytest.raises(ValueError, match="perfect subtrees"):
        extend_frontier(frontier, size, EMPTY_TREE_ROOT)
    with pytest.raises(ValueError, match="perfect subtrees"):
        compute_root(frontier, size)


def test_a_proof_of_what_is_not_there_is_refused() -> None:
    for index in (-1, 8):
        with pytest.raises(ValueError, match="no leaf"):
            build_inclusion_proof(HASHES, index)
    for first in (0, -1, 9):
        with pytest.raises(ValueError, match="no size"):
            build_consistency_proof(HASHES, first)
