"""The proof: a match is played in one world, then in another that one person must not be able to tell from it.

`played` lets everybody sit down, moves at random, and stops at random moments, where the observer asks everything that
can be asked. What he asked and what he got, and who moved in between, is kept as a tape. `proved` finds another course
of that match (worlds.py), winds the tape through it, and compares every answer: status, headers, bytes, the work that
was done for it, and the lines that went to the log. Raises `Leak` at the first difference.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES
from tests.leaks import recipes
from tests.leaks.recipes import Here
from tests.leaks.recording import Recording
from tests.leaks.rooms import Asked, Heard, Moved, Room, Tape, compared
from tests.leaks.sides import Sitting, arranged
from tests.leaks.worlds import Course, Leak, Turn, course, lawful, other_course


def played(
    sitting: Sitting, dice: random.Random, lines: list[Any], moves: int, stops: int, guessed: int = 6, full: bool = True
) -> Tape:
    """A match in the first world: its tape, with the course that was played."""
    room = Recording(sitting, lines, dice, guessed)
    try:
        if full and dice.random() < 0.2:
            room.stop(once=True)  # in the lobby
        room.does("start")
        if load_games()[sitting.game].windows and dice.random() < 0.5:
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
            if dice.random() < 0.6:
                room.disagrees()
            room.stop()
            room.agrees()
        here = Here(room.side, dice, room.side.loaded().version)
        latest = here.version if sitting.held else here.onlookers
        room.tape.items.append(Heard(latest, room.heard(latest)))
        if full and dice.random() < 0.5:
            at_the_end(room)
        entries = room.side.service.repository.load_entries(room.side.match, 0, None)
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
    if room.side.loaded().match.status not in FINAL_STATUSES:
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
    sitting: Sitting, seed: str, moves: int = 24, stops: int = 2, guessed: int = 6, full: bool = True, changes: int = 30
) -> Found:
    """Plays a match twice, in two worlds that the observer must not tell apart. Raises Leak."""
    dice = random.Random(f"{sitting}-{seed}")
    with arranged() as lines:
        tape = played(sitting, dice, lines, moves, stops, guessed, full)
        here = tape.course
        assert here is not None
        lawful(here, sitting.viewers)
        there = other_course(here, sitting.viewers, dice, changes)
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
        if "viewer=full" in item.ask.path and item.got.status == 200:
            found.opened += item.got.body != got.body  # after the end; before it, the recording refuses
            return
        if "viewer=full" in item.ask.path and room.side.loaded().match.status in FINAL_STATUSES:
            got = replace(got, work=item.got.work)  # the whole table is open by right, and so is what it takes to judge
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
