"""Reports on free texts in words: which text fits, and the listed changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.cardscript.free_text.changes import CardMove, CardsToDraw, CarryOutAsWritten, Change, NewValue
from referee.cardscript.free_text.events import CardMovedAsWritten, TextCarriedOut, ValueSetAsWritten, parse_pointer
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES, Rulebook, Text
from referee.engine.zones import is_back


def describe_changes(book: Rulebook, changes: Iterable[Change]) -> Text:
    """Return the changes of a report as one list."""
    parts = [_describe_change(book, change) for change in changes]
    return {lang: "; ".join(part[lang] for part in parts) for lang in LANGUAGES}


def _describe_change(book: Rulebook, change: Change) -> Text:
    match change:
        case CardMove(move, source, target):
            key = "change.unseen" if is_back(move) else "change.move"
            return book.render_texts(key, card=move, source=source, target=target)
        case NewValue(pointer, to):
            return book.render_texts("change.set", value=describe_value(book, pointer), to=_describe_setting(book, to))
        case CardsToDraw(count, seat):
            return book.render_texts("change.draw", seat=seat, count=count)


def describe_value(book: Rulebook, pointer: str) -> Text:
    """Return what a value of the table is called, and whose it is."""
    name, *rest = parse_pointer(pointer)
    if book.has_text(f"value.{name}") and len(rest) <= 1:
        return book.render_texts(
            f"value.{name}",
            **({"seat": int(rest[0])} if rest and rest[0].isdigit() else {"card": rest[0]} if rest else {}),
        )
    return dict.fromkeys(LANGUAGES, pointer)


def _describe_setting(book: Rulebook, value: int | bool | str) -> Text | int | str:
    if isinstance(value, bool):
        return book.render_texts("change.yes" if value else "change.no")
    return value


def find_report_parameters(book: Rulebook, thing: Event | Move) -> dict[str, Any]:
    """Return what fills the texts about reports, beside their own fields."""
    match thing:
        case CarryOutAsWritten(changes):
            return {"changes": describe_changes(book, changes)}
        case ValueSetAsWritten(_, pointer, to):
            return {"value": describe_value(book, pointer), "to": _describe_setting(book, to)}
    return {}


def find_report_variant(thing: Event | Move) -> str | None:
    """Return which text about a report fits, or None for other events and moves."""
    match thing:
        case CarryOutAsWritten(changes):
            return "" if changes else "none"
        case TextCarriedOut(count=count):
            return "changes" if count else "none"
        case CardMovedAsWritten(put=put):
            return "unseen" if all(map(is_back, put)) else "seen"
    return None
