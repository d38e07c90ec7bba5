"""One sentence about an entry, to read aloud: what happened, what came of it, why. All its words are data.

The sentence is made of main clauses (`find_spoken_text.yaml` of game and table; where that is silent, what is told of a
fact) and of the first sentence of the rule that the weightiest of them rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from referee.engine.breakdown import Term
from referee.engine.events import Event, Move
from referee.engine.game import Game, spoken_text_keys
from referee.engine.rulebook.book import LANGUAGES, MINOR_RANK_OFFSET, Clause, SpokenText, Text
from referee.engine.seats import BYSTANDER, CHANCE, seat_label
from referee.match.aggregate import MatchEnded, TableEvent
from referee.match.entries import LogEntry
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import texts

MAX_MAIN_CLAUSES = 3  # main clauses in a sentence
EMPTY_TEXT: Text = dict.fromkeys(LANGUAGES, "")
PLURAL_PATTERN = re.compile(r"(?P<before>(?P<count>\d+) (?:[^\W\d]+ )?)?(?P<word>[\w-]+)\((?P<more>[a-z]+)\)")
SENTENCE_END = re.compile(r"[.!?] +(?=[^\W\d])")  # where one sentence ends and another begins


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A main clause of the sentence, and the clauses of the rules that it rests on."""

    spoken: SpokenText
    clauses: tuple[str, ...]


def render_sentence(
    game: Game, logged: LogEntry, move: Move | None, events: Sequence[Event], numbers: Mapping[int, Sequence[Term]]
) -> tuple[Text, str]:
    """The sentence about an entry, in every language, and the clause that gives its reason (empty: none does).

    `move` and `facts` are what its reader may see of it; `numbers` are those of the facts, by their place.
    """
    told = list(_collect_event_parts(game, events, numbers))
    opening = _build_opening(game, logged, move, told=bool(told))
    said = list({tuple(each.spoken.says.values()): each for each in (*opening, *told)}.values())
    said = said or [SentencePart(SpokenText(TABLE_BOOK.render_texts("explain.unseen")), ())]
    by_weight = sorted(range(len(said)), key=lambda at: (said[at].spoken.rank, at))
    weightiest = said[by_weight[0]]
    chosen = {*range(len(opening)), *by_weight[: MAX_MAIN_CLAUSES - len(opening)]}
    kept = [said[at].spoken for at in sorted(chosen)]
    if weightiest.spoken.rank < MINOR_RANK_OFFSET:
        kept = [each for each in kept if each.rank < MINOR_RANK_OFFSET]
    why = find_reason_clause(game, (weightiest.spoken.clause, *weightiest.clauses, *logged.clauses))
    made = {lang: _join_sentence(lang, [each.says[lang] for each in kept], why) for lang in LANGUAGES}
    return made, "" if why is None else why.id


def find_reason_clause(game: Game, clauses: Iterable[str]) -> Clause | None:
    """The first of some clauses that gives a reason. A reading does not: it answers a question of its own."""
    found = (texts.find_clause(game, name) for name in clauses if name)
    return next((clause for clause in found if not clause.open), None)


def describe_term(game: Game, number: Term) -> Text:
    """A number as a player reads it: its text, with `{number}` for its value and `{from}` for its card."""
    return texts.render_text(game, number.says, **{**number.params, "number": number.value, "from": number.card})


def describe_parts(game: Game, number: Term) -> Text:
    """The parts of a number in words, one after the other."""
    parts = [describe_term(game, part) for part in number.parts]
    return {lang: ", ".join(part[lang] for part in parts) for lang in LANGUAGES}


def find_spoken_text(game: Game, thing: Event | Move, **more: Any) -> SpokenText | None:
    """What is said of a fact or a move, of the game or of the table; None for bookkeeping."""
    if not is_of_table(thing):
        return game.render_spoken_text(thing, **more)
    found = TABLE_BOOK.find_spoken_text(*_find_spoken_keys(game, thing))
    if found is None:
        words = texts.describe_event(game, thing)
        return None if words is None else SpokenText(words)
    said: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
    return TABLE_BOOK.fill_spoken_text(found, **{**said, **more, "game": game.title})


def is_of_table(thing: Event | Move) -> bool:
    """Whether a fact or a move is business of the table and not of the game."""
    return isinstance(thing, TableEvent) or thing.TAG.startswith("table.")


def _find_spoken_keys(game: Game, thing: Event | Move) -> tuple[str, ...]:
    if not is_of_table(thing):
        return spoken_text_keys(thing, game.text_variant(thing))
    if isinstance(thing, MatchEnded) and thing.status == "finished":
        return spoken_text_keys(thing, ("nobody", "one")[len(thing.winners)] if len(thing.winners) < 2 else "several")
    return spoken_text_keys(thing, thing.status if isinstance(thing, MatchEnded) else "")


def _collect_event_parts(
    game: Game, events: Iterable[Event], numbers: Mapping[int, Sequence[Term]]
) -> Iterator[SentencePart]:
    for at, event in enumerate(events):
        made = next((number for number in numbers.get(at, ()) if number.parts), None)
        found = find_spoken_text(game, event, sum=EMPTY_TEXT if made is None else describe_parts(game, made))
        if found is not None:
            yield SentencePart(found, ((made.parts[0].clause,) if made else ()) + event.applied_clauses())


def _build_opening(game: Game, logged: LogEntry, move: Move | None, told: bool) -> list[SentencePart]:
    """The move, where there are words for it to read aloud, or where no fact tells anything.

    What chance did its facts tell, and what the table does too.
    """
    if move is None or logged.seat == BYSTANDER or (told and logged.seat == CHANCE):
        return []
    who = seat_label(logged.seat)
    book = TABLE_BOOK if is_of_table(move) else game.rulebook
    if book.find_spoken_text(*_find_spoken_keys(game, move)) is not None:
        found = find_spoken_text(game, move, who=who)
    elif not told and (words := texts.describe_event(game, move)) is not None:
        plain = {lang: _strip_sentence_end(words[lang]) for lang in LANGUAGES}
        frame = "explain.moved" if logged.seat >= 0 else "explain.chance"
        found = SpokenText(TABLE_BOOK.render_texts(frame, move=plain, who=who))
    else:
        found = None
    return [] if found is None else [SentencePart(found, move.clauses)]


def _join_sentence(lang: str, clauses: Sequence[str], why: Clause | None) -> str:
    """The main clauses and the reason as one sentence in one language."""
    parts = [_strip_sentence_end(_resolve_plurals(clause)) for clause in clauses]
    told = "; ".join([parts[0], *(_lowercase_start(part, lang) for part in parts[1:])])
    if why is not None:
        rule = _strip_sentence_end(SENTENCE_END.split(why.says[lang])[0])
        told = TABLE_BOOK.render_text("explain.because", lang, told=told, rule=rule)
    return f"{told[:1].upper()}{told[1:]}."


def _strip_sentence_end(text: str) -> str:
    """A text as part of a sentence: no mark at its end, and no end within it."""
    return SENTENCE_END.sub("; ", text.strip().rstrip(".!?:"))


def _lowercase_start(text: str, lang: str) -> str:
    """A main clause as it stands within a sentence: a word that is capital only at its beginning is small."""
    first, space, rest = text.partition(" ")
    small = first in TABLE_BOOK.render_text("explain.small", lang).split()
    return f"{first[:1].lower()}{first[1:]}{space}{rest}" if small else text


def _resolve_plurals(text: str) -> str:
    """`2 card(s)` as it is read aloud: one or several, by the number before it."""

    def chosen(found: re.Match[str]) -> str:
        return f"{found['before'] or ''}{found['word']}{'' if found['count'] == '1' else found['more']}"

    return PLURAL_PATTERN.sub(chosen, text)
