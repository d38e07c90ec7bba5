"""The disputes of a match as its entries show them: the claim, and its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.engine.rulebook.book import Text
from referee.transcript.details import render_details
from referee.transcript.wording import TranscriptWords


@dataclass(slots=True)
class TranscriptDispute:
    """A dispute with the entries about it."""

    number: int
    about: int  # the disputed entry
    heading: Text
    entries: list[tuple[int, Text, tuple[Text, ...]]] = field(default_factory=list)  # version, line, details


def collect_disputes(words: TranscriptWords, entries: Iterable[Mapping[str, Any]]) -> list[TranscriptDispute]:
    """Return all disputes in the order in which they were opened."""
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
                found[number].entries.append(
                    (entry["version"], words.name_players(event["told"]), tuple(render_details(words, event)))
                )
    return list(found.values())
