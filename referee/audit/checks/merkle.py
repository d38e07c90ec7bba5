"""The tree over the entries of a bundle: versions without a gap, roots, and whether signed ones fit them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from referee.audit.bundles.format import Bundle, PublishedLine
from referee.audit.checks import envelopes
from referee.audit.checks.findings import Finding, Kind
from referee.engine.codec import canonical
from referee.transparency.merkle import extended, included, leaf_hash, root_of
from referee.transparency.receipts import BadNote, Checkpoint, verify_note


@dataclass
class Tree:
    """The entries as far as they could be read: `told` are their envelopes as data, `roots` those over the first 1, 2,
    ... of them, as they are. `whole`: whether every envelope could be read."""

    told: list[dict[str, Any]] = field(default_factory=list)
    roots: list[bytes] = field(default_factory=list)
    versions: list[Finding] = field(default_factory=list)
    wrong: list[Finding] = field(default_factory=list)
    whole: bool = True


def grown(bundle: Bundle) -> Tree:
    """The tree over the entries, with the first finding of each kind."""
    tree, frontier = Tree(), tuple[bytes, ...]()
    for at, line in enumerate(bundle.entries):
        frontier = extended(frontier, at, leaf_hash(line.envelope.encode("utf-8", "replace")))
        tree.roots.append(root_of(frontier, at + 1))
        fits = tree.roots[-1] == line.root
        if not fits and not tree.wrong:
            tree.wrong.append(Finding(Kind.ROOT, "root.entry", at + 1))
        if not tree.versions:
            tree.versions += _numbered(at + 1, line.version)
        if not tree.whole:
            continue
        try:
            told = envelopes.envelope(line.envelope)
        except envelopes.BadEntry as wrong:
            tree.whole = False
            if fits:  # else it is said already that it is not what was hashed
                tree.wrong.append(Finding(Kind.UNREADABLE, "entry.malformed", at + 1, {"detail": str(wrong)}))
            continue
        tree.told.append(told)
        if not tree.versions:
            tree.versions += _in_place(bundle, told, at + 1)
    if not bundle.entries:
        tree.versions.append(Finding(Kind.VERSION, "entry.none"))
    return tree


def _numbered(due: int, found: int) -> Iterator[Finding]:
    if found != due:
        yield Finding(Kind.VERSION, "entry.out_of_place", due, {"found": found})


def _in_place(bundle: Bundle, told: dict[str, Any], due: int) -> Iterator[Finding]:
    if told["version"] != due:
        yield Finding(Kind.VERSION, "entry.out_of_place", due, {"found": told["version"]})
    elif told["match"] != bundle.header.match:
        yield Finding(Kind.VERSION, "entry.of_another", due, {"found": told["match"][:100]})


def claims(bundle: Bundle, tree: Tree) -> Iterator[Finding]:
    """What the header says that the entries do not."""
    header = bundle.header
    if header.size != len(bundle.entries):
        params = {"claimed": header.size, "found": len(bundle.entries)}
        yield Finding(Kind.VERSION, "header.size", None, params)
    if header.origin.rpartition("/")[2] != header.match:
        yield Finding(Kind.VERSION, "header.claims", None, {"field": "origin", "claimed": header.origin[:100]})
    events = tree.told[0]["events"] if tree.told else []
    opened = next((each for each in events if isinstance(each, dict) and each.get("type") == "table.MatchOpened"), {})
    for name in ("match", "game", "variant", "edition", "ruleset") if tree.told else ():
        if opened.get(name) != getattr(header, name):
            yield Finding(Kind.VERSION, "header.claims", 1, {"field": name, "claimed": getattr(header, name)[:100]})


def signed(tree: Tree, good: Sequence[Checkpoint], origin: str) -> Iterator[Finding]:
    """Whether the checkpoints of a bundle are of these entries, and one of them, of this origin, is of all."""
    size = len(tree.roots)
    for each in good:
        if each.size > size:
            yield Finding(Kind.VERSION, "checkpoint.beyond", None, {"signed": each.size, "found": size})
        elif each.size < 1 or tree.roots[each.size - 1] != each.root:
            yield Finding(Kind.ROOT, "checkpoint.other", max(1, each.size), {"signed": each.size})
    if not any(each.size >= size and each.origin == origin for each in good):
        yield Finding(Kind.SIGNATURE, "checkpoint.none", None, {"found": size})


def forks(tree: Tree, good: Sequence[Checkpoint]) -> Iterator[Finding]:
    """Receipts that somebody kept, against these entries: one that does not fit proves that history was rewritten."""
    size = len(tree.roots)
    for each in good:
        if each.size > size:
            yield Finding(Kind.FORK, "receipt.beyond", None, {"signed": each.size, "found": size})
        elif each.size < 1 or tree.roots[each.size - 1] != each.root:
            yield Finding(Kind.FORK, "receipt.other", max(1, each.size), {"signed": each.size})


def published(bundle: Bundle, tree: Tree, keys: Mapping[str, Sequence[bytes]]) -> Iterator[Finding]:
    """Whether the roots that a server published are those of these entries; `keys`: of each server that may have."""
    for line in bundle.published:
        if (wrong := _published(bundle, tree, keys, line)) is not None:
            yield wrong


def _published(bundle: Bundle, tree: Tree, keys: Mapping[str, Sequence[bytes]], line: PublishedLine) -> Finding | None:
    store = line.note.partition("\n")[0].removesuffix("/roots")
    if store not in keys:
        store = bundle.header.origin.rpartition("/")[0]
    try:
        log = verify_note(line.note, keys.get(store, ()), f"{store}/roots")
    except BadNote as wrong:
        return Finding(Kind.SIGNATURE, "published.unsigned", None, {"detail": str(wrong)})
    if not included(leaf_hash(line.leaf.encode("utf-8", "replace")), line.index, log.size, line.path, log.root):
        return Finding(Kind.PUBLISHED, "published.not_there", None, {"index": line.index})
    try:
        leaf = orjson.loads(line.leaf)
        size, root = leaf["size"], leaf["root"]
        form = canonical(leaf).decode() == line.leaf and type(size) is int and isinstance(root, str)
        own = leaf["kind"] == "root" and leaf["match"] == bundle.header.match
    except (ValueError, TypeError, LookupError):
        form = own = False
    if not form or not own:
        return Finding(Kind.PUBLISHED, "published.of_another", None, {"index": line.index})
    if size > len(tree.roots):
        return Finding(Kind.PUBLISHED, "published.beyond", None, {"signed": size, "found": len(tree.roots)})
    if size < 1 or tree.roots[size - 1].hex() != root:
        return Finding(Kind.PUBLISHED, "published.other", max(1, size), {"signed": size})
    return None
