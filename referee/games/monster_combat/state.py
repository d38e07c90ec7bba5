"""The table of Monster Combat: plain data, and properties in the rulebook's words. It decides nothing.

What a position leaves out stands as None, or in a place as `?any` (one card of which not even the back is known) or
`?some` (nobody knows how many). Whoever reads such a thing raises Unknown with the question to ask.
Clauses: MC-TERM-1 to MC-TERM-8, MC-SETUP-3, MC-LIFE-1, MC-LIFE-2, MC-AMB-7, MC-AMB-22, MC-AMB-23.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.rulings import Undetermined
from referee.engine.zones import Cards, ZonedState
from referee.games.monster_combat.components import Rules

NOBODY = -1
FULL_HEARTS = 3  # hearts of a player (MC-TERM-7)
FIRST_HAND_SIZE = 5  # cards of a first hand (MC-SETUP-5), and of one revived (MC-V2-LIFE-2)
HAND_LIMIT = 7  # at the end of the own turn (MC-TURN-END-1)

DECK, EVENTS, DISCARD, TRAY = "deck:", "events:", "discard", "event_tray"
ANY, SOME = "?any", "?some"  # a card of unknown back; an unknown number of cards

HANDS = tuple(f"hand:{seat}" for seat in range(7))


@dataclass(frozen=True)
class Table(ZonedState):
    """Where everything lies. A view, a table of real cards and a written position are tables with backs for cards."""

    rules: Rules = field(default_factory=Rules)
    hearts: tuple[int | None, ...] = ()  # full hearts by seat
    turn: int | None = NOBODY  # the active player (MC-TERM-5)
    direction: int | None = 1  # 1 clockwise, -1 the other way round
    immune: tuple[bool | None, ...] = ()  # by seat (MC-EVENT-IMMUNE-1)
    skipped: int | None = NOBODY  # who misses the coming turn (MC-V1-SKIP-1)
    sleeper: int | None = NOBODY  # who put the active monster to sleep; NOBODY: it is awake (MC-V2-SKIP-1)
    monster: int | None = 0  # number of the active monster, 0 in variant 1 (MC-TERM-4, MC-TERM-5)
    monster_hearts: int | None = 0  # what the marker shows (MC-V2-MONSTER-2)
    top: str | None = None  # the back on top of the draw pile, for all to see; "" if there is no card
    fallen: tuple[int, ...] | None = ()  # the defeated, first to last

    @property
    def active(self) -> int:
        """The player whose turn it is (MC-TERM-5). Raises Undetermined."""
        if self.turn is None:
            raise Undetermined("whose_turn")
        return self.turn

    @property
    def seats(self) -> range:
        """All seats, the defeated among them."""
        return range(self.rules.seats)

    def hearts_of(self, seat: int) -> int:
        """The full hearts of a player (MC-TERM-7). Raises Undetermined."""
        hearts = self.hearts[seat]
        if hearts is None:
            raise Undetermined("hearts_of", seat=seat)
        return hearts

    def is_alive(self, seat: int) -> bool:
        """Whether a player has a full heart left (MC-TERM-7). Raises Undetermined."""
        return self.hearts_of(seat) > 0

    def living_seats(self) -> tuple[int, ...]:
        """The seats of all living players (MC-TERM-7). Raises Undetermined."""
        return tuple(seat for seat in self.seats if self.is_alive(seat))

    def seats_after(self, seat: int) -> tuple[int, ...]:
        """The seats in the direction of play, from the one after `seat` round to `seat` itself. Raises Undetermined."""
        count = self.rules.seats
        if self.direction is None:
            if count > 2:  # two players sit opposite each other either way
                raise Undetermined("which_direction")
            return (1 - seat, seat)
        return tuple((seat + self.direction * step) % count for step in range(1, count + 1))

    def find_next_living(self, seat: int) -> int:
        """The next player after a seat (MC-TERM-6, MC-AMB-7): the seat itself if no other lives. Raises
        Undetermined."""
        return next((other for other in self.seats_after(seat) if other == seat or self.is_alive(other)), seat)

    def is_immune(self, seat: int) -> bool:
        """Whether nothing can be done to a player just now (MC-EVENT-IMMUNE-1). Raises Undetermined."""
        immune = self.immune[seat]
        if immune is None:
            raise Undetermined("is_immune", seat=seat)
        return immune

    def cards_in_hand(self, seat: int) -> Cards:
        """The hand of a player as this table knows it: names, or backs."""
        return self.cards_at(HANDS[seat])

    def count_hand_cards(self, seat: int) -> int:
        """How many cards a player holds. Raises Undetermined."""
        hand = self.cards_in_hand(seat)
        if SOME in hand:
            raise Undetermined("hand_of", seat=seat)
        return len(hand)

    def is_monster_asleep(self) -> bool:
        """Whether the active monster sleeps (MC-V2-SKIP-1). Raises Undetermined."""
        if self.sleeper is None:
            raise Undetermined("is_monster_asleep")
        return self.sleeper != NOBODY

    def monster_number(self) -> int:
        """Which monster is active (MC-TERM-5). Raises Undetermined."""
        if self.monster is None:
            raise Undetermined("which_monster")
        return self.monster

    def monster_hearts_left(self) -> int:
        """The hearts left to the active monster (MC-V2-MONSTER-2). Raises Undetermined."""
        if self.monster_hearts is None:
            raise Undetermined("monster_hearts")
        return self.monster_hearts
