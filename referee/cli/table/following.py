"""A match over the line: its stream, what is loaded beside it, and writes.

All of it runs in threads that only report to `post`; what is on the screen is changed by its one loop.
"""

from __future__ import annotations

import threading
import time
import urllib.error
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from referee.docs.clients.referee_client import (
    AGAIN,
    FIRST_LINKS,
    LINK_PROBLEMS,
    SIGNATURE_PROBLEM,
    TROUBLE,
    DeviceKey,
    ProblemError,
    Referee,
    SeedChain,
)

Post = Callable[[str, Any], None]
WITH_DRAWS = ("lobby", "running", "disputed")
DOWN = (502, 503, 504)  # somebody on the way answered in place of the server
NEAR_MISSES = 6
PAST_ENTRIES = 30  # that are shown of what happened before
PATIENCE = 3.0  # seconds at most between two tries, as somebody is looking
RESEND_AFTER = 1.0  # seconds, after the connection failed
COMING_AFTER = 5.0  # seconds between two looks whether an official comes to a call
WAIT_AFTER_REFUSAL = 3.0  # seconds, after too many requests or while a server starts


@dataclass(frozen=True)
class Line(Referee):
    """A client of the referee that reports whether its requests reach the server."""

    longest_wait: float = PATIENCE
    on_line: Callable[[bool], None] = field(default=lambda _: None, compare=False)

    def send(self, method: str, path: str, headers: dict[str, str], body: Any = None) -> Any:
        """Send a request, and report whether it was answered."""
        try:
            answer = super().send(method, path, headers, body)
        except urllib.error.HTTPError as refused:
            self.on_line(refused.code not in DOWN)
            raise
        except TROUBLE:
            self.on_line(False)
            raise
        self.on_line(True)
        return answer


def build_address(match: str, noun: str, seat: int | str | None = None) -> str:
    """Return the address of what belongs to a match, perhaps as a seat sees it."""
    of_seat = "" if seat is None else f"/seats/{seat}"
    return f"/v1/matches/{match}{of_seat}/{noun}"


@dataclass
class Follower:
    """Follows one match for one viewer, and sends what it does."""

    line: Line
    seat: int | None  # None: an onlooker
    post: Post
    chain: SeedChain | None = None  # what the seat adds to the server's draws
    key: DeviceKey | None = None  # with which the device signs the moves of the seat
    wants_board: threading.Event = field(default_factory=threading.Event)
    is_bound: bool = False  # whether the match knows the chain
    is_key_named: bool = False  # whether the match knows the key
    has_named_key: bool = False  # whether that was tried
    looked_at: tuple[int, str] = (0, "")  # version and root of the newest situation
    has_bound: bool = False  # whether that was tried: once is enough, as another program may have taken the seat over
    open_call: int = 0  # the call of an official; 0: none is open
    tending: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """Load the match and follow its stream, in the background."""
        self.run(self.load_about)
        self.run(self.follow)
        if self.seat is None:
            self.wants_board.set()
            self.run(self.load_boards)

    def run(self, work: Callable[..., None], *given: Any) -> None:
        """Do work in a thread; what the server refuses is reported."""

        def try_work() -> None:
            try:
                work(*given)
            except ProblemError as refused:
                self.post("refused", refused)

        threading.Thread(target=try_work, daemon=True).start()

    def load_about(self) -> None:
        """Load the match, the names of its players and the cards of its game."""
        match = self.line.match
        about = self.get(f"/v1/matches/{match}")
        names = self.get(build_address(match, "names"))["names"]
        self.post("about", (about, {int(seat): name for seat, name in names.items()}))
        self.follow_call(about)
        self.tend_chain(about)
        self.name_key(about)

    def follow_call(self, about: dict[str, Any]) -> None:
        """Look which official of the tournament comes to the open call, in the background."""
        before, self.open_call = self.open_call, (about.get("call") or {}).get("call", 0)
        if self.open_call not in (0, before) and "tournament" in about:
            self.run(self.load_coming, about["tournament"], self.open_call)

    def load_coming(self, tournament: str, number: int) -> None:
        """Report who comes to a call, as soon as somebody says so while it is open."""
        item = f"call:{self.line.match}:{number}"
        while self.open_call == number:
            view = self.get(f"/v1/tournaments/{tournament}")
            officer = next((each["officer"] for each in view["claims"] if each["item"] == item), None)
            if officer is not None:
                named = (each["name"] for each in view["officials"] if each["officer"] == officer)
                return self.post("coming", (number, next(named, None) or ""))
            time.sleep(COMING_AFTER)
        return None

    def tend_chain(self, about: dict[str, Any]) -> None:
        """Bind the seat to its chain, and show the first link before the start.

        It is shown once nobody is missing. Whatever fails, play goes on without.
        """
        if self.chain is None or "server" not in about["chance"].values() or about["status"] not in WITH_DRAWS:
            return
        with self.tending:
            self.is_bound = self.chain.follow(about["seeds"], self.line.seat)
            is_full = all(seat["taken"] or seat["kind"] == "bot" for seat in about["seats"])
            try:
                if not self.is_bound and not self.has_bound:
                    path = build_address(self.line.match, "seed", self.seat)
                    self.line.request("PUT", path, {"commitment": self.chain.commitment})
                    self.is_bound = True
                elif self.is_bound and self.chain.at < FIRST_LINKS and is_full and about["status"] == "lobby":
                    self.line.show_seed(self.chain)
            except (ProblemError, *TROUBLE):
                return
            finally:
                self.has_bound = True

    def name_key(self, about: dict[str, Any]) -> None:
        """Name the key of this device, once; whatever fails, play goes on without."""
        if self.key is None or self.seat is None or about["status"] not in WITH_DRAWS:
            return
        with self.tending:
            self.is_key_named = about["seats"][self.seat]["device_key"] == self.key.public
            if self.is_key_named or self.has_named_key:
                return
            self.has_named_key = True  # another program may take the seat over later
            with suppress(ProblemError, *TROUBLE):
                self.line.name_key(self.key)
                self.is_key_named = True

    def add_proofs(self, path: str, body: Any) -> Any:
        """Return what is sent; a move of the seat with its link and a signature."""
        if self.seat is None or path != build_address(self.line.match, "moves", self.seat):
            return body
        link = self.chain.next_link if self.chain is not None and self.is_bound else None
        seen, root = self.looked_at
        if self.key is not None and self.is_key_named and root and body.get("seen") == seen:
            body = {**body, "signed": self.key.sign(self.line.match, self.seat, seen, root, body["move"], link or "")}
        return body if link is None else {**body, "link": link}

    def load_cards(self, game: str, edition: str) -> None:
        """Load the cards of a game in the edition of the match."""
        self.post("cards", self.get(f"/v1/games/{game}/cards?edition={edition}")["items"])

    def follow(self) -> None:
        """Report the events of the stream until the match has ended."""
        match, seat = self.line.match, self.seat
        view = "" if seat is None else f"?viewer=seat:{seat}"
        version = self.get(build_address(match, f"board{view}"))["version"]
        has_situation = seat is None
        path = build_address(match, "stream" if seat is None else f"stream{view}&send=both")
        for event in self.line.stream(path, after=max(1, version - PAST_ENTRIES)):
            self.post(event.name, event.data)
            if event.name == "situation":
                has_situation, self.looked_at = True, (event.data["version"], event.data["root"])
        if not has_situation:  # the match was over before
            self.post("situation", self.get(build_address(match, "situation", seat)))
        self.post("ended", None)

    def load_boards(self) -> None:
        """Load the board for an onlooker whenever it is wanted; one request at a time."""
        while self.wants_board.wait():
            self.wants_board.clear()
            self.post("board", self.get(build_address(self.line.match, "board")))

    def load_near_misses(self, version: int) -> None:
        """Load what is almost possible for the seat."""
        listing = self.get(build_address(self.line.match, f"moves?near={NEAR_MISSES}", self.seat))
        self.post("near", (version, listing["near"] if listing["version"] == version else []))

    def load_chance(self, version: int) -> None:
        """Load what real dice or cards may have shown."""
        self.post("chance", (version, self.get(build_address(self.line.match, "moves", "chance"))))

    def get(self, path: str) -> Any:
        """Read something, however long the connection is lost. Raises ProblemError."""
        while True:
            try:
                return self.line.request("GET", path)
            except ProblemError as refused:
                if refused.status not in AGAIN:
                    raise
                time.sleep(WAIT_AFTER_REFUSAL)
            except TROUBLE:
                time.sleep(RESEND_AFTER)

    def deliver(self, write: dict[str, Any]) -> None:
        """Send a write until it is answered, and report the answer.

        It has the same key each time, so it is done once.
        """
        while True:
            try:
                answer = self.line.request(write.get("method", "POST"), write["path"], write["body"], key=write["key"])
                if self.chain is not None and "link" in (write["body"] or {}):
                    self.chain.note_answer(answer)
                return self.post("done", None)
            except ProblemError as refused:
                if (member := find_refused_proof(refused, write["body"])) is not None:
                    self.is_bound = self.is_bound and member != "link"
                    self.is_key_named = self.is_key_named and member != "signed"
                    self.run(self.load_about)
                    left = {k: v for k, v in write["body"].items() if k not in (member, "signed")}
                    write = build_write(write["path"], left)
                    continue
                if refused.status not in AGAIN:
                    return self.post("done", refused)
                time.sleep(WAIT_AFTER_REFUSAL)
            except TROUBLE:
                time.sleep(RESEND_AFTER)


def find_refused_proof(refused: ProblemError, body: Any) -> str | None:
    """Return the member of a move that was refused, or None.

    Without it the move itself may be right.
    """
    member = "link" if refused.kind in LINK_PROBLEMS else "signed" if refused.kind == SIGNATURE_PROBLEM else ""
    return member if member in (body or {}) else None


def build_write(path: str, body: Any, method: str = "POST") -> dict[str, Any]:
    """Return a write with the key under which it is done once."""
    return {"path": path, "body": body, "key": uuid.uuid4().hex, "method": method}
