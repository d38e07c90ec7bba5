"""The table of this game: plain data, and properties in the words of the rules.

It decides nothing. What a position leaves out is `?some` in its place. Code that reads it raises Undetermined. Clauses:
CC-ZONE-1, CC-ZONE-2, CC-ZONE-3, CC-PAY-2, CC-ACT-1, CC-START-4, CC-DAMAGE-1, CC-GLOSS-1, CC-GLOSS-4, CC-AMB-3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Program
from referee.cardscript.table import CardTable
from referee.engine.chance import Shuffle
from referee.engine.codec import OMIT_IF_EMPTY
from referee.engine.events import Event, Move, replace_fields
from referee.engine.remembering import PUBLIC, remember, remembered_property
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.zones import Cards
from referee.games.creature_crush.card_attributes import DAMAGE_LIMIT
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
from referee.games.creature_crush.derived import compute_ability_totals, find_cost_changes
from referee.games.creature_crush.events.course import PlayerConceded, end_match
from referee.games.creature_crush.events.pending import PendingDraft
from referee.games.creature_crush.moves import Concede
from referee.games.creature_crush.values import GROWTH, LIFE, NOBODY, TURN_ENDS, DelayedEffect, LastingChange

BOTH_SEATS = frozenset(map(Seat, SEATS))

LOWEST_COST = 1  # of a creature

# What creatures on the field rest on: of cards that lie hidden only their number (`remember`).
BOARD = (PUBLIC, "rules", "readings", "zones", "lasting", "paid", "saved")


@dataclass(frozen=True)
class Table(CardTable):
    """Everything on the table.

    A view, a table of real cards and a written position are tables in which some cards are backs. Creatures are known
    by their card, crush cards on the board by their place, because they lie face down.
    """

    rules: Rules = field(default_factory=Rules)
    turn: int = NOBODY  # the active player; NOBODY during the preparation
    turns: int = 0  # how many turns have begun
    phase: str = ""  # start, combat, tactic
    opener: int = NOBODY  # the seat that played the first turn (CC-START-3)
    dice: tuple[int, ...] = ()  # the start dice that are not burned, sorted
    burned: int = 0  # how many start dice were burned in this turn
    extra: tuple[int, ...] = (0, 0)  # by seat: additional start dice for the next turn (CC-START-4)
    damage: dict[str, int] = field(default_factory=dict)  # by creature (CC-DAMAGE-1)
    lasting: dict[str, tuple[LastingChange, ...]] = field(default_factory=dict)  # by creature: what effects changed
    entered: Cards = ()  # creatures that entered the field of the active player in this turn (CC-AMB-12)
    # of these, those whose control was taken, if Lively counts only for summoned ones (CC-AMB-12-R2)
    taken: Cards = field(default=(), metadata=OMIT_IF_EMPTY)
    # creatures on the field of the player from whose deck they do not come (CC-AMB-3-R2)
    borrowed: Cards = field(default=(), metadata=OMIT_IF_EMPTY)
    acted: dict[str, int] = field(default_factory=dict)  # by creature: actions taken in this turn, without entering
    ready: dict[str, int] = field(
        default_factory=dict
    )  # by creature: additional actions that effects gave for this turn
    paid: dict[str, int] = field(default_factory=dict)  # by C-place: the dice burned for the card there
    # what texts have put off to the end of the turn or to a player's next one (CC-WORD-TIME-2)
    later: tuple[DelayedEffect, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    # by seat: how many dice more the next crush card costs that is laid (CC-WORD-COST-2)
    next_crush: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)
    # by C-place: by how much the cost of the card there was changed when it was laid
    saved: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)
    quiet: int = 0  # turns in a row in which nothing changed (CC-AMB-4)
    stirred: bool = False  # whether something changed in this turn
    drafted: int = 0  # rounds of the draft that are over (CC-FORMAT-ARENA-1)
    lists: dict[str, Cards] = field(default_factory=dict)  # by seat: the deck list of the League, if one was given
    offered: int = NOBODY  # the seat that has offered a draw in this turn (CC-END-3)
    winner: int = NOBODY
    way: str = ""  # how it ended: all_in_hell, conceded, agreed, stalemate_no_force, stalemate_quiet, both_in_hell

    def view_for(self, seat: int) -> Any:
        seen = super().view_for(seat)
        if self.lists:
            seen = replace_fields(
                seen, lists={who: cards for who, cards in self.lists.items() if who == str(int(seat))}
            )
        if self.later:
            masked = (replace_fields(each, effect=each.effect.view_for(seat)) for each in self.later)
            seen = replace_fields(seen, later=tuple(masked))
        if int(seat) in SEATS and self.is_draft_of(int(seat)):
            seen = replace_fields(seen, zones={**seen.zones, DECKS[seat]: self.cards_at(DECKS[seat])})
        return seen

    def is_draft_of(self, seat: int) -> bool:
        """Return whether a player's deck is what the player has kept so far in a draft.

        That player sees it, up to the shuffling of the deck.

        CC-FORMAT-ARENA-1: The 20 cards kept are shuffled as the deck.
        """
        if self.turn != NOBODY or not self.drafted:
            return False
        return any(isinstance(step, PendingDraft) or step == Shuffle(DECKS[seat]) for step in self.agenda)

    # -- seats -----------------------------------------------------------------------------------------------------

    def other_seats(self, seat: int) -> tuple[int, ...]:
        """Return the other player."""
        return (1 - seat,)

    # -- places ----------------------------------------------------------------------------------------------------

    def possible_cards(self, place: str) -> Mapping[str, int]:
        """Return the cards that may lie behind the backs of a place, with copies.

        CC-AMB-7: In League each player builds from a full set of all cards.
        """
        return find_box_cards(self.rules)

    def card_at(self, place: str) -> str:
        """Return the card or back at a place of a board, or "" if there is none."""
        there = self.zones.get(place, ())
        return there[0] if there else ""

    @remembered_property(*BOARD)
    def places_by_creature(self) -> dict[str, str]:
        """Every creature on the field, with its place."""
        found = ((self.zones.get(place), place) for place in ALL_FIELD_PLACES)
        return {cards[0]: place for cards, place in found if cards}

    def list_creatures(self, seat: int) -> Cards:
        """List the allies of a player, row A first.

        CC-GLOSS-4: An ally is a creature on the player's own field.
        """
        return tuple(cards[0] for place in FIELD_PLACES[seat] if (cards := self.zones.get(place)))

    def list_crush_places(self, seat: int) -> tuple[str, ...]:
        """List the C-places of a player on which a card lies."""
        return tuple(place for place in CRUSH_PLACES[seat] if self.zones.get(place))

    def possessor_of(self, creature: str) -> int:
        """Return the seat on whose field a creature is, or NOBODY.

        CC-AMB-3: There is no owner beside the possessor.
        """
        place = self.places_by_creature.get(creature)
        return NOBODY if place is None else SEAT_BY_PLACE[place]

    def owner_of(self, creature: str) -> int:
        """Return the seat to whose hell or hand a creature on the field will go.

        NOBODY if it is on none.
        CC-AMB-3-R2: It goes to the player from whose deck it comes.
        """
        seat = self.possessor_of(creature)
        lent = self.borrowed and self.interpretation_number("CC-AMB-3") != FIRST_INTERPRETATION
        return 1 - seat if seat != NOBODY and lent and creature in self.borrowed else seat

    def adjacent_creatures(self, creature: str) -> Cards:
        """Return the creatures adjacent to one on the field.

        CC-ZONE-ADJ-1: Allies are adjacent if their places share an edge.
        """
        place = self.places_by_creature.get(creature)
        if place is None:
            return ()
        return tuple(cards[0] for other in find_adjacent_places(place) if (cards := self.zones.get(other)))

    def count_left_in_play(self, seat: int) -> int:
        """Count a player's cards in deck, hand and on the board. Raises Undetermined.

        CC-END-1: A player wins when the opponent has no card left in deck and hand, in A, B and C.
        """
        piles = self.count_cards_at(DECKS[seat]) + self.count_cards_at(HANDS[seat])
        return piles + len(self.list_creatures(seat)) + len(self.list_crush_places(seat))

    def list_hell(self, seat: int) -> Cards:
        """Return the open discard pile of a player. Raises Undetermined."""
        return self.open_cards_at(HELLS[seat])

    # -- what nobody has named (CC-ZONE-1) ---------------------------------------------------------------------------

    def count_free_copies(self, place: str) -> Counter[str]:
        """Count the copies that may lie behind the backs of a place, as in every game.

        Only crush cards lie on C-places, where everybody sees how many there are. If all that are left lie there, no
        crush card lies elsewhere.
        """
        left = super().count_free_copies(place)
        if place not in SEAT_BY_PLACE and self.count_spare_crush_cards(left) <= 0:
            for card in left:
                if not face_of(card).is_creature:
                    left[card] = 0
        return left

    def count_spare_crush_cards(self, left: Mapping[str, int]) -> int:
        """Count the possible crush cards that lie on no C-place.

        `left` are the copies that could be somewhere.
        """
        lying = sum(len(self.list_crush_places(seat)) for seat in SEATS)
        return sum(count for card, count in left.items() if not face_of(card).is_creature) - lying

    def check_cards_together(self, place: str, cards: Cards) -> None:
        """Check that the crush cards named for a place can all lie off the C-places.

        Raises IllegalMove if they cannot.
        """
        named = sum(not face_of(card).is_creature for card in cards)
        if named and place not in SEAT_BY_PLACE:
            self.check_crush_count(place, named)

    def check_crush_count(self, place: str, count: int = 1) -> None:
        """Check that `count` backs of a place off the C-places can all be crush cards.

        Raises IllegalMove if they cannot.
        """
        spare = self.count_spare_crush_cards(self.free_copies(place))
        if count > spare:
            raise IllegalMove("not_so_many_crush_cards", "CC-ZONE-1", "KERNEL-CENSUS-1", count=max(spare, 0))

    def list_due_effects(self, when: str, seat: int) -> tuple[Execution, ...]:
        """List the effects put off to the end of this turn, or to this turn of a player.

        CC-WORD-TIME-2: What a text puts off is carried out at that time, whatever has become of its card.
        """
        due = (each.effect for each in self.later if each.when == when)
        return tuple(effect for effect in due if when == TURN_ENDS or effect.by == seat)

    # -- what cards on the field give all the time ------------------------------------------------------------------

    @remembered_property(*BOARD)
    def ability_totals(self) -> dict[str, dict[str, int]]:
        """The sums of all that holds now, by creature and by ability.

        The abilities are attack, armor, the keywords and free_aim. Lasting changes are included. The sums are computed
        once for each table.

        CC-AMB-19: Permanent effects are worked out at every moment and add up.
        """
        return compute_ability_totals(self)

    def attack_points(self, creature: str) -> int:
        """Return the attack points of a creature on the field now.

        CC-AMB-19: Attack never falls below 0.
        """
        return max(0, face_of(creature).attack + self.ability_totals.get(creature, {}).get("attack", 0))

    def armor_points(self, creature: str) -> int:
        """Return by how much attacks damage a creature less."""
        return self.ability_totals.get(creature, {}).get("armor", 0)

    @remember(*BOARD)
    def pips_to_pay(self, seat: int, creature: str) -> int:
        """Return the pips that pay for summoning a player's creature, or for its attack.

        Raises Undetermined.

        CC-WORD-COST-1: The cost of a creature never falls below 1.
        """
        changes = sum(number for _, number in find_cost_changes(self, seat, creature))
        return max(LOWEST_COST, face_of(creature).cost + changes)

    def has_keyword(self, creature: str, keyword: str) -> bool:
        """Return whether a creature on the field has a keyword or free_aim now."""
        printed = int(keyword in face_of(creature).keywords)
        return printed + self.ability_totals.get(creature, {}).get(keyword, 0) > 0

    def count_lasting(self, creature: str, *stats: str) -> int:
        """Return the sum of what effects have given a creature of these."""
        return sum(change.amount for change in self.lasting.get(creature, ()) if change.stat in stats)

    def life_left(self, creature: str) -> int:
        """Return the life points of a creature, with what effects added, less its damage."""
        return face_of(creature).life + self.count_lasting(creature, LIFE, GROWTH) - self.damage.get(creature, 0)

    def attack_damage(self, attacker: str, defender: str) -> int:
        """Return the damage of an attack of one creature on another now.

        CC-ATTACK-5: The attacked creature takes damage equal to the attack points of the attacker. Armor is taken off.
        """
        points = max(0, self.attack_points(attacker) - self.armor_points(defender))
        return min(points, self.ability_totals.get(defender, {}).get(DAMAGE_LIMIT, points))

    def zone_of(self, creature: str) -> str:
        """Return the row of a creature on the field, or "" if it is on none.

        CC-GLOSS-1: An A-creature is a creature in the A-zone, a B-creature one in the B-zone.
        """
        place = self.places_by_creature.get(creature)
        return "" if place is None else row_of(place)

    def dice_paid_for(self, place: str) -> int:
        """Return the number of dice burned for the crush card at a C-place.

        CC-AMB-14: The opponent sees how many dice were paid.
        CC-AMB-23: A crush card on the field costs the dice that were burned for it.
        """
        return self.paid.get(place, 0)

    def crush_change_of(self, seat: int) -> int:
        """Return how many dice more a player's next crush card costs, below 0 if fewer.

        CC-WORD-COST-2: Such changes add up until the next crush card is laid.
        """
        return self.next_crush.get(str(seat), 0)

    # -- what the card language asks -------------------------------------------------------------------------------

    def find_program(self, card: str, text: str) -> Program:
        """Return the lines of one text of a card. Raises KeyError."""
        return program_of(card, text)

    def decision_time(self) -> int | None:
        """Return the time for an answer, in ms."""
        return self.rules.turn_timeout_ms

    # -- a player may concede at every question (CC-END-2) ----------------------------------------------------------

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
        """Iterate over every creature on either field."""
        return iter(self.places_by_creature)
