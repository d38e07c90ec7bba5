"""What the devices of players signed, and what a host who holds all keys of the server cannot change any more."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from referee.audit.checks.findings import AuditNotice, AuditReport, FindingKind
from referee.audit.facts import DrawShare, MatchFacts, SeatSignatures, list_notices
from referee.audit.verdicts import find_fault, find_unmet
from referee.engine.codec import encode, encode_canonical
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.seats import Seat
from referee.games import load_games
from referee.match.entries import LogEntry
from referee.match.loaded import LoadedMatch
from referee.match.table.player_entropy import CommitSeed, decide_link
from referee.match.table.player_seed import compute_seed_commitment
from referee.match.table.signed_moves import MoveSigned, NameDeviceKey
from referee.queries import views
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest
from referee.transparency.device_signatures import compute_move_digest
from tests.audit.forging import Forger
from tests.audit.sitting import House, Played, begun, over, played, setup_of
from tests.audit.test_tampering import alone, whole, work
from tests.match.chains import Chain
from tests.match.devices import DEVICES, NONCE, Device
from tests.service.house import identify

MOVES = 10
DEVICE = int(FindingKind.DEVICE)


def choose(house: House, match: str, dice: random.Random) -> tuple[int, Move, int, str]:
    """The awaited seat, a move of it, and the version and the root that it looks at."""
    loaded = house.service.load_match(match)
    seat = min(views.awaited_response(loaded.match))
    offered = views.list_legal_moves(house.service, loaded, Seat(seat)).legal
    move = dice.choice([each for each in offered if not each.is_concession])
    return seat, move, loaded.version, loaded.head.root.hex()


def play(house: House, match: str, dice: random.Random, signing: set[int]) -> None:
    """One move, signed if the seat is one of these."""
    seat, move, seen, root = choose(house, match, dice)
    signed = DEVICES[seat].sign(match, seat, seen, root, move) if seat in signing else None
    house.service.make_move(MoveRequest(match, Seat(seat), move, key=f"move{seen}", seen=seen, signed=signed))


@cache
def signed_match() -> Played:
    """A match of Here to Slay in which the devices of two seats sign all moves."""
    house, dice = House(), random.Random(3)
    box = load_games()["here_to_slay"]
    match = begun(house, "here_to_slay", box.complete_setup(Setup("standard", 2)), "signed")
    for seat in (0, 1):
        house.service.execute_command(
            match, NameDeviceKey(seat, DEVICES[seat].key), key=f"name{seat}", scope=f"seat{seat}"
        )
    for _ in range(MOVES):
        play(house, match, dice, {0, 1})
    return over(house, match, "signed")


@pytest.fixture
def forger() -> Forger:
    return work(Forger.on(signed_match()))


def ask(forger: Forger, folder: Path) -> tuple[AuditReport, dict[str, Any]]:
    """What both verifiers say, without keys and receipts."""
    forger.cover("secret")
    lines = forger.lines()
    return whole(lines, [], []), alone(lines, [], [], folder)


def list_signed(forger: Forger) -> list[int]:
    entries = [forger.logged(version) for version in range(1, forger.size + 1)]
    return [each.version for each in entries if any(isinstance(event, MoveSigned) for event in each.events)]


def get_notices(report: AuditReport) -> list[str]:
    return [each.key for each in report.notices]


def test_an_honest_match_tells_whose_device_signed_what(forger: Forger, tmp_path: Path) -> None:
    report, other = ask(forger, tmp_path)
    assert (report.findings, other["findings"]) == ((), [])
    assert other["checks"]["devices"] == "done"
    assert get_notices(report)[:2] == ["fact.signed", "fact.signed"]
    assert sum("signed" in each and "moves" in each for each in other["notices"]) == 2
    signers = report.facts.signers
    assert [each.seat for each in signers] == [0, 1]
    assert sum(each.signed for each in signers) == MOVES == len(list_signed(forger))
    assert max(each.seen for each in signers) < list_signed(forger)[-1]
    assert find_unmet(report, ["signatures"]) == ()


@pytest.mark.parametrize("viewer", ["public", "0"])
def test_those_who_see_less_check_what_they_see(viewer: str, tmp_path: Path) -> None:
    lines = signed_match().house.bundle(signed_match().match, viewer)
    report, other = whole(lines, [], []), alone(lines, [], [], tmp_path)
    assert (report.findings, other["findings"]) == ((), [])
    assert sum(each.signed for each in report.facts.signers) == MOVES


def change_time(entry: LogEntry) -> LogEntry:
    return replace(entry, at_ms=entry.at_ms + 1)


def test_a_host_with_all_keys_changes_nothing_that_was_before_a_signed_move(forger: Forger, tmp_path: Path) -> None:
    signed = list_signed(forger)
    forger.repack(signed[0] - 1, change_time)
    report, other = ask(forger, tmp_path)
    assert {each.version for each in report.findings if each.key == "device.misfit"} == set(signed)
    assert report.exit_code == other["exit"] == DEVICE
    assert find_fault(report) == "server"
    assert {each["version"] for each in other["findings"]} == set(signed)


def test_what_comes_after_the_last_signed_move_is_not_held_by_it(forger: Forger, tmp_path: Path) -> None:
    forger.repack(forger.size, change_time)
    report, other = ask(forger, tmp_path)
    assert (report.findings, other["findings"]) == ((), [])


def strip_signature(entry: LogEntry) -> LogEntry:
    return replace(entry, events=tuple(event for event in entry.events if not isinstance(event, MoveSigned)))


def test_a_move_whose_signature_is_gone_is_named(forger: Forger, tmp_path: Path) -> None:
    last = list_signed(forger)[-1]
    forger.repack(last, strip_signature)
    report, other = ask(forger, tmp_path)
    assert (report.findings, other["findings"]) == ((), [])
    assert "fact.unsigned" in get_notices(report)
    assert find_unmet(report, ["signatures"]) == ("signatures",)
    assert any(f"not signed by a device: {last}" in each for each in other["notices"])


def change_signature(change: Callable[[MoveSigned], MoveSigned]) -> Callable[[LogEntry], LogEntry]:
    def changed(entry: LogEntry) -> LogEntry:
        events = (change(event) if isinstance(event, MoveSigned) else event for event in entry.events)
        return replace(entry, events=tuple(events))

    return changed


@pytest.mark.parametrize(
    "change",
    [
        lambda signed: replace(signed, digest="0" * 64),
        lambda signed: replace(signed, signature="0" * 128),
        lambda signed: replace(signed, signature="no hex"),
        lambda signed: replace(signed, seen=signed.seen - 1),
        lambda signed: replace(signed, seen=10**6),
        lambda signed: replace(signed, seat=1 - signed.seat),
        lambda signed: replace(signed, nonce="00" * 16),
        lambda signed: replace(signed, nonce="no hex"),
        lambda signed: replace(signed, nonce=f"{signed.nonce} "),
        lambda signed: replace(signed, signature=signed.signature.upper()),
        lambda signed: replace(signed, signature=f" {signed.signature}"),
        lambda signed: replace(signed, nonce=""),  # beside any move at all the signature would fit then
    ],
    ids=[
        "digest",
        "signature",
        "no signature",
        "version",
        "version to come",
        "seat",
        "nonce",
        "no hex",
        "space",
        "upper case",
        "space before",
        "no nonce",
    ],
)
def test_another_signature_is_found(change: Callable[[MoveSigned], MoveSigned], forger: Forger, tmp_path: Path) -> None:
    last = list_signed(forger)[-1]
    forger.repack(last, change_signature(change))
    report, other = ask(forger, tmp_path)
    assert [(each.kind, each.version) for each in report.findings] == [(FindingKind.DEVICE, last)]
    assert [(each["kind"], each["version"]) for each in other["findings"]] == [("device", last)]


def test_what_was_signed_once_vouches_for_one_move(forger: Forger, tmp_path: Path) -> None:
    """The server writes the same move once more, with the signature that the device had given for the first."""
    entries = [forger.logged(version) for version in list_signed(forger)]
    earlier, later = next(
        (one, other)
        for one in entries
        for other in entries
        if one.version < other.version and (one.seat, one.move) == (other.seat, other.move)
    )
    (old,) = (event for event in earlier.events if isinstance(event, MoveSigned))
    forger.repack(later.version, change_signature(lambda _: old))
    report, other = ask(forger, tmp_path)
    first = min((each.kind, each.version or 0) for each in report.findings)
    assert first == (FindingKind.DEVICE, later.version)
    assert {each["version"] for each in other["findings"]} == {each.version for each in report.findings}


def test_a_move_that_the_server_makes_up_is_signed_by_nobody(tmp_path: Path) -> None:
    """The server asks itself for a move of the player; without the key of the device it cannot sign it."""
    house, dice = House(), random.Random(4)
    box = load_games()["here_to_slay"]
    match = begun(house, "here_to_slay", box.complete_setup(Setup("standard", 2)), "made-up")
    for seat in (0, 1):
        house.service.execute_command(
            match, NameDeviceKey(seat, DEVICES[seat].key), key=f"name{seat}", scope=f"seat{seat}"
        )
    for _ in range(4):
        play(house, match, dice, {0, 1})
    play(house, match, dice, set())
    report = whole(over(house, match, "made up").house.bundle(match), [], [])
    assert report.findings == ()
    assert "fact.unsigned" in get_notices(report)
    assert find_unmet(report, ["signatures"]) == ("signatures",)


def test_another_move_than_the_signed_one_is_found_although_the_rules_allow_it(tmp_path: Path) -> None:
    """The device signed one move, the server wrote another, with all that follows from it."""
    house, dice = House(), random.Random(5)
    box = load_games()["here_to_slay"]
    match = begun(house, "here_to_slay", box.complete_setup(Setup("standard", 2)), "other-move")
    house.service.execute_command(match, NameDeviceKey(0, DEVICES[0].key), key="name", scope="seat0")
    while choose(house, match, random.Random(0))[0] != 0:
        play(house, match, dice, set())
    seat, move, seen, root = choose(house, match, dice)
    offered = views.list_legal_moves(house.service, house.service.load_match(match), Seat(seat)).legal
    other = next(each for each in offered if each != move and not each.is_concession)
    honest = DEVICES[seat].sign(match, seat, seen, root, other)
    done = house.service.make_move(
        MoveRequest(
            match, Seat(seat), move, key="m", seen=seen, signed=DEVICES[seat].sign(match, seat, seen, root, move)
        )
    )
    at_work = Forger.on(over(house, match, "other move"))
    digest = compute_move_digest(NONCE, encode_canonical(encode(other)))
    at_work.repack(
        done.entry, change_signature(lambda signed: replace(signed, digest=digest, signature=honest.signature))
    )
    report, answered = ask(at_work, tmp_path)
    assert [each.key for each in report.findings] == ["device.other_move"]
    assert [each["why"] for each in answered["findings"]] == ["a device signed another move than this one"]


@pytest.mark.parametrize("number", [0, 2])
def test_a_signed_move_that_the_server_keeps_back_for_another_position_is_found(number: int, tmp_path: Path) -> None:
    """The server refuses it for a made-up reason, and writes it when it is legal again."""
    house, dice = House(), random.Random(number)
    box = load_games()["here_to_slay"]
    match = begun(house, "here_to_slay", box.complete_setup(Setup("standard", 2)), "kept-back")
    for seat in (0, 1):
        house.service.execute_command(
            match, NameDeviceKey(seat, DEVICES[seat].key), key=f"name{seat}", scope=f"seat{seat}"
        )
    kept: MoveRequest | None = None
    for _ in range(60):
        seat, _, seen, root = choose(house, match, dice)
        offered = views.list_legal_moves(house.service, house.service.load_match(match), Seat(seat)).legal
        if kept is not None and seen > kept.seen + 9 and (seat, True) == (kept.seat, kept.move in offered):  # type: ignore[operator]
            break
        passes = next((each for each in offered if encode(each)["type"] in ("hts.pass", "hts.end_turn")), None)
        if kept is None and passes is not None and len(offered) > 2:
            signed = DEVICES[seat].sign(match, seat, seen, root, passes, "77" * 16)
            kept = MoveRequest(match, Seat(seat), passes, key="kept", seen=seen, signed=signed)
        play(house, match, dice, {0, 1})
    assert kept is not None
    with mock.patch.object(MatchService, "_check_seen_version"):
        late = house.service.make_move(kept).entry
    play(house, match, dice, {0, 1})
    lines = over(house, match, "kept back").house.bundle(match)
    report, other = whole(lines, [], []), alone(lines, [], [], tmp_path)
    assert [(each.key, each.version) for each in report.findings] == [("device.misfit", late)]
    assert [(each["kind"], each["version"]) for each in other["findings"]] == [("device", late)]


# -- links that were signed --------------------------------------------------------------------------------------------


class SigningService(MatchService):
    """A server whose players' devices show a link with each move, and sign it."""

    left_out = 0  # of the links that were due, so many are not written

    def make_move(self, request: MoveRequest, loaded: LoadedMatch | None = None) -> CommandResult:
        seat = int(request.seat)
        if request.actor != "player" or not 0 <= seat < len(CHAINS):
            return super().make_move(request, loaded)
        match = self.load_match(request.match).match
        if match.chairs[seat].device_key != KEYS[seat].key:
            self.execute_command(match.id, NameDeviceKey(seat, KEYS[seat].key), key=f"k{seat}", scope=f"seat{seat}")
        bound = next((each for each in match.seeds if each.seat == seat), None)
        if bound is None or bound.commitment != CHAINS[seat].commitment:
            self.execute_command(
                match.id, CommitSeed(seat, CHAINS[seat].commitment), key=f"c{seat}", scope=f"seat{seat}"
            )
        now = self.load_match(match.id)
        awaited = next(each.awaited for each in now.match.seeds if each.seat == seat)
        link, root = CHAINS[seat].follow(awaited), now.head.root.hex()
        signed = KEYS[seat].sign(match.id, seat, now.version, root, request.move, os.urandom(16).hex(), link)
        asked = replace(request, seen=now.version, link=link, signed=signed)
        is_due = bool(decide_link(now.match, seat, link))
        if is_due and self.left_out:
            self.left_out -= 1
            with mock.patch("referee.service.match_service.decide_link", return_value=()):
                return super().make_move(asked)
        return super().make_move(asked)


CHAINS = [Chain(bytes([n + 1]) * 32, 1000) for n in range(6)]
KEYS = [Device(n + 1) for n in range(6)]


class SigningHouse(House):
    """A house with such a server."""

    def __post_init__(self) -> None:
        self.service: SigningService = SigningService(self.log, self.draws, self.sign, lambda _: None, identify)


@pytest.mark.parametrize("number", [0, 2, 3, 5, 14, 15, 20, 21], ids=lambda number: f"{number}-{setup_of(number)[0]}")
def test_nobody_is_accused_whose_devices_show_links_and_sign(number: int, tmp_path: Path) -> None:
    """Rewinds, takebacks, disputes and ends that are gone back behind among them."""
    house = SigningHouse()
    done = played(number, house, 40)
    for viewer in ("full", "public", "0"):
        lines = house.bundle(done.match, viewer)
        report, other = whole(lines, [], []), alone(lines, [], [], tmp_path)
        assert (report.findings, other["findings"]) == ((), [])
        assert sum(each.signed for each in report.facts.signers) > 3


@pytest.mark.parametrize("viewer", ["full", "public"])
def test_a_due_link_that_the_server_leaves_out_is_found(viewer: str, tmp_path: Path) -> None:
    """Else it could choose among as many draws as it leaves out links, without any confederate."""
    house = SigningHouse()
    house.service.left_out = 2
    done = played(1, house, 20)
    assert house.service.left_out == 0
    lines = house.bundle(done.match, viewer)
    report, other = whole(lines, [], []), alone(lines, [], [], tmp_path)
    assert [each.key for each in report.findings] == ["device.link_left_out"] * 2
    assert report.exit_code == other["exit"] == DEVICE
    assert [each["version"] for each in other["findings"]] == [each.version for each in report.findings]


def test_a_seat_that_commits_to_the_link_it_showed_last_accuses_nobody(tmp_path: Path) -> None:
    """The server does not take that link again."""
    house, dice = SigningHouse(), random.Random(7)
    box = load_games()["here_to_slay"]
    match = begun(house, "here_to_slay", box.complete_setup(Setup("standard", 2)), "once-more")
    for _ in range(12):
        play(house, match, dice, set())
    newest = next(each.revealed for each in house.service.load_match(match).match.seeds if each.seat == 0)
    again = compute_seed_commitment(bytes.fromhex(newest))
    house.service.execute_command(match, CommitSeed(0, again), key="again", scope="seat0")
    drawn = house.service.load_match(match).match.draws
    honest = MatchService(house.log, house.draws, house.sign, lambda _: None, identify)
    is_sent = False
    for number in range(40):
        seat, move, seen, root = choose(house, match, dice)
        is_due = seat == 0 and honest.load_match(match).match.draws > drawn
        link = newest if is_due else ""
        signed = KEYS[seat].sign(match, seat, seen, root, move, os.urandom(16).hex(), link)
        honest.make_move(MoveRequest(match, Seat(seat), move, key=f"n{number}", seen=seen, link=link, signed=signed))
        is_sent |= is_due
    assert is_sent
    lines = over(house, match, "once more").house.bundle(match)
    report, other = whole(lines, [], []), alone(lines, [], [], tmp_path)
    assert (report.findings, other["findings"]) == ((), [])


@pytest.mark.parametrize(("unsigned", "en", "de"), [
    ((), "the server could not leave one of them out unnoticed", "konnte der Server nichts unbemerkt weglassen"),
    ((7,), "could at most leave out such a number", "konnte höchstens eine solche Zahl, die er bekam, weglassen"),
])  # fmt: skip
def test_what_the_server_could_leave_out_is_told_as_it_is(unsigned: tuple[int, ...], en: str, de: str) -> None:
    signers = (SeatSignatures(0, 3, 5, ()), SeatSignatures(1, 2, 6, unsigned))
    public = MatchFacts((DrawShare(2, 9, (0, 1)),), True, server_draws=True, signers=signers)
    (says,) = [AuditNotice(*each).render_texts() for each in list_notices(public) if each[0] == "fact.seeds"]
    assert en in says["en"]
    assert de in says["de"]
    assert says["en"].endswith(".")
