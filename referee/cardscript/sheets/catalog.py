"""What a table of cards may say: kinds, columns, places for texts, and sentences.

A game's catalog is one file of `catalogs/`. Everything in it reads in German and in English.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from referee.cardscript.sheets.wording import Blank, Choice, Wording, normalize
from referee.engine.rulebook.book import Text, read_yaml

CATALOGS = Path(__file__).with_name("catalogs")


@dataclass(frozen=True)
class Column:
    """A column of numbers or words, and the kinds of cards that have it.

    It fills the key of its name. `form` is number, numbers, word, words or truth. `under` puts the value into a
    mapping. `printed` words stand at the beginning of a card's text. `usual` is what a kind has if nothing is said.
    """

    name: str
    label: Text
    form: str
    kinds: tuple[str, ...]
    needed: tuple[str, ...] = ()
    words: Mapping[str, Text] = field(default_factory=dict)
    under: str = ""
    printed: bool = False
    usual: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # other words that may be written for one

    def find_word(self, written: str) -> str | None:
        """Return the word meant, written by its name or in any language, or None."""
        return find_name(self.words, written, self.also)


@dataclass(frozen=True)
class Place:
    """Where a sentence can stand on a card.

    `key` is what it fills, `before` what is printed before it. `within` is the mapping around the lines, where the key
    takes one; with `listed` it is one of a list. `brings` are keys that come with it. `prints` is the text that shows
    the sentence. Without `runs` what stands here is no program. Cards of the kinds `needed` cannot do without a text
    here. With `declares`, what is chosen first is declared before others decide.
    """

    name: str
    label: Text
    kinds: tuple[str, ...]
    key: str
    before: Text
    within: Any = None
    listed: bool = False
    runs: bool = True
    brings: Mapping[str, Any] = field(default_factory=dict)
    prints: str = "text"
    needed: tuple[str, ...] = ()
    declares: bool = False


@dataclass(frozen=True)
class Sentence:
    """A sentence with blanks, where it can stand, and its program."""

    name: str
    wording: Wording
    places: tuple[str, ...]
    lines: tuple[Any, ...]
    brings: Mapping[str, Any] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()  # only on these; empty: wherever the place is


@dataclass(frozen=True)
class BoxPart:
    """How many cards of some kinds a box of its own has to have, with all copies."""

    label: Text
    kinds: tuple[str, ...]
    least: int
    are_designs: bool = False  # copies do not count


@dataclass(frozen=True)
class Catalog:
    """All that a game's tables may say."""

    game: str
    box: tuple[BoxPart, ...]
    nothing: Text  # what is printed on a card without a text
    kinds: Mapping[str, Text]
    columns: Mapping[str, Column]
    places: Mapping[str, Place]
    sentences: Mapping[str, Sentence]
    samples: Mapping[str, Mapping[str, str]]  # for each kind the columns of an example
    fixed_ids: Mapping[str, str] = field(default_factory=dict)  # kinds all of whose cards are one card
    single: tuple[str, ...] = ()  # kinds of which each card is one of its own: copies of a row are further cards

    def list_places(self, kind: str, sentence: Sentence | None = None) -> list[Place]:
        """Return where a kind of card has texts: all places, or those of a sentence."""
        return [
            place
            for place in self.places.values()
            if kind in place.kinds
            and (sentence is None or (place.name in sentence.places and kind in (sentence.kinds or place.kinds)))
        ]

    def find_sentence(self, text: str) -> tuple[Sentence, dict[str, str]] | None:
        """Return the sentence that a text is, and what stands in its blanks."""
        for sentence in self.sentences.values():
            found = sentence.wording.match(text)
            if found is not None:
                return sentence, found
        return None


def find_name(words: Mapping[str, Text], written: str, also: Mapping[str, tuple[str, ...]] | None = None) -> str | None:
    """Return the name of what was written, or None.

    It may be written by its name, in any language or with another word for it.
    """
    plain = normalize(written)
    for name, label in words.items():
        if plain in (name, *map(normalize, (*label.values(), *(also or {}).get(name, ())))):
            return name
    return None


def list_catalogs() -> tuple[str, ...]:
    """Return the games that have a catalog."""
    return tuple(sorted(path.stem for path in CATALOGS.glob("*.yaml")))


@cache
def load_catalog(game: str) -> Catalog:
    """Return the catalog of a game. Raises KeyError if it has none."""
    if game not in list_catalogs():
        raise KeyError(game)
    data = read_yaml(CATALOGS / f"{game}.yaml")
    choices, groups = data.get("choices", {}), data.get("groups", {})
    places = {name: _build_place(name, part) for name, part in data["places"].items()}
    return Catalog(
        game,
        tuple(_build_box_part(part) for part in data["box"]),
        data["nothing"],
        data["kinds"],
        {name: _build_column(name, part, data["kinds"]) for name, part in data["columns"].items()},
        places,
        {name: _build_sentence(name, part, choices, groups) for name, part in data["sentences"].items()},
        data["samples"],
        data.get("fixed_ids", {}),
        tuple(data.get("single", ())),
    )


def _build_box_part(part: Mapping[str, Any]) -> BoxPart:
    label = {"en": part["en"], "de": part["de"]}
    return BoxPart(label, tuple(part["kinds"]), part["least"], part.get("are_designs", False))


def _build_column(name: str, part: Mapping[str, Any], kinds: Mapping[str, Text]) -> Column:
    return Column(
        name,
        {"en": part["en"], "de": part["de"]},
        part["form"],
        tuple(part.get("kinds", kinds)),
        tuple(part.get("needed", ())),
        part.get("words", {}),
        part.get("under", ""),
        part.get("printed", False),
        part.get("usual", {}),
        {name: tuple(words) for name, words in part.get("also", {}).items()},
    )


def _build_place(name: str, part: Mapping[str, Any]) -> Place:
    label = {"en": part["en"], "de": part["de"]}
    return Place(
        name,
        label,
        tuple(part["kinds"]),
        part["key"],
        part.get("before", {lang: f"{text}: " for lang, text in label.items()}),
        part.get("within"),
        part.get("listed", False),
        part.get("runs", True),
        part.get("brings", {}),
        part.get("prints", "text"),
        tuple(part.get("needed", ())),
        part.get("declares", False),
    )


def _build_sentence(
    name: str, part: Mapping[str, Any], choices: Mapping[str, Any], groups: Mapping[str, list[str]]
) -> Sentence:
    blanks = {blank: _build_blank(blank, of, choices) for blank, of in part.get("blanks", {}).items()}
    places = [place for each in part["in"] for place in groups.get(each, [each])]
    wording = Wording({"en": part["en"], "de": part["de"]}, blanks)
    return Sentence(
        name, wording, tuple(places), tuple(part["lines"]), part.get("brings", {}), tuple(part.get("kinds", ()))
    )


def _build_blank(name: str, of: Any, choices: Mapping[str, Any]) -> Blank:
    """Return the blank that a catalog describes.

    `of` is `[least, most]`, or the name of choices.
    """
    if isinstance(of, list):
        return Blank(name, *of)
    found = {
        choice: Choice({"en": part["en"], "de": part["de"]}, part.get("is", choice), tuple(part.get("also", ())))
        for choice, part in choices[of].items()
    }
    return Blank(name, choices=found)


def fill_lines(part: Any, values: Mapping[str, Any]) -> Any:
    """Return a part of a program with its blanks filled.

    A blank is a whole value, `{n}` or `-{n}`.
    """
    if isinstance(part, Mapping):
        return {key: fill_lines(each, values) for key, each in part.items()}
    if isinstance(part, list | tuple):
        return [fill_lines(each, values) for each in part]
    if isinstance(part, str) and part.endswith("}") and part.lstrip("-").startswith("{"):
        value = values[part.strip("-{}")]
        return -value if part.startswith("-") else value
    return part


def rename_bound(lines: list[Any], number: int) -> list[Any]:
    """Return lines whose bound names differ from those of other sentences."""
    bound = set(find_bound_names(lines))

    def rename(part: Any) -> Any:
        if isinstance(part, Mapping):
            return {key: rename(each) for key, each in part.items()}
        if isinstance(part, list):
            return [rename(each) for each in part]
        return f"{part}_{number}" if isinstance(part, str) and part in bound else part

    return [rename(line) for line in lines] if number > 1 else lines


def find_bound_names(lines: Iterable[Any]) -> list[str]:
    """Return the names that lines bind, in their order."""
    return [name for line in lines for name in _find_bound(line)]


def _find_bound(part: Any) -> list[str]:
    if not isinstance(part, Mapping):
        return []
    within = (*part.get("lines", ()), *part.get("options", ()))
    inner = [name for line in within for name in _find_bound(line)]
    return [part["called"], *inner] if "called" in part else inner
