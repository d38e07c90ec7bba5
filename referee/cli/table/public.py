"""Lists the public matches that anybody may watch."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from referee.cli.client import PAGE
from referee.cli.output import make_console, print_json
from referee.cli.table import opening
from referee.cli.table.drawing.screen import find_title
from referee.cli.table.drawing.words import TEXTS
from referee.cli.table.following import Line

SHOWN = ("running", "lobby")


def print_matches(base: str, *, demo: bool, lang: str, as_json: bool) -> None:
    """Print the open public matches, those that run first. Raises HostError."""
    opening.require_server(base)
    line = Line(base, language=lang)
    found = [match for match in list_matches(line) if match["status"] in SHOWN]
    found = [match for match in found if not demo or all(seat["kind"] == "bot" for seat in match["seats"])]
    found.sort(key=lambda match: SHOWN.index(match["status"]))
    if as_json:
        return print_json({"matches": found})
    games, out = opening.call(line, "GET", "/v1/games")["items"], make_console()
    if not found:
        out.print(TEXTS["no_matches"][lang])
    for match in found:
        title = find_title(match, games, lang)
        status = TEXTS[f"status.{match['status']}"][lang]
        out.print(escape(f"{match['match']}  {title}, {status}, v{match['version']}"))


def list_matches(line: Line) -> list[dict[str, Any]]:
    """Return all public matches, page by page."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = opening.call(line, "GET", f"/v1/matches?limit={PAGE}{f'&after={cursor}' if cursor else ''}")
        found += page["items"]
        cursor = page.get("next_cursor") or ""
        if not cursor:
            return found
