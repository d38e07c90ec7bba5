"""Who may do what: the bearer of a token at one table, and the right each call asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from api.http.access.tokens import Grant
from api.http.problems import Problem
from referee.engine.rulings import Refused
from referee.match.aggregate import OVER, Match
from referee.match.clocks import Deadline

NOBODY = Grant("")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `table` is the match of the address as it stands; None if there is none, or none of that id."""

    token: str = ""  # its hash
    grant: Grant = NOBODY
    table: Match | None = None
    version: int = 0
    deadline: Deadline | None = None
    player: str = ""  # the account of the address, if it is his own

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats held: a seat that was left, or given to a bot or to the table, is nobody's any more."""
        if self.table is None:
            return ()
        chairs = self.table.chairs
        return tuple(s for s in self.grant.seats if s < len(chairs) and chairs[s].taken and chairs[s].kind == "human")

    @property
    def host(self) -> bool:
        """Whether he opened the match."""
        return self.grant.role == "host"

    @property
    def onlooker(self) -> bool:
        """Whether he has no more to do with the table than to watch it. Host and arbiter have to name its version."""
        return not self.seats and self.grant.role not in ("host", "arbiter")

    @property
    def sees_all(self) -> bool:
        """Whether he sees everything while a dispute is open: an arbiter without a seat, if the match is set so."""
        if self.table is None or self.grant.role != "arbiter" or self.seats:
            return False
        return self.table.courts.arbiter_sees == "full" and self.table.contested

    @property
    def admitted(self) -> bool:
        """Whether he may know of the match at all."""
        return self.table is not None and (self.table.visibility == "public" or bool(self.grant.role))

    def eyes_of(self, seat: int) -> bool:
        """Whether he sees what this seat sees: his own seats, and for the host those that have no phone."""
        chair = self.chair(seat)
        return seat in self.seats or (self.host and chair.kind == "table")

    def chair(self, seat: int) -> Any:
        """The chair of a seat. Raises Problem if the table has none such."""
        assert self.table is not None
        if not 0 <= seat < len(self.table.chairs):
            raise Problem("unknown-seat", params={"seat": seat})
        return self.table.chairs[seat]

    def actor(self, seat: int) -> str | None:
        """How he may move for a seat: as its player, as its proxy, or (None) not at all."""
        chair = self.chair(seat)
        if seat in self.seats:
            return "player"
        if self.host and (chair.kind == "table" or (chair.kind == "human" and chair.proxy == "host")):
            return "proxy"
        named = int(chair.proxy) if chair.kind == "human" and chair.proxy.isdecimal() else None
        return "proxy" if named is not None and named in self.seats else None

    @property
    def reports(self) -> bool:
        """Whether he may report what real dice and cards show."""
        assert self.table is not None
        return bool(self.seats) or (self.host and any(chair.kind == "table" for chair in self.table.chairs))


Args = Mapping[str, Any]
Check = Callable[[Caller, Args], None]


@dataclass(frozen=True, slots=True)
class Right:
    """What a call asks for. `token`: it needs one. `match`, `player`: it is about one. `check` raises Problem."""

    token: bool
    match: bool
    check: Check = lambda _caller, _args: None
    refuses: tuple[str, ...] = ()  # the problems that `check` raises
    optional: bool = False  # whether a token may be shown although none is asked for
    player: bool = False


def _seat(caller: Caller, args: Args) -> None:
    if not caller.eyes_of(args["seat"]):
        raise Problem("not-your-seat", params={"seat": args["seat"]})


def _owner(caller: Caller, args: Args) -> None:
    caller.chair(args["seat"])
    if args["seat"] not in caller.seats:
        raise Problem("not-your-seat", params={"seat": args["seat"]})


def _owner_or_host(caller: Caller, args: Args) -> None:
    if not caller.host:
        _owner(caller, args)
    caller.chair(args["seat"])


def _proposer(caller: Caller, args: Args) -> None:
    assert caller.table is not None
    caller.chair(args["seat"])
    if not caller.host and (caller.table.status == "lobby" or not caller.seats):
        raise Problem("host-only")


def _player(caller: Caller, args: Args) -> None:
    caller.chair(args["seat"])
    if not caller.seats:
        raise Problem("players-only")


def _mover(caller: Caller, args: Args) -> None:
    if args["seat"] == "chance":
        _reporter(caller, args)
    elif caller.actor(args["seat"]) is None:
        raise Problem("not-your-seat", params={"seat": args["seat"]})


def _looker(caller: Caller, args: Args) -> None:
    if args["seat"] == "chance":
        _reporter(caller, args)
    else:
        _seat(caller, args)


def _reporter(caller: Caller, _args: Args) -> None:
    if not caller.reports:
        raise Problem("players-only")


def _host(caller: Caller, _args: Args) -> None:
    if not caller.host:
        raise Problem("host-only")


def _ender(caller: Caller, _args: Args) -> None:
    if caller.grant.role not in ("host", "arbiter"):
        raise Problem("host-or-arbiter-only")


def _full(caller: Caller, _args: Args) -> None:
    assert caller.table is not None
    if caller.sees_all:
        return
    if not caller.seats and caller.grant.role != "auditor":
        raise Problem("full-view-only")
    if caller.table.status not in OVER:  # an arbiter may be looking at it, and then the desk shows it
        raise Refused("still_running", "TABLE-END-1")


def _claimant(caller: Caller, _args: Args) -> None:
    if not caller.seats and caller.grant.role not in ("host", "arbiter"):
        raise Problem("forbidden")


def _seats(caller: Caller, _args: Args) -> None:
    if not caller.seats:
        raise Problem("players-only")


def _self(caller: Caller, args: Args) -> None:
    if caller.player != args["player"]:
        raise Problem("not-your-account")


ANYONE = Right(False, False)  # no token is looked at
WATCHER = Right(False, False, optional=True)  # the operator, or whoever sits at the machine
SEE = Right(False, True)  # whoever may see the match
YOURS = ("not-your-seat", "unknown-seat")
SEAT = Right(True, True, _seat, YOURS)  # these eyes
OWNER = Right(True, True, _owner, YOURS)  # whoever sits there
OWNER_OR_HOST = Right(True, True, _owner_or_host, YOURS)
LOOKER = Right(True, True, _looker, (*YOURS, "players-only"))  # the seat; for chance whoever may report
MOVER = Right(True, True, _mover, (*YOURS, "players-only"))  # the seat or its proxy; for chance whoever may report
HOST = Right(True, True, _host, ("host-only",))
PROPOSER = Right(True, True, _proposer, ("host-only", "unknown-seat"))  # the host; any seat once the match runs
PLAYER = Right(True, True, _player, ("players-only", "unknown-seat"))  # any seat
ENDER = Right(True, True, _ender, ("host-or-arbiter-only",))  # host or arbiter
FULL = Right(True, True, _full, ("full-view-only",))  # seats and auditor; an arbiter while a dispute is open
REPORTER = Right(True, True, _reporter, ("players-only",))  # whoever may report
SEATS = Right(True, True, _seats, ("players-only",))  # whoever holds a seat
CLAIMANT = Right(True, True, _claimant, ("forbidden",))  # seats, host, arbiter
TABLE_SEATS = Right(True, True, _reporter, ("players-only",))  # and the host for those that have no phone
SELF = Right(True, False, _self, ("not-your-account",), player=True)  # the player himself
ACCOUNT = Right(False, False, player=True)  # anybody; the player himself is told more
