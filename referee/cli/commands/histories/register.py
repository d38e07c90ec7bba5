"""The commands about histories as such: checking them, taking them along, putting them away. As `main`, they import
what they do when they are run."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.cli.exit_codes import CommandMisuseError, ExitCodeCommand
from referee.cli.options import AS_JSON, DATA_DIR, URL, load_settings


def _print_standalone_verifier(context: click.Context, _: click.Parameter, given: bool) -> None:
    """Prints the one-file verifier, and nothing else is done."""
    if given:
        from referee.audit import standalone

        click.echo(Path(standalone.__file__).read_text("utf-8"), nl=False)
        context.exit()


@click.command(cls=ExitCodeCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--standalone",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_standalone_verifier,
    help="Print a verifier in one file of Python that needs nothing of this program, and do nothing else.",
)
@click.option(
    "--receipts",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with receipts that you kept, as text or JSON (may be given several times).",
)
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="A public key that you trust, or a file with one: PEM, base64, hex or a verifier key (several times).",
)
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@AS_JSON
def verify(files: tuple[str, ...], receipts: tuple[Path, ...], keys: tuple[str, ...], lang: str, as_json: bool) -> None:
    """Check bundles of matches, from any server (- reads standard input). No server is needed.

    The exit code is 0 if nothing is wrong. 10: no bundle, or not a whole one; 11: a key that nothing vouches for; 12: a
    signature; 13: an entry is missing or out of place; 14: an entry was changed; 15: a receipt proves another history;
    16: something hidden is not what was committed to; 17: chance; 18: the rules; 19: the census; 20: the card book; 21:
    a published root. 64 or more: misused.
    """
    from referee.cli.commands.histories.verify import verify_files as verifying

    sys.exit(verifying(files, receipts, keys, lang=lang, as_json=as_json))


@click.command(cls=ExitCodeCommand)
@click.option("--match", "names", multiple=True, metavar="MATCH", help="Only this one (may be given several times).")
@click.option(
    "--receipts",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with receipts that people kept, as text or JSON (may be given several times).",
)
@click.option("--after", metavar="MATCH", help="Go on after this one.")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@DATA_DIR
@AS_JSON
def audit(
    *,
    names: tuple[str, ...],
    receipts: tuple[Path, ...],
    after: str | None,
    lang: str,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Check every match of a store, archived ones too, its log of roots and its keys. Nothing is changed.

    The server may run. The exit codes are those of `verify`, and 22: the store's own notes (of heads, feeds, snapshots,
    archived files) do not fit the matches.
    """
    from referee.cli.commands.histories.audit import audit_store as auditing

    if names and after:
        raise CommandMisuseError("--match or --after, not both")
    sys.exit(auditing(load_settings(data_dir), names, receipts, after=after, lang=lang, as_json=as_json))


@click.command()
@click.argument("match")
@click.option(
    "--viewer", "--eyes", "viewer", default="public", show_default=True, help="Whose: public, a seat's number, or full."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@URL
@click.option("--sealed", is_flag=True, help="All of it, whatever its state, from the store of this machine's server.")
@DATA_DIR
def export(match: str, viewer: str, output: Path | None, url: str | None, sealed: bool, data_dir: Path | None) -> None:
    """Write the bundle of a match, for `referee verify` and for whoever wants to check it.

    What only some may see takes a token in REFEREE_TOKEN; all of it is told after the end.
    """
    from referee.cli.commands.histories.export import export_bundle as exporting
    from referee.cli.commands.histories.export import export_sealed

    if sealed:
        if url:
            raise click.UsageError("--sealed reads the store itself; leave out --url")
        export_sealed(load_settings(data_dir), match, output)
    else:
        exporting(load_settings(url=url), match, viewer, output)


@click.command(cls=ExitCodeCommand)
@click.argument("match")
@click.option(
    "--to", "output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file to write.",
)  # fmt: skip
@click.option("--new-home", default="", metavar="URL", help="Where it goes on: whoever moves here is told so.")
@click.option("--key", help="Of the one server that may take it in, as for `verify`. Without: any server, this too.")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@DATA_DIR
@AS_JSON
def move(
    *, match: str, output: Path, new_home: str, key: str | None, lang: str, data_dir: Path | None, as_json: bool
) -> None:
    """Let a match that is not over go to another server, where `referee import` takes it in and people play on.

    From then on nobody moves here, and its time stands still. The file holds every hand and secret: mode 0600. Broken
    off, or called again, it writes the same file. Webhooks, invitations and accounts stay here. The exit code is 1 if
    it is refused. The server may run.
    """
    from referee.cli.commands.histories.move import move_match as moving

    sys.exit(moving(load_settings(data_dir), match, output, new_home, key, lang=lang, as_json=as_json))


@click.command("import", cls=ExitCodeCommand)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--key", "keys", multiple=True, help="A public key of their server that you trust, as for `verify`.")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@DATA_DIR
@AS_JSON
def import_(*, files: tuple[Path, ...], keys: tuple[str, ...], lang: str, data_dir: Path | None, as_json: bool) -> None:
    """Take matches of any server in. Finished ones are read, judged again and taught with here; those that move go on.

    Each FILE is a bundle of all of a match that is over (`referee export --viewer full`), or what `referee move` has
    written of a running one, and is verified first. It keeps its origin, its
    keys and its receipts. The same file twice changes nothing; another history under a known name is refused. The exit
    code is that of `verify` for what is wrong with a file, and 1 if it is refused otherwise.
    """
    from referee.cli.commands.histories.import_ import import_files

    sys.exit(import_files(load_settings(data_dir), files, keys, lang=lang, as_json=as_json))


@click.command()
@click.argument("matches", nargs=-1)
@click.option("--older-than", type=click.IntRange(0, 36500), metavar="DAYS", help="All that are over, and so old.")
@click.option("--now", is_flag=True, help="Those named also while they may still be disputed.")
@DATA_DIR
@AS_JSON
def archive(
    *, matches: tuple[str, ...], older_than: int | None, now: bool, data_dir: Path | None, as_json: bool
) -> None:
    """Put finished matches away to disk; they are read as before, and take no more entries.

    Name MATCHES, or give --older-than. A match that may still be disputed stays, unless --now says otherwise.
    The exit code is 1 if one could not be put away.
    """
    from referee.cli.commands.histories.archive import archive_matches

    if bool(matches) == (older_than is not None):
        raise click.UsageError("name matches, or give --older-than DAYS")
    if now and not matches:
        raise click.UsageError("--now is for matches that are named")
    sys.exit(archive_matches(load_settings(data_dir), matches, older_than=older_than, now=now, as_json=as_json))


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--without-store", is_flag=True, help="Keys and archive alone; where the store is another server's.")
@DATA_DIR
@AS_JSON
def backup(folder: Path, *, without_store: bool, data_dir: Path | None, as_json: bool) -> None:
    """Copy keys, store and archive to DIR while the server runs; `referee serve --data-dir DIR` starts from the copy.

    Every write that was acknowledged before is in it. DIR appears once the copy was read by a store server. The exit
    code is 1 if matches in it are damaged, as they are in the original.
    """
    from referee.cli.commands.running.backup import run_backup

    sys.exit(run_backup(load_settings(data_dir), folder, store=not without_store, as_json=as_json))


COMMANDS = (verify, export, audit, move, import_, archive, backup)
