"""The Merkle tree over a match's entries (RFC 9162, section 2.1, SHA-256).

The frontier is the list of roots of the perfect subtrees that the entries fill so far, largest first. It is all that is
needed to add a leaf and to compute the root: log2 n hashes for n entries.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

Hash = bytes  # 32 bytes
SubtreeId = tuple[int, int]  # a perfect subtree: its level (0: a leaf), and its index on that level
LeafRange = tuple[int, int]  # the leaves from one index up to another, which is not included
EMPTY_TREE_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(data: bytes) -> Hash:
    """Return the hash of a leaf: SHA-256 of 0x00 and the data."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: Hash, right: Hash) -> Hash:
    """Return the hash of an inner node: SHA-256 of 0x01 and both children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def extend_frontier(frontier: Sequence[Hash], size: int, leaf: Hash) -> tuple[Hash, ...]:
    """Return the frontier of a tree of `size` leaves with one more leaf.

    Raises ValueError if frontier and size disagree.
    """
    if len(frontier) != size.bit_count():
        raise ValueError(f"a tree of {size} leaves has {size.bit_count()} perfect subtrees, not {len(frontier)}")
    grown, top = list(frontier), leaf
    while size & 1:
        top = node_hash(grown.pop(), top)
        size >>= 1
    return (*grown, top)


def compute_root(frontier: Sequence[Hash], size: int) -> Hash:
    """Return the root of a tree from its frontier.

    Raises ValueError if frontier and size disagree.
    """
    if len(frontier) != size.bit_count():
        raise ValueError(f"a tree of {size} leaves has {size.bit_count()} perfect subtrees, not {len(frontier)}")
    if not frontier:
        return EMPTY_TREE_ROOT
    root = frontier[-1]
    for left in reversed(frontier[:-1]):
        root = node_hash(left, root)
    return root


def compute_root_of_leaves(leaves: Sequence[Hash]) -> Hash:
    """Return the root over leaf hashes, straight from the definition (MTH)."""
    if not leaves:
        return EMPTY_TREE_ROOT
    if len(leaves) == 1:
        return leaves[0]
    split = _compute_split(len(leaves))
    return node_hash(compute_root_of_leaves(leaves[:split]), compute_root_of_leaves(leaves[split:]))


def _compute_split(size: int) -> int:
    """Return the largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)


def build_inclusion_proof(leaves: Sequence[Hash], index: int) -> tuple[Hash, ...]:
    """Return the path that shows leaf `index` (from 0) under the root of these leaves.

    Raises ValueError if there is no such leaf.
    """
    return tuple(compute_root_of_leaves(leaves[start:end]) for start, end in find_inclusion_ranges(index, len(leaves)))


def build_consistency_proof(leaves: Sequence[Hash], first: int) -> tuple[Hash, ...]:
    """Return the path that shows that the tree of the first leaves begins this one.

    `first` is the number of leaves of the smaller tree. Raises ValueError if that is no size of a beginning.
    """
    return tuple(
        compute_root_of_leaves(leaves[start:end]) for start, end in find_consistency_ranges(first, len(leaves))
    )


def find_inclusion_ranges(index: int, size: int) -> tuple[LeafRange, ...]:
    """Return the leaf ranges whose roots are the hashes of an inclusion proof.

    RFC 9162, 2.1.3.1, PATH. Raises ValueError if there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} among {size}")
    start, end, found = 0, size, []
    while end - start > 1:
        split = start + _compute_split(end - start)
        if index < split:
            found.append((split, end))
            end = split
        else:
            found.append((start, split))
            start = split
    return tuple(reversed(found))


def find_consistency_ranges(first: int, second: int) -> tuple[LeafRange, ...]:
    """Return the leaf ranges whose roots are the hashes of a consistency proof.

    RFC 9162, 2.1.4.1, SUBPROOF. Raises ValueError if `first` is not between 1 and `second`.
    """
    if not 0 < first <= second:
        raise ValueError(f"{first} is no size between 1 and {second}")
    start, end, whole, found = 0, second, True, []
    while first != end:
        split = start + _compute_split(end - start)
        if first <= split:
            found.append((split, end))
            end = split
        else:
            found.append((start, split))
            start, whole = split, False
    if not whole:
        found.append((start, end))
    return tuple(reversed(found))


# -- a tree whose perfect subtrees are kept: proofs without reading all leaves -----------------------------------------


def find_completed_subtrees(frontier: Sequence[Hash], size: int, leaf: Hash) -> tuple[tuple[SubtreeId, Hash], ...]:
    """Return the perfect subtrees that one more leaf completes, from the leaf upwards.

    The tree had `size` leaves before.
    """
    found, left, level, at, top = [((0, size), leaf)], list(frontier), 0, size, leaf
    while at & 1:
        top, at, level = node_hash(left.pop(), top), at >> 1, level + 1
        found.append(((level, at), top))
    return tuple(found)


def split_into_subtrees(span: LeafRange) -> tuple[SubtreeId, ...]:
    """Return the perfect subtrees that the leaves of a span fill, largest first.

    The span must begin where its largest subtree does, as every span of a proof does.
    """
    at, end = span
    found = []
    while at < end:
        level = (end - at).bit_length() - 1
        found.append((level, at >> level))
        at += 1 << level
    return tuple(found)


def collect_subtrees(spans: Iterable[LeafRange]) -> tuple[SubtreeId, ...]:
    """Return the perfect subtrees from which the hashes of a proof are computed."""
    return tuple(dict.fromkeys(place for span in spans for place in split_into_subtrees(span)))


def compute_proof_hashes(spans: Iterable[LeafRange], nodes: Mapping[SubtreeId, Hash]) -> tuple[Hash, ...]:
    """Return the hashes of a proof from those of perfect subtrees.

    Raises KeyError if one is missing.
    """
    return tuple(
        compute_root([nodes[place] for place in split_into_subtrees((start, end))], end - start) for start, end in spans
    )


# -- checking ----------------------------------------------------------------------------------------------------------


def verify_inclusion(leaf: Hash, index: int, size: int, path: Sequence[Hash], root: Hash) -> bool:
    """Return whether the path leads from the leaf at `index` to the root of the tree.

    RFC 9162, 2.1.3.2.
    """
    if not 0 <= index < size or not _are_hashes(leaf, root, *path):
        return False
    at, last, found = index, size - 1, leaf
    for step in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = node_hash(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, step)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def _are_hashes(*given: bytes) -> bool:
    """Return whether these are hashes: a node is made of nothing else."""
    return all(len(each) == len(EMPTY_TREE_ROOT) for each in given)


def verify_consistency(first: int, second: int, path: Sequence[Hash], first_root: Hash, second_root: Hash) -> bool:
    """Return whether the path shows the first tree to be a start of the second.

    RFC 9162, 2.1.4.2.
    """
    if not 0 < first <= second or not _are_hashes(*path):
        return False
    if first == second:
        return not path and first_root == second_root
    steps = list(path)
    if first & (first - 1) == 0:
        steps.insert(0, first_root)
    if not steps:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = node_hash(step, old), node_hash(step, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, step)
        at, last = at >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root
