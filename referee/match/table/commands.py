"""Table commands of host and seats, such as opening a match, and their events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine import codec
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, Move
from referee.engine.game import Setup
from referee.engine.referee import resolve_pending_steps
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import (
    FINAL_STATUSES,
    NO_TIME_LIMITS,
    Clocks,
    Match,
    MatchOpened,
    MatchStarted,
    ProxySet,
    SeatAssignment,
    SeatLeft,
    SeatTaken,
    SettingsChanged,
)
from referee.match.bots import substitution as bot_substitution
from referee.match.events.dispute_state import DEFAULT_COURTS, CourtSettings, Precedent
from referee.match.events.office_events import OfficialNamed
from referee.match.events.report_events import WitnessWaived
from referee.match.house_readings import find_chosen_readings
from referee.match.table import hints, player_entropy, signed_moves
from referee.match.table.endings import require_free_seats
from referee.match.table.officials import decide_sitting_down
from referee.match.table.player_seed import DRAW_SCHEME


@named("table.open")
@dataclass(frozen=True)
class OpenMatch(Move):
    """Open a match. The game fills in what is not given."""

    game: str
    variant: str
    settings: dict[str, Any]
    chance: dict[str, str]
    chairs: tuple[SeatAssignment, ...]  # one for each seat
    visibility: str = "private"
    spectator_delay: int = 0
    clocks: Clocks = NO_TIME_LIMITS
    edition: str = ""
    courts: CourtSettings = DEFAULT_COURTS
    precedents_of: str = ""  # a match whose house rulings are taken over; empty: none
    # By clause: the number of the interpretation that the table plays by, if it is not the ruleset's.
    readings: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)
    ruleset: str = field(default="", metadata=OMIT_IF_EMPTY)  # empty: the newest
    official: str = field(default="", metadata=OMIT_IF_EMPTY)  # who the host is, if they do not play
    hints: bool = field(default=False, metadata=OMIT_IF_EMPTY)  # whether players may ask the referee for hints
    tournament: str = field(default="", metadata=OMIT_IF_EMPTY)  # of which it is a table; empty: of none
    terms: tuple[str, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # of that tournament: `BOUND`, `UNRATED`


@named("table.change")
@dataclass(frozen=True)
class ChangeSettings(Move):
    """Change settings of the match before the start; None leaves a part as it is.

    `readings` that are not named stay as they are.
    """

    settings: dict[str, Any] | None = None
    chance: dict[str, str] | None = None
    chairs: tuple[SeatAssignment, ...] | None = None
    visibility: str | None = None
    clocks: Clocks | None = None
    courts: CourtSettings | None = None
    readings: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)
    hints: str = field(default="", metadata=OMIT_IF_EMPTY)  # ALLOWED or FORBIDDEN; empty: as it was


@named("table.take_seat")
@dataclass(frozen=True)
class TakeSeat(Move):
    """Take a free seat. `seed_commitment` (hex) binds the seat to a seed; empty: none."""

    seat: int
    seed_commitment: str = ""
    offices: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # the officials that this person is or was


@named("table.leave_seat")
@dataclass(frozen=True)
class LeaveSeat(Move):
    """Leave a seat, or free it as the host."""

    seat: int


@named("table.set_proxy")
@dataclass(frozen=True)
class SetProxy(Move):
    """Say who else may move for a seat: nobody, host, or a seat's number."""

    seat: int
    by: str


@named("table.start")
@dataclass(frozen=True)
class StartMatch(Move):
    """Start the match."""


def decide_opening(
    match: str,
    commitment: str,
    command: OpenMatch,
    rules: Any,
    precedents: tuple[Precedent, ...] = (),
    ruleset: str = "",
    later_scheme: int | None = None,
) -> tuple[Event, ...]:
    """Return the events of opening a match.

    `rules` (a Game) fills in the settings. `precedents` are the house rulings that are taken over. `ruleset` was the
    newest when the match was opened; empty: the newest of this program. `later_scheme` is that of the draws then;
    None: that of this program. Raises MalformedInput.

    TABLE-OPEN-1: A match names game, variant, edition and ruleset when it opens, and keeps them.

    TABLE-HOUSE-3: House rulings are taken over with their readings; what the host chooses goes first.
    """
    chosen = {**_take_over_readings(rules, command, precedents), **command.readings}
    readings, settings = rules.split_agreed_interpretations(chosen, command.settings)
    ruleset = command.ruleset or ruleset
    setup = rules.complete_setup(
        Setup(command.variant, len(command.chairs), settings, command.chance, (), command.edition, ruleset, readings)
    )
    rules.build_initial_state(setup)  # a table that could not start is refused now
    book = rules.find_card_book(setup.edition)
    opened = MatchOpened(
        match,
        command.game,
        command.variant,
        setup.edition,
        setup.ruleset,
        setup.settings,
        setup.chance,
        command.visibility,
        command.spectator_delay,
        commitment,
        command.chairs,
        command.clocks,
        "" if book is None else book.hash,
        command.courts,
        precedents,
        setup.readings,
        DRAW_SCHEME if later_scheme is None else later_scheme,
        command.hints,
        command.tournament,
        command.terms,
    )
    return (opened, *((OfficialNamed(1, "host", command.official),) if command.official else ()))


def _take_over_readings(rules: Any, command: OpenMatch, precedents: tuple[Precedent, ...]) -> dict[str, int]:
    """Return the readings that house rulings choose, if the host has not."""
    return {
        clause: each.readings[clause]
        for clause, each in find_chosen_readings(precedents).items()
        if rules.interpretations[clause][0].setting not in command.settings
    }


def decide_table_command(match: Match, command: Move) -> tuple[Event, ...]:
    """Return the events of a table command.

    Raises IllegalMove with TABLE-* clauses, or MalformedInput.
    """
    return COMMAND_HANDLERS[type(command)](match, command)


def _require_lobby(match: Match) -> None:
    if match.status != "lobby":
        raise IllegalMove("already_started", "TABLE-LOBBY-1")


def _require_seat(match: Match, seat: int) -> SeatAssignment:
    if not 0 <= seat < len(match.chairs):
        raise IllegalMove("no_such_seat", "TABLE-SEAT-1", seat=seat)
    return match.chairs[seat]


def _handle_change(match: Match, command: ChangeSettings) -> tuple[Event, ...]:
    """Change settings in the lobby; a seat that somebody holds keeps its kind.

    TABLE-LOBBY-1: Settings, seats and devices change only before the start.
    """
    _require_lobby(match)
    chairs = match.chairs if command.chairs is None else command.chairs
    if command.chairs is not None and any(chair.taken for chair in match.chairs):
        for seat, (new, old) in enumerate(zip(command.chairs, match.chairs, strict=False)):
            if old.taken and new.kind != old.kind:  # the player has to leave the seat first
                raise IllegalMove("seat_taken", "TABLE-SEAT-1", seat=seat)
        kept = tuple(
            replace(new, taken=old.taken, proxy=old.proxy, device_key=old.device_key)
            for new, old in zip(command.chairs, match.chairs, strict=False)
        )
        chairs = (*kept, *command.chairs[len(kept) :])
        if any(chair.taken for chair in match.chairs[len(chairs) :]):
            raise IllegalMove("seat_taken", "TABLE-SEAT-1", seat=len(chairs))
    chosen, agreed = match.rules.split_agreed_interpretations(command.readings, command.settings or {})
    settings, readings = {**match.settings, **agreed}, {**match.readings, **chosen}
    chance = match.chance if command.chance is None else {**match.chance, **command.chance}
    setup = match.rules.complete_setup(
        Setup(match.variant, len(chairs), settings, chance, (), match.edition, match.ruleset, readings)
    )
    match.rules.build_initial_state(setup)
    visibility, clocks = command.visibility or match.visibility, command.clocks or match.clocks
    courts = command.courts and replace(command.courts, edition=match.courts.edition)
    changed = SettingsChanged(setup.settings, setup.chance, visibility, chairs, clocks, courts, setup.readings)
    return (replace(changed, hints=command.hints == hints.ALLOWED if command.hints else match.hints),)


def _handle_take_seat(match: Match, command: TakeSeat) -> tuple[Event, ...]:
    """Seat a person.

    TABLE-SEAT-1: A person may sit down on a free seat that is kept for people; one player or team per seat.
    """
    chair = _require_seat(match, command.seat)
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if match.status != "lobby":
        require_free_seats(match)
    if chair.taken:
        raise IllegalMove("seat_taken", "TABLE-SEAT-1", seat=command.seat)
    if not match.may_seat_person(command.seat):
        raise IllegalMove("seat_not_for_people", "TABLE-SEAT-1", seat=command.seat)
    bound = player_entropy.decide_seed_commitment(match, command.seat, command.seed_commitment)
    officials = decide_sitting_down(match, command.seat, command.offices)
    return (*bot_substitution.decide_seat_return(match, command.seat), SeatTaken(command.seat), *officials, *bound)


def _handle_leave_seat(match: Match, command: LeaveSeat) -> tuple[Event, ...]:
    """Free a seat, and settle what only its player had to answer.

    TABLE-SEAT-2: Until the end a taken seat can be left or handed over at any time; the match goes on.
    """
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    require_free_seats(match)
    if not _require_seat(match, command.seat).taken:
        raise IllegalMove("seat_empty", "TABLE-SEAT-2", seat=command.seat)
    left = SeatLeft(command.seat)
    after = left.apply(match)
    return (left, *bot_substitution.decide_after_seat_left(after), *_waive_unconfirmed_report(after))


def _waive_unconfirmed_report(match: Match) -> tuple[Event, ...]:
    """Let a report stand that nobody is left to confirm."""
    waits = match.witnessing
    if waits is None or any(match.chairs[seat].taken for seat in waits.asks):
        return ()
    return (WitnessWaived(waits.report, "nobody"),)


def _handle_set_proxy(match: Match, command: SetProxy) -> tuple[Event, ...]:
    """Let the host or one other seat move for a seat.

    TABLE-PROXY-1: A seat may let the host or one other seat move for it; the log marks such moves.
    """
    _require_seat(match, command.seat)
    if command.by not in ("nobody", "host"):
        other = int(command.by) if command.by.isdecimal() else -1
        _require_seat(match, other)
        if other == command.seat:
            raise IllegalMove("own_proxy", "TABLE-PROXY-1", seat=command.seat)
        if match.chairs[other].kind != "human":
            raise IllegalMove("seat_not_for_people", "TABLE-PROXY-1", seat=other)
    return (ProxySet(command.seat, command.by),)


def _handle_start(match: Match, _: StartMatch) -> tuple[Event, ...]:
    """Start the match.

    TABLE-START-1: The host starts the match once, as soon as every seat kept for people is taken.

    TABLE-SEED-2: In the first scheme no match starts while a seed is still to be shown.
    """
    _require_lobby(match)
    free = [seat for seat, chair in enumerate(match.chairs) if chair.kind == "human" and not chair.taken]
    if free:
        raise IllegalMove("seats_open", "TABLE-START-1", seats=free)
    if (hidden := player_entropy.find_unrevealed_seats(match)) and not match.later_scheme:
        raise IllegalMove("seeds_hidden", "TABLE-SEED-2", seats=hidden)
    opened = match.rules.build_initial_state(match.setup)
    return (MatchStarted(match.game, codec.encode(opened)), *resolve_pending_steps(opened))


COMMAND_HANDLERS: dict[type[Move], Callable[[Match, Any], tuple[Event, ...]]] = {
    ChangeSettings: _handle_change,
    TakeSeat: _handle_take_seat,
    LeaveSeat: _handle_leave_seat,
    SetProxy: _handle_set_proxy,
    StartMatch: _handle_start,
    **player_entropy.COMMAND_HANDLERS,
    **signed_moves.COMMAND_HANDLERS,
    **hints.COMMAND_HANDLERS,
}
