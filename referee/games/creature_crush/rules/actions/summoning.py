"""Onto the field: which places are open, creatures played from the hand, revived, taken over, and moved by effects.

Clauses: CC-SUMMON-1 to CC-SUMMON-4, CC-GLOSS-3, CC-GLOSS-5, CC-AMB-11, CC-AMB-27, CC-AMB-28, CC-AMB-30.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import check_in_hand, gone_from, namable
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Closed, Frame, Opened
from referee.engine.zones import is_back
from referee.games.creature_crush.components import BOOK, COLUMNS, FIELDS, HANDS, HELLS, SEAT_OF, face, row
from referee.games.creature_crush.events.cards import ControlTaken, CreatureMoved, CreatureRevived, CreatureSummoned
from referee.games.creature_crush.events.field import NoEffect
from referee.games.creature_crush.moves import ChoosePlace, Summon
from referee.games.creature_crush.rules.actions.paying import any_dice, burned_for, check_payment, payments
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.rules.triggers import placed
from referee.games.creature_crush.state import Table

REVIVED, TAKEN, MOVED = "revived", "taken", "moved"


def free_places(table: Table, seat: int) -> tuple[str, ...]:
    """The places on which a creature may enter the field of a player: a free one of row B, and the one of row A before
    an occupied one (CC-SUMMON-1, CC-SUMMON-2, CC-AMB-11)."""
    lying = table.zones
    a_row = (f"A{column}/{seat}" for column in COLUMNS if lying.get(f"B{column}/{seat}"))
    places = (*(f"B{column}/{seat}" for column in COLUMNS), *a_row)
    return tuple(place for place in places if not lying.get(place))


def open_places(table: Table, seat: int) -> tuple[str, ...]:
    """The free places of the rows A and B of a player, for creatures that are moved (CC-TACTIC-1, CC-AMB-30)."""
    return tuple(place for place in FIELDS[seat] if not table.zones.get(place))


def place_of(seat: int, short: str) -> str:
    """The place of the rows A and B of a board that a move names shortly (`B2`). Raises Refused."""
    place = f"{short}/{seat}"
    if place not in FIELDS[seat]:
        raise Refused("no_such_place", "CC-ZONE-1", place=short)
    return place


# ---- from the hand ---------------------------------------------------------------------------------------------------


def summons(table: Table, seat: int) -> Iterator[Move]:
    """The creatures of the hand that a player may play, and of each other one a move that fails."""
    hand = HANDS[seat]
    places = free_places(table, seat)
    hidden = any(map(is_back, table.place(hand)))
    for card in namable(table, hand):
        printed = face(card)
        if printed.is_creature:
            paying = payments(table.dice, printed.cost)
            for place in places if paying else ():
                yield from (Summon(card, place[:2], each) for each in paying)
            if not hidden and not (places and paying):
                yield Summon(card, places[0][:2] if places else "B1", paying[0] if paying else table.dice)


def patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describes every way to play a creature of the hand."""
    creatures = sorted(card for card in namable(table, HANDS[seat]) if face(card).is_creature)
    places = [place[:2] for place in free_places(table, seat)]
    if not (creatures and places and table.dice):
        return ()
    fields: dict[str, Any] = {"card": {"enum": creatures}, "place": {"enum": places}, "dice": any_dice(table)}
    return ({"type": Summon.TAG, "fields": fields, "says": BOOK.texts("pattern.summon")},)


def check_summon(table: Table, seat: int, move: Summon) -> None:
    """Raises Refused unless this creature of the hand may be played to that place for these dice."""
    check_in_hand(table, seat, move.card, "CC-SUMMON-1")
    printed = face(move.card)
    if not printed.is_creature:
        raise Refused("no_creature", "CC-SUMMON-1", card=move.card)
    check_place(table, seat, place_of(seat, move.place))
    check_payment(table, move.dice, printed.cost)


def check_place(table: Table, seat: int, place: str) -> None:
    """Raises Refused unless a creature may enter the field on this place."""
    if table.zones.get(place):
        if not free_places(table, seat):
            raise Refused("no_free_place", "CC-SUMMON-4")
        raise Refused("place_is_taken", "CC-SUMMON-1", place=place)
    behind = f"B{place[1:]}"
    if row(place) == "A" and not table.zones.get(behind):
        raise Refused("place_behind_is_free", "CC-SUMMON-2", "CC-AMB-11", place=place, behind=behind)


def summoned(table: Table, seat: int, move: Summon) -> Iterator[Event]:
    """The facts of playing a creature: the dice are burned, it is placed, its Action is activated."""
    yield Opened(Judging())
    yield Opened(Frame())
    yield burned_for(seat, move.dice)
    took = gone_from(table, HANDS[seat], (move.card,))
    fact = CreatureSummoned(HANDS[seat], place_of(seat, move.place), took, (move.card,), seat, move.card)
    yield from placed(table, fact, action=True)


# ---- by effects ------------------------------------------------------------------------------------------------------


def revived(table: Table, seat: int, card: str, by: str) -> Iterator[Event]:
    """The facts of reviving a creature of the own hell, by the card `by`; nothing without a place (CC-AMB-28)."""
    if card in table.place(HELLS[seat]):
        yield from _brought(table, Placing(seat, card, REVIVED), by)


def taken_over(table: Table, seat: int, creature: str, by: str) -> Iterator[Event]:
    """The facts with which a player takes control of an enemy, by the card `by`; nothing without a place."""
    if table.possessor(creature) == 1 - seat:
        yield from _brought(table, Placing(seat, creature, TAKEN), by)


def moved(table: Table, seat: int, creature: str, by: str) -> Iterator[Event]:
    """The facts with which an effect of a player moves a creature on its board, to a place of this player's choice."""
    if creature in table.spots:
        yield from _brought(table, Placing(seat, creature, MOVED), by)


def _brought(table: Table, placing: Placing, by: str) -> Iterator[Event]:
    places = placing.places(table)
    if not places:
        yield NoEffect(by, "no_free_place")
    elif len(places) == 1:
        yield from placing.put(table, places[0])
    else:
        yield Opened(placing)


@named("cc.Placing")
@dataclass(frozen=True)
class Placing(Asking):
    """The player of an effect says to which place a creature comes: `how` it is revived, taken over, or moved."""

    seat: int
    creature: str
    how: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-SUMMON-3", "CC-AMB-18")

    def question(self) -> str:
        return f"place.{self.how}"

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def places(self, table: Table) -> tuple[str, ...]:
        """Where it may be put: by the rules of summoning; or, if it is moved, on any free place of its board."""
        if self.how == MOVED:
            return open_places(table, table.possessor(self.creature))
        return free_places(table, self.seat)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ChoosePlace(place[:2]) for place in self.places(state))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChoosePlace):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        place = place_of(self._board(state), move.place)
        if self.how != MOVED:
            check_place(state, self.seat, place)
        elif state.zones.get(place):
            raise Refused("place_is_taken", "CC-AMB-30", place=place)

    def _board(self, table: Table) -> int:
        return table.possessor(self.creature) if self.how == MOVED else self.seat

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChoosePlace)
        yield Closed()
        yield from self.put(state, place_of(self._board(state), move.place))

    def put(self, table: Table, place: str) -> Iterator[Event]:
        """The facts of putting it there."""
        card = (self.creature,)
        if self.how == REVIVED:
            fact = CreatureRevived(HELLS[self.seat], place, card, card, self.seat, self.creature)
            yield from placed(table, fact)
        elif self.how == TAKEN:
            yield ControlTaken(table.spots[self.creature], place, card, card, self.seat, self.creature)
        else:
            assert SEAT_OF[place] == table.possessor(self.creature)
            yield CreatureMoved(table.spots[self.creature], place, card, card, self.creature)
