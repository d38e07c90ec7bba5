"""Texts that were parsed before: the data of a YAML file, found by the hash of its source.

Parsing takes a good part of the CPU that loading the games takes. A program that starts often may keep what was parsed
(`referee.infrastructure.parsed_texts`). Without that, every text is parsed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any


class ParsedTexts:
    """The texts that are known, as JSON by their hash, and those that were used since."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self.known = known
        self.used: dict[str, str] = {}

    def has_news(self) -> bool:
        """Whether a text was used that was not known."""
        return not self.used.keys() <= self.known.keys()


_texts: ParsedTexts | None = None


def use_parsed_texts(texts: ParsedTexts | None) -> None:
    """Use these texts from now on, and enter those that are parsed; None: parse all."""
    global _texts
    _texts = texts


def find_data(
    kind: str,
    source: bytes,
    parse: Callable[[str], Any],
    encode: Callable[[Any], str] = json.dumps,
    decode: Callable[[str], Any] = json.loads,
) -> Any:
    """Return the data of a source: as it is known, or else parsed.

    `kind` names the parser. Each call makes the data afresh, so a caller may change it. Raises what `parse` raises.
    """
    if _texts is None:
        return parse(source.decode("utf-8"))
    key = blake2b(source, digest_size=16, person=kind.encode()).hexdigest()
    text = _texts.known.get(key)
    if text is not None:
        _texts.used[key] = text
        return decode(text)
    data = parse(source.decode("utf-8"))
    try:
        text = encode(data)
    except TypeError:  # a date, say, for which JSON has no word
        return data
    if decode(text) == data:  # not so with numbers as keys
        _texts.used[key] = text
    return data
