"""Nothing is found in honest matches: a sample of those that `python -m tests.bench.honest` plays by the hundred."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.sitting import GAMES, SOURCES, played, setup_of
from tests.bench.honest import Tally, check

MOVES = 14
SAMPLE = [game + len(GAMES) * ((game + turn) % len(SOURCES)) for turn in (0, 2) for game in range(len(GAMES))]


def test_the_sample_has_every_game_and_whoever_holds_dice_and_cards() -> None:
    found = [setup_of(number)[:2] for number in SAMPLE]
    assert {game for game, _ in found} == set(GAMES)
    assert {source for _, source in found} == set(SOURCES)


@pytest.mark.parametrize("number", SAMPLE, ids=lambda number: "-".join(setup_of(number)[:2]))
def test_neither_verifier_finds_anything_in_an_honest_match(number: int, tmp_path: Path) -> None:
    tally = Tally()
    check(played(number, most=MOVES), number, tally, tmp_path)
    assert tally.wrong == []
    assert tally.entries > 3
