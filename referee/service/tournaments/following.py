"""Matches of tables that follow their tournament: its officials, and its results.

Each look at a tournament makes its matches so, and does nothing to those that are so already. So what broke off is
completed by the next look, as it is where matches are opened. Players look, and workers do when a match of a tournament
has ended or its time is up.
"""

from __future__ import annotations

import logging

from referee.engine.events import Move
from referee.engine.rulings import IllegalMove
from referee.eventstore.contract import StoreFull
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.errors import MatchUnavailable, UnknownMatch, VersionConflict
from referee.match.events.ending_events import EndForTournament
from referee.match.events.office_events import AnswerOfficial, ResignOffice
from referee.match.loaded import LoadedMatch
from referee.match.table.endings import has_ended_so, is_ended_by_table, is_ended_by_tournament
from referee.match.table.officials import find_human_seats, is_accepted
from referee.repository.tournaments import LoadedTournament
from referee.service.rights.tokens import Grant
from referee.service.tournament_service import TournamentService
from referee.service.tournaments.tables import Directory, TableOpening, list_ruling_officers, open_waiting_tables
from referee.tournament.results import TableResult
from referee.tournament.state import REFEREED, Format, Officer, Round, Table, list_tables

LOGGER = logging.getLogger("referee.tournaments")
SCOPE = "tournament"  # of the keys under which the tournament writes to a match
FROM_MATCH = "match"  # who says how a table ended, if its match does
Placement = tuple[tuple[int, ...], ...]


def settle_tournament(service: TournamentService, secret: bytes, tournament: str) -> LoadedTournament:
    """Return a tournament as it stands, once its matches follow it.

    What is due is done first, and matches that are missing are opened. Raises UnknownTournament, MatchUnavailable,
    StoreUnavailable.
    """
    loaded = open_waiting_tables(service, secret, service.load(tournament))
    follow_tournament(service, secret, loaded)
    return loaded


def follow_tournament(service: TournamentService, secret: bytes, loaded: LoadedTournament) -> None:
    """Make the matches of a tournament as its tables want them."""
    state = loaded.state
    if state.format.plays != REFEREED or state.status != "running":
        return
    people: Directory | None = None
    for one, table in list_tables(state):
        officers = () if table.final else tuple(list_ruling_officers(state, table))
        wanted = (table.final, table.entry, tuple(each.number for each in officers))
        for match in (table.match, *table.former):
            if match and not service.followed.is_settled(match, wanted):
                people = people or Directory(service, secret, state)
                follower = MatchFollower(service, people, one, table, officers)
                if follower.settle(match):
                    service.followed.note(match, wanted)


def find_wanted_placement(form: Format, table: Table, match: Match) -> Placement | None:
    """Return how the tournament ends a match, by seats.

    An empty placement: without a result. None: it does not end it. A result that comes from the match stays as the
    match has it. If people agreed on it, it counts in a rated tournament as one that is decided there.
    """
    is_own = is_ended_by_tournament(match)
    if match.id != table.match:  # another match is played there since
        return () if is_own or match.status not in FINAL_STATUSES else None
    if table.result is None or not table.final:
        return () if is_own else None
    if table.by == FROM_MATCH and not (form.rated and is_ended_by_table(match)):
        return None
    return list_result_places(table.result)


def list_result_places(result: TableResult) -> Placement:
    """Return a result by seats, best first; who forfeited comes last.

    It is empty if nobody was left: a match in which all lose has no winner, and does not count.
    """
    if not result.placement:
        return ()
    groups = (*result.placement, *((result.forfeits,) if result.forfeits else ()))
    return tuple(tuple(sorted(map(result.players.index, group))) for group in groups)


class MatchFollower:
    """One match that is made as its table wants it."""

    def __init__(
        self, service: TournamentService, people: Directory, one: Round, table: Table, officers: tuple[Officer, ...]
    ) -> None:
        self._service, self._people, self._table, self._officers = service, people, table, officers
        self._opening = TableOpening(service, people, one.number, table)

    def settle(self, match: str) -> bool:
        """Make a match as it shall be; return whether no further look is needed."""
        try:
            loaded = self._service.matches.load_match(match)
            wanted = find_wanted_placement(self._people.state.format, self._table, loaded.match)
            if wanted is not None:
                self._end(loaded, wanted)
            elif loaded.match.status not in FINAL_STATUSES:
                self._set_officials(loaded)
        except MatchUnavailable as closed:  # what is archived or has moved away stays as it is
            LOGGER.warning("match %s does not follow its tournament: %s", match, closed)
            return closed.reason not in ("frozen", "fenced")
        except (UnknownMatch, StoreFull, VersionConflict, IllegalMove) as later:  # a later look completes it
            LOGGER.warning("match %s waits for its tournament: %s", match, later)
            return False
        return not loaded.match.has_open_dispute

    def _end(self, loaded: LoadedMatch, placement: Placement) -> None:
        match = loaded.match
        if has_ended_so(match, placement):
            return
        self._execute(match.id, EndForTournament(placement), f"end-{loaded.version}")

    def _set_officials(self, loaded: LoadedMatch) -> None:
        """Take away the offices that are lost, and give those that are new."""
        match, log = loaded.match, self._service.log
        persons = {self._people.derive_person(each.person, match.id): each for each in self._officers}
        for name, record in log.read_grants(match.id).items():
            held = Grant.decode(record)
            if held.role == "arbiter" and held.person not in persons:
                log.revoke_grants(match.id, [name])  # first: a right that outlives its office is worse than the reverse
        there = {each.person: each for each in match.officials if not each.left}
        for person, officer in persons.items():
            if person not in there:
                self._accept(match, self._opening.name_officer(match.id, officer))
            elif not is_accepted(match, there[person]):
                self._accept(match, there[person].number)
        for official in match.officials:  # last, so that what waits for an official goes to the new ones
            if not official.left and official.person not in persons:
                self._execute(match.id, ResignOffice(official.number), f"resign-{official.number}")
        self._opening.give_rights(match.id, list(self._officers))

    def _accept(self, match: Match, official: int) -> None:
        """Accept an official for all people at the table.

        They have done so in the tournament.
        """
        seats = tuple(sorted(find_human_seats(match)))
        if seats:
            self._execute(match.id, AnswerOfficial(official, True, seats), f"accept-{official}")

    def _execute(self, match: str, command: Move, key: str) -> None:
        self._service.matches.execute_command(match, command, key=key, scope=SCOPE)
