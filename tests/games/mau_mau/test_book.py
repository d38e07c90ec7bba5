"""The book: every clause is cited by the game and tested here; every text stands in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulebook.messages import find_placeholders
from referee.games import mau_mau
from referee.games.mau_mau import GAME

FOLDER = Path(mau_mau.__file__).parent
ID = re.compile(r"MM-(?:[A-Z]+-)+\d+(?:-R\d+)?")


def cited(paths: Any) -> set[str]:
    """The clause ids in these files."""
    return set(ID.findall("\n".join(path.read_text("utf-8") for path in paths)))


def test_each_clause_is_cited_by_the_game_and_tested() -> None:
    refereed = {name for name, clause in GAME.rulebook.clauses.items() if not clause.players_duty}
    assert cited([*FOLDER.rglob("*.py"), FOLDER / "cards.yaml"]) == refereed
    assert cited(Path(__file__).parent.glob("test_*.py")) == set(GAME.rulebook.clauses)


def test_each_ruling_says_what_was_open_and_why() -> None:
    for name, clause in GAME.rulebook.clauses.items():
        assert not clause.found, f"{name}: no rulebook has it"
        assert clause.reading is None or clause.reading in GAME.rulebook.clauses, name
        for part in (clause.says, clause.chapter, *((clause.open, clause.why) if "-AMB-" in name else ())):
            assert all(part.get(lang) for lang in LANGUAGES), name


def test_the_two_languages_of_a_text_have_the_same_placeholders_and_each_text_is_used() -> None:
    code = "\n".join(path.read_text("utf-8") for path in FOLDER.rglob("*.py"))
    for key, texts in GAME.rulebook.reasons.items():
        holes = [set(find_placeholders(texts[lang])) for lang in LANGUAGES]
        assert holes[0] == holes[1], key
        assert "." in key or f'"{key}"' in code, key
