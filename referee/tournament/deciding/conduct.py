"""Officials at work: calls, the queue, penalties and appeals."""

from __future__ import annotations

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.match.events.dispute_state import MINUTE_MS
from referee.tournament import commands
from referee.tournament.conduct_events import (
    AppealDecided,
    AppealOpened,
    AppealVoted,
    CallEnded,
    ItemClaimed,
    ItemReleased,
    LossSet,
    LossTaken,
    OfficerCalled,
    PenaltyExpunged,
    PenaltyGiven,
    WaitReturned,
)
from referee.tournament.deciding.evidence import (
    Evidence,
    close_round,
    decide_loss,
    find_open_place,
    require_entrant,
    require_not_over,
    require_officer,
    require_ruling_officer,
    require_running,
    require_table,
)
from referee.tournament.deciding.people import leave_tournament
from referee.tournament.deciding.rounds import decide_silence
from referee.tournament.events import PlayerReturned, ResultRestored, RoundReopened, TimeAdded, find_table
from referee.tournament.penalties import (
    DISQUALIFICATION,
    GRADES,
    LOSSES,
    PRIVATE_GRADES,
    load_infractions,
    propose_grade,
)
from referee.tournament.state import (
    FIRST_SCHEME,
    LATER_SCHEME,
    Appeal,
    Call,
    Penalty,
    RulingOnTable,
    Tournament,
    list_tables,
)

Events = tuple[Event, ...]
CALL_MS = 10 * MINUTE_MS  # for which a call stops the time of a table at most
CLAIM_MS = 15 * MINUTE_MS  # for which an official looks after an item
MOST_WITHDRAWN_CALLS = 3  # of a player in a round, so that nobody plays for time
BY_LOTS = ("round_robin", "knockout")  # systems whose rounds all follow from the lots
CALL_REASONS = ("rules", "slow_play", "conduct", "result", "other")


# -- calls and the queue -----------------------------------------------------------------------------------------------


def handle_call(evidence: Evidence, command: commands.CallOfficer) -> Events:
    """Call an official to a table.

    TOURNAMENT-CALL-1: A player whose table is open can call an official. The time of the table stands still until one
    comes, for ten minutes at most. A player who has withdrawn three calls in a round stops no more time by calling.
    """
    state = evidence.state
    require_running(state)
    require_entrant(state, command.player)
    if command.reason not in CALL_REASONS:
        raise IllegalMove("no_such_reason", "TOURNAMENT-CALL-1")
    open_place = find_open_place(state, command.player)
    if open_place is None:
        raise IllegalMove("no_open_table", "TOURNAMENT-ROUND-1", player=command.player)
    one, table = open_place
    here = [each for each in state.calls if (each.round, each.table) == (one.number, table.number)]
    if any(each.is_open for each in here):
        raise IllegalMove("called_already", "TOURNAMENT-CALL-1", table=table.number)
    withdrawn = sum(each.by == command.player and each.ended == "withdrawn" for each in here)
    return (
        OfficerCalled(
            evidence.entry, one.number, table.number, command.player, command.reason, evidence.now_ms,
            evidence.now_ms + CALL_MS, withdrawn < MOST_WITHDRAWN_CALLS,
        ),
    )  # fmt: skip


def handle_call_end(evidence: Evidence, command: commands.EndCall) -> Events:
    """Answer a call, or withdraw it.

    TOURNAMENT-CALL-2: When an official comes, or the call is withdrawn, the table gets the time back for which it
    waited.
    """
    state = evidence.state
    require_running(state)
    call = _require_call(state, command.call)
    if command.officer is None:
        return _end_call(evidence, call, "withdrawn")
    _, table = require_table(state, call.round, call.table)
    require_ruling_officer(state, command.officer, table.players)
    return _end_call(evidence, call, "answered", command.officer)


def _end_call(evidence: Evidence, call: Call, how: str, officer: int | None = None) -> Events:
    waited = call.compute_wait(evidence.now_ms)
    timed = evidence.state.rounds[call.round - 1].ends_ms is not None
    ended = CallEnded(call.number, how, officer)
    return (ended, TimeAdded(call.round, call.table, officer or 0, waited)) if timed and waited else (ended,)


def handle_wait(evidence: Evidence, command: commands.ReportWait) -> Events:
    """Give a table the time back for which its match stood still.

    TOURNAMENT-CALL-3: If a call of an official stops the match of a table, the table gets the time back for which the
    match waited, once the call has ended.
    """
    state = evidence.state
    require_running(state)
    one, table = require_table(state, command.round, command.table)
    if table.final or table.match != command.match or one.ends_ms is None or command.call in table.waits:
        return ()
    if not 0 < command.waited_ms <= CALL_MS:
        raise IllegalMove("wait_too_long", "TOURNAMENT-CALL-3", minutes=CALL_MS // MINUTE_MS)
    return (WaitReturned(one.number, table.number, command.call, command.waited_ms),)


def _require_call(state: Tournament, number: int) -> Call:
    call = next((each for each in state.calls if each.number == number), None)
    if call is None or not call.is_open:
        raise IllegalMove("no_such_call", "TOURNAMENT-CALL-2", call=number)
    return call


def handle_claim(evidence: Evidence, command: commands.ClaimItem) -> Events:
    """Look after an item of the queue, or leave it.

    TOURNAMENT-QUEUE-1: An official who looks after an item of the queue says so, for a quarter of an hour; others then
    leave it alone.
    """
    state = evidence.state
    require_not_over(state)
    require_officer(state, command.officer)
    held = next((each for each in state.claims if each.item == command.item), None)
    is_held = held is not None and held.until_ms > evidence.now_ms
    if command.release:
        return (ItemReleased(command.item),) if held is not None and held.officer == command.officer else ()
    if held is not None and is_held and held.officer != command.officer:
        raise IllegalMove("item_claimed", "TOURNAMENT-QUEUE-1", officer=held.officer)
    return (ItemClaimed(command.item, command.officer, evidence.now_ms + CLAIM_MS),)


# -- penalties ---------------------------------------------------------------------------------------------------------


def handle_penalty(evidence: Evidence, command: commands.Penalize) -> Events:
    """Give a player a penalty.

    TOURNAMENT-PENALTY-1: A penalty names the infraction, the grade and, apart from that, what was done about it at the
    table. Cautions and warnings are known to the player and the officials alone.

    TOURNAMENT-PENALTY-2: The ledger proposes the grade. An official who gives another one says why.

    TOURNAMENT-PENALTY-3: Only the head official disqualifies.

    TOURNAMENT-PENALTY-4: A loss by a penalty ends the player's open table, or, if there is none, the next one.
    """
    state = evidence.state
    require_not_over(state)
    require_entrant(state, command.player)
    officer = require_ruling_officer(state, command.officer, (command.player,))
    if command.infraction not in load_infractions():
        raise IllegalMove("no_such_infraction", "TOURNAMENT-PENALTY-1")
    if command.grade not in GRADES:
        raise IllegalMove("no_such_grade", "TOURNAMENT-PENALTY-1")
    proposed = propose_grade(state, command.player, command.infraction)
    if command.grade != proposed and not command.because.strip():
        raise IllegalMove("other_grade", "TOURNAMENT-PENALTY-2", proposed=proposed)
    if command.grade == DISQUALIFICATION and officer.office != "head":
        raise IllegalMove("head_only", "TOURNAMENT-PENALTY-3")
    open_place = find_open_place(state, command.player)
    place = (0, 0) if open_place is None else (open_place[0].number, open_place[1].number)
    given = PenaltyGiven(
        evidence.entry, command.officer, evidence.now_ms, player=command.player, infraction=command.infraction,
        grade=command.grade, proposed=proposed, round=place[0], table=place[1], fix=command.fix,
        because=command.because,
    )  # fmt: skip
    if command.grade == DISQUALIFICATION:
        return (given, *leave_tournament(evidence, command.player, "disqualified", officer.number, evidence.entry))
    if command.grade not in LOSSES:
        return (given,)
    if open_place is None:
        return (given, LossSet(command.player, evidence.entry))
    lost = decide_loss(evidence, open_place, command.player, officer.number, evidence.entry)
    return tuple(close_round(state, (given, lost)))


def handle_expunging(evidence: Evidence, command: commands.Expunge) -> Events:
    """Take a penalty back.

    TOURNAMENT-PENALTY-5: A penalty can be taken back by the official who gave it or by the head official, who says why.
    It stays readable and counts no more.
    """
    state = evidence.state
    require_not_over(state)
    penalty = _require_penalty(state, command.penalty)
    officer = require_officer(state, command.officer)
    if officer.number != penalty.by and officer.office != "head":
        raise IllegalMove("not_own_penalty", "TOURNAMENT-PENALTY-5")
    if not command.because.strip():
        raise IllegalMove("reason_missing", "TOURNAMENT-PENALTY-5")
    if penalty.stage == "appealed":
        raise IllegalMove("appeal_open", "TOURNAMENT-APPEAL-1")
    return _undo_penalty(state, penalty, PenaltyExpunged(penalty.number, officer.number, because=command.because))


def _undo_penalty(state: Tournament, penalty: Penalty, expunged: PenaltyExpunged) -> Events:
    """Return the end of a penalty, and of what it brought.

    Who was out when the lots were drawn cannot come into a bracket or a cycle afterwards.
    """
    rulings = [each for each in state.rulings if each.penalty == penalty.number]
    is_out = penalty.grade == DISQUALIFICATION
    fits = state.status != "running" or penalty.player in state.lots or state.format.system not in BY_LOTS
    waits = any(each.penalty == penalty.number for each in state.losses)
    return (
        expunged,
        *(event for ruling in rulings for event in _restore_table(state, ruling)),
        *((PlayerReturned(penalty.player),) if is_out and fits else ()),
        *((LossTaken(penalty.number),) if waits else ()),
    )


def _restore_table(state: Tournament, ruling: RulingOnTable) -> Events:
    """Return the events that take a ruling on a table back.

    None if the table was ruled on again since, or others play on by its result. If the table is open again, so is its
    round (TOURNAMENT-ROUND-2).
    """
    table = find_table(state, ruling.round, ruling.before.number)
    if table.entry != ruling.entry or state.has_bracket_gone_on(ruling.round):
        return ()
    if state.format.scheme == FIRST_SCHEME:
        return (ResultRestored(ruling.entry, table.number),)
    restored = ResultRestored(ruling.entry, table.number, ruling.round)
    is_open_again = state.rounds[ruling.round - 1].closed and not ruling.before.final
    return (restored, RoundReopened(ruling.round)) if is_open_again else (restored,)


def _require_penalty(state: Tournament, number: int) -> Penalty:
    found = next((each for each in state.penalties if each.number == number), None)
    if found is None or found.stage == "expunged":
        raise IllegalMove("no_such_penalty", "TOURNAMENT-PENALTY-1", penalty=number)
    return found


# -- appeals -----------------------------------------------------------------------------------------------------------


def handle_appeal(evidence: Evidence, command: commands.OpenAppeal) -> Events:
    """Open an appeal.

    TOURNAMENT-APPEAL-1: A player can appeal against a penalty, and every player of a table against a ruling on it:
    once, and within the time that was announced.

    TOURNAMENT-APPEAL-2: A committee decides: all officials who sit on it, or, if there are none, all others; never the
    one who ruled, nor anybody whom the player has not accepted. If the appeal is against a caution or a warning, it is
    nobody whom not every player has accepted, so that the committee does not tell who appeals.
    """
    state = evidence.state
    require_not_over(state)
    if state.find_entrant(command.player) is None:
        raise IllegalMove("no_such_player", "TOURNAMENT-ENTRY-1", player=command.player)
    kind, ruled_by, at_ms = _find_appealed(state, command.player, command.about)
    if any(each.about == command.about for each in state.appeals):
        raise IllegalMove("appealed_already", "TOURNAMENT-APPEAL-1")
    if evidence.now_ms > at_ms + state.format.appeal_ms:
        raise IllegalMove("appeal_late", "TOURNAMENT-APPEAL-1")
    ruler = next(each.person for each in state.officers if each.number == ruled_by)
    is_later = state.format.scheme >= LATER_SCHEME
    is_open = is_later and not any(each.number == command.about and _is_private(each) for each in state.penalties)
    concerned = state.players if is_later and not is_open else (command.player,)
    free = [each for each in state.officers if each.person != ruler and state.is_accepted(each, concerned)]
    seated = [each for each in free if each.office == "committee"] or free
    if not seated:
        raise IllegalMove("no_committee", "TOURNAMENT-APPEAL-2")
    return (
        AppealOpened(
            evidence.entry, command.about, kind, ruled_by, tuple(each.number for each in seated),
            evidence.now_ms + state.format.appeal_ms, is_open, player=command.player, reason=command.reason,
        ),
    )  # fmt: skip


def _is_private(penalty: Penalty) -> bool:
    """Tell whether only the player and the officials may know of a penalty.

    Where it is hidden from the viewer, there is no grade.
    """
    return penalty.grade in ("", *PRIVATE_GRADES)


def _find_appealed(state: Tournament, player: int, about: int) -> tuple[str, int, int]:
    """Return of which kind an appealed entry is, who ruled, and when.

    Raises IllegalMove.
    """
    penalty = next((each for each in state.penalties if each.number == about and each.player == player), None)
    if penalty is not None and penalty.stage != "expunged":
        return "penalty", penalty.by, penalty.at_ms
    ruling = _find_ruling(state, about, player)
    if ruling is not None and state.has_bracket_gone_on(ruling.round):
        raise IllegalMove("bracket_went_on", "TOURNAMENT-RESULT-4", round=ruling.round)
    if ruling is not None and find_table(state, ruling.round, ruling.before.number).entry == about:
        return "result", ruling.officer, ruling.at_ms
    raise IllegalMove("nothing_to_appeal", "TOURNAMENT-APPEAL-1", entry=about)


def _find_ruling(state: Tournament, entry: int, player: int) -> RulingOnTable | None:
    """Return what an entry ruled on the table of a player, if it was no penalty."""
    here = (each for each in state.rulings if each.entry == entry and player in each.before.players)
    return next((each for each in here if not each.penalty), None)


def handle_vote(evidence: Evidence, command: commands.VoteOnAppeal) -> Events:
    """Vote on an appeal.

    TOURNAMENT-APPEAL-3: The majority of the committee decides at once; when the time is up, the majority of the votes.
    A tie upholds the ruling. If it is overturned, the penalty is taken back, or what was there before counts again.
    """
    state = evidence.state
    require_not_over(state)
    appeal = _require_appeal(state, command.appeal)
    if command.officer == appeal.ruled_by:
        raise IllegalMove("ruled_oneself", "TOURNAMENT-APPEAL-2")
    if command.officer not in appeal.committee:
        raise IllegalMove("not_on_committee", "TOURNAMENT-APPEAL-2")
    if any(officer == command.officer for officer, _ in appeal.votes):
        raise IllegalMove("voted_already", "TOURNAMENT-APPEAL-3")
    voted = AppealVoted(appeal.number, command.officer, overturn=command.overturn)
    votes = [*(each for _, each in appeal.votes), command.overturn]
    seated = {officer for officer in appeal.committee if state.find_officer(officer) is not None}
    size = len(seated | {officer for officer, _ in appeal.votes} | {command.officer})
    if 2 * max(votes.count(True), votes.count(False)) <= size and len(votes) < size:
        return (voted,)
    return (voted, *_decide_appeal(state, appeal, votes))


def _decide_appeal(state: Tournament, appeal: Appeal, votes: list[bool | None]) -> Events:
    overturned = votes.count(True) > votes.count(False)
    decided: Events = (AppealDecided(appeal.number, overturned),)
    if not overturned:
        return decided
    if appeal.kind == "result":
        named = (each for each in state.rulings if each.entry == appeal.about and not each.penalty)
        ruling = next(named, None)  # not by who appealed, whom the public does not know
        return (*decided, *(() if ruling is None else _restore_table(state, ruling)))
    penalty = _require_penalty(state, appeal.about)
    return (*decided, *_undo_penalty(state, penalty, PenaltyExpunged(penalty.number, 0, because="")))


def _require_appeal(state: Tournament, number: int) -> Appeal:
    found = next((each for each in state.appeals if each.number == number), None)
    if found is None or found.stage != "open":
        raise IllegalMove("no_such_appeal", "TOURNAMENT-APPEAL-1", appeal=number)
    return found


# -- the clock ---------------------------------------------------------------------------------------------------------


def find_overdue_item(state: Tournament, now_ms: int) -> str | None:
    """Return the first item whose time is up: `appeal:N` or `result:ROUND:TABLE`.

    None if there is none.
    """
    if state.status != "running":
        return None
    for appeal in state.appeals:
        if appeal.stage == "open" and appeal.until_ms <= now_ms:
            return f"appeal:{appeal.number}"
    for one in state.rounds:
        for table in one.tables:
            if not table.final and table.until_ms is not None and table.until_ms <= now_ms:
                return f"result:{one.number}:{table.number}"
    return None


def find_next_due(state: Tournament) -> int | None:
    """Return when the time of the next item is up, in ms; None if none waits."""
    if state.status != "running":
        return None
    waiting = [each.until_ms for each in state.appeals if each.stage == "open"]
    waiting += [table.until_ms for _, table in list_tables(state) if not table.final and table.until_ms is not None]
    return min(waiting, default=None)


def handle_time_up(evidence: Evidence, command: commands.TimeIsUp) -> Events:
    """Go on with what waited for its time: an appeal or a result."""
    state = evidence.state
    require_running(state)
    kind, *numbers = command.item.split(":")
    place = tuple(int(each) for each in numbers if each.isdecimal())
    if kind == "result" and len(place) == 2:
        return decide_silence(evidence, *place)
    if kind == "appeal" and len(place) == 1:
        appeal = _require_appeal(state, place[0])
        if evidence.now_ms < appeal.until_ms:
            raise IllegalMove("not_yet", "TOURNAMENT-APPEAL-3")
        return _decide_appeal(state, appeal, [each for _, each in appeal.votes])
    raise IllegalMove("not_yet", "TOURNAMENT-RESULT-2")
