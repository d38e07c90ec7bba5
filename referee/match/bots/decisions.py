"""What a bot's move rests on, as it is sealed into the entry.

The hand could be guessed from it. So only the seat itself sees it before the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ThoughtRecord:
    """What is needed to think a bot's thought again.

    - `level`: the level that played.
    - `playouts`: how many matches it played out; 0 if it did not search.
    - `seen`: the version whose view it decided on.
    - `mind`: the digest of the code and the settings that it thought with, in hex.
    - `memory`: the hash of what it remembered, in hex; empty if that was nothing.

    The chance in it comes from the match's secret.
    """

    level: int
    playouts: int
    seen: int
    mind: str
    memory: str

    @classmethod
    def from_dict(cls, data: Any) -> ThoughtRecord:
        """Return the record in JSON data. Raises ValueError."""
        numbers, words = ("level", "playouts", "seen"), ("mind", "memory")
        if not isinstance(data, dict) or data.keys() != {*numbers, *words}:
            raise ValueError("the thought of a bot has other members")
        if any(type(data[name]) is not int for name in numbers) or any(type(data[name]) is not str for name in words):
            raise ValueError("the thought of a bot has members of other types")
        return cls(**data)


@dataclass(frozen=True, slots=True)
class BotDecision:
    """What a bot's move rests on.

    - `view_hash`: the hash of the view that the bot decided on; empty if it was no bot, or the viewer may not know.
    - `thought`: None likewise, and in entries from before bots recorded it.
    """

    view_hash: str = ""
    thought: ThoughtRecord | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the members of an entry's content, without those that are empty."""
        thought = {} if self.thought is None else {"thought": asdict(self.thought)}
        return {"view_hash": self.view_hash, **thought} if self.view_hash else thought

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> BotDecision:
        """Return what an entry's content says of it. Raises ValueError."""
        if "view_hash" not in content and "thought" not in content:
            return NO_DECISION
        thought = ThoughtRecord.from_dict(content["thought"]) if "thought" in content else None
        return cls(content.get("view_hash", ""), thought)


NO_DECISION = BotDecision()
