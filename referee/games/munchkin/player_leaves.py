"""A player leaves the table: what is left behind, and which pending steps lapse.

MK-26.9-R2: What lies in front of the player is discarded, the hand stays out of the game. What that player had running
    or was asked lapses, and the player's own combat and turn end. The last one left has won.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import SimultaneousPrompt
from referee.engine.codec import REGISTRY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StackCleared, Step, StepPushed
from referee.games.munchkin.components import (
    COMBAT,
    CORPSES,
    CURSES,
    FACES,
    PENDING,
    PLAYS,
    RIDES,
    TOWNSHIP,
    WON,
    discard_pile_of,
)
from referee.games.munchkin.events.cards import CardsDiscarded
from referee.games.munchkin.events.combat import CombatEnded, HelperLeft, HelpTermsClosed
from referee.games.munchkin.events.course import LastOneLeft, PlayerLeft

if TYPE_CHECKING:
    from referee.games.munchkin.state import Table

OPEN_PLACES = (PLAYS, TOWNSHIP, RIDES, CURSES)  # what lies in front of a player, by seat
TABLE_PLACES = (COMBAT, PENDING, WON, *CORPSES)  # what lies there while a turn is running
# Steps that are not those of the seat that they name: the active player's, who does not leave here, and a corpse's.
STEPS_OF_THE_TURN = frozenset({"mk.Calm", "mk.AfterDoor", "mk.Fight", "mk.Looting"})
STEPS_WITH_PLAYED_CARD = frozenset({"mk.Strikes", "mk.Finish", "mk.BehindTheDoor"})


@named("mk.leave")
@dataclass(frozen=True)
class Leave(Move):
    """Leave the table for good (MK-26.9)."""

    clauses: ClassVar[tuple[str, ...]] = ("MK-26.9",)
    playable_at_random: ClassVar[bool] = False
    is_concession: ClassVar[bool] = True


def may_anybody_leave(table: Table) -> bool:
    """Return whether players leave in this match, and it has begun.

    MK-26.9: A player who is gone keeps seat, level and cards.
    MK-26.9-R2: A player may leave at any moment, once the first turn has begun.
    """
    return table.interpretation_number("MK-26.9") == 2 and table.turn in range(table.rules.seats)


def find_seats_that_may_leave(table: Table) -> frozenset[Seat]:
    """Return the seats that may leave the table now."""
    return frozenset(map(Seat, table.seats_at_table)) if may_anybody_leave(table) else frozenset()


def list_leave_moves(table: Table, seat: Seat) -> Iterable[Move]:
    """Return the move of leaving for a seat that may make it."""
    return (Leave(),) if seat in find_seats_that_may_leave(table) else ()


def is_leave_move(move: Move) -> bool:
    """Return whether this move is leaving the table."""
    return isinstance(move, Leave)


def check_leave(table: Table, seat: Seat) -> None:
    """Raise IllegalMove unless the seat may leave now (MK-26.9)."""
    check_presence(table, seat)
    if table.interpretation_number("MK-26.9") != 2:
        raise IllegalMove("nobody_leaves", "MK-26.9")
    if not may_anybody_leave(table):
        raise IllegalMove("leave_after_setup", "MK-26.9", "MK-1.6")


def check_presence(table: Table, seat: int) -> None:
    """Raise IllegalMove if the seat has left the table (MK-26.9)."""
    if seat in table.gone:
        raise IllegalMove("has_left", "MK-26.9", seat=int(seat))


def leave_table(table: Table, seat: Seat) -> Iterator[Event]:
    """Yield the events of leaving: cards, lapsed steps, and perhaps the end.

    MK-26.9-R2: What lies in front of the player is discarded. The last one left has won.
    """
    me = int(seat)
    for places in OPEN_PLACES:
        yield from _discard(places[me], table.open_cards_at(places[me]))
    rest = tuple(other for other in table.seats_at_table if other != me)
    if len(rest) == 1:
        yield from _end_turn(table, me)
        yield PlayerLeft(me)
        yield LastOneLeft(rest[0])
        yield StackCleared()
        return
    if me == table.turn:
        agenda = yield from _end_turn(table, me)
    else:
        agenda = yield from _withdraw(table, me)
    yield PlayerLeft(me)
    yield StackCleared()
    for step in agenda:
        yield StepPushed(step)


def _discard(place: str, cards: Iterable[str]) -> Iterator[Event]:
    named = tuple(cards)
    for deck in ("door", "treasure"):
        if mine := tuple(card for card in named if FACES[card].deck == deck):
            yield CardsDiscarded(place, discard_pile_of(mine[0]), mine, mine)


def _end_turn(table: Table, leaver: int) -> Any:
    """Yield the events with which a turn breaks off; return what is pending then.

    MK-26.9-R2: The combat is over without reward, and there is no charity.
    """
    for place in TABLE_PLACES:
        yield from _discard(place, table.open_cards_at(place))
    if table.combat is not None:
        for fighter in (seat for seat in table.combat.fighters if seat != leaver):
            over = [card for card in table.curses_of(fighter) if _lasts_one_combat(card)]
            yield from _discard(CURSES[fighter], over)
        yield CombatEnded("left")
    ends: Any = REGISTRY["mk.TurnEnds"]
    return (ends(table.turn),)


def _lasts_one_combat(curse: str) -> bool:
    stays = FACES[curse].stays
    return stays is not None and stays.until == "next_combat_end"


def _withdraw(table: Table, seat: int) -> Any:
    """Yield the events with which a player drops out of another's turn.

    MK-26.9-R2: The helper's deal is void, open terms are declined, and what that player had running lapses.
    """
    combat = table.combat
    if combat is not None and seat in (combat.asked, combat.offered_by):
        yield HelpTermsClosed(seat, "declined")
    if combat is not None and combat.helper == seat:
        yield HelperLeft(seat)
    agenda = remove_player_steps(table, seat)
    kept = [step.card for step in agenda if step.TAG in STEPS_WITH_PLAYED_CARD]  # type: ignore[attr-defined]
    yield from _discard(PENDING, (card for card in table.open_cards_at(PENDING) if card not in kept))
    return agenda


def remove_player_steps(table: Table, seat: int) -> tuple[Step, ...]:
    """Return what stays pending when a player leaves in another's turn.

    These are all steps that are not the leaving player's own, nor above one of them.
    """
    kept: list[Step] = []
    for step in table.agenda:
        if step.TAG not in STEPS_OF_THE_TURN and seat in _find_owners(step):
            return tuple(kept)
        if not (step.TAG == "mk.Looting" and step.seat == seat and not step.opened):  # type: ignore[attr-defined]
            kept.append(_without(table, step, seat))
    return tuple(kept)


def _find_owners(step: Step) -> tuple[int, ...]:
    """Return the players whose pending step this is."""
    if isinstance(step, Execution):
        return (step.by,)
    if (victim := getattr(step, "victim", None)) is not None:
        return (victim,)
    return tuple(getattr(step, name) for name in ("seat", "by") if hasattr(step, name))


def _without(table: Table, step: Any, seat: int) -> Step:
    """Return a step that goes on without the player who leaves."""
    if isinstance(step, Execution):
        bound = {name: tuple(value for value in values if value != seat) for name, values in step.bound.items()}
        return replace_fields(step, bound=bound)
    if isinstance(step, SimultaneousPrompt):
        given = {who: cards for who, cards in step.given.items() if who != str(seat)}
        return replace_fields(step, waiting=tuple(other for other in step.waiting if other != seat), given=given)
    if step.TAG == "mk.Looting" and step.order is not None:
        return replace_fields(step, order=tuple(other for other in step.order if other != seat))  # type: ignore[no-any-return]
    if step.TAG == "mk.Sharing":  # what the helper does not take is main's
        return replace_fields(step, order=tuple(table.turn if other == seat else other for other in step.order))  # type: ignore[no-any-return]
    if step.TAG == "mk.ClaimWindow":
        return replace_fields(step, passed=tuple(other for other in step.passed if other != seat))  # type: ignore[no-any-return]
    kept: Step = step
    return kept
