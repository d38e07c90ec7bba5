"""Findings about tournaments in words: what was expected and found, and why not."""

from __future__ import annotations

from referee.audit.checks.findings import TEXTS
from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import format_message
from referee.engine.rulings import IllegalMove
from referee.tournament.rulebook import TOURNAMENT_BOOK
from referee.tournament.wording import describe_event

MAX_DATA_LENGTH = 400  # characters of data that has no text


def describe_refusal(command: Move | None, refused: IllegalMove) -> Text:
    """Return why a command was not allowed."""
    try:
        reason = TOURNAMENT_BOOK.render_texts(refused.reason, **refused.params)
    except (LookupError, ValueError, TypeError):  # a stranger's data may be anything
        reason = dict.fromkeys(LANGUAGES, refused.reason)
    clauses = {
        lang: " ".join(f"[{name}] {TOURNAMENT_BOOK.find_clause(name).says[lang]}" for name in refused.clauses)
        for lang in LANGUAGES
    }
    return _render("told.illegal", move=_describe_command(command), reason=reason, clauses=clauses)


def describe_difference(command: Move | None, expected: Event | None, found: Event | None) -> Text:
    """Return what the rules give for a command, and what the entry says."""
    one, other = _describe_pair(expected, found)
    return _render("told.facts", move=_describe_command(command), expected=one, found=other)


def describe_draws(expected: Event | None, found: Event | None) -> Text:
    """Return what the secret gives, and what the entry says."""
    one, other = _describe_pair(expected, found)
    return _render("told.draw", expected=one, found=other)


def _describe_pair(expected: Event | None, found: Event | None) -> tuple[Text, Text]:
    """Return the lines of two events; if they read alike, their data."""
    one, other = _describe_event(expected), _describe_event(found)
    return (_quote(expected), _quote(found)) if one == other else (one, other)


def _describe_event(event: Event | None) -> Text:
    if event is None:
        return _render("told.nothing")
    try:
        return describe_event(event)
    except (LookupError, ValueError, TypeError, AttributeError):  # a stranger's data may be anything
        return _quote(event)


def _describe_command(command: Move | None) -> Text:
    return _render("told.hidden") if command is None else _quote(command)


def _quote(thing: Event | Move | None) -> Text:
    text = "–" if thing is None else encode_canonical(encode(thing)).decode()
    return dict.fromkeys(LANGUAGES, text if len(text) <= MAX_DATA_LENGTH else f"{text[:MAX_DATA_LENGTH]}…")


def _render(key: str, **params: Text) -> Text:
    return {
        lang: format_message(TEXTS[key][lang], lang, {name: text[lang] for name, text in params.items()})
        for lang in LANGUAGES
    }
