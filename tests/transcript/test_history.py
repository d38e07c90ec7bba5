"""The course by turn: every entry in one turn, in order; nothing lost, nothing told twice, whatever was taken back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from referee.engine.seats import BYSTANDER
from referee.games import games
from referee.match.entries import course as standing
from referee.transcript.history import Part, as_data, course, cut, stays, struck
from referee.transcript.wording import Words
from tests.transcript import golden
from tests.transcript.played import GAMES, entries_of, rewound, told

LANGUAGES = ("en", "de")


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> tuple[Any, str]:
    """A match of a game in which play went back once."""
    return rewound(request.param)


def parts_of(house: Any, match: str, eyes: int = BYSTANDER) -> tuple[list[Part], list[dict[str, Any]]]:
    """The course as these eyes know it, and the entries that it is made of."""
    entries = entries_of(house, match, eyes)
    return course(Words(house.load(match).match.rules), entries), entries


@pytest.mark.parametrize("eyes", [BYSTANDER, 0, 1])
def test_every_entry_belongs_to_one_turn_in_order_and_no_line_is_lost_or_told_twice(played: Any, eyes: int) -> None:
    house, match = played
    parts, entries = parts_of(house, match, eyes)
    items = [item for part in parts for item in part.items]
    assert [item.version for item in items if not item.goes_on] == [entry["version"] for entry in entries]
    assert all(one.version <= other.version for one, other in pairwise(items))
    assert all(other.version == one.version for one, other in pairwise(items) if other.goes_on)
    shown = [line.n for item in items for line in item.lines if line.kind]
    headed = {part.begun.n for part in parts}
    for entry in entries:
        for event in entry["events"]:
            assert shown.count(event["n"]) + (event["n"] in headed) >= bool(event["told"]), event
            assert shown.count(event["n"]) <= 1
    assert shown == sorted(shown, key=lambda n: [int(part) for part in n.split(".")])


def test_an_entry_is_told_in_the_turn_in_which_it_was_made(played: Any) -> None:
    """Held against the table itself: whose turn the game says it was before the entry."""
    house, match = played
    parts, _ = parts_of(house, match)
    made = {item.version: part for part in parts for item in part.items if not item.goes_on}
    seen = 0
    for entry in standing(house.entries(match)):
        state = house.at(house.load(match), entry.version).match.state
        part = made.get(entry.version + 1)
        if part is None or part.begun.seat is None or not state.agenda:
            continue
        seen += 1
        assert state.turn == part.begun.seat, entry.version
    assert seen or house.load(match).match.game == "shy_monsters"  # its floors are nobody's turn


def test_what_counts_no_more_is_marked_and_play_goes_on_in_the_turn_it_went_back_to(played: Any) -> None:
    house, match = played
    parts, entries = parts_of(house, match)
    gone = struck(entries)
    back = max(gone.values())
    to = min(gone) - 1
    for part in parts:
        for by, items in part.stretches():
            for item in items:
                play = any(not stays(event["type"]) for event in entries[item.version - 1]["events"])
                assert by == (gone.get(item.version) if play else None)
                assert all(line.gone == (by is not None) for line in item.lines if not stays(line.kind or "mc.Dealt"))
    then = next(part for part in reversed(parts) for item in part.items if item.version <= to)
    first = next(part for part in parts for item in part.items if item.version == back + 1)
    left = next(part for part in parts for item in part.items if item.version == back)
    assert first.begun is then.begun
    assert first.again == (left.begun is not then.begun)
    numbers = [part.begun.number for part in parts if part.begun.seat is not None and not part.again]
    assert all(other <= one + 1 for one, other in pairwise(numbers))


def test_a_piece_of_the_course_is_a_piece_of_the_whole(played: Any) -> None:
    house, match = played
    parts, entries = parts_of(house, match)
    half = len(entries) // 2
    pieces = [*cut(parts, 0, half), *cut(parts, half, None)]
    assert [item for part in pieces for item in part.items] == [item for part in parts for item in part.items]
    kinds = frozenset({"Reordered", "table.Started"})
    lines = [line for part in cut(parts, 0, None, kinds) for item in part.items for line in item.lines]
    assert {line.kind for line in lines} <= kinds
    assert any(line.kind == "table.Started" for line in lines)
    data = as_data(parts)
    assert [n for turn in data for n in turn["entries"]] == [entry["version"] for entry in entries]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_course_reads_as_it_read(played: Any, lang: str) -> None:
    """After a change of words: `python -m tests.transcript.golden`, and a look at what it changed."""
    found = golden.text_of(told(*played), lang)
    assert found == (golden.FOLDER / f"{played[0].load(played[1]).match.game}.{lang}.txt").read_text("utf-8")


def test_every_game_says_with_what_its_turns_begin() -> None:
    assert all(games()[name].begins for name in GAMES)


def test_a_game_that_this_program_has_not_is_told_in_the_words_that_came_along() -> None:
    event = {"n": "1.0", "type": "xx.Came", "told": {"en": "It came.", "de": "Es kam."}}
    entry = {"version": 1, "seat": 3, "actor": {"kind": "bot"}, "move": None, "events": [event], "clauses": ["XX-1"]}
    (part,) = course(Words(None), [entry])
    (item,) = part.items
    assert [line.told["de"] for line in item.lines] == ["Es kam."]
    assert (item.who["de"], item.at_ms, item.clauses) == ("Platz 3 (Bot)", None, ("XX-1",))
