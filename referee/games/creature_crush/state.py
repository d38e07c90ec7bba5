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

from referee.cardscript.language.primitives import Lines
from referee.cardscript.table import CardTable
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.zones import Cards
from referee.games.creature_crush.components import (
    CRUSHES,
    DECKS,
    FIELDS,
    HANDS,
    HELLS,
    ON_FIELD,
    SEAT_OF,
    SEATS,
    Rules,
    adjacent,
    box,
    face,
    program,
    row,
)
from referee.games.creature_crush.moves import Concede
from referee.games.creature_crush.values import NOBODY, Lasting

BOTH = frozenset(map(Seat, SEATS))


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
    lasting: dict[str, tuple[Lasting, ...]] = field(default_factory=dict)  # by creature: what effects changed
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

    def seen_by(self, seat: int) -> Any:
        seen = super().seen_by(seat)
        if not self.lists:
            return seen
        mine = {who: cards for who, cards in self.lists.items() if who == str(int(seat))}
        return changed(seen, lists=mine)

    # -- seats -----------------------------------------------------------------------------------------------------

    def others(self, seat: int) -> tuple[int, ...]:
        """The other player."""
        return (1 - seat,)

    # -- places ----------------------------------------------------------------------------------------------------

    def box(self, place: str) -> Mapping[str, int]:
        """The cards that may lie behind the backs of a place (CC-AMB-7)."""
        return box(self.rules)

    def at(self, place: str) -> str:
        """What lies at a place of a board: a card, a back, or nothing (empty)."""
        there = self.zones.get(place, ())
        return there[0] if there else ""

    @cached_property
    def spots(self) -> dict[str, str]:
        """Every creature on the field and its place."""
        found = ((self.zones.get(place), place) for place in ON_FIELD)
        return {cards[0]: place for cards, place in found if cards}

    def creatures(self, seat: int) -> Cards:
        """The allies of a player, row A first (CC-GLOSS-4)."""
        return tuple(cards[0] for place in FIELDS[seat] if (cards := self.zones.get(place)))

    def crush_places(self, seat: int) -> tuple[str, ...]:
        """The C-places of a player on which a card lies."""
        return tuple(place for place in CRUSHES[seat] if self.zones.get(place))

    def possessor(self, creature: str) -> int:
        """On whose field a creature is; NOBODY if on none (CC-AMB-3)."""
        place = self.spots.get(creature)
        return NOBODY if place is None else SEAT_OF[place]

    def neighbours(self, creature: str) -> Cards:
        """The creatures adjacent to one on the field (CC-ZONE-ADJ-1)."""
        place = self.spots.get(creature)
        if place is None:
            return ()
        return tuple(cards[0] for other in adjacent(place) if (cards := self.zones.get(other)))

    def left_in_play(self, seat: int) -> int:
        """How many cards a player has in deck, hand and on the board (CC-END-1). Raises Unknown."""
        piles = self.size(DECKS[seat]) + self.size(HANDS[seat])
        return piles + len(self.creatures(seat)) + len(self.crush_places(seat))

    def hell(self, seat: int) -> Cards:
        """The open discard pile of a player. Raises Unknown."""
        return self.open_at(HELLS[seat])

    # -- what nobody has named (CC-ZONE-1) ---------------------------------------------------------------------------

    def unnamed(self, place: str) -> Counter[str]:
        """As in every game; and only crush cards lie on C-places, where everybody sees how many there are."""
        left = super().unnamed(place)
        if place not in SEAT_OF and self.spare_crush(left) <= 0:
            for card in left:
                if not face(card).is_creature:
                    left[card] = 0
        return left

    def spare_crush(self, left: Mapping[str, int]) -> int:
        """How many of the crush cards that could be somewhere lie on no C-place: there everybody sees them lie."""
        lying = sum(len(self.crush_places(seat)) for seat in SEATS)
        return sum(count for card, count in left.items() if not face(card).is_creature) - lying

    def check_together(self, place: str, cards: Cards) -> None:
        """Raises Refused where more crush cards are named than can lie anywhere but on C-places."""
        named = sum(not face(card).is_creature for card in cards)
        if named and place not in SEAT_OF:
            self.check_crush(place, named)

    def check_crush(self, place: str, count: int = 1) -> None:
        """Raises Refused where so many backs of a place, other than a C-place, cannot all be crush cards."""
        spare = self.spare_crush(self.free(place))
        if count > spare:
            raise Refused("not_so_many_crush_cards", "KERNEL-CENSUS-1", "CC-ZONE-1", count=max(spare, 0))

    # -- what cards on the field give all the time ------------------------------------------------------------------

    @cached_property
    def given(self) -> dict[str, dict[str, int]]:
        """By creature and by what is given (attack, armor, a keyword, free_aim): the sum of all that holds now.

        Worked out once for each table (CC-AMB-19); lasting changes are in it.
        """
        from referee.games.creature_crush.derived import all_given  # which looks at tables

        return all_given(self)

    def attack(self, creature: str) -> int:
        """The attack points of a creature on the field now, never below 0 (CC-AMB-19)."""
        return max(0, face(creature).attack + self.given.get(creature, {}).get("attack", 0))

    def armor(self, creature: str) -> int:
        """By how much less a creature is damaged by attacks."""
        return self.given.get(creature, {}).get("armor", 0)

    def has(self, creature: str, keyword: str) -> bool:
        """Whether a creature on the field has a keyword now, or aims freely."""
        return keyword in face(creature).keywords or self.given.get(creature, {}).get(keyword, 0) > 0

    def life_left(self, creature: str) -> int:
        """The life points of a creature less its damage."""
        return face(creature).life - self.damage.get(creature, 0)

    def zone(self, creature: str) -> str:
        """The row of a creature on the field; empty if it is on none (CC-GLOSS-1)."""
        place = self.spots.get(creature)
        return "" if place is None else row(place)

    def dice_paid(self, place: str) -> int:
        """The dice that were burned for the crush card at a C-place; everybody saw it (CC-AMB-14, CC-AMB-23)."""
        return self.paid.get(place, 0)

    # -- what the card language asks -------------------------------------------------------------------------------

    def lines(self, card: str, text: str) -> Lines:
        """The lines of one text of a card. Raises KeyError."""
        return program(card, text)

    def decision_time(self) -> int | None:
        """The time for an answer, in ms."""
        return self.rules.turn_timeout_ms

    # -- giving up cuts in at every question (CC-END-2) ------------------------------------------------------------

    def anyone_may(self) -> frozenset[Seat]:
        return BOTH

    def interjections(self, seat: Seat) -> Iterable[Move]:
        return (Concede(),)

    def cuts_in(self, move: Move) -> bool:
        return isinstance(move, Concede)

    def interject(self, seat: Seat, move: Move) -> Iterator[Event]:
        from referee.games.creature_crush.rules.concede_and_draw import conceded  # which looks at tables

        return conceded(int(seat))

    def all_creatures(self) -> Iterator[str]:
        """Every creature on either field."""
        return iter(self.spots)
