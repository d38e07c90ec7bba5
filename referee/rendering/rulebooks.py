"""The rulebook of a game as data, and the clauses that a question is about."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import KERNEL_RULEBOOK, LANGUAGES, Clause, Rulebook, Text, read_yaml
from referee.match.rulebook import TABLE_BOOK

CardRecord = Mapping[str, Any]
WORD = re.compile(r"\w+")
MIN_STEM = 4  # letters that an inflected word has in common with another form of it
MAX_ENDING = 2  # letters that an inflected word may have besides
PART_OF_WORD = 0.5  # the weight of a word that was found as a part of another one only
NAMED_BY_CARD = 0.5  # the weight of a word that only the name of a card has, for the clauses under the card
UNDER_NAMED_CARD = 2.0  # the weight of clauses on which a card rests that the query names
OF_EVERY_GAME = 0.6  # the weight of clauses of the table and the kernel beside those of the game
USUAL_LENGTH = 150  # letters of a clause; longer ones have more words, and count less for each
# words of questions that say nothing of what they are about
STOP_WORDS = frozenset(
    word for words in read_yaml(Path(__file__).with_name("stop_words.yaml")).values() for word in words.split()
)


def collect_clauses(game: Game) -> list[Clause]:
    """Return the clauses of a game, then those of table and kernel.

    The latter hold in every game.
    """
    return [clause for book in iterate_books(game) for clause in book.clauses.values()]


def iterate_books(game: Game) -> Iterator[Rulebook]:
    """Yield the rulebooks that hold in a game, its own first."""
    book: Rulebook | None = game.rulebook
    while book is not None and book is not TABLE_BOOK.base:
        yield book
        book = book.base
    yield TABLE_BOOK
    if TABLE_BOOK.base:
        yield TABLE_BOOK.base


def find_clause_texts(game: Game, name: str) -> dict[str, Text]:
    """Return what is said of refusals and events under a clause, by its keys."""
    return {
        key: book.reasons[key]
        for book in iterate_books(game)
        for key, home in book.clause_by_text.items()
        if home == name
    }


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
    cards = list(cards)
    terms = read_terms(query)
    meant = {clause for card in search_cards(query, cards) for clause in card.get("clauses", ())}
    named = dict[str, str]()
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
    scores = {}
    for clause in listed:
        found = weights[clause.id]
        fit = sum(weight * rare for weight, rare in zip(found, rarity, strict=True)) * sum(map(bool, found))
        place = OF_EVERY_GAME if clause.id in TABLE_BOOK.clauses or clause.id in KERNEL_RULEBOOK.clauses else 1.0
        length = math.sqrt(1 + len(clause.says["en"]) / USUAL_LENGTH)
        under_card = UNDER_NAMED_CARD if clause.id in meant else 1.0
        scores[clause.id] = math.inf if clause.id.casefold() == wanted else fit * place * under_card / length
    order = {clause.id: at for at, clause in enumerate(listed)}
    fitting = [clause for clause in listed if scores[clause.id]]
    return sorted(fitting, key=lambda clause: (-scores[clause.id], order[clause.id]))


def search_cards(query: str, cards: Sequence[CardRecord]) -> list[CardRecord]:
    """Return the cards whose id is the query, or whose whole name stands in it.

    Longer names come first: a query that names `Life back` is not about `Life`.
    """
    asked = " ".join(WORD.findall(query.casefold()))
    found = []
    for card in cards:
        names = {" ".join(WORD.findall(each.casefold())) for each in (card["id"], *card["name"].values())}
        longest = max((len(name) for name in names if name and _names_card(asked, name)), default=0)
        found += [(longest, card)] if longest else []
    return [card for _, card in sorted(found, key=lambda each: -each[0])]


def _names_card(asked: str, name: str) -> bool:
    """Return whether a name stands in a question, perhaps with an ending."""
    return re.search(rf"\b{re.escape(name)}\w{{0,{MAX_ENDING}}}\b", asked) is not None


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
