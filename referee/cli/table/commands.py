"""The commands `play` and `watch`.

As in `main`, each imports its code only when it runs.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from referee.cli.options import AS_JSON, URL, load_settings
from referee.infrastructure.errors import HostError

LANG = click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
PLAIN = click.option(
    "--plain", is_flag=True, help="Print plain lines, for screen readers and where there is no terminal."
)


@click.command()
@click.argument("target", metavar="[URL|CODE|MATCH]", required=False)
@click.option("--name", help="Your name at the table (default: you are asked).")
@click.option("--new", "game", metavar="GAME", help="Open a table of this game with bots on the other seats.")
@click.option("--edition", metavar="BOOK", help="The card book that a new table is played with (default: the game's).")
@click.option("--level", type=click.IntRange(0, 3), default=1, show_default=True, help="How well these bots play.")
@URL
@LANG
@PLAIN
def play(
    *,
    target: str | None,
    name: str | None,
    game: str | None,
    edition: str | None,
    level: int,
    url: str | None,
    lang: str,
    plain: bool,
) -> None:
    """Take a seat at a table, and play in the terminal.

    URL is the link of an invitation to a match or a tournament, CODE its code; the id of a tournament leads to your
    table of the current round. --new opens a table of your own. The seat is kept in your configuration folder, so the
    same command goes on after a break, and so does the command without an argument.

    Press the digit or letter beside a move to make it. Space shows the hand, Tab the next page, L what has happened,
    C calls an official where there is one, Q leaves. With --plain, or where there is no terminal, type the number of
    a move; Ctrl-D leaves.
    """
    from referee.cli.table import opening
    from referee.tournament.state import is_tournament_id

    if target is not None and game is not None:
        raise click.UsageError("--new opens a table; leave out the code")
    if edition is not None and game is None:
        raise click.UsageError("--edition is for a new table: --new GAME --edition BOOK")
    api_url = load_settings(url=url).api_url
    host = None
    if game is not None:
        opening.require_server(api_url)
        host = opening.open_table(api_url, game, level, lang, edition)
        meant: opening.Target | None = opening.Target(host.base, host.code)
    else:
        meant = None if target is None else opening.read_target(target, api_url)
    saved = opening.find_saved_seat(meant)
    if saved is None:
        if meant is None or not meant.code:
            raise HostError("no seat is kept here for that; give the code of an invitation")
        opening.require_server(meant.base)
        if not name and sys.stdin.isatty():
            name = click.prompt("Wie heißt du?" if lang == "de" else "What is your name?")
        saved = opening.take_seat(meant, name or "", lang)
    if is_tournament_id(saved.match):
        saved = opening.find_own_table(saved, lang)
    if host is not None:
        opening.show_seed(saved)
        host.start()
    _show(saved, lang=lang, plain=plain)


@click.command()
@click.argument("target", metavar="[URL|CODE|MATCH]", required=False)
@click.option("--demo", is_flag=True, help="List only tables where bots play by themselves.")
@URL
@LANG
@PLAIN
@AS_JSON
def watch(target: str | None, *, demo: bool, url: str | None, lang: str, plain: bool, as_json: bool) -> None:
    """Watch a match in the terminal, or list the public matches.

    A MATCH that is public needs no token; a CODE or the link of an invitation to watch does for others.
    """
    from referee.cli.table import opening
    from referee.cli.table.seats import SavedSeat

    settings = load_settings(url=url)
    if target is None or demo:
        from referee.cli.table.public import print_matches

        return print_matches(settings.api_url, demo=demo, lang=lang, as_json=as_json)
    meant = opening.read_target(target, settings.api_url)
    opening.require_server(meant.base)
    if meant.code:
        saved = opening.take_seat(meant, "", lang)
    else:
        saved = SavedSeat(meant.base, meant.match, settings.token or "", None)
    _show(saved, lang=lang, plain=plain, watches=True)


def _show(saved: Any, *, lang: str, plain: bool, watches: bool = False) -> None:
    """Show a match on the terminal, or as lines where there is none."""
    from referee.cli.table.showing import show_table

    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    show_table(saved, lang=lang, is_plain=plain or not is_terminal, watches=watches)


COMMANDS = (play, watch)
