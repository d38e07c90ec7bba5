"""The proof: a match is played in one world, then in another that one person must not be able to tell from it.

`played` lets everybody sit down, moves at random, and stops at random moments, where the observer asks everything that
can be asked. What he asked and what he got, and who moved in between, is kept as a tape. `proved` finds another course
of that match (worlds.py), winds the tape through it, and compares every answer: status, headers, bytes, the work that
was done for it, and the lines that went to the log. Raises `Leak` at the first difference.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from werkzeug.test import TestResponse

from referee.desk import seeing
from referee.desk.matches import OVER
from referee.games import games
from referee.kernel.codec import encode
from referee.kernel.facts import Move
from referee.kernel.play import awaited, drawn, sampled
from referee.kernel.seats import CHANCE, CLOCK, Seat
from tests.leaks import guessing, recipes
from tests.leaks.recipes import Ask, Here
from tests.leaks.sides import WORK, Side, Sitting, arranged
from tests.leaks.worlds import Course, Leak, Turn, course, lawful, other_course

LATER_MS = 3_600_000  # longer than any limit of time that a sitting sets
CHUNKS = 200  # of a stream that are read at most


@dataclass(frozen=True)
class Got:
    """An answer, whole, and what it took."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    work: dict[str, int]
    lines: tuple[Any, ...]


@dataclass(frozen=True)
class Asked:
    """Something the observer asked, and what he got."""

    ask: Ask
    got: Got


@dataclass(frozen=True)
class Moved:
    """Somebody else moved: `how` as a player, as a bot, or reporting what chance has shown (by seat `by`)."""

    version: int
    seat: Seat
    how: str
    by: int
    move: Move
    watched: Ask | None = None  # a long poll that waits for it
    got: Got | None = None


@dataclass(frozen=True)
class Did:
    """Something that happens alike in both worlds: `drain`, `later`, `start`, `end`, `listen`, `pass 2`."""

    what: str


@dataclass(frozen=True)
class Heard:
    """What the open stream has told up to a version."""

    version: int
    got: tuple[bytes, ...]


@dataclass
class Tape:
    """What was done and said in a world. `own`: the versions that the observer made."""

    sitting: Sitting
    items: list[Any] = field(default_factory=list)
    own: set[int] = field(default_factory=set)
    course: Course | None = None
    stops: list[int] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)


class Room:
    """A world, and the means to act in it."""

    def __init__(self, sitting: Sitting, lines: list[Any], told: Course | None = None) -> None:
        self.side, self.lines, self.course = Side(sitting, told), lines, told
        self.stream: TestResponse | None = None
        self.chunks: Iterator[bytes] = iter(())

    def ask(self, ask: Ask, weighed: bool = True) -> Got:
        """The answer to a request of the observer's."""
        person = self.side.table.anyone if ask.anonymous else self.side.observer
        before, said = WORK.copy(), len(self.lines)
        headers = {"X-Request-Id": "the-same", **ask.headers}
        response = person.ask(ask.method, ask.path, ask.body, **headers)
        if ask.until is not None and response.status_code == 200:
            body, weighed = until(iter(response.response), ask.until), False  # type: ignore[arg-type]
        else:
            body = response.data
        response.close()
        work = {name: count - before[name] for name, count in WORK.items() if count != before[name]}
        lines = tuple(
            {name: value for name, value in line.items() if name != "ms"}
            for line in self.lines[said:]
            if line.get("request_id") == "the-same"
        )
        kept = tuple(sorted(response.headers.items()))
        return Got(response.status_code, kept, body, work if weighed else {}, lines)

    def move(self, item: Moved) -> None:
        """Somebody else moves, as the course of this world has it."""
        move = item.move if self.course is None else self.course.move_at(item.version)
        if item.how == "bot":
            loaded = self.side.loaded()
            shown = seeing.shown(loaded, item.seat)["view_hash"]
            scope, name = f"bot{int(item.seat)}", str(item.version)
            self.side.desk.move(
                self.side.match, item.seat, move, key=name, scope=scope, actor="bot", seen=loaded.version,
                view_hash=shown,
            )  # fmt: skip
            return
        seat = "chance" if item.how == "report" else str(int(item.seat))
        done = self.side.people[item.by].post(
            f"{self.side.table.path}/seats/{seat}/moves",
            {"move": encode(move)},
            Idempotency_Key=f"move-{item.version}",
        )
        if done.status_code != 201:
            raise Leak(f"{move} of seat {item.seat} at {item.version} is granted in one world only: {done.text}")

    def did(self, what: str) -> None:
        """Something that happens alike in both worlds."""
        table = self.side.table
        if what == "drain":
            self.side.drain()
        elif what == "later":
            self.side.log.advance(LATER_MS)
        elif what in ("start", "end"):
            body = {"reason": "abandoned"} if what == "end" else None
            done = table.host.post(f"{table.path}/{what}", body, If_Match="*", Idempotency_Key=f"to-{what}")
            assert done.status_code == 201, done.text
        elif what == "listen":
            held = self.side.sitting.held
            eyes = f"{table.path}/seats/{held[0]}" if held else table.path
            self.stream = self.side.observer.get(f"{eyes}/stream", Last_Event_ID="0")
            self.chunks = iter(self.stream.response)  # type: ignore[arg-type]
        else:
            seat = int(what.removeprefix("pass "))
            kinds = list(games()[self.side.sitting.game].windows)
            done = self.side.people[seat].put(
                f"{table.path}/seats/{seat}/standing-passes",
                {"kinds": kinds, "until": "match"},
                Idempotency_Key=f"passes-of-{seat}",
            )
            assert done.status_code == 200, done.text

    def heard(self, version: int) -> tuple[bytes, ...]:
        """The entries that the open stream tells up to a version; who is there may come sooner or later."""
        return tuple(event for event in until(self.chunks, version).split(b"\n\n") if not event.startswith(b":"))

    def poll(self, ask: Ask, meanwhile: Moved) -> Got:
        """The answer to a long poll during which somebody moves."""
        got: list[Got] = []
        hub = self.side.app.config["HUB"]
        held = hub._held
        thread = threading.Thread(target=lambda: got.append(self.ask(ask, weighed=False)))
        thread.start()
        until_s = time.monotonic() + 10
        while hub._held == held and thread.is_alive() and time.monotonic() < until_s:
            time.sleep(0.001)
        self.move(meanwhile)
        thread.join()
        return got[0]

    def close(self) -> None:
        """Ends what is open."""
        if self.stream is not None:
            self.stream.close()
        self.side.close()


def until(chunks: Iterator[bytes], version: int) -> bytes:
    """A stream up to this version. Who looks on comes sooner or later, as threads have it: that is left out, and so is
    the work, which those who follow one match share."""
    told = b""
    for _, chunk in zip(range(CHUNKS), chunks, strict=False):
        told += chunk
        if b"id: %d\n" % version in chunk:
            break
    return b"\n\n".join(event for event in told.split(b"\n\n") if not event.startswith(b"event: presence"))


def compared(where: str, one: Got, other: Got) -> None:
    """Raises Leak unless both answers are the same in every way."""
    for part in ("status", "headers", "body", "lines", "work"):
        here, there = getattr(one, part), getattr(other, part)
        if here != there:
            raise Leak(f"{where}: {part} differs: {excerpt(here, there)}")


def excerpt(here: Any, there: Any) -> str:
    """Where two answers begin to differ."""
    one, other = str(here), str(there)
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 80) : at + 80]}… and …{other[max(0, at - 80) : at + 80]}…"


# -- one world, with everything that is asked in it --------------------------------------------------------------------


class Recording(Room):
    """The first world: what is done in it is kept on a tape."""

    def __init__(self, sitting: Sitting, lines: list[Any], dice: random.Random, guessed: int) -> None:
        super().__init__(sitting, lines)
        self.dice, self.guessed, self.tape = dice, guessed, Tape(sitting)

    def does(self, what: str) -> None:
        """Does something, and keeps that on the tape."""
        self.did(what)
        self.tape.items.append(Did(what))

    def asks(self, ask: Ask, weighed: bool = True) -> Got:
        """Asks, and keeps question and answer. Raises Leak where all is open before the end."""
        got = self.ask(ask, weighed)
        running = self.side.loaded().match.status not in OVER
        if "/full" in ask.path and got.status == 200 and running:
            raise Leak(f"{ask}: all is open while the match runs")
        self.tape.items.append(Asked(ask, got))
        self.tape.asked[f"{ask.method} {got.status}"] += 1
        return got

    def turn(self) -> bool:
        """A random move of somebody who is awaited; False if nobody is."""
        loaded = self.side.loaded()
        state, match = loaded.match.state, loaded.match
        waiting = () if match.status in OVER or state is None else awaited(state)
        if not waiting:
            return False
        assert state is not None
        if waiting == {CLOCK}:
            self.does("later")
            return True
        seat = CHANCE if CHANCE in waiting else self.dice.choice(sorted(who for who in waiting if who >= 0))
        humans = [other for other in self.side.people if other not in self.side.sitting.held]
        if seat == CHANCE:
            by = self.dice.choice(humans) if humans else self.side.sitting.held[0]
            move = drawn(state, self.dice.randrange) if match.setup.named else self.reported(state)
            return self.moves(loaded.version + 1, seat, "report", by, move)
        found = sampled(state, seat, self.dice.randrange)
        assert found is not None, f"seat {seat} finds no move at {state.agenda[-1]}"
        how = "bot" if match.chairs[seat].kind == "bot" else "player"
        return self.moves(loaded.version + 1, seat, how, int(seat), found)

    def come_round(self) -> None:
        """Goes on, more often than not, until the observer is asked something: there is more to be told then."""
        for _ in range(self.dice.choice((0, 8, 16))):
            state = self.side.loaded().match.state
            if state is None or awaited(state) & set(self.side.sitting.held) or not self.turn():
                return

    def reported(self, state: Any) -> Move:
        """One of the reports that can be made."""
        found = sampled(state, CHANCE, self.dice.randrange)
        return found if found is not None else drawn(state, self.dice.randrange)

    def moves(self, version: int, seat: Seat, how: str, by: int, move: Move) -> bool:
        """Makes that move, and keeps it."""
        if by in self.side.sitting.held and how != "bot":
            where = "chance" if how == "report" else str(int(seat))
            path = f"{self.side.table.path}/seats/{where}/moves"
            body, headers = {"move": encode(move)}, {"Idempotency-Key": f"own-{version}"}
            got = self.asks(Ask("POST", path, body, headers, pure=False))
            assert got.status == 201, got.body
            self.tape.own.add(version)
            if self.dice.random() < 0.3:  # and once more, as after a lost line
                self.asks(Ask("POST", path, body, headers, pure=False))
                self.asks(Ask("POST", path, {**body, "seen": 1}, headers))
            return True
        item = Moved(version, seat, how, by, move)
        if self.dice.random() < 0.1:
            held = self.side.sitting.held
            eyes = f"{self.side.table.path}/seats/{held[0]}" if held else self.side.table.path
            query = f"after={version - 1}&upto={version}"
            poll = Ask("GET", f"{eyes}/events?{query}", headers={"Prefer": "wait=10"})
            if held or not self.side.sitting.delay:
                item = replace(item, watched=poll, got=self.poll(poll, item))
                self.tape.items.append(item)
                return True
        self.move(item)
        self.tape.items.append(item)
        return True

    def stop(self, dear: bool = False, once: bool = False) -> None:
        """Everything that can be asked now, then all of it again in a world that was changed under our hands."""
        version = self.side.loaded().version
        here = Here(self.side, self.dice, version, dear)
        self.tape.stops.append(version)
        self.does("drain")
        asked: list[tuple[Ask, Got]] = []
        for ask in self.questions(here, once):
            got = self.asks(ask)
            if ask.pure and ask.method in ("GET", "POST"):
                asked.append((ask, got))
        for mover in self.movers(here):
            most = self.guessed if mover in here.held else 3
            for move in guessing.guesses(here, mover, most):
                asked += self.guess(here, mover, move)
        self.otherwise([pair for pair in asked if "/full" not in pair[0].path])

    def questions(self, here: Here, once: bool) -> Iterator[Ask]:
        """All reads, and the writes that change nothing."""
        yield from recipes.reads(here)
        yield from recipes.writes(here)
        if once:
            yield from recipes.reads(here, once=True)
            yield from recipes.writes(here, once=True)

    def movers(self, here: Here) -> Iterable[Any]:
        """Whom the observer could move for: himself, somebody else, chance."""
        return (*here.held, here.dice.choice((here.foreign, "chance"))) if here.held else (here.foreign,)

    def guess(self, here: Here, mover: Any, move: dict[str, Any]) -> list[tuple[Ask, Got]]:
        """A move tried out, then made in earnest if it was refused, then made too late."""
        ask = guessing.dry(here, mover, move)
        dry = self.asks(ask)
        found = [(ask, dry)]
        if b'"verdict":"refused"' in dry.body:
            ask = guessing.in_earnest(here, mover, move)
            got = self.asks(ask)
            if got.status == 201:
                raise Leak(f"{ask} is granted although its dry run is refused")
            found.append((ask, got))
        if here.version > 2 and dry.status == 200 and self.dice.random() < 0.3:
            for ask in guessing.too_late(here, mover, move):
                got = self.asks(ask)
                assert got.status in (403, 409, 412), (str(ask), got.body)
                found.append((ask, got))
        return found

    def otherwise(self, asked: list[tuple[Ask, Got]]) -> None:
        """The table is changed to another one of the game's own `otherwise`; every answer has to stay the same."""
        desk, held = self.side.desk, self.side.sitting.held
        version, root, match = desk._cache[self.side.match]
        if match.state is None or len(held) > 1:
            return  # `otherwise` knows one pair of eyes
        eye = self.side.sitting.eyes[0]
        state = match.rules.otherwise(match.state, eye, lambda things: self.dice.sample(things, len(things)))
        if state == match.state:
            return
        desk._cache[self.side.match] = (version, root, replace(match, state=state))
        for ask, got in asked:
            compared(f"{ask} at {version}, otherwise", got, self.ask(ask))
        desk._cache[self.side.match] = (version, root, match)


def played(
    sitting: Sitting, dice: random.Random, lines: list[Any], moves: int, stops: int, guessed: int = 8, full: bool = True
) -> Tape:
    """A match in the first world: its tape, with the course that was played."""
    room = Recording(sitting, lines, dice, guessed)
    try:
        if full and dice.random() < 0.3:
            room.stop(once=True)  # in the lobby
        room.does("start")
        if games()[sitting.game].windows and dice.random() < 0.5:
            others = [seat for seat in room.side.people if seat not in sitting.held]
            if others:
                room.does(f"pass {dice.choice(others)}")
        for number, count in enumerate(stretches(moves, stops, dice)):
            if number == stops - 1:
                room.does("listen")
            for _ in range(count):
                if not room.turn():
                    break
            room.come_round()
            room.stop()
        here = Here(room.side, dice, room.side.loaded().version)
        latest = here.version if sitting.held else here.onlookers
        room.tape.items.append(Heard(latest, room.heard(latest)))
        if full and dice.random() < 0.6:
            at_the_end(room)
        entries = room.side.desk.entries(room.side.match, 0, None)
        room.tape.course = course(entries, frozenset(room.tape.own))
        return room.tape
    finally:
        room.close()


def stretches(moves: int, stops: int, dice: random.Random) -> list[int]:
    """So many moves, cut at random into so many stretches."""
    cuts = sorted(dice.sample(range(1, moves), stops - 1)) if stops > 1 else []
    return [right - left for left, right in zip([0, *cuts], [*cuts, moves], strict=True)]


def at_the_end(room: Recording) -> None:
    """The writes that are granted, then the end, and then all that can be asked once more."""
    here = Here(room.side, room.dice, room.side.loaded().version)
    for ask in recipes.last_writes(here):
        before = room.side.loaded().version
        room.asks(ask)
        room.tape.own.update(range(before + 1, room.side.loaded().version + 1))
    if room.side.loaded().match.status not in OVER:
        room.does("end")
    room.stop()


# -- the other world ---------------------------------------------------------------------------------------------------


@dataclass
class Found:
    """What a proof looked at: answers compared, entries that were different beneath, whether hands were."""

    answers: int = 0
    turns: int = 0
    changed: int = 0
    opened: int = 0  # answers that differ by right: all is open after the end

    def __add__(self, other: Found) -> Found:
        return Found(
            self.answers + other.answers,
            self.turns + other.turns,
            self.changed + other.changed,
            self.opened + other.opened,
        )


def proved(
    sitting: Sitting, seed: str, moves: int = 24, stops: int = 2, guessed: int = 8, full: bool = True, changes: int = 40
) -> Found:
    """Plays a match twice, in two worlds that the observer must not tell apart. Raises Leak."""
    dice = random.Random(f"{sitting}-{seed}")
    with arranged() as lines:
        tape = played(sitting, dice, lines, moves, stops, guessed, full)
        here = tape.course
        assert here is not None
        lawful(here, sitting.eyes)
        there = other_course(here, sitting.eyes, dice, changes)
        pairs = zip(here.turns, there.turns, strict=True)
        found = Found(turns=len(here.turns), changed=sum(one.move != other.move for one, other in pairs))
        if found.changed:
            wound(tape, there, lines, found)
        return found


def wound(tape: Tape, there: Course, lines: list[Any], found: Found) -> None:
    """Winds the tape through the other world and compares. Raises Leak."""
    room = Room(tape.sitting, lines, there)
    try:
        for item in tape.items:
            step(room, item, found)
    finally:
        room.close()
    if found.opened and not any(turn for turn in changed_turns(tape, there)):
        raise AssertionError("what is open after the end differs, and nothing was different")


def changed_turns(tape: Tape, there: Course) -> list[Turn]:
    """The turns that are not the same in both courses."""
    assert tape.course is not None
    return [one for one, other in zip(tape.course.turns, there.turns, strict=True) if one != other]


def step(room: Room, item: Any, found: Found) -> None:
    """One item of the tape in the other world. Raises Leak."""
    if isinstance(item, Asked):
        weighed = bool(item.got.work)
        got = room.ask(item.ask, weighed)
        if "/full" in item.ask.path and item.got.status == 200:
            found.opened += item.got.body != got.body  # after the end; before it, the recording refuses
            return
        compared(f"{item.ask} at {room.side.loaded().version}", item.got, got)
        found.answers += 1
    elif isinstance(item, Moved):
        if item.watched is None:
            room.move(item)
            return
        assert item.got is not None
        compared(f"{item.watched}", item.got, room.poll(item.watched, item))
        found.answers += 1
    elif isinstance(item, Heard):
        if room.heard(item.version) != item.got:
            raise Leak(f"the open stream tells of something else up to {item.version}")
        found.answers += 1
    else:
        room.did(item.what)
