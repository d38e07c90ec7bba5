"""The dispatch of a tournament's commands to the functions that decide them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.engine.events import Event, Move
from referee.tournament import commands
from referee.tournament.deciding import conduct, people, rounds
from referee.tournament.deciding.evidence import Evidence

COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], tuple[Event, ...]]] = {
    commands.AppointOfficer: people.handle_appointment,
    commands.AcceptOfficer: people.handle_acceptance,
    commands.ResignOffice: people.handle_resignation,
    commands.Enter: people.handle_entry,
    commands.Leave: people.handle_leaving,
    commands.WithdrawInvitation: people.handle_withdrawal,
    commands.DepositDeck: people.handle_deck,
    commands.CheckDeck: people.handle_deck_check,
    commands.StartTournament: rounds.handle_start,
    commands.PairRound: rounds.handle_pairing,
    commands.SeatTable: rounds.handle_seating,
    commands.ReportLapse: rounds.handle_lapse,
    commands.ReopenTable: rounds.handle_reopening,
    commands.RecordResult: rounds.handle_record,
    commands.ReportResult: rounds.handle_report,
    commands.AnswerResult: rounds.handle_answer,
    commands.RuleResult: rounds.handle_ruling,
    commands.Concede: rounds.handle_concession,
    commands.AddTime: rounds.handle_extra_time,
    commands.EndTournament: rounds.handle_end,
    commands.CallOfficer: conduct.handle_call,
    commands.EndCall: conduct.handle_call_end,
    commands.ReportWait: conduct.handle_wait,
    commands.ClaimItem: conduct.handle_claim,
    commands.Penalize: conduct.handle_penalty,
    commands.Expunge: conduct.handle_expunging,
    commands.OpenAppeal: conduct.handle_appeal,
    commands.VoteOnAppeal: conduct.handle_vote,
    commands.TimeIsUp: conduct.handle_time_up,
}
CHANCE_COMMANDS = (commands.StartTournament, commands.PairRound)  # for which lots are drawn


def handle_command(evidence: Evidence, command: Move) -> tuple[Event, ...]:
    """Return the events of a command; none if it changes nothing.

    Raises IllegalMove (TOURNAMENT-*).
    """
    return COMMAND_HANDLERS[type(command)](evidence, command)
