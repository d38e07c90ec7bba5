"""What is known of a match at the table, and how news change it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any

from referee.cli.table.drawing.words import Words
from referee.docs.clients.referee_client import ProblemError

MOST_ENTRIES = 200
ROSTER = "table."  # moves of the table: somebody may have sat down
QUOTES = "„“”.!"
UNTOLD = re.compile(r"table\.(Seed|DeviceKey|(commit|reveal)_seed|name_key)")  # what only auditors care for
RUNNING = ("running", "disputed")


@dataclass
class TableState:
    """A match as one viewer sees it."""

    match: str
    seat: int | None
    words: Words
    about: dict[str, Any] | None = None
    view: dict[str, Any] | None = None
    moves: dict[str, Any] | None = None
    entries: list[tuple[int, dict[str, Any]]] = field(default_factory=list)  # the newest last
    near: tuple[int, list[Any]] = (0, [])  # at a version
    chance: tuple[int, dict[str, Any] | None] = (0, None)  # at a version
    deadline: tuple[float, float] | None = None  # when it ends, by time.monotonic, and how long it was
    coming: tuple[int, str] = (0, "")  # the call to which an official of the tournament comes, and who
    is_lost: bool = False
    has_ended: bool = False
    refusal: ProblemError | None = None

    @property
    def version(self) -> int:
        """Return the version that is shown."""
        return int(self.view["version"]) if self.view else 0

    @property
    def status(self) -> str:
        """Return the status of the match, or nothing while it is not known."""
        return str(self.view["status"]) if self.view else ""

    @property
    def is_mine(self) -> bool:
        """Whether the match waits for this seat."""
        return self.seat is not None and self.view is not None and self.seat in self.view["awaits"]

    @property
    def hand(self) -> dict[str, Any] | None:
        """Return the hand of this seat as the board has it."""
        seats = self.view["board"]["seats"] if self.view and self.view["board"] else []
        return next((each.get("hand") for each in seats if each["seat"] == self.seat), None)

    @property
    def asks_for_report(self) -> bool:
        """Whether real dice or cards are to be reported, which any seat may do."""
        return self.seat is not None and self.view is not None and "chance" in self.view["awaits"]

    @property
    def call(self) -> dict[str, Any] | None:
        """Return the open call of an official."""
        found: dict[str, Any] | None = (self.about or {}).get("call")
        return found

    @property
    def may_call(self) -> bool:
        """Whether there is an official whom everybody has accepted, and none is called."""
        officials = (self.about or {}).get("officials", ())
        return self.call is None and any(each["decides"] and not each["left"] for each in officials)

    def take(self, name: str, data: Any) -> set[str]:
        """Take in what came over the line, and return what has to be loaded now."""
        match name:
            case "line":
                self.is_lost = not data
            case "about":
                self.about, self.words.names = data
                if not self.words.cards:
                    return {"cards"}
            case "cards":
                self.words.cards = {card["id"]: card for card in data}
            case "situation":
                self.view, self.moves = data["view"], data["moves"]
                self._take_deadline(self.moves["deadline"] if self.moves else None)
                wanted = {"near"} if self.is_mine else set()
                return wanted | ({"chance"} if self.asks_for_report else set())
            case "board":
                self.view = data
                self._take_deadline(data["deadline"])
            case "entry":
                return self._take_entry(data)
            case "snapshot":  # something was undone, so the board is another
                return {"board"}
            case "deadline":
                self._take_deadline(data if data.get("at") else None)
            case "near":
                self.near = data
            case "chance":
                self.chance = data
            case "coming":
                self.coming = data
            case "refused":
                self.refusal = data
            case "ended":
                self.has_ended = True
        return set()

    def list_near_misses(self) -> list[dict[str, Any]]:
        """Return what is almost possible now."""
        return self.near[1] if self.is_mine and self.near[0] == self.version else []

    def find_chance_moves(self) -> dict[str, Any] | None:
        """Return what real dice or cards may have shown, if that is asked for now."""
        return self.chance[1] if self.asks_for_report and self.chance[0] == self.version else None

    def list_happened(self, is_hand_open: bool = True) -> list[str]:
        """Return what has happened as sentences, the newest last.

        While the hand is covered, cards that came into it are not named.
        """
        hand = None if is_hand_open else self.hand
        return [text for _, entry in self.entries if (text := describe_entry(entry, self.words, hand))]

    def _take_entry(self, entry: dict[str, Any]) -> set[str]:
        self.entries = [each for each in self.entries if each[0] < entry["version"]][1 - MOST_ENTRIES :]
        self.entries.append((entry["version"], entry))
        kind = (entry["move"] or {"type": ROSTER})["type"]
        return {"board"} | ({"about"} if kind.startswith(ROSTER) else set())

    def _take_deadline(self, deadline: dict[str, Any] | None) -> None:
        if deadline is None:
            self.deadline = None
        else:
            left, limit = deadline.get("left_ms", deadline["limit_ms"]) / 1000, deadline["limit_ms"] / 1000
            self.deadline = time.monotonic() + left, limit


def describe_entry(entry: dict[str, Any], words: Words, covered: dict[str, Any] | None = None) -> str:
    """Return what happened in an entry, or what was done.

    Nothing is told of seeds. Cards that came into a `covered` hand are left out, and lists of its cards; they stand
    behind a colon.
    """
    sentences, move = [], entry["move"] or {}
    for event in entry["events"]:
        if UNTOLD.match(event["type"]):
            continue
        text = words.say(event.get("told"))
        if covered is not None and _names_covered(event, entry, text, words, covered):
            text = text.partition(": ")[0]
        if text:
            sentences.append(text if text[-1] in ".!?…" else f"{text}.")
    return " ".join(sentences) or ("" if UNTOLD.match(move.get("type", "")) else words.say(move.get("told")))


def _names_covered(
    event: dict[str, Any], entry: dict[str, Any], text: str, words: Words, covered: dict[str, Any]
) -> bool:
    """Whether the end of a sentence tells what lies in a hand."""
    if any(each["n"] == event["n"] and each["to"] == covered["place"] for each in entry["transfers"]):
        return True
    names = {words.name_card(card) for card in covered["cards"]}
    return all(named.strip(QUOTES) in names for named in text.partition(": ")[2].split(", "))
