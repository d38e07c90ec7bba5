"""A player leaves the table: what is left behind, and which pending steps lapse.

HTS-AMB-73: Hand, heroes and items go to the discard pile, leader and slain monsters out of the game. What that player
    had running or was asked lapses, and the player's own turn ends without a win check. The last one left has won.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.questions import SimultaneousPrompt
from referee.engine.codec import REGISTRY, named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Frame, StackCleared, Step, StepPushed
from referee.games.here_to_slay.components import BOXED, DISCARD, HANDS, LEADER, PARTIES, PENDING, SLAIN
from referee.games.here_to_slay.events.turns import CardsBoxed, GameWon, PlayerLeft
from referee.games.here_to_slay.moves import Leave

if TYPE_CHECKING:
    from referee.games.here_to_slay.state import Table


@named("hts.LeftBehind")
@dataclass(frozen=True)
class CardsLeftBehind(CardsMoved):
    """What a leaving player held, or was about to play, went to the discard pile.

    HTS-AMB-73: Hand, heroes and items of a player who leaves go to the discard pile.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-AMB-73",)


def list_leave_moves(table: Table, seat: Seat) -> Iterable[Move]:
    """Return the move of leaving for a seat that is still at the table."""
    return (Leave(),) if seat in table.seats_at_table else ()


def is_leave_move(move: Move) -> bool:
    """Return whether this move is leaving the table."""
    return isinstance(move, Leave)


def check_leave(table: Table, seat: Seat) -> None:
    """Raise IllegalMove unless the seat may leave now.

    The match must have begun, and the seat must still be there.
    """
    if table.active < 0:
        raise IllegalMove("not_begun_yet", "HTS-EDGE-5")
    check_presence(table, seat)


def check_presence(table: Table, seat: Seat) -> None:
    """Raise IllegalMove if the seat has left the table.

    HTS-AMB-73: What a player who has left was asked lapses.
    """
    if seat in table.gone:
        raise IllegalMove("has_left", "HTS-AMB-73", seat=int(seat))


def leave_table(table: Table, seat: Seat) -> Iterator[Event]:
    """Yield the events of leaving: cards, lapsed steps, and perhaps the end.

    HTS-AMB-73: What the leaving player had running or was asked lapses. The last one left has won.
    """
    me = int(seat)
    for place in (HANDS[me], *(f"under/{hero}" for hero in table.party_of(me)), PARTIES[me]):
        if cards := table.cards_at(place):
            yield CardsLeftBehind(place, DISCARD, cards, cards)
    for place in (LEADER[me], SLAIN[me]):
        if cards := table.cards_at(place):
            yield CardsBoxed(place, BOXED, cards, cards)
    rest = tuple(other for other in table.seats_at_table if other != me)
    if len(rest) == 1:
        yield PlayerLeft(me)
        yield GameWon(rest[0], "last_one_left")
        yield StackCleared()
        return
    if me == table.active:
        begins: Any = REGISTRY["hts.TurnBegins"]
        agenda: tuple[Step, ...] = (begins(table.other_seats(me)[0]),)
    else:
        agenda = remove_player_steps(table, me)
    still = [card for step in agenda for card in _list_pending_cards(step)]
    lost = list(table.cards_at(PENDING))
    for card in still:
        lost.remove(card)
    if lost:
        yield CardsLeftBehind(PENDING, DISCARD, tuple(lost), tuple(lost))
    yield PlayerLeft(me)
    yield StackCleared()
    for step in agenda:
        yield StepPushed(step)


def remove_player_steps(table: Table, seat: int) -> tuple[Step, ...]:
    """Return what stays pending when a player leaves in another player's turn.

    These are all steps that are not the leaving player's own.
    """
    kept: list[Step] = []
    for step in table.agenda:
        if isinstance(step, Frame):
            kept.append(
                replace_fields(step, noted=tuple(each for each in step.noted if getattr(each, "by", -1) != seat))
            )
        elif step.TAG == "hts.RollOff" and step.casts[0].seat == seat:  # type: ignore[attr-defined]
            playing: Any = REGISTRY["hts.Playing"]  # a challenge lapses with its challenger, so the card stands
            return (*kept, playing(step.seat, step.card, step.called))  # type: ignore[attr-defined]
        elif isinstance(step, SimultaneousPrompt):
            given = {who: cards for who, cards in step.given.items() if who != str(seat)}
            waiting = tuple(other for other in step.waiting if other != seat)
            kept.append(replace_fields(step, waiting=waiting, given=given))
        elif _find_owner(step) == seat:
            return tuple(kept)  # everything above this step belongs to it and lapses too
        elif isinstance(step, Execution):
            kept.append(replace_fields(step, bound=_remove_seat(step.bound, seat)))
        elif hasattr(step, "declared"):
            kept.append(replace_fields(step, declared=_remove_seat(step.declared, seat)))
        else:
            kept.append(step)
    return tuple(kept)


def _remove_seat(bound: dict[str, Values], seat: int) -> dict[str, Values]:
    """Return the bound names of a text without the player who has left."""
    return {name: tuple(value for value in values if value != seat) for name, values in bound.items()}


def _find_owner(step: Step) -> int:
    """Return the player whose pending step this is."""
    owner: int = step.by if isinstance(step, Execution) else getattr(step, "seat", -1)
    return owner


def _list_pending_cards(step: Step) -> tuple[str, ...]:
    """Return the cards that a step holds pending."""
    match step.TAG:
        case "hts.ChallengeWindow" | "hts.Playing" | "hts.MagicEnds":
            return (step.card,)  # type: ignore[attr-defined]
        case "hts.RollOff":
            return (step.card, "challenge")  # type: ignore[attr-defined]
        case "hts.Equip":
            return (step.item,)  # type: ignore[attr-defined]
    return ()
