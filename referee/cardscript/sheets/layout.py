"""The form of a table of cards: what stands above the cards, and its columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from referee.cardscript.sheets.catalog import Catalog, find_name, list_catalogs
from referee.cardscript.sheets.wording import normalize
from referee.cardscript.sheets.written_cards import MAX_WRITTEN, WRITTEN
from referee.engine.rulebook.book import LANGUAGES, Text

Grid = Sequence[Sequence[str]]  # rows of cells, as text
MAX_ROWS, MAX_COLUMNS, MAX_CELL = 520, 40, 700  # a book has at most 500 cards
TEXTS = 3  # how many sentences a card can have

HEAD_LABELS: dict[str, Text] = {
    "game": {"en": "game", "de": "Spiel"},
    "book": {"en": "book", "de": "Buch"},
    "title": {"en": "title", "de": "Titel"},
    "title_de": {"en": "title (German)", "de": "Titel (deutsch)"},
    "extends": {"en": "extends", "de": "erweitert"},
    "language": {"en": "language", "de": "Sprache"},
}
CARD_LABELS: dict[str, Text] = {
    "name": {"en": "name", "de": "Name"},
    "name_de": {"en": "name (German)", "de": "Name (deutsch)"},
    "kind": {"en": "kind", "de": "Art"},
    "copies": {"en": "copies", "de": "Anzahl"},
}
TEXT_LABELS: dict[str, Text] = {
    "when": {"en": "place {n}", "de": "Stelle {n}"},
    "text": {"en": "text {n}", "de": "Text {n}"},
    "blanks": {"en": "blanks {n}", "de": "Lücken {n}"},
    "german": {"en": "text {n} (German)", "de": "Text {n} (deutsch)"},
}
PLACEHOLDER_PATTERN = re.compile(r"\{(\w+)\}")
WRITTEN_LABEL: Text = {"en": "card (YAML)", "de": "Karte (YAML)"}
ID_LABEL: Text = {"en": "id", "de": "Kennung"}
EMPTY_TITLE: Text = {"en": "My cards", "de": "Meine Karten"}
LANGUAGE_WORDS: dict[str, Text] = {"en": {"en": "English", "de": "Englisch"}, "de": {"en": "German", "de": "Deutsch"}}


@dataclass(frozen=True)
class TableProblem:
    """One thing that is wrong in a table, with its row and column.

    Row 0 stands for the whole table. `pattern` is what is wrong, in English; what its placeholders stand for is in
    `words`, in every language where it has one. `is_shortage`: there are only too few cards yet.
    """

    row: int
    column: str
    pattern: str
    suggestion: str = ""
    words: Mapping[str, str | Text] = field(default_factory=dict)
    is_shortage: bool = False

    def __str__(self) -> str:
        place = f"row {self.row}, column {self.column}: " if self.column else f"row {self.row}: " if self.row else ""
        return place + self.detail

    @property
    def detail(self) -> str:
        """What is wrong, in English."""
        return self.fill(self.pattern, "en")

    def fill(self, pattern: str, lang: str) -> str:
        """Return the pattern, or a translation of it, with the words in a language."""

        def find_word(part: re.Match[str]) -> str:
            word = self.words.get(part[1], part[0])
            return word if isinstance(word, str) else word[lang]

        return PLACEHOLDER_PATTERN.sub(find_word, pattern)


def join_labels(labels: Iterable[Text]) -> Text:
    """Return labels as a list in each language."""
    labels = list(labels)
    return {lang: ", ".join(label[lang] for label in labels) for lang in LANGUAGES}


def list_columns(catalog: Catalog) -> dict[str, Text]:
    """Return the columns of a game's tables, in their order, with their labels."""
    texts = {
        f"{name}_{number}": {lang: text.format(n=number) for lang, text in label.items()}
        for number in range(1, TEXTS + 1)
        for name, label in TEXT_LABELS.items()
    }
    numbers = {name: column.label for name, column in catalog.columns.items()}
    return {**CARD_LABELS, **numbers, **texts, "id": ID_LABEL, WRITTEN: WRITTEN_LABEL}


def find_most_letters(column: str) -> int:
    """Return how many characters a cell of a column can have."""
    return MAX_WRITTEN if column == WRITTEN else MAX_CELL


def find_heading(catalog: Catalog | None, column: str, lang: str) -> str:
    """Return how a column, or a row above the cards, is headed in a language."""
    labels = {**HEAD_LABELS, **(list_columns(catalog) if catalog else {**CARD_LABELS, "id": ID_LABEL})}
    return labels[column][lang] if column in labels else column


@dataclass(frozen=True)
class Head:
    """What stands above the cards, each with its row.

    `header` is the row with the names of the columns.
    """

    values: dict[str, tuple[int, str]]
    header: int  # 0: there is none
    written_in: str = "en"  # the language of the names of the columns

    def value(self, name: str) -> str:
        """Return what is given under a name, or an empty text."""
        return self.values.get(name, (0, ""))[1]

    @property
    def language(self) -> str:
        """The language in which texts are written that are no sentences."""
        return find_name(LANGUAGE_WORDS, self.value("language")) or self.written_in


def read_head(grid: Grid) -> Head:
    """Return what stands above the cards.

    The columns' names stand in the first row that names both the card's name and its kind.
    """
    values: dict[str, tuple[int, str]] = {}
    for number, row in enumerate(grid, 1):
        found = {find_name(CARD_LABELS, cell) for cell in row if cell}
        if {"name", "kind"} <= found:
            german = any(normalize(cell) == normalize(CARD_LABELS["kind"]["de"]) for cell in row)
            return Head(values, number, "de" if german else "en")
        key = find_name(HEAD_LABELS, row[0]) if row and row[0] else None
        if key is not None and len(row) > 1:
            values.setdefault(key, (number, row[1].strip()))
    return Head(values, 0)


def read_columns(catalog: Catalog, grid: Grid, header: int) -> tuple[dict[int, str], list[TableProblem]]:
    """Return which column stands where, and what is wrong with their names."""
    labels, found, problems = list_columns(catalog), dict[int, str](), list[TableProblem]()
    for place, cell in enumerate(grid[header - 1]):
        if not cell.strip():
            continue
        name = find_name(labels, cell)
        if name is None:
            near = get_close_matches(
                normalize(cell), [normalize(label[lang]) for label in labels.values() for lang in LANGUAGES], 1
            )
            told = "there is no such column in tables of this game"
            told += "; did you mean {near}?" if near else ""
            problems.append(TableProblem(header, cell.strip()[:40], told, words={"near": near[0] if near else ""}))
        elif name in found.values():
            problems.append(TableProblem(header, name, "this column stands here twice"))
        else:
            found[place] = name
    return found, problems


def list_rows(grid: Grid, header: int, columns: dict[int, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of cards with their numbers, each cell under its column.

    Empty rows are left out.
    """
    for number, row in enumerate(grid[header:], header + 1):
        cells = {columns[place]: cell.strip() for place, cell in enumerate(row) if place in columns and cell.strip()}
        if cells:
            yield number, cells


def build_empty_table(catalog: Catalog, lang: str) -> list[list[str]]:
    """Return a table without cards, to be filled in."""
    head = [
        [HEAD_LABELS["game"][lang], catalog.game],
        [HEAD_LABELS["book"][lang], "my_cards"],
        [HEAD_LABELS["title"][lang], EMPTY_TITLE[lang]],
        [HEAD_LABELS["title_de"][lang]],  # left empty, the other title holds
        [HEAD_LABELS["extends"][lang], "printed"],
        [HEAD_LABELS["language"][lang], lang],
    ]
    return [*head, [], [label[lang] for name, label in list_columns(catalog).items() if name != WRITTEN]]


WORDS: dict[str, Text] = {
    "kinds": {"en": "Kinds of cards", "de": "Arten von Karten"},
    "columns": {"en": "Columns", "de": "Spalten"},
    "sentences": {"en": "Sentences", "de": "Sätze"},
    "needed": {"en": "needed", "de": "nötig"},
    "possible": {"en": "possible", "de": "möglich"},
    "sentence": {"en": "Text", "de": "Text"},
    "place": {"en": "Where it can stand", "de": "Wo er stehen kann"},
    "blank": {"en": "What fits into the blanks", "de": "Was in die Lücken passt"},
    "number": {"en": "a number from {least} to {most}", "de": "eine Zahl von {least} bis {most}"},
    "free": {
        "en": "Any other text is free text: the people at the table carry it out.",
        "de": "Jeder andere Text ist freier Text: Ihn führt der Tisch selbst aus.",
    },
}


def build_help_table(catalog: Catalog, lang: str) -> list[list[str]]:
    """Return what a table of this game may say.

    These are kinds, columns with their words, and sentences with their blanks.
    """
    rows = [[WORDS["kinds"][lang]], *([label[lang]] for label in catalog.kinds.values()), []]
    rows.append([WORDS["columns"][lang]])
    for column in catalog.columns.values():
        words = ", ".join(word[lang] for word in column.words.values())
        kinds = ", ".join(
            f"{catalog.kinds[kind][lang]} ({WORDS['needed' if kind in column.needed else 'possible'][lang]})"
            for kind in column.kinds
        )
        rows.append([column.label[lang], kinds, words])
    rows += [[], [WORDS[name][lang] for name in ("sentence", "place", "blank")]]
    for sentence in catalog.sentences.values():
        places = ", ".join(catalog.places[name].label[lang] for name in sentence.places)
        blanks = "; ".join(
            f"{blank.name}: "
            + (
                " / ".join(choice.label[lang] for choice in blank.choices.values())
                or WORDS["number"][lang].format(least=blank.least, most=blank.most)
            )
            for blank in sentence.wording.list_blanks(lang)
        )
        rows.append([sentence.wording.show(lang), places, blanks])
    return [*rows, [], [WORDS["free"][lang]]]


def describe_games() -> str:
    """Return the games that have tables, as a list in a message."""
    return ", ".join(list_catalogs())
