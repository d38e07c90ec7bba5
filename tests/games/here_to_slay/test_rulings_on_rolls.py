"""The rulings on rolls, HTS-AMB-12 to -17 and -23 to -28, with the settings that switch them."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChoosePlayer, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroStolen
from referee.games.here_to_slay.events.plays import (
    DiceRolled,
    HeroMarked,
    ModifierPlayed,
    RollSettled,
    TargetsDeclared,
)
from referee.games.here_to_slay.events.turns import PointsSpent
from referee.games.here_to_slay.moves import Attack, DrawOne, Modify, Pass, PlayCard, RollFor
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, table
from tests.games.here_to_slay.in_a_roll import MINUS_4, PLUS_4, QUIET, TWO, cut_in, rolled, settled_as


@pytest.mark.clause("HTS-AMB-12")
@pytest.mark.parametrize("pips", [(1, 1), (6, 6)])
def test_the_roller_declares_the_target_before_playing_a_modifier_also_if_the_roll_fails(pips: tuple[int, int]) -> None:
    state = rolled("bad_axe", [PLUS_4], [], pips=pips, parties={0: ["bad_axe"], 1: ["fluffy", "peanut"]})
    assert refusal(state, 0, Modify(PLUS_4, 4, 0)).reason == "your_target_comes_first"
    assert refusal(state, 0, Pass()).reason == "your_target_comes_first"
    state = then(state, 0, ChooseCard("peanut"))
    assert Modify(PLUS_4, 4, 0) in offered(state, 0)


@pytest.mark.clause("HTS-AMB-15")
@pytest.mark.parametrize("setting", ["before_window", "after_success"])
def test_targets_are_named_before_the_modifiers_or_where_that_is_agreed_after_the_success(setting: str) -> None:
    parties = {0: ["bad_axe"], 1: ["fluffy", "peanut"]}
    state = rolled("bad_axe", [PLUS_4], [], parties=parties, rules={"targets": setting})
    late = setting == "after_success"
    if not late:
        events, state = when(state, 0, ChooseCard("fluffy"))
        assert len(of(events, TargetsDeclared)) == 1
    events, state = when(state, 0, Modify(PLUS_4, 4, 0))
    assert settled_as(events) == [(10, "success")]
    assert len(of(events, HeroDestroyed)) == (0 if late else 1)
    if late:
        events, state = when(state, 0, ChooseCard("fluffy"))
        assert len(of(events, HeroDestroyed)) == 1
    assert state.party_of(1) == ("peanut",)


@pytest.mark.clause("HTS-AMB-15")
def test_after_a_failure_nobody_has_asked_for_a_target_where_they_are_named_later() -> None:
    parties = {0: ["bad_axe"], 1: ["fluffy", "peanut"]}
    state = rolled("bad_axe", [], [], pips=(1, 1), parties=parties, rules={"targets": "after_success"})
    assert (asked(state), state.rolled) == ({0}, ("bad_axe",))
    assert DrawOne() in offered(state, 0)


@pytest.mark.clause("HTS-AMB-15")
def test_what_lies_in_the_discard_pile_is_chosen_only_after_the_success() -> None:
    state = rolled("radiant_horn", ["fluffy"], [PLUS_4], discard=[TWO, MINUS_4])
    assert asked(state) == {0, 1}  # the window is open: nothing to declare
    _, state = passes(state)
    assert {move.card for move in offered(state, 0) if isinstance(move, ChooseCard)} == {TWO, MINUS_4}


@pytest.mark.clause("HTS-AMB-16")
def test_a_declared_player_who_has_emptied_the_hand_gives_nothing_and_nobody_else_does() -> None:
    state = rolled("heavy_bear", [], [PLUS_4, TWO], ["fluffy", "spooky"])
    state = then(state, 0, ChoosePlayer(1))
    state = then(state, 1, Modify(PLUS_4, 4, 0), Modify(TWO, 2, 0))
    events, state = when(state, 2, Pass())
    assert settled_as(events) == [(12, "success")]
    assert of(events, CardDiscarded) == []
    assert (asked(state), state.cards_in_hand(2)) == ({0}, ("fluffy", "spooky"))


@pytest.mark.clause("HTS-AMB-16")
def test_a_declared_hero_that_is_gone_binds_and_the_effect_lapses() -> None:
    parties: dict[int, list[Any]] = {0: ["bad_axe"], 2: ["fluffy", "peanut"]}
    state = cut_in("destructive_spell", "bad_axe", parties, (6, 6))
    state = then(state, 1, ChooseCard("fluffy"))
    assert len(of(passes(state)[0], RollSettled)) == 1
    _, state = passes(state)
    assert state.party_of(2) == ("peanut",)
    assert "fluffy" in state.cards_at(DISCARD)
    assert DrawOne() in offered(state, 0)


@pytest.mark.clause("HTS-AMB-23")
def test_an_attack_is_no_hero_roll_for_song_dragon_king_ring_coins_and_aries() -> None:
    state = table(
        [], [], leaders={0: "the_charismatic_song", 1: "the_divine_arrow"}, row=["abyss_queen"],
        slain={0: ["dark_dragon_king"]},
        parties={0: [("peanut", "really_big_ring"), ("bun_bun", "particularly_rusty_coin")]},
    )  # fmt: skip
    events, state = rolls(then(state, 0, Attack("abyss_queen")), 3, 3)
    assert settled_as(events) == [(6, "nothing")]
    assert of(events, CardDrawn) == []


@pytest.mark.clause("HTS-AMB-23")
def test_slaying_a_monster_sets_off_neither_the_shiny_coin_nor_aries() -> None:
    state = table(
        ["spooky"], [], leaders=QUIET, row=["abyss_queen"], slain={0: ["arctic_aries"]},
        parties={0: [("peanut", "suspiciously_shiny_coin"), "bun_bun"]},
    )  # fmt: skip
    events, state = rolls(then(state, 0, Attack("abyss_queen")), 6, 6)
    assert settled_as(events) == [(12, "slay")]
    assert DrawOne() in offered(state, 0)
    assert state.cards_in_hand(0) == ("spooky",)


@pytest.mark.clause("HTS-AMB-24", "HTS-ROLL-4")
@pytest.mark.parametrize("counts", [True, False])
def test_the_free_roll_is_the_roll_of_that_turn_unless_agreed_otherwise(counts: bool) -> None:
    state = table(["napping_nibbles"], [], leaders=QUIET, rules={"free_roll_counts": counts})
    _, state = rolls(then(state, 0, PlayCard("napping_nibbles"), Accept()), 3, 3)
    assert state.rolled == (("napping_nibbles",) if counts else ())
    if counts:
        assert refusal(state, 0, RollFor("napping_nibbles")).clauses == ("HTS-ROLL-4", "HTS-AMB-24")
        return
    _, state = rolls(then(state, 0, RollFor("napping_nibbles")), 3, 3)
    assert refusal(state, 0, RollFor("napping_nibbles")).clauses[0] == "HTS-ROLL-4"


@pytest.mark.clause("HTS-AMB-25", "HTS-ROLL-3")
def test_wiggles_rolls_at_once_for_the_stolen_hero_without_a_point_and_without_being_asked() -> None:
    state = rolled("wiggles", [], [], [], pips=(5, 5), points=2,
                   parties={0: ["wiggles"], 1: ["bad_axe"], 2: ["fluffy", "peanut"]})  # fmt: skip
    events, state = when(state, 0, ChooseCard("bad_axe"))
    assert [event.put for event in of(events, HeroStolen)] == [("bad_axe",)]
    events, state = dice(state, 4, 4)
    assert [event.about for event in of(events, DiceRolled)] == ["bad_axe"]
    assert of(events, HeroMarked) == [HeroMarked("bad_axe")]
    assert of(events, PointsSpent) == []
    events, state = when(state, 0, ChooseCard("peanut"))  # its target comes after its own dice
    assert names(events) == ["TargetsDeclared", "RollSettled", "HeroDestroyed"]
    assert state.points == 1
    assert refusal(state, 0, RollFor("bad_axe")).clauses[0] == "HTS-ROLL-4"


@pytest.mark.clause("HTS-AMB-25", "HTS-AMB-26")
@pytest.mark.parametrize("obstacle", ["mark", "key"])
def test_a_mark_or_a_sealing_key_on_the_stolen_hero_prevents_the_roll(obstacle: str) -> None:
    parties: dict[int, list[Any]] = {0: ["wiggles"], 1: [("peanut", "sealing_key" if obstacle == "key" else "")]}
    marks = ("peanut",) if obstacle == "mark" else ()
    events, state = rolls(
        then(table([], [], parties=parties, rolled=marks, leaders=QUIET), 0, RollFor("wiggles")), 5, 5
    )
    assert state.party_of(0) == ("wiggles", "peanut")
    assert [event.about for event in of(events, DiceRolled)] == ["wiggles"]
    assert asked(state) == {0}


@pytest.mark.clause("HTS-AMB-26")
def test_the_mark_stays_on_a_hero_that_changes_hands_and_comes_back() -> None:
    # given: Peanut was rolled for, then given away
    state = table(
        ["forced_exchange"], [], points=4, leaders=QUIET, parties={0: ["peanut", "kit_napper"], 1: ["fluffy"]}
    )
    _, state = rolls(then(state, 0, RollFor("peanut")), 1, 1)
    state = then(state, 0, PlayCard("forced_exchange"), ChooseCard("peanut"))
    assert state.party_of(1) == ("peanut",)
    # when it is stolen back
    _, state = rolls(then(state, 0, RollFor("kit_napper")), 6, 6)
    # then
    assert "peanut" in state.party_of(0)
    assert refusal(state, 0, RollFor("peanut")).clauses[0] == "HTS-ROLL-4"


@pytest.mark.clause("HTS-AMB-26")
def test_a_hero_that_left_the_table_and_is_played_again_is_new() -> None:
    state = table(["call_to_the_fallen"], [], points=6, leaders=QUIET, parties={0: ["peanut"]}, row=["dracos"])
    _, state = rolls(then(state, 0, RollFor("peanut")), 1, 1)
    _, state = rolls(then(state, 0, Attack("dracos")), 6, 6)
    assert state.cards_at(DISCARD) == ("peanut",)
    state = then(state, 0, PlayCard("call_to_the_fallen"), PlayCard("peanut"))
    assert offered(state, 0) == [Decline(), Accept()]
    events, state = rolls(then(state, 0, Accept()), 4, 4)
    assert settled_as(events) == [(8, "success")]


@pytest.mark.clause("HTS-AMB-27", "HTS-ROLL-8")
def test_a_roll_is_void_if_a_sealing_key_comes_before_the_total_is_settled() -> None:
    # given: seat 0 would draw after a success
    slain = {0: ["arctic_aries"], 1: ["crowned_serpent", "malamammoth"]}
    state = cut_in("sealing_key", "peanut", {0: ["peanut"]}, (6, 6), slain=slain)
    events, state = passes(state)
    # then: no success, so no effect and no offer; point and mark stay spent
    assert settled_as(events) == [(8, "void")]
    assert of(events, CardDrawn) == []
    assert (state.points, state.rolled, asked(state)) == (2, ("peanut",), {0})
    assert DrawOne() in offered(state, 0)


@pytest.mark.clause("HTS-AMB-28")
def test_radiant_horn_may_take_up_a_modifier_played_on_its_own_roll() -> None:
    state = rolled("radiant_horn", [PLUS_4], [], pips=(1, 1))
    events, state = when(state, 0, Modify(PLUS_4, 4, 0))
    assert len(of(events, ModifierPlayed)) == 1
    assert settled_as(events) == [(6, "success")]
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == ((PLUS_4,), ())
