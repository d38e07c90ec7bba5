"""Who had not agreed when a match left a server (TABLE-HOME-3).

This is read from the public part of its log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class MoveConsents:
    """Who sits at the table, and who has agreed to the newest question about a move.

    It is read from consents and seats alone, not from what the entry by which the match leaves says of itself.
    """

    is_asked_for: bool = False  # whether the match runs and was opened when consent was needed
    without_device: frozenset[int] = frozenset()
    held: set[int] = field(default_factory=set)
    asked: tuple[Any, Any, Any] | None = None  # the number of the question, the address and the key
    granted: set[int] = field(default_factory=set)
    _needs_consent: bool = False

    def note(self, event: Mapping[str, Any]) -> None:
        """Note the next event of the log, sound or not."""
        kind, seat = event.get("type"), event.get("seat")
        if kind in ("table.MatchOpened", "table.SettingsChanged"):
            chairs = event["chairs"] if isinstance(event.get("chairs"), list) else []
            kinds = [each.get("kind") if isinstance(each, dict) else "" for each in chairs]
            self.without_device = frozenset(at for at, each in enumerate(kinds) if each == "table")
            self._needs_consent = self._needs_consent or bool(event.get("later_scheme"))
        elif kind == "table.Started":
            self.is_asked_for = self._needs_consent
        elif kind == "table.SeatTaken" and type(seat) is int:
            self.held.add(seat)
        elif kind in ("table.SeatLeft", "table.BotSeated") and type(seat) is int:
            self.held.discard(seat)
            self.granted.discard(seat)
            if kind == "table.BotSeated":
                self.without_device -= {seat}
        elif kind == "table.TransferProposed":
            self.asked, self.granted = (event.get("transfer"), event.get("new_home"), event.get("to")), set()
        elif self.asked is not None and event.get("transfer") == self.asked[0]:
            by = event.get("by")
            if kind == "table.TransferConsented" and isinstance(by, list):
                self.granted.update(each for each in by if type(each) is int)
            elif kind == "table.TransferRefused":
                self.asked = None

    def leave(self, event: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the seats without whose consent the match leaves by this event.

        The next move is a question of its own.
        """
        asked, self.asked = self.asked, None
        if not self.is_asked_for or len(self.held) + bool(self.without_device) <= 1:
            return ()
        agreed = asked is not None and asked[1:] == (event.get("new_home"), event.get("to"))
        return tuple(sorted((self.held | self.without_device) - (self.granted if agreed else set())))
