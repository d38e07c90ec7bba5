"""Audits a whole store without changing it: matches, the key chain, the root log.

The log of each match and each tournament is checked as it is stored (head, tree, sealed parts, feed, snapshot), then as
the sealed bundle that it makes (`checks/verifier.py`). An archived match's bundle is read from the disk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from referee.audit.bundles.export import BundleMetadata, collect_bundle_metadata
from referee.audit.bundles.files import read_bundle_file
from referee.audit.bundles.format import Bundle, BundleError, KeyLine
from referee.audit.bundles.stored import read_stored_log
from referee.audit.checks.findings import AuditFinding, AuditReport, CheckResult, FindingKind, name_subject
from referee.audit.checks.rules import UnjudgeableError, run_guarded
from referee.audit.checks.verifier import CHECKS, check_bundle
from referee.audit.comparison import Comparison, SignedRoot, build_fork, verify_statement
from referee.audit.outside import NOBODY, KeptStamp, Vouchers, check_stamps, check_witnesses
from referee.eventstore.contract import PARTITIONS, Head, MatchLog, StoreUnavailable
from referee.infrastructure.archives.archive import Archive, ArchiveMissing
from referee.infrastructure.archives.archive import read_verified_entries as filed
from referee.infrastructure.archives.provenance import OriginStore
from referee.infrastructure.integrity_check import Damage, check_match_log
from referee.infrastructure.root_publisher import ORIGIN_SUFFIX, LeafNotFoundError, RootLogError, RootPublisher
from referee.infrastructure.watermarks.guard import find_root
from referee.infrastructure.watermarks.mark_file import Mark
from referee.service.match_service import MatchService
from referee.transparency.key_chain import ChainKey, RootLeaf, decode_leaf, find_trusted_keys
from referee.transparency.merkle import EMPTY_TREE_ROOT, compute_root, extend_frontier, leaf_hash
from referee.transparency.receipts import InvalidNoteError, verify_note

PAGE = 500
NO_MARKS: Mapping[str, Mark] = {}
STORE_CHECK = "store"  # the check that a bundle alone does not allow
# by kind of damage; the others are STORE
DAMAGE_KINDS = {"missing": FindingKind.VERSION, "public": FindingKind.ROOT, "hidden": FindingKind.OPENING}


class ReadOnlyPublisher(RootPublisher):
    """A root log that is only read: the signing key is not published if it is missing."""

    def ensure_key_published(self) -> tuple[ChainKey, ...]:
        """Return the published keys, oldest first. Raises StoreUnavailable, RootLogError."""
        return self.load_chain()


@dataclass(frozen=True)
class PublishedLeaves:
    """What the root log says of each match: its published sizes with their roots.

    `report` says what is wrong with the log and with the keys.
    """

    by_match: Mapping[str, tuple[tuple[int, bytes], ...]]
    report: AuditReport
    trusted: frozenset[bytes]


class StoreAuditor:
    """Audits the matches of one store."""

    def __init__(
        self, service: MatchService, archive: Archive, publisher: ReadOnlyPublisher, vouchers: Vouchers = NOBODY,
        marks: Mapping[str, Mark] = NO_MARKS,
    ) -> None:  # fmt: skip
        self.service, self.archive, self.publisher, self.vouchers = service, archive, publisher, vouchers
        self.marks = {match: mark for match, mark in marks.items() if match != ORIGIN_SUFFIX}
        self._roots_mark = marks.get(ORIGIN_SUFFIX)
        self._fed: dict[int, tuple[int, dict[str, int]]] = {}  # by partition: how far its feed was read, last versions

    @cached_property
    def leaves(self) -> PublishedLeaves:
        """The root log, which is read completely once. Raises StoreUnavailable."""
        return self._read_leaves()

    @property
    def log(self) -> MatchLog:
        """The log of all matches."""
        return self.service.log

    def iterate_matches(self) -> Iterator[str]:
        """Yield every match that the store should have, by partition and then by name.

        Those are the matches of the feed, tombstones of matches from elsewhere, which no feed mentions, matches in the
        root log, and those for which receipts were given.
        """
        published = defaultdict[int, set[str]](set)
        for match in (*self.leaves.by_match, *self.marks):
            published[int(match[:2])].add(match)
        for partition in range(PARTITIONS):
            names = published[partition] | self._read_feed(partition).keys()
            after = 0
            while page := self.log.list_archived(partition, after, PAGE):
                after += len(page)
                names.update(match for match, _ in page)
            yield from sorted(names)

    def _read_feed(self, partition: int) -> dict[str, int]:
        """Return the last version of each match that the feed of a partition mentions."""
        after, last = self._fed.get(partition, (0, {}))
        while page := self.log.read_feed(partition, after, PAGE):
            after = page[-1][0]
            for _, match, version in page:
                last[match] = max(version, last.get(match, 0))
        self._fed[partition] = after, last
        return last

    # -- the root log --------------------------------------------------------------------------------------------------

    def _read_leaves(self) -> PublishedLeaves:
        head = self.log.read_roots_head()
        of = defaultdict[str, list[tuple[int, bytes]]](list)
        chain, frontier, size = list[ChainKey](), tuple[bytes, ...](), 0
        wrong = list[AuditFinding]()
        while size < head.size and (page := self.log.read_root_leaves(size, min(PAGE, head.size - size))):
            for data in page:
                frontier, size = extend_frontier(frontier, size, leaf_hash(data)), size + 1
                try:
                    leaf = decode_leaf(data)
                except ValueError:
                    wrong.append(AuditFinding(FindingKind.STORE, "roots.leaf", None, {"index": size - 1}))
                    continue
                if isinstance(leaf, RootLeaf):
                    of[leaf.match].append((leaf.size, leaf.root))
                else:
                    chain.append(leaf)
        if size != head.size or compute_root(frontier, size) != head.root or frontier != head.frontier:
            wrong.append(AuditFinding(FindingKind.STORE, "roots.tree", None, {"size": head.size}))
        trusted = find_trusted_keys(chain, store=self.publisher.store)
        broken = [
            AuditFinding(FindingKind.KEY, "roots.key", None, {"number": number, "key": key.public.hex()[:16]})
            for number, key in enumerate(chain, 1)
            if key.public not in trusted
        ]
        if chain and self.publisher.signer.public not in {key.public for key in chain}:
            params = {"key": self.publisher.signer.public.hex()[:16]}
            broken.append(AuditFinding(FindingKind.KEY, "roots.signer", None, params))
        checks = (_build_check("keys", broken), _build_check("roots", wrong))
        found = tuple(sorted((*broken, *wrong), key=lambda each: each.kind))
        keys = tuple(key.public.hex() for key in chain)
        report = AuditReport("", size, checks, found, keys)
        return PublishedLeaves({match: tuple(roots) for match, roots in of.items()}, report, trusted)

    def check_kept_notes(self, receipts: Iterable[str], roots: Iterable[str]) -> list[AuditFinding]:
        """Return what receipts and checkpoints that people kept show to be wrong.

        A receipt of a match that is here is checked with that match. One of a match that is not here proves that the
        match was removed, if a key of this server signed it. Raises StoreUnavailable.
        """
        own = {self.publisher.signer.public, *self.leaves.trusted}
        present = set(self.iterate_matches())
        found = [
            wrong
            for number, note in enumerate(receipts, 1)
            if note.partition("\n")[0].rpartition("/")[2] not in present
            and (wrong := self._check_lost_receipt(note, number, own)) is not None
        ]
        return [*found, *self.check_statements([(f"#{number}", note) for number, note in enumerate(roots, 1)]).findings]

    def check_statements(self, checkpoints: Sequence[tuple[str, str]], stamps: Sequence[KeptStamp] = ()) -> Comparison:
        """Return what checkpoints and stamps of any day say of the root log as it is.

        Checkpoints come with their sources, those of the stamps included. Raises StoreUnavailable.
        """
        found, own = Comparison(), {self.publisher.signer.public, *self.leaves.trusted}
        found.findings += self._check_roots_checkpoints(checkpoints, own, found)
        check_stamps(stamps, self.vouchers.certificates, found, {})
        check_witnesses(checkpoints, self.vouchers.witnesses, found, {})
        return found

    def _check_lost_receipt(self, note: str, number: int, own: set[bytes]) -> AuditFinding | None:
        """Return the finding for a receipt of a match that is not here.

        Return None if another server gave it.
        """
        origin = note.partition("\n")[0]
        store, _, match = origin.rpartition("/")
        if store != self.publisher.store:
            return None
        try:
            signed = verify_note(note, own, origin)
        except InvalidNoteError as wrong:
            params = {"number": number, "about": origin[:100], "detail": str(wrong)}
            return AuditFinding(FindingKind.SIGNATURE, "receipt.unsigned", None, params)
        return AuditFinding(FindingKind.FORK, "store.lost", None, {"match": match[:100], "signed": signed.size})

    def _check_roots_checkpoints(
        self, checkpoints: Sequence[tuple[str, str]], own: set[bytes], compared: Comparison
    ) -> Iterator[AuditFinding]:
        """Yield findings for checkpoints that the root log contradicts.

        The others are added to `compared`.
        """
        signed = list[SignedRoot]()
        for number, (source, note) in enumerate(checkpoints, 1):
            found = verify_statement(note, {self.publisher.origin: tuple(own)}, source)
            if found is None:
                params = {"number": number, "about": note.partition("\n")[0][:100]}
                yield AuditFinding(FindingKind.SIGNATURE, "compare.unsigned", None, params)
            else:
                signed.append(found)
        roots, size = self._compute_roots({each.size for each in signed}) if signed else ({}, 0)
        for each in signed:
            here = SignedRoot(
                each.origin, min(each.size, size), roots.get(min(each.size, size), roots[size]),
                self.publisher.signer.public, self.publisher.store,
            )  # fmt: skip
            if each.size > size:
                yield build_fork("compare.rolled_back", each, here)
            elif here.root != each.root:
                yield build_fork("store.roots_other", each, here)
            else:
                compared.logs.append(each)

    def _compute_roots(self, sizes: set[int]) -> tuple[dict[int, bytes], int]:
        """Return the roots over the first leaves for these sizes, and the number of all.

        The root over all leaves is among them.
        """
        frontier, size, roots = tuple[bytes, ...](), 0, {0: EMPTY_TREE_ROOT}
        while page := self.log.read_root_leaves(size, PAGE):
            for data in page:
                frontier, size = extend_frontier(frontier, size, leaf_hash(data)), size + 1
                if size in sizes:
                    roots[size] = compute_root(frontier, size)
        if size:
            roots[size] = compute_root(frontier, size)
        return roots, size

    # -- a match -------------------------------------------------------------------------------------------------------

    def audit_match(self, match: str, receipts: Sequence[str] = ()) -> AuditReport:
        """Return the report on a match.

        Raises StoreUnavailable, and nothing because of what the store holds.
        """
        report = self._audit_entries(match, receipts)
        findings = tuple(sorted((*report.findings, *self._check_mark(match)), key=lambda each: each.kind))
        return name_subject(replace(report, findings=findings))

    def _check_mark(self, match: str) -> Iterator[AuditFinding]:
        """Yield a finding if the match lacks what receipts were given for."""
        if (mark := self.marks.get(match)) is None:
            return
        try:
            found = find_root(self.log, match, mark.size)
        except ArchiveMissing:  # that has a finding
            return
        if found != mark.root:
            key = "store.signed_beyond" if found is None else "store.signed_other"
            yield AuditFinding(FindingKind.STORE, key, None, {"signed": mark.size})

    def check_roots_mark(self) -> Iterator[AuditFinding]:
        """Yield a finding if the root log lacks what checkpoints were signed for.

        Raises StoreUnavailable.
        """
        if (mark := self._roots_mark) is None:
            return
        try:
            fits = self.publisher.load_root(mark.size) == mark.root
        except (LeafNotFoundError, RootLogError):
            fits = False
        if not fits:
            yield AuditFinding(FindingKind.STORE, "roots.signed", None, {"signed": mark.size})

    def _audit_entries(self, match: str, receipts: Sequence[str]) -> AuditReport:
        reading = self.log.read(match, after=1, limit=0)  # after 1, so that no snapshot is loaded
        if reading.head is None:
            key = "store.vanished" if match in self.leaves.by_match else "store.no_log"
            return _build_failed_report(
                match, AuditFinding(FindingKind.PUBLISHED if key == "store.vanished" else FindingKind.STORE, key)
            )
        if reading.head.status == "archived":
            return self._audit_archived(match, reading.head, receipts)
        return self._audit_stored(match, receipts)

    def _audit_archived(self, match: str, head: Head, receipts: Sequence[str]) -> AuditReport:
        path = self.archive.path_for(match)
        try:
            bundle = read_bundle_file(path)
            filed(match, self.archive.read_lines(match), head.version, head.root)
            wrong = list[AuditFinding]()
        except FileNotFoundError:
            return _build_failed_report(match, AuditFinding(FindingKind.STORE, "store.archive", head.version))
        except OSError as bad:
            params = {"detail": bad.strerror or type(bad).__name__}
            return _build_failed_report(match, AuditFinding(FindingKind.STORE, "store.unreadable", None, params))
        except BundleError as bad:
            return _build_failed_report(
                match, AuditFinding(FindingKind.UNREADABLE, "unreadable", None, get_error_params(bad))
            )
        except ArchiveMissing as lost:
            wrong = [AuditFinding(FindingKind.STORE, "store.archived_other", None, {"detail": lost.detail})]
        own = bundle.header.origin == f"{self.publisher.store}/{match}"
        trusted = self._list_trusted_keys() if own else ()
        report = check_bundle(bundle, trusted, receipts, is_latest=True, vouchers=self.vouchers)
        return self._merge_findings(report, bundle, wrong)

    def _audit_stored(self, match: str, receipts: Sequence[str]) -> AuditReport:
        try:
            damage = check_match_log(self.log, match, self.service.appender.draws.salt)
        except ArchiveMissing as lost:
            return _build_failed_report(
                match, AuditFinding(FindingKind.STORE, "store.sleeping", None, {"detail": lost.detail})
            )
        try:
            stored = run_guarded(lambda: read_stored_log(self.service, match, self._collect_metadata()))
        except UnjudgeableError as bad:
            if isinstance(bad.__cause__, StoreUnavailable):
                raise bad.__cause__ from None
            if damage is None:
                if (head := self.log.read(match, limit=0).head) is not None and head.status == "archived":
                    return self._audit_archived(match, head, receipts)  # archived meanwhile
                return _build_failed_report(
                    match, AuditFinding(FindingKind.STORE, "store.unreadable", None, {"detail": str(bad)})
                )
            return _build_failed_report(match, _build_damage_finding(damage))
        bundle = stored.bundle
        report = check_bundle(
            bundle, self._list_trusted_keys(), receipts, stored.secrets, is_latest=True, vouchers=self.vouchers
        )
        wrong = [] if damage is None else [_build_damage_finding(damage)]
        if stored.wrong_snapshot:
            wrong.append(AuditFinding(FindingKind.STORE, "store.snapshot", stored.wrong_snapshot))
        if stored.head.status == "frozen":
            wrong.append(AuditFinding(FindingKind.STORE, "store.frozen", len(bundle.entries)))
        return self._merge_findings(report, bundle, [*wrong, *self._check_feed(match, len(bundle.entries))])

    def _collect_metadata(self) -> BundleMetadata:
        try:
            found = collect_bundle_metadata(self.publisher, OriginStore(self.archive))
        except RootLogError:  # which has its own report
            return self._unpublished_metadata
        return found if found.keys else self._unpublished_metadata

    @property
    def _unpublished_metadata(self) -> BundleMetadata:
        return BundleMetadata((KeyLine(self.publisher.signer.public, 0),))

    def _list_trusted_keys(self) -> list[bytes]:
        """Return the keys that can be trusted here if the first one can.

        An archived match was signed by an earlier one.
        """
        return [self.publisher.signer.public, *self.leaves.trusted]

    def _check_feed(self, match: str, version: int) -> Iterator[AuditFinding]:
        """Yield a finding if the feed does not mention exactly the log's entries."""
        last = self._read_feed(int(match[:2])).get(match, 0)
        head = self.log.read(match, limit=0).head
        if head is not None and last > head.version:
            yield AuditFinding(FindingKind.STORE, "store.feed_beyond", None, {"told": last, "found": head.version})
        elif last < version:
            yield AuditFinding(FindingKind.STORE, "store.feed", None, {"told": last, "found": version})

    def _merge_findings(self, report: AuditReport, bundle: Bundle, wrong: Iterable[AuditFinding]) -> AuditReport:
        """Return the report on a bundle with the findings of the store and the root log."""
        found = [*wrong, *_find_foreign_roots(bundle, self.leaves.by_match.get(report.match, ()))]
        findings = list(dict.fromkeys(_get_finding_key(each) for each in (*report.findings, *found)))
        by_key = {_get_finding_key(each): each for each in (*found, *report.findings)}
        merged = sorted((by_key[key] for key in findings), key=lambda each: each.kind)
        return replace(report, checks=(*report.checks, _build_check(STORE_CHECK, found)), findings=tuple(merged))


def _get_finding_key(finding: AuditFinding) -> tuple[Any, ...]:
    return finding.kind, finding.key, finding.version


def _find_foreign_roots(bundle: Bundle, leaves: Iterable[tuple[int, bytes]]) -> Iterator[AuditFinding]:
    """Yield findings for published roots of a match that are not its own."""
    for size, root in leaves:
        if size > len(bundle.entries):
            params = {"signed": size, "found": len(bundle.entries)}
            yield AuditFinding(FindingKind.PUBLISHED, "published.beyond", None, params)
        elif size < 1 or bundle.entries[size - 1].root != root:
            yield AuditFinding(FindingKind.PUBLISHED, "published.other", max(1, size), {"signed": size})


def _build_damage_finding(damage: Damage) -> AuditFinding:
    return AuditFinding(DAMAGE_KINDS.get(damage.what, FindingKind.STORE), f"store.{damage.what}", damage.version)


def get_error_params(bad: BundleError) -> dict[str, Any]:
    """Return where a file is no bundle, and why, as parameters of a finding."""
    return {"line": bad.line, "detail": bad.detail}


def _build_check(name: str, findings: Sequence[AuditFinding]) -> CheckResult:
    return CheckResult(name, "failed" if findings else "done")


def _build_failed_report(match: str, finding: AuditFinding) -> AuditReport:
    """Return the report on a match that cannot be checked."""
    rest = tuple(CheckResult(name, "skipped", "unread") for name in CHECKS)
    return AuditReport(match, 0, (*rest, CheckResult(STORE_CHECK, "failed")), (finding,))
