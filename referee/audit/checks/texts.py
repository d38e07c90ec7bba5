"""Findings in the words of the game: what was expected and found, and the clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import islice, zip_longest
from typing import Any

from referee.arbitration.replay.divergence import Divergence
from referee.audit.checks.findings import TEXTS, AuditFinding, FindingKind
from referee.census.check import Census
from referee.census.texts import render_census_text
from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import format_message
from referee.games import load_games
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.rendering import texts

MAX_ITEMS = 3  # the most clauses, legal moves and contradictions that are named
MAX_DATA_LENGTH = 400  # characters of data that has no text


def build_divergence_finding(match: Match, logged: LogEntry, wrong: Divergence) -> AuditFinding:
    """Return the finding for an entry that is not what the rules say."""
    game = load_games()[match.game] if match.game in load_games() else next(iter(load_games().values()))
    reason, clauses = texts.describe_reason(game, wrong.ruling), _render_clauses(game, wrong.ruling.clauses)
    if wrong.kind == "chain":
        return AuditFinding(FindingKind.VERSION, "rules.chain", logged.version, details=reason)
    if wrong.kind == "illegal":
        move = _render_or_encode(game, logged.move)
        ways = [way for each in wrong.legal_moves[:MAX_ITEMS] if (way := texts.describe_event(game, each)) is not None]
        details = _render_text("told.illegal", move=move, reason=reason, clauses=clauses)
        if ways:
            legal = {lang: "; ".join(way[lang] for way in ways) for lang in LANGUAGES}
            details = _join_texts(details, _render_text("told.ways", ways=legal))
        return AuditFinding(
            FindingKind.RULES, "rules.illegal", logged.version, {"seat": _describe_seat(logged)}, details
        )
    expected_event, found_event = _find_narrated_difference(game, wrong, logged)
    expected, found = _render_pair(game, expected_event, found_event)
    cites = [
        clause for event in (expected_event, found_event) if event is not None for clause in event.applied_clauses()
    ]
    params = {"at": f"{logged.version}.{wrong.at}"}
    details = _render_text("told.facts", move=_render_or_encode(game, logged.move), expected=expected, found=found)
    if cites:
        clauses = _render_clauses(game, tuple(dict.fromkeys(cites)))
        details = _join_texts(details, _render_text("told.clauses", clauses=clauses))
    return AuditFinding(FindingKind.RULES, "rules.facts", logged.version, params, details)


def _find_narrated_difference(game: Game, wrong: Divergence, logged: LogEntry) -> tuple[Event | None, Event | None]:
    """Return the first expected and found events that read differently.

    The search begins at the wrong event. Events without a text are skipped, because players know no bookkeeping. If all
    read the same, return those that differ.
    """
    assert wrong.at is not None
    due, stand = (
        [(event, words) for event in events[wrong.at :] if (words := _try_render(game, event)) is not None]
        for events in (wrong.expected_events, logged.events)
    )
    for one, other in zip_longest(due, stand, fillvalue=(None, None)):
        if one[1] != other[1]:
            return one[0], other[0]
    return wrong.expected, wrong.found


def build_draw_finding(match: Match, logged: LogEntry, due: Move) -> AuditFinding:
    """Return the finding for a draw that the secret does not give."""
    expected, found = _render_card_difference(match.rules, due, logged.move) or _render_pair(
        match.rules, due, logged.move
    )
    return AuditFinding(
        FindingKind.CHANCE,
        "chance.other",
        logged.version,
        {},
        _render_text("told.draw", expected=expected, found=found),
    )


def _render_card_difference(game: Game, due: Move, found: Move | None) -> tuple[Text, Text] | None:
    """Return the first card in which two shuffles or picks differ.

    Return None if the moves are no shuffles or picks.
    """
    for name in ("order", "cards"):
        one, other = getattr(due, name, None), getattr(found, name, None)
        if isinstance(one, tuple) and isinstance(other, tuple):
            at = next((at for at, pair in enumerate(zip_longest(one, other)) if pair[0] != pair[1]), 0)
            return _render_card(game, one, at), _render_card(game, other, at)
    return None


def _render_card(game: Game, pile: tuple[str, ...], at: int) -> Text:
    if at >= len(pile):
        return _render_text("told.nothing")
    called = {lang: str(game.rulebook.render_parameter(pile[at], lang)) for lang in LANGUAGES}
    return _render_text("told.card", card=called, place=str(at + 1))


def build_census_findings(game: Game, found: Census) -> Iterator[AuditFinding]:
    """Yield findings for the contradictions of a census."""
    for each in islice(found.contradictions, MAX_ITEMS):
        yield AuditFinding(
            FindingKind.CENSUS, "census.impossible", each.version, {}, render_census_text(game, each.key, each.params)
        )


def _describe_seat(logged: LogEntry) -> Any:
    return texts.actor_label(logged.seat)


def _render_text(key: str, **params: Text | str) -> Text:
    def in_lang(lang: str) -> str:
        filled = {name: value[lang] if isinstance(value, dict) else value for name, value in params.items()}
        return format_message(TEXTS[key][lang], lang, filled)

    return {lang: in_lang(lang) for lang in LANGUAGES}


def _render_clauses(game: Game, names: tuple[str, ...]) -> Text:
    """Return clauses with their texts."""
    kept = texts.clauses_response(game, names[:MAX_ITEMS])
    return {lang: " ".join(f"[{each['id']}] {each['says'][lang]}" for each in kept) for lang in LANGUAGES}


def _render_pair(game: Game, expected: Event | Move | None, found: Event | Move | None) -> tuple[Text, Text]:
    """Return the texts of two events or moves.

    If the texts are equal, return the fields that differ.
    """
    one, other = _render_or_encode(game, expected), _render_or_encode(game, found)
    if one == other and expected is not None and found is not None:
        return _render_different_fields(expected, found), _render_different_fields(found, expected)
    return one, other


def _render_or_encode(game: Game, thing: Event | Move | None) -> Text:
    """Return the text of an event or a move, or its data if it has no text."""
    if thing is None:
        return _render_text("told.nothing")
    text = _try_render(game, thing)
    return text if text is not None else _render_plain(encode_canonical(encode(thing)).decode())


def _try_render(game: Game, thing: Event | Move) -> Text | None:
    try:
        return texts.describe_event(game, thing)
    except (LookupError, ValueError, TypeError, AttributeError):  # a stranger's data may be anything
        return None


def _join_texts(*parts: Text) -> Text:
    return {lang: "\n".join(part[lang] for part in parts) for lang in LANGUAGES}


def _render_different_fields(thing: Event | Move, other: Event | Move) -> Text:
    """Return the fields of an event or move that another does not share, as data."""
    values = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
    unlike = {name: encode(value) for name, value in values.items() if value != getattr(other, name, None)}
    return _render_plain(f"{thing.TAG} {encode_canonical(unlike).decode()}")


def _render_plain(text: str) -> Text:
    cut = text if len(text) <= MAX_DATA_LENGTH else f"{text[:MAX_DATA_LENGTH]}…"
    return dict.fromkeys(LANGUAGES, cut)
