"""Cards of owners that let a player look at hidden cards: who sees what, at screens and with real cards."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, ConfirmSeen, Decline
from referee.engine.codec import decode, encode
from referee.engine.events import Move, apply_events
from referee.engine.referee import build_view, find_legal_moves, play_move
from referee.engine.rulebook.book import BookError
from referee.engine.rulebook.editions import CardBookError
from referee.engine.seats import Seat
from referee.games.books import check_book_text
from referee.games.munchkin import GAME
from referee.games.munchkin.components import BOOK, DOORS, HANDS, TREASURE_DISCARD, TREASURES
from referee.games.munchkin.events.cards import CardsDiscarded
from referee.games.munchkin.events.looking import DeckTopArranged, DeckTopLookedAt, HandLookedAt
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.questions import describe_question
from tests.games.munchkin.own_box import write_book
from tests.games.munchkin.wording import at_rest, kept, of, offered, read, refusal, said, table, unsaid, when  # noqa: F401

TOP: dict[str, Any] = {"do": "look_at_deck", "deck": "door", "count": 3, "called": "top"}
BACK = {"do": "put_back", "among": "top"}
HAND: tuple[dict[str, Any], ...] = (
    {"do": "look_at_hand", "of": "left", "called": "hand"},
    {"do": "choose", "seen": {"among": "hand"}, "called": "gone"},
    {"do": "discard_seen", "card": "gone", "among": "hand"},
)
PEEK: tuple[dict[str, Any], ...] = (
    {"do": "look_at_deck", "deck": "treasure", "count": 1, "called": "top"},
    {"do": "choose", "seen": {"among": "top"}, "called": "gone", "optional": True},
    {"do": "discard_seen", "card": "gone", "among": "top"},
)
DOOR_CARDS = ("wolfman", "coal_imp", "marrow_pup", "cellar_imp")
REAL = {"cards_at_table": True}


def played(state: Table, seat: int, move: Move) -> tuple[tuple[Any, ...], Table]:
    """What a move leads to; each seat finds the same from what it is shown, and sees no card that is not its own."""
    events = play_move(state, Seat(seat), move)
    after = apply_events(state, events)
    for other in map(Seat, range(state.rules.seats)):
        seen = tuple(event.view_for(other) for event in events)
        assert apply_events(build_view(state, other), seen) == build_view(after, other)
    return events, after


def words(thing: Any) -> str:
    """All that is written in something."""
    return str(encode(thing))


# ---- the top of a deck -----------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-27.7")
def test_the_top_doors_are_put_back_in_an_order_of_the_player_s_choice() -> None:
    events, state = said(table(doors=DOOR_CARDS), TOP, BACK)
    (looked,) = of(events, DeckTopLookedAt)
    assert looked.cards == DOOR_CARDS[:3]
    assert len(offered(state, 0)) == 6
    assert refusal(state, 0, ChooseCards(DOOR_CARDS[:2])).reason == "all_of_these_in_order"
    order = ("marrow_pup", "wolfman", "coal_imp")
    events, after = played(kept(state), 0, ChooseCards(order))
    assert len(of(events, DeckTopArranged)) == 1
    assert after.cards_at(DOORS) == (*order, "cellar_imp")
    assert at_rest(after)


@pytest.mark.clause("MK-27.7")
def test_nobody_else_sees_what_was_looked_at_nor_the_order() -> None:
    events, state = said(table(doors=DOOR_CARDS), TOP, BACK)
    for seat in (1, 2, -1):
        view = build_view(state, Seat(seat))
        assert not any(card in words(view.agenda) for card in DOOR_CARDS)
        assert not any(card in words(event.view_for(seat)) for event in events for card in DOOR_CARDS)
        assert list(find_legal_moves(view, Seat(seat))) == []
    assert all(card in words(build_view(state, Seat(0)).agenda) for card in DOOR_CARDS[:3])
    ordered = play_move(state, Seat(0), ChooseCards(("marrow_pup", "wolfman", "coal_imp")))
    (arranged,) = of(ordered, DeckTopArranged)
    assert not any(card in words(arranged.view_for(1)) for card in DOOR_CARDS)
    told = GAME.narration.describe_event(of(events, DeckTopLookedAt)[0].view_for(1))
    assert told is not None
    assert told["en"] == "Player 1 looks at the top 3 cards of the door deck."
    assert told["de"] == "Spieler 1 sieht sich die obersten 3 Karten vom Türstapel an."
    shown = list(GAME.tracking.revealed_cards(of(events, DeckTopLookedAt)[0]))
    assert shown == [(DOORS, DOOR_CARDS[:3])]


@pytest.mark.clause("MK-27.8")
def test_the_top_treasure_may_be_put_on_the_discards() -> None:
    _, state = said(table(treasures=("bat_hat", "stilts")), *PEEK)
    assert {*offered(state, 0)} == {ChooseCard("bat_hat"), Decline()}
    events, after = played(state, 0, ChooseCard("bat_hat"))
    assert [event.put for event in of(events, CardsDiscarded)] == [("bat_hat",)]
    assert (after.cards_at(TREASURES), after.cards_at(TREASURE_DISCARD)) == (("stilts",), ("bat_hat",))
    _, after = played(state, 0, Decline())
    assert (after.cards_at(TREASURES), at_rest(after)) == (("bat_hat", "stilts"), True)
    assert refusal(state, 0, ChooseCard("stilts")).reason == "one_of_those_seen"


def test_where_nothing_lies_nothing_is_looked_at_and_discards_are_shuffled_first() -> None:
    events, state = said(table(), TOP, BACK)
    assert ([event.what for event in of(events, EffectLapsed)], at_rest(state)) == (["look"], True)
    _, state = said(table(thrown={"door": DOOR_CARDS}), TOP, BACK)
    assert state.agenda[-1].TAG == "Shuffle"


# ---- a hand ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-27.7", "MK-27.8")
def test_a_card_of_another_s_hand_is_chosen_by_who_looks_at_it() -> None:
    events, state = said(table(hands={1: ("bat_hat", "wolfman"), 2: ("stilts",)}), *HAND)
    (looked,) = of(events, HandLookedAt)
    assert (looked.of, looked.cards, looked.view_for(2).cards) == (1, ("bat_hat", "wolfman"), ("?", "?"))
    assert {*offered(state, 0)} == {ChooseCard("bat_hat"), ChooseCard("wolfman")}
    assert describe_question(build_view(state, Seat(2))) == describe_question(state) == ("", {})
    assert BOOK.render_texts(f"question.{state.agenda[-1].question_name().rpartition('.')[2]}", card="stilts")["en"]
    assert "bat_hat" not in words(build_view(state, Seat(2)).agenda)
    assert refusal(state, 1, ChooseCard("bat_hat")).reason
    events, after = played(kept(state), 0, ChooseCard("wolfman"))
    assert [event.put for event in of(events, CardsDiscarded)] == [("wolfman",)]
    assert (after.cards_at(HANDS[1]), at_rest(after)) == (("bat_hat",), True)
    events, state = said(table(), *HAND)
    assert ([event.what for event in of(events, EffectLapsed)], at_rest(state)) == (["look"], True)


# ---- real cards ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("CARDS-CHOICE-4")
def test_real_cards_are_looked_at_in_fact_and_laid_back_by_the_player() -> None:
    _, state = said(table(doors=("?",) * 5, rules=REAL), TOP, BACK)
    assert offered(state, 0) == [ConfirmSeen()]
    _, after = played(state, 0, ConfirmSeen())
    assert at_rest(after), "their order is not asked, since the referee does not know them"


@pytest.mark.clause("MK-27.8")
def test_a_real_card_is_named_as_it_is_chosen() -> None:
    _, state = said(table(hands={1: ("?", "?")}, rules=REAL), *HAND)
    _, state = played(state, 0, ConfirmSeen())
    assert ChooseCard("bat_hat") in offered(state, 0)
    assert refusal(state, 0, ChooseCard("no_such_thing")).reason == "no_such_card"
    events, after = played(state, 0, ChooseCard("bat_hat"))
    (gone,) = of(events, CardsDiscarded)
    assert (gone.took, gone.put, after.cards_at(HANDS[1])) == (("?",), ("bat_hat",), ("?",))
    _, state = said(table(treasures=("?",) * 3, rules=REAL), *PEEK)
    _, state = played(state, 0, ConfirmSeen())
    assert ChooseCard("wolfman") not in offered(state, 0), "a door lies in the other deck"
    _, after = played(state, 0, ChooseCard("stilts"))
    assert (after.cards_at(TREASURES), after.cards_at(TREASURE_DISCARD)) == (("?", "?"), ("stilts",))


# ---- positions, boards and mistakes --------------------------------------------------------------------------------


def test_a_look_is_written_in_positions_and_drawn() -> None:
    _, state = said(table(doors=DOOR_CARDS, treasures=("bat_hat",)), TOP, BACK)
    assert decode(Table, encode(state)) == state
    running = GAME.boards.draw(build_view(state, Seat(1)), 1, "standard")["running"]  # type: ignore[index]
    assert [each["about"] for each in running if each["kind"] == "choice"] == ["put_back"]
    _, state = said(table(doors=("?",) * 5, rules=REAL), TOP, BACK)
    running = GAME.boards.draw(build_view(state, Seat(1)), 1, "standard")["running"]  # type: ignore[index]
    assert [each["about"] for each in running if each["kind"] == "choice"] == ["look"]


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ([TOP, BACK, {"do": "put_back", "among": "me"}], "'me' stands for players, not for cards that were looked at"),
        ([TOP, {"do": "discard_seen", "card": "this", "among": "top"}], "'this' stands for a card, not for a card"),
        ([{**TOP, "count": 30}, BACK], "30 is not a number from 1 to 20"),
        ([{"do": "choose", "seen": {"among": "left"}, "called": "it"}, {"do": "take", "card": "it"}], "not for cards"),
    ],
)  # fmt: skip
def test_what_was_not_looked_at_is_not_chosen_from(does: list[dict[str, Any]], says: str) -> None:
    entry = {"id": "eye", "kind": "door_special", "name": "Eye", "text": "Look.", "when": "calm", "does": does}
    with pytest.raises(CardBookError) as error:
        check_book_text(write_book("eyes", [entry], extends="printed"))
    assert says in str(error.value)
    with pytest.raises(BookError):
        read({"do": "put_back", "among": "nothing"})
