"""The table of Monster Combat: plain data, and properties in the rulebook's words.

It decides nothing. What a position leaves out is None. In a place it is `?any` (one card of unknown back) or `?some`
(an unknown number of cards). Code that reads such a value raises Undetermined with the question to ask.

Clauses: MC-TERM-1 to MC-TERM-8, MC-SETUP-3, MC-LIFE-1, MC-LIFE-2, MC-AMB-7, MC-AMB-22, MC-AMB-23.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.rulings import Undetermined
from referee.engine.zones import Cards, ZonedState
from referee.games.monster_combat.components import Rules

NOBODY = -1
FULL_HEARTS = 3  # hearts of a player (MC-TERM-7)
FIRST_HAND_SIZE = 5  # cards of a first hand (MC-SETUP-5), and of a revived player's hand (MC-V2-LIFE-2)
HAND_LIMIT = 7  # at the end of the player's own turn (MC-TURN-END-1)

DECK, EVENTS, DISCARD, TRAY = "deck:", "events:", "discard", "event_tray"
ANY, SOME = "?any", "?some"  # a card of unknown back; an unknown number of cards

HANDS = tuple(f"hand:{seat}" for seat in range(7))


@dataclass(frozen=True)
class Table(ZonedState):
    """Everything on the table.

    A view, a table of real cards and a written position are tables in which some cards are backs.
    """

    rules: Rules = field(default_factory=Rules)
    hearts: tuple[int | None, ...] = ()  # full hearts by seat
    turn: int | None = NOBODY  # the active player (MC-TERM-5)
    direction: int | None = 1  # 1 clockwise, -1 the other way round
    immune: tuple[bool | None, ...] = ()  # by seat (MC-EVENT-IMMUNE-1)
    skipped: int | None = NOBODY  # the seat that misses the coming turn (MC-V1-SKIP-1)
    sleeper: int | None = NOBODY  # the seat that put the active monster to sleep; NOBODY: awake (MC-V2-SKIP-1)
    monster: int | None = 0  # number of the active monster, 0 in variant 1 (MC-TERM-4, MC-TERM-5)
    monster_hearts: int | None = 0  # what the marker shows (MC-V2-MONSTER-2)
    top: str | None = None  # the back on top of the draw pile, for all to see; "" if there is no card
    fallen: tuple[int, ...] | None = ()  # the defeated seats, first to last

    @property
    def active(self) -> int:
        """The active player. Raises Undetermined.

        MC-TERM-5: The active player is the one whose turn is running.
        """
        if self.turn is None:
            raise Undetermined("whose_turn")
        return self.turn

    @property
    def seats(self) -> range:
        """All seats, the defeated players' included."""
        return range(self.rules.seats)

    def hearts_of(self, seat: int) -> int:
        """Return the number of a player's full hearts. Raises Undetermined.

        MC-TERM-7: Every player has three hearts, each full or empty.
        """
        hearts = self.hearts[seat]
        if hearts is None:
            raise Undetermined("hearts_of", seat=seat)
        return hearts

    def is_alive(self, seat: int) -> bool:
        """Return whether a player has a full heart left. Raises Undetermined.

        MC-TERM-7: A player who has a full heart lives. A player who has none is defeated.
        """
        return self.hearts_of(seat) > 0

    def living_seats(self) -> tuple[int, ...]:
        """Return the seats of all living players. Raises Undetermined.

        MC-TERM-7: A player who has a full heart lives. A player who has none is defeated.
        """
        return tuple(seat for seat in self.seats if self.is_alive(seat))

    def seats_after(self, seat: int) -> tuple[int, ...]:
        """Return the seats in the direction of play, from the one after `seat` to `seat`.

        Raises Undetermined.
        """
        count = self.rules.seats
        if self.direction is None:
            if count > 2:  # two players sit opposite each other either way
                raise Undetermined("which_direction")
            return (1 - seat, seat)
        return tuple((seat + self.direction * step) % count for step in range(1, count + 1))

    def find_next_living(self, seat: int) -> int:
        """Return the next living player after `seat`, or `seat` if no other lives.

        Raises Undetermined.

        MC-TERM-6: The next player is the first living one after the active player, counted in the direction of play.
        MC-AMB-7: After a change of direction the turn goes to the nearest living seat in the new direction.
        """
        return next((other for other in self.seats_after(seat) if other == seat or self.is_alive(other)), seat)

    def is_immune(self, seat: int) -> bool:
        """Return whether a player is immune just now. Raises Undetermined.

        MC-EVENT-IMMUNE-1: For a round nothing can be done to the active player.
        """
        immune = self.immune[seat]
        if immune is None:
            raise Undetermined("is_immune", seat=seat)
        return immune

    def cards_in_hand(self, seat: int) -> Cards:
        """Return a player's hand as this table knows it: names, or backs."""
        return self.cards_at(HANDS[seat])

    def count_hand_cards(self, seat: int) -> int:
        """Count the cards that a player holds. Raises Undetermined."""
        hand = self.cards_in_hand(seat)
        if SOME in hand:
            raise Undetermined("hand_of", seat=seat)
        return len(hand)

    def is_monster_asleep(self) -> bool:
        """Return whether the active monster sleeps. Raises Undetermined.

        MC-V2-SKIP-1: A skip card puts the active monster to sleep for one round.
        """
        if self.sleeper is None:
            raise Undetermined("is_monster_asleep")
        return self.sleeper != NOBODY

    def monster_number(self) -> int:
        """Return the number of the active monster. Raises Undetermined.

        MC-TERM-5: The active monster is the top one of the monster pile.
        """
        if self.monster is None:
            raise Undetermined("which_monster")
        return self.monster

    def monster_hearts_left(self) -> int:
        """Return the hearts left to the active monster. Raises Undetermined.

        MC-V2-MONSTER-2: Each hit is marked off, so that the lives left to the monster can be seen.
        """
        if self.monster_hearts is None:
            raise Undetermined("monster_hearts")
        return self.monster_hearts
