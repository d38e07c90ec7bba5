"""The table of this game: plain data, and properties in the words of the rules. It decides nothing.

What a position leaves out stands in a place as `?some`; whoever reads such a thing raises Unknown.
Clauses: CC-ZONE-1, CC-ZONE-2, CC-ZONE-3, CC-PAY-2, CC-ACT-1, CC-START-4, CC-DAMAGE-1, CC-GLOSS-1, CC-GLOSS-4, CC-AMB-3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee.cardscript.language.primitives import Program
from referee.cardscript.table import CardTable
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.zones import Cards
from referee.games.creature_crush.components import (
    ALL_FIELD_PLACES,
    CRUSH_PLACES,
    DECKS,
    FIELD_PLACES,
    HANDS,
    HELLS,
    SEAT_BY_PLACE,
    SEATS,
    Rules,
    face_of,
    find_adjacent_places,
    find_box_cards,
    program_of,
    row_of,
)
from referee.games.creature_crush.derived import compute_ability_totals
from referee.games.creature_crush.events.course import PlayerConceded, end_match
from referee.games.creature_crush.moves import Concede
from referee.games.creature_crush.values import NOBODY, LastingChange

BOTH_SEATS = frozenset(map(Seat, SEATS))


@dataclass(frozen=True)
class Table(CardTable):
    """Where everything lies. A view, a table of real cards and a written position are tables with backs for cards.

    Creatures are known by their card; a C-card by its place, since it lies face down.
    """

    rules: Rules = field(default_factory=Rules)
    turn: int = NOBODY  # the active player; nobody during the preparation
    turns: int = 0  # how many turns have begun
    phase: str = ""  # start, combat, tactic
    opener: int = NOBODY  # who played the first turn (CC-START-3)
    dice: tuple[int, ...] = ()  # the start dice that are not burned, sorted
    burned: int = 0  # how many start dice were burned in this turn
    extra: tuple[int, ...] = (0, 0)  # by seat: additional start dice for the next turn (CC-START-4)
    damage: dict[str, int] = field(default_factory=dict)  # by creature (CC-DAMAGE-1)
    lasting: dict[str, tuple[LastingChange, ...]] = field(default_factory=dict)  # by creature: what effects changed
    entered: Cards = ()  # creatures that entered the field of the active player in this turn (CC-AMB-12)
    acted: dict[str, int] = field(default_factory=dict)  # by creature: actions taken in this turn, entering apart
    ready: dict[str, int] = field(default_factory=dict)  # by creature: more actions that effects gave for this turn
    paid: dict[str, int] = field(default_factory=dict)  # by C-place: the dice burned for the card there
    quiet: int = 0  # turns in a row in which nothing changed (CC-AMB-4)
    stirred: bool = False  # whether something changed in this turn
    drafted: int = 0  # rounds of the draft that are over (CC-FORMAT-ARENA-1)
    lists: dict[str, Cards] = field(default_factory=dict)  # by seat: the deck list of the League, where one was given
    offered: int = NOBODY  # who has offered a draw in this turn (CC-END-3)
    winner: int = NOBODY
    way: str = ""  # how it ended: all_in_hell, conceded, agreed, stalemate_no_force, stalemate_quiet, both_in_hell

    def view_for(self, seat: int) -> Any:
        seen = super().view_for(seat)
        if not self.lists:
            return seen
        mine = {who: cards for who, cards in self.lists.items() if who == str(int(seat))}
        return replace_fields(seen, lists=mine)

    # -- seats -----------------------------------------------------------------------------------------------------

    def other_seats(self, seat: int) -> tuple[int, ...]:
        """The other player."""
        return (1 - seat,)

    # -- places ----------------------------------------------------------------------------------------------------

    def possible_cards(self, place: str) -> Mapping[str, int]:
        """The cards that may lie behind the backs of a place (CC-AMB-7)."""
        return find_box_cards(self.rules)

    def card_at(self, place: str) -> str:
        """What lies at a place of a board: a card, a back, or nothing (empty)."""
        there = self.zones.get(place, ())
        return there[0] if there else ""

    @cached_property
    def places_by_creature(self) -> dict[str, str]:
        """Every creature on the field and its place."""
        found = ((self.zones.get(place), place) for place in ALL_FIELD_PLACES)
        return {cards[0]: place for cards, place in found if cards}

    def list_creatures(self, seat: int) -> Cards:
        """The allies of a player, row A first (CC-GLOSS-4)."""
        return tuple(cards[0] for place in FIELD_PLACES[seat] if (cards := self.zones.get(place)))

    def list_crush_places(self, seat: int) -> tuple[str, ...]:
        """The C-places of a player on which a card lies."""
        return tuple(place for place in CRUSH_PLACES[seat] if self.zones.get(place))

    def possessor_of(self, creature: str) -> int:
        """On whose field a creature is; NOBODY if on none (CC-AMB-3)."""
        place = self.places_by_creature.get(creature)
        return NOBODY if place is None else SEAT_BY_PLACE[place]

    def adjacent_creatures(self, creature: str) -> Cards:
        """The creatures adjacent to one on the field (CC-ZONE-ADJ-1)."""
        place = self.places_by_creature.get(creature)
        if place is None:
            return ()
        return tuple(cards[0] for other in find_adjacent_places(place) if (cards := self.zones.get(other)))

    def count_left_in_play(self, seat: int) -> int:
        """How many cards a player has in deck, hand and on the board (CC-END-1). Raises Undetermined."""
        piles = self.count_cards_at(DECKS[seat]) + self.count_cards_at(HANDS[seat])
        return piles + len(self.list_creatures(seat)) + len(self.list_crush_places(seat))

    def list_hell(self, seat: int) -> Cards:
        """The open discard pile of a player. Raises Undetermined."""
        return self.open_cards_at(HELLS[seat])

    # -- what nobody has named (CC-ZONE-1) ---------------------------------------------------------------------------

    def count_unnamed_copies(self, place: str) -> Counter[str]:
        """As in every game; and only crush cards lie on C-places, where everybody sees how many there are."""
        left = super().count_unnamed_copies(place)
        if place not in SEAT_BY_PLACE and self.count_spare_crush_cards(left) <= 0:
            for card in left:
                if not face_of(card).is_creature:
                    left[card] = 0
        return left

    def count_spare_crush_cards(self, left: Mapping[str, int]) -> int:
        """How many of the crush cards that could be somewhere lie on no C-place: there everybody sees them lie."""
        lying = sum(len(self.list_crush_places(seat)) for seat in SEATS)
        return sum(count for card, count in left.items() if not face_of(card).is_creature) - lying

    def check_cards_together(self, place: str, cards: Cards) -> None:
        """Raises IllegalMove where more crush cards are named than can lie anywhere but on C-places."""
        named = sum(not face_of(card).is_creature for card in cards)
        if named and place not in SEAT_BY_PLACE:
            self.check_crush_count(place, named)

    def check_crush_count(self, place: str, count: int = 1) -> None:
        """Raises IllegalMove where so many backs of a place, other than a C-place, cannot all be crush cards."""
        spare = self.count_spare_crush_cards(self.free_copies(place))
        if count > spare:
            raise IllegalMove("not_so_many_crush_cards", "KERNEL-CENSUS-1", "CC-ZONE-1", count=max(spare, 0))

    # -- what cards on the field give all the time ------------------------------------------------------------------

    @cached_property
    def ability_totals(self) -> dict[str, dict[str, int]]:
        """By creature and by what is given (attack, armor, a keyword, free_aim): the sum of all that holds now.

        Worked out once for each table (CC-AMB-19); lasting changes are in it.
        """
        return compute_ability_totals(self)

    def attack_points(self, creature: str) -> int:
        """The attack points of a creature on the field now, never below 0 (CC-AMB-19)."""
        return max(0, face_of(creature).attack + self.ability_totals.get(creature, {}).get("attack", 0))

    def armor_points(self, creature: str) -> int:
        """By how much less a creature is damaged by attacks."""
        return self.ability_totals.get(creature, {}).get("armor", 0)

    def has_keyword(self, creature: str, keyword: str) -> bool:
        """Whether a creature on the field has a keyword now, or aims freely."""
        return keyword in face_of(creature).keywords or self.ability_totals.get(creature, {}).get(keyword, 0) > 0

    def life_left(self, creature: str) -> int:
        """The life points of a creature less its damage."""
        return face_of(creature).life - self.damage.get(creature, 0)

    def zone_of(self, creature: str) -> str:
        """The row of a creature on the field; empty if it is on none (CC-GLOSS-1)."""
        place = self.places_by_creature.get(creature)
        return "" if place is None else row_of(place)

    def dice_paid_for(self, place: str) -> int:
        """The dice that were burned for the crush card at a C-place; everybody saw it (CC-AMB-14, CC-AMB-23)."""
        return self.paid.get(place, 0)

    # -- what the card language asks -------------------------------------------------------------------------------

    def find_program(self, card: str, text: str) -> Program:
        """The lines of one text of a card. Raises KeyError."""
        return program_of(card, text)

    def decision_time(self) -> int | None:
        """The time for an answer, in ms."""
        return self.rules.turn_timeout_ms

    # -- giving up cuts in at every question (CC-END-2) ------------------------------------------------------------

    def seats_that_may_interject(self) -> frozenset[Seat]:
        return BOTH_SEATS

    def possible_interjections(self, seat: Seat) -> Iterable[Move]:
        return (Concede(),)

    def is_interjection(self, move: Move) -> bool:
        return isinstance(move, Concede)

    def apply_interjection(self, seat: Seat, move: Move) -> Iterator[Event]:
        yield PlayerConceded(int(seat))
        yield from end_match(1 - int(seat), "conceded")  # the other player wins

    def iterate_creatures(self) -> Iterator[str]:
        """Every creature on either field."""
        return iter(self.places_by_creature)
