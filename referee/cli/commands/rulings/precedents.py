"""`referee precedents`: prints or exports the house rulings that a table keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from rich.markup import escape

from referee.cli.client import ApiClient
from referee.cli.output import make_console, print_json
from referee.games import load_games
from referee.position_rulings.words import RULING_TEXTS
from referee.rendering.html import sanitize_line

Ruling = dict[str, Any]


def print_precedents(client: ApiClient, match: str, *, lang: str, as_json: bool) -> None:
    """Print the house rulings of a match, adopted ones too.

    Raises ProblemError, ApiUnavailableError.
    """
    kept = list(client.get_pages(f"/v1/matches/{quote(match)}/precedents"))
    if as_json:
        print_json({"match": match, "precedents": kept})
        return
    out = make_console()
    for line in render_precedents(kept, lang):
        out.print(line)


def render_precedents(kept: Iterable[Ruling], lang: str) -> Iterator[str]:
    """Yield house rulings for reading, in rich's markup.

    Each has a paragraph with its clauses below.
    """
    number = 0
    for number, each in enumerate(kept, 1):
        if number > 1:
            yield ""
        claim, verdict = (
            translate_word(f"claim.{each['claim']}", lang),
            translate_word(f"court.{each['verdict']}", lang),
        )
        yield f"[bold]{number}. {escape(sanitize_line(verdict))}[/bold] ({escape(sanitize_line(claim))})"
        if each["statement"]:
            yield f"   {escape(sanitize_line(each['statement']))}"
        game = load_games()[each["game"]].title[lang] if each["game"] in load_games() else each["game"]
        about = " · ".join((game, each["question"], each["move"]))
        yield f"   [dim]{escape(sanitize_line(about))}[/dim]"
        for clause in each["clauses"]:
            yield f"   {escape(sanitize_line(clause['id']))}: {escape(sanitize_line(clause['says'][lang]))}"
        for reading in each.get("readings", ()):
            key = "court.reads" if reading["holds"] else "court.read"
            setting = reading["setting"]
            says = f"{setting['name']} = {setting['value']}" if setting else reading["says"][lang]
            words = RULING_TEXTS[key][lang].format(**{**reading, "entry": each["entry"], "says": says})
            yield f"   {escape(sanitize_line(words))}"
        if each.get("allows"):
            yield f"   {escape(sanitize_line(RULING_TEXTS['court.allows'][lang].format(move=each['allows'])))}"
        by = translate_word(f"court.by.{each['by']}", lang)
        source = RULING_TEXTS["court.from"][lang].format(match=each["match"], dispute=each["dispute"], by=by)
        yield f"   [dim]{escape(sanitize_line(source))}[/dim]"
    if not number:
        yield RULING_TEXTS["court.none"][lang]


def translate_word(key: str, lang: str) -> str:
    """Return a court word in a language; one of a newer server by its own name."""
    return RULING_TEXTS[key][lang] if key in RULING_TEXTS else key.rpartition(".")[2]
