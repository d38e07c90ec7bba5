"""The texts of the cards as programs, read with the words of the game. Importing this fills `material.PROGRAMS`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.cardscript.language.parser import Marked, Reader
from referee.cardscript.language.primitives import Lines, Vocabulary
from referee.engine.rulebook.editions import Findings
from referee.games.creature_crush.card_attributes import TEXTS, ambient
from referee.games.creature_crush.components import ENTRIES, PROGRAMS
from referee.games.creature_crush.conditions import OF_A_CARD, Amount, Condition, read_condition
from referee.games.creature_crush.texts import nouns, selecting, verbs_of_cards, verbs_of_creatures
from referee.games.creature_crush.texts.checks import check_meant
from referee.games.creature_crush.texts.vocabulary import WORDS

FILLED = (nouns, selecting, verbs_of_creatures, verbs_of_cards)  # importing them fills the vocabulary


def read_texts(file: str, entry: Marked, words: Vocabulary = WORDS) -> dict[str, Lines]:
    """The programs of a card by their names (`faces.TEXTS`). Raises Misprints with all that is wrong."""
    findings = Findings()
    reader = Reader(file, words, findings, unsaid=() if entry.get("kind") == "crush" else ("x",))
    texts: dict[str, Lines] = {}
    for name in TEXTS:
        if name in entry:
            line, around, before = entry.at(name), ambient(entry, name), len(findings.found)
            with findings.noted():
                texts[name] = reader.text(entry[name], line, around)
                if len(findings.found) > before:
                    continue  # a line that could not be read may have been the one that gives the name
                if not texts[name]:
                    raise reader.wrong(line, f"{name} has no line; leave it out if nothing happens")
                known = (*words.ambient, *around, *bound(texts[name]))
                check_spoken_of(reader, line, spoken_of(texts[name]), known)
                check_meant(reader, line, texts[name], entry.get("kind") == "crush")
    when = entry.get("flips_when")
    if isinstance(when, Marked) and "that" in when:
        with findings.noted():
            condition = read_condition(file, when["that"], when.line)
            check_spoken_of(reader, when.line, of_condition(condition), ambient(entry, "flip"))
    for part in entry["standing"] if isinstance(entry.get("standing"), list) else ():
        if isinstance(part, Marked) and "if" in part:
            with findings.noted():
                check_spoken_of(reader, part.line, of_condition(read_condition(file, part["if"], part.line)), ())
    findings.settle()
    return texts


def bound(lines: Lines) -> Iterator[str]:
    """The names that a program binds."""
    return (line.word.called for line in lines if hasattr(line.word, "called"))


def spoken_of(lines: Lines) -> Iterator[str]:
    """The names of cards that the conditions and amounts of a program look at."""
    for line in lines:
        for value in vars(line.word).values():
            if isinstance(value, Condition):
                yield from of_condition(value)
            elif isinstance(value, Amount) and value.attack_of:
                yield value.attack_of


def of_condition(condition: Condition) -> Iterator[str]:
    """The names of cards that a condition looks at."""
    if condition.word in OF_A_CARD:
        yield condition.of
    for each in condition.all_of:
        yield from of_condition(each)


def check_spoken_of(reader: Reader, line: int, names: Iterable[str], known: Iterable[str]) -> None:
    """Raises Misprint unless all these names stand for something: a condition's are not looked at as it is read."""
    known = tuple(known)
    for name in names:
        if name not in known:
            if not known:
                raise reader.wrong(line, f"nothing is called {name!r}: there is nothing that could be spoken of here")
            raise reader.unknown(line, "nothing is called", name, known)


for _file, _entry in ENTRIES:
    for _name, _lines in read_texts(_file, _entry).items():
        PROGRAMS[_entry["id"], _name] = _lines
