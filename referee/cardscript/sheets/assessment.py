"""What became of the texts of a table.

The program carries out sentences, the table carries out free texts, and some are only printed.

A text that is nearly a sentence is free text like any other. So its row is named, with the sentence that it may mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import islice, product
from typing import Any

from referee.cardscript.sheets.catalog import Catalog, Sentence, load_catalog
from referee.cardscript.sheets.rows import CardRow
from referee.cardscript.sheets.wording import normalize
from referee.engine.rulebook.book import LANGUAGES, Text

NEAR = 0.72  # how much of two texts is alike, from 0 to 1, if one may mean the other
MOST_WORDINGS = 40  # of one sentence in one language, with the words that its blanks stand for
NUMBER, OPEN = re.compile(r"\d+"), "2"
SHORT = 8  # letters; a text below that is near to anything


@dataclass(frozen=True)
class FreeText:
    """A text that is no sentence. `near` is the sentence that it may mean."""

    row: int
    column: str
    name: str
    text: str
    is_only_printed: bool
    near: Text | None


@dataclass(frozen=True)
class Assessment:
    """How many texts are sentences, and which are not."""

    sentences: int = 0
    free: tuple[FreeText, ...] = ()

    @property
    def only_printed(self) -> int:
        """How many texts the program ignores: they hold all the time, and are printed."""
        return sum(each.is_only_printed for each in self.free)

    @property
    def carried_out(self) -> int:
        """How many texts the people at the table carry out when their turn comes."""
        return len(self.free) - self.only_printed


def assess_rows(catalog: Catalog, rows: Iterable[tuple[CardRow, Mapping[str, Any]]]) -> Assessment:
    """Return what became of the texts of rows and their cards."""
    sentences, free = 0, list[FreeText]()
    for row, entry in rows:
        for text in row.texts:
            if text.sentence is not None:
                sentences += 1
                continue
            written, name = row.cells[text.column], row.cells.get("name") or row.cells.get("name_de", "")
            near = suggest_sentence(catalog, entry["kind"], written)
            free.append(FreeText(row.number, text.column, name, written, not text.place.runs, near))
    return Assessment(sentences, tuple(free))


def suggest_sentence(catalog: Catalog, kind: str, written: str) -> Text | None:
    """Return the sentence that a text for a kind of card is most like, if any.

    Blanks for numbers are filled with the numbers of the text, if it has as many.
    """
    if len(written) < SHORT:
        return None
    plain, numbers = NUMBER.sub(OPEN, normalize(written)), NUMBER.findall(written)
    best: tuple[float, str, dict[str, str]] = (NEAR, "", {})
    for name, values, wording in _list_wordings(catalog.game, kind):
        matcher = SequenceMatcher(None, plain, wording, autojunk=False)
        if matcher.real_quick_ratio() > best[0] and matcher.quick_ratio() > best[0] and matcher.ratio() > best[0]:
            best = matcher.ratio(), name, dict(values)
    if not best[1]:
        return None
    return _fill_wording(catalog.sentences[best[1]], best[2], numbers)


def _fill_wording(sentence: Sentence, values: dict[str, str], numbers: list[str]) -> Text:
    wording = sentence.wording
    open_ones = [blank for blank in wording.list_blanks("en") if not blank.choices]
    if len(open_ones) == len(numbers):
        values |= {blank.name: number for blank, number in zip(open_ones, numbers, strict=True)}
    if all(name in values and blank.find_value(values[name]) is not None for name, blank in wording.blanks.items()):
        return {lang: wording.fill(values, lang) for lang in LANGUAGES}
    return {lang: wording.show(lang) for lang in LANGUAGES}


@cache
def _list_wordings(game: str, kind: str) -> tuple[tuple[str, tuple[tuple[str, str], ...], str], ...]:
    """Return how the sentences for a kind of card read.

    Their blanks are filled with each of their words, and with one number for all.
    """
    return tuple(
        (sentence.name, values, wording)
        for sentence in load_catalog(game).sentences.values()
        if load_catalog(game).list_places(kind, sentence)
        for values, wording in _word_sentence(sentence)
    )


def _word_sentence(sentence: Sentence) -> Iterator[tuple[tuple[tuple[str, str], ...], str]]:
    blanks = sentence.wording.blanks.values()
    chosen = [[(blank.name, name) for name in blank.choices] for blank in blanks if blank.choices]
    numbers = {blank.name: OPEN for blank in blanks if not blank.choices}
    for values in islice(product(*chosen), MOST_WORDINGS):
        for lang in LANGUAGES:
            yield values, normalize(sentence.wording.fill(numbers | dict(values), lang))
