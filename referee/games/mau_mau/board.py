"""The board of Mau-Mau: what is drawn of a table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from referee.engine.parts.boards import Board, BoardPile, Boards, BoardSeat
from referee.games.mau_mau.components import DECK, DISCARD
from referee.games.mau_mau.state import Table

Suit = Literal["clubs", "spades", "hearts", "diamonds"]


class MauMauBoard(Board):
    """The table of Mau-Mau."""

    game: Literal["mau_mau"]
    seats: list[BoardSeat]
    wish: Annotated[Suit | None, "The suit that a jack has called"]
    due: Annotated[int | None, "How many cards the sevens on top ask for; null: nobody knows"]
    last_turn: Annotated[int, "The turn after which the match is over if nobody has won"]


class MauMauBoards(Boards):
    """Draws the tables of Mau-Mau."""

    shape = MauMauBoard
    has_copies = False

    def draw(self, view: Table, viewer: int, variant: str) -> MauMauBoard:
        """Return the board of a view."""
        wish: Any = view.wish
        return {
            **self.draw_middle(view, variant, (DECK, DISCARD)),
            "game": "mau_mau",
            "seats": [self.draw_seat(view, seat) for seat in range(view.rules.seats)],
            "wish": wish or None,
            "due": view.due,
            "last_turn": view.rules.max_turns,
        }

    def draw_top(self, view: Table, place: str) -> BoardPile:
        """Return a pile, of which the card on top is listed first in this game."""
        return {**super().draw_top(view, place), "cards": self.draw_cards(place, view.cards_at(place)[:1])}
