"""The table of Here to Slay: plain data, and properties in the rulebook's words. It decides nothing.

What a position leaves out stands as None, or in a place as `?some`; whoever reads such a thing raises Unknown.
Clauses: HTS-TERM-1, HTS-TERM-2, HTS-TERM-3, HTS-ZONE-1, HTS-ZONE-2, HTS-ZONE-3, HTS-ZONE-6, HTS-STATE-3, HTS-STATE-4,
HTS-STATE-5, HTS-STATE-6, HTS-ITEM-6, HTS-ITEM-9, HTS-LEAD-3, HTS-EDGE-3, HTS-AMB-42, HTS-AMB-62, HTS-HERO-4,
HTS-ROLL-1, HTS-ROLL-9, HTS-ROLL-10, HTS-PROT-2, HTS-DO-41.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Program
from referee.cardscript.moves import ChooseCard
from referee.cardscript.table import UNCOUNTED_CARDS, CardTable
from referee.engine.events import Event, Move
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.zones import Cards, is_back
from referee.games.here_to_slay import player_leaves, triggers
from referee.games.here_to_slay.components import FACES, HANDS, LEADER, MONSTERS, PARTIES, PROGRAMS, SEATS, SLAIN, Rules
from referee.games.here_to_slay.values import DiceRoll, LastingEffect

NOBODY = -1
POINTS_PER_TURN = 3  # of a turn (HTS-TURN-2)
SEATS_BY_COUNT = tuple(tuple(range(count)) for count in range(SEATS + 1))  # the seats of so many players


@dataclass(frozen=True)
class Table(CardTable):
    """Where everything lies. A view, a table of real cards and a written position are tables with backs for cards."""

    rules: Rules = field(default_factory=Rules)
    turn: int | None = NOBODY  # the active player (HTS-TERM-1)
    turns: int = 0  # how many turns have begun
    points: int | None = 0  # points left to the active player (HTS-TERM-2)
    rolled: tuple[str, ...] | None = ()  # heroes that were rolled for in this turn (HTS-ROLL-4)
    used: bool | None = False  # whether the leader's own action was used in this turn (HTS-ACT-6)
    lasting: tuple[LastingEffect, ...] = ()
    picked: tuple[int, ...] = ()  # who picked a leader, first to last
    gone: tuple[int, ...] = ()  # who has left the table (HTS-AMB-73)
    winner: int = NOBODY
    way: str = ""  # how it was won: three_monsters, six_classes, last_one_left

    # -- seats -----------------------------------------------------------------------------------------------------

    @property
    def active(self) -> int:
        """The player whose turn it is. Raises Undetermined."""
        if self.turn is None:
            raise Undetermined("whose_turn")
        return self.turn

    @property
    def points_left(self) -> int:
        """The points of the active player. Raises Undetermined."""
        if self.points is None:
            raise Undetermined("points_left")
        return self.points

    @property
    def seats_at_table(self) -> tuple[int, ...]:
        """The seats still at the table."""
        seats = SEATS_BY_COUNT[self.rules.seats]
        return tuple(seat for seat in seats if seat not in self.gone) if self.gone else seats

    def other_seats(self, seat: int) -> tuple[int, ...]:
        """The other players, clockwise from the next one (HTS-EACH-1)."""
        count = self.rules.seats
        round_ = ((seat + step) % count for step in range(1, count))
        return tuple(other for other in round_ if other not in self.gone)

    def seats_clockwise_from(self, start: int) -> tuple[int, ...]:
        """All players, beginning with one of them."""
        return (start, *self.other_seats(start)) if start not in self.gone else self.other_seats(start)

    # -- places ----------------------------------------------------------------------------------------------------

    def possible_cards(self, place: str) -> Mapping[str, int]:
        """The cards that may lie behind the backs of a place: monsters in their deck, elsewhere playing cards."""
        return self.rules.boxes.monsters if place == MONSTERS else self.rules.boxes.main

    def holds_cards(self, seat: int) -> bool:
        """Whether a player has a hand card; everybody can see that. Raises Undetermined."""
        there = self.zones.get(HANDS[seat], ())
        if there == (UNCOUNTED_CARDS,):
            raise Undetermined("how_many_cards", place=HANDS[seat])
        return bool(there)

    def party_of(self, seat: int) -> Cards:
        """The heroes of a player (HTS-ZONE-2). Raises Undetermined."""
        return self.open_cards_at(PARTIES[seat])

    def iterate_heroes(self) -> Iterator[tuple[int, str]]:
        """Every hero on the table with its controller, by seat."""
        for seat in self.seats_at_table:
            for hero in self.party_of(seat):
                yield seat, hero

    def controller_of(self, hero: str) -> int | None:
        """The player in whose party a hero lies, None if it lies in none (HTS-TERM-3)."""
        return next((seat for seat, other in self.iterate_heroes() if other == hero), None)

    def item_of(self, hero: str) -> str | None:
        """The item that a hero carries. Raises Undetermined."""
        there = self.zones.get(item_place_of(hero), ())
        if UNCOUNTED_CARDS in there:
            raise Undetermined("which_item", card=hero)
        return there[0] if there else None

    def iterate_items(self) -> Iterator[tuple[int, str, str]]:
        """Every item on the table: the controller of its hero, the hero, the item."""
        for seat, hero in self.iterate_heroes():
            item = self.item_of(hero)
            if item is not None:
                yield seat, hero, item

    def monsters_slain_by(self, seat: int) -> Cards:
        """The monsters that a player has slain. Raises Undetermined."""
        return self.open_cards_at(SLAIN[seat])

    def leader_of(self, seat: int) -> str | None:
        """The leader of a player. Raises Undetermined."""
        there = self.open_cards_at(LEADER[seat])
        return there[0] if there else None

    def ability_cards_of(self, seat: int) -> tuple[str, ...]:
        """The leader and the slain monsters of a player (HTS-LEAD-1, HTS-MON-12)."""
        leader = self.leader_of(seat)
        return (*((leader,) if leader else ()), *self.monsters_slain_by(seat))

    # -- what follows from what lies there (HTS-STATE-6) -----------------------------------------------------------

    def class_of(self, hero: str) -> str:
        """The class of a hero: that of a mask, else the printed one (HTS-ITEM-9, HTS-AMB-41)."""
        item = self.item_of(hero)
        masks = FACES[item].find_abilities("class") if item else ()
        return masks[0].values[0] if masks else FACES[hero].class_

    def classes_of(self, seat: int) -> frozenset[str]:
        """The classes of a party, the leader's among them (HTS-LEAD-3)."""
        leader = self.leader_of(seat)
        return frozenset((*map(self.class_of, self.party_of(seat)), *((FACES[leader].class_,) if leader else ())))

    def is_sealed(self, hero: str) -> bool:
        """Whether an item switches the effect of its hero off (HTS-DO-27)."""
        item = self.item_of(hero)
        return bool(item and FACES[item].find_abilities("sealed"))

    def find_protection(self, hero: str, verb: str) -> str | None:
        """The card that protects a hero from `destroy` or `steal`, None if nothing does (HTS-PROT-2)."""
        seat = self.controller_of(hero)
        if seat is None:
            return None
        for card in self.ability_cards_of(seat):
            if any(verb in standing.values for standing in FACES[card].find_abilities("protects")):
                return card
        return next((each.source for each in self.lasting if each.seat == seat and each.what == f"no_{verb}"), None)

    def find_challenge_protection(self, seat: int, kind: str) -> str | None:
        """The card because of which a play of this kind cannot be challenged (HTS-CHAL-5)."""
        for card in self.ability_cards_of(seat):
            for standing in FACES[card].find_abilities("unchallenged"):
                if kind in standing.values or (kind == "cursed_item" and "item" in standing.values):
                    return card
        return next((each.source for each in self.lasting if each.seat == seat and each.what == "no_challenge"), None)

    def count_extra_points(self, seat: int) -> int:
        """The points that a player has besides three in each turn (HTS-DO-36)."""
        return sum(
            standing.plus for card in self.ability_cards_of(seat) for standing in FACES[card].find_abilities("points")
        )

    def list_standing_values(self, cast: DiceRoll) -> tuple[tuple[str, int], ...]:
        """The standing values on a roll with the cards they come from, as the table is now (HTS-ROLL-9)."""
        found = [
            (card, standing.plus)
            for card in self.ability_cards_of(cast.seat)
            for standing in FACES[card].find_abilities("roll")
            if cast.kind in standing.values and (not standing.setting or getattr(self.rules, standing.setting))
        ]
        item = self.item_of(cast.about) if cast.kind == "hero" else None
        if item:
            found += [
                (item, standing.plus) for standing in FACES[item].find_abilities("roll") if cast.kind in standing.values
            ]
        found += [
            (each.source, each.value) for each in self.lasting if each.seat == cast.seat and each.what == "roll_bonus"
        ]
        return tuple(found)

    def compute_roll_total(self, cast: DiceRoll) -> int:
        """Dice, standing values and all that was put on a roll; without limits (HTS-ROLL-1, HTS-AMB-17)."""
        standing = sum(value for _, value in self.list_standing_values(cast))
        return sum(cast.dice) + standing + sum(added.value for added in cast.added)

    # -- what the card language asks -------------------------------------------------------------------------------

    def find_program(self, card: str, text: str) -> Program:
        """The lines of one text of a card. Raises KeyError."""
        return PROGRAMS[card, text]

    def decision_time(self) -> int | None:
        """The time for an answer, in ms (HTS-AMB-76)."""
        return self.rules.decision_ms

    def rank_answer(self, move: Move) -> tuple[int, str]:
        """By the seat of a hero's party, then by card (HTS-AMB-76)."""
        if isinstance(move, ChooseCard):
            owner = self.controller_of(move.card)
            return 0 if owner is None else owner, move.card
        return super().rank_answer(move)

    def resolve_declared_targets(self, text: Execution) -> Iterator[Event]:
        """The targets of a text are declared (HTS-ROLL-5)."""
        return triggers.declare_targets(text)

    def collect_triggers(self, event: Event) -> Iterable[Event]:
        """The triggers that a fact sets off (HTS-TRIG-1)."""
        return triggers.collect_triggers(self, event)

    # -- leaving the table cuts in anywhere (HTS-AMB-73) -----------------------------------------------------------

    def seats_that_may_interject(self) -> frozenset[Seat]:
        return frozenset(map(Seat, self.seats_at_table))

    def possible_interjections(self, seat: Seat) -> Iterable[Move]:
        return player_leaves.list_leave_moves(self, seat)

    def is_interjection(self, move: Move) -> bool:
        return player_leaves.is_leave_move(move)

    def check_interjection(self, seat: Seat, move: Move) -> None:
        player_leaves.check_leave(self, seat)

    def apply_interjection(self, seat: Seat, move: Move) -> Iterator[Event]:
        return player_leaves.leave_table(self, seat)


def item_place_of(hero: str) -> str:
    """The place of the item that a hero carries (HTS-ITEM-1)."""
    return f"under/{hero}"


def select_named_cards(cards: Iterable[str]) -> Cards:
    """Those of some cards that are named."""
    return tuple(card for card in cards if not is_back(card))
