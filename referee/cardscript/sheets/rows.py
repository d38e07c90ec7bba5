"""One row of a table as a card: numbers and words, sentences, free text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from referee.cardscript.sheets.catalog import Catalog, Column, find_name
from referee.cardscript.sheets.layout import CARD_LABELS, TableProblem, join_labels
from referee.cardscript.sheets.texts import CardTexts, WrittenText
from referee.cardscript.sheets.wording import normalize
from referee.cardscript.sheets.written_cards import OWN_COLUMNS, WRITTEN, WrittenCardError, read_written_card
from referee.engine.rulebook.book import Text

NUMBER_PATTERN = re.compile(r"-?\d+")
MOST_DIGITS = 40  # of a number that the check of the book looks at, and names with the limit
TRUE_WORDS = {"yes": {"en": "yes", "de": "ja"}, "true": {"en": "true", "de": "wahr"}, "x": {"en": "x", "de": "1"}}
FALSE_WORDS = {"no": {"en": "no", "de": "nein"}, "false": {"en": "false", "de": "0"}}
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
LONGEST_ID = 40


@dataclass
class CardRow:
    """Reads one row.

    What is wrong is collected in `problems`. `columns` says which column each key of the card came from.
    """

    catalog: Catalog
    number: int
    cells: Mapping[str, str]
    language: str = "en"  # in which texts are written that are no sentences
    problems: list[TableProblem] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)
    texts: list[WrittenText] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)  # of a card in YAML: where each key stands in its cell

    def note(self, column: str, pattern: str, **words: str | Text) -> None:
        """Collect what is wrong in a column."""
        self.problems.append(TableProblem(self.number, column, pattern, words=words))

    def build_card(self, card: str) -> dict[str, Any]:
        """Return the card of the row under this id, as far as it can be read."""
        kind = find_name(self.catalog.kinds, self.cells.get("kind", ""))
        name = self.cells.get("name") or self.cells.get("name_de", "")
        if not name:
            self.note("name", "name is missing")
        if kind is None:
            self.note_unknown("kind", self.cells.get("kind", ""), self.catalog.kinds)
            return {}
        entry: dict[str, Any] = {"id": card, "kind": kind}
        entry["name"] = {"en": name, "de": self.cells.get("name_de") or name}
        self.columns |= {"id": "id" if "id" in self.cells else "name", "kind": "kind", "name": "name"}
        if "copies" in self.cells:
            entry["copies"], self.columns["copies"] = self.read_number("copies"), "copies"
        if WRITTEN in self.cells:
            return self.read_written_card(entry)
        for column in self.catalog.columns.values():
            self.read_column(column, kind, entry)
        self.columns |= CardTexts(self.catalog, kind, self.cells, self.language, self.note, self.texts).enter(entry)
        for column in self.catalog.columns.values():
            if kind in column.usual and column.name not in self.cells:
                entry.setdefault(column.name, column.usual[kind])
        return {key: value for key, value in entry.items() if value is not None}

    def read_written_card(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return the card with all that its cell of YAML says."""
        for column in self.cells.keys() - {*OWN_COLUMNS, WRITTEN}:
            self.note(column, "a card that is written in YAML has nothing here")
        try:
            said = read_written_card(self.cells[WRITTEN])
        except WrittenCardError as wrong:
            self.note(WRITTEN, str(wrong))
            return {}
        self.lines = {key: said.line_of(key) for key in said}
        self.columns |= dict.fromkeys(said, WRITTEN)
        return {key: value for key, value in {**entry, **said}.items() if value is not None}

    def line_of(self, key: str) -> int:
        """Return where a key of a card in YAML stands in its cell."""
        return self.lines.get(key, 1)

    def note_unknown(self, column: str, written: str, known: Mapping[str, Text]) -> None:
        """Collect that a word is not known in a column, with the nearest one that is."""
        if not written:
            self.note(column, "{heading} is missing", heading=CARD_LABELS[column])
            return
        labels = [normalize(label) for word in known.values() for label in word.values()]
        near = get_close_matches(normalize(written), labels, 1)
        name = find_name(known, near[0]) if near else None
        told = "{value} is not known here; known: {words}"
        if name:
            told = "{value} is not known here; did you mean {near}? known: {words}"
        near_word = known[name] if name else ""
        self.note(column, told, value=repr(written[:40]), near=near_word, words=join_labels(known.values()))

    def split_sentences(self) -> dict[str, str]:
        """Return the cells with each sentence open, and what is in its blanks by name."""
        cells = dict(self.cells)
        for text in self.texts:
            if text.sentence is not None:
                cells[text.column] = text.sentence.wording.show("en")
                cells[text.column.replace("text", "blanks")] = "; ".join(
                    f"{name}={value}" for name, value in text.values.items()
                )
        return {name: cell for name, cell in cells.items() if cell}

    # ---- numbers and words -------------------------------------------------------------------------------------------

    def read_number(self, column: str) -> int | None:
        """Return the whole number in a column, or None if there is none."""
        written = self.cells[column]
        if not NUMBER_PATTERN.fullmatch(written):
            self.note(column, "{value} is not a whole number", value=repr(written[:40]))
            return None
        if len(written) > MOST_DIGITS:
            self.note(column, "the number is too large")
            return None
        return int(written)

    def read_column(self, column: Column, kind: str, entry: dict[str, Any]) -> None:
        """Enter what a column of numbers or words says."""
        name = column.name
        if name not in self.cells:
            if kind in column.needed:
                self.note(name, "a card of kind {kind} needs this", kind=self.catalog.kinds[kind])
            return
        if kind not in column.kinds:
            self.note(name, "a card of kind {kind} does not have this", kind=self.catalog.kinds[kind])
            return
        value = self.read_value(column)
        if value is not None:
            entry[name] = {column.under: value} if column.under else value
            self.columns[name] = name

    def read_value(self, column: Column) -> Any:
        """Return the value in a column, or None if it does not fit."""
        written = self.cells[column.name]
        if column.form == "number":
            return column.find_word(written) or self.read_number(column.name)
        if column.form == "truth":
            if find_name(TRUE_WORDS, written):
                return True
            if not find_name(FALSE_WORDS, written):
                self.note(column.name, "write yes or no")
            return None
        parts = [part.strip() for part in re.split(r"[,;/]", written) if part.strip()]
        if column.form == "numbers":
            if all(NUMBER_PATTERN.fullmatch(part.lstrip("+")) for part in parts):
                if len(written) > MOST_DIGITS:
                    self.note(column.name, "the number is too large")
                    return None
                return [int(part) for part in parts]
            self.note(column.name, "{value} is not a list of whole numbers", value=repr(written[:40]))
            return None
        if column.form == "word":
            parts = [written]
        found = [column.find_word(part) for part in parts]
        if None in found:
            self.note_unknown(column.name, parts[found.index(None)], column.words)
            return None
        return found[0] if column.form == "word" else found


def make_id(name: str, taken: Mapping[str, int]) -> str:
    """Return an id for a card of this name that is not taken."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(UMLAUTS)).encode("ascii", "ignore").decode()
    card = re.sub(r"[^a-z0-9]+", "_", plain.replace("'", "")).strip("_")
    card = card if card[:1].isalpha() and len(card) > 1 else f"card_{card}".rstrip("_")
    card = card[:LONGEST_ID].rstrip("_")
    number, found = 2, card
    while found in taken:
        ending = f"_{number}"
        found, number = f"{card[: LONGEST_ID - len(ending)]}{ending}", number + 1
    return found
