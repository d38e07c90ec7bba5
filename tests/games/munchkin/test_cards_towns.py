"""The four citizenships and Dual Citizenship: what they give and let do, and to whom and when not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.games.munchkin.components import DOOR_DISCARD, TOWNSHIP, TREASURE_DISCARD
from referee.games.munchkin.derived import hand_limit
from referee.games.munchkin.events.combat import Escaped
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    DiscardFromPlay,
    EndTurn,
    Equip,
    LootRoom,
    PutIntoPlay,
    UsePower,
)
from tests.games.course import asked, of, refused, then, when
from tests.games.munchkin.card_moves import fight, flees, killed, ran, runs_with, strengths
from tests.games.munchkin.given import table

TOWNS = ("town_halloween", "town_christmas", "town_easter", "town_thanksgiving")
SIX = ("os_popping_corn", "os_glitter_bomb", "os_foul_eggnog", "os_frog_fizz", "os_snow_grenade", "os_gravy_boat")


# ---- becoming a citizen ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", TOWNS)
@pytest.mark.clause("MK-4.3", "MK-4.4")
def test_a_citizenship_is_put_down_on_the_own_turn_in_calm_and_in_combat(card: str) -> None:
    assert then(table((card,), (), ()), 0, PutIntoPlay(card)).cards_at(TOWNSHIP[0]) == (card,)
    state = then(fight("wolfman", hands=((card,), (), ())), 0, PutIntoPlay(card))
    assert state.is_citizen(0, card.removeprefix("town_"))
    assert then(state, 0, DiscardFromPlay(card)).cards_at(DOOR_DISCARD) == (card,)


@pytest.mark.parametrize("card", TOWNS)
@pytest.mark.clause("MK-4.4", "MK-4.5")
def test_a_citizenship_is_not_put_down_on_anothers_turn_twice_or_beside_another(card: str) -> None:
    assert refused(table((), (card,), ()), 1, PutIntoPlay(card)) == ("on_the_own_turn", "MK-4.4")
    helper = fight("wolfman", hands=((), (card,), ()), helper=1)
    assert refused(helper, 1, PutIntoPlay(card)) == ("on_the_own_turn", "MK-4.4")
    assert refused(table((card,), (), (), towns={0: (card,)}), 0, PutIntoPlay(card)) == ("same_town", "MK-4.5")
    other = next(town for town in TOWNS if town != card)
    state = table((card,), (), (), towns={0: (other,)})
    assert refused(state, 0, PutIntoPlay(card)) == ("citizen_already", "MK-4.5")
    assert then(state, 0, PutIntoPlay(card, other)).cards_at(TOWNSHIP[0]) == (card,)


# ---- Halloween: scare ------------------------------------------------------------------------------------------------

MONSTERS = ("marrow_pup", "coal_imp", "sally")


@pytest.mark.card("town_halloween")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.clause("MK-4.9")
def test_a_citizen_of_halloween_town_discards_a_monster_for_three_twice_a_combat_as_main_or_helper(seat: int) -> None:
    hands = [(), (), ()]
    hands[seat] = MONSTERS
    state = fight("attic_widow", hands=hands, helper=1, towns={seat: ("town_halloween",)})
    state = then(state, seat, UsePower("scare", "coal_imp"))
    assert strengths(state)[0] == 8 + 3
    state = then(state, seat, UsePower("scare", "sally"))
    assert strengths(state)[0] == 8 + 6
    assert set(state.cards_at(DOOR_DISCARD)) == {"coal_imp", "sally"}
    assert refused(state, seat, UsePower("scare", "marrow_pup")) == ("used_up", "MK-4.9")


@pytest.mark.card("town_halloween")
@pytest.mark.clause("MK-4.7", "MK-4.9")
def test_nobody_scares_without_the_town_a_monster_in_hand_or_a_combat_of_ones_own() -> None:
    hands = (("marrow_pup", "bat_hat"), ("coal_imp",), ())
    state = fight("attic_widow", hands=hands, towns={0: ("town_halloween",), 1: ("town_halloween",)})
    assert refused(state, 1, UsePower("scare", "coal_imp")) == ("not_the_time", "MK-4.9")
    assert refused(state, 0, UsePower("scare", "bat_hat")) == ("no_monster", "MK-4.9")
    assert refused(state, 0, UsePower("scare", "coal_imp"))[1] == "MK-4.9"
    state = then(state, 0, DiscardFromPlay("town_halloween"))
    assert refused(state, 0, UsePower("scare", "marrow_pup")) == ("no_such_power", "MK-4.9")
    calm = table(("marrow_pup",), (), (), towns={0: ("town_halloween",)})
    assert refused(calm, 0, UsePower("scare", "marrow_pup")) == ("not_the_time", "MK-4.9")
    running = ran("attic_widow", hands=hands, towns={0: ("town_halloween",)})
    assert refused(running, 0, UsePower("scare", "marrow_pup")) == ("not_the_time", "MK-4.9")


# ---- Christmas: parting gift -----------------------------------------------------------------------------------------


@pytest.mark.card("town_christmas")
@pytest.mark.clause("MK-4.8", "MK-4.9", "MK-17.6")
def test_a_citizen_of_christmas_town_escapes_a_monster_for_an_item_worth_three_hundred() -> None:
    state = ran("wolfman", "puddle_bat", towns={0: ("town_christmas",)}, items={0: ("curly_boots", "bat_hat")})
    events, state = when(state, 0, UsePower("parting_gift", "curly_boots", "wolfman"))
    assert of(events, Escaped) == [Escaped(0, "wolfman", "card")]
    assert state.running_combat.to_flee == ("0/puddle_bat",)
    assert state.cards_at(TREASURE_DISCARD) == ("curly_boots",)
    _, state = when(state, 0, UsePower("parting_gift", "bat_hat", "puddle_bat"))  # once for each monster
    assert state.combat is None


@pytest.mark.card("town_christmas")
def test_a_helper_gives_parting_gifts_too_and_a_one_shot_in_play_is_an_item() -> None:
    state = ran("wolfman", helper=1, towns={1: ("town_christmas",)}, carried={1: ("os_fruitcake",)})
    state = then(state, 1, UsePower("parting_gift", "os_fruitcake", "wolfman"))
    assert state.running_combat.to_flee == ("0/wolfman",)


@pytest.mark.card("town_christmas")
@pytest.mark.clause("MK-4.9")
def test_nobody_escapes_for_cheaper_items_hand_cards_or_before_running() -> None:
    towns = {0: ("town_christmas",), 1: ("town_christmas",)}
    state = ran("wolfman", towns=towns, items={0: ("rusty_bell",), 1: ("bat_hat",)},
                hands=(("crooked_crown",), (), ()))  # fmt: skip
    assert refused(state, 0, UsePower("parting_gift", "rusty_bell", "wolfman")) == ("no_such_price", "MK-4.9")
    assert refused(state, 0, UsePower("parting_gift", "crooked_crown", "wolfman")) == ("no_such_price", "MK-4.9")
    assert refused(state, 0, UsePower("parting_gift", "bat_hat", "wolfman")) == ("no_such_price", "MK-4.9")
    assert refused(state, 1, UsePower("parting_gift", "bat_hat", "wolfman")) == ("not_the_time", "MK-4.9")
    before = fight("wolfman", towns=towns, items={0: ("bat_hat",)})
    assert refused(before, 0, UsePower("parting_gift", "bat_hat", "wolfman")) == ("not_the_time", "MK-4.9")
    dear = ran("wolfman", towns=towns, items={0: ("bat_hat",)})
    assert refused(dear, 0, UsePower("parting_gift", "bat_hat", "sally")) == ("not_to_be_fled", "MK-4.9")


# ---- Easter ----------------------------------------------------------------------------------------------------------


@pytest.mark.card("town_easter")
@pytest.mark.clause("MK-4.9")
def test_a_citizen_of_easter_town_runs_better_and_keeps_one_of_two_doors() -> None:
    assert runs_with("sally", 4, towns={0: ("town_easter",)}) == "escaped"
    assert runs_with("sally", 3, towns={0: ("town_easter",)}) == "caught"
    state = table((), (), (), towns={0: ("town_easter",)}, stage="choice", doors=("marrow_pup", "coal_imp"))
    state = then(state, 0, LootRoom())
    assert (asked(state), state.cards_in_hand(0)) == ({0}, ("marrow_pup", "coal_imp"))
    state = then(state, 0, ChooseCard("marrow_pup"))
    assert (state.cards_in_hand(0), state.cards_at(DOOR_DISCARD)) == (("coal_imp",), ("marrow_pup",))


@pytest.mark.card("town_easter")
def test_easter_town_is_nothing_for_others() -> None:
    assert runs_with("sally", 4, towns={1: ("town_easter",)}) == "caught"
    assert runs_with("sally", 4, towns={0: ("town_christmas",)}) == "caught"
    state = table((), (), (), towns={1: ("town_easter",)}, stage="choice", doors=("marrow_pup", "coal_imp"))
    state = then(state, 0, LootRoom())
    assert (state.cards_in_hand(0), state.cards_at(DOOR_DISCARD)) == (("marrow_pup",), ())


# ---- Thanksgiving ----------------------------------------------------------------------------------------------------


def helped(*citizens: int) -> tuple[int, int, int]:
    """How many cards all hold after seat 1 has helped to kill a monster of two treasures, for none of them."""
    state = fight("wolfman", towns=dict.fromkeys(citizens, ("town_thanksgiving",)))
    state = then(then(state, 0, AskHelp(seat=1)), 1, AcceptHelp())
    _, state = killed(state)
    return len(state.cards_in_hand(0)), len(state.cards_in_hand(1)), len(state.cards_in_hand(2))


@pytest.mark.card("town_thanksgiving")
@pytest.mark.clause("MK-4.9", "MK-21.1")
def test_a_citizen_of_thanksgiving_town_keeps_six_cards_and_draws_a_treasure_for_helping() -> None:
    state = table(SIX, (), (), towns={0: ("town_thanksgiving",)}, stage="after")
    assert hand_limit(state, 0) == 6
    assert then(state, 0, EndTurn()).turn == 1
    assert helped(1) == (2, 1, 0)


@pytest.mark.card("town_thanksgiving")
@pytest.mark.clause("MK-21.1")
def test_thanksgiving_town_gives_nothing_to_main_bystanders_or_whoever_has_left_it() -> None:
    assert helped(0, 2) == (2, 0, 0)
    state = then(
        table(SIX, (), (), towns={0: ("town_thanksgiving",)}, stage="after"), 0, DiscardFromPlay("town_thanksgiving")
    )
    assert refused(state, 0, EndTurn()) == ("discard_the_excess", "MK-21.1")


# ---- Dual Citizenship ------------------------------------------------------------------------------------------------


@pytest.mark.card("dual_citizenship")
@pytest.mark.clause("MK-4.5", "MK-4.6")
def test_dual_citizenship_makes_room_for_a_second_town_with_the_powers_of_both() -> None:
    state = table(("dual_citizenship", "town_easter"), (), (), towns={0: ("town_halloween",)})
    state = then(state, 0, PutIntoPlay("dual_citizenship"), PutIntoPlay("town_easter"))
    assert (state.is_citizen(0, "halloween"), state.is_citizen(0, "easter")) == (True, True)
    towns = {0: ("town_halloween", "town_easter", "dual_citizenship")}
    scaring = then(fight("puddle_bat", hands=(("coal_imp",), (), ()), towns=towns), 0, UsePower("scare", "coal_imp"))
    assert strengths(scaring)[0] == 4 + 3
    assert runs_with("sally", 4, towns=towns) == "escaped"


@pytest.mark.card("dual_citizenship")
@pytest.mark.clause("MK-4.6")
def test_with_one_town_there_is_no_harm_in_it_but_its_items_and_powers_work() -> None:
    towns = {0: ("town_halloween", "dual_citizenship")}
    state = fight("mitten_gremlins", hands=(("coal_imp",), (), ()), towns=towns, items={0: ("shroud_of_cobwebs",)})
    assert strengths(state) == (4 + 4, 2)
    assert strengths(then(state, 0, UsePower("scare", "coal_imp")))[0] == 4 + 4 + 3
    calm = table((), (), (), towns=towns, carried={0: ("ribbon_mail",)})
    assert then(calm, 0, Equip("ribbon_mail")).used_items(0) == ("ribbon_mail",)


@pytest.mark.card("dual_citizenship")
@pytest.mark.clause("MK-4.4", "MK-4.6")
def test_dual_citizenship_is_not_put_down_without_a_town_twice_or_on_anothers_turn_and_goes_with_the_last() -> None:
    assert refused(table(("dual_citizenship",), (), ()), 0, PutIntoPlay("dual_citizenship")) == (
        "needs_a_town",
        "MK-4.6",
    )
    state = table(("dual_citizenship",), (), (), towns={0: ("town_easter", "dual_citizenship")})
    assert refused(state, 0, PutIntoPlay("dual_citizenship")) == ("dual_already", "MK-4.6")
    theirs = table((), ("dual_citizenship",), (), towns={1: ("town_easter",)})
    assert refused(theirs, 1, PutIntoPlay("dual_citizenship")) == ("on_the_own_turn", "MK-4.4")
    assert refused(state, 0, DiscardFromPlay("dual_citizenship")) == ("stays_with_it", "MK-4.6")
    state = then(state, 0, DiscardFromPlay("town_easter"))
    assert state.cards_at(TOWNSHIP[0]) == ()
    assert set(state.cards_at(DOOR_DISCARD)) == {"town_easter", "dual_citizenship"}


@pytest.mark.card("dual_citizenship")
@pytest.mark.clause("MK-4.5")
def test_two_towns_never_are_the_same_or_three() -> None:
    state = table(("town_easter", "town_christmas"), (), (), towns={0: ("town_easter", "dual_citizenship")})
    assert refused(state, 0, PutIntoPlay("town_easter")) == ("same_town", "MK-4.5")
    state = table(("town_christmas",), (), (), towns={0: ("town_easter", "town_halloween", "dual_citizenship")})
    assert refused(state, 0, PutIntoPlay("town_christmas")) == ("citizen_already", "MK-4.5")
    state = then(state, 0, PutIntoPlay("town_christmas", "town_easter"))
    assert set(state.cards_at(TOWNSHIP[0])) == {"town_halloween", "town_christmas", "dual_citizenship"}
    events, _ = flees(ran("sally", towns={0: state.cards_at(TOWNSHIP[0])}), "sally", 4)
    assert of(events, Escaped) == []
