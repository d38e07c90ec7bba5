"""What once went wrong in this game: each test failed before it was mended."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.chance import PickResult, RollResult
from referee.engine.events import apply_events, replace_fields
from referee.engine.referee import draw_chance_move
from referee.engine.seats import CHANCE
from referee.engine.steps import Frame
from referee.games.creature_crush import GAME
from referee.games.creature_crush.card_attributes import COST_X, StaticAbility
from referee.games.creature_crush.components import FACES, face_of
from referee.games.creature_crush.events.cards import ControlTaken, CrushSpent
from referee.games.creature_crush.events.field import AttackEnded, EffectSkipped
from referee.games.creature_crush.events.zone_changes import detach_from_step
from referee.games.creature_crush.moves import Attack, ChoosePlace, Flip, Pass
from referee.games.creature_crush.rules.actions.actions import actions_left
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.losing import Destroying
from referee.games.creature_crush.rules.ending import find_result
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import LastingChange
from tests.games.course import asked, of, refused, settled, then, when
from tests.games.creature_crush.table import offered, picked, place, table, with_real_cards
from tests.games.creature_crush.written import ATTACK, BOTH_EFFECTS, build_midgame
from tests.games.creature_crush.written import build_question as question

LEAGUE = {"variant": "league"}


def back_in_place() -> Table:
    """The attacker has died in the window of its attack, and Hollow King has revived it where it stood."""
    mine = {"B1": "hollow_king", "B2": "lantern_moth", "B3": "stone_owl", "C1": "sudden_lunge"}
    given = table(mine, {"A3": "clay_guard", "C1": "desperate_stand"}, dice=(4,))
    asking = then(given, 0, Attack("stone_owl", (4,), "clay_guard"))
    asking = then(asking, 1, Pass())
    asking = then(asking, 0, Flip("C1", "sudden_lunge"))
    asking = then(asking, 1, Flip("C1", "desperate_stand"))
    return picked(asking, "stone_owl", "hollow_king")[1]


@pytest.mark.clause("CC-CHAIN-7")
def test_an_attacker_that_died_and_was_revived_on_the_same_place_attacks_no_more() -> None:
    asking = back_in_place()
    events, after = when(asking, 0, ChoosePlace("B3"))
    assert after.places_by_creature["stone_owl"] == place(0, "B3")
    assert [event.why for event in of(events, AttackEnded)] == ["attacker_gone"]
    assert after.damage == {}


@pytest.mark.clause("CC-AMB-18", "CC-AMB-27")
def test_an_effect_that_waits_does_nothing_to_a_creature_that_left_and_came_back() -> None:
    events, after = when(back_in_place(), 0, ChoosePlace("B3"))
    assert ("sudden_lunge", "gone") in [(event.card, event.why) for event in of(events, EffectSkipped)]
    assert after.lasting == {}


@pytest.mark.clause("CC-CHAIN-3", "CC-CHAIN-4", "CC-AMB-16")
def test_a_crush_card_that_is_spent_was_put_into_hell_which_is_an_event() -> None:
    given = table({"B1": "clay_guard", "C1": "overthrow"}, {"B1": "ember_fox", "C1": "desperate_stand"})
    asking = then(then(given, 0, Flip("C1", "overthrow")), CHANCE, RollResult((3, 1, 1)))
    events, asking = when(asking, 0, ChoosePlace("B2"))
    assert len(of(events, ControlTaken)) == len(of(events, CrushSpent)) == 1
    assert asked(asking) == {1}  # the other has two creatures more now, and overthrow lies in hell
    after = then(asking, 1, Flip("C1", "desperate_stand"))
    assert after.places_by_creature == {}


@pytest.mark.clause("CC-CHAIN-3", "CC-CHAIN-5", "CC-AMB-16")
def test_a_crush_card_whose_effect_is_cancelled_was_put_into_hell_too() -> None:
    mine = {"B1": "clay_guard", "B2": "bog_leech", "C1": "sky_bolt"}
    given = table(mine, {"C1": "broken_seal", "C2": "desperate_stand"})
    asking = then(then(given, 0, Flip("C1", "sky_bolt")), 1, Flip("C1", "broken_seal"), Pass(), Pass())
    assert (asking.list_hell(0), asked(asking)) == (("sky_bolt",), {1})
    assert Flip("C2", "desperate_stand") in offered(asking, 1)


@pytest.mark.clause("CC-AMB-12", "CC-KEY-LIVELY-1")
def test_a_lively_creature_that_comes_back_under_control_in_the_same_turn_has_one_action() -> None:
    given = table({"B1": "ember_fox"}, acted={"ember_fox": 1})
    away = ControlTaken(place(0, "B1"), place(1, "B1"), ("ember_fox",), ("ember_fox",), 1, "ember_fox")
    back = ControlTaken(place(1, "B1"), place(0, "B1"), ("ember_fox",), ("ember_fox",), 0, "ember_fox")
    assert actions_left(apply_events(given, (away, back)), "ember_fox") == 1


@pytest.mark.clause("CC-AMB-4")
def test_a_creature_whose_attack_is_lowered_for_a_turn_is_still_a_threat() -> None:
    lowered = LastingChange("attack", -3, True, "rune_smith")
    given = table({"B1": "clay_guard"}, {"B1": "lantern_moth"}, decks=((), ()), lasting={"clay_guard": (lowered,)})
    assert given.attack_points("clay_guard") == 0
    assert find_result(given) is None
    unarmed = table({}, {"B1": "lantern_moth"}, decks=((), ()), hells=(("clay_guard",), ()))
    assert find_result(unarmed) == (1, "all_in_hell")


@pytest.mark.clause("CC-EFF-PERM-1", "CC-AMB-19")
def test_a_permanent_effect_of_nothing_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        FACES, "banner_knight", replace_fields(face_of("banner_knight"), standing=(StaticAbility("attack", 0),))
    )
    assert table({"B1": "banner_knight"}).attack_points("banner_knight") == face_of("banner_knight").attack


@pytest.mark.clause("CC-AMB-7", "CC-AMB-26", "KERNEL-CENSUS-1")
def test_no_crush_card_of_the_other_deck_is_said_to_have_lain_on_a_c_place() -> None:
    given = with_real_cards(table({"C1": "sky_bolt#1"}, decks=(("clay_guard#1",), ("clay_guard#2",)), rules=LEAGUE))
    asking = settled(replace_fields(given, agenda=(*given.agenda, Frame(), Destroying((place(0, "C1"),)))))
    assert refused(asking, CHANCE, PickResult(("sky_bolt#2",))) == ("another_card_lies_there", "CC-AMB-7")
    assert all(move.cards[0].endswith("#1") for move in offered(asking, CHANCE) if isinstance(move, PickResult))
    assert picked(asking, "sky_bolt#1")[1].list_hell(0) == ("sky_bolt#1",)


@pytest.mark.clause("CC-CRUSH-1", "CC-AMB-23")
def test_what_chance_finds_face_down_costs_as_many_dice_as_were_burned_for_it() -> None:
    given = with_real_cards(table({"C1": "worldfire", "C2": "volley"}))
    places = (place(0, "C1"), place(0, "C2"))
    asking = settled(replace_fields(given, agenda=(*given.agenda, Frame(), Destroying(places))))
    for seed in range(10):
        move = draw_chance_move(asking, Random(seed).randrange)
        assert isinstance(move, PickResult)
        assert all(face_of(card).cost in (COST_X, cost) for card, cost in zip(move.cards, (4, 3), strict=True))


@pytest.mark.clause("CC-CHAIN-7", "KERNEL-POSITION-1")
def test_an_attack_whose_attacker_has_left_can_be_written_down() -> None:
    attacked = question("respond", windows=[ATTACK], links=BOTH_EFFECTS)
    given = GAME.positions.decode_position(build_midgame(question=attacked, start_dice=[3, 6], burned=1))
    gone = replace_fields(
        given, agenda=tuple(detach_from_step(step, frozenset({"bog_leech"})) for step in given.agenda)
    )
    assert [step.place for step in gone.agenda if isinstance(step, Strike)] == [""]
    assert gone != given
    assert GAME.positions.decode_position(GAME.positions.encode_position(gone)) == gone
