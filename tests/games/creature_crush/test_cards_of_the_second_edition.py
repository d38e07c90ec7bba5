"""The second edition: which cards it revises and in what, and that they do what they say now."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games import load_games
from referee.games.creature_crush.components import (
    ALL_CARDS,
    BOXES,
    CARDS_BY_EDITION,
    DECKS,
    EDITION,
    PROGRAMS,
    REVISED,
    SECOND_EDITION,
)
from tests.games.creature_crush.table import BOX
from tests.games.creature_crush.test_cards_crush_in_combat import flipped
from tests.games.creature_crush.test_cards_of_cost_11_and_more import played

DECK = ("volley", "sky_bolt", "recoil", "pitfall", "overthrow", "second_wind")
GAME = load_games()["creature_crush"]
CARDS = {card["id"]: card for card in ALL_CARDS}
CHANGED = {
    "siren": {"cost": 12},
    "reaper": {"cost": 13},
    "phoenix": {"cost": 12},
    "elder_wyrm": {"cost": 16},
    "world_eater": {"cost": 14, "attack": 9, "life": 9},
    "worldfire": {"cost": 3},
    "dam_break": {},
}


def find_changes(card: str) -> dict[str, Any]:
    """What is printed otherwise on a revised card, besides its text."""
    old, new = CARDS[card], CARDS[REVISED[card]]
    assert old.keys() == new.keys()
    return {name: new[name] for name in new if new[name] != old[name] and name not in ("id", "text", "clauses", "acts")}


def test_the_second_edition_changes_these_cards_in_these_numbers_and_no_other() -> None:
    assert {card: find_changes(card) for card in REVISED} == CHANGED
    changed_texts = {card for card, new in REVISED.items() if CARDS[card]["text"] != CARDS[new]["text"]}
    changed_programs = {
        card for (card, text), lines in PROGRAMS.items() if card in REVISED and PROGRAMS[REVISED[card], text] != lines
    }
    assert changed_texts == changed_programs == {"dam_break", "world_eater", "worldfire"}
    assert set(REVISED) <= set(BOX)


def test_each_edition_has_a_hundred_cards_and_no_card_in_two_prints() -> None:
    first, second = (set(BOXES[edition].plain) for edition in (EDITION, SECOND_EDITION))
    assert len(first) == len(second) == 100
    assert {card: REVISED[card] for card in first - second} == REVISED
    for cards in CARDS_BY_EDITION.values():
        assert len({card["name"]["de"] for card in cards}) == len({card["name"]["en"] for card in cards}) == 100


def test_new_matches_are_played_with_the_second_edition_and_positions_name_it() -> None:
    assert (GAME.newest_edition, GAME.edition, GAME.own_editions) == ("second", "original", ("original", "second"))
    assert {card["id"] for card in GAME.cards_of_edition("second")} == set(BOXES[SECOND_EDITION].plain)
    assert GAME.own_card_ids == set(CARDS)


@pytest.mark.card("dam_break_2")
@pytest.mark.parametrize(("x", "gone"), [(1, 1), (3, 3)])
def test_a_revised_dam_break_destroys_as_many_cards_as_dice_were_burned(x: int, gone: int) -> None:
    _, state = flipped("dam_break_2", x=x, decks=(("chimera",), DECK))
    assert state.list_hell(1) == DECK[:gone]


@pytest.mark.card("dam_break_2")
def test_a_revised_dam_break_destroys_nothing_without_burned_dice() -> None:
    _, state = flipped("dam_break_2", x=0, decks=(("chimera",), DECK))
    assert state.list_hell(1) == ()
    assert state.cards_at(DECKS[0]) == ("chimera",)


@pytest.mark.card("world_eater_2")
def test_a_revised_world_eater_destroys_the_top_three_cards_of_the_deck() -> None:
    _, state = played("world_eater_2", decks=(("chimera",), DECK))
    assert state.list_hell(1) == DECK[:3]


@pytest.mark.card("world_eater_2")
def test_a_revised_world_eater_never_goes_on_to_the_hand() -> None:
    _, state = played("world_eater_2", decks=(("chimera",), DECK[:2]), hands=((), DECK[2:]))
    assert (state.list_hell(1), state.cards_in_hand(1)) == (DECK[:2], DECK[2:])


@pytest.mark.card("worldfire_2")
def test_a_revised_worldfire_deals_three_damage_to_every_enemy_and_none_to_allies() -> None:
    _, state = flipped("worldfire_2", {"A1": "ember_fox"}, {"A1": "behemoth", "B1": "clay_guard"})
    assert (state.damage.get("behemoth"), state.damage.get("ember_fox", 0)) == (3, 0)


@pytest.mark.card("worldfire_2")
def test_a_revised_worldfire_does_not_destroy_who_has_more_life() -> None:
    _, state = flipped("worldfire_2", {}, {"A1": "behemoth", "B1": "spark_imp"})
    assert (state.card_at("A1/1"), state.list_hell(1)) == ("behemoth", ("spark_imp",))
