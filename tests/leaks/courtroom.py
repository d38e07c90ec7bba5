"""The proof before a court: a short match, one kind of quarrel, and all that the observer can read of it; then the
same in a world that he must not be able to tell from it. Shorter than the proof of all, and aimed at one thing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.engine.chance import ShuffleResult
from referee.engine.referee import seats_that_must_act
from tests.api.house import seen_as
from tests.leaks.proof import Found, wound
from tests.leaks.quarrels import box
from tests.leaks.recipes import Ask, key
from tests.leaks.recording import Recording
from tests.leaks.sides import Side, Sitting, arranged
from tests.leaks.worlds import Course, Eyes, course, followed, names, other_course, seen, states

HUMAN = {"kind": "human"}
SEATED = Sitting("monster_combat", "V1", (HUMAN,) * 3, "server", held=(0,))
HOSTING = Sitting("monster_combat", "V1", (HUMAN,) * 3, "server", held=())
DUNGEON = Sitting("shy_monsters", "standard", (HUMAN, HUMAN), "server", {"roles": {"dungeon_master": 1}}, held=(0,))
SLAYING = Sitting("here_to_slay", "standard", (HUMAN,) * 3, "server", held=(0,))
Quarrel = Callable[[Recording], None]
LATELY = 12  # entries in which it is looked for
BACK = 6  # entries that are disputed one after the other, from the last


def proved_in_court(sitting: Sitting, quarrel: Quarrel, seed: str, moves: int = 14, changes: int = 30) -> Found:
    """Plays, quarrels, and winds all of it through another world. Raises Leak."""
    dice = random.Random(f"{sitting}-{seed}")
    with arranged() as lines:
        room = Recording(sitting, lines, dice, 0)
        try:
            room.does("start")
            for _ in range(moves):
                room.turn()
            aim = aimed(room) if quarrel is left_out else None
            played, own = room.side.service.repository.load_entries(room.side.match, 0, None), frozenset(room.tape.own)
            here = course(played, own)
            assert here is not None
            there = (
                other_course(here, sitting.viewers, dice, changes)
                if quarrel is not left_out
                else swapped(here, sitting.viewers, dice, aim)
            )
            found = Found(turns=len(here.turns), changed=here != there)
            if found.changed:
                quarrel(room)
        finally:
            room.close()
        room.tape.course = here
        if found.changed:
            wound(room.tape, there, lines, found)
        return found


@dataclass(frozen=True)
class Aim:
    """A move that may only be possible because of what another brought: entry `version`, by which a seat came by
    `card`, which it played later; and what it held before (`held`) and did not play."""

    version: int
    card: str
    held: tuple[str, ...]


def aimed(room: Recording) -> Aim | None:
    """Plays on until somebody else draws a card and plays it; None if nobody does."""
    for _ in range(30):
        found = next(drawn_and_played(room), None)
        if found is not None or not room.turn():
            return found
    return None


def drawn_and_played(room: Recording) -> Iterator[Aim]:
    """Where somebody else has drawn a card and played it since, within the last entries."""
    side = room.side
    log = side.service.repository.load_entries(side.match)[-LATELY:]
    for at, entry in enumerate(log):
        if entry.seat not in others(room) or entry.move is None or entry.move.TAG.startswith("table."):
            continue
        hands = [Counter(held(side, entry.seat, version)) for version in (entry.version - 1, entry.version)]
        later = {name for other in log[at + 1 :] if other.seat == entry.seat for name in names(other.move)}
        for card in sorted((hands[1] - hands[0]).keys() & later):
            yield Aim(entry.version, card, tuple(sorted(hands[0].keys() - later)))


def held(side: Side, seat: int, version: int) -> tuple[str, ...]:
    """What a seat held after an entry."""
    state: Any = side.service.load_version(side.match, version).match.state
    return () if state is None else tuple(state.cards_at(f"hand:{seat}"))


def swapped(played: Course, viewer: Eyes, dice: random.Random, aim: Aim | None) -> Course:
    """The course in which that card was held before, and something else drawn; the same one if there is no such."""
    tables = list(states(played))
    told, before = [seen(turn, events, viewer) for _, turn, events in tables], [state for state, _, _ in tables]
    turns = list(played.turns)
    for at, turn in enumerate(turns):
        order = list(turn.move.order) if isinstance(turn.move, ShuffleResult) else []
        for other in () if aim is None or aim.card not in order else aim.held:
            if other in order:
                one, another = order.index(aim.card), order.index(other)  # type: ignore[union-attr]
                changed = [*order]
                changed[one], changed[another] = changed[another], changed[one]
                found = followed(at, ShuffleResult(tuple(changed)), turns, before, before, told, viewer, dice)
                if found is not None:
                    return Course(played.opened, (*turns[:at], *found[0]))
    return played


# -- what is asked -----------------------------------------------------------------------------------------------------


def shown(room: Recording, what: str) -> str:
    """An address as the observer reads it."""
    held = room.side.sitting.held
    return seen_as(f"/v1/matches/{room.side.match}/{what}", held[0] if held else None)


def reads(room: Recording) -> Iterator[Ask]:
    """All that can be read of quarrels, and of the table after them."""
    match, plain = room.side.loaded().match, f"/v1/matches/{room.side.match}"
    for each in match.disputes:
        for path in dict.fromkeys((shown(room, f"disputes/{each.number}"), f"{plain}/disputes/{each.number}")):
            yield Ask("GET", path)
        for remedy in ("leave", "as_it_lies", "partial_fix", "rewind", "void"):
            yield Ask("GET", shown(room, f"disputes/{each.number}/remedies/{remedy}"))
        for vote in each.votes:
            voted = f"disputes/{each.number}/remedies/{vote.remedy}?proposal={vote.number}"
            yield Ask("GET", shown(room, voted))
    for each in match.deviations:
        yield Ask("GET", f"{plain}/deviations/{each.number}")
    for what in ("takebacks", "timeline", "precedents"):
        yield Ask("GET", f"{plain}/{what}")
    last = room.side.loaded().version
    yield Ask("GET", shown(room, f"entries?after={max(0, last - 8)}"))
    yield Ask("GET", shown(room, "view"))


def looks(room: Recording) -> None:
    """The observer reads all of it."""
    for ask in list(reads(room)):
        room.asks(ask, weighed=False)


def writes(room: Recording, path: str, body: object, name: str, any_version: bool = False) -> int:
    """The observer asks for something in earnest; the version that it became, 0 if it was refused."""
    before = room.side.loaded().version
    headers = key(f"{name}-{before}") | ({"If-Match": "*"} if any_version else {})
    here = f"/v1/matches/{room.side.match}/{path}"
    got = room.asks(Ask("POST", here, body, headers, pure=False), weighed=False)
    room.tape.own.update(range(before + 1, room.side.loaded().version + 1))
    return before + 1 if got.status == 201 else 0


def others(room: Recording) -> list[int]:
    """The seats of other people."""
    return [seat for seat in room.side.people if seat not in room.side.sitting.held]


def moved(room: Recording) -> list[tuple[int, int]]:
    """The last moves of seats: version and seat."""
    log = room.side.service.repository.load_entries(room.side.match)
    play = [entry for entry in log if entry.move is not None and not entry.move.TAG.startswith("table.")]
    return [(entry.version, int(entry.seat)) for entry in play if entry.seat >= 0][-BACK:]


# -- the quarrels ------------------------------------------------------------------------------------------------------


def refusals(room: Recording) -> None:
    """Others say that moves were refused to them; the host rules, and the ruling is kept for the next time."""
    for version, seat in moved(room)[-3:]:
        if seat in others(room):
            room.does(f"court refused {seat} {version - 1}")
            looks(room)
            room.does(f"court rulings host {room.side.loaded().match.disputes[-1].number}")
    looks(room)


def left_out(room: Recording) -> None:
    """The observer calls the drawing of a card illegal that was played later, to be told whether that card had been
    held before; and whatever was done since."""
    aim = next(drawn_and_played(room))
    for version in (aim.version, *(at for at, _ in moved(room) if at > aim.version)):
        about = {"about": version, "claim": "illegal_move", "seat": room.side.sitting.held[0]}
        number = writes(room, "disputes", about, f"left-{version}")
        if number:
            for name in ("", "/remedies/partial_fix", "/remedies/rewind"):
                room.asks(Ask("GET", shown(room, f"disputes/{number}{name}")), weighed=False)


def put_right(room: Recording) -> None:
    """Somebody else disputes, and the host puts the table right by hand."""
    version, seat = moved(room)[-1]
    by = next(each for each in others(room) if each != seat)
    room.does(f"court other {by} {version}")
    looks(room)
    room.does(f"court fixed host {room.side.loaded().match.disputes[-1].number}")
    looks(room)


def gone_back(room: Recording) -> None:
    """Somebody else disputes, and the host orders that play goes back."""
    version, seat = moved(room)[-2]
    by = next((each for each in others(room) if each != seat), others(room)[0])  # the host himself may not rule then
    room.does(f"court other {by} {version}")
    looks(room)
    room.does(f"court rulings host {room.side.loaded().match.disputes[-1].number} rewind")
    looks(room)


def deviating(room: Recording) -> None:
    """The host says that others have laid cards aside."""
    for seat in others(room):
        room.does(f"court deviated host {seat}")
        looks(room)


def trying_deviations(room: Recording) -> None:
    """The host, who must not know, says of each card that whoever is asked has played it."""
    state = room.side.loaded().match.state
    for seat in sorted(int(who) for who in seats_that_must_act(state) if who >= 0)[:1] if state is not None else ():
        for card in box(room.side):
            body = {"seat": seat, "move": {"type": "mc.play", "card": card}, "reason": "So it was."}
            writes(room, "deviations", {**body, "clauses": ["TABLE-DEVIATION-1"]}, f"dev-{card}", True)


def taking_back(room: Recording) -> None:
    """The observer asks to go back, further each time; and so does somebody else."""
    held = room.side.sitting.held[0]
    for to in range(room.side.loaded().version - 1, room.side.loaded().version - 5, -1):
        writes(room, "takebacks", {"to": to, "seat": held}, f"back-{to}", True)
    version, seat = next((each for each in reversed(moved(room)) if each[1] in others(room)), (0, 0))
    if version:
        room.does(f"court takebacks {seat} {version - 1}")
    looks(room)


def counting(room: Recording) -> None:
    """The observer counts, and claims of each card that it lies where others hold theirs; another doubts the table."""
    room.asks(Ask("GET", shown(room, "census")), weighed=False)
    for seat in others(room)[:1]:
        for card in box(room.side):
            room.asks(Ask("GET", shown(room, f"census?place=hand:{seat}&card={card}")), weighed=False)
        room.does(f"court impossible_table {seat} {moved(room)[-1][0]}")
        looks(room)


def fixing(room: Recording) -> None:
    """The host, who must not know, puts right by hand what he guesses to lie in the hands of others."""
    version, seat = moved(room)[-1]
    by = next(each for each in others(room) if each != seat)
    room.does(f"court other {by} {version}")
    number = room.side.loaded().match.disputes[-1].number
    for card in box(room.side):
        fix = [{"move": card, "from": f"hand:{by}", "to": "discard"}]
        said = {"upheld": True, "remedy": "partial_fix", "fix": fix, "clauses": ["TABLE-REMEDY-2"], "reason": "Out."}
        if writes(room, f"disputes/{number}/rulings", said, f"fix-{card}", True):
            return
    looks(room)


FIRST = {left_out: 9}  # the first match in which there is something of the kind
TABLES: dict[Quarrel, tuple[Sitting, ...]] = {
    refusals: (SEATED,),
    left_out: (SLAYING,),
    put_right: (SEATED,),
    gone_back: (SEATED, DUNGEON),
    deviating: (SLAYING,),
    trying_deviations: (HOSTING,),
    taking_back: (SEATED,),
    counting: (SEATED,),
    fixing: (HOSTING,),
}
