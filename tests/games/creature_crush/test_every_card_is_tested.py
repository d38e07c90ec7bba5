"""Every card has a test in which what it says works, and one in which it must not.

A test counts for the cards of its `card` mark, and for every value that it is run with under the name `card`.
"""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from referee.games.creature_crush.material import FACES

HERE = Path(__file__).parent
MUST_NOT = re.compile(r"(?:^|_)(?:not|nothing|nobody|never|unless|fails|no)(?:_|$)")
NUMBERS = "test_cards_numbers"  # what a creature costs, hits and bears: of what its text says nothing is seen there


def of_single_cards() -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """The file, the name and the function of every test of single cards."""
    for file in sorted(HERE.glob("test_cards_*.py")):
        module = importlib.import_module(f"{__package__}.{file.stem}")
        for name, function in vars(module).items():
            if name.startswith("test_") and callable(function) and function.__module__.endswith(file.stem):
                yield file.stem, name, function


def cards_of(function: Callable[..., Any]) -> Iterator[str]:
    """The cards that a test counts for."""
    for mark in getattr(function, "pytestmark", ()):
        if mark.name == "card":
            yield from mark.args
        elif mark.name == "parametrize":
            names, values = mark.args[:2]
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
            if "card" in names:
                at = names.index("card")
                yield from (value if len(names) == 1 else value[at] for value in values)


@cache
def by_card() -> dict[str, frozenset[str]]:
    """The names of the tests that count for each card."""
    found: dict[str, set[str]] = defaultdict(set)
    for file, name, function in of_single_cards():
        if file != NUMBERS:
            for card in cards_of(function):
                found[card].add(name)
    return {card: frozenset(names) for card, names in found.items()}


def test_every_card_has_a_test_where_what_it_says_works_and_one_where_it_must_not() -> None:
    lacking = {}
    for card in sorted(FACES):
        names = by_card().get(card, frozenset())
        must_not = {name for name in names if MUST_NOT.search(name)}
        if not must_not or names == must_not:
            lacking[card] = sorted(names)
    assert lacking == {}
    assert len(FACES) == 100


def test_the_numbers_of_every_creature_are_looked_at() -> None:
    creatures = {card for card, printed in FACES.items() if printed.is_creature}
    for file, name, function in of_single_cards():
        if file == NUMBERS:
            assert set(cards_of(function)) == creatures, name


def test_no_test_is_marked_with_a_card_that_is_not_in_the_box() -> None:
    assert set(by_card()) - set(FACES) == set()


def test_no_file_of_these_tests_is_longer_than_can_be_read() -> None:
    for file in HERE.glob("test_cards_*.py"):
        assert len(file.read_text("utf-8").splitlines()) <= 300, file.name
