"""Two worlds that differ only in what somebody may not see: he gets the same of both, byte for byte, wherever he asks.

`REFEREE_LEAK_ROUNDS=10` plays ten rounds, each with other people at the table, other settings and other moments; a
single round is of every second sitting.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace

import pytest

from referee.games import load_games
from referee.games.munchkin.events.cards import CardsDiscarded
from tests.leaks import recipes
from tests.leaks.proof import Found, proved
from tests.leaks.recipes import Here
from tests.leaks.sides import Side, Sitting
from tests.leaks.sittings import sittings
from tests.leaks.worlds import shows_a_card

ROUNDS = int(os.environ.get("REFEREE_LEAK_ROUNDS", "1"))
AGAIN = 4  # other moves that are played where nothing could be changed unseen
ALL = [(number, each) for number in range(ROUNDS) for each in sittings(number)]
# of each two sittings one, now the first and now the second: cards of the server's in the one, real ones in the other
SITTINGS = ALL if ROUNDS > 1 else [each for at, each in enumerate(ALL) if at % 4 in (0, 3)]
FOUND: Counter[str] = Counter()


@pytest.mark.parametrize(("number", "sitting"), SITTINGS, ids=lambda each: str(each))
def test_hidden_cards_change_no_byte_of_any_answer(number: int, sitting: Sitting) -> None:
    found = Found()
    for again in range(AGAIN):
        found += proved(sitting, f"{number}-{again}", moves=16, stops=1)
        if found.changed:
            break
    FOUND[sitting.game] += found.changed
    FOUND["answers"] += found.answers
    FOUND["sittings"] += 1


def test_there_was_something_hidden_to_be_told() -> None:
    if FOUND["sittings"] < len(SITTINGS):
        pytest.skip("counts what the proof above has found, and that was not run whole")
    assert set(FOUND) == {*load_games(), "answers", "sittings"}
    assert all(FOUND.values()), FOUND


def test_a_fact_that_shows_more_names_tells_worlds_apart_by_right_and_one_of_more_backs_does_not() -> None:
    one = CardsDiscarded(source="hand:1", target="doors/discard", took=("?",), put=("gone_home_early",))
    further = replace(one, took=("?", "?"), put=("gone_home_early", "second_helping"))
    assert shows_a_card(one, further)
    assert shows_a_card(further, one)
    assert shows_a_card(one, replace(one, put=("second_helping",)))
    assert not shows_a_card(one, replace(one, took=("?", "?")))
    assert not shows_a_card(one, replace(further, put=("gone_home_early", "?")))
    assert not shows_a_card(replace(one, put=()), one)


def test_every_route_has_a_recipe() -> None:
    game = next(iter(load_games().values()))
    chairs = ({"kind": "human"},) * game.min_seats
    side = Side(Sitting(game.name, game.variants[0], chairs, "server", held=(0,)))
    lacking = recipes.missing(Here(side, random.Random(0), 1))
    assert not lacking, "\n".join(lacking)


def test_what_is_long_and_the_same_for_everybody_is_the_same_for_everybody() -> None:
    """The contract: not asked in every world, for it is long."""
    for name in recipes.DEAR:
        said = set()
        for sitting in sittings()[:2]:
            side = Side(sitting)
            rule = next(rule for rule in recipes.rules(Here(side, random.Random(0), 1)) if rule.endpoint.endswith(name))
            said.add(side.observer.get(rule.rule).data)
        assert len(said) == 1
