"""The rulebook of a game as data, and the clauses that a question is about."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Clause, Rulebook, read_yaml
from referee.match.rulebook import TABLE_BOOK

CardRecord = Mapping[str, Any]
WORD = re.compile(r"\w+")
MIN_STEM = 4  # letters that an inflected word has in common with another form of it
MAX_ENDING = 2  # letters that an inflected word may have besides
PART_OF_WORD = 0.6  # the weight of a word that was found as a part of another one only
NAMED_BY_CARD = 0.8  # the weight of a word that only the name of a card has, for the clauses under the card
# words of questions that say nothing of what they are about
STOP_WORDS = frozenset(
    word for words in read_yaml(Path(__file__).with_name("stop_words.yaml")).values() for word in words.split()
)


def collect_clauses(game: Game) -> list[Clause]:
    """Return the clauses of a game, then those of table and kernel.

    The latter hold in every game.
    """
    listed: list[Clause] = []
    book: Rulebook | None = game.rulebook
    while book is not None and book is not TABLE_BOOK.base:
        listed += book.clauses.values()
        book = book.base
    return [*listed, *TABLE_BOOK.clauses.values(), *(TABLE_BOOK.base.clauses.values() if TABLE_BOOK.base else ())]


def clause_response(game: Game, clause: Clause, cards: Iterable[CardRecord]) -> dict[str, Any]:
    """Return a clause as data, with those of `cards` that rest on it."""
    return {
        "id": clause.id,
        "chapter": clause.chapter,
        "found": clause.found or None,
        "says": clause.says,
        "reading": clause.reading,
        "number": clause.interpretation_number,
        "other_readings": other_readings_response(game, clause),
        "variant": clause.variant,
        "players_duty": clause.players_duty,
        "open": clause.open,
        "why": clause.why,
        "cards": [card["id"] for card in cards if clause.id in card.get("clauses", ())],
    }


def other_readings_response(game: Game, clause: Clause) -> list[dict[str, Any]]:
    """Return the other readings of a clause that can be chosen, as data."""
    interpretations = game.interpretations.get(clause.reads or clause.id, ())
    return [
        {
            "reading": each.number,
            "id": each.name,
            "says": each.says or None,
            "why": each.why or None,
            "setting": {"name": each.setting, "value": each.value} if each.setting else None,
        }
        for each in interpretations
        if (each.number > 1 if each.setting else each.name != clause.id)
    ]


def search_clauses(game: Game, query: str, cards: Iterable[CardRecord]) -> list[Clause]:
    """Return the clauses that have words of a query, the most fitting first.

    Words count in either language and in any form; the fewer clauses have a word, the more it counts. Clauses on which
    a named card rests have its name. An id of a clause finds that clause first.
    """
    terms = read_terms(query)
    named: dict[str, str] = {}
    for card in cards:
        for clause in card.get("clauses", ()):
            named[clause] = f"{named.get(clause, '')} {' '.join(card['name'].values())}"
    listed = collect_clauses(game)
    weights = {
        clause.id: [
            max(weigh_term(term, _clause_words(clause)), NAMED_BY_CARD * weigh_term(term, named.get(clause.id, "")))
            for term in terms
        ]
        for clause in listed
    }
    rarity = [
        math.log(1 + len(listed) / (1 + sum(bool(found[at]) for found in weights.values()))) for at in range(len(terms))
    ]
    wanted = query.strip().casefold()
    scores = {
        clause.id: math.inf
        if clause.id.casefold() == wanted
        else sum(weight * rare for weight, rare in zip(weights[clause.id], rarity, strict=True))
        for clause in listed
    }
    order = {clause.id: at for at, clause in enumerate(listed)}
    found = [clause for clause in listed if scores[clause.id]]
    return sorted(found, key=lambda clause: (-scores[clause.id], len(clause.says["en"]), order[clause.id]))


def search_cards(query: str, cards: Sequence[CardRecord]) -> list[CardRecord]:
    """Return the cards whose id is the query, or whose whole name stands in it.

    Longer names come first: a query that names `Life back` is not about `Life`.
    """
    asked = f" {' '.join(WORD.findall(query.casefold()))} "
    found = []
    for card in cards:
        names = {" ".join(WORD.findall(each.casefold())) for each in (card["id"], *card["name"].values())}
        longest = max((len(name) for name in names if name and f" {name}" in asked), default=0)
        found += [(longest, card)] if longest else []
    return [card for _, card in sorted(found, key=lambda each: -each[0])]


def read_terms(query: str) -> list[str]:
    """Return the words of a query that say what it is about, each once.

    If it has only others, these are returned.
    """
    words = list(dict.fromkeys(WORD.findall(query.casefold())))
    return [word for word in words if word not in STOP_WORDS] or words


def weigh_term(term: str, text: str) -> float:
    """Return how well a text has a term: 1 as a word, less as a part of one, or 0.

    Endings do not count: `shields` and `Schilde` find `shield` and `Schild`.
    """
    words = _split_words(text)
    if term in words:
        return 1.0
    stem = term[: max(MIN_STEM, len(term) - MAX_ENDING)]
    if len(stem) < MIN_STEM:
        return 0.0
    if any(word.startswith(stem) and len(word) <= len(term) + MAX_ENDING for word in words):
        return 1.0
    return PART_OF_WORD if any(stem in word for word in words) else 0.0


def _clause_words(clause: Clause) -> str:
    parts = (clause.says, clause.open, clause.chapter, clause.found)
    return " ".join((clause.id, *(part.get(lang, "") for part in parts for lang in LANGUAGES)))


@lru_cache(4096)
def _split_words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text.casefold()))
