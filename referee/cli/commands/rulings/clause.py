"""`referee rules show`: a clause with its texts, code and tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from referee.cli.commands.rulings import coverage
from referee.cli.output import make_console, print_json
from referee.engine.rulebook.book import CLAUSE_TEXTS

WORDS = {
    "en": {"refusals": "refusal", "events": "event", "code": "code", "tests": "tests"},
    "de": {"refusals": "Ablehnung", "events": "Ereignis", "code": "Programm", "tests": "Tests"},
}


def print_clause(name: str, *, lang: str, as_json: bool) -> None:
    """Print a clause. Raises UsageError if no rulebook has it."""
    data = describe_clause(name)
    if as_json:
        print_json(data)
        return
    out = make_console()
    place = f"{escape(data['chapter'].get(lang, ''))}  [dim]{escape(data['found'].get(lang, ''))}[/dim]"
    out.print(f"[bold]{escape(name)}[/bold]  {place}")
    for part in ("open", "says", "why"):
        if data[part]:
            out.print(escape(data[part][lang]))
    for part in CLAUSE_TEXTS:
        for key, text in data[part].items():
            out.print(f"{WORDS[lang][part]} [dim]{escape(key)}[/dim]: {escape(text[lang])}")
    for file, lines in data["code"].items():
        out.print(f"{WORDS[lang]['code']} {escape(file)}: {', '.join(map(str, lines))}")
    out.print(f"{WORDS[lang]['tests']}: {data['tests']}")


def describe_clause(name: str) -> dict[str, Any]:
    """Return a clause as JSON data. Raises UsageError if no rulebook has it."""
    found = next(((book, folders) for _, book, folders in coverage.iterate_books() if name in book.clauses), None)
    if found is None:
        raise click.UsageError(f"no rulebook has a clause {name}")
    book, folders = found
    clause = book.clauses[name]
    texts = {key: book.reasons[key] for key, home in book.clause_by_text.items() if home == name}
    events = {key.removeprefix("fact."): text for key, text in texts.items() if key.startswith("fact.")}
    return {
        "id": name,
        "chapter": clause.chapter,
        "found": clause.found,
        "open": clause.open,
        "says": clause.says,
        "why": clause.why,
        "refusals": {key: text for key, text in texts.items() if not key.startswith("fact.")},
        "events": events,
        "code": find_citing_lines(name, folders),
        "tests": coverage.read_record(coverage.COMMITTED_RECORD).get(name, 0),
    }


def find_citing_lines(name: str, folders: Iterable[Path]) -> dict[str, list[int]]:
    """Return the lines that cite a clause, by file, counted from 1."""
    found: dict[str, list[int]] = {}
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if name in coverage.CLAUSE_ID.findall(line):
                found.setdefault(str(path.relative_to(coverage.PACKAGE_FOLDER.parent)), []).append(number)
    return found
