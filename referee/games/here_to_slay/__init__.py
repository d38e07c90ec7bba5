"""Here to Slay: the box. One object, GAME."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cards.books import CardBook
from referee.cards.game import CardGame
from referee.cards.moves import (
    Accept,
    ChooseCard,
    ChooseCards,
    ChoosePlayer,
    ChooseUnseen,
    ChooseValue,
    Decline,
    Seen,
)
from referee.games.here_to_slay import greedy, reckoning, telling
from referee.games.here_to_slay.events.plays import ChallengeDeclared, ModifierPlayed, PlayAnnounced
from referee.games.here_to_slay.material import BOOK, CARDS, Rules
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
from referee.games.here_to_slay.positions import reading as position
from referee.games.here_to_slay.positions.census import census
from referee.games.here_to_slay.positions.examples import examples
from referee.games.here_to_slay.positions.form import SCHEMA, schema_of
from referee.games.here_to_slay.rules.ending import outcome
from referee.games.here_to_slay.rules.setup import laid_out
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts import books, programs
from referee.games.here_to_slay.worlds import otherwise
from referee.kernel.box import Outcome
from referee.kernel.chance import Picked, Rolled, Shuffled, TurnedUp
from referee.kernel.clauses import Text
from referee.kernel.facts import Event, Move
from referee.kernel.reckoning import Number

__all__ = ["GAME", "HereToSlay", "programs"]


class HereToSlay(CardGame):
    """Two to six players gather a party, slay monsters and thwart each other (HTS-AIM-1, HTS-AIM-3, HTS-AMB-72)."""

    name = "here_to_slay"
    prefix = "hts"
    title = {"en": "Here to Slay", "de": "Here to Slay"}
    min_seats = 2
    max_seats = 6
    devices = ("dice", "deck")
    windows = ("challenge", "modifiers")
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

    def laid_out(self, rules: Rules) -> Table:
        """The table before anything is shuffled."""
        return laid_out(rules)

    def understood(self, book: CardBook) -> books.Understood:
        """What a book means: its box, faces and texts. Raises Misprints."""
        return books.understood(book)

    def enter(self, book: CardBook, understood: books.Understood) -> None:
        """Makes the cards of a book known to the rules."""
        books.enter(book, understood)

    def cards_of(self, edition: str) -> tuple[dict[str, Any], ...]:
        """The cards of an edition, printed ones first. Raises KeyError."""
        return books.SHOWN[edition or self.edition]

    def outcome(self, state: Table) -> Outcome | None:
        """How the match has ended, None while it goes on."""
        return outcome(state)

    def position_schema(self, variant: str) -> dict[str, Any]:
        """The JSON Schema of a position."""
        return SCHEMA

    def schema_of(self, variant: str, edition: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with an edition. Raises KeyError."""
        return schema_of(edition)

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
        if isinstance(thing, Event) and thing.TAG.startswith(("hts.", "cards.")):
            return telling.told(thing)
        return super().told(thing)

    def said(self, thing: Event | Move) -> dict[str, Any]:
        """What fills the placeholders of the texts about a fact or a move."""
        return telling.said(thing) if isinstance(thing, Event) else super().said(thing)

    def case(self, thing: Event | Move) -> str:
        """Which of several texts about a fact or a move fits."""
        return telling.case(thing) if isinstance(thing, Event) else super().case(thing)

    def reckoned(self, view: Any, fact: Event) -> tuple[Number, ...]:
        """The numbers of a fact, a roll's total line by line."""
        return reckoning.reckoned(view, fact)

    def sums(self, view: Any) -> tuple[Number, ...]:
        """The rolls that lie open, and the numbers they are held against."""
        return tuple(reckoning.standing(view))


GAME = HereToSlay()
