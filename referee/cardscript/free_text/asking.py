"""The question that a free text asks.

CARDS-FREE-1: A text that no words say is carried out by its player, who lists what it changed.
CARDS-TIME-1: When the time is up, nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from referee.cardscript.books.catalog import load_shared_rulebook
from referee.cardscript.free_text.changes import MAX_CHANGES, CarryOutAsWritten
from referee.cardscript.free_text.events import TextCarriedOut
from referee.cardscript.free_text.games import find_game
from referee.cardscript.free_text.reports import build_report_events
from referee.cardscript.free_text.telling import describe_value
from referee.cardscript.questions import PlayerPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, require_move


@named("cards.AsWritten")
@dataclass(frozen=True)
class WrittenTextPrompt(PlayerPrompt):
    """A player carries out a free text and reports what it changed, perhaps nothing."""

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("CARDS-FREE-1",)
    lists_examples_only: ClassVar[bool] = True

    def possible_answers(self, state: Any, seat: Seat) -> Iterable[Move]:
        yield CarryOutAsWritten()

    def default_answer(self, state: Any, seat: Seat) -> Move:
        return CarryOutAsWritten()

    def check_answer(self, state: Any, seat: Seat, move: Move) -> None:
        move = require_move(move, CarryOutAsWritten)
        if move.more and not move.changes:
            raise IllegalMove("more_of_nothing", "CARDS-FREE-1")
        build_report_events(state, int(seat), move.changes)

    def apply_answer(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, CarryOutAsWritten)
        if not move.more:
            yield StepPopped()
        yield TextCarriedOut(int(seat), self.card, len(move.changes), move.more)
        yield from build_report_events(state, int(seat), move.changes)

    def move_patterns(self, state: Any, seat: Seat) -> tuple[dict[str, Any], ...]:
        book, game = load_shared_rulebook(), find_game(state)
        places = [
            {"name": place, "says": game.tracking.zone_label(place), "cards": list(state.cards_at(place))}
            for place in dict.fromkeys((*state.zones, *game.places))
            if game.is_place(state, place)
        ]
        values = [
            {"name": pointer, "says": describe_value(game.rulebook, pointer), "cards": None}
            for pointer in game.list_settable_values(state)
        ]
        changes = {
            "type": "array",
            "items": {"type": "object", "enum": [self.card]},
            "minItems": 1,
            "maxItems": MAX_CHANGES,
        }
        return (
            {
                "type": CarryOutAsWritten.TAG,
                "fields": {"changes": {**changes, "parts": places + values}},
                "says": book.render_texts("pattern.as_written"),
                "beside": True,  # those that are listed, too
            },
        )
