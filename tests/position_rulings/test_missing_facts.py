"""Facts that a position leaves out: asked for all at once, assumed and said, or found not to matter."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.codec import decode_named
from referee.engine.events import Move
from referee.engine.positions.left_out import LeftOut, find_left_out, list_values, write_member
from referee.engine.referee import find_near_misses, judge_candidates, seats_that_must_act
from referee.engine.rulings import MalformedInput
from referee.engine.seats import Seat
from referee.games import load_games
from referee.position_rulings import report
from referee.position_rulings.facts import MissingFacts
from referee.position_rulings.file_format import say_what_matters
from referee.position_rulings.judging import rule_on_position
from referee.position_rulings.request import PartyStatement, Question, read_path

GAMES = load_games()
MUNCHKIN, MAU_MAU, MONSTERS = GAMES["munchkin"], GAMES["mau_mau"], GAMES["monster_combat"]
QUARREL = Question("illegal_move", says=(PartyStatement(0, legal=True), PartyStatement(1, legal=False)))
COMBAT: dict[str, Any] = {
    "seats": [{"level": 5}, {"level": 7}, {"level": 3}],
    "turn": 0,
    "combat": {"monsters": ["wolfman"], "helper": 1},
}
EMPTY: dict[str, Any] = {"items": [], "towns": [], "ride": [], "curses": []}
LARGE = ("creature_crush", "here_to_slay", "munchkin")  # games with so many questions that all of them take long
GAMES_BY_DEPTH = [pytest.param(name, marks=[pytest.mark.deep] if name in LARGE else []) for name in GAMES]
CLAIM = decode_named({"type": "mk.claim"}, Move)


def find_missing(game: Any, position: dict[str, Any], seat: int, move: Move, quarrel: Question) -> list[dict[str, Any]]:
    with pytest.raises(MissingFacts) as missing:
        rule_on_position(game, position, Seat(seat), move, quarrel)
    return missing.value.facts


def fill(position: dict[str, Any], facts: list[dict[str, Any]]) -> dict[str, Any]:
    for fact in facts:
        (value,) = fact["fragment"].values()
        position = write_member(position, read_path(fact["pointer"]), value)
    return position


@pytest.mark.clause("TABLE-JUDGE-4")
def test_a_combat_with_many_missing_facts_asks_for_all_of_them_in_one_run() -> None:
    facts = find_missing(MUNCHKIN, COMBAT, 0, CLAIM, QUARREL)
    of_fighters = {f"/seats/{seat}/{what}" for seat in (0, 1) for what in ("items", "towns", "ride", "curses")}
    assert {fact["pointer"] for fact in facts} == {*of_fighters, "/question"}
    for fact in facts:
        assert set(fact["asks"]) == {"en", "de"}
        assert fact["asks"]["en"] != fact["asks"]["de"]
        assert fact["values"]
    assert rule_on_position(MUNCHKIN, fill(COMBAT, facts), Seat(0), CLAIM, QUARREL)["verdict"] == "granted"
    printed = report.render_missing_facts(MUNCHKIN, facts, "de")
    assert "9 Angaben fehlen" in printed
    assert "\n     curses: []\n" in printed


@pytest.mark.clause("TABLE-JUDGE-4")
@pytest.mark.parametrize(("card", "member"), [("shield", "hand"), ("life_back", "hearts")])
def test_a_fact_is_asked_for_where_it_stands_not_where_another_one_bears_on_it(card: str, member: str) -> None:
    first = {"hearts": 3, "immune": False, "hand": ["sword", "shield", "life_back", "lightning"]}
    del first[member]
    seats = [first, {"hearts": 2, "immune": False, "hand": 4}, {"hearts": 1, "immune": True, "hand": 3}]
    lies = {"discard": ["sword", "thief_1"], "event_tray": ["immune"], "question": {"asks": "play"}}
    position = {"variant": "V1", "players": seats, "turn": 0, "direction": "clockwise", "fallen": [], **lies}
    move = decode_named({"type": "mc.play", "card": card}, Move)
    (fact,) = find_missing(MONSTERS, position, 0, move, QUARREL)
    assert fact["pointer"] == f"/players/0/{member}"
    assert "depends on it. Add the line " in report.render_missing_facts(MONSTERS, [fact], "en")
    assert rule_on_position(MONSTERS, fill(position, [fact]), Seat(0), move, QUARREL)["verdict"] != "undecided"


@pytest.mark.clause("TABLE-JUDGE-4")
def test_a_helper_who_is_left_out_is_asked_for_as_no_answer_follows_without() -> None:
    seats = [{"level": 5, **EMPTY}, {"level": 7, **EMPTY}, {"level": 3}]
    alone = {**COMBAT, "seats": seats, "combat": {"monsters": ["wolfman"]}, "question": {"asks": "fight"}}
    (fact,) = find_missing(MUNCHKIN, alone, 0, CLAIM, QUARREL)
    assert (fact["pointer"], fact["fragment"]) == ("/combat/helper", {"helper": None})
    assert [each["value"] for each in fact["values"]] == [1, 2, None]
    verdicts = {}
    for helper in (None, 1):
        position = write_member(alone, ("combat", "helper"), helper)
        verdicts[helper] = rule_on_position(MUNCHKIN, position, Seat(0), CLAIM, QUARREL)["verdict"]
    assert verdicts == {None: "refused", 1: "granted"}


def test_a_plain_question_asks_only_for_what_no_default_says() -> None:
    facts = find_missing(MUNCHKIN, COMBAT, 0, CLAIM, Question())
    assert "/question" not in {fact["pointer"] for fact in facts}
    ruling = rule_on_position(MUNCHKIN, fill(COMBAT, facts), Seat(0), CLAIM, Question())
    assert ruling["verdict"] == "granted"
    assert "/question" in {each["pointer"] for each in ruling["assumed"]}


def judge_less(game: Any, position: dict[str, Any], seat: Seat, move: Move) -> tuple[str, set[str]]:
    """Return what becomes of a quarrel, and the pointers of what is assumed in it."""
    try:
        ruling = rule_on_position(game, position, seat, move, Question("illegal_move"))
    except MissingFacts:
        return "asked", set()
    except MalformedInput:  # the rest of the position needs the member
        return "malformed", set()
    return ruling["verdict"], {each["pointer"] for each in ruling["assumed"]}


@pytest.mark.clause("TABLE-JUDGE-4")
@pytest.mark.parametrize("name", GAMES_BY_DEPTH)
def test_no_quarrel_can_be_had_both_ways_by_leaving_something_out(name: str) -> None:
    """Leave out any member of an example: the ruling is the same, or the member is asked for, or said to be assumed."""
    game, tried, asked = GAMES[name], 0, 0
    for example in game.positions.build_examples(game.variants[0])[:4]:
        state = game.positions.decode_position(example)
        seat = next((each for each in sorted(seats_that_must_act(state)) if each >= 0), None)
        move = None if seat is None else next((move for move, _ in find_near_misses(state, seat)), None)
        if seat is None or move is None:
            continue
        whole = say_what_matters(game, example, seat, move)
        verdict = rule_on_position(game, whole, seat, move, Question("illegal_move"))["verdict"]
        for member in [*whole]:
            if member in ("variant", "seats", "players", "edition"):
                continue
            less = {key: value for key, value in whole.items() if key != member}
            tried += 1
            outcome, assumed = judge_less(game, less, seat, move)
            asked += outcome == "asked"
            is_same = outcome in ("asked", "malformed", "undecided", verdict)
            assert is_same or any(each.startswith(f"/{member}") for each in assumed), (member, outcome)
    assert tried
    assert asked


@pytest.mark.clause("TABLE-JUDGE-4")
@pytest.mark.parametrize("name", GAMES_BY_DEPTH)
def test_the_open_question_is_asked_for_in_a_quarrel_of_every_game(name: str) -> None:
    """A move that is legal at the question of an example is not judged by the question that is usual."""
    game, found = GAMES[name], 0
    for example in game.positions.build_examples(game.variants[0]):
        state = game.positions.decode_position(example)
        seat = next((each for each in sorted(seats_that_must_act(state)) if each >= 0), None)
        legal = () if seat is None else (move for move, against in judge_candidates(state, seat) if against is None)
        move = next(iter(legal), None)
        less = {key: value for key, value in example.items() if key not in ("question", "pending_steps")}
        if seat is None or move is None or less == example:
            continue
        try:
            ruling = rule_on_position(game, less, seat, move, Question("illegal_move"))
        except MissingFacts as missing:
            found += "/question" in {fact["pointer"] for fact in missing.facts}
        except MalformedInput:  # other members of the example need its question
            continue
        else:
            assert ruling["verdict"] != "refused"
    assert found


@pytest.mark.clause("TABLE-JUDGE-4")
def test_a_fact_whose_every_value_gives_the_same_ruling_is_not_asked_for() -> None:
    """Whose turn it is does not matter to somebody who passes in the window of a challenge."""
    game, found = GAMES["here_to_slay"], []
    passing = decode_named({"type": "hts.pass"}, Move)
    for example in game.positions.build_examples("standard"):
        state = game.positions.decode_position(example)
        less = {key: value for key, value in example.items() if key != "turn"}
        for seat in sorted(each for each in seats_that_must_act(state) if each >= 0):
            if (example.get("question") or {}).get("asks") not in ("challenge", "modifiers"):
                continue
            try:
                ruling = rule_on_position(game, less, seat, passing, Question("illegal_move"))
            except MissingFacts:  # something else is missing there, too
                continue
            assert ruling["verdict"] == "granted"
            found += [(each["pointer"], report.render_plain_text(game, ruling, "de")) for each in ruling["as_if"]]
    assert found
    assert {pointer for pointer, _ in found} == {"/turn"}
    assert all("Das spielt hier keine Rolle; geurteilt, als wäre es so: Spieler 1." in text for _, text in found)


@pytest.mark.clause("TABLE-JUDGE-4")
def test_what_nobody_knows_leaves_the_ruling_undecided_with_what_each_value_means() -> None:
    position = {**COMBAT, "seats": [{"level": 5, **EMPTY}, {"level": 7, **EMPTY}, {"level": 3}]}
    ruling = rule_on_position(
        MUNCHKIN, position, Seat(0), CLAIM, Question("illegal_move", unknown=frozenset({("question",)}))
    )
    assert ruling["verdict"] == "undecided"
    assert [need["key"] for need in ruling["needs"]] == ["judge.unknown_fact"]
    (fact,) = ruling["open_facts"]
    verdicts = {each["value"]["asks"]: each["verdict"] for each in fact["answers"] if each["value"]}
    assert verdicts["fight"] == "granted"
    assert verdicts["claim"] == "refused"
    assert "Was niemand mehr weiß" in report.render_plain_text(MUNCHKIN, ruling, "de")


def test_the_ruling_shows_its_sums() -> None:
    position = {
        **COMBAT,
        "seats": [{"level": 5, **EMPTY}, {"level": 7, **EMPTY}, {"level": 3}],
        "question": {"asks": "fight"},
    }
    ruling = rule_on_position(MUNCHKIN, position, Seat(0), CLAIM, QUARREL)
    munchkins, monsters = ruling["sums"]
    assert (munchkins["value"], monsters["value"]) == (12, 6)
    assert [part["value"] for part in munchkins["parts"]] == [5, 7]
    assert "Stufe von Spieler 2: 7" in report.render_plain_text(MUNCHKIN, ruling, "de")
    assert "Stufe von Spieler 2: 7" in report.render_page(MUNCHKIN, ruling, "de")


def test_the_values_of_a_member_follow_from_its_schema() -> None:
    seat = {"type": "integer", "minimum": 0, "maximum": 5, "x-seat": True}
    assert list_values(LeftOut(("turn",), seat), 3, ()).values == (0, 1, 2)
    assert list_values(LeftOut(("turn",), {"type": "boolean"}), 3, ()).are_all
    large = list_values(LeftOut(("n",), {"type": "integer", "minimum": 0, "maximum": 999}), 3, ())
    assert (large.values[0], large.values[-1], large.are_all) == (0, 999, False)
    cards = {"type": "array", "items": {"enum": ["a", "b", "c"]}, "maxItems": 5}
    assert list_values(LeftOut(("hand",), cards), 3, ["b"]).values[:2] == ([], ["b"])


def test_what_is_left_out_is_found_within_lists_and_forms() -> None:
    schema = MUNCHKIN.positions.build_schema("standard")
    paths = {each.path for each in find_left_out(schema, {**COMBAT, "question": {"asks": "claim"}})}
    assert {("seats", 2, "items"), ("combat", "added"), ("question", "passed")} <= paths
    assert ("combat", "helper") not in paths


def test_a_member_within_another_is_asked_for_by_what_it_means_there() -> None:
    fled = {"main": 0, "monsters": ["oogie_boogie"], "to_flee": [{"monster": "oogie_boogie"}]}
    position = {
        "seats": [{"level": 5, **EMPTY}, {"level": 7}, {"level": 3}],
        "turn": 0,
        "combat": fled,
        "question": {"asks": "flee"},
    }
    flee = decode_named({"type": "mk.flee", "monster": "oogie_boogie"}, Move)
    asks = {fact["pointer"]: fact["asks"]["de"] for fact in find_missing(MUNCHKIN, position, 0, flee, QUARREL)}
    assert asks["/combat/to_flee/0/seat"] == "Wer muss noch weglaufen?"


def test_the_questions_of_a_game_that_names_them_are_words_to_choose_from() -> None:
    floor = {"dungeon_master": 0, "floor": 1, "plan": {"rows": ["Eab", "cde", "f.."], "cards": {}, "up": []}}
    reveal = decode_named({"type": "sm.reveal", "x": 1, "y": 0}, Move)
    facts = find_missing(GAMES["shy_monsters"], floor, 1, reveal, QUARREL)
    (asked,) = (fact for fact in facts if fact["pointer"] == "/question")
    said = {each["says"]["de"] for each in asked["values"]}
    assert "vor dem Losziehen Karten aufdecken" in said
    assert not said & {"explore", "turn_up", "reveal"}
