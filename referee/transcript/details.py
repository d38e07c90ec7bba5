"""What is told below a line: of a dispute its claim, of a ruling its reason, of testimony what was seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from referee.engine.rulebook.book import LANGUAGES, Text
from referee.transcript.wording import Words

Doc = Mapping[str, Any]


def details(words: Words, event: Doc) -> Iterator[Text]:
    """The lines below the one that is told of a fact; none for most."""
    tell = TELLERS.get(event["type"])
    if tell is not None:
        yield from tell(words, event)


def _disputed(words: Words, event: Doc) -> Iterator[Text]:
    yield words.text("dispute.claim", by=words.someone(event["by"]), claim=words.of_claims(event["claim"]))
    yield from _clause(words, event.get("clause"))
    yield from _saw(words, event.get("saw"))
    yield from _said(words, event.get("statement"))


def _attested(words: Words, event: Doc) -> Iterator[Text]:
    yield words.text("dispute.holds" if event["holds"] else "dispute.holds_not")
    yield from _saw(words, event.get("saw"))


def _voted(words: Words, event: Doc) -> Iterator[Text]:
    yield words.text("dispute.remedy", remedy=words.of_courts(event["remedy"]))


def _ruled(words: Words, event: Doc) -> Iterator[Text]:
    yield words.text("dispute.by", by=words.someone(event["by"]), verdict=words.of_courts(event["verdict"]))
    if event.get("remedy"):
        yield words.text("dispute.remedy", remedy=words.of_courts(event["remedy"]))
    reason = words.reason(event["reason"], event.get("params") or {})
    if reason is not None:
        yield words.text("dispute.reason", reason=reason)
    yield from _said(words, event.get("statement"))
    if event.get("cites"):
        yield words.text("dispute.cites", clauses=event["cites"])
    if event.get("departs_from"):
        yield words.text("dispute.departs", clauses=event["departs_from"])
    if event.get("keep"):
        yield words.text("dispute.kept")


def _appealed(words: Words, event: Doc) -> Iterator[Text]:
    yield from _clause(words, event.get("clause"))
    yield from _said(words, event.get("grounds"))


def _deviated(words: Words, event: Doc) -> Iterator[Text]:
    if event.get("cites"):
        yield words.text("dispute.cites", clauses=event["cites"])
    yield from _said(words, event.get("reason"))


def _corrected(words: Words, event: Doc) -> Iterator[Text]:
    if event.get("places"):
        yield words.text("dispute.places", places=event["places"])


def _clause(words: Words, clause: Any) -> Iterator[Text]:
    if clause:
        yield words.text("dispute.clause", clause=clause)


def _saw(words: Words, saw: Any) -> Iterator[Text]:
    """What somebody saw, as he wrote it."""
    if saw is not None:
        written = saw if isinstance(saw, str) else json.dumps(saw, ensure_ascii=False)
        yield words.text("dispute.saw", saw=words.called(written))


def _said(words: Words, said: Any) -> Iterator[Text]:
    """What somebody said, in his own words."""
    if said:
        yield words.text("said", says=dict.fromkeys(LANGUAGES, str(said)))


TELLERS: dict[str, Callable[[Words, Doc], Iterator[Text]]] = {
    "table.DisputeOpened": _disputed,
    "table.Attested": _attested,
    "table.Witnessed": _attested,
    "table.Voted": _voted,
    "table.RulingIssued": _ruled,
    "table.Appealed": _appealed,
    "table.DeviationAsked": _deviated,
    "table.Deviated": _deviated,
    "table.Corrected": _corrected,
}
