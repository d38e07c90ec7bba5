"""Card texts that no words say: what a report may list, what follows, and who learns what."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from api.http.schemas.polymorphic import MoveUnion
from referee.cardscript.free_text.changes import CardMove, CardsToDraw, CarryOutAsWritten, NewValue
from referee.cardscript.free_text.events import CardMovedAsWritten, TextCarriedOut
from referee.cardscript.moves import Accept
from referee.engine.chance import PickResult
from referee.engine.codec import DecodeError, decode_named, encode
from referee.engine.events import Event, Move, apply_events
from referee.engine.referee import find_legal_moves, judge_move
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import backs_of
from referee.games import load_games
from referee.games.here_to_slay.components import MONSTER_BOX, SLAIN
from referee.match.aggregate import Match
from referee.match.reported_moves import foresee_reports
from referee.rendering import pickers, texts
from referee.rendering.input_errors import translate_input_error
from tests.cardscript.free_texts import CARDS, asked_for_report, questions_met, views
from tests.games.course import of, refused, when

REAL: dict[str, Any] = {"deck": "table", "dice": "table"}
DECK = {"here_to_slay": "deck:", "munchkin": "doors:", "creature_crush": "deck/0:"}
OPEN = {"here_to_slay": "discard", "munchkin": "doors/discard", "creature_crush": "hell/0"}
EVERY_GAME = pytest.mark.parametrize("name", CARDS)


def report(*changes: Any, more: bool = False) -> CarryOutAsWritten:
    return CarryOutAsWritten(changes, more)


def seen_by_all(state: Any, events: tuple[Event, ...], after: Any) -> None:
    """What each viewer is shown leads to that viewer's view of the table."""
    for seat in views(state):
        table = state.view_for(seat)
        assert apply_events(table, (event.view_for(seat) for event in events)) == after.view_for(seat)


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-1")
def test_the_player_of_the_card_alone_reports_and_nothing_may_have_changed(name: str) -> None:
    game, state = asked_for_report(name)
    assert next(iter(find_legal_moves(state, Seat(0)))) == report()
    assert refused(state, 1, report())[1] in ("KERNEL-TURN-1", "CARDS-CHOICE-1")
    assert refused(state, 0, Accept()) == ("not_what_is_asked", "KERNEL-MOVE-1")
    assert refused(state, 0, report(more=True)) == ("more_of_nothing", "CARDS-FREE-1")
    events, after = when(state, 0, report())
    assert [(each.seat, each.count) for each in of(events, TextCarriedOut)] == [(0, 0)]
    assert after.zones == state.zones or name == "munchkin"
    told = game.narration.describe_event(of(events, TextCarriedOut)[0])
    assert "no change" in told["en"]
    assert "keine Änderung" in told["de"]


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-2")
def test_cards_are_moved_drawn_and_numbers_set_in_one_report(name: str) -> None:
    game, state = asked_for_report(name)
    hand, many = state.cards_in_hand(0)[0], len(state.cards_in_hand(1))
    number = game.list_settable_values(state)
    values = [NewValue(next(iter(number)), 2)] if number else []
    move = report(CardMove(hand, "hand:0", DECK[name] if name != "munchkin" else "hand:1", top=True),
                  CardsToDraw(2, 1, DECK[name] if name == "munchkin" else ""), *values)  # fmt: skip
    assert decode_named(encode(move), Move) == move
    events, after = when(state, 0, move)
    seen_by_all(state, events, after)
    assert len(after.cards_in_hand(1)) == many + (3 if name == "munchkin" else 2)
    assert all(told is None or set(told) == set(LANGUAGES) for told in map(game.narration.describe_event, events))
    if values:
        assert game.narration.describe_event(move)["en"].endswith("now 2.")


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-2")
def test_of_a_hidden_card_that_goes_to_a_hidden_place_others_see_a_back(name: str) -> None:
    _, state = asked_for_report(name)
    card = state.cards_in_hand(0)[0]
    move = report(CardMove(card, "hand:0", DECK[name]))
    if name == "munchkin" and judge_move(state, Seat(0), move).verdict == "refused":
        move = report(CardMove(card, "hand:0", "treasures:"))
    back = backs_of((card,))[0]
    for seat in (1, -1):
        shown: Any = move.view_for(seat, 0)
        assert [each.move for each in shown.changes] == [back]
    assert move.view_for(0, 0) == move
    events, after = when(state, 0, move)
    seen_by_all(state, events, after)
    assert not any(card in str(event.view_for(1)) for event in events)


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-2")
def test_the_hand_of_another_gives_a_card_by_chance_and_never_by_name(name: str) -> None:
    _, state = asked_for_report(name)
    theirs = state.cards_in_hand(1)
    back = state.view_for(0).cards_in_hand(1)[0]
    wrong = refused(state, 0, report(CardMove(theirs[0], "hand:1", "hand:0")))
    absent = next(card for card in state.possible_cards("hand:1") if card not in str(state.view_for(0).zones))
    assert wrong == refused(state, 0, report(CardMove(absent, "hand:1", "hand:0"))) == (
        "no_such_card_there", "CARDS-FREE-2",
    )  # fmt: skip
    first, asking = when(state, 0, report(CardMove(back, "hand:1", "hand:0")))
    assert asking.awaited_seats == {CHANCE}
    assert set(texts.question_response(load_games()[name], asking)["asks"]) == set(LANGUAGES)
    events, after = when(asking, CHANCE, PickResult((theirs[-1],)))
    assert theirs[-1] in after.cards_in_hand(0)
    seen_by_all(state, (*first, *events), after)
    assert refused(asking, CHANCE, PickResult(("nothing",))) == ("not_these_cards", "KERNEL-CHANCE-1")


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-2")
def test_what_a_report_may_not_list_is_refused_alike_on_the_view_and_on_the_table(name: str) -> None:
    game, state = asked_for_report(name)
    hand, back = state.cards_in_hand(0)[0], state.view_for(0).cards_at(DECK[name])[0]
    place = {"here_to_slay": "party/0", "munchkin": "play/0", "creature_crush": "A1/0"}[name]
    wrong = {
        CardMove(hand, "hand:0", "nowhere"): "no_place_for_card",
        CardMove(hand, "hand:0", "hand:7"): "no_place_for_card",
        CardMove(hand, "hand:0", "hand:0"): "no_place_for_card",
        CardMove("nothing", "hand:0", "hand:1"): "no_such_card_there",
        CardMove(back, DECK[name], place): "unseen_card_there",
        CardsToDraw(1, 7): "no_such_change",
        CardsToDraw(1, 0, "nowhere"): "no_such_draw",
        NewValue("/agenda/0/seat", 1): "no_open_value",
        NewValue("/zones/hand:0/0", "x"): "no_open_value",
        NewValue("/turns", "many"): "no_open_value",
        NewValue("/nothing/at/all", 1): "no_open_value",
        NewValue("turns", 1): "no_open_value",
        NewValue("/turn", 0): "no_open_value",
        NewValue("/winner", 0): "no_open_value",
        NewValue("/quiet", 500): "no_open_value",
    }
    if name != "creature_crush":
        wrong[NewValue("/points" if name == "here_to_slay" else "/levels/0", 100)] = "impossible_report"
    for change, reason in wrong.items():
        for table in (state, state.view_for(0)):
            assert refused(table, 0, report(change)) == (reason, "CARDS-FREE-2"), change
        says = texts.describe_reason(game, judge_move(state, Seat(0), report(change)))
        assert (says["en"] + says["de"]).count("{") == 0, says


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-2")
def test_the_top_of_a_pile_goes_to_an_open_pile_unseen_and_lies_open_then(name: str) -> None:
    _, state = asked_for_report(name)
    pile, there = DECK[name], OPEN[name]
    back, first = state.view_for(0).cards_at(pile)[0], state.cards_at(pile)[0]
    move = report(CardMove(back, pile, there))
    other = state.cards_at(pile)[-1]  # what is refused cannot depend on which card it is
    turned = replace(state, zones={**state.zones, pile: (other, *state.cards_at(pile)[1:-1], first)})
    assert judge_move(state, Seat(0), move) == judge_move(turned, Seat(0), move)
    assert judge_move(state.view_for(0), Seat(0), move).granted
    for seat in views(state):
        shown = move.view_for(seat, 0)
        assert shown is not None
        assert first not in str(shown)
    events, after = when(state, 0, move)
    assert after.cards_at(there)[-1] == first
    assert (first in after.view_for(-1).cards_at(there), len(after.cards_at(pile))) == (
        True,
        len(state.cards_at(pile)) - 1,
    )
    seen_by_all(state, events, after)
    three = report(
        *(CardMove(back, pile, there) for _ in range(3)), *(CardMove(state.cards_in_hand(0)[0], "hand:0", "hand:1"),)
    )
    assert judge_move(state, Seat(0), three).granted


@EVERY_GAME
def test_why_a_table_cannot_be_as_reported_is_told_in_german_too(name: str) -> None:
    found = set[str]()
    for chance in ({}, REAL):
        game, state = asked_for_report(name, **chance)
        seen = state.view_for(0)
        changes: list[Any] = [NewValue(each, to) for each in game.list_settable_values(state) for to in (-1, 10, 10**6)]
        for source in ("hand:0", "row", DECK[name]):
            cards = list(dict.fromkeys(seen.cards_at(source)))[:1]
            cards += [card for card, left in seen.free_copies(source).items() if left > 0][:1] if chance else []
            places = {*state.zones, *(place for place in game.places if game.is_place(state, place))}
            changes += [CardMove(card, source, place) for card in cards for place in sorted(places)]
        for change in changes:
            ruling = judge_move(state, Seat(0), report(change))
            if ruling.reason == "impossible_report":
                says = texts.describe_reason(game, ruling)
                told = {lang: text.partition(": ")[2] for lang, text in says.items()}
                assert told["de"] != told["en"], (change, told)
                found.add(told["en"])
    assert found
    assert not any("unknown value" in each for each in found)


@pytest.mark.parametrize(
    ("change", "pointer", "detail"),
    [
        ({"set": "/points", "to": [1]}, "/to", "a whole number, true or false or a text is needed"),
        ({"set": "/points", "to": 10**20}, "/to", "the number is too large"),
        ({"set": "/points"}, "/to", "is missing"),
        ({"set": "/points", "to": 1, "seat": 1}, "/seat", "no such field"),
        ({"set": 1, "to": 2}, "/set", "a text is needed"),
        ({"move": "x"}, "/source", "is missing"),
        ({"draw": 1}, "/seat", "is missing"),
        ({"draw": "x", "seat": 0}, "/draw", "a whole number is needed"),
        (5, "", "an object is needed"),
    ],
)
def test_what_is_wrong_with_a_change_is_told_of_the_change_that_was_meant(
    change: Any, pointer: str, detail: str
) -> None:
    with pytest.raises(DecodeError) as wrong:
        decode_named({"type": CarryOutAsWritten.TAG, "changes": [change]}, Move)
    assert (wrong.value.pointer, wrong.value.detail) == (f"/changes/0{pointer}", detail)
    assert translate_input_error(detail, "de") not in (detail, "")
    answered = MoveUnion().validate({"type": CarryOutAsWritten.TAG, "changes": [change]})["changes"][0]
    told = {f"/{name}" for name in answered} if pointer else {""}
    assert told == {pointer} or detail == "is missing", (answered, pointer)
    assert pointer in told


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-1")
def test_a_text_may_be_reported_in_several_parts(name: str) -> None:
    _, state = asked_for_report(name)
    draw = CardsToDraw(1, 0, DECK[name] if name == "munchkin" else "")
    events, between = when(state, 0, report(draw, more=True))
    assert between.agenda[-1] == state.agenda[-1]
    assert of(events, TextCarriedOut)[0].more
    drawn = between.cards_in_hand(0)[-1]
    _, after = when(between, 0, report(CardMove(drawn, "hand:0", "hand:1")))
    assert drawn in after.cards_in_hand(1)
    assert after.agenda[-1:] != state.agenda[-1:]


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-2")
def test_what_follows_a_draw_or_a_pick_is_reported_after_it(name: str) -> None:
    draw = CardsToDraw(1, 0, DECK[name] if name == "munchkin" else "")
    number = [NewValue("/points", 2)] if name == "here_to_slay" else []
    for chance in ({}, REAL):
        game, state = asked_for_report(name, **chance)
        mine = next(card for card, left in state.free_copies("hand:0").items() if left > 0) if chance else ""
        mine = mine or state.cards_in_hand(0)[0]
        back = state.view_for(0).cards_in_hand(1)[0]
        for late in (
            CardMove(mine, "hand:0", "hand:1"),
            CardMove(state.view_for(0).cards_at(DECK[name])[0], DECK[name], "hand:1"),
        ):
            assert refused(state, 0, report(draw, late)) == ("not_drawn_yet", "CARDS-FREE-2")
            assert "{" not in texts.describe_reason(game, judge_move(state, Seat(0), report(draw, late)))["de"]
            assert judge_move(state, Seat(0), report(late, draw, *number, draw)).granted
        pick = CardMove(back, "hand:1", "hand:0")
        assert judge_move(state, Seat(0), report(pick, draw, pick)).granted
        picked = report(pick, CardMove(mine, "hand:0", "hand:1"))
        assert judge_move(state, Seat(0), picked).granted == bool(chance)  # people have pulled it already


@pytest.mark.clause("HTS-WIN-1", "CARDS-FREE-1")
def test_the_third_slain_monster_of_a_report_wins_here_to_slay_at_once() -> None:
    game, after = asked_for_report("here_to_slay", **REAL)
    named = [card for card in MONSTER_BOX if card not in after.cards_at("row")]
    for number in range(3):
        slain = CardMove(after.cards_at("row")[0], "row", SLAIN[0])
        before, told = after, report(slain, CardMove(named[number], "monsters:", "row"), more=True)
        events, after = when(before, 0, told)
        seen_by_all(before, events, after)
        assert (game.find_outcome(after) is None) == (number < 2)
    assert game.find_outcome(after).winners == (0,)
    assert after.agenda == ()


@EVERY_GAME
@pytest.mark.clause("CARDS-TIME-1")
def test_an_absent_player_changes_nothing(name: str) -> None:
    _, state = asked_for_report(name)
    assert state.agenda[-1].timeout_move(state, Seat(0)) == report()


@EVERY_GAME
@pytest.mark.clause("CARDS-FREE-2")
def test_at_a_real_table_a_card_that_comes_to_lie_openly_is_named(name: str) -> None:
    _, state = asked_for_report(name, **REAL)
    back, there = state.cards_at(DECK[name])[0], OPEN[name]
    assert refused(state, 0, report(CardMove(back, DECK[name], there))) == ("nameless_card_laid_down", "CARDS-FREE-2")
    card = next(card for card, left in state.free_copies("hand:1").items() if left > 0)
    if judge_move(state, Seat(0), report(CardMove(card, "hand:1", there))).verdict == "refused":
        there = "treasures/discard"  # of a treasure
    events, after = when(state, 0, report(CardMove(card, "hand:1", there)))
    assert card in after.cards_at(there)
    assert len(after.cards_in_hand(1)) == len(state.cards_in_hand(1)) - 1
    seen_by_all(state, events, after)
    events, after = when(state, 0, report(CardMove(state.cards_in_hand(1)[0], "hand:1", "hand:0")))
    assert len(after.cards_in_hand(0)) == len(state.cards_in_hand(0)) + 1
    seen_by_all(state, events, after)


@pytest.mark.parametrize("name", ["here_to_slay", "munchkin"])
@pytest.mark.clause("CARDS-FREE-2")
def test_at_a_real_table_people_pick_from_the_hand_of_a_bot_and_read_it_out_again(name: str) -> None:
    _, state = asked_for_report(name, **REAL)
    held = tuple(card for card, left in state.free_copies("hand:1").items() if left > 0)[:3]
    rules = replace(state.rules, named=(1,))
    state = replace(state, rules=rules, zones={**state.zones, "hand:1": held})
    back = backs_of(held)[0]
    events, after = when(state, 0, report(CardMove(back, "hand:1", "hand:0")))
    assert all(set(event.put) == {back} for event in of(events, CardMovedAsWritten))
    assert after.cards_in_hand(1) == backs_of(held)[1:]  # nobody told the referee which one is gone
    assert after.awaited_seats == {CHANCE}
    seen_by_all(state, events, after)
    events, after = when(after, CHANCE, PickResult(held[1:]))
    assert after.cards_in_hand(1) == held[1:]
    assert after.awaited_seats != {CHANCE}
    other = next(card for card, left in state.free_copies("hand:1").items() if left > 0 and card not in held)
    for named in (held[0], other):  # whether the bot holds it shows in nothing
        events, after = when(state, 0, report(CardMove(named, "hand:1", "hand:0")))
        assert after.cards_in_hand(1) == backs_of(held)[1:]
        assert after.awaited_seats == {CHANCE}
        seen_by_all(state, events, after)
    twice = CardMove(back, "hand:1", "hand:0")
    _, after = when(state, 0, report(twice, twice))
    assert after.cards_in_hand(1) == backs_of(held)[2:]


@EVERY_GAME
@pytest.mark.clause("TABLE-TAP-3")
def test_a_seat_foresees_how_many_cards_of_a_bot_are_read_to_the_referee(name: str) -> None:
    _, state = asked_for_report(name, **REAL)
    held = tuple(card for card, left in state.free_copies("hand:1").items() if left > 0)[:3]
    state = replace(state, rules=replace(state.rules, named=(1,)), zones={**state.zones, "hand:1": held})
    back, top = backs_of(held)[0], state.cards_at(DECK[name])[0]
    draw, pick = CardsToDraw(2, 1, DECK[name] if name == "munchkin" else ""), CardMove(back, "hand:1", "hand:0")
    for changes in ((draw,), (CardMove(top, DECK[name], "hand:1"),), (pick,), (pick, pick), (draw, pick), (pick, draw)):
        _, after = when(state, 0, report(*changes))
        match = Match(game=name, variant=CARDS[name][1], state=state, chance=REAL)
        found = foresee_reports(match, Seat(0), report(*changes), ())
        assert found.after.agenda[-1] == after.agenda[-1], changes
        free = [card for card, left in after.free_copies("hand:1").items() if left > 0 and backs_of((card,)) == (top,)]
        read = PickResult(tuple(free[: after.agenda[-1].count]))
        if name != "munchkin" or changes[0] is not pick:  # whose doors and treasures are told apart
            reported = foresee_reports(match, Seat(0), report(*changes), (read,))
            assert reported.refused_at is None, (changes, reported.ruling)


@EVERY_GAME
def test_the_form_lists_what_the_seat_sees_and_the_button_stays_beside_it(name: str) -> None:
    game, state = asked_for_report(name)
    seen = state.view_for(0)
    legal = list(find_legal_moves(state, Seat(0)))
    listed, picked = pickers.condense_moves(game, legal, seen.agenda[-1].move_patterns(seen, Seat(0)))
    assert report() in listed
    (choice,) = next(each for each in picked if each["type"] == CarryOutAsWritten.TAG)["choices"]
    assert (choice["kind"], choice["values"], choice["most"]) == ("changes", [state.agenda[-1].card], 50)
    parts = {part["name"]: part["cards"] for part in choice["parts"]}
    assert parts["hand:0"] == list(state.cards_in_hand(0))
    assert parts["hand:1"] == list(backs_of(state.cards_in_hand(1)))
    assert all(part["says"]["de"] and part["says"]["en"] for part in choice["parts"])
    asks = texts.question_response(game, state)["asks"]
    assert "as it is written" in asks["en"]


@pytest.mark.deep
@EVERY_GAME
def test_a_position_holds_the_question_and_what_a_report_leads_to(name: str) -> None:
    met = 0
    for game, state in questions_met(name):
        met += 1
        by = state.agenda[-1].seat
        for table in (state, state.view_for(by)):
            assert game.positions.decode_position(game.positions.encode_position(table)) == table
        for place, cards in state.view_for(by).zones.items():
            for card in cards[:1]:
                move = report(CardMove(card, place, "hand:1"))
                given = judge_move(state, Seat(by), move)
                assert given == judge_move(state.view_for(by), Seat(by), move)
                if given.granted:
                    events, after = when(state, by, move)
                    seen_by_all(state, events, after)
                    assert game.positions.decode_position(game.positions.encode_position(after)) == after
    assert met
