"""`referee verify`: verifies bundles in files, without a server.

The exit code is that of the gravest finding.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from referee.audit.bundles.files import (
    MOST_BYTES,
    PublicKeyError,
    ReceiptFileError,
    parse_bundle_bytes,
    parse_notes,
    parse_public_key,
    read_bundle_file,
)
from referee.audit.bundles.format import Bundle, BundleError
from referee.audit.checks.findings import AuditReport, find_gravest_exit_code
from referee.audit.checks.verifier import build_unreadable_report, check_bundle
from referee.audit.comparison import compare_histories, read_history
from referee.audit.outside import KeptStamp, Vouchers, check_stamps, check_witnesses, index_places
from referee.audit.refusals import KeptRefusal, RefusalFileError, check_refusals, parse_refusals
from referee.audit.reporting import comparison_to_dict, render_comparison, render_report, report_to_dict
from referee.audit.tournaments.tables import compare_tables
from referee.audit.verdicts import REQUIREMENTS, UNMET_EXIT_CODE, describe_unmet, find_unmet
from referee.cli.client import ApiClient
from referee.cli.commands.histories.server_proofs import compare_with_server
from referee.cli.commands.rulings.judge import InvalidDataError, UnreadableInputError
from referee.cli.exit_codes import CommandMisuseError
from referee.cli.output import print_json
from referee.cli.progress import show_progress
from referee.infrastructure.publication.stamp_files import CHECKPOINT, RESPONSE, iterate_stamps, read_small_file
from referee.infrastructure.publication.stamps import read_certificates
from referee.rendering.html import sanitize_line
from referee.transparency.cosignatures import WitnessKey, parse_witness_key

LONGEST_KEY = 4096
LONGEST_NOTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class OutsideFiles:
    """Files of what others than the server say of its root log."""

    stamps: Sequence[Path] = ()
    certificates: Sequence[Path] = ()
    witnesses: Sequence[WitnessKey] = ()

    def read_stamps(self) -> list[KeptStamp]:
        """Return the timestamps in all folders. Raises HostError."""
        return [
            KeptStamp(str(folder), read_small_file(folder / CHECKPOINT), read_small_file(folder / RESPONSE))
            for path in self.stamps
            for folder in iterate_stamps(path)
        ]

    def read_vouchers(self) -> Vouchers:
        """Return whom the checker knows. Raises HostError."""
        return Vouchers(self.witnesses, [each for path in self.certificates for each in read_certificates(path)])


def verify_files(
    files: Sequence[str],
    receipts: Sequence[Path],
    keys: Sequence[str],
    *,
    lang: str,
    as_json: bool,
    roots: Sequence[Path] = (),
    server: str | None = None,
    required: Sequence[str] = (),
    outside: OutsideFiles | None = None,
    refusals: Sequence[Path] = (),
    thoughts: bool = False,
) -> int:
    """Verify and compare files, print the reports, and return the exit code.

    `-` is standard input; of a folder all files that end in `.bundle` are taken. `roots` are files of checkpoints of
    root logs. With a `server`, it is asked to prove that its logs only grew. The code is that of the gravest finding,
    or UNMET_EXIT_CODE if nothing is wrong and something is missing of what is `required`. Raises CommandMisuseError (no
    key), UnreadableInputError, InvalidDataError (no receipts, an empty folder), HostError (the server does not answer).
    """
    trusted = [read_public_key(key) for key in keys]
    kept = [(str(path), note) for path in receipts for note in read_receipts(path)]
    checkpoints = [(str(path), note) for path in roots for note in read_receipts(path)]
    outside = outside or OutsideFiles()
    stamps = outside.read_stamps()
    checkpoints += [(each.source, each.note) for each in stamps]
    vouchers = outside.read_vouchers()
    names, notes = list_bundles(files), [note for _, note in kept]
    found = list(_check_files(names, trusted, notes, vouchers, thoughts=thoughts, as_json=as_json))
    read = [(bundle, report) for _, report, bundle in found if bundle is not None]
    found = [
        (name, report if bundle is None else compare_tables(bundle, report, read), bundle)
        for name, report, bundle in found
    ]
    histories = [read_history(name, bundle, trusted) for name, _, bundle in found if bundle is not None]
    compared = compare_histories(histories, kept, checkpoints, trusted)
    refused = [each for path in refusals for each in read_refusals(path)]
    check_refusals(refused, [bundle for _, _, bundle in found if bundle is not None], trusted, compared)
    places = index_places(histories)
    check_stamps(stamps, vouchers.certificates, compared, places)
    check_witnesses(checkpoints, outside.witnesses, compared, places)
    if server is not None:
        compare_with_server(ApiClient(server), compared, histories, trusted)
    codes = (find_gravest_exit_code(report for _, report, _ in found), compared.exit_code)
    missing = {name: find_unmet(report, required) for name, report, _ in found}
    code = min((each for each in codes if each), default=UNMET_EXIT_CODE if any(missing.values()) else 0)
    if as_json:
        told = [{"file": name, **report_to_dict(report), "unmet": list(missing[name])} for name, report, _ in found]
        print_json({"files": told, "comparison": comparison_to_dict(compared), "exit_code": code})
        return code
    for at, (name, report, _) in enumerate(found):
        if at:
            click.echo()
        if len(found) > 1:
            click.echo(sanitize_line(name))
        for line in render_report(report, lang):
            click.echo(sanitize_line(line))
        if missing[name]:
            click.echo(sanitize_line(describe_unmet(missing[name])[lang]))
    if len(found) > 1 or checkpoints or outside.witnesses or refused or server is not None or compared.findings:
        for line in (*([""] if found else []), *render_comparison(compared, lang)):
            click.echo(sanitize_line(line))
    return code


def list_bundles(files: Sequence[str]) -> list[str]:
    """Return the names of files, with the bundles of each folder in its place.

    Raises InvalidDataError if a folder has none.
    """
    found: list[str] = []
    for name in files:
        path = Path(name)
        if name == "-" or not path.is_dir():
            found.append(name)
            continue
        inside = sorted(str(each) for each in path.glob("*.bundle") if each.is_file())
        if not inside:
            raise InvalidDataError(f"{name}: no file in this folder ends in .bundle")
        found += inside
    return found


def _check_files(
    files: Iterable[str], trusted: list[bytes], notes: list[str], vouchers: Vouchers, *, thoughts: bool, as_json: bool
) -> Iterable[tuple[str, AuditReport, Bundle | None]]:
    """Yield each file with its report, and the bundle if it is one.

    A receipt is checked against the files of its match. If there is none, it is checked against the first readable
    file, whose report then says that it belongs to another match.
    """
    read: list[tuple[str, Bundle | AuditReport]] = [(name, _read_bundle(name)) for name in files]
    matches = {found.header.match for _, found in read if isinstance(found, Bundle)}
    stray = [note for note in notes if parse_match_id(note) not in matches]
    for name, found in read:
        if isinstance(found, AuditReport):
            yield name, found, None
            continue
        own = [note for note in notes if parse_match_id(note) == found.header.match]
        with _watch_thoughts(found, is_shown=thoughts and not as_json) as note_thought:
            asked = note_thought if thoughts else None
            report = check_bundle(found, trusted, own + stray, vouchers=vouchers, note_thought=asked)
        yield name, report, found
        stray = []


@contextmanager
def _watch_thoughts(bundle: Bundle, *, is_shown: bool) -> Iterator[Callable[[], None]]:
    """Show how many thoughts of bots were repeated."""
    count = sum('"actor":"bot"' in line.envelope for line in bundle.entries) if is_shown else 0
    done = itertools.count(1)
    with show_progress("repeated thoughts", count, is_hidden=not count) as note:
        yield lambda: note(next(done))


def read_refusals(path: Path) -> list[KeptRefusal]:
    """Return the refusals of a file. Raises UnreadableInputError, InvalidDataError."""
    try:
        text = read_small_file(path).decode()
        return parse_refusals(str(path), text)
    except (UnicodeDecodeError, RefusalFileError) as wrong:
        raise InvalidDataError(f"{path}: {wrong}") from wrong


def parse_requirements(given: str) -> tuple[str, ...]:
    """Return the requirements in a comma list. Raises CommandMisuseError."""
    names = tuple(name.strip() for name in given.split(",") if name.strip())
    if unknown := [name for name in names if name not in REQUIREMENTS]:
        raise CommandMisuseError(f"--require: {unknown[0]} is none of {', '.join(REQUIREMENTS)}")
    return names


def parse_witnesses(given: Sequence[str]) -> list[WitnessKey]:
    """Return the keys of witnesses. Raises CommandMisuseError."""
    try:
        return [parse_witness_key(text) for text in given]
    except ValueError as wrong:
        raise CommandMisuseError(f"--witness: {wrong}") from wrong


def parse_match_id(note: str) -> str:
    """Return the match that a receipt names."""
    return note.partition("\n")[0].rpartition("/")[2]


def _read_bundle(name: str) -> Bundle | AuditReport:
    try:
        return (
            parse_bundle_bytes(sys.stdin.buffer.read(MOST_BYTES + 1)) if name == "-" else read_bundle_file(Path(name))
        )
    except BundleError as wrong:
        return build_unreadable_report("", wrong)
    except OSError as wrong:
        raise UnreadableInputError(f"{name} cannot be read: {wrong.strerror}") from wrong


def read_receipts(path: Path) -> list[str]:
    """Return the receipts or checkpoints in a file.

    Raises UnreadableInputError, InvalidDataError.
    """
    try:
        with path.open("rb") as source:
            raw = source.read(LONGEST_NOTES + 1)
    except OSError as wrong:
        raise UnreadableInputError(f"{path} cannot be read: {wrong.strerror}") from wrong
    try:
        if len(raw) > LONGEST_NOTES:
            raise ReceiptFileError("it is too long")
        return parse_notes(raw)
    except ReceiptFileError as wrong:
        raise InvalidDataError(f"{path} holds no receipts or checkpoints: {wrong}") from wrong


def read_public_key(given: str) -> bytes:
    """Return a public key from its text, or from a file of that name.

    Raises UnreadableInputError, CommandMisuseError (no key).
    """
    path = Path(given)
    try:
        if len(given) < LONGEST_KEY and path.is_file():
            with path.open("rb") as source:
                given = source.read(LONGEST_KEY).decode("utf-8", "replace")
    except OSError as wrong:
        raise UnreadableInputError(f"{path} cannot be read: {wrong.strerror}") from wrong
    try:
        return parse_public_key(given)
    except PublicKeyError as wrong:
        raise CommandMisuseError(f"--key: {wrong}") from wrong
