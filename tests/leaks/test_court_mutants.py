"""Nothing that a court tells, before it has ruled or after, tells two worlds apart that differ in hidden cards alone;
and each way to leak by a court is found, by the quarrel that is aimed at it."""

from __future__ import annotations

import os
from itertools import product

import pytest

from tests.leaks.court_mutants import MUTANTS, leaking
from tests.leaks.courtroom import FIRST, TABLES, Quarrel, proved_in_court
from tests.leaks.proof import Found
from tests.leaks.worlds import Leak

TRIES = 12  # matches in which a leak has to show itself
WHOLE = int(os.environ.get("REFEREE_LEAK_ROUNDS", "1")) > 1  # else every second mutant: each has been found before


def seeds(quarrel: Quarrel) -> range:
    """The matches that are tried."""
    first = FIRST.get(quarrel, 0)
    return range(first, first + TRIES)


@pytest.mark.parametrize("name", sorted(MUTANTS)[:: 1 if WHOLE else 2])
def test_a_leak_by_a_court_is_found(name: str) -> None:
    quarrel = MUTANTS[name][0]
    for seed, sitting in product(seeds(quarrel), TABLES[quarrel]):
        try:
            with leaking(name):
                proved_in_court(sitting, quarrel, str(seed))
        except Leak:
            return
    pytest.fail(f"{name} was not found")


@pytest.mark.parametrize("quarrel", TABLES, ids=lambda each: each.__name__)
def test_a_quarrel_tells_nothing_of_hidden_cards(quarrel: Quarrel) -> None:
    found = Found()
    for seed in seeds(quarrel):
        for sitting in TABLES[quarrel]:
            found += proved_in_court(sitting, quarrel, str(seed))
        if found.changed:
            break
    assert found.changed
    assert found.answers
