"""Nothing is signed, and nothing added, where a log no longer has what was signed of it."""

from __future__ import annotations

import contextlib
import copy
import os
import threading
from pathlib import Path

import pytest

from referee.engine.referee import seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.eventstore.contract import MatchLog, StoreUnavailable
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.watermarks import lost_history
from referee.infrastructure.watermarks.guard import HistoryGuard, HistoryLostError, SignedHistory
from referee.infrastructure.watermarks.lost_history import LostHistory
from referee.infrastructure.watermarks.mark_file import Mark, MarksUnavailable
from referee.match.aggregate import SeatAssignment
from referee.match.errors import MatchUnavailable, VersionConflict
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.engine.toy import GAME, Cheer, Play
from tests.service.house import service as plain_service


class House:
    """A match service whose store can be put back to what it was, as a replica that lagged puts it."""

    def __init__(self, folder: Path, log: MatchLog | None = None) -> None:
        self.folder = folder
        self.log = MemoryLog() if log is None else log
        self.service = self.restart()

    def restart(self) -> MatchService:
        """Another process over the same store and the same folder."""
        made = plain_service(self.log)
        guard = HistoryGuard(SignedHistory(self.folder), self.log)
        made.sign, made.appender.watch = guard.guard_signature(made.sign), guard
        self.service = made
        return made

    def copied(self) -> dict[str, object]:
        """What the store holds now."""
        kept = {name: value for name, value in vars(self.log).items() if name not in ("_lock", "_stirring")}
        return copy.deepcopy(kept)

    def put_back(self, kept: dict[str, object]) -> None:
        """Make the store what it was."""
        vars(self.log).update(copy.deepcopy(kept))

    def open(self, key: str = "one") -> str:
        ask = commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("table"),) * 3)
        match = self.service.open_match(ask, key).match.id
        self.service.execute_command(match, commands.StartMatch(), key="start", scope="host")
        return match

    def add(self, match: str, key: str) -> str:
        """Add an entry; return its receipt."""
        return self.service.make_move(MoveRequest(match, Seat(1), Cheer(), key=key)).receipt

    def status(self, match: str) -> str:
        head = self.log.read(match, limit=0).head
        assert head is not None
        return head.status


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("referee.games", "referee.service.match_service", "referee.match.aggregate"):
        monkeypatch.setattr(f"{module}.load_games", lambda: {"toy": GAME})


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "watermarks")


def read_of(receipt: str) -> tuple[int, str]:
    _, size, root = receipt.split()
    return int(size), root


@pytest.mark.parametrize("restarted", [False, True])
def test_a_log_that_went_back_is_frozen_and_says_so_before_anything_is_added(house: House, restarted: bool) -> None:
    match, other = house.open(), house.open("two")
    house.add(match, "a")
    before = house.copied()
    lost = house.add(match, "b")
    house.put_back(before)
    if restarted:
        house.restart()
    for key in ("b", "c"):  # the one that was lost, and a new one
        with pytest.raises(MatchUnavailable, match="frozen"):
            house.add(match, key)
    assert house.status(match) == "frozen"
    assert house.log.read(match, limit=0).head.version == read_of(lost)[0] - 1  # type: ignore[union-attr]
    assert SignedHistory(house.folder).journal.list_lost() == [match]
    assert house.add(other, "a"), "the others go on"


def test_a_log_that_went_back_and_grew_again_without_this_server_gets_no_second_root_of_a_size(house: House) -> None:
    match = house.open()
    before = house.copied()
    signed = {read_of(house.add(match, key)) for key in ("a", "b")}
    house.put_back(before)
    beside = plain_service(house.log)  # a bot's worker of another machine, which signs nothing
    for key in ("x", "y", "z"):
        beside.make_move(MoveRequest(match, Seat(2), Cheer(), key=key))
    with pytest.raises(MatchUnavailable, match="frozen"):
        house.add(match, "c")
    for size, _ in signed:  # nor may what is there now be signed as it is
        stored = house.log.read_entries(match, size - 1, 1)[0]
        with pytest.raises(MatchUnavailable, match="frozen"):
            house.service.sign(match, size, stored.root)
    assert house.status(match) == "frozen"


def test_a_process_that_saw_a_lost_entry_folds_what_came_in_its_place(house: House) -> None:
    match = house.open()
    before = house.copied()
    state = house.service.load_match(match).match.state
    seat = min(seats_that_must_act(state) - {CHANCE})
    lost = Play(state.cards_at(f"hand:{seat}")[0])
    plain_service(house.log).make_move(MoveRequest(match, Seat(seat), lost, key="lost"))  # and nobody was told
    house.service.load_match(match)
    house.put_back(before)
    beside = plain_service(house.log)
    for key in ("a", "b", "c"):
        beside.make_move(MoveRequest(match, Seat(2), Cheer(), key=key))
    seen, there = house.service.load_match(match), plain_service(house.log).load_match(match)
    assert (seen.version, seen.head.root) == (there.version, there.head.root)
    assert seen.match == there.match


def test_a_match_that_the_store_has_forgotten_cannot_begin_anew_under_its_id(house: House) -> None:
    empty = house.copied()
    match = house.open()
    house.put_back(empty)
    house.restart()
    with pytest.raises(MatchUnavailable, match="frozen"):
        assert house.open() == match


def test_receipts_of_every_size_are_given_again_and_cost_no_new_mark(house: House) -> None:
    match = house.open()
    told = [read_of(house.add(match, key)) for key in "abc"]
    for _ in range(2):
        for size, root in told:
            assert read_of(house.service.sign(match, size, bytes.fromhex(root))) == (size, root)
        house.restart()
    assert house.add(match, "a").split()[1] == str(told[0][0]), "a repeated request gets its own receipt"
    assert SignedHistory(house.folder).marks.find(match) == Mark(told[-1][0], bytes.fromhex(told[-1][1]))


def test_entries_of_other_processes_in_between_are_looked_up_and_are_fine(house: House) -> None:
    match, beside = house.open(), plain_service(house.log)
    for key in ("a", "b", "c"):
        beside.make_move(MoveRequest(match, Seat(2), Cheer(), key=f"w-{key}"))
        assert house.add(match, key)
    assert house.status(match) == "open"


def test_a_move_of_a_lost_line_is_not_signed_where_the_store_holds_what_was_signed(house: House) -> None:
    match = house.open()
    before = house.copied()
    unsigned = plain_service(house.log).make_move(MoveRequest(match, Seat(2), Cheer(), key="lost"))
    root = house.log.read_entries(match, unsigned.version - 1, 1)[0].root
    house.put_back(before)
    house.add(match, "other")
    house.add(match, "one more")
    with pytest.raises(MarksUnavailable):
        house.service.sign(match, unsigned.version, root)
    assert house.status(match) == "open", "only what nobody was told of was lost"


def test_without_the_disk_nothing_is_signed_and_the_same_request_is_answered_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = house.open()
    with monkeypatch.context() as full:
        full.setattr("referee.infrastructure.watermarks.mark_file.os.write", lambda *_: 0)
        with pytest.raises(StoreUnavailable):
            house.add(match, "a")
    assert house.add(match, "a")
    assert house.status(match) == "open"


def test_many_threads_and_processes_sign_one_match_and_the_mark_is_the_last_of_all(house: House) -> None:
    match = house.open()
    services, receipts = [house.restart() for _ in range(2)], []

    def play(at: int) -> None:
        for number in range(20):
            request, done = MoveRequest(match, Seat(at), Cheer(), key=f"{at}-{number}"), None
            while done is None:
                with contextlib.suppress(VersionConflict):  # the other one was faster, five times over
                    done = services[at].make_move(request)
            receipts.append(read_of(done.receipt))

    threads = [threading.Thread(target=play, args=(at,)) for at in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(receipts) == len(set(receipts)) == 40
    size, root = max(receipts)
    assert SignedHistory(house.folder).marks.find(match) == Mark(size, bytes.fromhex(root))


def test_the_journal_says_it_once_and_takes_what_the_host_accepts(tmp_path: Path) -> None:
    history = SignedHistory(tmp_path)
    history.require_continued("roots", Mark(5, bytes(32)), lambda _: None)
    for _ in range(3):
        with pytest.raises(HistoryLostError, match="the store has nothing"):
            history.require_continued("roots", Mark(6, bytes(32)), lambda _: None)
    assert [line["what"] for line in history.journal.read_lines()] == ["lost"]
    assert SignedHistory(tmp_path).journal.list_lost() == ["roots"]
    history.journal.note_accepted("roots", Mark(5, bytes(32)), None, "a test")
    assert SignedHistory(tmp_path).journal.list_lost() == []


def test_a_line_of_the_journal_that_was_cut_off_hides_no_other(tmp_path: Path) -> None:
    history = SignedHistory(tmp_path)
    history.journal.note_accepted("roots", None, None, "a test")
    for torn in (b'{"at":"2026', b"[]\n", b'{"log": 1, "what": "lost"}\n'):
        with (tmp_path / "journal").open("ab") as file:
            file.write(torn)
    history.journal.note_lost(LostHistory("00-a", Mark(5, bytes(32)), None))
    assert history.journal.list_lost() == SignedHistory(tmp_path).journal.list_lost() == ["00-a"]
    assert [line["what"] for line in history.journal.read_lines()] == ["accepted", *["unreadable"] * 2, "lost"]


def test_a_line_for_which_there_is_no_room_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = SignedHistory(tmp_path)
    history.journal.note_accepted("roots", None, None, "a test")
    before, write = (tmp_path / "journal").read_bytes(), os.write
    monkeypatch.setattr(lost_history.os, "write", lambda handle, text: write(handle, text[:20]))
    with pytest.raises(OSError, match="No space left"):
        history.journal.note_accepted("roots", None, None, "another")
    assert (tmp_path / "journal").read_bytes() == before


def test_a_journal_that_cannot_be_read_counts_as_a_loss(house: House) -> None:
    watch = house.restart().appender.watch
    assert watch is not None
    assert not watch.is_history_lost()
    (house.folder / "journal").mkdir(parents=True)
    assert watch.is_history_lost()


def test_a_process_that_saw_a_match_frozen_sees_it_go_on_once_that_is_accepted(house: House) -> None:
    match = house.open()
    house.log.freeze_match(match)
    assert house.service.load_match(match).head.status == "frozen"
    house.log.unfreeze_match(match)
    assert house.service.load_match(match).head.status == "open"
    house.add(match, "a")
