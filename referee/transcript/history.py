"""The history of a match by turn, made of entries as plain data.

A turn begins with an event that the game names (`Narration.turn_start_events`). An entry may end one turn and begin the
next: it belongs to the turn in which its move was made, and its events from that one on are shown in the next. After a
rewind, the turn that was being played then goes on. Entries that no longer count stay, marked with the entry that
struck them.
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
HEADING_FIELDS = frozenset({"n", "type", "v", "told", "seat"})  # the heading of a turn already says these


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """The line about one event, or about a move whose events have no words."""

    n: str  # the place of the event, as `17.2`; for a move the version
    text: Text
    details: tuple[Text, ...] = ()  # lines below it: a claim, a ruling
    is_superseded: bool = False  # it no longer counts
    starts_phase: bool = False  # with it another part of the turn begins
    kind: str = ""  # the type of the event; empty for a move


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """The part of an entry that belongs to one turn."""

    version: int
    at_ms: int | None  # when it was made; None: unknown
    used_ms: int | None  # how long after the entry before; None for the first
    who: Text
    dice: tuple[int, ...]
    lines: tuple[TranscriptLine, ...]
    clauses: tuple[str, ...]
    superseded_by: int | None = None  # the entry that struck it, if it was play
    continues_entry: bool = False  # it began in the turn before


@dataclass(frozen=True, slots=True)
class TurnStart:
    """How a turn began: its heading, number, seat and event.

    `number` is 0 before the first turn.
    """

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
        """Yield its entries in groups that the same entry struck."""
        for by, items in groupby(self.items, key=lambda item: item.superseded_by):
            yield by, list(items)


# By type of event that goes back: the field that says where to.
REWIND_FIELDS = {MatchRewound.TAG: "to", HistoryRestored.TAG: "entry"}


def find_superseded(entries: Iterable[Doc]) -> dict[int, int]:
    """Return each version that no longer counts, with the first entry that struck it."""
    steps = (
        (entry["version"], [(kind, event[REWIND_FIELDS[kind]]) for event in entry.get("events", ())
                            if (kind := event["type"]) in REWIND_FIELDS])
        for entry in entries
    )  # fmt: skip
    return timeline.find_superseded(steps)[0]


def survives_rewind(tag: str) -> bool:
    """Tell whether an event of this tag is a lasting one.

    TABLE-COURSE-1: Nothing is erased. Going back is an entry of its own, and the entries that no longer count stay
    readable.
    """
    return issubclass(REGISTRY.get(tag, object), LastingTableEvent)


def find_dice(entry: Doc) -> tuple[int, ...]:
    """Return what the dice of an entry showed; none if none were rolled."""
    move = entry.get("move") or {}
    return tuple(move.get("values", ())) if move.get("type") == RollResult.TAG else ()


def find_clauses(entry: Doc) -> tuple[str, ...]:
    """Return the clauses that an entry cites."""
    return tuple(entry.get("clauses") or ())


class TranscriptBuilder:
    """Builds the turns of one match from its entries, the first one on."""

    def __init__(self, words: TranscriptWords, entries: Iterable[Doc]) -> None:
        self._words, self._entries = words, list(entries)
        game = words.game
        self._begins = (
            {} if game is None else {kind.TAG: at for at, kind in enumerate(game.narration.turn_start_events)}
        )
        self._phases = (
            frozenset() if game is None else frozenset(kind.TAG for kind in game.narration.phase_start_events)
        )
        self._superseded = find_superseded(self._entries)
        self._parts: list[TranscriptTurn] = []
        self._begun = TurnStart(words.render_text("part.before" if self._begins else "part.all"))
        self._counts: dict[str, int] = {}
        self._withheld: list[TranscriptLine] = []  # a line that only repeats the heading of the turn
        self._turn_states: dict[int, tuple[TurnStart, dict[str, int]]] = {0: (self._begun, {})}

    def collect_turns(self) -> list[TranscriptTurn]:
        """Return the history by turn."""
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
        version, lines, flushed = entry["version"], list[TranscriptLine](), 0
        gone = self._superseded.get(version)
        lasting = [survives_rewind(event["type"]) for event in entry.get("events", ())]
        taken = None if lasting and all(lasting) else gone
        back: int | None = None  # where play went back to; applied once the lasting events are shown

        def flush() -> None:
            nonlocal lines, flushed
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
            if flushed:
                item = replace(item, used_ms=None, dice=(), clauses=(), continues_entry=True)
            self._ensure_turn().items.append(item)
            lines, flushed = [], flushed + 1

        for event, stay in zip(entry.get("events", ()), lasting, strict=True):
            kind = event["type"]
            line = self._build_line(event, gone=taken is not None and not stay)
            if back is not None and not stay and (line is not None or kind in self._begins):
                flush()
                self._resume_turn(back)
                back = None
            if kind in self._begins:
                if not lines and not flushed and (moved := self._build_move_line(entry)) is not None:
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
        if not lines and not flushed:
            lines.append(self._build_move_line(entry) or TranscriptLine(str(version), self._words.render_text("quiet")))
        if lines:
            flush()
        if back is not None:
            self._resume_turn(back)

    def _resume_turn(self, to: int) -> None:
        """Go on with the turn that was being played after entry `to`."""
        self._begun, counts = self._turn_states[to]
        self._counts = dict(counts)

    def _is_turn_unopened(self) -> bool:
        """Tell whether nothing is shown yet of the turn that is being played."""
        return not self._parts or self._parts[-1].start is not self._begun

    def _ensure_turn(self) -> TranscriptTurn:
        """Return the turn to which lines are added now."""
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
        """Tell whether the event that begins a turn says more than its heading."""
        return isinstance(event.get("seat"), int) and any(event[key] for key in event.keys() - HEADING_FIELDS)

    def _build_line(self, event: Doc, *, gone: bool) -> TranscriptLine | None:
        if not event.get("told"):
            return None
        below = tuple(render_details(self._words, event))
        return TranscriptLine(
            str(event.get("n", "")),
            self._words.name_players(event["told"]),
            below,
            gone,
            event["type"] in self._phases,
            event["type"],
        )

    def _build_move_line(self, entry: Doc) -> TranscriptLine | None:
        """Return the move in words, for an entry whose events have none."""
        told = (entry.get("move") or {}).get("told")
        gone = entry["version"] in self._superseded and not all(
            survives_rewind(each["type"]) for each in entry.get("events", ())
        )
        if not told:
            return None
        return TranscriptLine(str(entry["version"]), self._words.name_players(told), is_superseded=gone)


def build_turns(words: TranscriptWords, entries: Iterable[Doc]) -> list[TranscriptTurn]:
    """Return the history by turn, from all entries as one viewer was shown them."""
    return TranscriptBuilder(words, entries).collect_turns()


def filter_turns(
    parts: Iterable[TranscriptTurn], after: int, upto: int | None, kinds: frozenset[str] = frozenset()
) -> list[TranscriptTurn]:
    """Return the turns with some of their entries, without the turns left empty.

    The entries are after one version and no later than another. With `kinds` only lines about events of these types
    stay.
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
    """Return the turns for programs: how each began, and which entries it shows."""
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
