"""What hosts do: open, invite, command, export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from referee.cli.client import ApiClient
from referee.cli.commands.rulings.judge import UnwritableOutputError
from referee.cli.output import make_console, print_json
from referee.engine.rulebook.book import read_yaml
from referee.infrastructure.errors import HostError
from referee.infrastructure.settings import Settings
from referee.tournament.exports import PairingsCsvError, read_pairings_csv

MINUTE_MS = 60_000
ENGLISH = "en"
WORDS = read_yaml(Path(__file__).parent / "words.yaml")


class TournamentUsageError(HostError):
    """What was given does not fit a tournament."""

    exit_code = 2


def connect(settings: Settings, token: str | None = None, lang: str = ENGLISH) -> ApiClient:
    """Return a client of the API, whose errors are in a language."""
    return ApiClient(settings.api_url, token, language="" if lang == ENGLISH else lang)


def choose_words(lang: str) -> dict[str, str]:
    """Return the words of these commands in a language."""
    return {name: each[lang] for name, each in WORDS.items()}


def build_path(tournament: str, rest: str = "") -> str:
    """Return the address of a tournament, or of something below it."""
    return f"/v1/tournaments/{quote(tournament, safe='')}{rest}"


def parse_seats(given: str, lang: str = ENGLISH) -> dict[str, int]:
    """Return how many sit at a table: `2`, or from one number to another.

    Raises TournamentUsageError.
    """
    least, _, most = given.partition("-")
    if not least.isdecimal() or (most and not most.isdecimal()):
        raise TournamentUsageError(WORDS["seats_wrong"][lang].format(given=repr(given)))
    return {"least": int(least), "most": int(most or least)}


def open_new(settings: Settings, game: str, options: Mapping[str, Any], lang: str, *, as_json: bool) -> None:
    """Open a tournament, and print what its host needs.

    Raises TournamentUsageError, ProblemError, ApiUnavailableError.
    """
    body = {
        "game": game,
        "system": options["system"],
        "rounds": options["rounds"],
        "seats": parse_seats(options["seats"], lang),
        "plays": "reported" if options["reported"] else "refereed",
        "decks": "deposited" if options["decks"] else "none",
        "rated": options["rated"],
        "host_plays": options["plays"],
        **({"round_ms": options["minutes"] * MINUTE_MS} if options["minutes"] else {}),
        **{name: options[name] for name in ("variant", "edition") if options[name]},
    }
    made = connect(settings, None, lang).post("/v1/tournaments", body).body
    if as_json:
        print_json(made)
        return
    console, words = make_console(), choose_words(lang)
    lines = [
        (words["opened_id"], made["tournament"]),
        (words["opened_token"], f"{made['token']}  ({words['opened_secret']})"),
        *((words["opened_play"], f"{settings.api_url}/join#{each['code']}") for each in made["invitations"]),
        (words["opened_board"], f"{settings.api_url}/rounds#{made['tournament']}"),
    ]
    width = max(len(name) for name, _ in lines)
    for name, value in lines:
        console.print(f"{name:{width}}  {value}")
    console.print(f"\n{words['opened_next']}")


def invite_people(
    settings: Settings, tournament: str, token: str | None, role: str, uses: int, lang: str, *, as_json: bool
) -> None:
    """Print a code for a role. Raises ProblemError, ApiUnavailableError."""
    client, body = connect(settings, token, lang), {"role": role, "uses": uses}
    made = client.post(build_path(tournament, "/invitations"), body).body
    if as_json:
        print_json(made)
    else:
        make_console().print(f"{made['code']}  {settings.api_url}/join#{made['code']}")


def list_invitations(settings: Settings, tournament: str, token: str | None, lang: str, *, as_json: bool) -> None:
    """Print the invitations that are good. Raises ProblemError, ApiUnavailableError."""
    items = list(connect(settings, token, lang).get_pages(build_path(tournament, "/invitations")))
    if as_json:
        print_json({"items": items})
        return
    console, words = make_console(), choose_words(lang)
    if not items:
        console.print(words["no_invitations"])
    for each in items:
        until = datetime.fromisoformat(each["expires_at"]).astimezone().strftime("%Y-%m-%d %H:%M")
        left = words["uses_left"].format(n=each["uses_left"])
        console.print(f"{each['id']}  {each['role']:9}  {left}  {words['until'].format(until=until)}")


def withdraw_invitation(settings: Settings, tournament: str, token: str | None, invitation: str, lang: str) -> None:
    """Withdraw an invitation. Raises ProblemError, ApiUnavailableError."""
    path = build_path(tournament, f"/invitations/{quote(invitation, safe='')}")
    connect(settings, token, lang).delete(path)
    make_console().print(WORDS["uninvited"][lang])


def give_commands(
    settings: Settings, tournament: str, token: str | None, given: Iterable[Mapping[str, Any]], lang: str
) -> None:
    """Give commands one after the other, and print what came of each.

    Raises ProblemError, ApiUnavailableError.
    """
    client, console = connect(settings, token, lang), make_console()
    for command in given:
        done = client.post(build_path(tournament, "/commands"), {"command": command}).body
        for event in done["events"]:
            console.print(event["says"][lang])


def read_pairings(file: Path, lang: str) -> list[list[int]]:
    """Return the tables that a file names. Raises TournamentUsageError."""
    try:
        tables = read_pairings_csv(file.read_text("utf-8-sig")).tables
        return [[number - 1 for number in table] for table in tables]  # files count from 1
    except PairingsCsvError as wrong:
        problem = WORDS[f"csv_{wrong.reason}"][lang].format(**wrong.params)
        said = WORDS["csv_line"][lang].format(file=file, line=wrong.line, problem=problem)
        raise TournamentUsageError(said) from wrong
    except UnicodeDecodeError as wrong:
        raise TournamentUsageError(f"{file}: {WORDS['csv_not_csv'][lang]}") from wrong


def write_sheet(
    settings: Settings,
    tournament: str,
    token: str | None,
    sheet: str,
    output: Path | None,
    form: str = "plain",
    lang: str = ENGLISH,
) -> None:
    """Write a sheet to a file or to standard output.

    Raises ProblemError, ApiUnavailableError, UnwritableOutputError.
    """
    text = connect(settings, token, lang).get_text(build_path(tournament, f"/exports/{sheet}?form={form}"))
    if output is None or str(output) == "-":
        print(text, end="")
    else:
        try:
            output.write_text(text, "utf-8", newline="")
        except OSError as wrong:
            said = WORDS["unwritable"][lang].format(file=output, why=wrong.strerror)
            raise UnwritableOutputError(said) from wrong
        make_console().print(WORDS["wrote"][lang].format(file=output))
