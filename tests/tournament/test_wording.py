"""Every event of a tournament has its line, in both languages, and says no more than its viewer may know."""

from __future__ import annotations

from referee.engine.codec import REGISTRY
from referee.engine.events import Event
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.tournament import commands
from referee.tournament.events import OfficerAccepted
from referee.tournament.pairing import REASONS
from referee.tournament.rulebook import TOURNAMENT_BOOK
from referee.tournament.wording import describe_event
from tests.tournament.evening import FLOOR, HEAD, Evening, with_format


def test_every_reason_why_a_round_cannot_be_paired_has_its_text() -> None:
    for reason in REASONS:
        assert TOURNAMENT_BOOK.has_text(f"pairing.{reason}"), reason


def play_everything() -> list[Event]:
    """Return the events of an evening in which everything happens."""
    at = Evening(with_format(round_ms=600_000, decks="deposited", system="swiss", rounds=3))
    at.enter(6)
    at.do(commands.AppointOfficer("late", "committee"))
    for player in range(6):
        at.do(commands.DepositDeck(player, "aa"))
    at.do(commands.StartTournament())
    at.do(commands.PairRound())
    at.do(commands.SeatTable(1, 3, "07-abc"))
    at.do(commands.ReportWait(1, 3, "07-abc", 9, 60_000))
    at.do(commands.ReportLapse(1, 3, "07-abc"))
    at.do(commands.ReopenTable(1, 3, FLOOR, "by mistake"))
    at.do(commands.WithdrawInvitation("ab12"))
    player, other = at.table(1).players
    at.do(commands.CallOfficer(player, "rules"))
    call = at.version
    at.do(commands.ClaimItem(f"call:{call}", FLOOR))
    at.do(commands.ClaimItem(f"call:{call}", FLOOR, release=True))
    at.now_ms += 1_000
    at.do(commands.EndCall(call, FLOOR))
    at.do(commands.CheckDeck(player, FLOOR, {"phoenix_2": 1}, {}))
    at.report(1)
    at.do(commands.AnswerResult(1, 1, other, False))
    at.do(commands.RuleResult(1, 1, FLOOR, ((player,), (other,)), (), "seen"))
    at.do(commands.OpenAppeal(other, at.version, "no"))
    at.do(commands.VoteOnAppeal(at.version, 3, True))
    at.penalize(player, "warning")
    number = at.penalize(player, "game_loss", officer=FLOOR)
    at.do(commands.OpenAppeal(player, number, "no"))
    at.do(commands.VoteOnAppeal(at.version, 3, True))
    out = at.penalize(player, "disqualification", "cheating", HEAD)
    at.do(commands.Expunge(out, HEAD, "mistaken"))
    at.report(2)
    at.sign(2)
    leaver = at.table(2).players[0]
    at.penalize(leaver, "match_loss", because="gross")
    late = at.version
    at.do(commands.Expunge(late, HEAD, "mistaken"))
    at.do(commands.AcceptOfficer(other, 10))
    at.do(commands.Leave(leaver))
    at.do(commands.RuleResult(1, 1, HEAD, ((other,), (player,)), (), "what was reported first was right"))
    third = at.table(3).players
    at.do(commands.ReportResult(1, 3, tuple((each,) for each in third), -1))
    at.wait(at.state.format.sign_ms)
    at.do(commands.ResignOffice(FLOOR))
    at.finish_round()
    at.do(commands.PairRound())
    last = at.state.rounds[-1].tables[-1]
    for table in at.state.rounds[-1].tables[:-1]:
        at.report(table.number)
        at.sign(table.number)
    late = at.penalize(last.players[0], "game_loss", because="grave")
    at.do(commands.Expunge(late, HEAD, "mistaken"))
    at.finish()
    return [event for said in at.said for event in said]


def test_every_event_has_a_line_for_everybody_and_none_is_left_out() -> None:
    events = play_everything()
    tags = {tag for tag, kind in REGISTRY.items() if tag.startswith("tournament.") and issubclass(kind, Event)}
    assert {event.TAG for event in events} == tags
    for event in events:
        for viewer in (BYSTANDER, FULL_VIEWER, 0, 1):
            line = describe_event(event.view_for(viewer))
            for lang in LANGUAGES:
                assert line[lang].endswith("."), line
                assert "Player 0" not in line[lang]
                assert "Spieler 0" not in line[lang]


def test_officials_who_are_accepted_are_named_as_appointments() -> None:
    line = describe_event(OfficerAccepted(1, (1, 4)))
    assert line["en"] == "Player 2 has accepted these appointments: 1, 4."
    assert line["de"] == "Spieler 2 ist mit diesen Ernennungen einverstanden: 1, 4."
