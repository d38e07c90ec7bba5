"""What hosts do: open, invite, command, export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from referee.cli.client import ApiClient
from referee.cli.output import make_console, print_json
from referee.infrastructure.errors import HostError
from referee.infrastructure.settings import Settings
from referee.tournament.exports import PairingsCsvError, read_pairings_csv

MINUTE_MS = 60_000


class TournamentUsageError(HostError):
    """What was given does not fit a tournament."""

    exit_code = 2


def connect(settings: Settings, token: str | None = None) -> ApiClient:
    """Return a client of the API."""
    return ApiClient(settings.api_url, token)


def build_path(tournament: str, rest: str = "") -> str:
    """Return the address of a tournament, or of something below it."""
    return f"/v1/tournaments/{quote(tournament, safe='')}{rest}"


def parse_seats(given: str) -> dict[str, int]:
    """Return how many sit at a table: `2`, or from one number to another.

    Raises TournamentUsageError.
    """
    least, _, most = given.partition("-")
    if not least.isdecimal() or (most and not most.isdecimal()):
        raise TournamentUsageError(f"--seats is a number, or two with a dash, not {given!r}")
    return {"least": int(least), "most": int(most or least)}


def open_new(settings: Settings, game: str, options: Mapping[str, Any], *, as_json: bool) -> None:
    """Open a tournament, and print what its host needs.

    Raises TournamentUsageError, ProblemError, ApiUnavailableError.
    """
    body = {
        "game": game,
        "system": options["system"],
        "rounds": options["rounds"],
        "seats": parse_seats(options["seats"]),
        "plays": "reported" if options["reported"] else "refereed",
        "decks": "deposited" if options["decks"] else "none",
        "rated": options["rated"],
        "host_plays": options["plays"],
        **({"round_ms": options["minutes"] * MINUTE_MS} if options["minutes"] else {}),
        **{name: options[name] for name in ("variant", "edition") if options[name]},
    }
    made = connect(settings).post("/v1/tournaments", body).body
    if as_json:
        print_json(made)
        return
    console = make_console()
    console.print(f"tournament  {made['tournament']}")
    console.print(f"token       {made['token']}  (keep it secret: with it anybody is the host)")
    for invitation in made["invitations"]:
        console.print(f"to play     {settings.api_url}/join#{invitation['code']}")
    console.print(f"big board   {settings.api_url}/rounds#{made['tournament']}")
    console.print("\nNext: referee tournament invite … floor, then start and pair.")


def invite_people(
    settings: Settings, tournament: str, token: str | None, role: str, uses: int, *, as_json: bool
) -> None:
    """Print a code for a role. Raises ProblemError, ApiUnavailableError."""
    made = connect(settings, token).post(build_path(tournament, "/invitations"), {"role": role, "uses": uses}).body
    if as_json:
        print_json(made)
    else:
        make_console().print(f"{made['code']}  {settings.api_url}/join#{made['code']}")


def give_commands(settings: Settings, tournament: str, token: str | None, given: Iterable[Mapping[str, Any]]) -> None:
    """Give commands one after the other, and print what came of each.

    Raises ProblemError, ApiUnavailableError.
    """
    client, console = connect(settings, token), make_console()
    for command in given:
        done = client.post(build_path(tournament, "/commands"), {"command": command}).body
        for event in done["events"]:
            console.print(event["says"]["en"])


def read_pairings(file: Path) -> list[list[int]]:
    """Return the tables that a file names. Raises TournamentUsageError."""
    try:
        tables = read_pairings_csv(file.read_text("utf-8-sig")).tables
        return [[number - 1 for number in table] for table in tables]  # files count from 1
    except (PairingsCsvError, UnicodeDecodeError) as wrong:
        raise TournamentUsageError(f"{file}: {wrong}") from wrong


def write_sheet(
    settings: Settings, tournament: str, token: str | None, sheet: str, output: Path | None, form: str = "plain"
) -> None:
    """Write a sheet to a file or to standard output.

    Raises ProblemError, ApiUnavailableError.
    """
    text = connect(settings, token).get_text(build_path(tournament, f"/exports/{sheet}?form={form}"))
    if output is None or str(output) == "-":
        print(text, end="")
    else:
        output.write_text(text, "utf-8", newline="")
        make_console().print(f"wrote {output}")
