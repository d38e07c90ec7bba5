"""Whole tables of which this is the view of a seat.

On a C-place lies a crush card for which as many dice are burned as were paid. In the League a deck holds the cards of
its list, of which the player knows its own. Clauses: CC-ZONE-3, CC-AMB-14, CC-FORMAT-ARENA-1, CC-FORMAT-LEAGUE-1,
CC-AMB-7.
"""

from __future__ import annotations

from referee.cardscript.determinization import complete_steps
from referee.cardscript.hidden_cards import BACK
from referee.engine.cardtracking.determinization import Memory, list_hidden_places
from referee.engine.chance import RandomBelow, shuffle_cards
from referee.engine.events import replace_fields
from referee.engine.zones import Cards, arrange_cards, list_copies
from referee.games.creature_crush.components import (
    DECK_SIZE,
    DECKS,
    POOL,
    SEAT_BY_PLACE,
    SEATS,
    face_of,
    strip_copy_number,
)
from referee.games.creature_crush.rules.actions.paying import could_lie_at
from referee.games.creature_crush.rules.naming import count_unseen_cards
from referee.games.creature_crush.state import Table

Slot = tuple[str, int]  # a place, and which of its cards
CardsBySlot = dict[Slot, str]


def complete_table(view: Table, seat: int, below: RandomBelow, memory: Memory) -> Table:
    """Return a whole table of which this is the seat's view."""
    real = view.rules.cards_at_table
    named = list_hidden_places(view, seat, real)
    filled = Dealing(view, seat, below, memory).deal_cards()
    zones = {
        place: arrange_cards(filled.get((place, at), card) if place in named else card for at, card in enumerate(cards))
        for place, cards in view.zones.items()
    }
    table = replace_fields(view, zones=zones, lists=complete_lists(view, zones))
    # no text of this game lets only one player see cards
    return complete_steps(table, seat, below, lambda _table, step: step)


class Dealing:
    """The cards that a view does not name, dealt to the places where it shows backs.

    `cards` are those still to be dealt, in random order.
    """

    def __init__(self, view: Table, seat: int, below: RandomBelow, memory: Memory) -> None:
        self.view, self.seat, self.below = view, int(seat), below
        self.cards = shuffle_cards(list_copies(count_unseen_cards(view)), below)
        remembered = memory.get(f"deck/{int(seat)}:", ())
        self.remembered = [card for card in self.cards if card in remembered]
        self.filled: CardsBySlot = {}

    def deal_cards(self) -> CardsBySlot:
        """Deal cards to all places, the pile of cards that are not used last."""
        backs = [
            (place, at)
            for place in list_hidden_places(self.view, self.seat)
            for at, card in enumerate(self.view.zones[place])
            if card == BACK
        ]
        pool = [slot for slot in backs if slot[0] == POOL]
        slots = shuffle_cards([slot for slot in backs if slot[0] != POOL], self.below)
        own_deck = [slot for slot in slots if slot[0] == f"deck/{self.seat}:"]
        self.lay(own_deck, self.remembered)
        crush_slots = [slot for slot in slots if slot[0] in SEAT_BY_PLACE]
        others = [slot for slot in slots if slot not in crush_slots]
        if self.view.rules.variant == "league":
            self.deal_sets(crush_slots, others)
        else:
            self.lay_crush_cards(crush_slots, self.cards)
            self.lay(others, self.cards)
        self.lay(pool, self.cards)
        return self.filled

    def deal_sets(self, crush_slots: list[Slot], slots: list[Slot]) -> None:
        """Deal the cards of each player's set that are in the deck.

        A creature may have come to the other player, a crush card may not.
        """
        elsewhere: list[str] = []
        for who in SEATS:
            deck = self.choose_deck(who)
            mine = [slot for slot in crush_slots if SEAT_BY_PLACE[slot[0]] == who]
            deck = [card for card in deck if card not in self.lay_crush_cards(mine, deck)]
            deck.sort(key=lambda card: face_of(card).is_creature)
            elsewhere += self.lay([slot for slot in slots if slot[0].rstrip(":").endswith(str(who))], deck)
        self.lay(slots, [card for card in elsewhere if face_of(card).is_creature])

    def choose_deck(self, who: int) -> list[str]:
        """Choose the unseen cards of a player's set that are in the deck.

        CC-FORMAT-LEAGUE-1: In League each player builds the deck freely from all available cards.
        """
        mine = [card for card in self.cards if card.endswith(f"#{who + 1}")]
        if listed := self.view.lists.get(str(who)):
            return [card for card in mine if strip_copy_number(card) in listed]
        seen = [card for place, cards in self.view.zones.items() if place != POOL for card in cards]
        count = DECK_SIZE - sum(card.endswith(f"#{who + 1}") for card in seen) if DECKS[who] in self.view.zones else 0
        fitting = [slot for slot in self.view.list_crush_places(who) if self.view.card_at(slot) == BACK]
        laid = match_crush_cards(self.view, [(place, 0) for place in fitting], mine) or {}
        rest = [card for card in mine if card not in laid.values()]
        return [*laid.values(), *rest[: max(count - len(laid), 0)]]

    def lay(self, slots: list[Slot], cards: list[str]) -> list[str]:
        """Lay cards on the slots that are free; return those for which there was none."""
        free = [slot for slot in slots if slot not in self.filled]
        self.filled |= dict(zip(free, cards, strict=False))
        gone, rest = set(cards[: len(free)]), cards[len(free) :]
        self.cards = [card for card in self.cards if card not in gone]
        return rest

    def lay_crush_cards(self, slots: list[Slot], cards: list[str]) -> list[str]:
        """Lay a crush card on each C-place; return those laid.

        At a real table there may be none that fits, after a wrong report. Then the backs stay.
        """
        laid = match_crush_cards(self.view, slots, cards) or {}
        self.filled |= laid
        gone = set(laid.values())
        self.cards = [card for card in self.cards if card not in gone]
        return list(laid.values())


def match_crush_cards(view: Table, slots: list[Slot], cards: list[str]) -> CardsBySlot | None:
    """Find a crush card for each C-place that fits the dice burned there.

    Return None if there are not enough.
    """
    if not slots:
        return {}
    slot, *others = slots
    for card in cards:
        if not face_of(card).is_creature and could_lie_at(view, slot[0], face_of(card).cost):
            laid = match_crush_cards(view, others, [other for other in cards if other != card])
            if laid is not None:
                return {slot: card, **laid}
    return None


def complete_lists(view: Table, zones: dict[str, Cards]) -> dict[str, Cards]:
    """Return the deck lists of both players, where the referee has them.

    A list that is hidden names what its player's set does not have in the pile.
    """
    if view.rules.variant != "league" or view.rules.cards_at_table or DECKS[0] not in zones:
        return view.lists
    there = [card for place, cards in sorted(zones.items()) if place != POOL for card in cards]
    return {
        str(seat): view.lists.get(
            str(seat), tuple(sorted(strip_copy_number(card) for card in there if card.endswith(f"#{seat + 1}")))
        )
        for seat in SEATS
    }
