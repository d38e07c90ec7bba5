"""Moments as people read them: in the zone of whoever reads, or in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo


@dataclass(frozen=True, slots=True)
class Times:
    """How moments, in ms since 1970, are written in one zone."""

    zone: tzinfo | None = UTC

    def _at(self, ms: int) -> datetime:
        return datetime.fromtimestamp(ms / 1000, UTC).astimezone(self.zone)

    def whole(self, ms: int) -> str:
        """Day, time and zone."""
        return f"{self._at(ms):%Y-%m-%d %H:%M:%S} {self.called(ms)}"

    def hour(self, ms: int) -> str:
        """The time, without its day."""
        return f"{self._at(ms):%H:%M:%S}"

    def stamp(self, ms: int) -> str:
        """For programs, as RFC 3339 has it."""
        return self._at(ms).isoformat(timespec="milliseconds")

    def called(self, ms: int) -> str:
        """What the zone is called at that moment."""
        return str(self._at(ms).tzname())


HERE = Times(None)  # the zone of this machine


def in_ms(written: str) -> int:
    """A moment that is written as RFC 3339 has it. Raises ValueError."""
    return round(datetime.fromisoformat(written).timestamp() * 1000)
