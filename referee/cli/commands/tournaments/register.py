"""The commands for hosts of tournaments.

As in `main`, each imports its code only when it runs.
"""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.options import AS_JSON, URL, load_settings

TOKEN = click.option(
    "--token", envvar="REFEREE_TOURNAMENT_TOKEN", help="The host's or an official's token (REFEREE_TOURNAMENT_TOKEN)."
)
TOURNAMENT = click.argument("tournament")
LANG = click.option(
    "--lang",
    type=click.Choice(["en", "de"]),
    default="en",
    show_default=True,
    help="Of what is printed, errors too.",
)
ROLES = ("player", "head", "floor", "committee")
SYSTEMS = ("round_robin", "knockout", "swiss", "groups", "manual")
FORMS = ("plain", "comma", "semicolon")
SHEETS = ("standings.csv", "results.csv", "pairings.csv", "report.trf", "public.bundle", "full.bundle")


@click.group()
def tournament() -> None:
    """Host a tournament."""


@tournament.command("open")
@click.argument("game")
@click.option("--variant", help="The variant (default: the first one of the game).")
@click.option("--edition", help="The edition of the cards (default: the newest).")
@click.option("--system", type=click.Choice(SYSTEMS), default="round_robin", show_default=True)
@click.option(
    "--rounds", type=click.IntRange(0, 30), default=0, help="How many (default: as many as the system needs)."
)
@click.option("--seats", default="2", show_default=True, metavar="N|N-M", help="How many sit at a table.")
@click.option("--minutes", type=click.IntRange(1), help="How long a round takes (default: as long as it needs).")
@click.option("--reported", is_flag=True, help="Tables only report how they ended; the referee runs no matches.")
@click.option("--decks", is_flag=True, help="Players deposit their decks before the start.")
@click.option("--plays", is_flag=True, help="You play yourself, and so are no official.")
@click.option("--rated", is_flag=True, help="The matches are public and count for the standings of players.")
@LANG
@URL
@AS_JSON
def open_tournament(*, game: str, lang: str, url: str | None, as_json: bool, **options: object) -> None:
    """Open a tournament of GAME.

    Its id, your token and a code for players are printed.

    Without --plays you are its head official.
    """
    from referee.cli.commands.tournaments.hosting import open_new

    open_new(load_settings(url=url), game, options, lang, as_json=as_json)


@tournament.command("invite")
@TOURNAMENT
@click.argument("role", type=click.Choice(ROLES))
@click.option("--uses", type=click.IntRange(1, 256), default=1, show_default=True, help="How many people may use it.")
@TOKEN
@LANG
@URL
@AS_JSON
def invite(
    *, tournament: str, role: str, uses: int, token: str | None, lang: str, url: str | None, as_json: bool
) -> None:
    """Print a code with which somebody enters TOURNAMENT in a ROLE."""
    from referee.cli.commands.tournaments.hosting import invite_people

    invite_people(load_settings(url=url), tournament, token, role, uses, lang, as_json=as_json)


@tournament.command("invitations")
@TOURNAMENT
@TOKEN
@LANG
@URL
@AS_JSON
def list_invitations(*, tournament: str, token: str | None, lang: str, url: str | None, as_json: bool) -> None:
    """List the invitations of TOURNAMENT that are good.

    With each, how many people it still lets in. Codes are not shown again.
    """
    from referee.cli.commands.tournaments import hosting

    hosting.list_invitations(load_settings(url=url), tournament, token, lang, as_json=as_json)


@tournament.command("uninvite")
@TOURNAMENT
@click.argument("invitation")
@TOKEN
@LANG
@URL
def withdraw_invitation(*, tournament: str, invitation: str, token: str | None, lang: str, url: str | None) -> None:
    """Withdraw an INVITATION, named as `invitations` lists it."""
    from referee.cli.commands.tournaments import hosting

    hosting.withdraw_invitation(load_settings(url=url), tournament, token, invitation, lang)


@tournament.command("withdraw")
@TOURNAMENT
@click.argument("player", type=click.IntRange(1, 256))
@TOKEN
@LANG
@URL
def withdraw_player(*, tournament: str, player: int, token: str | None, lang: str, url: str | None) -> None:
    """Take PLAYER out of TOURNAMENT, by number, counted from 1.

    The host takes out anybody before the start, and bots at any time. With their own token, players leave at any time.
    """
    from referee.cli.commands.tournaments.hosting import give_commands

    leave = {"type": "tournament.leave", "player": player - 1}  # the API counts from 0
    give_commands(load_settings(url=url), tournament, token, [leave], lang)


@tournament.command("bots")
@TOURNAMENT
@click.argument("count", type=click.IntRange(1, 64))
@click.option("--level", type=click.IntRange(0, 3), default=1, show_default=True, help="How well they play.")
@TOKEN
@LANG
@URL
def enter_bots(*, tournament: str, count: int, level: int, token: str | None, lang: str, url: str | None) -> None:
    """Enter COUNT bots in TOURNAMENT."""
    from referee.cli.commands.tournaments.hosting import give_commands

    bots = [{"type": "tournament.enter", "level": level}] * count
    give_commands(load_settings(url=url), tournament, token, bots, lang)


@tournament.command("start")
@TOURNAMENT
@TOKEN
@LANG
@URL
def start(*, tournament: str, token: str | None, lang: str, url: str | None) -> None:
    """Close the registration and draw the lots."""
    from referee.cli.commands.tournaments.hosting import give_commands

    give_commands(load_settings(url=url), tournament, token, [{"type": "tournament.start"}], lang)


@tournament.command("pair")
@TOURNAMENT
@click.option(
    "--from",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A table of pairings (CSV as `export pairings.csv` writes it), where the host names them.",
)
@TOKEN
@LANG
@URL
def pair(*, tournament: str, file: Path | None, token: str | None, lang: str, url: str | None) -> None:
    """Pair the next round, and begin it."""
    from referee.cli.commands.tournaments.hosting import give_commands, read_pairings

    command = {"type": "tournament.pair", **({} if file is None else {"tables": read_pairings(file, lang)})}
    give_commands(load_settings(url=url), tournament, token, [command], lang)


@tournament.command("end")
@TOURNAMENT
@TOKEN
@LANG
@URL
def end(*, tournament: str, token: str | None, lang: str, url: str | None) -> None:
    """End or withdraw TOURNAMENT.

    It can end after its last round, and be withdrawn before its start.
    """
    from referee.cli.commands.tournaments.hosting import give_commands

    give_commands(load_settings(url=url), tournament, token, [{"type": "tournament.end"}], lang)


@tournament.command("show")
@TOURNAMENT
@TOKEN
@LANG
@URL
@AS_JSON
def show(*, tournament: str, token: str | None, lang: str, url: str | None, as_json: bool) -> None:
    """Show tables and standings, and to officials what waits."""
    from referee.cli.commands.tournaments.showing import show_tournament

    show_tournament(load_settings(url=url), tournament, token, lang, as_json=as_json)


@tournament.command("export")
@TOURNAMENT
@click.argument("sheet", type=click.Choice(SHEETS))
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file (default: standard output)."
)
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default="plain",
    show_default=True,
    help="How a spreadsheet program reads a CSV: comma, or semicolon with decimal commas as in German.",
)
@TOKEN
@LANG
@URL
def export_sheet(
    *, tournament: str, sheet: str, output: Path | None, form: str, token: str | None, lang: str, url: str | None
) -> None:
    """Write a SHEET of TOURNAMENT."""
    from referee.cli.commands.tournaments.hosting import write_sheet

    write_sheet(load_settings(url=url), tournament, token, sheet, output, form, lang)
