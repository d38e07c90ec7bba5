"""One sentence about an entry, to read aloud: what happened, its result, and why.

The sentence consists of main clauses and the first sentence of the rule that the weightiest of them rests on. The main
clauses come from `narration.yaml` of game and table, or else from the line about the event. All words are data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from referee.engine.breakdown import Term
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.parts.narration import spoken_text_keys
from referee.engine.rulebook.book import LANGUAGES, MINOR_RANK_OFFSET, Clause, SpokenText, Text
from referee.engine.seats import BYSTANDER, CHANCE, seat_label
from referee.match.aggregate import MatchEnded, TableEvent
from referee.match.entries import LogEntry
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import texts

MAX_MAIN_CLAUSES = 3  # in one sentence
EMPTY_TEXT: Text = dict.fromkeys(LANGUAGES, "")
SENTENCE_END = re.compile(r"[.!?] +(?=[^\W\d])")  # where one sentence ends and another begins


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A main clause of the sentence, and the clauses of the rules that it rests on."""

    spoken: SpokenText
    clauses: tuple[str, ...]


def render_sentence(
    game: Game, logged: LogEntry, move: Move | None, events: Sequence[Event], numbers: Mapping[int, Sequence[Term]]
) -> tuple[Text, str]:
    """Return the sentence about an entry in every language, and its clause.

    The clause gives the reason; empty: none does. `move` and `events` are what the reader may see of the entry;
    `numbers` are the numbers of the events, by their place.
    """
    parts = list(_collect_event_parts(game, events, numbers))
    opening = _build_opening(game, logged, move, has_event_parts=bool(parts))
    parts = list({tuple(each.spoken.says.values()): each for each in (*opening, *parts)}.values())
    parts = parts or [SentencePart(SpokenText(TABLE_BOOK.render_texts("explain.unseen")), ())]
    by_weight = sorted(range(len(parts)), key=lambda at: (parts[at].spoken.rank, at))
    weightiest = parts[by_weight[0]]
    chosen = {*range(len(opening)), *by_weight[: MAX_MAIN_CLAUSES - len(opening)]}
    kept = [parts[at].spoken for at in sorted(chosen)]
    if weightiest.spoken.rank < MINOR_RANK_OFFSET:
        kept = [each for each in kept if each.rank < MINOR_RANK_OFFSET]
    why = find_reason_clause(game, (weightiest.spoken.clause, *weightiest.clauses, *logged.clauses))
    made = {lang: _join_sentence(lang, [each.says[lang] for each in kept], why) for lang in LANGUAGES}
    return made, "" if why is None else why.id


def find_reason_clause(game: Game, clauses: Iterable[str]) -> Clause | None:
    """Return the first of these clauses that gives a reason.

    A clause that answers an open question does not: it makes sense only beside the question.
    """
    found = (texts.find_clause(game, name) for name in clauses if name)
    return next((clause for clause in found if not clause.answers_question), None)


def describe_term(game: Game, number: Term) -> Text:
    """Return a number in words.

    Its text has `{number}` for its value and `{from}` for its card.
    """
    return texts.render_text(game, number.says, **{**number.params, "number": number.value, "from": number.card})


def describe_parts(game: Game, number: Term) -> Text:
    """Return the parts of a number in words, one after the other."""
    parts = [describe_term(game, part) for part in number.parts]
    return {lang: ", ".join(part[lang] for part in parts) for lang in LANGUAGES}


def find_spoken_text(game: Game, thing: Event | Move, **more: Any) -> SpokenText | None:
    """Return the spoken text of an event or a move; None for bookkeeping."""
    if not is_of_table(thing):
        return game.narration.render_spoken_text(thing, **more)
    found = TABLE_BOOK.find_spoken_text(*_find_spoken_keys(game, thing))
    if found is None:
        words = texts.describe_event(game, thing)
        return None if words is None else SpokenText(words)
    params: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
    return TABLE_BOOK.fill_spoken_text(found, **{**params, **more, "game": game.title})


def is_of_table(thing: Event | Move) -> bool:
    """Tell whether an event or a move belongs to the table, not to the game."""
    return isinstance(thing, TableEvent) or thing.TAG.startswith("table.")


def _find_spoken_keys(game: Game, thing: Event | Move) -> tuple[str, ...]:
    if not is_of_table(thing):
        return spoken_text_keys(thing, game.narration.text_variant(thing))
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


def _build_opening(game: Game, logged: LogEntry, move: Move | None, has_event_parts: bool) -> list[SentencePart]:
    """Return the move as a main clause, if it is worth saying.

    It is if there are words for it to read aloud, or if no event says anything. What chance and the table did, their
    events say.
    """
    if move is None or logged.seat == BYSTANDER or (has_event_parts and logged.seat == CHANCE):
        return []
    who = seat_label(logged.seat)
    book = TABLE_BOOK if is_of_table(move) else game.rulebook
    if book.find_spoken_text(*_find_spoken_keys(game, move)) is not None:
        found = find_spoken_text(game, move, who=who)
    elif not has_event_parts and (words := texts.describe_event(game, move)) is not None:
        plain = {lang: strip_sentence_end(words[lang]) for lang in LANGUAGES}
        frame = "explain.moved" if logged.seat >= 0 else "explain.chance"
        found = SpokenText(TABLE_BOOK.render_texts(frame, move=plain, who=who))
    else:
        found = None
    return [] if found is None else [SentencePart(found, move.clauses)]


def _join_sentence(lang: str, clauses: Sequence[str], why: Clause | None) -> str:
    """Return the main clauses and the reason as one sentence in one language."""
    parts = [strip_sentence_end(clause) for clause in clauses]
    sentence = "; ".join([parts[0], *(_lowercase_start(part, lang) for part in parts[1:])])
    if why is not None:
        rule = strip_sentence_end(SENTENCE_END.split(why.says[lang])[0])
        sentence = TABLE_BOOK.render_text("explain.because", lang, told=sentence, rule=rule)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def strip_sentence_end(text: str) -> str:
    """Return a text as part of a sentence, without a full stop at its end or within."""
    return SENTENCE_END.sub("; ", text.strip().rstrip(".!?:"))


def _lowercase_start(text: str, lang: str) -> str:
    """Return a main clause as it stands within a sentence.

    A word that is capital only at the beginning of a sentence becomes small.
    """
    first, space, rest = text.partition(" ")
    small = first in TABLE_BOOK.render_text("explain.small", lang).split()
    return f"{first[:1].lower()}{first[1:]}{space}{rest}" if small else text
