"""A box that stands alone: what it needs, and that it is played, written down and counted without any other card."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from referee.engine.codec import decode, encode
from referee.engine.game import Setup
from referee.engine.referee import build_view, find_legal_moves
from referee.engine.rulebook.editions import CardBookError
from referee.engine.seats import Seat
from referee.games.books import check_book_text, install_book_text
from referee.games.munchkin import GAME
from referee.games.munchkin.card_attributes import DOOR_KINDS, KINDS
from referee.games.munchkin.components import BOXES, FACES, HANDS, PRINTED, TREASURES
from referee.games.munchkin.rules.combat.rolling import may_turn_die
from referee.games.munchkin.texts.books import LEAST_CARDS
from tests.games.matches import random_match
from tests.games.munchkin import given
from tests.games.munchkin.own_box import install_box, list_least_box, list_whole_box, write_book
from tests.games.munchkin.test_books import lying
from tests.games.munchkin.written import build_midway_position


def refusals(entries: list[dict[str, Any]], **more: str) -> list[str]:
    """What is wrong with a book of these cards."""
    with pytest.raises(CardBookError) as error:
        check_book_text(write_book("attic", entries, **more), "attic.yaml")
    return str(error.value).splitlines()


def setup(edition: str, seats: int, source: str, most: int = 200) -> Setup:
    """A match with a box of its owner."""
    settings, chance = {"max_turns": most}, dict.fromkeys(GAME.devices, source)
    return GAME.complete_setup(Setup("standard", seats, settings, chance, (), edition))


# ---- what it needs -------------------------------------------------------------------------------------------------


def test_the_least_box_is_enough_and_has_no_card_to_spare() -> None:
    least = list_least_box()
    assert check_book_text(write_book("attic", least)).extends == ""
    assert {entry["kind"] for entry in least} == set(KINDS)
    for what, kinds in (("treasure", "item"), ("monster", "monster"), ("door", "curse")):
        gone = next(entry for entry in least if entry["kind"] == kinds)
        found = refusals([entry for entry in least if entry is not gone])
        needed = {each.split(" with all copies")[0].split()[-1] for each in found}
        assert f"{what}s" in needed
        assert needed <= set(LEAST_CARDS)


def test_a_box_that_lacks_something_says_what_and_how_much() -> None:
    least = list_least_box()
    assert refusals([entry for entry in least if entry["kind"] not in DOOR_KINDS]) == [
        "attic.yaml:1: a book that stands alone needs at least 48 doors with all copies, and this one has 0; "
        "did you mean 'extends: printed'?",
        "attic.yaml:1: a book that stands alone needs at least 12 monsters with all copies, and this one has 0; "
        "did you mean 'extends: printed'?",
    ]
    check_book_text(write_book("attic", least[:1], extends="printed"))


def test_copies_count_and_wrong_ones_are_told_once() -> None:
    least = list_least_box()
    curse = next(entry for entry in least if entry["kind"] == "curse")
    others = [entry for entry in least if entry is not curse]
    check_book_text(write_book("attic", [*others, {**curse, "copies": 20}]))
    assert any(each.endswith("copies: 'many' is not a whole number from 1 to 20") for each in refusals(
        [*others, {**curse, "copies": "many"}]
    ))  # fmt: skip


def test_a_box_of_its_owner_may_call_a_card_as_the_game_does() -> None:
    whole = [{**entry, "id": "wolfman"} if entry["id"] == "own_wolfman" else entry for entry in list_whole_box()]
    check_book_text(write_book("attic", whole))
    assert any("wolfman is already a printed card" in each for each in refusals(whole, extends="printed"))


# ---- the box is all there is ---------------------------------------------------------------------------------------


@pytest.mark.clause("MK-1.2")
@pytest.mark.parametrize("name", ["whole", "least"])
def test_both_decks_hold_the_cards_of_the_box_and_no_others(name: str) -> None:
    book = install_box(name)
    box = BOXES[book.edition]
    assert {card.partition("@")[2] for card in box.whole} == {book.hash[:8]}
    assert lying(GAME.build_table(setup(book.edition, 6, "server"))) == Counter(box.whole)
    assert [card["id"] for card in GAME.cards_of_edition(book.edition)] == list(box.whole)
    decks = {"door": 48, "treasure": 36} if name == "least" else {"door": 96, "treasure": 72}
    assert {deck: sum(cards.values()) for deck, cards in box.decks.items()} == decks


@pytest.mark.parametrize(
    ("name", "seats", "source"),
    [("least", 6, "server"), ("least", 3, "server"), ("least", 6, "table"), ("whole", 4, "table")],
)
def test_a_match_with_a_box_of_its_owner_ends_and_every_table_of_it_can_be(name: str, seats: int, source: str) -> None:
    edition, box = install_box(name).edition, BOXES[install_box(name).edition].whole
    for number, turn in enumerate(random_match("munchkin", setup(edition, seats, source, most=40), seats)):
        after = turn.after
        assert sum(lying(after).values()) == sum(box.values())
        for event in turn.events:
            told = GAME.narration.describe_event(event)
            assert told is None or "@" not in told["en"] + told["de"]
        if number % 40 == 0:
            assert decode(type(after), encode(after)) == after
            written = GAME.positions.encode_position(after)
            assert GAME.positions.decode_position(written) == after
            assert GAME.positions.check_census(written)["possible"]
            shown = build_view(after, Seat(0))
            assert GAME.positions.decode_position(GAME.positions.encode_position(shown)) == shown
            for move in list(find_legal_moves(after, Seat(0)))[:5]:
                GAME.evaluation.expected_gain(shown, 0, move)
    assert GAME.find_outcome(after) is not None


# ---- positions, the census, and dice that may be turned ----------------------------------------------------------


@pytest.mark.clause("MK-2.1", "KERNEL-CENSUS-1")
def test_a_position_names_the_cards_of_the_box_plainly_and_is_counted_against_it() -> None:
    edition = install_box("least").edition
    cards = [card for card in BOXES[edition].whole if FACES[card].kind == "item"]
    plain = [card.partition("@")[0] for card in cards]
    nothing: dict[str, Any] = {"items": [], "towns": [], "ride": [], "attached": {}}
    seats = ({**nothing, "hand": plain[:2]}, nothing, nothing)
    said = {"edition": edition, **build_midway_position(*seats, doors=20, treasures=20)}
    state = GAME.positions.decode_position(said)
    assert state.cards_in_hand(0) == tuple(cards[:2])
    assert GAME.positions.check_census(said)["possible"]
    found = GAME.positions.check_census({**said, "doors": 49})["contradictions"]
    assert next(each["copies"] for each in found) == 48
    assert "wolfman" not in str(GAME.positions.build_schema("standard", edition))


@pytest.mark.clause("MK-17.7")
@pytest.mark.parametrize("turning", [True, False])
def test_the_others_wait_for_a_die_to_be_turned_only_if_a_card_of_the_box_can(turning: bool) -> None:
    kept = [entry for entry in list_whole_box() if turning or entry.get("when") != "after_my_roll"]
    book = install_book_text(write_book(f"attic_{turning}".lower(), kept))
    table = given.with_real_cards(given.table((), (), (), rules={"edition": book.edition}))
    table = given.replace_fields(table, zones={**table.zones, TREASURES: table.zones[TREASURES][1:], HANDS[1]: ("?",)})
    assert may_turn_die(table, 1) == turning
    assert not may_turn_die(given.replace_fields(table, zones={**table.zones, HANDS[1]: ()}), 1)
    assert any("after_my_roll" in FACES[card].when for card in PRINTED.whole)
