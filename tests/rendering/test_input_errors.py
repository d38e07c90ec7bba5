"""Each message that a check writes in the code has a German one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from referee.cardscript.books.files import STANDS_ALONE
from referee.cardscript.language.located_yaml import NO_YAML
from referee.rendering.input_errors import translate_input_error

ROOT = Path(__file__).parents[2]
CALLS = {  # what raises or returns an error, and which argument is its text
    "DecodeError": 1, "build_error": 1, "invalid_input_problem": 1, "query_mismatch_problem": 1,
    "ValidationError": 0, "UrlRefusedError": 0, "BookError": 0, "CardBookError": 0, "error_at": 1, "wrong": 1,
}  # fmt: skip
UNKNOWN_WORDS = {"unknown_word_error": 1}  # what is said before a word that is not known
COMPLAINTS = ("find_parameter_error", "find_label_error", "_find_line_error", "_find_dice_error", "find_card_problems",
              "_find_misplaced_verbs", "_find_bad_numbers", "_find_misused_names", "_find_misuses_in_line",
              "find_entry_errors", "find_book_errors", "_check_texts")  # fmt: skip
PHRASES = {"STANDS_ALONE": STANDS_ALONE, "NO_YAML": NO_YAML, "own_card_phrase": "a printed card"}
OF_OUR_OWN = ("book.py",)  # errors in the rules that we write, which nobody else reads
WITH_CLAUSE = ("contradictions.py", "piles.py")  # told by the clause that is broken


def texts(node: ast.expr) -> Iterator[str]:
    """The text of an argument, with 7 for each value in it; none if it is made elsewhere."""
    if isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        said = re.sub("^7:[17]: ", "", "".join(map(filled, node.values)))  # without file and line
        if said.strip("7.: "):
            yield said
    elif isinstance(node, ast.List | ast.Tuple):
        for part in node.elts:
            yield from texts(part)


def filled(part: ast.expr) -> str:
    """A part of an f-string, with 7 for a value."""
    if isinstance(part, ast.FormattedValue):
        name = getattr(part.value, "id", getattr(part.value, "attr", ""))
        if name in PHRASES:
            return PHRASES[name]
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
            if name in UNKNOWN_WORDS:
                for said in texts(node.args[UNKNOWN_WORDS[name]]):
                    yield from (f"{said} 'odd'; did you mean 'old'?", f"{said} 'odd'; known: new, old")
        elif isinstance(node, ast.FunctionDef) and node.name in COMPLAINTS:
            for part in ast.walk(node):
                if isinstance(part, ast.Yield | ast.Return) and part.value is not None:
                    yield from (said for said in texts(part.value) if " " in said)
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
        text for path in paths if path.name not in (*WITH_CLAUSE, *OF_OUR_OWN, "examples.py") for text in messages(path)
    }
    assert len(found) > 300
    assert [text for text in sorted(found) if translate_input_error(text, "de") == text] == []
