"""The board, the cards as they lie there, and what they give all the time (CC-ZONE-1 to CC-ZONE-3, CC-EFF-PERM-1)."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.referee import build_view
from referee.engine.seats import Seat
from referee.games.creature_crush.card_attributes import COST_X, MOST_DICE
from referee.games.creature_crush.components import (
    BOXES,
    COLUMNS,
    CRUSH_PLACES,
    EDITION,
    FIELD_PLACES,
    HELLS,
    SEATS,
    face_of,
    find_adjacent_places,
)
from referee.games.creature_crush.events.course import StartDiceRolled
from referee.games.creature_crush.moves import Attack, EndCombat, EndTurn, Flip, MoveCreature, Order, Pass, Summon
from referee.games.creature_crush.rules.combat.attacking import find_opposite_place
from tests.games.course import asked, of, then, when
from tests.games.creature_crush.table import BOX, names, offered, rolled, table


@pytest.mark.clause("CC-MAT-1", "CC-CARD-1", "CC-CARD-2")
def test_the_box_holds_eighty_creatures_and_twenty_crush_cards_each_once() -> None:
    creatures = [printed for printed in BOX.values() if printed.is_creature]
    crushes = [printed for printed in BOX.values() if not printed.is_creature]
    assert (len(creatures), len(crushes), set(BOXES[EDITION].plain.values())) == (80, 20, {1})
    assert all(printed.cost > 0 and printed.attack >= 0 and printed.life > 0 for printed in creatures)
    assert all(printed.texts == ("flip",) for printed in crushes)
    assert {printed.cost for printed in crushes} == {COST_X, *range(MOST_DICE + 1)}


@pytest.mark.clause("CC-MAT-2", "CC-PAY-2")
def test_start_dice_are_rolled_anew_each_turn_and_damage_is_none_of_them() -> None:
    given = table({"A1": "frost_lout"}, dice=(2, 5), damage={"frost_lout": 6})
    events, after = rolled(then(given, 0, EndCombat(), EndTurn()), 1, 4, 6)
    assert of(events, StartDiceRolled)[0].seat == 1
    assert after.dice == (1, 4, 6)
    assert after.damage == {"frost_lout": 6}


@pytest.mark.clause("CC-ZONE-1")
def test_each_player_has_six_places_for_creatures_and_three_for_crush_cards() -> None:
    for seat in SEATS:
        assert [place[:2] for place in FIELD_PLACES[seat]] == ["A1", "A2", "A3", "B1", "B2", "B3"]
        assert [place[:2] for place in CRUSH_PLACES[seat]] == ["C1", "C2", "C3"]


@pytest.mark.clause("CC-ZONE-2", "CC-AMB-1")
def test_columns_are_counted_once_for_the_table_and_face_each_other() -> None:
    for column in COLUMNS:
        assert find_opposite_place(f"A{column}/0", "B") == f"B{column}/1"
        assert find_opposite_place(f"B{column}/1", "A") == f"A{column}/0"


@pytest.mark.clause("CC-ZONE-ADJ-1")
def test_adjacent_are_places_of_one_board_that_share_an_edge() -> None:
    assert set(find_adjacent_places("A1/0")) == {"A2/0", "B1/0"}
    assert set(find_adjacent_places("A2/0")) == {"A1/0", "A3/0", "B2/0"}
    assert set(find_adjacent_places("B3/1")) == {"B2/1", "A3/1"}


@pytest.mark.clause("CC-ZONE-3")
def test_both_players_see_every_card_in_either_hell_and_nobody_a_card_of_a_deck() -> None:
    given = table(hells=(("hex_toad",), ("bone_pup",)))
    for seat in SEATS:
        seen = build_view(given, Seat(seat))
        assert (seen.cards_at(HELLS[0]), seen.cards_at(HELLS[1])) == (("hex_toad",), ("bone_pup",))
        assert seen.cards_at("deck/0:") == seen.cards_at("deck/1:") == ("?", "?", "?")


@pytest.mark.clause("CC-EFF-FIELD-1", "CC-EFF-TARGET-1")
def test_an_effect_that_names_no_place_means_cards_on_the_field() -> None:
    hands, hells = (("war_council", "clay_guard"), ("thornback",)), (("ember_fox",), ("bone_pup",))
    given = table({"C1": "sky_bolt"}, {"A1": "frost_lout", "B3": "hex_toad"}, hands=hands, hells=hells)
    asking = then(given, 0, Flip("C1", "sky_bolt"))
    assert {move.card for move in offered(asking, 0)} == {"frost_lout", "hex_toad"}  # type: ignore[attr-defined]


@pytest.mark.clause("CC-GLOSS-1", "CC-EFF-PERM-1")
def test_an_a_creature_is_one_that_lies_in_the_a_row_now() -> None:
    given = table({"A1": "iron_boar", "B2": "banner_knight", "B3": "hex_toad"}, dice=(1, 2), phase="tactic")
    assert given.attack_points("iron_boar") == 5  # three, one for its row, one of the knight
    after = then(given, 0, MoveCreature("iron_boar", "B1", 1), MoveCreature("hex_toad", "A3", 2))
    assert after.attack_points("iron_boar") == 3
    assert after.attack_points("hex_toad") == 2


@pytest.mark.clause("CC-AMB-19", "CC-EFF-PERM-1")
def test_permanent_effects_add_up_and_end_as_their_creature_leaves() -> None:
    given = table({"A1": "horn_blower", "A2": "hex_toad", "A3": "war_chief"}, {"C1": "sky_bolt"}, turn=1)
    assert given.attack_points("hex_toad") == 3
    after = then(given, 1, Flip("C1", "sky_bolt"), ChooseCard("horn_blower"))
    assert after.list_hell(0) == ("horn_blower",)
    assert after.attack_points("hex_toad") == 2


@pytest.mark.clause("CC-AMB-19")
def test_a_permanent_effect_does_not_reach_the_other_board() -> None:
    given = table({"A1": "horn_blower"}, {"A1": "hex_toad", "B1": "ember_fox"})
    assert (given.attack_points("hex_toad"), given.attack_points("ember_fox")) == (
        face_of("hex_toad").attack,
        face_of("ember_fox").attack,
    )


@pytest.mark.clause("CC-AMB-20", "CC-CHAIN-4", "CC-CHAIN-5", "CC-CHAIN-8")
def test_one_whole_chain_goes_event_effects_window_and_then_the_newest_first() -> None:
    mine, theirs = {"C1": "broken_seal"}, {"B1": "frost_lout", "C1": "pitfall"}
    given = table(mine, theirs, dice=(3,), hands=(("hex_toad",), ()))
    events, asking = when(given, 0, Summon("hex_toad", "B1", (3,)))
    assert names(events) == ["DiceBurned", "CreatureSummoned"]
    events, asking = when(asking, 1, Flip("C1", "pitfall"))
    assert names(events) == ["CrushFlipped"]
    assert asked(asking) == {0}  # the flip is an event with a window of its own
    events, after = when(asking, 0, Flip("C1", "broken_seal"))
    assert names(events) == ["CrushFlipped", "EffectCancelled", "CrushSpent", "CardDrawn", "CrushSpent", "Damaged"]
    assert after.damage == {"frost_lout": 2}  # the oldest link, the Action, comes last
    assert not any(isinstance(move, Pass | Order) for move in offered(after, 0))


@pytest.mark.clause("CC-MAT-2", "CC-COMBAT-1")
def test_start_dice_serve_to_summon_to_attack_and_to_move() -> None:
    given = table({"A1": "ember_fox", "B3": "thornback"}, dice=(3, 3, 6), hands=(("clay_guard",), ()))
    after = then(given, 0, Summon("clay_guard", "B1", (3,)), Attack("ember_fox", (3,)), EndCombat())
    assert then(after, 0, MoveCreature("thornback", "B2", 6)).dice == ()
