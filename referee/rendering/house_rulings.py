"""The house rulings that clauses rest on, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.engine.rulebook.book import LANGUAGES, Text
from referee.match.aggregate import Match
from referee.match.house_readings import find_house_rulings
from referee.match.rulebook import TABLE_BOOK

HouseNotes = Mapping[str, dict[str, Any]]  # what is said of a house ruling, by the clause as rulings cite it
NO_NOTES: HouseNotes = {}


def house_notes_response(match: Match) -> HouseNotes:
    """Return by cited clause the house ruling that chose its reading."""
    return {
        clause: describe_house_ruling(each.match, each.entry, match.id)
        for clause, each in find_house_rulings(match).items()
    }


def describe_house_ruling(match: str, entry: int, here: str = "") -> dict[str, Any]:
    """Return which house ruling this is; `here` is the match that needs no name."""
    says = TABLE_BOOK.render_texts("house.here" if match == here else "house.of_match", entry=entry, match=match)
    return {"match": match, "entry": entry, "says": says}


def add_house_notes(clauses: Iterable[dict[str, Any]], notes: HouseNotes) -> list[dict[str, Any]]:
    """Return clauses as a ruling shows them, with the house rulings they rest on."""
    return [{**each, "house_ruling": notes[each["id"]]} if each["id"] in notes else each for each in clauses]


def read_aloud(sentence: Text, clauses: Iterable[str], notes: HouseNotes) -> Text:
    """Return a sentence that reads these clauses, with the house rulings they rest on."""
    for note in (notes[name] for name in clauses if name in notes):
        said = {lang: TABLE_BOOK.render_text("house.aloud", lang, ruling=note["says"][lang]) for lang in LANGUAGES}
        sentence = {lang: f"{sentence[lang]} {said[lang]}" for lang in LANGUAGES}
    return sentence
