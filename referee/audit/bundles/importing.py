"""Imports finished matches of any server: verified, then read like archived ones.

The file comes first, with the note of its origin, and the tombstone last. If the process is killed in between, it has
left a file that nobody reads, and the next import rewrites it. A match that is known here with another history is
refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.audit.bundles.export import SEALED, WHOLE
from referee.audit.bundles.format import Bundle, BundleLine, encode_bundle, encode_line
from referee.audit.checks.findings import AuditReport
from referee.audit.checks.verifier import check_bundle
from referee.engine.rulebook.editions import CardBookError
from referee.eventstore.contract import Head, MatchLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import ForeignSigningKey, MatchOrigin, OriginStore
from referee.infrastructure.errors import HostError
from referee.match.aggregate import FINAL_STATUSES
from referee.repository.card_books import CardBookLimitReached, CardBookNameConflict, CardBookRepository
from referee.tournament.state import GAME as TOURNAMENT
from referee.transparency.merkle import Hash, extend_frontier, leaf_hash

IMPORTED, ALREADY = "imported", "already"


class ImportRejected(HostError):
    """A bundle is not imported.

    `reason` is unsound, partial, running, other, book or tournament, or for a match that moves also not_moved,
    elsewhere or luggage. `report` is the report on the bundle.
    """

    def __init__(self, why: str, says: str, report: AuditReport | None = None) -> None:
        super().__init__(says)
        self.reason, self.report = why, report


@dataclass(frozen=True)
class MatchImporter:
    """Imports matches into a store. `store` is its id, `own` are this server's keys."""

    log: MatchLog
    archive: Archive
    store: str
    own: Sequence[bytes]

    def import_match(self, bundle: Bundle, trusted: Sequence[bytes] = ()) -> tuple[str, AuditReport]:
        """Import a match, and return `imported` or `already` with the report.

        Raises ImportRejected, HostError (the disk), StoreUnavailable.
        """
        match, ours = bundle.header.match, bundle.header.origin == f"{self.store}/{bundle.header.match}"
        report = check_bundle(bundle, self.own if ours else trusted)
        _require_finished_match(bundle, report)
        head = _build_head(bundle)
        with self.archive.lock_partition_of(match):
            present = self.log.read(match, limit=0).head
            if present is not None:
                return self._confirm_known(bundle, present, head), report
            if bundle.book is not None:
                publish_book(self.log, bundle.book.text, match)
            if not ours:
                self._record_origin(bundle)
            self._archive_bundle(bundle)
            if not self.log.add_tombstone(match, head):
                raise ImportRejected("other", f"{match} was opened here at this very moment")
        return IMPORTED, report

    def _confirm_known(self, bundle: Bundle, present: Head, head: Head) -> str:
        match = bundle.header.match
        if (present.version, present.root) != (head.version, head.root):
            says = f"{match} is known here with {present.version} entries that are not those {head.version} of the file"
            raise ImportRejected("other", says)
        if present.status == "archived" and not self.archive.has_file(match):
            self._archive_bundle(bundle)  # restores a lost file
        return ALREADY

    def _archive_bundle(self, bundle: Bundle) -> None:
        whole = replace(bundle, header=replace(bundle.header, eyes=SEALED))
        self.archive.write_bundle(bundle.header.match, encode_bundle(whole.all_lines))

    def _record_origin(self, bundle: Bundle) -> None:
        try:
            OriginStore(self.archive).save_origin(bundle.header.match, build_origin(bundle))
        except OSError as wrong:
            raise HostError(f"{self.archive.folder} cannot be written: {wrong.strerror}") from wrong


def build_origin(bundle: Bundle) -> MatchOrigin:
    """Return the origin note of the match of a sound bundle."""
    last = bundle.entries[-1]
    notes = [line.note for line in bundle.checkpoints]
    size = str(last.version)
    published: tuple[BundleLine, ...] = (*bundle.published, *bundle.stamps)
    note = next(each for each in notes if each.split("\n")[:2] == [bundle.header.origin, size])
    return MatchOrigin(
        bundle.header.origin,
        note,
        last.version,
        last.root,
        tuple(ForeignSigningKey(line.public, line.since_ms, line.statement) for line in bundle.keys),
        tuple(line.secret for line in bundle.secrets),
        tuple(encode_line(line).decode() for line in published),
        tuple(encode_line(line).decode() for line in bundle.former),
        tuple(each for each in notes if each != note),
    )


def publish_book(log: MatchLog, text: str, match: str) -> None:
    """Publish the card book of an imported match, unless it is published here already.

    Raises ImportRejected.
    """
    try:
        CardBookRepository(log).publish_book(text)
    except (CardBookNameConflict, CardBookLimitReached, CardBookError) as wrong:
        raise ImportRejected("book", f"the card book of {match} cannot be published here: {wrong}") from wrong


def _require_finished_match(bundle: Bundle, report: AuditReport) -> None:
    """Raise ImportRejected unless a bundle is sound and holds all of a finished match."""
    match = bundle.header.match
    if bundle.header.game == TOURNAMENT:
        raise ImportRejected("tournament", f"{match} is a tournament, which stays where it was played", report)
    if not report.is_sound:
        raise ImportRejected("unsound", f"{match or 'the file'} is not what it should be", report)
    if bundle.header.eyes not in (WHOLE, SEALED):
        raise ImportRejected(
            "partial", f"the file holds not all of {match}, but the view of {bundle.header.eyes}", report
        )
    if bundle.header.status not in FINAL_STATUSES:
        says = f"{match} is not over: `referee move` on its server makes the file of a match that runs"
        raise ImportRejected("running", says, report)
    undone = [check.name for check in report.checks if check.name == "rules" and check.state != "done"]
    if undone:
        raise ImportRejected("unsound", f"{match} could not be judged", report)


def _build_head(bundle: Bundle) -> Head:
    frontier: tuple[Hash, ...] = ()
    for at, line in enumerate(bundle.entries):
        frontier = extend_frontier(frontier, at, leaf_hash(line.envelope.encode()))
    last = bundle.entries[-1]
    return Head(last.version, last.root, frontier, "archived", 0, "", bundle.header.edition)
