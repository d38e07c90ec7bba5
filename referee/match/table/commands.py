"""Table business: what the host and the seats may do with a match apart from playing it, decided by the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.engine import codec
from referee.engine.codec import SPARE, named
from referee.engine.events import Event, Move
from referee.engine.game import Setup
from referee.engine.referee import settle
from referee.engine.rulings import Refused
from referee.match.aggregate import (
    OVER,
    UNLIMITED,
    Chair,
    Clocks,
    Ended,
    Match,
    MatchOpened,
    ProxySet,
    SeatLeft,
    SeatTaken,
    SettingsChanged,
    Started,
)
from referee.match.events.dispute_state import AS_USUAL, Courts, Precedent
from referee.match.events.report_events import WitnessWaived
from referee.match.table import bot_substitution, player_entropy


@named("table.open")
@dataclass(frozen=True)
class Open(Move):
    """Open a table. `chairs` has one entry per seat; defaults are filled in by the game. `precedents_of`: a match whose
    house rulings are taken over; empty: none. `readings`: by the clause, the number of the reading that the table plays
    by, where it is not that of the ruleset; `ruleset`: an older one, empty for the newest."""

    game: str
    variant: str
    settings: dict[str, Any]
    chance: dict[str, str]
    chairs: tuple[Chair, ...]
    visibility: str = "private"
    spectator_delay: int = 0
    clocks: Clocks = UNLIMITED
    edition: str = ""
    courts: Courts = AS_USUAL
    precedents_of: str = ""
    readings: dict[str, int] = field(default_factory=dict, metadata=SPARE)
    ruleset: str = field(default="", metadata=SPARE)


@named("table.change")
@dataclass(frozen=True)
class Change(Move):
    """Change settings, devices, seats, visibility, clocks or courts before the start; None leaves a part as it is.
    `readings` that are not named stay as they are."""

    settings: dict[str, Any] | None = None
    chance: dict[str, str] | None = None
    chairs: tuple[Chair, ...] | None = None
    visibility: str | None = None
    clocks: Clocks | None = None
    courts: Courts | None = None
    readings: dict[str, int] = field(default_factory=dict, metadata=SPARE)


@named("table.take_seat")
@dataclass(frozen=True)
class TakeSeat(Move):
    """Sit down on a free seat. `seed_commitment` (hex) binds the seat to a seed; empty: to none."""

    seat: int
    seed_commitment: str = ""


@named("table.leave_seat")
@dataclass(frozen=True)
class LeaveSeat(Move):
    """Stand up, or be asked to by the host."""

    seat: int


@named("table.set_proxy")
@dataclass(frozen=True)
class SetProxy(Move):
    """Say who else may move for a seat: nobody, host, or a seat's number."""

    seat: int
    by: str


@named("table.start")
@dataclass(frozen=True)
class Start(Move):
    """Begin to play."""


@named("table.end")
@dataclass(frozen=True)
class End(Move):
    """End the match by the word of the table: agreed, abandoned, or withdrawn before the start."""

    reason: str
    placement: tuple[tuple[int, ...], ...] = field(default=())


def opening(
    match: str, commitment: str, ask: Open, rules: Any, precedents: tuple[Precedent, ...] = (), ruleset: str = ""
) -> tuple[Event, ...]:
    """The facts of opening a table, settings filled in by `rules` (a Game), with the house rulings that are taken over.

    `ruleset`: the one that was the newest when it was asked; empty: of now. Raises Malformed.
    """
    readings, settings = rules.agreed_readings(ask.readings, ask.settings)
    ruleset = ask.ruleset or ruleset
    setup = rules.set_up(Setup(ask.variant, len(ask.chairs), settings, ask.chance, (), ask.edition, ruleset, readings))
    rules.begun(setup)  # a table that could not start is refused now
    book = rules.card_book(setup.edition)
    opened = MatchOpened(
        match,
        ask.game,
        ask.variant,
        setup.edition,
        setup.ruleset,
        setup.settings,
        setup.chance,
        ask.visibility,
        ask.spectator_delay,
        commitment,
        ask.chairs,
        ask.clocks,
        "" if book is None else book.hash,
        ask.courts,
        precedents,
        setup.readings,
    )
    return (opened,)


def decided(match: Match, ask: Move) -> tuple[Event, ...]:
    """The facts that follow from table business. Raises Refused with TABLE-* clauses, or Malformed."""
    return DECIDES[type(ask)](match, ask)


def _lobby(match: Match) -> None:
    if match.status != "lobby":
        raise Refused("already_started", "TABLE-LOBBY-1")


def _seat(match: Match, seat: int) -> Chair:
    if not 0 <= seat < len(match.chairs):
        raise Refused("no_such_seat", "TABLE-SEAT-1", seat=seat)
    return match.chairs[seat]


def _change(match: Match, ask: Change) -> tuple[Event, ...]:
    _lobby(match)
    chairs = match.chairs if ask.chairs is None else ask.chairs
    if ask.chairs is not None and any(chair.taken for chair in match.chairs):
        for seat, (new, old) in enumerate(zip(ask.chairs, match.chairs, strict=False)):
            if old.taken and new.kind != old.kind:  # who sits there has to stand up first
                raise Refused("seat_taken", "TABLE-SEAT-1", seat=seat)
        kept = tuple(
            Chair(new.kind, new.level, old.taken, old.proxy) for new, old in zip(ask.chairs, match.chairs, strict=False)
        )
        chairs = (*kept, *ask.chairs[len(kept) :])
        if any(chair.taken for chair in match.chairs[len(chairs) :]):
            raise Refused("seat_taken", "TABLE-SEAT-1", seat=len(chairs))
    chosen, agreed = match.rules.agreed_readings(ask.readings, ask.settings or {})
    settings, readings = {**match.settings, **agreed}, {**match.readings, **chosen}
    chance = match.chance if ask.chance is None else {**match.chance, **ask.chance}
    setup = match.rules.set_up(
        Setup(match.variant, len(chairs), settings, chance, (), match.edition, match.ruleset, readings)
    )
    match.rules.begun(setup)
    visibility, clocks = ask.visibility or match.visibility, ask.clocks or match.clocks
    return (SettingsChanged(setup.settings, setup.chance, visibility, chairs, clocks, ask.courts, setup.readings),)


def _take(match: Match, ask: TakeSeat) -> tuple[Event, ...]:
    chair = _seat(match, ask.seat)
    if match.status in OVER:
        raise Refused("match_over", "TABLE-END-1")
    if chair.taken:
        raise Refused("seat_taken", "TABLE-SEAT-1", seat=ask.seat)
    if not match.for_people(ask.seat):
        raise Refused("seat_not_for_people", "TABLE-SEAT-1", seat=ask.seat)
    bound = player_entropy.committing(match, ask.seat, ask.seed_commitment)
    return (*bot_substitution.giving_back(match, ask.seat), SeatTaken(ask.seat), *bound)


def _leave(match: Match, ask: LeaveSeat) -> tuple[Event, ...]:
    if match.status in OVER:
        raise Refused("match_over", "TABLE-END-1")
    if not _seat(match, ask.seat).taken:
        raise Refused("seat_empty", "TABLE-SEAT-2", seat=ask.seat)
    left = SeatLeft(ask.seat)
    after = left.apply(match)
    return (left, *bot_substitution.unasked(after), *_unwitnessed(after))


def _unwitnessed(match: Match) -> tuple[Event, ...]:
    """A report that nobody is left to confirm stands."""
    waits = match.witnessing
    if waits is None or any(match.chairs[seat].taken for seat in waits.asks):
        return ()
    return (WitnessWaived(waits.report, "nobody"),)


def _proxy(match: Match, ask: SetProxy) -> tuple[Event, ...]:
    _seat(match, ask.seat)
    if ask.by not in ("nobody", "host"):
        other = int(ask.by) if ask.by.isdecimal() else -1
        _seat(match, other)
        if other == ask.seat:
            raise Refused("own_proxy", "TABLE-PROXY-1", seat=ask.seat)
        if match.chairs[other].kind != "human":
            raise Refused("seat_not_for_people", "TABLE-PROXY-1", seat=other)
    return (ProxySet(ask.seat, ask.by),)


def _start(match: Match, _: Start) -> tuple[Event, ...]:
    _lobby(match)
    free = [seat for seat, chair in enumerate(match.chairs) if chair.kind == "human" and not chair.taken]
    if free:
        raise Refused("seats_open", "TABLE-START-1", seats=free)
    if hidden := player_entropy.unrevealed(match):
        raise Refused("seeds_hidden", "TABLE-SEED-2", seats=hidden)
    opened = match.rules.begun(match.setup)
    return (Started(match.game, codec.encode(opened)), *settle(opened))


def _end(match: Match, ask: End) -> tuple[Event, ...]:
    if match.status in OVER:
        raise Refused("match_over", "TABLE-END-1")
    if ask.reason == "withdrawn":
        _lobby(match)
    elif match.status == "lobby":
        raise Refused("not_running", "TABLE-END-1")
    named_seats = [seat for place in ask.placement for seat in place]
    if named_seats and sorted(named_seats) != list(range(len(match.chairs))):
        raise Refused("placement_incomplete", "TABLE-END-1")
    winners = ask.placement[0] if ask.placement and ask.reason == "agreed" else ()
    status = {"agreed": "finished", "abandoned": "abandoned", "withdrawn": "withdrawn"}[ask.reason]
    return (Ended(status, f"end_{ask.reason}", winners, ask.placement, ("TABLE-END-1",)),)


DECIDES: dict[type[Move], Callable[[Match, Any], tuple[Event, ...]]] = {
    Change: _change,
    TakeSeat: _take,
    LeaveSeat: _leave,
    SetProxy: _proxy,
    Start: _start,
    End: _end,
    **player_entropy.DECIDES,
    **bot_substitution.DECIDES,
}
