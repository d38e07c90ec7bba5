"""The texts of the cards as programs, parsed with the words of the game.

Importing this module fills `components.PROGRAMS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.cardscript.books.catalog import register_texts
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.parser import CardTextParser
from referee.cardscript.language.primitives import Program, Vocabulary
from referee.engine.rulebook.editions import ErrorCollector
from referee.games.creature_crush.card_attributes import TEXT_NAMES, find_ambient_names
from referee.games.creature_crush.components import CARD_ENTRIES, PROGRAMS
from referee.games.creature_crush.conditions import CARD_CONDITIONS, Amount, Condition
from referee.games.creature_crush.texts import (
    nouns,
    selecting,
    verbs_of_cards,
    verbs_of_creatures,
    verbs_of_dice,
    verbs_of_time,
    verbs_of_zones,
)
from referee.games.creature_crush.texts.checks import check_name_meanings
from referee.games.creature_crush.texts.vocabulary import VOCABULARY

VOCABULARY_MODULES = (
    nouns,
    selecting,
    verbs_of_creatures,
    verbs_of_cards,
    verbs_of_zones,
    verbs_of_dice,
    verbs_of_time,
)  # importing them fills the vocabulary


def parse_texts(file: str, entry: LocatedMapping, words: Vocabulary = VOCABULARY) -> dict[str, Program]:
    """Return the programs of a card by their names (`TEXT_NAMES`).

    Raises CardBookError with all errors.
    """
    findings = ErrorCollector()
    reader = CardTextParser(file, words, findings, unsuggested_names=() if entry.get("kind") == "crush" else ("x",))
    texts: dict[str, Program] = {}
    for name in TEXT_NAMES:
        if name in entry:
            line, around, before = entry.line_of(name), find_ambient_names(entry, name), len(findings.errors)
            with findings.collect_error():
                texts[name] = reader.parse_text(entry[name], line, around)
                if len(findings.errors) > before:
                    continue  # a line that could not be parsed may have been the one that gives the name
                if not texts[name]:
                    raise reader.error_at(line, f"{name} has no lines; leave it out if nothing happens")
                known = (*words.ambient, *around, *collect_bound_names(texts[name]))
                check_mentioned_names(reader, line, collect_mentioned_names(texts[name]), known)
                check_name_meanings(reader, line, texts[name], entry.get("kind") == "crush", name)
    when = entry.get("flips_when")
    if isinstance(when, LocatedMapping) and "that" in when:
        with findings.collect_error():
            condition = Condition.from_card(file, when["that"], when.line)
            check_mentioned_names(
                reader, when.line, collect_condition_names(condition), find_ambient_names(entry, "flip")
            )
    for part in entry["standing"] if isinstance(entry.get("standing"), list) else ():
        if isinstance(part, LocatedMapping) and "if" in part:
            with findings.collect_error():
                check_mentioned_names(
                    reader, part.line, collect_condition_names(Condition.from_card(file, part["if"], part.line)), ()
                )
    findings.raise_collected()
    return texts


def collect_bound_names(lines: Program) -> Iterator[str]:
    """Yield the names that a program binds."""
    return (line.effect.called for line in lines if hasattr(line.effect, "called"))


def collect_mentioned_names(lines: Program) -> Iterator[str]:
    """Yield the names of cards that conditions and amounts of a program use."""
    for line in lines:
        for value in vars(line.effect).values():
            if isinstance(value, Condition):
                yield from collect_condition_names(value)
            elif isinstance(value, Amount) and value.of:
                yield value.of


def collect_condition_names(condition: Condition) -> Iterator[str]:
    """Yield the names of cards that a condition uses."""
    if condition.word in CARD_CONDITIONS:
        yield condition.of
    for each in condition.all_of:
        yield from collect_condition_names(each)


def check_mentioned_names(reader: CardTextParser, line: int, names: Iterable[str], known: Iterable[str]) -> None:
    """Check that all these names stand for something.

    Raises BookError if one does not. The parser does not check the names in a condition.
    """
    known = tuple(known)
    for name in names:
        if name not in known:
            if not known:
                raise reader.error_at(line, f"unknown name {name!r}: no names can be used here")
            raise reader.unknown_word_error(line, "unknown name", name, known)


register_texts(PROGRAMS, CARD_ENTRIES, parse_texts)
