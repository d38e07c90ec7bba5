"""How many writes a turn takes at a real table."""

from __future__ import annotations

import pytest

from tests.evenings.counting import count_writes
from tests.evenings.evening import Evening


@pytest.mark.parametrize(("game", "mean"), [("here_to_slay", 12.8), ("munchkin", 9.2)])
def test_with_one_tap_for_all_a_turn_takes_six_writes_at_most_and_leads_to_the_same_table(
    game: str, mean: float
) -> None:
    singly, together = count_writes(game, together=False), count_writes(game, together=True)
    assert singly.mean == mean
    assert together.mean <= 6
    assert table_of(singly) == table_of(together)


def table_of(evening: Evening) -> object:
    """The table as everybody sees it."""
    view = evening.table.host.get(f"{evening.table.path}/view").json
    assert view is not None
    return view["table"]
