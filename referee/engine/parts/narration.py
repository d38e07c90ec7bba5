"""Which text tells of an event or a move, and what fills its placeholders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any, ClassVar

from referee.engine.events import Event, Move
from referee.engine.parts import GamePart
from referee.engine.parts.card_usage import design_name
from referee.engine.rulebook.book import LANGUAGES, SpokenText, Text
from referee.engine.steps import Frame, StackCleared, StepPopped, StepPushed, StepReplaced, TriggerQueued

SEAT_FIELDS = ("seat", "target", "to", "roller", "partner", "dungeon_master")  # fields of moves that hold seats
BOOKKEEPING_TYPES = (StepPushed, StepReplaced, StepPopped, StackCleared, TriggerQueued, Frame)


def text_key(thing: Event | Move) -> str:
    """Return the key of the texts about an event or a move."""
    return f"move.{thing.TAG}" if isinstance(thing, Move) else f"fact.{thing.TAG.rpartition('.')[2]}"


def spoken_text_keys(thing: Event | Move, variant: str = "") -> tuple[str, ...]:
    """Return the keys in `narration.yaml` for an event or a move, the variant first."""
    key = text_key(thing).removeprefix("fact.")
    return (f"{key}.{variant}", key) if variant else (key,)


def _differs_only_in_cards(one: Any, other: Any) -> bool:
    return type(one) is type(other) and replace(one, took=(), put=()) == replace(other, took=(), put=())


class Narration(GamePart):
    """Describes events and moves by the texts of the game's book."""

    unnarrated_events: ClassVar[tuple[type[Event], ...]] = ()  # events that players are shown no line about
    # The events that begin a turn, or a floor in a game that counts no turns.
    turn_start_events: ClassVar[tuple[type[Event], ...]] = ()
    turn_ending_moves: ClassVar[tuple[type[Move], ...]] = ()  # the moves by which a player ends the own turn
    phase_start_events: ClassVar[tuple[type[Event], ...]] = ()  # the events that begin another part of a turn
    # The events that come one for each card, and are told as one where they follow each other.
    joined_events: ClassVar[tuple[type[Event], ...]] = ()

    def find_reason(self, state: Any, thing: Event, /) -> str:
        """Return the clause that is the reason of an event in this state.

        Empty: the one that its text names. `state` is as the reader saw it before the entry.
        """
        return ""

    def join_cards(self, events: Iterable[Event], /) -> Iterator[tuple[int, Event]]:
        """Yield events with their places, those that differ only in their cards as one.

        Bookkeeping between them does not part them.
        """
        held: tuple[int, Any] | None = None
        for at, event in enumerate(events):
            if isinstance(event, BOOKKEEPING_TYPES):
                yield at, event
            elif held is not None and _differs_only_in_cards(held[1], event):
                first = held[1]
                held = held[0], replace(first, took=first.took + event.took, put=first.put + event.put)  # type: ignore[attr-defined]
            else:
                if held is not None:
                    yield held
                held = (at, event) if isinstance(event, self.joined_events) else None
                if held is None:
                    yield at, event
        if held is not None:
            yield held

    def text_parameters(self, thing: Event | Move, /) -> dict[str, Any]:
        """Return the values for the placeholders of the texts about an event or a move."""
        parameters: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
        if "put" in parameters:
            parameters["count"] = len(parameters["put"])
        return parameters

    def text_variant(self, thing: Event | Move, /) -> str:
        """Return which of several texts about an event or a move fits.

        Empty means the plain one.
        """
        return ""

    def describe_question(self, state: Any, /) -> tuple[str, dict[str, Any]]:
        """Return which text of the open question fits, and the values that it needs.

        The text `question.<name>.<variant>` has what is needed to answer: numbers, targets, requirements. They follow
        from public knowledge alone. Empty: the plain text, filled with the fields of the step. Raises Undetermined.
        """
        return "", {}

    def describe_event(self, thing: Event | Move, /) -> Text | None:
        """Return a readable line about an event or a move, or None for bookkeeping.

        The event or move is as its viewer may know it. A text `fact.<name>.<variant>` or `move.<type>.<variant>` goes
        before the one without a variant.
        """
        if isinstance(thing, (*BOOKKEEPING_TYPES, *self.unnarrated_events)):
            return None
        book, key = self.game.rulebook, text_key(thing)
        special = f"{key}.{self.text_variant(thing)}"
        return book.render_texts(special if book.has_text(special) else key, **self.text_parameters(thing))

    def tell_apart(self, move: Move, /) -> Text | None:
        """Return the line about a move that reads like another one of a list.

        Each names what the other does not. By default nothing is known that would.
        """
        return self.describe_event(move)

    def describe_move(self, state: Any, move: Move, /) -> Text | None:
        """Return a readable line about a move that may be made in a state.

        It may say more than the move alone, for instance what an answer means. It rests on public knowledge. None for
        bookkeeping.
        """
        return self.describe_event(move)

    def describe_move_kind(self, kind: type[Move], /) -> Text:
        """Return the heading over the legal moves of a kind.

        It is the text `group.<type>`, or else the line about the move if that names nothing.
        """
        book, key = self.game.rulebook, f"group.{kind.TAG}"
        if book.has_text(key):
            return book.render_texts(key)
        return {lang: book.find_template(f"move.{kind.TAG}", lang).rstrip(".") for lang in LANGUAGES}

    def list_move_cards(self, move: Move, /) -> Iterator[str]:
        """Yield the designs of the cards that a move names."""
        known = self.game.list_card_ids()
        for part in fields(move):  # type: ignore[arg-type]
            value = getattr(move, part.name)
            for item in value if isinstance(value, tuple) else (value,):
                if isinstance(item, str) and (design := design_name(item)) in known:
                    yield design

    def list_move_seats(self, move: Move, /) -> Iterator[int]:
        """Yield the seats that a move names."""
        for name in SEAT_FIELDS:
            value = getattr(move, name, None)
            for item in value if isinstance(value, tuple) else (value,):
                if type(item) is int and item >= 0:
                    yield item

    def render_spoken_text(self, thing: Event | Move, /, **more: Any) -> SpokenText | None:
        """Return the sentence to read aloud about an event or a move.

        It comes from `narration.yaml`, or else from `describe_event`. None for bookkeeping. `more` holds parameters
        besides those of the event or move itself.
        """
        found = self.game.rulebook.find_spoken_text(*spoken_text_keys(thing, self.text_variant(thing)))
        if found is None:
            line = self.describe_event(thing)
            return None if line is None else SpokenText(line, is_sentence=True)
        return self.game.rulebook.fill_spoken_text(found, **{**self.text_parameters(thing), **more})
