"""Names of cards that no referee sees: what lies open is known, what is read for a bot is not told."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from referee.cardscript.hidden_cards import (
    can_name_card,
    cards_arriving,
    check_cards_from_hand,
    check_in_hand,
    find_nameable_cards,
)
from referee.engine.events import replace_fields
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.zones import Cards, find_cards_leaving
from referee.games.creature_crush.components import CRUSH_PLACES, DECKS, HANDS, HELLS, Rules
from referee.games.creature_crush.rules.naming import draw_unnamed_cards, list_possible_namings
from referee.games.creature_crush.state import Table
from tests.games.creature_crush.table import BOX, table, with_real_cards

CRUSH = tuple(card for card, face in BOX.items() if not face.is_creature)


def reason(check: Callable[[], object]) -> str:
    """Why a check refuses; empty if it does not."""
    try:
        check()
    except IllegalMove as refused:
        return refused.ruling.reason
    return ""


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_a_hand_of_backs_can_give_whatever_does_not_lie_open() -> None:
    state = with_real_cards(table({"B1": "hex_toad"}, hands=(["clay_guard"], []), hells=([], ["bog_leech"])))
    assert can_name_card(state, HANDS[0], "moss_tick")
    assert can_name_card(state, HANDS[0], "clay_guard")
    for card in ("hex_toad", "bog_leech", "nonsense", "?", "hex_toad#1"):
        assert not can_name_card(state, HANDS[0], card)
    assert not can_name_card(state, HANDS[1], "moss_tick")  # there lies nothing
    assert "hex_toad" not in find_nameable_cards(state, HANDS[0])
    assert len(find_nameable_cards(state, HANDS[0])) == 98


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_what_a_bot_holds_may_be_named_by_others_and_what_lies_open_not_even_by_the_bot() -> None:
    state = with_real_cards(table(hands=(["clay_guard"], ["bog_leech"])), 0)
    assert can_name_card(state, HANDS[1], "clay_guard")
    assert find_nameable_cards(state, HANDS[0]) == ("clay_guard",)
    assert can_name_card(state, HANDS[0], "clay_guard")
    misread = replace_fields(state, zones={**state.zones, HELLS[1]: ("clay_guard",)})
    assert not can_name_card(misread, HANDS[0], "clay_guard")


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_what_the_server_has_dealt_is_known_by_name() -> None:
    state = table(hands=(["clay_guard"], []))
    assert can_name_card(state, HANDS[0], "clay_guard")
    assert not can_name_card(state, HANDS[0], "moss_tick")
    assert reason(lambda: check_in_hand(state, 0, "clay_guard", "CC-SUMMON-1")) == ""
    assert reason(lambda: check_in_hand(state, 0, "moss_tick", "CC-SUMMON-1")) == "not_in_the_hand"
    assert reason(lambda: check_in_hand(state, 0, "nonsense", "CC-SUMMON-1")) == "no_such_card"


@pytest.mark.clause("KERNEL-CENSUS-1")
@pytest.mark.parametrize(
    ("cards", "why"),
    [
        (("clay_guard", "moss_tick"), ""),
        (("moss_tick", "moss_tick"), "no_copy_left"),
        (("hex_toad", "moss_tick"), "no_copy_left"),
        (("moss_tick", "bone_pup", "spark_imp"), "not_in_the_hand"),
        (("moss_tick", "nonsense"), "no_such_card"),
    ],
)
def test_several_cards_of_a_hand_are_looked_at_together(cards: Cards, why: str) -> None:
    state = with_real_cards(table({"B1": "hex_toad"}, hands=(["clay_guard", "ember_fox"], [])))
    assert reason(lambda: check_cards_from_hand(state, 0, cards, "CC-SUMMON-1")) == why


def test_a_hand_that_a_position_leaves_out_gives_no_answer() -> None:
    state = table(hands=(["?some"], []))
    with pytest.raises(Undetermined):
        can_name_card(state, HANDS[0], "moss_tick")
    with pytest.raises(Undetermined):
        check_cards_from_hand(state, 0, ("moss_tick",), "CC-SUMMON-1")


@pytest.mark.clause("KERNEL-CENSUS-1", "CC-ZONE-1")
def test_no_more_crush_cards_are_named_than_lie_elsewhere_than_on_c_places() -> None:
    open_ones = CRUSH[:18]
    state = with_real_cards(
        table({"C1": CRUSH[18]}, {}, hands=(["clay_guard"], []), hells=(open_ones, []), decks=([], []))
    )
    assert [card for card in find_nameable_cards(state, HANDS[0]) if card in CRUSH] == list(
        CRUSH[18:]
    )  # either may lie in C1
    assert reason(lambda: state.check_crush_count(HANDS[0])) == ""
    assert reason(lambda: state.check_crush_count(HANDS[0], 2)) == "not_so_many_crush_cards"
    both = replace_fields(state, zones={**state.zones, CRUSH_PLACES[1][0]: ("?",)})
    assert not can_name_card(both, HANDS[0], CRUSH[18])
    assert can_name_card(both, CRUSH_PLACES[0][0], CRUSH[18])
    assert can_name_card(both, HANDS[0], "moss_tick")
    assert reason(lambda: both.check_crush_count(HANDS[0])) == "not_so_many_crush_cards"


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_cards_come_to_a_hand_as_backs_only_where_a_person_holds_real_ones() -> None:
    state = table()
    assert cards_arriving(state, 0, ("hex_toad",)) == ("hex_toad",)
    assert cards_arriving(with_real_cards(state, 1), 0, ("hex_toad",)) == ("?",)
    assert cards_arriving(with_real_cards(state, 1), 1, ("hex_toad",)) == ("hex_toad",)


def test_what_goes_is_taken_by_name_where_it_lies_named_and_else_as_a_back() -> None:
    state = table(hands=(["clay_guard", "?"], []))
    assert find_cards_leaving(state, HANDS[0], ("clay_guard", "moss_tick")) == ("clay_guard", "?")


@pytest.mark.clause("KERNEL-CENSUS-1", "CC-AMB-7")
def test_in_the_league_each_copy_is_a_card_of_its_own() -> None:
    rules = {"variant": "league"}
    state = with_real_cards(table({"B1": "hex_toad#1"}, hands=(["clay_guard#1"], []), decks=([], []), rules=rules))
    assert not can_name_card(state, HANDS[0], "hex_toad#1")
    assert can_name_card(state, HANDS[0], "hex_toad#2")
    assert not can_name_card(state, HANDS[0], "hex_toad")
    assert all(card.endswith("#2") for card in draw_unnamed_cards(state, 1, 5, Random(3).randrange))


def test_what_a_table_could_report_is_named_nowhere() -> None:
    state = with_real_cards(table({"B1": "hex_toad"}, hands=(["clay_guard"], ["bog_leech"])), 1)
    found = draw_unnamed_cards(state, 0, 200, Random(1).randrange)
    assert len(found) == len(set(found)) == 99  # what was read for the bot comes last, since it may be wrong
    assert found[-1] == "bog_leech"
    assert draw_unnamed_cards(state, 0, 200, Random(2).randrange) != found


def test_some_ways_to_name_several_backs_are_listed() -> None:
    state = with_real_cards(table(hands=(["clay_guard", "ember_fox"], []), decks=([], [])))
    ways = list(list_possible_namings(state, HANDS[0], 2))
    assert len(ways) == 50
    assert all(reason(lambda way=way: check_cards_from_hand(state, 0, way, "CC-SUMMON-1")) == "" for way in ways)  # type: ignore[misc]


def test_a_table_knows_its_own_decks_by_place() -> None:
    state = with_real_cards(replace_fields(Table(rules=Rules()), zones={DECKS[0]: ("hex_toad",)}))
    assert can_name_card(state, DECKS[0], "moss_tick")
