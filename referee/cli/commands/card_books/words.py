"""`referee cards words`: the words that the card texts of a game are written with."""

from __future__ import annotations

from dataclasses import asdict

import click
from rich.markup import escape

from referee.cardscript.game import CardGame
from referee.cardscript.words import DescribedWord, describe_nouns, describe_verbs, render_tables
from referee.cli.output import make_console, print_json
from referee.games import load_games


def print_words(name: str, *, markdown: bool, as_json: bool) -> None:
    """Print the nouns and verbs of a game. Raises UsageError if it has no card books."""
    games = {each: game for each, game in load_games().items() if isinstance(game, CardGame)}
    if name not in games:
        raise click.UsageError(f"{name} has no card books; these games have: {', '.join(games)}")
    vocabulary = games[name].library.vocabulary
    nouns, verbs = describe_nouns(vocabulary), describe_verbs(vocabulary)
    if as_json:
        print_json({"nouns": [asdict(each) for each in nouns], "verbs": [asdict(each) for each in verbs]})
    elif markdown:
        click.echo(render_tables(vocabulary), nl=False)
    else:
        out = make_console()
        for title, words in (("Nouns", nouns), ("Verbs", verbs)):
            out.print(f"[bold]{title}[/bold]")
            for each in words:
                out.print(
                    f"\n  [bold]{each.word}[/bold]  [dim]{escape(list_parameters(each))}[/dim]\n    {escape(each.does)}"
                )
            out.print()


def list_parameters(word: DescribedWord) -> str:
    """Return the parameters of a word in one line."""
    said = ((f"{each.name}: {each.takes}", each.optional) for each in word.parameters)
    return "; ".join(f"({told})" if optional else told for told, optional in said)
