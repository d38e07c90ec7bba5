"""Here to Slay: the box. One object, GAME."""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.game import CardGame, Parts
from referee.cardscript.moves import (
    Accept,
    ChooseCard,
    ChooseCards,
    ChoosePlayer,
    ChooseUnseen,
    ChooseValue,
    Decline,
    Seen,
)
from referee.engine.chance import Picked, Rolled, Shuffled, TurnedUp
from referee.engine.events import Event
from referee.engine.zones import Cards
from referee.games.here_to_slay import breakdowns, narration
from referee.games.here_to_slay.components import BOOK, CARDS, DECK, HANDS, Rules
from referee.games.here_to_slay.evaluation import promise
from referee.games.here_to_slay.evaluation.determinization import otherwise
from referee.games.here_to_slay.events.cards import CardShown, HandShown, HandsSwapped, LotDrawn, TopLookedAt
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
from referee.games.here_to_slay.positions.census import census, miscounted
from referee.games.here_to_slay.positions.examples import examples
from referee.games.here_to_slay.positions.schema import schema_of
from referee.games.here_to_slay.rules.ending import outcome
from referee.games.here_to_slay.rules.setup import laid_out
from referee.games.here_to_slay.rules.turn import turn_given
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts import programs
from referee.games.here_to_slay.texts.books import LIBRARY

__all__ = ["GAME", "HereToSlay", "programs"]


class HereToSlay(CardGame):
    """Two to six players gather a party, slay monsters and thwart each other (HTS-AIM-1, HTS-AIM-3, HTS-AMB-72)."""

    name = "here_to_slay"
    prefix = "hts"
    title = {"en": "Here to Slay", "de": "Here to Slay"}
    min_seats = 2
    max_seats = 6
    stock = "HTS-ZONE-6"
    devices = ("dice", "deck")
    windows = ("challenge", "modifiers")
    begins = (TurnStarted,)
    plays = (PlayAnnounced, ChallengeDeclared, ModifierPlayed)
    settings = SETTINGS
    moves = (
        PickLeader, DrawOne, PlayCard, RollFor, Attack, RedrawHand, UseLeader, EndTurn, Challenge, Modify, Pass, Leave,
        Accept, Decline, ChooseCard, ChooseUnseen, ChooseCards, ChoosePlayer, ChooseValue, Seen,
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
        examples=lambda _: examples(),
        schema=lambda _, edition: schema_of(edition),
        turn_given=turn_given,
        positions=decode,
        pricing=promise,
        telling=narration,
        reckoning=breakdowns,
    )
    untold = (LotDrawn,)  # a set of what was told card by card

    def revealed(self, fact: Event) -> Iterator[tuple[str, Cards]]:
        """The hands, and the top of the deck, that a fact shows."""
        match fact:
            case HandShown():
                yield HANDS[fact.of], fact.cards
            case CardShown():
                yield HANDS[fact.seat], (fact.card,)
            case TopLookedAt():
                yield DECK, fact.cards

    def exchanged(self, fact: Event) -> tuple[str, str] | None:
        """The hands that two players have swapped."""
        return (HANDS[fact.seat], HANDS[fact.other]) if isinstance(fact, HandsSwapped) else None


GAME = HereToSlay()
