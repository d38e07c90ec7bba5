"""Munchkin, The Nightmare Before Christmas edition: the box. One object, GAME."""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.game import CardGame, Parts
from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ChooseValue, Decline
from referee.engine.chance import Picked, Rolled, Shuffled, TurnedUp
from referee.engine.events import Event
from referee.engine.zones import Cards
from referee.games.munchkin import breakdowns, moves, narration
from referee.games.munchkin.components import BOOK, CARDS, EDITION, HANDS, Rules
from referee.games.munchkin.evaluation import promise
from referee.games.munchkin.evaluation.determinization import otherwise
from referee.games.munchkin.events.cards import CardPlayed, CardPut, DoorOpened, HandShown, NoLongerFresh
from referee.games.munchkin.events.combat import CombatBegan, MonsterJoined, TurnedToRun
from referee.games.munchkin.events.course import TurnBegan
from referee.games.munchkin.positions import decode
from referee.games.munchkin.positions.census import census, miscounted
from referee.games.munchkin.positions.examples import examples
from referee.games.munchkin.positions.schema import schema
from referee.games.munchkin.rules.cards import interrupts
from referee.games.munchkin.rules.combat import auto_join, rewards
from referee.games.munchkin.rules.correcting import in_line
from referee.games.munchkin.rules.ending import outcome
from referee.games.munchkin.rules.items import equipping, selling, trading
from referee.games.munchkin.rules.setup import laid_out
from referee.games.munchkin.rules.turn import turn_given
from referee.games.munchkin.settings import SETTINGS
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts import programs
from referee.games.munchkin.texts.books import LIBRARY

__all__ = ["GAME", "Munchkin", "auto_join", "equipping", "interrupts", "programs", "rewards", "selling", "trading"]


class Munchkin(CardGame):
    """Three to six players kick doors open, kill monsters and thwart each other up to level 10 (MK-1.1, MK-22.1)."""

    name = "munchkin"
    prefix = "mk"
    title = {"en": "Munchkin: The Nightmare Before Christmas", "de": "Munchkin: The Nightmare Before Christmas"}
    min_seats = 3
    max_seats = 6
    edition = EDITION
    stock = "MK-2.1"
    last_word = "MK-23.3"
    devices = ("dice", "deck")
    windows = ("claim", "curse", "roll")
    begins = (TurnBegan,)
    phases = (DoorOpened, CombatBegan, TurnedToRun)
    plays = (CardPlayed, CardPut, MonsterJoined)
    settings = SETTINGS
    moves = (
        moves.Ready, moves.Kick, moves.LookForTrouble, moves.Loot, moves.EndTurn, moves.Give, moves.Put, moves.PlayCard,
        moves.JoinIn, moves.UsePower, moves.Shed, moves.Equip, moves.Unequip, moves.Sell, moves.ShowHand,
        moves.OfferTrade, moves.WithdrawTrade, moves.TakeTrade, moves.DeclineTrade, moves.AskHelp, moves.TakeBack,
        moves.AcceptHelp, moves.DeclineHelp, moves.Counter, moves.LetPass, moves.ClaimKill, moves.Pass,
        moves.TakeBackPass, moves.RunAway, moves.HelperFirst, moves.FleeFrom, moves.GiveUpRide, moves.KeepRoll,
        moves.PickTreasure, moves.TakeCard,
        Accept, Decline, ChooseCard, ChooseUnseen, ChooseCards, ChoosePlayer, ChooseValue,
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
        schema=lambda _, edition: schema(edition),
        turn_given=turn_given,
        positions=decode,
        pricing=promise,
        telling=narration,
        reckoning=breakdowns,
        in_line=in_line,
    )
    untold = (NoLongerFresh,)  # the end of a time

    def revealed(self, fact: Event) -> Iterator[tuple[str, Cards]]:
        """The hand that a fact shows."""
        if isinstance(fact, HandShown):
            yield HANDS[fact.seat], fact.cards


GAME = Munchkin()
