"""Where cards lie, whose eyes a place is open to, and the census."""

from __future__ import annotations

import random

import pytest

from referee.engine.cardtracking.determinization import determinize_zones
from referee.engine.events import apply_events
from referee.engine.zones import (
    CardsForgotten,
    CardsReordered,
    Moved,
    ZonedState,
    arrange_cards,
    back_of,
    count_unnamed_copies,
    find_cards_leaving,
    is_open_to,
    remove_cards,
)

BOX = {"sword": 2, "sword!trigger": 1, "shield": 1}


def test_a_place_says_whose_eyes_it_is_open_to() -> None:
    assert is_open_to("discard", 5)
    assert is_open_to("discard", -3)
    assert is_open_to("hand:2", 2)
    assert not is_open_to("hand:2", 1)
    assert not is_open_to("hand:12", 1)
    assert not is_open_to("deck:", 0)
    assert is_open_to("shown:0,3", 3)
    assert not is_open_to("hand:1", -1)


def test_a_back_shows_neither_name_nor_copy() -> None:
    assert [back_of(card) for card in ("sword", "sword!trigger", "sword#2", "sword!trigger#3", "?", "?trigger")] == [
        "?", "?trigger", "?", "?trigger", "?", "?trigger",
    ]  # fmt: skip


def test_hidden_cards_have_no_order_and_named_ones_keep_theirs() -> None:
    assert arrange_cards(("b", "a")) == ("b", "a")
    assert arrange_cards(("?trigger", "b", "?", "a")) == ("b", "a", "?", "?trigger")


def test_what_is_not_there_cannot_be_taken() -> None:
    with pytest.raises(ValueError, match="not in list"):
        remove_cards(("a",), ("b",))


def test_a_move_of_a_card_shows_each_seat_what_it_may_know() -> None:
    stolen = Moved("hand:1", "hand:0", ("sword!trigger",), ("sword!trigger",))
    assert stolen.view_for(0) == Moved("hand:1", "hand:0", ("?trigger",), ("sword!trigger",))
    assert stolen.view_for(1) == Moved("hand:1", "hand:0", ("sword!trigger",), ("?trigger",))
    assert stolen.view_for(2) == Moved("hand:1", "hand:0", ("?trigger",), ("?trigger",))


def test_the_order_of_a_hidden_pile_stays_hidden() -> None:
    assert CardsReordered("deck:", ("sword", "shield")).view_for(0) == CardsReordered("deck:", ("?", "?"))
    assert CardsReordered("discard", ("sword", "shield")).view_for(0) == CardsReordered("discard", ("sword", "shield"))


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_a_copy_that_lies_named_elsewhere_cannot_be_named_again() -> None:
    table = ZonedState((), {"hand:0": ("?", "?trigger"), "discard": ("sword",), "deck:": ("?",)})
    assert count_unnamed_copies(BOX, table) == {"sword": 1, "sword!trigger": 1, "shield": 1}
    gone = ZonedState((), {"hand:0": ("?",), "discard": ("sword", "sword")})
    assert count_unnamed_copies(BOX, gone) == {"sword": 0, "sword!trigger": 1, "shield": 1}


def test_naming_a_card_takes_a_back_and_puts_the_name() -> None:
    table = ZonedState((), {"hand:0": ("shield", "?", "?trigger"), "discard": ()})
    took = find_cards_leaving(table, "hand:0", ("sword", "shield"))
    assert took == ("?", "shield")
    after = Moved("hand:0", "discard", took, ("sword", "shield")).apply(table)
    assert after.zones == {"hand:0": ("?trigger",), "discard": ("sword", "shield")}


def test_a_card_that_leaves_unnamed_makes_its_place_forget() -> None:
    table = ZonedState((), {"hand:1": ("shield", "?"), "hand:0": ()})
    after = apply_events(table, [CardsForgotten("hand:1"), Moved("hand:1", "hand:0", ("?",), ("?",))])
    assert after.zones == {"hand:1": ("?",), "hand:0": ("?",)}
    assert count_unnamed_copies(BOX, after)["shield"] == 1


@pytest.mark.parametrize("seed", range(10))
def test_another_world_looks_the_same_to_the_seat(seed: int) -> None:
    dice = random.Random(seed)
    table = ZonedState(
        (), {"deck:": ("a", "b!x", "c"), "hand:0": ("d", "e!x"), "hand:1": ("f", "g!x"), "discard": ("h",)}
    )
    box = dict.fromkeys(("a", "b!x", "c", "d", "e!x", "f", "g!x", "h"), 1)
    zones = determinize_zones(table.view_for(0), 0, dice.randrange, box)
    other = ZonedState((), zones)
    assert other.view_for(0) == table.view_for(0)
    assert other.zones["hand:0"] == table.zones["hand:0"]
    cards = [card for place in other.zones.values() for card in place]
    assert sorted(cards) == ["a", "b!x", "c", "d", "e!x", "f", "g!x", "h"]


@pytest.mark.parametrize("seed", range(10))
def test_as_many_copies_are_laid_out_as_are_remembered(seed: int) -> None:
    table = ZonedState((), {"deck:": ("a", "a", "b"), "hand:1": ("a", "b")})
    zones = determinize_zones(
        table.view_for(0), 0, random.Random(seed).randrange, {"a": 3, "b": 2}, memory={"hand:1": ("a", "b")}
    )
    assert sorted(zones["hand:1"]) == ["a", "b"]
