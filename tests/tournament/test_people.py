"""Who takes part: officials, players, decks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.engine.codec import encode
from referee.engine.rulings import MalformedInput
from referee.engine.seats import BYSTANDER
from referee.tournament import commands
from referee.tournament.deciding.opening import complete_format
from referee.tournament.events import OfficerAccepted, PlayerLeft, ResultRuled, RoundClosed
from referee.tournament.standings import Points
from referee.tournament.state import DEPOSITED_DECKS, Format
from tests.tournament.evening import COMMITTEE, FLOOR, HEAD, Evening, with_format


@pytest.mark.clause("TOURNAMENT-OPEN-1")
def test_a_tournament_names_its_format_and_commits_to_its_lots() -> None:
    opened = Evening().said[0][0]
    assert opened.format.edition == "original" or opened.format.edition  # type: ignore[attr-defined]
    assert opened.commitment == "00"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"game": "chess"}, "/game"),
        ({"system": "lottery"}, "/system"),
        ({"most_seats": 3}, "/seats/most"),
        ({"least_seats": 1}, "/seats/most"),
        ({"rounds": -1}, "/rounds"),
        ({"most_players": 1000}, "/most_players"),
        ({"plays": "maybe"}, "/plays"),
        ({"decks": "some"}, "/decks"),
        ({"plays": "reported", "rated": True}, "/rated"),
        ({"tiebreaks": ("wins", "wins")}, "/tiebreaks"),
        ({"sign_ms": 1}, "/sign_ms"),
        ({"points": Points(draw=Fraction(1, 2))}, "/points/draw"),
        ({"points": Points(win=101)}, "/points/win"),
        ({"variant": "V9"}, "/variant"),
        ({"settings": {"no_such": 1}}, "/settings/no_such"),
    ],
)
@pytest.mark.clause("TOURNAMENT-OPEN-1")
def test_a_format_that_cannot_be_played_is_refused_with_its_member(changes: dict[str, object], pointer: str) -> None:
    with pytest.raises(MalformedInput) as refused:
        complete_format(with_format(**changes))
    assert pointer in [each["pointer"] for each in refused.value.errors]


@pytest.mark.clause("TOURNAMENT-OFFICE-1")
def test_each_appointment_is_an_entry_and_there_is_one_head() -> None:
    at = Evening()
    assert [(each.number, each.office) for each in at.state.officers] == [(1, "head"), (2, "floor"), (3, "committee")]
    at.refuses("one_head", commands.AppointOfficer("another", "head"))
    at.refuses("officer_already", commands.AppointOfficer("official 0", "committee"))
    at.refuses("no_such_office", commands.AppointOfficer("another", "king"))
    at.refuses("no_such_officer", commands.ResignOffice(99))


@pytest.mark.clause("TOURNAMENT-OFFICE-2")
def test_who_enters_accepts_the_officials_named_so_far_and_later_ones_rule_only_if_accepted() -> None:
    at = Evening()
    at.enter(2)
    assert all(each.accepted == (0, 1) for each in at.state.officers)
    at.do(commands.AppointOfficer("late", "floor"))
    late = at.version
    at.do(commands.StartTournament())
    at.do(commands.PairRound())
    ruling = commands.RuleResult(1, 1, late, ((0,), (1,)), (), "seen by me")
    at.refuses("officer_not_accepted", ruling)
    assert at.do(commands.AcceptOfficer(0, late)) == (OfficerAccepted(0, (late,)),)
    at.refuses("officer_not_accepted", ruling)
    at.do(commands.AcceptOfficer(1, late))
    assert at.do(commands.AcceptOfficer(1, late)) == ()
    at.do(ruling)


@pytest.mark.clause("TOURNAMENT-OFFICE-2")
def test_a_player_who_left_hinders_no_official() -> None:
    at = Evening()
    at.start(4)
    at.do(commands.AppointOfficer("late", "floor"))
    late, (stays, goes) = at.version, at.table(1).players
    at.do(commands.AcceptOfficer(stays, late))
    at.do(commands.Leave(goes))
    at.do(commands.RuleResult(1, 1, late, ((stays,), (goes,)), (), "as it was on the board"))


@pytest.mark.clause("TOURNAMENT-OFFICE-3")
def test_nobody_is_player_and_official_at_once() -> None:
    at = Evening()
    at.refuses("officer_plays", commands.Enter("official 0"))
    at.enter(1)
    at.refuses("officer_plays", commands.AppointOfficer("person 0", "floor"))
    at.do(commands.Leave(0))
    at.do(commands.AppointOfficer("person 0", "floor"))


@pytest.mark.clause("TOURNAMENT-OFFICE-4")
def test_an_office_ends_by_an_entry() -> None:
    at = Evening()
    at.start(2)
    at.do(commands.ResignOffice(FLOOR))
    at.refuses("no_such_officer", commands.RuleResult(1, 1, FLOOR, ((0,), (1,)), (), "too late"))
    at.do(commands.AppointOfficer("official 0", "floor"))


@pytest.mark.clause("TOURNAMENT-OFFICE-5")
def test_the_committee_does_not_rule_at_tables() -> None:
    at = Evening()
    at.start(2)
    at.refuses("committee_only", commands.RuleResult(1, 1, COMMITTEE, ((0,), (1,)), (), "because"))
    at.refuses("committee_only", commands.Penalize(0, "late", "warning", COMMITTEE))


@pytest.mark.clause("TOURNAMENT-ENTRY-1")
def test_people_enter_once_until_the_start_as_long_as_there_is_room() -> None:
    at = Evening(with_format(most_players=3))
    at.enter(2)
    at.refuses("entered_already", commands.Enter("person 0"))
    at.do(commands.Enter("bot", 2))
    at.refuses("tournament_full", commands.Enter("person 9"))
    at.refuses("no_such_player", commands.Leave(7))
    at.do(commands.StartTournament())
    at.refuses("registration_closed", commands.Enter("person 9"))


@pytest.mark.clause("TOURNAMENT-ENTRY-2")
def test_who_leaves_loses_the_open_table_and_is_paired_no_more() -> None:
    at = Evening()
    at.start(4)
    goes = at.table(1).players[0]
    lost, left = at.do(commands.Leave(goes))
    assert isinstance(lost, ResultRuled)
    assert lost.forfeits == (goes,)
    assert left == PlayerLeft(goes, "left")
    assert at.table(1).final
    at.refuses("player_left", commands.Leave(goes))
    at.finish_round()
    at.do(commands.PairRound())
    assert at.state.current_round is not None
    assert goes not in [player for each in at.state.current_round.tables for player in each.players]
    assert goes not in at.state.current_round.byes


@pytest.mark.clause("TOURNAMENT-ENTRY-2", "TOURNAMENT-ROUND-2")
def test_leaving_the_last_open_table_closes_the_round() -> None:
    at = Evening()
    at.start(2)
    assert at.do(commands.Leave(0))[1] == PlayerLeft(0, "left")
    assert RoundClosed(1) in at.said[-1]


@pytest.mark.clause("TOURNAMENT-DECK-1")
def test_decks_are_deposited_before_the_start_and_only_their_commitments_are_told() -> None:
    at = Evening(with_format(decks=DEPOSITED_DECKS))
    at.enter(2)
    at.do(commands.DepositDeck(0, "aa"))
    assert at.do(commands.DepositDeck(0, "aa")) == ()
    at.refuses("decks_missing", commands.StartTournament())
    at.do(commands.DepositDeck(1, "bb"))
    at.do(commands.DepositDeck(1, "cc"))
    at.do(commands.StartTournament())
    at.refuses("decks_closed", commands.DepositDeck(0, "dd"))
    assert [each.deck for each in at.state.entrants] == ["aa", "cc"]
    other = Evening()
    other.enter(1)
    other.refuses("no_decks", commands.DepositDeck(0, "aa"))
    other.refuses("no_deck", commands.CheckDeck(0, HEAD, {}, {}))


@pytest.mark.clause("TOURNAMENT-DECK-2")
def test_what_a_deck_check_found_only_officials_and_the_player_learn() -> None:
    at = Evening(with_format(decks=DEPOSITED_DECKS))
    at.enter(2)
    for player in (0, 1):
        at.do(commands.DepositDeck(player, "aa"))
    (checked,) = at.do(commands.CheckDeck(0, FLOOR, {"phoenix_2": 1}, {"dragon": 1}))
    assert not checked.matches  # type: ignore[attr-defined]
    assert checked.view_for(0) is checked
    for viewer in (1, BYSTANDER):
        hidden = encode(checked.view_for(viewer))
        assert hidden == {"type": "tournament.DeckChecked", "check": 8, "officer": FLOOR}
        assert commands.CheckDeck(0, FLOOR, {"phoenix_2": 1}, {}).view_for(viewer, BYSTANDER) is None
    (same,) = at.do(commands.CheckDeck(1, FLOOR, {}, {}))
    assert same.matches  # type: ignore[attr-defined]
    assert same.view_for(BYSTANDER).check == same.check  # type: ignore[attr-defined]


def test_formats_of_every_game_can_be_completed() -> None:
    from referee.games import load_games

    for name, game in load_games().items():
        least = max(2, game.min_seats)
        if least > game.max_seats:
            continue
        form = Format(name, game.variants[0], system="groups", least_seats=least, most_seats=game.max_seats)
        assert complete_format(form).edition
