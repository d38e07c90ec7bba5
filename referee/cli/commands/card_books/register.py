"""The commands about card books.

As in `main`, each imports its code only when it runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.cli.options import AS_JSON, DATA_DIR, URL, load_settings

LANG = click.option("--lang", "--language", type=click.Choice(["en", "de"]), default="en", show_default=True)
BOOK = click.Path(exists=True, dir_okay=False, path_type=Path)
BOOK_FILES = click.argument("files", nargs=-1, required=True, type=BOOK)


@click.group()
def cards() -> None:
    """Check, show, try and publish cards of your own."""


@cards.command("check")
@BOOK_FILES
@LANG
@AS_JSON
def check_cards(*, files: tuple[Path, ...], lang: str, as_json: bool) -> None:
    """Report every error in card books. The exit code is 1 if there is one."""
    from referee.cli.commands.card_books.cards import check_card_books

    sys.exit(check_card_books(files, lang=lang, as_json=as_json))


@cards.command("show")
@click.argument("what", metavar="FILE|GAME")
@click.option("--edition", help="A published card book of GAME (default: the game's own cards).")
@click.option(
    "--print",
    "sheet",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="SHEET",
    help="Write a page with all faces to print, nine on a sheet of paper, each as often as it is in the box.",
)
@LANG
@URL
@AS_JSON
def show_cards(
    *, what: str, edition: str | None, sheet: Path | None, lang: str, url: str | None, as_json: bool
) -> None:
    """Show the cards of a file or of a game as players read them.

    FILE is a card book. Another edition of a GAME than its own cards is read from the API.
    """
    from referee.cli.commands.card_books.cards import print_cards, read_shown_cards
    from referee.cli.commands.card_books.sheet import write_sheet

    shown = read_shown_cards(what, load_settings(url=url), edition=edition, lang=lang)
    if sheet is not None:
        write_sheet(shown, sheet, lang)
    else:
        print_cards(shown, lang, as_json=as_json)


@cards.command("words")
@click.argument("game")
@click.option("--markdown", is_flag=True, help="Print them as the tables of the guide.")
@AS_JSON
def show_words(*, game: str, markdown: bool, as_json: bool) -> None:
    """List the nouns and verbs of card texts of GAME.

    What may be left out stands in brackets.
    """
    from referee.cli.commands.card_books.words import print_words

    print_words(game, markdown=markdown, as_json=as_json)


@cards.command("play")
@click.argument("book", type=BOOK)
@click.option("--matches", type=click.IntRange(1, 100_000), default=40, show_default=True, help="How many to play.")
@click.option(
    "--mind", default="1", show_default=True, help="Who sits on all seats, as `referee bots list` names them."
)
@click.option("--variant", help="The variant that is played (default: the first one of the game).")
@click.option("--seed", default="1", show_default=True, help="What all dice and shuffles follow from.")
@LANG
@AS_JSON
def play_cards(
    *, book: Path, matches: int, mind: str, variant: str | None, seed: str, lang: str, as_json: bool
) -> None:
    """Let bots try a card book, and look at each of its cards.

    The exit code is 1 if the book has errors. `referee bots balance` plays more, keeps records, and goes on with them.
    """
    from referee.cli.commands.bots.series import SeriesRequest, run_balance
    from referee.cli.commands.card_books.cards import check_card_books
    from referee.infrastructure.card_book_files import read_book

    if check_card_books([book], lang=lang, as_json=False, only_errors=True):
        sys.exit(1)
    request = SeriesRequest(read_book(book).game, mind, None, matches, variant, book, seed, None, None, resume=False)
    sys.exit(run_balance(request, lang=lang, as_json=as_json))


@cards.command("table")
@click.argument("game")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it: a file that ends in .csv, .xlsx or .ods (default: GAME.csv).",
)
@LANG
def write_table(*, game: str, output: Path | None, lang: str) -> None:
    """Write an empty table for your own cards of a GAME.

    All that it may say stands on a second sheet, or in a second file. Fill it in with any spreadsheet program, a row
    for each card. `referee cards import` makes a card book of it.
    """
    from referee.cli.commands.card_books.tables import write_empty_table

    write_empty_table(game, output or Path(f"{game}.csv"), lang)


@cards.command("import")
@click.argument("table", type=BOOK)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="BOOK", help="Default: TABLE.yaml."
)
@click.option("--partial", is_flag=True, help="A box of your own may still have too few cards.")
@LANG
@AS_JSON
def import_table(*, table: Path, output: Path | None, partial: bool, lang: str, as_json: bool) -> None:
    """Make a card book of a TABLE (CSV, XLSX or ODS), and check it.

    Every error is reported with its row and column, and then no book is written. The exit code is 1 if there is one.
    Texts that are no sentences are listed, with the sentence that each may mean.
    """
    from referee.cli.commands.card_books.tables import import_card_table

    output = output or table.with_suffix(".yaml")
    sys.exit(import_card_table(table, output, lang, is_partial=partial, as_json=as_json))


@cards.command("publish")
@BOOK_FILES
@DATA_DIR
@LANG
@AS_JSON
def publish_cards(*, files: tuple[Path, ...], data_dir: Path | None, lang: str, as_json: bool) -> None:
    """Publish card books in the store of this machine's server.

    A published book can never be changed.
    """
    from referee.cli.commands.card_books.cards import publish_books

    publish_books(files, load_settings(data_dir), lang=lang, as_json=as_json)


COMMANDS = (cards,)
