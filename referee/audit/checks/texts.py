"""Findings in the words of the game: what the rules say follows, what stands there, the clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import islice, zip_longest
from typing import Any

from referee.arbitration.replay.divergence import Divergence
from referee.audit.checks.findings import TEXTS, Finding, Kind
from referee.census.check import Census
from referee.census.texts import says
from referee.engine.codec import canonical, encode
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.games import games
from referee.match.aggregate import Match
from referee.match.entries import Logged
from referee.rendering import texts

MOST = 3  # clauses, ways out and contradictions that are told
LONGEST = 400  # characters of a thing that there are no words for


def divergence(match: Match, logged: Logged, wrong: Divergence) -> Finding:
    """An entry that is not what the rules say."""
    game = games()[match.game] if match.game in games() else next(iter(games().values()))
    reason, clauses = texts.reason(game, wrong.ruling), _clauses(game, wrong.ruling.clauses)
    if wrong.kind == "chain":
        return Finding(Kind.VERSION, "rules.chain", logged.version, told=reason)
    if wrong.kind == "illegal":
        move = _said(game, logged.move)
        ways = [way for each in wrong.ways[:MOST] if (way := texts.told(game, each)) is not None]
        told = _text("told.illegal", move=move, reason=reason, clauses=clauses)
        if ways:
            legal = {lang: "; ".join(way[lang] for way in ways) for lang in LANGUAGES}
            told = _joined(told, _text("told.ways", ways=legal))
        return Finding(Kind.RULES, "rules.illegal", logged.version, {"seat": _seat(logged)}, told)
    right, stands = _spoken(game, wrong, logged)
    expected, found = _facts(game, right, stands)
    cites = [clause for fact in (right, stands) if fact is not None for clause in fact.rests_on()]
    params = {"at": f"{logged.version}.{wrong.at}"}
    told = _text("told.facts", move=_said(game, logged.move), expected=expected, found=found)
    if cites:
        clauses = _clauses(game, tuple(dict.fromkeys(cites)))
        told = _joined(told, _text("told.clauses", clauses=clauses))
    return Finding(Kind.RULES, "rules.facts", logged.version, params, told)


def _spoken(game: Game, wrong: Divergence, logged: Logged) -> tuple[Event | None, Event | None]:
    """The first facts from the wrong one on of which different things are told: players know no bookkeeping. Where the
    same is told of all, those that differ."""
    assert wrong.at is not None
    due, stand = (
        [(fact, words) for fact in facts[wrong.at :] if (words := _words(game, fact)) is not None]
        for facts in (wrong.due, logged.facts)
    )
    for one, other in zip_longest(due, stand, fillvalue=(None, None)):
        if one[1] != other[1]:
            return one[0], other[0]
    return wrong.expected, wrong.found


def draw(match: Match, logged: Logged, due: Move) -> Finding:
    """A draw that the secret does not give."""
    expected, found = _cards(match.rules, due, logged.move) or _facts(match.rules, due, logged.move)
    return Finding(Kind.CHANCE, "chance.other", logged.version, {}, _text("told.draw", expected=expected, found=found))


def _cards(game: Game, due: Move, found: Move | None) -> tuple[Text, Text] | None:
    """The first card in which two shuffles, or two picks, differ; None where they are none."""
    for name in ("order", "cards"):
        one, other = getattr(due, name, None), getattr(found, name, None)
        if isinstance(one, tuple) and isinstance(other, tuple):
            at = next((at for at, pair in enumerate(zip_longest(one, other)) if pair[0] != pair[1]), 0)
            return _card(game, one, at), _card(game, other, at)
    return None


def _card(game: Game, pile: tuple[str, ...], at: int) -> Text:
    if at >= len(pile):
        return _text("told.nothing")
    called = {lang: str(game.book.called(pile[at], lang)) for lang in LANGUAGES}
    return _text("told.card", card=called, place=str(at + 1))


def census(game: Game, found: Census) -> Iterator[Finding]:
    """What cannot be, in words."""
    for each in islice(found.contradictions, MOST):
        yield Finding(Kind.CENSUS, "census.impossible", each.version, {}, says(game, each.key, each.params))


def _seat(logged: Logged) -> Any:
    return texts.whose(logged.seat)


def _text(key: str, **params: Text | str) -> Text:
    def in_lang(lang: str) -> str:
        filled = {name: value[lang] if isinstance(value, dict) else value for name, value in params.items()}
        return TEXTS[key][lang].format_map(filled)

    return {lang: in_lang(lang) for lang in LANGUAGES}


def _clauses(game: Game, names: tuple[str, ...]) -> Text:
    """Clauses with their texts."""
    kept = texts.cited(game, names[:MOST])
    return {lang: " ".join(f"[{each['id']}] {each['says'][lang]}" for each in kept) for lang in LANGUAGES}


def _facts(game: Game, expected: Event | Move | None, found: Event | Move | None) -> tuple[Text, Text]:
    """Two things in words; where the words are the same, with what they differ in."""
    one, other = _said(game, expected), _said(game, found)
    if one == other and expected is not None and found is not None:
        return _data(expected, found), _data(found, expected)
    return one, other


def _said(game: Game, thing: Event | Move | None) -> Text:
    """A fact or a move in words; of what there are none for, its data."""
    if thing is None:
        return _text("told.nothing")
    told = _words(game, thing)
    return told if told is not None else _plain(canonical(encode(thing)).decode())


def _words(game: Game, thing: Event | Move) -> Text | None:
    try:
        return texts.told(game, thing)
    except (LookupError, ValueError, TypeError, AttributeError):  # a stranger may have written what no text is made for
        return None


def _joined(*parts: Text) -> Text:
    return {lang: "\n".join(part[lang] for part in parts) for lang in LANGUAGES}


def _data(thing: Event | Move, other: Event | Move) -> Text:
    """What a thing has that another has not, as data."""
    values = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
    unlike = {name: encode(value) for name, value in values.items() if value != getattr(other, name, None)}
    return _plain(f"{thing.TAG} {canonical(unlike).decode()}")


def _plain(text: str) -> Text:
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return dict.fromkeys(LANGUAGES, cut)
