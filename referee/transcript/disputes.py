"""The disputes of a match as its entries tell them: what was claimed, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.engine.rulebook.book import Text
from referee.transcript.details import details
from referee.transcript.wording import Words


@dataclass(slots=True)
class Quarrel:
    """A dispute: its heading, the entries about it with what each says, and the entry that is disputed."""

    number: int
    about: int
    head: Text
    came: list[tuple[int, Text, tuple[Text, ...]]] = field(default_factory=list)


def quarrels(words: Words, entries: Iterable[Mapping[str, Any]]) -> list[Quarrel]:
    """All disputes in the order in which they were opened."""
    found: dict[int, Quarrel] = {}
    for entry in entries:
        for event in entry.get("events", ()):
            number = event.get("dispute")
            if number is None or not event["type"].startswith("table."):
                continue
            if event["type"] == "table.DisputeOpened":
                claim = words.of_claims(event["claim"])
                by, about = words.someone(event["by"]), event["about"]
                head = words.text("disputes.one", dispute=number, about=about, by=by, claim=claim)
                found[number] = Quarrel(number, about, head)
            if number in found and event.get("told"):
                found[number].came.append((entry["version"], event["told"], tuple(details(words, event))))
    return list(found.values())
