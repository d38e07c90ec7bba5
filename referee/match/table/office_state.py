"""What a match keeps of its officials, and of calls of one, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee.engine.codec import OMIT_IF_EMPTY

CALL_REASONS = ("rules", "slow_play", "conduct", "other")  # for which a seat calls an official


@dataclass(frozen=True)
class Official:
    """A person without a seat who may have the last word, named by entry `number`."""

    number: int
    role: str  # `host` or `arbiter`
    person: str  # stands for the person in this match alone; two tokens of one person have the same
    accepted: tuple[int, ...] = ()  # the seats that have accepted them
    refused: tuple[int, ...] = ()  # the seats that have refused them
    looked: bool = False  # they have seen all cards
    left: bool = False  # they have taken a seat, and with it lost the office, or given it back

    def without_seat(self, seat: int) -> Official:
        """Return the official without the answer of a seat, whose player has gone."""
        kept = tuple(tuple(at for at in seats if at != seat) for seats in (self.accepted, self.refused))
        return replace(self, accepted=kept[0], refused=kept[1])


@dataclass(frozen=True)
class OfficialCall:
    """A seat's call of an official to the table, made by entry `number`."""

    number: int
    by: int  # the seat
    reason: str
    since_ms: int
    until_ms: int  # when it closes by itself, by the store's clock
    stage: str = "open"  # `open`, `answered`, `withdrawn`, `expired`, `moot` (the match ended, or nobody can answer)
    official: int | None = None  # the official who answered


@dataclass(frozen=True)
class Offices:
    """The officials of a match and the calls of one: all there have been."""

    named: tuple[Official, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    calls: tuple[OfficialCall, ...] = field(default=(), metadata=OMIT_IF_EMPTY)

    @property
    def open_call(self) -> OfficialCall | None:
        """The call that nobody has answered yet; there is one at most."""
        return next((call for call in self.calls if call.stage == "open"), None)


NO_OFFICES = Offices()
