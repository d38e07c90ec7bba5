"""Comparing strength: what counts for which side, conditions, restrictions, coming in, what fighters may do."""

from __future__ import annotations

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import Move
from referee.engine.seats import CHANCE
from referee.games.munchkin.events.cards import CardsDiscarded, DoorOpened
from referee.games.munchkin.events.combat import CombatBegan, DieRolled, MonsterJoined, StrengthAdded
from referee.games.munchkin.moves import (
    ClaimKill,
    DiscardFromPlay,
    Equip,
    FleeFrom,
    JoinByTag,
    KeepRoll,
    KickDoor,
    LetPass,
    LookForTrouble,
    OfferTrade,
    PlayCard,
    PutIntoPlay,
    RunAway,
    Sell,
    Unequip,
    UsePower,
)
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import score_monsters, score_munchkins
from tests.games.course import asked, of, then, when
from tests.games.munchkin.combats import cursed, fighting, kicked, refused, strengths, when_all
from tests.games.munchkin.given import names, offered, table

# ---- MK-9.1 to MK-9.3 -----------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-9.1")
def test_the_fighters_side_is_level_items_ride_curses_and_what_was_played() -> None:
    state = fighting(
        ("os_popping_corn",), (), (), foes=("sally",), levels=(4,), items={0: ("bat_hat", "grave_spade")},
        rides={0: ("ride_sleigh", "renh_runners")}, curses={0: ("curse_cold_feet",)},
    )  # fmt: skip
    state = then(state, 0, PlayCard("os_popping_corn", side="munchkins"))
    lines = {(line.card, line.count) for line in score_munchkins(state)}
    assert lines == {("", 4), ("bat_hat", 2), ("grave_spade", 3), ("ride_sleigh", 3), ("renh_runners", 2),
                     ("curse_cold_feet", -5), ("os_popping_corn", 2)}  # fmt: skip
    assert strengths(state) == (11, 8)


@pytest.mark.clause("MK-9.1")
def test_the_monsters_side_is_level_conditions_enhancers_and_what_was_played() -> None:
    state = fighting(
        ("os_frog_fizz",), ("enh_hungry",), (), foes=("stale_candy_swarm",), towns={0: ("town_christmas",)}
    )
    state = when_all(state, (0, PlayCard("os_frog_fizz", side="monsters")),
                     (1, PlayCard("enh_hungry", monster="stale_candy_swarm")))[1]  # fmt: skip
    assert [line.count for line in score_monsters(state)] == [1, 3, 5, 3]
    assert strengths(state)[1] == 12


@pytest.mark.clause("MK-9.1", "MK-7.2")
def test_what_is_only_carried_and_what_the_hand_holds_adds_nothing() -> None:
    state = fighting(("bat_hat",), (), (), foes=("sally",), carried={0: ("jawbone_mask",)})
    assert strengths(state) == (1, 8)


@pytest.mark.clause("MK-9.2")
def test_equal_strength_is_won_by_the_monsters() -> None:
    state = fighting((), (), (), foes=("cracked_egg_sprite",), levels=(2,))
    assert refused(state, 0, ClaimKill()) == ("not_stronger", "MK-9.2")
    assert RunAway() in offered(state, 0)
    assert ClaimKill() in offered(fighting((), (), (), foes=("cracked_egg_sprite",), levels=(3,)), 0)


@pytest.mark.clause("MK-9.2", "MK-3.2")
def test_strength_below_one_counts_as_it_is() -> None:
    state = fighting((), ("enh_pint",), (), foes=("puddle_bat",), curses={0: ("curse_cold_feet",)})
    state = then(state, 1, PlayCard("enh_pint", monster="puddle_bat"))
    assert strengths(state) == (-4, -4)
    assert refused(state, 0, ClaimKill()) == ("not_stronger", "MK-9.2")


@pytest.mark.clause("MK-9.3", "MK-8.4")
def test_strength_is_worked_out_anew_after_every_play() -> None:
    hands = ((), ("curse_headgear", "gual_pie"), ())
    state = fighting(*hands, foes=("hollow_judge",), levels=(5,), items={0: ("bat_hat",)})
    assert strengths(state) == (7, 12)
    state = then(state, 1, PlayCard("gual_pie", seat=0))
    assert strengths(state) == (8, 15)  # one who has reached level 6 is judged harder
    _, state = cursed(state, 1, "curse_headgear", 0)
    assert strengths(state) == (6, 15)


@pytest.mark.clause("MK-9.3", "MK-4.7")
def test_a_condition_on_a_town_is_read_from_the_moment() -> None:
    how = {"towns": {0: ("town_halloween",)}, "items": {0: ("shroud_of_cobwebs", "vampire_teddy")}}
    state = fighting((), (), (), foes=("mitten_gremlins",), **how)
    assert strengths(state) == (1 + 4 + 3, 5)
    assert strengths(then(state, 0, DiscardFromPlay("town_halloween"))) == (1 + 2, 2)


# ---- MK-9.4: conditions and restrictions of monsters ----------------------------------------------------------------


@pytest.mark.clause("MK-9.4", "MK-4.10")
def test_a_condition_holds_for_any_fighter_and_counts_once() -> None:
    for towns in ({0: ("town_easter",)}, {1: ("town_easter",)}, {0: ("town_easter",), 1: ("town_easter",)}):
        assert strengths(fighting((), (), (), foes=("wolfman",), helper=1, towns=towns))[1] == 10
    aside = fighting((), (), (), foes=("wolfman",), helper=1, towns={2: ("town_easter",)})
    assert strengths(aside)[1] == 6


@pytest.mark.clause("MK-9.4", "MK-4.6")
def test_dual_citizenship_with_one_town_shelters_from_what_counts_against_that_town() -> None:
    towns = {0: ("town_easter", "dual_citizenship")}
    assert strengths(fighting((), (), (), foes=("wolfman",), towns=towns))[1] == 6
    assert strengths(fighting((), (), (), foes=("cracked_egg_sprite",), towns=towns))[1] == 0  # an advantage stays
    both = {0: ("town_easter", "town_christmas", "dual_citizenship")}
    assert strengths(fighting((), (), (), foes=("wolfman",), towns=both))[1] == 10
    helped = fighting((), (), (), foes=("wolfman",), helper=1, towns={**towns, 1: ("town_easter",)})
    assert strengths(helped)[1] == 10  # the helper is not sheltered
    barred = fighting((), (), (), foes=("sally",), items={0: ("pumpkin_flail",)},
                      towns={0: ("town_christmas", "dual_citizenship")})  # fmt: skip
    assert strengths(barred)[0] == 4


@pytest.mark.clause("MK-9.4")
def test_level_only_holds_for_all_fighters_and_however_many_monsters_there_are() -> None:
    how = {"levels": (3, 4), "items": {0: ("bat_hat",), 1: ("crooked_crown",)}, "rides": {1: ("ride_sleigh",)}}
    state = fighting(("os_fruitcake",), (), (), foes=("puddle_bat", "moonlit_hydra"), helper=1, **how)
    assert strengths(state) == (7, 15)
    state = then(state, 0, PlayCard("os_fruitcake", side="munchkins"))
    assert strengths(state) == (12, 15)  # one-shots still count


@pytest.mark.clause("MK-9.4", "MK-4.9")
def test_level_only_leaves_powers_that_are_paid_for() -> None:
    state = fighting(("puddle_bat",), (), (), foes=("moonlit_hydra",), towns={0: ("town_halloween",)})
    assert strengths(then(state, 0, UsePower("scare", "puddle_bat")))[0] == 4


@pytest.mark.clause("MK-9.4")
def test_no_armor_bonus_holds_for_both_fighters() -> None:
    how = {"items": {0: ("tinfoil_suit", "bat_hat"), 1: ("coffin_lid_plate",)}}
    assert strengths(fighting((), (), (), foes=("sally", "clockwork_nutcracker"), helper=1, **how)) == (4, 16)


@pytest.mark.clause("MK-9.4")
def test_no_one_shots_are_played_for_the_munchkins_but_for_the_monsters() -> None:
    hands = (("os_frog_fizz", "os_rock_salt"), (), ("os_fruitcake",))
    state = fighting(*hands, foes=("puddle_bat", "grave_carolers"))
    for seat, card in ((0, "os_frog_fizz"), (2, "os_fruitcake")):
        assert refused(state, seat, PlayCard(card, side="munchkins")) == ("no_one_shots_here", "MK-9.4")
        assert PlayCard(card, side="monsters") in offered(state, seat)
    assert refused(state, 0, PlayCard("os_rock_salt")) == ("no_one_shots_here", "MK-9.4")


@pytest.mark.clause("MK-9.4", "MK-3.1")
def test_only_armor_counts_under_the_curse_that_says_so() -> None:
    how = {"items": {0: ("bat_hat", "tinfoil_suit", "vampire_teddy")}, "rides": {0: ("ride_sleigh",)}}
    state = fighting((), ("curse_bare_hands",), (), foes=("sally",), **how)
    assert strengths(state)[0] == 1 + 2 + 2 + 2 + 3
    assert strengths(cursed(state, 1, "curse_bare_hands", 0)[1])[0] == 1 + 2 + 3


@pytest.mark.clause("MK-3.1", "MK-10.2")
def test_enhancers_count_double_on_the_monster_that_says_so() -> None:
    state = fighting((), ("enh_hungry", "enh_asleep"), (), foes=("pumpkin_brute",))
    state = then(state, 1, PlayCard("enh_hungry", monster="pumpkin_brute"))
    assert strengths(state)[1] == 14
    state = then(state, 1, PlayCard("enh_asleep", monster="pumpkin_brute"))
    assert strengths(state)[1] == 8


# ---- MK-9.5, MK-9.6: coming in --------------------------------------------------------------------------------------


@pytest.mark.clause("MK-9.6", "MK-6.5", "MK-5.3")
def test_the_combat_is_on_as_soon_as_the_monster_is_revealed() -> None:
    events, state = when(table((), (), (), doors=("puddle_bat",)), 0, KickDoor())
    assert names(events)[:4] == ["DoorOpened", "CombatBegan", "MonsterJoined"]
    assert of(events, DoorOpened)[0].put == ("puddle_bat",)
    assert of(events, CombatBegan) == [CombatBegan(0)]
    assert isinstance(state.agenda[-1], Fight)
    assert state.is_in_combat(0)


@pytest.mark.clause("MK-9.5")
def test_what_a_monster_does_on_entering_comes_before_anything_else() -> None:
    state = kicked(("stilts", "bat_hat"), (), ("enh_hungry",), behind="lock_shock_barrel")
    assert asked(state) == {0}
    assert not isinstance(state.agenda[-1], Fight)
    assert refused(state, 2, PlayCard("enh_hungry", monster="lock_shock_barrel"))[0] == "carried_out_first"
    assert refused(state, 0, ClaimKill())[0] == "not_stronger"


@pytest.mark.clause("MK-9.5")
def test_a_monster_that_comes_later_does_what_it_does_to_all_fighters() -> None:
    hands = (("stilts",), ("bat_hat",), ("wandering_monster", "lock_shock_barrel", "os_popping_corn"))
    state = fighting(*hands, foes=("sally",), helper=1)
    events, state = when(state, 2, PlayCard("wandering_monster", partner="lock_shock_barrel"))
    assert {event.source for event in of(events, CardsDiscarded)} == {"hand:0", "hand:1"}
    assert asked(state) == {0}
    assert isinstance(state.agenda[-1], Fight)


@pytest.mark.clause("MK-9.5", "MK-9.1")
@pytest.mark.parametrize(("pips", "sums"), [(1, (1, 22)), (3, (1, 20)), (6, (3, 20))])
def test_the_gambler_rolls_for_a_side_as_he_comes_in(pips: int, sums: tuple[int, int]) -> None:
    state = kicked((), (), (), behind="oogie_boogie")
    events, state = when_all(state, (CHANCE, RollResult((pips,))), (0, KeepRoll()))
    assert of(events, DieRolled)[0].value == pips
    assert len(of(events, StrengthAdded)) == (pips != 3)
    assert strengths(state) == sums


# ---- MK-9.7, MK-9.8: what fighters may do ---------------------------------------------------------------------------


@pytest.mark.clause("MK-9.7", "MK-7.5", "MK-7.6", "MK-6.2", "MK-6.3")
def test_a_fighter_cannot_sell_trade_equip_or_put_items_down() -> None:
    how = {"carried": {0: ("bat_hat", "confetti_cannon", "crooked_crown")}, "items": {0: ("stilts",)}}
    for helper, seat in ((-1, 0), (1, 0)):
        state = fighting(("jawbone_mask",), (), (), foes=("sally",), helper=helper, **how)
        forbidden: list[Move] = [
            Sell(("bat_hat", "confetti_cannon")), OfferTrade(2, give=("bat_hat",)), Equip("bat_hat"),
            Unequip("stilts"), PutIntoPlay("jawbone_mask"),
        ]  # fmt: skip
        for move in forbidden:
            refusal = refused(state, seat, move)
            assert refusal[0] in ("not_in_combat", "only_in_calm"), move
            assert type(move) not in {type(each) for each in offered(state, seat)}, move


@pytest.mark.clause("MK-9.7", "MK-4.4", "MK-8.6", "MK-6.1")
def test_a_fighter_plays_one_shots_enhancers_towns_levels_curses_a_ride_and_powers() -> None:
    hand = ("os_fruitcake", "enh_asleep", "town_halloween", "gual_pie", "curse_level", "ride_broom", "puddle_bat")
    state = fighting(hand, (), (), foes=("sally",))
    plays: list[Move] = [
        PlayCard("os_fruitcake", side="munchkins"),
        PlayCard("enh_asleep", monster="sally"),
        PutIntoPlay("town_halloween"),
        PlayCard("gual_pie", seat=0),
        PlayCard("curse_level", seat=1),
        PutIntoPlay("ride_broom"),
    ]
    for move in plays:
        assert move in offered(state, 0), move
    state = then(state, 0, PutIntoPlay("town_halloween"))
    assert UsePower("scare", "puddle_bat") in offered(state, 0)


@pytest.mark.clause("MK-4.4", "MK-9.7")
def test_a_helper_puts_no_citizenship_down_for_it_is_not_the_own_turn() -> None:
    state = fighting((), ("town_easter", "ride_broom"), (), foes=("sally",), helper=1)
    assert refused(state, 1, PutIntoPlay("town_easter")) == ("on_the_own_turn", "MK-4.4")
    assert PutIntoPlay("ride_broom") in offered(state, 1)


@pytest.mark.clause("MK-9.8", "MK-17.2")
def test_who_is_winning_cannot_run_and_who_could_win_need_not() -> None:
    state = fighting(("os_fruitcake",), (), (), foes=("cracked_egg_sprite",), levels=(2,))
    assert FleeFrom("cracked_egg_sprite") in offered(then(state, 0, RunAway()), 0)
    state = then(state, 0, PlayCard("os_fruitcake", side="munchkins"))
    assert refused(state, 0, RunAway()) == ("no_need_to_run", "MK-17.2")


@pytest.mark.clause("MK-9.7", "MK-5.6")
def test_the_steps_of_the_turn_wait_for_the_combat() -> None:
    state = fighting(("puddle_bat",), (), (), foes=("sally",))
    assert refused(state, 0, KickDoor()) == ("door_is_open", "MK-5.1")
    assert refused(state, 0, LookForTrouble("puddle_bat")) == ("a_combat_is_open", "MK-5.1")


# ---- a monster that may be let pass ---------------------------------------------------------------------------------


def passes(**how: object) -> Table:
    """Sally stands before a main of Halloween Town."""
    return kicked(
        ("os_fruitcake", "puddle_bat"), ("enh_hungry", "curse_level"), (), behind="sally",
        **{"towns": {0: ("town_halloween",)}, **how},
    )  # fmt: skip


@pytest.mark.clause("MK-3.1", "MK-11.3", "MK-11.5", "MK-16.6")
def test_main_of_the_right_town_lets_a_monster_pass_for_a_treasure_and_no_level() -> None:
    state = passes(treasures=("bat_hat",))
    assert LetPass("sally") in offered(state, 0)
    events, state = when(state, 0, LetPass("sally"))
    assert names(events) == ["MonsterGone", "CardsDiscarded", "CardDrawn", "CombatEnded"]
    assert state.cards_in_hand(0)[-1] == "bat_hat"
    assert state.levels[0] == 1
    assert state.combat is None
    assert state.fought


@pytest.mark.clause("MK-3.1")
def test_nobody_is_let_pass_by_another_town_or_after_a_play() -> None:
    assert refused(passes(towns={}), 0, LetPass("sally")) == ("condition_fails", "MK-3.1")
    assert refused(passes(), 1, LetPass("sally"))[0] == "only_main_lets_pass"
    assert refused(passes(), 0, LetPass("puddle_bat")) == ("not_in_the_combat", "MK-11.3")
    bat = kicked((), (), (), behind="puddle_bat", towns={0: ("town_halloween",)})
    assert refused(bat, 0, LetPass("puddle_bat")) == ("lets_nobody_pass", "MK-11.3")
    plays: list[tuple[int, Move]] = [
        (1, PlayCard("enh_hungry", monster="sally")), (0, PlayCard("os_fruitcake", side="monsters")),
        (0, UsePower("scare", "puddle_bat")),
    ]  # fmt: skip
    for seat, move in plays:
        assert refused(then(passes(), seat, move), 0, LetPass("sally")) == ("something_was_played", "MK-3.1")


@pytest.mark.clause("MK-12.1", "MK-9.1")
def test_a_monster_that_joins_counts_from_the_moment_it_comes() -> None:
    state = fighting((), ("cellar_imp",), (), foes=("coal_imp",))
    assert strengths(state)[1] == 2
    events, state = when(state, 1, JoinByTag("cellar_imp"))
    assert of(events, MonsterJoined)[0].card == "cellar_imp"
    assert strengths(state)[1] == 2 + 2 + 1
