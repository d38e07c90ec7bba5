"""Quarrels over HTTP: disputes are opened, attested, voted on, appealed, withdrawn and ruled; moves are taken back or
let stand against the rules; reports are corrected and witnessed. Each write has a key.

Which of it happens is decided by chance; in the end everything is settled, for the host has the last word.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Protocol

MOST = 6  # disputes in a match: each may take back what was played, and the match is to come to its end
BACK = 8  # entries, so far back a dispute may lie
CLAIMS = ("other", "other", "missed_effect", "misreported", "wrong_count", "illegal_move")
ORDERED = ("leave", "partial_fix", "partial_fix", "fix", "fix", "rewind")  # what a host orders; `fix`: by hand
NO_TAKEBACK = (
    *("nothing-to-take-back", "takeback-barred", "takeback-closed", "takeback-overtaken", "in-dispute", "not-running"),
    *("overtaken", "stale-version", "match-over", "witness-awaited"),
)
NO_REPORT = (
    *("not-a-report", "no-such-entry", "not-your-report", "out-of-time", "built-upon", "all-shown", "corrects-more"),
    *("illegal-move", "in-dispute", "match-over", "own-report", "no-say", "said-already", "dispute-open"),
)
NO_DEVIATION = (
    *("move-legal", "position-impossible", "in-dispute", "witness-awaited", "not-running", "match-over", "closed"),
    *("overtaken", "no-say", "stale-version"),
)
ROLLED = "chance.rolled"
APPEALS = 0.1  # the chance that a ruling is appealed against
VOIDS = 0.07


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
    voted: list[int] = field(default_factory=list)  # disputes in which the table chose a remedy

    def begin(self, version: int) -> bool:
        """Disputes one of the last entries, if it can be disputed; whether it was. Of dice that people reported it is
        said how they should have been read."""
        if self.opened >= MOST:
            return False
        who: int | str = self.dice.choice(self.seats) if self.seats else "host"
        rolls = self._rolls(version)
        if rolls and self.dice.random() < 0.7:
            about, move = self.dice.choice(rolls)
            said = {"about": about, "claim": "misreported", "move": misread(move)}
        else:
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

    def _rolls(self, version: int) -> list[tuple[int, dict[str, Any]]]:
        """The reports of dice among the last entries."""
        told = self.asks.read("host", f"events?after={max(0, version - BACK)}")["items"]
        reports = [each for each in told if each["actor"]["kind"] == "reporter" and each["move"]]
        return [(each["version"], each["move"]) for each in reports if each["move"]["type"] == ROLLED]

    def correct(self, version: int, seat: int) -> None:
        """Whoever has just reported dice reads them once more."""
        for about, move in self._rolls(version)[-1:]:
            status, slug, answer = self.asks.write(seat, f"events/{about}/corrections", {"move": misread(move)})
            assert status == 201 or slug in NO_REPORT, answer

    def witness(self, report: int, asked: list[int]) -> None:
        """One who is asked confirms a report, or contradicts it."""
        seat = self.dice.choice(asked)
        said = {"holds": self.dice.random() < 0.8}
        status, slug, answer = self.asks.write(seat, f"events/{report}/attestations", said)
        assert status == 201 or slug in NO_REPORT, answer

    def deviate(self) -> None:
        """The host says that somebody has made a move against the rules, and the others say what they think of it."""
        if self.opened >= MOST or not self.seats:
            return
        self.opened += 1
        seat = self.dice.choice(self.seats)
        listed = self.asks.read(seat, f"seats/{seat}/moves?near=20")
        misses = [each["move"] for each in (*listed["near"], *listed["legal"])]
        if not misses:
            return
        said = {"seat": seat, "move": self.dice.choice(misses), "clauses": ["TABLE-DEVIATION-1"], "reason": "It was."}
        fix = self._by_hand()
        if fix and self.dice.random() < 0.7:
            said["fix"] = fix
        status, slug, answer = self.asks.write("host", "deviations", said)
        assert status == 201 or slug in NO_DEVIATION or status == 422, answer
        if status != 201:
            return
        number = answer["deviation"]["deviation"]
        for asked in answer["deviation"]["asks"]:
            path, say = f"deviations/{number}/consents", {"grant": self.dice.random() < 0.9}
            status, slug, answer = self.asks.write(asked, path, say)
            assert status == 201 or slug in NO_DEVIATION, answer

    def _by_hand(self) -> list[dict[str, Any]]:
        """Something to put right by hand, in which nothing hidden is touched; nothing where the game has no such."""
        table = self.asks.read("host", "view")["table"] or {}
        if "hearts" in table:
            return [{"set": "/hearts/0", "to": self.dice.choice([1, 2, 3])}]
        if "points" in table:
            return [{"set": "/points", "to": self.dice.choice([1, 2, 3])}]
        return []

    def undo(self) -> bool:
        """The host undoes what the table has voted for, if it can be; whether there was anything."""
        if not self.voted:
            return False
        place, words = f"disputes/{self.voted.pop()}", {"clauses": ["TABLE-REMEDY-5"], "reason": "It was right before."}
        self._asked("host", f"{place}/rulings", {"upheld": False, "remedy": "restore", **words})
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
            if "partial_fix" in offered and self.dice.random() < 0.7:
                wanted = "partial_fix"
            self._asked(self.dice.choice(asked), f"{place}/votes", {"remedy": wanted})
            self.voted += [] if number in self.voted or wanted == "leave" else [number]
        elif found["stage"] == "ruling" or not asked:
            remedy = "void" if self.dice.random() < VOIDS else self.dice.choice(ORDERED)
            if self._ruled(place, remedy) in ("not-offered", "position-impossible", "invalid-input"):
                self._ruled(place, "leave")

    def _ruled(self, place: str, remedy: str) -> str:
        said: dict[str, Any] = {"clauses": ["TABLE-RULING-4"], "reason": "So it is written."}
        if remedy == "fix":
            said["fix"] = self._by_hand() or [{"turn": self.seats[0] if self.seats else 0}]
            remedy = "partial_fix"
        return self._asked("host", f"{place}/rulings", {"upheld": remedy != "leave", "remedy": remedy, **said})

    def _asked(self, who: int | str, path: str, body: dict[str, Any]) -> str:
        status, slug, answer = self.asks.write(who, path, body)
        late = ("closed", "overtaken", "no-say", "not-offered", "last-court", "out-of-time", "stale-version")
        late = (*late, "match-over") if body.get("remedy") == "restore" else late
        by_hand = ("position-impossible", "invalid-input") if "fix" in body else ()
        assert status == 201 or slug in (*late, *by_hand), answer
        return slug


def misread(move: dict[str, Any]) -> dict[str, Any]:
    """Dice as they might have been read instead."""
    return {"type": ROLLED, "values": [7 - value for value in move["values"]]}
