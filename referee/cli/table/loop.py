"""The one loop of the table: it takes news and keys, and draws."""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from referee.cli.table.drawing.board import draw_board
from referee.cli.table.drawing.prompts import CLOSED, STAY, Confirmation, Dice, Menu, Notice, Picker, Reason, Sheet
from referee.cli.table.drawing.screen import Screen, Shown, draw_screen, draw_sums
from referee.cli.table.following import Follower, build_write
from referee.cli.table.keys import Terminal
from referee.cli.table.offers import Offer, list_calls, list_offers
from referee.cli.table.seats import SavedSeat
from referee.cli.table.state import TableState
from referee.docs.clients.referee_client import ProblemError

CALM = 0.35  # seconds without another situation before near misses are asked for
GRACE = 0.25  # seconds in which a key means what was shown before, as nobody reads faster
IDLE = 45.0  # seconds until an open hand is covered
SHORT_GAP = 1.2  # seconds without a connection that need no words
FLASH = 4.0  # seconds that a message stays
TICK = 0.5


@dataclass
class Table:
    """A match on the screen."""

    state: TableState
    follower: Follower
    saved: SavedSeat | None
    shown: Shown = field(default_factory=Shown)
    news: queue.SimpleQueue[tuple[str, Any]] = field(default_factory=queue.SimpleQueue)
    screen: Screen = field(default_factory=lambda: Screen([]))
    before: Screen = field(default_factory=lambda: Screen([]))  # what was shown until a moment ago
    changed_at: float = 0.0  # when play went on
    drawn_version: int = 0
    near_at: float | None = None  # when near misses are to be asked for
    flash_until: float = 0.0
    lost_at: float | None = None
    touched_at: float = 0.0
    asked: Offer | None = None  # what the open prompt is for
    sent: Offer | None = None
    is_over: bool = False

    def run(self, terminal: Terminal) -> None:
        """Show the match until it is left."""
        self.follower.start()
        self.resume_write()
        while not self.is_over:
            self.take_news()
            self.draw(terminal)
            for key in terminal.read_keys(TICK):
                if key == "redraw":
                    terminal.shown = []
                self.press(key)

    def resume_write(self) -> None:
        """Send what was left over when the program was ended."""
        if self.saved is not None and self.saved.pending is not None:
            self.shown.is_sending = True
            self.follower.run(self.follower.deliver, self.saved.pending)

    def take_news(self) -> None:
        """Take in all that came, and ask for what it needs."""
        now = time.monotonic()
        while not self.news.empty():
            name, data = self.news.get()
            if name == "done":
                self.take_answer(data)
                continue
            wanted = self.state.take(name, data)
            if name == "situation":
                self.shown.page = 0
                self.near_at = now + CALM if "near" in wanted else None
                if isinstance(self.shown.prompt, Dice):
                    self.shown.prompt = None  # somebody else has reported them
            if name == "chance":
                self.open_dice()
            self.load(wanted - {"near"})
        if self.near_at is not None and now >= self.near_at and not self.state.is_lost:
            self.near_at = None
            self.follower.run(self.follower.load_near_misses, self.state.version)
        if now > self.flash_until:
            self.shown.flash = ""
        if self.shown.is_hand_open and now - self.touched_at > IDLE:
            self.shown.is_hand_open = False

    def open_dice(self) -> None:
        """Ask for dice at once if nothing else can be done."""
        offers = [
            offer for offer in list_offers(self.state, self.shown.is_hand_open) if offer.kind not in ("leave", "why")
        ]
        if self.shown.prompt is None and [offer.kind for offer in offers] == ["dice"]:
            self.choose(offers[0])

    def load(self, wanted: set[str]) -> None:
        """Load what news made necessary."""
        follower, about = self.follower, self.state.about
        if "about" in wanted:
            follower.run(follower.load_about)
        if "cards" in wanted and about is not None:
            follower.run(follower.load_cards, about["game"], about["edition"])
        if "chance" in wanted:
            follower.run(follower.load_chance, self.state.version)
        if "board" in wanted:
            follower.wants_board.set()

    def take_answer(self, refused: ProblemError | None) -> None:
        """Show what came of a write."""
        sent, self.sent = self.sent, None
        self.shown.is_sending = False
        if self.saved is not None:
            self.saved = self.saved.keep_pending(None)
        if refused is None:
            return
        words, ruling = self.state.words, refused.body.get("ruling")
        title = sent.text if sent else words.t("went_wrong")
        if ruling:
            self.shown.prompt = Reason(title, ruling)
        elif refused.is_overtaken:
            self.shown.flash, self.flash_until = words.t("too_late"), time.monotonic() + FLASH
        else:
            self.shown.prompt = Notice(words.t("went_wrong"), str(refused.body.get("detail", refused)))

    def draw(self, terminal: Terminal) -> None:
        """Draw the screen, and remember what its keys meant before."""
        width, height = terminal.measure()
        now, is_lost = time.monotonic(), self.state.is_lost
        self.lost_at = (self.lost_at or now) if is_lost else None
        self.state.is_lost = self.lost_at is not None and now - self.lost_at > SHORT_GAP
        screen = draw_screen(self.state, self.shown, width, height)
        self.state.is_lost = is_lost
        if self.state.version != self.drawn_version:  # what the person has opened counts at once
            self.before, self.changed_at, self.drawn_version = self.screen, now, self.state.version
        self.screen = screen
        terminal.show(screen.lines)

    def press(self, key: str) -> None:
        """Do what a key says."""
        self.touched_at = time.monotonic()
        shown = self.shown
        if key == "quit" or (key == "Q" and (shown.prompt is None or isinstance(shown.prompt, Sheet))):
            self.is_over = True
        elif shown.prompt is not None:
            self.answer_prompt(shown.prompt.press(key))
        elif key == " ":
            shown.is_hand_open = not shown.is_hand_open
        elif key in ("tab", "down", "backtab", "up"):
            shown.page = (shown.page + (1 if key in ("tab", "down") else -1)) % self.screen.pages
        elif key == "L":
            happened = self.state.list_happened(shown.is_hand_open)
            shown.prompt = Sheet(self.state.words.t("log"), [Text(f"· {sentence}") for sentence in happened])
        elif key == "T" and self.state.view and self.state.view["board"]:
            sums = draw_sums(self.state, self.screen.width, True) if self.state.view["sums"] else []
            lines = [*sums, *draw_board(self.state.view["board"], self.state.words)]
            shown.prompt = Sheet(self.state.words.t("table"), lines, back=len(lines) * 2)
        elif key == "C" and (calls := list_calls(self.state)):
            shown.prompt = Menu(self.state.words.t("call_title" if self.state.call is None else "call_own"), calls)
        elif offer := self.find_offer(key):
            shown.flash = ""
            self.choose(offer)

    def find_offer(self, key: str) -> Offer | None:
        """Return what a key means; just after a change, what it meant before."""
        was_quick = time.monotonic() - self.changed_at < GRACE
        if was_quick and self.before.keys:
            return self.before.keys.get(key)
        return self.screen.keys.get(key)

    def choose(self, offer: Offer) -> None:
        """Do what was chosen, or ask for what it needs."""
        shown, words = self.shown, self.state.words
        match offer.kind:
            case "hand":
                shown.is_hand_open = True
            case "why":
                shown.prompt = Reason(offer.text, offer.about)
            case "picker":
                self.asked, shown.prompt = offer, Picker(offer, words)
            case "dice":
                question = (self.state.find_chance_moves() or {}).get("question") or {"asks": None}
                self.asked, shown.prompt = offer, Dice(offer, words.say(question["asks"]))
            case "leave":
                self.asked, shown.prompt = offer, Confirmation(offer, words.t("yes_keys"))
            case _:
                self.send(offer, offer.body)

    def answer_prompt(self, answer: Any) -> None:
        """Close a prompt, and send what it has put together."""
        if answer is STAY:
            return
        self.shown.prompt = None
        if isinstance(answer, Offer):
            self.send(answer, answer.body)
        elif answer is not CLOSED and self.asked is not None:
            self.send(self.asked, answer)

    def send(self, offer: Offer, body: Any) -> None:
        """Send what was chosen; it is kept until it is answered."""
        if self.shown.is_sending:  # one key, one move
            return
        method = "DELETE" if offer.kind == "withdraw" else "POST"
        write = build_write(offer.path, self.follower.add_proofs(offer.path, body), method)
        self.sent, self.shown.is_sending = offer, True
        if self.saved is not None:
            self.saved = self.saved.keep_pending(write)
        self.follower.run(self.follower.deliver, write)
