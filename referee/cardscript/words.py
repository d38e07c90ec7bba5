"""The words of card texts as their writers read them.

A word's parameters are the fields of its class, and the first paragraph of its docstring says what it does.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from referee.cardscript.language.primitives import (
    BoundName,
    CardEffect,
    NewName,
    NumberRange,
    PlayerSelector,
    Program,
    Selector,
    Vocabulary,
)

NOT_FOR_WRITERS = ("go_back", "again", "special")  # the parser and the games put these into texts
PHRASES = {  # by type: what a parameter takes
    BoundName: "a name",
    NewName: "a new name",
    PlayerSelector: "who",
    Selector: "a noun",
    Program: "lines",
    int: "a number",
    str: "a word",
    NoneType: "",
}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a word: its name, what it takes, and whether it may be left out."""

    name: str
    takes: str
    optional: bool


@dataclass(frozen=True)
class DescribedWord:
    """A verb or noun with its parameters and what it does, in English."""

    word: str
    parameters: tuple[Parameter, ...]
    does: str


def describe_verbs(vocabulary: Vocabulary) -> tuple[DescribedWord, ...]:
    """Describe the verbs that a writer of cards may use, by name."""
    return tuple(
        describe_word(word, kind, vocabulary.ranges)
        for word, kind in sorted(vocabulary.effects.items())
        if word not in NOT_FOR_WRITERS
    )


def describe_nouns(vocabulary: Vocabulary) -> tuple[DescribedWord, ...]:
    """Describe the nouns of a vocabulary, by name."""
    return tuple(describe_word(word, kind, vocabulary.ranges) for word, kind in sorted(vocabulary.selectors.items()))


def describe_word(word: str, kind: type[CardEffect | Selector], ranges: Mapping[str, NumberRange]) -> DescribedWord:
    """Describe one word. `ranges`: as `Vocabulary.ranges`."""
    assert is_dataclass(kind)
    hints, parameters = get_type_hints(kind), list[Parameter]()
    for part in fields(kind):
        name, takes = part.name.rstrip("_"), describe_type(hints[part.name])
        if (span := ranges.get(f"{word}.{name}", ranges.get(name))) is not None:
            said = rf"\1 from {span[0]} to {span[1]}"
            takes = re.sub("(numbers?)", said, takes, count=1) if "number" in takes else f"{takes}; a number{said[2:]}"
        parameters.append(Parameter(name, takes, is_optional(part)))
    if getattr(kind, "LOOPS", False):
        parameters.append(Parameter("lines", "lines", optional=False))
    told = (inspect.getdoc(kind) or "").split("\n\n")[0]
    return DescribedWord(word, tuple(parameters), " ".join(told.split()))


def is_optional(part: Field[Any]) -> bool:
    """Return whether a field has a default."""
    return part.default is not MISSING or part.default_factory is not MISSING


def describe_type(hint: Any) -> str:
    """Return what a parameter of this type takes, such as "a name"."""
    if hint in PHRASES:
        return PHRASES[hint]
    if hint is bool:
        return "true"
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return ", ".join(str(each) for each in parts if each != "")
    if origin is tuple:
        return f"a list of {describe_type(parts[0]).removeprefix('a ')}s"
    if parts:
        return " or ".join(dict.fromkeys(filter(None, map(describe_type, parts))))
    return f"{'an' if hint.__name__[0] in 'AEIOU' else 'a'} {hint.__name__.lower()}"


def render_tables(vocabulary: Vocabulary) -> str:
    """Return the tables of nouns and verbs as Markdown."""
    return "\n".join(
        (*render_table("noun", describe_nouns(vocabulary)), "", *render_table("verb", describe_verbs(vocabulary)), "")
    )


def render_table(kind: str, words: tuple[DescribedWord, ...]) -> Iterator[str]:
    """Yield the lines of a table. What may be left out stands in brackets."""
    yield f"| {kind} | takes | what it {'names' if kind == 'noun' else 'does'} |"
    yield "| --- | --- | --- |"
    for each in words:
        takes = (f"`{part.name}`: {part.takes}" for part in each.parameters)
        said = (f"({told})" if part.optional else told for told, part in zip(takes, each.parameters, strict=True))
        yield f"| `{each.word}` | {'; '.join(said)} | {each.does} |"
