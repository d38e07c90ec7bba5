"""A match as its log tells it: the table, who sits there, and the state of the game; and the facts of table business.

Table business (a seat taken, the start, the end) is decided by the desk and not by the game; its facts lie in the same
log, and its clauses are TABLE-*.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine import codec
from referee.engine.codec import named
from referee.engine.events import Event, replace_fields
from referee.engine.game import Game, Outcome, Setup
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.engine.steps import State
from referee.games import load_games
from referee.match.events.dispute_state import (
    UNLIMITED_COURTS,
    CourtSettings,
    Deviation,
    Dispute,
    PendingWitness,
    Precedent,
    Takeback,
    TakebackBan,
)
from referee.match.step_ids import rebuild_step_ids, trace_step_ids


@dataclass(frozen=True)
class SeatAssignment:
    """One place at the table. `kind`: human, bot, or table (no phone: the host moves for it). `proxy`: nobody, host,
    or the number of the seat that may also move for it."""

    kind: str
    level: int = 0
    taken: bool = False
    proxy: str = "nobody"


@dataclass(frozen=True)
class Clocks:
    """Limits of time in ms, None: without. `move_ms` is for a move, or an answer that is no reaction; `window_ms` for a
    window, in which those react whom a move concerns. `quick_close`: standing passes need not wait for its end."""

    move_ms: int | None = None
    window_ms: int | None = None
    quick_close: bool = False


NO_TIME_LIMITS = Clocks()


@dataclass(frozen=True)
class Proposal:
    """The open question whether a bot may play for a seat, or (level None) go from it; `by` are seats that agree."""

    seat: int
    level: int | None
    by: tuple[int, ...]


@dataclass(frozen=True)
class PlayerSeed:
    """What a seat adds to the server's chance: the commitment to it (hex), and the seed once it is revealed (hex)."""

    seat: int
    commitment: str
    revealed: str = ""


@dataclass(frozen=True)
class Relocation:
    """Where a match has gone: it left this store for another server, at this address if one was told (else empty), and
    for the server with this public key alone (hex; empty: for any)."""

    store: str
    new_home: str = ""
    to: str = ""


@dataclass(frozen=True)
class Match:
    """One playing of a game, folded from its log. `state` is None until the start; `end` until the end.

    `opened` says for each pending step which event laid it on the agenda, as `n.k`: windows are named so.
    `late` counts the clock's moves since a person has moved or the table has done something; `unbidden` the moves in a
    row of bots that nobody waited for, chance apart. `book` is the hash of the card book, if it is played with one.
    `stand_ins` are seats of people for whom a bot plays; `proposals` the questions that the table has about bots.
    `courts` says how quarrels are settled, `disputes` and `takebacks` are all there were, `precedents` the rulings that
    the table keeps. `left_ms`: what was left of the time for the open question when play was halted. `witnessing`: the
    report that waits to be confirmed; `deviations`: all moves against the rules that were to count, or do.
    `commitment` binds the server to the secret behind its draws and salts, and each of `renewals` to the next one since
    play went back behind an end. `seeds`: what the seats add to the draws, by seat, as they stood at the start.
    `readings`: those that the host chose by their numbers, in place of the ruleset's. `gone`: it has left its server,
    and goes on nowhere until it arrives at another.
    """

    id: str = ""
    game: str = ""
    variant: str = ""
    edition: str = ""
    ruleset: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    chance: dict[str, str] = field(default_factory=dict)
    visibility: str = "private"
    spectator_delay: int = 0
    commitment: str = ""
    chairs: tuple[SeatAssignment, ...] = ()
    status: str = "lobby"
    state: State | None = None
    end: Outcome | None = None
    clocks: Clocks = NO_TIME_LIMITS
    opened: tuple[str, ...] = ()
    stand_ins: tuple[int, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    late: int = 0
    unbidden: int = 0
    book: str = ""
    courts: CourtSettings = UNLIMITED_COURTS
    disputes: tuple[Dispute, ...] = ()
    takebacks: tuple[Takeback, ...] = ()
    bars: tuple[TakebackBan, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    left_ms: int | None = None
    witnessing: PendingWitness | None = None
    deviations: tuple[Deviation, ...] = ()
    renewals: tuple[str, ...] = ()
    seeds: tuple[PlayerSeed, ...] = ()
    readings: dict[str, int] = field(default_factory=dict, metadata=codec.OMIT_IF_EMPTY)
    gone: Relocation | None = field(default=None, metadata=codec.OMIT_IF_EMPTY)

    @property
    def generation(self) -> int:
        """Which secret the draws and salts of the next entry come from: 0, or how often it was renewed."""
        return len(self.renewals)

    @property
    def has_open_dispute(self) -> bool:
        """Whether a court is still at a dispute about this match; what the match came to waits until it is not."""
        return any(dispute.is_open for dispute in self.disputes)

    @property
    def is_inspected(self) -> bool:
        """Whether an arbiter looks at all cards because of a dispute."""
        return self.courts.arbiter_sees == "full" and any(each.is_open and each.looked for each in self.disputes)

    @property
    def is_halted(self) -> bool:
        """Whether moves wait for a court, or for a witness; or the match has gone."""
        if self.gone is not None:
            return True
        if self.status != "running":
            return False
        return self.witnessing is not None or (not self.courts.play_on and self.has_open_dispute)

    @property
    def public_status(self) -> str:
        """The status as everybody is told it: `disputed` while a court is at it, also after the end; `moved` once the
        match has left its server."""
        if self.gone is not None:
            return "moved"
        return "disputed" if self.has_open_dispute else self.status

    @property
    def rules(self) -> Game:
        """The box of the game that is played. Raises KeyError if this server has it not."""
        return load_games()[self.game]

    @property
    def setup(self) -> Setup:
        """How the game is set up; at a table the cards of bots are named to the referee."""
        bots = tuple(seat for seat, chair in enumerate(self.chairs) if chair.kind == "bot")
        return Setup(
            self.variant, len(self.chairs), self.settings, self.chance, bots, self.edition, self.ruleset, self.readings
        )

    @property
    def unusual_interpretations(self) -> dict[str, int]:
        """The readings that hold which are not the first, as the state has them. Raises KeyError."""
        return self.rules.find_departures(self.ruleset, self.readings)

    def may_seat_person(self, seat: int) -> bool:
        """Whether a person may sit down on a seat: it is kept for one, and at most a bot stands in there."""
        chair = self.chairs[seat]
        return not chair.taken and (chair.kind == "human" or seat in self.stand_ins)

    def view_for(self, seat: int) -> Match:
        """The match as a seat (or BYSTANDER, or FULL) may see it."""
        if self.state is None or seat == FULL_VIEWER:
            return self
        disputes = tuple(dispute.seen_by(seat) for dispute in self.disputes)
        return replace(self, state=self.state.view_for(seat), disputes=disputes)


class TableEvent(Event):
    """A fact of table business; `apply` takes and gives a Match. `replaces_table`: it lays a whole table, agenda and
    all."""

    __slots__ = ()
    replaces_table = False


class LastingTableEvent(TableEvent):
    """A fact that stays when play goes back: who sits where, what was disputed and how it was ruled."""

    __slots__ = ()


@named("table.MatchOpened")
@dataclass(frozen=True)
class MatchOpened(TableEvent):
    """A table was opened; `commitment` binds the server to the secret behind its draws."""

    match: str
    game: str
    variant: str
    edition: str
    ruleset: str
    settings: dict[str, Any]
    chance: dict[str, str]
    visibility: str
    spectator_delay: int
    commitment: str
    chairs: tuple[SeatAssignment, ...]
    clocks: Clocks = NO_TIME_LIMITS
    book: str = ""  # the SHA-256 of the card book; empty: the game's own cards
    courts: CourtSettings = UNLIMITED_COURTS
    precedents: tuple[Precedent, ...] = ()  # taken over from another match
    readings: dict[str, int] = field(default_factory=dict, metadata=codec.OMIT_IF_EMPTY)  # in place of the ruleset's
    clauses = ("TABLE-OPEN-1",)

    def apply(self, state: Match) -> Match:
        return Match(
            self.match,
            self.game,
            self.variant,
            self.edition,
            self.ruleset,
            self.settings,
            self.chance,
            self.visibility,
            self.spectator_delay,
            self.commitment,
            self.chairs,
            clocks=self.clocks,
            book=self.book,
            courts=self.courts,
            precedents=self.precedents,
            readings=self.readings,
        )


@named("table.SettingsChanged")
@dataclass(frozen=True)
class SettingsChanged(TableEvent):
    """The host changed how the match will be played, before its start."""

    settings: dict[str, Any]
    chance: dict[str, str]
    visibility: str
    chairs: tuple[SeatAssignment, ...]
    clocks: Clocks | None = None  # None: as they were
    courts: CourtSettings | None = None  # likewise
    readings: dict[str, int] = field(default_factory=dict, metadata=codec.OMIT_IF_EMPTY)
    clauses = ("TABLE-LOBBY-1",)

    def apply(self, state: Match) -> Match:
        clocks = state.clocks if self.clocks is None else self.clocks
        return replace(
            state,
            settings=self.settings,
            chance=self.chance,
            visibility=self.visibility,
            chairs=self.chairs,
            clocks=clocks,
            courts=self.courts or state.courts,
            readings=self.readings,
        )


@dataclass(frozen=True)
class SeatEvent(LastingTableEvent):
    """A fact about one chair."""

    seat: int

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        """The chair after this fact."""
        return chair

    def apply(self, state: Match) -> Match:
        chairs = tuple(
            self.update_assignment(chair) if at == self.seat else chair for at, chair in enumerate(state.chairs)
        )
        return replace(state, chairs=chairs)


@named("table.SeatTaken")
@dataclass(frozen=True)
class SeatTaken(SeatEvent):
    """Somebody sat down. The log does not say who: accounts and names are kept apart."""

    clauses = ("TABLE-SEAT-1",)

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        return replace(chair, taken=True)


@named("table.SeatLeft")
@dataclass(frozen=True)
class SeatLeft(SeatEvent):
    """A player stood up, or the seat is handed over; a new invitation fills it."""

    clauses = ("TABLE-SEAT-2",)

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        return replace(chair, taken=False, proxy="nobody")

    def apply(self, state: Match) -> Match:
        if state.status == "lobby":  # later the draws rest on it
            state = replace(state, seeds=tuple(seed for seed in state.seeds if seed.seat != self.seat))
        return expire_open_requests(super().apply(state))  # what was asked of this seat, nobody would answer any more


@named("table.ProxySet")
@dataclass(frozen=True)
class ProxySet(SeatEvent):
    """A seat said who else may move for it."""

    by: str
    clauses = ("TABLE-PROXY-1",)

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        return replace(chair, proxy=self.by)


@named("table.Started")
@dataclass(frozen=True)
class MatchStarted(TableEvent):
    """Play began with this table: the state before anything happened, as data."""

    game: str
    table: dict[str, Any]
    clauses = ("TABLE-START-1",)

    def apply(self, state: Match) -> Match:
        return replace(state, status="running", state=self._decode_state())

    def _decode_state(self) -> State:
        opened: State = codec.decode(load_games()[self.game].state_type, self.table)
        return opened

    def view_for(self, seat: int) -> Event:
        return replace(self, table=codec.encode(self._decode_state().view_for(seat)))


@named("table.Ended")
@dataclass(frozen=True)
class MatchEnded(TableEvent):
    """The match is over: by the rules, or because the table says so (agreed, abandoned, withdrawn)."""

    status: str
    reason: str
    winners: tuple[int, ...]
    placement: tuple[tuple[int, ...], ...]
    rests: tuple[str, ...]

    def apply(self, state: Match) -> Match:
        return replace(state, status=self.status, end=Outcome(self.winners, self.reason, self.rests, self.placement))

    def applied_clauses(self) -> tuple[str, ...]:
        return self.rests


class RewindEvent(TableEvent):
    """A fact by which another course counts from here on (`entries.course`); its own entry belongs to that
    one. Who follows a match looks for this kind, and folds its course from the beginning."""

    __slots__ = ()

    def apply(self, state: Match) -> Match:
        return expire_open_requests(replace(state, left_ms=None))  # what is asked then is asked anew, with all its time


@named("table.Rewound")
@dataclass(frozen=True)
class MatchRewound(RewindEvent):
    """The course goes back to just after entry `to`; the entries between stay readable and count no more."""

    to: int
    clauses = ("TABLE-COURSE-1",)


FINAL_STATUSES = frozenset({"finished", "void", "abandoned", "withdrawn", "archived"})


def finish_entry(before: Match, match: Match, seat: int, actor: str) -> Match:
    """The match after all facts of an entry, which `actor` made for a seat; `before` is the match before it.

    Bots and chance do not show that anybody is there. What was left of the time counts for the entry that says so, and
    for the shuffling that follows it. Requests to go back are overtaken where play goes on.
    """
    kind, says_so = actor.partition(":")[0], match.takebacks != before.takebacks
    if seat != BYSTANDER or match.state is not before.state:
        match = expire_open_requests(match)
    if kind == "chance":
        return match
    waits = before.is_halted or match.is_halted
    if match.left_ms is not None and match.left_ms == before.left_ms and not says_so and not waits:
        match = replace(match, left_ms=None)
    late = match.late + 1 if kind == "clock" else match.late if kind == "bot" else 0
    unbidden = match.unbidden + 1 if kind == "bot" and not _is_awaited(before, seat) else 0
    if (late, unbidden) == (match.late, match.unbidden):
        return match
    return replace(match, late=late, unbidden=unbidden)


def expire_open_requests(match: Match) -> Match:
    """The match with no request to go back, and no question about a move against the rules, open any more."""
    if "asked" not in [each.stage for each in match.takebacks] + [each.stage for each in match.deviations]:
        return match
    backs = (replace(each, stage="overtaken") if each.stage == "asked" else each for each in match.takebacks)
    asked = (replace(each, stage="overtaken") if each.stage == "asked" else each for each in match.deviations)
    return replace(match, takebacks=tuple(backs), deviations=tuple(asked))


def _is_awaited(match: Match, seat: int) -> bool:
    return match.state is not None and seat in seats_that_must_act(match.state)


def apply_event(match: Match, event: Event, place: str = "") -> Match:
    """The match after one fact, of the table or of the game; `place` is that of the fact in the log, as `n.k`."""
    before = match.state.agenda if match.state is not None else ()
    if isinstance(event, TableEvent):
        later: Match = event.apply(match)
        after = later.state.agenda if later.state is not None else ()
        if after is before:
            return later
        if event.replaces_table:
            return replace_fields(later, opened=rebuild_step_ids(match.opened, before, after, place))
        return replace_fields(later, opened=trace_step_ids(match.opened, before, after, place))
    state = event.apply(match.state)
    if state.agenda is before:
        return replace_fields(match, state=state)
    return replace_fields(match, state=state, opened=trace_step_ids(match.opened, before, state.agenda, place))
