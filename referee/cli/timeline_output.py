"""The course of a match on a terminal: by turn, each entry with its time, its dice, its clauses, and what was disputed.

Everything is made of what `Protocol` makes of entries and the match as plain data, wherever they come from.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rich.markup import escape

from referee.games import games
from referee.rendering.html import shown
from referee.transcript.history import Item, course
from referee.transcript.page import Protocol
from referee.transcript.wording import Words

Entry = dict[str, Any]
WIDE = 100  # columns: below that an entry's head has a line of its own
LEFT = 41  # columns of an entry's head beside what happened


@dataclass(frozen=True, slots=True)
class Style:
    """How a course is laid out. `width`: columns to break lines at; None: not at all, as for other programs."""

    width: int | None = None
    clauses: bool = True
    folded: bool = False  # what was taken back told in one line


def words_of(about: Entry, names: dict[str, str | None] | None = None) -> Words:
    """The words for a match; without those of its game where this program has it not."""
    return Words(games().get(str(about.get("game"))), names)


def headline(about: Entry, lang: str = "en") -> str:
    """One line on the match as a whole."""
    words = words_of(about)
    name = about["game"] if words.game is None else words.game.title[lang]
    variant = f" ({about['variant']})" if about.get("variant") not in (None, "", "standard") else ""
    status = str(about["status"])
    told = words.text(f"status.{status}")[lang] if words.has(f"status.{status}") else status
    return f"{about['id']}: {name}{variant}, {told}, version {about['version']}"


def marked(line: str, mark: str = "") -> str:
    """A line in rich's markup, with nothing in it that a terminal obeys."""
    plain = escape(shown(line))
    return f"[{mark}]{plain}[/{mark}]" if mark and plain.strip() else plain


def lines(entries: Iterable[Entry], lang: str, about: Entry | None = None, style: Style = Style()) -> Iterator[str]:
    """The course alone, in rich's markup; the entries are all of a match from the first one on."""
    parts = course(words_of(about or {}), entries)
    for part in parts:
        head = part.begun.head[lang]
        yield marked(words_of({}).text("part.again", head=head)[lang] if part.again else head, "bold")
        for by, items in part.stretches():
            for item in items:
                yield from entry_lines(item, lang, style, "", "", by)


def course_lines(protocol: Protocol, style: Style) -> Iterator[str]:
    """The course of a protocol, in rich's markup."""
    if not protocol.parts:
        yield marked(protocol.word("course.none"))
    for part in protocol.parts:
        yield ""
        yield from wrapped("", protocol.heading(part), 2, style.width, "bold")
        for by, items in part.stretches():
            if by is not None and style.folded:
                yield from wrapped("  ", protocol.taken_back(by, items), 4, style.width, "dim")
                continue
            for item in items:
                yield from entry_lines(item, protocol.lang, style, protocol.time(item), protocol.used(item), by)


def entry_lines(item: Item, lang: str, style: Style, time: str, used: str, by: int | None) -> Iterator[str]:
    """The lines of one entry: who and when, what happened, what is told below it, and the clauses dim."""
    beside = style.width is None or style.width >= WIDE
    indent = LEFT if beside else 7
    when = f"{time:<8} {used:<8} " if time else ""
    head = f"{item.version:>5}  {when}{item.who[lang]}"
    head = "" if item.goes_on else head.rstrip()
    if head and (not beside or len(head) > LEFT - 2):
        yield marked(head)
        head = ""
    dice = " ".join(f"[{value}]" for value in item.dice)
    back = f" ({Words(None).text('gone', by=by)[lang]})" if by is not None else ""
    for at, line in enumerate(item.lines):
        mark = "dim strike" if line.gone else "italic" if line.phase else ""
        rolled = f"{dice}  " if dice and at == 0 else ""
        yield from wrapped(f"{head:<{indent}}", f"{rolled}{line.told[lang]}{back}", indent, style.width, mark)
        head, back = "", ""
        for detail in line.details:
            yield from wrapped(" " * (indent + 2), f"| {detail[lang]}", indent + 4, style.width, "")
    if style.clauses and item.clauses:
        yield from wrapped(" " * indent, " ".join(item.clauses), indent, style.width, "dim")


def wrapped(first: str, text: str, indent: int, width: int | None, mark: str) -> Iterator[str]:
    """A text behind its head, broken at the width with its further lines as far in; unbroken without a width."""
    whole = shown(text)
    room = len(whole) + 1 if width is None else max(20, width - indent)
    pieces = textwrap.wrap(whole, room, break_on_hyphens=False) or [""]
    yield escape(shown(first)) + marked(pieces[0], mark)
    for piece in pieces[1:]:
        yield " " * indent + marked(piece, mark)
