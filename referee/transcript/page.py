"""The transcript as a complete page to read, keep and print, without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from typing import Protocol as Typing

from referee.engine.rulebook.book import Clause, Text
from referee.engine.rulebook.messages import describe_players
from referee.rendering import html, texts
from referee.transcript.disputes import TranscriptDispute, collect_disputes
from referee.transcript.history import TranscriptEntry, TranscriptTurn, build_turns, filter_turns
from referee.transcript.wording import TranscriptWords

HERE = Path(__file__).parent
STYLE = HERE / "transcript.css"
Doc = Mapping[str, Any]


class TimeFormat(Typing):
    """How times, in ms since 1970, are written for the reader of the page."""

    def format_moment(self, ms: int) -> str:
        """Return day, time and zone."""

    def format_time(self, ms: int) -> str:
        """Return the time alone."""

    def format_timestamp(self, ms: int) -> str:
        """Return the time for programs."""

    def zone_name(self, ms: int) -> str:
        """Return the name of the zone."""


@dataclass(frozen=True, slots=True)
class TranscriptRequest:
    """What a page is to show."""

    lang: str
    times: TimeFormat
    viewer: str | int = "public"  # `public`, `full` or a seat
    after: int = 0  # only entries after this version
    upto: int | None = None  # only entries up to this version
    max_entries: int | None = None
    kinds: frozenset[str] = frozenset()  # only events of these types, if any are named
    next_page: Callable[[int], str] | None = None  # the address of the entries after a version; None: no links
    root: str = ""


def content_policy() -> str:
    """Return the Content-Security-Policy of the page."""
    return html.compute_content_policy(STYLE)


def format_elapsed(ms: int | None) -> str:
    """Return the time between an entry and the one before; empty below a second."""
    if ms is None or ms < 1000:
        return ""
    minutes, seconds = divmod(round(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"+{hours}:{minutes:02d}:{seconds:02d}"
    return f"+{minutes}:{seconds:02d}" if minutes else f"+{seconds} s"


class Transcript:
    """One transcript in one language, as a template or a terminal shows it.

    `about` is the match as the API describes it. `entries` are those that the viewer was shown, from the first one on.
    """

    def __init__(self, words: TranscriptWords, about: Doc, entries: Sequence[Doc], asked: TranscriptRequest) -> None:
        self.words, self.about, self.request, self.lang = words, about, asked, asked.lang
        self.style, self.policy = html.load_style(STYLE), content_policy()
        whole = build_turns(words, entries)
        self.last_version = entries[-1]["version"] if entries else 0
        versions = [entry["version"] for entry in entries if entry["version"] > asked.after]
        last = versions[: asked.max_entries][-1] if versions else asked.after
        self.last_shown = last if asked.upto is None else min(last, asked.upto)
        self.turns = filter_turns(whole, asked.after, self.last_shown, asked.kinds)
        self.first_shown = self.turns[0].items[0].version if self.turns else 0
        self._ends = (entries[0].get("at_ms"), entries[-1].get("at_ms")) if entries else (None, None)
        self._disputes = collect_disputes(words, entries)

    # -- words ----------------------------------------------------------------------------------------------------

    def render_word(self, key: str, **params: Any) -> str:
        """Return a text of the page with its placeholders filled. Raises KeyError."""
        return self.words.render_text(key, **params)[self.lang]

    def render_text(self, words: Text | None) -> str:
        """Return a text in the language of the page; empty for None."""
        return "" if words is None else words[self.lang]

    @property
    def game(self) -> str:
        """The title of the game."""
        game = self.words.game
        return str(self.about["game"]) if game is None else game.title[self.lang]

    @property
    def title(self) -> str:
        """The title of the page."""
        variant = self.about.get("variant") or ""
        named = self.game if variant in ("", "standard") else f"{self.game} ({variant})"
        return self.render_word("title", game=dict.fromkeys(("en", "de"), named))

    @property
    def status(self) -> str:
        """The status of the match in words."""
        status = str(self.about["status"])
        return self.render_word(f"status.{status}") if self.words.has_text(f"status.{status}") else status

    # -- the match as a whole -------------------------------------------------------------------------------------

    def list_match_details(self) -> Iterator[tuple[str, str]]:
        """Yield names and values that describe the match as a whole."""
        about, viewer = self.about, self.request.viewer
        variant = about.get("variant") or ""
        yield self.render_word("head.match"), str(about["id"])
        yield self.render_word("head.game"), self.game if variant in ("", "standard") else f"{self.game} ({variant})"
        for key in ("edition", "ruleset"):
            if about.get(key):
                yield self.render_word("head.edition" if key == "edition" else "head.rules"), str(about[key])
        yield self.render_word("head.status"), self.status
        seen = (
            self.render_text(self.words.describe_seat(viewer))
            if isinstance(viewer, int)
            else self.render_word(f"eyes.{viewer}")
        )
        yield self.render_word("head.eyes"), seen
        for key, at in zip(("head.began", "head.ended"), self._ends, strict=True):
            if at is not None:
                yield self.render_word(key), self.request.times.format_moment(at)
        if about.get("chance"):
            yield (
                self.render_word("head.chance"),
                ", ".join(self._describe_device(*each) for each in sorted(about["chance"].items())),
            )
        yield self.render_word("head.version"), str(self.last_version)
        if about.get("commitment"):
            yield self.render_word("head.commitment"), str(about["commitment"])
        if self.request.root:
            yield self.render_word("head.root"), self.request.root

    def _describe_device(self, device: str, source: str) -> str:
        called = self.render_word(f"device.{device}") if self.words.has_text(f"device.{device}") else device
        return f"{called}: {self.render_word(f'source.{source}')}"

    def list_seats(self) -> Iterator[tuple[str, str]]:
        """Yield each seat with its player."""
        for chair in self.about.get("seats", ()):
            kind = chair["kind"]
            free = kind == "human" and not chair.get("taken")
            key = "seat.free" if free else f"seat.{kind}"
            called = describe_players(chair["seat"], self.lang)
            name = self.words.find_player_name(chair["seat"])
            yield called, name or self.render_word(key, level=chair.get("level") or 0)

    def describe_outcome(self) -> list[str]:
        """Return the outcome in lines: winners, reason, places."""
        end = self.about.get("outcome")
        if not end:
            return [self.render_word("outcome.open")]
        won = ", ".join(self.render_text(self.words.describe_seat(seat)) for seat in end["winners"])
        lines = [self.render_word("outcome.won", who=_as_text(won)) if won else self.render_word("outcome.nobody")]
        if end.get("reason"):
            lines.append(self.render_text(end["reason"]))
        place = 1
        for seats in end.get("placement", ()):
            who = ", ".join(self.render_text(self.words.describe_seat(seat)) for seat in seats)
            lines.append(self.render_word("outcome.place", place=place, who=_as_text(who)))
            place += len(seats)
        return lines

    @property
    def end_clauses(self) -> list[str]:
        """The clauses that the outcome rests on."""
        return list((self.about.get("outcome") or {}).get("clauses", ()))

    # -- the history ----------------------------------------------------------------------------------------------

    def render_heading(self, part: TranscriptTurn) -> str:
        """Return the heading of a turn."""
        return (
            self.render_word("part.again", head=part.start.heading)
            if part.is_resumed
            else self.render_text(part.start.heading)
        )

    def render_time(self, item: TranscriptEntry) -> str:
        """Return the time of an entry, without its day."""
        return "" if item.at_ms is None or item.continues_entry else self.request.times.format_time(item.at_ms)

    def render_timestamp(self, item: TranscriptEntry) -> str:
        """Return the time of an entry for programs."""
        return "" if item.at_ms is None else self.request.times.format_timestamp(item.at_ms)

    def render_elapsed(self, item: TranscriptEntry) -> str:
        """Return how long after the one before an entry was made."""
        return format_elapsed(item.used_ms)

    def describe_rewind(self, by: int, items: Sequence[TranscriptEntry]) -> str:
        """Return the line about entries that no longer count."""
        first, last = items[0].version, items[-1].version
        return self.render_word("gone.one" if first == last else "gone.several", first=first, last=last, by=by)

    @property
    def time_zone(self) -> str:
        """The zone of the times on the page."""
        at = self._ends[0]
        return "" if at is None else self.request.times.zone_name(at)

    @property
    def is_partial(self) -> bool:
        """Whether entries are missing on the page."""
        return bool(self.turns) and (self.first_shown > 1 or self.last_shown < self.last_version)

    @property
    def next_page(self) -> str:
        """The address of the next entries; empty if there are none, or no links."""
        end = self.last_version if self.request.upto is None else min(self.last_version, self.request.upto)
        there = self.request.next_page
        return there(self.last_shown) if there is not None and self.turns and self.last_shown < end else ""

    def list_disputes(self) -> list[TranscriptDispute]:
        """Return the disputes of the match."""
        return self._disputes

    @cached_property
    def cited_clauses(self) -> list[Clause]:
        """The clauses that the entries of the page cite, each once."""
        items = (item for part in self.turns for item in part.items)
        cited = dict.fromkeys(name for item in items for name in item.clauses) | dict.fromkeys(self.end_clauses)
        return list(_find_known_clauses(self.words, sorted(cited)))

    @cached_property
    def shown_versions(self) -> set[int]:
        """The entries on the page, to which links can lead."""
        return {item.version for part in self.turns for item in part.items if not item.continues_entry}

    @cached_property
    def known_clause_ids(self) -> set[str]:
        """The ids of the clauses that the page shows in words."""
        return {clause.id for clause in self.cited_clauses}


def _find_known_clauses(words: TranscriptWords, names: Iterable[str]) -> Iterator[Clause]:
    """Yield those of the clauses that this program has.

    A log may be older than this program, or of a newer one.
    """
    for name in names:
        try:
            yield texts.find_clause(words.game, name)
        except KeyError:
            continue


def _as_text(text: str) -> Text:
    return dict.fromkeys(("en", "de"), text)


def render_page(words: TranscriptWords, about: Doc, entries: Sequence[Doc], asked: TranscriptRequest) -> str:
    """Return the transcript as an HTML page in one language."""
    transcript = Transcript(words, about, entries, asked)
    return html.load_templates(HERE).get_template("transcript.html").render(page=transcript)
