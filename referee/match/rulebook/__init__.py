"""The rulebook of the table: clauses and texts that matches of every game share."""

from __future__ import annotations

from pathlib import Path

from referee.engine.rulebook.book import KERNEL_RULEBOOK, Rulebook, read_yaml

HERE = Path(__file__).parent
TABLE_BOOK = Rulebook.load(HERE, base=KERNEL_RULEBOOK, names=read_yaml(HERE / "words.yaml"))
