"""Chosen discards, looks at a hand and at the top of a deck, and cards turned up: also with real cards."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCards
from referee.engine.chance import TurnUpResult
from referee.engine.referee import build_view
from referee.engine.rulebook.book import BookError
from referee.engine.seats import CHANCE, Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import DECKS, FACES, HANDS, SOUGHT
from referee.games.creature_crush.events.cards import CardsDestroyed
from referee.games.creature_crush.events.decks import CardRevealed, HandOpened, TopClosed, TopOpened
from referee.games.creature_crush.events.field import EffectSkipped
from referee.games.creature_crush.rules.actions.looking import RevealingTop
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.state import Table
from referee.rendering.texts import describe_event
from tests.games.course import asked, of, when
from tests.games.creature_crush.table import offered, picked, table, with_real_cards
from tests.games.creature_crush.wording import (
    SAID,
    at_rest,
    card,
    kept,
    refused,
    said,
    unsaid,  # noqa: F401
)
from tests.games.creature_crush.written import build_midgame, read

HAND = ("hex_toad", "behemoth", "sky_bolt")
DECK = ("spark_imp", "clay_guard", "recoil", "tar_golem")
FORCED = {"do": "discard", "who": "opponent", "chosen_by": "opponent"}
SPIED = {"do": "discard", "who": "opponent", "chosen_by": "me"}


def start(**more: Any) -> Table:
    """A table on which seat 1 holds three cards and seat 0 has a deck of four."""
    return table({"B1": "thornback"}, {}, hands=((), HAND), decks=(DECK, ("storm_gull",)), **more)


def list_seen_cards(state: Table, seat: int, place: str) -> tuple[str, ...]:
    return build_view(state, Seat(seat)).cards_at(place)


# ---- chosen discards -------------------------------------------------------------------------------------------------


@pytest.mark.clause("CARDS-CHOICE-1", "CC-GLOSS-6")
def test_the_opponent_chooses_which_hand_card_goes_and_nobody_else_sees_the_others() -> None:
    _, asking = said(start(), FORCED)
    asking = kept(asking)
    assert asked(asking) == {1}
    assert set(list_seen_cards(asking, 0, HANDS[1])) == {"?"}
    assert {move.cards for move in offered(asking, 1)} == {(name,) for name in HAND}
    assert refused(asking, 1, ChooseCards(("recoil",))) == "not_among_the_cards"
    assert refused(asking, 1, ChooseCards(())) == "exactly_so_many"
    _, state = when(asking, 1, ChooseCards(("behemoth",)))
    assert state.list_hell(1) == ("behemoth",)
    assert state.cards_at(HANDS[1]) == ("hex_toad", "sky_bolt")
    assert set(list_seen_cards(state, 0, HANDS[1])) == {"?"}


@pytest.mark.clause("CARDS-CHOICE-1")
def test_who_looks_at_a_hand_sees_it_until_a_card_is_chosen() -> None:
    events, asking = said(start(), SPIED)
    asking = kept(asking)
    assert asked(asking) == {0}
    assert list_seen_cards(asking, 0, SOUGHT[0]) == HAND
    (opened,) = of(events, HandOpened)
    assert "Behemoth" in describe_event(GAME, opened.view_for(0))["en"]
    bystander = opened.view_for(-1)
    assert "behemoth" not in str(bystander)
    assert set(list_seen_cards(asking, -1, SOUGHT[0])) == {"?"}
    events, state = when(asking, 0, ChooseCards(("sky_bolt",)))
    assert state.list_hell(1) == ("sky_bolt",)
    assert state.cards_at(HANDS[1]) == ("hex_toad", "behemoth")
    assert set(list_seen_cards(state, 0, HANDS[1])) == {"?"}
    assert not any("behemoth" in str(event.view_for(-1)) for event in events)


@pytest.mark.clause("CC-KEY-TRAP-1")
def test_a_chosen_hand_card_sets_off_its_trap() -> None:
    trap = next(name for name, face in FACES.items() if face.is_creature and "trap" in face.texts)
    holding = table({"B1": "thornback"}, {}, hands=((), (trap, "hex_toad")), decks=(DECK, ("storm_gull",)))
    _, asking = said(holding, FORCED)
    _, state = when(asking, 1, ChooseCards((trap,)))
    known = (*state.list_hell(1), *state.places_by_creature)
    assert trap in known


def test_from_an_empty_hand_nobody_chooses() -> None:
    events, state = said(table({"B1": "thornback"}, {}), SPIED)
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "empty_hand")]
    assert at_rest(state)


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_with_real_cards_a_person_names_what_goes_from_either_hand() -> None:
    for line, seat in ((FORCED, 1), (SPIED, 0)):
        _, asking = said(with_real_cards(start()), line)
        assert asked(asking) == {seat}
        assert ChooseCards(("behemoth",)) in offered(asking, seat)
        events, state = when(asking, seat, ChooseCards(("behemoth",)))
        assert of(events, CardsDestroyed)[0].took == ("?",)
        assert state.list_hell(1) == ("behemoth",)
        assert state.cards_at(HANDS[1]) == ("?", "?")
        assert at_rest(state)


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_a_bot_at_a_real_table_is_read_the_hand_and_a_bots_hand_is_read_again() -> None:
    _, asking = said(with_real_cards(start(), 0), SPIED)
    assert asking.agenda[-1] == CardNaming(0, 3, SOUGHT[0])
    _, asking = picked(asking, *HAND)
    _, state = when(asking, 0, ChooseCards(("hex_toad",)))
    assert state.cards_at(HANDS[1]) == ("?", "?"), "the hand of a person is not known to the referee"
    _, asking = said(with_real_cards(start(), 1), SPIED)
    assert list_seen_cards(asking, 0, SOUGHT[0]) == ("?",) * 3
    assert asking.cards_at(SOUGHT[0]) == ("?",) * 3, "what was read for the bot is forgotten"
    _, state = when(asking, 0, ChooseCards(("spark_imp",)))
    assert state.agenda[-1] == CardNaming(1, 2, HANDS[1])


# ---- the top of a deck -----------------------------------------------------------------------------------------------


@pytest.mark.clause("CARDS-CHOICE-1")
def test_the_top_cards_go_back_in_the_order_that_their_player_alone_knows() -> None:
    events, asking = said(start(), {"do": "look_at_top", "count": 3})
    asking = kept(asking)
    assert list_seen_cards(asking, 0, SOUGHT[0]) == DECK[:3]
    assert set(list_seen_cards(asking, 1, SOUGHT[0])) == {"?"}
    (opened,) = of(events, TopOpened)
    assert "top 3 cards" in describe_event(GAME, opened.view_for(1))["en"]
    assert "Funkenwicht" in describe_event(GAME, opened.view_for(0))["de"]
    assert len(offered(asking, 0)) == 6
    assert refused(asking, 0, ChooseCards(("recoil", "spark_imp"))) == "exactly_so_many"
    assert refused(asking, 0, ChooseCards(("recoil", "spark_imp", "spark_imp"))) == "same_card_twice"
    events, state = when(asking, 0, ChooseCards(("recoil", "spark_imp", "clay_guard")))
    assert state.cards_at(DECKS[0]) == ("recoil", "spark_imp", "clay_guard", "tar_golem")
    assert of(events, TopClosed)[0].view_for(1).took == ("?",) * 3
    assert at_rest(state)


def test_of_the_top_cards_some_may_go_to_hell_and_then_the_others_are_ordered() -> None:
    _, asking = said(start(), {"do": "look_at_top", "count": 3, "destroy": 1})
    assert {move.cards for move in offered(asking, 0)} == {(), *((name,) for name in DECK[:3])}
    _, ordering = when(asking, 0, ChooseCards(("clay_guard",)))
    assert ordering.list_hell(0) == ("clay_guard",)
    assert len(offered(ordering, 0)) == 2
    _, state = when(ordering, 0, ChooseCards(("recoil", "spark_imp")))
    assert state.cards_at(DECKS[0]) == ("recoil", "spark_imp", "tar_golem")
    assert at_rest(state)


def test_a_single_card_is_kept_or_put_into_hell() -> None:
    for chosen, deck in (((), DECK), (("spark_imp",), DECK[1:])):
        _, asking = said(start(), {"do": "look_at_top", "count": 1, "destroy": 1})
        _, state = when(asking, 0, ChooseCards(chosen))
        assert state.cards_at(DECKS[0]) == deck
        assert state.list_hell(0) == chosen


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_with_real_cards_only_what_goes_to_hell_is_named() -> None:
    _, asking = said(with_real_cards(start()), {"do": "look_at_top", "count": 2, "destroy": 1})
    assert ChooseCards(("behemoth",)) in offered(asking, 0)
    _, state = when(asking, 0, ChooseCards(("spark_imp",)))
    assert state.list_hell(0) == ("spark_imp",)
    assert state.cards_at(DECKS[0]) == ("?",) * 3
    assert at_rest(state)
    _, asking = said(with_real_cards(start(), 0), {"do": "look_at_top", "count": 2})
    _, asking = picked(asking, "spark_imp", "clay_guard")
    assert offered(asking, 0) == [ChooseCards(())], "its order is not the referee's matter"
    _, state = when(asking, 0, ChooseCards(()))
    assert state.cards_at(DECKS[0]) == ("?",) * 4


# ---- turned up -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-29")
def test_what_is_turned_up_goes_to_the_hand_or_into_hell_by_its_kind() -> None:
    events, state = said(start(), {"do": "reveal_top", "count": 3, "kind": "creature"})
    assert [event.shown for event in of(events, CardRevealed)] == [("spark_imp",), ("clay_guard",)]
    assert state.cards_at(HANDS[0]) == ("spark_imp", "clay_guard")
    assert state.list_hell(0) == ("recoil",)
    assert "Spark Imp" in describe_event(GAME, of(events, CardRevealed)[0].view_for(1))["en"]


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_with_real_cards_what_is_turned_up_is_named() -> None:
    _, asking = said(with_real_cards(start()), {"do": "reveal_top", "kind": "creature"})
    assert asking.agenda[-1] == RevealingTop(0, SAID, 1, "creature")
    _, state = when(asking, CHANCE, TurnUpResult("spark_imp"))
    assert state.cards_at(HANDS[0]) == ("?",)
    _, state = when(asking, CHANCE, TurnUpResult("recoil"))
    assert state.list_hell(0) == ("recoil",)


def test_of_an_empty_deck_nothing_is_seen() -> None:
    empty = table({"B1": "thornback"}, {}, decks=((), ("storm_gull",)))
    for line in ({"do": "look_at_top", "count": 1}, {"do": "reveal_top"}):
        events, _ = said(empty, line)
        assert of(events, EffectSkipped) == [EffectSkipped(SAID, "empty_deck")]


# ---- what nobody else learns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [FORCED, SPIED, {"do": "look_at_top", "count": 3}, {"do": "look_at_top", "count": 2}])
def test_two_tables_that_differ_in_what_is_hidden_are_the_same_to_who_may_not_see_it(line: dict[str, Any]) -> None:
    blind = {0, -1} if line is FORCED else {-1} if line is SPIED else {1, -1}
    other_hand = HAND[::-1] if line in (FORCED, SPIED) else HAND
    worlds = [
        said(table({"B1": "thornback"}, {}, hands=((), hand), decks=(deck, ("storm_gull",))), line)
        for hand, deck in ((HAND, DECK), (other_hand, DECK[::-1]))
    ]
    for seat in blind:
        (first, one), (second, other) = worlds
        assert [event.view_for(seat) for event in first] == [event.view_for(seat) for event in second]
        assert build_view(one, Seat(seat)) == build_view(other, Seat(seat))


def test_the_order_in_which_cards_go_back_shows_to_nobody_else() -> None:
    _, asking = said(start(), {"do": "look_at_top", "count": 3})
    one, other = (when(asking, 0, ChooseCards(cards)) for cards in (DECK[:3], DECK[2::-1]))
    assert [event.view_for(1) for event in one[0]] == [event.view_for(1) for event in other[0]]
    assert build_view(one[1], Seat(1)) == build_view(other[1], Seat(1))


# ---- positions and books ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        FORCED,
        SPIED,
        {"do": "look_at_top", "count": 3},
        {"do": "look_at_top", "count": 2, "destroy": 1},
        {"do": "reveal_top"},
    ],
)
def test_a_position_keeps_the_question(line: dict[str, Any]) -> None:
    _, asking = said(read(build_midgame()), line, this="bog_leech")
    written = GAME.positions.encode_position(asking)
    assert GAME.positions.decode_position(written) == asking


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ({"do": "look_at_top", "count": 5}, "a count of 1 to 4"),
        ({"do": "look_at_top", "count": 1, "destroy": 2}, "destroy is 0 to count"),
        ({"do": "discard", "who": "opponent", "chosen_by": "both"}, "unknown player 'both'"),
        ({"do": "reveal_top", "kind": "monster"}, "unknown 'monster'"),
    ],
)
def test_a_line_that_cannot_be_is_refused(line: dict[str, Any], detail: str) -> None:
    with pytest.raises(BookError, match=detail):
        card(kind="creature", action=[line])
