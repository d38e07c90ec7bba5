"""What items say besides their bonus: where it counts, and where it does not."""

from __future__ import annotations

import pytest

from referee.games.munchkin.derived import hand_limit
from referee.games.munchkin.events.cards import ItemsUsed
from referee.games.munchkin.moves import DiscardFromPlay, EndTurn, Equip, PutIntoPlay, Unequip
from tests.games.course import of, refused, then, when
from tests.games.munchkin.card_moves import cursed, fight, killed, runs_with, strengths
from tests.games.munchkin.given import table

SIX = ("os_popping_corn", "os_glitter_bomb", "os_foul_eggnog", "os_frog_fizz", "os_snow_grenade", "os_gravy_boat")
TOWNS = {"town_halloween", "town_christmas", "town_easter", "town_thanksgiving"}


# ---- running away ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "escape"), [("eggshell_helm", 1), ("curly_boots", 1), ("garland_whip", 1), ("stilts", 2)]
)
def test_an_item_for_running_away_counts_on_the_roll(card: str, escape: int) -> None:
    assert runs_with("wolfman", 5 - escape, items={0: (card,)}) == "escaped"
    assert runs_with("wolfman", 4 - escape, items={0: (card,)}) == "caught"


@pytest.mark.parametrize("card", ["eggshell_helm", "curly_boots", "garland_whip", "stilts"])
def test_an_item_for_running_away_does_nothing_while_it_is_carried_or_somebody_elses(card: str) -> None:
    assert runs_with("wolfman", 4, carried={0: (card,)}) == "caught"
    assert runs_with("wolfman", 4, items={1: (card,)}) == "caught"
    assert runs_with("wolfman", 5, carried={0: (card,)}) == "escaped"


# ---- towns and levels ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "town", "base", "more"),
    [("drumstick_club", "town_thanksgiving", 3, 2), ("vampire_teddy", "town_halloween", 2, 1)],
)
def test_an_item_gives_more_to_the_citizens_of_its_town(card: str, town: str, base: int, more: int) -> None:
    assert strengths(fight("puddle_bat", items={0: (card,)}, towns={0: (town,)}))[0] == 4 + base + more


@pytest.mark.parametrize(
    ("card", "town", "base"), [("drumstick_club", "town_thanksgiving", 3), ("vampire_teddy", "town_halloween", 2)]
)
def test_an_item_does_not_give_more_to_citizens_of_other_towns_or_for_the_town_of_the_helper(
    card: str, town: str, base: int
) -> None:
    for other in sorted(TOWNS - {town}):
        assert strengths(fight("puddle_bat", items={0: (card,)}, towns={0: (other,)}))[0] == 4 + base
    helped = fight("puddle_bat", helper=1, items={0: (card,)}, towns={1: (town,)})
    assert strengths(helped)[0] == 4 + base + 4


@pytest.mark.parametrize(
    ("card", "town", "bonus"), [("pumpkin_flail", "town_christmas", 3), ("ribbon_mail", "town_halloween", 3)]
)
def test_an_item_barred_to_a_town_works_for_all_others_and_under_the_shelter_of_dual_citizenship(
    card: str, town: str, bonus: int
) -> None:
    for other in (*sorted(TOWNS - {town}), ""):
        state = fight("puddle_bat", items={0: (card,)}, towns={0: (other,)} if other else {})
        assert strengths(state)[0] == 4 + bonus
    sheltered = {0: (town, "dual_citizenship")}
    assert card in then(table((card,), (), (), towns=sheltered), 0, PutIntoPlay(card)).equipped
    assert strengths(fight("puddle_bat", items={0: (card,)}, towns=sheltered))[0] == 4 + bonus


@pytest.mark.parametrize(("card", "town"), [("pumpkin_flail", "town_christmas"), ("ribbon_mail", "town_halloween")])
@pytest.mark.clause("MK-7.4")
def test_an_item_barred_to_a_town_does_not_work_for_its_citizens_even_with_a_second_town(card: str, town: str) -> None:
    for towns in ((town,), (town, "town_easter", "dual_citizenship")):
        events, state = when(table((card,), (), (), towns={0: towns}), 0, PutIntoPlay(card))
        assert of(events, ItemsUsed) == []
        assert refused(state, 0, Equip(card)) == ("condition_fails", "MK-7.4")
        assert strengths(fight("puddle_bat", items={0: (card,)}, towns={0: towns}))[0] == 4
    state = fight("puddle_bat", items={0: (card,)}, towns={0: (town,)})
    assert strengths(then(state, 0, DiscardFromPlay(town)))[0] == 7


@pytest.mark.card("overtime_scythe")
def test_the_scythe_of_overtime_works_from_level_three_on() -> None:
    assert strengths(fight("puddle_bat", items={0: ("overtime_scythe",)}, levels=(3, 1, 1)))[0] == 3 + 5


@pytest.mark.card("overtime_scythe")
@pytest.mark.clause("MK-7.4")
def test_the_scythe_of_overtime_does_not_work_below_level_three() -> None:
    assert strengths(fight("puddle_bat", items={0: ("overtime_scythe",)}, levels=(2, 9, 9)))[0] == 2
    state = then(table(("overtime_scythe",), (), (), levels=(2, 1, 1)), 0, PutIntoPlay("overtime_scythe"))
    assert refused(state, 0, Equip("overtime_scythe")) == ("condition_fails", "MK-7.4")


@pytest.mark.card("overtime_scythe", "loose_stitches")
@pytest.mark.clause("MK-7.4")
def test_loose_stitches_make_up_for_a_town_and_not_for_a_level() -> None:
    sewn = {"items": {0: ("overtime_scythe",)}, "attached": {"overtime_scythe": "loose_stitches"}}
    assert strengths(fight("puddle_bat", levels=(2, 1, 1), **sewn))[0] == 2
    assert strengths(fight("puddle_bat", levels=(3, 1, 1), **sewn))[0] == 3 + 5
    sewn = {"items": {0: ("pumpkin_flail",)}, "attached": {"pumpkin_flail": "loose_stitches"}}
    assert strengths(fight("puddle_bat", towns={0: ("town_christmas",)}, **sewn))[0] == 4 + 3


# ---- what happens in the combat --------------------------------------------------------------------------------------


@pytest.mark.card("coffin_nails")
def test_coffin_nails_hurt_the_undead_be_they_born_or_made_so() -> None:
    assert strengths(fight("skeleton_choir", "wolfman", items={0: ("coffin_nails",)}))[0] == 4 + 2 + 2
    state = fight("skeleton_choir", "marrow_pup", items={0: ("coffin_nails",)})
    assert strengths(state)[0] == 4 + 2 + 2  # once, however many there are


@pytest.mark.card("coffin_nails")
def test_coffin_nails_do_not_hurt_demons_or_others_more() -> None:
    assert strengths(fight("coal_imp", "wolfman", items={0: ("coffin_nails",)}))[0] == 4 + 2


@pytest.mark.card("spare_shadow")
def test_the_spare_shadow_fights_beside_whoever_is_alone() -> None:
    assert strengths(fight("wolfman", items={0: ("spare_shadow",)}))[0] == 4 + 3


@pytest.mark.card("spare_shadow")
def test_the_spare_shadow_does_not_fight_beside_a_helper_or_for_a_helper() -> None:
    assert strengths(fight("wolfman", items={0: ("spare_shadow",)}, helper=1))[0] == 8
    assert strengths(fight("wolfman", items={1: ("spare_shadow",)}, helper=1))[0] == 8


@pytest.mark.card("leashed_ghost")
def test_the_ghost_on_a_leash_fetches_a_treasure_more_for_a_kill_without_help() -> None:
    _, state = killed(fight("puddle_bat", items={0: ("leashed_ghost",)}))
    assert len(state.cards_in_hand(0)) == 2


@pytest.mark.card("leashed_ghost")
def test_the_ghost_on_a_leash_fetches_nothing_with_a_helper_for_a_helper_or_while_it_is_carried() -> None:
    for helped in (0, 1):
        _, state = killed(fight("puddle_bat", items={helped: ("leashed_ghost",)}, helper=1))
        assert len(state.cards_in_hand(0)) + len(state.cards_in_hand(1)) == 1
    _, state = killed(fight("puddle_bat", carried={0: ("leashed_ghost",)}))
    assert len(state.cards_in_hand(0)) == 1


@pytest.mark.card("mayors_badge")
def test_the_badge_lets_its_owner_keep_six_cards() -> None:
    state = table(SIX, (), (), items={0: ("mayors_badge",)}, stage="after")
    assert hand_limit(state, 0) == 6
    assert then(state, 0, EndTurn()).turn == 1


@pytest.mark.card("mayors_badge")
@pytest.mark.clause("MK-21.1")
def test_the_badge_does_not_count_while_it_is_carried() -> None:
    state = then(table(SIX, (), (), items={0: ("mayors_badge",)}, stage="after"), 0, Unequip("mayors_badge"))
    assert refused(state, 0, EndTurn()) == ("discard_the_excess", "MK-21.1")


@pytest.mark.card("buckled_vest")
def test_no_curse_takes_the_buckled_vest_while_it_is_worn() -> None:
    _, state = cursed("curse_armor", items={0: ("buckled_vest",)})
    assert state.items_of(0) == ("buckled_vest",)
    _, state = cursed("curse_best_item", items={0: ("buckled_vest", "rusty_bell")})
    assert state.items_of(0) == ("buckled_vest",)
    _, state = cursed("curse_small_item", items={0: ("buckled_vest",)})
    assert state.items_of(0) == ("buckled_vest",)


@pytest.mark.card("buckled_vest")
def test_the_buckled_vest_does_not_keep_what_is_carried_or_in_another_slot_from_curses() -> None:
    _, state = cursed("curse_small_item", carried={0: ("buckled_vest",)})
    assert state.items_of(0) == ()
    _, state = cursed("curse_small_item", items={0: ("buckled_vest", "bat_hat")})
    assert state.items_of(0) == ("buckled_vest",)
