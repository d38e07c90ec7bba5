"""The course by turn: every entry in one turn, in order; nothing lost, nothing told twice, whatever was taken back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from referee.engine.seats import BYSTANDER
from referee.games import load_games
from referee.match.entries import effective_entries as standing
from referee.transcript.history import (
    TranscriptTurn,
    build_turns,
    filter_turns,
    find_superseded,
    survives_rewind,
    turns_response,
)
from referee.transcript.wording import TranscriptWords
from tests.arbitration.playing import GAMES
from tests.transcript import golden
from tests.transcript.played import entries_of, rewound, told

LANGUAGES = ("en", "de")


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> tuple[Any, str]:
    """A match of a game in which play went back once."""
    return rewound(request.param)


def parts_of(house: Any, match: str, viewer: int = BYSTANDER) -> tuple[list[TranscriptTurn], list[dict[str, Any]]]:
    """The course as these eyes know it, and the entries that it is made of."""
    entries = entries_of(house, match, viewer)
    return build_turns(TranscriptWords(house.load_match(match).match.rules), entries), entries


@pytest.mark.parametrize("viewer", [BYSTANDER, 0, 1])
def test_every_entry_belongs_to_one_turn_in_order_and_no_line_is_lost_or_told_twice(played: Any, viewer: int) -> None:
    house, match = played
    parts, entries = parts_of(house, match, viewer)
    items = [item for part in parts for item in part.items]
    assert [item.version for item in items if not item.continues_entry] == [entry["version"] for entry in entries]
    assert all(one.version <= other.version for one, other in pairwise(items))
    assert all(other.version == one.version for one, other in pairwise(items) if other.continues_entry)
    shown = [line.n for item in items for line in item.lines if line.kind]
    headed = {part.start.event_number for part in parts}
    for entry in entries:
        for event in entry["events"]:
            assert shown.count(event["n"]) + (event["n"] in headed) >= bool(event["told"]), event
            assert shown.count(event["n"]) <= 1
    assert shown == sorted(shown, key=lambda n: [int(part) for part in n.split(".")])


def test_an_entry_is_told_in_the_turn_in_which_it_was_made(played: Any) -> None:
    """Held against the table itself: whose turn the game says it was before the entry."""
    house, match = played
    parts, _ = parts_of(house, match)
    made = {item.version: part for part in parts for item in part.items if not item.continues_entry}
    seen = 0
    for entry in standing(house.repository.load_entries(match)):
        state = house.load_version(house.load_match(match), entry.version).match.state
        part = made.get(entry.version + 1)
        if part is None or part.start.seat is None or not state.agenda:
            continue
        seen += 1
        turn = load_games()[house.load_match(match).match.game].seat_on_turn(state)
        assert turn in (None, part.start.seat), entry.version
    assert seen or house.load_match(match).match.game == "shy_monsters"  # its floors are nobody's turn


def test_what_counts_no_more_is_marked_and_play_goes_on_in_the_turn_it_went_back_to(played: Any) -> None:
    house, match = played
    parts, entries = parts_of(house, match)
    gone = find_superseded(entries)
    back = max(gone.values())
    to = min(gone) - 1
    for part in parts:
        for by, items in part.group_by_rewind():
            for item in items:
                play = any(not survives_rewind(event["type"]) for event in entries[item.version - 1]["events"])
                assert by == (gone.get(item.version) if play else None)
                assert all(
                    line.is_superseded == (by is not None)
                    for line in item.lines
                    if not survives_rewind(line.kind or "mc.Dealt")
                )
    then = next(part for part in reversed(parts) for item in part.items if item.version <= to)
    first = next(part for part in parts for item in part.items if item.version == back + 1)
    left = next(part for part in parts for item in part.items if item.version == back)
    assert first.start is then.start
    assert first.is_resumed == (left.start is not then.start)
    numbers = [part.start.number for part in parts if part.start.seat is not None and not part.is_resumed]
    assert all(other <= one + 1 for one, other in pairwise(numbers))


def test_a_piece_of_the_course_is_a_piece_of_the_whole(played: Any) -> None:
    house, match = played
    parts, entries = parts_of(house, match)
    half = len(entries) // 2
    pieces = [*filter_turns(parts, 0, half), *filter_turns(parts, half, None)]
    assert [item for part in pieces for item in part.items] == [item for part in parts for item in part.items]
    kinds = frozenset({"Reordered", "table.Started"})
    lines = [line for part in filter_turns(parts, 0, None, kinds) for item in part.items for line in item.lines]
    assert {line.kind for line in lines} <= kinds
    assert any(line.kind == "table.Started" for line in lines)
    data = turns_response(parts)
    assert [n for turn in data for n in turn["entries"]] == [entry["version"] for entry in entries]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_course_reads_as_it_read(played: Any, lang: str) -> None:
    """After a change of words: `python -m tests.transcript.golden`, and a look at what it changed."""
    found = golden.text_of(told(*played), lang)
    assert found == (golden.FOLDER / f"{played[0].load_match(played[1]).match.game}.{lang}.txt").read_text("utf-8")


def test_every_game_says_with_what_its_turns_begin() -> None:
    assert all(load_games()[name].narration.turn_start_events for name in GAMES)


def test_a_game_that_this_program_has_not_is_told_in_the_words_that_came_along() -> None:
    event = {"n": "1.0", "type": "xx.Came", "told": {"en": "It came.", "de": "Es kam."}}
    entry = {"version": 1, "seat": 3, "actor": {"kind": "bot"}, "move": None, "events": [event], "clauses": ["XX-1"]}
    (part,) = build_turns(TranscriptWords(None), [entry])
    (item,) = part.items
    assert [line.text["de"] for line in item.lines] == ["Es kam."]
    assert (item.who["de"], item.at_ms, item.clauses) == ("Spieler 4 (Bot)", None, ("XX-1",))
