"""The table of Here to Slay: plain data, and properties in the rulebook's words.

It decides nothing. What a position leaves out is None, or `?some` in a place. Code that needs it raises Undetermined.
Clauses: HTS-TERM-1, HTS-TERM-2, HTS-TERM-3, HTS-ZONE-1, HTS-ZONE-2, HTS-ZONE-3, HTS-ZONE-6, HTS-STATE-3, HTS-STATE-4,
HTS-STATE-5, HTS-STATE-6, HTS-ITEM-6, HTS-ITEM-9, HTS-LEAD-3, HTS-EDGE-3, HTS-AMB-42, HTS-AMB-62, HTS-HERO-4,
HTS-ROLL-1, HTS-ROLL-9, HTS-ROLL-10, HTS-PROT-2, HTS-DO-41.
HTS-STATE-6: Classes, standing values, legal targets and totals are computed each time and stored nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.cardscript.language.delayed import DelayedText, mask_delayed_texts
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Program
from referee.cardscript.moves import ChooseCard
from referee.cardscript.table import UNCOUNTED_CARDS, CardTable
from referee.engine.codec import OMIT_IF_EMPTY
from referee.engine.events import Event, Move
from referee.engine.remembering import PUBLIC, remember
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.zones import Cards, is_back
from referee.games.here_to_slay import player_leaves, triggers
from referee.games.here_to_slay.components import FACES, HANDS, LEADER, MONSTERS, PARTIES, PROGRAMS, SEATS, SLAIN, Rules
from referee.games.here_to_slay.texts.amounts import compute_amount
from referee.games.here_to_slay.texts.faces import StaticAbility
from referee.games.here_to_slay.values import DiceRoll, LastingEffect

NOBODY = -1
POINTS_PER_TURN = 3  # HTS-TURN-2: at its start a turn is worth three points
SEATS_BY_COUNT = tuple(tuple(range(count)) for count in range(SEATS + 1))  # the seats by number of players

# What heroes and the abilities of a party rest on: of cards that lie hidden only their number (`remember`).
PARTY = (PUBLIC, "rules", "readings", "zones", "lasting", "gone")


@dataclass(frozen=True)
class Table(CardTable):
    """Where everything lies.

    A view, a table of real cards and a written position are tables too, with backs in place of hidden cards.
    """

    over_clauses: ClassVar[tuple[str, ...]] = ("HTS-WIN-4",)

    rules: Rules = field(default_factory=Rules)
    turn: int | None = NOBODY  # the active player (HTS-TERM-1)
    turns: int = 0  # how many turns have begun
    points: int | None = 0  # points left to the active player (HTS-TERM-2)
    rolled: tuple[str, ...] | None = ()  # heroes that were rolled for in this turn (HTS-ROLL-4)
    used: bool | None = False  # whether the leader's own action was used in this turn (HTS-ACT-6)
    lasting: tuple[LastingEffect, ...] = ()
    later: tuple[DelayedText, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # what texts have put off
    picked: tuple[int, ...] = ()  # seats in the order in which they chose a leader
    gone: tuple[int, ...] = ()  # seats that have left the table (HTS-AMB-73)
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
        """Return the other players, clockwise from the next one.

        HTS-EACH-1: All other players in order means clockwise, starting to the left of the effect's player, who is
            left out.
        """
        count = self.rules.seats
        round_ = ((seat + step) % count for step in range(1, count))
        return tuple(other for other in round_ if other not in self.gone)

    def seats_clockwise_from(self, start: int) -> tuple[int, ...]:
        """Return all players, beginning with the given one."""
        return (start, *self.other_seats(start)) if start not in self.gone else self.other_seats(start)

    # -- places ----------------------------------------------------------------------------------------------------

    def possible_cards(self, place: str) -> Mapping[str, int]:
        """Return the cards that may lie behind the backs of a place, with their copies.

        These are monsters in the monster deck, and cards of the main deck elsewhere.
        """
        return self.rules.boxes.monsters if place == MONSTERS else self.rules.boxes.main

    def holds_cards(self, seat: int) -> bool:
        """Return whether a player has hand cards, which is public. Raises Undetermined."""
        there = self.zones.get(HANDS[seat], ())
        if there == (UNCOUNTED_CARDS,):
            raise Undetermined("how_many_cards", place=HANDS[seat])
        return bool(there)

    def party_of(self, seat: int) -> Cards:
        """Return the heroes of a player. Raises Undetermined.

        HTS-ZONE-2: Each player has a hand and a party. The party lies in front of its player: the leader with slain
            monsters beside it, and heroes with their items underneath.
        """
        return self.open_cards_at(PARTIES[seat])

    def iterate_heroes(self) -> Iterator[tuple[int, str]]:
        """Yield every hero on the table with its controller, by seat."""
        for seat in self.seats_at_table:
            for hero in self.party_of(seat):
                yield seat, hero

    @remember(*PARTY)
    def controller_of(self, hero: str) -> int | None:
        """Return the player who controls a hero, or None.

        HTS-TERM-3: Players control the heroes in their own party and own the abilities of its leader and monsters.
        """
        return next((seat for seat, other in self.iterate_heroes() if other == hero), None)

    def item_of(self, hero: str) -> str | None:
        """Return the item that a hero carries, or None. Raises Undetermined."""
        there = self.zones.get(item_place_of(hero), ())
        if UNCOUNTED_CARDS in there:
            raise Undetermined("which_item", card=hero)
        return there[0] if there else None

    def iterate_items(self) -> Iterator[tuple[int, str, str]]:
        """Yield every item on the table: the hero's controller, the hero, the item."""
        for seat, hero in self.iterate_heroes():
            item = self.item_of(hero)
            if item is not None:
                yield seat, hero, item

    def monsters_slain_by(self, seat: int) -> Cards:
        """Return the monsters that a player has slain. Raises Undetermined."""
        return self.open_cards_at(SLAIN[seat])

    def leader_of(self, seat: int) -> str | None:
        """Return the leader of a player, or None. Raises Undetermined."""
        there = self.open_cards_at(LEADER[seat])
        return there[0] if there else None

    def ability_cards_of(self, seat: int) -> tuple[str, ...]:
        """Return the cards that give a player abilities: leader and slain monsters.

        HTS-LEAD-1: Each leader brings a class and an ability of its own, of use to its player from the first turn to
            the last.
        HTS-MON-12: A player who has slain a monster has its ability for the rest of the game, like a leader's.
        """
        leader = self.leader_of(seat)
        return (*((leader,) if leader else ()), *self.monsters_slain_by(seat))

    # -- computed from the cards on the table (HTS-STATE-6) --------------------------------------------------------

    @remember(*PARTY)
    def class_of(self, hero: str) -> str:
        """Return the class of a hero.

        HTS-ITEM-9: A hero with a mask has the class of the mask. Its printed class does not count meanwhile.
        HTS-AMB-41: A mask replaces the printed class for the win, for monsters, for Tough Teddy and for Smooth
            Mimimeow.
        """
        item = self.item_of(hero)
        masks = FACES[item].find_abilities("class") if item else ()
        return masks[0].values[0] if masks else FACES[hero].class_

    def classes_of(self, seat: int) -> frozenset[str]:
        """Return the classes of a party.

        HTS-LEAD-3: The leader's class counts as one of the party's: where a monster asks for that class, for the win
            with six classes, and for Tough Teddy and Smooth Mimimeow.
        """
        leader = self.leader_of(seat)
        return frozenset((*map(self.class_of, self.party_of(seat)), *((FACES[leader].class_,) if leader else ())))

    def is_sealed(self, hero: str) -> bool:
        """Return whether an item seals the effect of its hero.

        HTS-DO-27: A sealed hero cannot be rolled for, paid or free. It remains a hero of its class.
        """
        item = self.item_of(hero)
        return bool(item and FACES[item].find_abilities("sealed"))

    @remember(*PARTY)
    def find_protection(self, hero: str, verb: str) -> str | None:
        """Return the card that protects a hero from `destroy` or `steal`, or None.

        HTS-PROT-2: Terratuga protects its owner's heroes from destruction for good. Mighty Blade does so, and Calming
            Voice protects from stealing, until the player's next turn starts, for all heroes in the party.
        """
        seat = self.controller_of(hero)
        if seat is None:
            return None
        return self.find_item_protection(hero, verb) or self.find_party_protection(seat, verb)

    def find_item_protection(self, hero: str, verb: str) -> str | None:
        """Return the item that protects its hero from `destroy` or `steal`, or None.

        HTS-PROT-4: An item of a book may protect its hero from being destroyed or stolen, as long as it lies there.
        """
        item = self.item_of(hero) if "protects" in self.rules.boxes.item_powers else None
        guards = FACES[item].find_abilities("protects") if item else ()
        return item if any(verb in standing.values for standing in guards) else None

    def find_party_protection(self, seat: int, verb: str) -> str | None:
        """Return the card that protects a player's heroes from `destroy` or `steal`."""
        for card in self.ability_cards_of(seat):
            if any(verb in standing.values for standing in FACES[card].find_abilities("protects")):
                return card
        return next((each.source for each in self.lasting if each.seat == seat and each.what == f"no_{verb}"), None)

    def find_challenge_protection(self, seat: int, kind: str) -> str | None:
        """Return the card that bars a challenge to a play of this kind, or None.

        HTS-CHAL-5: Nobody is asked where everyone can see that a challenge is barred: by Iron Resolve, for items of
            Warworn Owlbear's owner, for a card played outside the player's own turn, and for immediate plays if the
            match exempts them.
        """
        for card in self.ability_cards_of(seat):
            for standing in FACES[card].find_abilities("unchallenged"):
                if kind in standing.values or (kind == "cursed_item" and "item" in standing.values):
                    return card
        return next((each.source for each in self.lasting if each.seat == seat and each.what == "no_challenge"), None)

    def find_bar(self, seat: int, what: str) -> str | None:
        """Return the card that keeps a player from doing something for a while, or None.

        HTS-CANNOT-1: A text may keep a player from attacking, from challenging or from playing modifiers for a while.
            Such a player is not asked, and passes count without one.
        """
        return next((each.source for each in self.lasting if (each.seat, each.what) == (seat, what)), None)

    def count_extra_points(self, seat: int) -> int:
        """Return how many points beyond three a player has in each turn.

        HTS-DO-36: With Mega Slime a turn has four action points, not three.
        """
        return sum(
            standing.plus for card in self.ability_cards_of(seat) for standing in FACES[card].find_abilities("points")
        )

    def list_standing_values(self, cast: DiceRoll) -> tuple[tuple[str, int], ...]:
        """Return the standing values on a roll, each with its card, as the table is now.

        HTS-ROLL-9: Standing values are read when the roll is settled, each for the rolls of its owner or player.
        """
        found = [
            (card, self._count_standing_value(standing, cast.seat))
            for card in self.ability_cards_of(cast.seat)
            for standing in FACES[card].find_abilities("roll")
            if cast.kind in standing.values and (not standing.setting or getattr(self.rules, standing.setting))
        ]
        item = self.item_of(cast.about) if cast.kind == "hero" else None
        if item:
            found += [
                (item, self._count_standing_value(standing, cast.seat))
                for standing in FACES[item].find_abilities("roll")
                if cast.kind in standing.values
            ]
        found += [
            (each.source, each.value) for each in self.lasting if each.seat == cast.seat and each.what == "roll_bonus"
        ]
        return tuple(found)

    def _count_standing_value(self, standing: StaticAbility, seat: int) -> int:
        return compute_amount(self, standing.amount, {"me": (seat,)}) if standing.amount else standing.plus

    def compute_roll_total(self, cast: DiceRoll) -> int:
        """Return the total of a roll: dice, standing values and added values.

        HTS-ROLL-1: A roll is made with two dice. Standing values and whatever is played on it are added. The total has
            no lower and no upper limit.
        HTS-AMB-17: The total has no limits. A 1 or a 14 is possible.
        """
        standing = sum(value for _, value in self.list_standing_values(cast))
        return sum(cast.dice) + standing + sum(added.value for added in cast.added)

    # -- the interface of `CardTable` ------------------------------------------------------------------------------

    def find_program(self, card: str, text: str) -> Program:
        """Return the lines of one text of a card. Raises KeyError."""
        return PROGRAMS[card, text]

    def decision_time(self) -> int | None:
        """Return the time for an answer, in ms, or None.

        HTS-AMB-76: The setting `decision_ms` is the time for everything but windows. By default there is no limit.
        """
        return self.rules.decision_ms

    def rank_answer(self, move: Move) -> tuple[int, str]:
        """Return the rank of an answer in the fixed order used for absent players.

        HTS-AMB-76: A duty takes the first legal answer, by the seat of a hero's party, then by card id.
        """
        if isinstance(move, ChooseCard):
            owner = self.controller_of(move.card)
            return 0 if owner is None else owner, move.card
        return super().rank_answer(move)

    def resolve_declared_targets(self, text: Execution) -> Iterator[Event]:
        """Yield the event that declares the targets of a text.

        HTS-ROLL-5: Targets known by then are declared after the dice and before modifiers.
        """
        return triggers.declare_targets(text)

    def collect_triggers(self, event: Event) -> Iterable[Event]:
        """Yield the triggers that an event sets off.

        HTS-TRIG-1: What is triggered is noted and follows when the step under way is complete, before the one around
            it resumes.
        """
        return triggers.collect_triggers(self, event)

    def view_for(self, seat: int) -> Any:
        seen = super().view_for(seat)
        return mask_delayed_texts(seen, seat) if self.later else seen

    # -- interjections: leaving the table (HTS-AMB-73) -------------------------------------------------------------

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
    """Return the place of the item that a hero carries.

    HTS-ITEM-1: An item is slid underneath its hero.
    """
    return f"under/{hero}"


def select_named_cards(cards: Iterable[str]) -> Cards:
    """Return the cards that are named, without backs."""
    return tuple(card for card in cards if not is_back(card))
