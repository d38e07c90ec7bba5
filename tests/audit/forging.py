"""A forger at work on the copied log of a match: he changes what he likes, and covers it up as far as his means go.

His means, one after another: `disk` (he writes what is stored, and can compute no more than that), `tree` (he also
computes all roots anew), `key` (he also holds the signing key), `secret` (and the secret of chance, so that he commits
anew to whatever he likes).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from referee.audit.bundles import format as form
from referee.audit.bundles.format import DrawLine, EntryLine, KeyLine, OpenedPart, PublishedRootLine, SecretLine
from referee.engine.codec import encode_canonical
from referee.engine.events import Event
from referee.eventstore.contract import StoredEntry
from referee.match.entries import LogEntry, decode_entry, encode_entry
from referee.service.match_service import MatchService
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash
from referee.transparency.receipts import Signer
from tests.audit.sitting import STORE, House, Played, signer

MEANS = ("disk", "tree", "key", "secret")


@dataclass
class Forger:
    """The lines of a bundle, to be changed at will, and who signs them."""

    played: Played
    entries: list[EntryLine]
    secrets: list[SecretLine]
    draws: list[DrawLine]
    keys: list[KeyLine]
    checkpoints: list[str]
    header: form.BundleHeader
    published: list[PublishedRootLine]
    receipts: list[str]
    signer: Signer
    book: form.BookLine | None = None
    was: list[int] = field(default_factory=list)  # the versions of the entries as they were

    @classmethod
    def on(cls, played: Played, viewer: str = "full") -> Forger:
        """At work on an honest match."""
        found = form.decode_bundle(played.house.bundle(played.match, viewer))
        notes = [line.note for line in found.checkpoints]
        return cls(
            played, list(found.entries), list(found.secrets), list(found.draws), list(found.keys), notes, found.header,
            list(found.published), list(played.receipts), played.house.signer, found.book,
            list(range(1, len(found.entries) + 1)),
        )  # fmt: skip

    @property
    def service(self) -> MatchService:
        return self.played.house.service

    @property
    def size(self) -> int:
        return len(self.entries)

    # -- changing ----------------------------------------------------------------------------------------------------

    def line(self, version: int) -> EntryLine:
        return self.entries[version - 1]

    def put(self, at: int, **what: Any) -> None:
        """Other fields of the line that stands there."""
        self.entries[at - 1] = replace(self.line(at), **what)

    def envelope(self, version: int, change: Callable[[dict[str, Any]], None]) -> None:
        """Another envelope, in its proper form."""
        told = json.loads(self.line(version).envelope)
        change(told)
        self.put(version, envelope=encode_canonical(told).decode())

    def part(self, version: int, change: Callable[[str], str]) -> None:
        """Another hidden part."""
        (part,) = self.line(version).parts
        changed = change(part.part)
        assert changed != part.part
        self.put(version, parts=(replace(part, part=changed),))

    def logged(self, version: int) -> LogEntry:
        """The entry as it was."""
        line = self.line(version)
        entry = StoredEntry(version, line.envelope.encode(), line.parts[0].part.encode(), line.root)
        return self.service.repository.library.install_book_for(decode_entry(entry))

    def first(self, wanted: Callable[[LogEntry], bool]) -> int:
        """The first entry of a kind."""
        return next(version for version in range(1, self.size + 1) if wanted(self.logged(version)))

    def repack(self, version: int, change: Callable[[LogEntry], LogEntry]) -> None:
        """An entry committed to anew, with all that belongs to it: needs the secret."""
        self.packed(version, change(self.logged(version)))

    def packed(self, version: int, logged: LogEntry) -> None:
        """An entry as the server would have written it."""
        house = self.played.house
        after = self.service.load_match(self.played.match).match
        envelope, sealed = encode_entry(after, replace(logged, version=version), house.draws.salt)
        part = OpenedPart("full", salt_of(house, logged.match, version), sealed.decode())
        self.put(version, version=version, envelope=envelope.decode(), parts=(part,))

    def event(self, version: int, kind: type[Event], change: Callable[[Any], Event]) -> None:
        """One fact of an entry changed, and the entry committed to anew."""

        def changed(logged: LogEntry) -> LogEntry:
            at = next(n for n, event in enumerate(logged.events) if isinstance(event, kind))
            return replace(logged, events=(*logged.events[:at], change(logged.events[at]), *logged.events[at + 1 :]))

        self.repack(version, changed)

    def renumbered(self, since: int) -> None:
        """Every entry from here on says the version at which it stands, and is committed to anew: needs the secret."""
        for version in range(since, self.size + 1):
            self.packed(version, self.logged(version))
        self.draws = [replace(draw, version=version) for draw in self.draws if (version := self._now(draw)) > 0]

    def _now(self, draw: DrawLine) -> int:
        """Where the entry of a draw stands now; 0: nowhere."""
        return next((at for at, told in enumerate(self.was, 1) if told == draw.version), 0)

    def drop(self, version: int) -> None:
        """An entry is gone."""
        del self.entries[version - 1], self.was[version - 1]

    def swap(self, version: int) -> None:
        """An entry and the next one have changed places."""
        for kept in (self.entries, self.was):
            kept[version - 1 : version + 1] = reversed(kept[version - 1 : version + 1])  # type: ignore[attr-defined]

    def cut(self, size: int) -> None:
        """Only the first entries are left."""
        del self.entries[size:], self.was[size:]
        self.draws = [draw for draw in self.draws if draw.version <= size]

    # -- covering up -------------------------------------------------------------------------------------------------

    def cover(self, means: str) -> None:
        """Hides the change as well as these means allow."""
        if MEANS.index(means) >= 1:
            self.tree()
        if MEANS.index(means) >= 2:
            self.sign()

    def tree(self) -> None:
        """All roots, computed anew."""
        frontier: tuple[bytes, ...] = ()
        for at, line in enumerate(self.entries):
            frontier = extend_frontier(frontier, at, leaf_hash(line.envelope.encode()))
            self.entries[at] = replace(line, root=compute_root(frontier, at + 1))

    def sign(self, by: Signer | None = None) -> None:
        """A checkpoint over what now stands there."""
        note = (by or self.signer).sign_receipt(f"{STORE}/{self.header.match}", self.size, self.entries[-1].root)
        self.checkpoints = [note]

    def publish(self, **other: Any) -> None:
        """The root in a log of roots that has but this leaf; the server has signed that."""
        size = other.get("size") or self.size
        leaf = {"kind": "root", "match": self.header.match, "size": size, "root": self.line(size).root.hex(),
                "status": self.header.status} | other  # fmt: skip
        text = encode_canonical(leaf)
        note = self.signer.sign_receipt(f"{STORE}/roots", 1, leaf_hash(text))
        self.published = [PublishedRootLine(text.decode(), 0, (), note)]

    def lines(self) -> list[bytes]:
        """The bundle as it is handed out."""
        lines: list[form.BundleLine] = [replace(self.header, size=self.size), *self.keys]
        lines += [self.book] if self.book is not None else []
        lines += [*self.entries, *self.secrets, *self.draws, *map(form.CheckpointLine, self.checkpoints)]
        return list(form.encode_bundle([*lines, *self.published]))


def salt_of(house: House, match: str, version: int) -> bytes:
    """The salt of all of an entry, as the server has it until play goes back behind an end."""
    return house.draws.salt(match, 0, version, "full")


def stranger() -> Signer:
    """A key that is not the server's."""
    return signer("stranger")
