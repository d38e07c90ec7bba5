"""Rounds and results: lots, pairings, reports, signatures, rulings, the end."""

from __future__ import annotations

from dataclasses import replace

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.tournament import commands
from referee.tournament.conduct_events import LossTaken
from referee.tournament.deciding.evidence import (
    Evidence,
    close_round,
    decide_loss,
    find_open_place,
    list_open_places,
    require_entrant,
    require_ruling_officer,
    require_running,
    require_table,
)
from referee.tournament.events import (
    MatchLapsed,
    ResultDisputed,
    ResultFinal,
    ResultReported,
    ResultRuled,
    ResultSigned,
    RoundPaired,
    TableReopened,
    TableSeated,
    TimeAdded,
    TournamentEnded,
    TournamentStarted,
    fold_events,
)
from referee.tournament.pairing.systems import NotPairable, count_rounds, draw_lots, pair_round, require_pairable
from referee.tournament.standings import StandingRow, compute_standings
from referee.tournament.state import DEPOSITED_DECKS, FIRST_SCHEME, REPORTED, SECTIONS_SCHEME, Round, Table, Tournament

Events = tuple[Event, ...]
LEAST_PLAYERS = 2
MAX_EXTRA_MS = 60 * 60 * 1000  # that one entry can add to a table's time
FROM_MATCH = -1  # who reports a result that the match of the table has


def find_lots_place(state: Tournament, version: int) -> int:
    """Return the place of the next lots in the stream of the secret.

    That is the number of the round, 0 at the start: entries before the draw change nothing. In the first scheme it is
    the version of the entry.
    """
    if state.format.scheme == FIRST_SCHEME:
        return version
    return 0 if state.status == "registration" else len(state.rounds) + 1


def handle_start(evidence: Evidence, _: commands.StartTournament) -> Events:
    """Close the registration and draw the lots.

    TOURNAMENT-START-1: The host starts a tournament once, with two players at least.

    TOURNAMENT-PAIR-1: The server draws the lots by the secret that it committed to at the opening and by the number of
    the round alone, and pairs each round by the system that was announced; with the secret anybody can repeat both.
    """
    state = evidence.state
    if state.status != "registration":
        raise IllegalMove("started_already", "TOURNAMENT-START-1")
    if len(state.players) < max(LEAST_PLAYERS, state.format.least_seats):
        raise IllegalMove("too_few_players", "TOURNAMENT-START-1", least=max(LEAST_PLAYERS, state.format.least_seats))
    if state.format.decks == DEPOSITED_DECKS:
        lacking = [each.number for each in state.entrants if each.status == "playing" and not each.deck]
        if lacking:
            raise IllegalMove("decks_missing", "TOURNAMENT-DECK-1", players=lacking)
    lots = draw_lots(state.players, evidence.below)
    try:
        rounds = count_rounds(state.format.system, len(lots), state.format.rounds)
    except NotPairable as wrong:
        raise _refuse_pairing(wrong) from wrong
    return (TournamentStarted(lots, rounds),)


def _refuse_pairing(wrong: NotPairable) -> IllegalMove:
    """Return the refusal of a round that cannot be paired."""
    params = dict(wrong.params)
    if wrong.reason == "not_splittable":
        params["span"] = int(params["most"]) - int(params["least"])  # so that a text does not say "2 to 2"
    return IllegalMove(f"pairing.{wrong.reason}", "TOURNAMENT-PAIR-1", **params)


def handle_pairing(evidence: Evidence, command: commands.PairRound) -> Events:
    """Pair the next round, and begin it.

    TOURNAMENT-ROUND-1: A round is paired when the one before has ended. Where tables are refereed, the server opens
    their matches.

    TOURNAMENT-PAIR-2: The host names the tables only if the tournament was opened so; that is an entry as well.
    """
    require_pairing(evidence, command)
    state = evidence.state
    number = len(state.rounds) + 1
    tables = command.tables or _pair(evidence, number)
    seated = tuple(each for each in tables if len(each) > 1)
    alone = {each[0] for each in tables if len(each) == 1}  # who was knocked out sits nowhere and has no bye
    if command.tables:
        alone = set(state.players) - {player for each in seated for player in each}
    byes = tuple(sorted(alone))
    return complete_pairing(evidence, RoundPaired(number, seated, byes, evidence.now_ms))


def require_pairing(evidence: Evidence, command: commands.PairRound) -> None:
    """Refuse a pairing that cannot be made now, before anything is drawn for it.

    It rests on TOURNAMENT-ROUND-1 and TOURNAMENT-PAIR-2. Raises IllegalMove.
    """
    state = evidence.state
    require_running(state)
    if (one := state.open_round) is not None:
        left = sum(not each.final for each in one.tables)
        raise IllegalMove("round_open", "TOURNAMENT-ROUND-1", round=one.number, tables=left)
    if state.format.system == "knockout" and any(each.stage == "open" for each in state.appeals):
        raise IllegalMove("appeals_open", "TOURNAMENT-END-1")
    if state.planned and len(state.rounds) >= state.planned:
        raise IllegalMove("no_more_rounds", "TOURNAMENT-ROUND-1", rounds=state.planned)
    if (state.format.system == "manual") != bool(command.tables):
        raise IllegalMove("pairings_named" if command.tables else "pairings_missing", "TOURNAMENT-PAIR-2")
    if command.tables:
        _check_named_tables(state, command.tables)
        return
    sizes = (state.format.least_seats, state.format.most_seats)
    try:
        require_pairable(
            state.format.system, state.players, state.results, len(state.rounds) + 1, sizes[1], sizes, lots=state.lots
        )
    except NotPairable as wrong:
        raise _refuse_pairing(wrong) from wrong


def complete_pairing(evidence: Evidence, paired: RoundPaired) -> Events:
    """Return a paired round with what follows from it at once."""
    return tuple(close_round(evidence.state, (paired, *_carry_out_losses(evidence, paired))))


def _pair(evidence: Evidence, number: int) -> tuple[tuple[int, ...], ...]:
    state = evidence.state
    sizes = (state.format.least_seats, state.format.most_seats)
    try:
        return pair_round(
            state.format.system, state.players, state.results, number, evidence.below, sizes[1], sizes,
            lots=state.lots, points=state.format.points, is_cut=state.format.scheme >= SECTIONS_SCHEME,
        ).tables  # fmt: skip
    except NotPairable as wrong:
        raise _refuse_pairing(wrong) from wrong


def _check_named_tables(state: Tournament, tables: tuple[tuple[int, ...], ...]) -> None:
    """Refuse tables of the host unless each player sits once at most, at a full table.

    Raises IllegalMove.
    """
    named = [player for each in tables for player in each]
    if wrong := sorted({each for each in named if named.count(each) > 1 or each not in state.players}):
        raise IllegalMove("pairing_players", "TOURNAMENT-PAIR-2", players=wrong)
    sizes = range(state.format.least_seats, state.format.most_seats + 1)
    nobody_plays = state.format.scheme != FIRST_SCHEME and not any(len(each) in sizes for each in tables)
    if nobody_plays or any(len(each) not in (1, *sizes) for each in tables):
        least, most = sizes.start, sizes.stop - 1
        raise IllegalMove("pairing_sizes", "TOURNAMENT-PAIR-2", least=least, most=most, span=most - least)


def _carry_out_losses(evidence: Evidence, paired: RoundPaired) -> Events:
    """Return what the losses do that waited for this round (TOURNAMENT-PENALTY-4)."""
    state, events = paired.apply(evidence.state), list[Event]()
    for loss in state.losses:
        (given,) = (each for each in state.penalties if each.number == loss.penalty)
        place = find_open_place(state, loss.player)
        if place is None:
            continue  # a bye costs nobody a game; the loss waits on
        then = Evidence(state, evidence.version, evidence.now_ms)
        lost = decide_loss(then, place, loss.player, given.by, loss.penalty)
        events += [lost, LossTaken(loss.penalty)]
        state = fold_events(state, events[-2:])
    return tuple(events)


def handle_seating(evidence: Evidence, command: commands.SeatTable) -> Events:
    """Name the match that the server opened for a table (TOURNAMENT-ROUND-1)."""
    require_running(evidence.state)
    _, table = require_table(evidence.state, command.round, command.table)
    return () if table.match else (TableSeated(command.round, command.table, command.match),)


def handle_lapse(evidence: Evidence, command: commands.ReportLapse) -> Events:
    """Note that the match of a table ended without a result.

    TOURNAMENT-ROUND-3: If the match of a table ends without a result, the table waits for an official, who rules how it
    ended or has a new match opened, and says why.
    """
    require_running(evidence.state)
    one, table = _require_unfinished(evidence.state, command.round, command.table)
    if table.match != command.match or table.lapsed or table.result is not None:
        return ()
    return (MatchLapsed(one.number, table.number, table.match, evidence.entry),)


def handle_reopening(evidence: Evidence, command: commands.ReopenTable) -> Events:
    """Have a new match opened for a table (TOURNAMENT-ROUND-3)."""
    state = evidence.state
    require_running(state)
    one, table = _require_unfinished(state, command.round, command.table)
    require_ruling_officer(state, command.officer, table.players)
    if not table.lapsed:
        raise IllegalMove("match_not_lapsed", "TOURNAMENT-ROUND-3", table=table.number)
    if not command.because.strip():
        raise IllegalMove("reason_missing", "TOURNAMENT-ROUND-3")
    return (TableReopened(one.number, table.number, command.officer),)


def handle_record(evidence: Evidence, command: commands.RecordResult) -> Events:
    """Record how a table of bots ended.

    TOURNAMENT-RESULT-5: Where tables only report how they ended, an official or the host reports it for a table at
    which only bots sit.
    """
    state = evidence.state
    require_running(state)
    one, table = _require_unfinished(state, command.round, command.table)
    if table.match or state.format.plays != REPORTED:
        raise IllegalMove("match_reports", "TOURNAMENT-RESULT-1", table=table.number)
    if not all(state.entrants[each].is_bot for each in table.players):
        raise IllegalMove("people_report", "TOURNAMENT-RESULT-5", table=table.number)
    if command.officer:
        require_ruling_officer(state, command.officer, table.players)
    check_placement(table, command.placement, ())
    reported = ResultReported(
        one.number, table.number, command.placement, f"official:{command.officer}" if command.officer else "host",
        evidence.entry, table.players, evidence.now_ms,
    )  # fmt: skip
    return tuple(close_round(state, (reported, ResultFinal(one.number, table.number))))


def handle_report(evidence: Evidence, command: commands.ReportResult) -> Events:
    """Report how a table ended.

    TOURNAMENT-RESULT-1: Where tables are refereed, the match reports its result; elsewhere any player of the table
    does. Who reported can report another result as long as nobody else has signed the first.
    """
    state = evidence.state
    require_running(state)
    one, table = _require_unfinished(state, command.round, command.table)
    is_match = command.by == FROM_MATCH
    if not is_match and command.by not in table.players:
        raise IllegalMove("not_at_table", "TOURNAMENT-RESULT-1", table=table.number)
    if not is_match and table.match:
        raise IllegalMove("match_reports", "TOURNAMENT-RESULT-1", table=table.number)
    if table.disputed:
        raise IllegalMove("result_disputed", "TOURNAMENT-RESULT-3", table=table.number)
    bots = {each for each in table.players if state.entrants[each].is_bot}
    by, own = ("match", bots) if is_match else (f"player:{command.by}", {command.by, *bots})
    if table.result is not None and (table.by != by or set(table.signed) - own):
        raise IllegalMove("reported_already", "TOURNAMENT-RESULT-1", table=table.number)
    check_placement(table, command.placement, ())
    signed = tuple(sorted(own))
    until_ms = evidence.now_ms + state.format.sign_ms
    bound = (command.match_version, command.match_root) if is_match else (0, "")
    reported = ResultReported(
        one.number, table.number, command.placement, by, evidence.entry, signed, until_ms, *bound
    )  # fmt: skip
    done = (ResultFinal(one.number, table.number),) if set(signed) == set(table.players) else ()
    return tuple(close_round(state, (reported, *done)))


def handle_answer(evidence: Evidence, command: commands.AnswerResult) -> Events:
    """Sign a result, or object to it.

    TOURNAMENT-RESULT-2: A result is final once every player of the table has signed it, or nobody has objected in time.

    TOURNAMENT-RESULT-3: If a player objects, the result waits for an official.
    """
    state = evidence.state
    require_running(state)
    _, table = _require_unfinished(state, command.round, command.table)
    if command.player not in table.players:
        raise IllegalMove("not_at_table", "TOURNAMENT-RESULT-1", table=table.number)
    if table.result is None:
        raise IllegalMove("no_result", "TOURNAMENT-RESULT-1", table=table.number)
    place = (command.round, table.number, command.player)
    if not command.agree:
        return () if command.player in table.disputed else (ResultDisputed(*place),)
    if table.disputed:
        raise IllegalMove("result_disputed", "TOURNAMENT-RESULT-3", table=table.number)
    if command.player in table.signed:
        return ()
    final = {*table.signed, command.player} == set(table.players)
    done = (ResultFinal(command.round, table.number),) if final else ()
    return tuple(close_round(state, (ResultSigned(*place), *done)))


def handle_ruling(evidence: Evidence, command: commands.RuleResult) -> Events:
    """Rule how a table ended.

    TOURNAMENT-RESULT-4: An official can rule how a table ended, also when its result is final, and says why. Rounds
    that were paired since stay as they are. In a knockout, where they rest on the result, only the last round is open
    to that.
    """
    state = evidence.state
    require_running(state)
    _, table = require_table(state, command.round, command.table)
    require_ruling_officer(state, command.officer, table.players)
    if not command.because.strip():
        raise IllegalMove("reason_missing", "TOURNAMENT-RESULT-4")
    if state.has_bracket_gone_on(command.round):
        raise IllegalMove("bracket_went_on", "TOURNAMENT-RESULT-4", round=command.round)
    check_placement(table, command.placement, command.forfeits)
    ruled = ResultRuled(
        command.round, table.number, command.placement, tuple(sorted(command.forfeits)), command.officer,
        evidence.entry, evidence.now_ms,
    )  # fmt: skip
    return tuple(close_round(state, (ruled,)))


def handle_concession(evidence: Evidence, command: commands.Concede) -> Events:
    """Let a player give up their table (TOURNAMENT-RESULT-4)."""
    state = evidence.state
    require_running(state)
    require_entrant(state, command.player)
    places = list_open_places(state, command.player)
    if command.round:
        wanted = (command.round, command.table)
        places = [(one, table) for one, table in places if (one.number, table.number) == wanted]
    if not places:
        raise IllegalMove("no_open_table", "TOURNAMENT-ROUND-1", player=command.player)
    return tuple(close_round(state, (decide_loss(evidence, places[0], command.player),)))


def handle_extra_time(evidence: Evidence, command: commands.AddTime) -> Events:
    """Give a table more time.

    TOURNAMENT-TIME-1: An official can give a table more time, up to an hour at once.
    """
    state = evidence.state
    require_running(state)
    one, table = _require_unfinished(state, command.round, command.table)
    require_ruling_officer(state, command.officer, table.players)
    if one.ends_ms is None:
        raise IllegalMove("no_round_time", "TOURNAMENT-TIME-1")
    if not 0 < command.extra_ms <= MAX_EXTRA_MS:
        raise IllegalMove("extra_time", "TOURNAMENT-TIME-1", minutes=MAX_EXTRA_MS // 60_000)
    return (TimeAdded(command.round, table.number, command.officer, command.extra_ms),)


def decide_silence(evidence: Evidence, round_number: int, number: int) -> Events:
    """Return the events of a result that nobody disputed in time.

    It rests on TOURNAMENT-RESULT-2.
    """
    _, table = _require_unfinished(evidence.state, round_number, number)
    if table.until_ms is None or evidence.now_ms < table.until_ms:
        raise IllegalMove("not_yet", "TOURNAMENT-RESULT-2")
    return tuple(close_round(evidence.state, (ResultFinal(round_number, number, True),)))


def handle_end(evidence: Evidence, _: commands.EndTournament) -> Events:
    """End a tournament.

    TOURNAMENT-END-1: The host ends a tournament after its last round, once no appeal is open, and its standings stay as
    they are; before its start it can be withdrawn.
    """
    state = evidence.state
    if state.is_over:
        raise IllegalMove("tournament_over", "TOURNAMENT-END-1")
    if state.status == "registration":
        return (TournamentEnded("withdrawn", ()),)
    for one in state.rounds:
        if open_tables := sum(not each.final for each in one.tables):
            raise IllegalMove("round_open", "TOURNAMENT-END-1", round=one.number, tables=open_tables)
    least = max(state.planned, 1)  # a tournament without rounds of its own has one at least
    if len(state.rounds) < least and not is_decided(state):
        raise IllegalMove("rounds_left", "TOURNAMENT-END-1", rounds=least - len(state.rounds))
    if any(each.stage == "open" for each in state.appeals):
        raise IllegalMove("appeals_open", "TOURNAMENT-END-1")
    return (TournamentEnded("finished", rank_players(state)),)


def is_decided(state: Tournament) -> bool:
    """Tell whether no further round can be played.

    Too few are left, or a knockout has its winner already.
    """
    if len(state.players) < max(LEAST_PLAYERS, state.format.least_seats):
        return True
    if state.format.system != "knockout":
        return False
    try:
        pair_round("knockout", state.players, state.results, len(state.rounds) + 1, lambda _most: 0, lots=state.lots)
    except NotPairable as reason:
        return reason.reason in ("tournament_is_decided", "nobody_is_left")
    return False


def list_standings(state: Tournament) -> tuple[StandingRow, ...]:
    """Return the standings as they are now, without those who were disqualified.

    TOURNAMENT-STAND-1: Players are ranked by points, and then by the tie-breaks that were announced, in their order.

    Who was disqualified still counts as an opponent of the others.
    """
    rows = compute_standings(
        tuple(each.number for each in state.entrants),
        state.results,
        state.format.points,
        state.format.tiebreaks,
        state.lots or tuple(each.number for each in state.entrants),
    )
    out = [row.rank for row in rows if _is_out(state, row)]
    return tuple(
        replace(row, rank=row.rank - sum(rank < row.rank for rank in out)) for row in rows if not _is_out(state, row)
    )


def _is_out(state: Tournament, row: StandingRow) -> bool:
    return state.entrants[row.player].status == "disqualified"


def rank_players(state: Tournament) -> tuple[tuple[int, int], ...]:
    """Return all entrants with their ranks, best first.

    Who was disqualified has none (0).
    """
    out = ((each.number, 0) for each in state.entrants if each.status == "disqualified")
    return (*((row.player, row.rank) for row in list_standings(state)), *out)


def check_placement(table: Table, placement: tuple[tuple[int, ...], ...], forfeits: tuple[int, ...]) -> None:
    """Refuse a placement that does not name each player of the table once.

    Raises IllegalMove.
    """
    named = [*(player for group in placement for player in group), *forfeits]
    if sorted(named) != sorted(table.players) or not all(placement):
        raise IllegalMove("placement_wrong", "TOURNAMENT-RESULT-1", table=table.number)


def _require_unfinished(state: Tournament, round_number: int, number: int) -> tuple[Round, Table]:
    one, table = require_table(state, round_number, number)
    if table.final:
        raise IllegalMove("result_final", "TOURNAMENT-RESULT-2", table=number)
    return one, table
