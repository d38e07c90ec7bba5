"""Each message that a check writes in the code has a German one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from referee.rendering.input_errors import translate_input_error

ROOT = Path(__file__).parents[2]
CALLS = {  # what raises or returns an error, and which argument is its text
    "DecodeError": 1, "build_error": 1, "invalid_input_problem": 1, "query_mismatch_problem": 1,
    "ValidationError": 0, "UrlRefusedError": 0,
}  # fmt: skip
WITH_CLAUSE = ("contradictions.py", "piles.py")  # told by the clause that is broken


def texts(node: ast.expr) -> Iterator[str]:
    """The text of an argument, with 7 for each value in it; none if it is made elsewhere."""
    if isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        said = "".join(map(filled, node.values))
        if said.strip("7."):
            yield said


def filled(part: ast.expr) -> str:
    """A part of an f-string, with 7 for a value."""
    if isinstance(part, ast.FormattedValue):
        return filled(part.value.body) if isinstance(part.value, ast.IfExp) else "7"
    return str(part.value) if isinstance(part, ast.Constant) else "7"


def messages(path: Path) -> Iterator[str]:
    """The messages that a module writes."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            at = CALLS.get(name)
            if at is not None and len(node.args) > at:
                yield from texts(node.args[at])
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "detail":
                    yield from texts(value)


def test_every_message_about_the_form_of_data_has_a_german_one() -> None:
    paths = [
        *(ROOT / "api").rglob("*.py"),
        *(
            path
            for room in ("engine", "cardscript", "games", "match")
            for path in (ROOT / "referee" / room).rglob("*.py")
        ),
        ROOT / "referee/position_rulings/request.py",
        ROOT / "referee/arbitration/deviations.py",
    ]
    found = {
        text for path in paths if path.name not in WITH_CLAUSE and path.name != "examples.py" for text in messages(path)
    }
    assert len(found) > 150
    assert [text for text in sorted(found) if translate_input_error(text, "de") == text] == []
