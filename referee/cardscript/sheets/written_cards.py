"""Cards that are written in the card language, in one cell of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from referee.cardscript.language.located_yaml import LocatedMapping, parse_located_yaml
from referee.engine.rulebook.book import LANGUAGES, BookError

WRITTEN = "card"  # the column with all that a card says in YAML, but for what stands in the columns of OWN_COLUMNS
OWN_COLUMNS = ("id", "kind", "name", "name_de", "copies")
OWN_KEYS = ("id", "kind", "name", "copies")
LINE_WIDTH = 100
MAX_WRITTEN = 20_000  # characters


class WrittenCardError(ValueError):
    """What stands in the cell is no card; the message says in which line, and why."""


def read_written_card(text: str) -> LocatedMapping:
    """Return what a card says in YAML, with the lines of its cell.

    Raises WrittenCardError.
    """
    try:
        data = parse_located_yaml(text, "cell", with_tags=False)
    except BookError as wrong:
        line, _, detail = str(wrong).removeprefix("cell:").partition(": ")
        raise WrittenCardError(tell_line(int(line), detail)) from wrong
    if not isinstance(data, LocatedMapping):
        raise WrittenCardError("a card in YAML has a key in each line, such as cost: 5")
    for key in data:
        if key in OWN_KEYS:
            raise WrittenCardError(tell_line(data.line_of(key), f"{key} has a column of its own"))
    return data


def tell_line(line: int, detail: str) -> str:
    """Return what is wrong, with the line of the cell."""
    return f"line {line}: {detail}"


def list_written_lines(key: str, value: Any, line: int) -> Iterator[tuple[str, Any, int]]:
    """Yield how a key of a card is written into a book.

    That is the sign before it, what stands there, and its line in the cell. Each mapping of a list has a line of its
    own.
    """
    if isinstance(value, list) and value and all(isinstance(each, LocatedMapping) for each in value):
        yield f"{key}:", None, line
        for each in value:
            yield "    -", make_plain(each), each.line
    else:
        yield f"{key}:", make_plain(value), line


def make_plain(value: Any) -> Any:
    """Return data without the lines that it came from."""
    if isinstance(value, Mapping):
        return {key: make_plain(part) for key, part in value.items()}
    return [make_plain(part) for part in value] if isinstance(value, list | tuple) else value


def write_card(entry: Mapping[str, Any]) -> str:
    """Return all that a card says in YAML, but for what has columns of its own."""
    said = {key: make_plain(value) for key, value in entry.items() if key not in OWN_KEYS}
    return dump_card(said) if said else ""


def dump_card(said: Any) -> str:
    """Return data as YAML for people, its innermost parts on one line each."""
    written: str = yaml.safe_dump(said, default_flow_style=None, allow_unicode=True, sort_keys=False, width=LINE_WIDTH)
    return written.strip()


def describe_texts(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a card whose texts have every language, as its book will have them."""
    texts = {
        key: dict.fromkeys(LANGUAGES, entry[key]) for key in ("text", "bad_text") if isinstance(entry.get(key), str)
    }
    return {**make_plain(entry), **texts}
