"""All that is wrong with a deck is told at once, and the move that brings it is refused for the first of it."""

from __future__ import annotations

import pytest

from referee.engine.rulings import IllegalMove
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import BOXES, EDITION
from referee.games.creature_crush.rules.decks import check_deck, find_deck_refusals

EVERY = tuple(BOXES[EDITION].plain)
GOOD = EVERY[:20]
MANY = ("nobody", *GOOD[:18], GOOD[0], "nobody", GOOD[0])


def told(cards: tuple[str, ...], edition: str | None = EDITION) -> list[tuple[int | None, str]]:
    """Place and reason of each refusal."""
    return [(at, refused.ruling.reason) for at, refused in GAME.find_deck_refusals(edition, cards)]


@pytest.mark.clause("CC-FORMAT-LEAGUE-1", "CC-PREP-1")
def test_nothing_is_wrong_with_twenty_different_cards_in_any_order() -> None:
    assert told(GOOD) == told(GOOD[::-1]) == told(EVERY[80:]) == []


@pytest.mark.clause("CC-FORMAT-LEAGUE-1", "CC-AMB-7", "CC-PREP-1")
def test_each_card_that_is_wrong_is_told_with_its_place_and_the_number_last() -> None:
    assert told(MANY) == [
        (0, "no_such_card"), (20, "no_such_card"),
        (19, "twice_in_the_deck"), (20, "twice_in_the_deck"), (21, "twice_in_the_deck"),
        (None, "deck_of_so_many"),
    ]  # fmt: skip
    for _, refused in GAME.find_deck_refusals(EDITION, MANY):
        assert set(GAME.rulebook.render_texts(refused.ruling.reason, **refused.ruling.params)) == {"en", "de"}
        assert all(GAME.rulebook.find_clause(clause) for clause in refused.ruling.clauses)


def test_the_copies_of_the_table_are_no_cards_of_a_list() -> None:
    assert told((f"{GOOD[0]}#1", *GOOD[1:])) == [(0, "no_such_card")]
    assert told((f"{GOOD[0]}!1", *GOOD[1:])) == [(0, "no_such_card")]


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
@pytest.mark.parametrize(
    ("card", "reason", "params"),
    [
        ("hex_tod", "card_was_meant", {"meant": "'hex_toad'"}),
        ("paper_wasp", "card_was_meant", {"meant": "'paper_wasp@5a559842'"}),
        ("paper_wsp", "card_was_meant", {"meant": "'paper_wasp@5a559842'"}),
        ("paper_wasp@00000000", "card_was_meant", {"meant": "'paper_wasp@5a559842'"}),
        ("unheard_of@00000000", "card_of_no_such_edition", {"card": "'unheard_of@00000000'"}),
        ("unheard_of", "no_such_card", {}),
    ],
)
def test_a_card_that_is_not_there_is_refused_with_the_one_that_was_meant(
    card: str, reason: str, params: dict[str, str]
) -> None:
    ((_, refused),) = find_deck_refusals((*EVERY, "paper_wasp@5a559842"), (*GOOD[:19], card))
    assert (refused.ruling.reason, refused.ruling.params) == (reason, {"card": card, **params})
    for text in GAME.rulebook.render_texts(reason, **refused.ruling.params).values():
        assert all(name in text for name in (card, *params.values()))


def test_without_a_box_the_list_itself_is_looked_at() -> None:
    assert told(("nobody", *GOOD[1:]), None) == []
    assert told((*GOOD, GOOD[0]), None) == [(20, "twice_in_the_deck"), (None, "deck_of_so_many")]


@pytest.mark.parametrize("cards", [MANY, MANY[1:20], GOOD[:19], ()], ids=["all", "twice", "few", "none"])
def test_the_move_is_refused_for_the_first_reason(cards: tuple[str, ...]) -> None:
    with pytest.raises(IllegalMove) as caught:
        check_deck(EVERY, cards)
    first = next(iter(GAME.find_deck_refusals(EDITION, cards)))[1]
    assert caught.value.ruling == first.ruling
