"""Creature Crush: the box. One object, GAME."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.cardscript.game import CardGame, Parts
from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChooseUnseen, Decline
from referee.engine.card_usage import CardUse
from referee.engine.chance import Picked, Rolled, Shuffled, TurnedUp
from referee.engine.events import Event
from referee.engine.game import Setup
from referee.engine.rulings import Refused
from referee.games.creature_crush import breakdowns, moves, narration
from referee.games.creature_crush.components import BOOK, CARDS, EDITION, VARIANTS, Rules
from referee.games.creature_crush.evaluation import promise
from referee.games.creature_crush.evaluation.determinization import otherwise
from referee.games.creature_crush.events.cards import CreatureSummoned, CrushFlipped
from referee.games.creature_crush.events.course import PhaseBegan, TurnBegan
from referee.games.creature_crush.events.decks import CardsDrafted, DeckOpened
from referee.games.creature_crush.positions import decode
from referee.games.creature_crush.positions.census import census, miscounted
from referee.games.creature_crush.positions.examples import examples
from referee.games.creature_crush.positions.schema import schema
from referee.games.creature_crush.rules import decks
from referee.games.creature_crush.rules.actions import searching
from referee.games.creature_crush.rules.combat import losing
from referee.games.creature_crush.rules.correcting import in_line
from referee.games.creature_crush.rules.ending import outcome
from referee.games.creature_crush.rules.setup import laid_out
from referee.games.creature_crush.rules.turn import turn_given
from referee.games.creature_crush.settings import SETTINGS
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts import programs
from referee.games.creature_crush.texts.books import LIBRARY

__all__ = ["GAME", "CreatureCrush", "losing", "programs", "searching"]


class CreatureCrush(CardGame):
    """Two players; each one's deck is also their life, and creatures and crush cards fight for it (CC-END-1)."""

    name = "creature_crush"
    prefix = "cc"
    title = {"en": "Creature Crush", "de": "Creature Crush"}
    variants = VARIANTS
    min_seats = 2
    max_seats = 2
    edition = EDITION
    stock = "CC-MAT-1"
    devices = ("dice", "deck")
    windows = ("response",)
    begins = (TurnBegan,)
    phases = (PhaseBegan,)
    plays = (CreatureSummoned, CrushFlipped)
    deck_variant = "league"
    settings = SETTINGS
    moves = (
        moves.Summon, moves.Lay, moves.Attack, moves.Flip, moves.Pass, moves.EndCombat, moves.MoveCreature, moves.Swap,
        moves.EndTurn, moves.ChoosePlace, moves.Order, moves.Reroll, moves.Keep, moves.BringDeck, moves.DeckReady,
        moves.OfferDraw, moves.AcceptDraw, moves.DeclineDraw, moves.Concede,
        Accept, Decline, ChooseCard, ChooseUnseen, ChooseCards,
        Rolled, Shuffled, Picked, TurnedUp,
    )  # fmt: skip
    cards = CARDS
    book = BOOK
    state = Table
    rules = Rules
    library = LIBRARY
    parts = Parts(
        laid_out=laid_out,
        outcome=outcome,
        otherwise=otherwise,
        census=census,
        miscounted=miscounted,
        examples=examples,
        schema=schema,
        turn_given=turn_given,
        positions=decode,
        pricing=promise,
        telling=narration,
        reckoning=breakdowns,
        in_line=in_line,
    )

    def agreed(self, setup: Setup) -> dict[str, Any]:
        """The settings, and the format."""
        return {"variant": setup.variant, **setup.settings}

    def deck_refusals(self, edition: str | None, cards: tuple[str, ...]) -> Iterable[tuple[int | None, Refused]]:
        """All that the League has against a deck."""
        known = None if edition is None else decks.designs_by(Rules(variant=self.deck_variant, edition=edition))
        return decks.deck_refusals(known, cards)

    def card_uses(self, fact: Event) -> Iterable[CardUse]:
        """As in every game; but whoever drafts, or looks through a deck, has not drawn those cards yet."""
        return () if isinstance(fact, CardsDrafted | DeckOpened) else super().card_uses(fact)


GAME = CreatureCrush()
