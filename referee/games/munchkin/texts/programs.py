"""The texts of the cards as programs, read with the words of the game. Importing this fills `material.PROGRAMS`."""

from __future__ import annotations

from referee.cardscript.language.parser import Marked, Reader
from referee.cardscript.language.primitives import Lines, Vocabulary
from referee.engine.rulebook.editions import Findings
from referee.games.munchkin.card_attributes import TEXTS
from referee.games.munchkin.components import ENTRIES, PROGRAMS
from referee.games.munchkin.texts import verbs_of_combat, verbs_of_items, verbs_of_players
from referee.games.munchkin.texts.vocabulary import WORDS

VERBS = (verbs_of_players, verbs_of_items, verbs_of_combat)  # importing them fills the vocabulary


def read_texts(file: str, entry: Marked, words: Vocabulary = WORDS) -> dict[str, Lines]:
    """The programs of a card by their names: those of `faces.TEXTS`, and `power/<name>`. Raises Misprints."""
    findings = Findings()
    reader = Reader(file, words, findings)
    texts: dict[str, Lines] = {}
    listed = entry.get("powers")  # what is no list, or no mapping in it, `read_face` complains of
    powers = [part for part in listed if isinstance(part, Marked)] if isinstance(listed, list) else []
    written = [(name, entry[name], entry.at(name)) for name in TEXTS if name in entry]
    written += [(f"power/{part.get('name')}", part.get("does"), part.line) for part in powers]
    for name, lines, line in written:
        with findings.noted():
            texts[name] = reader.text(lines, line)
    findings.settle()
    return texts


for _file, _entry in ENTRIES:
    for _name, _lines in read_texts(_file, _entry).items():
        PROGRAMS[_entry["id"], _name] = _lines
