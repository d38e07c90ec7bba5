"""What the devices of players signed.

Whether it fits, and which moves nobody but the server vouches for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from referee.audit.bundles.format import Bundle, EntryLine
from referee.audit.checks.commitments import opens_seat
from referee.audit.checks.findings import AuditFinding, FindingKind
from referee.audit.checks.merkle import EntryTree
from referee.audit.facts import SeatSignatures
from referee.engine.codec import encode_canonical
from referee.match.table.player_seed import compute_seed_commitment
from referee.transparency.device_signatures import compute_move_digest, is_signed_by, render_signed_text

MOVE_SIGNED, LINK_REVEALED = "table.MoveSigned", "table.LinkRevealed"


@dataclass
class CheckedDevices:
    """What is wrong with the signatures of devices, and what each device signed."""

    findings: list[AuditFinding] = field(default_factory=list)
    signers: tuple[SeatSignatures, ...] = ()


def check_devices(bundle: Bundle, tree: EntryTree) -> CheckedDevices:
    """Check every signed move.

    The key that counted then has to have signed it, upon this history, and the move has to be the one of the entry.
    No other entry of the seat may lie between what its device looked at and the move: the server takes no such move.
    Else it could keep one back for another position, or write one twice. A link that the device signed has to be
    written if one was due: otherwise the server could choose whether a draw takes it.
    """
    found, keys, links = CheckedDevices(), dict[int, str](), _DueLinks()
    last = dict[int, int]()  # by seat: its last entry
    used = dict[int, dict[str, None]]()  # by seat: the keys that signed, in their order
    signed, unsigned = dict[int, list[tuple[int, int]]](), dict[int, list[int]]()
    for line, envelope in zip(bundle.entries, tree.envelopes, strict=False):
        version, seat = envelope["version"], envelope["seat"]
        signatures = [event for event in envelope["events"] if _is_kind(event, MOVE_SIGNED)]
        for event in signatures:
            wrong = ""
            if len(signatures) > 1 or not _fits(envelope, event, keys.get(seat, ""), tree.roots, last.get(seat, 0)):
                wrong = "device.misfit"
            elif not _is_signed_move(line, opens_seat(bundle.header.eyes, seat), event.get("digest")):
                wrong = "device.other_move"
            elif links.is_left_out(seat, str(event.get("link")), envelope["events"]):
                wrong = "device.link_left_out"
            if wrong:
                found.findings.append(AuditFinding(FindingKind.DEVICE, wrong, version, {"player": seat + 1}))
            else:
                signed.setdefault(seat, []).append((version, event["seen"]))
                used.setdefault(seat, {})[keys[seat]] = None
        if not signatures and _is_move_of_person(envelope):
            unsigned.setdefault(seat, []).append(version)
        last[seat] = version
        links.note_entry(envelope)
        for event in envelope["events"]:
            _note_key(keys, event)
    found.signers = tuple(
        SeatSignatures(
            seat,
            len(signed.get(seat, ())),
            max((seen for _, seen in signed.get(seat, ())), default=0),
            tuple(unsigned.get(seat, ())),
            tuple(used.get(seat, ())),
        )
        for seat in sorted({*signed, *unsigned})
    )
    return found


class _DueLinks:
    """What each seat has to show next, and whether its last link has served."""

    def __init__(self) -> None:
        self._is_chained, self._has_started = False, False
        self._commitments, self._awaited, self._shown = dict[int, str](), dict[int, str](), dict[int, str]()
        self._fresh = set[int]()

    def is_left_out(self, seat: int, link: str, events: Sequence[Any]) -> bool:
        """Tell whether a link that was sent was due, and these events do not have it.

        The newest link is not due again, although a seat may commit to its hash: it is known, and changes no draw.
        """
        is_new = bool(link) and link != self._shown.get(seat)
        is_next = is_new and self._is_chained and self._awaited.get(seat) == _hash_link(link)
        is_written = any(_is_kind(event, LINK_REVEALED) and event.get("link") == link for event in events)
        return is_next and seat not in self._fresh and not is_written

    def note_entry(self, envelope: Mapping[str, Any]) -> None:
        """Note what an entry changes."""
        if envelope["actor"] == "chance":
            self._fresh.clear()
        for event in envelope["events"]:
            if isinstance(event, dict):
                self._note_event(event)

    def _note_event(self, event: Mapping[str, Any]) -> None:
        kind, seat = event.get("type"), event.get("seat")
        if kind == "table.MatchOpened":
            self._is_chained = bool(event.get("later_scheme"))
        elif kind == "table.Started":
            self._has_started = True
        elif kind in ("table.ChanceRenewed", "table.DrawsCounted"):
            self._fresh.clear()
        elif type(seat) is not int:
            return
        elif kind == "table.SeedCommitted":
            self._commitments[seat] = self._awaited[seat] = str(event.get("commitment"))
            self._fresh = self._fresh | {seat} if self._has_started else self._fresh - {seat}
        elif kind in ("table.SeedRevealed", LINK_REVEALED):
            is_first = self._awaited.get(seat) == self._commitments.get(seat)
            self._awaited[seat] = self._shown[seat] = str(event.get("seed" if kind == "table.SeedRevealed" else "link"))
            self._fresh |= set() if is_first else {seat}
        elif kind == "table.SeatLeft" and not self._has_started:
            for known in (self._commitments, self._awaited, self._shown):
                known.pop(seat, None)


def _hash_link(link: str) -> str:
    try:
        return compute_seed_commitment(bytes.fromhex(link))
    except ValueError:
        return ""


def _is_kind(event: Any, kind: str) -> bool:
    return isinstance(event, dict) and event.get("type") == kind


def _is_move_of_person(envelope: Mapping[str, Any]) -> bool:
    """Tell whether a person is said to have made a move of the game.

    A move that everybody may not see is a move as well: a command of the table has no seat.
    """
    return envelope["actor"] == "player" and type(envelope["seat"]) is int and envelope["seat"] >= 0


def _note_key(keys: dict[int, str], event: Any) -> None:
    seat = event.get("seat") if isinstance(event, dict) else None
    if type(seat) is int and _is_kind(event, "table.DeviceKeyNamed"):
        keys[seat] = str(event.get("public_key"))
    elif type(seat) is int and _is_kind(event, "table.SeatLeft"):
        keys.pop(seat, None)


def _fits(envelope: Mapping[str, Any], event: Mapping[str, Any], key: str, roots: Sequence[bytes], last: int) -> bool:
    """Tell whether the seat's key signed this upon the history before the entry.

    `last` is the seat's entry before; the device looked at it.
    """
    seen, seat = event.get("seen"), envelope["seat"]
    if type(seen) is not int or not max(1, last) <= seen < envelope["version"] or event.get("seat") != seat:
        return False
    if envelope["actor"] != "player":
        return False
    link, digest = str(event.get("link")), str(event.get("digest"))
    text = render_signed_text(envelope["match"], seat, seen, roots[seen - 1].hex(), link, digest)
    return is_signed_by(key, text, str(event.get("signature")))


def _is_signed_move(line: EntryLine, is_due: bool, digest: object) -> bool:
    """Tell whether an entry has the move that the digest stands for.

    Only as far as it is opened. To the seat itself and the full viewer that is due: a server that left out the random
    bytes could write another move.
    """
    opened = [pair for part in line.parts for pair in _list_opened(orjson.loads(part.part))]
    return (bool(opened) or not is_due) and all(digest == _compute_digest(nonce, move) for nonce, move in opened)


def _list_opened(content: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the random bytes in an opened part, with its move."""
    for event in content.get("events", ()):
        if _is_kind(event, MOVE_SIGNED) and event.get("nonce"):
            yield str(event["nonce"]), content.get("move")


def _compute_digest(nonce: str, move: Any) -> str:
    try:
        return compute_move_digest(nonce, encode_canonical(move))
    except ValueError:
        return ""
