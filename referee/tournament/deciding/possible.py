"""Which kinds of commands somebody can give now.

Commands are tried, and those that the rules do not refuse are listed. So what is listed and what is refused cannot
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from referee.engine.events import Move
from referee.engine.rulings import IllegalMove
from referee.tournament import commands
from referee.tournament.deciding.conduct import CALL_REASONS
from referee.tournament.deciding.dispatch import handle_command
from referee.tournament.deciding.evidence import Evidence
from referee.tournament.deciding.rounds import require_pairing
from referee.tournament.penalties import load_infractions, propose_grade
from referee.tournament.state import Round, Table, Tournament, list_tables

SOME_REASON = "-"


@dataclass(frozen=True, slots=True)
class Giver:
    """Who may give commands: what they are in a tournament.

    `player` and `officer` are numbers; None if they are none. `is_director`: its host or its head official. `items`
    are what waits for officials.
    """

    player: int | None = None
    officer: int | None = None
    is_host: bool = False
    is_director: bool = False
    items: Iterable[str] = ()


Candidates = Callable[[Tournament, Giver], Iterator[Move]]


def list_possible_kinds(state: Tournament, version: int, now_ms: int, giver: Giver) -> set[type[Move]]:
    """Return the kinds of commands of which the giver can give at least one."""
    if state.is_over:
        return set()
    evidence = Evidence(state, version, now_ms, lambda _most: 0)
    return {
        kind
        for kind, propose in CANDIDATES.items()
        if any(_is_possible(evidence, command) for command in propose(state, giver))
    }


def _is_possible(evidence: Evidence, command: Move) -> bool:
    """Tell whether the rules take a command, and it would change something.

    The search for the best pairing takes long and refuses nothing, so it is left out.
    """
    try:
        if isinstance(command, commands.PairRound):
            require_pairing(evidence, command)
            return True
        return bool(handle_command(evidence, command))
    except IllegalMove:
        return False


def _list_open_tables(state: Tournament, player: int | None = None) -> Iterator[tuple[Round, Table]]:
    """Yield the tables without a final result: all, or those of a player."""
    for one, table in list_tables(state):
        if not table.final and (player is None or player in table.players):
            yield one, table


# -- of who runs the tournament ----------------------------------------------------------------------------------------


def _propose_for_director(command: Move) -> Candidates:
    return lambda _state, giver: iter((command,) if giver.is_director else ())


def _propose_pairing(state: Tournament, giver: Giver) -> Iterator[Move]:
    if not giver.is_director or state.status != "running":
        return
    least = state.format.least_seats
    seated = len(state.players) // least * least
    named = tuple(state.players[at : at + least] for at in range(0, seated, least))
    yield commands.PairRound(named if state.format.system == "manual" else ())


def _propose_resignation(state: Tournament, giver: Giver) -> Iterator[Move]:
    """Yield the giver's own resignation.

    Whose office the host may end stands with each official.
    """
    yield from (
        commands.ResignOffice(each.number) for each in state.officers if not each.left and each.number == giver.officer
    )


def _propose_record(state: Tournament, giver: Giver) -> Iterator[Move]:
    if giver.officer is None and not giver.is_host:
        return
    for one, table in _list_open_tables(state):
        yield commands.RecordResult(one.number, table.number, (table.players,), giver.officer or 0)


# -- of officials ------------------------------------------------------------------------------------------------------


def _propose_for_officer(propose: Callable[[Tournament, int], Iterator[Move]]) -> Candidates:
    return lambda state, giver: iter(()) if giver.officer is None else propose(state, giver.officer)


def _propose_ruling(state: Tournament, officer: int) -> Iterator[Move]:
    for one, table in list_tables(state):
        yield commands.RuleResult(one.number, table.number, officer, (table.players,), (), SOME_REASON)


def _propose_reopening(state: Tournament, officer: int) -> Iterator[Move]:
    for one, table in _list_open_tables(state):
        yield commands.ReopenTable(one.number, table.number, officer, SOME_REASON)


def _propose_time(state: Tournament, officer: int) -> Iterator[Move]:
    for one, table in _list_open_tables(state):
        yield commands.AddTime(one.number, table.number, officer, 1)


def _propose_penalty(state: Tournament, officer: int) -> Iterator[Move]:
    for player in state.players:
        for infraction in load_infractions():
            grade = propose_grade(state, player, infraction)
            yield commands.Penalize(player, infraction, grade, officer)


def _propose_expunging(state: Tournament, officer: int) -> Iterator[Move]:
    yield from (commands.Expunge(each.number, officer, SOME_REASON) for each in state.penalties)


def _propose_check(state: Tournament, officer: int) -> Iterator[Move]:
    yield from (commands.CheckDeck(player, officer, {}, {}) for player in state.players)


def _propose_vote(state: Tournament, officer: int) -> Iterator[Move]:
    yield from (commands.VoteOnAppeal(each.number, officer, False) for each in state.appeals)


def _propose_claim(state: Tournament, giver: Giver) -> Iterator[Move]:
    if giver.officer is None:
        return
    yield from (commands.ClaimItem(each.item, giver.officer, release=True) for each in state.claims)
    yield from (commands.ClaimItem(each, giver.officer) for each in giver.items)


# -- of players --------------------------------------------------------------------------------------------------------


def _propose_for_player(propose: Callable[[Tournament, int], Iterator[Move]]) -> Candidates:
    return lambda state, giver: iter(()) if giver.player is None else propose(state, giver.player)


def _propose_leaving(_state: Tournament, player: int) -> Iterator[Move]:
    """Yield the giver's own leaving.

    Whom the host may take out stands with each player.
    """
    yield commands.Leave(player)


def _propose_acceptance(state: Tournament, player: int) -> Iterator[Move]:
    yield from (commands.AcceptOfficer(player, each.number) for each in state.officers)


def _propose_report(state: Tournament, player: int) -> Iterator[Move]:
    for one, table in _list_open_tables(state, player):
        yield commands.ReportResult(one.number, table.number, (table.players,), player)


def _propose_answer(state: Tournament, player: int) -> Iterator[Move]:
    for one, table in _list_open_tables(state, player):
        yield from (commands.AnswerResult(one.number, table.number, player, agree) for agree in (True, False))


def _propose_concession(_state: Tournament, player: int) -> Iterator[Move]:
    yield commands.Concede(player)


def _propose_call(_state: Tournament, player: int) -> Iterator[Move]:
    yield commands.CallOfficer(player, CALL_REASONS[0])


def _propose_end_of_call(state: Tournament, giver: Giver) -> Iterator[Move]:
    for call in state.calls:
        if giver.officer is not None:
            yield commands.EndCall(call.number, giver.officer)
        elif call.by == giver.player:
            yield commands.EndCall(call.number)


def _propose_appeal(state: Tournament, player: int) -> Iterator[Move]:
    for entry in (*(each.number for each in state.penalties), *(each.entry for each in state.rulings)):
        yield commands.OpenAppeal(player, entry, SOME_REASON)


CANDIDATES: dict[type[Move], Candidates] = {
    commands.StartTournament: _propose_for_director(commands.StartTournament()),
    commands.PairRound: _propose_pairing,
    commands.EndTournament: _propose_for_director(commands.EndTournament()),
    commands.Enter: _propose_for_director(commands.Enter("", 0)),
    commands.Leave: _propose_for_player(_propose_leaving),
    commands.ResignOffice: _propose_resignation,
    commands.RecordResult: _propose_record,
    commands.RuleResult: _propose_for_officer(_propose_ruling),
    commands.ReopenTable: _propose_for_officer(_propose_reopening),
    commands.AddTime: _propose_for_officer(_propose_time),
    commands.Penalize: _propose_for_officer(_propose_penalty),
    commands.Expunge: _propose_for_officer(_propose_expunging),
    commands.CheckDeck: _propose_for_officer(_propose_check),
    commands.VoteOnAppeal: _propose_for_officer(_propose_vote),
    commands.ClaimItem: _propose_claim,
    commands.AcceptOfficer: _propose_for_player(_propose_acceptance),
    commands.ReportResult: _propose_for_player(_propose_report),
    commands.AnswerResult: _propose_for_player(_propose_answer),
    commands.Concede: _propose_for_player(_propose_concession),
    commands.CallOfficer: _propose_for_player(_propose_call),
    commands.EndCall: _propose_end_of_call,
    commands.OpenAppeal: _propose_for_player(_propose_appeal),
}
