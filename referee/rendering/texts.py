"""What the referee says, as data that people read in English and German: rulings, clauses, questions and entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Clause, Text
from referee.engine.rulings import Ruling
from referee.engine.seats import BYSTANDER, seat_label
from referee.engine.steps import Step
from referee.match import unilateral
from referee.match.aggregate import MatchOpened, MatchStarted, TableEvent
from referee.match.entries import LogEntry
from referee.match.rulebook import TABLE_BOOK


def render_text(game: Game, key: str, **params: Any) -> Text:
    """A text in every language: the game's, the table's or the kernel's. Raises KeyError."""
    return (game.rulebook if game.rulebook.has_text(key) else TABLE_BOOK).render_texts(key, **params)


def find_clause(game: Game | None, name: str) -> Clause:
    """The clause of this id: the game's (or of the language of its cards), the table's or the kernel's."""
    if game is not None and name not in TABLE_BOOK.clauses:
        return game.rulebook.find_clause(name)
    return TABLE_BOOK.find_clause(name)


def clauses_response(game: Game, names: Iterable[str]) -> list[dict[str, Any]]:
    """The clauses as a ruling shows them: id, place in the rulebook, text."""
    found = (find_clause(game, name) for name in names)
    return [{"id": each.id, "found": each.found, "says": each.says} for each in found]


def unrated_reasons_response(game: Game, found: Iterable[tuple[int, str]]) -> list[dict[str, Any]]:
    """Why a match counts for no standings: of each entry that is the cause its number, and the key of the reason."""
    rests = [unilateral.CLAUSE]
    return [{"entry": entry, "says": render_text(game, key, entry=entry), "clauses": rests} for entry, key in found]


def describe_event(game: Game, thing: Event | Move) -> Text | None:
    """One line about a fact or a move; None for bookkeeping."""
    if isinstance(thing, MatchOpened):
        variant = thing.variant if thing.variant != "standard" else "–"
        key = "fact.MatchOpened"
        return {lang: TABLE_BOOK.render_text(key, lang, game=game.title[lang], variant=variant) for lang in LANGUAGES}
    if isinstance(thing, MatchStarted):
        return TABLE_BOOK.render_texts("fact.Started")
    if isinstance(thing, TableEvent) or thing.TAG.startswith("table."):
        kind = "fact" if isinstance(thing, Event) else "move"
        params = {key: value for key, value in encode(thing).items() if key != "type"}
        if "winners" in params and not params["winners"]:
            params["winners"] = ["–"]
        return TABLE_BOOK.render_texts(
            f"{kind}.{thing.TAG.rpartition('.')[2] if kind == 'fact' else thing.TAG}", **params
        )
    return game.describe_event(thing)


def ruling_response(game: Game, given: Ruling, ways: Iterable[Move] = ()) -> dict[str, Any]:
    """A ruling as the API shows it: verdict, reason, what is missing, clauses, and the ways out."""
    return {
        "verdict": given.verdict,
        "reason": describe_reason(game, given),
        "needs": [{"key": need.key, "asks": render_text(game, need.key, **need.params)} for need in given.needs],
        "clauses": clauses_response(game, given.clauses),
        "way_out": [{"move": encode(way), "because": describe_way_out(game, way)} for way in ways],
    }


def describe_reason(game: Game, given: Ruling) -> Text:
    """The reason of a ruling in every language; the table's own rulings speak the table's texts."""
    if any(name.startswith("TABLE-") for name in given.clauses):
        return TABLE_BOOK.render_texts(given.reason, **given.params)
    return render_text(game, given.reason, **given.params)


def describe_way_out(game: Game, way: Move) -> Text:
    """Why a way out is one, with the move in words."""
    words = describe_event(game, way) or {}
    return {lang: TABLE_BOOK.render_text("way_out", lang, move=words.get(lang, way.TAG)) for lang in LANGUAGES}


def question_response(game: Game, step: Step) -> dict[str, Any]:
    """The open question: its name and its text."""
    name = step.question_name()
    key = f"question.{name.rpartition('.')[2]}"
    params = {part: value for part, value in encode(step).items() if part != "type"}
    return {"name": name, "asks": render_text(game, key, **params)}


def actor_response(logged: LogEntry) -> dict[str, Any]:
    """How an entry came about; of a report also whose it is, a seat's number or `host`."""
    by = logged.reporter
    kind = logged.actor.partition(":")[0]
    return {"kind": kind, "seat": int(by) if by.isdecimal() else by} if by else {"kind": kind}


def entry_response(game: Game, logged: LogEntry, viewer: int) -> dict[str, Any]:
    """An entry as these eyes see it: numbered events, each with its readable line; for a bot's seat what it saw."""
    move, events = logged.view_for(viewer)
    decided_on = logged.view_hash_for(viewer)
    return {
        "version": logged.version,
        "at_ms": logged.at_ms,
        "seat": actor_label(logged.seat),
        "actor": actor_response(logged),
        "move": None if move is None else {**encode(move), "told": describe_event(game, move)},
        "events": [
            {"n": f"{logged.version}.{at}", **encode(event), "told": describe_event(game, event)}
            for at, event in enumerate(events)
        ],
        "clauses": list(logged.clauses),
        **({"view_hash": decided_on} if decided_on else {}),
    }


def actor_label(seat: int) -> int | str:
    """Who made an entry, or is awaited: a seat's number, `chance`, `clock`, or `table` for its business."""
    return "table" if seat == BYSTANDER else int(seat) if seat >= 0 else seat_label(seat)
