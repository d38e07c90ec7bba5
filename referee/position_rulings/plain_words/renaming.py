"""Members of a mapping, players and words, called as people call them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.codec import escape_name
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulebook.messages import NAMED_PLAYER_FOLDED
from referee.position_rulings.words import MEMBER_NAMES, RULING_TEXTS


class RenamedMapping(LocatedMapping):
    """A mapping whose members have the names of the program.

    `source`: the mapping as it was written. `written`: what each member is called there.
    """

    def __init__(self, source: Mapping[str, Any]) -> None:
        super().__init__()
        self.source: Mapping[str, Any] = source.source if isinstance(source, RenamedMapping) else source
        self.written: dict[str, str] = {}


def find_seat(written: Any, players: Sequence[str]) -> Any:
    """Return the seat of a player who is named, or called Player 1 or Spieler 1.

    What names no player is returned as it is.
    """
    if not isinstance(written, str):
        return written
    small = written.strip().casefold()
    named = [seat for seat, name in enumerate(players) if small and name.strip().casefold() == small]
    if len(named) == 1:
        return named[0]
    if (numbered := NAMED_PLAYER_FOLDED.fullmatch(written.strip())) is not None:
        return int(numbered[1]) - 1
    return "chance" if small in {RULING_TEXTS["chance"][lang].casefold() for lang in LANGUAGES} else written


def rename_members(data: Mapping[str, Any], words: Mapping[str, str], known: Collection[str] = ()) -> RenamedMapping:
    """Return a mapping, with its lines, whose members have the names of the program.

    `words`: these names by the words that people use, in small letters. What is in `known` keeps its name.
    """
    read, before = RenamedMapping(data), data.written if isinstance(data, RenamedMapping) else {}
    if isinstance(data, LocatedMapping):
        read.line = data.line
    for key, value in data.items():
        name = key if key in known else words.get(normalize_word(str(key)), key)
        name = key if name in read or (name != key and name in data) else name
        read[name], read.written[name] = value, before.get(key, key)
        if isinstance(data, LocatedMapping):
            read.lines[name] = data.line_of(key)
    return read


def find_written_pointer(read: Any, pointer: str) -> str:
    """Return a pointer into data that was read as one into what was written.

    It ends at a sentence that was read as members.
    """
    written, found = read.source if isinstance(read, RenamedMapping) else read, ""
    for part in pointer.split("/")[1:]:
        step: Any = part.replace("~1", "/").replace("~0", "~")
        name = read.written.get(step, step) if isinstance(read, RenamedMapping) else step
        if isinstance(written, Mapping):
            written = written.get(name, {})
        elif isinstance(written, list):
            written = written[int(name)] if name.isascii() and name.isdigit() and int(name) < len(written) else {}
        else:
            break
        found += f"/{escape_name(name)}"
        if isinstance(read, Mapping):
            read = read.get(step)
        else:
            read = read[int(step)] if isinstance(read, list) and step.isdigit() and int(step) < len(read) else None
    return found


def normalize_word(word: str) -> str:
    """Return a word as names are compared: small letters, with _ for what separates."""
    return re.sub(r"[\s_-]+", "_", word.strip().casefold())


@cache
def find_member_words(members: tuple[str, ...]) -> dict[str, str]:
    """Return members by the words for them in either language.

    A word that means several of them is left out.
    """
    found: dict[str, list[str]] = {}
    for name in members:
        words = {normalize_word(name), *(normalize_word(text) for text in MEMBER_NAMES.get(name, {}).values())}
        for word in words:
            found.setdefault(word, []).append(name)
    return {word: names[0] for word, names in found.items() if len(names) == 1}
