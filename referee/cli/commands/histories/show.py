"""`referee show`: the course of a match, the table as it stood, or a page to print, for the eyes that one may look
through."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from referee.cli.client import Client, Problem
from referee.cli.commands.rulings.judge import NoOutput
from referee.cli.output import console, print_json
from referee.cli.timeline_output import Style, course_lines, headline, marked, words_of, wrapped
from referee.engine.rulebook.editions import Misprints
from referee.games import games
from referee.games.books import installed
from referee.infrastructure.errors import HostError
from referee.rendering.html import shown
from referee.rendering.times import HERE, Times, in_ms
from referee.transcript import page
from referee.transcript.history import as_data, course, cut
from referee.transcript.page import Asked, Protocol
from referee.transcript.table import asked, drawn, laid

Doc = dict[str, Any]
MATCH = re.compile(r"[0-9]{2}-[a-z]{26}")
HINTS = {
    401: "the token of a seat goes into REFEREE_TOKEN",
    403: "--seat needs the token of that seat in REFEREE_TOKEN, and --full one of any seat, after the end",
    404: "a private match is shown only to whoever has a token of it, in REFEREE_TOKEN",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be shown. `eyes`: `public`, `full` or a seat; `at`: the table after this version, not the course."""

    lang: str = "en"
    eyes: str | int = "public"
    at: int | None = None
    after: int = 0
    upto: int | None = None
    clauses: bool = True
    folded: bool = False
    html: Path | None = None
    as_json: bool = False

    @property
    def path(self) -> str:
        """These eyes in the addresses of the API."""
        return f"/seats/{self.eyes}" if isinstance(self.eyes, int) else "/full" if self.eyes == "full" else ""


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of a match, wherever it comes from: the match, the players' names, all entries, perhaps a view."""

    about: Doc
    names: dict[str, str | None]
    entries: list[Doc]
    view: Doc | None = None


class NotShown(HostError):
    """What was told cannot be shown by this program."""


def is_file(named: str) -> bool:
    """Whether a file is meant, and not the id of a match."""
    return not MATCH.fullmatch(named) and (Path(named).is_file() or Path(named).suffix == ".bundle")


def asked_of(client: Client, match: str, wish: Wish) -> Told:
    """What the API tells of a match. Raises Problem with a hint, Unanswered."""
    path = f"/v1/matches/{quote(match, safe='')}"
    try:
        about = client.get(path).body
        names = client.get(f"{path}/names").body["names"]
        if wish.at is not None:
            learn_cards(client, path, about)
            return Told(about, names, [], client.get(f"{path}{wish.path}/view", version=wish.at).body)
        return Told(about, names, [timed(entry) for entry in client.entries(match, 0, wish.path)])
    except Problem as wrong:
        hint = HINTS.get(wrong.status, "")
        if not hint or wrong.body.get("type") == "/problems/unknown-version":
            raise
        raise Problem(wrong.status, wrong.body, hint) from wrong


def learn_cards(client: Client, path: str, about: Doc) -> None:
    """Installs the card book that a match is played with, if it is one: a table is told by the names of its cards.

    Raises NotShown where it is not the one that the match names, or this program cannot read it.
    """
    due = about.get("book")
    if not due or about.get("game") not in games():
        return
    text = client.text(f"{path}/book")
    if hashlib.sha256(text.encode()).hexdigest() != due:
        raise NotShown(f"the card book {shown(str(about['edition']))} is not the one that the match was opened with")
    try:
        installed(text, str(about["edition"]))
    except Misprints as wrong:
        raise NotShown(f"this program cannot read the card book {shown(str(about['edition']))}: {wrong}") from wrong


def timed(entry: Doc) -> Doc:
    """An entry with its time in ms beside that which people write."""
    return {**entry, "at_ms": in_ms(entry["at"])} if "at" in entry else entry


def show(told: Told, wish: Wish) -> None:
    """Prints what was told, and writes the page if one is wished for. Raises NotShown, NoOutput."""
    if wish.html is not None:
        write(told, wish, wish.html)
        return
    if wish.as_json:
        print_json(as_json(told, wish))
        return
    out = console()
    width = out.width if out.is_terminal else None
    for line in printed(told, wish, width):
        out.print(line)


def as_json(told: Told, wish: Wish) -> Doc:
    """What was told as data, with the turns; or with the view."""
    if told.view is not None:
        return {"match": told.about, "view": told.view}
    last = told.entries[-1]["version"] if told.entries else 0
    upto = last if wish.upto is None else wish.upto
    chosen = (entry for entry in told.entries if wish.after < entry["version"] <= upto)
    entries = [{name: part for name, part in entry.items() if name != "at_ms" or "at" not in entry} for entry in chosen]
    turns = as_data(cut(course(words_of(told.about, told.names), told.entries), wish.after, upto))
    return {"match": told.about, "entries": entries, "turns": turns}


def printed(told: Told, wish: Wish, width: int | None, times: Times = HERE) -> Iterator[str]:
    """What is printed, in rich's markup."""
    style = Style(width, wish.clauses, wish.folded)
    yield from wrapped("", headline(told.about, wish.lang), 2, width, "bold")
    if told.view is not None:
        yield from table_lines(told, told.view, wish.lang, width)
        return
    protocol = Protocol(words_of(told.about, told.names), told.about, told.entries, wanted(wish, times))
    seats = [f"{seat}: {who}" for seat, who in protocol.seats()]
    if seats:
        yield from wrapped("", " · ".join(seats), 2, width, "")
    yield from course_lines(protocol, style)
    if protocol.parts and protocol.last == protocol.all:
        yield ""
        yield marked(protocol.word("outcome"), "bold")
        for line in protocol.outcome():
            yield from wrapped("  ", line, 4, width, "")
        if wish.clauses and protocol.end_clauses:
            yield from wrapped("  ", " ".join(protocol.end_clauses), 2, width, "dim")


def table_lines(told: Told, view: Doc, lang: str, width: int | None) -> Iterator[str]:
    """The table of a view: what lies where, the open question, who is awaited."""
    words = words_of(told.about, told.names)
    if words.game is None and view.get("table") is not None:
        raise NotShown(f"this program does not know the game {told.about['game']}; --json shows the table as data")
    yield marked(words.text("at.title", version=view["version"])[lang], "bold")
    nodes = laid(words, view, lang)
    if not nodes:
        yield marked(words.text("at.lobby")[lang])
    for depth, label, value in drawn(nodes):
        yield from wrapped("  " * depth, f"{label}: {value}".rstrip(), 2 * depth + 4, width, "")
    question, waits = asked(words, view)
    if question is not None:
        yield from wrapped("", f"{words.text('at.question')[lang]}: {question[lang]}", 2, width, "")
    if waits:
        who = ", ".join(each[lang] for each in waits)
        yield from wrapped("", f"{words.text('at.waits')[lang]}: {who}", 2, width, "")


def wanted(wish: Wish, times: Times) -> Asked:
    """The wish as a page understands it."""
    return Asked(wish.lang, times, wish.eyes, wish.after, wish.upto)


def write(told: Told, wish: Wish, file: Path) -> None:
    """Writes the protocol as a page. Raises NoOutput."""
    made = page.page(words_of(told.about, told.names), told.about, told.entries, wanted(wish, HERE))
    try:
        file.write_text(made, "utf-8")
    except OSError as wrong:
        raise NoOutput(f"{shown(str(file))} cannot be written: {wrong.strerror}") from wrong
