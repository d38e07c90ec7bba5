"""Cards that texts put elsewhere, with cards that owners might enter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ConfirmSeen
from referee.engine.events import apply_events
from referee.engine.referee import build_view
from referee.engine.seats import Seat
from referee.engine.zones import backs_of
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DECK, DISCARD, HANDS
from referee.games.here_to_slay.events.cards import CardPut, EffectLapsed
from referee.games.here_to_slay.events.plays import HeroEntered
from referee.games.here_to_slay.moves import PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.booked import book_of, card, of_book
from tests.games.here_to_slay.given import offered, stands, table
from tests.rendering.test_spoken import read

Text = list[dict[str, Any]]
PARTIES: dict[int, Any] = {0: ["peanut"], 1: ["bad_axe", ("hook", "fighter_mask")]}


def played(text: Text, *hands: list[str], **more: Any) -> tuple[Any, Table]:
    """Magic with this text is played and stands."""
    book = book_of(card(does=text))
    state = of_book(book, table(*hands, **{"parties": PARTIES, **more}), hand="the_card")
    return stands(state, 0, PlayCard(book.card_id("the_card")))


def away(to: str) -> Text:
    """A text that puts a hero of another party elsewhere."""
    return [{"do": "choose", "hero": {"to": "put"}, "called": "target"}, {"do": "put", "card": "target", "to": to}]


@pytest.mark.clause("HTS-PUT-1", "HTS-PUT-2")
def test_a_hero_goes_to_its_player_s_hand_with_its_item() -> None:
    _, state = played(away("hand"), [], [], slain={1: ["terratuga"]})  # which protects from destroying alone
    assert offered(state, 0) == [ChooseCard("bad_axe"), ChooseCard("hook")]
    events, after = when(state, 0, ChooseCard("hook"))
    assert (after.party_of(1), after.cards_in_hand(1)) == (("bad_axe",), ("hook", "fighter_mask"))
    assert [(event.of, event.to) for event in of(events, CardPut)] == [(1, "hand")]
    assert after.cards_in_hand(0) == ()


@pytest.mark.clause("HTS-PUT-1", "HTS-PUT-2")
@pytest.mark.parametrize(("to", "at"), [("top", 0), ("bottom", -1)])
def test_a_hero_goes_on_or_under_the_deck_and_its_item_to_the_discard_pile(to: str, at: int) -> None:
    _, state = played(away(to), [], [])
    events, after = when(state, 0, ChooseCard("hook"))
    assert after.cards_at(DECK)[at] == "hook"
    assert "fighter_mask" in after.cards_at(DISCARD)
    for seat in (0, 1):
        seen = build_view(state, Seat(seat))
        assert (
            apply_events(seen, tuple(event.view_for(seat) for event in events)).zones
            == build_view(after, Seat(seat)).zones
        )
        (told,) = of([event.view_for(seat) for event in events], CardPut)
        assert (told.took, told.put) == (("hook",), ("?",))  # it lay open, and where it lies now is hidden


@pytest.mark.clause("HTS-PUT-1")
def test_a_card_of_the_discard_pile_goes_on_top_of_the_deck() -> None:
    text: Text = [
        {"do": "choose", "card": {"among": "discard", "kind": "hero"}, "called": "found"},
        {"do": "put", "card": "found", "from": "discard", "to": "top"},
    ]
    _, state = played(text, [], [], discard=["hopper", "challenge", "bun_bun"])
    assert offered(state, 0) == [ChooseCard("hopper"), ChooseCard("bun_bun")]
    after = then(state, 0, ChooseCard("hopper"))
    assert after.cards_at(DECK)[0] == "hopper"
    assert after.cards_at(DISCARD)[:2] == ("challenge", "bun_bun")


@pytest.mark.clause("HTS-PUT-2")
def test_a_hero_of_the_discard_pile_joins_the_party_as_a_new_one_without_a_free_roll() -> None:
    text: Text = [
        {"do": "choose", "card": {"among": "discard"}, "called": "found"},
        {"do": "put", "card": "found", "from": "discard", "to": "party"},
    ]
    _, state = played(text, [], [], discard=["hopper", "challenge"], rolled=("hopper",))
    events, after = when(state, 0, ChooseCard("hopper"))
    assert [event.seat for event in of(events, HeroEntered)] == [0]
    assert after.party_of(0) == ("peanut", "hopper")
    assert asked(after) == {0}
    assert RollFor("hopper") in offered(after, 0)  # for a point, as ever
    events, after = when(state, 0, ChooseCard("challenge"))
    assert [event.what for event in of(events, EffectLapsed)] == ["put"]
    assert "challenge" in after.cards_at(DISCARD)


@pytest.mark.clause("HTS-PUT-1", "HTS-DO-13")
def test_of_the_cards_looked_at_one_is_kept_and_the_others_are_put_away() -> None:
    text: Text = [
        {"do": "look_at_deck", "count": 3, "called": "top"},
        {"do": "choose", "card": {"among": "top"}, "called": "kept", "unseen": True},
        {"do": "keep", "card": "kept", "among": "top"},
        {"do": "put", "card": "top", "from": "deck", "to": "discard"},
    ]
    _, state = played(text, [], [], deck=["hopper", "bun_bun", "spooky"])
    after = then(state, 0, ChooseUnseen("bun_bun"))
    assert after.cards_in_hand(0) == ("bun_bun",)
    assert after.cards_at(DISCARD)[:2] == ("hopper", "spooky")
    text[3] = {"do": "put", "card": "top", "from": "deck", "to": "bottom"}
    _, state = played(text, [], [], deck=["hopper", "bun_bun", "spooky"])
    events, after = when(state, 0, ChooseUnseen("bun_bun"))
    assert after.cards_at(DECK)[-2:] == ("hopper", "spooky")
    assert "hopper" not in str([event.view_for(1) for event in events])
    text[2:] = [
        {"do": "put", "card": "kept", "from": "deck", "to": "bottom", "among": "top"},
        {"do": "put_back", "among": "top"},
    ]
    _, state = played(text, [], [], deck=["hopper", "bun_bun", "spooky"])
    after = then(state, 0, ChooseUnseen("bun_bun"), ChooseCards(("spooky", "hopper")))
    assert (after.cards_at(DECK)[:2], after.cards_at(DECK)[-1]) == (("spooky", "hopper"), "bun_bun")


SNATCH: Text = [
    {"do": "choose", "player": {"holding": True}, "called": "victim"},
    {"do": "look_at_hand", "of": "victim", "called": "seen"},
    {"do": "choose", "card": {"among": "seen"}, "called": "picked", "unseen": True},
    {"do": "put", "card": "picked", "from": "victim", "to": "discard"},
]


@pytest.mark.clause("HTS-PUT-1", "HTS-DO-7")
def test_a_card_of_another_hand_is_put_on_the_discard_pile() -> None:
    _, state = played(SNATCH, [], ["hopper", "bun_bun"], ["spooky"])
    state = then(state, 0, ChoosePlayer(1))
    assert not refusal(state, 0, ChooseUnseen("spooky")).granted
    events, after = when(state, 0, ChooseUnseen("bun_bun"))
    assert after.cards_in_hand(1) == ("hopper",)
    assert "bun_bun" in after.cards_at(DISCARD)
    assert "hopper" not in str([event.view_for(2) for event in events])


def laid_out(text: Text, *hands: list[str], **more: Any) -> Table:
    """A table of real cards, with backs for hands and deck, on which magic with this text stands."""
    book = book_of(card(does=text))
    state = of_book(book, table(*hands, **{"parties": PARTIES, **more}), hand="the_card")
    hidden = {place: backs_of(state.cards_at(place)) for place in (DECK, *HANDS[: len(hands)])}
    real = replace(state.rules, cards_at_table=True, dice_at_table=True)
    state = replace(state, zones={**state.zones, **hidden}, rules=real)
    return stands(state, 0, PlayCard(book.card_id("the_card")))[1]


@pytest.mark.clause("HTS-PUT-1")
def test_at_a_real_table_the_holder_names_the_card_that_the_referee_does_not_know() -> None:
    state = then(laid_out(SNATCH, [], ["hopper", "bun_bun"], ["spooky"]), 0, ChoosePlayer(1), ConfirmSeen())
    if asked(state) == {0}:
        state = then(state, 0, ChooseUnseen("?"))
    assert asked(state) == {1}
    after = then(state, 1, ChooseCards(("bun_bun",)))
    assert after.cards_in_hand(1) == ("?",)
    assert "bun_bun" in after.cards_at(DISCARD)


@pytest.mark.clause("HTS-PUT-1")
def test_at_a_real_table_a_hero_goes_to_hand_and_deck_as_a_back() -> None:
    for to, hand in (("hand", ("?", "?")), ("top", ())):
        after = then(laid_out(away(to), [], []), 0, ChooseCard("hook"))
        assert after.cards_in_hand(1) == hand
        assert set(after.cards_at(DECK)) == {"?"}


@pytest.mark.clause("HTS-PUT-1")
def test_at_a_real_table_cards_looked_at_are_named_by_the_player_who_discards_them() -> None:
    text: Text = [
        {"do": "look_at_deck", "count": 2, "called": "top"},
        {"do": "put", "card": "top", "from": "deck", "to": "discard"},
    ]
    state = then(laid_out(text, [], []), 0, ConfirmSeen())
    assert asked(state) == {0}
    after = then(state, 0, ChooseCards(("hopper", "bun_bun")))
    assert after.cards_at(DISCARD)[:2] == ("hopper", "bun_bun")
    assert after.cards_in_hand(0) == ()


@pytest.mark.clause("HTS-PUT-1")
def test_where_a_card_is_put_is_read_aloud() -> None:
    _, state = played(away("hand"), [], [])
    move = ChooseCard("hook")
    events, _ = when(state, 0, move)
    said, clauses = read(GAME, *events, move=move)
    assert "Hook goes to the hand of Player 2" in said["en"]
    assert clauses == ("HTS-PUT-1",)
