"""What is remembered of a state (`remember`) is what the same function says of a state that remembers nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import Any

import pytest

from referee.engine.events import replace_fields
from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves, seats_that_may_act
from referee.engine.remembering import FIELDS_BY_KEY, MOST_ANSWERS, remember, remembered_property
from referee.engine.steps import State
from tests.games.matches import marked_setups, random_match

MOVES = 250


@dataclass(frozen=True)
class Shelf(State):
    """A state of two fields, one of which is counted."""

    books: tuple[str, ...] = ()
    dust: int = 0

    @remembered_property("books")
    def longest(self) -> str:
        return max(self.books, key=len)


COUNTED: list[str] = []


@remember("books")
def count_books(shelf: Shelf, letter: str) -> int:
    COUNTED.append(letter)
    return sum(book.startswith(letter) for book in shelf.books)


@remember()
def describe_shelf(shelf: Shelf) -> str:
    COUNTED.append("all")
    return f"{len(shelf.books)} books, dust {shelf.dust}"


def list_differences(state: Any) -> Iterator[str]:
    """Yield what a state remembers otherwise than it is."""
    for name, held in tuple(state.__dict__.items()):
        if name in FIELDS_BY_KEY:
            for (function, args), answer in tuple(held.items()):
                if function(replace(state), *args) != answer:
                    yield f"{function.__qualname__}{args} rests on more than {sorted(FIELDS_BY_KEY[name])}"
        elif getattr(replace(state), name) != held:
            yield name


def test_what_rests_on_a_field_is_asked_again_when_that_field_changes() -> None:
    COUNTED.clear()
    shelf = Shelf(books=("emma", "walden"))
    assert (count_books(shelf, "e"), count_books(shelf, "w"), count_books(shelf, "e")) == (1, 1, 1)
    dusty = replace_fields(shelf, dust=3)
    assert (count_books(dusty, "e"), dusty.longest) == (1, "walden")
    assert COUNTED == ["e", "w"]
    fuller = replace_fields(dusty, books=("emma", "evelina"))
    assert (count_books(fuller, "e"), fuller.longest, count_books(shelf, "e")) == (2, "evelina", 1)
    assert COUNTED == ["e", "w", "e"]


def test_what_rests_on_the_whole_state_is_asked_again_after_every_change() -> None:
    COUNTED.clear()
    shelf = Shelf(books=("emma",))
    assert [describe_shelf(shelf), describe_shelf(shelf)] == ["1 books, dust 0"] * 2
    assert describe_shelf(replace_fields(shelf, dust=1)) == "1 books, dust 1"
    assert COUNTED == ["all", "all"]


def test_questions_without_end_fill_no_memory() -> None:
    shelf = Shelf(books=("emma",))
    for number in range(3 * MOST_ANSWERS):
        count_books(shelf, f"letter {number}")
    assert all(len(held) <= MOST_ANSWERS for name, held in shelf.__dict__.items() if name in FIELDS_BY_KEY)


def test_two_states_with_the_same_fields_are_equal_whatever_they_remember() -> None:
    shelf, same = Shelf(books=("emma",)), Shelf(books=("emma",))
    describe_shelf(shelf)
    assert shelf == same
    assert repr(shelf) == repr(same)


@pytest.mark.parametrize("pair", marked_setups())
def test_what_is_remembered_in_a_match_is_what_a_state_without_memory_says(pair: tuple[str, Setup]) -> None:
    looked_at = 0
    for at, turned in enumerate(islice(random_match(*pair, 5), MOVES)):
        seats = sorted(seat for seat in seats_that_may_act(turned.before) if seat >= 0)
        view = turned.before.view_for(seats[at % len(seats)]) if seats else turned.before
        if seats:
            list(islice(find_legal_moves(view, seats[at % len(seats)]), 100))
        for state in (turned.before, view, turned.after):
            assert not list(list_differences(state))
            looked_at += len(state.__dict__.keys() - {field.name for field in fields(state)})
    assert looked_at


def test_that_test_would_notice_an_answer_that_does_not_hold() -> None:
    shelf = replace_fields(Shelf(books=("emma",)), dust=1)
    wrong = remember("books")(lambda state: state.dust)
    assert wrong(shelf) == 1
    assert list(list_differences(replace_fields(shelf, dust=2)))
