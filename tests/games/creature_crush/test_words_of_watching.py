"""Texts that others set off: an ally or an enemy dies or arrives, or the opponent's turn starts."""

from __future__ import annotations

import pytest

from referee.engine.events import Event
from referee.games.books import install_book_text
from referee.games.creature_crush.events.field import CreaturesAltered, CreaturesDamaged, CreaturesHealed
from referee.games.creature_crush.moves import Order
from referee.games.creature_crush.rules.activating import watch_start
from referee.games.creature_crush.state import Table
from tests.games.course import of, when
from tests.games.creature_crush.table import table
from tests.games.creature_crush.wording import (
    choices,
    said,
    unsaid,  # noqa: F401
)

BOOK = """
book: watchers
game: creature_crush
title: Watchers
extends: printed
cards:
- {id: whale, kind: creature, cost: 9, attack: 3, life: 7, name: Whale, text: It mourns.,
   ally_dies: [{do: strengthen, creature: this, attack: 1}], enemy_dies: [{do: heal, creature: this, points: 1}]}
- {id: pilot, kind: creature, cost: 7, attack: 2, life: 4, name: Pilot, text: It guides.,
   ally_arrives: [{do: strengthen, creature: summoned, keyword: lively, this_turn: true}],
   enemy_arrives: [{do: damage, creature: summoned, points: 1}], opponent_starts: [{do: mill, who: opponent, count: 1}]}
"""


@pytest.fixture(scope="module")
def digits() -> str:
    """What the cards of the book are called after their names."""
    return install_book_text(BOOK, "watchers.yaml").edition.partition("@")[2]


def killed(state: Table, of_side: str) -> tuple[list[Event], Table]:
    """All creatures of a side that cost 6 or less die: the facts, and the table."""
    noun = {"of": of_side, "cost_max": 6}
    events, after = said(state, {"do": "all", "creature": noun, "called": "them"}, {"do": "destroy", "what": "them"})
    return list(events), after


@pytest.mark.clause("CC-CHAIN-3")
def test_a_death_sets_off_those_who_watch_it(digits: str) -> None:
    whale, rules = f"whale@{digits}", {"edition": f"watchers@{digits}"}
    state = table({"B1": "clay_guard", "B3": whale}, {"B2": "storm_gull"}, damage={whale: 2}, rules=rules)
    events, _ = killed(state, "ally")
    assert [event.change.amount for event in of(events, CreaturesAltered)] == [1]
    events, _ = killed(state, "enemy")
    assert [event.points for event in of(events, CreaturesHealed)] == [{whale: 1}]


def test_each_death_sets_a_watcher_off_and_like_effects_need_no_order(digits: str) -> None:
    whale, rules = f"whale@{digits}", {"edition": f"watchers@{digits}"}
    state = table({"B1": "clay_guard", "A1": "thornback", "B3": whale}, rules=rules)
    events, _ = killed(state, "ally")
    assert [event.change.amount for event in of(events, CreaturesAltered)] == [1, 1]
    with_other = table({"B1": "bone_pup", "A1": "thornback", "B3": whale}, rules=rules)
    _, asking = killed(with_other, "ally")
    assert choices(asking, 0) == [Order("bone_pup", "hell"), Order(whale, "ally_dies")]


def test_the_dead_watch_nobody(digits: str) -> None:
    state = table({"B3": f"pilot@{digits}", "B1": f"whale@{digits}"}, rules={"edition": f"watchers@{digits}"})
    _, gone = killed(state, "ally")
    assert gone.list_creatures(0) == (f"whale@{digits}", f"pilot@{digits}"), "they cost more"
    events, _ = said(state, {"do": "all", "creature": {"of": "ally"}, "called": "it"}, {"do": "destroy", "what": "it"})
    assert not of(events, CreaturesAltered)


def arrived(digits: str, by: int) -> list[Event]:
    """The facts when a creature of this player comes back from hell."""
    hells = tuple(("clay_guard",) if seat == by else () for seat in (0, 1))
    state = table({"B3": f"pilot@{digits}"}, {}, rules={"edition": f"watchers@{digits}"}, hells=hells)
    lines = ({"do": "all", "hell_card": {"kind": "creature"}, "called": "it"}, {"do": "revive", "card": "it"})
    events, asking = said(state, *lines, by=by)
    place = next(move for move in choices(asking, by))
    return [*events, *when(asking, by, place)[0]]


def test_an_arrival_is_noticed_by_the_others_of_both_sides(digits: str) -> None:
    assert [event.cards for event in of(arrived(digits, 0), CreaturesAltered)] == [("clay_guard",)]
    assert [event.points for event in of(arrived(digits, 1), CreaturesDamaged)] == [{"clay_guard": 1}]


def test_the_start_of_the_opponents_turn_is_noticed_and_that_of_the_own_is_not(digits: str) -> None:
    state = table({"B3": f"pilot@{digits}"}, {}, rules={"edition": f"watchers@{digits}"})
    assert [effect.text for effect in watch_start(state, 1)] == ["opponent_starts"]
    assert watch_start(state, 0) == ()
