"""Matches are played over the whole program while it is killed part by part; what was acknowledged must be there.

A seed decides which matches there are, what each player does, what is killed when, and what else goes wrong. A run goes
through lives of the program: each ends with the death of everything but its servers; of those too where power fails.
"""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path
from typing import Any

from referee.games import load_games
from tests.eventstore.servers import binaries
from tests.faults import checks
from tests.faults.acknowledged import GIVE_UP, Ledger
from tests.faults.between import Address, BeforeStore, Between
from tests.faults.figures import Figures, in_the_middle
from tests.faults.players import Match, Table
from tests.faults.program import Program
from tests.faults.shim import Shim, compiler
from tests.infrastructure.machine import lives

# what is killed in one life, the program as a whole apart: cheap deaths often, dear ones seldom
DECK = ("api", "horse") * 16 + ("drain", "bots", "gunicorn", "store") * 3 + ("sweeper",) * 4 + ("queue", "webhooks") * 2
WINDOW_MS = 1000  # the least that a clock can be set to
ANSWER_MS = 5000  # the least time that a court can give
LOSING = {"api": 0.04, "store": 0.003}  # the share of replies that are lost
CORRECTED = {"correct_ms": 60_000}  # a program that is killed is slow to take a correction
SKEW_MS = 3 * 3600 * 1000
PATIENT = 0.8  # the share of kills before which the one before is recovered from; the others come on its heels
AIMED = 0.6  # the share of kills that wait for somebody to ask for a remedy, if that comes soon
AMID = 0.1  # seconds after that at most: a remedy takes about as long
CORE = frozenset({"api", "gunicorn", "store", "drain", "sweeper"})  # what a remedy goes through
QUARRELLING, THEN_TOO = {0}, {1, 2}  # tables at which there is nothing but quarrel; and those where later on there is
IDLE = 15.0  # seconds
LATE = 0.6  # from this share of the kills on, only short matches are opened
BACK_WITHIN = 45.0  # a part that died is there again: the longest pause of the supervisor, and its start


BRIEF: dict[str, dict[str, Any]] = {"munchkin": {"max_turns": 10}}  # by chance it comes to no end sooner


def wanted() -> list[dict[str, Any]]:
    """What the tables play in turn: every registered game and variant by people, by bots, and mixed."""
    found: list[dict[str, Any]] = []
    for name, game in load_games().items():
        clock = {"window_ms": WINDOW_MS} if "window_ms" in game.settings.get("properties", {}) else {}
        for variant in game.variants:
            for kinds in (("human",), ("bot",), ("human", "bot")):
                seats = [{"kind": kinds[seat % len(kinds)]} for seat in range(game.min_seats)]
                settings = {**BRIEF.get(name, {}), **(clock if "human" in kinds else {})}
                ask = {"game": name, "variant": variant, "seats": seats, "settings": settings, "visibility": "public"}
                bounds = {"disputes_an_hour": 1000, "takebacks_an_hour": 1000, "open_disputes": 100}  # it asks far more
                courts = {"answer_ms": ANSWER_MS, "play_on": len(found) % 3 == 0, **bounds}
                found.append({**ask, "courts": courts})
                if "dice" in game.devices and kinds == ("human",):  # real dice, which people read, and read wrongly
                    for witness in (False, True):
                        real = {"chance": {"dice": "table"}, "courts": {**courts, "witness": witness, **CORRECTED}}
                        found.append({**ask, **real})
    return found


class Campaign:
    """A run: a folder, a seed, and how many kills."""

    def __init__(self, folder: Path, seed: int, kills: int, tables: int = 4, gap: float = 0.4) -> None:
        self.seed, self.kills, self.gap = seed, kills, gap
        self.dice = random.Random(f"{seed}:faults")
        self.figures, self.ledger = Figures(), Ledger()
        self.shim = Shim(folder) if compiler() else None
        variables = {}
        if self.shim is not None:
            binary = next(iter(binaries().values()))
            variables = self.shim.variables() | {"REFEREE_STORE_SERVER": str(self.shim.server(binary))}
        self.program = Program(folder / "d", variables)
        self.between = Between(lambda: self.program.address, f"{seed}:api", writes=(b"POST",))
        self._aside = folder / "s"  # where the store's own socket lies while somebody stands before it
        self.before_store = BeforeStore(self.program.socket, self._aside, f"{seed}:store")
        asks = wanted()
        self.dice.shuffle(asks)
        self.tables = [Table(f"table {at}", self._maker(at, asks, tables), self.ledger) for at in range(tables)]
        self._killed: list[tuple[float, str, int]] = []  # when, what, and which process

    def _maker(self, at: int, asks: list[dict[str, Any]], tables: int) -> Any:
        people = [ask for ask in asks if all(seat["kind"] == "human" for seat in ask["seats"])]
        quarrels = sorted(people, key=lambda ask: ("chance" not in ask, not ask["courts"].get("witness")))
        quarrels = quarrels[at:] + quarrels[:at]

        def make(number: int) -> Match:
            late = self.figures.kills.total() > LATE * self.kills
            ask = self._shortest() if late else asks[(at + number * tables) % len(asks)]
            address: Address = self.between.address
            seed = f"{self.seed}:{at}:{number}"
            if at in QUARRELLING or (late and at in THEN_TOO):
                ask = quarrels[number % len(quarrels)]
                return Match(address, self.ledger, ask, seed, 0.05, quarrelsome=0.3, quarrels=12, voided=True)
            return Match(address, self.ledger, ask, seed, dreaming=0.15, quarrelsome=0.06)

        return make

    def _shortest(self) -> dict[str, Any]:
        """What has come to its end in the fewest entries so far, so that the run comes to its own."""
        with self.ledger.lock:
            lengths = {self.ledger.finished[match]: match for match in self.ledger.finished}
        return self.ledger.opened[lengths[min(lengths)]] if lengths else wanted()[0]

    # -- the run ---------------------------------------------------------------------------------------------------

    def run(self) -> Figures:
        """Kills as often as was asked for, lets every match come to its end, and checks. AssertionError: it broke."""
        began = time.monotonic()
        try:
            self.program.start()
            self.between.losing = LOSING["api"]
            self.before_store.lose(LOSING["store"])
            for table in self.tables:
                table.start()
            while self.figures.kills.total() < self.kills:
                self._life()
                self._restart()
            if self.shim is not None and not self.figures.full_disks:
                self._fill_disk()  # the one in the deck came while the store was away, or nobody wrote
            self._wind_up()
        except BaseException:
            print(f"seed {self.seed}, after {self.figures.kills.total()} kills: {self.program.words()}")
            raise
        finally:
            self.between.close()
            self.before_store.close()
            self.program.end()
            if self.shim is not None:
                self.shim.close()
        self.figures.seconds = time.monotonic() - began
        return self.figures

    def _sound(self) -> None:
        assert not self.ledger.wrong, f"seed {self.seed}: " + "; ".join(self.ledger.wrong)

    def _life(self) -> None:
        """One life of the program: a deck of deaths at random times, and other mishaps between them."""
        deck = list(DECK)
        self.dice.shuffle(deck)
        mishaps = [self._skew, self._skew, self._fill_disk] if self.shim is not None else []
        for mishap in mishaps:
            deck.insert(self.dice.randrange(len(deck)), mishap)  # type: ignore[arg-type]
        while deck and self.figures.kills.total() < self.kills - 1:
            pause, aimed = self.dice.uniform(0.02, 2 * self.gap), self.dice.random() < AIMED
            if not aimed:
                time.sleep(pause)
            if self.dice.random() < PATIENT:
                self._await_write()
            if hit := aimed and self.ledger.amid.wait(2 * self.gap):
                time.sleep(self.dice.uniform(0.0, AMID))
            self._sound()
            there = self.program.processes()
            kind = next((kind for kind in deck if callable(kind) or there[kind]), None)
            if callable(kind):
                deck.remove(kind)
                kind()
                continue
            if hit:
                kind = next((kind for kind in deck if kind in CORE and there[kind]), kind)
            elif "horse" in deck and there["horse"]:
                kind = "horse"  # whenever there is one: they come and go
            if kind is not None:
                deck.remove(kind)
                self._kill(kind, self.dice.choice(there[kind]))
            elif time.monotonic() > self._killed[-1][0] + IDLE:
                return  # what is left of the deck is not there: no bots play, so there are no horses

    def _await_write(self) -> None:
        """Waits until a write was asked for and acknowledged since the last kill; a kill on the heels of a kill would
        else keep an API that starts slowly from ever answering."""
        since, began = self._killed[-1][0] if self._killed else 0.0, time.monotonic()
        while not any(asked > since for asked, _ in self.ledger.times[-len(self.tables) - 1 :]):
            self._sound()
            assert time.monotonic() < began + GIVE_UP, f"seed {self.seed}: nothing is acknowledged any more"
            time.sleep(0.02)

    def _kill(self, kind: str, pid: int) -> None:
        if self.program.kill(pid):
            self.figures.kills[kind] += 1
            at = time.monotonic()
            self._killed.append((at, kind, pid))
            if kind not in ("horse", "supervisor"):  # a horse comes back with the next job, not before
                threading.Thread(target=self._watch, args=(kind, pid, at), daemon=True).start()

    def _watch(self, kind: str, pid: int, at: float) -> None:
        """Notes how long it takes until as many processes of this kind are there again as there were."""
        supervisor = self.program.process
        many = 2 if kind == "api" else 1
        while time.monotonic() < at + BACK_WITHIN and self.program.process is supervisor:
            if len([other for other in self.program.processes()[kind] if other != pid]) >= many:
                self.figures.again.setdefault(kind, []).append(time.monotonic() - at)
                return
            time.sleep(0.1)

    # -- other mishaps ---------------------------------------------------------------------------------------------

    def _skew(self) -> None:
        """The clocks of API and workers jump by hours, each way."""
        assert self.shim is not None
        self.shim.skew(self.dice.randint(-SKEW_MS, SKEW_MS))
        self.figures.skews += 1

    def _fill_disk(self) -> None:
        """The store's disk is full in the middle of a write, and for a moment after."""
        assert self.shim is not None
        until = time.monotonic() + BACK_WITHIN  # the store may have died a moment ago
        while not (before := self.program.processes()["store"]) and time.monotonic() < until:
            time.sleep(0.02)
        self.shim.room(self.dice.randrange(1, 700))
        until = time.monotonic() + BACK_WITHIN  # a busy machine writes late
        while any(lives(pid) for pid in before) and time.monotonic() < until:
            time.sleep(0.02)
        if before and not any(lives(pid) for pid in before):
            self.figures.full_disks += 1
        time.sleep(self.dice.uniform(0.0, 0.6))
        self.shim.room()

    # -- the end of a life, and of the run ---------------------------------------------------------------------------

    def _restart(self) -> None:
        """Everything dies with its supervisor; where power fails, the servers too, and what was not synced is gone."""
        running = self.program.processes()
        assert running["supervisor"]
        self._kill("supervisor", running["supervisor"][0])
        if self.shim is not None and self.dice.random() < 0.5:
            for pid in running["store"] + running["queue"]:
                self.program.kill(pid)
            until = time.monotonic() + 15.0  # a busy machine writes late
            while any(lives(pid) for pid in running["store"]) and time.monotonic() < until:
                time.sleep(0.01)
            self.figures.torn_bytes += self.shim.cut_power(self.program.data / "store")
            self.figures.power_cuts += 1
        left = self.kills - self.figures.kills.total()
        if left and self.dice.random() < 0.3:  # and once more while it is starting
            self.program.begin()
            time.sleep(self.dice.uniform(0.1, 2.5))
            assert self.program.process is not None
            self._kill("supervisor", self.program.process.pid)
        self.program.start()
        self._check_writes()

    def _wind_up(self) -> None:
        for table in self.tables:
            table.closing.set()
        self.between.losing = 0.0
        self.before_store.lose(0.0)
        if self.shim is not None:
            self.shim.skew(0)
        for table in self.tables:
            table.join(1200)
            assert not table.is_alive(), f"seed {self.seed}: {table.name} has not come to its end"
        self._sound()
        log = checks.log_at(self.program.socket)
        self.figures.led.append(checks.await_views(log))
        self._check(log)

    def _check_writes(self) -> None:
        """Of every match opened so far: the log is whole, and holds what was acknowledged. Writing may go on."""
        with self.ledger.lock:
            writes, opened = list(self.ledger.writes), list(self.ledger.opened)
        log = checks.log_at(self._aside)
        for match in opened:
            checks.check_whole(log, match)
        lost = checks.check_acknowledged(log, writes, self.program.data / "signing.pem")
        self.figures.lost += len(lost)
        assert not lost, f"seed {self.seed}: lost {lost[:5]}"
        log.client.close()

    def _check(self, log: Any) -> None:
        """Everything, of a program in which nobody plays any more."""
        figures, ledger = self.figures, self.ledger
        found = checks.check_logs(log)
        checks.check_keys(log, found)
        assert set(ledger.opened) == set(found), "a match was opened that nobody knows of, or one is gone"
        self._check_writes()
        checks.check_told(log, ledger.writes, found)
        thinking = {match: ask["settings"].get("window_ms", 0) for match, ask in ledger.opened.items()}
        figures.timed_out += checks.check_clock(log, found, thinking)
        figures.had += ledger.had
        figures.amid += in_the_middle(self._killed, ledger.remedies)
        figures.courts += checks.check_courts(log, found)
        checks.check_views(log)
        figures.acknowledged += len(ledger.writes)
        figures.resent += ledger.resent
        figures.repeated += ledger.repeated
        figures.replies_lost += self.between.lost + self.before_store.lost
        figures.finished += len(ledger.finished)
        figures.stood += ledger.stood
        for still in ledger.stills:
            print(f"stood still for {still}", flush=True)
        assert len(ledger.finished) == len(found), "a match has not come to its end"
        times = sorted(ledger.times)
        for at, kind, _ in self._killed:
            after = [answered for asked, answered in times if asked > at]
            if after:
                figures.back.setdefault(kind, []).append(min(after) - at)
