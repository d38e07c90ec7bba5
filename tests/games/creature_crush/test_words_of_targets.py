"""What a text can be about, by its nouns: what fits is chosen, and what does not is refused."""

from __future__ import annotations

import pytest

from referee.cardscript.language.interpreter import NothingToChoose
from referee.cardscript.moves import ChooseCard, Decline
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.rulings import Undetermined
from referee.games.creature_crush.events.field import CreaturesDamaged
from tests.games.course import asked, near_misses, of, when
from tests.games.creature_crush.table import table
from tests.games.creature_crush.wording import (
    SAID,
    at_rest,
    choices,
    kept,
    refused,
    said,
    unsaid,  # noqa: F401
)

HIT = {"do": "damage", "creature": "hit", "points": 1}
MINE = {"B1": "clay_guard", "A1": "thornback", "B3": "tar_golem"}
THEIRS = {"B1": "dune_strider", "A2": "knife_goblin", "B2": "storm_gull", "C1": "sky_bolt", "C3": "volley"}


def one(**noun: object) -> tuple[dict[str, object], dict[str, object]]:
    """One creature is chosen, and hit."""
    return {"do": "choose", "creature": noun, "called": "hit"}, HIT


def hit(events: tuple[object, ...]) -> list[str]:
    """Who was damaged."""
    return [card for event in of(events, CreaturesDamaged) for card in event.points]


# ---- creatures -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-18", "CC-EFF-TARGET-1")
@pytest.mark.parametrize(
    ("noun", "fitting"),
    [
        ({"of": "enemy"}, ["knife_goblin", "dune_strider", "storm_gull"]),
        ({"of": "ally"}, ["thornback", "clay_guard", "tar_golem"]),
        ({"of": "any"}, ["thornback", "clay_guard", "tar_golem", "knife_goblin", "dune_strider", "storm_gull"]),
        ({"of": "enemy", "row": "B"}, ["dune_strider", "storm_gull"]),
        ({"of": "enemy", "cost_max": 5}, ["knife_goblin", "storm_gull"]),
        ({"of": "enemy", "cost_min": 5}, ["dune_strider", "storm_gull"]),
        ({"of": "ally", "other": True}, ["thornback", "tar_golem"]),
    ],
)
def test_one_creature_of_those_that_fit_is_chosen(noun: dict[str, object], fitting: list[str]) -> None:
    _, state = said(table(MINE, THEIRS), *one(**noun), this="clay_guard")
    assert asked(state) == {0}
    assert choices(state, 0) == [ChooseCard(card) for card in fitting]
    events, state = when(kept(state), 0, ChooseCard(fitting[-1]))
    assert hit(events) == fitting[-1:]
    assert at_rest(state)


@pytest.mark.parametrize(
    ("noun", "card", "why"),
    [
        ({"of": "enemy"}, "clay_guard", "on_the_wrong_side"),
        ({"of": "ally"}, "storm_gull", "on_the_wrong_side"),
        ({"of": "any"}, "behemoth", "not_on_the_field"),
        ({"of": "any"}, "C1/1:1", "not_on_the_field"),
        ({"of": "enemy", "row": "B"}, "knife_goblin", "in_the_wrong_row"),
        ({"of": "enemy", "cost_max": 5}, "dune_strider", "costs_too_much"),
        ({"of": "enemy", "cost_min": 5}, "knife_goblin", "costs_too_little"),
        ({"of": "ally", "other": True}, "clay_guard", "another_card"),
    ],
)
def test_a_creature_that_does_not_fit_is_refused(noun: dict[str, object], card: str, why: str) -> None:
    _, state = said(table(MINE, THEIRS), *one(**noun), this="clay_guard")
    assert refused(state, 0, ChooseCard(card)) == why
    assert refused(state, 0, Decline()) == "must_choose"


@pytest.mark.clause("CC-ZONE-ADJ-1")
def test_adjacent_are_those_beside_and_before_the_card_never_across_nor_diagonal() -> None:
    board = {"B2": "clay_guard", "A2": "thornback", "B1": "tar_golem", "A1": "ember_fox", "A3": "spark_imp"}
    lines = ({"do": "all", "creature": {"of": "ally", "adjacent": True}, "called": "hit"}, HIT)
    events, state = said(table(board, THEIRS), *lines, this="clay_guard")
    assert hit(events) == ["thornback", "tar_golem"]
    _, state = said(table(board, THEIRS), *one(of="ally", adjacent=True), this="clay_guard")
    assert refused(state, 0, ChooseCard("ember_fox")) == "not_adjacent"


def test_the_only_creature_that_fits_is_no_question() -> None:
    events, state = said(table(MINE, {"B1": "dune_strider"}), *one(of="enemy"))
    assert hit(events) == ["dune_strider"]
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-18")
def test_where_no_creature_fits_the_line_does_nothing_and_the_next_one_follows() -> None:
    events, state = said(table(MINE, {}), *one(of="enemy"), {"do": "start_dice", "count": 1})
    assert of(events, NothingToChoose) == [NothingToChoose(SAID)]
    assert not hit(events)
    assert state.extra == (1, 0)


def test_what_the_other_player_may_think_of_is_seen_from_that_side() -> None:
    _, state = said(table(MINE, THEIRS), *one(of="enemy"), by=1)
    assert asked(state) == {1}
    assert choices(state, 1) == [ChooseCard(card) for card in ("thornback", "clay_guard", "tar_golem")]
    assert ChooseCard("storm_gull") in near_misses(state, 1)


# ---- crush cards, field cards ----------------------------------------------------------------------------------------


@pytest.mark.clause("CC-GLOSS-4")
def test_a_crush_card_is_chosen_by_its_place_unseen() -> None:
    _, state = said(table(MINE, THEIRS), {"do": "choose", "crush": {"of": "enemy"}, "called": "card"},
                    {"do": "destroy", "what": "card"})  # fmt: skip
    assert choices(state, 0) == [ChooseCard("C1/1:1"), ChooseCard("C3/1:1")]
    assert refused(state, 0, ChooseCard("C2/1:1")) == "not_on_the_field"
    assert refused(state, 0, ChooseCard("sky_bolt")) == "not_on_the_field"
    _, state = when(state, 0, ChooseCard("C3/1:1"))
    assert state.list_hell(1) == ("volley",)


def test_no_crush_card_of_the_own_side_is_taken_for_an_enemy_one() -> None:
    _, state = said(table({"C2": "worldfire"}, THEIRS), {"do": "choose", "crush": {"of": "enemy"}, "called": "card"},
                    {"do": "destroy", "what": "card"})  # fmt: skip
    assert refused(state, 0, ChooseCard("C2/0:0")) == "on_the_wrong_side"


def test_a_field_card_is_a_creature_or_a_crush_card() -> None:
    _, state = said(table(MINE, THEIRS), {"do": "choose", "field_card": {"of": "enemy"}, "called": "card"},
                    {"do": "destroy", "what": "card"})  # fmt: skip
    names = ("knife_goblin", "dune_strider", "storm_gull", "C1/1:1", "C3/1:1")
    assert choices(state, 0) == [ChooseCard(name) for name in names]


# ---- hell ------------------------------------------------------------------------------------------------------------

HELL = ("hex_toad", "sky_bolt", "chain_lightning", "dune_strider", "volley")


@pytest.mark.clause("CC-ZONE-3")
@pytest.mark.parametrize(
    ("noun", "fitting"),
    [
        ({}, list(HELL)),
        ({"kind": "creature"}, ["hex_toad", "dune_strider"]),
        ({"kind": "crush"}, ["sky_bolt", "chain_lightning", "volley"]),
        ({"kind": "creature", "cost_max": 6}, ["hex_toad"]),
        ({"cost_max": 3}, ["hex_toad", "sky_bolt", "volley"]),
        ({"other": True, "kind": "creature"}, ["dune_strider"]),
    ],
)
def test_a_card_of_the_own_hell_that_fits_is_found(noun: dict[str, object], fitting: list[str]) -> None:
    lines = ({"do": "all", "hell_card": noun, "called": "cards"}, {"do": "recover", "card": "cards"})
    _, state = said(table(hells=(HELL, ("behemoth",))), *lines, this="hex_toad")
    assert list(state.cards_in_hand(0)) == fitting


@pytest.mark.parametrize(
    ("noun", "card", "why"),
    [
        ({}, "behemoth", "not_in_your_hell"),
        ({}, "no_such_thing", "no_such_card"),
        ({"kind": "creature"}, "volley", "of_the_wrong_kind"),
        ({"cost_max": 3}, "chain_lightning", "costs_too_much"),
        ({"cost_max": 3}, "dune_strider", "costs_too_much"),
        ({"other": True}, "hex_toad", "another_card"),
    ],
)
def test_a_card_of_hell_that_does_not_fit_is_refused(noun: dict[str, object], card: str, why: str) -> None:
    lines = ({"do": "choose", "hell_card": noun, "called": "card"}, {"do": "recover", "card": "card"})
    _, state = said(table(hells=((*HELL, "ember_fox"), ("behemoth",))), *lines, this="hex_toad")
    assert refused(state, 0, ChooseCard(card)) == why


def test_a_position_that_leaves_out_what_lies_in_hell_does_not_say_what_fits() -> None:
    lines = ({"do": "all", "hell_card": {}, "called": "cards"}, {"do": "recover", "card": "cards"})
    with pytest.raises(Undetermined):
        said(table(hells=((UNCOUNTED_CARDS,), ())), *lines)
