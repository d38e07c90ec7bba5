"""Numbers of a book that are out of their range, such as a roll of 99999.

Only books that are checked or published are searched: an edition that is published already is read as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.primitives import NumberRange, describe_range_error
from referee.engine.rulebook.editions import CardBook


def find_odd_numbers(book: CardBook, ranges: Mapping[str, NumberRange]) -> Iterator[str]:
    """Yield an error for each number of a book that is out of its range.

    `ranges`: as `Vocabulary.ranges`.
    """
    for entry in book.entries:
        yield from _find_odd_parts(book.file, entry, "", ranges)


def _find_odd_parts(file: str, part: Any, name: str, ranges: Mapping[str, NumberRange]) -> Iterator[str]:
    """Yield the errors of a part of a card that stands under the key `name`."""
    if isinstance(part, list):
        for each in part:
            yield from _find_odd_parts(file, each, name, ranges)
    if not isinstance(part, LocatedMapping):
        return
    word = part["do"] if isinstance(part.get("do"), str) else name
    for key, value in part.items():
        where = next((each for each in (f"{word}.{key}", key) if each in ranges), None)
        if where is not None:
            least, most = ranges[where]
            for number in value if isinstance(value, list) else [value]:
                if type(number) is int and not least <= number <= most:
                    yield f"{file}:{part.line_of(key)}: {describe_range_error(where, number, ranges[where])}"
        yield from _find_odd_parts(file, value, key, ranges)
    if "do" not in part and type(part.get("min")) is int and type(part.get("max")) is int and part["min"] > part["max"]:
        yield f"{file}:{part.line_of('min')}: there is no number between these"
