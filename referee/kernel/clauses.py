"""The book of clauses: every rule as a numbered clause, and every text that a player reads, in English and German."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

LANGUAGES = ("en", "de")
Text = dict[str, str]


class Misprint(ValueError):
    """A book's file is wrong; the message names file and place."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered rule in our own words, and where it stands in the rulebook. `open` and `why` belong to rulings."""

    id: str
    says: Text
    chapter: Text = field(default_factory=dict)
    found: str = ""
    reading: str | None = None
    variant: str | None = None
    players_duty: bool = False
    open: Text = field(default_factory=dict)
    why: Text = field(default_factory=dict)


@dataclass(frozen=True)
class Book:
    """The clauses, reasons and card names of one game (or of the kernel), with those of `base` behind them."""

    clauses: dict[str, Clause]
    reasons: dict[str, Text]
    names: dict[str, Text] = field(default_factory=dict)
    base: Book | None = None

    @classmethod
    def load(cls, folder: Path, base: Book | None = None, names: Mapping[str, Text] | None = None) -> Book:
        """Reads `clauses.yaml` (or the files of `clauses/`, by name) and `reasons.yaml` of a folder.

        Raises Misprint with file and entry.
        """
        clauses: dict[str, Clause] = {}
        files = sorted((folder / "clauses").glob("*.yaml")) or [folder / "clauses.yaml"]
        for file, entry in ((path.name, entry) for path in files for entry in read_yaml(path)):
            try:
                clause = Clause(**entry)
            except TypeError as error:
                raise Misprint(f"{folder.name}/{file}: {entry.get('id')}: {error}") from error
            if clause.id in clauses or any(not clause.says.get(lang) for lang in LANGUAGES):
                raise Misprint(f"{folder.name}/{file}: {clause.id} stands twice or lacks a language")
            clauses[clause.id] = clause
        reasons: dict[str, Text] = read_yaml(folder / "reasons.yaml")
        for key, texts in reasons.items():
            if any(not texts.get(lang) for lang in LANGUAGES):
                raise Misprint(f"{folder.name}/reasons.yaml: {key} lacks a language")
        return cls(clauses, reasons, dict(names or {}), base)

    def clause(self, name: str) -> Clause:
        """The clause of this id, of this book or of its base. Raises KeyError."""
        if name in self.clauses:
            return self.clauses[name]
        if self.base is None:
            raise KeyError(name)
        return self.base.clause(name)

    def has(self, key: str) -> bool:
        """Whether there is a text under this key, here or in the base."""
        return key in self.reasons or (self.base is not None and self.base.has(key))

    def text(self, key: str, lang: str, **params: Any) -> str:
        """The text under a key, its placeholders filled; cards are called by name. Raises KeyError."""
        if key not in self.reasons:
            if self.base is None:
                raise KeyError(key)
            return self.base.text(key, lang, **{name: self.called(value, lang) for name, value in params.items()})
        return self.reasons[key][lang].format_map({name: self.called(value, lang) for name, value in params.items()})

    def texts(self, key: str, **params: Any) -> Text:
        """The text under a key in every language."""
        return {lang: self.text(key, lang, **params) for lang in LANGUAGES}

    def called(self, value: Any, lang: str) -> Any:
        """A parameter as a player reads it: a card by its name, a list with commas, anything else as it is."""
        if isinstance(value, str):
            design = value.partition("!")[0].partition("#")[0]
            if design.startswith("?"):
                return {"en": "a hidden card", "de": "eine verdeckte Karte"}[lang]
            return self.names[design][lang] if design in self.names else value
        if isinstance(value, list | tuple):
            return ", ".join(str(self.called(part, lang)) for part in value)
        return value


def read_yaml(path: Path) -> Any:
    """The data of a YAML file. Raises Misprint with file, line and column."""
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        return yaml.load(path.read_text("utf-8"), Loader=loader)  # noqa: S506  # both are safe loaders
    except yaml.YAMLError as error:
        raise Misprint(f"{path.name}: {error}") from error


KERNEL = Book.load(Path(__file__).parent)
