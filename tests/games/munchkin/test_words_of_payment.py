"""Verbs about paying with items, handing over and stitching: each where it works, and where it does nothing."""

from __future__ import annotations

from dataclasses import fields

import pytest

from referee.cardscript.moves import ChooseCard
from referee.games.munchkin.components import PENDING, PLAYS
from tests.games.munchkin.wording import (
    asked,
    at_rest,
    kept,
    names,
    of_card,
    refusal,
    said,
    table,
    unsaid,  # noqa: F401
    when,
)

# ---- paying with items ----------------------------------------------------------------------------------------------

PAY = (
    {"do": "lose_worth", "gold": 600, "called": "short"},
    {"do": "lose_levels", "count": 1, "if": "short"},
)


def test_items_are_discarded_until_they_are_worth_enough() -> None:
    _, state = said(table(plays={0: ("bat_hat", "stilts", "rusty_bell", "lint_slippers")}), *PAY)
    assert refusal(state, 0, ChooseCard("lint_slippers")).reason == "worth_nothing"
    _, state = when(state, 0, ChooseCard("bat_hat"))
    _, state = when(kept(state), 0, ChooseCard("stilts"))
    assert state.items_of(0) == ("rusty_bell", "lint_slippers")
    assert state.levels[0] == 3
    assert at_rest(state)


@pytest.mark.clause("MK-7.1", "MK-26.4")
def test_who_owns_exactly_as_much_is_not_asked_and_keeps_what_is_worth_nothing() -> None:
    _, state = said(table(plays={0: ("bat_hat", "rusty_bell", "lint_slippers")}), *PAY)
    assert state.items_of(0) == ("lint_slippers",)
    assert state.levels[0] == 3
    assert at_rest(state)


@pytest.mark.clause("MK-3.8")
def test_who_owns_too_little_loses_all_and_the_text_goes_on_with_it() -> None:
    _, state = said(table(plays={0: ("bat_hat", "lint_slippers")}), *PAY)
    assert state.items_of(0) == ()
    assert state.levels[0] == 2
    assert at_rest(state)


def test_who_owns_nothing_is_short_as_well() -> None:
    assert said(table(), *PAY)[1].levels[0] == 2


# ---- the levy -------------------------------------------------------------------------------------------------------


def test_a_levy_makes_all_others_match_the_item_or_lose_all_and_a_level() -> None:
    state = table(plays={0: ("bat_hat", "rusty_bell"), 1: ("stilts", "tinfoil_suit"), 2: ("candy_hook",)},
                  levels=(3, 3, 3, 3))  # fmt: skip
    _, state = of_card(state, "curse_tax")
    _, state = when(state, 0, ChooseCard("bat_hat"))
    assert asked(state) == {1}
    _, state = when(kept(state), 1, ChooseCard("stilts"))
    assert [state.items_of(seat) for seat in range(4)] == [("rusty_bell",), ("tinfoil_suit",), (), ()]
    assert state.levels == (3, 3, 3, 2)
    assert at_rest(state)


@pytest.mark.clause("MK-20.3")
def test_a_levy_on_who_has_no_item_touches_nobody() -> None:
    events, state = of_card(table(plays={1: ("stilts",)}), "curse_tax")
    assert names(events) == ["Lapsed"]
    assert state.items_of(1) == ("stilts",)


@pytest.mark.clause("MK-7.1")
def test_a_levy_of_an_item_without_value_costs_the_others_nothing() -> None:
    _, state = of_card(table(plays={0: ("lint_slippers",), 1: ("stilts",)}), "curse_tax")
    assert state.items_of(0) == ()
    assert state.items_of(1) == ("stilts",)
    assert state.levels == (3, 3, 3)
    assert at_rest(state)


# ---- handing over, stitching ----------------------------------------------------------------------------------------


@pytest.mark.clause("MK-3.1")
def test_an_item_taken_is_used_at_once_if_it_can_be() -> None:
    state = table(plays={1: ("bat_hat", "stilts")}, monsters=("attic_widow",))
    _, state = of_card(state, "lend_me_that", target=1)
    _, state = when(state, 0, ChooseCard("bat_hat"))
    assert state.items_of(0) == ("bat_hat",)
    assert set(state.equipped) == {"bat_hat", "stilts"}


@pytest.mark.clause("MK-7.3")
def test_an_item_taken_is_only_carried_if_its_slot_is_taken() -> None:
    state = table(plays={0: ("crooked_crown",), 1: ("bat_hat",)}, monsters=("attic_widow",))
    _, state = of_card(state, "lend_me_that", target=1)
    assert state.items_of(0) == ("crooked_crown", "bat_hat")
    assert state.equipped == ("crooked_crown",)


@pytest.mark.clause("MK-7.4")
def test_an_item_whose_condition_fails_is_only_carried() -> None:
    state = table(plays={1: ("wreath_circlet",)}, monsters=("attic_widow",))
    _, state = of_card(state, "lend_me_that", target=1)
    assert state.items_of(0) == ("wreath_circlet",)
    assert state.equipped == ()


def test_nothing_is_taken_from_who_has_no_item() -> None:
    events, state = of_card(table(monsters=("attic_widow",)), "lend_me_that", target=1)
    assert names(events) == ["cards.NothingThere"]
    assert at_rest(state)


@pytest.mark.clause("MK-7.12")
def test_what_is_attached_changes_hands_with_its_item() -> None:
    state = table(plays={1: ("stilts", "loose_stitches")}, attached={"stilts": "loose_stitches"},
                  monsters=("attic_widow",))  # fmt: skip
    _, state = of_card(state, "lend_me_that", target=1)
    assert state.cards_in_play_of(0) == ("stilts", "loose_stitches")
    assert state.attached == {"stilts": "loose_stitches"}


@pytest.mark.clause("MK-7.12")
def test_a_card_is_stitched_to_an_item() -> None:
    state = table(plays={0: ("stilts", "bat_hat")})
    state = state.__class__(**{**vars_of(state), "zones": {**state.zones, PENDING: ("loose_stitches",)}})
    _, state = of_card(state, "loose_stitches")
    _, state = when(state, 0, ChooseCard("stilts"))
    assert state.attached == {"stilts": "loose_stitches"}
    assert state.cards_at(PENDING) == ()
    assert state.zones[PLAYS[0]] == ("stilts", "bat_hat", "loose_stitches")


def test_nothing_is_stitched_to_an_item_that_has_a_card_on_it() -> None:
    state = table(plays={0: ("stilts", "loose_stitches")}, attached={"stilts": "loose_stitches"})
    events, state = of_card(state, "loose_stitches")
    assert names(events)[-1] == "Lapsed"
    assert at_rest(state)


def vars_of(state: object) -> dict[str, object]:
    return {field.name: getattr(state, field.name) for field in fields(state)}  # type: ignore[arg-type]
