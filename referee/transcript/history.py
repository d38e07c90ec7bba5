"""The course of a match by turn, made of entries as plain data.

A turn begins with a fact that the game names (`Game.turn_start_events`). An entry may end one turn and begin the next:
it belongs to the turn in which its move was made, and its facts from that one on are told in the next. Where play goes
back, the turn that was being played then goes on. What counts no more stays, marked with the entry that took it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from referee.arbitration import timeline
from referee.engine.chance import RollResult
from referee.engine.codec import REGISTRY
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.match.aggregate import LastingTableEvent, MatchRewound
from referee.match.events.dispute_events import HistoryRestored
from referee.transcript.details import render_details
from referee.transcript.wording import TranscriptWords

Doc = Mapping[str, Any]
HEADING_FIELDS = frozenset({"n", "type", "v", "told", "seat"})  # what a heading of a turn says already


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """What is told of one fact, or of a move without any. `superseded_by`: it counts no more. `starts_phase`: with it
    another part of the turn begins.

    `event_number` is the event, as `17.2`, and `kind` its type; for a move `event_number` is the version and there is
    no kind. `render_details` are told below it: a claim, a ruling.
    """

    n: str
    text: Text
    details: tuple[Text, ...] = ()
    is_superseded: bool = False
    starts_phase: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """An entry as it is told in one turn. `superseded_by`: the entry that took it back, as far as it was play.

    `continues_entry`: it began in the turn before. `at_ms`: when it was made, None where nobody says; `used_ms`: how
      long after
    the entry before, None for the first.
    """

    version: int
    at_ms: int | None
    used_ms: int | None
    who: Text
    dice: tuple[int, ...]
    lines: tuple[TranscriptLine, ...]
    clauses: tuple[str, ...]
    superseded_by: int | None = None
    continues_entry: bool = False


@dataclass(frozen=True, slots=True)
class TurnStart:
    """How a turn began: its heading, its number, whose it is, and the event. `number` is 0 before the first one."""

    heading: Text
    number: int = 0
    seat: int | None = None
    event_number: str = ""


@dataclass(slots=True)
class TranscriptTurn:
    """A turn with its entries in order; `is_resumed` if play went back into it."""

    start: TurnStart
    is_resumed: bool = False
    items: list[TranscriptEntry] = field(default_factory=list)

    def group_by_rewind(self) -> Iterator[tuple[int | None, list[TranscriptEntry]]]:
        """Its entries, those together that the same entry took back."""
        for by, items in groupby(self.items, key=lambda item: item.superseded_by):
            yield by, list(items)


REWIND_FIELDS = {
    MatchRewound.TAG: "to",
    HistoryRestored.TAG: "entry",
}  # the facts by which play goes back, and what says whither


def find_superseded(entries: Iterable[Doc]) -> dict[int, int]:
    """Each version that counts no more, and the entry that struck it: the first to do so."""
    steps = (
        (entry["version"], [(kind, event[REWIND_FIELDS[kind]]) for event in entry.get("events", ())
                            if (kind := event["type"]) in REWIND_FIELDS])
        for entry in entries
    )  # fmt: skip
    return timeline.find_superseded(steps)[0]


def survives_rewind(tag: str) -> bool:
    """Whether a fact of this name stays when play goes back (TABLE-COURSE-1)."""
    return issubclass(REGISTRY.get(tag, object), LastingTableEvent)


def find_dice(entry: Doc) -> tuple[int, ...]:
    """What the dice of an entry showed; none where none were rolled."""
    move = entry.get("move") or {}
    return tuple(move.get("values", ())) if move.get("type") == RollResult.TAG else ()


def find_clauses(entry: Doc) -> tuple[str, ...]:
    """The clauses that an entry rests on."""
    return tuple(entry.get("clauses") or ())


class TranscriptBuilder:
    """Tells the entries of one match, one after the other; they have to come from the first on."""

    def __init__(self, words: TranscriptWords, entries: Iterable[Doc]) -> None:
        self._words, self._entries = words, list(entries)
        game = words.game
        self._begins = {} if game is None else {kind.TAG: at for at, kind in enumerate(game.turn_start_events)}
        self._phases = frozenset() if game is None else frozenset(kind.TAG for kind in game.phase_start_events)
        self._superseded = find_superseded(self._entries)
        self._parts: list[TranscriptTurn] = []
        self._begun = TurnStart(words.render_text("part.before" if self._begins else "part.all"))
        self._counts: dict[str, int] = {}
        self._withheld: list[TranscriptLine] = []  # what only says again what the heading of the turn does
        self._turn_states: dict[int, tuple[TurnStart, dict[str, int]]] = {0: (self._begun, {})}

    def collect_turns(self) -> list[TranscriptTurn]:
        """The course by turn."""
        last: int | None = None
        for entry in self._entries:
            at = entry.get("at_ms")
            used = None if at is None or last is None else max(0, at - last)
            self._add_entry(entry, at, used)
            self._turn_states[entry["version"]] = (self._begun, dict(self._counts))
            last = at
        if self._is_turn_unopened() and self._withheld:
            entry, lines = self._entries[-1], tuple(self._withheld)
            ends = TranscriptEntry(
                entry["version"], last, None, self._words.describe_author(entry), (), lines, (), continues_entry=True
            )
            self._ensure_turn().items.append(ends)
        return self._parts

    def _add_entry(self, entry: Doc, at: int | None, used: int | None) -> None:
        version, lines, told = entry["version"], list[TranscriptLine](), 0
        gone = self._superseded.get(version)
        lasting = [survives_rewind(event["type"]) for event in entry.get("events", ())]
        taken = None if lasting and all(lasting) else gone
        back: int | None = None  # where play has gone back to, once table business about it is told

        def flush() -> None:
            nonlocal lines, told
            item = TranscriptEntry(
                version,
                at,
                used,
                self._words.describe_author(entry),
                find_dice(entry),
                tuple(lines),
                find_clauses(entry),
                taken,
            )
            if told:
                item = replace(item, used_ms=None, dice=(), clauses=(), continues_entry=True)
            self._ensure_turn().items.append(item)
            lines, told = [], told + 1

        for event, stay in zip(entry.get("events", ()), lasting, strict=True):
            kind = event["type"]
            line = self._build_line(event, gone=taken is not None and not stay)
            if back is not None and not stay and (line is not None or kind in self._begins):
                flush()
                self._resume_turn(back)
                back = None
            if kind in self._begins:
                if not lines and not told and (moved := self._build_move_line(entry)) is not None:
                    lines.append(moved)
                if not lines and self._is_turn_unopened():
                    lines.extend(self._withheld)
                if lines:
                    flush()
                self._begin_turn(event)
                if not self._says_more_than_heading(event):
                    line, self._withheld = None, [] if line is None else [line]
            if line is not None:
                lines.append(line)
            if kind in REWIND_FIELDS:
                back = event[REWIND_FIELDS[kind]] - (kind == HistoryRestored.TAG)
        if not lines and not told:
            lines.append(self._build_move_line(entry) or TranscriptLine(str(version), self._words.render_text("quiet")))
        if lines:
            flush()
        if back is not None:
            self._resume_turn(back)

    def _resume_turn(self, to: int) -> None:
        """The turn that was being played after that entry is played on."""
        self._begun, counts = self._turn_states[to]
        self._counts = dict(counts)

    def _is_turn_unopened(self) -> bool:
        """Whether nothing is told yet of the turn that is being played."""
        return not self._parts or self._parts[-1].start is not self._begun

    def _ensure_turn(self) -> TranscriptTurn:
        """The part in which is told now."""
        if self._is_turn_unopened():
            again = any(part.start is self._begun for part in self._parts)
            self._parts.append(TranscriptTurn(self._begun, again))
        return self._parts[-1]

    def _begin_turn(self, event: Doc) -> None:
        kind, self._withheld = event["type"], []
        for wider, rank in self._begins.items():
            if rank > self._begins[kind]:
                self._counts.pop(wider, None)
        self._counts[kind] = number = self._counts.get(kind, 0) + 1
        seat = event.get("seat")
        head = (
            self._words.describe_turn(number, seat)
            if isinstance(seat, int)
            else self._words.strip_heading(event.get("told"))
        )
        self._begun = TurnStart(head, number, seat if isinstance(seat, int) else None, event["n"])

    def _says_more_than_heading(self, event: Doc) -> bool:
        """Whether the fact with which a turn begins says more than its heading."""
        return isinstance(event.get("seat"), int) and any(event[key] for key in event.keys() - HEADING_FIELDS)

    def _build_line(self, event: Doc, *, gone: bool) -> TranscriptLine | None:
        if not event.get("told"):
            return None
        below = tuple(render_details(self._words, event))
        return TranscriptLine(
            str(event.get("n", "")), event["told"], below, gone, event["type"] in self._phases, event["type"]
        )

    def _build_move_line(self, entry: Doc) -> TranscriptLine | None:
        """The move in words, where no fact tells anything."""
        told = (entry.get("move") or {}).get("told")
        gone = entry["version"] in self._superseded and not all(
            survives_rewind(each["type"]) for each in entry.get("events", ())
        )
        return TranscriptLine(str(entry["version"]), told, is_superseded=gone) if told else None


def build_turns(words: TranscriptWords, entries: Iterable[Doc]) -> list[TranscriptTurn]:
    """The course by turn, of the entries of one match from its first one on, as some eyes were told them."""
    return TranscriptBuilder(words, entries).collect_turns()


def filter_turns(
    parts: Iterable[TranscriptTurn], after: int, upto: int | None, kinds: frozenset[str] = frozenset()
) -> list[TranscriptTurn]:
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
            kept.append(TranscriptTurn(part.start, part.is_resumed, items))
    return kept


def turns_response(parts: Iterable[TranscriptTurn]) -> list[dict[str, Any]]:
    """The turns for programs: how each began, and which entries are told in it."""
    return [
        {
            "head": {lang: part.start.heading[lang] for lang in LANGUAGES},
            "turn": part.start.number,
            "seat": part.start.seat,
            "begins": part.start.event_number or None,
            "again": part.is_resumed,
            "entries": [item.version for item in part.items if not item.continues_entry],
            "ends": [item.version for item in part.items if item.continues_entry],
            "taken_back": {
                str(item.version): item.superseded_by for item in part.items if item.superseded_by is not None
            },
        }
        for part in parts
    ]
