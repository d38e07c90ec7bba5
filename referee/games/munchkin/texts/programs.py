"""The texts of the cards as programs, read with the words of the game. Importing this fills `material.PROGRAMS`."""

from __future__ import annotations

from referee.cards.reader import Marked, Reader
from referee.cards.words import Lines, Vocabulary
from referee.games.munchkin.faces import TEXTS
from referee.games.munchkin.material import ENTRIES, PROGRAMS
from referee.games.munchkin.texts import verbs_of_combat, verbs_of_items, verbs_of_players
from referee.games.munchkin.texts.vocabulary import WORDS

VERBS = (verbs_of_players, verbs_of_items, verbs_of_combat)  # importing them fills the vocabulary


def read_texts(file: str, entry: Marked, words: Vocabulary = WORDS) -> dict[str, Lines]:
    """The programs of a card by their names: those of `faces.TEXTS`, and `power/<name>`. Raises Misprint."""
    reader = Reader(file, words)
    texts = {name: reader.text(entry[name], entry.line) for name in TEXTS if name in entry}
    for power in entry.get("powers", ()):
        texts[f"power/{power['name']}"] = reader.text(power.get("does"), power.line)
    return texts


for _file, _entry in ENTRIES:
    for _name, _lines in read_texts(_file, _entry).items():
        PROGRAMS[_entry["id"], _name] = _lines
