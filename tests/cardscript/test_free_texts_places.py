"""Where a report on a free text may lay cards that nobody has seen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import orjson
import pytest

from api.http.schemas.polymorphic import MoveUnion
from referee.cardscript.free_text.changes import CardMove, CardsToDraw, CarryOutAsWritten, Change, NewValue
from referee.cardscript.free_text.games import find_game
from referee.cardscript.free_text.reports import _require_possible_table
from referee.engine.referee import find_legal_moves, judge_move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.match.entries import LogEntry
from referee.rendering import summary, texts
from referee.rendering.input_errors import translate_input_error
from tests.cardscript.free_texts import asked_for_report
from tests.games.course import refused, when

REAL: dict[str, Any] = {"deck": "table", "dice": "table"}
CHOICES = ("draft:0", "draft:1", "sought:0", "sought:1")


def report(*changes: Change) -> CarryOutAsWritten:
    return CarryOutAsWritten(changes)


def with_crush_cards(state: Any, *places: str) -> Any:
    """The table with a card of the other player's deck in each of these places."""
    deck = state.cards_at("deck/1:")
    moved = {place: (deck[number],) for number, place in enumerate(places)}
    return replace(state, zones={**state.zones, **moved, "deck/1:": deck[len(places) :]})


@pytest.mark.parametrize("chance", [{}, REAL], ids=["server", "table"])
def test_no_unseen_card_of_a_hand_or_deck_comes_to_row_c(chance: dict[str, Any]) -> None:
    game, state = asked_for_report("creature_crush", **chance)
    for source in ("hand:1", "deck/1:"):
        back = state.view_for(0).cards_at(source)[0]
        move = CardMove(back, source, "C1/1:1")
        for changes in ((move,), (move, move)):
            assert refused(state, 0, report(*changes)) == ("unseen_card_misplaced", "CARDS-FREE-2")
        says = texts.describe_reason(game, judge_move(state, Seat(0), report(move)))
        assert "not every card" in says["en"]
        assert "nicht jede Karte" in says["de"]


def test_a_crush_card_may_change_its_place_unseen_if_the_new_one_is_free() -> None:
    _, state = asked_for_report("creature_crush")
    state = with_crush_cards(state, "C1/1:1", "C2/1:1")
    back = state.view_for(0).cards_at("C1/1:1")[0]
    first, second = CardMove(back, "C1/1:1", "C3/1:1"), CardMove(back, "C2/1:1", "C3/1:1")
    assert judge_move(state, Seat(0), report(first)).verdict == "granted"
    assert refused(state, 0, report(first, second)) == ("place_taken", "CARDS-FREE-2")
    assert refused(state, 0, report(CardMove(back, "C1/1:1", "C2/1:1"))) == ("place_taken", "CARDS-FREE-2")
    after = report(first, CardMove(back, "C2/1:1", "C1/1:1"))
    assert judge_move(state, Seat(0), after).verdict == "granted"


@pytest.mark.parametrize("chance", [{}, REAL], ids=["server", "table"])
def test_a_draft_or_a_search_is_no_place_while_nobody_chooses(chance: dict[str, Any]) -> None:
    game, state = asked_for_report("creature_crush", **chance)
    back = state.view_for(0).cards_at("hand:1")[0]
    [pattern] = state.agenda[-1].move_patterns(state, Seat(0))
    offered = [part["name"] for part in pattern["fields"]["changes"]["parts"]]
    assert refused(state, 0, report(CardMove(back, "hand:1", "pool:"))) == ("no_place_for_card", "CARDS-FREE-2")
    assert "pool:" not in offered
    for place in CHOICES:
        assert refused(state, 0, report(CardMove(back, "hand:1", place))) == ("no_place_for_card", "CARDS-FREE-2")
        assert place not in offered
        assert game.is_place(replace(state, zones={**state.zones, place: (back,)}), place)
    assert next(iter(find_legal_moves(state, Seat(0)))) == report()


def test_what_the_census_finds_is_told_in_both_languages() -> None:
    _, state = asked_for_report("creature_crush", **REAL)
    state = replace(state, agenda=state.agenda[:-2], rules=replace(state.rules, named=(1,)))  # seat 1: a bot
    before = state.view_for(0)
    first, second, *rest = before.cards_at("hand:1")
    after = replace(before, zones={**before.zones, "hand:1": tuple(rest), "C1/1:1": (first, second)})
    with pytest.raises(IllegalMove) as wrong:
        _require_possible_table(before, after)
    detail = wrong.value.params["detail"]
    assert set(detail) == {"en", "de"}
    assert detail["en"] != detail["de"]


@pytest.mark.parametrize(
    ("name", "source", "target"),
    [
        ("here_to_slay", "monsters:", "hand:0"),
        ("here_to_slay", "monsters:", "discard"),
        ("here_to_slay", "deck:", "monsters:"),
        ("munchkin", "hand:1", "doors:"),
    ],
)
def test_the_reason_is_that_not_every_such_card_belongs_there(name: str, source: str, target: str) -> None:
    _, state = asked_for_report(name)
    assert find_game(state).is_place(state, target)
    back = state.view_for(0).cards_at(source)[0]
    assert refused(state, 0, report(CardMove(back, source, target))) == ("unseen_card_misplaced", "CARDS-FREE-2")


@pytest.mark.parametrize("name", ["here_to_slay", "munchkin"])
def test_a_number_that_is_set_is_read_aloud_though_the_report_draws_too(name: str) -> None:
    game, state = asked_for_report(name)
    pointer = next(iter(game.list_settable_values(state)))
    hand = state.cards_in_hand(0)[0]
    move = report(
        CardMove(hand, "hand:0", "hand:1"),
        CardsToDraw(2, 1, "doors:" if name == "munchkin" else ""),
        NewValue(pointer, 2),
    )
    events, _ = when(state, 0, move)
    logged = LogEntry("", 1, 0, 0, "player", move, events, (), b"")
    told, _ = summary.render_sentences(game, logged, move, events, {})
    assert "now 2" in told["en"]
    assert "jetzt 2" in told["de"]


@pytest.mark.parametrize(
    ("to", "told"),
    [
        (10**30, {"en": "Must be greater than or equal to", "de": "Der Wert muss zwischen -1000 und 1000 liegen."}),
        (1.5, {"en": "a whole number, true or false or a text is needed", "de": "eine ganze Zahl, ja oder nein"}),
        ([1], {"en": "a whole number, true or false or a text is needed", "de": "eine ganze Zahl, ja oder nein"}),
        ({}, {"en": "a whole number, true or false or a text is needed", "de": "eine ganze Zahl, ja oder nein"}),
    ],
)
def test_a_value_that_is_set_is_told_what_it_must_be(to: Any, told: dict[str, str]) -> None:
    data = json.loads(json.dumps({"type": CarryOutAsWritten.TAG, "changes": [{"set": "/damage/eel", "to": to}]}))
    for changes in (data, orjson.loads(json.dumps(data))):
        found: Any = MoveUnion().validate(changes)  # type: ignore[no-untyped-call]  # the library has no types
        [wrong] = found["changes"][0]["to"]
        for lang, part in told.items():
            assert part in translate_input_error(wrong, lang)
