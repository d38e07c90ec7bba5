"""Matches opened by earlier editions of the courts: their rights stay as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.codec import encode
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import Match, SeatAssignment
from referee.match.bots import substitution as bot_substitution
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


@pytest.mark.parametrize(("edition", "status"), [(2, "finished"), (3, "running")])
def test_in_a_match_of_the_second_edition_the_host_ends_what_one_person_is_left_of(edition: int, status: str) -> None:
    house = desk.service()
    match = opened(house, replace(DEFAULT_COURTS, edition=edition))
    house.execute_command(match, commands.LeaveSeat(0), key="leave", scope="seat0")
    done = house.execute_command(match, EndMatch("agreed", ((0,), (1,)), "host"), key="end", scope="host")
    assert done.match.status == status
    assert find_first_divergence(house.repository.load_entries(match)) is None


def test_in_a_match_of_the_second_edition_answers_about_bots_name_no_question() -> None:
    house = desk.service()
    match = opened(house, replace(DEFAULT_COURTS, edition=2))
    house.execute_command(match, commands.LeaveSeat(0), key="leave", scope="seat0")
    asked = house.execute_command(match, bot_substitution.SeatBot(0, 1, ()), key="ask", scope="host").match
    assert [each.number for each in asked.proposals] == [0]
    done = house.execute_command(match, bot_substitution.AnswerBot(0, True, (1,)), key="yes", scope="seat1")
    assert done.match.chairs[0].kind == "bot"
    assert find_first_divergence(house.repository.load_entries(match)) is None


def test_a_match_keeps_the_edition_that_it_was_opened_with() -> None:
    house = desk.service()
    for_old, for_new = CourtSettings(play_on=True), CourtSettings(play_on=True, edition=DEFAULT_COURTS.edition)
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
