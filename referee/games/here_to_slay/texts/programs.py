"""The texts of the cards as programs, read with the words of the game. Importing this fills `material.PROGRAMS`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.cardscript.books.files import Findings
from referee.cardscript.language.builtins import Again, Choose, GoBack, OfferTo, Stop
from referee.cardscript.language.parser import Marked, Reader
from referee.cardscript.language.primitives import Called, Line, Lines, Vocabulary
from referee.games.here_to_slay.components import ENTRIES, PROGRAMS
from referee.games.here_to_slay.texts import verbs_of_cards, verbs_of_heroes
from referee.games.here_to_slay.texts.faces import EVENTS, listed
from referee.games.here_to_slay.texts.vocabulary import WORDS

VERBS = (verbs_of_cards, verbs_of_heroes)  # importing them fills the vocabulary


def read_texts(file: str, entry: Marked, words: Vocabulary = WORDS) -> dict[str, Lines]:
    """The programs of a card: `does`, `penalty`, `reward`, `action`, `whenever0`, `instead0`. Raises Misprints."""
    findings = Findings()
    reader = Reader(file, words, findings)
    texts: dict[str, Lines] = {}

    def read(name: str, data: Any, line: int, ambient: tuple[str, ...] = (), part: Marked | None = None) -> None:
        with findings.noted():
            lines = reader.text(data, line, ambient)
            if part is not None and part.get("may"):
                lines = offered(lines)
            texts[name] = repeated(reader, part, lines) if part is not None and part.get("again") else lines

    for name in ("does", "penalty", "reward"):
        if name in entry:
            read(name, entry[name], entry.at(name))
    action = entry.get("action")
    if isinstance(action, Marked):
        read("action", action.get("does"), action.line)
    for number, part in enumerate(_mappings(entry, "whenever")):
        read(f"whenever{number}", part.get("does"), part.line, EVENTS.get(str(part.get("event")), ()), part)
    for number, part in enumerate(_mappings(entry, "instead")):
        read(f"instead{number}", part.get("does"), part.line, ("hero",))
    findings.settle()
    return texts


def _mappings(entry: Marked, key: str) -> list[Marked]:
    """The parts of a card under a key; what is no mapping `read_face` complains of."""
    parts = listed(entry.get(key, []))
    return [part for part in parts if isinstance(part, Marked)] if isinstance(parts, list) else []


def moved_on(line: Line, by: int) -> Line:
    """The same line with so many lines before it."""
    word = GoBack(line.word.to + by) if isinstance(line.word, GoBack) else line.word
    return replace(line, word=word, jump=line.jump + by)


def offered(lines: Lines) -> Lines:
    """The program as an offer: its player takes it or leaves it (HTS-MAY-2)."""
    name = "accepted"
    head = (Line(OfferTo(Called(name)), jump=1), Line(Stop(), unless=name, jump=2))
    return (*head, *(moved_on(line, 2) for line in lines))


def repeated(reader: Reader, part: Marked, lines: Lines) -> Lines:
    """The program with an end that begins anew for the rest of what is chosen from (HTS-TRIG-6)."""
    choice = next((line.word for line in lines if isinstance(line.word, Choose)), None)
    among = getattr(choice.noun, "among", "") if choice else ""
    if choice is None or not among:
        raise reader.wrong(part.line, "'again' needs a choice among something bound")
    return (*lines, Line(Again(choice.called, among), jump=len(lines) + 1))


for _file, _entry in ENTRIES:
    for _name, _lines in read_texts(_file, _entry).items():
        PROGRAMS[_entry["id"], _name] = _lines
