"""`referee audit`: verifies every match of a store, its root log and its keys.

It checks what a stranger could check, and what only the host can. Nothing is changed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from referee.audit.checks.findings import TEXTS, AuditFinding, AuditReport, FindingKind, find_gravest_exit_code
from referee.audit.outside import NOBODY, KeptStamp, Vouchers
from referee.audit.reporting import MAX_FINDINGS, finding_to_dict, render_findings, render_report, report_to_dict
from referee.audit.store_audit import NO_MARKS, ReadOnlyPublisher, StoreAuditor
from referee.cli.commands.histories.verify import OutsideFiles, parse_match_id, read_receipts
from referee.cli.commands.rulings.judge import UnreadableInputError
from referee.cli.commands.running.keys import open_log
from referee.cli.output import print_json, print_notice
from referee.cli.progress import track_progress
from referee.engine.rulebook.book import Text
from referee.eventstore.contract import MatchLog, StoreUnavailable, partition_for_match
from referee.games import load_games
from referee.infrastructure import composition
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.provenance import OriginStore, build_origin_aware_signer
from referee.infrastructure.clients import derive_store_id
from referee.infrastructure.keyring import Keyring
from referee.infrastructure.publication.cosigned import COSIGNED_FILE, CosignedFile
from referee.infrastructure.publication.stamp_files import STAMPS_FOLDER
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.mark_file import Mark, MarksUnavailable
from referee.rendering.html import sanitize_line
from referee.transparency.cosignatures import list_signature_lines
from referee.transparency.receipts import InvalidNoteError


@dataclass
class AuditSummary:
    """The results of an audit so far.

    `kept` is what receipts, checkpoints and marks that were kept elsewhere say against the store, `said` what
    witnesses and timestamp authorities say of its root log.
    """

    store: AuditReport
    kept: list[AuditFinding]
    said: list[Text] = field(default_factory=list)
    sound: int = 0
    entries: int = 0
    wrong: list[AuditReport] = field(default_factory=list)
    last: str = ""

    @property
    def exit_code(self) -> int:
        """The exit code of the gravest finding."""
        codes = [find_gravest_exit_code([self.store, *self.wrong]), *(int(each.kind) for each in self.kept)]
        return min((code for code in codes if code), default=0)


def audit_store(
    settings: Settings,
    names: Sequence[str],
    receipts: Sequence[Path],
    *,
    after: str | None,
    lang: str,
    as_json: bool,
    roots: Sequence[Path] = (),
    outside: OutsideFiles | None = None,
) -> int:
    """Audit matches, all if none is named, and return the code of the gravest finding.

    The cosignatures and timestamps in the data directory are checked with those that are given. Raises HostError,
    StoreNotFoundError, UnreadableInputError (no such match), InvalidDataError (no receipts).
    """
    kept = [note for path in receipts for note in read_receipts(path)]
    checkpoints = [(str(path), note) for path in roots for note in read_receipts(path)]
    outside = outside or OutsideFiles()
    vouchers = outside.read_vouchers()
    stamps = [*outside.read_stamps(), *_read_own_stamps(settings)]
    checkpoints += [(each.source, each.note) for each in stamps]
    load_games()  # entries are decoded with the classes of their game
    with open_log(settings) as log:
        marks, unread = _read_marks(settings)
        auditor = build_auditor(settings, log, vouchers, marks)
        checkpoints += _read_own_cosignatures(settings, auditor.publisher)
        said = auditor.check_statements(checkpoints, stamps)
        found = AuditSummary(
            auditor.leaves.report,
            [*auditor.check_kept_notes(kept, ()), *said.findings, *auditor.check_roots_mark(), *unread],
            said.notes[:MAX_FINDINGS],
        )
        try:
            for report in _iterate_reports(auditor, _choose_matches(auditor, names, after), kept, as_json=as_json):
                found.last = report.match
                found.entries += report.size
                if report.is_sound:
                    found.sound += 1
                    continue
                found.wrong.append(report)
                if not as_json:
                    _print_report(report, lang)
        except (KeyboardInterrupt, StoreUnavailable):
            if found.last:
                print_notice(f"interrupted; continue with `referee audit --after {found.last}`")
            raise
    if as_json:
        print_json(_summary_to_dict(found))
    else:
        _print_summary(found, lang)
    return found.exit_code


def build_auditor(
    settings: Settings, log: MatchLog, vouchers: Vouchers = NOBODY, marks: Mapping[str, Mark] = NO_MARKS
) -> StoreAuditor:
    """Build the auditor of a store. Raises HostError."""
    quiet = replace(settings, queue_url=None)  # so that no worker is woken
    signer, store = Keyring(settings.signing_key_file), derive_store_id(settings)
    looking = ReadOnlyPublisher(log, signer, store, *composition.open_statements(settings))
    service, archive = composition.build_match_service(quiet, log), Archive(settings.archive_path)
    # what is signed here is checked and thrown away, so it needs no mark, and a lost history freezes nothing
    service.sign = build_origin_aware_signer(composition.build_receipt_signer(signer, store), OriginStore(archive))
    return StoreAuditor(service, archive, looking, vouchers, marks)


def _read_marks(settings: Settings) -> tuple[dict[str, Mark], list[AuditFinding]]:
    """Return what was signed of each log, and a finding if that cannot be read."""
    try:
        return dict(composition.open_signed_history(settings).marks.list_marks()), []
    except MarksUnavailable as wrong:
        return {}, [AuditFinding(FindingKind.STORE, "store.marks", None, {"detail": str(wrong)})]


def _read_own_cosignatures(settings: Settings, publisher: ReadOnlyPublisher) -> list[tuple[str, str]]:
    """Return the cosigned checkpoint, signed by the log too.

    Its file has the lines of witnesses only.
    """
    path = settings.data_dir / COSIGNED_FILE
    kept = CosignedFile(path).read()
    with contextlib.suppress(InvalidNoteError):  # what is no note is told of as it is
        text, lines = list_signature_lines(kept)
        kept = publisher.signer.sign_note(publisher.origin, text) + "".join(lines)
    return [(str(path), kept)] if kept else []


def _read_own_stamps(settings: Settings) -> list[KeptStamp]:
    folder = settings.data_dir / STAMPS_FOLDER
    is_used = folder.is_dir() and any(folder.iterdir())
    return OutsideFiles([folder]).read_stamps() if is_used else []


def _choose_matches(auditor: StoreAuditor, names: Sequence[str], after: str | None) -> list[str]:
    """Return the matches to audit, in order of their ids.

    Raises UnreadableInputError if there is no such match.
    """
    for name in (*names, *([after] if after else ())):
        try:
            partition_for_match(name)
        except ValueError as wrong:
            raise UnreadableInputError(str(wrong)) from wrong
    if names:
        present = set(auditor.iterate_matches())
        if unknown := [name for name in names if name not in present]:
            raise UnreadableInputError(f"there is no match {unknown[0]}")
        return sorted(set(names))
    return [name for name in auditor.iterate_matches() if after is None or name > after]


def _iterate_reports(
    auditor: StoreAuditor, names: Sequence[str], kept: Iterable[str], *, as_json: bool
) -> Iterator[AuditReport]:
    of_match: dict[str, list[str]] = {}
    for note in kept:
        of_match.setdefault(parse_match_id(note), []).append(note)
    present = set(auditor.iterate_matches()) if of_match.keys() - set(names) else set()
    for stray in sorted((of_match.keys() - set(names)) & present):
        print_notice(f"a receipt is of {sanitize_line(stray)}, which is not audited")
    for name in track_progress(names, "matches", len(names), is_hidden=as_json):
        yield auditor.audit_match(name, of_match.get(name, ()))


def _print_report(report: AuditReport, lang: str) -> None:
    for line in render_report(report, lang):
        click.echo(sanitize_line(line))
    click.echo()


def _print_summary(found: AuditSummary, lang: str) -> None:
    for line in render_findings([*found.store.findings, *found.kept], lang):
        click.echo(sanitize_line(line.removeprefix("  ")))
    for note in found.said:
        click.echo(sanitize_line(note[lang]))
    count = found.sound + len(found.wrong)
    params: dict[str, Any] = {"matches": count, "entries": found.entries, "wrong": len(found.wrong)}
    roots = {"leaves": found.store.size, "keys": len(found.store.keys)}
    click.echo(TEXTS["audit.matches"][lang].format(**params))
    click.echo(TEXTS["audit.roots" if found.store.is_sound else "audit.roots_wrong"][lang].format(**roots))


def _summary_to_dict(found: AuditSummary) -> dict[str, Any]:
    store = report_to_dict(found.store)
    return {
        "audited": found.sound + len(found.wrong),
        "sound": found.sound,
        "entries": found.entries,
        "matches": [report_to_dict(report) for report in found.wrong],
        "roots": {name: store[name] for name in ("size", "sound", "keys", "checks", "findings")},
        "kept": [finding_to_dict(each) for each in found.kept],
        "said": found.said,
        "last": found.last or None,
        "exit_code": found.exit_code,
    }
