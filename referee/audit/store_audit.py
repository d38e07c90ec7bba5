"""A whole store: every match of it, the chain of its keys, its log of roots. Nothing is changed.

Of each match the log is looked at as it is stored (head, tree, hidden parts, feed, snapshot), then as the sealed bundle
that it makes (checking.py), the bundle of an archived one as it lies on the disk. No clock is let run out and no pass
is played on the way, as a desk would do for whoever asks: who audits is no player.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from referee.audit.bundles.export import SEALED, Beside, beside, lines
from referee.audit.bundles.files import bundle_at
from referee.audit.bundles.format import BadBundle, Bundle, KeyLine, read, written
from referee.audit.checks import randomness
from referee.audit.checks.findings import Check, Finding, Kind, Report
from referee.audit.checks.rules import Unjudgeable, guarded
from referee.audit.checks.verifier import CHECKS, checked
from referee.eventstore.contract import PARTITIONS, Head, MatchLog, StoreAway
from referee.infrastructure.archives.archive import Archive, Lost
from referee.infrastructure.archives.archive import checked as filed
from referee.infrastructure.archives.provenance import Origins
from referee.infrastructure.integrity_check import Damage, examined
from referee.infrastructure.root_publisher import Publisher, RootsDamaged
from referee.match.aggregate import Match
from referee.match.entries import course, folded
from referee.repository.matches import SNAPSHOT_RULES, packed
from referee.service.match_service import Desk, Loaded
from referee.transparency.key_chain import ChainKey, RootLeaf, read_leaf, vouched
from referee.transparency.merkle import extended, leaf_hash, root_of

PAGE = 500
OWN = "store"  # the check that a bundle alone does not allow
KINDS = {"missing": Kind.VERSION, "public": Kind.ROOT, "hidden": Kind.OPENING}  # of damages; else the store's notes


class Looking(Publisher):
    """A log of roots that is looked at: the key that signs is not published, should it not stand there."""

    def keys(self) -> tuple[ChainKey, ...]:
        """The keys that were published, oldest first. Raises StoreAway, RootsDamaged."""
        return self.chain()


@dataclass(frozen=True)
class Leaves:
    """What the log of roots says of each match: sizes with their roots; and what is wrong with it and with the keys."""

    of: Mapping[str, tuple[tuple[int, bytes], ...]]
    report: Report
    trusted: frozenset[bytes]


class Auditor:
    """Looks at the matches of one store."""

    def __init__(self, desk: Desk, archive: Archive, publisher: Looking) -> None:
        self.desk, self.archive, self.publisher = desk, archive, publisher
        self._fed: dict[int, tuple[int, dict[str, int]]] = {}  # by partition: how far its feed was read, and what of

    @cached_property
    def leaves(self) -> Leaves:
        """The log of roots, read whole once. Raises StoreAway."""
        return self._read_leaves()

    @property
    def log(self) -> MatchLog:
        """The log of all matches."""
        return self.desk.log

    def names(self) -> Iterator[str]:
        """Every match that the store knows of, by partition and then by name: those of the feed, and tombstones of
        matches from elsewhere, of which no feed tells; those of the log of roots, too, as they ought to be there."""
        published = defaultdict[int, set[str]](set)
        for match in self.leaves.of:
            published[int(match[:2])].add(match)
        for partition in range(PARTITIONS):
            names = published[partition] | self._feed(partition).keys()
            after = 0
            while page := self.log.archived(partition, after, PAGE):
                after += len(page)
                names.update(match for match, _ in page)
            yield from sorted(names)

    def _feed(self, partition: int) -> dict[str, int]:
        """The last version of each match that the feed of a partition tells of."""
        after, last = self._fed.get(partition, (0, {}))
        while page := self.log.feed(partition, after, PAGE):
            after = page[-1][0]
            for _, match, version in page:
                last[match] = max(version, last.get(match, 0))
        self._fed[partition] = after, last
        return last

    # -- what is not of one match --------------------------------------------------------------------------------------

    def _read_leaves(self) -> Leaves:
        head = self.log.roots_head()
        of = defaultdict[str, list[tuple[int, bytes]]](list)
        chain, frontier, size = list[ChainKey](), tuple[bytes, ...](), 0
        wrong = list[Finding]()
        while size < head.size and (page := self.log.root_leaves(size, min(PAGE, head.size - size))):
            for data in page:
                frontier, size = extended(frontier, size, leaf_hash(data)), size + 1
                try:
                    leaf = read_leaf(data)
                except ValueError:
                    wrong.append(Finding(Kind.STORE, "roots.leaf", None, {"index": size - 1}))
                    continue
                if isinstance(leaf, RootLeaf):
                    of[leaf.match].append((leaf.size, leaf.root))
                else:
                    chain.append(leaf)
        if size != head.size or root_of(frontier, size) != head.root or frontier != head.frontier:
            wrong.append(Finding(Kind.STORE, "roots.tree", None, {"size": head.size}))
        trusted = vouched(chain, store=self.publisher.store)
        broken = [
            Finding(Kind.KEY, "roots.key", None, {"number": number, "key": key.public.hex()[:16]})
            for number, key in enumerate(chain, 1)
            if key.public not in trusted
        ]
        if chain and self.publisher.signs.public not in {key.public for key in chain}:
            params = {"key": self.publisher.signs.public.hex()[:16]}
            broken.append(Finding(Kind.KEY, "roots.signer", None, params))
        checks = (_check("keys", broken), _check("roots", wrong))
        found = tuple(sorted((*broken, *wrong), key=lambda each: each.kind))
        keys = tuple(key.public.hex() for key in chain)
        report = Report("", size, checks, found, keys)
        return Leaves({match: tuple(told) for match, told in of.items()}, report, trusted)

    # -- a match -------------------------------------------------------------------------------------------------------

    def report(self, match: str, receipts: Sequence[str] = ()) -> Report:
        """What is to be said of a match. Raises StoreAway; nothing for what the store holds."""
        reading = self.log.read(match, limit=0)
        if reading.head is None:
            key = "store.vanished" if match in self.leaves.of else "store.no_log"
            return _nothing(match, Finding(Kind.PUBLISHED if key == "store.vanished" else Kind.STORE, key))
        if reading.head.status == "archived":
            return self._archived(match, reading.head, receipts)
        return self._stored(match, receipts)

    def _archived(self, match: str, head: Head, receipts: Sequence[str]) -> Report:
        path = self.archive.path(match)
        try:
            bundle = bundle_at(path)
            filed(match, self.archive.lines(match), head.version, head.root)
            wrong = list[Finding]()
        except FileNotFoundError:
            return _nothing(match, Finding(Kind.STORE, "store.archive", head.version))
        except OSError as bad:
            params = {"detail": bad.strerror or type(bad).__name__}
            return _nothing(match, Finding(Kind.STORE, "store.unreadable", None, params))
        except BadBundle as bad:
            return _nothing(match, Finding(Kind.UNREADABLE, "unreadable", None, vars_of(bad)))
        except Lost as lost:
            wrong = [Finding(Kind.STORE, "store.archived_other", None, {"detail": lost.says})]
        own = bundle.header.origin == f"{self.publisher.store}/{match}"
        report = checked(bundle, self._trusted() if own else (), receipts)
        return self._joined(report, bundle, wrong)

    def _stored(self, match: str, receipts: Sequence[str]) -> Report:
        damage = examined(self.log, match, self.desk.draws.salt)
        try:
            loaded, snapshot = guarded(lambda: self._folded(match))
            bundle = guarded(lambda: self._bundle(loaded))
        except Unjudgeable as bad:
            if isinstance(bad.__cause__, StoreAway):
                raise bad.__cause__ from None
            if damage is None:
                if (head := self.log.read(match, limit=0).head) is not None and head.status == "archived":
                    return self._archived(match, head, receipts)  # since it was looked at
                return _nothing(match, Finding(Kind.STORE, "store.unreadable", None, {"detail": str(bad)}))
            return _nothing(match, _of(damage))
        secrets = self._secrets(loaded.match)
        report = checked(bundle, self._trusted(), receipts, secrets)
        wrong = [] if damage is None else [_of(damage)]
        if snapshot:
            wrong.append(Finding(Kind.STORE, "store.snapshot", snapshot))
        if loaded.head.status == "frozen":
            wrong.append(Finding(Kind.STORE, "store.frozen", loaded.version))
        return self._joined(report, bundle, [*wrong, *self._followed(loaded)])

    def _folded(self, match: str) -> tuple[Loaded, int]:
        """The match as its entries tell it, and the version of a snapshot that tells otherwise (0: none does)."""
        reading = self.log.read(match, limit=0)
        head = reading.head
        assert head is not None
        entries = self.desk.entries(match, 0, head.version)
        if not entries:
            raise ValueError("there are no entries")
        state = folded(Match(), course(entries))
        kept, odd = reading.snapshot, 0
        if kept is not None and kept.rules == SNAPSHOT_RULES:
            upto = [entry for entry in entries if entry.version <= kept.version]
            due = packed(upto[-1].root, folded(Match(), course(upto))) if upto else b""
            odd = kept.version if due != kept.body else 0
        return Loaded(state, entries[-1].version, head, reading), odd

    def _bundle(self, loaded: Loaded) -> Bundle:
        return read(written(lines(self.desk, loaded, SEALED, self._beside())))

    def _beside(self) -> Beside:
        try:
            found = beside(self.publisher, Origins(self.archive))
        except RootsDamaged:  # which is told apart from the matches
            return self._unpublished
        return found if found.keys else self._unpublished

    @property
    def _unpublished(self) -> Beside:
        return Beside((KeyLine(self.publisher.signs.public, 0),))

    def _secrets(self, match: Match) -> dict[int, bytes]:
        """The server's own secrets: what chance gave is to be right while a match runs, too."""
        return {
            generation: randomness.secret(self.desk.draws, match.id, generation)
            for generation, _ in enumerate(randomness.committed(match))
        }

    def _trusted(self) -> list[bytes]:
        """The keys that can be trusted here if the first one can: an archived match was signed by one of before."""
        return [self.publisher.signs.public, *self.leaves.trusted]

    def _followed(self, loaded: Loaded) -> Iterator[Finding]:
        """Whether the feed tells of all entries, and of no more."""
        match = loaded.match.id
        last = self._feed(int(match[:2])).get(match, 0)
        head = self.log.read(match, limit=0).head
        if head is not None and last > head.version:
            yield Finding(Kind.STORE, "store.feed_beyond", None, {"told": last, "found": head.version})
        elif last < loaded.version:
            yield Finding(Kind.STORE, "store.feed", None, {"told": last, "found": loaded.version})

    def _joined(self, report: Report, bundle: Bundle, wrong: Iterable[Finding]) -> Report:
        """The report on a bundle, with what the store's own notes say, and what the log of roots does."""
        found = [*wrong, *_beyond(bundle, self.leaves.of.get(report.match, ()))]
        findings = list(dict.fromkeys(_key(each) for each in (*report.findings, *found)))
        by_key = {_key(each): each for each in (*found, *report.findings)}
        told = sorted((by_key[key] for key in findings), key=lambda each: each.kind)
        return replace(report, checks=(*report.checks, _check(OWN, found)), findings=tuple(told))


def _key(finding: Finding) -> tuple[Any, ...]:
    return finding.kind, finding.key, finding.version


def _beyond(bundle: Bundle, leaves: Iterable[tuple[int, bytes]]) -> Iterator[Finding]:
    """Roots that were published of a match and are not its own."""
    for size, root in leaves:
        if size > len(bundle.entries):
            params = {"signed": size, "found": len(bundle.entries)}
            yield Finding(Kind.PUBLISHED, "published.beyond", None, params)
        elif size < 1 or bundle.entries[size - 1].root != root:
            yield Finding(Kind.PUBLISHED, "published.other", max(1, size), {"signed": size})


def _of(damage: Damage) -> Finding:
    return Finding(KINDS.get(damage.what, Kind.STORE), f"store.{damage.what}", damage.version)


def vars_of(bad: BadBundle) -> dict[str, Any]:
    """Where a file is no bundle, and how, as a finding tells it."""
    return {"line": bad.line, "detail": bad.detail}


def _check(name: str, findings: Sequence[Finding]) -> Check:
    return Check(name, "failed" if findings else "done")


def _nothing(match: str, finding: Finding) -> Report:
    """The report on a match that cannot be looked into."""
    rest = tuple(Check(name, "skipped", "unread") for name in CHECKS)
    return Report(match, 0, (*rest, Check(OWN, "failed")), (finding,))
