"""Mau-Mau, a German folk game, as an example of a small game.

The object `GAME` is what the program knows of it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from referee.engine.cardtracking.determinization import Memory, determinize_zones
from referee.engine.chance import PickResult, RandomBelow, ShuffleResult, TurnUpResult
from referee.engine.events import Move, replace_fields
from referee.engine.game import Game, GameParts, Setup
from referee.engine.parts.card_tracking import CardTracking
from referee.engine.parts.narration import Narration
from referee.engine.rulebook.book import Text
from referee.games.mau_mau import evaluation
from referee.games.mau_mau.board import MauMauBoards
from referee.games.mau_mau.components import BOOK, BOX, CARDS, MAX_SEATS, SETTINGS, Rules
from referee.games.mau_mau.events import CardPlayed, TurnBegan
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard, WishSuit
from referee.games.mau_mau.positions.table import POSITIONS
from referee.games.mau_mau.rules import preconditions  # noqa: F401  # registers the reasons of refusals
from referee.games.mau_mau.rules.turn import TurnQuestion, build_initial_table, compute_outcome, give_turn
from referee.games.mau_mau.state import Table


class MauMauTracking(CardTracking):
    """Where cards lie."""

    copies_clause = "MM-MAT-1"
    card_play_events = (CardPlayed,)

    def complete_view(self, view: Table, seat: int, below: RandomBelow, memory: Memory, /) -> Table:
        """Return a whole table of which this is the seat's view."""
        real = view.rules.at_table
        return replace_fields(view, zones=determinize_zones(view, seat, below, BOX, memory=memory, real=real))


class MauMauNarration(Narration):
    """Texts about events and moves."""

    turn_start_events = (TurnBegan,)
    turn_ending_moves = (PassTurn,)

    def describe_question(self, state: Table, /) -> tuple[str, dict[str, Any]]:
        """Return what lies on top, and what the player may do about it."""
        match state.agenda[-1]:
            case TurnQuestion(drew=drew):
                if count := state.cards_due:
                    return ("seven", {"top": state.top, "count": count}) if state.rules.stacking else ("", {})
                values = {"top": state.top, "after": "drawn" if drew else ""}
                return ("wish", {**values, "suit": suit}) if (suit := state.wished_suit) else ("card", values)
        return "", {}

    def describe_move(self, state: Table, move: Move, /) -> Text | None:
        """Return what a move does; of a draw for sevens also how many cards."""
        if isinstance(move, DrawCard) and state.due:
            return BOOK.render_texts("move.mm.draw.due", count=state.due)
        return self.describe_event(move)


class MauMau(Game):
    """The game Mau-Mau, an example of how a game is added.

    MM-MAT-2: Two to four play.
    """

    name = "mau_mau"
    prefix = "mm"
    title: ClassVar[dict[str, str]] = {"en": "Mau-Mau", "de": "Mau-Mau"}
    min_seats = 2
    max_seats = MAX_SEATS
    devices = ("deck",)
    settings = SETTINGS
    move_types = (PlayCard, DrawCard, PassTurn, WishSuit, ShuffleResult, PickResult, TurnUpResult)
    cards = CARDS
    rulebook = BOOK
    state_type = Table
    parts = GameParts(POSITIONS, MauMauTracking, MauMauNarration, evaluation=evaluation, boards=MauMauBoards)

    def build_table(self, setup: Setup) -> Table:
        """Return the table before anything is shuffled. Raises MalformedInput."""
        setup = self.complete_setup(setup)
        at_table = setup.is_at_table("deck")
        named = tuple(sorted(setup.named)) if at_table else ()
        return build_initial_table(Rules(setup.seats, at_table=at_table, named=named, **setup.settings))

    find_outcome = staticmethod(compute_outcome)
    give_turn = staticmethod(give_turn)

    def turn_number(self, state: Table) -> int:
        return state.turns

    def count_seats(self, state: Table) -> int:
        return state.rules.seats


GAME = MauMau()
