"""Text parameters of events and moves that all games with card texts share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from referee.cardscript.language.alternatives import AlternativeChosen, shorten_label
from referee.cardscript.language.delayed import TextDelayed
from referee.engine.events import Event, Move
from referee.engine.zones import Moved, is_back


def collect_text_parameters(thing: Event | Move, moved: tuple[type, ...] = (Moved,)) -> dict[str, Any]:
    """Return the fields of an event or move for the placeholders of its texts.

    For events of the types `moved`, `count` is the number of cards. Cards that lay open before are named even if they
    now lie hidden, because everybody saw them move.
    """
    found: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
    if isinstance(thing, moved):
        found["count"] = len(found["put"])
        if are_all_hidden(found["put"]) and not any(map(is_back, found["took"])):
            found["put"] = found["took"]
    if isinstance(thing, AlternativeChosen):
        found["says"] = shorten_label(thing.says)
    if isinstance(thing, TextDelayed):
        found["when"] = thing.delayed.when
    return found


def are_all_hidden(cards: Iterable[str]) -> bool:
    """Return whether all of these are backs."""
    return all(map(is_back, cards))
