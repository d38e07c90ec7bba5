"""Who calls at a tournament, and how refusals of its rules are answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flask import g

from api.http import context
from api.http.access.authorization import Permission
from api.http.access.tickets import Bearer
from api.http.problems import Problem
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.eventstore.contract import MatchLog
from referee.match.errors import VersionConflict
from referee.repository.tournaments import LoadedTournament, UnknownTournament
from referee.service.rights import tokens
from referee.service.rights.tokens import Grant
from referee.service.tournaments.following import settle_tournament
from referee.service.tournaments.tables import HOST_ENTRY
from referee.tournament.state import RULING_OFFICES, Entrant, Officer, Tournament
from referee.tournament.wording import ruling_response

TOURNAMENTS_PATH = "/v1/tournaments"
TOURNAMENT_PATH = f"{TOURNAMENTS_PATH}/<tournament:tournament>"
VISITOR = Permission(False, False, optional_token=True)  # anybody who has the id; a token tells who looks
MEMBER = Permission(True, False)  # who belongs to the tournament, as `require_member` finds
COMMAND_PROBLEMS = (
    "unknown-tournament",
    "forbidden",
    "command-refused",
    "stale-tournament",
    "tournament-overtaken",
    "idempotency-key-reused",
)


@dataclass(frozen=True, slots=True)
class TournamentCaller:
    """The bearer of a token at a tournament."""

    state: Tournament
    bearer: Bearer
    person: str = ""
    is_host: bool = False

    @property
    def is_member(self) -> bool:
        """Whether the tournament knows the token."""
        return bool(self.person) or self.is_host

    @property
    def entrant(self) -> Entrant | None:
        """Who the caller plays as; None if the caller does not play.

        Who left and entered again is the later one.
        """
        own = [each for each in self.state.entrants if self.person and each.person == self.person]
        return own[-1] if own else None

    @property
    def officer(self) -> Officer | None:
        """The official that the caller is now; None if the caller is none."""
        own = (each for each in self.state.officers if self.person and each.person == self.person)
        return next((each for each in own if not each.left), None)

    @property
    def is_director(self) -> bool:
        """Whether the caller runs the tournament: its host, or its head official."""
        return self.is_host or (self.officer is not None and self.officer.office == "head")

    def may_take_out(self, entrant: Entrant | None) -> bool:
        """Whether the caller may take somebody out: a bot, or before the start anybody."""
        is_bot = entrant is not None and entrant.is_bot
        return self.is_director and (is_bot or self.state.status == "registration")

    @property
    def rules_at_tables(self) -> bool:
        """Whether the caller's office is one that rules at the tables."""
        return self.officer is not None and self.officer.office in RULING_OFFICES

    @property
    def may_see_queue(self) -> bool:
        """Whether the caller may see what waits for officials.

        That is one of them, or a host who does not play. A host who may play could play under another token; the
        appointment of the opening says that they do not. Who has given it back looks after nothing any more.
        """
        idle = (each.person for each in self.state.officers if each.number == HOST_ENTRY and not each.left)
        return self.officer is not None or (self.is_host and self.entrant is None and self.person in idle)

    @property
    def viewer(self) -> int:
        """As whom the caller sees entries: everything, as an entrant, or the public."""
        if self.officer is not None:
            return int(FULL_VIEWER)
        return int(BYSTANDER) if self.entrant is None else self.entrant.number


def resolve_member(log: MatchLog, bearer: Bearer, state: Tournament, secret: bytes) -> TournamentCaller:
    """Return the bearer of a token at a tournament, as its grants say now."""
    if not bearer.token_hash:
        return TournamentCaller(state, bearer)
    grants = {name: Grant.decode(record) for name, record in log.read_grants(state.id).items()}
    if not bearer.account:
        own = grants.get(bearer.token_hash)
        return (
            TournamentCaller(state, bearer, own.person, own.role == "host") if own else TournamentCaller(state, bearer)
        )
    person = tokens.derive_person(secret, state.id, bearer.account)
    held = [grant for grant in grants.values() if grant.person == person]
    if not held or not tokens.is_account_token(log, bearer.account, bearer.token_hash):
        return TournamentCaller(state, bearer)
    return TournamentCaller(state, bearer, person, any(grant.role == "host" for grant in held))


def load_tournament(tournament: str) -> LoadedTournament:
    """Return a tournament as it stands, once its matches follow it.

    Those that are missing are opened. Raises Problem if there is none.
    """
    try:
        return settle_tournament(context.get_tournament_service(), context.get_secret(), tournament)
    except UnknownTournament:
        raise Problem("unknown-tournament") from None


def find_caller(loaded: LoadedTournament) -> TournamentCaller:
    """Return the caller of this request at a tournament."""
    bearer = Bearer(g.caller.token_hash, g.caller.account)
    return resolve_member(context.get_match_service().log, bearer, loaded.state, context.get_secret())


def admit_member(tournament: str) -> tuple[LoadedTournament, TournamentCaller]:
    """Return a tournament and the caller, who has to belong to it. Raises Problem."""
    loaded = load_tournament(tournament)
    caller = find_caller(loaded)
    if not caller.is_member:
        raise Problem("unauthorized")
    return loaded, caller


def admit_host(tournament: str) -> LoadedTournament:
    """Return a tournament whose host calls. Raises Problem."""
    loaded, caller = admit_member(tournament)
    if not caller.is_host:
        raise Problem("forbidden")
    return loaded


def admit_official(tournament: str) -> tuple[LoadedTournament, TournamentCaller]:
    """Return a tournament and the caller, who has to be an official. Raises Problem."""
    loaded, caller = admit_member(tournament)
    if caller.officer is None:
        raise Problem("forbidden")
    return loaded, caller


@contextmanager
def answering_refusals() -> Iterator[None]:
    """Turn what the rules of tournaments refuse into problems. Raises Problem."""
    try:
        yield
    except IllegalMove as refused:
        ruling = {**ruling_response(refused.ruling), "needs": [], "broken": [], "way_out": []}
        raise Problem("command-refused", detail=ruling["reason"], ruling=ruling) from refused
    except VersionConflict as stale:
        headers = {"ETag": f'"v{stale.version}"'}
        params = {"seen": stale.seen, "current": stale.version}
        slug = "stale-tournament" if stale.strict else "tournament-overtaken"
        raise Problem(slug, params=params, headers=headers, current_version=stale.version) from stale
