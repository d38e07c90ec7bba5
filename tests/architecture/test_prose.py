"""Docstrings that are read at a glance: a short first line, and none of the words of the project's old dialect.

Ruff checks the rest (pyproject.toml, rules D).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(path for top in ("referee", "api", "workers") for path in (ROOT / top).rglob("*.py"))
LONGEST_FIRST_LINE = 80
DIALECT = re.compile(r"\b(whoever|whomever|anew|once more|these eyes|so many|let(?:s)? pass)\b", re.IGNORECASE)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings(text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, Documented) and (docstring := ast.get_docstring(node)):
            yield getattr(node, "lineno", 1), docstring


def faults(text: str) -> list[str]:
    found = []
    for line, docstring in docstrings(text):
        if len(docstring.partition("\n")[0]) > LONGEST_FIRST_LINE:
            found.append(f"line {line}: the first line is longer than {LONGEST_FIRST_LINE} characters")
        found += [f"line {line}: {word[0]!r}" for word in DIALECT.finditer(docstring)]
    return found


@pytest.mark.parametrize("top", ["referee", "api", "workers"])
def test_docstrings_begin_short_and_speak_plainly(top: str) -> None:
    found = {
        str(path.relative_to(ROOT)): faults(path.read_text("utf-8"))
        for path in FILES
        if path.is_relative_to(ROOT / top)
    }
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_a_long_first_line_and_an_old_word_are_found() -> None:
    assert faults(f'"""{"x" * 81}\n\nMore."""') == ["line 1: the first line is longer than 80 characters"]
    assert faults('def f():\n    """Return what whoever asks sees anew."""') == ["line 1: 'whoever'", "line 1: 'anew'"]
