"""Every clause that the code cites exists; every text that a rule speaks exists in both languages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from referee.cli.commands.rulings import coverage
from referee.engine.codec import REGISTRY
from referee.engine.events import Move
from referee.engine.rulebook.book import KERNEL, Book
from referee.engine.steps import Step
from referee.games import games
from referee.match.rulebook import TABLE

ROOT = Path(__file__).parents[2]
ID = re.compile(
    r"\b(?:MC|SM|HTS|CC|CARDS|KERNEL|TABLE)-[A-Z0-9]+(?:-[A-Z0-9]+)*(?:-?\d+[a-z]?)\b"
    r"|\bMK-\d+(?:\.\d+)?(?:-R\d+)?\b"  # a section without its number is no clause, and found to be wrong
)


def known() -> set[str]:
    found = set(KERNEL.clauses) | set(TABLE.clauses)
    for game in games().values():
        book: Book | None = game.book
        while book is not None:
            found |= set(book.clauses)
            book = book.base
    return found


CARDS = Book.load(ROOT / "referee" / "cardscript", base=KERNEL)


def test_each_id_cited_in_code_exists() -> None:
    clauses, wrong = known(), []
    for room in ("referee", "api", "workers"):
        for path in (ROOT / room).rglob("*.py"):
            for name in ID.findall(path.read_text("utf-8")):
                if name not in clauses:
                    wrong.append(f"{path.relative_to(ROOT)}: {name}")
    assert not wrong


def test_the_id_of_each_clause_is_read_whole() -> None:
    for name in (*known(), "MK-4.10", "MK-26.1", "MK-8.7-R2", "CC-ZONE-ADJ-1", "CC-AMB-3"):
        for pattern in (ID, coverage.ID):
            assert pattern.findall(f"As {name}. ({name}; {name})") == [name] * 3


def refusals(path: Path) -> list[tuple[str, bool]]:
    """The literal reason keys of `Refused(...)` and `Unknown(...)` in a file, and whether a clause is cited."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id in ("Refused", "Unknown") and node.args and isinstance(node.args[0], ast.Constant):
            found.append((str(node.args[0].value), len(node.args) > 1 or node.func.id == "Unknown"))
    return found


def test_every_refusal_cites_a_clause_and_has_its_texts() -> None:
    wrong = []
    for path in (ROOT / "referee").rglob("*.py"):
        parts = path.relative_to(ROOT).parts
        others = CARDS if parts[1] == "cardscript" else TABLE
        book = games()[parts[2]].book if parts[1] == "games" and len(parts) > 3 else others
        for key, cites in refusals(path):
            if not cites or not book.has(key):
                wrong.append(f"{path.relative_to(ROOT)}: {key}")
    assert not wrong


@pytest.mark.parametrize("name", games())
def test_every_question_and_move_of_a_game_has_its_texts(name: str) -> None:
    game, wrong = games()[name], []
    for move in game.moves:
        if not game.book.has(f"move.{move.TAG}"):
            wrong.append(move.TAG)
    for tag, kind in REGISTRY.items():
        asks = issubclass(kind, Step) and kind.candidates is not Step.candidates
        if tag.startswith(game.prefix + ".") and asks and not game.book.has(f"question.{tag.rpartition('.')[2]}"):
            wrong.append(tag)
    assert not wrong


@pytest.mark.parametrize("name", games())
def test_move_types_carry_the_prefix_of_their_game(name: str) -> None:
    game = games()[name]
    assert all(move.TAG.startswith((game.prefix + ".", "choose.", "chance.", "clock.")) for move in game.moves)
    assert all(issubclass(move, Move) for move in game.moves)
