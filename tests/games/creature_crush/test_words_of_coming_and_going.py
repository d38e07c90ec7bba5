"""Verbs that bring creatures onto a field, over to another and off it: where they work, and where they do nothing."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.chance import PickResult
from referee.engine.seats import CHANCE
from referee.games.creature_crush.events.cards import (
    CardsDestroyed,
    CardsReturned,
    ControlTaken,
    CreatureMoved,
    CreatureRevived,
)
from referee.games.creature_crush.events.field import (
    EffectSkipped,
)
from referee.games.creature_crush.moves import ChoosePlace
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import LastingChange
from tests.games.course import asked, of, refusal, when
from tests.games.creature_crush.table import names, picked, table, with_real_cards
from tests.games.creature_crush.wording import (
    SAID,
    at_rest,
    choices,
    kept,
    refused,
    said,
    unsaid,  # noqa: F401
)

MINE = {"B1": "clay_guard", "A1": "thornback", "B3": "tar_golem"}
THEIRS = {"B1": "dune_strider", "A2": "knife_goblin", "B2": "storm_gull"}
FULL = {
    "A1": "spark_imp", "A2": "ember_fox", "A3": "moss_tick", "B1": "clay_guard", "B2": "thornback", "B3": "tar_golem",
}  # fmt: skip


# ---- destroying, sending back ----------------------------------------------------------------------------------------


@pytest.mark.clause("CC-GLOSS-6")
def test_what_is_destroyed_goes_to_the_hell_of_its_possessor_all_at_once() -> None:
    lines = ({"do": "all", "field_card": {"of": "any"}, "called": "them"}, {"do": "destroy", "what": "them"})
    events, state = said(table({"B1": "clay_guard", "C2": "volley"}, {"A1": "ember_fox", "C1": "sky_bolt"}), *lines)
    assert len(of(events, CardsDestroyed)) == 1
    assert (state.list_hell(0), state.list_hell(1)) == (("clay_guard", "volley"), ("ember_fox", "sky_bolt"))
    assert state.paid == {}
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-26")
def test_with_real_cards_it_is_said_what_a_destroyed_crush_card_was() -> None:
    state = with_real_cards(table(MINE, {"C1": "sky_bolt"}))
    lines = ({"do": "choose", "crush": {"of": "enemy"}, "called": "card"}, {"do": "destroy", "what": "card"})
    _, state = said(state, *lines)
    assert refusal(state, CHANCE, PickResult(("hex_toad",))).reason == "no_crush_card"
    _, state = picked(kept(state), "sky_bolt")
    assert state.list_hell(1) == ("sky_bolt",)
    assert at_rest(state)


def test_nothing_is_destroyed_that_is_no_longer_there() -> None:
    events, _ = said(table(MINE, THEIRS), {"do": "destroy", "what": "victim"}, victim="behemoth")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
    assert not of(events, CardsDestroyed)


@pytest.mark.clause("CC-GLOSS-2", "CC-AMB-27")
def test_creatures_go_back_to_the_hands_of_their_possessors_and_lose_their_marks() -> None:
    lines = ({"do": "all", "creature": {"of": "any", "row": "A"}, "called": "them"},
             {"do": "send_back", "creature": "them"})  # fmt: skip
    lasting = {"thornback": (LastingChange("attack", 2, this_turn=False, by="rune_smith"),)}
    state = table(MINE, THEIRS, damage={"thornback": 1, "clay_guard": 1}, lasting=lasting)
    events, state = said(state, *lines)
    assert len(of(events, CardsReturned)) == 1
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("thornback",), ("knife_goblin",))
    assert (state.damage, state.lasting) == ({"clay_guard": 1}, {})


def test_nobody_is_sent_back_who_has_gone() -> None:
    events, _ = said(table(MINE, THEIRS), {"do": "send_back", "creature": "attacker"}, attacker="behemoth")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
    assert not of(events, CardsReturned)


# ---- control, reviving, moving ---------------------------------------------------------------------------------------

SEIZE = {"do": "take_control", "creature": "target"}


def seizing(state: Table) -> Table:
    """Seat 0 is about to take control of the goblin."""
    choosing = {"do": "choose", "creature": {"of": "enemy"}, "called": "target"}
    return when(said(state, choosing, SEIZE)[1], 0, ChooseCard("knife_goblin"))[1]


@pytest.mark.clause("CC-GLOSS-5", "CC-SUMMON-3", "CC-AMB-27")
def test_an_enemy_comes_over_with_its_damage_to_a_place_that_summoning_allows() -> None:
    state = seizing(table(MINE, THEIRS, damage={"knife_goblin": 1}))
    assert choices(state, 0) == [ChoosePlace(place) for place in ("B2", "A3")]
    assert refused(state, 0, ChoosePlace("A2")) == "only_same_column"
    assert refused(state, 0, ChoosePlace("B1")) == "place_is_taken"
    events, state = when(kept(state), 0, ChoosePlace("A3"))
    assert len(of(events, ControlTaken)) == 1
    assert state.possessor_of("knife_goblin") == 0
    assert state.damage == {"knife_goblin": 1}
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-28")
def test_no_control_is_taken_without_a_free_place() -> None:
    state = table(FULL, THEIRS)
    events, state = said(state, {"do": "take_control", "creature": "target"}, target="knife_goblin")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "no_free_place")]
    assert state.possessor_of("knife_goblin") == 1


def test_control_is_not_taken_of_an_ally() -> None:
    events, _ = said(table(MINE, THEIRS), {"do": "take_control", "creature": "target"}, target="thornback")
    assert not of(events, ControlTaken)


@pytest.mark.clause("CC-GLOSS-3", "CC-SUMMON-3")
def test_a_creature_is_revived_to_a_place_of_the_players_choice_without_its_action() -> None:
    state = table(MINE, THEIRS, hells=(("hex_toad",), ()))
    _, state = said(state, {"do": "revive", "card": "buried"}, buried="hex_toad")
    assert choices(state, 0) == [ChoosePlace(place) for place in ("B2", "A3")]
    events, state = when(kept(state), 0, ChoosePlace("B2"))
    assert names(events) == ["CreatureRevived"]
    assert state.card_at("B2/0") == "hex_toad"
    assert state.entered == ("hex_toad",)
    assert state.damage == {}
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-28")
def test_nothing_is_revived_without_a_place_nor_from_elsewhere() -> None:
    full = {**FULL, "B1": "tar_golem", "B3": "iron_boar"}
    events, state = said(table(full, hells=(("hex_toad",), ())), {"do": "revive", "card": "buried"}, buried="hex_toad")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "no_free_place")]
    assert state.list_hell(0) == ("hex_toad",)
    for elsewhere in ({"hells": ((), ("hex_toad",))}, {"hands": (("hex_toad",), ())}):
        events, _ = said(table(MINE, **elsewhere), {"do": "revive", "card": "buried"}, buried="hex_toad")
        assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
        assert not of(events, CreatureRevived)


@pytest.mark.clause("CC-AMB-30")
def test_an_enemy_is_moved_to_any_free_place_of_its_board_as_the_player_of_the_text_says() -> None:
    _, state = said(table(MINE, THEIRS), {"do": "move", "creature": "target"}, target="knife_goblin")
    assert asked(state) == {0}
    assert choices(state, 0) == [ChoosePlace(place) for place in ("A1", "A3", "B3")]
    assert refused(state, 0, ChoosePlace("B1")) == "place_is_taken"
    assert refused(state, 0, ChoosePlace("C1")) == "place_of_crush_cards"
    events, state = when(kept(state), 0, ChoosePlace("B3"))
    assert names(events) == ["CreatureMoved"]
    assert state.places_by_creature["knife_goblin"] == "B3/1"
    assert (state.acted, state.damage) == ({}, {})  # no action, nothing for the sluggish
    assert at_rest(state)


def test_nobody_is_moved_on_a_full_board() -> None:
    events, _ = said(table({}, FULL), {"do": "move", "creature": "target"}, target="tar_golem")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "no_free_place")]
    assert not of(events, CreatureMoved)
