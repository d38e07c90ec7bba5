"""Onto the field: which places are open, creatures played from the hand, revived, taken over, and moved by effects.

Clauses: CC-SUMMON-1 to CC-SUMMON-4, CC-GLOSS-3, CC-GLOSS-5, CC-AMB-11, CC-AMB-27, CC-AMB-28, CC-AMB-30.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import cards_leaving, check_in_hand, find_nameable_cards
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Frame, StepPopped, StepPushed
from referee.engine.zones import is_back
from referee.games.creature_crush.components import (
    BOOK,
    COLUMNS,
    FIELD_PLACES,
    HANDS,
    HELLS,
    SEAT_BY_PLACE,
    face_of,
    row_of,
)
from referee.games.creature_crush.events.cards import ControlTaken, CreatureMoved, CreatureRevived, CreatureSummoned
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import ChoosePlace, Summon
from referee.games.creature_crush.rules.actions.paying import build_dice_schema, burn_dice, check_payment, list_payments
from referee.games.creature_crush.rules.ending import MatchEndCheck
from referee.games.creature_crush.rules.triggers import place_creature
from referee.games.creature_crush.state import Table

REVIVED, TAKEN, MOVED = "revived", "taken", "moved"


def find_entry_places(table: Table, seat: int) -> tuple[str, ...]:
    """The places on which a creature may enter the field of a player: a free one of row B, and the one of row A before
    an occupied one (CC-SUMMON-1, CC-SUMMON-2, CC-AMB-11)."""
    lying = table.zones
    a_row = (f"A{column}/{seat}" for column in COLUMNS if lying.get(f"B{column}/{seat}"))
    places = (*(f"B{column}/{seat}" for column in COLUMNS), *a_row)
    return tuple(place for place in places if not lying.get(place))


def find_open_places(table: Table, seat: int) -> tuple[str, ...]:
    """The free places of the rows A and B of a player, for creatures that are moved (CC-TACTIC-1, CC-AMB-30)."""
    return tuple(place for place in FIELD_PLACES[seat] if not table.zones.get(place))


def require_field_place(seat: int, short: str) -> str:
    """The place of the rows A and B of a board that a move names shortly (`B2`). Raises IllegalMove."""
    place = f"{short}/{seat}"
    if place not in FIELD_PLACES[seat]:
        raise IllegalMove("no_such_place", "CC-ZONE-1", place=short)
    return place


# ---- from the hand ---------------------------------------------------------------------------------------------------


def list_summons(table: Table, seat: int) -> Iterator[Move]:
    """The creatures of the hand that a player may play, and of each other one a move that fails."""
    hand = HANDS[seat]
    places = find_entry_places(table, seat)
    hidden = any(map(is_back, table.cards_at(hand)))
    for card in find_nameable_cards(table, hand):
        printed = face_of(card)
        if printed.is_creature:
            paying = list_payments(table.dice, printed.cost)
            for place in places if paying else ():
                yield from (Summon(card, place[:2], each) for each in paying)
            if not hidden and not (places and paying):
                yield Summon(card, places[0][:2] if places else "B1", paying[0] if paying else table.dice)


def build_summon_patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describes every way to play a creature of the hand."""
    creatures = sorted(card for card in find_nameable_cards(table, HANDS[seat]) if face_of(card).is_creature)
    places = [place[:2] for place in find_entry_places(table, seat)]
    if not (creatures and places and table.dice):
        return ()
    fields: dict[str, Any] = {"card": {"enum": creatures}, "place": {"enum": places}, "dice": build_dice_schema(table)}
    return ({"type": Summon.TAG, "fields": fields, "says": BOOK.render_texts("pattern.summon")},)


def check_summon(table: Table, seat: int, move: Summon) -> None:
    """Raises IllegalMove unless this creature of the hand may be played to that place for these dice."""
    check_in_hand(table, seat, move.card, "CC-SUMMON-1")
    printed = face_of(move.card)
    if not printed.is_creature:
        raise IllegalMove("no_creature", "CC-SUMMON-1", card=move.card)
    check_entry_place(table, seat, require_field_place(seat, move.place))
    check_payment(table, move.dice, printed.cost)


def check_entry_place(table: Table, seat: int, place: str) -> None:
    """Raises IllegalMove unless a creature may enter the field on this place."""
    if table.zones.get(place):
        if not find_entry_places(table, seat):
            raise IllegalMove("no_free_place", "CC-SUMMON-4")
        raise IllegalMove("place_is_taken", "CC-SUMMON-1", place=place)
    behind = f"B{place[1:]}"
    if row_of(place) == "A" and not table.zones.get(behind):
        raise IllegalMove("place_behind_is_free", "CC-SUMMON-2", "CC-AMB-11", place=place, behind=behind)


def summon_creature(table: Table, seat: int, move: Summon) -> Iterator[Event]:
    """The facts of playing a creature: the dice are burned, it is placed, its Action is activated."""
    yield StepPushed(MatchEndCheck())
    yield StepPushed(Frame())
    yield burn_dice(seat, move.dice)
    took = cards_leaving(table, HANDS[seat], (move.card,))
    event = CreatureSummoned(HANDS[seat], require_field_place(seat, move.place), took, (move.card,), seat, move.card)
    yield from place_creature(table, event, action=True)


# ---- by effects ------------------------------------------------------------------------------------------------------


def revive_creature(table: Table, seat: int, card: str, by: str) -> Iterator[Event]:
    """The facts of reviving a creature of the own hell, by the card `by`; nothing without a place (CC-AMB-28)."""
    if card in table.cards_at(HELLS[seat]):
        yield from _bring_to_place(table, Placing(seat, card, REVIVED), by)


def take_control(table: Table, seat: int, creature: str, by: str) -> Iterator[Event]:
    """The facts with which a player takes control of an enemy, by the card `by`; nothing without a place."""
    if table.possessor_of(creature) == 1 - seat:
        yield from _bring_to_place(table, Placing(seat, creature, TAKEN), by)


def move_by_effect(table: Table, seat: int, creature: str, by: str) -> Iterator[Event]:
    """The facts with which an effect of a player moves a creature on its board, to a place of this player's choice."""
    if creature in table.places_by_creature:
        yield from _bring_to_place(table, Placing(seat, creature, MOVED), by)


def _bring_to_place(table: Table, placing: Placing, by: str) -> Iterator[Event]:
    places = placing.find_places(table)
    if not places:
        yield EffectSkipped(by, "no_free_place")
    elif len(places) == 1:
        yield from placing.put_creature(table, places[0])
    else:
        yield StepPushed(placing)


@named("cc.Placing")
@dataclass(frozen=True)
class Placing(CardPrompt):
    """The player of an effect says to which place a creature comes: `how` it is revived, taken over, or moved."""

    seat: int
    creature: str
    how: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-SUMMON-3", "CC-AMB-18")

    def question_name(self) -> str:
        return f"place.{self.how}"

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def find_places(self, table: Table) -> tuple[str, ...]:
        """Where it may be put: by the rules of summoning; or, if it is moved, on any free place of its board."""
        if self.how == MOVED:
            return find_open_places(table, table.possessor_of(self.creature))
        return find_entry_places(table, self.seat)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ChoosePlace(place[:2]) for place in self.find_places(state))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ChoosePlace):
            raise IllegalMove("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        place = require_field_place(self._find_board_seat(state), move.place)
        if self.how != MOVED:
            check_entry_place(state, self.seat, place)
        elif state.zones.get(place):
            raise IllegalMove("place_is_taken", "CC-AMB-30", place=place)

    def _find_board_seat(self, table: Table) -> int:
        return table.possessor_of(self.creature) if self.how == MOVED else self.seat

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChoosePlace)
        yield StepPopped()
        yield from self.put_creature(state, require_field_place(self._find_board_seat(state), move.place))

    def put_creature(self, table: Table, place: str) -> Iterator[Event]:
        """The facts of putting it there."""
        card = (self.creature,)
        if self.how == REVIVED:
            event = CreatureRevived(HELLS[self.seat], place, card, card, self.seat, self.creature)
            yield from place_creature(table, event)
        elif self.how == TAKEN:
            yield ControlTaken(table.places_by_creature[self.creature], place, card, card, self.seat, self.creature)
        else:
            assert SEAT_BY_PLACE[place] == table.possessor_of(self.creature)
            yield CreatureMoved(table.places_by_creature[self.creature], place, card, card, self.creature)
