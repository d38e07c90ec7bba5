"""The rulebook of tournaments: its clauses and texts."""

from __future__ import annotations

from pathlib import Path

from referee.engine.rulebook.book import KERNEL_RULEBOOK, Rulebook, read_yaml

HERE = Path(__file__).parent
INFRACTIONS = {name: each["says"] for name, each in read_yaml(HERE.parent / "penalties.yaml")["infractions"].items()}
TOURNAMENT_BOOK = Rulebook.load(HERE, base=KERNEL_RULEBOOK, names={**read_yaml(HERE / "words.yaml"), **INFRACTIONS})
