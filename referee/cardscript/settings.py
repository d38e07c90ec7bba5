"""Schemas of settings that card games share: time limits and switches."""

from __future__ import annotations

from typing import Any

LONGEST_MS = 7 * 24 * 3600 * 1000


def build_time_limit_schema(says: str, least: int = 1000, default: int | None = None) -> dict[str, Any]:
    """Return the schema of a time limit in ms, from `least` on, or null."""
    limits = {"type": "integer", "minimum": least, "maximum": LONGEST_MS}
    return {"anyOf": [limits, {"type": "null"}], "default": default, "description": says}


def build_switch_schema(says: str, default: bool = False) -> dict[str, Any]:
    """Return the schema of a setting that is true or false."""
    return {"type": "boolean", "default": default, "description": says}
