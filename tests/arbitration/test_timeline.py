"""The course as stretches: what counts, and what was superseded by which entry."""

from __future__ import annotations

import pytest

from referee.arbitration.timeline import build_stretches
from referee.engine.events import Event
from referee.engine.steps import StepPopped
from referee.match.aggregate import MatchRewound, SeatTaken
from referee.match.entries import LogEntry, effective_entries
from referee.match.events.dispute_events import HistoryRestored, RulingIssued

RULING = RulingIssued(9, "arbiter", "host", "does_not_stand", "rewind", "court.host_ruled", {}, ())


def log(*entries: tuple[Event, ...]) -> list[LogEntry]:
    """A log of entries with these facts."""
    return [LogEntry("m", at, 0, 0, "player", None, events, (), b"") for at, events in enumerate(entries, 1)]


def told(*entries: tuple[Event, ...]) -> list[tuple[int, int, str, int | None]]:
    return [(each["from"], each["to"], each["state"], each["superseded_by"]) for each in build_stretches(log(*entries))]


def test_what_nobody_went_back_behind_is_one_stretch() -> None:
    assert told() == []
    assert told((StepPopped(),), (StepPopped(),), (SeatTaken(0),)) == [(1, 3, "current", None)]


@pytest.mark.clause("TABLE-COURSE-1")
def test_what_is_superseded_names_the_entry_that_went_back_behind_it_and_its_dispute() -> None:
    found = build_stretches(
        log((StepPopped(),), (StepPopped(),), (StepPopped(),), (RULING, MatchRewound(1)), (StepPopped(),))
    )
    assert found == [
        {"from": 1, "to": 1, "state": "current", "superseded_by": None, "dispute": None, "restored": None},
        {"from": 2, "to": 3, "state": "superseded", "superseded_by": 4, "dispute": 9, "restored": None},
        {"from": 4, "to": 5, "state": "current", "superseded_by": None, "dispute": None, "restored": None},
    ]


def test_table_business_in_between_goes_on_counting() -> None:
    moves, back = (StepPopped(),), (MatchRewound(1),)
    assert told(moves, moves, (SeatTaken(1),), moves, back) == [
        (1, 1, "current", None), (2, 2, "superseded", 5), (3, 3, "current", None), (4, 4, "superseded", 5),
        (5, 5, "current", None),
    ]  # fmt: skip
    assert told(moves, (SeatTaken(1), StepPopped()), back)[1] == (2, 2, "partly", 3)


def test_who_goes_back_behind_a_going_back_supersedes_it_and_not_what_it_had_superseded() -> None:
    moves = (StepPopped(),)
    assert told(
        moves, moves, (MatchRewound(1),), moves, (MatchRewound(2),), moves, (MatchRewound(0), StepPopped())
    ) == [
        (1, 1, "superseded", 7),
        (2, 2, "superseded", 3),
        (3, 4, "superseded", 5),
        (5, 6, "superseded", 7),
        (7, 7, "current", None),
    ]


@pytest.mark.clause("TABLE-REMEDY-5")
def test_what_stands_again_names_the_entry_that_brought_it_back_and_what_fell_away_names_it_too() -> None:
    moves, undone = (StepPopped(),), (RULING, HistoryRestored(4))
    entries = (moves, moves, moves, (RULING, MatchRewound(1)), moves, (MatchRewound(4),), moves, undone, moves)
    found = build_stretches(log(*entries))
    assert [(each["from"], each["to"], each["state"], each["superseded_by"], each["restored"]) for each in found] == [
        (1, 1, "current", None, None), (2, 3, "current", None, 8), (4, 4, "partly", 8, None),
        (5, 5, "superseded", 6, None), (6, 7, "superseded", 8, None), (8, 9, "current", None, None),
    ]  # fmt: skip
    assert {each["dispute"] for each in found if each["superseded_by"] == 8} == {9}
    standing = [(entry.version, len(entry.events)) for entry in effective_entries(log(*entries))]
    assert standing == [(1, 1), (2, 1), (3, 1), (4, 1), (8, 2), (9, 1)]


@pytest.mark.clause("TABLE-REMEDY-5")
def test_who_goes_back_behind_what_was_restored_strikes_it_again_and_restoring_that_brings_both_back() -> None:
    moves = (StepPopped(),)
    twice = (
        moves,
        moves,
        moves,
        (MatchRewound(1),),
        (HistoryRestored(4),),
        (MatchRewound(2),),
        moves,
        (HistoryRestored(6),),
    )
    assert told(*twice[:6]) == [
        (1, 1, "current", None), (2, 2, "current", None), (3, 3, "superseded", 6), (4, 4, "superseded", 5),
        (5, 5, "superseded", 6), (6, 6, "current", None),
    ]  # fmt: skip
    assert [(entry.version) for entry in effective_entries(log(*twice))] == [1, 2, 3, 5, 8]
    assert told(*twice)[-3:] == [(5, 5, "current", None), (6, 7, "superseded", 8), (8, 8, "current", None)]
