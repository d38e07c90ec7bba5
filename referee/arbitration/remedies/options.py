"""What a remedy for a dispute is, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.arbitration.remedies.correction_forecast import Forecast


@dataclass(frozen=True)
class Remedy:
    """One remedy for a dispute, offered or not."""

    name: str
    offered: bool  # the table may choose it; otherwise only an arbiter, if it is `possible`
    why: str  # the key of a text, with `params`
    params: dict[str, Any] = field(default_factory=dict)
    to: int | None = None  # the version it goes back to, if it does
    keeps: tuple[int, ...] = ()  # versions of later moves that stay
    drops: tuple[int, ...] = ()  # versions of later moves that are lost
    crosses: tuple[str, ...] = ()  # the takeback rules that it breaks (`rewind_impact`)
    learned: tuple[int, ...] = ()  # the seats that have seen since what would be hidden again
    unsure: tuple[int, ...] = ()  # versions of which the viewer cannot tell
    possible: bool = True
    forecast: Forecast | None = None  # what the viewer can foresee of a correction
    mild: bool = False  # whether it is carried out where the table does not agree and nobody rules
