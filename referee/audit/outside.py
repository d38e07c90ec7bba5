"""What others than the server say of its root log: authorities and witnesses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptography import x509

from referee.audit.checks.findings import AuditFinding, AuditNotice, FindingKind
from referee.audit.checks.times import render_time
from referee.audit.comparison import Comparison
from referee.infrastructure.publication.stamps import StampError, verify_stamp
from referee.transparency.cosignatures import WitnessKey, find_cosignatures
from referee.transparency.receipts import Checkpoint, InvalidNoteError, render_checkpoint


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


def check_stamps(stamps: Iterable[KeptStamp], certificates: Sequence[x509.Certificate], found: Comparison) -> None:
    """Add by when each stamped log existed, or that its stamp is wrong.

    The checkpoints of the stamps have been compared already. One that no known key signed says nothing here: anybody
    can get a timestamp over anything.
    """
    signed = {each.source: each for each in found.logs}
    for stamp in stamps:
        try:
            checked = verify_stamp(stamp.checkpoint, stamp.response, certificates)
        except StampError as wrong:
            params = {"file": stamp.source[:100], "detail": str(wrong)}
            found.findings.append(AuditFinding(FindingKind.SIGNATURE, "stamp.wrong", None, params))
            continue
        if (log := signed.get(stamp.source)) is not None:
            when = render_time(int(checked.at.timestamp() * 1000))
            values = {"log": log.origin[:100], "size": log.size, "when": when, "authority": checked.authority[:100]}
            found.notes.append(AuditNotice("stamp.by", values).render_texts())


def check_witnesses(checkpoints: Iterable[tuple[str, str]], witnesses: Sequence[WitnessKey], found: Comparison) -> None:
    """Add who cosigned which checkpoint, and who cosigned none.

    The checkpoints come with their sources and have been compared already. One that no known key signed says nothing
    here.
    """
    texts = ((each, render_checkpoint(Checkpoint(each.origin, each.size, each.root))) for each in found.logs)
    signed = {(each.source, text): each for each, text in texts}
    silent = dict.fromkeys(witnesses)
    for source, note in checkpoints if witnesses else ():
        log = signed.get((source, "".join(f"{line}\n" for line in note.split("\n", 3)[:3])))
        if log is None:
            continue
        try:
            cosignatures = find_cosignatures(note, witnesses)
        except InvalidNoteError as wrong:
            params = {"file": source[:100], "detail": str(wrong)}
            found.findings.append(AuditFinding(FindingKind.SIGNATURE, "witness.wrong", None, params))
            continue
        for each in cosignatures:
            silent.pop(each.witness, None)
            values = {"log": log.origin[:100], "size": log.size, "witness": each.witness.name[:100]}
            notice = AuditNotice("witness.by", {**values, "when": render_time(each.at_s * 1000)})
            found.notes.append(notice.render_texts())
    found.notes += [AuditNotice("witness.none", {"witness": each.name[:100]}).render_texts() for each in silent]
