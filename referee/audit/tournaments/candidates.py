"""What can have led to an entry of which a viewer sees only a part.

Everybody sees that something was recorded, but not what a caution was for, or how a committee voted. So an entry is
right as far as everybody can tell if there is any hidden part with which the rules give just what is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.engine.events import Move
from referee.match.entries import LogEntry
from referee.tournament import commands
from referee.tournament.conduct_events import (
    UNKNOWN_PLAYER,
    AppealOpened,
    AppealVoted,
    DeckChecked,
    PenaltyExpunged,
    PenaltyGiven,
)
from referee.tournament.penalties import PRIVATE_GRADES, load_infractions
from referee.tournament.state import Tournament

Candidate = tuple[Tournament, Move]
SOME_REASON = "-"  # a reason was given, and is hidden


def list_candidates(state: Tournament, logged: LogEntry) -> Iterator[Candidate]:
    """Yield commands with what else is hidden that may have led to an entry."""
    move = logged.move
    if isinstance(move, commands.TimeIsUp) and move.item.startswith("appeal:"):
        number = move.item.removeprefix("appeal:")
        yield from ((each, move) for each in _guess_votes(state, int(number) if number.isdecimal() else 0))
    elif move is not None:
        yield state, move
    elif logged.events:
        yield from _guess_commands(state, logged)


def _guess_commands(state: Tournament, logged: LogEntry) -> Iterator[Candidate]:
    """Yield the hidden commands whose first event is the one of an entry."""
    first, everybody = logged.events[0], [each.number for each in state.entrants]
    if isinstance(first, DeckChecked):
        yield from ((state, commands.CheckDeck(player, first.officer, {}, {})) for player in everybody)
    elif isinstance(first, PenaltyGiven):
        some = next(iter(load_infractions()))
        for player in everybody if first.player in (None, UNKNOWN_PLAYER) else (first.player,):
            for grade in (first.grade,) if first.grade else PRIVATE_GRADES:
                yield state, commands.Penalize(player, some, grade, first.officer, because=SOME_REASON)
    elif isinstance(first, PenaltyExpunged):
        yield state, commands.Expunge(first.penalty, first.officer, SOME_REASON)
    elif isinstance(first, AppealOpened):
        for player in everybody:
            yield _guess_owner(state, first.about, player), commands.OpenAppeal(player, first.about, "")
    elif isinstance(first, AppealVoted):
        for each in _guess_votes(state, first.appeal):
            for overturn in (False, True):
                yield each, commands.VoteOnAppeal(first.appeal, first.officer, overturn)


def _guess_owner(state: Tournament, penalty: int, player: int) -> Tournament:
    """Return the tournament in which a hidden penalty is that of a player."""
    found = (
        replace(each, player=player) if each.number == penalty and each.player == UNKNOWN_PLAYER else each
        for each in state.penalties
    )
    return replace(state, penalties=tuple(found))


def _guess_votes(state: Tournament, appeal: int) -> Iterator[Tournament]:
    """Yield the tournament with each number of votes to overturn a ruling."""
    votes = next((each.votes for each in state.appeals if each.number == appeal), ())
    for count in range(len(votes) + 1):
        cast = tuple((officer, at < count) for at, (officer, _) in enumerate(votes))
        found = (replace(each, votes=cast) if each.number == appeal else each for each in state.appeals)
        yield replace(state, appeals=tuple(found))
