"""Rules read aloud: which clause gives a reason, and how much of it is read.

A clause that answers an open question makes sense only beside the question, so it is read together with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Clause, Text
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import texts

MAX_READ_ALOUD = 260  # letters of a clause; the first sentence is read however long it is
SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[„“]?[^\W\d])")  # where one sentence ends and another begins


def find_reason_clause(game: Game, clauses: Iterable[str]) -> Clause | None:
    """Return the first of these clauses that gives a reason.

    A clause that answers an open question does not: what happened does not follow from the question.
    """
    found = (texts.find_clause(game, name) for name in clauses if name)
    return next((clause for clause in found if not clause.answers_question), None)


def strip_sentence_end(text: str) -> str:
    """Return a text without the mark at its end."""
    return text.strip().rstrip(".!?:")


def shorten_clause(says: Text, most: int = MAX_READ_ALOUD) -> Text:
    """Return a clause as far as people can follow it when it is read aloud.

    These are its whole sentences up to `most` letters, and at least the first. Both languages read the same sentences.
    """
    return dict(zip(LANGUAGES, _shorten(tuple(says[lang] for lang in LANGUAGES), most), strict=True))


@lru_cache(2048)  # the same few clauses are read at every move
def _shorten(says: tuple[str, ...], most: int) -> tuple[str, ...]:
    sentences = {lang: SENTENCE_END.split(text.strip()) for lang, text in zip(LANGUAGES, says, strict=True)}
    counts = {lang: _count_readable(sentences[lang], most) for lang in LANGUAGES}
    if len({len(each) for each in sentences.values()}) == 1:
        counts = dict.fromkeys(LANGUAGES, min(counts.values()))
    return tuple(" ".join(sentences[lang][: counts[lang]]) for lang in LANGUAGES)


def _count_readable(sentences: list[str], most: int) -> int:
    """Return how many sentences are read: at least one."""
    for count in range(1, len(sentences)):
        if len(" ".join(sentences[: count + 1])) > most:
            return count
    return len(sentences)


def quote_clause(clause: Clause, most: int = MAX_READ_ALOUD) -> Text:
    """Return what a clause says, without its last full stop, to stand after a colon."""
    said = {lang: strip_sentence_end(text) for lang, text in shorten_clause(clause.says, most).items()}
    if not clause.answers_question:
        return said
    return _fill("answer", open=clause.open, answer=said)


def tell_rule(clause: Clause) -> Text:
    """Return a clause as sentences of their own."""
    quoted = quote_clause(clause)
    return _fill("ruling" if clause.answers_question else "rule", rule=quoted)


def add_reason(told: Text, clause: Clause | None, most: int = MAX_READ_ALOUD) -> Text:
    """Return what is told, with the rule that is its reason.

    What is told has no full stop at its end. No clause: it is told alone.
    """
    if clause is None:
        return {lang: f"{told[lang]}." for lang in LANGUAGES}
    if clause.answers_question:
        rule = tell_rule(clause)
        return {lang: f"{told[lang]}. {rule[lang]}" for lang in LANGUAGES}
    return _fill("because", told=told, rule=quote_clause(clause, most))


def _fill(frame: str, **params: Text) -> Text:
    return TABLE_BOOK.render_texts(f"explain.{frame}", **params)
