"""Creature Crush: two players fight with creatures and crush cards.

The object `GAME` is what the program knows of the box.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from referee.cardscript.free_text.changes import CarryOutAsWritten
from referee.cardscript.game import CardGame, CardNarration
from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChooseUnseen, ChooseValue, Decline
from referee.engine.chance import PickResult, RollResult, ShuffleResult, TurnUpResult
from referee.engine.events import Event, Move
from referee.engine.game import GameParts, Setup
from referee.engine.parts.card_tracking import CardTracking
from referee.engine.parts.card_usage import CardUse
from referee.engine.parts.narration import text_key
from referee.engine.rulebook.book import Text
from referee.engine.rulings import IllegalMove
from referee.games.creature_crush import (
    breakdowns,
    citing,  # noqa: F401  # registers the grounds of legal moves
    moves,
    narration,
)
from referee.games.creature_crush.board.drawing import CreatureCrushBoards
from referee.games.creature_crush.components import (
    ALL_FIELD_PLACES,
    BOOK,
    CARDS,
    CRUSH_PLACES,
    DRAFTS,
    EDITION,
    HELLS,
    PLACE_NAMES,
    POOL,
    SECOND_EDITION,
    SOUGHT,
    VARIANTS,
    Rules,
)
from referee.games.creature_crush.evaluation import promise
from referee.games.creature_crush.evaluation.determinization import complete_table
from referee.games.creature_crush.events.cards import CreatureSummoned, CrushFlipped
from referee.games.creature_crush.events.course import PhaseBegan, TurnBegan
from referee.games.creature_crush.events.decks import CardsDrafted, DeckOpened
from referee.games.creature_crush.positions.census import find_out_of_range_numbers
from referee.games.creature_crush.positions.table import POSITIONS
from referee.games.creature_crush.rules import decks
from referee.games.creature_crush.rules.actions import searching
from referee.games.creature_crush.rules.combat import losing
from referee.games.creature_crush.rules.correcting import reconcile_table
from referee.games.creature_crush.rules.drawing import disclose_hands
from referee.games.creature_crush.rules.ending import build_outcome
from referee.games.creature_crush.rules.preconditions import answering, playing
from referee.games.creature_crush.rules.setup import build_initial_table
from referee.games.creature_crush.rules.turn import give_turn
from referee.games.creature_crush.settings import SETTINGS
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts import free_texts, programs
from referee.games.creature_crush.texts.books import LIBRARY

__all__ = ["GAME", "CreatureCrush", "answering", "losing", "playing", "programs", "searching"]


class CreatureCrushTracking(CardTracking):
    """Where cards lie."""

    copies_clause = "CC-MAT-1"
    card_play_events = (CreatureSummoned, CrushFlipped)
    complete_view = staticmethod(complete_table)
    find_out_of_range = staticmethod(find_out_of_range_numbers)

    def zone_label(self, place: str, /) -> Text:
        """Return what players call a place. Boards ask for every pile at every move."""
        return PLACE_NAMES[place] if place in PLACE_NAMES else super().zone_label(place)

    def collect_card_uses(self, event: Event, /) -> Iterable[CardUse]:
        """Collect the cards that an event used, as in every game.

        A player who drafts, or looks through a deck, has not drawn those cards yet.
        """
        return () if isinstance(event, CardsDrafted | DeckOpened) else super().collect_card_uses(event)


class CreatureCrushNarration(CardNarration):
    """Texts about events and moves."""

    turn_start_events = (TurnBegan,)
    turn_ending_moves = (moves.EndTurn,)
    phase_start_events = (PhaseBegan,)
    text_parameters = staticmethod(narration.text_parameters)
    text_variant = staticmethod(narration.text_variant)
    describe_question = staticmethod(narration.describe_question)

    def describe_move(self, state: Table | None, move: Move, /) -> Text | None:
        """Return a line about a move: what an answer means at the open question."""
        answer = narration.describe_answer(state, move) if state is not None else None
        return answer or super().describe_move(state, move)

    def tell_apart(self, move: Move, /) -> Text | None:
        """Return the line about a move, in the League with the decks of its cards."""
        params = {name: narration.name_copies(value) for name, value in self.text_parameters(move).items()}
        book, key = self.game.rulebook, text_key(move)
        special = f"{key}.{self.text_variant(move)}"
        return book.render_texts(special if book.has_text(special) else key, **params)


class CreatureCrush(CardGame):
    """The game Creature Crush for two players.

    Each player's deck is also their life.

    CC-END-1: A player wins when all cards of the opponent are in hell.
    """

    name = "creature_crush"
    prefix = "cc"
    title: ClassVar[dict[str, str]] = {"en": "Creature Crush", "de": "Creature Crush"}
    variants = VARIANTS
    min_seats = 2
    max_seats = 2
    edition = EDITION
    newer_editions = (SECOND_EDITION,)
    devices = ("dice", "deck")
    windows = ("response",)
    deck_variant = "league"
    settings = SETTINGS
    rulesets: ClassVar[dict[str, dict[str, int]]] = {
        "1": {},
        "2": {"CC-AMB-4": 2, "CC-AMB-12": 2, "CC-AMB-26": 2, "CC-AMB-35": 2, "CC-CHAIN-3": 2},
    }
    move_types = (
        moves.Summon, moves.Lay, moves.Attack, moves.Flip, moves.Pass, moves.EndCombat, moves.MoveCreature, moves.Swap,
        moves.EndTurn, moves.ChoosePlace, moves.Order, moves.Reroll, moves.Keep, moves.BringDeck, moves.DeckReady,
        moves.OfferDraw, moves.AcceptDraw, moves.DeclineDraw, moves.Concede,
        Accept, Decline, ChooseCard, ChooseUnseen, ChooseCards, ChooseValue, CarryOutAsWritten,
        RollResult, ShuffleResult, PickResult, TurnUpResult,
    )  # fmt: skip
    cards = CARDS
    rulebook = BOOK
    state_type = Table
    rules_type = Rules
    library = LIBRARY
    parts = GameParts(
        POSITIONS,
        CreatureCrushTracking,
        CreatureCrushNarration,
        breakdowns,
        promise,
        CreatureCrushBoards,
    )
    build_opening = staticmethod(build_initial_table)
    find_outcome = staticmethod(build_outcome)
    begin_turn = staticmethod(give_turn)
    reconcile_state = staticmethod(reconcile_table)
    places = PLACE_NAMES
    open_piles = HELLS
    single_places = (*ALL_FIELD_PLACES, *CRUSH_PLACES[0], *CRUSH_PLACES[1])
    list_settable_values = staticmethod(free_texts.list_settable_values)
    draw_reported_cards = staticmethod(free_texts.draw_reported_cards)
    disclose_reported_cards = staticmethod(disclose_hands)

    def agreed_settings(self, setup: Setup) -> dict[str, Any]:
        """Return the settings of a match together with its format."""
        return {"variant": setup.variant, **setup.settings}

    def is_place(self, table: Table, name: str) -> bool:
        """Return whether a table has a place of this name, used or not.

        Cards lie in a draft or a searched deck only as long as a player chooses among them. The cards of which decks
        are made are in no match that is played.
        """
        if name == POOL:
            return False
        return bool(table.cards_at(name)) if name in (*DRAFTS, *SOUGHT) else super().is_place(table, name)

    def find_place_of_unseen(self, source: str, target: str, card: str, /) -> str:
        """Return where a card goes that its player could not see, or nothing.

        CC-ZONE-1: Only crush cards lie in row C, so an unseen card comes there only from another place of that row.
        """
        crush_places = (*CRUSH_PLACES[0], *CRUSH_PLACES[1])
        if target in crush_places and source not in crush_places:
            return ""
        return super().find_place_of_unseen(source, target, card)

    def find_brought_deck(self, table: Table, seat: int, /) -> tuple[str, ...] | None:
        """Return the deck list that a player gave for the League; None if there is none."""
        return table.lists.get(str(seat))

    def find_deck_refusals(
        self, edition: str | None, cards: tuple[str, ...]
    ) -> Iterable[tuple[int | None, IllegalMove]]:
        """Find all reasons for which the League refuses a deck."""
        known = (
            None
            if edition is None
            else decks.list_deck_cards_for_rules(Rules(variant=self.deck_variant, edition=edition))
        )
        return decks.find_deck_refusals(known, cards)


GAME = CreatureCrush()
