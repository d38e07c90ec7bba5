"""A running match goes from one server to another, as a file that is written here and taken in there.

Leaving is one act of the store, arriving another; between the two the match goes on nowhere. What is done besides
(publishing the root, writing the file, noting where a match was) can be done again, so whoever is killed on the way
calls again. A file cannot tell whether it was taken in elsewhere: unless the match was let go for one server alone,
whoever hands the file to two of them has two matches, and their receipts and logs of roots show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from referee.audit.bundles.export import MOVING, beside, lines
from referee.audit.bundles.format import Bundle, Line
from referee.audit.bundles.importing import ALREADY, TAKEN, NotTaken, origin_of, published_here
from referee.audit.checks import provenance
from referee.audit.checks.findings import Report
from referee.audit.checks.verifier import checked
from referee.engine.game import Malformed
from referee.engine.rulings import Refused
from referee.eventstore.contract import Answer, Entry, Head
from referee.eventstore.transfer import Luggage
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import Origins
from referee.infrastructure.errors import HostError
from referee.infrastructure.root_publisher import Publisher
from referee.match.errors import Away
from referee.match.events.transfer_events import Arrive
from referee.service.match_service import Desk, Loaded
from referee.transfer import payload
from referee.transfer.service import arrive, leave
from referee.transparency.key_chain import RootLeaf

LEFT = "moved"  # what a root in the log of roots is of, where a match has left


@dataclass(frozen=True)
class Moving:
    """Lets matches go from a server, and takes them in. `publisher` is of its log of roots, whose keys are its own."""

    desk: Desk
    archive: Archive
    publisher: Publisher

    # -- leaving ---------------------------------------------------------------------------------------------------

    def leave(self, match: str, new_home: str = "", to: bytes = b"") -> Loaded:
        """Lets a match go; nothing happens if it has gone. Its root is published then. Raises as `leaving.leave`, and
        StoreAway, RootsDamaged."""
        self.publisher.keys()  # a match leaves only where it can be told who vouches for it
        packs = partial(payload.packed, self.desk)
        left = leave(self.desk, match, self.publisher.store, packs, new_home=new_home, to=to.hex())
        self.publisher.publish(RootLeaf(match, left.version, left.head.root, LEFT))
        return left

    def file(self, left: Loaded) -> Iterator[Line]:
        """The lines of the file of a match that has left: the same each time, as long as the key is."""
        return lines(self.desk, left, MOVING, beside(self.publisher, Origins(self.archive)))

    # -- arriving --------------------------------------------------------------------------------------------------

    def take(self, bundle: Bundle, trusted: Sequence[bytes] = ()) -> tuple[str, Report]:
        """Takes a match in, to be played on here: `imported`, or `already` if that was done before. Raises NotTaken,
        HostError (the disk), StoreAway."""
        match = bundle.header.match
        chain = self.publisher.keys()
        own = [key.public for key in chain]
        ours = bundle.header.origin == f"{self.publisher.store}/{match}"
        report = checked(bundle, own if ours else trusted)
        last = _fit(bundle, report)
        to = last.moved.get("to")
        if to and to not in {key.hex() for key in own}:
            raise NotTaken("elsewhere", f"{match} was let go for another server than this one", report)
        brought = _luggage(bundle, report)
        entries = [_entry(line.version, bundle, at) for at, line in enumerate(bundle.entries)]
        with self.archive.alone(match):
            reading = self.desk.log.read(match, limit=0, key=f"arrive:{len(entries) + 1}")
            if reading.known is not None and reading.known.ask == entries[-1].root:
                return ALREADY, report
            here = _here(reading.head, entries, match)
            if bundle.book is not None:
                published_here(self.desk.log, bundle.book.text, match)
            self._noted(bundle)
            keys = tuple(line.public.hex() for line in bundle.keys)
            key, root = self.publisher.signs.public.hex(), entries[-1].root.hex()
            ask = Arrive(self.publisher.store, key, last.store, keys, root)
            return self._arrived(match, entries, here, ask, brought), report

    def _noted(self, bundle: Bundle) -> None:
        try:
            Origins(self.archive).keep(bundle.header.match, origin_of(bundle))
        except OSError as wrong:
            raise HostError(f"{self.archive.folder} cannot be written: {wrong.strerror}") from wrong

    def _arrived(self, match: str, entries: list[Entry], here: int, ask: Arrive, brought: Luggage) -> str:
        try:
            answer, version = arrive(self.desk, entries, here, ask, brought)
        except (Refused, Malformed) as wrong:  # which the checks have let pass
            raise NotTaken("unsound", f"{match} cannot arrive here: {wrong}") from wrong
        except Away as wrong:
            raise NotTaken("store", f"{match} cannot be written to the store: {wrong.why}") from wrong
        if answer is Answer.OK:
            return TAKEN
        if answer is Answer.DUP:
            return ALREADY
        raise NotTaken("other", f"{match} is known here with {version} entries that are not those of the file")


def _fit(bundle: Bundle, report: Report) -> provenance.Stay:
    """Where a match left that may be taken in. Raises NotTaken: it is unsound, could not be judged, or has not left."""
    match = bundle.header.match
    if not report.sound:
        raise NotTaken("unsound", f"{match or 'the file'} is not what it should be", report)
    if [check.name for check in report.checks if check.name in ("rules", "chance") and check.state != "done"]:
        raise NotTaken("unsound", f"{match} could not be judged", report)
    last = provenance.stays(provenance.told(bundle))[-1]
    if last.last != len(bundle.entries):
        raise NotTaken("not_moved", f"{match} has not left its server", report)
    return last


def _luggage(bundle: Bundle, report: Report) -> Luggage:
    seats = len(provenance.told(bundle)[-1]["commitments"]) - 1  # all of it, and each seat's part
    try:
        return payload.unpacked("".join(line.text for line in bundle.luggage), seats, len(bundle.entries))
    except payload.BadLuggage as wrong:
        raise NotTaken("luggage", f"what {bundle.header.match} takes along cannot be used: {wrong}", report) from wrong


def _entry(version: int, bundle: Bundle, at: int) -> Entry:
    line = bundle.entries[at]
    return Entry(version, line.envelope.encode(), line.parts[0].part.encode(), line.root)


def _here(head: Head | None, entries: Sequence[Entry], match: str) -> int:
    """How many of the entries are here, because the match left from here before. Raises NotTaken."""
    if head is None:
        return 0
    if head.status == "moved" and head.version <= len(entries) and entries[head.version - 1].root == head.root:
        return head.version
    raise NotTaken("other", f"{match} is known here with {head.version} entries, and has not left by those of the file")
