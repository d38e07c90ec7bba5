"""Words that put cards into piles and let creatures change places."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.engine.rulebook.book import BookError
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import DECKS, HANDS
from referee.games.creature_crush.events.cards import CardsPut, CreaturesExchanged
from referee.games.creature_crush.events.field import EffectSkipped
from referee.rendering.texts import describe_event
from tests.games.course import of, refusal, when
from tests.games.creature_crush.table import shuffled, table, with_real_cards
from tests.games.creature_crush.wording import (
    SAID,
    at_rest,
    card,
    said,
    unsaid,  # noqa: F401
)

MINE = {"B1": "clay_guard", "A1": "thornback"}
THEIRS = {"B1": "dune_strider", "C1": "sky_bolt"}
ALL_MINE = {"do": "all", "creature": {"of": "ally"}, "called": "mine"}
ALL_THEIRS = {"do": "all", "creature": {"of": "enemy"}, "called": "theirs"}


def put_by_text(state: Any, noun: dict[str, Any], to: str) -> Any:
    """The event of putting all that fits, and the table then."""
    events, after = said(state, {"do": "all", **noun, "called": "it"}, {"do": "put", "what": "it", "to": to})
    (event,) = of(events, CardsPut)
    return event, after


@pytest.mark.clause("CC-GLOSS-2")
def test_a_crush_card_goes_back_to_the_hand_of_its_player_who_alone_sees_it() -> None:
    event, state = put_by_text(table(MINE, THEIRS), {"crush": {"of": "enemy"}}, "hand")
    assert state.cards_at(HANDS[1]) == ("sky_bolt",)
    assert not state.paid
    assert "sky_bolt" not in str(event.view_for(0))
    assert "sky_bolt" in str(event.view_for(1))
    assert "A crush card goes to the hand" in describe_event(GAME, event.view_for(0))["en"]
    assert "Eine Crush-Karte kommt" in describe_event(GAME, event.view_for(0))["de"]


def test_at_a_real_table_a_back_goes_to_the_hand_and_into_the_deck() -> None:
    _, state = put_by_text(with_real_cards(table(MINE, THEIRS)), {"crush": {"of": "enemy"}}, "hand")
    assert state.cards_at(HANDS[1]) == ("?",)
    _, state = put_by_text(with_real_cards(table(MINE, THEIRS)), {"creature": {"of": "enemy"}}, "deck_top")
    assert state.cards_at(DECKS[1]) == ("?",) * 4


@pytest.mark.parametrize(("to", "at"), [("deck_top", 0), ("deck_bottom", 3)])
def test_an_enemy_goes_onto_or_under_the_deck_of_its_player(to: str, at: int) -> None:
    event, state = put_by_text(table(MINE, THEIRS, damage={"dune_strider": 1}), {"creature": {"of": "enemy"}}, to)
    assert state.cards_at(DECKS[1])[at] == "dune_strider"
    assert not state.damage, "what leaves the field loses its marks"
    assert "Dune Strider" in describe_event(GAME, event.view_for(0))["en"], "everybody has seen it go"


def test_several_cards_of_hell_go_on_top_of_the_deck_in_the_order_named() -> None:
    _, state = put_by_text(table(MINE, THEIRS, hells=(("hex_toad", "behemoth"), ())), {"hell_card": {}}, "deck_top")
    assert state.cards_at(DECKS[0])[:2] == ("hex_toad", "behemoth")
    assert state.list_hell(0) == ()


@pytest.mark.clause("CC-ZONE-3")
def test_both_hells_go_into_their_decks_which_are_shuffled() -> None:
    start = table(MINE, THEIRS, hells=(("hex_toad",), ("behemoth",)))
    _, state = put_by_text(start, {"hell_card": {"of": "any"}}, "deck")
    for deck in reversed(DECKS):
        _, state = shuffled(state, deck)
    assert at_rest(state)
    assert "hex_toad" in state.cards_at(DECKS[0])
    assert "behemoth" in state.cards_at(DECKS[1])


def test_nothing_is_put_that_has_left_its_place_and_no_text_puts_it_nowhere() -> None:
    events, _ = said(table(MINE), {"do": "put", "what": "who", "to": "hand"}, who="behemoth")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
    with pytest.raises(BookError, match="unknown 'field'"):
        card(kind="creature", action=[{"do": "put", "what": "this", "to": "field"}])


@pytest.mark.clause("CC-GLOSS-3")
def test_a_creature_may_be_summoned_from_the_opponents_hell() -> None:
    lines = ({"do": "choose", "hell_card": {"of": "enemy", "kind": "creature"}, "called": "it"},
             {"do": "revive", "card": "it"})  # fmt: skip
    start = table({"B1": "clay_guard", "B2": "tar_golem"}, {}, hells=(("behemoth",), ("hex_toad", "knife_goblin")))
    _, asking = said(start, *lines)
    assert refusal(asking, 0, ChooseCard("behemoth")).reason == "not_in_this_hell"
    _, placing = when(asking, 0, ChooseCard("hex_toad"))
    placed = when(placing, 0, next(iter(placing.agenda[-1].possible_answers(placing, 0))))[1]
    assert placed.possessor_of("hex_toad") == 0
    assert placed.list_hell(1) == ("knife_goblin",)


@pytest.mark.clause("CC-AMB-3-R2")
def test_a_creature_of_the_opponents_hell_goes_back_there_where_control_does_not_last() -> None:
    lines = ({"do": "all", "hell_card": {"of": "enemy"}, "called": "it"}, {"do": "revive", "card": "it"},
             {"do": "destroy", "what": "it"})  # fmt: skip
    full = {"B1": "clay_guard", "B2": "tar_golem", "A1": "thornback", "A2": "iron_boar"}
    start = table(full, {}, hells=((), ("hex_toad",)), readings={"CC-AMB-3": 2})
    _, asking = said(start, *lines)
    _, state = when(asking, 0, next(iter(asking.agenda[-1].possible_answers(asking, 0))))
    assert "hex_toad" in state.list_hell(1)


@pytest.mark.clause("CC-AMB-30")
def test_two_allies_change_places_and_keep_their_actions() -> None:
    pair = {"do": "choose_some", "creature": {"of": "ally"}, "count": 2, "called": "pair"}
    events, state = said(table(MINE, THEIRS, damage={"thornback": 1}), pair, {"do": "exchange", "creature": "pair"})
    (event,) = of(events, CreaturesExchanged)
    assert state.zone_of("clay_guard") == "A"
    assert state.zone_of("thornback") == "B"
    assert state.damage == {"thornback": 1}
    assert not state.acted
    assert "change places" in describe_event(GAME, event)["en"]


@pytest.mark.clause("CC-GLOSS-5", "CC-AMB-3")
def test_an_ally_and_an_enemy_are_exchanged_for_good() -> None:
    front = {"do": "all", "creature": {"of": "ally", "row": "A"}, "called": "mine"}
    start = table(MINE, THEIRS, damage={"dune_strider": 1}, acted={"thornback": 1})
    events, state = said(start, front, ALL_THEIRS, {"do": "exchange", "creature": "mine", "other": "theirs"})
    (event,) = of(events, CreaturesExchanged)
    assert state.possessor_of("dune_strider") == 0
    assert state.possessor_of("thornback") == 1
    assert state.damage == {"dune_strider": 1}
    assert set(state.entered) == {"dune_strider", "thornback"}
    assert describe_event(GAME, event) == {
        "en": "Thornback and Dune Strider change sides.", "de": describe_event(GAME, event)["de"],
    }  # fmt: skip
    assert "wechseln die Seiten" in describe_event(GAME, event)["de"]


@pytest.mark.clause("CC-AMB-3-R2", "CC-AMB-12-R2")
def test_exchanged_creatures_are_lent_where_control_does_not_last() -> None:
    front = {"do": "all", "creature": {"of": "ally", "row": "A"}, "called": "mine"}
    start = table(MINE, THEIRS, readings={"CC-AMB-3": 2, "CC-AMB-12": 2})
    swap = {"do": "exchange", "creature": "mine", "other": "theirs"}
    _, state = said(start, front, ALL_THEIRS, swap)
    assert set(state.borrowed) == set(state.taken) == {"dune_strider", "thornback"}
    _, state = said(state, {**front, "called": "mine"}, ALL_THEIRS, swap)
    assert state.borrowed == (), "both have come home"


def test_nothing_is_exchanged_with_nobody() -> None:
    events, state = said(table({"B1": "clay_guard"}, THEIRS), ALL_MINE, {"do": "exchange", "creature": "mine"})
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "nothing_fits")]
    assert state.zone_of("clay_guard") == "B"


def test_a_name_for_the_opponents_hell_is_not_for_what_concerns_ones_own() -> None:
    lines = [{"do": "choose", "hell_card": {"of": "enemy"}, "called": "it"}]
    with pytest.raises(BookError, match="stands for cards lying in the opponent's hell"):
        card(kind="creature", action=[*lines, {"do": "recover", "card": "it"}])
    assert card(kind="creature", action=[*lines, {"do": "put", "what": "it", "to": "deck_bottom"}])


def test_a_choice_of_two_to_exchange_is_the_players_own() -> None:
    three = {**MINE, "B2": "tar_golem"}
    pair = {"do": "choose_some", "creature": {"of": "ally"}, "count": 2, "called": "pair"}
    _, asking = said(table(three, THEIRS), pair, {"do": "exchange", "creature": "pair"})
    assert refusal(asking, 0, ChooseCards(("tar_golem", "dune_strider"))).reason == "on_the_wrong_side"
    _, state = when(asking, 0, ChooseCards(("thornback", "tar_golem")))
    assert state.zone_of("tar_golem") == "A"
