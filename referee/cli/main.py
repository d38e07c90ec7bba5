"""The commands and their options.

Each command imports its code only when it runs, so that the program starts fast.

Exit codes: 0 done, 1 refused or wrong, 2 wrong usage, 69 no store, 70 the program failed, 74 the output cannot be
written. The codes of `judge` tell the verdict, those of `verify` what is wrong; both use 64 and more for wrong usage
and wrong files. `bots tournament --bar` exits with 3 unless the bar is passed.
"""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

import referee
from referee.cli.assistants import register as assistants
from referee.cli.commands.bots import register as playing_bots
from referee.cli.commands.card_books import register as card_books
from referee.cli.commands.histories import register
from referee.cli.commands.publishing import register as publishing
from referee.cli.commands.rulings.rules import rules
from referee.cli.commands.running import register as running
from referee.cli.commands.running.dev import dev
from referee.cli.commands.tournaments.register import tournament
from referee.cli.exit_codes import CommandMisuseError, ExitCodeCommand, exit_after_failure, show_usage_error
from referee.cli.options import AS_JSON, DATA_DIR, ENV_FILE, URL, SectionedGroup, load_settings
from referee.cli.table import commands as tables
from referee.infrastructure.errors import HostError
from referee.infrastructure.settings import STORE_SCHEMES, read_settings

# standard output failed: the disk is full, or its reader has gone
OUTPUT_FAILURE_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE}


@click.group(cls=SectionedGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(referee.__version__, prog_name="referee")
@ENV_FILE
def cli() -> None:
    """Judge the moves of tabletop games and cite the clauses.

    To begin, run `referee serve` and open the address that it prints. `referee COMMAND --help` explains a command.
    Settings come from REFEREE_* variables, or from a file of them (--env-file). The file .env.example lists them.
    """


@cli.command()
@click.option("--host", help="The address to listen on (REFEREE_HOST; default: this machine only).")
@click.option("--port", type=click.IntRange(0, 65535), help="The port to listen on (REFEREE_PORT; 0: any free one).")
@click.option("--lan", is_flag=True, help="Listen on the whole network, and show a QR code for phones.")
@click.option("--ephemeral", is_flag=True, help="Keep everything in memory. It is lost when the server stops.")
@DATA_DIR
@AS_JSON
def serve(
    *, host: str | None, port: int | None, lan: bool, ephemeral: bool, data_dir: Path | None, as_json: bool
) -> None:
    """Run the whole server: store, queue, API and workers."""
    from referee.cli.commands.running import serve as serving

    if lan and host:
        raise click.UsageError("--lan listens on all addresses; leave out --host")
    if ephemeral and data_dir:
        raise click.UsageError("--ephemeral keeps nothing; leave out --data-dir")
    settings = load_settings(data_dir)
    address = "0.0.0.0" if lan else host or settings.host  # noqa: S104  (only when --lan asks for it)
    settings = replace(settings, host=address, port=settings.port if port is None else port)
    serving.run_server(settings, ephemeral=ephemeral or settings.ephemeral, lan=lan, as_json=as_json)


@cli.command()
def api() -> None:
    """Run the API alone. REFEREE_STORE_URL and REFEREE_QUEUE_URL name its servers."""
    from referee.cli.commands.running.serve import run_api

    run_api(read_settings())


@cli.command()
@click.argument(
    "names", nargs=-1, type=click.Choice(["drain", "bots", "thinkers", "webhooks", "bundles", "sweeper", "archiver"])
)
def worker(names: tuple[str, ...]) -> None:
    """Run workers alone: all kinds, or those named.

    REFEREE_STORE_URL and REFEREE_QUEUE_URL name their servers.
    """
    from referee.cli.commands.running.serve import WORKERS, run_workers

    run_workers(read_settings(), names or WORKERS)


@cli.command()
@URL
@click.option("--game", "games", multiple=True, help="Play only this game (may be given several times).")
@click.option("--level", type=click.IntRange(0, 3), default=1, show_default=True, help="How well the bots play.")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@click.option(
    "--minutes",
    type=click.FloatRange(0.01),
    default=10.0,
    show_default=True,
    help="Wait no longer than this for the matches to end.",
)
@AS_JSON
def demo(*, url: str | None, games: tuple[str, ...], level: int, lang: str, minutes: float, as_json: bool) -> None:
    """Let bots play every game, and show the last match.

    The moves are shown with their clauses. If no API answers, a temporary server is started that keeps everything in
    memory.
    """
    from referee.cli.commands.running.demo import run_demo

    settings, given = load_settings(url=url), url is not None
    run_demo(settings, games=games, level=level, lang=lang, minutes=minutes, as_json=as_json, given=given)


@cli.command()
@click.argument("match", metavar="MATCH|FILE")
@URL
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@click.option("--seat", type=click.IntRange(0), help="Show what this seat saw; needs its token in REFEREE_TOKEN.")
@click.option("--full", is_flag=True, help="Show hidden cards too, after the end; needs the token of a seat.")
@click.option("--at", type=click.IntRange(1), metavar="VERSION", help="Show the table at this version instead.")
@click.option("--after", type=click.IntRange(0), default=0, help="Begin after this version.")
@click.option("--upto", type=click.IntRange(1), help="End with this version.")
@click.option("--clauses/--no-clauses", default=True, help="Cite the clauses, or not.  [default: clauses]")
@click.option("--fold", is_flag=True, help="Show in one line what was taken back.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a printable page instead.")
@AS_JSON
def show(*, match: str, url: str | None, seat: int | None, full: bool, html: Path | None, **wishes: Any) -> None:
    """Show a match turn by turn, or the table at one version.

    Each entry is shown with its time, its dice, its clauses and what was disputed. MATCH is the id of a match on a
    server; a private one needs a token in REFEREE_TOKEN. If that token does not fit the match, the public view is
    shown, and the exit code is 77, as it is if nobody has such a token. FILE is an exported match: it needs no server,
    and is shown as the viewer for whom it was exported saw it.
    """
    from referee.cli import bundle_view
    from referee.cli.client import ApiClient
    from referee.cli.commands.histories import show as showing

    if full and seat is not None:
        raise click.UsageError("--full or --seat, not both")
    if html is not None and (wishes["at"] is not None or wishes["as_json"]):
        raise click.UsageError("--html is a page of the whole match; leave out --at and --json")
    viewer = "full" if full else "public" if seat is None else seat
    wish = showing.ShowOptions(viewer=viewer, html=html, folded=wishes.pop("fold"), **wishes)
    if showing.is_file(match):
        showing.print_document(*bundle_view.read_bundle(Path(match), wish))
        return
    settings = load_settings(url=url)
    told = showing.fetch_document(ApiClient(settings.api_url, settings.token, errors=wish.lang), match, wish)
    showing.print_document(told, wish)
    sys.exit(showing.warn_of_unknown_token(told, wish.lang))


@cli.command()
@click.argument("match")
@URL
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@AS_JSON
def precedents(match: str, url: str | None, lang: str, as_json: bool) -> None:
    """List the house rulings that the table of a match keeps.

    With --json they are printed as data, to be used elsewhere.
    """
    from referee.cli.client import ApiClient
    from referee.cli.commands.rulings.precedents import print_precedents

    settings = load_settings(url=url)
    print_precedents(ApiClient(settings.api_url, settings.token), match, lang=lang, as_json=as_json)


@cli.command()
@click.option("--match", "names", multiple=True, help="Judge only this match (may be given several times).")
@click.option("--ruleset", help="Judge by this ruleset where a game has it (default: its newest).")
@click.option(
    "--readings", multiple=True, metavar="CLAUSE=N", help="Use reading N of a clause (may be given several times)."
)
@click.option("--url", help="The address of the store (REFEREE_STORE_URL).")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@DATA_DIR
@AS_JSON
def shadow(
    names: tuple[str, ...],
    ruleset: str | None,
    readings: tuple[str, ...],
    url: str | None,
    lang: str,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """List the rulings of a store that other rules would change.

    All matches are judged again, by the newest ruleset of each game or as the options say. The differences are grouped
    by clause. Nothing is changed in the store. The exit code is 1 if a ruling would differ or a match cannot be judged.
    """
    from referee.cli.commands.rulings.shadow import judge_by_rules as judged_otherwise
    from referee.cli.commands.rulings.shadow import parse_rules

    settings = load_settings(data_dir)
    if url is not None:
        if urlsplit(url).scheme not in STORE_SCHEMES:
            raise click.BadParameter("not the address of a store, such as redis://host:port/0", param_hint="--url")
        settings = replace(settings, store_url=url)
    rules = parse_rules(ruleset, readings)
    sys.exit(judged_otherwise(settings, names, rules, lang=lang, as_json=as_json))


@cli.command(cls=ExitCodeCommand)
@click.argument("file", required=False)
@click.option("--example", metavar="GAME", help="Print an example for this game instead.")
@click.option("--variant", help="The variant of the example.")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Also write a printable page.")
@click.option(
    "--book",
    "books",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file with a card book that FILE names as its edition (may be given several times).",
)
@click.option(
    "--cards-dir",
    "shelf",
    envvar="REFEREE_CARDS_DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="A directory of card books (REFEREE_CARDS_DIR).",
)
@click.option(
    "--precedents",
    type=click.Path(dir_okay=False, path_type=Path),
    help="House rulings to judge by: output of `referee precedents MATCH --json`, or an exported match.",
)
@AS_JSON
def judge(
    file: str | None,
    example: str | None,
    variant: str | None,
    lang: str,
    html: Path | None,
    books: tuple[Path, ...],
    shelf: Path | None,
    precedents: Path | None,
    as_json: bool,
) -> None:
    """Rule on a written position and a disputed move.

    FILE is YAML or JSON; - reads standard input. No server is needed. The exit code is 0 if the move is legal, 1 if it
    is illegal, 2 if that is undecided, 3 if FILE leaves out facts that the answer depends on, and 64 or more if FILE is
    wrong. On a terminal the missing facts are asked for one after the other.
    """
    from referee.cli.commands.rulings.judge import judge_file as judging
    from referee.cli.commands.rulings.judge import print_example
    from referee.cli.commands.rulings.precedents_file import read_precedents

    if (file is None) == (example is None) or (variant and not example):
        raise CommandMisuseError("give a FILE, or --example GAME (and perhaps --variant)")
    if example is not None:
        print_example(example, variant, lang)
    elif file is not None:
        kept = [] if precedents is None else read_precedents(precedents)
        sys.exit(judging(file, lang=lang, as_json=as_json, html=html, books=books, shelf=shelf, precedents=kept))


@cli.command()
@DATA_DIR
@AS_JSON
def doctor(data_dir: Path | None, as_json: bool) -> None:
    """Check this machine, and say how to fix what is missing.

    Nothing is changed. The exit code is 1 if something is wrong.
    """
    from referee.cli.commands.running.doctor import run_doctor

    sys.exit(run_doctor(data_dir, as_json=as_json))


@cli.group()
def projections() -> None:
    """List and rebuild the read models computed from the logs."""


@projections.command("list")
@DATA_DIR
@AS_JSON
def list_projections(data_dir: Path | None, as_json: bool) -> None:
    """Show how many entries each projection has read."""
    from referee.cli.commands.running.projections import print_progress

    print_progress(load_settings(data_dir), as_json=as_json)


@projections.command("rebuild")
@click.argument("names", nargs=-1)
@DATA_DIR
def rebuild_projections(names: tuple[str, ...], data_dir: Path | None) -> None:
    """Rebuild projections from the logs, and replace the live ones.

    NAMES are the projections to rebuild; without them, all are. Rows of the live ones that were wrong are reported.
    Matches go on meanwhile. The exit code is 1 if a row was wrong.
    """
    from referee.cli.commands.running.projections import rebuild_views

    sys.exit(rebuild_views(load_settings(data_dir), names))


@cli.group()
def openapi() -> None:
    """Write the contract of the API."""


@openapi.command()
@click.argument("path", required=False, type=click.Path(dir_okay=False, path_type=Path))
def write(path: Path | None) -> None:
    """Write openapi.yaml as the API generates it. It goes to PATH or standard output."""
    from referee.cli.commands.running.openapi import write_contract

    write_contract(path)


@cli.group()
def keys() -> None:
    """List and replace the keys that sign this server's receipts."""


@keys.command("list")
@DATA_DIR
@AS_JSON
def list_keys(data_dir: Path | None, as_json: bool) -> None:
    """List the signing keys and since when each one signs."""
    from referee.cli.commands.running.keys import print_keys

    print_keys(load_settings(data_dir), as_json=as_json)


@keys.command("rotate")
@DATA_DIR
@AS_JSON
def rotate_key(data_dir: Path | None, as_json: bool) -> None:
    """Replace the signing key; the old key signs the new one.

    A running server uses the new key at once. Older receipts stay valid. If a rotation was interrupted, this command
    completes it.
    """
    from referee.cli.commands.running.keys import rotate_signing_key

    rotate_signing_key(load_settings(data_dir), as_json=as_json)


@cli.group()
def token() -> None:
    """Create tokens on this machine."""


@token.command()
@DATA_DIR
@AS_JSON
def operator(data_dir: Path | None, as_json: bool) -> None:
    """Create a new operator token and revoke the one before."""
    from referee.cli.output import print_json
    from referee.infrastructure.secrets import create_operator_token

    made = create_operator_token(load_settings(data_dir).operator_hash_file, replace=True)
    if as_json:
        print_json({"operator_token": made})
    else:
        click.echo(made)


for each in (
    *playing_bots.COMMANDS,
    *card_books.COMMANDS,
    *register.COMMANDS,
    *running.COMMANDS,
    *publishing.COMMANDS,
    *tables.COMMANDS,
    *assistants.COMMANDS,
    tournament,
    rules,
    dev,
):
    cli.add_command(each)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command and exit with its code."""
    try:
        cli.main(args=arguments, prog_name="referee", standalone_mode=False)
    except click.UsageError as wrong:
        show_usage_error(wrong, sys.argv[1:] if arguments is None else arguments)
        sys.exit(wrong.exit_code)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except click.Abort:
        sys.exit(130)
    except HostError as wrong:
        click.echo(f"referee: {wrong}", err=True)
        sys.exit(wrong.exit_code)
    except OSError as wrong:
        if wrong.errno not in OUTPUT_FAILURE_ERRNOS:
            exit_after_failure(wrong)
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (the exit must not flush to it again)
        click.echo(f"referee: the output cannot be written: {wrong.strerror}", err=True)
        sys.exit(74)  # EX_IOERR of sysexits.h
    except Exception as failure:
        exit_after_failure(failure)
