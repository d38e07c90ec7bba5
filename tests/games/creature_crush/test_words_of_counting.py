"""Amounts that are counted, and targets by what they are now: each where it works, and where it does nothing."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.engine.rulebook.book import BookError
from referee.games.creature_crush.components import HANDS
from referee.games.creature_crush.events.field import CreaturesDamaged, EffectSkipped
from tests.games.course import asked, of, refusal, when
from tests.games.creature_crush.table import table
from tests.games.creature_crush.wording import (
    SAID,
    card,
    said,
    unsaid,  # noqa: F401
)

MINE = {"B1": "clay_guard", "A1": "thornback", "B3": "tar_golem"}
THEIRS = {"B1": "dune_strider", "A2": "knife_goblin", "B2": "storm_gull"}
WALL = "world_eater"  # it lives through what a test deals
ALLIES = {"do": "all", "creature": {"of": "ally"}, "called": "allies"}


def dealt(amount: Any, *before: dict[str, Any], **state: Any) -> int:
    """The damage that this amount comes to for the one creature of the opponent."""
    lines = [*before, {"do": "all", "creature": {"of": "enemy"}, "called": "foe"}]
    hit = {"do": "damage", "creature": "foe", "points": amount}
    events, _ = said(table(MINE, {"B1": WALL}, **state), *lines, hit)
    return sum(number for event in of(events, CreaturesDamaged) for number in event.points.values())


def test_an_amount_may_be_the_number_of_what_a_name_stands_for() -> None:
    assert dealt({"number_of": "allies"}, ALLIES) == 3
    assert dealt({"number_of": "allies", "times": 2, "plus": 1}, ALLIES) == 7
    none = {"do": "all", "creature": {"of": "ally", "cost_min": 30}, "called": "none"}
    assert dealt({"number_of": "none"}, none) == 0
    assert dealt({"number_of": "none", "plus": 2}, none) == 2


def test_an_amount_may_be_the_number_of_cards_or_dice_of_a_player() -> None:
    assert dealt({"creatures_of": "me"}) == 3
    assert dealt({"creatures_of": "opponent", "plus": 1}) == 2
    assert dealt({"dice_of": "me"}, dice=(2, 3)) == 2
    assert dealt({"dice_of": "opponent"}, dice=(2, 3)) == 0, "only the active player has dice"


def test_an_amount_may_be_the_damage_the_life_or_the_cost_of_a_card() -> None:
    first = {"do": "all", "creature": {"of": "ally", "row": "A"}, "called": "front"}
    assert dealt({"damage_of": "front"}, first, damage={"thornback": 2}) == 2
    state = table(MINE, {"B1": WALL}, damage={"thornback": 1})
    assert dealt({"life_of": "front"}, first, damage={"thornback": 1}) == state.life_left("thornback")
    assert dealt({"cost_of": "front"}, first) == 2


def test_of_a_creature_that_is_gone_there_is_nothing_left_to_count() -> None:
    front = {"do": "all", "creature": {"of": "ally", "row": "A"}, "called": "front"}
    assert dealt({"life_of": "front"}, front, {"do": "destroy", "what": "front"}) == 0


@pytest.mark.parametrize(
    ("amount", "detail"),
    [
        ({"number_of": "them"}, "unknown name 'them'"),
        ({"hand_of": "them"}, "hand_of: 'them' is none of me, opponent"),
        ({"hand_of": "me", "times": -1}, "is not an amount"),
        ({"hand_of": "me", "of": "opponent"}, "is not an amount"),
        ({"attack_of": "this", "damage_of": "this"}, "is not an amount"),
    ],
)
def test_an_amount_that_counts_nothing_is_refused_when_the_card_is_read(amount: Any, detail: str) -> None:
    with pytest.raises(BookError, match=detail):
        card(kind="creature", action=[{"do": "draw", "count": amount}])


# dune_strider: attack 4, lively, and damaged here; knife_goblin: 3, vengeful; storm_gull: 3, lively
@pytest.mark.parametrize(
    ("noun", "fitting", "reason"),
    [
        ({"attack_min": 4}, {"dune_strider"}, "attacks_too_weakly"),
        ({"attack_max": 3}, {"knife_goblin", "storm_gull"}, "attacks_too_strongly"),
        ({"damaged": True}, {"dune_strider"}, "not_damaged"),
        ({"keyword": "vengeful"}, {"knife_goblin"}, "without_keyword"),
    ],
)
def test_a_target_may_be_known_by_its_attack_its_damage_or_its_keyword(
    noun: dict[str, Any], fitting: set[str], reason: str
) -> None:
    state = table(MINE, THEIRS, damage={"dune_strider": 1})
    target = {"creature": {"of": "enemy", **noun}}
    damage = {"do": "damage", "creature": "them", "points": 9}
    events, _ = said(state, {"do": "all", **target, "called": "them"}, damage)
    assert {hit for event in of(events, CreaturesDamaged) for hit in event.points} == fitting
    _, asking = said(state, {"do": "choose", **target, "called": "them", "optional": True}, damage)
    for other in set(THEIRS.values()) - fitting:
        assert refusal(asking, 0, ChooseCard(other)).reason == reason


def test_where_nothing_fits_a_line_says_so() -> None:
    events, _ = said(table(MINE, THEIRS), {"do": "all", "creature": {"of": "enemy", "damaged": True}, "called": "them"},
                     {"do": "damage", "creature": "them", "points": 1})  # fmt: skip
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "nothing_fits")]


def test_the_opponent_may_choose_among_their_own() -> None:
    lines = (
        {"do": "choose", "who": "opponent", "creature": {"of": "enemy"}, "called": "it"},
        {"do": "destroy", "what": "it"},
    )
    _, asking = said(table(MINE, THEIRS), *lines)
    assert asked(asking) == {1}
    assert refusal(asking, 1, ChooseCard("clay_guard")).reason == "on_the_wrong_side"
    _, state = when(asking, 1, ChooseCard("storm_gull"))
    assert "storm_gull" in state.list_hell(1)


def test_a_deck_may_be_searched_for_a_creature_by_its_printed_attack() -> None:
    decks = (("clay_guard", "behemoth", "sky_bolt"), ("thornback",))
    _, asking = said(table({}, {}, decks=decks), {"do": "search", "attack_min": 5})
    assert refusal(asking, 0, ChooseCards(("clay_guard",))).reason == "not_looked_for"
    assert refusal(asking, 0, ChooseCards(("sky_bolt",))).reason == "not_looked_for", "a crush card has no attack"
    _, state = when(asking, 0, ChooseCards(("behemoth",)))
    assert state.cards_at(HANDS[0]) == ("behemoth",)
