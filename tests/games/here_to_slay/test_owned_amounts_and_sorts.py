"""Counted amounts and sorts of heroes, with cards that owners might enter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.engine.rulebook.editions import CardBookError
from referee.games.books import check_book_text
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import HANDS
from referee.games.here_to_slay.events.cards import CardDrawn, EffectLapsed
from referee.games.here_to_slay.moves import PlayCard
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, refused, then
from tests.games.here_to_slay.booked import book_of, card, of_book, write_book
from tests.games.here_to_slay.given import offered, rolled_for, settlements, stands, table

Text = list[dict[str, Any]]
PARTIES = {0: ["peanut", "fuzzy_cheeks"], 1: ["bad_axe", ("hook", "fighter_mask"), "spooky"]}


def played(text: Text, *hands: list[str], **more: Any) -> tuple[Any, Table]:
    """Magic with this text is played and stands."""
    book = book_of(card(does=text))
    given = {"parties": PARTIES, **more}
    return stands(of_book(book, table(*hands, **given), hand="the_card"), 0, PlayCard(book.card_id("the_card")))


@pytest.mark.clause("HTS-COUNT-1")
@pytest.mark.parametrize(
    ("count", "drawn"),
    [
        ({"heroes_of": "me"}, 2),
        ({"heroes_of": "me", "class": "bard"}, 2),
        ({"heroes_of": "me", "times": 2, "plus": -1}, 3),
        ({"slain_of": "me", "plus": 1}, 2),
        ({"classes_of": "me"}, 2),
        ({"hand_of": "me"}, 1),
        ({"items_of": "me"}, 0),
        ({"heroes_of": "me", "times": -3}, 0),
    ],
)
def test_a_text_draws_as_many_as_it_counts(count: dict[str, Any], drawn: int) -> None:
    events, after = played([{"do": "draw", "count": count}], ["hopper"], [], slain={0: ["orthus"]})
    assert (len(of(events, CardDrawn)), len(of(events, EffectLapsed))) == (drawn, int(not drawn))
    assert len(after.cards_in_hand(0)) == 1 + drawn


@pytest.mark.clause("HTS-COUNT-1")
def test_others_discard_as_many_as_are_counted_and_the_question_says_how_many() -> None:
    text: Text = [{"do": "discard", "who": "others", "count": {"slain_of": "me"}}]
    _, after = played(text, [], ["hook", "hopper", "bun_bun"], slain={0: ["orthus", "dracos"]}, parties={})
    assert asked(after) == {1}
    assert "2" in GAME.rulebook.render_text("question.GiveUp.exactly", "en", card="hook", count=2)
    assert refusal(after, 1, ChooseCards(("hook",))).clauses
    assert then(after, 1, ChooseCards(("hook", "hopper"))).cards_in_hand(1) == ("bun_bun",)
    events, after = played(text, [], ["hook"], parties={})
    assert [event.what for event in of(events, EffectLapsed)] == ["discard"]
    assert after.zones[HANDS[1]] == ("hook",)


@pytest.mark.clause("HTS-COUNT-1", "HTS-DO-42")
def test_what_a_name_stands_for_is_counted() -> None:
    text: Text = [
        {"do": "discard", "who": "me", "count": 3, "at_least": 0, "called": "gone"},
        {"do": "draw", "count": {"number_of": "gone", "times": 2}},
    ]
    _, state = played(text, ["hook", "hopper"], [], parties={})
    assert len(then(state, 0, ChooseCards(("hook", "hopper"))).cards_in_hand(0)) == 4
    assert then(state, 0, ChooseCards(())).cards_in_hand(0) == ("hook", "hopper")


@pytest.mark.clause("HTS-COUNT-1", "HTS-ROLL-9")
def test_a_standing_value_is_counted_whenever_the_roll_is_added_up() -> None:
    book = book_of(card(kind="leader", standing=[{"roll": ["hero"], "plus": {"heroes_of": "me", "class": "bard"}}]))
    for party, total in (
        (["peanut"], 8),
        (["peanut", "hook"], 8),
        (["fuzzy_cheeks", "peanut", "tipsy_tootie"], 10),
    ):
        state = of_book(book, table([], [], parties={0: party}, leaders={0: "the_cloaked_sage"}))
        state = replace(state, zones={**state.zones, "leader/0": (book.card_id("the_card"),)})
        events, _ = rolled_for(state, "peanut", 3, 4)
        assert settlements(events)[0][0] == total


@pytest.mark.clause("HTS-FILTER-1")
@pytest.mark.parametrize(
    ("sort", "fitting"),
    [
        ({"class": "fighter"}, {"bad_axe", "hook"}),  # by its mask
        ({"carries": "item"}, {"hook"}),
        ({"carries": "nothing"}, {"bad_axe", "spooky"}),
        ({"carries": "cursed_item"}, set()),
        ({"roll_min": 9}, {"spooky"}),
        ({"roll_max": 8, "class": "fighter"}, {"bad_axe", "hook"}),
    ],
)
def test_only_a_hero_of_the_sort_may_be_chosen(sort: dict[str, Any], fitting: set[str]) -> None:
    text: Text = [
        {"do": "choose", "hero": {"to": "destroy", **sort}, "called": "target"},
        {"do": "destroy", "hero": "target"},
    ]
    _, state = played(text, [], [])
    if len(fitting) > 1:
        assert {move.card for move in offered(state, 0)} == fitting  # type: ignore[attr-defined]
        for hero in {"bad_axe", "hook", "spooky"} - fitting:
            assert refused(state, 0, ChooseCard(hero))[1] == "HTS-FILTER-1"
    else:
        assert set(state.party_of(1)) == {"bad_axe", "hook", "spooky"} - fitting


@pytest.mark.parametrize(
    ("count", "says"),
    [
        ({"heros_of": "me"}, "an amount takes no 'heros_of'; did you mean 'heroes_of'?"),
        ({"times": 2}, "an amount needs exactly one of heroes_of"),
        ({"hand_of": "me", "class": "bard"}, "class: only heroes_of takes one"),
        ({"hand_of": "them"}, "hand_of: unknown name 'them'"),
        ({"hand_of": "me", "plus": "many"}, "plus must be a whole number"),
        ({"hand_of": 1}, "hand_of: 1 is no name"),
        ("many", "'many' is neither a whole number nor an amount"),
    ],
)
def test_a_wrong_amount_is_refused_with_its_line(count: Any, says: str) -> None:
    with pytest.raises(CardBookError) as refused_book:
        check_book_text(write_book(card(does=[{"do": "draw", "count": count}])), "owned.yaml")
    assert says in str(refused_book.value)


def test_a_standing_amount_counts_what_is_the_owner_s() -> None:
    wrong = card(kind="leader", standing=[{"roll": ["hero"], "plus": {"hand_of": "others"}}])
    with pytest.raises(CardBookError, match="a standing value counts what is 'me'"):
        check_book_text(write_book(wrong), "owned.yaml")
