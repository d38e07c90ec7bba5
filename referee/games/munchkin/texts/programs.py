"""The card texts as programs. Importing this module fills `components.PROGRAMS`."""

from __future__ import annotations

from referee.cardscript.books.catalog import register_texts
from referee.cardscript.language.builtins import wrap_as_offer
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.parser import CardTextParser
from referee.cardscript.language.primitives import Program, Vocabulary
from referee.engine.rulebook.editions import ErrorCollector
from referee.games.munchkin.card_attributes import TEXT_NAMES, TRIGGER_NAMES
from referee.games.munchkin.components import ENTRIES, PROGRAMS
from referee.games.munchkin.texts import (
    verbs_of_combat,
    verbs_of_items,
    verbs_of_looking,
    verbs_of_players,
    verbs_of_time,
)
from referee.games.munchkin.texts.vocabulary import WORDS

VERBS = (
    verbs_of_players,
    verbs_of_items,
    verbs_of_combat,
    verbs_of_time,
    verbs_of_looking,
)  # importing them fills the vocabulary


def parse_texts(file: str, entry: LocatedMapping, words: Vocabulary = WORDS) -> dict[str, Program]:
    """Return the programs of a card by name. Raises CardBookError.

    The names are those of `card_attributes.TEXT_NAMES`, `power/<name>` and `whenever<number>`.
    """
    findings = ErrorCollector()
    reader = CardTextParser(file, words, findings)
    texts: dict[str, Program] = {}
    listed = entry.get("powers")  # `parse_face` reports what is no list, or no mapping in it
    powers = [part for part in listed if isinstance(part, LocatedMapping)] if isinstance(listed, list) else []
    written = [(name, entry[name], entry.line_of(name)) for name in TEXT_NAMES if name in entry]
    written += [(f"power/{part.get('name')}", part.get("does"), part.line) for part in powers]
    for name, lines, line in written:
        with findings.collect_error():
            texts[name] = reader.parse_text(lines, line)
    waiting = entry.get("whenever")
    for number, part in enumerate(waiting if isinstance(waiting, list) else ()):
        if isinstance(part, LocatedMapping):
            with findings.collect_error():
                lines = reader.parse_text(part.get("does"), part.line, TRIGGER_NAMES)
                texts[f"whenever{number}"] = wrap_as_offer(lines) if part.get("may") else lines
    findings.raise_collected()
    return texts


register_texts(PROGRAMS, ENTRIES, parse_texts)
