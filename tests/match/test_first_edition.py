"""Matches opened before officials had to be accepted: their rights stay as they were."""

from __future__ import annotations

import pytest

from referee.engine.codec import encode
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import Match, SeatAssignment
from referee.match.events.dispute_state import DEFAULT_COURTS, UNLIMITED_COURTS, CourtSettings
from referee.match.events.ending_events import EndMatch
from referee.match.events.office_events import AnswerOfficial
from referee.match.table import commands
from referee.service.match_service import MatchService
from tests.service import house as desk


def opened(house: MatchService, courts: CourtSettings, start: bool = True) -> str:
    """A match of two people with these courts."""
    ask = commands.OpenMatch("monster_combat", "V1", {}, {}, (SeatAssignment("human"),) * 2, courts=courts)
    match = house.open_match(ask, "k").match.id
    for seat in range(2):
        house.execute_command(match, commands.TakeSeat(seat), key=f"sit-{seat}", scope="join")
    if start:
        house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


@pytest.mark.clause("TABLE-END-1")
def test_the_host_ends_a_match_of_the_first_edition_alone() -> None:
    house = desk.service()
    match = opened(house, UNLIMITED_COURTS)
    done = house.execute_command(match, EndMatch("agreed", ((0,), (1,))), key="end", scope="host")
    assert (done.match.status, done.match.endings) == ("finished", ())


def test_a_match_keeps_the_edition_that_it_was_opened_with() -> None:
    house = desk.service()
    for_old, for_new = CourtSettings(play_on=True), CourtSettings(play_on=True, edition=2)
    match = opened(house, UNLIMITED_COURTS, start=False)
    house.execute_command(match, commands.ChangeSettings(courts=for_new), key="c", scope="host")
    assert house.load_match(match).match.courts == for_old
    new = desk.service()
    match = opened(new, DEFAULT_COURTS, start=False)
    new.execute_command(match, commands.ChangeSettings(courts=for_old), key="c", scope="host")
    assert new.load_match(match).match.courts == for_new


def test_a_match_without_officials_is_written_as_before() -> None:
    assert not {"officials", "endings"} & set(encode(Match()))
    assert set(encode(EndMatch("abandoned"))) == {"type", "reason", "placement"}
    assert "offices" not in encode(commands.TakeSeat(0))


def test_only_seats_that_people_hold_answer() -> None:
    house = desk.service()
    ask = commands.OpenMatch("monster_combat", "V1", {}, {}, (SeatAssignment("human"),) * 2, official="somebody")
    match = house.open_match(ask, "k").match.id
    with pytest.raises(IllegalMove) as refused:
        house.execute_command(match, AnswerOfficial(1, True, (0,)), key="a", scope="seat0")
    assert refused.value.ruling.reason == "court.no_say_in_office"
