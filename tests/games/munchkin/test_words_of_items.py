"""Verbs about items in play: each where it works, and where it does nothing."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.rulebook.book import BookError
from referee.games.munchkin.components import CURSES
from referee.games.munchkin.events.cards import CardsDiscarded, ItemPassed
from referee.games.munchkin.events.texts import EffectLapsed
from tests.games.munchkin.wording import (
    asked,
    at_rest,
    kept,
    names,
    of,
    of_card,
    offered,
    read,
    refusal,
    said,
    table,
    times_out,
    unsaid,  # noqa: F401
    when,
)

FEET = {"slot": "footgear", "equipped": True}


def lose(**how: object) -> dict[str, object]:
    return {"do": "lose", **{"item": {}, **how}}


# ---- losing items ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-7.13", "MK-26.4")
def test_the_only_item_that_fits_is_lost_without_a_question() -> None:
    state = table(plays={0: ("stilts", "bat_hat")})
    events, state = said(state, lose(item=FEET))
    assert state.items_of(0) == ("bat_hat",)
    assert of(events, CardsDiscarded)[0].put == ("stilts",)
    assert at_rest(state)
    assert state.equipped == ("bat_hat",)


@pytest.mark.clause("MK-7.13", "MK-20.3")
def test_who_loses_an_item_says_which() -> None:
    _, state = said(table(plays={0: ("stilts", "bat_hat", "snow_stompers")}), lose(item={"size": "small"}))
    assert offered(state, 0) == [ChooseCard("stilts"), ChooseCard("bat_hat")]
    assert refusal(state, 0, ChooseCard("snow_stompers")).reason == "another_sort_of_item"
    assert refusal(state, 0, ChooseCard("curly_boots")).reason == "not_an_item_of_theirs"
    _, state = when(kept(state), 0, ChooseCard("bat_hat"))
    assert state.items_of(0) == ("stilts", "snow_stompers")
    assert at_rest(state)


@pytest.mark.clause("MK-7.13")
def test_carried_items_count_unless_the_card_says_equipped() -> None:
    state = table(plays={0: ("stilts",)}, used=())
    assert names(said(state, lose(item=FEET))[0]) == ["Lapsed"]
    assert said(state, lose(item={"slot": "footgear"}))[1].items_of(0) == ()


@pytest.mark.clause("MK-2.3", "MK-18.2", "MK-20.3")
def test_who_has_nothing_of_the_kind_loses_nothing() -> None:
    events, state = said(table({0: ("stilts",)}), lose())
    assert of(events, EffectLapsed)[0].what == "lose_items"
    assert state.cards_in_hand(0) == ("stilts",)
    assert at_rest(state)


def test_a_neighbour_may_have_the_choice() -> None:
    _, state = said(table(plays={0: ("stilts", "bat_hat")}), lose(chosen_by="left"), text="bad_stuff", kind="monster")
    assert asked(state) == {1}
    _, state = when(state, 1, ChooseCard("stilts"))
    assert state.items_of(0) == ("bat_hat",)


@pytest.mark.clause("MK-26.4")
def test_all_that_fit_are_lost_at_once() -> None:
    state = table(plays={0: ("candy_hook", "rusty_bell", "bat_hat")})
    _, state = said(state, lose(item={"slot": "hand", "equipped": True}, count="all"))
    assert state.items_of(0) == ("bat_hat",)
    assert at_rest(state)


@pytest.mark.clause("MK-7.13")
def test_two_items_are_chosen_one_after_the_other() -> None:
    _, state = said(table(plays={0: ("stilts", "bat_hat", "rusty_bell")}), lose(count=2))
    _, state = when(state, 0, ChooseCard("stilts"))
    assert asked(state) == {0}
    _, state = when(state, 0, ChooseCard("rusty_bell"))
    assert state.items_of(0) == ("bat_hat",)
    assert at_rest(state)


@pytest.mark.clause("MK-20.3")
def test_the_biggest_bonus_goes_and_the_owner_chooses_among_equals() -> None:
    _, one = said(table(plays={0: ("bat_hat", "crooked_crown")}), lose(item={"best": "bonus"}))
    assert one.items_of(0) == ("bat_hat",)
    _, two = said(table(plays={0: ("bat_hat", "candy_hook", "rusty_bell")}), lose(item={"best": "bonus"}))
    assert offered(two, 0) == [ChooseCard("bat_hat"), ChooseCard("candy_hook")]
    assert refusal(two, 0, ChooseCard("rusty_bell")).reason == "another_is_better"


def test_the_two_most_valuable_items_go() -> None:
    state = table(plays={0: ("bat_hat", "overtime_scythe", "rusty_bell")})
    _, state = said(state, lose(item={"best": "gold"}, count=2))
    assert state.items_of(0) == ("rusty_bell",)
    assert at_rest(state)


@pytest.mark.clause("MK-8.2")
def test_one_shots_in_play_can_be_lost() -> None:
    _, state = said(table(plays={0: ("os_popping_corn", "bat_hat")}), lose(item={"one_shot": True}))
    assert state.items_of(0) == ("bat_hat",)


@pytest.mark.clause("MK-7.12")
def test_what_is_attached_to_an_item_goes_with_it() -> None:
    state = table(plays={0: ("stilts", "loose_stitches")}, attached={"stilts": "loose_stitches"})
    _, state = said(state, lose(item=FEET))
    assert state.cards_in_play_of(0) == ()
    assert state.attached == {}
    assert state.cards_at("doors/discard") == ("loose_stitches",)
    assert state.cards_at("treasures/discard") == ("stilts",)


@pytest.mark.clause("MK-23.2")
def test_an_absent_player_loses_the_cheapest_item() -> None:
    state = table(plays={0: ("overtime_scythe", "rusty_bell")}, rules={"turn_timeout_ms": 1000})
    _, state = times_out(said(state, lose())[1])
    assert state.items_of(0) == ("overtime_scythe",)


def test_lose_needs_an_item_of_whoever_loses_it() -> None:
    for wrong in ({"do": "lose", "player": {}}, {"do": "lose", "item": {"of": "target"}}):
        with pytest.raises(BookError, match="lose needs 'item'"):
            read(wrong)


def test_an_unknown_slot_is_refused_when_the_card_is_read() -> None:
    with pytest.raises(BookError, match="footgaer"):
        read(lose(item={"slot": "footgaer"}))  # type: ignore[arg-type]


# ---- curses and items -----------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-3.1")
def test_curses_cannot_take_an_item_that_is_shielded_but_bad_stuff_can() -> None:
    state = table(plays={0: ("buckled_vest",)})
    assert names(of_card(state, "curse_armor")[0]) == ["Lapsed"]
    assert said(state, lose(item={"slot": "armor"}), text="bad_stuff", kind="monster")[1].items_of(0) == ()


@pytest.mark.clause("MK-3.1")
def test_a_shielded_item_cannot_be_chosen_for_a_curse() -> None:
    _, state = of_card(table(plays={0: ("buckled_vest", "stilts", "bat_hat")}), "curse_small_item")
    assert refusal(state, 0, ChooseCard("buckled_vest")).reason == "kept_from_curses"
    assert offered(state, 0) == [ChooseCard("stilts"), ChooseCard("bat_hat")]


@pytest.mark.clause("MK-7.2")
def test_a_vest_that_is_only_carried_is_no_shield() -> None:
    assert of_card(table(plays={0: ("buckled_vest",)}, used=()), "curse_small_item")[1].items_of(0) == ()


@pytest.mark.clause("MK-20.2")
@pytest.mark.parametrize(("text", "kind"), [("does", "curse"), ("bad_stuff", "monster")])
def test_a_curse_that_hangs_on_headgear_ends_as_headgear_is_lost(text: str, kind: str) -> None:
    state = table(plays={0: ("bat_hat",)}, curses={0: ("curse_cobweb_hat",)})
    _, state = said(state, lose(), text=text, kind=kind)
    assert state.cards_at(CURSES[0]) == ()
    assert state.cards_at("doors/discard") == ("curse_cobweb_hat",)


def test_the_loss_of_another_item_does_not_end_it() -> None:
    state = table(plays={0: ("stilts",)}, curses={0: ("curse_cobweb_hat",)})
    assert said(state, lose(), kind="curse")[1].cards_at(CURSES[0]) == ("curse_cobweb_hat",)


def test_headgear_lost_to_a_card_that_is_neither_does_not_end_it() -> None:
    state = table(plays={0: ("bat_hat",)}, curses={0: ("curse_cobweb_hat",)})
    assert said(state, lose())[1].cards_at(CURSES[0]) == ("curse_cobweb_hat",)


@pytest.mark.clause("MK-20.2")
def test_headgear_given_away_by_bad_stuff_ends_it() -> None:
    state = table(plays={0: ("bat_hat",)}, curses={0: ("curse_cobweb_hat",)}, levels=(4, 3, 2))
    events, state = of_card(state, "bog_bride", text="bad_stuff")
    assert of(events, ItemPassed)[0].seat == 2
    assert state.items_of(2) == ("bat_hat",)
    assert state.cards_at(CURSES[0]) == ()
