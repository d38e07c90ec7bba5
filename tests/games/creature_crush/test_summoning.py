"""Creatures enter the field: from the hand, out of hell, from the other player (CC-SUMMON-1 to CC-SUMMON-4)."""

from __future__ import annotations

import pytest

from referee.engine.events import apply_events, replace_fields
from referee.engine.seats import Seat
from referee.engine.steps import Frame
from referee.games.creature_crush.components import HANDS, HELLS
from referee.games.creature_crush.events.cards import ControlTaken, CreatureRevived, CreatureSummoned
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.moves import ChoosePlace, Flip, Summon
from referee.games.creature_crush.rules.actions.summoning import (
    find_entry_places,
    move_by_effect,
    revive_creature,
    take_control,
)
from tests.games.course import asked, near_misses, of, refused, settled, then, when
from tests.games.creature_crush.table import names, offered, rolled, table, with_real_cards

FULL_B = {"B1": "clay_guard", "B2": "thornback", "B3": "moss_tick"}


@pytest.mark.clause("CC-SUMMON-1")
def test_a_creature_of_the_hand_comes_to_a_free_place_of_the_own_b_row() -> None:
    events, after = when(table(dice=(3,), hands=(("ember_fox",), ())), 0, Summon("ember_fox", "B2", (3,)))
    assert names(events) == ["DiceBurned", "CreatureSummoned"]
    assert after.card_at("B2/0") == "ember_fox"
    assert after.cards_in_hand(0) == ()


@pytest.mark.clause("CC-SUMMON-2", "CC-AMB-11")
def test_a_place_of_the_a_row_is_open_only_while_the_one_behind_it_is_occupied() -> None:
    given = table({"B2": "clay_guard"}, dice=(3,), hands=(("ember_fox",), ()))
    assert find_entry_places(given, 0) == ("B1/0", "B3/0", "A2/0")
    assert then(given, 0, Summon("ember_fox", "A2", (3,))).card_at("A2/0") == "ember_fox"
    assert refused(given, 0, Summon("ember_fox", "A1", (3,))) == ("only_same_column", "CC-AMB-11")


@pytest.mark.clause("CC-SUMMON-1")
def test_an_occupied_place_takes_no_second_creature() -> None:
    given = table({"B2": "clay_guard"}, dice=(3,), hands=(("ember_fox",), ()))
    assert refused(given, 0, Summon("ember_fox", "B2", (3,))) == ("place_is_taken", "CC-SUMMON-1")


@pytest.mark.clause("CC-SUMMON-4")
def test_with_all_six_places_taken_no_creature_can_be_played() -> None:
    full = {**FULL_B, "A1": "hex_toad", "A2": "iron_boar", "A3": "web_weaver"}
    given = table(full, dice=(3,), hands=(("ember_fox",), ()))
    assert not any(isinstance(move, Summon) for move in offered(given, 0))
    assert refused(given, 0, Summon("ember_fox", "B1", (3,))) == ("no_free_place", "CC-SUMMON-4")
    assert Summon("ember_fox", "B1", (3,)) in near_misses(given, 0)


@pytest.mark.clause("CC-SUMMON-1", "CC-ZONE-1")
def test_no_creature_is_played_to_the_c_row_or_to_a_place_that_is_none() -> None:
    given = table(dice=(3,), hands=(("ember_fox",), ()))
    assert refused(given, 0, Summon("ember_fox", "C1", (3,))) == ("place_of_crush_cards", "CC-ZONE-1")
    assert refused(given, 0, Summon("ember_fox", "B4", (3,))) == ("no_such_place", "CC-ZONE-1")


@pytest.mark.clause("CC-SUMMON-1")
def test_only_creatures_of_the_own_hand_are_summoned() -> None:
    given = table(dice=(1, 3), hands=(("sky_bolt",), ("ember_fox",)))
    assert refused(given, 0, Summon("sky_bolt", "B1", (1,))) == ("no_creature", "CC-SUMMON-1")
    assert refused(given, 0, Summon("ember_fox", "B1", (3,))) == ("not_in_the_hand", "CC-SUMMON-1")
    assert refused(given, 0, Summon("nobody", "B1", (3,))) == ("no_such_card", "CC-SUMMON-1")


@pytest.mark.clause("CC-SUMMON-1")
def test_every_place_and_every_way_to_pay_is_listed_once() -> None:
    given = table(dice=(1, 2, 3), hands=(("ember_fox",), ()))
    summons = [move for move in offered(given, 0) if isinstance(move, Summon)]
    assert {(move.place, move.dice) for move in summons} == {
        (place, dice) for place in ("B1", "B2", "B3") for dice in ((3,), (1, 2))
    }
    assert len(summons) == 6


@pytest.mark.clause("CC-PAY-1")
def test_a_creature_that_nothing_pays_for_is_a_near_miss() -> None:
    given = table(dice=(1,), hands=(("ember_fox",), ()))
    assert Summon("ember_fox", "B1", (1,)) in near_misses(given, 0)


# ---- by effects ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-SUMMON-3", "CC-GLOSS-3", "CC-KEY-ACTION-1")
def test_a_revived_creature_keeps_to_the_places_of_summoning_and_its_action_does_not_happen() -> None:
    given = table({"C1": "grave_robbery", "B1": "clay_guard"}, {"B1": "frost_lout"}, hells=(("hex_toad",), ()))
    events, asking = when(given, 0, Flip("C1", "grave_robbery"))
    assert asked(asking) == {0}
    assert {move.place for move in offered(asking, 0) if isinstance(move, ChoosePlace)} == {"B2", "B3", "A1"}
    assert refused(asking, 0, ChoosePlace("A2")) == ("only_same_column", "CC-AMB-11")
    assert refused(asking, 0, ChoosePlace("B1")) == ("place_is_taken", "CC-SUMMON-1")
    more, after = when(asking, 0, ChoosePlace("A1"))
    assert len(of(events + more, CreatureRevived)) == 1
    assert after.card_at("A1/0") == "hex_toad"
    assert after.damage == {}  # its Action would have dealt two damage


@pytest.mark.clause("CC-AMB-27")
def test_a_revived_creature_comes_without_the_damage_that_it_had() -> None:
    given = table({"C1": "grave_robbery"}, {"B1": "frost_lout"}, hells=(("hex_toad",), ()))
    after = then(given, 0, Flip("C1", "grave_robbery"), ChoosePlace("B1"))
    assert after.life_left("hex_toad") == 3
    assert after.entered == ("hex_toad",)


@pytest.mark.clause("CC-AMB-28")
def test_without_an_allowed_place_a_revived_creature_stays_in_hell() -> None:
    full = {**FULL_B, "A1": "hex_toad", "A2": "iron_boar", "A3": "web_weaver"}
    given = table(full, hells=(("ember_fox",), ()), agenda=(Frame(),))
    events = tuple(revive_creature(given, 0, "ember_fox", "grave_robbery"))
    assert events == (EffectSkipped("grave_robbery", "no_free_place"),)


@pytest.mark.clause("CC-AMB-28")
def test_without_an_allowed_place_no_enemy_is_taken_over() -> None:
    full = {**FULL_B, "A1": "hex_toad", "A2": "iron_boar", "A3": "web_weaver"}
    given = table(full, {"B1": "ember_fox"}, agenda=(Frame(),))
    assert tuple(take_control(given, 0, "ember_fox", "siren")) == (EffectSkipped("siren", "no_free_place"),)


@pytest.mark.clause("CC-SUMMON-3", "CC-GLOSS-5", "CC-AMB-3", "CC-AMB-27")
def test_an_enemy_taken_over_keeps_its_damage_and_counts_as_an_ally_from_then_on() -> None:
    given = table(
        {"A1": "iron_boar"}, {"A2": "hex_toad"}, dice=(8,), hands=(("puppeteer",), ()), damage={"hex_toad": 1}
    )
    events, after = when(given, 0, Summon("puppeteer", "B2", (8,)))
    events, after = rolled(after, 3)
    place = next(move for move in offered(after, 0) if isinstance(move, ChoosePlace))
    events, after = when(after, 0, place)
    assert of(events, ControlTaken)[0].source == "A2/1"
    assert after.possessor_of("hex_toad") == 0
    assert after.damage == {"hex_toad": 1}
    assert "hex_toad" in after.entered


@pytest.mark.clause("CC-AMB-3")
def test_a_creature_that_was_taken_over_goes_to_the_hell_of_its_new_possessor() -> None:
    given = table({"B1": "hex_toad"}, {"C1": "worldfire"}, turn=1)
    after = then(given, 1, Flip("C1", "worldfire"))
    assert after.list_hell(0) == ("hex_toad",)


@pytest.mark.clause("CC-AMB-30")
def test_an_effect_moves_a_creature_to_any_free_place_of_the_same_board() -> None:
    given = table(theirs={"A1": "frost_lout", "B1": "clay_guard"}, agenda=(Frame(),))
    asking = apply_events(given, tuple(move_by_effect(given, 0, "frost_lout", "trench_digger")))
    assert [move.place for move in offered(asking, 0) if isinstance(move, ChoosePlace)] == ["A2", "A3", "B2", "B3"]
    assert refused(asking, 0, ChoosePlace("B1")) == ("place_is_taken", "CC-AMB-30")
    after = then(asking, 0, ChoosePlace("A3"))
    assert after.card_at("A3/1") == "frost_lout"
    assert (after.damage, after.acted) == ({}, {})  # Sluggish names the tactic phase, and no action is used


@pytest.mark.clause("CC-AMB-30")
def test_an_effect_that_could_move_a_creature_only_to_one_place_asks_nothing() -> None:
    full = {**FULL_B, "A1": "hex_toad", "A2": "iron_boar"}
    given = table(theirs=full, agenda=(Frame(),))
    after = apply_events(given, tuple(move_by_effect(given, 0, "hex_toad", "trench_digger")))
    assert after.card_at("A3/1") == "hex_toad"


@pytest.mark.clause("CC-KEY-ACTION-1")
def test_the_action_of_a_creature_played_from_the_hand_happens() -> None:
    given = table({}, {"B1": "clay_guard"}, dice=(3,), hands=(("hex_toad",), ()))
    after = then(given, 0, Summon("hex_toad", "B1", (3,)))
    assert after.damage == {"clay_guard": 2}


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_at_a_real_table_a_back_of_the_hand_is_summoned_by_naming_it() -> None:
    given = with_real_cards(table({"A1": "iron_boar"}, dice=(3,), hands=(("hex_toad", "ember_fox"), ())))
    events, after = when(settled(given), 0, Summon("ember_fox", "B1", (3,)))
    assert of(events, CreatureSummoned)[0].took == ("?",)
    assert after.cards_at(HANDS[0]) == ("?",)
    assert refused(given, 0, Summon("iron_boar", "B1", (3,))) == ("not_in_the_hand", "CC-SUMMON-1")


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_what_lies_in_hell_cannot_be_named_as_a_card_of_the_hand() -> None:
    given = with_real_cards(table(dice=(3,), hands=(("hex_toad",), ()), hells=((), ("ember_fox",))))
    named = {move.card for move in offered(given, 0) if isinstance(move, Summon)}
    assert "hex_toad" in named
    assert "ember_fox" not in named
    assert given.cards_at(HELLS[1]) == ("ember_fox",)


@pytest.mark.clause("CC-AMB-27")
def test_whoever_leaves_the_field_leaves_all_marks_there() -> None:
    given = table({"C1": "banishing_gale"}, {"B1": "hex_toad"}, damage={"hex_toad": 2}, entered=("hex_toad",))
    given = replace_fields(given, ready={"hex_toad": 1}, acted={"hex_toad": 1})
    _, asking = when(given, 0, Flip("C1", "banishing_gale"))
    answer = max(offered(asking, 0), key=lambda move: len(getattr(move, "cards", ())))
    after = then(asking, 0, answer)
    assert after.cards_in_hand(1) == ("hex_toad",)
    assert (after.damage, after.entered, after.ready, after.acted) == ({}, (), {}, {})


@pytest.mark.clause("KERNEL-CENSUS-1", "CC-SUMMON-1", "CC-CRUSH-1")
def test_where_a_hand_that_nobody_has_read_may_hold_too_much_to_list_it_is_described() -> None:
    board = {"B1": "clay_guard", "B2": "thornback"}
    given = with_real_cards(table(board, dice=(1, 2, 3, 4), hands=(("hex_toad", "sky_bolt"), ())))
    top = given.agenda[-1]
    assert len(offered(given, 0)) > top.listing_limit
    summon, lay = top.move_patterns(given, Seat(0))
    assert (summon["type"], summon["fields"]["place"]) == ("cc.summon", {"enum": ["B3", "A1", "A2"]})
    assert {"hex_toad", "ember_fox"} < set(summon["fields"]["card"]["enum"])
    assert "clay_guard" not in summon["fields"]["card"]["enum"]
    assert (lay["type"], lay["fields"]["card"]) == ("cc.lay", {"enum": ["?"]})
    assert lay["fields"]["dice"] == {"type": "array", "items": {"enum": [1, 2, 3, 4]}, "maxItems": 4}
    assert top.move_patterns(given, Seat(1)) == ()
    assert table().agenda[-1].move_patterns(table(), Seat(0)) == ()
