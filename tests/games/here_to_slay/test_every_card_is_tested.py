"""Every card has a test in which its text works, and one in which it must not."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import yaml

import referee.games.here_to_slay

HERE = Path(__file__).parent
CARDS = Path(referee.games.here_to_slay.__file__).parent / "cards"
MUST_NOT = re.compile(r"(?:^|_)(?:not|nothing|never|unless|fails)(?:_|$)")


def card_ids() -> set[str]:
    """The ids of all different cards in the box."""
    return {entry["id"] for file in sorted(CARDS.glob("*.yaml")) for entry in yaml.safe_load(file.read_text("utf-8"))}


def marks(node: ast.AST) -> Iterator[str]:
    """The card ids of every `pytest.mark.card(...)` within a piece of source."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.card":
            yield from map(ast.literal_eval, call.args)


def marked(file: Path) -> Iterator[tuple[str, str]]:
    """The tests of a file with the ids of the cards they are marked with, once for each."""
    tree = ast.parse(file.read_text("utf-8"))
    shared = {  # marks that several tests share under a name
        target.id: set(marks(node.value))
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for decorator in node.decorator_list:
                found = shared.get(decorator.id, set()) if isinstance(decorator, ast.Name) else set(marks(decorator))
                yield from ((card, node.name) for card in sorted(found))


def by_card() -> dict[str, set[str]]:
    """The names of the tests that are marked with each card."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted(HERE.glob("test_cards_*.py")):
        for card, name in marked(file):
            found[card].add(f"{file.name}::{name}")
    return found


def test_every_card_has_a_test_where_its_text_works_and_one_where_it_must_not() -> None:
    found = by_card()
    lacking = {}
    for card in sorted(card_ids()):
        names = found.get(card, set())
        must_not = {name for name in names if MUST_NOT.search(name.split("::")[1])}
        if len(names) < 2 or not must_not or names == must_not:
            lacking[card] = sorted(names)
    assert lacking == {}


def test_no_test_is_marked_with_a_card_that_is_not_in_the_box() -> None:
    assert set(by_card()) - card_ids() == set()
    assert len(card_ids()) == 95
