"""`referee verify`: bundles in files, checked without a server; the exit code tells the gravest kind of failure."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from referee.audit.bundles.files import MOST_BYTES, BadKey, BadNotes, bundle_at, bundle_of, notes_in, public_key
from referee.audit.bundles.format import BadBundle, Bundle
from referee.audit.checks.findings import Report, gravest
from referee.audit.checks.verifier import checked, unreadable
from referee.audit.reporting import as_data, as_lines
from referee.cli.commands.rulings.judge import NoInput, WrongData
from referee.cli.exit_codes import Misused
from referee.cli.output import print_json
from referee.rendering.html import shown

LONGEST_KEY = 4096
LONGEST_NOTES = 16 * 1024 * 1024


def verify(files: Sequence[str], receipts: Sequence[Path], keys: Sequence[str], *, lang: str, as_json: bool) -> int:
    """Prints what is to be said of each file (`-`: standard input); the exit code is that of the gravest failure.

    Raises Misused (no key), NoInput, WrongData (no receipts).
    """
    trusted = [key_of(key) for key in keys]
    kept = [note for path in receipts for note in notes(path)]
    found = list(_checked(files, trusted, kept))
    code = gravest(report for _, report in found)
    if as_json:
        print_json({"files": [{"file": name, **as_data(report)} for name, report in found], "exit_code": code})
        return code
    for at, (name, report) in enumerate(found):
        if at:
            click.echo()
        if len(found) > 1:
            click.echo(shown(name))
        for line in as_lines(report, lang):
            click.echo(shown(line))
    return code


def _checked(files: Iterable[str], trusted: list[bytes], notes: list[str]) -> Iterable[tuple[str, Report]]:
    """The report on each file. A receipt is shown to the files of its match; one that belongs to none, to the first
    that could be read, which says so."""
    read: list[tuple[str, Bundle | Report]] = [(name, _read(name)) for name in files]
    matches = {found.header.match for _, found in read if isinstance(found, Bundle)}
    stray = [note for note in notes if match_of(note) not in matches]
    for name, found in read:
        if isinstance(found, Report):
            yield name, found
            continue
        own = [note for note in notes if match_of(note) == found.header.match]
        yield name, checked(found, trusted, own + stray)
        stray = []


def match_of(note: str) -> str:
    """The match that a receipt names."""
    return note.partition("\n")[0].rpartition("/")[2]


def _read(name: str) -> Bundle | Report:
    try:
        return bundle_of(sys.stdin.buffer.read(MOST_BYTES + 1)) if name == "-" else bundle_at(Path(name))
    except BadBundle as wrong:
        return unreadable("", wrong)
    except OSError as wrong:
        raise NoInput(f"{name} cannot be read: {wrong.strerror}") from wrong


def notes(path: Path) -> list[str]:
    """The receipts in a file. Raises NoInput, WrongData."""
    try:
        with path.open("rb") as source:
            raw = source.read(LONGEST_NOTES + 1)
    except OSError as wrong:
        raise NoInput(f"{path} cannot be read: {wrong.strerror}") from wrong
    try:
        if len(raw) > LONGEST_NOTES:
            raise BadNotes("it is too long")
        return notes_in(raw)
    except BadNotes as wrong:
        raise WrongData(f"{path} holds no receipts: {wrong}") from wrong


def key_of(given: str) -> bytes:
    """The key that was given, be it itself or the name of a file in which it stands. Raises NoInput, Misused."""
    path = Path(given)
    try:
        if len(given) < LONGEST_KEY and path.is_file():
            with path.open("rb") as source:
                given = source.read(LONGEST_KEY).decode("utf-8", "replace")
    except OSError as wrong:
        raise NoInput(f"{path} cannot be read: {wrong.strerror}") from wrong
    try:
        return public_key(given)
    except BadKey as wrong:
        raise Misused(f"--key: {wrong}") from wrong
