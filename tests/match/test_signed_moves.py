"""Moves that a device signs: what is taken, what is refused, who sees what of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.match.table import commands
from referee.match.table.signed_moves import DeviceKeyNamed, MoveSignature, MoveSigned, NameDeviceKey
from referee.queries import views
from referee.repository.matches import decode_snapshot, encode_snapshot
from referee.service.requests import CommandResult, MoveRequest
from referee.transparency.device_signatures import compute_move_digest, is_signed_by, render_signed_text
from tests.match.devices import DEVICES, NONCE
from tests.match.test_seed_chains import Room
from tests.service.house import end_agreed_by_all


class SignedRoom(Room):
    """A table whose three devices have named their keys."""

    def __init__(self) -> None:
        super().__init__("signed")
        for seat, device in enumerate(DEVICES):
            self.ask(commands.TakeSeat(seat))
            self.ask(NameDeviceKey(seat, device.key))
        self.begun = self.ask(commands.StartMatch()).version

    def root(self, version: int) -> str:
        return self.entries[version - 1].root.hex()

    def choose(self) -> tuple[int, Move]:
        """The awaited seat and a move of it that does not give up."""
        loaded = self.house.load_match(self.match)
        seat = min(views.awaited_response(loaded.match))
        offered = views.list_legal_moves(self.house, loaded, Seat(seat)).legal
        return seat, self.random.choice([each for each in offered if not each.is_concession])

    def send(self, seat: int, move: Move, seen: int, signed: MoveSignature, actor: str = "player") -> CommandResult:
        key = f"key{next(self.keys)}"
        return self.house.make_move(
            MoveRequest(self.match, Seat(seat), move, key, actor=actor, seen=seen, signed=signed)
        )

    def move_signed(self) -> LogEntry:
        seat, move = self.choose()
        seen = self.version
        done = self.send(seat, move, seen, DEVICES[seat].sign(self.match, seat, seen, self.root(seen), move))
        return self.entries[done.entry - 1]


def get_signature(entry: LogEntry) -> MoveSigned:
    return next(event for event in entry.events if isinstance(event, MoveSigned))


@pytest.mark.clause("TABLE-SIGN-1")
def test_a_device_names_a_key_and_signs_its_moves() -> None:
    room = SignedRoom()
    assert [chair.device_key for chair in room.now.chairs] == [device.key for device in DEVICES]
    for _ in range(12):
        entry = room.move_signed()
        signed = get_signature(entry)
        assert entry.move is not None
        assert signed.digest == compute_move_digest(NONCE, encode_canonical(encode(entry.move)))
        root = room.root(signed.seen)
        text = render_signed_text(room.match, entry.seat, signed.seen, root, signed.link, signed.digest)
        assert is_signed_by(DEVICES[entry.seat].key, text, signed.signature)
    assert find_first_divergence(room.entries) is None
    assert "TABLE-SIGN-1" in next(
        entry.clauses for entry in room.entries if any(isinstance(event, DeviceKeyNamed) for event in entry.events)
    )


@pytest.mark.clause("TABLE-SIGN-1")
def test_a_signature_that_does_not_fit_is_refused_and_nothing_is_written() -> None:
    room = SignedRoom()
    room.move_signed()
    seat, move = room.choose()
    seen, good = room.version, DEVICES[seat]
    right = good.sign(room.match, seat, seen, room.root(seen), move)
    wrong = {
        "another key": DEVICES[(seat + 1) % 3].sign(room.match, seat, seen, room.root(seen), move),
        "another history": good.sign(room.match, seat, seen, "00" * 32, move),
        "another version": good.sign(room.match, seat, seen - 1, room.root(seen - 1), move),
        "another match": good.sign("other", seat, seen, room.root(seen), move),
        "another seat": good.sign(room.match, (seat + 1) % 3, seen, room.root(seen), move),
        "another nonce": replace(right, nonce="00" * 16),
        "no signature": replace(right, signature="00" * 64),
    }
    for what, signed in wrong.items():
        with pytest.raises(IllegalMove) as caught:
            room.send(seat, move, seen, signed)
        assert caught.value.ruling.reason == "signature_misfit", what
        assert caught.value.ruling.clauses == ("TABLE-SIGN-1",)
        assert room.version == seen
    with pytest.raises(IllegalMove):
        room.send(seat, move, seen, right, actor="proxy")  # another device moves for the seat
    assert room.send(seat, move, seen, right).entry == seen + 1


@pytest.mark.clause("TABLE-SIGN-1")
def test_a_move_without_a_signature_counts_as_well() -> None:
    room = SignedRoom()
    seat, move = room.choose()
    before = room.version
    assert room.make(seat, move).entry == before + 1


@pytest.mark.clause("TABLE-SIGN-1")
def test_what_was_looked_at_before_others_did_something_beside_the_play_is_still_signed() -> None:
    room = SignedRoom()
    seat, move = room.choose()
    seen = room.version
    room.ask(commands.SetProxy((seat + 1) % 3, "host"))
    signed = DEVICES[seat].sign(room.match, seat, seen, room.root(seen), move)
    done = room.send(seat, move, seen, signed)
    assert get_signature(room.entries[done.entry - 1]).seen == seen


@pytest.mark.clause("TABLE-SIGN-1")
def test_the_key_counts_until_the_seat_names_another_or_is_left() -> None:
    room = SignedRoom()
    seat, move = room.choose()
    room.ask(NameDeviceKey(seat, DEVICES[(seat + 1) % 3].key))
    seen = room.version
    with pytest.raises(IllegalMove):
        room.send(seat, move, seen, DEVICES[seat].sign(room.match, seat, seen, room.root(seen), move))
    room.ask(commands.LeaveSeat(seat))
    assert room.now.chairs[seat].device_key == ""
    with pytest.raises(IllegalMove) as caught:
        room.ask(NameDeviceKey(seat, DEVICES[seat].key))
    assert caught.value.ruling.reason == "seat_empty"


def test_a_match_that_is_over_takes_no_key() -> None:
    room = SignedRoom()
    room.ask(end_agreed_by_all("abandoned"))
    with pytest.raises(IllegalMove) as caught:
        room.ask(NameDeviceKey(0, DEVICES[1].key))
    assert caught.value.ruling.clauses == ("TABLE-END-1",)


def test_others_see_that_a_move_was_signed_and_not_what_opens_its_digest() -> None:
    room = SignedRoom()
    entry = room.move_signed()
    for viewer in (int(BYSTANDER), *range(3), int(FULL_VIEWER)):
        _, events = entry.view_for(viewer)
        shown = next(event for event in events if isinstance(event, MoveSigned))
        assert shown.nonce == (NONCE if viewer in (entry.seat, FULL_VIEWER) else "")
        assert (shown.digest, shown.signature) == (get_signature(entry).digest, get_signature(entry).signature)


def test_a_snapshot_keeps_the_keys_and_one_without_keys_is_as_it_was() -> None:
    room = SignedRoom()
    assert decode_snapshot(encode_snapshot(b"r", room.now)) == (b"r", room.now)
    assert b"device_key" not in encode_canonical(encode(replace(Match(), chairs=Room("plain").start().now.chairs)))
