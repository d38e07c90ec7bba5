"""The texts of the cards as programs.

Importing this module fills `components.PROGRAMS`.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.books.catalog import register_texts
from referee.cardscript.language.builtins import Again, Choose, wrap_as_offer
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.parser import CardTextParser
from referee.cardscript.language.primitives import Program, ProgramLine, Vocabulary
from referee.engine.rulebook.editions import ErrorCollector
from referee.games.here_to_slay.components import CARD_ENTRIES, PROGRAMS
from referee.games.here_to_slay.texts import verbs_of_cards, verbs_of_heroes, verbs_of_places, verbs_of_turns
from referee.games.here_to_slay.texts.amounts import list_amounts
from referee.games.here_to_slay.texts.faces import TRIGGER_EVENTS, as_list
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY

# Importing these fills the vocabulary.
VOCABULARY_MODULES = (verbs_of_cards, verbs_of_heroes, verbs_of_places, verbs_of_turns)


def parse_texts(file: str, entry: LocatedMapping, words: Vocabulary = VOCABULARY) -> dict[str, Program]:
    """Return the programs of a card by name.

    The names are `does`, `penalty`, `reward`, `action`, `whenever0`, `instead0`. Raises CardBookError.
    """
    findings = ErrorCollector()
    reader = CardTextParser(file, words, findings)
    texts: dict[str, Program] = {}

    def read(
        name: str, data: Any, line: int, ambient: tuple[str, ...] = (), part: LocatedMapping | None = None
    ) -> None:
        with findings.collect_error():
            lines = reader.parse_text(data, line, ambient)
            _check_counted_names(reader, lines, line, ambient)
            if part is not None and part.get("may"):
                lines = wrap_as_offer(lines)  # HTS-MAY-2: an offer comes once, and is taken or declined
            texts[name] = wrap_as_loop(reader, part, lines) if part is not None and part.get("again") else lines

    for name in ("does", "penalty", "reward"):
        if name in entry:
            read(name, entry[name], entry.line_of(name))
    action = entry.get("action")
    if isinstance(action, LocatedMapping):
        read("action", action.get("does"), action.line)
    for number, part in enumerate(_select_mappings(entry, "whenever")):
        read(f"whenever{number}", part.get("does"), part.line, TRIGGER_EVENTS.get(str(part.get("event")), ()), part)
    for number, part in enumerate(_select_mappings(entry, "instead")):
        read(f"instead{number}", part.get("does"), part.line, ("hero",))
    findings.raise_collected()
    return texts


def _check_counted_names(reader: CardTextParser, lines: Program, line: int, ambient: tuple[str, ...]) -> None:
    """Raise BookError if an amount counts a name that an earlier line does not bind."""
    for at, amount in list_amounts(lines):
        bound = [getattr(each.effect, "called", "") for each in lines[:at]]
        known = ["me", *ambient, *filter(None, bound)]
        if amount.of not in known:
            raise reader.unknown_word_error(line, f"{amount.measure}: unknown name", amount.of, known)


def _select_mappings(entry: LocatedMapping, key: str) -> list[LocatedMapping]:
    """Return the mappings under a key of a card. `parse_face` reports other parts."""
    parts = as_list(entry.get(key, []))
    return [part for part in parts if isinstance(part, LocatedMapping)] if isinstance(parts, list) else []


def wrap_as_loop(reader: CardTextParser, part: LocatedMapping, lines: Program) -> Program:
    """Return the program with an end that starts over for the rest of the options.

    HTS-TRIG-6: Cards drawn together form one lot: when all are drawn, the owner of a drawing ability picks one of them
        or declines, and after each pick is asked about the rest.
    """
    choice = next((line.effect for line in lines if isinstance(line.effect, Choose)), None)
    among = getattr(choice.noun, "among", "") if choice else ""
    if choice is None or not among:
        raise reader.error_at(part.line, "'again' needs a choice among something bound")
    return (*lines, ProgramLine(Again(choice.called, among), jump=len(lines) + 1))


register_texts(PROGRAMS, CARD_ENTRIES, parse_texts)
