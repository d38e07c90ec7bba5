"""The folder of a tournament: its plan, minds and records, and the page about it.

Each record is appended as one line as soon as its match has ended. A line that was torn when the program was killed is
cut off when the tournament goes on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from referee.bots.tournaments.pairing import Plan
from referee.bots.tournaments.records import DamagedRecordsError, MatchRecord, parse_records
from referee.infrastructure.errors import HostError
from referee.thoughts.digest import compute_part_digests

PLAN, MINDS, RECORDS, PAGE, PLOTS = "plan.json", "minds.json", "matches.jsonl", "report.html", "plots"


class TournamentFolderError(HostError):
    """A folder cannot take this tournament."""


class TournamentFolder:
    """Where the records of a tournament are kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = path / RECORDS

    def open(self, plan: Plan, *, resume: bool) -> dict[int, MatchRecord]:
        """Return the records that are there, by number, ready for more.

        Raises TournamentFolderError if the folder holds another tournament, damaged records, or a tournament that is
        not to go on, or was begun by other minds.
        """
        if self.path.is_dir() and any(self.path.iterdir()):
            return self._go_on(plan, resume=resume)
        if resume and not self.path.is_dir():
            raise TournamentFolderError(
                f"{self.path} does not exist, so there is nothing to resume; leave out --resume"
            )
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / PLAN).write_text(json.dumps(plan.to_dict(), ensure_ascii=False, indent=2) + "\n", "utf-8")
        (self.path / MINDS).write_text(json.dumps(compute_part_digests(plan.game), indent=2) + "\n", "utf-8")
        self.records.touch()
        return {}

    def _go_on(self, plan: Plan, *, resume: bool) -> dict[int, MatchRecord]:
        if not (self.path / PLAN).is_file():
            raise TournamentFolderError(f"{self.path} is not empty and holds no tournament; choose another folder")
        if not resume:
            raise TournamentFolderError(
                f"{self.path} holds a tournament; add --resume to go on, or choose another folder"
            )
        try:
            there = Plan.from_dict(json.loads((self.path / PLAN).read_text("utf-8")))
        except (ValueError, TypeError, AttributeError) as wrong:
            raise TournamentFolderError(f"{self.path / PLAN} is damaged: {wrong}") from wrong
        if there != plan:
            mine, theirs = plan.to_dict(), there.to_dict()
            differ = ", ".join(
                f"{name}: {theirs[name]}, not {mine[name]}" for name in mine if mine[name] != theirs[name]
            )
            raise TournamentFolderError(f"{self.path} holds another tournament ({differ})")
        self._require_same_minds(plan.game)
        data = self.records.read_bytes() if self.records.exists() else b""
        try:
            found, whole = parse_records(data)
        except DamagedRecordsError as wrong:
            raise TournamentFolderError(f"{self.records}: {wrong}") from wrong
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
            there, mine = dict(json.loads((self.path / MINDS).read_text("utf-8"))), compute_part_digests(game)
        except (ValueError, TypeError) as wrong:
            raise TournamentFolderError(f"{self.path / MINDS} is damaged: {wrong}") from wrong
        if changed := [name for name in sorted({*there, *mine}) if there.get(name) != mine.get(name)]:
            raise TournamentFolderError(
                f"{self.path} was begun by other minds: {', '.join(changed)} of the program changed since; "
                "go on with the version that began it, or choose another folder"
            )

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
