"""The protocol as a page to read, to keep and to print: whole in itself, without a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from typing import Protocol as Typing

from referee.engine.rulebook.book import Clause, Text
from referee.rendering import html, texts
from referee.transcript.disputes import Quarrel, quarrels
from referee.transcript.history import Item, Part, course, cut
from referee.transcript.wording import Words

HERE = Path(__file__).parent
STYLE = HERE / "transcript.css"
Doc = Mapping[str, Any]


class Times(Typing):
    """How moments, in ms since 1970, are written for whoever reads the page."""

    def whole(self, ms: int) -> str:
        """Day, time and zone."""

    def hour(self, ms: int) -> str:
        """The time alone."""

    def stamp(self, ms: int) -> str:
        """For programs."""

    def called(self, ms: int) -> str:
        """The zone."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page is to show. `eyes`: `public`, `full` or a seat. `after` and `upto` bound the entries that are told;
    `most` is how many at most; `kinds`: only facts of these
    types, if any are named. `next_page`: where those after a version are; None where nobody can follow.
    """

    lang: str
    times: Times
    eyes: str | int = "public"
    after: int = 0
    upto: int | None = None
    most: int | None = None
    kinds: frozenset[str] = frozenset()
    next_page: Callable[[int], str] | None = None
    root: str = ""


def policy() -> str:
    """The Content-Security-Policy of the page."""
    return html.policy(STYLE)


def used(ms: int | None) -> str:
    """How long after the entry before it an entry was made; nothing below a second."""
    if ms is None or ms < 1000:
        return ""
    minutes, seconds = divmod(round(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"+{hours}:{minutes:02d}:{seconds:02d}"
    return f"+{minutes}:{seconds:02d}" if minutes else f"+{seconds} s"


class Protocol:
    """One protocol in one language, as a template or a terminal shows it.

    `about` is the match as the API describes it; `entries` are those from its first one on that these eyes were told.
    """

    def __init__(self, words: Words, about: Doc, entries: Sequence[Doc], asked: Asked) -> None:
        self.words, self.about, self.asked, self.lang = words, about, asked, asked.lang
        self.style, self.policy = html.style(STYLE), policy()
        whole = course(words, entries)
        self.all = entries[-1]["version"] if entries else 0
        versions = [entry["version"] for entry in entries if entry["version"] > asked.after]
        last = versions[: asked.most][-1] if versions else asked.after
        self.last = last if asked.upto is None else min(last, asked.upto)
        self.parts = cut(whole, asked.after, self.last, asked.kinds)
        self.first = self.parts[0].items[0].version if self.parts else 0
        self._ends = (entries[0].get("at_ms"), entries[-1].get("at_ms")) if entries else (None, None)
        self._quarrels = quarrels(words, entries)

    # -- words ----------------------------------------------------------------------------------------------------

    def word(self, key: str, **params: Any) -> str:
        """A word of the frame, its placeholders filled. Raises KeyError."""
        return self.words.text(key, **params)[self.lang]

    def text(self, words: Text | None) -> str:
        """A text in the language of the page; nothing where there is none."""
        return "" if words is None else words[self.lang]

    @property
    def game(self) -> str:
        """What the game is called."""
        game = self.words.game
        return str(self.about["game"]) if game is None else game.title[self.lang]

    @property
    def title(self) -> str:
        """What the page is called."""
        variant = self.about.get("variant") or ""
        named = self.game if variant in ("", "standard") else f"{self.game} ({variant})"
        return self.word("title", game=dict.fromkeys(("en", "de"), named))

    @property
    def status(self) -> str:
        """How the match stands."""
        status = str(self.about["status"])
        return self.word(f"status.{status}") if self.words.has(f"status.{status}") else status

    # -- the match as a whole -------------------------------------------------------------------------------------

    def head(self) -> Iterator[tuple[str, str]]:
        """What is said of the match as a whole: names and values."""
        about, eyes = self.about, self.asked.eyes
        variant = about.get("variant") or ""
        yield self.word("head.match"), str(about["id"])
        yield self.word("head.game"), self.game if variant in ("", "standard") else f"{self.game} ({variant})"
        for key in ("edition", "ruleset"):
            if about.get(key):
                yield self.word("head.edition" if key == "edition" else "head.rules"), str(about[key])
        yield self.word("head.status"), self.status
        seen = self.text(self.words.seat(eyes)) if isinstance(eyes, int) else self.word(f"eyes.{eyes}")
        yield self.word("head.eyes"), seen
        for key, at in zip(("head.began", "head.ended"), self._ends, strict=True):
            if at is not None:
                yield self.word(key), self.asked.times.whole(at)
        if about.get("chance"):
            yield self.word("head.chance"), ", ".join(self._device(*each) for each in sorted(about["chance"].items()))
        yield self.word("head.version"), str(self.all)
        if about.get("commitment"):
            yield self.word("head.commitment"), str(about["commitment"])
        if self.asked.root:
            yield self.word("head.root"), self.asked.root

    def _device(self, device: str, source: str) -> str:
        called = self.word(f"device.{device}") if self.words.has(f"device.{device}") else device
        return f"{called}: {self.word(f'source.{source}')}"

    def seats(self) -> Iterator[tuple[str, str]]:
        """Each seat, and who sits there."""
        for chair in self.about.get("seats", ()):
            kind = chair["kind"]
            free = kind == "human" and not chair.get("taken")
            key = "seat.free" if free else f"seat.{kind}"
            called = self.word("seat", seat=chair["seat"])
            name = self.words.name(chair["seat"])
            yield called, name or self.word(key, level=chair.get("level") or 0)

    def outcome(self) -> list[str]:
        """How it ended: winners, reason, places."""
        end = self.about.get("outcome")
        if not end:
            return [self.word("outcome.open")]
        won = ", ".join(self.text(self.words.seat(seat)) for seat in end["winners"])
        lines = [self.word("outcome.won", who=_plain(won)) if won else self.word("outcome.nobody")]
        if end.get("reason"):
            lines.append(self.text(end["reason"]))
        place = 1
        for seats in end.get("placement", ()):
            who = ", ".join(self.text(self.words.seat(seat)) for seat in seats)
            lines.append(self.word("outcome.place", place=place, who=_plain(who)))
            place += len(seats)
        return lines

    @property
    def end_clauses(self) -> list[str]:
        """The clauses that the end rests on."""
        return list((self.about.get("outcome") or {}).get("clauses", ()))

    # -- the course -----------------------------------------------------------------------------------------------

    def heading(self, part: Part) -> str:
        """The heading of a turn."""
        return self.word("part.again", head=part.begun.head) if part.again else self.text(part.begun.head)

    def time(self, item: Item) -> str:
        """The time of an entry, without its day."""
        return "" if item.at_ms is None or item.goes_on else self.asked.times.hour(item.at_ms)

    def stamp(self, item: Item) -> str:
        """The same for programs."""
        return "" if item.at_ms is None else self.asked.times.stamp(item.at_ms)

    def used(self, item: Item) -> str:
        """How long after the entry before."""
        return used(item.used_ms)

    def taken_back(self, by: int, items: Sequence[Item]) -> str:
        """What is said of a stretch that counts no more."""
        first, last = items[0].version, items[-1].version
        return self.word("gone.one" if first == last else "gone.several", first=first, last=last, by=by)

    @property
    def zone(self) -> str:
        """The zone of the times on the page."""
        at = self._ends[0]
        return "" if at is None else self.asked.times.called(at)

    @property
    def is_cut(self) -> bool:
        """Whether the page has not all entries."""
        return bool(self.parts) and (self.first > 1 or self.last < self.all)

    @property
    def next_page(self) -> str:
        """Where the entries after the last one are; empty where there are none, or nobody can follow."""
        end = self.all if self.asked.upto is None else min(self.all, self.asked.upto)
        there = self.asked.next_page
        return there(self.last) if there is not None and self.parts and self.last < end else ""

    def quarrels(self) -> list[Quarrel]:
        """The disputes."""
        return self._quarrels

    @cached_property
    def clauses(self) -> list[Clause]:
        """The clauses that the entries of the page cite, each once."""
        items = (item for part in self.parts for item in part.items)
        cited = dict.fromkeys(name for item in items for name in item.clauses) | dict.fromkeys(self.end_clauses)
        return list(_known(self.words, sorted(cited)))

    @cached_property
    def versions(self) -> set[int]:
        """The entries that the page has, to which links can lead."""
        return {item.version for part in self.parts for item in part.items if not item.goes_on}

    @cached_property
    def known(self) -> set[str]:
        """The ids of those that the page has in words."""
        return {clause.id for clause in self.clauses}


def _known(words: Words, names: Iterable[str]) -> Iterator[Clause]:
    """The clauses of these ids, as far as this program has them: a log may be older, or of a newer one."""
    for name in names:
        try:
            yield texts.clause(words.game, name)
        except KeyError:
            continue


def _plain(text: str) -> Text:
    return dict.fromkeys(("en", "de"), text)


def page(words: Words, about: Doc, entries: Sequence[Doc], asked: Asked) -> str:
    """The protocol as an HTML page in one language."""
    protocol = Protocol(words, about, entries, asked)
    return html.templates(HERE).get_template("transcript.html").render(page=protocol)
