"""A player leaves the table (HTS-AMB-73): what is left behind, and what pending things lapse with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from referee.cardscript.events import CardsMoved
from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Values
from referee.cardscript.questions import Together
from referee.engine.codec import REGISTRY, named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Cleared, Frame, Opened, Step
from referee.games.here_to_slay.components import BOXED, DISCARD, HANDS, LEADER, PARTIES, PENDING, SLAIN
from referee.games.here_to_slay.events.turns import Boxed, GameWon, PlayerLeft
from referee.games.here_to_slay.moves import Leave

if TYPE_CHECKING:
    from referee.games.here_to_slay.state import Table


@named("hts.LeftBehind")
@dataclass(frozen=True)
class LeftBehind(CardsMoved):
    """What a player who left had held, or was in the midst of playing, went to the discard pile (HTS-AMB-73)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-AMB-73",)


def interjections(table: Table, seat: Seat) -> Iterable[Move]:
    """Leaving, for whoever is still there."""
    return (Leave(),) if seat in table.playing else ()


def cuts_in(move: Move) -> bool:
    """Whether this is leaving."""
    return isinstance(move, Leave)


def check(table: Table, seat: Seat) -> None:
    """Raises Refused unless the seat may leave now: the match has begun, and the seat is still there."""
    if table.active < 0:
        raise Refused("not_begun_yet", "HTS-EDGE-5")
    if seat not in table.playing:
        raise Refused("has_left", "HTS-AMB-73", seat=int(seat))


def leave(table: Table, seat: Seat) -> Iterator[Event]:
    """The facts of leaving (HTS-AMB-73): cards, pending things, and the end if only one is left."""
    me = int(seat)
    for place in (HANDS[me], *(f"under/{hero}" for hero in table.party(me)), PARTIES[me]):
        if cards := table.place(place):
            yield LeftBehind(place, DISCARD, cards, cards)
    for place in (LEADER[me], SLAIN[me]):
        if cards := table.place(place):
            yield Boxed(place, BOXED, cards, cards)
    rest = tuple(other for other in table.playing if other != me)
    if len(rest) == 1:
        yield PlayerLeft(me)
        yield GameWon(rest[0], "last_one_left")
        yield Cleared()
        return
    if me == table.active:
        begins: Any = REGISTRY["hts.TurnBegins"]
        agenda: tuple[Step, ...] = (begins(table.others(me)[0]),)
    else:
        agenda = without(table, me)
    still = [card for step in agenda for card in _pending_in(step)]
    lost = list(table.place(PENDING))
    for card in still:
        lost.remove(card)
    if lost:
        yield LeftBehind(PENDING, DISCARD, tuple(lost), tuple(lost))
    yield PlayerLeft(me)
    yield Cleared()
    for step in agenda:
        yield Opened(step)


def without(table: Table, seat: int) -> tuple[Step, ...]:
    """What stays pending when a player leaves in the turn of another: all that is not this player's own."""
    kept: list[Step] = []
    for step in table.agenda:
        if isinstance(step, Frame):
            kept.append(changed(step, noted=tuple(each for each in step.noted if getattr(each, "by", -1) != seat)))
        elif step.TAG == "hts.RollOff" and step.casts[0].seat == seat:  # type: ignore[attr-defined]
            playing: Any = REGISTRY["hts.Playing"]  # a challenge lapses with its challenger: the card stands
            return (*kept, playing(step.seat, step.card, step.called))  # type: ignore[attr-defined]
        elif isinstance(step, Together):
            given = {who: cards for who, cards in step.given.items() if who != str(seat)}
            waiting = tuple(other for other in step.waiting if other != seat)
            kept.append(changed(step, waiting=waiting, given=given))
        elif _owner(step) == seat:
            return tuple(kept)  # with all that lies on it, and was set off by it
        elif isinstance(step, CarryOut):
            kept.append(changed(step, bound=_less(step.bound, seat)))
        elif hasattr(step, "declared"):
            kept.append(changed(step, declared=_less(step.declared, seat)))
        else:
            kept.append(step)
    return tuple(kept)


def _less(bound: dict[str, Values], seat: int) -> dict[str, Values]:
    """What a text has named, without the player who has left."""
    return {name: tuple(value for value in values if value != seat) for name, values in bound.items()}


def _owner(step: Step) -> int:
    """The player whose pending thing this is."""
    owner: int = step.by if isinstance(step, CarryOut) else getattr(step, "seat", -1)
    return owner


def _pending_in(step: Step) -> tuple[str, ...]:
    """The cards that a step holds pending."""
    match step.TAG:
        case "hts.ChallengeWindow" | "hts.Playing" | "hts.MagicEnds":
            return (step.card,)  # type: ignore[attr-defined]
        case "hts.RollOff":
            return (step.card, "challenge")  # type: ignore[attr-defined]
        case "hts.Equip":
            return (step.item,)  # type: ignore[attr-defined]
    return ()
