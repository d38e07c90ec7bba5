"""Times as people read them, in the reader's zone or in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo


@dataclass(frozen=True, slots=True)
class ZonedTimeFormat:
    """How times, in ms since 1970, are written in one zone."""

    zone: tzinfo | None = UTC

    def _to_datetime(self, ms: int) -> datetime:
        return datetime.fromtimestamp(ms / 1000, UTC).astimezone(self.zone)

    def format_moment(self, ms: int) -> str:
        """Return day, time and zone."""
        return f"{self._to_datetime(ms):%Y-%m-%d %H:%M:%S} {self.zone_name(ms)}"

    def format_time(self, ms: int) -> str:
        """Return the time without its day."""
        return f"{self._to_datetime(ms):%H:%M:%S}"

    def format_timestamp(self, ms: int) -> str:
        """Return the time for programs, as of RFC 3339."""
        return self._to_datetime(ms).isoformat(timespec="milliseconds")

    def zone_name(self, ms: int) -> str:
        """Return the name of the zone at that time."""
        return str(self._to_datetime(ms).tzname())


LOCAL_FORMAT = ZonedTimeFormat(None)  # the zone of this machine


def parse_timestamp_ms(written: str) -> int:
    """Return the time of an RFC 3339 text, in ms since 1970. Raises ValueError."""
    return round(datetime.fromisoformat(written).timestamp() * 1000)
