"""What is told of a fact or a move, as far as all games with card texts agree on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.zones import Moved, is_back


def collect_text_parameters(thing: Event | Move, moved: tuple[type, ...] = (Moved,)) -> dict[str, Any]:
    """Its fields, to fill the placeholders of its texts; of cards that `moved` how many, and no row of hidden ones
    where they lay open: what lay open is no secret in the hand it goes to."""
    found: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
    if isinstance(thing, moved):
        found["count"] = len(found["put"])
        if are_all_hidden(found["put"]) and not any(map(is_back, found["took"])):
            found["put"] = found["took"]
    return found


def are_all_hidden(cards: Iterable[str]) -> bool:
    """Whether these are backs, all of them."""
    return all(map(is_back, cards))
