"""Who is said to have made the entries, and whether they can have.

That is held against what everybody sees of seats, bots, proxies and clocks.
Only the public part of a match is used, so this holds for every viewer. A bot that was taken away, or a proxy that was
withdrawn, may still have been at work when that was written, so what a seat ever had counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK
from referee.match.table.reactions import SPOKEN_FOR

MOVERS_OF_CHANCE = frozenset({"chance", "reporter"})


def find_impossible_makers(entries: Iterable[Mapping[str, Any]]) -> Iterator[AuditFinding]:
    """Yield a finding for each entry that nobody of that kind can have made.

    Entries are envelopes, sound or not.
    """
    seen = _SeenSeats()
    for entry in entries:
        seat, actor = entry["seat"], entry["actor"]
        if not seen.may_have_made(seat, actor.partition(":")[0]):
            if actor == "clock" and seat >= 0:
                yield AuditFinding(FindingKind.TIME, "time.no_clock", entry["version"])
            else:
                params = {"seat": seat, "actor": actor[:40]}
                yield AuditFinding(FindingKind.RULES, "entry.actor", entry["version"], params)
        for event in entry["events"]:
            if isinstance(event, dict):
                seen.note_event(event)


class _SeenSeats:
    """What everybody has seen of the seats so far."""

    def __init__(self) -> None:
        self._bots, self._proxies, self._has_clock = set[int](), set[int](), False

    def may_have_made(self, seat: int, kind: str) -> bool:
        """Return whether an actor of this kind can make an entry for a seat."""
        if seat == BYSTANDER:
            return True
        if seat == CHANCE:
            return kind in MOVERS_OF_CHANCE
        if seat == CLOCK:
            return kind == "clock"
        allowed = {"bot": seat in self._bots, "proxy": seat in self._proxies, "clock": self._has_clock}
        return allowed.get(kind, kind in ("player", SPOKEN_FOR))

    def note_event(self, event: Mapping[str, Any]) -> None:
        """Note what a public event says of seats and clocks."""
        kind, seat, chairs, clocks = (event.get(name) for name in ("type", "seat", "chairs", "clocks"))
        for at, chair in enumerate(chairs if isinstance(chairs, list) else ()):
            if isinstance(chair, dict):
                if chair.get("kind") == "bot":
                    self._bots.add(at)
                if chair.get("kind") == "table" or chair.get("proxy") != "nobody":
                    self._proxies.add(at)
        if isinstance(clocks, dict) and (clocks.get("move_ms") or clocks.get("window_ms")):
            self._has_clock = True
        if kind == "table.BotSeated" and type(seat) is int:
            self._bots.add(seat)
        if kind == "table.ProxySet" and type(seat) is int and event.get("by") != "nobody":
            self._proxies.add(seat)
