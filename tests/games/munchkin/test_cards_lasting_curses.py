"""The three curses that stay before their victim: how long, and for what they count."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import CURSES, HANDS
from referee.games.munchkin.events.combat import HelperLeft
from referee.games.munchkin.moves import DiscardFromPlay, KeepRoll, Pass, PlayCard
from referee.games.munchkin.state import Table
from tests.games.course import of, refused, then, when
from tests.games.munchkin.card_moves import caught, cursed, fight, killed, ran, runs_with, strengths
from tests.games.munchkin.given import cast, table

COBWEB, FEET, BARE = "curse_cobweb_hat", "curse_cold_feet", "curse_bare_hands"


def struck(state: Table, card: str, victim: int) -> Table:
    """Seat 2 has played the curse in the combat, and it was let strike."""
    return then(then(state, 2, PlayCard(card, victim)), victim, Pass())


# ---- Cobwebbed -------------------------------------------------------------------------------------------------------


@pytest.mark.card(COBWEB)
def test_cobwebs_count_on_every_die_of_their_victim() -> None:
    webbed = {0: (COBWEB,)}
    assert runs_with("wolfman", 5, curses=webbed) == "caught"
    assert runs_with("wolfman", 6, curses=webbed) == "escaped"
    _, state = caught("ink_fiend", curses=webbed)
    _, state = cast(state, 3)
    assert then(state, 0, KeepRoll()).bereft == (0,)  # 3 - 1 is death


@pytest.mark.card(COBWEB)
def test_cobwebs_do_not_count_on_the_dice_of_others_or_on_strength() -> None:
    assert runs_with("wolfman", 5, curses={1: (COBWEB,)}) == "escaped"
    assert strengths(fight("wolfman", curses={0: (COBWEB,)})) == (4, 6)


@pytest.mark.card(COBWEB)
def test_cobwebs_go_with_headgear_lost_to_a_curse_or_bad_stuff() -> None:
    _, state = cursed("curse_headgear", items={0: ("bat_hat",)}, curses={0: (COBWEB,)})
    assert state.curses_of(0) == ()
    _, state = caught("paper_lantern_haunt", items={0: ("bat_hat",)}, curses={0: (COBWEB,)})
    assert state.curses_of(0) == ()
    _, state = cursed("curse_small_item", carried={0: ("bat_hat",)}, curses={0: (COBWEB,)})
    assert state.curses_of(0) == ()


@pytest.mark.card(COBWEB)
@pytest.mark.clause("MK-20.6")
def test_cobwebs_do_not_go_with_other_items_after_a_combat_or_by_choice() -> None:
    _, state = cursed("curse_armor", items={0: ("bat_hat", "tinfoil_suit")}, curses={0: (COBWEB,)})
    assert state.curses_of(0) == (COBWEB,)
    _, state = killed(fight("puddle_bat", curses={0: (COBWEB,)}))
    assert state.curses_of(0) == (COBWEB,)
    assert refused(state, 0, DiscardFromPlay(COBWEB)) == ("curses_stay", "MK-20.6")
    _, state = caught("vault_lich", curses={0: (COBWEB,)}, items={0: ("bat_hat",)})
    assert state.curses_of(0) == (COBWEB,)  # not even death lifts it


# ---- Cold Feet -------------------------------------------------------------------------------------------------------


@pytest.mark.card(FEET)
@pytest.mark.clause("MK-14.4", "MK-20.4")
def test_cold_feet_weaken_the_main_player_in_the_running_combat_and_go_with_it() -> None:
    state = struck(fight("puddle_bat", hands=((), (), (FEET,)), strong=10), FEET, 0)
    assert strengths(state)[0] == 4 + 10 - 5
    _, state = killed(state)
    assert state.cards_at(CURSES[0]) == ()


@pytest.mark.card(FEET)
@pytest.mark.clause("MK-13.11")
def test_cold_feet_send_a_helper_away_and_nothing_of_them_stays() -> None:
    state = fight("wolfman", hands=((), (), (FEET,)), helper=1, levels=(4, 6, 4))
    events, state = when(then(state, 2, PlayCard(FEET, 1)), 1, Pass())
    assert of(events, HelperLeft) == [HelperLeft(1)]
    assert strengths(state) == (4, 6)
    assert state.curses_of(1) == ()
    assert state.levels[1] == 6


@pytest.mark.card(FEET)
def test_a_helper_who_gets_cold_feet_on_the_run_need_not_run_any_more() -> None:
    state = struck(ran("wolfman", "sally", helper=1, hands=((), (), (FEET,))), FEET, 1)
    assert state.running_combat.to_flee == ("0/wolfman", "0/sally")
    assert (state.levels[1], state.curses_of(1)) == (4, ())


@pytest.mark.card(FEET)
def test_cold_feet_do_not_count_in_the_combat_of_others_but_wait_for_the_next_of_ones_own() -> None:
    _, state = cursed(FEET, victim=2)
    assert state.curses_of(2) == (FEET,)
    _, state = killed(fight("puddle_bat", curses={2: (FEET,)}))
    assert state.curses_of(2) == (FEET,)
    assert strengths(fight("puddle_bat", helper=2, curses={2: (FEET,)}))[0] == 4 + 4 - 5


# ---- Empty Wrapping --------------------------------------------------------------------------------------------------

ITEMS = {0: ("bat_hat", "tinfoil_suit", "vampire_teddy", "coffin_nails"), 1: ("bone_spurs",)}


@pytest.mark.card(BARE)
def test_only_armor_gives_a_bonus_under_the_empty_wrapping() -> None:
    state = fight("marrow_pup", hands=((), (), (BARE,)), items=ITEMS, towns={0: ("town_halloween",)})
    assert strengths(state)[0] == 4 + 2 + 2 + 2 + 1 + 2 + 2
    state = struck(state, BARE, 0)
    assert strengths(state)[0] == 4 + 2
    _, state = killed(state)
    assert state.curses_of(0) == ()


@pytest.mark.card(BARE)
def test_the_empty_wrapping_does_not_touch_rides_one_shots_or_the_items_of_the_helper() -> None:
    state = fight("marrow_pup", hands=((), ("os_fruitcake",), (BARE,)), items=ITEMS, helper=1,
                  rides={0: ("ride_pram",)})  # fmt: skip
    state = then(struck(state, BARE, 0), 1, PlayCard("os_fruitcake", side="munchkins"))
    assert strengths(state)[0] == 4 + 2 + 1 + 4 + 2 + 5


@pytest.mark.card(BARE)
def test_the_empty_wrapping_does_not_end_with_a_combat_of_others() -> None:
    state = table((), (BARE,), ())
    state = then(then(state, 1, PlayCard(BARE, 2)), 2, Pass())
    assert state.curses_of(2) == (BARE,)
    assert state.cards_at(HANDS[1]) == ()
    _, state = killed(fight("puddle_bat", curses={2: (BARE,)}))
    assert state.curses_of(2) == (BARE,)
