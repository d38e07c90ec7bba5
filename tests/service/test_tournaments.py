"""The tournament service: idempotent writes, two processes, time, lots, and results from matches."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.eventstore.memory.log import MemoryLog
from referee.match.entries import LogEntry, decode_entry, decode_public_entry
from referee.match.errors import IdempotencyKeyConflict, VersionConflict
from referee.repository.tournaments import UnknownTournament, replay_tournament
from referee.service.match_service import MatchService
from referee.service.tournament_service import TournamentService
from referee.tournament import commands
from referee.tournament.deciding.opening import complete_format
from referee.tournament.events import fold_events
from referee.tournament.state import LOTS, REFEREED, Tournament, is_tournament_id
from tests.service.house import service
from tests.tournament.evening import FORMAT, with_format


def open_tournament(at: TournamentService, players: int = 0, key: str = "k", **changes: object) -> str:
    """Open a tournament with a head official, and enter people."""
    done = at.open(commands.OpenTournament(complete_format(with_format(**changes)), "h"), key)
    for number in range(players):
        enter(at, done.after.state.id, number)
    return done.after.state.id


def enter(at: TournamentService, name: str, number: int) -> None:
    at.execute(name, commands.Enter(f"p{number}"), key=f"e{number}", scope="join", actor=f"player:{number}")


def run(at: TournamentService, name: str, command: object, key: str) -> Tournament:
    return at.execute(name, command, key=key, scope="host", actor="host").after.state  # type: ignore[arg-type]


@pytest.fixture
def at() -> TournamentService:
    return TournamentService(service())


def test_a_repeated_opening_finds_its_tournament_and_another_with_its_key_is_refused(at: TournamentService) -> None:
    name = open_tournament(at)
    assert is_tournament_id(name)
    assert open_tournament(at) == name
    with pytest.raises(IdempotencyKeyConflict):
        open_tournament(at, rounds=1)
    assert open_tournament(at, key="other") != name
    for unknown in ("07-Tnone", "07-abc", "x"):
        with pytest.raises(UnknownTournament):
            at.load(unknown)


def test_a_repeated_command_is_answered_as_before_and_writes_nothing(at: TournamentService) -> None:
    name = open_tournament(at)
    first = at.execute(name, commands.Enter("p"), key="e", scope="join", actor="player:0")
    again = at.execute(name, commands.Enter("p"), key="e", scope="join", actor="player:0")
    assert (first.entry, again.entry, again.replayed) == (2, 2, True)
    assert again.receipt == first.receipt
    with pytest.raises(IdempotencyKeyConflict):
        at.execute(name, commands.Enter("q"), key="e", scope="join", actor="player:0")
    with pytest.raises(VersionConflict):
        at.execute(name, commands.Enter("q"), key="f", scope="join", actor="player:0", strict=1)
    assert at.load(name).version == 2


def test_a_command_that_changes_nothing_writes_nothing(at: TournamentService) -> None:
    name = open_tournament(at, 2)
    done = at.execute(name, commands.AcceptOfficer(0, 1), key="a", scope="p0", actor="player:0")
    assert (done.entry, done.after.version) == (0, 3)


def test_two_processes_see_each_others_entries() -> None:
    log = MemoryLog()
    one, two = TournamentService(service(log)), TournamentService(service(log))
    name = open_tournament(one)
    enter(two, name, 0)
    enter(one, name, 1)
    assert two.load(name).state == one.load(name).state
    assert len(two.load(name).state.entrants) == 2


def test_a_process_that_kept_a_lost_history_reads_it_from_the_start(at: TournamentService) -> None:
    name = open_tournament(at, 3)
    kept = at.load(name)
    at.repository._kept[name] = replace(
        kept, state=Tournament(id="other"), head=replace(kept.head, root=b"x" * 32, frontier=(b"x" * 32,))
    )
    assert at.load(name).state == kept.state


def test_harmless_entries_before_a_draw_change_no_lots() -> None:
    """Who knows the secret cannot count on until a draw suits them: the number of the round is its place."""
    drawn = []
    for harmless in (0, 1, 5):
        at = TournamentService(service())
        name = open_tournament(at, 6)
        add_harmless_entries(at, name, harmless, "before the start")
        run(at, name, commands.StartTournament(), "s")
        add_harmless_entries(at, name, harmless, "before the round")
        state = run(at, name, commands.PairRound(), "p")
        drawn.append((state.lots, [table.players for table in state.rounds[0].tables]))
    assert drawn[0] == drawn[1] == drawn[2]


def add_harmless_entries(at: TournamentService, name: str, count: int, when: str) -> None:
    """Name officials, who change nothing."""
    for number in range(count):
        run(at, name, commands.AppointOfficer(f"{when} {number}", "floor"), f"{when} {number}")


def test_lots_come_from_the_secret_that_was_committed_to(at: TournamentService) -> None:
    name = open_tournament(at, 6)
    state = run(at, name, commands.StartTournament(), "s")
    draws = at.matches.appender.draws
    assert draws.commitment(name, LOTS) == state.commitment
    below = draws.source(name, LOTS, 0, commands.StartTournament.TAG)
    from referee.tournament.pairing.systems import draw_lots

    assert draw_lots(range(6), below) == state.lots


def test_silence_makes_a_result_final_at_the_next_look(at: TournamentService, monkeypatch: pytest.MonkeyPatch) -> None:
    name = open_tournament(at, 2)
    run(at, name, commands.StartTournament(), "s")
    state = run(at, name, commands.PairRound(), "r")
    first, second = state.rounds[0].tables[0].players
    run(at, name, commands.ReportResult(1, 1, ((first,), (second,)), first), "res")
    assert not at.load(name).state.rounds[0].tables[0].final
    now = at.log.now()
    monkeypatch.setattr(time, "time", lambda: (now + FORMAT.sign_ms + 1) / 1000)
    monkeypatch.setattr(type(at.log), "now", lambda _log: now + FORMAT.sign_ms + 1)
    state = at.load(name).state
    assert state.rounds[0].closed
    (last,) = at.repository.load_entries(name, at.load(name).version - 1)
    assert (last.actor, last.clauses[0]) == ("clock", "TOURNAMENT-RESULT-2")


def test_what_others_may_know_folds_to_what_others_may_know(at: TournamentService) -> None:
    """Every public entry applies to the public tournament, and says the same of rounds and results as the whole."""
    name = open_tournament(at, 4)
    run(at, name, commands.StartTournament(), "s")
    state = run(at, name, commands.PairRound(), "r")
    player = state.rounds[0].tables[0].players[0]
    run(at, name, commands.Penalize(player, "late", "warning", 1, "sat down"), "p1")
    run(at, name, commands.Penalize(player, "late", "game_loss", 1), "p2")
    whole = at.load(name).state
    stored = at.log.read_entries(name, 0, 100)
    public = replay_tournament(Tournament(), [decode_public_entry(each) for each in stored])
    assert public.rounds == whole.rounds
    assert [each.player for each in public.penalties] == [-1, player]
    entries = [decode_entry(each) for each in stored]
    assert replay_tournament(Tournament(), entries) == whole
    for seen, entry in zip([decode_public_entry(each) for each in stored], entries, strict=True):
        assert seen.events == entry.view_for(BYSTANDER)[1]
        assert entry.view_for(FULL_VIEWER) == (entry.move, entry.events)


def test_how_a_match_ended_becomes_the_result_of_its_table() -> None:
    from referee.match.aggregate import SeatAssignment
    from referee.match.table import commands as table_commands
    from workers.bots.player import play_bots

    matches: MatchService = service()
    at = TournamentService(matches)
    name = open_tournament(at, plays=REFEREED)
    for number in range(2):
        at.execute(name, commands.Enter(f"b{number}", 1), key=f"b{number}", scope="host", actor="host")
    run(at, name, commands.StartTournament(), "s")
    state = run(at, name, commands.PairRound(), "r")
    chairs = (SeatAssignment("bot", 1), SeatAssignment("bot", 1))
    opened = matches.open_match(table_commands.OpenMatch("monster_combat", "V1", {}, {}, chairs), "m1")
    run(at, name, commands.SeatTable(1, 1, opened.match.id), "seat")
    matches.execute_command(opened.match.id, table_commands.StartMatch(), key="start", scope="host")
    assert at.load(name).state.rounds[0].tables[0].result is None
    play_bots(matches, opened.match.id, moves=2000, seconds=60)
    match = matches.load_match(opened.match.id).match
    assert match.end is not None
    table = at.load(name).state.rounds[0].tables[0]
    assert table.final, "two bots sign at once"
    assert table.by == "match"
    assert table.result is not None
    winner = table.players[match.end.winners[0]] if len(match.end.winners) == 1 else None
    assert table.result.winner == winner
    assert state.rounds[0].tables[0].players == table.players


def test_the_end_closes_the_log(at: TournamentService) -> None:
    name = open_tournament(at)
    run(at, name, commands.EndTournament(), "end")
    assert at.load(name).head.status == "over"
    from referee.engine.rulings import IllegalMove

    with pytest.raises(IllegalMove) as refused:
        enter(at, name, 9)
    assert refused.value.reason == "tournament_over"
    assert run(at, name, commands.EndTournament(), "end").status == "withdrawn", "the repeated request is answered"


def test_entries_fold_as_they_were_decided(at: TournamentService) -> None:
    name = open_tournament(at, 3)
    state = Tournament()
    entry: LogEntry
    for entry in at.repository.load_entries(name):
        state = fold_events(state, entry.events)
    assert state == at.load(name).state
