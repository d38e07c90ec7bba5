"""The folder of a tournament: its plan, minds and records, and the page about it.

Each record is appended as one line as soon as its match has ended. A line that was torn when the program was killed is
cut off when the tournament goes on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.bots.tournaments.pairing import Plan
from referee.bots.tournaments.records import DamagedRecordsError, MatchRecord, parse_records
from referee.cli.commands.bots.words import say
from referee.infrastructure.errors import HostError
from referee.thoughts.digest import compute_part_digests

PLAN, MINDS, RECORDS, PAGE, PLOTS = "plan.json", "minds.json", "matches.jsonl", "report.html", "plots"


class TournamentFolderError(HostError):
    """A folder cannot take this tournament."""

    def __init__(self, key: str, lang: str, **values: Any) -> None:
        super().__init__(say(key, lang, **{name: str(value) for name, value in values.items()}))


class TournamentFolder:
    """Where the records of a tournament are kept."""

    def __init__(self, path: Path, lang: str = "en") -> None:
        self.path, self.lang = path, lang
        self.records = path / RECORDS

    def open(self, plan: Plan, *, resume: bool) -> dict[int, MatchRecord]:
        """Return the records that are there, by number, ready for more.

        Raises TournamentFolderError if the folder holds another tournament, damaged records, or a tournament that is
        not to go on, or was begun by other minds.
        """
        if self.path.is_dir() and any(self.path.iterdir()):
            return self._go_on(plan, resume=resume)
        if resume and not self.path.is_dir():
            raise TournamentFolderError("folder_missing", self.lang, folder=self.path)
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / PLAN).write_text(json.dumps(plan.to_dict(), ensure_ascii=False, indent=2) + "\n", "utf-8")
        (self.path / MINDS).write_text(json.dumps(compute_part_digests(plan.game), indent=2) + "\n", "utf-8")
        self.records.touch()
        return {}

    def _go_on(self, plan: Plan, *, resume: bool) -> dict[int, MatchRecord]:
        if not (self.path / PLAN).is_file():
            raise TournamentFolderError("folder_of_others", self.lang, folder=self.path)
        if not resume:
            raise TournamentFolderError("folder_taken", self.lang, folder=self.path)
        try:
            there = Plan.from_dict(json.loads((self.path / PLAN).read_text("utf-8")))
        except (ValueError, TypeError, AttributeError) as wrong:
            raise TournamentFolderError("folder_damaged", self.lang, file=self.path / PLAN) from wrong
        if there != plan:
            mine, theirs = plan.to_dict(), there.to_dict()
            differ = ", ".join(
                say("folder_differs", self.lang, name=name, there=str(theirs[name]), wanted=str(mine[name]))
                for name in mine
                if mine[name] != theirs[name]
            )
            raise TournamentFolderError("folder_other", self.lang, folder=self.path, differ=differ)
        self._require_same_minds(plan.game)
        data = self.records.read_bytes() if self.records.exists() else b""
        try:
            found, whole = parse_records(data)
        except DamagedRecordsError as wrong:
            raise TournamentFolderError("folder_record", self.lang, file=self.records, line=wrong.line) from wrong
        if whole < len(data):
            with self.records.open("r+b") as file:
                file.truncate(whole)
        return found

    def _require_same_minds(self, game: str) -> None:
        """Raise TournamentFolderError if the minds have changed.

        They are compared with those that began the tournament. Folders of former versions do not
        say by which minds they were begun.
        """
        if not (self.path / MINDS).is_file():
            return
        try:
            there: Any = json.loads((self.path / MINDS).read_text("utf-8"))
        except ValueError:
            there = None
        if not isinstance(there, dict) or not there:
            raise TournamentFolderError("folder_damaged", self.lang, file=self.path / MINDS)
        mine = compute_part_digests(game)
        if changed := [name for name in sorted({*there, *mine}) if there.get(name) != mine.get(name)]:
            raise TournamentFolderError("folder_minds", self.lang, folder=self.path, parts=", ".join(changed))

    def append(self, record: MatchRecord) -> None:
        """Add a record."""
        with self.records.open("a", encoding="utf-8") as file:
            file.write(record.to_line())

    def write_page(self, page: str, plots: Mapping[str, str]) -> Path:
        """Write the page about the tournament and return its path.

        Each of its plots is written as a file too.
        """
        folder = self.path / PLOTS
        folder.mkdir(exist_ok=True)
        for name, plot in plots.items():
            (folder / name).write_text(plot, "utf-8")
        path = self.path / PAGE
        path.write_text(page, "utf-8")
        return path
