"""The course of a match, for people to read: a line per event, with the clauses that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from rich.markup import escape

from referee.cli.client import Client
from referee.cli.output import console, print_json

Entry = dict[str, Any]
OF_PLAY = frozenset({"table.Ended", "table.Rewound", "table.Corrected"})  # business that is taken back with the play
TAKEN_BACK = {"en": "taken back by", "de": "zurückgenommen durch"}


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


def superseded(entries: Iterable[Entry]) -> dict[int, int]:
    """The versions of play that count no more, and the entry by which play went back to before them."""
    found: dict[int, int] = {}
    played: list[int] = []
    for entry in entries:
        types = [event["type"] for event in entry.get("events", ())]
        for event in entry.get("events", ()):
            if event["type"] == "table.Rewound":
                found |= {n: entry["version"] for n in played if n > event["to"] and n not in found}
        if not types or not all(kind.startswith("table.") and kind not in OF_PLAY for kind in types):
            played.append(entry["version"])
    return found


def lines(entries: Iterable[Entry], lang: str) -> Iterator[str]:
    """The lines of the course, in rich's markup: version, who, what happened, and the clauses dim below. What counts no
    more stays readable and is marked with the entry that took it back."""
    entries = list(entries)
    gone = superseded(entries)
    for entry in entries:
        head = f"{entry['version']:>5}  {_who(entry):<8} "
        told = [event["told"][lang] for event in entry.get("events", ()) if event.get("told")]
        clauses = " ".join(entry.get("clauses") or ())
        if not told:  # nothing that an onlooker may know, or table business without facts
            move = entry.get("move") or {}
            told = [move["told"][lang] if move.get("told") else str(move.get("type", "-"))]
        back = f"[dim] ({TAKEN_BACK[lang]} {gone[entry['version']]})[/dim]" if entry["version"] in gone else ""
        for number, line in enumerate(told):
            yield escape((head if number == 0 else " " * len(head)) + line) + (back if number == 0 else "")
        if clauses:
            yield f"{' ' * len(head)}[dim]{escape(clauses)}[/dim]"


def _who(entry: Entry) -> str:
    """Whose move the entry is."""
    seat = entry.get("seat")
    return f"seat {seat}" if isinstance(seat, int) else str(seat or "")
