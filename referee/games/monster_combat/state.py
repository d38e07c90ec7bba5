"""The table of Monster Combat: plain data, and properties in the rulebook's words. It decides nothing.

What a position leaves out stands as None, or in a place as `?any` (one card of which not even the back is known) or
`?some` (nobody knows how many). Whoever reads such a thing raises Unknown with the question to ask.
Clauses: MC-TERM-1 to MC-TERM-8, MC-SETUP-3, MC-LIFE-1, MC-LIFE-2, MC-AMB-7, MC-AMB-22, MC-AMB-23.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.rulings import Unknown
from referee.engine.zones import Cards, Zoned
from referee.games.monster_combat.components import Rules

NOBODY = -1
FULL = 3  # hearts of a player (MC-TERM-7)
DEALT = 5  # cards of a first hand (MC-SETUP-5), and of one revived (MC-V2-LIFE-2)
HAND_LIMIT = 7  # at the end of the own turn (MC-TURN-END-1)

DECK, EVENTS, DISCARD, TRAY = "deck:", "events:", "discard", "event_tray"
ANY, SOME = "?any", "?some"  # a card of unknown back; an unknown number of cards

HANDS = tuple(f"hand:{seat}" for seat in range(7))


@dataclass(frozen=True)
class Table(Zoned):
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
        """The player whose turn it is (MC-TERM-5). Raises Unknown."""
        if self.turn is None:
            raise Unknown("whose_turn")
        return self.turn

    @property
    def seats(self) -> range:
        """All seats, the defeated among them."""
        return range(self.rules.seats)

    def hearts_of(self, seat: int) -> int:
        """The full hearts of a player (MC-TERM-7). Raises Unknown."""
        hearts = self.hearts[seat]
        if hearts is None:
            raise Unknown("hearts_of", seat=seat)
        return hearts

    def lives(self, seat: int) -> bool:
        """Whether a player has a full heart left (MC-TERM-7). Raises Unknown."""
        return self.hearts_of(seat) > 0

    def living(self) -> tuple[int, ...]:
        """The seats of all living players (MC-TERM-7). Raises Unknown."""
        return tuple(seat for seat in self.seats if self.lives(seat))

    def after(self, seat: int) -> tuple[int, ...]:
        """The seats in the direction of play, from the one after `seat` round to `seat` itself. Raises Unknown."""
        count = self.rules.seats
        if self.direction is None:
            if count > 2:  # two players sit opposite each other either way
                raise Unknown("which_direction")
            return (1 - seat, seat)
        return tuple((seat + self.direction * step) % count for step in range(1, count + 1))

    def next_living(self, seat: int) -> int:
        """The next player after a seat (MC-TERM-6, MC-AMB-7): the seat itself if no other lives. Raises Unknown."""
        return next((other for other in self.after(seat) if other == seat or self.lives(other)), seat)

    def is_immune(self, seat: int) -> bool:
        """Whether nothing can be done to a player just now (MC-EVENT-IMMUNE-1). Raises Unknown."""
        immune = self.immune[seat]
        if immune is None:
            raise Unknown("is_immune", seat=seat)
        return immune

    def hand(self, seat: int) -> Cards:
        """The hand of a player as this table knows it: names, or backs."""
        return self.place(HANDS[seat])

    def hand_size(self, seat: int) -> int:
        """How many cards a player holds. Raises Unknown."""
        hand = self.hand(seat)
        if SOME in hand:
            raise Unknown("hand_of", seat=seat)
        return len(hand)

    def asleep(self) -> bool:
        """Whether the active monster sleeps (MC-V2-SKIP-1). Raises Unknown."""
        if self.sleeper is None:
            raise Unknown("is_monster_asleep")
        return self.sleeper != NOBODY

    def monster_number(self) -> int:
        """Which monster is active (MC-TERM-5). Raises Unknown."""
        if self.monster is None:
            raise Unknown("which_monster")
        return self.monster

    def monster_left(self) -> int:
        """The hearts left to the active monster (MC-V2-MONSTER-2). Raises Unknown."""
        if self.monster_hearts is None:
            raise Unknown("monster_hearts")
        return self.monster_hearts
