"""The rulebook of a game: numbered clauses and all texts, in English and German."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import yaml

from referee.engine.rulebook.messages import format_message

LANGUAGES = ("en", "de")
Text = dict[str, str]
# The parts of a clause's entry that hold texts, and what the keys of these texts begin with.
CLAUSE_TEXTS = {"refusals": "", "events": "fact."}
# Ranks of spoken texts: those that no file ranks, and those that are marked as minor.
UNRANKED_RANK, MINOR_RANK_OFFSET = 10_000, 20_000
KEPT_TEXTS = 8192  # filled texts that a book keeps
NO_CLAUSE = "none"  # what a spoken text names as its clause if no rule is read as its reason


class BookError(ValueError):
    """A book's file is wrong. The message names file and place."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered rule in our own words, and its place in the rulebook (`found`).

    `open` and `why` belong to rulings on what the rulebook leaves open. `reading` names the ruling that settles what
    the clause leaves open. `by_construction`: the program cannot but keep to it, so no ruling has to cite it. `reads`
    names the clause that this one is another interpretation of (see
    `interpretations`). Then the id is that clause's id with `-R` and the number, and `open` is the same.
    """

    id: str
    says: Text
    chapter: Text = field(default_factory=dict)
    found: Text = field(default_factory=dict)
    reading: str | None = None
    variant: str | None = None
    players_duty: bool = False
    by_construction: bool = False
    open: Text = field(default_factory=dict)
    why: Text = field(default_factory=dict)
    reads: str = ""

    @property
    def answers_question(self) -> bool:
        """Whether it answers the open question, so that it is read together with it.

        A rule of the game that has several readings says a whole sentence and does not.
        """
        return bool(self.open) and ("-AMB-" in self.id or self.chapter.get("en", "").startswith("Rulings"))

    @property
    def interpretation_number(self) -> int:
        """The number of this interpretation of its clause, 1 for the clause itself."""
        return int(self.id.removeprefix(f"{self.reads}-R")) if self.reads else 1


@dataclass(frozen=True, slots=True)
class SpokenText:
    """A main clause of a sentence to read aloud.

    The lower the `rank`, the more important the text. `clause` is the rule clause that gives the reason, if it is not
    the first one that the event rests on; `NO_CLAUSE` if what it says needs no reason, or none of the rules gives it.
    `is_sentence`: it is one or several whole sentences, as lines about events are, and begins with a capital.
    """

    says: Text
    clause: str = ""
    rank: int = UNRANKED_RANK
    is_sentence: bool = False


@dataclass(frozen=True)
class Rulebook:
    """The clauses, texts and card names of a game or the kernel.

    `base` is the fallback. `clause_by_text` names the clause under which a text stands, if it stands under one.
    `quoted_names` are the keys of names that German sentences put in quotation marks: those of cards whose names are
    no words of the language.
    """

    clauses: dict[str, Clause]
    reasons: dict[str, Text]
    names: dict[str, Text] = field(default_factory=dict)
    base: Rulebook | None = None
    spoken_texts: dict[str, SpokenText] = field(default_factory=dict)
    clause_by_text: dict[str, str] = field(default_factory=dict)
    quoted_names: set[str] = field(default_factory=set)

    @classmethod
    def load(
        cls,
        folder: Path,
        base: Rulebook | None = None,
        names: Mapping[str, Text] | None = None,
        quoted_names: Iterable[str] = (),
    ) -> Rulebook:
        """Return the rulebook of a folder.

        Reads `clauses.yaml` (or the files of `clauses/`, by name), `messages.yaml` and, if present, `narration.yaml`,
        whose most important texts come first. A clause's entry may hold the texts that rest on it: `refusals` by the
        reason, `events` by the tag without its prefix. Raises BookError with file and entry.
        """
        clauses: dict[str, Clause] = {}
        reasons: dict[str, Text] = {}
        clause_by_text: dict[str, str] = {}
        files = sorted((folder / "clauses").glob("*.yaml")) or [folder / "clauses.yaml"]
        for file, entry in ((path.name, entry) for path in files for entry in read_yaml(path)):
            texts = _take_clause_texts(entry)
            if isinstance(entry.get("found"), str):  # a heading as it is printed, in whatever language the reader has
                entry["found"] = dict.fromkeys(LANGUAGES, entry["found"]) if entry["found"] else {}
            try:
                clause = Clause(**entry)
            except TypeError as error:
                raise BookError(f"{folder.name}/{file}: {entry.get('id')}: {error}") from error
            if clause.id in clauses or any(not clause.says.get(lang) for lang in LANGUAGES):
                raise BookError(f"{folder.name}/{file}: {clause.id} stands twice or lacks a language")
            clauses[clause.id] = clause
            _add_texts(reasons, texts, f"{folder.name}/{file}: {clause.id}")
            clause_by_text.update(dict.fromkeys(texts, clause.id))
        _check_interpretation_numbers(folder.name, clauses)
        clauses = {name: replace(it, open=clauses[it.reads].open) if it.reads else it for name, it in clauses.items()}
        _add_texts(reasons, read_yaml(folder / "messages.yaml"), f"{folder.name}/messages.yaml")
        spoken_texts = _load_spoken_texts(folder / "narration.yaml")
        return cls(clauses, reasons, dict(names or {}), base, spoken_texts, clause_by_text, set(quoted_names))

    def find_clause(self, name: str) -> Clause:
        """Return the clause of this id, from this book or its base. Raises KeyError."""
        if name in self.clauses:
            return self.clauses[name]
        if self.base is None:
            raise KeyError(name)
        return self.base.find_clause(name)

    def has_text(self, key: str) -> bool:
        """Return whether there is a text under this key, here or in the base."""
        return key in self.reasons or (self.base is not None and self.base.has_text(key))

    def render_text(self, key: str, lang: str, **params: Any) -> str:
        """Return the text under a key with its placeholders filled and cards named.

        Raises KeyError.
        """
        return self.fill_template(self.find_template(key, lang), lang, params)

    def find_template(self, key: str, lang: str) -> str:
        """Return the unfilled text under a key, from this book or its base.

        Raises KeyError.
        """
        if key not in self.reasons and self.base is not None:
            return self.base.find_template(key, lang)
        return self.reasons[key][lang]

    def render_texts(self, key: str, **params: Any) -> Text:
        """Return the text under a key in every language."""
        return {lang: self.render_text(key, lang, **params) for lang in LANGUAGES}

    def find_spoken_text(self, *keys: str) -> SpokenText | None:
        """Return the spoken text of the first key that has one, here or else in the base."""
        found = next((self.spoken_texts[key] for key in keys if key in self.spoken_texts), None)
        if found is not None or self.base is None:
            return found
        below = self.base.find_spoken_text(*keys)
        return below and replace(below, rank=below.rank + len(self.spoken_texts))

    def fill_spoken_text(self, found: SpokenText, /, **params: Any) -> SpokenText:
        """Return a spoken text with its placeholders filled and cards named."""
        says = {lang: self.fill_template(text, lang, params) for lang, text in found.says.items()}
        return SpokenText(says, found.clause, found.rank)

    def fill_template(self, text: str, lang: str, params: dict[str, Any]) -> str:
        """Return a text with its placeholders filled. Raises KeyError if one is missing."""
        if "{" not in text:
            return text
        try:
            return self._fill_kept(text, lang, tuple(params), *params.values())
        except TypeError:  # a value that cannot be hashed
            return format_message(text, lang, params, self.render_parameter)

    @cached_property
    def _fill_kept(self) -> Callable[..., str]:
        """`_fill` with its results kept: the same few texts are shown at every move."""
        return lru_cache(KEPT_TEXTS, typed=True)(self._fill)

    def _fill(self, text: str, lang: str, names: tuple[str, ...], *values: Any) -> str:
        return format_message(text, lang, dict(zip(names, values, strict=True)), self.render_parameter)

    def render_parameter(self, value: Any, lang: str) -> Any:
        """Return a parameter as it reads within a sentence.

        A card appears by its name, a list with commas, a text in the reader's language, anything else unchanged.
        """
        if isinstance(value, list | tuple):
            return ", ".join(str(self.render_parameter(part, lang)) for part in value)
        name = self.name_value(value, lang)
        if lang == "de" and isinstance(value, str) and _find_design(value) in self.quoted_names:
            return f"„{name}“"
        return name

    def name_value(self, value: Any, lang: str) -> Any:
        """Return a value as it reads on a label: like a parameter, without quotes."""
        if isinstance(value, dict) and set(value) == set(LANGUAGES):
            return value[lang]
        if isinstance(value, str):
            design = _find_design(value)
            if design.startswith("?"):
                return {"en": "a hidden card", "de": "eine verdeckte Karte"}[lang]
            return self.names[design][lang] if design in self.names else value
        if isinstance(value, list | tuple):
            return ", ".join(str(self.name_value(part, lang)) for part in value)
        return value


def _find_design(value: str) -> str:
    """Return the card that a copy, or a card with a mark, is one of."""
    return value.partition("!")[0].partition("#")[0]


def _take_clause_texts(entry: dict[str, Any]) -> dict[str, Text]:
    """Remove the texts from the entry of a clause, and return them by their keys."""
    taken = ((prefix, entry.pop(part, {})) for part, prefix in CLAUSE_TEXTS.items())
    return {prefix + key: texts for prefix, part in taken for key, texts in part.items()}


def _add_texts(found: dict[str, Text], more: Mapping[str, Text], place: str) -> None:
    """Add texts to those found before.

    Raises BookError, with the place, if one stands twice or lacks a language.
    """
    for key, texts in more.items():
        if key in found or any(not texts.get(lang) for lang in LANGUAGES):
            raise BookError(f"{place}: {key} stands twice or lacks a language")
        found[key] = texts


def _check_interpretation_numbers(book: str, clauses: Mapping[str, Clause]) -> None:
    """Check the later interpretations of each clause.

    Raises BookError unless they are numbered from 2 on and give their reason in each language.
    """
    later: dict[str, list[str]] = {}
    for clause in clauses.values():
        if clause.reads:
            later.setdefault(clause.reads, []).append(clause.id)
    for first, names in later.items():
        due = [f"{first}-R{number}" for number in range(2, len(names) + 2)]
        if first not in clauses or sorted(names) != sorted(due) or not clauses[first].open:
            raise BookError(
                f"{book}: the readings of {first} must be {', '.join(due)}, and {first} must say what is open"
            )
        if any(not clauses[name].why.get(lang) for name in names for lang in LANGUAGES):
            raise BookError(f"{book}: a reading of {first} does not say why in each language")


def _load_spoken_texts(path: Path) -> dict[str, SpokenText]:
    """Return the spoken texts of an `narration.yaml`, ranked by their order.

    A text that is `major` comes before all others, a `minor` one after them. Raises BookError.
    """
    found: dict[str, SpokenText] = {}
    for rank, (key, entry) in enumerate(read_yaml(path).items() if path.exists() else ()):
        says = {lang: entry.get(lang) for lang in LANGUAGES}
        if not all(says.values()) or entry.keys() - {*LANGUAGES, "clause", "minor", "major"}:
            raise BookError(f"{path.parent.name}/{path.name}: {key} lacks a language or has unknown keys")
        offset = MINOR_RANK_OFFSET * (bool(entry.get("minor")) - bool(entry.get("major")))
        found[key] = SpokenText(says, entry.get("clause", ""), rank + offset)
    return found


def read_yaml(path: Path) -> Any:
    """Return the data of a YAML file. Raises BookError with file, line and column."""
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        return yaml.load(path.read_text("utf-8"), Loader=loader)  # noqa: S506  # both are safe loaders
    except yaml.YAMLError as error:
        raise BookError(f"{path.name}: {error}") from error


KERNEL_RULEBOOK = Rulebook.load(Path(__file__).parent)
