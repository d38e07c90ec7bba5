"""The tree over a bundle's entries: versions, roots, and whether signed roots fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from referee.audit.bundles import envelopes
from referee.audit.bundles.format import Bundle, PublishedRootLine
from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.engine.codec import encode_canonical
from referee.tournament.state import GAME as TOURNAMENT
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash, verify_inclusion
from referee.transparency.receipts import Checkpoint, InvalidNoteError, verify_note


@dataclass
class EntryTree:
    """The entries of a bundle, up to the last one that could be read.

    `envelopes` are their envelopes as data, `roots` the computed roots over the first 1, 2, ... of them. `whole` says
    whether every envelope could be read.
    """

    envelopes: list[dict[str, Any]] = field(default_factory=list)
    roots: list[bytes] = field(default_factory=list)
    versions: list[AuditFinding] = field(default_factory=list)
    wrong: list[AuditFinding] = field(default_factory=list)
    whole: bool = True


def build_tree(bundle: Bundle) -> EntryTree:
    """Return the tree over the entries, with the first finding of each kind."""
    tree, frontier = EntryTree(), tuple[bytes, ...]()
    for at, line in enumerate(bundle.entries):
        frontier = extend_frontier(frontier, at, leaf_hash(line.envelope.encode("utf-8", "replace")))
        tree.roots.append(compute_root(frontier, at + 1))
        fits = tree.roots[-1] == line.root
        if not fits and not tree.wrong:
            tree.wrong.append(AuditFinding(FindingKind.ROOT, "root.entry", at + 1))
        if not tree.versions:
            tree.versions += _check_number(at + 1, line.version)
        if not tree.whole:
            continue
        try:
            envelope = envelopes.parse_envelope(line.envelope)
        except envelopes.EntryFormatError as wrong:
            tree.whole = False
            if fits:  # otherwise the root is a finding already
                tree.wrong.append(
                    AuditFinding(FindingKind.UNREADABLE, "entry.malformed", at + 1, {"detail": str(wrong)})
                )
            continue
        tree.envelopes.append(envelope)
        if not tree.versions:
            tree.versions += _check_place(bundle, envelope, at + 1)
    if not bundle.entries:
        tree.versions.append(AuditFinding(FindingKind.VERSION, "entry.none"))
    return tree


def _check_number(due: int, found: int) -> Iterator[AuditFinding]:
    if found != due:
        yield AuditFinding(FindingKind.VERSION, "entry.out_of_place", due, {"found": found})


def _check_place(bundle: Bundle, envelope: dict[str, Any], due: int) -> Iterator[AuditFinding]:
    if envelope["version"] != due:
        yield AuditFinding(FindingKind.VERSION, "entry.out_of_place", due, {"found": envelope["version"]})
    elif envelope["match"] != bundle.header.match:
        yield AuditFinding(FindingKind.VERSION, "entry.of_another", due, {"found": envelope["match"][:100]})


def check_header(bundle: Bundle, tree: EntryTree) -> Iterator[AuditFinding]:
    """Yield findings for claims of the header that the entries contradict."""
    header = bundle.header
    if header.size != len(bundle.entries):
        params = {"claimed": header.size, "found": len(bundle.entries)}
        yield AuditFinding(FindingKind.VERSION, "header.size", None, params)
    if header.origin.rpartition("/")[2] != header.match:
        yield AuditFinding(
            FindingKind.VERSION, "header.claims", None, {"field": "origin", "claimed": header.origin[:100]}
        )
    if header.game == TOURNAMENT:
        return  # what it was opened with is not what a match is opened with
    events = tree.envelopes[0]["events"] if tree.envelopes else []
    opened = next((each for each in events if isinstance(each, dict) and each.get("type") == "table.MatchOpened"), {})
    for name in ("match", "game", "variant", "edition", "ruleset") if tree.envelopes else ():
        if opened.get(name) != getattr(header, name):
            yield AuditFinding(
                FindingKind.VERSION, "header.claims", 1, {"field": name, "claimed": getattr(header, name)[:100]}
            )


def check_checkpoint_roots(tree: EntryTree, good: Sequence[Checkpoint], origin: str) -> Iterator[AuditFinding]:
    """Yield findings unless all checkpoints fit and one covers all entries.

    That one must have this origin.
    """
    size = len(tree.roots)
    for each in good:
        if each.size > size:
            yield AuditFinding(FindingKind.VERSION, "checkpoint.beyond", None, {"signed": each.size, "found": size})
        elif each.size < 1 or tree.roots[each.size - 1] != each.root:
            yield AuditFinding(FindingKind.ROOT, "checkpoint.other", max(1, each.size), {"signed": each.size})
    if not any(each.size >= size and each.origin == origin for each in good):
        yield AuditFinding(FindingKind.SIGNATURE, "checkpoint.none", None, {"found": size})


def find_forks(tree: EntryTree, good: Sequence[Checkpoint], is_latest: bool = False) -> Iterator[AuditFinding]:
    """Yield findings for receipts that do not fit, which prove a rewritten history.

    A receipt for more entries than a file has accuses nobody, because the file may be the older one. Only where the log
    is known to be all there is (`is_latest`) does it prove that entries were taken away.
    """
    size = len(tree.roots)
    for each in good:
        if each.size > size:
            if is_latest:
                yield AuditFinding(FindingKind.FORK, "receipt.beyond", None, {"signed": each.size, "found": size})
        elif each.size < 1 or tree.roots[each.size - 1] != each.root:
            yield AuditFinding(FindingKind.FORK, "receipt.other", max(1, each.size), {"signed": each.size})


def find_receipted_entry(tree: EntryTree, good: Iterable[Checkpoint]) -> int:
    """Return the last entry up to which a receipt fits these entries; 0: none."""
    fits = (each.size for each in good if 0 < each.size <= len(tree.roots) and tree.roots[each.size - 1] == each.root)
    return max(fits, default=0)


@dataclass(frozen=True, slots=True)
class PublishedPlace:
    """A root log's checkpoint that has a root of a match.

    That root is over the first `version` entries. `at_ms` is the time of the last of them, if it could be read.
    """

    match: str
    note: str
    log: Checkpoint
    version: int
    at_ms: int | None


def check_published_roots(
    bundle: Bundle, tree: EntryTree, keys: Mapping[str, Sequence[bytes]]
) -> tuple[list[PublishedPlace], list[AuditFinding]]:
    """Return where roots of these entries were published, and what is wrong.

    `keys` are those of each server that may have published one.
    """
    found = [_check_published_root(bundle, tree, keys, line) for line in bundle.published]
    return (
        [each for each in found if isinstance(each, PublishedPlace)],
        [each for each in found if isinstance(each, AuditFinding)],
    )


def _check_published_root(
    bundle: Bundle, tree: EntryTree, keys: Mapping[str, Sequence[bytes]], line: PublishedRootLine
) -> PublishedPlace | AuditFinding:
    store = line.note.partition("\n")[0].removesuffix("/roots")
    if store not in keys:
        store = bundle.header.origin.rpartition("/")[0]
    try:
        log = verify_note(line.note, keys.get(store, ()), f"{store}/roots")
    except InvalidNoteError as wrong:
        return AuditFinding(FindingKind.SIGNATURE, "published.unsigned", None, {"detail": str(wrong)})
    if not verify_inclusion(leaf_hash(line.leaf.encode("utf-8", "replace")), line.index, log.size, line.path, log.root):
        return AuditFinding(FindingKind.PUBLISHED, "published.not_there", None, {"index": line.index})
    try:
        leaf = orjson.loads(line.leaf)
        size, root = leaf["size"], leaf["root"]
        form = encode_canonical(leaf).decode() == line.leaf and type(size) is int and isinstance(root, str)
        own = leaf["kind"] == "root" and leaf["match"] == bundle.header.match
    except (ValueError, TypeError, LookupError):
        form = own = False
    if not form or not own:
        return AuditFinding(FindingKind.PUBLISHED, "published.of_another", None, {"index": line.index})
    if size > len(tree.roots):
        return AuditFinding(FindingKind.PUBLISHED, "published.beyond", None, {"signed": size, "found": len(tree.roots)})
    if size < 1 or tree.roots[size - 1].hex() != root:
        return AuditFinding(FindingKind.PUBLISHED, "published.other", max(1, size), {"signed": size})
    at_ms = tree.envelopes[size - 1]["at"] if size <= len(tree.envelopes) else None
    return PublishedPlace(bundle.header.match, line.note, log, size, at_ms)
