"""Sentences with blanks: filled, and found again in what people write.

A pattern is a text such as `Draw {n} {n|card|cards}.`: `{n}` is a blank, `{n|card|cards}` the word that goes with its
number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.engine.rulebook.book import LANGUAGES, Text

PART_PATTERN = re.compile(r"\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}")
NUMBER_PATTERN = re.compile(r"-?\d{1,5}")


@dataclass(frozen=True)
class Choice:
    """One thing that a blank can stand for.

    `label` is how it reads, `value` what the card language has for it.
    """

    label: Text
    value: Any
    also: tuple[str, ...] = ()  # other words for it

    @property
    def written(self) -> tuple[str, ...]:
        """All that may be written for it, in every language."""
        return (*self.label.values(), *self.also)


@dataclass(frozen=True)
class Blank:
    """A blank of a sentence.

    It stands for a whole number from `least` to `most`, or for one of `choices`.
    """

    name: str
    least: int = 0
    most: int = 0
    choices: Mapping[str, Choice] = field(default_factory=dict)

    @property
    def sample(self) -> str:
        """Something that fits into the blank."""
        return next(iter(self.choices), str(min(max(self.least, 2), self.most)))

    def find_value(self, written: str) -> str | None:
        """Return what was written as this blank knows it, or None if it does not fit.

        A choice may be written by its name or as it reads in any language.
        """
        if self.choices:
            plain = normalize(written)
            names = (
                name
                for name, choice in self.choices.items()
                if plain in (normalize(name), *map(normalize, choice.written))
            )
            return next(names, None)
        fits = NUMBER_PATTERN.fullmatch(written) and self.least <= int(written) <= self.most
        return str(int(written)) if fits else None

    def describe(self) -> Text:
        """Return what fits."""
        if self.choices:
            return {lang: ", ".join(choice.label[lang] for choice in self.choices.values()) for lang in LANGUAGES}
        return {
            "en": f"a whole number from {self.least} to {self.most}",
            "de": f"eine ganze Zahl von {self.least} bis {self.most}",
        }

    def value_of(self, name: str) -> Any:
        """Return what the card language has for a value that fits."""
        return self.choices[name].value if self.choices else int(name)


def normalize(text: str) -> str:
    """Return a text as it is compared.

    Case, doubled spaces and the last full stop do not count.
    """
    return " ".join(text.casefold().split()).rstrip(".")


def flatten(text: str) -> str:
    """Return a text without doubled spaces and its last full stop."""
    return " ".join(text.split()).rstrip(".")


@dataclass(frozen=True)
class Wording:
    """A sentence in every language, and its blanks."""

    patterns: Text
    blanks: Mapping[str, Blank]

    def show(self, lang: str) -> str:
        """Return the sentence with its blanks still open."""
        return PART_PATTERN.sub(lambda part: part[3] if part[2] is not None else part[0], self.patterns[lang])

    def fill(self, values: Mapping[str, str], lang: str) -> str:
        """Return the sentence with every blank filled."""

        def fill_part(part: re.Match[str]) -> str:
            blank, value = self.blanks[part[1]], values[part[1]]
            if part[2] is not None:
                return part[2] if value in ("1", "-1") else part[3]
            return blank.choices[value].label[lang] if blank.choices else value

        text = PART_PATTERN.sub(fill_part, self.patterns[lang])
        return text[:1].upper() + text[1:]

    def list_blanks(self, lang: str) -> list[Blank]:
        """Return the blanks in the order in which they stand in a language."""
        names = dict.fromkeys(part[1] for part in PART_PATTERN.finditer(self.patterns[lang]))
        return [self.blanks[name] for name in names]

    def find_language(self, text: str) -> str:
        """Return the language in which a text is this sentence, English if it is in none."""
        plain = flatten(text)
        return next((lang for lang in LANGUAGES if self._expressions[lang].fullmatch(plain)), LANGUAGES[0])

    def match(self, text: str) -> dict[str, str] | None:
        """Return what stands in the blanks, or None if a text is not this sentence.

        The sentence may be in any language. A blank that is still open is left out.
        """
        for lang in LANGUAGES:
            found = self._expressions[lang].fullmatch(flatten(text))
            if found is None:
                continue
            given = {name: value for name, value in found.groupdict().items() if not value.startswith("{")}
            fitting = {name: self.blanks[name].find_value(value) for name, value in given.items()}
            return {name: value or given[name] for name, value in fitting.items()}
        return None

    @cached_property
    def _expressions(self) -> dict[str, re.Pattern[str]]:
        return {lang: self._build_expression(lang) for lang in LANGUAGES}

    def _build_expression(self, lang: str) -> re.Pattern[str]:
        built, end, seen = "", 0, set[str]()
        for part in PART_PATTERN.finditer(self.patterns[lang]):
            built, end = built + re.escape(self.patterns[lang][end : part.start()]), part.end()
            blank = self.blanks[part[1]]
            if part[2] is not None:
                built += f"(?:{re.escape(part[2])}|{re.escape(part[3])})"
            elif part[1] in seen:
                built += f"(?P={part[1]})"
            else:
                seen.add(part[1])
                labels = [re.escape(text) for each in blank.choices.values() for text in (each.label[lang], *each.also)]
                known = "|".join(sorted(labels, key=len, reverse=True)) if labels else NUMBER_PATTERN.pattern
                built += rf"(?P<{part[1]}>{known}|\{{{part[1]}\}})"
        return re.compile(built + re.escape(self.patterns[lang][end:].rstrip(".")), re.IGNORECASE)
