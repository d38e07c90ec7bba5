"""Texts with placeholders, plurals and choices, in the message format of ICU.

`{seat}` stands for a value, `{count, plural, one {# card} other {# cards}}` for the form that a number asks for,
`{kind, select, hero {a hero} other {an item}}` for one of several words, `{value, number, ::+!}` for a number with its
sign. ICU itself formats (`icu4py`). Here is only what it does not tell: which values a text needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from icu4py.messageformat import MessageFormat

MAX_COMPILED = 20_000  # texts: all games together have some six thousand in each language
ARGUMENT = re.compile(r"\{\s*(\w+)\s*(?:,\s*(\w+)\s*)?")
BRANCHING = ("plural", "select", "selectordinal")
BLANK = "…"


def format_message(text: str, lang: str, values: Mapping[str, Any]) -> str:
    """Return a text in a language with its placeholders filled.

    Raises KeyError if a value is missing, and ValueError if the text is no message or a plural's value no number.
    """
    if "{" not in text:
        return text
    message, kinds = _compile(text, lang)
    formatted: str = message.format({name: values[name] if kind else str(values[name]) for name, kind in kinds.items()})
    return formatted


def find_placeholders(text: str) -> tuple[str, ...]:
    """Return the names of the values that a text needs. Raises ValueError."""
    return tuple(_find_kinds(text))


def blank_placeholders(text: str) -> str:
    """Return a text with `…` for every value. Raises ValueError."""
    parts, end = [], 0
    for start, stop in _find_arguments(text, 0, len(text)):
        parts += [text[end:start], BLANK]
        end = stop
    return "".join((*parts, text[end:]))


@lru_cache(MAX_COMPILED)
def _compile(text: str, lang: str) -> tuple[MessageFormat, dict[str, bool]]:
    try:
        return MessageFormat(text, lang), _find_kinds(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no message: {error}") from error


def _find_kinds(text: str) -> dict[str, bool]:
    """Return the placeholders of a text, each with whether its value is a number."""
    kinds: dict[str, bool] = {}
    spans = list(_find_arguments(text, 0, len(text)))
    while spans:
        start, stop = spans.pop(0)
        head = ARGUMENT.match(text, start)
        if head is None:
            raise ValueError(f"no placeholder: {text[start:stop]!r}")
        kinds[head[1]] = kinds.get(head[1], False) or head[2] not in (None, "select")
        if head[2] in BRANCHING:
            for branch, end in _find_arguments(text, head.end(), stop - 1):
                spans += _find_arguments(text, branch + 1, end - 1)
    return kinds


def _find_arguments(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield where the outermost braces begin and end.

    Raises ValueError if they do not match.
    """
    depth = begun = 0
    for at in range(start, stop):
        if text[at] == "{":
            begun = begun if depth else at
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth < 0:
                break
            if depth == 0:
                yield begun, at + 1
    if depth:
        raise ValueError(f"braces do not match in {text!r}")
