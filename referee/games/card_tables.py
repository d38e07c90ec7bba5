"""Tables of cards of any game: turned into a card book and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.cardscript.sheets.assessment import Assessment
from referee.cardscript.sheets.catalog import BoxPart, find_name
from referee.cardscript.sheets.conversion import STANDALONE, TableBook, TableCard, convert_table
from referee.cardscript.sheets.layout import Grid, TableProblem
from referee.engine.rulebook.editions import CardBook, CardBookError
from referee.games.books import check_book_text

__all__ = ["CheckedTable", "TableProblem", "check_table"]


@dataclass(frozen=True)
class CheckedTable:
    """A table as a card book.

    `text` is that of the book, `book` is None if anything is wrong, and `problems` stand in the order of the rows.
    `head` is what stands above the cards, `texts` what became of their texts, `box` how many cards there are of what a
    box of its own needs.
    """

    game: str
    text: str
    book: CardBook | None
    problems: tuple[TableProblem, ...]
    head: Mapping[str, str]
    cards: tuple[TableCard, ...]
    texts: Assessment
    box: tuple[tuple[BoxPart, int], ...]

    @property
    def shortages(self) -> tuple[TableProblem, ...]:
        """What a box of its own lacks yet."""
        return tuple(each for each in self.problems if each.is_shortage)

    @property
    def stands_alone(self) -> bool:
        """Whether the table is for a box of its own."""
        return find_name(STANDALONE, self.head.get("extends", "")) is not None


def check_table(grid: Grid, game: str = "") -> CheckedTable:
    """Return the card book that a table describes, checked by its game.

    `game` is the game if the table names none; a table of another game is refused.
    """
    made, book = convert_table(grid, game), None
    problems = list(made.problems)
    if made.text:
        try:
            book = check_book_text(made.text, "table")  # a table of another game has been found already
        except CardBookError as wrong:
            problems += _locate_problems(made, wrong)
    problems.sort(key=lambda each: each.row)
    return CheckedTable(
        made.game,
        made.text,
        book if not problems else None,
        tuple(problems),
        made.head,
        tuple(made.cards),
        made.texts,
        tuple(made.box),
    )


def _locate_problems(made: TableBook, wrong: CardBookError) -> list[TableProblem]:
    """Return the errors of a book at their rows.

    What the check says of a row that could not be read follows from that, so it is left out.
    """
    known = {each.row for each in made.problems if each.row}
    return [found for found in map(made.locate_problem, wrong.problems) if found.row not in known]
