"""From a table to a card book.

Of each line of the book it is known from which row and column it came.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from referee.cardscript.books.catalog import describe_card
from referee.cardscript.books.files import MAX_CARDS, MAX_COPIES, PRINTED_EDITION, STANDS_ALONE
from referee.cardscript.sheets.assessment import Assessment, assess_rows
from referee.cardscript.sheets.catalog import BoxPart, Catalog, find_name, load_catalog
from referee.cardscript.sheets.layout import (
    MAX_COLUMNS,
    MAX_ROWS,
    Grid,
    Head,
    TableProblem,
    describe_games,
    find_most_letters,
    list_rows,
    read_columns,
    read_head,
)
from referee.cardscript.sheets.rows import CardRow, make_id
from referee.cardscript.sheets.written_cards import (
    MAX_WRITTEN,
    OWN_COLUMNS,
    WRITTEN,
    describe_texts,
    list_written_lines,
    tell_line,
)
from referee.engine.rulebook.book import Text
from referee.engine.rulebook.editions import CardBookProblem

STANDALONE: dict[str, Text] = {"no": {"en": "nothing", "de": "nein"}}  # what `extends` says of a box of its own
WIDEST = 10**6  # no line of a book is broken, so that each belongs to one cell


@dataclass(frozen=True)
class TableCard:
    """A row of a table: its cells under their columns, and its card if it has one.

    In the cells each sentence is open, and what is in its blanks stands under their names. The card is as readers are
    shown it.
    """

    row: int
    cells: Mapping[str, str]
    card: dict[str, Any] | None


@dataclass
class TableBook:
    """What a table came to.

    `sources` has for each line of the text the row and the column that it came from, and the line within a cell that
    has several (else 0).
    `head` is what stands above the cards. `box` has for each part of a box of its own how many cards there are.
    """

    game: str = ""
    text: str = ""
    problems: list[TableProblem] = field(default_factory=list)
    sources: list[tuple[int, str, int]] = field(default_factory=list)
    head: dict[str, str] = field(default_factory=dict)
    cards: list[TableCard] = field(default_factory=list)
    texts: Assessment = field(default_factory=Assessment)
    box: list[tuple[BoxPart, int]] = field(default_factory=list)
    written: set[int] = field(default_factory=set)  # rows whose card is in YAML

    def locate_problem(self, wrong: CardBookProblem) -> TableProblem:
        """Return an error in the text of the book as one in the table."""
        row, column, line = self.sources[wrong.line - 1] if 0 < wrong.line <= len(self.sources) else (0, "", 0)
        is_shortage = wrong.detail.startswith(STANDS_ALONE)
        if column in OWN_COLUMNS and wrong.detail.endswith(" is missing") and row in self.written:
            return TableProblem(row, WRITTEN, wrong.detail)
        if line:
            return TableProblem(row, column, tell_line(line, wrong.detail), wrong.suggestion)
        pattern, words = _open_words(load_catalog(self.game), column, wrong.detail)
        return TableProblem(row, column, pattern, wrong.suggestion, words, is_shortage)


def convert_table(grid: Grid, game: str = "") -> TableBook:
    """Return the card book that a table describes, and what is wrong in the table.

    `game` is the game if the table does not name one.
    """
    made = TableBook(game)
    too_large = _find_excess(grid)
    if too_large is not None:
        made.problems.append(too_large)
        return made
    head = read_head(grid)
    made.game, made.head = head.value("game") or game, {key: value for key, (_, value) in head.values.items()}
    if not head.header:
        made.problems.append(TableProblem(0, "", "no row has the names of the columns, such as name and kind"))
        return made
    try:
        catalog = load_catalog(made.game)
    except KeyError:
        row = head.values.get("game", (0, ""))[0]
        made.problems.append(TableProblem(row, "game", f"tables are for one of these games: {describe_games()}"))
        return made
    if game and made.game != game:
        made.problems.append(TableProblem(head.values["game"][0], "game", f"this is a table of {made.game}"))
    cards = _build_cards(catalog, grid, head, made)
    texts = {place.key for place in catalog.places.values()}
    made.cards = [
        TableCard(row.number, row.split_sentences(), describe_card(describe_texts(entry), texts) if entry else None)
        for row, entry in cards
    ]
    cards = [(row, entry) for row, entry in cards if entry]
    made.texts = assess_rows(catalog, cards)
    made.box = [(part, _count_cards(part, [entry for _, entry in cards])) for part in catalog.box]
    cards = list(_repeat_single_cards(catalog, cards))
    if len(cards) > MAX_CARDS:
        first = cards[MAX_CARDS][0].number
        made.problems.append(TableProblem(first, "", f"a book can have at most {MAX_CARDS} cards, not {len(cards)}"))
        cards = cards[:MAX_CARDS]
    if cards:
        _write_book(catalog, head, cards, made)
    return made


def _open_words(catalog: Catalog, column: str, detail: str) -> tuple[str, dict[str, Text]]:
    """Return a message of the book's check with its words for the table open.

    These are kinds of cards, the words of the column and of the time of play, and the column itself.
    """
    known = dict(catalog.columns["when"].words) if "when" in catalog.columns else {}
    known |= catalog.columns[column].words if column in catalog.columns else {}
    labels = {**known, **({column: catalog.columns[column].label} if column in catalog.columns else {})}
    words: dict[str, Text] = {}

    def open_word(part: re.Match[str]) -> str:
        kind, name = part[1], part[2]
        label = catalog.kinds.get(name) if kind else labels.get(name)
        if label is None:
            return part[0]
        words[name] = label
        return f"{kind or ''}{{{name}}}"

    return re.sub(r"\b(of kind )?([a-z_]+)\b", open_word, detail), words


def _find_excess(grid: Grid) -> TableProblem | None:
    """Return what is too large in a table."""
    if len(grid) > MAX_ROWS:
        return TableProblem(MAX_ROWS + 1, "", f"a table can have at most {MAX_ROWS} rows")
    for number, row in enumerate(grid, 1):
        if len(row) > MAX_COLUMNS:
            return TableProblem(number, "", f"a table can have at most {MAX_COLUMNS} columns")
        if any(len(cell) > MAX_WRITTEN for cell in row):
            return TableProblem(number, "", f"a cell can have at most {MAX_WRITTEN} characters")
    return None


def _build_cards(catalog: Catalog, grid: Grid, head: Head, made: TableBook) -> list[tuple[CardRow, dict[str, Any]]]:
    columns, wrong = read_columns(catalog, grid, head.header)
    made.problems += wrong
    cards, taken = list[tuple[CardRow, dict[str, Any]]](), dict[str, int]()
    for number, written in list_rows(grid, head.header, columns):
        cells = {name: cell for name, cell in written.items() if len(cell) <= find_most_letters(name)}
        for name in written.keys() - cells.keys():
            most = f"a cell can have at most {find_most_letters(name)} characters"
            made.problems.append(TableProblem(number, name, most))
        row = CardRow(catalog, number, cells, head.language)
        made.written |= {number} if WRITTEN in cells else set()
        kind = find_name(catalog.kinds, cells.get("kind", "")) or ""
        name = cells.get("name") or cells.get("name_de", "card")
        card = cells.get("id") or catalog.fixed_ids.get(kind) or make_id(name, taken)
        if card in taken:
            row.note("id", "{card} is already the id of the card in row {row}", card=card, row=str(taken[card]))
        taken.setdefault(card, number)
        entry = row.build_card(card)
        made.problems += row.problems
        cards.append((row, entry))
    if not taken:
        made.problems.append(TableProblem(head.header, "", "there is no card below the names of the columns"))
    return cards


def _count_cards(part: BoxPart, entries: Iterable[Mapping[str, Any]]) -> int:
    """Return how many cards of a part of the box there are."""
    own = [entry for entry in entries if entry["kind"] in part.kinds]
    return len(own) if part.are_designs else sum(_count_copies(entry) for entry in own)


def _count_copies(entry: Mapping[str, Any]) -> int:
    copies = entry.get("copies", 1)
    return copies if isinstance(copies, int) and 1 <= copies <= MAX_COPIES else 1


def _repeat_single_cards(
    catalog: Catalog, cards: list[tuple[CardRow, dict[str, Any]]]
) -> Iterable[tuple[CardRow, dict[str, Any]]]:
    """Yield the cards, and a further one for each copy of a single card."""
    taken = {entry["id"]: row.number for row, entry in cards}
    for row, entry in cards:
        copies = _count_copies(entry)
        if entry["kind"] not in catalog.single or copies == 1:
            yield row, entry
            continue
        for number in range(copies):
            card = entry["id"] if number == 0 else make_id(entry["id"], taken)
            taken[card] = row.number
            yield row, {key: value for key, value in {**entry, "id": card}.items() if key != "copies"}


def _write_book(catalog: Catalog, head: Head, cards: Iterable[tuple[CardRow, dict[str, Any]]], made: TableBook) -> None:
    """Write the text of the book, a line for each key."""
    lines: list[str] = []

    def add(text: str, row: int, column: str, line: int = 0) -> None:
        lines.append(text)
        made.sources.append((row, column, line))

    title = head.value("title") or head.value("title_de") or head.value("book") or "my_cards"
    beside = head.value("extends") or PRINTED_EDITION
    values = {
        "book": head.value("book") or "my_cards",
        "game": catalog.game,
        "title": {"en": title, "de": head.value("title_de") or title},
        **({"extends": beside} if find_name(STANDALONE, beside) is None else {}),
    }
    for key, value in values.items():
        add(f"{key}: {_write_value(value)}", head.values.get(key, (0, ""))[0], key)
    add("cards:", head.header, "")
    for row, entry in cards:
        sign = "- "
        for key, value in entry.items():
            column = row.columns.get(key, "")
            if column == WRITTEN:
                for before, part, line in list_written_lines(key, value, row.line_of(key)):
                    add(
                        f"{sign}{before}" + ("" if part is None else f" {_write_value(part)}"), row.number, column, line
                    )
                    sign = ""
            elif isinstance(value, list) and value and isinstance(value[0], dict):
                add(f"{sign}{key}:", row.number, column)
                for line in value:
                    add(f"    - {_write_value(line)}", row.number, column)
            else:
                add(f"{sign}{key}: {_write_value(value)}", row.number, column)
            sign = "  "
    made.text = "\n".join(lines) + "\n"


def _write_value(value: Any) -> str:
    """Return a value of a book on one line."""
    written = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=WIDEST)
    return written.removesuffix("...\n").strip()
