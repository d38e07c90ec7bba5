"""The census of a position: its contradictions, and the places to count again.

Each game says what to look for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from referee.engine.rulebook.book import Rulebook

CensusFinding = dict[str, Any]
PlaceLabels = Mapping[str, str]  # labels of places by JSON pointer


def build_census_result(found: Iterable[CensusFinding], places: PlaceLabels, book: Rulebook) -> dict[str, Any]:
    """Return the contradictions of a position and the places to count again.

    The places that occur in most contradictions come first. What has no label cannot be counted.
    """
    found = list(found)
    votes = Counter(pointer for finding in found for pointer in finding["places"])
    again = [at for at, _ in votes.most_common() if at in places]
    recounts = [{"pointer": at, "says": book.render_texts("census.recount", place=places[at])} for at in again]
    return {"possible": not found, "contradictions": found, "recounts": recounts}


def build_finding(
    book: Rulebook, key: str, clause: str, counted: int, copies: int, places: Iterable[str], card: str | None = None,
    **more: Any,
) -> CensusFinding:  # fmt: skip
    """Return one contradiction: card, counts, clause, places and text.

    `counted` is the number found, `copies` the number there are.
    """
    says = book.render_texts(key, card=card, counted=counted, copies=copies, **more)
    return {
        "card": card, "counted": counted, "copies": copies, "clause": clause,
        "places": list(dict.fromkeys(places)), "says": says,
    }  # fmt: skip


def check_total(book: Rulebook, lying: list[str], copies: int, clause: str, complete: bool) -> Iterable[CensusFinding]:
    """Yield a finding if there are more cards than exist, or too few.

    Too few can be found only if all places are `complete`.
    """
    if len(lying) > copies:
        yield build_finding(book, "census.more_cards", clause, len(lying), copies, lying)
    elif complete and len(lying) < copies:
        yield build_finding(book, "census.fewer_cards", clause, len(lying), copies, lying)
