"""Munchkin, The Nightmare Before Christmas edition, as the object `GAME`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

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
from referee.engine.rulebook.book import SpokenText, Text
from referee.engine.rulebook.interpretations import ChosenInterpretations
from referee.engine.zones import Cards
from referee.games.munchkin import breakdowns, moves, narration, player_leaves
from referee.games.munchkin.board.drawing import MunchkinBoards
from referee.games.munchkin.components import BOOK, CARDS, DECKS, DISCARDS, EDITION, HANDS, PLACE_LABELS, Rules
from referee.games.munchkin.evaluation import promise
from referee.games.munchkin.evaluation.determinization import complete_table
from referee.games.munchkin.events.cards import CardPlayed, CardPut, DoorOpened, HandShown, ItemsUsed, NoLongerFresh
from referee.games.munchkin.events.combat import CombatBegan, FlightStarted, MonsterJoined, MonstersKilled
from referee.games.munchkin.events.course import TurnBegan
from referee.games.munchkin.events.looking import DeckTopLookedAt, HandLookedAt
from referee.games.munchkin.positions.census import find_out_of_range
from referee.games.munchkin.positions.table import POSITIONS
from referee.games.munchkin.rules.cards import interrupts
from referee.games.munchkin.rules.combat import auto_join, rewards
from referee.games.munchkin.rules.correcting import reconcile_table
from referee.games.munchkin.rules.drawing import disclose_hands
from referee.games.munchkin.rules.ending import compute_outcome
from referee.games.munchkin.rules.items import equipping, selling, trading
from referee.games.munchkin.rules.reasons import (  # noqa: F401  # registers the reasons of rulings
    grounds,
    preconditions,
    preconditions_of_cards,
    preconditions_of_combat,
    preconditions_of_items,
)
from referee.games.munchkin.rules.setup import build_initial_table
from referee.games.munchkin.rules.turn import give_turn
from referee.games.munchkin.settings import PRINTED_WINDOW_MS, SETTINGS
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts import free_texts, programs, questions
from referee.games.munchkin.texts.books import LIBRARY

__all__ = ["GAME", "Munchkin", "auto_join", "equipping", "interrupts", "programs", "rewards", "selling", "trading"]


class MunchkinTracking(CardTracking):
    """Where cards lie, and the events that show a hand."""

    copies_clause = "MK-2.1"
    card_play_events = (CardPlayed, CardPut, MonsterJoined)
    complete_view = staticmethod(complete_table)
    find_out_of_range = staticmethod(find_out_of_range)

    def revealed_cards(self, event: Event, /) -> Iterator[tuple[str, Cards]]:
        """Yield the hand that an event shows, with its place."""
        match event:
            case HandShown(seat=owner, cards=cards) | HandLookedAt(of=owner, cards=cards):
                yield HANDS[owner], cards
            case DeckTopLookedAt(deck=deck, cards=cards):
                yield DECKS[deck], cards


class MunchkinNarration(CardNarration):
    """Texts about events and moves."""

    # NoLongerFresh only ends the time in which received cards may be put down at once.
    unnarrated_events = (*CardNarration.unnarrated_events, NoLongerFresh)
    turn_start_events = (TurnBegan,)
    turn_ending_moves = (moves.EndTurn, moves.GiveToCharity)  # charity ends the turn, too
    phase_start_events = (DoorOpened, CombatBegan, FlightStarted)
    text_parameters = staticmethod(narration.text_parameters)
    text_variant = staticmethod(narration.text_variant)
    describe_question = staticmethod(questions.describe_question)

    def render_spoken_text(self, thing: Event | Move, /, **more: Any) -> SpokenText | None:
        """Return the sentence to read aloud about an event or a move.

        Of monsters that were killed a twin is called one.
        """
        if isinstance(thing, MonstersKilled):
            more["monsters"] = narration.name_killed(thing.monsters)
        return super().render_spoken_text(thing, **more)

    def find_reason(self, state: Table | None, thing: Event, /) -> str:
        """Return why a card is put into play before the first turn.

        MK-1.6: Before the first turn each player may put into play one citizenship and any items.
        """
        early = state is not None and state.agenda and state.moment == "setup"
        return "MK-1.6" if early and isinstance(thing, CardPut | ItemsUsed) else ""

    def describe_move(self, state: Table, move: Move, /) -> Text | None:
        """Return a move in words, as an answer to the open question where that says more."""
        return questions.describe_answer(state, move) or super().describe_move(state, move)


class Munchkin(CardGame):
    """The game Munchkin, The Nightmare Before Christmas edition.

    MK-1.1: Three to six players take part.
    MK-22.1: The first player to reach level 10 by killing a monster wins at once.
    """

    name = "munchkin"
    prefix = "mk"
    title: ClassVar[dict[str, str]] = {
        "en": "Munchkin: The Nightmare Before Christmas",
        "de": "Munchkin: The Nightmare Before Christmas",
    }
    min_seats = 3
    max_seats = 6
    edition = EDITION
    last_word_clause = "MK-23.3"
    devices = ("dice", "deck")
    windows = ("claim", "curse", "roll")
    settings = SETTINGS
    rulesets: ClassVar[Mapping[str, ChosenInterpretations]] = {
        "1": {},
        "2": {"MK-13.2": 2, "MK-13.8": 2},
        "3": {"MK-13.2": 2, "MK-13.8": 2, "MK-26.1": 2, "MK-26.9": 2},
        "4": {"MK-13.2": 2, "MK-13.8": 2, "MK-26.1": 2, "MK-26.3": 2, "MK-26.9": 2},
    }
    move_types = (
        CarryOutAsWritten,
        moves.Ready,
        moves.KickDoor,
        moves.LookForTrouble,
        moves.LootRoom,
        moves.EndTurn,
        moves.GiveToCharity,
        moves.PutIntoPlay,
        moves.PlayCard,
        moves.JoinByTag,
        moves.UsePower,
        moves.DiscardFromPlay,
        moves.Equip,
        moves.Unequip,
        moves.Sell,
        moves.ShowHand,
        moves.OfferTrade,
        moves.WithdrawTrade,
        moves.TakeTrade,
        moves.DeclineTrade,
        moves.AskHelp,
        moves.TakeBackRequest,
        moves.AcceptHelp,
        moves.DeclineHelp,
        moves.CounterOffer,
        moves.LetPass,
        moves.ClaimKill,
        moves.Pass,
        moves.TakeBackPass,
        moves.RunAway,
        moves.HelperFirst,
        moves.FleeFrom,
        moves.GiveUpRide,
        moves.KeepRoll,
        moves.PickTreasure,
        moves.TakeCard,
        player_leaves.Leave,
        Accept,
        Decline,
        ChooseCard,
        ChooseUnseen,
        ChooseCards,
        ChoosePlayer,
        ChooseValue,
        ConfirmSeen,
        RollResult,
        ShuffleResult,
        PickResult,
        TurnUpResult,
    )
    cards = CARDS
    rulebook = BOOK
    state_type = Table
    rules_type = Rules
    library = LIBRARY
    parts = GameParts(POSITIONS, MunchkinTracking, MunchkinNarration, breakdowns, promise, MunchkinBoards)
    build_opening = staticmethod(build_initial_table)
    find_outcome = staticmethod(compute_outcome)
    begin_turn = staticmethod(give_turn)
    judge_position = staticmethod(promise.judge_position)
    reconcile_state = staticmethod(reconcile_table)
    places = PLACE_LABELS
    open_piles = tuple(DISCARDS.values())
    list_settable_values = staticmethod(free_texts.list_settable_values)
    draw_reported_cards = staticmethod(free_texts.draw_reported_cards)
    disclose_reported_cards = staticmethod(disclose_hands)
    find_place_of_unseen = staticmethod(free_texts.find_place_of_unseen)

    def settings_of_ruleset(self, ruleset: str) -> dict[str, Any]:
        """Return the settings by which a ruleset departs from their defaults.

        MK-15.4: By ruleset 1 the window is as long as the rulebook says; later ones give players at screens more time.
        """
        printed = {"claim_window_ms": PRINTED_WINDOW_MS} if ruleset == "1" else {}
        return {**super().settings_of_ruleset(ruleset), **printed}


GAME = Munchkin()
