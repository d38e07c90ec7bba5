"""The aggregate `Match`, folded from its log, and the table events that change it.

The table decides these events, not the game: a seat taken, the start, the end. They lie in the same log (TABLE-*).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY, decode, encode, named
from referee.engine.events import Event, replace_fields
from referee.engine.game import Game, Outcome, Setup
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER
from referee.engine.steps import State
from referee.games import load_games
from referee.match.events.dispute_state import (
    UNLIMITED_COURTS,
    CourtSettings,
    Deviation,
    Dispute,
    EndProposal,
    PendingWitness,
    Precedent,
    Proposal,
    Relocation,
    Slip,
    Speaking,
    SpokenWindow,
    Takeback,
    TakebackBan,
    TakenHint,
    TransferProposal,
    lapse_slips,
)
from referee.match.step_ids import rebuild_step_ids, trace_step_ids
from referee.match.table.office_state import NO_OFFICES, Offices, Official
from referee.match.table.player_seed import PlayerSeed, mark_links_served


@dataclass(frozen=True)
class SeatAssignment:
    """One place at the table."""

    kind: str  # human, bot, or table (a seat without a phone: the host moves for it)
    level: int = 0
    taken: bool = False
    proxy: str = "nobody"  # who else may move for it: nobody, host, or the number of a seat
    device_key: str = field(default="", metadata=OMIT_IF_EMPTY)  # in hex; its device signs with it
    style: str = field(default="", metadata=OMIT_IF_EMPTY)  # of a bot that searches: how it weighs outcomes


@dataclass(frozen=True)
class Clocks:
    """The time limits of a match in ms; None means no limit."""

    move_ms: int | None = None  # for a move, or an answer that is no reaction
    window_ms: int | None = None  # for a window, in which the seats react that a move concerns
    quick_close: bool = False  # standing passes are played at once, without waiting for the window's limit
    speaking: Speaking | None = field(default=None, metadata=OMIT_IF_EMPTY)  # None: nobody speaks for all


NO_TIME_LIMITS = Clocks()


@dataclass(frozen=True)
class Match:
    """One playing of a game, folded from its log."""

    id: str = ""
    game: str = ""
    variant: str = ""
    edition: str = ""
    ruleset: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    chance: dict[str, str] = field(default_factory=dict)
    visibility: str = "private"
    spectator_delay: int = 0
    commitment: str = ""  # binds the server to the secret behind its draws and salts
    chairs: tuple[SeatAssignment, ...] = ()
    status: str = "lobby"
    state: State | None = None  # None until the start
    end: Outcome | None = None  # None until the end
    clocks: Clocks = NO_TIME_LIMITS
    opened: tuple[str, ...] = ()  # by pending step: the place (`n.k`) of the event that put it there; names windows
    stand_ins: tuple[int, ...] = ()  # seats of people for whom a bot plays
    proposals: tuple[Proposal, ...] = ()  # open questions of the table about bots
    late: int = 0  # moves of the clock since a person last moved or the table last did something
    unbidden: int = 0  # moves in a row of bots that nobody waited for, not counting chance
    book: str = ""  # the hash of the card book, if the match is played with one
    courts: CourtSettings = UNLIMITED_COURTS
    disputes: tuple[Dispute, ...] = ()  # all there have been, open or not; likewise the takebacks
    takebacks: tuple[Takeback, ...] = ()
    bars: tuple[TakebackBan, ...] = ()
    precedents: tuple[Precedent, ...] = ()  # rulings that the table keeps
    left_ms: int | None = None  # what was left of the open question's time when play was halted
    witnessing: PendingWitness | None = None  # the report that waits for a witness
    deviations: tuple[Deviation, ...] = ()  # all moves against the rules that were brought forward
    renewals: tuple[str, ...] = ()  # commitments to the later secrets, one for each time play went back behind an end
    seeds: tuple[PlayerSeed, ...] = ()  # what the seats add to the draws, as it stood at the start
    readings: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)  # chosen by number by the host
    gone: Relocation | None = field(default=None, metadata=OMIT_IF_EMPTY)  # nothing happens until it arrives
    offices: Offices = NO_OFFICES
    endings: tuple[EndProposal, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # all there have been
    transfers: tuple[TransferProposal, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # all questions so far
    spoken: SpokenWindow | None = field(default=None, metadata=OMIT_IF_EMPTY)  # said of the open window
    slips: tuple[Slip, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # reports that were admitted to be wrong
    later_scheme: int = field(default=0, metadata=OMIT_IF_EMPTY)  # of the draws; 0: the first
    draws: int = field(default=0, metadata=OMIT_IF_EMPTY)  # of the server so far; counted from the second scheme
    hints: bool = field(default=False, metadata=OMIT_IF_EMPTY)  # whether players may ask the referee for hints
    hinted: tuple[TakenHint, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # the last one of each seat
    tournament: str = field(default="", metadata=OMIT_IF_EMPTY)  # of which it is a table
    terms: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # of its tournament: `BOUND`, `UNRATED`

    @property
    def draw_scheme(self) -> int:
        """The number of the scheme by which the server draws, from 1."""
        return self.later_scheme or 1

    @property
    def generation(self) -> int:
        """The number of the secret behind the next entry's draws and salts, from 0."""
        return len(self.renewals)

    @property
    def has_open_dispute(self) -> bool:
        """Whether a court still has a dispute; until then the result is not final."""
        return any(dispute.is_open for dispute in self.disputes)

    @property
    def officials(self) -> tuple[Official, ...]:
        """All officials there have been."""
        return self.offices.named

    @property
    def is_inspected(self) -> bool:
        """Whether an arbiter looks at all cards because of a dispute."""
        return self.courts.arbiter_sees == "full" and any(each.is_open and each.looked for each in self.disputes)

    @property
    def is_halted(self) -> bool:
        """Whether moves wait for somebody at the table, or the match has moved away."""
        if self.gone is not None or self.status != "running":
            return self.gone is not None
        waits = self.witnessing is not None or self.offices.open_call is not None
        return waits or (not self.courts.play_on and self.has_open_dispute)

    @property
    def public_status(self) -> str:
        """The status that everybody sees: also `disputed`, and `moved` once it has left."""
        if self.gone is not None:
            return "moved"
        return "disputed" if self.has_open_dispute else self.status

    @property
    def rules(self) -> Game:
        """The game that is played. Raises KeyError if this server does not have it."""
        return load_games()[self.game]

    @property
    def setup(self) -> Setup:
        """How the game is set up; it names the bots, whose real cards the referee knows."""
        bots = tuple(seat for seat, chair in enumerate(self.chairs) if chair.kind == "bot")
        return Setup(
            self.variant, len(self.chairs), self.settings, self.chance, bots, self.edition, self.ruleset, self.readings
        )

    @property
    def unusual_interpretations(self) -> dict[str, int]:
        """The interpretations in force that are not the first, by clause. Raises KeyError."""
        return self.rules.find_departures(self.ruleset, self.readings)

    def may_seat_person(self, seat: int) -> bool:
        """Tell whether a person may sit down there: at most a bot stands in on the seat."""
        chair = self.chairs[seat]
        return not chair.taken and (chair.kind == "human" or seat in self.stand_ins)

    def view_for(self, seat: int) -> Match:
        """Return the match as a seat, BYSTANDER or FULL_VIEWER may see it."""
        if self.state is None or seat == FULL_VIEWER:
            return self
        disputes = tuple(dispute.seen_by(seat) for dispute in self.disputes)
        return replace(self, state=self.state.view_for(seat), disputes=disputes)


class TableEvent(Event):
    """An event of the table; `apply` takes and returns a Match."""

    __slots__ = ()
    replaces_table = False  # whether it replaces the whole state of the game, its agenda included


class LastingTableEvent(TableEvent):
    """A table event that a rewind does not undo: who sits where, what was ruled."""

    __slots__ = ()


@named("table.MatchOpened")
@dataclass(frozen=True)
class MatchOpened(TableEvent):
    """A match was opened; `commitment` binds the server to its secret."""

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
    readings: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)  # in place of the ruleset's
    later_scheme: int = field(default=0, metadata=OMIT_IF_EMPTY)  # of the draws; 0: the first
    hints: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    tournament: str = field(default="", metadata=OMIT_IF_EMPTY)  # of which the match is a table
    terms: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    clauses = ("TABLE-OPEN-1",)

    def apply(self, state: Match) -> Match:
        return Match(
            self.match, self.game, self.variant, self.edition, self.ruleset, self.settings, self.chance,
            self.visibility, self.spectator_delay, self.commitment, self.chairs, clocks=self.clocks, book=self.book,
            courts=self.courts, precedents=self.precedents, readings=self.readings, later_scheme=self.later_scheme,
            hints=self.hints, tournament=self.tournament, terms=self.terms,
        )  # fmt: skip

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, "TABLE-HOUSE-3") if any(each.entry for each in self.precedents) else self.clauses


@named("table.SettingsChanged")
@dataclass(frozen=True)
class SettingsChanged(TableEvent):
    """The host changed settings of the match before its start."""

    settings: dict[str, Any]
    chance: dict[str, str]
    visibility: str
    chairs: tuple[SeatAssignment, ...]
    clocks: Clocks | None = None  # None: as they were
    courts: CourtSettings | None = None  # likewise
    readings: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)
    hints: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses = ("TABLE-LOBBY-1",)

    def apply(self, state: Match) -> Match:
        return replace(
            state,
            settings=self.settings,
            chance=self.chance,
            visibility=self.visibility,
            chairs=self.chairs,
            clocks=state.clocks if self.clocks is None else self.clocks,
            courts=self.courts or state.courts,
            readings=self.readings,
            hints=self.hints,
        )


@dataclass(frozen=True)
class SeatEvent(LastingTableEvent):
    """An event about one seat."""

    seat: int

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        """Return the seat's assignment after this event."""
        return chair

    def apply(self, state: Match) -> Match:
        chairs = tuple(
            self.update_assignment(chair) if at == self.seat else chair for at, chair in enumerate(state.chairs)
        )
        return replace(state, chairs=chairs)


@named("table.SeatTaken")
@dataclass(frozen=True)
class SeatTaken(SeatEvent):
    """Somebody took a seat; the log does not say who."""

    clauses = ("TABLE-SEAT-1",)

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        return replace(chair, taken=True)


@named("table.SeatLeft")
@dataclass(frozen=True)
class SeatLeft(SeatEvent):
    """A player left a seat, or it is handed over; a new invitation fills it."""

    clauses = ("TABLE-SEAT-2",)

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        return replace(chair, taken=False, proxy="nobody", device_key="")

    def apply(self, state: Match) -> Match:
        if state.status == "lobby":  # from the start on the draws rest on the seed
            state = replace(state, seeds=tuple(seed for seed in state.seeds if seed.seat != self.seat))
        offices = replace(state.offices, named=tuple(each.without_seat(self.seat) for each in state.officials))
        state = replace(state, offices=offices, endings=tuple(each.overtake() for each in state.endings))
        state = replace(state, disputes=tuple(each.without_votes_of(self.seat) for each in state.disputes))
        state = replace(state, transfers=tuple(each.without_seat(self.seat) for each in state.transfers))
        return expire_open_requests(super().apply(state))  # nobody is left to answer for this seat


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
    """Play began with this state, as data, before anything happened."""

    game: str
    table: dict[str, Any]
    clauses = ("TABLE-START-1",)

    def apply(self, state: Match) -> Match:
        return replace(state, status="running", state=self._decode_state())

    def _decode_state(self) -> State:
        opened: State = decode(load_games()[self.game].state_type, self.table)
        return opened

    def view_for(self, seat: int) -> Event:
        return replace(self, table=encode(self._decode_state().view_for(seat)))


@named("table.Ended")
@dataclass(frozen=True)
class MatchEnded(TableEvent):
    """The match is over: by the rules, or by the table's word (agreed, abandoned, …)."""

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
    """An event after which another effective history counts (`effective_entries`).

    Its own entry belongs to the new history. A reader that follows a match and meets such an event folds the effective
    history from the beginning.
    """

    __slots__ = ()

    def apply(self, state: Match) -> Match:
        return expire_open_requests(replace(state, left_ms=None))  # the question is reopened with its whole time


@named("table.Rewound")
@dataclass(frozen=True)
class MatchRewound(RewindEvent):
    """Play went back to just after entry `to`.

    TABLE-COURSE-1: Nothing is erased. Going back is an entry of its own, and the entries that no longer count stay
    readable.
    """

    to: int
    clauses = ("TABLE-COURSE-1",)

    def apply(self, state: Match) -> Match:
        return replace(super().apply(state), slips=lapse_slips(state.slips, self.to))


FINAL_STATUSES = frozenset({"finished", "void", "abandoned", "withdrawn", "archived"})


def finish_entry(before: Match, match: Match, seat: int, actor: str) -> Match:
    """Return `match` with its counters updated after all events of an entry.

    `before` is the match before the entry, which `actor` made for `seat`. Bots and chance do not show that anybody is
    there. `left_ms` counts for the entry that set it and for the shuffling after it. Open takeback requests and
    deviations are overtaken when play goes on, and so are votes for corrections by hand.
    """
    kind, says_so = actor.partition(":")[0], match.takebacks != before.takebacks
    if match.spoken is not None and seat in match.spoken.seats:  # it is spoken for once, and not after its own move
        match = replace(match, spoken=match.spoken.without_seat(seat))
    if seat != BYSTANDER or match.state is not before.state:
        match = expire_open_requests(match)
        if any(each.votes for each in match.disputes):
            match = replace(match, disputes=tuple(each.without_overtaken_votes() for each in match.disputes))
    if kind == "chance":
        if seat != CHANCE or not match.later_scheme:
            return match
        return replace(match, draws=match.draws + 1, seeds=mark_links_served(match.seeds))  # every link has served
    waits = before.is_halted or match.is_halted
    if match.left_ms is not None and match.left_ms == before.left_ms and not says_so and not waits:
        match = replace(match, left_ms=None)
    late = match.late + 1 if kind == "clock" else match.late if kind == "bot" else 0
    unasked = kind == "bot" and (before.state is None or seat not in seats_that_must_act(before.state))
    unbidden = match.unbidden + 1 if unasked else 0
    return match if (late, unbidden) == (match.late, match.unbidden) else replace(match, late=late, unbidden=unbidden)


def expire_open_requests(match: Match) -> Match:
    """Return the match with all open takebacks and deviations marked as overtaken."""
    if "asked" not in [each.stage for each in match.takebacks] + [each.stage for each in match.deviations]:
        return match
    backs = (replace(each, stage="overtaken") if each.stage == "asked" else each for each in match.takebacks)
    deviations = (replace(each, stage="overtaken") if each.stage == "asked" else each for each in match.deviations)
    return replace(match, takebacks=tuple(backs), deviations=tuple(deviations))


def apply_event(match: Match, event: Event, place: str = "") -> Match:
    """Return the match after one event; `place` is its place in the log, as `n.k`."""
    before = match.state.agenda if match.state is not None else ()
    if isinstance(event, TableEvent):
        later: Match = event.apply(match)
        after = later.state.agenda if later.state is not None else ()
        if after is before:
            return later
        later = later if later.spoken is None else replace_fields(later, spoken=None)
        name_steps = rebuild_step_ids if event.replaces_table else trace_step_ids
        return replace_fields(later, opened=name_steps(match.opened, before, after, place))
    state = event.apply(match.state)
    if state.agenda is before:
        return replace_fields(match, state=state)
    opened = trace_step_ids(match.opened, before, state.agenda, place)
    spoken = match.spoken if opened == match.opened else None  # else somebody reacted, or the window is closed
    return replace_fields(match, state=state, opened=opened, spoken=spoken)
