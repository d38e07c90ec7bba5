"""The suspects: entries that cannot all be true together.

TABLE-CENSUS-2: The referee names the entries that cannot all be true together. It accuses none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from referee.census.check import Census
from referee.census.observations import Sighting, collect_observations
from referee.engine.seats import BYSTANDER
from referee.engine.zones import is_back
from referee.match.aggregate import Match
from referee.match.entries import LogEntry

CLAUSE = "TABLE-CENSUS-2"


def find_suspects(history: Iterable[LogEntry], viewer: int, cards: Iterable[str]) -> tuple[Sighting, ...]:
    """Return where the copies of these cards that now lie named were named first.

    `history` are the entries that count. Only what the viewer was shown of them is used.
    """
    namings = collect_observations(history, viewer).namings
    found = {each.version: each for card in dict.fromkeys(cards) for each in namings.get(card, ())}
    return tuple(found[version] for version in sorted(found))


def list_contradicting_sightings(found: Census) -> tuple[Sighting, ...]:
    """Return the sightings that contradict each other, one for each entry."""
    seen = {each.version: each for wrong in found.contradictions for each in wrong.sightings}
    return tuple(seen[version] for version in sorted(seen))


def count_surplus(match: Match) -> dict[str, int]:
    """Return how many copies of each card lie there beyond those of the box.

    It is counted from what everybody sees. What the table has agreed on before still counts, wherever those cards are.
    """
    assert match.state is not None
    box = Counter(_list_names(match.rules.initial_cards(match.setup).values()))
    seen = Counter(_list_names(match.rules.tracking.cards_by_zone(match.state.view_for(int(BYSTANDER))).values()))
    known: dict[str, int] = getattr(match.state, "surplus", {})
    return dict(sorted((Counter(known) | (seen - box)).items()))


def list_unknown_cards(match: Match) -> list[str]:
    """Return the names on a table that no card of the box has."""
    assert match.state is not None
    box = set(_list_names(match.rules.initial_cards(match.setup).values()))
    return [name for name in _list_names(match.rules.tracking.cards_by_zone(match.state).values()) if name not in box]


def _list_names(piles: Iterable[Sequence[str]]) -> list[str]:
    """Return the cards that lie by name, without the numbers of their copies."""
    return [card.partition("#")[0] for pile in piles for card in pile if not is_back(card)]
