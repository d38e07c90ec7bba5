"""The 34 items: the bonus and the value of each, and when it gives none: carried, no room, too Big, condition fails."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from referee.games.munchkin.events.cards import ItemsUsed
from referee.games.munchkin.moves import Equip, KickDoor, PutIntoPlay, Sell
from tests.games.course import of, refusal, refused, then, when
from tests.games.munchkin.card_moves import kicked, strengths
from tests.games.munchkin.given import table


class Item(NamedTuple):
    card: str
    slot: str
    bonus: int
    gold: int
    hands: int = 0
    big: bool = False
    town: str = ""  # the citizenship that it needs


ITEMS = (
    Item("bat_hat", "headgear", 2, 400),
    Item("crooked_crown", "headgear", 3, 600),
    Item("jawbone_mask", "headgear", 1, 200),
    Item("wreath_circlet", "headgear", 3, 400, town="town_christmas"),
    Item("eggshell_helm", "headgear", 1, 300),
    Item("roasting_pan", "headgear", 3, 400, town="town_thanksgiving"),
    Item("patchwork_coat", "armor", 1, 200),
    Item("tinfoil_suit", "armor", 2, 400),
    Item("coffin_lid_plate", "armor", 4, 700, big=True),
    Item("ribbon_mail", "armor", 3, 500),
    Item("buckled_vest", "armor", 2, 300),
    Item("shroud_of_cobwebs", "armor", 4, 600, town="town_halloween"),
    Item("curly_boots", "footgear", 1, 300),
    Item("stilts", "footgear", 0, 400),
    Item("bone_spurs", "footgear", 2, 400),
    Item("lint_slippers", "footgear", 1, 0),
    Item("snow_stompers", "footgear", 3, 600, big=True),
    Item("candy_hook", "hand", 2, 400, hands=1),
    Item("rusty_bell", "hand", 1, 200, hands=1),
    Item("chained_lantern", "hand", 2, 400, hands=1),
    Item("carving_fork", "hand", 4, 500, hands=1, town="town_thanksgiving"),
    Item("long_ear_rapier", "hand", 4, 500, hands=1, town="town_easter"),
    Item("pumpkin_flail", "hand", 3, 500, hands=1),
    Item("icicle_dirk", "hand", 3, 400, hands=1, town="town_christmas"),
    Item("coffin_nails", "hand", 2, 300, hands=1),
    Item("grave_spade", "hand", 3, 500, hands=2),
    Item("confetti_cannon", "hand", 4, 600, hands=2, big=True),
    Item("drumstick_club", "hand", 3, 400, hands=2, big=True),
    Item("garland_whip", "hand", 2, 400, hands=2),
    Item("overtime_scythe", "hand", 5, 800, hands=2, big=True),
    Item("mayors_badge", "none", 1, 300),
    Item("vampire_teddy", "none", 2, 300),
    Item("leashed_ghost", "none", 1, 200),
    Item("spare_shadow", "none", 0, 300),
)
WORN = {  # what takes the place of a slot
    "headgear": ("bat_hat", "jawbone_mask"),
    "armor": ("tinfoil_suit", "patchwork_coat"),
    "footgear": ("bone_spurs", "curly_boots"),
}
ALONE = {"spare_shadow": 3}  # what an item gives besides to whoever fights without a helper


def items(**kept: object) -> pytest.MarkDecorator:
    """Runs a test for every item of the table whose fields are these."""
    found = [item for item in ITEMS if all(getattr(item, key) == value for key, value in kept.items())]
    return pytest.mark.parametrize(("card", "item"), [(item.card, item) for item in found], ids=lambda each: str(each))


def citizenship(item: Item) -> dict[int, tuple[str, ...]]:
    return {0: (item.town,)} if item.town else {}


@items()
@pytest.mark.clause("MK-7.2", "MK-7.6", "MK-26.5")
def test_an_item_put_down_in_calm_is_used_and_counts_its_bonus_in_the_next_combat(card: str, item: Item) -> None:
    state = table((card,), (), (), doors=("skeleton_choir",), levels=(3, 3, 3), towns=citizenship(item))
    events, state = when(state, 0, PutIntoPlay(card))
    assert of(events, ItemsUsed) == [ItemsUsed(0, (card,))]
    state = then(state, 0, KickDoor())
    undead = 2 if card == "coffin_nails" else 0
    assert strengths(state) == (3 + item.bonus + undead + ALONE.get(card, 0), 4)


@items()
@pytest.mark.clause("MK-2.3", "MK-7.2")
def test_an_item_that_is_only_carried_or_still_in_the_hand_adds_nothing(card: str, item: Item) -> None:
    carried = kicked("wolfman", carried={0: (card,)}, towns=citizenship(item))
    assert strengths(carried)[0] == 3
    in_hand = kicked("wolfman", (card,), towns=citizenship(item))
    assert strengths(in_hand)[0] == 3


@items()
@pytest.mark.clause("MK-7.14")
def test_an_item_sells_for_its_value_and_not_for_more(card: str, item: Item) -> None:
    state = table((card,), (), (), levels=(3, 3, 3))
    assert refusal(state, 0, Sell((card,))).params["sum"] == item.gold
    fillers = {1000: ("os_lantern_genie", "os_grave_robbing_kit"), 800: ("os_lantern_genie", "os_bottled_dread"),
               700: ("os_lantern_genie", "os_moth_cloak"), 600: ("os_bottled_dread", "os_fruitcake"),
               500: ("os_lantern_genie",), 400: ("os_bottled_dread", "os_glitter_bomb"), 300: ("os_bottled_dread",),
               200: ("os_moth_cloak",)}[1000 - item.gold]  # fmt: skip
    sale = (card, *fillers)
    state = then(table(sale, (), (), levels=(3, 3, 3)), 0, Sell(sale))
    assert state.levels[0] == 4


@items(town="town_christmas")
def test_an_item_of_christmas_town_does_not_work_for_others(card: str, item: Item) -> None:
    barred(item, "town_halloween")


@items(town="town_thanksgiving")
def test_an_item_of_thanksgiving_town_does_not_work_for_others(card: str, item: Item) -> None:
    barred(item, "town_halloween")


@items(town="town_easter")
def test_an_item_of_easter_town_does_not_work_for_others(card: str, item: Item) -> None:
    barred(item, "town_christmas")


@items(town="town_halloween")
def test_an_item_of_halloween_town_does_not_work_for_others(card: str, item: Item) -> None:
    barred(item, "town_easter")


def barred(item: Item, town: str) -> None:
    """Without the town the item can be put down, but not used; used before the town was lost it gives nothing."""
    for towns in ({}, {0: (town,)}, {0: (town, "dual_citizenship")}):
        events, state = when(table((item.card,), (), (), towns=towns), 0, PutIntoPlay(item.card))
        assert of(events, ItemsUsed) == []
        assert refused(state, 0, Equip(item.card)) == ("condition_fails", "MK-7.4")
    assert strengths(kicked("wolfman", items={0: (item.card,)}, towns={0: (town,)}))[0] == 3
    loose = kicked("wolfman", items={0: (item.card,)}, attached={item.card: "loose_stitches"})
    assert strengths(loose)[0] == 3 + item.bonus


@pytest.mark.parametrize(("card", "item"), [(item.card, item) for item in ITEMS if item.slot in WORN])
@pytest.mark.clause("MK-7.3")
def test_no_second_item_of_a_slot_is_used_but_one_of_each_other_slot_is(card: str, item: Item) -> None:
    worn = next(each for each in WORN[item.slot] if each != card)
    others = tuple(cards[0] for slot, cards in WORN.items() if slot != item.slot)
    how = {"towns": citizenship(item), "levels": (3, 3, 3)}
    events, state = when(table((card,), (), (), items={0: (worn,)}, **how), 0, PutIntoPlay(card))
    assert of(events, ItemsUsed) == []
    assert refused(state, 0, Equip(card)) == ("slot_is_taken", "MK-7.3")
    assert then(state, 0, Equip(card, (worn,))).used_items(0) == (card,)
    state = table((card,), (), (), items={0: (*others, "grave_spade")}, **how)
    assert card in then(state, 0, PutIntoPlay(card)).equipped


@items(slot="hand", hands=1)
@pytest.mark.clause("MK-7.3")
def test_an_item_of_one_hand_has_room_beside_another_and_not_beside_two(card: str, item: Item) -> None:
    first = "rusty_bell" if card != "rusty_bell" else "coffin_nails"
    second = "candy_hook" if card != "candy_hook" else "chained_lantern"
    state = table((card,), (), (), items={0: (first,)}, towns=citizenship(item))
    assert card in then(state, 0, PutIntoPlay(card)).equipped
    state = then(table((card,), (), (), items={0: (first, second)}, towns=citizenship(item)), 0, PutIntoPlay(card))
    assert card not in state.equipped
    assert refused(state, 0, Equip(card)) == ("hands_are_full", "MK-7.3")


@items(slot="hand", hands=2)
@pytest.mark.clause("MK-7.3")
def test_an_item_of_two_hands_has_no_room_beside_one_and_is_not_used(card: str, item: Item) -> None:
    state = then(table((card,), (), (), items={0: ("rusty_bell",)}, levels=(3, 3, 3)), 0, PutIntoPlay(card))
    assert refused(state, 0, Equip(card)) == ("hands_are_full", "MK-7.3")
    assert then(state, 0, Equip(card, ("rusty_bell",))).used_items(0) == (card,)


@items(slot="none")
def test_an_item_without_a_slot_finds_room_beside_all_others(card: str, item: Item) -> None:
    mine = ("bat_hat", "tinfoil_suit", "bone_spurs", "grave_spade")
    state = then(table((card,), (), (), items={0: mine}), 0, PutIntoPlay(card))
    assert card in state.equipped


@items(big=True)
@pytest.mark.clause("MK-7.7")
def test_a_big_item_is_not_put_down_beside_another_big_one(card: str, item: Item) -> None:
    other = "coffin_lid_plate" if card != "coffin_lid_plate" else "snow_stompers"
    state = table((card,), (), (), carried={0: (other,)})
    assert refused(state, 0, PutIntoPlay(card)) == ("too_many_big", "MK-7.7")
    free = table((card,), (), (), carried={0: (other,)}, attached={other: "loose_stitches"})
    assert card in then(free, 0, PutIntoPlay(card)).items_of(0)


@items(big=False)
def test_a_small_item_finds_room_beside_a_big_one(card: str, item: Item) -> None:
    state = table((card,), (), (), carried={0: ("confetti_cannon",)})
    assert card in then(state, 0, PutIntoPlay(card)).items_of(0)
