"""`referee precedents`: the house rulings that a table keeps, printed or exported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from rich.markup import escape

from referee.cli.client import Client
from referee.cli.output import console, print_json
from referee.games import games
from referee.position_rulings.judging import WORDS
from referee.rendering.html import shown

Ruling = dict[str, Any]


def show_precedents(client: Client, match: str, *, lang: str, as_json: bool) -> None:
    """Prints the house rulings of a match, also those taken over. Raises what the client raises."""
    kept = client.get(f"/v1/matches/{quote(match)}/precedents").body["items"]
    if as_json:
        print_json({"match": match, "precedents": kept})
        return
    out = console()
    for line in lines(kept, lang):
        out.print(line)


def lines(kept: Iterable[Ruling], lang: str) -> Iterator[str]:
    """House rulings for reading, in rich's markup: a paragraph for each, its clauses below."""
    number = 0
    for number, each in enumerate(kept, 1):
        if number > 1:
            yield ""
        claim, verdict = word(f"claim.{each['claim']}", lang), word(f"court.{each['verdict']}", lang)
        yield f"[bold]{number}. {escape(shown(verdict))}[/bold] ({escape(shown(claim))})"
        if each["statement"]:
            yield f"   {escape(shown(each['statement']))}"
        game = games()[each["game"]].title[lang] if each["game"] in games() else each["game"]
        about = " · ".join((game, each["question"], each["move"]))
        yield f"   [dim]{escape(shown(about))}[/dim]"
        for clause in each["clauses"]:
            yield f"   {escape(shown(clause['id']))}: {escape(shown(clause['says'][lang]))}"
        by = word(f"court.by.{each['by']}", lang)
        source = WORDS["court.from"][lang].format(match=each["match"], dispute=each["dispute"], by=by)
        yield f"   [dim]{escape(shown(source))}[/dim]"
    if not number:
        yield WORDS["court.none"][lang]


def word(key: str, lang: str) -> str:
    """A word of the courts; of one that a newer server says its own name."""
    return WORDS[key][lang] if key in WORDS else key.rpartition(".")[2]
