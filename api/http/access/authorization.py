"""Authorization: the bearer of a token at one table, and the permissions of calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from api.http.problems import Problem
from referee.arbitration import offices
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.engine.seats import FULL_VIEWER as EVERYTHING
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.clocks import QuestionDeadline
from referee.match.table.office_state import Official
from referee.service.rights.tokens import Grant

NO_GRANT = Grant("")


@dataclass(frozen=True, slots=True)
class Caller:
    """The bearer of the token of a request.

    `table` is the match of the address at its latest version; None if there is none with that id.
    """

    token_hash: str = ""
    grant: Grant = NO_GRANT
    table: Match | None = None
    version: int = 0
    deadline: QuestionDeadline | None = None
    player: str = ""  # the account of the address, if it is the caller's own
    account: str = ""  # the account whose token the caller shows
    person: str = ""  # who the holder of that account is in the match of the address

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that the caller holds.

        A seat that was left, or given to a bot or to the table, belongs to nobody any more.
        """
        if self.table is None:
            return ()
        chairs = self.table.chairs
        return tuple(s for s in self.grant.seats if s < len(chairs) and chairs[s].taken and chairs[s].kind == "human")

    @property
    def own_viewer(self) -> int:
        """The viewer for a caller who moves or reports for another seat.

        It is the caller's own first seat, or the public.
        """
        return min(self.seats) if self.seats else BYSTANDER

    @property
    def is_host(self) -> bool:
        """Whether the caller opened the match."""
        return self.grant.role == "host"

    @property
    def is_onlooker(self) -> bool:
        """Whether the caller only watches.

        Host and arbiter take part even without a seat: their writes have to name the present version.
        """
        return not self.seats and self.grant.role not in ("host", "arbiter")

    @property
    def official(self) -> Official | None:
        """The official that the caller is; None if the caller is none."""
        known = self.table.officials if self.table is not None and self.grant.person else ()
        return next((each for each in known if each.person == self.grant.person and not each.left), None)

    @property
    def official_number(self) -> int | None:
        """The number of the official that the caller is, 0 for none.

        It is None in matches of the first edition of the courts, which name no officials.
        """
        if self.table is None or self.table.courts.edition is None:
            return None
        return self.official.number if self.official is not None else 0

    @property
    def can_see_all(self) -> bool:
        """Whether the caller sees everything while a dispute waits for an arbiter.

        TABLE-RULING-5: If the match is set so, an official whom all have accepted looks at all cards while a dispute
        waits for their ruling. In matches of the first edition of the courts every arbiter without a seat does, while
        any dispute is open.
        """
        if self.table is None or self.seats:
            return False
        if self.table.courts.edition is not None:
            return self.official is not None and offices.may_inspect(self.table, self.official)
        if self.grant.role != "arbiter":
            return False
        return self.table.courts.arbiter_sees == "full" and self.table.has_open_dispute

    @property
    def is_admitted(self) -> bool:
        """Whether the caller may know of the match at all."""
        return self.table is not None and (self.table.visibility == "public" or bool(self.grant.role))

    def may_view_as_seat(self, seat: int) -> bool:
        """Return whether the caller sees what this seat sees.

        Callers see as their own seats; the host also as the seats without a phone. Raises Problem if there is no such
        seat.
        """
        chair = self.require_seat_assignment(seat)
        return seat in self.seats or (self.is_host and chair.kind == "table")

    def require_seat_assignment(self, seat: int) -> Any:
        """Return the assignment of a seat. Raises Problem if there is no such seat."""
        assert self.table is not None
        if not 0 <= seat < len(self.table.chairs):
            raise Problem("unknown-seat", params={"seat": seat})
        return self.table.chairs[seat]

    def find_actor_role(self, seat: int) -> str | None:
        """Return how the caller may move for a seat: "player", "proxy", or None."""
        chair = self.require_seat_assignment(seat)
        if seat in self.seats:
            return "player"
        if self.is_host and (chair.kind == "table" or (chair.kind == "human" and chair.proxy == "host")):
            return "proxy"
        named = int(chair.proxy) if chair.kind == "human" and chair.proxy.isdecimal() else None
        return "proxy" if named is not None and named in self.seats else None

    @property
    def may_report(self) -> bool:
        """Whether the caller may report what real dice and cards show."""
        assert self.table is not None
        return bool(self.seats) or (self.is_host and any(chair.kind == "table" for chair in self.table.chairs))


PathArguments = Mapping[str, Any]
PermissionCheck = Callable[[Caller, PathArguments], None]


@dataclass(frozen=True, slots=True)
class Permission:
    """What a call requires of its caller.

    `needs_token`: a token is required. `about_match`, `about_player`: the address names one. `check` raises Problem.
    """

    needs_token: bool
    about_match: bool
    check: PermissionCheck = lambda _caller, _args: None
    problems: tuple[str, ...] = ()  # the problems that `check` raises
    optional_token: bool = False  # whether a token is looked at although none is required
    about_player: bool = False
    by_viewer: bool = False  # whether the viewer in the query decides: `resolve_permission`


def _require_viewable_seat(caller: Caller, args: PathArguments) -> None:
    if not caller.may_view_as_seat(args["seat"]):
        raise Problem("not-your-seat", params={"seat": args["seat"]})


def _require_seat_owner(caller: Caller, args: PathArguments) -> None:
    caller.require_seat_assignment(args["seat"])
    if args["seat"] not in caller.seats:
        raise Problem("not-your-seat", params={"seat": args["seat"]})


def _require_seat_owner_or_host(caller: Caller, args: PathArguments) -> None:
    if not caller.is_host:
        _require_seat_owner(caller, args)
    caller.require_seat_assignment(args["seat"])


def _require_proposer(caller: Caller, args: PathArguments) -> None:
    assert caller.table is not None
    caller.require_seat_assignment(args["seat"])
    if not caller.is_host and (caller.table.status == "lobby" or not caller.seats):
        raise Problem("host-only")


def _require_player(caller: Caller, args: PathArguments) -> None:
    caller.require_seat_assignment(args["seat"])
    if not caller.seats:
        raise Problem("players-only")


def _require_mover(caller: Caller, args: PathArguments) -> None:
    if args["seat"] == "chance":
        _require_reporter(caller, args)
    else:
        _require_seat_or_proxy(caller, args)


def _require_seat_or_proxy(caller: Caller, args: PathArguments) -> None:
    if caller.find_actor_role(args["seat"]) is None:
        raise Problem("not-your-seat", params={"seat": args["seat"]})


def _require_move_viewer(caller: Caller, args: PathArguments) -> None:
    if args["seat"] == "chance":
        _require_reporter(caller, args)
    else:
        _require_viewable_seat(caller, args)


def _require_reporter(caller: Caller, _args: PathArguments) -> None:
    if not caller.may_report:
        raise Problem("players-only")


def _require_host(caller: Caller, _args: PathArguments) -> None:
    if not caller.is_host:
        raise Problem("host-only")


def _require_host_or_arbiter(caller: Caller, _args: PathArguments) -> None:
    if caller.grant.role not in ("host", "arbiter"):
        raise Problem("host-or-arbiter-only")


def _require_full_view(caller: Caller, _args: PathArguments) -> None:
    assert caller.table is not None
    if caller.can_see_all:
        return
    if not caller.seats and caller.grant.role != "auditor":
        raise Problem("full-view-only")
    if caller.table.status not in FINAL_STATUSES:  # an arbiter may inspect it, and then the service would show it
        raise IllegalMove("still_running", "TABLE-END-1")


def _require_claimant(caller: Caller, _args: PathArguments) -> None:
    if not caller.seats and caller.grant.role not in ("host", "arbiter"):
        raise Problem("forbidden")


def _require_any_seat(caller: Caller, _args: PathArguments) -> None:
    if not caller.seats:
        raise Problem("players-only")


def _require_seat_or_host(caller: Caller, _args: PathArguments) -> None:
    if not caller.seats and not caller.is_host:
        raise Problem("players-only")


def _require_reserved_seat(caller: Caller, args: PathArguments) -> None:
    """Admit a caller whose grant has the seat, whether anybody sits there or not."""
    caller.require_seat_assignment(args["seat"])
    if args["seat"] not in caller.grant.seats:
        raise Problem("not-your-seat", params={"seat": args["seat"]})


def _require_own_account(caller: Caller, args: PathArguments) -> None:
    if caller.player != args["player"]:
        raise Problem("not-your-account")


ANYONE = Permission(False, False)  # no token is looked at
OPTIONAL_TOKEN = Permission(False, False, optional_token=True)  # the operator, or a caller on this machine
MATCH_VIEWER = Permission(False, True)  # a caller who may see the match
SEAT_PROBLEMS = ("not-your-seat", "unknown-seat")
SEAT_VIEWER = Permission(True, True, _require_viewable_seat, SEAT_PROBLEMS)  # a caller who may view as the seat
SEAT_OWNER = Permission(True, True, _require_seat_owner, SEAT_PROBLEMS)  # the holder of the seat
SEAT_OWNER_OR_HOST = Permission(True, True, _require_seat_owner_or_host, SEAT_PROBLEMS)
SEAT_OR_PROXY = Permission(True, True, _require_seat_or_proxy, SEAT_PROBLEMS)  # who may move for the seat
MOVE_VIEWER = Permission(
    True, True, _require_move_viewer, (*SEAT_PROBLEMS, "players-only")
)  # the seat; for chance a caller who may report
MOVER = Permission(
    True, True, _require_mover, (*SEAT_PROBLEMS, "players-only")
)  # the seat or its proxy; for chance a caller who may report
HOST = Permission(True, True, _require_host, ("host-only",))
PROPOSER = Permission(
    True, True, _require_proposer, ("host-only", "unknown-seat")
)  # the host; any seat once the match runs
PLAYER = Permission(True, True, _require_player, ("players-only", "unknown-seat"))  # any seat
HOST_OR_ARBITER = Permission(True, True, _require_host_or_arbiter, ("host-or-arbiter-only",))  # host or arbiter
FULL_VIEWER = Permission(
    True, True, _require_full_view, ("full-view-only",)
)  # seats and auditor; an arbiter while a dispute is open
REPORTER = Permission(True, True, _require_reporter, ("players-only",))  # a caller who may report
ANY_SEAT = Permission(True, True, _require_any_seat, ("players-only",))  # the holder of any seat
SEAT_OR_HOST = Permission(True, True, _require_seat_or_host, ("players-only",))  # any seat, or the host
RESERVED_SEAT = Permission(True, True, _require_reserved_seat, SEAT_PROBLEMS)  # a caller for whom the seat is kept
CLAIMANT = Permission(True, True, _require_claimant, ("forbidden",))  # seats, host, arbiter
SEAT_OR_TABLE_HOST = Permission(
    True, True, _require_reporter, ("players-only",)
)  # a seat, or the host for seats without a phone
ACCOUNT_OWNER = Permission(
    True, False, _require_own_account, ("not-your-account",), about_player=True
)  # the player whose account it is
ACCOUNT_VIEWER = Permission(False, False, about_player=True)  # anybody; the player whose account it is sees more
VIEWER_PROBLEMS = ("unauthorized", *SEAT_PROBLEMS, *FULL_VIEWER.problems, "still-running")
ANY_VIEWER = Permission(False, True, problems=VIEWER_PROBLEMS, by_viewer=True)  # a caller who may look as the viewer
NAMED_VIEWER = Permission(True, True, problems=VIEWER_PROBLEMS, by_viewer=True)  # the same, and not as the public


def resolve_permission(permission: Permission, args: PathArguments, viewer: int) -> tuple[Permission, PathArguments]:
    """Return what a call requires of a caller who would look as this viewer.

    With it come the arguments of its check. `permission` is the one that leaves it to the viewer.
    """
    if viewer == BYSTANDER:
        return permission, args
    return (FULL_VIEWER, args) if viewer == EVERYTHING else (SEAT_VIEWER, {**args, "seat": viewer})
