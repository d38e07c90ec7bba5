"""What others than the server say of its root log: authorities and witnesses.

A bundle carries what the server has of it, in the checkpoints that show where a root of the match was published.
Further checkpoints and stamps may be given beside it. What cannot be judged, because no key or certificate is known, is
named.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from referee.audit.bundles.format import Bundle, StampLine
from referee.audit.checks.findings import AuditFinding, AuditNotice, FindingKind
from referee.audit.checks.merkle import PublishedPlace
from referee.audit.checks.times import MAX_SERVER_DIFFERENCE_MS, render_time
from referee.audit.comparison import Comparison, SignedHistory, SignedRoot
from referee.transparency.cosignatures import WitnessKey, find_cosignatures, list_unknown_signers
from referee.transparency.receipts import Checkpoint, InvalidNoteError, render_checkpoint, split_note

if TYPE_CHECKING:
    from cryptography import x509

LONGEST = 100  # characters of a name that are shown
GENERALIZED_TIME = re.compile(rb"\x18[\x0f-\x19](\d{14})(?:\.\d+)?Z")  # as RFC 3161 has it
Logs = dict[tuple[str, int, bytes], list[PublishedPlace]]


@dataclass(frozen=True, slots=True)
class Vouchers:
    """Whom a checker knows: witnesses, and certificates of timestamp authorities."""

    witnesses: Sequence[WitnessKey] = ()
    certificates: Sequence[x509.Certificate] = ()


NOBODY = Vouchers()


@dataclass(frozen=True, slots=True)
class KeptStamp:
    """A checkpoint, the answer of a timestamp authority, and their source."""

    source: str
    checkpoint: bytes
    response: bytes

    @property
    def note(self) -> str:
        """The checkpoint as text; what is no text is no note."""
        return self.checkpoint.decode("utf-8", "replace")


@dataclass
class Statements:
    """What others say of where a match was published: findings and notices."""

    findings: list[AuditFinding] = field(default_factory=list)
    notices: list[AuditNotice] = field(default_factory=list)

    def add(self, told: AuditFinding | AuditNotice) -> None:
        """Add a finding or a notice.

        What was said of one checkpoint is not said again of another.
        """
        if isinstance(told, AuditFinding):
            self.findings.append(told)
        elif told not in self.notices:
            self.notices.append(told)


# -- in a bundle -------------------------------------------------------------------------------------------------------


def judge_statements(bundle: Bundle, places: Sequence[PublishedPlace], vouchers: Vouchers) -> Statements:
    """Return what others say of the places where a match was published.

    Those places have been checked already.
    """
    found, unknown = Statements(), dict[str, None]()
    for place in places:
        for told in _judge_cosignatures(bundle.header.match, place.note, place.log, [place], vouchers):
            found.add(told)
        unknown |= dict.fromkeys(list_unknown_signers(place.note, vouchers.witnesses))
    if unknown:
        found.add(_build_unknown_notice(unknown))
    for line in bundle.stamps:
        for told in _judge_stamp_line(bundle, line, places, vouchers):
            found.add(told)
    return found


def _judge_stamp_line(
    bundle: Bundle, line: StampLine, places: Sequence[PublishedPlace], vouchers: Vouchers
) -> Iterator[AuditFinding | AuditNotice]:
    place = next((each for each in places if each.note == line.note), None)
    if place is None:
        yield AuditFinding(FindingKind.PUBLISHED, "stamp.stray")
        return
    stamp = KeptStamp(bundle.header.match, line.note.encode("utf-8", "replace"), line.response)
    yield from _judge_stamp(stamp, place.log, [place], vouchers.certificates)


# -- beside it ---------------------------------------------------------------------------------------------------------


def index_places(histories: Iterable[SignedHistory]) -> Logs:
    """Return the places where matches were published, by log, size and root."""
    found: Logs = {}
    for place in (each for history in histories for each in history.places):
        found.setdefault((place.log.origin, place.log.size, place.log.root), []).append(place)
    return found


def check_stamps(
    stamps: Iterable[KeptStamp], certificates: Sequence[x509.Certificate], found: Comparison, places: Logs
) -> None:
    """Add by when each stamped log existed, or that its stamp is wrong.

    The checkpoints of the stamps have been compared already. One that no known key signed says nothing here: anybody
    can get a timestamp over anything.
    """
    signed, unjudged = {each.source: each for each in found.logs}, 0
    for stamp in stamps:
        log = signed.get(stamp.source)
        checkpoint = None if log is None else Checkpoint(log.origin, log.size, log.root)
        of = [] if log is None else places.get((log.origin, log.size, log.root), [])
        for told in _judge_stamp(stamp, checkpoint, of, certificates):
            if isinstance(told, AuditFinding) or certificates:
                _add(found, told)
            else:
                unjudged += 1
    if unjudged:
        _add(found, AuditNotice("stamp.none_judged", {"count": unjudged}))


def check_witnesses(
    checkpoints: Iterable[tuple[str, str]], witnesses: Sequence[WitnessKey], found: Comparison, places: Logs
) -> None:
    """Add who cosigned which checkpoint, and who cosigned none, in bundles neither.

    The checkpoints come with their sources and have been compared already. One that no known key signed says nothing
    here.
    """
    signed = {(each.source, _render_log(each)): each for each in found.logs}
    silent = dict.fromkeys(witnesses)
    for place in (each for of in places.values() for each in of):
        for witness in _list_cosigning(place.note, witnesses):
            silent.pop(witness, None)
    unknown = dict[str, None]()
    for source, note in checkpoints:
        log = signed.get((source, "".join(f"{line}\n" for line in note.split("\n", 3)[:3])))
        if log is None or not _is_note(note):  # a copy that is none is a finding by now
            continue
        for witness in _list_cosigning(note, witnesses):
            silent.pop(witness, None)
        of = places.get((log.origin, log.size, log.root), [])
        checkpoint = Checkpoint(log.origin, log.size, log.root)
        for told in _judge_cosignatures(source, note, checkpoint, of, Vouchers(witnesses)):
            _add(found, told)
        unknown |= dict.fromkeys(list_unknown_signers(note, witnesses))
    if unknown:
        _add(found, _build_unknown_notice(unknown))
    found.notes += [AuditNotice("witness.none", {"witness": each.name[:LONGEST]}).render_texts() for each in silent]


def _add(found: Comparison, told: AuditFinding | AuditNotice) -> None:
    if isinstance(told, AuditFinding):
        found.findings.append(told)
    elif (texts := told.render_texts()) not in found.notes:
        found.notes.append(texts)


def _is_note(text: str) -> bool:
    try:
        split_note(text)
    except InvalidNoteError:
        return False
    return True


def _render_log(signed: SignedRoot) -> str:
    return render_checkpoint(Checkpoint(signed.origin, signed.size, signed.root))


# -- judging -----------------------------------------------------------------------------------------------------------


def _judge_cosignatures(
    source: str, note: str, log: Checkpoint, places: Sequence[PublishedPlace], vouchers: Vouchers
) -> Iterator[AuditFinding | AuditNotice]:
    """Yield what known witnesses say of a signed checkpoint and its matches."""
    try:
        cosignatures = find_cosignatures(note, vouchers.witnesses)
    except InvalidNoteError as wrong:
        params = {"file": source[:LONGEST], "detail": str(wrong)}
        yield AuditFinding(FindingKind.SIGNATURE, "witness.wrong", None, params)
        return
    for each in cosignatures:
        name, at_ms = each.witness.name[:LONGEST], each.at_s * 1000
        if not places:
            values = {"log": log.origin[:LONGEST], "size": log.size, "witness": name, "when": render_time(at_ms)}
            yield AuditNotice("witness.by", values)
        for place in places:
            yield _tell(place, "witness", name, at_ms)


def _list_cosigning(note: str, witnesses: Sequence[WitnessKey]) -> tuple[WitnessKey, ...]:
    try:
        return tuple(each.witness for each in find_cosignatures(note, witnesses))
    except InvalidNoteError:  # a finding by now
        return ()


def _judge_stamp(
    stamp: KeptStamp, log: Checkpoint | None, places: Sequence[PublishedPlace], certificates: Sequence[x509.Certificate]
) -> Iterator[AuditFinding | AuditNotice]:
    """Yield what a timestamp says of a log that a known key signed, and its matches."""
    source = stamp.source[:LONGEST]
    if not certificates:
        if hashlib.sha256(stamp.checkpoint).digest() not in stamp.response:
            params = {"file": source, "detail": "it is not over a SHA-256 of this checkpoint"}
            yield AuditFinding(FindingKind.SIGNATURE, "stamp.wrong", None, params)
            return
        when = find_claimed_time(stamp.checkpoint, stamp.response)
        yield AuditNotice("stamp.unjudged", {"file": source, "when": when})
        return
    # loaded here, because a server hands stamps out and judges none
    from referee.infrastructure.publication.stamps import StampError, verify_stamp

    try:
        checked = verify_stamp(stamp.checkpoint, stamp.response, certificates)
    except StampError as wrong:
        yield AuditFinding(FindingKind.SIGNATURE, "stamp.wrong", None, {"file": source, "detail": str(wrong)})
        return
    at_ms, authority = int(checked.at.timestamp() * 1000), checked.authority[:LONGEST]
    for place in places:
        yield _tell(place, "stamp", authority, at_ms)
    if log is not None and not places:
        values = {"log": log.origin[:LONGEST], "size": log.size, "when": render_time(at_ms), "authority": authority}
        yield AuditNotice("stamp.by", values)


def find_claimed_time(checkpoint: bytes, response: bytes) -> str:
    """Return the time that an answer claims, without a look at who signed it."""
    claimed = GENERALIZED_TIME.search(response, response.find(hashlib.sha256(checkpoint).digest()))
    try:
        at = datetime.strptime(claimed[1].decode(), "%Y%m%d%H%M%S") if claimed else None
    except ValueError:
        at = None
    return "–" if at is None else render_time(int(at.replace(tzinfo=UTC).timestamp() * 1000))


def _tell(place: PublishedPlace, what: str, name: str, at_ms: int) -> AuditFinding | AuditNotice:
    """Return what somebody vouches for, or that the match claims a time after that."""
    params = {"match": place.match, "version": place.version, "name": name, "when": render_time(at_ms)}
    if place.at_ms is not None and place.at_ms - at_ms > MAX_SERVER_DIFFERENCE_MS:
        params["claimed"] = render_time(place.at_ms)
        return AuditFinding(FindingKind.TIME, f"{what}.early", place.version, params)
    return AuditNotice(f"{what}.match", params)


def _build_unknown_notice(names: Iterable[str]) -> AuditNotice:
    return AuditNotice("witness.unknown", {"names": ", ".join(each[:LONGEST] for each in list(names)[:5])})
