"""Boards: what is drawn of a table, as plain data of a declared shape.

A client draws a board as it is and computes nothing. It is built from the viewer's view alone, so it shows nothing that
the view hides. Its shape is declared by typed dictionaries, and the contract is generated from them. A game declares
shapes of its own and derives a class from `Boards`. What a position or the referee does not know is null.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, NotRequired, TypedDict

from referee.engine.parts import GamePart
from referee.engine.parts.card_tracking import CardTracking
from referee.engine.parts.card_usage import design_name
from referee.engine.positions.piles import UNCOUNTED_CARDS
from referee.engine.rulebook.book import Text
from referee.engine.zones import Cards, is_back


class BoardCard(TypedDict):
    """A card that lies on the table or in a hand."""

    id: Annotated[str, "Names the card on this board. It stays the same as long as no transfer names it"]
    card: Annotated[str | None, "Its design, as in the list of the game's cards; null: the card lies face down"]
    name: Text | None
    back: Annotated[str, "The kind of back it shows or has; empty if all backs are alike"]
    marks: NotRequired[Annotated[list[str], "What is true of it just now, such as `rolled`"]]


class BoardPile(TypedDict):
    """Cards at one place, in order: the last one lies on top.

    Of a discard pile only that one is shown.
    """

    place: Annotated[str, "The name of the place, as in the transfers of an entry"]
    label: Text
    count: Annotated[int | None, "How many cards lie there; null: nobody knows"]
    cards: Annotated[list[BoardCard], "Those that the viewer can tell apart; the others are only counted"]


class BoardSeat(TypedDict):
    """What lies before a player."""

    seat: int
    is_out: Annotated[bool | None, "Whether the player is out of the match"]
    hand: BoardPile


class Board(TypedDict):
    """What all boards have.

    Each game adds its seats and `game`, a literal with its name.
    """

    variant: str
    turn: Annotated[int | None, "The seat whose turn it is; null between turns, or if nobody knows"]
    turn_number: Annotated[int, "The number of the turn, from 1; 0: not counted"]
    piles: Annotated[list[BoardPile], "The places that belong to nobody"]


class PlainBoard(Board):
    """The board of a game that declares none of its own."""

    game: str
    seats: list[BoardSeat]


class Boards(GamePart):
    """Draws the tables of a game.

    By default it draws every zone as a pile: those named `hand:` and a seat before that seat, the others in the middle.
    """

    shape: ClassVar[type] = PlainBoard
    # Whether the box holds several copies of a card. If not, the name of a card is its id.
    has_copies: ClassVar[bool] = True

    def draw(self, view: Any, viewer: int, variant: str) -> Any:
        """Return the board of a viewer's view, as plain data of the declared shape.

        Look at nothing but the view. Leave out (None) what a position does not say: never raise Undetermined.
        """
        zones = self.game.tracking.cards_by_zone(view)
        seats = range(self.game.count_seats(view))
        middle = [place for place in zones if not place.startswith("hand:")]
        board: PlainBoard = {
            **self.draw_middle(view, variant, middle),
            "game": self.game.name,
            "seats": [self.draw_seat(view, seat) for seat in seats],
        }
        return board

    def draw_middle(self, view: Any, variant: str, places: Iterable[str]) -> Board:
        """Return what all boards have, with the piles at these places and their top cards."""
        return {
            "variant": variant,
            "turn": self.game.seat_on_turn(view),
            "turn_number": self.game.turn_number(view),
            "piles": [self.draw_top(view, place) for place in places],
        }

    def draw_seat(self, view: Any, seat: int) -> BoardSeat:
        """Return a seat with nothing but its hand."""
        return {"seat": seat, "is_out": False, "hand": self.draw_pile(view, f"hand:{seat}")}

    def draw_pile(self, view: Any, place: str) -> BoardPile:
        """Return the cards at a place: their number, and those that can be told apart.

        A card is told apart by its name, or lying face down by its kind of back.
        """
        cards = self.game.tracking.cards_by_zone(view).get(place, ())
        return {
            "place": board_place(place),
            "label": label_place(self.game.tracking, place),
            "count": count_cards(cards),
            "cards": self.draw_cards(place, cards),
        }

    def draw_top(self, view: Any, place: str) -> BoardPile:
        """Return the number of cards at a place, and the one on top."""
        cards = self.game.tracking.cards_by_zone(view).get(place, ())
        return {
            "place": board_place(place),
            "label": label_place(self.game.tracking, place),
            "count": count_cards(cards),
            "cards": self.draw_last(place, cards),
        }

    def draw_cards(self, place: str, cards: Iterable[str]) -> list[BoardCard]:
        """Return the cards at a place that can be told apart."""
        seen: Counter[str] = Counter()
        drawn = []
        for card in cards:
            if card not in UNSPECIFIC_BACKS:
                seen[card] += 1
                drawn.append(self.draw_card(card, place, seen[card]))
        return drawn

    def draw_last(self, place: str, cards: Cards) -> list[BoardCard]:
        """Return the last card at a place, which lies on top, if it can be told apart."""
        last = cards[-1:]
        return [self.draw_card(card, place, cards.count(card)) for card in last if card not in UNSPECIFIC_BACKS]

    def draw_card(self, card: str, place: str = "", number: int = 1) -> BoardCard:
        """Return a card, given by its name or by its back.

        `number` counts equal cards at the same place from 1 on. What is returned is shared: never change it.
        """
        return self._draw_kept(card, place, number)

    @cached_property
    def _draw_kept(self) -> Callable[[str, str, int], BoardCard]:
        """`_draw_card` with its results kept: the same cards are drawn at every look."""
        return lru_cache(KEPT_CARDS)(self._draw_card)

    def _draw_card(self, card: str, place: str, number: int) -> BoardCard:
        if is_back(card):
            back = card[1:]
            return {"id": f"{board_place(place)}.{back}.{number}", "card": None, "name": None, "back": back}
        design = design_name(card)
        own = card if not self.has_copies else f"{board_place(place)}.{card}.{number}"
        return {
            "id": own,
            "card": design,
            "name": self.game.rulebook.names.get(design),
            "back": card.partition("!")[2].partition("#")[0],
        }


KEPT_CARDS = 8192
BoardNumbers = dict[tuple[int | None, str], tuple[str, int]]  # by seat and name: the pointer into the board, the number
UNSPECIFIC_BACKS = ("?", "?any", UNCOUNTED_CARDS)  # backs that tell nothing apart


def list_numbers(board: Mapping[str, Any]) -> BoardNumbers:
    """Return the numbers that a board shows: of seats, of piles, of the table.

    A pile or a list counts as how many are in it. What is running is left out: it comes and goes as a whole.
    """
    found: BoardNumbers = {}
    for name, value in board.items():
        if name == "seats":
            for at, seat in enumerate(value):
                _add_numbers(found, seat["seat"], "", f"/seats/{at}", seat)
        elif name == "piles":
            for at, pile in enumerate(value):
                _add_number(found, None, pile["place"], f"/piles/{at}", pile)
        elif name != "running":
            _add_number(found, None, name, f"/{name}", value)
    return found


def _add_numbers(found: BoardNumbers, seat: int | None, prefix: str, at: str, shown: Mapping[str, Any]) -> None:
    for name, value in shown.items():
        _add_number(found, seat, f"{prefix}{name}", f"{at}/{name}", value)


def _add_number(found: BoardNumbers, seat: int | None, name: str, at: str, value: Any) -> None:
    kind = type(value)
    if kind is int:
        found[seat, name] = (at, value)
    elif kind is list:
        found[seat, name] = (at, len(value))
    elif kind is dict and "place" in value:
        if value["count"] is not None:
            found[seat, name] = (at, value["count"])
    elif kind is dict:
        _add_numbers(found, seat, f"{name}.", at, value)


def board_place(place: str) -> str:
    """Return the name of a place as boards give it.

    It lacks the mark that nobody sees into the place.
    """
    return place.removesuffix(":")


@lru_cache(4096)  # every board names the same few places
def label_place(tracking: CardTracking, place: str) -> Text:
    """Return what players call a place, in each language."""
    return tracking.zone_label(place)


def count_cards(cards: Cards) -> int | None:
    """Return how many cards lie at a place, or None if nobody knows."""
    return None if UNCOUNTED_CARDS in cards else len(cards)
