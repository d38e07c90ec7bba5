"""Prints the history of a match by turn on a terminal.

Each entry has its time, dice, clauses and disputes. Everything is rendered from what `Transcript` makes of entries and
match as plain data. They may come from the API or from a file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rich.markup import escape

from referee.games import load_games
from referee.rendering.html import sanitize_line
from referee.transcript.history import TranscriptEntry, build_turns
from referee.transcript.page import Transcript
from referee.transcript.wording import TranscriptWords

EntryData = dict[str, Any]
WIDE_COLUMNS = 100  # on a narrower terminal an entry's head has a line of its own
HEAD_COLUMNS = 41  # columns of an entry's head, to the left of what happened


@dataclass(frozen=True, slots=True)
class TimelineStyle:
    """How a history is laid out.

    Lines are broken at `width` columns. Without a width they are not broken, for other programs. `folded` shows in one
    line what was taken back.
    """

    width: int | None = None
    clauses: bool = True
    folded: bool = False


def build_words(about: EntryData, names: dict[str, str | None] | None = None) -> TranscriptWords:
    """Return the words for a match; without its game's if this program lacks the game."""
    return TranscriptWords(load_games().get(str(about.get("game"))), names)


def render_headline(about: EntryData, lang: str = "en") -> str:
    """Render one line about the match as a whole."""
    words = build_words(about)
    name = about["game"] if words.game is None else words.game.title[lang]
    variant = f" ({about['variant']})" if about.get("variant") not in (None, "", "standard") else ""
    status = str(about["status"])
    status_text = words.render_text(f"status.{status}")[lang] if words.has_text(f"status.{status}") else status
    return f"{about['id']}: {name}{variant}, {status_text}, version {about['version']}"


def render_markup(line: str, mark: str = "") -> str:
    """Render a line in rich's markup.

    Control characters and markup in the line itself are made harmless.
    """
    plain = escape(sanitize_line(line))
    return f"[{mark}]{plain}[/{mark}]" if mark and plain.strip() else plain


def render_entries(
    entries: Iterable[EntryData], lang: str, about: EntryData | None = None, style: TimelineStyle = TimelineStyle()
) -> Iterator[str]:
    """Yield the history alone, in rich's markup.

    `entries` are all of a match from the first one on.
    """
    parts = build_turns(build_words(about or {}), entries)
    for part in parts:
        head = part.start.heading[lang]
        yield render_markup(
            build_words({}).render_text("part.again", head=head)[lang] if part.is_resumed else head, "bold"
        )
        for by, items in part.group_by_rewind():
            for item in items:
                yield from render_entry(item, lang, style, "", "", by)


def render_timeline(protocol: Transcript, style: TimelineStyle) -> Iterator[str]:
    """Yield the history of a transcript, in rich's markup."""
    if not protocol.turns:
        yield render_markup(protocol.render_word("course.none"))
    for part in protocol.turns:
        yield ""
        yield from wrap_text("", protocol.render_heading(part), 2, style.width, "bold")
        for by, items in part.group_by_rewind():
            if by is not None and style.folded:
                yield from wrap_text("  ", protocol.describe_rewind(by, items), 4, style.width, "dim")
                continue
            for item in items:
                yield from render_entry(
                    item, protocol.lang, style, protocol.render_time(item), protocol.render_elapsed(item), by
                )


def render_entry(
    item: TranscriptEntry, lang: str, style: TimelineStyle, time: str, used: str, by: int | None
) -> Iterator[str]:
    """Yield the lines of one entry, in rich's markup.

    They say who acted and when, what happened and its details, and at the end the clauses.
    """
    beside = style.width is None or style.width >= WIDE_COLUMNS
    indent = HEAD_COLUMNS if beside else 7
    when = f"{time:<8} {used:<8} " if time else ""
    head = f"{item.version:>5}  {when}{item.who[lang]}"
    head = "" if item.continues_entry else head.rstrip()
    if head and (not beside or len(head) > HEAD_COLUMNS - 2):
        yield render_markup(head)
        head = ""
    dice = " ".join(f"[{value}]" for value in item.dice)
    back = f" ({TranscriptWords(None).render_text('gone', by=by)[lang]})" if by is not None else ""
    for at, line in enumerate(item.lines):
        mark = "dim strike" if line.is_superseded else "italic" if line.starts_phase else ""
        rolled = f"{dice}  " if dice and at == 0 else ""
        yield from wrap_text(f"{head:<{indent}}", f"{rolled}{line.text[lang]}{back}", indent, style.width, mark)
        head, back = "", ""
        for detail in line.details:
            yield from wrap_text(" " * (indent + 2), f"| {detail[lang]}", indent + 4, style.width, "")
    if style.clauses and item.clauses:
        yield from wrap_text(" " * indent, " ".join(item.clauses), indent, style.width, "dim")


def wrap_text(first: str, text: str, indent: int, width: int | None, mark: str) -> Iterator[str]:
    """Yield a text behind its head, broken at the width.

    Further lines are indented by `indent` columns. Without a width the text stays on one line.
    """
    whole = sanitize_line(text)
    room = len(whole) + 1 if width is None else max(20, width - indent)
    pieces = textwrap.wrap(whole, room, break_on_hyphens=False) or [""]
    yield escape(sanitize_line(first)) + render_markup(pieces[0], mark)
    for piece in pieces[1:]:
        yield " " * indent + render_markup(piece, mark)
