"""Items and what else is put down: when, in which slots, Big ones, citizenships, rides."""

from __future__ import annotations

import pytest

from referee.engine.codec import named
from referee.engine.rulings import IllegalMove
from referee.games.munchkin.components import DISCARDS, RIDES, TOWNSHIP
from referee.games.munchkin.derived import count_hands
from referee.games.munchkin.events.cards import CardPut, CardsDiscarded, ItemsUsed
from referee.games.munchkin.moves import DiscardFromPlay, Equip, PutIntoPlay, Unequip
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.items.equipping import check_discard_from_play
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import compute_own_strength
from tests.games.course import near_misses, of, refused, then, when
from tests.games.munchkin.given import in_combat, offered, table, with_real_cards


@named("test.mk.Fighting")
class Fighting(Moment):
    """Stands for a combat that is open and waits for seat 0."""

    moment = "fight"

    def find_pending_seats(self, state: Table) -> tuple[int, ...]:
        return (0,)


def fighting(*hands_: list[str], **more: object) -> Table:
    """Seat 0 is in combat with Marrow Pup."""
    state = table(*hands_, **more)  # type: ignore[arg-type]
    return in_combat(state, 0, "marrow_pup", agenda=(Fighting(),))


@pytest.mark.clause("MK-7.6")
def test_items_are_put_down_in_calm_on_the_own_turn() -> None:
    state = table(["bat_hat"], ["stilts"], [])
    events, after = when(state, 0, PutIntoPlay("bat_hat"))
    assert [(event.put, event.seat) for event in of(events, CardPut)] == [(("bat_hat",), 0)]
    assert after.cards_in_play_of(0) == ("bat_hat",)
    assert refused(state, 1, PutIntoPlay("stilts")) == ("on_the_own_turn", "MK-6.3")
    assert refused(state, 0, PutIntoPlay("stilts")) == ("not_in_the_hand", "MK-2.3")
    assert refused(state, 0, PutIntoPlay("marrow_pup")) == ("does_not_stay_in_play", "MK-6.6")
    assert refused(state, 0, PutIntoPlay("no_such_thing")) == ("no_such_card", "MK-2.1")


@pytest.mark.clause("MK-7.6", "MK-9.7")
def test_no_item_is_put_down_in_combat() -> None:
    assert refused(fighting(["bat_hat"], [], []), 0, PutIntoPlay("bat_hat")) == ("not_in_combat", "MK-9.7")


@pytest.mark.clause("MK-6.6")
def test_a_card_just_received_is_put_down_at_once_by_who_is_not_in_combat() -> None:
    state = table([], ["bat_hat", "stilts"], [], fresh={1: ["bat_hat"]})
    assert then(state, 1, PutIntoPlay("bat_hat")).cards_in_play_of(1) == ("bat_hat",)
    assert refused(state, 1, PutIntoPlay("stilts")) == ("on_the_own_turn", "MK-6.3")
    assert PutIntoPlay("bat_hat") in offered(fighting([], ["bat_hat"], [], fresh={1: ["bat_hat"]}), 1)
    assert (
        refused(fighting(["bat_hat"], [], [], fresh={0: ["bat_hat"]}), 0, PutIntoPlay("bat_hat"))[0] == "not_in_combat"
    )


@pytest.mark.clause("MK-26.5")
def test_an_item_is_used_at_once_where_slot_hands_and_conditions_allow() -> None:
    state = table(["bat_hat", "crooked_crown", "grave_spade", "candy_hook", "wreath_circlet", "os_frog_fizz"], [], [])
    events, state = when(state, 0, PutIntoPlay("bat_hat"))
    assert of(events, ItemsUsed) == [ItemsUsed(0, ("bat_hat",))]
    for card in ("crooked_crown", "os_frog_fizz"):
        events, state = when(state, 0, PutIntoPlay(card))
        assert not of(events, ItemsUsed)
    state = then(state, 0, PutIntoPlay("grave_spade"), PutIntoPlay("candy_hook"))
    assert state.equipped == ("bat_hat", "grave_spade")
    without_hat = then(table(["wreath_circlet"], [], []), 0, PutIntoPlay("wreath_circlet"))
    assert without_hat.equipped == ()  # Christmas Town only
    at_home = table(["wreath_circlet"], [], [], towns={0: ["town_christmas"]})
    assert then(at_home, 0, PutIntoPlay("wreath_circlet")).equipped == ("wreath_circlet",)


@pytest.mark.clause("MK-7.2")
def test_an_item_only_carried_gives_nothing() -> None:
    state = table([], [], [], items={0: ["bat_hat"]})
    assert compute_own_strength(state, 0) == 3
    assert compute_own_strength(then(state, 0, Unequip("bat_hat")), 0) == 1


@pytest.mark.clause("MK-7.3")
def test_one_item_a_slot_and_two_hands() -> None:
    state = table(
        [], [], [], items={0: ["bat_hat", "candy_hook", "rusty_bell"]}, carried={0: ["crooked_crown", "garland_whip"]}
    )
    assert refused(state, 0, Equip("crooked_crown")) == ("slot_is_taken", "MK-7.3")
    assert refused(state, 0, Equip("garland_whip", ("candy_hook",))) == ("hands_are_full", "MK-7.3")
    events, after = when(state, 0, Equip("crooked_crown", ("bat_hat",)))
    assert of(events, ItemsUsed) == [ItemsUsed(0, ("crooked_crown",), ("bat_hat",))]
    after = then(after, 0, Equip("garland_whip", ("candy_hook", "rusty_bell")))
    assert set(after.equipped) == {"crooked_crown", "garland_whip"}


@pytest.mark.clause("MK-7.3")
def test_items_without_a_slot_have_no_limit() -> None:
    state = table(["mayors_badge", "vampire_teddy", "leashed_ghost", "spare_shadow"], [], [])
    state = then(state, 0, *map(PutIntoPlay, state.cards_in_hand(0)))
    assert len(state.equipped) == 4


@pytest.mark.clause("MK-7.3")
def test_a_pram_gives_a_third_hand() -> None:
    state = table([], [], [], items={0: ["candy_hook", "rusty_bell"]}, carried={0: ["coffin_nails"]})
    assert refused(state, 0, Equip("coffin_nails"))[0] == "hands_are_full"
    state = table(
        [], [], [], items={0: ["candy_hook", "rusty_bell"]}, carried={0: ["coffin_nails"]}, rides={0: ["ride_pram"]}
    )
    assert count_hands(state, 0) == 3
    assert "coffin_nails" in then(state, 0, Equip("coffin_nails")).equipped


@pytest.mark.clause("MK-7.3", "MK-7.12")
def test_a_stitched_item_is_used_whatever_the_slot_says() -> None:
    state = table(
        [],
        [],
        [],
        items={0: ["bat_hat"]},
        carried={0: ["wreath_circlet"]},
        attached={"wreath_circlet": "loose_stitches"},
    )
    assert set(then(state, 0, Equip("wreath_circlet")).equipped) == {"bat_hat", "wreath_circlet"}


@pytest.mark.clause("MK-7.4")
def test_an_item_whose_condition_fails_is_not_used() -> None:
    state = table([], [], [], carried={0: ["overtime_scythe"]}, levels=(2, 1, 1))
    assert refused(state, 0, Equip("overtime_scythe")) == ("condition_fails", "MK-7.4")
    state = table([], [], [], carried={0: ["overtime_scythe"]}, levels=(3, 1, 1))
    assert then(state, 0, Equip("overtime_scythe")).equipped == ("overtime_scythe",)


@pytest.mark.clause("MK-7.5", "MK-6.2")
def test_what_is_used_is_changed_at_any_turn_but_not_in_combat() -> None:
    state = table([], [], [], items={1: ["bat_hat"]}, carried={1: ["stilts"]})
    assert then(state, 1, Equip("stilts"), Unequip("bat_hat")).equipped == ("stilts",)
    fight = fighting([], [], [], items={0: ["bat_hat"], 1: ["candy_hook"]}, carried={0: ["stilts"]})
    assert refused(fight, 0, Equip("stilts")) == ("not_in_combat", "MK-7.5")
    assert refused(fight, 0, Unequip("bat_hat")) == ("not_in_combat", "MK-7.5")
    assert Unequip("candy_hook") in offered(fight, 1)


@pytest.mark.clause("MK-7.2", "MK-8.2")
def test_only_own_items_in_play_are_used() -> None:
    state = table(["bat_hat"], [], [], items={1: ["stilts"]}, carried={0: ["os_frog_fizz"]})
    assert refused(state, 0, Equip("bat_hat")) == ("not_an_item_of_yours", "MK-7.2")
    assert refused(state, 0, Equip("stilts")) == ("not_an_item_of_yours", "MK-7.2")
    assert refused(state, 0, Equip("os_frog_fizz")) == ("not_to_be_used", "MK-8.2")
    assert refused(state, 1, Equip("stilts")) == ("used_already", "MK-7.2")
    assert refused(state, 0, Unequip("os_frog_fizz")) == ("not_in_use", "MK-7.2")
    state = table([], [], [], items={0: ["bat_hat"]}, carried={0: ["crooked_crown"]})
    assert refused(state, 0, Equip("crooked_crown", ("stilts",))) == ("not_in_use", "MK-7.2")


@pytest.mark.clause("MK-7.7")
def test_a_second_big_item_stays_in_the_hand() -> None:
    state = table(["snow_stompers"], [], [], carried={0: ["coffin_lid_plate"]})
    assert refused(state, 0, PutIntoPlay("snow_stompers")) == ("too_many_big", "MK-7.7")
    assert PutIntoPlay("snow_stompers") in near_misses(state, 0)
    sleigh = table(["snow_stompers"], [], [], carried={0: ["coffin_lid_plate"]}, rides={0: ["ride_sleigh"]})
    assert "snow_stompers" in then(sleigh, 0, PutIntoPlay("snow_stompers")).equipped


@pytest.mark.clause("MK-7.8")
def test_items_are_not_thrown_away() -> None:
    state = table(["snow_stompers"], [], [], carried={0: ["coffin_lid_plate"]})
    assert refused(state, 0, DiscardFromPlay("coffin_lid_plate")) == ("not_thrown_away", "MK-7.8")
    assert refused(state, 0, PutIntoPlay("snow_stompers", "coffin_lid_plate")) == ("too_many_big", "MK-7.7")
    assert refused(table(["stilts"], [], [], items={0: ["bat_hat"]}), 0, PutIntoPlay("stilts", "bat_hat")) == (
        "nothing_makes_room",
        "MK-7.8",
    )


@pytest.mark.clause("MK-8.2")
def test_a_one_shot_in_play_is_not_used_and_fills_no_slot() -> None:
    state = then(
        table(["os_frog_fizz", "os_lucky_wreath"], [], []),
        0,
        PutIntoPlay("os_frog_fizz"),
        PutIntoPlay("os_lucky_wreath"),
    )
    assert state.items_of(0) == ("os_frog_fizz", "os_lucky_wreath")
    assert state.equipped == ()


@pytest.mark.clause("MK-4.4", "MK-6.3")
def test_a_citizenship_is_played_on_the_own_turn_even_in_combat() -> None:
    assert then(table(["town_easter"], [], []), 0, PutIntoPlay("town_easter")).is_citizen(0, "easter")
    assert then(fighting(["town_easter"], [], []), 0, PutIntoPlay("town_easter")).is_citizen(0, "easter")
    state = table([], ["town_easter"], [])
    assert refused(state, 1, PutIntoPlay("town_easter")) == ("on_the_own_turn", "MK-4.4")
    just = table([], ["town_easter"], [], fresh={1: ["town_easter"]})
    assert then(just, 1, PutIntoPlay("town_easter")).is_citizen(1, "easter")


@pytest.mark.clause("MK-4.4", "MK-6.1")
def test_a_citizenship_is_discarded_at_any_time_even_in_combat() -> None:
    for seat in (0, 1):
        state = fighting([], [], [], towns={seat: ["town_easter"]})
        assert DiscardFromPlay("town_easter") in offered(state, seat)
        assert then(state, seat, DiscardFromPlay("town_easter")).cards_at(DISCARDS["door"]) == ("town_easter",)
    assert refused(table([], [], []), 0, DiscardFromPlay("town_easter")) == ("not_in_front_of_you", "MK-4.4")


@pytest.mark.clause("MK-4.5")
def test_the_first_citizenship_is_discarded_for_another() -> None:
    state = table(["town_easter", "town_halloween"], [], [], towns={0: ["town_halloween"]})
    assert refused(state, 0, PutIntoPlay("town_easter")) == ("citizen_already", "MK-4.5")
    assert refused(state, 0, PutIntoPlay("town_halloween")) == ("same_town", "MK-4.5")
    assert refused(state, 0, PutIntoPlay("town_easter", "town_christmas")) == ("citizen_already", "MK-4.5")
    events, after = when(state, 0, PutIntoPlay("town_easter", "town_halloween"))
    assert of(events, CardsDiscarded)[0].put == ("town_halloween",)
    assert after.towns_of(0) == ("town_easter",)
    free = table(["town_easter"], [], [])
    assert refused(free, 0, PutIntoPlay("town_easter", "town_halloween")) == ("nothing_makes_room", "MK-4.5")


@pytest.mark.clause("MK-4.5", "MK-4.6")
def test_dual_citizenship_makes_room_for_a_second_different_town() -> None:
    state = table(["town_easter", "dual_citizenship", "town_halloween"], [], [], towns={0: ["town_halloween"]})
    state = then(state, 0, PutIntoPlay("dual_citizenship"))
    assert state.is_sheltered_from_town(0)
    assert refused(state, 0, PutIntoPlay("town_halloween")) == ("same_town", "MK-4.5")
    state = then(state, 0, PutIntoPlay("town_easter"))
    assert state.towns_of(0) == ("town_halloween", "town_easter")


@pytest.mark.clause("MK-4.6")
def test_dual_citizenship_needs_a_town_and_is_there_once() -> None:
    assert refused(table(["dual_citizenship"], [], []), 0, PutIntoPlay("dual_citizenship")) == (
        "needs_a_town",
        "MK-4.6",
    )
    state = table(["dual_citizenship"], [], [], towns={0: ["town_easter", "dual_citizenship"]})
    assert refused(state, 0, PutIntoPlay("dual_citizenship")) == ("dual_already", "MK-4.6")
    assert refused(state, 0, DiscardFromPlay("dual_citizenship")) == ("stays_with_it", "MK-4.6")


@pytest.mark.clause("MK-8.6", "MK-6.1")
def test_a_ride_is_played_at_any_time_and_there_is_one() -> None:
    for seat in (0, 1):
        state = then(fighting(["ride_broom"], ["ride_pram"], []), seat, PutIntoPlay(("ride_broom", "ride_pram")[seat]))
        assert state.ride_of(seat)
    state = table([], ["ride_pram"], [], rides={1: ["ride_broom", "renh_bells"]})
    assert refused(state, 1, PutIntoPlay("ride_pram")) == ("one_ride", "MK-8.6")
    after = then(state, 1, PutIntoPlay("ride_pram", "ride_broom"))
    assert after.cards_at(RIDES[1]) == ("ride_pram",)
    assert after.cards_at(DISCARDS["treasure"]) == ("ride_broom", "renh_bells")
    free = table(["ride_pram"], [], [])
    assert refused(free, 0, PutIntoPlay("ride_pram", "ride_broom")) == ("nothing_makes_room", "MK-8.6")


@pytest.mark.clause("MK-8.6", "MK-8.8")
def test_a_ride_is_discarded_with_what_enhances_it() -> None:
    state = table([], [], [], rides={1: ["ride_broom", "renh_bells"]})
    assert refused(state, 1, DiscardFromPlay("renh_bells")) == ("stays_with_it", "MK-8.8")
    after = then(state, 1, DiscardFromPlay("ride_broom"))
    assert after.cards_at(RIDES[1]) == ()
    assert after.cards_at(DISCARDS["treasure"]) == ("ride_broom", "renh_bells")


@pytest.mark.clause("MK-8.8")
def test_a_ride_is_enhanced_in_calm_and_needs_to_be_ones_own() -> None:
    assert refused(table(["renh_bells"], [], []), 0, PutIntoPlay("renh_bells")) == ("no_ride_of_ones_own", "MK-8.8")
    state = table(["renh_bells"], [], [], rides={0: ["ride_broom"]})
    assert then(state, 0, PutIntoPlay("renh_bells")).cards_at(RIDES[0]) == ("ride_broom", "renh_bells")
    fight = fighting(["renh_bells"], [], [], rides={0: ["ride_broom"]})
    assert refused(fight, 0, PutIntoPlay("renh_bells")) == ("not_in_combat", "MK-9.7")


@pytest.mark.clause("MK-20.6")
def test_lasting_curses_are_not_discarded_by_choice() -> None:
    state = table([], [], [], curses={0: ["curse_cobweb_hat"]})
    assert refused(state, 0, DiscardFromPlay("curse_cobweb_hat")) == ("curses_stay", "MK-20.6")


@pytest.mark.clause("MK-19.7")
def test_the_dead_put_nothing_down() -> None:
    state = table([], [], [], towns={1: ["town_easter"]}, dead=(1,))
    assert refused(state, 1, DiscardFromPlay("town_easter")) == ("is_dead", "MK-19.7")
    assert offered(state, 1) == []
    with pytest.raises(IllegalMove) as dead:
        check_discard_from_play(state, 1, DiscardFromPlay("town_easter"))
    assert dead.value.ruling.clauses == ("MK-19.7",)


@pytest.mark.clause("MK-2.3", "MK-26.11")
def test_what_a_hand_nobody_has_seen_may_put_down_is_listed() -> None:
    state = with_real_cards(table(["bat_hat"], ["stilts"], ["wolfman"]))
    listed = {move.card for move in offered(state, 0) if isinstance(move, PutIntoPlay)}
    assert {"bat_hat", "town_easter", "ride_broom"} <= listed
    others = {move.card for move in offered(state, 1) if isinstance(move, PutIntoPlay)}
    assert others == {"ride_broom", "ride_hearse_goat", "ride_pram", "ride_sleigh"}
    assert then(state, 0, PutIntoPlay("bat_hat")).cards_in_hand(0) == ()


@pytest.mark.clause("MK-4.7")
def test_items_that_need_a_lost_town_stay_and_give_nothing() -> None:
    state = table([], [], [], items={0: ["wreath_circlet"]}, towns={0: ["town_christmas"]})
    assert compute_own_strength(state, 0) == 4
    state = then(state, 0, DiscardFromPlay("town_christmas"))
    assert (compute_own_strength(state, 0), state.cards_in_play_of(0), state.cards_at(TOWNSHIP[0])) == (
        1,
        ("wreath_circlet",),
        (),
    )
