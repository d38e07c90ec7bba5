"""The table of this game: plain data, with properties in the words of the rules.

It decides nothing. A place whose cards a position leaves out holds `?some`. Reading such a place raises Undetermined.
Clauses: MK-2.1, MK-2.2, MK-3.2, MK-4.1, MK-4.5, MK-4.6, MK-7.2, MK-7.3, MK-7.7, MK-8.6, MK-19.7, MK-21.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.cardscript.language.delayed import DelayedText, list_due_texts, mask_delayed_texts
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Program
from referee.cardscript.moves import ChooseCard
from referee.cardscript.table import UNCOUNTED_CARDS, CardTable
from referee.engine.codec import OMIT_IF_EMPTY
from referee.engine.events import Event, Move, replace_fields
from referee.engine.remembering import PUBLIC, remember, remembered_property
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.zones import Cards, backs_of
from referee.games.munchkin import player_leaves
from referee.games.munchkin.card_attributes import StaticAbility
from referee.games.munchkin.components import (
    BOXES,
    COMBAT,
    CURSES,
    DECKS,
    FACES,
    PLAYS,
    PROGRAMS,
    RIDES,
    SEATS,
    TOWNSHIP,
    Boxes,
    Rules,
)
from referee.games.munchkin.events import triggers
from referee.games.munchkin.values import NOBODY, Combat, LastingValue, Trade

SEATS_BY_COUNT = tuple(tuple(range(count)) for count in range(SEATS + 1))
HAND_LIMIT = 5  # MK-21.1
TWO_HANDS = 2  # MK-7.3
# What conditions, limits and strengths rest on: of cards that lie hidden only their number (`remember`).
CARDS_IN_PLAY = (PUBLIC, "rules", "readings", "zones", "levels", "dead", "equipped", "attached", "combat", "lasting")
DECK_BY_PLACE = {place: deck for deck, place in DECKS.items()}


@dataclass(frozen=True)
class Table(CardTable):
    """Where everything lies in a match.

    A view, a table with real cards and a written position are tables, too: they hold backs in place of hidden cards.
    """

    rules: Rules = field(default_factory=Rules)
    turn: int = NOBODY  # the active player; nobody during the setup
    turns: int = 0  # how many turns have begun
    levels: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()  # who is dead until the next turn begins (MK-19.8)
    bereft: tuple[int, ...] = ()  # who died and draws eight cards at the start of their next turn (MK-19.8)
    equipped: Cards = ()  # items in use, each listed once
    attached: dict[str, str] = field(default_factory=dict)  # by item: the card that lies on it (MK-7.12)
    fresh: dict[str, Cards] = field(default_factory=dict)  # by seat: hand cards that may be put down at once (MK-6.6)
    hindered: dict[str, int] = field(default_factory=dict)  # by seat: the change of the next roll to run away
    trades: tuple[Trade, ...] = ()
    combat: Combat | None = None
    fought: bool = False  # whether there was a combat in this turn (MK-5.6)
    winner: int = NOBODY
    way: str = ""  # how it ended: level_ten, too_many_turns, last_one_left
    # Who has left the table; they count as dead, too (MK-26.9).
    gone: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    # By seat: how many trades were offered in this turn, where that is limited (MK-26.1).
    offers: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)
    lasting: tuple[LastingValue, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # MK-27.2
    # What texts have put off, and those that were set off and still wait (CARDS-TIME-3, MK-27.1).
    later: tuple[DelayedText, ...] = field(default=(), metadata=OMIT_IF_EMPTY)

    # -- seats -----------------------------------------------------------------------------------------------------

    @remembered_property("rules", "dead")
    def living_seats(self) -> tuple[int, ...]:
        """The players who are not dead, by seat (MK-19.7)."""
        seats = SEATS_BY_COUNT[self.rules.seats]
        return tuple(seat for seat in seats if seat not in self.dead) if self.dead else seats

    @property
    def seats_at_table(self) -> tuple[int, ...]:
        """The players who have not left the table, by seat (MK-26.9)."""
        return tuple(seat for seat in SEATS_BY_COUNT[self.rules.seats] if seat not in self.gone)

    def other_seats(self, seat: int) -> tuple[int, ...]:
        """Return the other living players, from the next one on.

        MK-1.8: The turn passes to the left, which means upwards by seat number.
        """
        count = self.rules.seats
        round_ = ((seat + step) % count for step in range(1, count))
        return tuple(other for other in round_ if other not in self.dead)

    def seats_clockwise_from(self, start: int) -> tuple[int, ...]:
        """Return all living players, beginning at one seat."""
        return (start, *self.other_seats(start)) if start not in self.dead else self.other_seats(start)

    def is_in_combat(self, seat: int) -> bool:
        """Return whether a player is main or helper of the running combat (MK-6.5)."""
        return self.combat is not None and seat in self.combat.fighters

    @property
    def running_combat(self) -> Combat:
        """The running combat. Raises ValueError if there is none."""
        if self.combat is None:
            raise ValueError("no combat is running")
        return self.combat

    @property
    def moment(self) -> str:
        """The moment that is open, or empty while a play is carried out.

        One of setup, calm, fight, window, flee, roll, curse, loot, rewards.
        """
        return getattr(self.agenda[-1], "moment", "") if self.agenda else ""

    # -- places ----------------------------------------------------------------------------------------------------

    @property
    def boxes(self) -> Boxes:
        """The cards that the match is played with (MK-1.2)."""
        return BOXES[self.rules.edition]

    def possible_cards(self, place: str) -> Mapping[str, int]:
        """Return the cards that the backs of a place may stand for.

        In a deck these are its own cards, elsewhere all cards.
        """
        deck = DECK_BY_PLACE.get(place)
        return self.boxes.decks[deck] if deck else self.boxes.whole

    def cards_in_play_of(self, seat: int) -> Cards:
        """Return a player's items and one-shots in play, and what is attached to them.

        Raises Undetermined (MK-7.2).
        """
        return self.open_cards_at(PLAYS[seat])

    @remember(*CARDS_IN_PLAY)
    def items_of(self, seat: int) -> Cards:
        """Return the items that a player has in play, one-shots among them (MK-7.1)."""
        return tuple(card for card in self.cards_in_play_of(seat) if FACES[card].gold is not None)

    def towns_of(self, seat: int) -> Cards:
        """Return the citizenship cards of a player, without Dual Citizenship."""
        return tuple(card for card in self.open_cards_at(TOWNSHIP[seat]) if FACES[card].town)

    def has_dual_citizenship(self, seat: int) -> bool:
        """Return whether a player has Dual Citizenship in play (MK-4.6)."""
        return any(not FACES[card].town for card in self.open_cards_at(TOWNSHIP[seat]))

    def is_sheltered_from_town(self, seat: int) -> bool:
        """Return whether a player has one town without its disadvantages.

        MK-4.6: With one town Dual Citizenship leaves the advantages and takes away the disadvantages.
        """
        township = self.open_cards_at(TOWNSHIP[seat])
        return len(township) > 1 and self.has_dual_citizenship(seat) and len(self.towns_of(seat)) == 1

    def is_citizen(self, seat: int, town: str) -> bool:
        """Return whether a player is a citizen of this town."""
        return any(FACES[card].town == town for card in self.open_cards_at(TOWNSHIP[seat]))

    def ride_of(self, seat: int) -> str | None:
        """Return the ride of a player, or None (MK-8.6)."""
        return next((card for card in self.open_cards_at(RIDES[seat]) if FACES[card].kind == "ride"), None)

    def curses_of(self, seat: int) -> Cards:
        """Return the lasting curses before a player (MK-20.6)."""
        return self.open_cards_at(CURSES[seat])

    def cards_in_combat(self) -> Cards:
        """Return the cards that lie in the running combat."""
        return self.open_cards_at(COMBAT)

    # -- what cards in play give all the time ------------------------------------------------------------------------

    def worn_items(self, seat: int, slot: str) -> Cards:
        """Return the items that a player uses in a slot (MK-7.3)."""
        return tuple(card for card in self.cards_in_play_of(seat) if card in self.equipped and FACES[card].slot == slot)

    @remember(*CARDS_IN_PLAY)
    def used_items(self, seat: int) -> Cards:
        """Return the items that a player uses (MK-7.2)."""
        return tuple(card for card in self.cards_in_play_of(seat) if card in self.equipped)

    @remember(*CARDS_IN_PLAY)
    def static_abilities_of(self, seat: int) -> tuple[tuple[str, StaticAbility], ...]:
        """Return the static abilities of a player's cards in play, each with its card.

        Conditions are not checked. Raises Undetermined.
        """
        places = (PLAYS[seat], TOWNSHIP[seat], RIDES[seat], CURSES[seat])
        return tuple(
            (card, each)
            for place in places
            for card in self.open_cards_at(place)
            if place != places[0] or card in self.equipped
            for each in FACES[card].standing
        )

    # -- cards that nobody has named (MK-1.2) ------------------------------------------------------------------------

    def count_free_copies(self, place: str) -> Counter[str]:
        """Count the copies that may lie unnamed in a place.

        Beyond what every game checks: everybody can see how many cards of each deck have left it. If all of those are
        named,
        no further card of that deck can lie here.
        """
        left = super().count_free_copies(place)
        for deck, count in self.count_out_of_decks(left).items():
            if count <= 0:
                for card in self.boxes.decks[deck]:
                    left[card] = 0
        return left

    def count_out_of_decks(self, left: Mapping[str, int]) -> dict[str, int]:
        """Count the unnamed copies outside each deck whose size is known."""
        sizes = {deck: self.zones.get(place, ()) for deck, place in DECKS.items()}
        return {
            deck: sum(map(left.__getitem__, self.boxes.decks[deck])) - len(cards)
            for deck, cards in sizes.items()
            if UNCOUNTED_CARDS not in cards
        }

    @remember()  # each way to name cards asks for it
    def _count_possibly_out(self, place: str) -> dict[str, int]:
        return self.count_out_of_decks(self.free_copies(place))

    def check_cards_together(self, place: str, cards: Iterable[str]) -> None:
        """Raise IllegalMove if more cards of a deck are named than have left it."""
        for deck, out in self._count_possibly_out(place).items():
            if max(out, 0) < sum(FACES[card].deck == deck for card in cards):
                raise IllegalMove("not_so_many_out", "KERNEL-CENSUS-1", "MK-1.2", deck=DECKS[deck], count=max(out, 0))

    # -- what the card language calls -------------------------------------------------------------------------------

    def find_program(self, card: str, text: str) -> Program:
        """Return the lines of one text of a card. Raises KeyError."""
        return PROGRAMS[card, text]

    def decision_time(self) -> int | None:
        """Return the time for an answer in ms, or None for no limit (MK-23.2)."""
        return self.rules.turn_timeout_ms

    def rank_answer(self, move: Move) -> tuple[int, str]:
        """Return the sort key of an answer for an absent player, the cheapest card first.

        MK-23.2: For a player who does not act within the time limit the smallest legal step is done.
        """
        if isinstance(move, ChooseCard):
            face = FACES.get(move.card)
            return (face.gold or 0) * 10 + face.bonus if face else 0, move.card
        return super().rank_answer(move)

    def collect_triggers(self, event: Event) -> Iterable[Event]:
        """Yield the texts of cards in play that an event sets off (MK-27.1)."""
        return triggers.collect_triggers(self, event)

    def find_waiting_texts(self) -> tuple[Execution, ...]:
        """Return the texts that were set off and come now (MK-27.1)."""
        return list_due_texts(self.later, triggers.NOW, NOBODY) if self.later else ()

    # -- interjections: leaving the table (MK-26.9) ------------------------------------------------------------------

    def seats_that_may_interject(self) -> frozenset[Seat]:
        return player_leaves.find_seats_that_may_leave(self)

    def possible_interjections(self, seat: Seat) -> Iterable[Move]:
        return player_leaves.list_leave_moves(self, seat)

    def is_interjection(self, move: Move) -> bool:
        return player_leaves.is_leave_move(move)

    def check_interjection(self, seat: Seat, move: Move) -> None:
        player_leaves.check_leave(self, seat)

    def apply_interjection(self, seat: Seat, move: Move) -> Iterator[Event]:
        return player_leaves.leave_table(self, seat)

    def view_for(self, seat: int) -> Any:
        seen = super().view_for(seat)
        seen = mask_delayed_texts(seen, seat) if self.later else seen
        if any(cards for who, cards in self.fresh.items() if who != str(seat)):
            fresh = {who: cards if who == str(seat) else backs_of(cards) for who, cards in self.fresh.items()}
            return replace_fields(seen, fresh=fresh)
        return seen
