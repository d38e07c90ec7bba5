"""Lines below the line of an event: a claim, the reason of a ruling, testimony."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from referee.engine.rulebook.book import LANGUAGES, Text
from referee.transcript.wording import TranscriptWords

Doc = Mapping[str, Any]


def render_details(words: TranscriptWords, event: Doc) -> Iterator[Text]:
    """Yield the lines below that of an event; most events have none."""
    renderer = DETAIL_RENDERERS.get(event["type"])
    if renderer is not None:
        yield from renderer(words, event)


def _render_dispute(words: TranscriptWords, event: Doc) -> Iterator[Text]:
    yield words.render_text(
        "dispute.claim", by=words.describe_person(event["by"]), claim=words.describe_claim(event["claim"])
    )
    yield from _render_clause(words, event.get("clause"))
    yield from _render_observation(words, event.get("saw"))
    yield from _render_statement(words, event.get("statement"))


def _render_testimony(words: TranscriptWords, event: Doc) -> Iterator[Text]:
    yield words.render_text("dispute.holds" if event["holds"] else "dispute.holds_not")
    yield from _render_observation(words, event.get("saw"))


def _render_vote(words: TranscriptWords, event: Doc) -> Iterator[Text]:
    yield words.render_text("dispute.remedy", remedy=words.describe_court_term(event["remedy"]))


def _render_ruling(words: TranscriptWords, event: Doc) -> Iterator[Text]:
    yield words.render_text(
        "dispute.by", by=words.describe_person(event["by"]), verdict=words.describe_court_term(event["verdict"])
    )
    if event.get("remedy"):
        yield words.render_text("dispute.remedy", remedy=words.describe_court_term(event["remedy"]))
    reason = words.describe_reason(event["reason"], event.get("params") or {})
    if reason is not None:
        yield words.render_text("dispute.reason", reason=reason)
    yield from _render_statement(words, event.get("statement"))
    if event.get("cites"):
        yield words.render_text("dispute.cites", clauses=event["cites"])
    if event.get("departs_from"):
        yield words.render_text("dispute.departs", clauses=event["departs_from"])
    if event.get("keep"):
        yield words.render_text("dispute.kept")


def _render_appeal(words: TranscriptWords, event: Doc) -> Iterator[Text]:
    yield from _render_clause(words, event.get("clause"))
    yield from _render_statement(words, event.get("grounds"))


def _render_deviation(words: TranscriptWords, event: Doc) -> Iterator[Text]:
    if event.get("cites"):
        yield words.render_text("dispute.cites", clauses=event["cites"])
    yield from _render_statement(words, event.get("reason"))


def _render_correction(words: TranscriptWords, event: Doc) -> Iterator[Text]:
    if event.get("places"):
        yield words.render_text("dispute.places", places=event["places"])


def _render_clause(words: TranscriptWords, clause: Any) -> Iterator[Text]:
    if clause:
        yield words.render_text("dispute.clause", clause=clause)


def _render_observation(words: TranscriptWords, saw: Any) -> Iterator[Text]:
    """Yield what a seat saw, as it was written."""
    if saw is not None:
        written = saw if isinstance(saw, str) else json.dumps(saw, ensure_ascii=False)
        yield words.render_text("dispute.saw", saw=words.describe_value(written))


def _render_statement(words: TranscriptWords, said: Any) -> Iterator[Text]:
    """Yield a person's own words."""
    if said:
        yield words.render_text("said", says=dict.fromkeys(LANGUAGES, str(said)))


DETAIL_RENDERERS: dict[str, Callable[[TranscriptWords, Doc], Iterator[Text]]] = {
    "table.DisputeOpened": _render_dispute,
    "table.Attested": _render_testimony,
    "table.Witnessed": _render_testimony,
    "table.Voted": _render_vote,
    "table.RulingIssued": _render_ruling,
    "table.Appealed": _render_appeal,
    "table.DeviationAsked": _render_deviation,
    "table.Deviated": _render_deviation,
    "table.Corrected": _render_correction,
}
