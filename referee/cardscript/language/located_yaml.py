"""Cards as YAML: every mapping with its line, and nothing that could be endless."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from referee.engine.codec import MAX_QUOTED_LETTERS, quote_value
from referee.engine.rulebook.book import BookError

MERGE_TAG, INTEGER_TAG, DATE_TAG = (f"tag:yaml.org,2002:{name}" for name in ("merge", "int", "timestamp"))
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
NO_YAML = "this is no YAML"
MAX_NESTING = 24  # the deepest card has 10
MAX_PARTS = 60_000  # values, lists and mappings of a file; a book of 500 cards with twelve lines each has 42,000
MAX_KEYS = 200  # of one mapping
MAX_NUMBER_LETTERS = 100  # of a whole number; Python writes none of more than 4300 digits
NESTED_TOO_DEEPLY = f"nested more than {MAX_NESTING} deep"


class LocatedMapping(dict[str, Any]):
    """A mapping that knows its line in the file, and those of its keys."""

    line = 0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.lines: dict[str, int] = {}

    def line_of(self, key: str) -> int:
        """Return the line of a key, or that of the mapping if the key is missing."""
        return self.lines.get(key, self.line)


def load_entries(path: Path) -> list[LocatedMapping]:
    """Return the entries of a YAML file, every mapping with its line.

    Raises BookError.
    """
    data = parse_located_yaml(path.read_text("utf-8"), path.name)
    if not isinstance(data, list) or not all(isinstance(entry, LocatedMapping) for entry in data):
        raise BookError(f"{path.name}: a list of entries is needed")
    return data


def parse_located_yaml(text: str, file: str, *, with_tags: bool = True) -> Any:
    """Return the data of a YAML text, every mapping with its line.

    Raises BookError, also if the text is nested too deeply, has too many parts, or uses aliases: with them a short text
    could stand for an endless one. `with_tags`: False refuses tags (`!!int "0"`), which give a value another type than
    it shows.
    """
    loader = LOADER(text)
    try:
        _check_size(text, file, with_tags)
        return _construct_data(loader, loader.get_single_node(), file)
    except yaml.MarkedYAMLError as error:
        at: Any = error.problem_mark or error.context_mark
        problem = f"{NO_YAML}: {error.problem or error.context}"
        problem = NESTED_TOO_DEEPLY if "nesting depth" in problem else problem  # a limit of the library's own
        raise BookError(f"{file}:{at.line + 1 if at else 1}: {problem}") from error
    except yaml.reader.ReaderError as error:
        line = text.encode()[: error.position].count(10) + 1
        raise BookError(f"{file}:{line}: {NO_YAML}: {error.reason}") from error
    finally:
        loader.dispose()


def _check_size(text: str, file: str, with_tags: bool) -> None:
    """Refuse a text before its parts are put together, which takes far longer."""
    depth = parts = 0
    for event in yaml.parse(text, LOADER):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            raise BookError(f"{file}:{line}: *{event.anchor} is an alias; write out what it stands for")
        if not with_tags and (tag := getattr(event, "tag", None)) is not None:
            raise BookError(f"{file}:{line}: {tag[:MAX_QUOTED_LETTERS]} is a tag; write the value without it")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_NESTING:
            raise BookError(f"{file}:{line}: {NESTED_TOO_DEEPLY}")
        parts += isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent)
        if parts > MAX_PARTS:
            raise BookError(f"{file}:{line}: more than {MAX_PARTS} values in one file")


def _construct_data(loader: Any, node: Any, file: str) -> Any:
    if isinstance(node, yaml.MappingNode):
        found = LocatedMapping()
        found.line = node.start_mark.line + 1
        if len(node.value) > MAX_KEYS:
            raise BookError(f"{file}:{found.line}: more than {MAX_KEYS} keys in one place")
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag == MERGE_TAG:
                raise BookError(f"{file}:{key.start_mark.line + 1}: << is a merge; write out what it stands for")
            name = _construct_scalar(loader, key, file) if isinstance(key, yaml.ScalarNode) else None
            if not isinstance(name, str):
                shown = repr(name) if isinstance(key, yaml.ScalarNode) else "this key"
                raise BookError(f"{file}:{key.start_mark.line + 1}: {shown} is not text; put it in quotes")
            if name in found:
                raise BookError(f"{file}:{key.start_mark.line + 1}: {name} appears twice")
            found[name] = _construct_data(loader, value, file)
            found.lines[name] = key.start_mark.line + 1
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_construct_data(loader, part, file) for part in node.value]
    return None if node is None else _construct_scalar(loader, node, file)


def _construct_scalar(loader: Any, node: yaml.ScalarNode, file: str) -> Any:
    """Return a single value. Raises BookError, also if it is not what its tag says."""
    where = f"{file}:{node.start_mark.line + 1}"
    if node.tag == INTEGER_TAG and len(node.value) > MAX_NUMBER_LETTERS:
        raise BookError(f"{where}: too large a number")
    try:
        return loader.construct_object(node)
    except (ValueError, LookupError, AttributeError) as error:  # the library's own, of what does not fit the tag
        if node.tag == DATE_TAG and isinstance(error, ValueError):
            raise BookError(f"{where}: this is no date: {error}; put it in quotes") from error
        raise BookError(f"{where}: {quote_value(node.value)} is no value of the tag {node.tag}") from error
