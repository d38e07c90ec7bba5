"""Here to Slay. The object GAME is the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from referee.cardscript.game import CardGame, GameParts
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
from referee.engine.events import Event
from referee.engine.zones import Cards
from referee.games.here_to_slay import breakdowns, narration
from referee.games.here_to_slay.components import BOOK, CARDS, DECK, HANDS, Rules
from referee.games.here_to_slay.evaluation import promise
from referee.games.here_to_slay.evaluation.determinization import determinize_table
from referee.games.here_to_slay.events.cards import CardShown, DeckTopLookedAt, HandShown, HandsSwapped, LotDrawn
from referee.games.here_to_slay.events.plays import ChallengeDeclared, ModifierPlayed, PlayAnnounced
from referee.games.here_to_slay.events.turns import TurnStarted
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
from referee.games.here_to_slay.positions import decode
from referee.games.here_to_slay.positions.census import find_out_of_range, take_census
from referee.games.here_to_slay.positions.examples import build_examples
from referee.games.here_to_slay.positions.schema import build_position_schema
from referee.games.here_to_slay.rules.ending import compute_outcome
from referee.games.here_to_slay.rules.setup import build_initial_table
from referee.games.here_to_slay.rules.turn import give_turn
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts import programs
from referee.games.here_to_slay.texts.books import LIBRARY

__all__ = ["GAME", "HereToSlay", "programs"]


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
    copies_clause = "HTS-ZONE-6"
    devices = ("dice", "deck")
    windows = ("challenge", "modifiers")
    turn_start_events = (TurnStarted,)
    card_play_events = (PlayAnnounced, ChallengeDeclared, ModifierPlayed)
    settings = SETTINGS
    move_types = (
        PickLeader, DrawOne, PlayCard, RollFor, Attack, RedrawHand, UseLeader, EndTurn, Challenge, Modify, Pass, Leave,
        Accept, Decline, ChooseCard, ChooseUnseen, ChooseCards, ChoosePlayer, ChooseValue, ConfirmSeen,
        RollResult, ShuffleResult, PickResult, TurnUpResult,
    )  # fmt: skip
    cards = CARDS
    rulebook = BOOK
    state_type = Table
    rules_type = Rules
    library = LIBRARY
    parts = GameParts(
        build_table=build_initial_table,
        find_outcome=compute_outcome,
        determinize=determinize_table,
        check_census=take_census,
        find_out_of_range=find_out_of_range,
        build_position_examples=lambda _: build_examples(),
        position_schema=lambda _, edition: build_position_schema(edition),
        give_turn=give_turn,
        position_format=decode,
        evaluation=promise,
        narration=narration,
        breakdown=breakdowns,
    )
    unnarrated_events = (LotDrawn,)  # the same cards have been reported one by one

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


GAME = HereToSlay()
