"""What a game knows of its own cards, and what books bring beside it."""

from __future__ import annotations

import pytest

from referee.cardscript.books.files import CardRegistry


def test_what_a_book_brings_is_found_by_name_and_not_met_by_whoever_goes_through() -> None:
    shelf: CardRegistry[str, int] = CardRegistry()
    shelf["own"] = 1
    shelf.add_from_book({"brought": 2})
    assert (shelf["own"], shelf["brought"], shelf.get("brought"), shelf.get("none")) == (1, 2, 2, None)
    assert "brought" in shelf
    assert (list(shelf), len(shelf), dict(shelf), {**shelf}) == (["own"], 1, {"own": 1}, {"own": 1})
    assert (list(shelf.keys()), list(shelf.values()), list(shelf.items())) == (["own"], [1], [("own", 1)])


def test_an_own_card_is_taken_out_again() -> None:
    shelf: CardRegistry[str, int] = CardRegistry()
    shelf["one"], shelf["two"] = 1, 2
    del shelf["one"]
    assert shelf.pop("two") == 2
    assert shelf.pop("two", 5) == 5
    assert (list(shelf), "one" in shelf, "two" in shelf) == ([], False, False)
    with pytest.raises(KeyError):
        shelf["one"]
