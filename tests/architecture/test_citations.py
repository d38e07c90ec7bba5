"""Every clause that the code cites exists; every text that a rule speaks exists in both languages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from referee.cli.commands.rulings import coverage
from referee.engine.codec import REGISTRY
from referee.engine.events import Move
from referee.engine.rulebook.book import KERNEL_RULEBOOK, Rulebook
from referee.engine.steps import Step
from referee.games import load_games
from referee.match.rulebook import TABLE_BOOK
from referee.tournament.rulebook import TOURNAMENT_BOOK

ROOT = Path(__file__).parents[2]
ID = re.compile(
    r"\b(?:MC|SM|HTS|CC|MM|CARDS|KERNEL|TABLE|TOURNAMENT)-[A-Z0-9]+(?:-[A-Z0-9]+)*(?:-?\d+[a-z]?)\b"
    r"|\bMK-\d+(?:\.\d+)?(?:-R\d+)?\b"  # a section without its number is no clause, and found to be wrong
)


def known() -> set[str]:
    found = set(KERNEL_RULEBOOK.clauses) | set(TABLE_BOOK.clauses) | set(TOURNAMENT_BOOK.clauses)
    for game in load_games().values():
        book: Rulebook | None = game.rulebook
        while book is not None:
            found |= set(book.clauses)
            book = book.base
    return found


CARDS = Rulebook.load(ROOT / "referee" / "cardscript", base=KERNEL_RULEBOOK)


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
        for pattern in (ID, coverage.CLAUSE_ID):
            assert pattern.findall(f"As {name}. ({name}; {name})") == [name] * 3


def refusals(path: Path) -> list[tuple[str, bool]]:
    """Return the literal reason keys of `IllegalMove(...)` and `Undetermined(...)`, and whether a clause is cited."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if (
            node.func.id in ("IllegalMove", "NotAsked", "Undetermined")
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            found.append((str(node.args[0].value), len(node.args) > 1 or node.func.id == "Undetermined"))
    return found


def test_every_refusal_cites_a_clause_and_has_its_texts() -> None:
    wrong, found = [], 0
    for path in (ROOT / "referee").rglob("*.py"):
        parts = path.relative_to(ROOT).parts
        others = {"cardscript": CARDS, "tournament": TOURNAMENT_BOOK}.get(parts[1], TABLE_BOOK)
        book = load_games()[parts[2]].rulebook if parts[1] == "games" and len(parts) > 3 else others
        for key, cites in refusals(path):
            found += 1
            if not cites or not book.has_text(key):
                wrong.append(f"{path.relative_to(ROOT)}: {key}")
    assert not wrong
    assert found > 100


@pytest.mark.parametrize("name", load_games())
def test_every_question_and_move_of_a_game_has_its_texts(name: str) -> None:
    game, wrong = load_games()[name], []
    for move in game.move_types:
        if not game.rulebook.has_text(f"move.{move.TAG}"):
            wrong.append(move.TAG)
    for tag, kind in REGISTRY.items():
        asks = issubclass(kind, Step) and kind.candidate_moves is not Step.candidate_moves
        if (
            tag.startswith(game.prefix + ".")
            and asks
            and not game.rulebook.has_text(f"question.{tag.rpartition('.')[2]}")
        ):
            wrong.append(tag)
    assert not wrong


@pytest.mark.parametrize("name", load_games())
def test_move_types_carry_the_prefix_of_their_game(name: str) -> None:
    game = load_games()[name]
    assert all(move.TAG.startswith((game.prefix + ".", "choose.", "chance.", "clock.")) for move in game.move_types)
    assert all(issubclass(move, Move) for move in game.move_types)
