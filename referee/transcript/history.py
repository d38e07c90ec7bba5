"""The course of a match by turn, made of entries as plain data.

A turn begins with a fact that the game names (`Game.begins`). An entry may end one turn and begin the next: it belongs
to the turn in which its move was made, and its facts from that one on are told in the next. Where play goes back, the
turn that was being played then goes on. What counts no more stays, marked with the entry that took it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from referee.arbitration import timeline
from referee.engine.chance import Rolled
from referee.engine.codec import REGISTRY
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.match.aggregate import OfTable, Rewound
from referee.match.events.dispute_events import Restored
from referee.transcript.details import details
from referee.transcript.wording import Words

Doc = Mapping[str, Any]
PLAIN = frozenset({"n", "type", "v", "told", "seat"})  # what a heading of a turn says already


@dataclass(frozen=True, slots=True)
class Line:
    """What is told of one fact, or of a move without any. `gone`: it counts no more. `phase`: with it another part of
    the turn begins.

    `n` is the event, as `17.2`, and `kind` its type; for a move `n` is the version and there is no kind. `details` are
    told below it: a claim, a ruling.
    """

    n: str
    told: Text
    details: tuple[Text, ...] = ()
    gone: bool = False
    phase: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry as it is told in one turn. `gone`: the entry that took it back, as far as it was play.

    `goes_on`: it began in the turn before. `at_ms`: when it was made, None where nobody says; `used_ms`: how long after
    the entry before, None for the first.
    """

    version: int
    at_ms: int | None
    used_ms: int | None
    who: Text
    dice: tuple[int, ...]
    lines: tuple[Line, ...]
    clauses: tuple[str, ...]
    gone: int | None = None
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """How a turn began: its heading, its number, whose it is, and the event. `number` is 0 before the first one."""

    head: Text
    number: int = 0
    seat: int | None = None
    n: str = ""


@dataclass(slots=True)
class Part:
    """A turn with its entries in order; `again` if play went back into it."""

    begun: Begun
    again: bool = False
    items: list[Item] = field(default_factory=list)

    def stretches(self) -> Iterator[tuple[int | None, list[Item]]]:
        """Its entries, those together that the same entry took back."""
        for by, items in groupby(self.items, key=lambda item: item.gone):
            yield by, list(items)


BACK = {Rewound.TAG: "to", Restored.TAG: "entry"}  # the facts by which play goes back, and what says whither


def struck(entries: Iterable[Doc]) -> dict[int, int]:
    """Each version that counts no more, and the entry that struck it: the first to do so."""
    steps = (
        (entry["version"], [(kind, event[BACK[kind]]) for event in entry.get("events", ())
                            if (kind := event["type"]) in BACK])
        for entry in entries
    )  # fmt: skip
    return timeline.struck(steps)[0]


def stays(tag: str) -> bool:
    """Whether a fact of this name stays when play goes back (TABLE-COURSE-1)."""
    return issubclass(REGISTRY.get(tag, object), OfTable)


def dice(entry: Doc) -> tuple[int, ...]:
    """What the dice of an entry showed; none where none were rolled."""
    move = entry.get("move") or {}
    return tuple(move.get("values", ())) if move.get("type") == Rolled.TAG else ()


def clauses(entry: Doc) -> tuple[str, ...]:
    """The clauses that an entry rests on."""
    return tuple(entry.get("clauses") or ())


class Teller:
    """Tells the entries of one match, one after the other; they have to come from the first on."""

    def __init__(self, words: Words, entries: Iterable[Doc]) -> None:
        self._words, self._entries = words, list(entries)
        game = words.game
        self._begins = {} if game is None else {kind.TAG: at for at, kind in enumerate(game.begins)}
        self._phases = frozenset() if game is None else frozenset(kind.TAG for kind in game.phases)
        self._gone = struck(self._entries)
        self._parts: list[Part] = []
        self._begun = Begun(words.text("part.before" if self._begins else "part.all"))
        self._counts: dict[str, int] = {}
        self._withheld: list[Line] = []  # what only says again what the heading of the turn does
        self._then: dict[int, tuple[Begun, dict[str, int]]] = {0: (self._begun, {})}

    def parts(self) -> list[Part]:
        """The course by turn."""
        last: int | None = None
        for entry in self._entries:
            at = entry.get("at_ms")
            used = None if at is None or last is None else max(0, at - last)
            self._tell(entry, at, used)
            self._then[entry["version"]] = (self._begun, dict(self._counts))
            last = at
        if self._unopened() and self._withheld:
            entry, lines = self._entries[-1], tuple(self._withheld)
            ends = Item(entry["version"], last, None, self._words.who(entry), (), lines, (), goes_on=True)
            self._open().items.append(ends)
        return self._parts

    def _tell(self, entry: Doc, at: int | None, used: int | None) -> None:
        version, lines, told = entry["version"], list[Line](), 0
        gone = self._gone.get(version)
        lasting = [stays(event["type"]) for event in entry.get("events", ())]
        taken = None if lasting and all(lasting) else gone
        back: int | None = None  # where play has gone back to, once table business about it is told

        def flush() -> None:
            nonlocal lines, told
            item = Item(version, at, used, self._words.who(entry), dice(entry), tuple(lines), clauses(entry), taken)
            if told:
                item = replace(item, used_ms=None, dice=(), clauses=(), goes_on=True)
            self._open().items.append(item)
            lines, told = [], told + 1

        for event, stay in zip(entry.get("events", ()), lasting, strict=True):
            kind = event["type"]
            line = self._line(event, gone=taken is not None and not stay)
            if back is not None and not stay and (line is not None or kind in self._begins):
                flush()
                self._back(back)
                back = None
            if kind in self._begins:
                if not lines and not told and (moved := self._moved(entry)) is not None:
                    lines.append(moved)
                if not lines and self._unopened():
                    lines.extend(self._withheld)
                if lines:
                    flush()
                self._begin(event)
                if not self._says_more(event):
                    line, self._withheld = None, [] if line is None else [line]
            if line is not None:
                lines.append(line)
            if kind in BACK:
                back = event[BACK[kind]] - (kind == Restored.TAG)
        if not lines and not told:
            lines.append(self._moved(entry) or Line(str(version), self._words.text("quiet")))
        if lines:
            flush()
        if back is not None:
            self._back(back)

    def _back(self, to: int) -> None:
        """The turn that was being played after that entry is played on."""
        self._begun, counts = self._then[to]
        self._counts = dict(counts)

    def _unopened(self) -> bool:
        """Whether nothing is told yet of the turn that is being played."""
        return not self._parts or self._parts[-1].begun is not self._begun

    def _open(self) -> Part:
        """The part in which is told now."""
        if self._unopened():
            again = any(part.begun is self._begun for part in self._parts)
            self._parts.append(Part(self._begun, again))
        return self._parts[-1]

    def _begin(self, event: Doc) -> None:
        kind, self._withheld = event["type"], []
        for wider, rank in self._begins.items():
            if rank > self._begins[kind]:
                self._counts.pop(wider, None)
        self._counts[kind] = number = self._counts.get(kind, 0) + 1
        seat = event.get("seat")
        head = self._words.turn(number, seat) if isinstance(seat, int) else self._words.bare(event.get("told"))
        self._begun = Begun(head, number, seat if isinstance(seat, int) else None, event["n"])

    def _says_more(self, event: Doc) -> bool:
        """Whether the fact with which a turn begins says more than its heading."""
        return isinstance(event.get("seat"), int) and any(event[key] for key in event.keys() - PLAIN)

    def _line(self, event: Doc, *, gone: bool) -> Line | None:
        if not event.get("told"):
            return None
        below = tuple(details(self._words, event))
        return Line(str(event.get("n", "")), event["told"], below, gone, event["type"] in self._phases, event["type"])

    def _moved(self, entry: Doc) -> Line | None:
        """The move in words, where no fact tells anything."""
        told = (entry.get("move") or {}).get("told")
        gone = entry["version"] in self._gone and not all(stays(each["type"]) for each in entry.get("events", ()))
        return Line(str(entry["version"]), told, gone=gone) if told else None


def course(words: Words, entries: Iterable[Doc]) -> list[Part]:
    """The course by turn, of the entries of one match from its first one on, as some eyes were told them."""
    return Teller(words, entries).parts()


def cut(parts: Iterable[Part], after: int, upto: int | None, kinds: frozenset[str] = frozenset()) -> list[Part]:
    """The parts with those of their entries that are after one version and no later than another; none without any.

    `kinds`: of these only what is told of facts of these types; none: everything.
    """
    kept = []
    for part in parts:
        items = [item for item in part.items if item.version > after and (upto is None or item.version <= upto)]
        if kinds:
            chosen = (replace(item, lines=tuple(each for each in item.lines if each.kind in kinds)) for item in items)
            items = [item for item in chosen if item.lines]
        if items:
            kept.append(Part(part.begun, part.again, items))
    return kept


def as_data(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """The turns for programs: how each began, and which entries are told in it."""
    return [
        {
            "head": {lang: part.begun.head[lang] for lang in LANGUAGES},
            "turn": part.begun.number,
            "seat": part.begun.seat,
            "begins": part.begun.n or None,
            "again": part.again,
            "entries": [item.version for item in part.items if not item.goes_on],
            "ends": [item.version for item in part.items if item.goes_on],
            "taken_back": {str(item.version): item.gone for item in part.items if item.gone is not None},
        }
        for part in parts
    ]
