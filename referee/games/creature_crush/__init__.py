"""Creature Crush: the box. One object, GAME."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from referee.cards.books import CardBook
from referee.cards.game import CardGame
from referee.cards.moves import ChooseCard, ChooseCards, Decline
from referee.games.creature_crush import greedy, moves, reckoning, telling
from referee.games.creature_crush.events.cards import CardsDrafted, CreatureSummoned, CrushFlipped, DeckOpened
from referee.games.creature_crush.material import BOOK, CARDS, EDITION, VARIANTS, Rules
from referee.games.creature_crush.positions import reading as position
from referee.games.creature_crush.positions.census import census
from referee.games.creature_crush.positions.examples import examples
from referee.games.creature_crush.positions.form import schema
from referee.games.creature_crush.rules import decks, losing, searching
from referee.games.creature_crush.rules.ending import outcome
from referee.games.creature_crush.rules.setup import laid_out
from referee.games.creature_crush.settings import SETTINGS
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts import books, programs
from referee.games.creature_crush.worlds import otherwise
from referee.kernel.box import Outcome, Setup
from referee.kernel.chance import Picked, Rolled, Shuffled, TurnedUp
from referee.kernel.clauses import Text
from referee.kernel.facts import Event, Move
from referee.kernel.reckoning import Number
from referee.kernel.rulings import Refused
from referee.kernel.uses import CardUse

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
    devices = ("dice", "deck")
    windows = ("response",)
    plays = (CreatureSummoned, CrushFlipped)
    deck_variant = "league"
    settings = SETTINGS
    moves = (
        moves.Summon, moves.Lay, moves.Attack, moves.Flip, moves.Pass, moves.EndCombat, moves.MoveCreature, moves.Swap,
        moves.EndTurn, moves.ChoosePlace, moves.Order, moves.Reroll, moves.Keep, moves.BringDeck, moves.DeckReady,
        moves.OfferDraw, moves.AcceptDraw, moves.DeclineDraw, moves.Concede,
        ChooseCard, ChooseCards, Decline,
        Rolled, Shuffled, Picked, TurnedUp,
    )  # fmt: skip
    cards = CARDS
    book = BOOK
    state = Table
    rules = Rules

    def agreed(self, setup: Setup) -> dict[str, Any]:
        """The settings, and the format."""
        return {"variant": setup.variant, **setup.settings}

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
        """The cards of an edition. Raises KeyError."""
        return books.SHOWN[edition or self.edition]

    def deck_refusals(self, edition: str | None, cards: tuple[str, ...]) -> Iterable[tuple[int | None, Refused]]:
        """All that the League has against a deck."""
        known = None if edition is None else decks.designs_by(Rules(variant=self.deck_variant, edition=edition))
        return decks.deck_refusals(known, cards)

    def outcome(self, state: Table) -> Outcome | None:
        """How the match has ended, None while it goes on."""
        return outcome(state)

    def card_uses(self, fact: Event) -> Iterable[CardUse]:
        """As in every game; but whoever drafts, or looks through a deck, has not drawn those cards yet."""
        return () if isinstance(fact, CardsDrafted | DeckOpened) else super().card_uses(fact)

    def position_schema(self, variant: str) -> dict[str, Any]:
        """The JSON Schema of a position of a format."""
        return schema(variant)

    def schema_of(self, variant: str, edition: str) -> dict[str, Any]:
        """The JSON Schema of a position that is played with an edition. Raises KeyError."""
        return schema(variant, edition or self.edition)

    def position(self, data: dict[str, Any]) -> Table:
        """The table that a position describes. Raises Malformed, Impossible."""
        return position.read(data)

    def written(self, state: Table) -> dict[str, Any]:
        """The position that describes a table."""
        return position.write(state)

    def examples(self, variant: str) -> list[dict[str, Any]]:
        """A position for every question of a format."""
        return examples(variant)

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
        return telling.told(thing) if thing.TAG.startswith(("cc.", "cards.")) else super().told(thing)

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
        """The sums of a declared attack, line by line."""
        return reckoning.sums(view)


GAME = CreatureCrush()
