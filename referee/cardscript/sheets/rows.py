"""One row of a table as a card: numbers and words, sentences, free text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.cardscript.sheets.catalog import Catalog, Column, Place, Sentence, fill_lines, find_name, rename_bound
from referee.cardscript.sheets.layout import TEXTS, TableProblem
from referee.engine.rulebook.book import LANGUAGES, Text

AS_WRITTEN = {"do": "as_written"}  # what a text does that no sentence says: the table carries it out
NUMBER_PATTERN = re.compile(r"-?\d{1,6}")
TRUE_WORDS = {"yes": {"en": "yes", "de": "ja"}, "true": {"en": "true", "de": "wahr"}, "x": {"en": "x", "de": "1"}}
FALSE_WORDS = {"no": {"en": "no", "de": "nein"}, "false": {"en": "false", "de": "0"}}
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
LONGEST_ID = 40


@dataclass
class WrittenText:
    """A text of a card in its place: what it prints and what it does."""

    column: str
    place: Place
    printed: Text
    lines: list[Any]
    brings: Mapping[str, Any]


@dataclass
class CardRow:
    """Reads one row.

    What is wrong is collected in `problems`. `columns` says which column each key of the card came from.
    """

    catalog: Catalog
    number: int
    cells: Mapping[str, str]
    problems: list[TableProblem] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)

    def note(self, column: str, detail: str, suggestion: str = "") -> None:
        """Collect what is wrong in a column."""
        self.problems.append(TableProblem(self.number, column, detail, suggestion))

    def build_card(self, card: str) -> dict[str, Any]:
        """Return the card of the row under this id, as far as it can be read."""
        kind = find_name(self.catalog.kinds, self.cells.get("kind", ""))
        name = self.cells.get("name") or self.cells.get("name_de", "")
        if not name:
            self.note("name", "name is missing")
        if kind is None:
            self.note("kind", f"unknown kind; known: {', '.join(self.catalog.kinds)}")
            return {}
        entry: dict[str, Any] = {"id": card, "kind": kind}
        entry["name"] = {"en": name, "de": self.cells.get("name_de") or name}
        self.columns |= {"id": "id" if "id" in self.cells else "name", "kind": "kind", "name": "name"}
        if "copies" in self.cells:
            entry["copies"], self.columns["copies"] = self.read_number("copies"), "copies"
        for column in self.catalog.columns.values():
            self.read_column(column, kind, entry)
        self.read_texts(kind, entry)
        for column in self.catalog.columns.values():
            if kind in column.usual and column.name not in self.cells:
                entry.setdefault(column.name, column.usual[kind])
        return {key: value for key, value in entry.items() if value is not None}

    # ---- numbers and words -------------------------------------------------------------------------------------------

    def read_number(self, column: str) -> int | None:
        """Return the whole number in a column, or None if there is none."""
        written = self.cells[column]
        if not NUMBER_PATTERN.fullmatch(written):
            self.note(column, f"{written[:40]!r} is not a whole number")
            return None
        return int(written)

    def read_column(self, column: Column, kind: str, entry: dict[str, Any]) -> None:
        """Enter what a column of numbers or words says."""
        name = column.name
        if name not in self.cells:
            if kind in column.needed:
                self.note(name, f"a card of kind {kind} needs this")
            return
        if kind not in column.kinds:
            self.note(name, f"a card of kind {kind} does not have this")
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
                return [int(part) for part in parts]
            self.note(column.name, f"{written[:40]!r} is not a list of whole numbers")
            return None
        found = [column.find_word(part) for part in ([written] if column.form == "word" else parts)]
        if None in found:
            known = ", ".join(word["en"] for word in column.words.values())
            self.note(column.name, f"{written[:40]!r} is not known here; known: {known}")
            return None
        return found[0] if column.form == "word" else found

    # ---- texts -------------------------------------------------------------------------------------------------------

    def read_texts(self, kind: str, entry: dict[str, Any]) -> None:
        """Enter what the texts of the row print and do."""
        texts: list[WrittenText] = []
        for number in range(1, TEXTS + 1):
            text = self.read_text(kind, number, texts[-1].place if texts else None)
            texts += [text] if text is not None else []
        by_place = {text.place.name: [each for each in texts if each.place is text.place] for text in texts}
        for here in by_place.values():
            self.enter_place(here, entry)
        for place in self.catalog.list_places(kind):
            if kind in place.needed and place.key not in entry:
                self.note("text_1", f"a card of kind {kind} needs a text in the place {place.label['en']!r}")
        for key in ("text", "bad_text"):
            self.print_texts(key, kind, texts, entry)

    def read_text(self, kind: str, number: int, before: Place | None) -> WrittenText | None:
        """Return a text of the row, or None if there is none that can be read."""
        column, written = f"text_{number}", self.cells.get(f"text_{number}", "")
        if not written:
            for name in ("when", "blanks"):
                if f"{name}_{number}" in self.cells:
                    self.note(column, f"the text is missing that {name}_{number} belongs to")
            return None
        found = self.catalog.find_sentence(written)
        place = self.find_place(kind, number, found[0] if found else None, before)
        if place is None:
            return None
        if found is None:
            if f"blanks_{number}" in self.cells:
                self.note(column, "this is no sentence of the catalog, so it has no blanks")
            whole = written if written[-1] in ".!?:" else f"{written}."
            return WrittenText(column, place, dict.fromkeys(LANGUAGES, whole), [AS_WRITTEN] if place.runs else [], {})
        sentence, values = found
        if not self.fill_blanks(sentence, values, number):
            return None
        blanks = {name: blank.value_of(values[name]) for name, blank in sentence.wording.blanks.items()}
        lines = rename_bound(fill_lines(sentence.lines, blanks), number)
        printed = {lang: sentence.wording.fill(values, lang) for lang in LANGUAGES}
        return WrittenText(column, place, printed, lines, sentence.brings)

    def find_place(self, kind: str, number: int, sentence: Sentence | None, before: Place | None) -> Place | None:
        """Return the place named in the row, or None if none fits.

        If none is named, it is that of the text before, else the first that fits.
        """
        column, everywhere = f"when_{number}", self.catalog.list_places(kind)
        fitting = self.catalog.list_places(kind, sentence)
        if not fitting:
            self.note(f"text_{number}", f"a card of kind {kind} cannot have this sentence")
            return None
        if column not in self.cells:
            return before if before in fitting else fitting[0]
        name = find_name({place.name: place.label for place in everywhere}, self.cells[column])
        if name is None:
            known = ", ".join(place.label["en"] for place in everywhere)
            self.note(column, f"a card of kind {kind} has no such place; it has: {known}")
            return None
        if self.catalog.places[name] not in fitting:
            known = ", ".join(place.label["en"] for place in fitting)
            self.note(column, f"this sentence cannot stand here; it can stand in: {known}")
            return None
        return self.catalog.places[name]

    def fill_blanks(self, sentence: Sentence, values: dict[str, str], number: int) -> bool:
        """Enter what the column of blanks says; return whether it fits everywhere.

        Blanks are filled in their order, or by name: `2; A`, or `n=2; row=A`.
        """
        column, before = f"blanks_{number}", len(self.problems)
        open_ones = [name for name in sentence.wording.blanks if name not in values]
        for part in filter(None, (each.strip() for each in self.cells.get(column, "").split(";"))):
            name, is_named, value = part.partition("=")
            name = name.strip() if is_named else open_ones[0] if open_ones else ""
            if name not in open_ones:
                self.note(column, f"the sentence has no open blank for {part[:40]!r}")
                continue
            open_ones.remove(name)
            values[name] = value.strip() if is_named else part
        for name, blank in sentence.wording.blanks.items():
            if name in open_ones:
                self.note(column, f"the blank {name} is open; what fits: {blank.describe()}")
            elif (fitting := blank.find_value(values[name])) is None:
                where = column if column in self.cells else f"text_{number}"
                self.note(where, f"{values[name][:40]!r} does not fit the blank {name}; what fits: {blank.describe()}")
            else:
                values[name] = fitting
        return len(self.problems) == before

    def enter_place(self, here: list[WrittenText], entry: dict[str, Any]) -> None:
        """Enter the programs of the texts in one place."""
        place = here[0].place
        written = [line for text in here for line in text.lines]
        lines = [
            line for number, line in enumerate(written) if line is not AS_WRITTEN or AS_WRITTEN not in written[:number]
        ]
        for key, value in [pair for text in here for pair in text.brings.items()]:
            entry.setdefault(key, value)
        if not lines:
            return  # free text where no program can stand: it is printed only
        if place.declares and lines[0].get("do") == "choose":
            lines[0] = {**lines[0], "declared": True}
        value = lines if place.within is None else fill_lines(place.within, {"lines": lines})
        if place.listed:
            entry.setdefault(place.key, []).append(value)
        elif not place.runs:
            entry.setdefault(place.key, []).extend(lines)
        elif place.key in entry:
            self.note(here[0].column, f"a second text cannot stand in another place of the same kind ({place.key})")
            return
        else:
            entry[place.key] = value
        entry.update(place.brings)
        self.columns.setdefault(place.key, here[0].column)
        self.columns |= dict.fromkeys(place.brings, here[0].column.replace("text", "when"))

    def print_texts(self, key: str, kind: str, texts: list[WrittenText], entry: dict[str, Any]) -> None:
        """Enter what is printed on the card: words, then each place with its sentences."""
        by_place: dict[str, list[WrittenText]] = {}
        for text in texts:
            if text.place.prints == key:
                by_place.setdefault(text.place.name, []).append(text)
        printed: dict[str, list[str]] = {lang: [] for lang in LANGUAGES}
        for lang in LANGUAGES:
            if key == "text":
                printed[lang] += self.list_printed_words(entry, lang)
            for here in by_place.values():
                before = self.fill_before(here[0].place, lang)
                printed[lang].append(before + " ".join(text.printed[lang] for text in here))
        if any(printed.values()):
            entry[key] = {lang: " ".join(parts) for lang, parts in printed.items()}
            column = next((here[0].column for here in by_place.values()), "")
            self.columns[key] = column
        elif key == "text":
            entry[key] = dict(self.catalog.nothing)

    def list_printed_words(self, entry: Mapping[str, Any], lang: str) -> Iterator[str]:
        """Yield the words of columns that are printed as sentences, such as keywords."""
        for column in self.catalog.columns.values():
            if column.printed:
                for word in entry.get(column.name) or ():
                    label = column.words[word][lang]
                    yield f"{label[:1].upper()}{label[1:]}."

    def fill_before(self, place: Place, lang: str) -> str:
        """Return what is printed before a place, with the numbers of the row in it."""
        return re.sub(r"\{(\w+)\}", lambda part: self.cells.get(part[1], "?"), place.before[lang])


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
