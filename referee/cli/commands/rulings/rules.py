"""The commands that report on the clauses of the rulebooks.

As in `main`, each command imports its code only when it runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.cli.options import AS_JSON


@click.group()
def rules() -> None:
    """Show clauses and texts, and which of them are tested."""


@rules.command()
@click.option(
    "--record",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A fresh record of the tested clauses, in place of the committed one.",
)
@click.option("--check", is_flag=True, help="Exit with 1 unless every clause is cited and tested.")
@click.option("--write", is_flag=True, help="Write the committed record from --record.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.svg",
    help="Draw the figures into this file, as SVG.",
)
@AS_JSON
def coverage(record: Path | None, check: bool, write: bool, plot: Path | None, as_json: bool) -> None:
    """Show which clauses the code cites and the tests exercise."""
    from referee.cli.commands.rulings.coverage import report_coverage, write_record

    if write:
        if record is None:
            raise click.UsageError("--write takes a fresh record: --record .clauses-record.json")
        write_record(record)

    sys.exit(report_coverage(record, check=check, as_json=as_json, plot=plot))


@rules.command("show")
@click.argument("clause")
@click.option("--lang", "--language", type=click.Choice(["en", "de"]), default="en", show_default=True)
@AS_JSON
def show_clause(clause: str, lang: str, as_json: bool) -> None:
    """Show a CLAUSE with its refusals, event lines, code and tests."""
    from referee.cli.commands.rulings.clause import print_clause

    print_clause(clause, lang=lang, as_json=as_json)


@rules.command("texts")
@click.argument("game")
@click.option("--lang", "--language", type=click.Choice(["en", "de"]), default="en", show_default=True)
@AS_JSON
def show_texts(game: str, lang: str, as_json: bool) -> None:
    """Show every text of a GAME with an example, to be read in one go."""
    from referee.cli.commands.rulings.texts import print_texts

    print_texts(game, lang=lang, as_json=as_json)
