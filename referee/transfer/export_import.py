"""Moves a running match to another server, by a file that the other takes in.

Leaving is one act of the store, and arriving is another. Between the two, nobody can play. All other parts (publishing
the root, writing the file, noting where a match was) can be repeated: after a crash, call again.

A file cannot show whether it was taken in elsewhere. A match may be released for one server alone. Otherwise a host who
gives the file to two servers has two matches, and their receipts and root logs show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from referee.audit.bundles.export import MOVING, build_bundle_lines, collect_bundle_metadata
from referee.audit.bundles.format import Bundle, BundleLine
from referee.audit.bundles.importing import ALREADY, IMPORTED, ImportRejected, build_origin, publish_book
from referee.audit.checks import provenance
from referee.audit.checks.findings import AuditReport
from referee.audit.checks.verifier import check_bundle
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.eventstore.contract import Head, LogWriteStatus, StoredEntry
from referee.eventstore.transfer import TransferPayload
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import OriginStore
from referee.infrastructure.errors import HostError
from referee.infrastructure.root_publisher import RootPublisher
from referee.match.errors import MatchUnavailable
from referee.match.events.dispute_state import TransferProposal
from referee.match.events.transfer_events import ImportMatch, TransferUnagreed
from referee.match.loaded import LoadedMatch
from referee.service.match_service import MatchService
from referee.transfer import payload
from referee.transfer.service import ask_table, import_match, propose_transfer, transfer_match
from referee.transparency.key_chain import RootLeaf

LEFT = "moved"  # the status, in the root log, of a match that has left


@dataclass(frozen=True)
class MatchTransfer:
    """Releases matches from a server, and takes matches in.

    `publisher` publishes to this server's root log with this server's keys.
    """

    service: MatchService
    archive: Archive
    publisher: RootPublisher

    # -- leaving ---------------------------------------------------------------------------------------------------

    def release_match(
        self, match: str, new_home: str = "", to: bytes = b"", *, without_consent: bool = False
    ) -> LoadedMatch:
        """Release a match and publish its root; do nothing if it has left before.

        Raises as `transfer_match`, and StoreUnavailable, RootLogError.
        """
        self.publisher.ensure_key_published()  # or nobody could check later whose key signed the match
        packs = partial(payload.encode_payload, self.service)
        left = transfer_match(
            self.service,
            match,
            self.publisher.store,
            packs,
            new_home=new_home,
            to=to.hex(),
            without_consent=without_consent,
        )
        self.publisher.publish_root(RootLeaf(match, left.version, left.head.root, LEFT))
        return left

    def propose_transfer(
        self, match: str, new_home: str = "", to: bytes = b"", *, again: bool = False
    ) -> TransferProposal | None:
        """Ask the table whether a match may move there, and return the question.

        It is asked once, unless the table refused and is to be asked `again`. None if nobody has to be asked. Raises as
        `release_match`.
        """
        asked = propose_transfer(self.service, match, new_home=new_home, to=to.hex())
        if asked is not None and asked.stage == "refused" and again:
            return ask_table(self.service, match, new_home=new_home, to=to.hex())
        return asked

    def list_unagreed_seats(self, left: LoadedMatch) -> tuple[int, ...]:
        """Return the seats without whose consent a match has left."""
        (last,) = self.service.repository.load_entries(left.match.id, left.version - 1, left.version)
        return tuple(seat for event in last.events if isinstance(event, TransferUnagreed) for seat in event.seats)

    def build_file_lines(self, left: LoadedMatch) -> Iterator[BundleLine]:
        """Yield the lines of the file of a match that has left.

        They are the same each time, as long as the key is.
        """
        return build_bundle_lines(
            self.service, left, MOVING, collect_bundle_metadata(self.publisher, OriginStore(self.archive))
        )

    # -- arriving --------------------------------------------------------------------------------------------------

    def import_match(self, bundle: Bundle, trusted: Sequence[bytes] = ()) -> tuple[str, AuditReport]:
        """Take a match in, to be played on here.

        Return `imported`, or `already` if that was done before. Raises ImportRejected, HostError (the disk),
        StoreUnavailable.
        """
        match = bundle.header.match
        chain = self.publisher.ensure_key_published()
        own = [key.public for key in chain]
        ours = bundle.header.origin == f"{self.publisher.store}/{match}"
        report = check_bundle(bundle, own if ours else trusted)
        last = _require_departed_match(bundle, report)
        to = last.moved.get("to")
        if to and to not in {key.hex() for key in own}:
            raise ImportRejected("elsewhere", f"{match} was released for another server", report)
        brought = _decode_payload(bundle, report)
        entries = [_build_entry(line.version, bundle, at) for at, line in enumerate(bundle.entries)]
        with self.archive.lock_partition_of(match):
            reading = self.service.log.read(match, limit=0, key=f"arrive:{len(entries) + 1}")
            if reading.known is not None and reading.known.fingerprint == entries[-1].root:
                return ALREADY, report
            here = _count_entries_here(reading.head, entries, match)
            if bundle.book is not None:
                publish_book(self.service.log, bundle.book.text, match)
            self._record_origin(bundle)
            keys = tuple(line.public.hex() for line in bundle.keys)
            key, root = self.publisher.signer.public.hex(), entries[-1].root.hex()
            command = ImportMatch(self.publisher.store, key, last.store, keys, root)
            return self._complete_arrival(match, entries, here, command, brought), report

    def _record_origin(self, bundle: Bundle) -> None:
        try:
            OriginStore(self.archive).save_origin(bundle.header.match, build_origin(bundle))
        except OSError as wrong:
            raise HostError(f"{self.archive.folder} cannot be written: {wrong.strerror}") from wrong

    def _complete_arrival(
        self, match: str, entries: list[StoredEntry], here: int, command: ImportMatch, brought: TransferPayload
    ) -> str:
        try:
            answer, version = import_match(self.service, entries, here, command, brought)
        except (IllegalMove, MalformedInput) as wrong:  # although the checks found nothing
            raise ImportRejected("unsound", f"{match} cannot arrive here: {wrong}") from wrong
        except MatchUnavailable as wrong:
            raise ImportRejected("store", f"{match} cannot be written to the store: {wrong.reason}") from wrong
        if answer is LogWriteStatus.OK:
            return IMPORTED
        if answer is LogWriteStatus.DUP:
            return ALREADY
        raise ImportRejected("other", f"{match} is known here with {version} entries that are not those of the file")


def _require_departed_match(bundle: Bundle, report: AuditReport) -> provenance.ServerStay:
    """Return the last stay of a match that may be taken in.

    Raises ImportRejected if the bundle is unsound, could not be judged, or has not left.
    """
    match = bundle.header.match
    if not report.is_sound:
        raise ImportRejected("unsound", f"{match or 'the file'} is not what it should be", report)
    if [check.name for check in report.checks if check.name in ("rules", "chance") and check.state != "done"]:
        raise ImportRejected("unsound", f"{match} could not be judged", report)
    last = provenance.list_stays(provenance.parse_envelopes(bundle))[-1]
    if last.last != len(bundle.entries):
        raise ImportRejected("not_moved", f"{match} has not left its server", report)
    return last


def _decode_payload(bundle: Bundle, report: AuditReport) -> TransferPayload:
    seats = len(provenance.parse_envelopes(bundle)[-1]["commitments"]) - 1  # all of it, and each seat's part
    try:
        return payload.decode_payload("".join(line.text for line in bundle.payload), seats, len(bundle.entries))
    except payload.PayloadError as wrong:
        raise ImportRejected(
            "luggage", f"what {bundle.header.match} takes along cannot be used: {wrong}", report
        ) from wrong


def _build_entry(version: int, bundle: Bundle, at: int) -> StoredEntry:
    line = bundle.entries[at]
    return StoredEntry(version, line.envelope.encode(), line.parts[0].part.encode(), line.root)


def _count_entries_here(head: Head | None, entries: Sequence[StoredEntry], match: str) -> int:
    """Return how many of the entries are here because the match left from here before.

    Raises ImportRejected if something else is here.
    """
    if head is None:
        return 0
    if head.status == "moved" and head.version <= len(entries) and entries[head.version - 1].root == head.root:
        return head.version
    raise ImportRejected(
        "other", f"{match} is known here with {head.version} entries, and has not left by those of the file"
    )
