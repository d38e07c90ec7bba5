"""The commands that verify, export, move, archive and back up histories.

As in `main`, each command imports its code only when it runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.cli.exit_codes import CommandMisuseError, ExitCodeCommand
from referee.cli.options import AS_JSON, DATA_DIR, URL, load_settings

STAMPS = click.option(
    "--stamps",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of timestamps over checkpoints of the server's root log (may be given several times).",
)
CERTIFICATES = click.option(
    "--certificate",
    "certificates",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Certificates that vouch for the timestamp authority, PEM or DER (may be given several times).",
)
WITNESSES = click.option(
    "--witness",
    "witnesses",
    multiple=True,
    metavar="KEY",
    help="The verifier key of a witness of the server's root log (may be given several times).",
)


def _require_words(_context: click.Context, _option: click.Parameter, given: str) -> str:
    if not given.strip():
        raise click.BadParameter("it says nothing")
    return given


def _print_standalone_verifier(context: click.Context, _: click.Parameter, given: bool) -> None:
    """Print the one-file verifier and exit."""
    if given:
        from referee.audit import standalone

        click.echo(Path(standalone.__file__).read_text("utf-8"), nl=False)
        context.exit()


@click.command(cls=ExitCodeCommand)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option(
    "--standalone",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_standalone_verifier,
    help="Print a verifier in one Python file that works without this program, and exit.",
)
@click.option(
    "--receipts",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of receipts that you kept, text or JSON (may be given several times).",
)
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="A public key that you trust, or its file: PEM, base64, hex or a verifier key (may be given several times).",
)
@click.option(
    "--roots",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of checkpoints of the server's root log, from any day (may be given several times).",
)
@STAMPS
@CERTIFICATES
@WITNESSES
@click.option(
    "--refusals",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of signed refusals that a player kept: note, nonce and move as JSON, one a line.",
)
@click.option(
    "--require",
    "required",
    default="",
    metavar="WHAT,...",
    help="Exit with 24 unless all of these are there: key, receipts, published, chance, seeds, signatures.",
)
@click.option("--server", metavar="URL", help="Ask this server to prove that its logs only grew since.")
@click.option(
    "--thoughts",
    is_flag=True,
    help="Repeat what bots thought, from what their seats saw. It takes as long as they did.",
)
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@AS_JSON
def verify(
    *,
    files: tuple[str, ...],
    receipts: tuple[Path, ...],
    keys: tuple[str, ...],
    roots: tuple[Path, ...],
    stamps: tuple[Path, ...],
    certificates: tuple[Path, ...],
    witnesses: tuple[str, ...],
    refusals: tuple[Path, ...],
    server: str | None,
    thoughts: bool,
    required: str,
    lang: str,
    as_json: bool,
) -> None:
    """Verify exported matches, and compare them with each other.

    FILE is a bundle, or a folder of files that end in .bundle; - reads standard input. No server is needed. A
    tournament's tables are held against the bundles of their matches. Several files, receipts and checkpoints that one
    server signed and that contradict each other are shown side by side. The exit code is 0 if nothing is wrong, 64 or
    more for wrong usage, and else the code of the gravest finding:

    \b
    10  no bundle, or an incomplete one
    11  a key that no trusted key names
    12  a signature that is not the key's
    13  an entry that is missing or out of place
    14  an entry that was changed
    15  two things that the server signed and that contradict each other
    16  a hidden part that is not what was committed to
    17  a draw that the secret does not give
    18  an entry that is not what the rules say
    19  cards that cannot be where the entries say
    20  not the card book of the match
    21  not the root that was published
    23  times that contradict each other
    24  nothing is wrong, but something that --require names is missing
    25  not what the device of a player signed
    26  a bot's move that what its seat saw does not give (--thoughts)
    """  # noqa: D301  (click's mark of a paragraph that it must not wrap)
    from referee.cli.commands.histories.verify import OutsideFiles, parse_requirements, parse_witnesses
    from referee.cli.commands.histories.verify import verify_files as verifying

    wanted = parse_requirements(required)
    if not files and not roots and not stamps:
        raise CommandMisuseError("name a FILE, checkpoints with --roots, or timestamps with --stamps")
    if stamps and not certificates:
        raise CommandMisuseError("--stamps needs --certificate")
    if certificates and not stamps and not files:
        raise CommandMisuseError("--certificate needs --stamps, or a FILE that has a timestamp")
    outside = OutsideFiles(stamps, certificates, parse_witnesses(witnesses))
    sys.exit(
        verifying(
            files, receipts, keys, lang=lang, as_json=as_json, roots=roots, server=server, required=wanted,
            outside=outside, refusals=refusals, thoughts=thoughts,
        )
    )  # fmt: skip


@click.command(cls=ExitCodeCommand)
@click.option(
    "--match", "names", multiple=True, metavar="MATCH", help="Verify only this match (may be given several times)."
)
@click.option(
    "--receipts",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of receipts that players kept, text or JSON (may be given several times).",
)
@click.option(
    "--roots",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of checkpoints of this server's root log, from any day (may be given several times).",
)
@STAMPS
@CERTIFICATES
@WITNESSES
@click.option("--after", metavar="MATCH", help="Continue after this match.")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@DATA_DIR
@AS_JSON
def audit(
    *,
    names: tuple[str, ...],
    receipts: tuple[Path, ...],
    roots: tuple[Path, ...],
    stamps: tuple[Path, ...],
    certificates: tuple[Path, ...],
    witnesses: tuple[str, ...],
    after: str | None,
    lang: str,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Verify every match of a store, its root log and its keys.

    Archived matches are verified too. Cosignatures and timestamps over the root log that the data directory has are
    held against it, and judged as far as --witness and --certificate allow. Nothing is changed. The server may be
    running. The exit codes are those of `verify`, and 22: the store's own records (heads, feeds, snapshots, archived
    files, marks of what was signed) contradict the matches.
    """
    from referee.cli.commands.histories.audit import audit_store as auditing
    from referee.cli.commands.histories.verify import OutsideFiles, parse_witnesses

    if names and after:
        raise CommandMisuseError("--match or --after, not both")
    outside = OutsideFiles(stamps, certificates, parse_witnesses(witnesses))
    sys.exit(
        auditing(
            load_settings(data_dir), names, receipts, after=after, lang=lang, as_json=as_json, roots=roots,
            outside=outside,
        )
    )  # fmt: skip


@click.command()
@click.argument("match")
@click.option(
    "--viewer",
    "--eyes",
    "viewer",
    default="public",
    show_default=True,
    help="The viewer: public, a seat's number, or full.",
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@URL
@click.option("--sealed", is_flag=True, help="Export everything, hidden parts too, from the store of this machine.")
@DATA_DIR
def export(match: str, viewer: str, output: Path | None, url: str | None, sealed: bool, data_dir: Path | None) -> None:
    """Write the bundle of a match or a tournament to a file.

    Everybody can check it with `referee verify`. A private match, what a seat saw, and everything after the end need a
    token in REFEREE_TOKEN; on the server's own machine --sealed needs none.
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
@click.option(
    "--new-home", default="", metavar="URL", help="The address of the other server, for players who still ask here."
)
@click.option("--key", help="The public key of the only server that may import it (default: any server).")
@click.option(
    "--wait",
    type=click.IntRange(0, 86_400),
    default=0,
    metavar="SECONDS",
    help="How long to wait until everybody at the table has agreed.",
)
@click.option("--ask-again", is_flag=True, help="Ask the table once more if it has refused this move.")
@click.option(
    "--without-consent",
    is_flag=True,
    help="Move the match even if not everybody agrees, because this server is failing. Every report will say so.",
)
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@DATA_DIR
@AS_JSON
def move(
    *, match: str, output: Path, new_home: str, key: str | None, wait: int, ask_again: bool, without_consent: bool,
    lang: str, data_dir: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Release a running match to another server.

    First everybody at the table has to agree to this move, to this address and key. The first call asks them; call the
    same command again when they have answered, or use --wait. In the lobby, and if one person is alone at the table,
    nobody is asked.

    `referee import` takes the file in on the other server, and play goes on there. From then on the match is closed
    here, and its clocks stop. The file holds all hands and secrets, so only its owner may read it (mode 0600). If the
    command is interrupted or repeated, it writes the same file. Webhooks, invitations and accounts stay here. The
    server may be running. The exit code is 1 if the match cannot be moved or somebody has refused, and 75 if not
    everybody has agreed yet.
    """
    from referee.cli.commands.histories.move import Consent
    from referee.cli.commands.histories.move import move_match as moving

    consent = Consent(wait, ask_again, without_consent)
    sys.exit(moving(load_settings(data_dir), match, output, new_home, key, consent, lang=lang, as_json=as_json))


@click.command("import", cls=ExitCodeCommand)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--key", "keys", multiple=True, help="A public key of their server that you trust (see `verify`).")
@click.option("--lang", type=click.Choice(["en", "de"]), default="en", show_default=True)
@DATA_DIR
@AS_JSON
def import_(*, files: tuple[Path, ...], keys: tuple[str, ...], lang: str, data_dir: Path | None, as_json: bool) -> None:
    """Import finished or running matches from any server.

    Each FILE is the bundle of a finished match (`referee export --viewer full`) or of a running one (`referee move`).
    It is verified first. A finished match can be read here, and a running one is played on. Both keep their origin,
    keys and receipts. Importing the same file twice changes nothing, and another history of a known match is refused.
    The exit code is that of `verify` if a file is not sound, and 1 if it is refused for another reason.
    """
    from referee.cli.commands.histories.import_ import import_files

    sys.exit(import_files(load_settings(data_dir), files, keys, lang=lang, as_json=as_json))


@click.command()
@click.argument("matches", nargs=-1)
@click.option(
    "--older-than",
    type=click.IntRange(0, 36500),
    metavar="DAYS",
    help="Archive all that ended more than DAYS days ago.",
)
@click.option("--now", is_flag=True, help="Archive MATCHES even if they may still be disputed.")
@DATA_DIR
@AS_JSON
def archive(
    *, matches: tuple[str, ...], older_than: int | None, now: bool, data_dir: Path | None, as_json: bool
) -> None:
    """Archive finished matches to files.

    Name MATCHES, or give --older-than. Archived matches can be read as before, and take no more entries. A match that
    may still be disputed stays in the store, unless it is named with --now. The exit code is 1 if a match could not be
    archived.
    """
    from referee.cli.commands.histories.archive import archive_matches

    if bool(matches) == (older_than is not None):
        raise click.UsageError("name matches, or give --older-than DAYS")
    if now and not matches:
        raise click.UsageError("--now needs the names of matches")
    sys.exit(archive_matches(load_settings(data_dir), matches, older_than=older_than, now=now, as_json=as_json))


@click.group()
def history() -> None:
    """Show what a restored store lacks, and accept it."""


@history.command("lost")
@DATA_DIR
@AS_JSON
def list_lost(data_dir: Path | None, as_json: bool) -> None:
    """List the logs that lack what receipts were given for.

    Their matches are frozen. `roots` is the root log. The exit code is 1 if there are any.
    """
    from referee.cli.commands.histories.lost import print_lost

    sys.exit(print_lost(load_settings(data_dir), as_json=as_json))


@history.command("accept")
@click.argument("names", nargs=-1, metavar="[MATCH|roots]...")
@click.option("--all", "everything", is_flag=True, help="Accept all logs that lack what was signed of them.")
@click.option(
    "--reason",
    required=True,
    callback=_require_words,
    help="Why, for the record: which copy was restored, and what is missing.",
)
@DATA_DIR
@AS_JSON
def accept(*, names: tuple[str, ...], everything: bool, reason: str, data_dir: Path | None, as_json: bool) -> None:
    """Accept logs as a restored store has them.

    Their matches go on from there, and the server signs another history than before: receipts that players hold of the
    lost part will contradict it, and anybody can see that. What was accepted stays in the data directory's journal.
    """
    from referee.cli.commands.histories.lost import accept_histories

    if bool(names) == everything:
        raise click.UsageError("name matches or `roots`, or give --all")
    accept_histories(load_settings(data_dir), names, reason, everything=everything, as_json=as_json)


@history.command("claim")
@click.option(
    "--reason", required=True, callback=_require_words, help="Why, for the record: what became of the folder before."
)
@DATA_DIR
def claim(reason: str, data_dir: Path | None) -> None:
    """Take this host's folder of marks as the one of the store.

    The store of REFEREE_STORE_URL has one folder for all hosts (REFEREE_WATERMARKS_DIR), and a host with another one
    does not start. Do this only if that folder is lost: what it knew of signed histories is lost with it.
    """
    from referee.cli.commands.histories.lost import claim_store

    claim_store(load_settings(data_dir), reason)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@DATA_DIR
@AS_JSON
def salvage(folder: Path, *, data_dir: Path | None, as_json: bool) -> None:
    """Recover a damaged store, match by match, to a new folder DIR.

    The data directory is only read; stop its server first. Whatever is whole in the files is taken over, and what is
    lost is named: matches, and which of their entries. A match that lost something is frozen at its last sound entry.
    The exit code is 1 if anything is lost.
    """
    from referee.cli.commands.histories.salvage import run_salvage

    sys.exit(run_salvage(load_settings(data_dir), folder, as_json=as_json))


COMMANDS = (verify, export, audit, move, import_, archive, history, salvage)
