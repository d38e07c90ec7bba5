"""A position for every question the game asks, as a person would write it down."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]


def examples(variant: str) -> list[Position]:
    """A position for every question of a format."""
    return []
