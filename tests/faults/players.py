"""Players over HTTP who never give up: each write has a key, and is asked again under it until there is an answer.

What was acknowledged to them is noted, to be looked for in the log afterwards.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.faults.acknowledged import GIVE_UP, Acknowledged, Ledger, Line, Stuck
from tests.faults.between import Address
from tests.faults.quarrels import MOST, Quarrels, kinds_of

WAIT = 0.1  # seconds between looks at a match in which others are awaited: looking costs the program more than killing
CORRECTS = 0.15  # the chance that a report is corrected at once
CHANGING = ("consents", "attestations", "corrections", "takebacks", "deviations")  # what may carry something out
VERSIONED = ("/rulings", "takebacks", "deviations")  # writes that name the version they are made at
LONG = 10.0  # seconds of standstill that are told of
# somebody else moved meanwhile
LOOKED_AGAIN = ("overtaken", "stale-version", "illegal-move", "not-running", "witness-awaited")


def bound(seed: bytes) -> str:
    """What binds a seat to a seed."""
    return hashlib.sha256(b"referee/v1/seed|" + seed).hexdigest()


@dataclass
class Match:
    """A match and those who play it over HTTP; seats of bots are left to the workers."""

    address: Address
    ledger: Ledger
    ask: dict[str, Any]
    seed: str
    dreaming: float = 0.0  # the chance that a player lets the clock answer in his place
    quarrelsome: float = 0.0  # the chance at each move that somebody disputes what was played; after the end more
    quarrels: int = MOST  # how often at most
    voided: bool = False  # whether the host voids it after so many quarrels, or once there is to be an end
    closing: threading.Event = field(default_factory=threading.Event)  # there is to be an end
    id: str = ""
    host: str = ""
    seats: dict[int, str] = field(default_factory=dict)  # seat -> token
    mine: list[tuple[str, dict[str, Any], Acknowledged]] = field(default_factory=list)
    patience: float = GIVE_UP

    def __post_init__(self) -> None:
        self.line = Line(self.address, self.ledger)
        self.dice = random.Random(self.seed)

    def _key(self) -> str:
        return f"{self.dice.getrandbits(128):032x}"

    def _must(self, answer: tuple[int, dict[str, Any], Any], status: int) -> dict[str, Any]:
        if answer[0] != status:
            raise Stuck(f"{self.id} {self.ask['game']}: {answer[0]} {json.dumps(answer[1])[:600]}")
        return answer[1]

    def begin(self) -> None:
        """Opens the match, sits down on every seat that is no bot's, and starts it."""
        key, began = self._key(), time.monotonic()
        opened = self._must(self.line.ask("POST", "/v1/matches", {"host_plays": False, **self.ask}, key=key), 201)
        self.id, host = opened["match"], opened["token"]
        self.host = host
        place = f"/v1/matches/{self.id}"
        with self.ledger.lock:
            self.ledger.opened[self.id] = self.ask
        self.ledger.note(Acknowledged(self.id, f"open:{key}", opened["version"], opened, place, host), began)
        for invitation in opened["invitations"]:
            key, began = self._key(), time.monotonic()
            seat = int(invitation["role"].removeprefix("seat:"))
            body = {"code": invitation["code"], **({"seed_commitment": bound(self._seed(seat))} if self.seeded else {})}
            joined = self._must(self.line.ask("POST", "/v1/join", body, key=key), 201)
            assert joined["seats"] == [seat]
            self.seats[seat] = joined["token"]
            self.ledger.note(
                Acknowledged(self.id, f"join:{key}", joined["version"], joined, place, joined["token"]), began
            )
        shown = [self._reveal(seat, token) for seat, token in sorted(self.seats.items())] if self.seeded else []
        key, began = self._key(), time.monotonic()
        version = f'"v{1 + len(opened["invitations"]) + len(shown)}"'
        started = self._must(self.line.ask("POST", f"{place}/start", {}, key=key, token=host, if_match=version), 201)
        self.ledger.note(Acknowledged(self.id, f"host:{key}", started["entry"]["version"], started, place, host), began)

    @property
    def seeded(self) -> bool:
        """Whether the seats of this match add to the draws: those of every other one."""
        return hashlib.sha256(self.seed.encode()).digest()[0] % 2 == 0

    def _seed(self, seat: int) -> bytes:
        return hashlib.sha256(f"{self.seed} seed {seat}".encode()).digest()

    def _reveal(self, seat: int, token: str) -> int:
        """A seat reveals its seed; the version of that."""
        place, began = f"/v1/matches/{self.id}/seats/{seat}", time.monotonic()
        key = hashlib.sha256(f"{self.seed} key {seat}".encode()).hexdigest()[:32]
        said = self.line.ask("PUT", f"{place}/seed", {"reveal": self._seed(seat).hex()}, key=key, token=token)
        told = self._must(said, 200)
        self.ledger.note(Acknowledged(self.id, f"seat{seat}:{key}", told["version"], told, place, token), began)
        return int(told["version"])

    def play(self) -> None:
        """Plays until the match is over. Raises Stuck: it does not go on, or an answer came that may not come."""
        moved, seen, stood = time.monotonic(), 0, 0.0
        awaits: list[Any] = []
        quarrels = Quarrels(self, tuple(sorted(self.seats)), self.dice, self.ledger.had, self.quarrels)
        while True:
            if not self.seats:
                time.sleep(2 * WAIT)
            about = self._must(self.line.ask("GET", f"/v1/matches/{self.id}"), 200)
            late = about["status"] == "finished" and self.dice.random() < min(0.5, 4 * self.quarrelsome)
            if late and quarrels.begin(about["version"]):
                continue
            if about["status"] == "void" and quarrels.undo():
                continue
            if about["status"] not in ("running", "disputed"):
                may_be_void = quarrels.opened or quarrels.contradicted
                if about["status"] != "finished" and not (may_be_void and about["status"] == "void"):
                    raise Stuck(f"{self.id} is {about['status']}")
                with self.ledger.lock:
                    self.ledger.finished[self.id] = about["version"]
                    self.ledger.stood.append(stood)
                return
            if about["version"] != seen:
                stood = max(stood, still := time.monotonic() - moved)
                if still > LONG:
                    kinds = [seat["kind"] for seat in self.ask["seats"]]
                    self.ledger.stills.append(f"{still:.1f} s: {self.ask['game']} {kinds} at {seen} awaiting {awaits}")
                moved, seen = time.monotonic(), about["version"]
                awaits = about["awaits"]
            elif time.monotonic() - moved > self.patience:
                raise Stuck(f"{self.id} {self.ask} stands at {seen}, awaiting {about['awaits']}, for {self.patience} s")
            if about["disputes"] and (not about["awaits"] or self.dice.random() < 0.5):
                if not quarrels.go_on(about["disputes"][0]):
                    time.sleep(WAIT)
                continue
            if about["witness"] is not None:  # often enough somebody says so, else the time passes
                asked = [seat for seat in about["witness"]["asks"] if seat in self.seats]
                if asked and self.dice.random() < 0.7:
                    quarrels.witness(about["witness"]["report"], asked)
                else:
                    time.sleep(WAIT)
                continue
            if about["status"] == "running" and self.dice.random() < self.quarrelsome:
                over = self.closing.is_set() or quarrels.opened >= quarrels.most
                if quarrels.end(about["version"]) if self.voided and over else quarrels.one(about["version"]):
                    continue
            if "chance" in about["awaits"] and self.seats and "table" in about["chance"].values():
                seat = self.dice.choice(sorted(self.seats))
                if self._move(seat, "chance") and self.dice.random() < CORRECTS:
                    quarrels.correct(about["version"] + 1, seat)
                continue
            mine = [seat for seat in self.seats if seat in about["awaits"]]
            if not mine:
                time.sleep(WAIT)
                continue
            if "clock" in about["awaits"] and self.dice.random() < self.dreaming:
                time.sleep(self.dice.uniform(0.3, 1.6))
                continue
            self._move(self.dice.choice(mine))

    def _move(self, seat: int, mover: str = "") -> bool:
        """A seat moves, or says what `chance` has shown; whether it did."""
        place, token = f"/v1/matches/{self.id}/seats/{mover or seat}", self.seats[seat]
        listing = self._must(self.line.ask("GET", f"{place}/moves?near=0&whole=true", token=token), 200)
        if not listing["legal"]:
            return False  # the match went on since it was looked at
        kinds = sorted({way["move"]["type"] for way in listing["legal"]})
        stays = [kind for kind in kinds if not kind.endswith(".leave")]  # or most matches would be over at once
        kind = self.dice.choice(stays or kinds)
        move = self.dice.choice([way["move"] for way in listing["legal"] if way["move"]["type"] == kind])
        key, began = self._key(), time.monotonic()
        body = {"move": move, "seen": listing["version"]}
        status, answer, _ = self.line.ask("POST", f"{place}/moves", body, key=key, token=token)
        if status == 409 and answer["type"].rpartition("/")[2] in (*LOOKED_AGAIN, "match-over", "in-dispute"):
            return False
        made = self._must((status, answer, None), 201)
        scope = f"report{seat}" if mover else f"seat{seat}"
        write = Acknowledged(self.id, f"{scope}:{key}", made["entry"]["version"], made, place, token)
        self.ledger.note(write, began)
        self.mine.append((key, body, write))
        if self.dice.random() < 0.05:
            self._repeat()
        return True

    def write(self, who: int | str, path: str, body: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
        """Something that a seat or the host asks of a court: the status, the slug of the problem, the answer."""
        place, token = f"/v1/matches/{self.id}", self.host if who == "host" else self.seats[int(who)]
        key, began, any_version = self._key(), time.monotonic(), "*" if path.endswith(VERSIONED) else ""
        if path.endswith(CHANGING) or body.get("remedy", "leave") != "leave":
            self.ledger.amid.set()
        asked = self.line.ask("POST", f"{place}/{path}", body, key=key, token=token, if_match=any_version)
        self.ledger.amid.clear()
        status, answer, _ = asked
        slug = "" if status == 201 else answer.get("type", "").rpartition("/")[2]
        what = re.sub(r"/\d+", "", path) + (f" {body['remedy']}" if "remedy" in body else "")
        with self.ledger.lock:
            self.ledger.courts[f"{what}: {slug or 'done'}"] += 1
            if not slug and (kinds := kinds_of(answer["entry"]["events"])):
                self.ledger.had.update(kinds)
                self.ledger.remedies.append((began, time.monotonic(), kinds))
        if slug:
            return status, slug, answer
        viewer = place if who == "host" else f"{place}/seats/{who}"
        scope = "host" if who == "host" else f"seat{who}"
        if path.startswith(("entries", "deviations")):
            scope = f"reports-{scope}"
        self.ledger.note(
            Acknowledged(self.id, f"{scope}:{key}", answer["entry"]["version"], answer, viewer, token), began
        )
        return status, "", answer

    def read(self, who: int | str, path: str) -> dict[str, Any]:
        """What a seat or the host is shown."""
        token = self.host if who == "host" else self.seats[int(who)]
        return self._must(self.line.ask("GET", f"/v1/matches/{self.id}/{path}", token=token), 200)

    def _repeat(self) -> None:
        """Asks again what was answered before: it must be the same answer, and told to be a repeated one."""
        key, body, write = self.dice.choice(self.mine)
        status, answer, headers = self.line.ask("POST", f"{write.viewer}/moves", body, key=key, token=write.token)
        same = {"entry", "receipt"}
        if write.body["awaits"] != ["chance"]:  # else it was answered before all was drawn: more has followed since
            same |= {"followed", "version"}
        begun = answer["followed"][: len(write.body["followed"])] == write.body["followed"]
        if status != 201 or not begun or any(answer[part] != write.body[part] for part in same):
            raise Stuck(f"{self.id}: what was {write.body} is now {status} {answer}")
        if headers["Idempotency-Replayed"] != "true":
            raise Stuck(f"{self.id}: {key} was done anew")
        self.ledger.repeated += 1


class Table(threading.Thread):
    """Matches one after the other, from a list that never ends, until told to begin no more."""

    def __init__(self, name: str, make: Callable[[int], Match], ledger: Ledger) -> None:
        super().__init__(name=name, daemon=True)
        self._make, self._ledger = make, ledger
        self.closing = threading.Event()

    def run(self) -> None:
        number = 0
        try:
            while not self.closing.is_set():
                match = self._make(number)
                match.closing = self.closing
                match.begin()
                match.play()
                match.line.hang_up()
                number += 1
        except Exception as wrong:  # a thread has nobody to raise to
            self._ledger.wrong.append(f"{self.name}: {type(wrong).__name__}: {wrong}")
