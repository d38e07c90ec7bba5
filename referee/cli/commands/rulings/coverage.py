"""`referee rules coverage`: which clauses are cited, tested and emitted.

A clause is cited if its id stands in a string of the room's code, docstrings included. Comments do not count. A card
that names a clause cites it too, because its text is carried out as written. A clause is tested if a passed test is
marked with it. It is emitted if a ruling, an event, a sum or an error of a position named it while the tests ran: what
only a docstring names, no player ever reads. The committed record, `referee/coverage.json`, says so, or a fresh record
of the last test run. A clause that only the players can observe (`players_duty`) needs none of this, and one that the
program cannot but keep to (`by_construction`) is not emitted. Clauses that are not emitted yet stand in the committed
record as silent: none may be added.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.table import Table

import referee
from referee.cli.output import make_console, print_json
from referee.engine.rulebook.book import KERNEL_RULEBOOK, Clause, Rulebook, read_yaml
from referee.games import load_games
from referee.infrastructure.errors import HostError
from referee.match.rulebook import TABLE_BOOK
from referee.rendering.plots import figures
from referee.rendering.plots.drawing import Plot
from referee.tournament.rulebook import TOURNAMENT_BOOK

PACKAGE_FOLDER = Path(referee.__file__).parent
OF_THE_TABLE = (
    *("match", "rendering", "census", "arbitration", "repository", "position_rulings", "service", "queries"),
    *("transcript", "transfer"),
)  # the rooms whose code carries out the clauses of the table
COMMITTED_RECORD = PACKAGE_FOLDER / "coverage.json"
CLAUSE_ID = re.compile(r"\b[A-Z]{2,}(?:-[A-Z0-9]+)+(?:\.\d+)?[a-z]?(?:-R\d+)?\b")  # a book may number section.clause
Record = Mapping[str, int]  # clause id -> how many tests exercise it


@dataclass(frozen=True)
class BookCoverage:
    """The coverage of one rulebook."""

    name: str
    clauses: Mapping[str, Clause]
    cited: frozenset[str]
    tests: Record
    emitted: frozenset[str] = frozenset()

    @cached_property
    def silent(self) -> list[str]:
        """The clauses that nothing emits, although rulings or events should."""
        return [
            name
            for name, clause in self.clauses.items()
            if name not in self.emitted and not clause.players_duty and not clause.by_construction
        ]

    @cached_property
    def players_duties(self) -> list[str]:
        """The clauses that only the players can observe."""
        return [name for name, clause in self.clauses.items() if clause.players_duty]

    @cached_property
    def not_cited(self) -> list[str]:
        """The clauses that no code cites, although it should."""
        return [name for name in self.clauses if name not in self.cited and name not in self.players_duties]

    @cached_property
    def not_tested(self) -> list[str]:
        """The clauses that no test exercises, although one should."""
        return [name for name in self.clauses if not self.tests.get(name) and name not in self.players_duties]

    @cached_property
    def unknown_ids(self) -> list[str]:
        """The cited ids that look like this book's and are not in it."""
        families = {name.partition("-")[0] for name in self.clauses}
        return sorted(name for name in self.cited - self.clauses.keys() if name.partition("-")[0] in families)

    @property
    def is_complete(self) -> bool:
        """Whether every clause is cited and tested and every id is known."""
        return not (self.not_cited or self.not_tested or self.unknown_ids)

    def to_dict(self) -> dict[str, Any]:
        """Return the coverage as JSON data."""
        return {
            "book": self.name,
            "clauses": len(self.clauses),
            "cited": sum(name in self.cited for name in self.clauses),
            "tested": sum(bool(self.tests.get(name)) for name in self.clauses),
            "emitted": sum(name in self.emitted for name in self.clauses),
            "by_construction": sum(clause.by_construction for clause in self.clauses.values()),
            "players_duty": len(self.players_duties),
            "not_cited": self.not_cited,
            "not_tested": self.not_tested,
            "silent": self.silent,
            "unknown": self.unknown_ids,
        }


def find_citations(sources: Iterable[Path]) -> Iterator[str]:
    """Yield every clause id in a string of these files."""
    for path in sources:
        for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from CLAUSE_ID.findall(node.value)


def find_card_citations(folder: Path) -> Iterator[str]:
    """Yield every clause id that a card of the game in this folder cites."""
    for path in sorted((folder / "cards").glob("*.yaml")):
        for card in read_yaml(path):
            yield from card.get("clauses", ())


def iterate_books() -> Iterator[tuple[str, Rulebook, tuple[Path, ...]]]:
    """Yield every rulebook with its name and the folders that implement it.

    The games come first, then the shared rulebooks.
    """
    for name, game in load_games().items():
        yield name, game.rulebook, (Path(str(importlib.import_module(f"referee.games.{name}").__file__)).parent,)
    yield "engine", KERNEL_RULEBOOK, (PACKAGE_FOLDER / "engine",)
    yield "cardscript", Rulebook.load(PACKAGE_FOLDER / "cardscript"), (PACKAGE_FOLDER / "cardscript",)
    yield "table", TABLE_BOOK, tuple(PACKAGE_FOLDER / room for room in OF_THE_TABLE)
    yield "tournament", TOURNAMENT_BOOK, (PACKAGE_FOLDER / "tournament",)


def survey_books(record: Record, emitted: frozenset[str] = frozenset()) -> list[BookCoverage]:
    """Return the coverage of every rulebook according to a record.

    `emitted` are the clauses that were emitted in that run.
    """
    return [
        BookCoverage(
            name,
            book.clauses,
            frozenset(
                id_
                for folder in folders
                for id_ in (*find_citations(sorted(folder.rglob("*.py"))), *find_card_citations(folder))
            ),
            record,
            emitted,
        )
        for name, book, folders in iterate_books()
    ]


def read_record(path: Path) -> Record:
    """Return the record in a file: each clause with the number of its tests.

    The record of a test run names the tests, and the committed one counts them. Raises HostError if the file is no
    record.
    """
    try:
        clauses = json.loads(path.read_text("utf-8"))["clauses"]
        return {str(clause): tests if type(tests) is int else len(tests) for clause, tests in clauses.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise HostError(f"{path} is not a record of tested clauses: {wrong}") from wrong


def read_emitted(path: Path) -> frozenset[str]:
    """Return the clauses that were emitted according to the record in a file.

    The committed record names the silent ones. Raises HostError if the file is no record.
    """
    try:
        record = json.loads(path.read_text("utf-8"))
        if "silent" in record:
            silent = set(record["silent"])
            return frozenset(name for _, book, _ in iterate_books() for name in book.clauses if name not in silent)
        return frozenset(map(str, record["emitted"]))
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise HostError(f"{path} is not a record of emitted clauses: {wrong}") from wrong


def write_record(fresh: Path) -> None:
    """Write the committed record from the record of a test run.

    It holds each clause with the number of its tests, and the clauses that nothing emits.
    """
    tests = read_record(fresh)
    silent = sorted(name for book in survey_books(tests, read_emitted(fresh)) for name in book.silent)
    record = {"clauses": dict(sorted(tests.items())), "silent": silent}
    COMMITTED_RECORD.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def report_coverage(fresh: Path | None, *, check: bool, as_json: bool, plot: Path | None = None) -> int:
    """Print the coverage of the rulebooks, and return the exit code.

    With `check` the code is 1 unless every rulebook is complete and a fresh record, if one is given, has the same
    clauses as the committed one and no other silent ones. `plot`: the file that the figures are drawn into. Raises
    HostError if it cannot be written.
    """
    record, emitted = read_record(fresh or COMMITTED_RECORD), read_emitted(fresh or COMMITTED_RECORD)
    surveyed = survey_books(record, emitted)
    drift = []
    if check and fresh:
        known = read_emitted(COMMITTED_RECORD)
        newly_silent = {name for book in surveyed for name in book.silent if name in known}
        drift = sorted(record.keys() ^ read_record(COMMITTED_RECORD).keys() | newly_silent)
    well = all(book.is_complete for book in surveyed) and not drift
    if plot is not None:
        try:
            plot.write_text(plot_books(surveyed).to_file(), "utf-8")
        except OSError as wrong:
            raise HostError(f"{plot} cannot be written: {wrong.strerror}") from wrong
    if as_json:
        print_json({"books": [book.to_dict() for book in surveyed], "drift": drift, "whole": well})
    else:
        _print_coverage(surveyed, drift)
    return 1 if check and not well else 0


def plot_books(surveyed: Iterable[BookCoverage]) -> Plot:
    """Return how many clauses of each rulebook are tested, as a picture."""
    games = load_games()
    counts = [
        figures.count_clauses(
            games[book.name].title["en"] if book.name in games else book.name,
            book.clauses,
            {name for name, tests in book.tests.items() if tests},
            set(book.silent),
        )
        for book in surveyed
    ]
    return figures.plot_coverage(counts, "en")


def _print_coverage(surveyed: list[BookCoverage], drift: list[str]) -> None:
    out = make_console()
    columns = ("clauses", "cited", "tested", "emitted", "by_construction", "players_duty")
    titles = ("clauses", "cited", "tested", "emitted", "by construction", "players' duty")
    table = Table("book", *titles, box=None)
    for book in surveyed:
        data = book.to_dict()
        table.add_row(book.name, *(str(data[column]) for column in columns))
    out.print(table)
    for book in surveyed:
        for title, missing in (
            ("not cited", book.not_cited),
            ("not tested", book.not_tested),
            ("never emitted", book.silent),
            ("cited, but in no book", book.unknown_ids),
        ):
            if missing:
                out.print(f"{book.name}: {title}: {' '.join(missing)}")
    if drift:
        out.print(f"the committed record is out of date: {' '.join(drift)}")
