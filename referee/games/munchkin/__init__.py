"""Munchkin, The Nightmare Before Christmas edition: the box. One object, GAME."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cards.books import CardBook
from referee.cards.game import CardGame
from referee.cards.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ChooseValue, Decline
from referee.games.munchkin import greedy, moves, reckoning, telling
from referee.games.munchkin.events.cards import CardPlayed, CardPut
from referee.games.munchkin.events.combat import MonsterJoined
from referee.games.munchkin.material import BOOK, CARDS, EDITION, Rules
from referee.games.munchkin.positions import reading as position
from referee.games.munchkin.positions.census import census
from referee.games.munchkin.positions.examples import examples
from referee.games.munchkin.positions.form import schema
from referee.games.munchkin.rules import joining, putting, rewards, selling, trading
from referee.games.munchkin.rules.ending import outcome
from referee.games.munchkin.rules.setup import laid_out
from referee.games.munchkin.settings import SETTINGS
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts import books, programs
from referee.games.munchkin.worlds import otherwise
from referee.kernel.box import Outcome
from referee.kernel.chance import Picked, Rolled, Shuffled, TurnedUp
from referee.kernel.clauses import Text
from referee.kernel.facts import Event, Move
from referee.kernel.reckoning import Number

__all__ = ["GAME", "Munchkin", "joining", "programs", "putting", "rewards", "selling", "trading"]


class Munchkin(CardGame):
    """Three to six players kick doors open, kill monsters and thwart each other up to level 10 (MK-1.1, MK-22.1)."""

    name = "munchkin"
    prefix = "mk"
    title = {"en": "Munchkin: The Nightmare Before Christmas", "de": "Munchkin: The Nightmare Before Christmas"}
    min_seats = 3
    max_seats = 6
    edition = EDITION
    devices = ("dice", "deck")
    windows = ("claim", "curse", "roll")
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

    def laid_out(self, rules: Rules) -> Table:
        """The table before anything is shuffled."""
        return laid_out(rules)

    def understood(self, book: CardBook) -> books.Understood:
        """What a book means: its faces and texts. Raises Misprints."""
        return books.understood(book)

    def enter(self, book: CardBook, understood: books.Understood) -> None:
        """Makes the cards of a book known to the rules."""
        books.enter(book, understood)

    def cards_of(self, edition: str) -> tuple[dict[str, Any], ...]:
        """The cards of an edition, those of the box first. Raises KeyError."""
        return books.SHOWN[edition or self.edition]

    def outcome(self, state: Table) -> Outcome | None:
        """How the match has ended, None while it goes on."""
        return outcome(state)

    def position_schema(self, variant: str) -> dict[str, Any]:
        """The JSON Schema of a position."""
        return schema(self.edition)

    def schema_of(self, variant: str, edition: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with an edition. Raises KeyError."""
        return schema(edition or self.edition)

    def position(self, data: dict[str, Any]) -> Table:
        """The table that a position describes. Raises Malformed, Impossible."""
        return position.read(data)

    def written(self, state: Table) -> dict[str, Any]:
        """The position that describes a table."""
        return position.write(state)

    def examples(self, variant: str) -> list[dict[str, Any]]:
        """A position for every question."""
        return examples()

    def census(self, data: dict[str, Any]) -> dict[str, Any]:
        """Whether the cards of a position can be, and what to count again. Raises Malformed."""
        return census(position.understood(data))

    def otherwise(self, state: Table, seat: int, shuffle: Callable[[list[Any]], list[Any]]) -> Table:
        """Another table that this seat cannot tell from this one."""
        return otherwise(state, seat, shuffle)

    def worth(self, view: Any, seat: int) -> int:
        """How well a seat stands. Raises Unknown."""
        return greedy.worth(view, seat)

    def promise(self, view: Any, seat: int, move: Move) -> int:
        """What a move promises beyond what can be foreseen. Raises Unknown."""
        return greedy.promise(view, seat, move)

    def told(self, thing: Event | Move) -> Text | None:
        """A readable line about a fact or a move; None for bookkeeping."""
        return telling.told(thing) if thing.TAG.startswith(("mk.", "cards.")) else super().told(thing)

    def said(self, thing: Event | Move) -> dict[str, Any]:
        """What fills the placeholders of the texts about a fact or a move."""
        return telling.said(thing)

    def case(self, thing: Event | Move) -> str:
        """Which of several texts about a fact or a move fits."""
        return telling.case(thing)

    def reckoned(self, view: Any, fact: Event) -> tuple[Number, ...]:
        """The numbers of a fact, line by line."""
        return reckoning.reckoned(view, fact)

    def sums(self, view: Any) -> tuple[Number, ...]:
        """The sums of the running combat, line by line."""
        return reckoning.sums(view)


GAME = Munchkin()
