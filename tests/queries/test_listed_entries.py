"""An entry is explained without a store as with one, also where the match went back before it or in its middle."""

from __future__ import annotations

import pytest

from referee.engine.seats import BYSTANDER
from referee.match.entries import has_rewind
from referee.match.errors import UnknownVersion
from referee.queries.explanations import explain_entry, explain_listed_entry
from tests.transcript.played import rewound


@pytest.mark.parametrize("viewer", [int(BYSTANDER), 0])
def test_listed_entries_are_explained_as_those_of_a_store(viewer: int) -> None:
    house, match = rewound("mau_mau")
    entries = house.repository.load_entries(match)
    assert has_rewind(entries)
    back = next(entry.version for entry in entries if has_rewind([entry]))
    for n in (1, back - 1, back, back + 1, len(entries)):
        assert explain_listed_entry(entries, viewer, n) == explain_entry(house, match, viewer, n)
    for n in (0, len(entries) + 1):
        with pytest.raises(UnknownVersion):
            explain_listed_entry(entries, viewer, n)
