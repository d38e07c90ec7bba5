"""The rulebook of the table: clauses and texts of what every match shares, whatever game is played."""

from __future__ import annotations

from pathlib import Path

from referee.engine.rulebook.book import KERNEL, Book, read_yaml

HERE = Path(__file__).parent
TABLE = Book.load(HERE, base=KERNEL, names=read_yaml(HERE / "words.yaml"))
