"""The texts of the cards as programs, read with the words of the game. Importing this fills `material.PROGRAMS`."""

from __future__ import annotations

from dataclasses import replace

from referee.cards.common import Again, Choose, GoBack, OfferTo, Stop
from referee.cards.reader import Marked, Reader
from referee.cards.words import Called, Line, Lines, Vocabulary
from referee.games.here_to_slay.material import ENTRIES, PROGRAMS
from referee.games.here_to_slay.texts import verbs_of_cards, verbs_of_heroes
from referee.games.here_to_slay.texts.faces import EVENTS, listed
from referee.games.here_to_slay.texts.vocabulary import WORDS

VERBS = (verbs_of_cards, verbs_of_heroes)  # importing them fills the vocabulary


def read_texts(file: str, entry: Marked, words: Vocabulary = WORDS) -> dict[str, Lines]:
    """The programs of a card: `does`, `penalty`, `reward`, `action`, `whenever0`, `instead0`. Raises Misprint."""
    reader = Reader(file, words)
    texts = {name: reader.text(entry[name], entry.line) for name in ("does", "penalty", "reward") if name in entry}
    if "action" in entry:
        texts["action"] = reader.text(entry["action"].get("does"), entry["action"].line)
    for number, part in enumerate(entry.get("whenever", ())):
        lines = reader.text(part.get("does"), part.line, EVENTS[part["event"]])
        if part.get("may"):
            lines = offered(lines)
        texts[f"whenever{number}"] = repeated(reader, part, lines) if part.get("again") else lines
    for number, part in enumerate(listed(entry.get("instead", ()))):
        texts[f"instead{number}"] = reader.text(part.get("does"), part.line, ("hero",))
    return texts


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
