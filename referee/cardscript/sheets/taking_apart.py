"""A card of a book as the cells of a row, if a table can say all of it.

Its lines are compared with those of the sentences. What was found counts only if the row makes the same card again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from referee.cardscript.sheets.catalog import Catalog, Column, Place, Sentence, find_bound_names, load_catalog
from referee.cardscript.sheets.layout import TEXTS
from referee.cardscript.sheets.rows import CardRow
from referee.cardscript.sheets.texts import AS_WRITTEN
from referee.cardscript.sheets.written_cards import OWN_KEYS, describe_texts, make_plain
from referee.engine.rulebook.book import LANGUAGES

LINES = "{lines}"  # in the mapping around the lines of a place
MOST_TRIES = 12  # ways in which one card may be taken apart
MOST_TRIES_OF_BOOK = 1_200  # a second or two; the cards after that stay as they are written
FREE = "§{n}§."  # stands for a free text, whose words the printed text gives
Cells = dict[str, str]
Found = tuple[str, str]  # a sentence with open blanks and what is in them; or two empty texts, for a free text
Filled = tuple[Place, Found]


@dataclass
class Attempts:
    """How often it may still be tried to take a card of a book apart."""

    left: int = MOST_TRIES_OF_BOOK


def take_apart(catalog: Catalog, entry: Mapping[str, Any], lang: str, attempts: Attempts) -> Cells | None:
    """Return the cells that make this card, or None if a table cannot say all of it.

    `lang`: in which texts are written that are no sentences.
    """
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in catalog.kinds or not isinstance(entry.get("id"), str):
        return None
    card = describe_texts(entry)
    if isinstance(card.get("name"), str):
        card["name"] = dict.fromkeys(LANGUAGES, card["name"])
    cells = _read_numbers(catalog, card)
    if cells is None:
        return None
    for texts in islice(_list_readings(catalog, card), min(MOST_TRIES, attempts.left)):
        attempts.left -= 1
        found = _fill_free_texts(catalog, card, cells | _write_texts(texts), lang)
        if found is not None:
            return found
    return None


def _read_numbers(catalog: Catalog, card: Mapping[str, Any]) -> Cells | None:
    """Return the cells of all columns but those of texts."""
    name = card.get("name")
    if not isinstance(name, Mapping) or not all(isinstance(name.get(lang), str) for lang in LANGUAGES):
        return None
    cells = {"name": name["en"], **({"name_de": name["de"]} if name["de"] != name["en"] else {})}
    cells |= {key: str(card[key]) for key in ("kind", "copies", "id") if key in card}
    for column in catalog.columns.values():
        if column.name in card and card["kind"] in column.kinds:
            cells[column.name] = _write_value(column, card[column.name])
    return cells


def _write_value(column: Column, value: Any) -> str:
    """Return what a column says for a value of a card."""
    if column.under and isinstance(value, Mapping):
        value = value.get(column.under, "")
    if value is True:
        return "yes"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _list_readings(catalog: Catalog, card: Mapping[str, Any]) -> Iterator[list[Filled]]:
    """Yield the ways in which the texts of a card may be read.

    Each is a list of sentences and free texts in their places.
    """
    places = catalog.list_places(card["kind"])
    columns = {*OWN_KEYS, *(name for name, each in catalog.columns.items() if card["kind"] in each.kinds)}
    keys = [key for key in card if key not in columns and any(place.key == key for place in places)]
    silent = [place for place in places if not place.runs]  # a free text there leaves nothing but what is printed

    def go_on(rest: list[str], before: list[Filled]) -> Iterator[list[Filled]]:
        if len(before) > TEXTS:
            return
        if not rest:
            yield before
            if len(before) < TEXTS:
                yield from ([*before, (place, ("", ""))] for place in silent)
            return
        for place in (each for each in places if each.key == rest[0]):
            for found in _read_place(catalog, place, card["kind"], card[rest[0]]):
                yield from go_on(rest[1:], [*before, *((place, each) for each in found)])

    yield from go_on(keys, [])


def _read_place(catalog: Catalog, place: Place, kind: str, value: Any) -> Iterator[list[Found]]:
    """Yield the sentences and free texts that may have made a part of a card.

    `value` is what stands under the key of the place.
    """
    parts = value if place.listed and isinstance(value, list) else [value]
    if len(parts) != 1:
        return
    lines: Any = parts[0]
    if place.within is not None:
        inside: dict[str, Any] = {}
        if not _match(place.within, lines, inside, {}):
            return
        lines = inside.get(LINES)
    if not isinstance(lines, list) or not lines:
        return
    if place.declares and isinstance(lines[0], Mapping):
        lines = [{key: part for key, part in lines[0].items() if key != "declared"}, *lines[1:]]
    yield from _read_lines(_list_sentences(catalog.game, place.name, kind), lines, TEXTS)


@cache
def _list_sentences(game: str, place: str, kind: str) -> tuple[Sentence, ...]:
    """Return the sentences that can stand in a place of a kind of card."""
    catalog = load_catalog(game)
    here = catalog.places[place]
    return tuple(each for each in catalog.sentences.values() if here in catalog.list_places(kind, each))


def _read_lines(sentences: tuple[Sentence, ...], lines: list[Any], most: int) -> Iterator[list[Found]]:
    """Yield the sentences, `most` at most, whose lines one after another are these."""
    if not lines:
        yield []
    if not lines or not most:
        return
    if lines[0] == AS_WRITTEN:
        yield from ([("", ""), *rest] for rest in _read_lines(sentences, lines[1:], most - 1))
    for sentence in sentences:
        count = len(sentence.lines)
        values = _read_blanks(sentence, lines[:count]) if count else None
        if values is not None:
            found = sentence.wording.show("en"), "; ".join(f"{name}={value}" for name, value in values.items())
            yield from ([found, *rest] for rest in _read_lines(sentences, lines[count:], most - 1))


def _read_blanks(sentence: Sentence, lines: list[Any]) -> Cells | None:
    """Return what is in the blanks of a sentence whose lines are these, or None."""
    given: dict[str, Any] = {}
    if not _match(list(sentence.lines), lines, given, dict.fromkeys(find_bound_names(sentence.lines), "")):
        return None
    values: Cells = {}
    for name, blank in sentence.wording.blanks.items():
        value = given.get(f"{{{name}}}")
        if blank.choices:
            written = next((choice for choice, each in blank.choices.items() if each.value == value), None)
        else:
            written = blank.find_value(str(value)) if type(value) is int else None
        if written is None:
            return None
        values[name] = written
    return values


def _match(pattern: Any, data: Any, given: dict[str, Any], names: dict[str, str]) -> bool:
    """Whether data are a pattern with its blanks filled.

    What is in them comes into `given`. `names` are those that the pattern binds, which may be others in the data.
    """
    if isinstance(pattern, Mapping):
        same = isinstance(data, Mapping) and pattern.keys() == data.keys()
        return same and all(_match(part, data[key], given, names) for key, part in pattern.items())
    if isinstance(pattern, list | tuple):
        same = isinstance(data, list) and len(pattern) == len(data)
        return same and all(_match(part, each, given, names) for part, each in zip(pattern, data, strict=True))
    if isinstance(pattern, str) and pattern.endswith("}") and pattern.lstrip("-").startswith("{"):
        if pattern.startswith("-"):
            if type(data) is not int:
                return False
            data = -data
        return bool(given.setdefault(pattern.lstrip("-"), data) == data)
    if isinstance(pattern, str) and pattern in names and isinstance(data, str):
        names[pattern] = names[pattern] or data
        return names[pattern] == data
    return type(pattern) is type(data) and bool(pattern == data)


def _write_texts(texts: list[Filled]) -> Cells:
    """Return the cells of texts in their places; a free text is still to be filled in."""
    cells: Cells = {}
    for number, (place, (text, blanks)) in enumerate(texts, 1):
        cells |= {f"when_{number}": place.name, f"text_{number}": text or FREE.format(n=number)}
        if blanks:
            cells[f"blanks_{number}"] = blanks
    return cells


def _fill_free_texts(catalog: Catalog, card: Mapping[str, Any], cells: Cells, lang: str) -> Cells | None:
    """Return the cells with the words of free texts.

    None if the row does not make the card.
    """
    free = [number for number in range(1, TEXTS + 1) if cells.get(f"text_{number}") == FREE.format(n=number)]
    if free:
        found = {
            each: _find_words(catalog, card, cells, each, each) or _find_words(catalog, card, cells, each, lang)
            for each in LANGUAGES
        }
        for number in free:
            words = {each: found[each].get(number, "") for each in LANGUAGES}
            if not all(words.values()):
                return None
            cells = {**cells, f"text_{number}": words["en"]}
            if words["de"] != words["en"]:
                cells[f"german_{number}"] = words["de"]
    made = CardRow(catalog, 0, cells, lang)
    entry = made.build_card(card["id"])
    wrong = {problem.column for problem in made.problems}
    if not wrong <= {*catalog.columns, "copies"}:
        return None
    made_again, given = ({key: part for key, part in each.items() if key not in wrong} for each in (entry, card))
    return cells if _rename_names(made_again) == _rename_names(given) else None


def _find_words(catalog: Catalog, card: Mapping[str, Any], cells: Cells, lang: str, written: str) -> dict[int, str]:
    """Return the words of each free text, as the card prints them in a language.

    `written`: the language of the whole face, if its free texts are in one only.
    """
    made = CardRow(catalog, 0, cells, written).build_card(card["id"])
    found: dict[int, str] = {}
    for key in ("text", "bad_text"):
        printed, pattern = card.get(key), made.get(key)
        if isinstance(printed, Mapping) and isinstance(pattern, Mapping):
            built = re.sub(r"§(\d)§\\\.", r"(?P<t\1>.+)", re.escape(str(pattern.get(lang))))
            match = re.fullmatch(built, str(printed.get(lang)), re.DOTALL)
            found |= {int(name[1:]): words for name, words in (match.groupdict() if match else {}).items()}
    return found


def _rename_names(card: Mapping[str, Any]) -> Any:
    """Return a card with numbers for the names that it binds."""
    plain = make_plain({key: value for key, value in card.items() if key != "copies" or value != 1})
    names = {name: f"#{number}" for number, name in enumerate(dict.fromkeys(_list_bound_names(plain)))}

    def rename(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: value if key in ("text", "bad_text", "name") else rename(value) for key, value in part.items()}
        if isinstance(part, list):
            return [rename(each) for each in part]
        return names.get(part, part) if isinstance(part, str) else part

    return rename(plain)


def _list_bound_names(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from _list_bound_names(each)
    if isinstance(part, dict):
        if isinstance(part.get("called"), str):
            yield part["called"]
        for each in part.values():
            yield from _list_bound_names(each)
