"""Items: which hero carries one, what becomes of it, and whom it serves or harms."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, Decline
from referee.engine.referee import build_view
from referee.engine.seats import BYSTANDER
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.plays import (
    ItemEquipped,
    RollSettled,
)
from referee.games.here_to_slay.moves import EndTurn, Leave, Pass, PlayCard, RollFor
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import item_place_of
from tests.games.course import of, refusal, then, when
from tests.games.here_to_slay.given import names, offered, rolls, stands, table


@pytest.mark.clause("HTS-ITEM-1")
def test_an_item_that_stands_is_equipped_at_once_and_lies_open_under_one_hero() -> None:
    state = table(["really_big_ring"], [], parties={0: ["peanut", "hook"]})
    _, state = stands(state, 0, PlayCard("really_big_ring"))
    assert refusal(state, 0, Decline()).reason == "name_who_carries"
    assert refusal(state, 0, EndTurn()).reason == "card_under_way"
    events, state = when(state, 0, ChooseCard("hook"))
    assert of(events, ItemEquipped)[0].hero == "hook"
    assert build_view(state, BYSTANDER).cards_at(item_place_of("hook")) == ("really_big_ring",)


@pytest.mark.clause("HTS-ITEM-2")
def test_only_heroes_carry_items() -> None:
    state = table(["really_big_ring"], [], parties={0: ["peanut", "hook"]}, slain={0: ["orthus"]})
    _, state = stands(state, 0, PlayCard("really_big_ring"))
    leader = state.leader_of(0)
    assert leader is not None
    for card in (leader, "orthus", "terratuga"):
        assert refusal(state, 0, ChooseCard(card)).reason == "no_such_hero"


@pytest.mark.clause("HTS-ITEM-3")
def test_a_hero_carries_one_item_and_it_cannot_be_replaced() -> None:
    parties = {0: [("peanut", "sealing_key"), "hook", "fluffy"]}
    _, state = stands(table(["really_big_ring"], [], parties=parties), 0, PlayCard("really_big_ring"))
    against = refusal(state, 0, ChooseCard("peanut"))
    assert (against.reason, against.params["item"]) == ("carries_an_item", "sealing_key")
    state = then(state, 0, ChooseCard("hook"))
    assert (state.item_of("peanut"), state.item_of("hook")) == ("sealing_key", "really_big_ring")


@pytest.mark.clause("HTS-ITEM-4")
@pytest.mark.parametrize("item", ["really_big_ring", "sealing_key"])
@pytest.mark.parametrize("hero", ["peanut", "fluffy", "bad_axe"])
def test_any_hero_without_item_will_do_in_any_party_for_good_and_cursed_items(item: str, hero: str) -> None:
    state = table([item], [], [], parties={0: ["peanut"], 1: ["fluffy", ("hook", "decoy_doll")], 2: ["bad_axe"]})
    _, state = stands(state, 0, PlayCard(item))
    assert then(state, 0, ChooseCard(hero)).item_of(hero) == item


@pytest.mark.clause("HTS-ITEM-5")
def test_an_item_shares_the_fate_of_its_hero() -> None:
    ringed = {1: [("fluffy", "really_big_ring")]}
    destroyed = table(["destructive_spell", "hook"], [], parties=ringed)
    _, after = stands(destroyed, 0, PlayCard("destructive_spell"))
    assert after.cards_at(DISCARD) == ("hook", "fluffy", "really_big_ring", "destructive_spell")
    assert after.item_of("fluffy") is None
    stolen = table(["entangling_trap", "hook", "peanut"], [], parties=ringed)
    _, after = stands(stolen, 0, PlayCard("entangling_trap"))
    assert (after.party_of(0), after.item_of("fluffy")) == (("fluffy",), "really_big_ring")
    sacrificed = table([], [], parties={0: ["hopper"], **ringed})
    _, after = rolls(then(sacrificed, 0, RollFor("hopper")), 4, 4)
    assert after.cards_at(DISCARD) == ("fluffy", "really_big_ring")
    moved = table(["forced_exchange"], [], parties={0: [("peanut", "bard_mask")], 1: ["fluffy"]})
    _, after = stands(moved, 0, PlayCard("forced_exchange"))
    after = then(after, 0, ChooseCard("peanut"))
    assert (after.party_of(1), after.item_of("peanut")) == (("peanut",), "bard_mask")


@pytest.mark.clause("HTS-ITEM-6", "HTS-ITEM-8")
@pytest.mark.parametrize(("item", "total"), [("really_big_ring", 9), ("curse_of_the_snakes_eyes", 5)])
def test_an_item_works_for_and_against_the_controller_of_its_hero(item: str, total: int) -> None:
    _, state = stands(table([item], [], parties={1: ["fluffy"]}), 0, PlayCard(item))
    state = then(state, 0, EndTurn())
    events, _ = rolls(then(state, 1, RollFor("fluffy")), 3, 4)
    assert of(events, RollSettled)[0].total == total


@pytest.mark.clause("HTS-ITEM-7")
def test_an_item_that_finds_no_free_hero_goes_to_the_discard_pile() -> None:
    state = then(table(["really_big_ring"], ["hook"], [], parties={2: ["fluffy"]}), 0, PlayCard("really_big_ring"))
    state = then(state, 2, Leave())  # and takes the only hero along
    events, state = when(state, 1, Pass())
    assert names(events) == ["PlayStood", "ToDiscard"]
    assert state.cards_at(DISCARD) == ("fluffy", "really_big_ring")
    assert (state.agenda, state.points) == ((Turn(0),), 2)


@pytest.mark.clause("HTS-ITEM-8")
def test_a_cursed_item_is_an_item_for_every_text() -> None:
    state = table(["sealing_key"], [], parties={0: ["hook"], 1: ["fluffy"]})
    _, state = rolls(then(state, 0, RollFor("hook")), 3, 3)
    assert offered(state, 0) == [ChooseCard("sealing_key")]
    state = then(then(state, 0, ChooseCard("sealing_key")), 0, ChooseCard("fluffy"))
    state = then(state, 0, EndTurn())
    assert refusal(state, 1, RollFor("fluffy")).reason == "is_sealed"


@pytest.mark.clause("HTS-ITEM-9")
def test_a_mask_replaces_the_class_of_its_hero_for_every_purpose() -> None:
    state = table([], [], parties={0: [("bun_bun", "bard_mask")]}, leaders={0: "the_fist_of_reason"})
    assert state.classes_of(0) == {"fighter", "bard"}
    row = ["dark_dragon_king", "orthus"]
    two = table([], [], parties={0: [("bun_bun", "bard_mask"), "hook"]}, row=row, leaders={0: "the_fist_of_reason"})
    assert [move.monster for move in offered(two, 0) if hasattr(move, "monster")] == ["dark_dragon_king"]
