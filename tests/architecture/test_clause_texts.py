"""A text that stands under a clause is spoken because of that clause, so rule and text cannot drift apart."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from referee.cli.commands.rulings import coverage
from referee.engine.rulebook.book import Rulebook
from tests.architecture.test_citations import ID

ROOT = Path(__file__).parents[2]
BOOKS: dict[str, Rulebook] = {name: book for name, book, _ in coverage.iterate_books()}
REFUSING = ("IllegalMove", "NotAsked", "Ruling", "check_cards_from")  # what takes the key of a refusal and its clauses
Constants = Mapping[str, tuple[str, ...]]


def strings_in(node: ast.AST, constants: Constants) -> Iterator[str]:
    """The strings in a piece of code, and those in the constants that it names."""
    for part in ast.walk(node):
        match part:
            case ast.Constant(str(text)):
                yield text
            case ast.Name(name):
                yield from constants.get(name, ())
            case ast.Attribute(ast.Name("self"), name):
                yield from constants.get(f"self.{name}", ())


def constants_of(body: list[ast.stmt], head: str = "") -> dict[str, tuple[str, ...]]:
    """The strings in each constant of a module or class, with `head` before the constant's name."""
    found = {}
    for line in body:
        match line:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                found[head + name] = tuple(strings_in(value, {}))
    return found


class Code:
    """What the code says of texts and clauses."""

    def __init__(self) -> None:
        self.strings: set[str] = set()
        self.refused: defaultdict[str, set[str]] = defaultdict(set)  # key of a refusal -> clauses cited with it
        self.rests: defaultdict[str, set[str]] = defaultdict(set)  # tag of a class without prefix -> clauses it names

    def read(self, node: ast.AST, constants: Constants) -> None:
        """Read a piece of code, with the constants that it can name."""
        match node:
            case ast.ClassDef(body=body, decorator_list=[ast.Call(ast.Name("named"), [ast.Constant(str(tag))]), *_]):
                self.rests[tag.rpartition(".")[2]].update(ID.findall(" ".join(strings_in(node, constants))))
                constants = {**constants, **constants_of(body, "self.")}
            case ast.ClassDef(body=body):
                constants = {**constants, **constants_of(body, "self.")}
            case ast.Call(ast.Name(name)) if name in REFUSING:
                said = set(strings_in(node, constants))
                cited = set(filter(ID.fullmatch, said))
                for key in said - cited:
                    self.refused[key] |= cited
            case ast.Constant(str(text)):
                self.strings.add(text)
        for child in ast.iter_child_nodes(node):
            self.read(child, constants)


@cache
def code() -> Code:
    found = Code()
    for room in ("referee", "api", "workers"):
        for path in (ROOT / room).rglob("*.py"):
            tree = ast.parse(path.read_text("utf-8"))
            found.read(tree, constants_of(tree.body))
    return found


@pytest.mark.parametrize("name", BOOKS)
def test_every_refusal_under_a_clause_is_raised_with_this_clause(name: str) -> None:
    """A refusal under a later reading is raised with the first: the ruling cites the one that holds."""
    book = BOOKS[name]
    placed = {key: book.clauses[clause].reads or clause for key, clause in book.clause_by_text.items()}
    refusals = {key: clause for key, clause in placed.items() if not key.startswith("fact.")}
    assert refusals
    assert not {key: clause for key, clause in refusals.items() if clause not in code().refused[key]}


@pytest.mark.parametrize("name", BOOKS)
def test_every_event_under_a_clause_rests_on_this_clause(name: str) -> None:
    wrong = []
    for key, clause in BOOKS[name].clause_by_text.items():
        head, _, tail = key.partition(".")
        tag, _, variant = tail.partition(".")
        if head == "fact" and (clause not in code().rests[tag] or (variant and variant not in code().strings)):
            wrong.append(f"{clause}: {key}")
    assert not wrong


@pytest.mark.parametrize("name", BOOKS)
def test_every_refusal_that_is_raised_with_just_one_clause_stands_under_it(name: str) -> None:
    book = BOOKS[name]
    elsewhere = {key: code().refused[key] for key in book.reasons.keys() - book.clause_by_text.keys()}
    assert not {key: cited for key, cited in elsewhere.items() if len(cited) == 1 and cited <= book.clauses.keys()}


@pytest.mark.parametrize("name", BOOKS)
def test_no_refusal_of_a_game_takes_the_place_of_one_that_all_games_share(name: str) -> None:
    book, base = BOOKS[name], BOOKS[name].base
    refusals = {key for key in book.clause_by_text if "." not in key}
    taken = {key for key in refusals if base is not None and base.has_text(key)}
    assert not taken, f"another text would be read, with placeholders that nobody fills: {sorted(taken)}"
