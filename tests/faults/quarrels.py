"""Quarrels over HTTP: disputes are opened, attested, voted on, appealed, withdrawn and ruled, each under a key.

Which of it happens is decided by chance; in the end everything is settled, for the host has the last word.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Protocol

MOST = 5  # disputes in a match: each may take back what was played, and the match is to come to its end
BACK = 8  # entries, so far back a dispute may lie
CLAIMS = ("other", "other", "missed_effect", "misreported", "wrong_count", "illegal_move")
ORDERED = ("leave", "partial_fix", "rewind", "rewind")  # what a host orders
NO_TAKEBACK = (
    *("nothing-to-take-back", "takeback-barred", "takeback-closed", "takeback-overtaken", "in-dispute", "not-running"),
    *("overtaken", "stale-version", "match-over"),
)
APPEALS = 0.1  # the chance that a ruling is appealed against
VOIDS = 0.05
UNDONE = 0.5  # that the host undoes what a vote has carried out
CARRIED = ("partial_fix", "rewind", "void")


class Asks(Protocol):
    """Whoever writes: `write(who, path, body)` is the status, the slug of the problem and the answer, once there is
    one; `read(seat, path)` is what a seat is shown. A seat's number, or `host`."""

    def write(self, who: int | str, path: str, body: dict[str, Any]) -> tuple[int, str, dict[str, Any]]: ...
    def read(self, who: int | str, path: str) -> dict[str, Any]: ...


@dataclass
class Quarrels:
    """The disputes of one match, between the seats of people and its host."""

    asks: Asks
    seats: tuple[int, ...]
    dice: random.Random
    opened: int = 0

    def begin(self, version: int) -> bool:
        """Disputes one of the last entries, if it can be disputed; whether it was."""
        if self.opened >= MOST:
            return False
        who: int | str = self.dice.choice(self.seats) if self.seats else "host"
        about = max(1, version - self.dice.randrange(BACK))
        said = {"about": about, "claim": self.dice.choice(CLAIMS), "statement": "It was not so."}
        status, slug, answer = self.asks.write(who, "disputes", said)
        if status == 409:
            assert slug in ("no-such-entry", "dispute-open", "match-over", "not-running", "overtaken"), answer
            return False
        assert status == 201, answer
        self.opened += 1
        found = answer["dispute"]
        if found["stage"] == "ruled" and isinstance(who, int) and self.dice.random() < APPEALS:
            ground = {"clause": "TABLE-REMEDY-1", "grounds": "It rests on nothing."}
            self._asked(who, f"disputes/{found['dispute']}/appeals", ground)
        return True

    def take_back(self, version: int) -> None:
        """A seat asks to take back the last entries, and the others say what they think of it."""
        if self.opened >= MOST or not self.seats:
            return
        self.opened += 1
        who = self.dice.choice(self.seats)
        to = max(1, version - self.dice.randint(1, BACK))
        status, slug, answer = self.asks.write(who, "takebacks", {"to": to})
        assert status == 201 or slug in NO_TAKEBACK, answer
        if status != 201:
            return
        number, others = answer["entry"]["version"], [seat for seat in self.seats if seat != who]
        for seat in others:
            said = {"grant": self.dice.random() < 0.8}
            status, slug, answer = self.asks.write(seat, f"takebacks/{number}/consents", said)
            assert status == 201 or slug in NO_TAKEBACK, answer

    def go_on(self, number: int) -> None:
        """Somebody says what he is asked for in an open dispute, or the host ends it."""
        found = self.asks.read("host", f"disputes/{number}")
        place = f"disputes/{number}"
        asked = [seat for seat in found["asks"] if seat in self.seats]
        if self.dice.random() < 0.05 and isinstance(found["by"], int) and found["by"] in self.seats:
            self._asked(found["by"], f"{place}/withdrawal", {})
        elif found["stage"] == "attesting" and asked:
            self._asked(self.dice.choice(asked), f"{place}/attestations", {"holds": self.dice.random() < 0.8})
        elif found["stage"] == "voting" and asked:
            offered = [rung["remedy"] for rung in found["remedies"] if rung["offered"]]
            milder = [name for name in offered if name != "void"]
            wanted = self.dice.choice(offered if self.dice.random() < VOIDS else milder)
            said = self._asked(self.dice.choice(asked), f"{place}/votes", {"remedy": wanted})
            voted = self.asks.read("host", place)["rulings"][-1] if not said else {}
            if voted.get("court") == "table" and voted["remedy"] in CARRIED and self.dice.random() < UNDONE:
                self._ruled(place, "restore")
        elif found["stage"] == "ruling" or not asked:
            remedy = "void" if self.dice.random() < VOIDS else self.dice.choice(ORDERED)
            if self._ruled(place, remedy) == "not-offered":
                self._ruled(place, "leave")

    def _ruled(self, place: str, remedy: str) -> str:
        upheld = remedy not in ("leave", "restore")
        words = {"clauses": ["TABLE-RULING-4"], "reason": "So it is written."}
        return self._asked("host", f"{place}/rulings", {"upheld": upheld, "remedy": remedy, **words})

    def _asked(self, who: int | str, path: str, body: dict[str, Any]) -> str:
        status, slug, answer = self.asks.write(who, path, body)
        late = ("closed", "overtaken", "no-say", "not-offered", "last-court", "out-of-time", "stale-version")
        assert status == 201 or slug in (*late, "match-over"), answer
        return slug
