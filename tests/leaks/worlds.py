"""Two courses of one match that one person cannot tell apart: the same entries to his eyes, other hidden cards beneath.

`other_course` begins with the course that was played and changes what he cannot see: the order of a shuffled pile, a
card picked unseen, what another seat laid face down. Each change is played through the rules from that entry to the
last. It stays if he sees the same moves and facts all the way; it goes if some card that now is another one was shown
to him by right. Every other difference is a leak by itself: a question more, a refusal, a fact of another kind.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from referee.engine.codec import DecodeError, decode_named, encode
from referee.engine.events import Event, Move, apply_events
from referee.engine.referee import build_view, draw_chance_move, find_legal_moves, play_move, sample_legal_move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import StackCleared, State
from referee.engine.zones import back_of, backs_of, is_back, is_open_to
from referee.games import game_of
from referee.match.aggregate import MatchStarted, TableEvent
from referee.match.entries import LogEntry, has_rewind

Eyes = tuple[Seat, ...]  # all that one person looks through, the onlookers' included
Seen = tuple[tuple[Move | None, tuple[Event, ...]], ...]
REFITS = 6  # other moves that are tried where a change makes one impossible


class Leak(AssertionError):
    """Something told two worlds apart that differ in nothing but what may not be known."""


def another_world(here: Any, eye: int, dice: random.Random) -> Any:
    """A world that these eyes cannot tell from this one, and in which the same moves can be posted.

    At a table of real cards people lay backs, so what was never named stays unnamed there.
    """
    world: Any = game_of(here).tracking.determinize(here, eye, dice.randrange)
    unnamed = [place for place, cards in here.zones.items() if any(map(is_back, cards)) and not is_open_to(place, eye)]
    zones = {place: backs_of(here.zones[place]) for place in unnamed}
    changes: dict[str, Any] = {"zones": {**world.zones, **zones}}
    if any(tile.card == "?" for tile in getattr(here, "tiles", None) or ()):
        changes["tiles"] = here.tiles
    agenda = [as_answered(*steps) for steps in zip(here.agenda, world.agenda, strict=True)]
    return replace(world, agenda=tuple(agenda), **changes)


def as_answered(here: Any, there: Any) -> Any:
    """A pending step of the other world, with the answers of this one that name no card."""
    given = getattr(here, "given", None)
    if not given:
        return there
    kept = {who: cards for who, cards in given.items() if any(is_back(card) or card == "ready" for card in cards)}
    return replace(there, given={**there.given, **kept})


@dataclass(frozen=True)
class Turn:
    """A move of a course, at its version of the log. `own`: made by whoever must not tell the worlds apart."""

    version: int
    seat: Seat
    move: Move
    own: bool
    is_draw: bool = False  # of the server


@dataclass(frozen=True)
class Course:
    """A match as the rules see it: the table at its start, and every move since."""

    opened: State
    turns: tuple[Turn, ...]

    def move_at(self, version: int) -> Move:
        """The move of the entry of that version. Raises Leak if there was none: then more was written in one world."""
        for turn in self.turns:
            if turn.version == version:
                return turn.move
        raise Leak(f"somebody moves at {version} in one world only")

    def draw_at(self, number: int) -> Move | None:
        """The outcome of the server's draw of this number, from 1; None if there was none."""
        drawn = [turn.move for turn in self.turns if turn.is_draw]
        return drawn[number - 1] if number <= len(drawn) else None


def course(entries: Sequence[LogEntry], own: frozenset[int]) -> Course | None:
    """The course that a log tells, up to where it first goes back; `own` are the versions of the observer's entries.

    None before the start. In the recording nobody plays on after that: chance at most lays what was hidden again.
    """
    opened: State | None = None
    turns = []
    for entry in entries:
        if has_rewind([entry]):
            break
        start = [event for event in entry.events if isinstance(event, MatchStarted)]
        if start:
            game_facts = [event for event in entry.events if not isinstance(event, TableEvent)]
            opened = apply_events(start[0]._decode_state(), game_facts)
        elif opened is not None and entry.move is not None and not entry.move.TAG.startswith("table."):
            is_draw = entry.seat == CHANCE and entry.actor == "chance"
            turns.append(Turn(entry.version, Seat(entry.seat), entry.move, entry.version in own, is_draw))
    return None if opened is None else Course(opened, tuple(turns))


def made(state: State, turn: Turn) -> tuple[Event, ...]:
    """The facts of a move, as the desk writes them. Raises IllegalMove, Undetermined."""
    events = play_move(state, turn.seat, turn.move)
    after = apply_events(state, events)
    ends = after.agenda and game_of(after).find_outcome(after) is not None
    return (*events, StackCleared()) if ends else events


def seen(turn: Turn, events: Sequence[Event], viewer: Eyes) -> Seen:
    """What these eyes may know of a move and its facts."""
    return tuple((turn.move.view_for(eye, turn.seat), tuple(event.view_for(eye) for event in events)) for eye in viewer)


def states(played: Course) -> Iterator[tuple[State, Turn, tuple[Event, ...]]]:
    """Each move with the table before it and its facts."""
    state = played.opened
    for turn in played.turns:
        events = made(state, turn)
        yield state, turn, events
        state = apply_events(state, events)


def lawful(played: Course, viewer: Eyes) -> None:
    """The facts that these eyes see lead from what they see of the table to what they see of it next, and no further;
    and a move names no card that lies hidden from them all the while.

    Whoever is told of a card that then lies hidden has been told what he may not see. Raises Leak.
    """
    for state, turn, events in states(played):
        after = apply_events(state, events)
        for eye in viewer:
            if apply_events(build_view(state, eye), [event.view_for(eye) for event in events]) != build_view(
                after, eye
            ):
                raise Leak(f"what seat {eye} is told at {turn.version} is not what it sees of the table then")
            shown = turn.move.view_for(eye, turn.seat)
            open_to_it = names(build_view(state, eye)) | names(build_view(after, eye))
            for event in events:
                open_to_it |= names(event.view_for(eye))
            told = (names(shown) if shown is not None else set()) & (names(state) | names(after))
            if eye != turn.seat and told - open_to_it:
                raise Leak(f"the move of {turn.version} tells seat {eye} of {sorted(told - open_to_it)}")


def other_course(played: Course, viewer: Eyes, dice: random.Random, changes: int) -> Course:
    """Another course that these eyes cannot tell from this one, after so many tries to change it. Raises Leak."""
    told: list[Seen] = []
    before: list[State] = []
    state = played.opened
    for state, turn, events in states(played):
        before.append(state)
        told.append(seen(turn, events, viewer))
    turns, here = list(played.turns), list(before)
    open_to_change = [at for at, turn in enumerate(turns) if not turn.own and hidden(turn.move, turn.seat, viewer)]
    for _ in range(changes if open_to_change else 0):
        at = dice.choice(open_to_change)
        changed = varied(here[at], turns[at], viewer, dice)
        if changed is None or changed == turns[at].move:
            continue
        found = followed(at, changed, turns, here, before, told, viewer, dice)
        if found is not None:
            turns[at:], here[at:] = found
    return Course(played.opened, tuple(turns))


def followed(
    at: int,
    changed: Move,
    turns: list[Turn],
    here: list[State],
    there: list[State],
    told: list[Seen],
    viewer: Eyes,
    dice: random.Random,
) -> tuple[list[Turn], list[State]] | None:
    """Turns and tables from `at` on after that change; None if something else has come to be seen. Raises Leak."""
    state, new, passed = here[at], [], []
    for number in range(at, len(turns)):
        for eye in viewer:
            if build_view(state, eye) != build_view(there[number], eye):
                raise Leak(f"seat {eye} sees another table before {turns[number].version} after the same facts")
        old = turns[number] if number > at else replace(turns[number], move=changed)
        events = None
        for turn in (old, *(() if number == at else refitted(state, old, viewer, dice))):
            try:
                events = made(state, turn)
            except IllegalMove as refused:
                if old.own:
                    raise Leak(f"{old.move} of {old.version} is refused in one world: {refused.ruling}") from refused
                continue
            except Undetermined:
                continue
            found = seen(turn, events, viewer)
            if found == told[number]:
                break
            if [move for move, _ in found] == [move for move, _ in told[number]]:
                by_right(told[number], found, old.version)
            events = None
        if events is None:
            return None
        new.append(turn)
        passed.append(state)
        state = apply_events(state, events)
    return new, passed


def by_right(here: Seen, there: Seen, version: int) -> None:
    """Two worlds are told apart by facts: only by a card that both show. Raises Leak."""
    for (_, mine), (_, other) in zip(here, there, strict=True):
        for one, another in zip(mine, other, strict=False):
            if one == another:
                continue
            if type(one) is type(another) and shows_a_card(one, another):
                break
            raise Leak(f"at {version} the worlds are told apart by {one} and {another}")
        else:
            if len(mine) != len(other):
                raise Leak(f"at {version} {len(mine)} facts are seen in one world and {len(other)} in the other")


def shows_a_card(one: Event, another: Event) -> bool:
    """Whether two facts of a kind differ in a card, its name or its back; all else of it may follow from that.

    A list of names that both show may also go on further in one of them: of three cards that go from a hand to the
    discard piles, one or two may be doors. More backs in one of them are no such thing.
    """
    mine, other = leaves(encode(one)), leaves(encode(another))
    pairs = ((mine[path], other[path]) for path in mine.keys() & other.keys())
    if any(a != b and isinstance(a, str) and isinstance(b, str) for a, b in pairs):
        return True
    more = {**mine, **other}
    further = [path for path in mine.keys() ^ other.keys() if isinstance(path[-1], int) and is_name(more[path])]
    return any(is_name(mine.get((*path[:-1], 0))) and is_name(other.get((*path[:-1], 0))) for path in further)


def is_name(value: Any) -> bool:
    """Whether this is a text that names a card: no back, and nothing that is no text."""
    return isinstance(value, str) and not is_back(value)


# -- changes -----------------------------------------------------------------------------------------------------------


def leaves(data: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], Any]:
    """Every plain value of JSON data under its path."""
    if isinstance(data, dict):
        return {key: value for name, below in data.items() for key, value in leaves(below, (*path, name)).items()}
    if isinstance(data, list | tuple):
        return {key: value for at, below in enumerate(data) for key, value in leaves(below, (*path, at)).items()}
    return {path: data}


def names(thing: Any) -> set[str]:
    """Every text in a table, a fact or a move; those of cards among them."""
    return {value for value in leaves(encode(thing)).values() if isinstance(value, str)}


def hidden(move: Move, seat: Seat, viewer: Eyes) -> list[tuple[Any, ...]]:
    """Where a move holds names that none of these eyes sees."""
    texts = {path: value for path, value in leaves(encode(move)).items() if isinstance(value, str)}
    found = {path for path, value in texts.items() if path != ("type",) and not is_back(value)}
    for eye in viewer:
        shown = move.view_for(eye, seat)
        if shown is not None:
            known = leaves(encode(shown))
            found = {path for path in found if path in known and is_back(str(known[path]))}
    return sorted(found, key=repr)


def put(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of JSON data with another value at a path."""
    if not path:
        return value
    if isinstance(data, dict):
        return {**data, path[0]: put(data[path[0]], path[1:], value)}
    return [put(below, path[1:], value) if at == path[0] else below for at, below in enumerate(data)]


def with_names(move: Move, given: dict[tuple[Any, ...], str]) -> Move | None:
    """The move with these names in these places; None if there is no such move."""
    data = encode(move)
    for path, name in given.items():
        data = put(data, path, name)
    try:
        return decode_named(data, Move)
    except DecodeError:
        return None


def varied(state: State, turn: Turn, viewer: Eyes, dice: random.Random) -> Move | None:
    """Another move in its place that looks the same to these eyes; None if none was found."""
    where = hidden(turn.move, turn.seat, viewer)
    now = leaves(encode(turn.move))
    if len(where) > 1 and dice.random() < 0.8:
        other = dict(now)
        for _ in range(dice.choice((1, 1, 2, 4))):
            one = dice.choice(where)
            alike_but = [
                path for path in where if other[path] != other[one] and back_of(other[path]) == back_of(other[one])
            ]
            if alike_but:
                another = dice.choice(alike_but)
                other[one], other[another] = other[another], other[one]
        return with_names(turn.move, {path: other[path] for path in where if other[path] != now[path]})
    return next((move for move in offered(state, turn, dice) if alike(move, turn, viewer)), None)


def offered(state: State, turn: Turn, dice: random.Random) -> Iterator[Move]:
    """Some moves that could be made there instead."""
    if turn.seat == CHANCE:
        for _ in range(2):
            yield draw_chance_move(state, dice.randrange)
    for _ in range(REFITS if turn.seat != CHANCE else 0):
        found = sample_legal_move(state, turn.seat, dice.randrange)
        if found is not None:
            yield found
    listed = list(islice(find_legal_moves(state, turn.seat), 60))
    yield from dice.sample(listed, min(REFITS, len(listed)))


def alike(move: Move, turn: Turn, viewer: Eyes) -> bool:
    """Whether a move looks to these eyes like the one of that turn."""
    return all(move.view_for(eye, turn.seat) == turn.move.view_for(eye, turn.seat) for eye in viewer)


def refitted(state: State, turn: Turn, viewer: Eyes, dice: random.Random) -> Iterator[Turn]:
    """The turn with other hidden names that fit the table better: those that are there, in the old order."""
    if turn.own or not (where := hidden(turn.move, turn.seat, viewer)):
        return
    now = leaves(encode(turn.move))
    for move in offered(state, turn, dice):
        if not alike(move, turn, viewer):
            continue
        there = leaves(encode(move))
        if all(path in there for path in where):
            pool = Counter(there[path] for path in where)
            again: dict[tuple[Any, ...], str] = {}
            for path in where:
                if pool[now[path]] > 0:
                    again[path] = now[path]
                    pool[now[path]] -= 1
            left = pool.elements()
            kept = with_names(move, {path: again[path] if path in again else next(left) for path in where})
            if kept is not None:
                yield replace(turn, move=kept)
        yield replace(turn, move=move)
