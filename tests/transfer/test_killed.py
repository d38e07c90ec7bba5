"""Movers that are killed on real stores; many more of them by hand, `python -m tests.bench.moves`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.moves import rounds
from tests.eventstore.servers import NO_SERVER, binaries

pytestmark = pytest.mark.deep


@pytest.mark.skipif(not binaries(), reason=NO_SERVER)
def test_a_match_moves_to_and_fro_however_often_whoever_moves_it_is_killed(tmp_path: Path) -> None:
    found = rounds(2, tmp_path, seed=5)
    assert sum(each.kills for each in found) >= 2
