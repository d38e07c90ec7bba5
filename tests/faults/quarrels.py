"""Quarrels over HTTP: disputes are opened, attested, voted on, appealed, withdrawn and ruled; moves are taken back or
let stand against the rules; reports are corrected and witnessed. Each write has a key.

Which of it happens is decided by chance; in the end everything is settled, for the host has the last word.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Protocol

REMEDIES = {  # what has to have happened for a run to have tried every kind of it, and by which fact it is known
    "put right and judged again": "table.MadeAgain",
    "put right by hand": "table.Corrected",
    "gone back": "remedy rewind",
    "voided": "table.Voided",
    "undone": "table.Restored",
    "taken back": "table.TakebackGranted",
    "let stand against the rules": "table.Deviated",
    "report corrected": "table.ReportCorrected",
    "report witnessed": "table.Witnessed",
}
MOST = 6  # disputes in a match: each may take back what was played, and the match is to come to its end
BACK = 8  # entries, so far back a dispute may lie
CLAIMS = ("other", "other", "missed_effect", "misreported", "wrong_count", "illegal_move")
# what somebody sets out for; the rest of them comes with the reports of real dice, and with the end of a quarrel
AIMS = ("put right and judged again", "put right by hand", "gone back", "undone", "taken back",
        "let stand against the rules", "whatever comes of it")  # fmt: skip
ORDERS = {"put right and judged again": "partial_fix", "put right by hand": "fix", "gone back": "rewind",
          "voided": "void"}  # fmt: skip
ORDERED = ("leave", "partial_fix", "partial_fix", "fix", "fix", "rewind")  # what a host orders; `fix`: by hand
CARRIED = ("partial_fix", "rewind", "void")  # what changes something
LATE = (
    "closed",
    "proved",
    "undo-first",
    "overtaken",
    "no-say",
    "not-offered",
    "last-court",
    "out-of-time",
    "stale-version",
)
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
SILENT = 0.1  # the chance that after the first vote nobody votes, until the time is up and whoever looks ends it


def kinds_of(events: list[dict[str, Any]]) -> set[str]:
    """The kinds of remedy among these events, by their names in `REMEDIES`."""
    told = {str(event["type"]) for event in events} | {f"remedy {event['remedy']}" for event in ruled(events)}
    return {name for name, fact in REMEDIES.items() if fact in told}


def ruled(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rulings among these events."""
    return [event for event in events if event["type"] == "table.RulingIssued" and event["remedy"]]


class Asks(Protocol):
    """Whoever writes: `write(who, path, body)` is the status, the slug of the problem and the answer, once there is
    one; `read(seat, path)` is what a seat is shown. A seat's number, or `host`."""

    def write(self, who: int | str, path: str, body: dict[str, Any]) -> tuple[int, str, dict[str, Any]]: ...
    def read(self, who: int | str, path: str) -> dict[str, Any]: ...


@dataclass
class Quarrels:
    """The disputes of one match, between the seats of people and its host. `had`: how often each kind of remedy has
    happened in all matches; what was seldom is set out for more often."""

    asks: Asks
    seats: tuple[int, ...]
    dice: random.Random
    had: Counter[str] = field(default_factory=Counter)
    most: int = MOST
    opened: int = 0
    contradicted: bool = False  # whether a witness contradicted a report, for which the server opens a dispute
    carried: list[int] = field(default_factory=list)  # disputes in which the table has chosen what was done
    aims: dict[int, str] = field(default_factory=dict)  # what a dispute was opened for
    silent: set[int] = field(default_factory=set)

    def one(self, version: int) -> bool:
        """Somebody quarrels once more; whether he could."""
        aim = self.dice.choices(AIMS, [(1 + self.had[aim]) ** -2 if aim in REMEDIES else 0.1 for aim in AIMS])[0]
        if self.carried and self.dice.random() < 0.7:
            return self.undo()
        if aim == "taken back":
            return self.take_back(version)
        return self.deviate() if aim == "let stand against the rules" else self.begin(version, aim)

    def end(self, version: int) -> bool:
        """The host voids the match, for a dispute that somebody opens for it; whether one could."""
        self.most = max(self.most, self.opened + 1)
        return self.begin(version, "voided")

    def begin(self, version: int, aim: str = "whatever comes of it") -> bool:
        """Disputes one of the last entries, if it can be disputed; whether it was. Of dice that people reported it is
        said how they should have been read."""
        if self.opened >= self.most:
            return False
        who: int | str = self.dice.choice(self.seats) if self.seats else "host"
        rolls = self._rolls(version)
        aim = "put right by hand" if aim.endswith("again") and not rolls else aim
        if rolls and (aim.endswith("again") or self.dice.random() < 0.5):
            about, move = rolls[0] if aim.endswith("again") else self.dice.choice(rolls)
            said = {"about": about, "claim": "misreported", "move": misread(move)}
        else:
            played = [each["version"] for each in self._last(version) if each["move"]] or [version]
            claim = self.dice.choice(CLAIMS) if aim.startswith("whatever") else "other"
            about = played[-1] if aim == "undone" else self.dice.choice(played)  # a table goes back across little alone
            said = {"about": about, "claim": claim, "statement": "It was not so."}
        status, slug, answer = self.asks.write(who, "disputes", said)
        if status == 409:
            assert slug in ("no-such-entry", "dispute-open", "match-over", "not-running", "overtaken"), answer
            return False
        assert status == 201, answer
        self.opened += 1
        found = answer["dispute"]
        number, place = found["dispute"], f"disputes/{found['dispute']}"
        self.aims[number] = aim
        self.silent |= {number} if self.dice.random() < SILENT else set()
        if found["stage"] == "ruled" and isinstance(who, int) and self.dice.random() < APPEALS:
            ground = {"clause": "TABLE-REMEDY-1", "grounds": "It rests on nothing."}
            self._asked(who, f"{place}/appeals", ground)
        elif aim == "voided" or (found["stage"] == "ruled" and aim in ORDERS):
            self._ordered(place, ORDERS[aim])
        return True

    def _last(self, version: int) -> list[dict[str, Any]]:
        """The last entries of play."""
        told = self.asks.read("host", f"entries?after={max(0, version - BACK)}")["items"]
        return [each for each in told if isinstance(each["seat"], int) or each["seat"] == "chance"]

    def _rolls(self, version: int) -> list[tuple[int, dict[str, Any]]]:
        """The reports of dice among the last entries."""
        reports = [each for each in self._last(version) if each["actor"]["kind"] == "reporter" and each["move"]]
        return [(each["version"], each["move"]) for each in reports if each["move"]["type"] == ROLLED]

    def correct(self, version: int, seat: int) -> None:
        """Whoever has just reported dice reads them once more."""
        for about, move in self._rolls(version)[-1:]:
            status, slug, answer = self.asks.write(seat, f"entries/{about}/corrections", {"move": misread(move)})
            assert status == 201 or slug in NO_REPORT, answer

    def witness(self, report: int, asked: list[int]) -> None:
        """One who is asked confirms a report, or contradicts it."""
        seat = self.dice.choice(asked)
        said = {"holds": self.dice.random() < 0.8}
        status, slug, answer = self.asks.write(seat, f"entries/{report}/attestations", said)
        assert status == 201 or slug in NO_REPORT, answer
        self.contradicted |= not said["holds"]

    def deviate(self) -> bool:
        """The host says that somebody has made a move against the rules, and the others say what they think of it;
        whether there was such a move."""
        if self.opened >= self.most or not self.seats:
            return False
        self.opened += 1
        seat = self.dice.choice(self.seats)
        listed = self.asks.read(seat, f"seats/{seat}/moves?near=20&whole=true")
        wrong = listed["near"] if self.dice.random() < 0.9 else listed["legal"]
        misses = [each["move"] for each in wrong]
        if not misses:
            return False
        said = {"seat": seat, "move": self.dice.choice(misses), "clauses": ["TABLE-DEVIATION-1"], "reason": "It was."}
        if self.dice.random() < 0.7:
            said["fix"] = self._by_hand()
        status, slug, answer = self.asks.write("host", "deviations", said)
        assert status == 201 or slug in NO_DEVIATION or status == 422, answer
        if status != 201:
            return False
        number = answer["deviation"]["deviation"]
        for asked in answer["deviation"]["asks"]:
            path, say = f"deviations/{number}/consents", {"grant": self.dice.random() < 0.9}
            status, slug, answer = self.asks.write(asked, path, say)
            assert status == 201 or slug in NO_DEVIATION, answer
        return True

    def _by_hand(self) -> list[dict[str, Any]]:
        """Something to put right by hand, in which nothing hidden is touched; it may come to no possible table."""
        table = self.asks.read("host", "view")["table"] or {}
        values = [name for name in ("hearts", "points") if name in table]
        if values and self.dice.random() < 0.7:
            place = "/hearts/0" if values[0] == "hearts" else "/points"
            return [{"set": place, "to": self.dice.choice([1, 2, 3])}]
        return [{"turn": self.dice.choice(self.seats or (0,))}]

    def undo(self) -> bool:
        """The host undoes what the table has voted for, if it can be; whether there was anything."""
        if not self.carried:
            return False
        words = {"clauses": ["TABLE-REMEDY-5"], "reason": "It was right before."}
        undone = {"upheld": False, "remedy": "restore", **words}
        self._asked("host", f"disputes/{self.carried.pop()}/rulings", undone)
        return True

    def take_back(self, version: int) -> bool:
        """A seat asks to take back one of its last moves and all since, and the others say what they think of it;
        whether there was such a move."""
        own = [each for each in self._last(version) if each["seat"] in self.seats]
        if self.opened >= self.most or not own:
            return False
        self.opened += 1
        back = self.dice.choice(own)
        who = back["seat"]
        status, slug, answer = self.asks.write(who, "takebacks", {"to": back["version"] - 1})
        assert status == 201 or slug in NO_TAKEBACK, answer
        if status != 201:
            return False
        number, others = answer["entry"]["version"], [seat for seat in self.seats if seat != who]
        for seat in others:
            said = {"grant": self.dice.random() < 0.9}
            status, slug, answer = self.asks.write(seat, f"takebacks/{number}/consents", said)
            assert status == 201 or slug in NO_TAKEBACK, answer
        return True

    def go_on(self, number: int) -> bool:
        """Somebody says what he is asked for in an open dispute, or the host ends it; False where all keep silent."""
        found = self.asks.read("host", f"disputes/{number}")
        place = f"disputes/{number}"
        asked = [seat for seat in found["asks"] if seat in self.seats]
        aim = self.aims.get(number, "")
        if self.dice.random() < 0.05 and isinstance(found["by"], int) and found["by"] in self.seats:
            self._asked(found["by"], f"{place}/withdrawal", {})
        elif aim in ORDERS and self.dice.random() < 0.6:  # the host need not wait for the table
            self._ordered(place, ORDERS[aim])
        elif found["stage"] == "attesting" and asked:
            holds = self.dice.random() < (0.95 if aim == "undone" else 0.8)
            self._asked(self.dice.choice(asked), f"{place}/attestations", {"holds": holds})
        elif found["stage"] == "voting" and asked:
            if found["votes"] and number in self.silent:
                return False
            self._vote(number, [rung["remedy"] for rung in found["remedies"] if rung["offered"]], asked)
        elif found["stage"] == "ruling" or not asked:
            self._ordered(place, "void" if self.dice.random() < VOIDS else self.dice.choice(ORDERED))
        return True

    def _vote(self, number: int, offered: list[str], asked: list[int]) -> None:
        undoing = self.aims.get(number) == "undone"
        milder = [name for name in offered if name != "void"]
        wanted = self.dice.choice(offered if self.dice.random() < VOIDS or undoing else milder)
        if changing := [name for name in offered if name in CARRIED and undoing]:
            wanted = changing[0]
        elif "partial_fix" in offered and self.dice.random() < 0.7:
            wanted = "partial_fix"
        said = {"remedy": wanted}
        status, slug, answer = self.asks.write(self.dice.choice(asked), f"disputes/{number}/votes", said)
        assert status == 201 or slug in LATE, answer
        if status == 201 and any(ruling["remedy"] in CARRIED for ruling in ruled(answer["entry"]["events"])):
            self.carried.append(number)

    def _ordered(self, place: str, remedy: str) -> None:
        """The host orders it; where that cannot be, he tries once more by hand, and then lets stand what is there."""
        for tried in (remedy, *(("fix", "fix") if remedy in ("fix", "partial_fix") else ()), "leave"):
            if self._ruled(place, tried) not in ("not-offered", "position-impossible", "invalid-input"):
                return

    def _ruled(self, place: str, remedy: str) -> str:
        said: dict[str, Any] = {"clauses": ["TABLE-RULING-4"], "reason": "So it is written.", "confirm": True}
        if remedy == "fix":
            said["fix"] = self._by_hand()
            remedy = "partial_fix"
        return self._asked("host", f"{place}/rulings", {"upheld": remedy != "leave", "remedy": remedy, **said})

    def _asked(self, who: int | str, path: str, body: dict[str, Any]) -> str:
        status, slug, answer = self.asks.write(who, path, body)
        late = (*LATE, "match-over") if body.get("remedy") == "restore" else LATE
        by_hand = ("position-impossible", "invalid-input") if "fix" in body else ()
        assert status == 201 or slug in (*late, *by_hand), answer
        return slug


def misread(move: dict[str, Any]) -> dict[str, Any]:
    """Dice as they might have been read instead: the first of them by a pip, so that much of what followed can stay."""
    first, *rest = move["values"]
    return {"type": ROLLED, "values": [first - 1 if first > 1 else 2, *rest]}
