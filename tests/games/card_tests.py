"""Which tests look at which cards of a game.

A test counts for the cards of its `card` mark, and for every value that it is run with under the name `card`.
"""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

MUST_NOT = re.compile(r"(?:^|_)(?:not|nothing|nobody|never|unless|fails|no)(?:_|$)")


def of_single_cards(folder: Path) -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """The file, the name and the function of every test of single cards in a folder of tests."""
    for file in sorted(folder.glob("test_cards_*.py")):
        module = importlib.import_module(f"tests.games.{folder.name}.{file.stem}")
        for name, function in vars(module).items():
            if name.startswith("test_") and callable(function) and function.__module__.endswith(file.stem):
                yield file.stem, name, function


def cards_of(function: Callable[..., Any], by_value: bool = True) -> Iterator[str]:
    """The cards that a test counts for; not `by_value`: those of its marks alone."""
    for mark in getattr(function, "pytestmark", ()):
        if mark.name == "card":
            yield from mark.args
        elif mark.name == "parametrize" and by_value:
            names, values = mark.args[:2]
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
            if "card" in names:
                at = names.index("card")
                yield from (value if len(names) == 1 else value[at] for value in values)


@cache
def by_card(folder: Path, but: str = "", by_value: bool = True) -> Mapping[str, frozenset[str]]:
    """The names of the tests in a folder that count for each card (see `cards_of`); those of the file `but` do not."""
    found: dict[str, set[str]] = defaultdict(set)
    for file, name, function in of_single_cards(folder):
        if file != but:
            for card in cards_of(function, by_value):
                found[card].add(name)
    return {card: frozenset(names) for card, names in found.items()}


def lacking(cards: Iterable[str], found: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    """The cards without a test where what they say works, or without one where it must not; and what they have."""
    lacks = {}
    for card in sorted(cards):
        names = found.get(card, frozenset())
        must_not = {name for name in names if MUST_NOT.search(name)}
        if not must_not or names == must_not:
            lacks[card] = sorted(names)
    return lacks


def numbered(folder: Path, file: str) -> Iterator[tuple[str, set[str]]]:
    """The tests of a file, each with the cards that it counts for."""
    yield from ((name, set(cards_of(function))) for there, name, function in of_single_cards(folder) if there == file)


def too_long(folder: Path) -> list[str]:
    """The files of tests of single cards that are longer than can be read."""
    files = folder.glob("test_cards_*.py")
    return [file.name for file in files if len(file.read_text("utf-8").splitlines()) > 300]
