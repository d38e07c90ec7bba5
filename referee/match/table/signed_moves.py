"""Moves that the device of a seat has signed.

TABLE-SIGN-1: A device may name a key for its seat and sign the moves that it makes. It signs the move together with the
root of the log that it looked at and the link of its chain. A signature that does not fit is refused. The key counts
until the seat names another or is left.

Nothing rests on a signature: a move without one counts as well. But a server that knows no device's key cannot make up
a move that is signed, or show a signed move after another history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import encode, encode_canonical, named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import FULL_VIEWER
from referee.match.aggregate import FINAL_STATUSES, Match, SeatAssignment, SeatEvent, TableEvent
from referee.transparency.device_signatures import compute_move_digest, is_signed_by, render_signed_text


@dataclass(frozen=True, slots=True)
class MoveSignature:
    """What comes with a signed move: random bytes and the signature, in hex."""

    nonce: str
    signature: str


@named("table.name_key")
@dataclass(frozen=True)
class NameDeviceKey(Move):
    """Name the key (hex) with which the device of a seat signs its moves."""

    seat: int
    public_key: str


@named("table.DeviceKeyNamed")
@dataclass(frozen=True)
class DeviceKeyNamed(SeatEvent):
    """The device of a seat named the key (hex) with which it signs."""

    public_key: str
    clauses = ("TABLE-SIGN-1",)

    def update_assignment(self, chair: SeatAssignment) -> SeatAssignment:
        return replace(chair, device_key=self.public_key)


@named("table.MoveSigned")
@dataclass(frozen=True)
class MoveSigned(TableEvent):
    """The device of the mover signed the move of this entry.

    `seen` is the version that it looked at, `link` what it sent of its chain, and `digest` stands for the move.
    Only the seat itself and the full viewer see the `nonce` of the digest.
    """

    seat: int
    seen: int
    link: str  # in hex, whether it was taken or not; empty: none was sent
    digest: str
    signature: str
    nonce: str

    def apply(self, state: Match) -> Match:
        return state

    def view_for(self, seat: int) -> Event:
        return self if seat in (self.seat, FULL_VIEWER) else replace(self, nonce="")


def _handle_name_device_key(match: Match, command: NameDeviceKey) -> tuple[Event, ...]:
    """Name the key of a device (TABLE-SIGN-1)."""
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if not 0 <= command.seat < len(match.chairs):
        raise IllegalMove("no_such_seat", "TABLE-SEAT-1", seat=command.seat)
    if not match.chairs[command.seat].taken:
        raise IllegalMove("seat_empty", "TABLE-SIGN-1", seat=command.seat)
    return (DeviceKeyNamed(command.seat, command.public_key),)


def decide_move_signature(
    match: Match, seat: int, move: Move, seen: int, root: str, link: str, signed: MoveSignature
) -> tuple[Event, ...]:
    """Return the event of a signature that comes with a seat's move.

    `root` is that of the log at version `seen`, in hex. Raises IllegalMove if the signature does not fit the key that
    counts, or none was named.
    """
    digest = compute_move_digest(signed.nonce, encode_canonical(encode(move)))
    text = render_signed_text(match.id, seat, seen, root, link, digest)
    if not is_signed_by(match.chairs[seat].device_key, text, signed.signature):
        raise IllegalMove("signature_misfit", "TABLE-SIGN-1", seat=seat)
    return (MoveSigned(seat, seen, link, digest, signed.signature, signed.nonce),)


def find_move_signature(events: Iterable[Event]) -> MoveSigned | None:
    """Return the signature among the events of a move, or None."""
    return next((event for event in events if isinstance(event, MoveSigned)), None)


COMMAND_HANDLERS: dict[type[Move], Callable[[Match, Any], tuple[Event, ...]]] = {NameDeviceKey: _handle_name_device_key}
