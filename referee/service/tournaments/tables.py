"""The matches of refereed tables: opened, filled and started, step by step.

Each step has a key of its own, so the next look completes what broke off. Nobody gets a right at a match before it
has started, so nothing comes between the steps. One token of a person is good for the tournament and all its matches.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import orjson

from referee.engine.events import Move
from referee.eventstore.accounts import DELETED_PLAYER
from referee.eventstore.contract import StoreFull
from referee.match.aggregate import SeatAssignment
from referee.match.errors import VersionConflict
from referee.match.events.dispute_state import DEFAULT_COURTS
from referee.match.events.ending_events import BOUND, UNRATED
from referee.match.events.office_events import NameOfficial
from referee.match.table.commands import OpenMatch, StartMatch, TakeSeat
from referee.repository.tournaments import LoadedTournament
from referee.service.rights import tokens
from referee.service.rights.device_tokens import note_match
from referee.service.rights.tokens import Grant
from referee.service.tournament_service import TournamentService, list_unseated_tables
from referee.tournament import commands
from referee.tournament.state import REFEREED, RULING_OFFICES, Format, Officer, Table, Tournament

LOGGER = logging.getLogger("referee.tournaments")
SCOPE = "tournament"  # of the keys under which the server fills a match
HOST_ENTRY = 1  # to which the account of the host is linked, and which names a host who does not play


def open_waiting_tables(service: TournamentService, secret: bytes, loaded: LoadedTournament) -> LoadedTournament:
    """Open the matches that open tables lack, and return the tournament then."""
    state = loaded.state
    if state.status != "running" or state.format.plays != REFEREED or loaded.head.status != "open":
        return loaded
    waiting = list_unseated_tables(state)
    if not waiting:
        return loaded
    directory = Directory(service, secret, state)
    try:
        for one, table in waiting:
            match = TableOpening(service, directory, one.number, table).open()
            seating = commands.SeatTable(one.number, table.number, match)
            key = service.name_match(state.id, one.number, table).removeprefix(f"{state.id}:")
            service.execute(state.id, seating, key=key, scope="seating", actor="server")
    except (StoreFull, VersionConflict) as later:  # who only reads is answered; a later look completes it
        LOGGER.warning("tables of %s wait: %s", state.id, later)
    return service.load(state.id)


class Directory:
    """The people of a tournament: their tokens, accounts and names."""

    def __init__(self, service: TournamentService, secret: bytes, state: Tournament) -> None:
        self.secret, self.state = secret, state
        self.grants = {name: Grant.decode(record) for name, record in service.log.read_grants(state.id).items()}
        self.names = service.log.read_seat_names(state.id)
        links = service.log.read_links([state.id]).get(state.id, {})
        self._accounts = {
            tokens.derive_person(secret, state.id, account): account
            for account in links.values()
            if account != DELETED_PLAYER
        }

    def find_account(self, person: str) -> str:
        """Return the account of a person, or ""."""
        return self._accounts.get(person, "")

    def list_tokens(self, person: str) -> list[tuple[str, Grant]]:
        """Return the tokens of a person, each with its grant."""
        return [(name, grant) for name, grant in sorted(self.grants.items()) if grant.person == person]

    def find_idle_host(self) -> str:
        """Return the host as a person; "" unless opened as not playing."""
        return next((each.person for each in self.state.officers if each.number == HOST_ENTRY), "")

    def derive_person(self, person: str, match: str) -> str:
        """Return who a person of the tournament is in one of its matches."""
        known_by = self.find_account(person) or next((name for name, _ in self.list_tokens(person)), person)
        return tokens.derive_person(self.secret, match, known_by.removeprefix("account:"))


def list_ruling_officers(state: Tournament, table: Table) -> list[Officer]:
    """Return the officials whom everybody at a table has accepted."""
    ruling = (each for each in state.officers if each.office in RULING_OFFICES)
    return [each for each in ruling if state.is_accepted(each, table.players)]


def build_opening(form: Format, state: Tournament, table: Table, official: str) -> OpenMatch:
    """Return the command that opens the match of a table.

    The tournament gives its seats and offices (BOUND). Matches of an unrated tournament count for no standings.
    """
    entrants = [state.entrants[player] for player in table.players]
    chairs = tuple(SeatAssignment("human" if each.level is None else "bot", each.level or 0) for each in entrants)
    terms = (BOUND,) if form.rated else (BOUND, UNRATED)
    return OpenMatch(
        form.game, form.variant, dict(form.settings), dict(form.chance), chairs, form.shown_to, 0, form.clocks,
        form.edition, DEFAULT_COURTS, "", dict(form.readings), "", official, False, state.id, terms,
    )  # fmt: skip


@dataclass(frozen=True)
class TableOpening:
    """The opening of one table's match."""

    service: TournamentService
    people: Directory
    round: int
    table: Table

    def open(self) -> str:
        """Open, fill and start the match, and return its id.

        What was done before stays as it is.
        """
        state, matches = self.people.state, self.service.matches
        key = self.service.name_match(state.id, self.round, self.table)
        match = matches.identify(key)
        officers = list_ruling_officers(state, self.table)
        hosts = [each for each in officers if each.number == HOST_ENTRY]
        official = self.people.derive_person(hosts[0].person, match) if hosts else ""
        if matches.log.read(match, limit=0).head is None:  # who rules may have changed since somebody began this
            matches.open_match(build_opening(state.format, state, self.table, official), key)
        for officer in officers:
            if officer not in hosts:
                self.name_officer(match, officer)
        for seat, player in enumerate(self.table.players):
            if not state.entrants[player].is_bot:
                entry = self._execute(match, TakeSeat(seat), f"seat-{seat}")
                self._note_sitting(match, seat, player, entry)
        self._execute(match, StartMatch(), "start")
        self.give_rights(match, officers)
        return match

    def name_officer(self, match: str, officer: Officer) -> int:
        """Name an official in the match, and return the number of that entry.

        Who somebody is there changes if they delete their account, so that is part of the key.
        """
        person = self.people.derive_person(officer.person, match)
        there = self.service.matches.load_match(match).match.officials
        if (held := next((each.number for each in there if each.person == person and not each.left), None)) is not None:
            return held
        return self._execute(match, NameOfficial("arbiter", person), f"official-{officer.number}-{person}")

    def _execute(self, match: str, command: Move, key: str) -> int:
        return self.service.matches.execute_command(match, command, key=key, scope=SCOPE).entry

    def _note_sitting(self, match: str, seat: int, player: int, entry: int) -> None:
        """Keep the name and, if there is one, the account of who sits down."""
        log, person = self.service.log, self.people.state.entrants[player].person
        name, account = self.people.names.get(str(player)), self.people.find_account(person)
        if name is not None:
            log.put_seat_names(match, {str(seat): name})
        if account:
            note = orjson.dumps({"seat": seat, "at_ms": log.now(), "name": name})
            if log.add_sitting(account, f"{match}:{entry}", note):
                log.link_player(match, entry, account)

    def give_rights(self, match: str, officers: list[Officer]) -> None:
        """Let the tokens of players, officials and a host who does not play in."""
        people, given = self.people, dict[str, tuple[str, tuple[int, ...]]]()
        players = {each.person for each in people.state.entrants if not each.is_bot}
        host = people.find_idle_host()
        if host and host not in players:
            given[host] = ("host", ())
        for officer in officers:
            given.setdefault(officer.person, ("arbiter", ()))
        for seat, player in enumerate(self.table.players):
            entrant = people.state.entrants[player]
            if not entrant.is_bot:
                given[entrant.person] = ("seat", (seat,))
        for person, (role, seats) in given.items():
            self._give_right(match, person, role, seats)

    def _give_right(self, match: str, person: str, role: str, seats: tuple[int, ...]) -> None:
        log, account = self.service.log, self.people.find_account(person)
        there: dict[str, Any] = log.read_grants(match)
        for name, held in self.people.list_tokens(person):
            if name in there:
                continue
            if account and held.device:
                note_match(log, account, held.device, match)
            right = Grant(role, seats, self.people.derive_person(person, match), held.device)
            log.put_grant(match, name, right.encode())
