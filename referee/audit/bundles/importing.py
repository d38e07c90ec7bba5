"""Taking in finished matches of any server: verified first, then read here as an archived match is.

The file comes first, with the note whose it is, and the tombstone last: whoever is killed on the way has left a file
that nobody looks at, and the next one writes it anew. A match that is known here by another history is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.audit.bundles.export import SEALED, WHOLE
from referee.audit.bundles.format import Bundle, line_of, written
from referee.audit.checks.findings import Report
from referee.audit.checks.verifier import checked
from referee.eventstore.contract import Head, MatchLog
from referee.games.books import Misprints
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import ForeignKey, Origin, Origins
from referee.infrastructure.errors import HostError
from referee.match.aggregate import OVER
from referee.repository.card_books import Library, NameTaken, ShelfFull
from referee.transparency.merkle import Hash, extended, leaf_hash

TAKEN, ALREADY = "imported", "already"


class NotTaken(HostError):
    """A bundle is not taken in; `why` is unsound, partial, running, other, or book; of one that moves
    also not_moved, elsewhere, or luggage. `report` is what was found."""

    def __init__(self, why: str, says: str, report: Report | None = None) -> None:
        super().__init__(says)
        self.why, self.report = why, report


@dataclass(frozen=True)
class Importing:
    """Takes matches into a store. `store` is its id, `own` are the keys of this server."""

    log: MatchLog
    archive: Archive
    store: str
    own: Sequence[bytes]

    def take(self, bundle: Bundle, trusted: Sequence[bytes] = ()) -> tuple[str, Report]:
        """Takes a match in: `imported`, or `already` if it is here, and what was found. Raises NotTaken, HostError (the
        disk), StoreAway."""
        match, ours = bundle.header.match, bundle.header.origin == f"{self.store}/{bundle.header.match}"
        report = checked(bundle, self.own if ours else trusted)
        _fit(bundle, report)
        head = _head(bundle)
        with self.archive.alone(match):
            known = self.log.read(match, limit=0).head
            if known is not None:
                return self._known(bundle, known, head), report
            if bundle.book is not None:
                published_here(self.log, bundle.book.text, match)
            if not ours:
                self._note(bundle)
            self._keep(bundle)
            if not self.log.entomb(match, head):
                raise NotTaken("other", f"{match} was opened here at this very moment")
        return TAKEN, report

    def _known(self, bundle: Bundle, known: Head, head: Head) -> str:
        match = bundle.header.match
        if (known.version, known.root) != (head.version, head.root):
            says = f"{match} is known here with {known.version} entries that are not those {head.version} of the file"
            raise NotTaken("other", says)
        if known.status == "archived" and not self.archive.there(match):
            self._keep(bundle)  # its file was lost: here it is again
        return ALREADY

    def _keep(self, bundle: Bundle) -> None:
        whole = replace(bundle, header=replace(bundle.header, eyes=SEALED))
        self.archive.keep(bundle.header.match, written(whole.all))

    def _note(self, bundle: Bundle) -> None:
        try:
            Origins(self.archive).keep(bundle.header.match, origin_of(bundle))
        except OSError as wrong:
            raise HostError(f"{self.archive.folder} cannot be written: {wrong.strerror}") from wrong


def origin_of(bundle: Bundle) -> Origin:
    """Where a match was, of which this is a sound bundle: what is noted of it."""
    last = bundle.entries[-1]
    notes = [line.note for line in bundle.checkpoints]
    size = str(last.version)
    note = next(each for each in notes if each.split("\n")[:2] == [bundle.header.origin, size])
    return Origin(
        bundle.header.origin,
        note,
        last.version,
        last.root,
        tuple(ForeignKey(line.public, line.since_ms, line.statement) for line in bundle.keys),
        tuple(line.secret for line in bundle.secrets),
        tuple(line_of(line).decode() for line in bundle.published),
        tuple(line_of(line).decode() for line in bundle.former),
        tuple(each for each in notes if each != note),
    )


def published_here(log: MatchLog, text: str, match: str) -> None:
    """Publishes the card book of a match that is taken in, unless it is here. Raises NotTaken."""
    try:
        Library(log).publish(text)
    except (NameTaken, ShelfFull, Misprints) as wrong:
        raise NotTaken("book", f"the card book of {match} cannot be published here: {wrong}") from wrong


def _fit(bundle: Bundle, report: Report) -> None:
    """Raises NotTaken unless a bundle holds all of a match that is over, and nothing is wrong with it."""
    match = bundle.header.match
    if not report.sound:
        raise NotTaken("unsound", f"{match or 'the file'} is not what it should be", report)
    if bundle.header.eyes not in (WHOLE, SEALED):
        raise NotTaken("partial", f"the file holds not all of {match}, but what {bundle.header.eyes} eyes saw", report)
    if bundle.header.status not in OVER:
        says = f"{match} is not over: `referee move` on its server makes the file of a match that runs"
        raise NotTaken("running", says, report)
    undone = [check.name for check in report.checks if check.name == "rules" and check.state != "done"]
    if undone:
        raise NotTaken("unsound", f"{match} could not be judged", report)


def _head(bundle: Bundle) -> Head:
    frontier: tuple[Hash, ...] = ()
    for at, line in enumerate(bundle.entries):
        frontier = extended(frontier, at, leaf_hash(line.envelope.encode()))
    last = bundle.entries[-1]
    return Head(last.version, last.root, frontier, "archived", 0, "", bundle.header.edition)
