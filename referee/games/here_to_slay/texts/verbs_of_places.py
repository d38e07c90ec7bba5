"""Verbs of card texts that put a card elsewhere.

Clauses: HTS-PUT-1, HTS-PUT-2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import BoundName, CardEffect
from referee.engine.events import Event
from referee.engine.steps import StepPushed
from referee.engine.zones import Cards, CardsForgotten, find_cards_leaving, is_back
from referee.games.here_to_slay.components import DECK, DISCARD, FACES, HANDS, PARTIES
from referee.games.here_to_slay.events.cards import CardPut, EffectLapsed
from referee.games.here_to_slay.events.heroes import ItemLost, ItemReturned
from referee.games.here_to_slay.events.plays import HeroEntered
from referee.games.here_to_slay.rules.hands import SimultaneousDiscard
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY


@VOCABULARY.register_effect("put")
@dataclass(frozen=True)
class PutCards(CardEffect):
    """Put what the name stands for in another place.

    That is the hand, the `top` or `bottom` of the deck, the discard pile or the party.

    `from`: where it is taken: a `party` if not said, the `discard` pile, the `hand` of the player, the `deck` as it was
    looked at, or the hand of a player who is named. To a hand means that of the player from whom it comes, else one's
    own. `among`: the set looked at, which the card leaves.

    HTS-PUT-1: A text may put a card elsewhere: into a hand, on top of the main deck or underneath it, or on the discard
        pile. That is neither drawing nor discarding, destroying or stealing, and no protection stops it.
    HTS-PUT-2: A hero that a text puts elsewhere takes its item along to a hand; else the item goes to the discard pile.
        A hero that a text puts into the party is a new one there and has no free roll. Only heroes join a party.
    """

    card: BoundName
    to: Literal["hand", "top", "bottom", "discard", "party"]
    from_: Literal["party", "discard", "hand", "deck"] | BoundName = "party"
    among: BoundName | None = None

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        cards = tuple(map(str, text.bound.get(self.card, ())))
        source, owner = self._find_source(state, text, cards)
        if not cards:
            return
        if source == "" or (self.to == "party" and any(is_back(card) or FACES[card].kind != "hero" for card in cards)):
            yield EffectLapsed(text.card, "put")
            return
        if self.to == "discard" and any(map(is_back, cards)):
            yield from self._discard_unseen_cards(state, text, source, owner, cards)
        else:
            for card in reversed(cards) if self.to == "top" else cards:
                yield from self._put_card(state, text, source, owner, card)
        if self.among is not None:
            rest = list(text.bound.get(self.among, ()))
            for card in cards:
                if card in rest:
                    rest.remove(card)
            yield NameBound(self.among, tuple(rest), text.by)

    def _find_source(self, state: Table, text: Execution, cards: Cards) -> tuple[str, int]:
        """Return the place where the cards lie, and its player.

        The place is empty if they have left it.
        """
        match self.from_:
            case "party":
                owner = state.controller_of(cards[0]) if cards else None
                return ("", text.by) if owner is None else (PARTIES[owner], owner)
            case "discard" | "deck" | "hand":
                source, owner = {"discard": DISCARD, "deck": DECK, "hand": HANDS[text.by]}[self.from_], text.by
            case name:
                seat = text.first_value(name)
                if seat is None:
                    return "", text.by
                source, owner = HANDS[seat], int(seat)
        there = list(state.cards_at(source))
        for took in find_cards_leaving(state, source, cards):
            if took not in there:
                return "", owner
            there.remove(took)
        return source, owner

    def _put_card(self, state: Table, text: Execution, source: str, owner: int, card: str) -> Iterator[Event]:
        took = find_cards_leaving(state, source, (card,))
        if is_back(card) and any(not is_back(other) for other in state.cards_at(source)):
            yield CardsForgotten(source)
        match self.to:
            case "hand":
                yield CardPut(source, HANDS[owner], took, cards_arriving(state, owner, (card,)), text.by, owner, "hand")
            case "top" | "bottom":
                yield CardPut(source, DECK, took, state.rules.lay_face_down((card,)), text.by, owner, self.to)
            case "discard":
                yield CardPut(source, DISCARD, took, (card,), text.by, owner, "discard")
            case "party":
                yield HeroEntered(source, PARTIES[text.by], took, (card,), text.by)
        item = state.item_of(card) if source in PARTIES and self.to != "party" else None
        if item and self.to == "hand":
            put = cards_arriving(state, owner, (item,))
            yield ItemReturned(item_place_of(card), HANDS[owner], (item,), put, owner)
        elif item:
            yield ItemLost(item_place_of(card), DISCARD, (item,), (item,))

    def _discard_unseen_cards(
        self, state: Table, text: Execution, source: str, owner: int, cards: Cards
    ) -> Iterator[Event]:
        """Yield the events of real cards that their holder has to name."""
        if source == DECK:
            for card in cards:
                yield CardPut(
                    DECK, HANDS[owner], (card,), cards_arriving(state, owner, (card,)), text.by, owner, "hand"
                )
        yield StepPushed(SimultaneousDiscard((owner,), text.card, {}, len(cards), len(cards)))
