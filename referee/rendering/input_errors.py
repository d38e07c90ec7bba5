"""The German of what checks say in English about the form of written data.

Checks of requests, of stored types and of positions say in English what is wrong, and so do the libraries. A client
reads it in its own language: `input_errors.yaml` has the German of each message, with the same placeholders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from referee.cardscript.sheets.layout import TableProblem
from referee.engine.rulebook.book import Rulebook, read_yaml
from referee.match.rulebook import TABLE_BOOK

PLACEHOLDER_PATTERN = re.compile(r"\{(\w+)\}")
LONGEST_DETAIL = 1000  # letters; a longer one quotes so much that it is left as it is


def translate_input_error(detail: str, lang: str) -> str:
    """Return what is wrong with an input in a language; unchanged if unknown."""
    return detail if lang == "en" or len(detail) > LONGEST_DETAIL else _find_german(detail)[1] or detail


def translate_parameters(book: Rulebook, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a reason, with its `detail` in every language.

    The detail is what is wrong with a table. What has no German is told by the clause that it is `against`, as in the
    errors of a position.
    """
    detail, against = params.get("detail"), params.get("against")
    if not isinstance(detail, str):
        return dict(params)
    german = translate_input_error(detail, "de")
    if german == detail and against:
        clause = (TABLE_BOOK if against in TABLE_BOOK.clauses else book).find_clause(against)
        rule = clause.says["de"].strip().rstrip(".!?:")
        german = TABLE_BOOK.render_text("position.against_clause", "de", clause=against, rule=rule)
    return {**params, "detail": {"en": detail, "de": german}}


def render_table_problem(problem: TableProblem, lang: str) -> str:
    """Return what is wrong in a table in a language, with the words of that language.

    A message that says a word of the table in its own text is known only with that word as it is.
    """
    patterns = [problem.pattern, *(problem.pattern.replace(f"{{{word}}}", word) for word in problem.words)]
    patterns.append(PLACEHOLDER_PATTERN.sub(r"\1", problem.pattern))
    for pattern in patterns:
        if (told := translate_input_error(pattern, lang)) != pattern:
            return problem.fill(told, lang)
    return problem.fill(problem.pattern, lang)


@cache
def _load_texts() -> Any:
    return read_yaml(Path(__file__).with_suffix(".yaml"))


@cache
def _load_patterns() -> tuple[tuple[int, re.Pattern[str], str], ...]:
    """Return each English message as a pattern, with its own letters and its German."""
    return tuple(
        (len(PLACEHOLDER_PATTERN.sub("", each["en"])), _build_pattern(each["en"]), each["de"])
        for each in _load_texts()["messages"]
    )


def _build_pattern(english: str) -> re.Pattern[str]:
    """Return the pattern of a message, with or without capital and full stop."""
    parts = PLACEHOLDER_PATTERN.split(english)
    built = "".join(f"(?P<{part}>.*?)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    if english[0].isalpha():
        built = f"(?i:{built[0]}){built[1:]}"
    return re.compile(rf"{built}\.?", re.DOTALL)


def _find_german(detail: str) -> tuple[int, str]:
    """Return the German of the message that has most letters in common.

    With the number of these letters; empty if there is no such message.
    """
    best = 0, ""
    for own, pattern, german in _load_patterns():
        if (found := pattern.fullmatch(detail)) and own:
            parts = {name: _translate_part(name, part) for name, part in found.groupdict().items()}
            letters = own + sum(count for count, _ in parts.values())
            if letters > best[0] and all(text or not found[name] for name, (_, text) in parts.items()):
                best = letters, german.format(**{name: text for name, (_, text) in parts.items()})
    return best


def _translate_part(name: str, part: str) -> tuple[int, str]:
    """Return what stands in a placeholder in German, and the letters it is known by."""
    if name == "says":
        return _find_german(part)
    if name.startswith("list"):
        for phrase in _load_texts()["phrases"]:
            part = part.replace(phrase["en"], phrase["de"])
    return 0, part
