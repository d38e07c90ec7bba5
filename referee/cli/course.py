"""The course of a match, for people to read: a line per event, with the clauses that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from rich.markup import escape

from referee.cli.client import Client
from referee.cli.output import console, print_json

Entry = dict[str, Any]


def show_match(client: Client, match: str, *, after: int, lang: str, as_json: bool) -> None:
    """Prints a match and its entries after that version. Raises what the client raises."""
    about = client.get(f"/v1/matches/{quote(match)}").body
    entries = client.entries(match, after)
    if as_json:
        print_json({"match": about, "entries": list(entries)})
        return
    out = console()
    out.print(escape(headline(about)))
    for line in lines(entries, lang):
        out.print(line)


def headline(about: dict[str, Any]) -> str:
    """One line on the match as a whole."""
    variant = f" ({about['variant']})" if about.get("variant") else ""
    return f"{about['id']}: {about['game']}{variant}, {about['status']}, version {about['version']}"


def lines(entries: Iterable[Entry], lang: str) -> Iterator[str]:
    """The lines of the course, in rich's markup: version, who, what happened, and the clauses dim below."""
    for entry in entries:
        head = f"{entry['version']:>5}  {_who(entry):<8} "
        told = [event["told"][lang] for event in entry.get("events", ()) if event.get("told")]
        clauses = " ".join(entry.get("clauses") or ())
        if not told:  # nothing that an onlooker may know, or table business without facts
            move = entry.get("move") or {}
            told = [move["told"][lang] if move.get("told") else str(move.get("type", "-"))]
        for number, line in enumerate(told):
            yield escape((head if number == 0 else " " * len(head)) + line)
        if clauses:
            yield f"{' ' * len(head)}[dim]{escape(clauses)}[/dim]"


def _who(entry: Entry) -> str:
    """Whose move the entry is."""
    seat = entry.get("seat")
    return f"seat {seat}" if isinstance(seat, int) else str(seat or "")
