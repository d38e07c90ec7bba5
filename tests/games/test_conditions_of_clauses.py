"""No clause is cited of another variant or reading, and none whose condition is false."""

from __future__ import annotations

from itertools import islice

import pytest

from referee.engine.game import Setup
from referee.games import load_games
from tests.games.conditions import find_false_citations, find_foreign_citations, games_with_conditions, read_conditions
from tests.games.matches import marked_setups, random_match, setups

MOVES = 400
FEWEST = 15  # conditions that a game tells


def with_conditions() -> list[object]:
    """The setups of the games that tell conditions."""
    return [each for each in marked_setups() if each.values[0][0] in games_with_conditions()]


@pytest.mark.parametrize("pair", marked_setups())
def test_no_clause_of_another_variant_or_reading_is_cited(pair: tuple[str, Setup]) -> None:
    variants = load_games()[pair[0]].variants
    for turned in islice(random_match(*pair, 21), MOVES):
        found = list(find_foreign_citations(turned, pair[1].variant, variants))
        assert not found, (found, turned.move, turned.events)


@pytest.mark.parametrize("pair", with_conditions())
def test_no_clause_is_cited_whose_condition_is_false(pair: tuple[str, Setup]) -> None:
    conditions = read_conditions(pair[0])
    for turned in islice(random_match(*pair, 22), MOVES):
        found = list(find_false_citations(turned, conditions))
        assert not found, (found, turned.move, turned.events)


@pytest.mark.parametrize("game", games_with_conditions())
def test_conditions_are_of_clauses_of_the_game_and_say_something(game: str) -> None:
    """A condition that always holds would forbid nothing."""
    conditions = read_conditions(game)
    assert len(conditions) >= FEWEST
    assert set(conditions) <= set(load_games()[game].rulebook.clauses)
    pair = next(each for each in setups() if each[0] == game)
    played = tuple(islice(random_match(*pair, 22), MOVES))
    for name, condition in conditions.items():
        assert not all(condition(turned) for turned in played), f"{name} may always be cited"
