"""The clauses of Munchkin as data: complete, in order, in both languages, and each decision with its reason."""

from __future__ import annotations

import re
from itertools import groupby

import pytest

from referee.engine.rulebook.book import LANGUAGES, Clause
from referee.games.munchkin import GAME
from referee.position_rulings.interpretations import find_switches

EVERY_READING = list(GAME.rulebook.clauses.values())
CLAUSES = [clause for clause in EVERY_READING if not clause.reads]
READ_OTHERWISE = {name for name, switch in find_switches(GAME).items() if switch.values}
SECTIONS = {  # how many clauses each section has at least; numbers are never reused and never renumbered
    **dict(enumerate((9, 7, 8, 10, 10, 6, 17, 8, 8, 6, 6, 4, 12, 4, 6, 9, 9, 5, 10, 7, 5, 3, 3, 11), 1)),
    26: 12,
    27: 8,
}


def number(clause: Clause) -> tuple[int, int]:
    """Section and place of a clause."""
    section, place = clause.id.removeprefix("MK-").split(".")
    return int(section), int(place)


def texts(clause: Clause) -> list[dict[str, str]]:
    """All that a clause tells its reader."""
    return [text for text in (clause.says, clause.open, clause.why) if text]


def test_the_sections_follow_one_another_and_none_has_a_gap() -> None:
    numbers = [number(clause) for clause in CLAUSES]
    assert numbers == sorted(set(numbers))
    found = {section: [place for _, place in places] for section, places in groupby(numbers, lambda each: each[0])}
    assert found.keys() == SECTIONS.keys()
    for section, places in found.items():
        assert places == list(range(1, len(places) + 1)), section
        assert len(places) >= SECTIONS[section], section


def test_each_section_is_one_chapter() -> None:
    chapters = [clause.chapter[lang] for clause in CLAUSES for lang in LANGUAGES]
    assert len(set(chapters)) == len(SECTIONS) * len(LANGUAGES)
    for section, members in groupby(CLAUSES, lambda clause: number(clause)[0]):
        assert len({tuple(clause.chapter.items()) for clause in members}) == 1, section


@pytest.mark.parametrize("clause", EVERY_READING, ids=lambda clause: clause.id)
def test_a_clause_is_said_in_whole_sentences_in_both_languages(clause: Clause) -> None:
    for text in texts(clause):
        assert text.keys() == set(LANGUAGES)
        for line in text.values():
            assert re.fullmatch(r"[„A-ZÄÖÜ].*[.?]", line), line
            assert not re.search(r"  |[\[\]{}]|MK-\d", line), line


def test_what_is_ruled_or_read_in_two_ways_says_what_was_open_and_why() -> None:
    for clause in CLAUSES:
        ruled = number(clause)[0] == 26 or clause.id in READ_OTHERWISE
        assert bool(clause.open) == ruled, clause.id
        assert clause.why or not clause.open, clause.id


def test_a_clause_that_rests_on_a_ruling_names_one_that_is_there() -> None:
    rulings = {clause.id for clause in CLAUSES if clause.open}
    assert {clause.reading for clause in CLAUSES if clause.reading} <= rulings
