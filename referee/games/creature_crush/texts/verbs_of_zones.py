"""Verbs that put cards into piles and let creatures change places.

Clauses: CC-GLOSS-2, CC-GLOSS-5, CC-ZONE-3, CC-AMB-3, CC-AMB-27, CC-AMB-30.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import BoundName, CardEffect
from referee.engine.chance import Shuffle
from referee.engine.events import Event
from referee.engine.steps import StepPushed
from referee.engine.zones import Cards, back_of, is_back
from referee.games.creature_crush.components import ALL_FIELD_PLACES, DECKS, HANDS, HELLS, SEAT_BY_PLACE, SEATS
from referee.games.creature_crush.events.cards import CardsPut, CreaturesExchanged
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.verbs_of_creatures import list_still_there, report_gone
from referee.games.creature_crush.texts.vocabulary import VOCABULARY

Lying = tuple[str, int, str]  # a card, whose it is, and the place where it lies


@VOCABULARY.register_effect("put")
@dataclass(frozen=True)
class PutCards(CardEffect):
    """Cards on the field or in hell go to a pile of the player whose they are.

    `to` is the hand, the top of the deck, its bottom, or the deck, which is then shuffled.

    CC-GLOSS-2: A card that is returned to the hand always goes to the hand of its possessor.
    CC-AMB-27: A creature that leaves the field loses damage, bonuses and marks.
    """

    what: BoundName
    to: Literal["hand", "deck_top", "deck_bottom", "deck"]

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        lying = self._find_lying_cards(state, text)
        if lying:
            piles = HANDS if self.to == "hand" else DECKS
            targets = tuple(piles[seat] for _, seat, _ in lying)
            put = tuple(self._find_card_put(state, card, seat) for card, seat, _ in lying)
            took = tuple(card for card, _, _ in lying)
            yield CardsPut(tuple(place for _, _, place in lying), targets, took, put, self.to)
            for deck in dict.fromkeys(targets if self.to == "deck" else ()):
                yield StepPushed(Shuffle(deck))
        elif text.bound.get(self.what):
            yield EffectSkipped(text.card, "gone")

    def _find_lying_cards(self, table: Table, text: Execution) -> tuple[Lying, ...]:
        """Find the cards that are still where they were named."""
        found: list[Lying] = []
        for value in list_still_there(table, text, self.what):
            place = value if value in SEAT_BY_PLACE else table.places_by_creature[value]
            seat = table.owner_of(value) if place in ALL_FIELD_PLACES else SEAT_BY_PLACE[place]
            found.append((table.card_at(place), seat, place))
        if not text.bound.get(f"at/{self.what}"):
            named = tuple(dict.fromkeys(map(str, text.bound.get(self.what, ()))))
            found += ((card, seat, HELLS[seat]) for seat in SEATS for card in named if card in table.list_hell(seat))
        return tuple(found)

    def _find_card_put(self, table: Table, card: str, seat: int) -> str:
        """Return a card as the pile holds it: a back where nobody names what lies in it."""
        if self.to == "hand":
            return cards_arriving(table, seat, (card,))[0]
        under_backs = self.to == "deck_bottom" and any(map(is_back, table.cards_at(DECKS[seat])))
        return back_of(card) if under_backs else table.rules.lay_face_down((card,))[0]


@VOCABULARY.register_effect("exchange")
@dataclass(frozen=True)
class ExchangeCreatures(CardEffect):
    """Two creatures change places, on one board or across the boards.

    They are the first two of `creature`, or the first of it and the first of `other`. A creature that comes to the
    other board is the other player's from then on, as if control of it had been taken.

    CC-GLOSS-5: To take control of an enemy is to move it to the player's own field.
    CC-AMB-27: A creature whose control is taken is moved and not summoned. It keeps its damage and lasting bonuses.
    """

    creature: BoundName
    other: BoundName | None = None

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        both = list_still_there(state, text, self.creature)
        if self.other is not None:
            both = (*both[:1], *list_still_there(state, text, self.other)[:1])
        pair: Cards = tuple(dict.fromkeys(both))[:2]
        if len(pair) == len(SEATS):
            first, second = pair
            places = (state.places_by_creature[first], state.places_by_creature[second])
            yield CreaturesExchanged(places, (first, second))
        elif both:
            yield EffectSkipped(text.card, "nothing_fits")
        else:
            yield from report_gone(state, text, self.creature)
