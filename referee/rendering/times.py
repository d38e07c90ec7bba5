"""Moments as people read them: in the zone of whoever reads, or in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo


@dataclass(frozen=True, slots=True)
class ZonedTimeFormat:
    """How moments, in ms since 1970, are written in one zone."""

    zone: tzinfo | None = UTC

    def _to_datetime(self, ms: int) -> datetime:
        return datetime.fromtimestamp(ms / 1000, UTC).astimezone(self.zone)

    def format_moment(self, ms: int) -> str:
        """Day, time and zone."""
        return f"{self._to_datetime(ms):%Y-%m-%d %H:%M:%S} {self.zone_name(ms)}"

    def format_time(self, ms: int) -> str:
        """The time, without its day."""
        return f"{self._to_datetime(ms):%H:%M:%S}"

    def format_timestamp(self, ms: int) -> str:
        """For programs, as RFC 3339 has it."""
        return self._to_datetime(ms).isoformat(timespec="milliseconds")

    def zone_name(self, ms: int) -> str:
        """What the zone is called at that moment."""
        return str(self._to_datetime(ms).tzname())


LOCAL_FORMAT = ZonedTimeFormat(None)  # the zone of this machine


def parse_timestamp_ms(written: str) -> int:
    """A moment that is written as RFC 3339 has it. Raises ValueError."""
    return round(datetime.fromisoformat(written).timestamp() * 1000)
