"""Bring creatures onto the field: from the hand, from hell, or by effects.

Clauses: CC-SUMMON-1 to CC-SUMMON-4, CC-GLOSS-3, CC-GLOSS-5, CC-AMB-11, CC-AMB-27, CC-AMB-28, CC-AMB-30.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.hidden_cards import check_in_hand, find_nameable_cards
from referee.cardscript.questions import PlayerPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.remembering import remember
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Frame, StepPopped, StepPushed, require_move
from referee.engine.zones import find_cards_leaving, is_back
from referee.games.creature_crush.components import (
    BOOK,
    COLUMNS,
    CRUSH_PLACES,
    FIELD_PLACES,
    HANDS,
    HELLS,
    SEAT_BY_PLACE,
    column_of,
    face_of,
    row_of,
)
from referee.games.creature_crush.events.cards import ControlTaken, CreatureMoved, CreatureRevived, CreatureSummoned
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import ChoosePlace, Summon
from referee.games.creature_crush.rules.actions.paying import build_dice_schema, burn_dice, check_payment, list_payments
from referee.games.creature_crush.rules.ending import MatchEndCheck
from referee.games.creature_crush.rules.triggers import place_creature
from referee.games.creature_crush.state import BOARD, Table

REVIVED, TAKEN, MOVED = "revived", "taken", "moved"


@remember(*BOARD)
def find_entry_places(table: Table, seat: int) -> tuple[str, ...]:
    """Find the places on which a creature may enter a player's field.

    CC-SUMMON-1: A creature from the hand is summoned to a free place of the player's own B-zone.
    CC-SUMMON-2: A free A-place is open for summoning only while the B-place that borders on it is occupied.
    CC-AMB-11: That is the B-place of the same column.
    """
    lying = table.zones
    a_row = (f"A{column}/{seat}" for column in COLUMNS if is_backed(table, seat, column))
    places = (*(f"B{column}/{seat}" for column in COLUMNS), *a_row)
    return tuple(place for place in places if not lying.get(place))


def is_backed(table: Table, seat: int, column: int) -> bool:
    """Return whether a B-place that borders on the A-place of a column is occupied.

    CC-AMB-11: That is the B-place of the same column.
    CC-AMB-11-R2: The B-places of the neighbouring columns border on it as well.
    """
    reach = 0 if table.interpretation_number("CC-AMB-11") == FIRST_INTERPRETATION else 1
    return any(table.zones.get(f"B{near}/{seat}") for near in range(column - reach, column + reach + 1))


def find_open_places(table: Table, seat: int) -> tuple[str, ...]:
    """Find the free places of rows A and B of a player, for creatures that are moved.

    CC-TACTIC-1: In the tactic phase creatures move to free places of their own A- and B-zone.
    CC-AMB-30: An effect moves a creature to any free A- or B-place of the same board.
    """
    return tuple(place for place in FIELD_PLACES[seat] if not table.zones.get(place))


def require_field_place(seat: int, short: str, *clauses: str) -> str:
    """Return the place of row A or B that a move names shortly (`B2`).

    Raises IllegalMove if it is none, citing `clauses` also.
    """
    place = f"{short}/{seat}"
    if place not in FIELD_PLACES[seat]:
        crush = any(short == other[:2] for other in CRUSH_PLACES[seat])
        raise IllegalMove("place_of_crush_cards" if crush else "no_such_place", "CC-ZONE-1", *clauses, place=short)
    return place


# ---- from the hand ---------------------------------------------------------------------------------------------------


def list_summons(table: Table, seat: int, near: bool = True) -> Iterator[Move]:
    """Yield the ways to play each creature of the hand.

    `near`: for a creature that cannot be played, yield one way that is refused.
    """
    hand = HANDS[seat]
    places = find_entry_places(table, seat)
    hidden = any(map(is_back, table.cards_at(hand)))
    for card in find_nameable_cards(table, hand):
        printed = face_of(card)
        if printed.is_creature:
            paying = list_payments(table.dice, table.pips_to_pay(seat, card))
            for place in places if paying else ():
                yield from (Summon(card, place[:2], each) for each in paying)
            if near and not hidden and not (places and paying):
                yield Summon(card, places[0][:2] if places else "B1", paying[0] if paying else table.dice)


def build_summon_patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describe every way to play a creature of the hand."""
    creatures = sorted(card for card in find_nameable_cards(table, HANDS[seat]) if face_of(card).is_creature)
    places = [place[:2] for place in find_entry_places(table, seat)]
    if not (creatures and places and table.dice):
        return ()
    fields: dict[str, Any] = {"card": {"enum": creatures}, "place": {"enum": places}, "dice": build_dice_schema(table)}
    return ({"type": Summon.TAG, "fields": fields, "says": BOOK.render_texts("pattern.summon")},)


def check_summon(table: Table, seat: int, move: Summon) -> None:
    """Check that this creature may be played to that place for these dice.

    Raises IllegalMove if it may not.

    CC-SUMMON-1: Once it is paid for, a creature from the hand is summoned to a free place of the player's own B-zone.
    """
    _check_hand_and_place(table, seat, move.card, move.place)
    check_payment(table, move.dice, seat, move.card)


@remember()  # the many ways to pay share it
def _check_hand_and_place(table: Table, seat: int, card: str, place: str) -> None:
    check_creature_in_hand(table, seat, card)
    check_entry_place(table, seat, require_field_place(seat, place, "CC-SUMMON-1"))


def check_creature_in_hand(table: Table, seat: int, card: str) -> None:
    """Check that this is a creature of the player's hand.

    Raises IllegalMove if it is not.
    """
    check_in_hand(table, seat, card, "CC-SUMMON-1")
    if not face_of(card).is_creature:
        raise IllegalMove("no_creature", "CC-SUMMON-1", "CC-ZONE-1", card=card)


def check_entry_place(table: Table, seat: int, place: str) -> None:
    """Check that a creature may enter the field on this place.

    Raises IllegalMove if it may not.

    CC-SUMMON-2: A free A-place is open for summoning only while the B-place that borders on it is occupied.
    CC-SUMMON-4: Without a place where it may be summoned, a creature cannot be played.
    """
    if table.zones.get(place):
        if not find_entry_places(table, seat):
            raise IllegalMove("no_free_place", "CC-SUMMON-4")
        raise IllegalMove("place_is_taken", "CC-SUMMON-1", place=place)
    behind = f"B{place[1:]}"
    if row_of(place) == "A" and not is_backed(table, seat, column_of(place)):
        if table.interpretation_number("CC-AMB-11") != FIRST_INTERPRETATION:
            raise IllegalMove("no_bordering_ally", "CC-SUMMON-2", "CC-AMB-11", place=place)
        beside = any(table.zones.get(f"B{column_of(place) + step}/{seat}") for step in (-1, 1))
        if beside:  # what is open is which place borders
            raise IllegalMove("only_same_column", "CC-AMB-11", "CC-SUMMON-2", place=place, behind=behind)
        raise IllegalMove("place_behind_is_free", "CC-SUMMON-2", "CC-AMB-11", place=place, behind=behind)


def summon_creature(table: Table, seat: int, move: Summon) -> Iterator[Event]:
    """Yield the events of playing a creature.

    The dice are burned, the creature is placed, and its Action is activated.
    """
    yield StepPushed(MatchEndCheck())
    yield StepPushed(Frame())
    yield burn_dice(seat, move.dice)
    took = find_cards_leaving(table, HANDS[seat], (move.card,))
    event = CreatureSummoned(HANDS[seat], require_field_place(seat, move.place), took, (move.card,), seat, move.card)
    yield from place_creature(table, event, action=True)


# ---- by effects ------------------------------------------------------------------------------------------------------


def revive_creature(table: Table, seat: int, card: str, by: str) -> Iterator[Event]:
    """Yield the events of reviving a creature of either hell for a player.

    CC-AMB-28: Without an allowed place nothing happens, and the card stays where it is.
    """
    if any(card in table.cards_at(hell) for hell in HELLS):
        yield from _bring_to_place(table, Placing(seat, card, REVIVED), by)


def find_hell(table: Table, seat: int, card: str) -> str:
    """Return the hell from which a player revives a card.

    It is the other player's only if the card is known to lie there.
    """
    own, other = HELLS[seat], HELLS[1 - seat]
    return other if card in table.cards_at(other) and card not in table.cards_at(own) else own


def take_control(table: Table, seat: int, creature: str, by: str) -> Iterator[Event]:
    """Yield the events of taking control of an enemy by the card `by`.

    Without an allowed place nothing happens.
    """
    if table.possessor_of(creature) == 1 - seat:
        yield from _bring_to_place(table, Placing(seat, creature, TAKEN), by)


def move_by_effect(table: Table, seat: int, creature: str, by: str) -> Iterator[Event]:
    """Yield the events with which an effect of a player moves a creature on its board.

    The player chooses the place.
    """
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
class Placing(PlayerPrompt):
    """The player of an effect says to which place a creature comes.

    `how` says whether it is revived, taken over, or moved.

    CC-SUMMON-3: Creatures summoned by an effect, and those whose control is taken, may go to the same places as a
        creature from the hand.
    """

    seat: int
    creature: str
    how: str
    clauses: ClassVar[tuple[str, ...]] = ("CC-AMB-18",)

    def question_name(self) -> str:
        return f"place.{self.how}"

    def find_places(self, table: Table) -> tuple[str, ...]:
        """Find where the creature may be put.

        A moved creature goes to any free place of its board, all others by the rules of summoning.
        """
        if self.how == MOVED:
            return find_open_places(table, table.possessor_of(self.creature))
        return find_entry_places(table, self.seat)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ChoosePlace(place[:2]) for place in self.find_places(state))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChoosePlace)
        place = require_field_place(self._find_board_seat(state), move.place, "CC-SUMMON-3")
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
        """Yield the events of putting the creature there."""
        card = (self.creature,)
        if self.how == REVIVED:
            event = CreatureRevived(
                find_hell(table, self.seat, self.creature), place, card, card, self.seat, self.creature
            )
            yield from place_creature(table, event)
        elif self.how == TAKEN:
            not_summoned = table.interpretation_number("CC-AMB-12") != FIRST_INTERPRETATION
            source = table.places_by_creature[self.creature]
            yield ControlTaken(source, place, card, card, self.seat, self.creature, not_summoned)
        else:
            assert SEAT_BY_PLACE[place] == table.possessor_of(self.creature)
            yield CreatureMoved(table.places_by_creature[self.creature], place, card, card, self.creature)
