"""What reads the faces of cards: everything that an entry of a card file says apart from its texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.cardscript.language.parser import Marked, Reader
from referee.cardscript.language.primitives import Vocabulary
from referee.engine.rulebook.book import Misprint
from referee.engine.rulebook.editions import Findings


@dataclass
class FaceReader(Reader):
    """Reads one entry. What is wrong with a key is noted; what is wrong with a part of it is raised, as a Misprint."""

    words: Vocabulary = field(default_factory=Vocabulary)
    noted: Findings = field(default_factory=Findings)

    def amiss(self, misprint: Misprint) -> None:
        """Notes an error."""
        self.noted.found.append(misprint)

    def keys(self, part: Any, line: int, allowed: tuple[str, ...], where: str) -> Marked:
        """The mapping that a part has to be; a key that it may not have is noted. Raises Misprint."""
        if not isinstance(part, Marked):
            raise self.wrong(line, f"{where} is followed by a mapping, not {part!r}")
        for key in part:
            if key not in allowed:
                self.amiss(self.unknown(part.at(key), "unknown key", key, allowed))
        return part

    def parts(self, entry: Marked, key: str, most: int) -> list[Any]:
        """A list of some parts. Raises Misprint."""
        found = entry.get(key, [])
        if not isinstance(found, list) or len(found) > most:
            raise self.wrong(entry.at(key), f"{key} is followed by a list of up to {most}")
        return found

    def whole(self, part: Marked, key: str, usual: int, least: int, most: int) -> int:
        """A whole number. Raises Misprint."""
        value = part.get(key, usual)
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(part.at(key), f"{key}: {value!r} is no whole number from {least} to {most}")
        return int(value)

    def truth(self, part: Marked, key: str) -> bool:
        """True or false. Raises Misprint."""
        if type(part.get(key, False)) is not bool:
            raise self.wrong(part.at(key), f"{key} is followed by true or false")
        return bool(part.get(key))

    def one_of(self, part: Marked, key: str, known: tuple[str, ...], usual: str = "") -> str:
        """A word that is known. Raises Misprint."""
        value = part.get(key, usual)
        if not isinstance(value, str) or (value not in known and (value != usual or key in part)):
            raise self.unknown(part.at(key), f"unknown {key}", str(value), known)
        return value

    def words_of(self, part: Marked, key: str, known: tuple[str, ...], what: str = "") -> tuple[str, ...]:
        """One word or several that are known. Raises Misprint."""
        given = part.get(key, ())
        names = [str(name) for name in given] if isinstance(given, list | tuple) else [str(given)]
        for name in names:
            if name not in known:
                raise self.unknown(part.at(key), f"unknown {what or key}", name, known)
        return tuple(names)


def check_own(file: str, entry: Marked) -> None:
    """Raises Misprint where one of a game's own cards does not name the clauses that it rests on."""
    if not entry.get("clauses"):
        raise Misprint(f"{file}:{entry.line}: clauses is missing")
