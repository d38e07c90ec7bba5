"""Here to Slay. The object GAME is the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from referee.cardscript.free_text.changes import CarryOutAsWritten
from referee.cardscript.game import CardGame, CardNarration
from referee.cardscript.moves import (
    Accept,
    ChooseCard,
    ChooseCards,
    ChoosePlayer,
    ChooseUnseen,
    ChooseValue,
    ConfirmSeen,
    Decline,
)
from referee.engine.chance import PickResult, RollResult, ShuffleResult, TurnUpResult
from referee.engine.events import Event, Move
from referee.engine.game import GameParts
from referee.engine.parts.card_tracking import CardTracking
from referee.engine.parts.narration import text_key
from referee.engine.rulebook.book import Text
from referee.engine.rulings import Undetermined
from referee.engine.zones import Cards
from referee.games.here_to_slay import (
    breakdowns,
    grounds,  # noqa: F401  # registers the grounds of legal moves
    narration,
    wording,
)
from referee.games.here_to_slay.board.drawing import HereToSlayBoards
from referee.games.here_to_slay.components import BOOK, CARDS, DECK, DISCARD, HANDS, MONSTERS, PLACE_LABELS, Rules
from referee.games.here_to_slay.evaluation import promise
from referee.games.here_to_slay.evaluation.determinization import complete_table
from referee.games.here_to_slay.events.cards import (
    CardDrawn,
    CardShown,
    DeckTopLookedAt,
    HandShown,
    HandsSwapped,
    LotDrawn,
)
from referee.games.here_to_slay.events.plays import ChallengeDeclared, ModifierPlayed, PlayAnnounced
from referee.games.here_to_slay.events.turns import MonsterTurnedUp, TurnStarted
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Leave,
    Modify,
    Pass,
    PickLeader,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.positions.census import find_out_of_range
from referee.games.here_to_slay.positions.table import POSITIONS
from referee.games.here_to_slay.rules import preconditions  # noqa: F401  # registers the reasons of refusals
from referee.games.here_to_slay.rules.drawing import disclose_hands
from referee.games.here_to_slay.rules.ending import compute_outcome
from referee.games.here_to_slay.rules.setup import build_initial_table
from referee.games.here_to_slay.rules.turn import give_turn
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.texts import (
    citing,  # noqa: F401  # registers the grounds of card texts
    free_texts,
    programs,
)
from referee.games.here_to_slay.texts.books import LIBRARY

__all__ = ["GAME", "HereToSlay", "programs"]


class HereToSlayTracking(CardTracking):
    """Where cards lie, and the events that show them or swap hands."""

    copies_clause = "HTS-ZONE-6"
    card_play_events = (PlayAnnounced, ChallengeDeclared, ModifierPlayed)
    complete_view = staticmethod(complete_table)
    find_out_of_range = staticmethod(find_out_of_range)

    def revealed_cards(self, event: Event) -> Iterator[tuple[str, Cards]]:
        """Yield the hands, and the top of the deck, that an event shows."""
        match event:
            case HandShown():
                yield HANDS[event.of], event.cards
            case CardShown():
                yield HANDS[event.seat], (event.card,)
            case DeckTopLookedAt():
                yield DECK, event.cards

    def exchanged_zones(self, event: Event) -> tuple[str, str] | None:
        """Return the hands that two players have swapped, or None."""
        return (HANDS[event.seat], HANDS[event.other]) if isinstance(event, HandsSwapped) else None


class HereToSlayNarration(CardNarration):
    """Texts about events and moves."""

    # The cards of a lot have been reported one by one.
    unnarrated_events = (*CardNarration.unnarrated_events, LotDrawn)
    turn_start_events = (TurnStarted,)
    joined_events = (CardDrawn, MonsterTurnedUp)
    turn_ending_moves = (EndTurn,)
    text_parameters = staticmethod(narration.text_parameters)
    text_variant = staticmethod(narration.text_variant)
    describe_question = staticmethod(wording.describe_question)

    def describe_move(self, state: Table, move: Move, /) -> Text | None:
        """Return what a move does as an answer to the open question."""
        try:
            variant, values = wording.describe_answer(state, move)
        except Undetermined:  # a position may not say so much
            variant, values = wording.PLAIN
        if not variant:
            return self.describe_event(move)
        return BOOK.render_texts(f"{text_key(move)}.{variant}", **{**self.text_parameters(move), **values})


class HereToSlay(CardGame):
    """Two to six players build parties, slay monsters and thwart each other.

    HTS-AIM-1: Players build a party of heroes under a leader, arm it, use magic, turn rolls their way and thwart each
        other's plans, all to slay monsters.
    HTS-AIM-3: Two to six players play, usually for half an hour to an hour.
    HTS-AMB-72: The match has two to six seats.
    """

    name = "here_to_slay"
    prefix = "hts"
    title: ClassVar[dict[str, str]] = {"en": "Here to Slay", "de": "Here to Slay"}
    min_seats = 2
    max_seats = 6
    devices = ("dice", "deck")
    windows = ("challenge", "modifiers")
    settings = SETTINGS
    move_types = (
        PickLeader, DrawOne, PlayCard, RollFor, Attack, RedrawHand, UseLeader, EndTurn, Challenge, Modify, Pass, Leave,
        Accept, Decline, ChooseCard, ChooseUnseen, ChooseCards, ChoosePlayer, ChooseValue, ConfirmSeen,
        CarryOutAsWritten, RollResult, ShuffleResult, PickResult, TurnUpResult,
    )  # fmt: skip
    cards = CARDS
    rulebook = BOOK
    state_type = Table
    rules_type = Rules
    library = LIBRARY
    parts = GameParts(POSITIONS, HereToSlayTracking, HereToSlayNarration, breakdowns, promise, HereToSlayBoards)
    build_opening = staticmethod(build_initial_table)
    find_outcome = staticmethod(compute_outcome)
    begin_turn = staticmethod(give_turn)
    places = PLACE_LABELS
    open_piles = (DISCARD,)
    list_settable_values = staticmethod(free_texts.list_settable_values)
    draw_reported_cards = staticmethod(free_texts.draw_reported_cards)
    mark_reported_step = staticmethod(free_texts.mark_reported_step)
    decide_reported_win = staticmethod(free_texts.decide_reported_win)
    disclose_reported_cards = staticmethod(disclose_hands)

    def find_place_of_unseen(self, source: str, target: str, card: str, /) -> str:
        """Return where a card goes that its player could not see, or nothing.

        A monster only goes back into its own deck.
        """
        place = super().find_place_of_unseen(source, target, card)
        return place if (source == MONSTERS) == (target == MONSTERS) else ""

    def is_place(self, table: Table, name: str) -> bool:
        """Return whether the table has a place of this name, used or not.

        Each hero in play has one beneath it for an item.
        """
        return super().is_place(table, name) or any(name == item_place_of(hero) for _, hero in table.iterate_heroes())


GAME = HereToSlay()
