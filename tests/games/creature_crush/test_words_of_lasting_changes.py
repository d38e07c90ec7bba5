"""Changes that last: attack, armor and keywords, for a turn, until the next one, or for good."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.rulebook.book import BookError
from referee.games.creature_crush import GAME
from referee.games.creature_crush.events.course import TurnBegan, TurnEnded
from referee.games.creature_crush.events.field import CreaturesAltered
from referee.rendering.texts import describe_event
from tests.games.course import of
from tests.games.creature_crush.table import table
from tests.games.creature_crush.wording import (
    card,
    said,
    unsaid,  # noqa: F401
)

MINE = {"B1": "clay_guard", "A1": "thornback"}
THEIRS = {"B1": "dune_strider"}


def changed(of_side: str, **change: Any) -> Any:
    """The table after this change of all creatures of a side, and the event."""
    lines = ({"do": "all", "creature": {"of": of_side}, "called": "them"},
             {"do": "strengthen", "creature": "them", **change})  # fmt: skip
    events, state = said(table(MINE, THEIRS), *lines)
    (event,) = of(events, CreaturesAltered)
    return state, event


def ended(state: Any) -> Any:
    """The table when the opponent's turn has begun."""
    return TurnBegan(1).apply(TurnEnded(0).apply(state))


@pytest.mark.clause("CC-AMB-19")
def test_a_keyword_is_given_for_a_turn_or_for_good() -> None:
    for_good, _ = changed("ally", keyword="lively")
    this_turn, _ = changed("ally", keyword="lively", this_turn=True)
    assert for_good.has_keyword("clay_guard", "lively")
    assert this_turn.has_keyword("clay_guard", "lively")
    assert ended(for_good).has_keyword("clay_guard", "lively")
    assert not ended(this_turn).has_keyword("clay_guard", "lively")


@pytest.mark.clause("CC-AMB-19")
def test_a_keyword_that_is_taken_away_is_gone_though_it_is_printed_or_given_again() -> None:
    state, _ = changed("enemy", loses="lively")
    assert not state.has_keyword("dune_strider", "lively")
    _, state = said(state, {"do": "all", "creature": {"of": "enemy"}, "called": "them"},
                    {"do": "strengthen", "creature": "them", "keyword": "lively"})  # fmt: skip
    assert not state.has_keyword("dune_strider", "lively")


def test_what_lasts_until_the_next_turn_ends_as_that_turn_begins_and_not_before() -> None:
    before = table(MINE, THEIRS).attack_points("clay_guard")
    state, event = changed("ally", attack=2, until_next_turn=True)
    assert event.change.until_turn_of == "0"
    assert ended(state).attack_points("clay_guard") == before + 2
    again = TurnBegan(0).apply(TurnEnded(1).apply(ended(state)))
    assert again.attack_points("clay_guard") == before
    assert again.lasting == {}


@pytest.mark.parametrize(
    ("change", "en", "de"),
    [
        ({"keyword": "lively"}, "are Lively from now on", "von nun an Munter"),
        ({"keyword": "lively", "this_turn": True}, "are Lively this turn", "in diesem Zug Munter"),
        ({"keyword": "vengeful", "until_next_turn": True}, "until its player's next turn begins", "wieder am Zug ist"),
        ({"loses": "lively"}, "no longer Lively", "nicht mehr Munter"),
        ({"loses": "lively", "this_turn": True}, "not Lively this turn", "in diesem Zug nicht Munter"),
        ({"loses": "lively", "until_next_turn": True}, "not Lively because", "nicht Munter, bis"),
        ({"attack": 1, "until_next_turn": True}, "+1 attack", "+1 Angriff"),
    ],
)
def test_each_change_is_told_in_both_languages(change: dict[str, Any], en: str, de: str) -> None:
    _, event = changed("ally", **change)
    told = describe_event(GAME, event)
    assert en in told["en"]
    assert de in told["de"]


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({}, "needs either"),
        ({"attack": 1, "keyword": "lively"}, "needs either"),
        ({"attack": 1, "this_turn": True, "until_next_turn": True}, "only one of"),
        ({"keyword": "fast"}, "unknown 'fast'"),
    ],
)
def test_a_change_that_says_too_little_or_too_much_is_refused(change: dict[str, Any], detail: str) -> None:
    with pytest.raises(BookError, match=detail):
        card(kind="creature", action=[{"do": "strengthen", "creature": "this", **change}])
