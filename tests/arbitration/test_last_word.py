"""Whose word is the last in a dispute: the court's arbiter, and by which clause of the game."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.codec import encode
from referee.engine.events import Event
from referee.games import load_games
from referee.match.entries import effective_entries
from referee.match.events.dispute_commands import IssueRuling
from referee.match.events.dispute_events import RulingIssued
from tests.arbitration.playing import GAMES, Referee, disputes, plays, started


def ruled(house: Referee, match: str, about: int, remedy: str) -> tuple[Event, ...]:
    """The facts of a host's ruling on an entry, by a clause of everybody's."""
    dispute = disputes(house, match, about, "illegal_move")
    ask = IssueRuling(
        dispute.number, "host", (), remedy != "leave", remedy, ("KERNEL-MOVE-1",), "So it is played here."
    )
    done = house.execute_command(match, ask, key=f"rule-{remedy}", scope="host")
    (entry,) = house.repository.load_entries(match, done.version - 1, done.version)
    return entry.events


def views(house: Referee, match: str) -> list[Any]:
    """The table as each of three seats sees it."""
    state = house.load_match(match).match.state
    return [encode(state.view_for(seat)) for seat in range(3)]


@pytest.mark.clause("MK-23.3")
def test_in_munchkin_the_owner_of_the_game_has_the_last_word_on_the_record() -> None:
    house, match = started("munchkin")
    plays(house, match, 1, 12)
    before = encode(house.load_match(match).match.state)
    (said,) = [
        event
        for event in ruled(house, match, house.load_match(match).version, "leave")
        if isinstance(event, RulingIssued)
    ]
    assert (said.by, said.cites, said.statement) == ("host", ("KERNEL-MOVE-1", "MK-23.3"), "So it is played here.")
    assert encode(house.load_match(match).match.state) == before


@pytest.mark.clause("MK-23.3")
def test_that_word_changes_a_munchkin_table_by_nothing_but_what_a_remedy_may() -> None:
    house, match = started("munchkin")
    plays(house, match, 1, 12)
    about = house.load_match(match).version
    at = views(house, match)
    plays(house, match, 2, 1)
    ruled(house, match, about + 1, "rewind")
    assert views(house, match) == at  # piles that nobody has seen are shuffled anew
    assert about + 1 not in [
        entry.version
        for entry in effective_entries(house.repository.load_entries(match, 0, house.load_match(match).version))
    ]


@pytest.mark.parametrize("game", [name for name in GAMES if name != "munchkin"])
def test_a_game_whose_rules_give_nobody_the_last_word_is_not_cited_for_it(game: str) -> None:
    house, match = started(game)
    plays(house, match, 1, 6)
    (said,) = [
        event
        for event in ruled(house, match, house.load_match(match).version, "leave")
        if isinstance(event, RulingIssued)
    ]
    assert (load_games()[game].last_word_clause, said.cites) == ("", ("KERNEL-MOVE-1",))
