"""Texts that were parsed before: the data of YAML files, by a hash.

Parsing takes a good part of the CPU that loading the games takes. A program that starts often may keep what was parsed
(`referee.infrastructure.parsed_texts`). Without that, every text is parsed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any


class ParsedTexts:
    """Texts that are known, as JSON by their hash, and those that were used since."""

    def __init__(self) -> None:
        self.is_used = False
        self.known: Mapping[str, str] = {}
        self.used: dict[str, str] = {}

    def start(self, known: Mapping[str, str]) -> None:
        """Use these texts from now on, and enter those that are parsed."""
        self.is_used, self.known, self.used = True, known, {}

    def stop(self) -> dict[str, str] | None:
        """Parse all texts from now on; return those that were used.

        Return None if all of them were known.
        """
        used = None if self.used.keys() <= self.known.keys() else self.used
        self.is_used, self.known, self.used = False, {}, {}
        return used


PARSED_TEXTS = ParsedTexts()


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
    if not PARSED_TEXTS.is_used:
        return parse(source.decode("utf-8"))
    key = blake2b(source, digest_size=16, person=kind.encode()).hexdigest()
    text = PARSED_TEXTS.known.get(key)
    if text is not None:
        PARSED_TEXTS.used[key] = text
        return decode(text)
    data = parse(source.decode("utf-8"))
    try:
        text = encode(data)
    except TypeError:  # a date, say, for which JSON has no word
        return data
    if decode(text) == data:  # not so with numbers as keys
        PARSED_TEXTS.used[key] = text
    return data
