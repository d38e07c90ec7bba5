"""The texts of one row: sentences and free text, each in its place of the card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.cardscript.sheets.catalog import Catalog, Place, Sentence, fill_lines, find_name, rename_bound
from referee.cardscript.sheets.layout import TEXT_LABELS, TEXTS, join_labels
from referee.engine.rulebook.book import LANGUAGES, Text

AS_WRITTEN = {"do": "as_written"}  # what a text does that no sentence says: the table carries it out


class Note(Protocol):
    """Collects what is wrong in a column."""

    def __call__(self, column: str, pattern: str, **words: str | Text) -> None:
        """Collect a pattern of a message, and what its placeholders stand for."""


@dataclass
class WrittenText:
    """A text of a card in its place: what it prints and what it does.

    `language` is the only one in which it is written; empty: it is in every one. `sentence` is None if it is free text,
    and `values` are those of its blanks.
    """

    column: str
    place: Place
    printed: Text
    lines: list[Any]
    brings: Mapping[str, Any]
    sentence: Sentence | None
    language: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """What a row says of one of its texts, before its place is known."""

    number: int
    written: str
    found: tuple[Sentence, dict[str, str]] | None

    @property
    def column(self) -> str:
        """The column of the text."""
        return f"text_{self.number}"


class CardTexts:
    """Reads the texts of a row into its card."""

    def __init__(
        self, catalog: Catalog, kind: str, cells: Mapping[str, str], language: str, note: Note, texts: list[WrittenText]
    ) -> None:
        self.catalog, self.kind, self.cells, self.language, self.note = catalog, kind, cells, language, note
        self.texts = texts
        self.columns: dict[str, str] = {}
        self.places = catalog.list_places(kind)

    def enter(self, entry: dict[str, Any]) -> dict[str, str]:
        """Enter what the texts print and do, and return which column each key came from."""
        written = [cell for number in range(1, TEXTS + 1) if (cell := self.read_cell(number)) is not None]
        places = self.find_places(written)
        read = [self.read_text(cell, places[cell.number]) for cell in written if cell.number in places]
        self.texts += [text for text in read if text is not None]
        by_place = {text.place.name: [each for each in self.texts if each.place is text.place] for text in self.texts}
        for here in by_place.values():
            self.enter_place(here, entry)
        if len(self.texts) == len(written):  # else what is missing follows from what could not be read
            self.note_missing(entry)
        for key in ("text", "bad_text"):
            self.print_texts(key, entry)
        return self.columns

    def read_cell(self, number: int) -> Cell | None:
        """Return what the row has for a text, or None if it has none."""
        written = self.cells.get(f"text_{number}", "")
        if written:
            return Cell(number, written, self.catalog.find_sentence(written))
        for name, label in TEXT_LABELS.items():
            if f"{name}_{number}" in self.cells:
                heading = {lang: text.format(n=number) for lang, text in label.items()}
                self.note(f"text_{number}", "the text is missing that {heading} belongs to", heading=heading)
        return None

    def kind_label(self) -> Text:
        """Return the kind of the card as it reads."""
        return self.catalog.kinds[self.kind]

    # ---- places ------------------------------------------------------------------------------------------------------

    def find_places(self, written: list[Cell]) -> dict[int, Place]:
        """Return the place of each text by its number; of those that have one.

        A sentence without a place stands where the text before stands, else in the first place that fits. A free text
        without a place fills a place that the card needs, else it goes on with the text before.
        """
        found: dict[int, Place] = {}
        waiting = [cell for cell in written if cell.found is None and f"when_{cell.number}" not in self.cells]
        before: Place | None = None
        for cell in written:
            if cell not in waiting:
                place = self.find_place(cell, before)
                before = place or before
                found |= {cell.number: place} if place is not None else {}
        for cell in waiting:
            place = self.find_free_place(cell, found)
            found |= {cell.number: place} if place is not None else {}
        return found

    def find_place(self, cell: Cell, before: Place | None) -> Place | None:
        """Return the place of a text that names one or is a sentence, if any fits."""
        column = f"when_{cell.number}"
        fitting = self.catalog.list_places(self.kind, cell.found[0] if cell.found else None)
        if not fitting:
            self.note(cell.column, "a card of kind {kind} cannot have this sentence", kind=self.kind_label())
            return None
        if column not in self.cells:
            return before if before in fitting else fitting[0]
        labels = {place.name: place.label for place in self.places}
        name = find_name(labels, self.cells[column])
        if name is None:
            told = "a card of kind {kind} has no such place; it has: {places}"
            self.note(column, told, kind=self.kind_label(), places=join_labels(labels.values()))
            return None
        if self.catalog.places[name] not in fitting:
            known = join_labels(place.label for place in fitting)
            self.note(column, "this sentence cannot stand here; it can stand in: {places}", places=known)
            return None
        return self.catalog.places[name]

    def find_free_place(self, cell: Cell, found: Mapping[int, Place]) -> Place | None:
        """Return the place of a free text that names none, or None if it has to."""
        if not self.places:
            self.note(cell.column, "a card of kind {kind} has no texts", kind=self.kind_label())
            return None
        filled = {place.key for place in found.values()}
        needed = [place for place in self.places if self.kind in place.needed]
        empty = [place for place in needed if place.key not in filled]
        before = [place for number, place in found.items() if number < cell.number]
        if empty or not needed or len(self.places) == 1:
            return empty[0] if empty else before[-1] if before else self.places[0]
        if before:
            return before[-1]
        places = join_labels(place.label for place in self.places)
        told = "this text needs a place, for {needed} is taken; a card of kind {kind} has: {places}"
        self.note(
            f"when_{cell.number}",
            told,
            needed=join_labels(place.label for place in needed),
            kind=self.kind_label(),
            places=places,
        )
        return None

    def note_missing(self, entry: Mapping[str, Any]) -> None:
        """Collect which places need a text, and where in the row it can be written."""
        free = next((number for number in range(1, TEXTS + 1) if f"text_{number}" not in self.cells), 0)
        for place in self.places:
            if self.kind in place.needed and place.key not in entry:
                told = "a card of kind {kind} needs a text in the place {place}"
                if self.texts:
                    told += "; write it here with that place" if free else "; give that place to one of its texts"
                column = f"text_{free}" if free else "when_1"
                self.note(column, told, kind=self.kind_label(), place=quote_label(place.label))

    # ---- sentences and free texts ------------------------------------------------------------------------------------

    def read_text(self, cell: Cell, place: Place) -> WrittenText | None:
        """Return a text of the row in its place, or None if it cannot be read."""
        german = self.cells.get(f"german_{cell.number}", "")
        if cell.found is None:
            if f"blanks_{cell.number}" in self.cells:
                self.note(cell.column, "this is no sentence of the catalog, so it has no blanks")
            return self.read_free_text(cell, place, german)
        sentence, values = cell.found
        if german and self.catalog.find_sentence(german) is None:
            self.note(f"german_{cell.number}", "the text is a sentence of the catalog, which has its own German")
        if not self.fill_blanks(sentence, values, cell):
            return None
        blanks = {name: blank.value_of(values[name]) for name, blank in sentence.wording.blanks.items()}
        lines = rename_bound(fill_lines(sentence.lines, blanks), cell.number)
        printed = {lang: sentence.wording.fill(values, lang) for lang in LANGUAGES}
        return WrittenText(cell.column, place, printed, lines, sentence.brings, sentence, values=values)

    def read_free_text(self, cell: Cell, place: Place, german: str) -> WrittenText:
        """Return a text that the table carries out."""
        printed = {"en": end_sentence(cell.written), "de": end_sentence(german or cell.written)}
        lines = [AS_WRITTEN] if place.runs else []
        return WrittenText(cell.column, place, printed, lines, {}, None, "" if german else self.language)

    def fill_blanks(self, sentence: Sentence, values: dict[str, str], cell: Cell) -> bool:
        """Enter what the column of blanks says; return whether it fits everywhere.

        Blanks are filled in their order in the sentence, or by name: `2; A`, or `n=2; row=A`.
        """
        column, is_right = f"blanks_{cell.number}", True
        lang = sentence.wording.find_language(cell.written)
        open_ones = [blank.name for blank in sentence.wording.list_blanks(lang) if blank.name not in values]
        for part in filter(None, (each.strip() for each in self.cells.get(column, "").split(";"))):
            name, is_named, value = part.partition("=")
            name = name.strip() if is_named else open_ones[0] if open_ones else ""
            if name not in open_ones:
                self.note(column, "the sentence has no open blank for {value}", value=repr(part[:40]))
                is_right = False
                continue
            open_ones.remove(name)
            values[name] = value.strip() if is_named else part
        for name, blank in sentence.wording.blanks.items():
            fitting = None if name in open_ones else blank.find_value(values[name])
            if fitting is not None:
                values[name] = fitting
                continue
            is_right = False
            if name in open_ones:
                self.note(column, "the blank {blank} is open; what fits: {list}", blank=name, list=blank.describe())
            else:
                where = column if column in self.cells else cell.column
                told = "{value} does not fit the blank {blank}; what fits: {list}"
                self.note(where, told, value=repr(values[name][:40]), blank=name, list=blank.describe())
        return is_right

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
            told = "a second text cannot stand in another place of the same kind ({key})"
            self.note(here[0].column, told, key=place.label)
            return
        else:
            entry[place.key] = value
        entry.update(place.brings)
        self.columns.setdefault(place.key, here[0].column)
        self.columns |= dict.fromkeys(place.brings, here[0].column.replace("text", "when"))

    # ---- what is printed ---------------------------------------------------------------------------------------------

    def print_texts(self, key: str, entry: dict[str, Any]) -> None:
        """Enter what is printed on the card: words, then each place with its sentences.

        A face that has a text in one language only is in that language as a whole.
        """
        by_place: dict[str, list[WrittenText]] = {}
        for text in self.texts:
            if text.place.prints == key:
                by_place.setdefault(text.place.name, []).append(text)
        only = next((text.language for here in by_place.values() for text in here if text.language), "")
        printed: dict[str, list[str]] = {lang: [] for lang in LANGUAGES}
        for lang in LANGUAGES:
            shown = only or lang
            if key == "text":
                printed[lang] += self.list_printed_words(entry, shown)
            for here in by_place.values():
                before = self.fill_before(here[0].place, shown)
                printed[lang].append(before + " ".join(text.printed[shown] for text in here))
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


def end_sentence(text: str) -> str:
    """Return a text that ends as a sentence does."""
    return text if text[-1] in ".!?:" else f"{text}."


def quote_label(label: Text) -> Text:
    """Return a label in quotes."""
    return {lang: f"'{text}'" for lang, text in label.items()}
