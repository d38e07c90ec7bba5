"""The disputes of a match as its entries tell them: what was claimed, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.engine.rulebook.book import Text
from referee.transcript.details import render_details
from referee.transcript.wording import TranscriptWords


@dataclass(slots=True)
class TranscriptDispute:
    """A dispute: its heading, the entries about it with what each says, and the entry that is disputed."""

    number: int
    about: int
    heading: Text
    entries: list[tuple[int, Text, tuple[Text, ...]]] = field(default_factory=list)


def collect_disputes(words: TranscriptWords, entries: Iterable[Mapping[str, Any]]) -> list[TranscriptDispute]:
    """All disputes in the order in which they were opened."""
    found: dict[int, TranscriptDispute] = {}
    for entry in entries:
        for event in entry.get("events", ()):
            number = event.get("dispute")
            if number is None or not event["type"].startswith("table."):
                continue
            if event["type"] == "table.DisputeOpened":
                claim = words.describe_claim(event["claim"])
                by, about = words.describe_person(event["by"]), event["about"]
                head = words.render_text("disputes.one", dispute=number, about=about, by=by, claim=claim)
                found[number] = TranscriptDispute(number, about, head)
            if number in found and event.get("told"):
                found[number].entries.append((entry["version"], event["told"], tuple(render_details(words, event))))
    return list(found.values())
