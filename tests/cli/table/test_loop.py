"""The loop: one key, one move; keys that were meant for what was shown before; answers."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from referee.cli.table import seats
from referee.cli.table.drawing.prompts import Dice, Reason, Sheet
from referee.cli.table.drawing.screen import find_headline
from referee.cli.table.following import Follower, Line
from referee.cli.table.keys import split_keys
from referee.cli.table.loop import FLASH, Table
from referee.cli.table.seats import SavedSeat, list_seats, save_seat
from referee.docs.clients.referee_client import ProblemError
from tests.cli.table.sitting import read_situation, sit_down

SAVED = SavedSeat("http://x", "01-match", "secret", 0, "ABCDEF")


class Paper:
    """A terminal that remembers what was shown."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def measure(self) -> tuple[int, int]:
        return 80, 24

    def show(self, lines: Any) -> None:
        self.lines = [line.plain for line in lines]


class Seated(Table):
    """A table whose requests are noted and not sent."""

    def __init__(self, game: str = "mau_mau") -> None:
        self.ran: list[tuple[str, tuple[Any, ...]]] = []
        follower = Follower(Line("http://x", match="01-match"), 0, lambda name, data: None)
        follower.run = lambda work, *given: self.ran.append((work.__name__, given))  # type: ignore[method-assign]
        super().__init__(sit_down(game), follower, SAVED)
        self.paper: Any = Paper()
        self.draw(self.paper)
        self.changed_at = 0.0

    def hear(self, name: str, data: Any) -> None:
        self.news.put((name, data))
        self.take_news()
        self.draw(self.paper)

    def type(self, *keys: str) -> None:
        for key in keys:
            self.press(key)
            self.draw(self.paper)

    @property
    def writes(self) -> list[Any]:
        return [given[0]["body"]["move"] for name, given in self.ran if name == "deliver"]


@pytest.fixture(autouse=True)
def home(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def later(version: int) -> Any:
    heard = read_situation("mau_mau")["situation"]
    moves = {**heard["moves"], "version": version, "legal": heard["moves"]["legal"][1:]}
    return {"version": version, "view": {**heard["view"], "version": version}, "moves": moves}


def test_one_key_is_one_move_and_it_is_kept_until_answered() -> None:
    table = Seated()
    table.type("1", "1")
    assert table.writes == [{"type": "mm.draw"}]
    [kept] = list_seats()
    assert kept.pending is not None
    assert kept.pending["key"] == table.ran[0][1][0]["key"]
    assert kept.file.stat().st_mode & 0o777 == 0o600
    table.hear("done", None)
    assert list_seats()[0].pending is None
    table.type("1")
    assert len(table.writes) == 2


def test_what_was_left_over_is_sent_under_its_old_key() -> None:
    left = {"path": "/p", "body": {"move": {"type": "mm.draw"}, "seen": 6}, "key": "old"}
    table = Seated()
    table.saved = SAVED.keep_pending(left)
    table.resume_write()
    assert table.ran == [("deliver", (left,))]
    table.type("1")
    assert len(table.ran) == 1, "nothing else is sent meanwhile"


def test_a_key_pressed_just_after_a_change_means_what_was_shown_before() -> None:
    table = Seated()
    table.hear("situation", later(7))
    table.type("1")
    [(_, (write,))] = [ran for ran in table.ran if ran[0] == "deliver"]
    assert write["body"] == {"move": {"type": "mm.draw"}, "seen": 6}, "the server says whether that is too late"
    table.hear("done", ProblemError(409, {"type": "/problems/overtaken"}))
    assert any("Too late" in line for line in table.paper.lines)
    table.flash_until -= FLASH
    table.hear("line", True)
    assert not any("Too late" in line for line in table.paper.lines)
    table.changed_at -= 1
    table.type(" ", "1")
    assert table.writes[-1]["type"] == "mm.play"


def test_what_the_person_opens_counts_at_once() -> None:
    table = Seated()
    table.type(" ", "3")
    assert table.writes == [{"type": "mm.play", "card": "clubs_jack"}]


def test_a_refusal_is_shown_with_its_reason() -> None:
    table = Seated()
    table.type("1")
    ruling = read_situation("mau_mau")["near"][0]["ruling"]
    table.hear("done", ProblemError(409, {"type": "/problems/illegal-move", "ruling": ruling}))
    assert isinstance(table.shown.prompt, Reason)
    assert any(ruling["clauses"][0]["id"] in line for line in table.paper.lines)
    table.type("x", "1")
    assert len(table.writes) == 2


def test_near_misses_are_asked_for_once_it_is_calm() -> None:
    table = Seated()
    table.hear("situation", later(7))
    assert table.ran == []
    assert table.near_at is not None
    table.near_at -= 1
    table.hear("line", True)
    table.hear("line", True)
    assert table.ran == [("load_near_misses", (7,))]


def test_an_idle_hand_is_covered() -> None:
    table = Seated()
    table.type(" ")
    assert table.shown.is_hand_open
    table.touched_at -= 60
    table.hear("line", True)
    assert not table.shown.is_hand_open


def test_a_short_gap_needs_no_banner() -> None:
    table = Seated()
    table.hear("line", False)
    assert "No connection" not in table.paper.lines[0]
    assert table.lost_at is not None
    table.lost_at -= 2
    table.draw(table.paper)
    assert "No connection" in table.paper.lines[0]
    table.hear("line", True)
    assert "No connection" not in table.paper.lines[0]


def test_dice_are_asked_for_at_once_if_nothing_else_can_be_done() -> None:
    table = Seated()
    heard = later(7)
    heard["view"]["awaits"], heard["moves"]["legal"] = ["chance"], []
    table.hear("situation", heard)
    assert table.ran == [("load_chance", (7,))]
    rolled = {"type": "chance.rolled", "values": [1]}
    listing = {"version": 7, "question": None, "legal": [{"move": rolled, "told": {}}], "pickers": []}
    table.hear("chance", (7, listing))
    assert isinstance(table.shown.prompt, Dice)
    table.type("4", "enter")
    assert table.writes == [{"type": "chance.rolled", "values": [4]}]
    table.hear("chance", (7, listing))
    table.hear("situation", later(8))
    assert table.shown.prompt is None, "they were reported"


def test_sheets_and_leaving() -> None:
    table = Seated("munchkin")
    table.type("L")
    assert isinstance(table.shown.prompt, Sheet)
    table.type("up", "esc", "T")
    assert any("Ada's level: 3" in line for line in table.paper.lines)
    table.type("Q")
    assert table.is_over


def test_keys_are_read_from_what_a_terminal_sends() -> None:
    assert split_keys("a\x1b[A\x1bOB\r ä\x1b[Z\x7f\x1b[200~") == [
        "a",
        "up",
        "down",
        "enter",
        " ",
        "ä",
        "backtab",
        "backspace",
    ]
    assert split_keys("\x1b") == ["esc"]
    assert split_keys("\x03") == ["quit"]


def test_a_write_is_repeated_under_its_key_until_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.cli.table.following.RESEND_AFTER", 0.0)
    monkeypatch.setattr("referee.cli.table.following.WAIT_AFTER_REFUSAL", 0.0)
    answers: list[Any] = [OSError(), ProblemError(503, {}), {"version": 8}]
    keys, done = [], threading.Event()

    class Broken(Line):
        def request(self, *given: Any, key: str = "", **more: Any) -> Any:
            keys.append(key)
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

    follower = Follower(Broken("http://x"), 0, lambda name, data: done.set())
    follower.deliver({"path": "/p", "body": {}, "key": "k"})
    assert done.is_set()
    assert keys == ["k", "k", "k"]


def test_a_damaged_file_is_named(tmp_path: Any) -> None:
    save_seat(SAVED)
    SAVED.file.write_text("{")
    with pytest.raises(seats.HostError, match=r"01-match\.0\.json"):
        list_seats()


def test_the_newest_seat_comes_first() -> None:
    save_seat(SAVED)
    time.sleep(0.01)
    save_seat(SavedSeat("http://x", "02-match", "secret", 1))
    assert [saved.match for saved in list_seats()] == ["02-match", "01-match"]


OFFICIAL = {"official": 4, "decides": True, "left": False}


def show_call(call: Any, officials: Any = (OFFICIAL,)) -> Any:
    about = {"chance": {"deck": "server"}, "seats": [], "officials": list(officials), "call": call}
    return about, {0: "Ada", 1: "Ben"}


def test_a_key_calls_an_official_and_takes_the_call_back() -> None:
    table = Seated()
    table.type("C")
    assert table.shown.prompt is None, "nobody can be called"
    table.hear("about", show_call(None))
    assert "C call an official" in table.paper.lines[-1]
    table.type("C", "2")
    [(_, (write,))] = [ran for ran in table.ran if ran[0] == "deliver"]
    assert (write["path"], write["body"]) == ("/v1/matches/01-match/seats/0/calls", {"reason": "slow_play"})
    table.hear("done", None)
    call = {"call": 9, "by": 0, "reason": "slow_play", "until": "2026-01-01T12:30:00Z"}
    table.hear("about", show_call(call))
    table.hear("coming", (9, "Kim\x1b[2J"))
    seen = "\n".join(table.paper.lines)
    assert "Ada has called an official: Slow play" in seen
    assert "Play and its clock stand still" in seen
    assert "is coming." in seen
    assert find_headline(table.state) == "Play is paused"
    assert "\x1b" not in seen
    table.type("C", "1")
    write = table.ran[-1][1][0]
    assert (write["method"], write["path"]) == ("DELETE", "/v1/matches/01-match/seats/0/calls/9")
    table.hear("done", None)
    table.hear("about", show_call({**call, "by": 1}))
    table.type("C")
    assert table.shown.prompt is None, "the call of another seat is its own affair"


def test_who_comes_is_looked_up_while_the_call_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.cli.table.following.COMING_AFTER", 0.0)
    claims: list[Any] = [[], [{"item": "call:01-match:9", "officer": 4}]]
    officials = [{"officer": 4, "name": "Kim"}]

    class Answering(Line):
        def request(self, *given: Any, **more: Any) -> Any:
            return {"claims": claims.pop(0), "officials": officials}

    posted: list[Any] = []
    follower = Follower(Answering("http://x", match="01-match"), None, lambda *news: posted.append(news))
    follower.open_call = 9
    follower.load_coming("07-T", 9)
    assert posted == [("coming", (9, "Kim"))]
    follower.open_call = 0
    follower.load_coming("07-T", 9)
    assert len(posted) == 1, "nobody comes to a call that is closed"
