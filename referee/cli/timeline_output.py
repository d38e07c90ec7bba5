"""The course of a match on a terminal: by turn, each entry with its time, its dice, its clauses, and what was disputed.

Everything is made of what `Transcript` makes of entries and the match as plain data, wherever they come from.
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
WIDE_COLUMNS = 100  # columns: below that an entry's head has a line of its own
HEAD_COLUMNS = 41  # columns of an entry's head beside what happened


@dataclass(frozen=True, slots=True)
class TimelineStyle:
    """How a course is laid out. `width`: columns to break lines at; None: not at all, as for other programs."""

    width: int | None = None
    clauses: bool = True
    folded: bool = False  # what was taken back told in one line


def build_words(about: EntryData, names: dict[str, str | None] | None = None) -> TranscriptWords:
    """The words for a match; without those of its game where this program has it not."""
    return TranscriptWords(load_games().get(str(about.get("game"))), names)


def render_headline(about: EntryData, lang: str = "en") -> str:
    """One line on the match as a whole."""
    words = build_words(about)
    name = about["game"] if words.game is None else words.game.title[lang]
    variant = f" ({about['variant']})" if about.get("variant") not in (None, "", "standard") else ""
    status = str(about["status"])
    told = words.render_text(f"status.{status}")[lang] if words.has_text(f"status.{status}") else status
    return f"{about['id']}: {name}{variant}, {told}, version {about['version']}"


def render_markup(line: str, mark: str = "") -> str:
    """A line in rich's markup, with nothing in it that a terminal obeys."""
    plain = escape(sanitize_line(line))
    return f"[{mark}]{plain}[/{mark}]" if mark and plain.strip() else plain


def render_entries(
    entries: Iterable[EntryData], lang: str, about: EntryData | None = None, style: TimelineStyle = TimelineStyle()
) -> Iterator[str]:
    """The course alone, in rich's markup; the entries are all of a match from the first one on."""
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
    """The course of a protocol, in rich's markup."""
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
    """The lines of one entry: who and when, what happened, what is told below it, and the clauses dim."""
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
    """A text behind its head, broken at the width with its further lines as far in; unbroken without a width."""
    whole = sanitize_line(text)
    room = len(whole) + 1 if width is None else max(20, width - indent)
    pieces = textwrap.wrap(whole, room, break_on_hyphens=False) or [""]
    yield escape(sanitize_line(first)) + render_markup(pieces[0], mark)
    for piece in pieces[1:]:
        yield " " * indent + render_markup(piece, mark)
