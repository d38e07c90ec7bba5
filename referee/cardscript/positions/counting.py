"""What the census of a position finds, and the places to count again; each game says what to look for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from referee.engine.rulebook.book import Rulebook

CensusFinding = dict[str, Any]
PlaceLabels = Mapping[str, str]  # where cards lie, by the place of the member that says so


def build_census_result(found: Iterable[CensusFinding], places: PlaceLabels, book: Rulebook) -> dict[str, Any]:
    """The contradictions of a position, and the places to count again, those named most often first."""
    found = list(found)
    votes = Counter(pointer for finding in found for pointer in finding["places"])
    again = [at for at, _ in votes.most_common()]
    recounts = [{"pointer": at, "says": book.render_texts("census.recount", place=places[at])} for at in again]
    return {"possible": not found, "contradictions": found, "recounts": recounts}


def build_finding(
    book: Rulebook, key: str, clause: str, counted: int, copies: int, places: Iterable[str], card: str | None = None,
    **more: Any,
) -> CensusFinding:  # fmt: skip
    """One thing that cannot be: `says` (en, de), clause, the count found and the copies there are, and its places."""
    says = book.render_texts(key, card=card, counted=counted, copies=copies, **more)
    return {
        "card": card, "counted": counted, "copies": copies, "clause": clause,
        "places": list(dict.fromkeys(places)), "says": says,
    }  # fmt: skip


def check_total(book: Rulebook, lying: list[str], copies: int, clause: str, complete: bool) -> Iterable[CensusFinding]:
    """The finding that there are more cards than can be, or fewer although all places are `complete`."""
    if len(lying) > copies:
        yield build_finding(book, "census.more_cards", clause, len(lying), copies, lying)
    elif complete and len(lying) < copies:
        yield build_finding(book, "census.fewer_cards", clause, len(lying), copies, lying)
