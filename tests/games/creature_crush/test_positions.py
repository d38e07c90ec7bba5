"""Positions as a person writes them: every table can be written down and read back, and every question has a form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import build_view, judge_move, play_move
from referee.engine.seats import BYSTANDER, Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import DECKS, HANDS, HELLS, POOL
from referee.games.creature_crush.moves import Attack, EndCombat, Lay, Summon
from referee.games.creature_crush.rules.turn import TacticPhase
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import LastingChange
from tests.games.creature_crush.written import DECK_LIST, build_midgame, build_question, faults, read
from tests.games.matches import random_match

Data = dict[str, Any]


# ---- writing down and reading back ----------------------------------------------------------------------------------


def viewer(state: Table, at: int) -> Iterator[Table]:
    """A table, and what one of those who sit there or look on sees of it, each in turn."""
    yield state
    yield build_view(state, Seat((0, 1, BYSTANDER)[at % 3]))


OFTEN = {"combat", "tactic", "start_dice", "first_turn", "respond", "choose"}


SOURCES = (("server", ()), ("table", ()), ("table", (1,)))
CASES = [  # the quick run takes each variant with another source
    pytest.param(variant, *source, marks=() if at == other else pytest.mark.deep)
    for at, variant in enumerate(GAME.variants)
    for other, source in enumerate(SOURCES)
]


@pytest.mark.parametrize(("variant", "source", "named"), CASES)
def test_every_table_and_every_view_of_it_reads_back(variant: str, source: str, named: tuple[int, ...]) -> None:
    setup = GAME.complete_setup(Setup(variant, 2, {"quiet_turns": 12}, dict.fromkeys(GAME.devices, source), named))
    found = set()
    for at, turn in enumerate(random_match("creature_crush", setup, 3)):
        for state in viewer(turn.after, at):
            written = GAME.positions.encode_position(state)
            assert GAME.positions.decode_position(written) == state
            found.add((written["question"] or {}).get("asks", ""))
    assert found >= OFTEN


def test_what_is_as_usual_is_left_out_when_a_table_is_written() -> None:
    written = GAME.positions.encode_position(read(build_midgame()))
    assert written["question"] == {"asks": "combat", "seat": 0}
    absent = {"pending_steps", "winner", "way", "entered", "offered", "emptied", "named", "edition", "burned"}
    assert not absent & written.keys()
    board = written["seats"][0]["board"]
    assert board["B2"] == "iron_boar"
    assert board["B1"] == {"creature": "bog_leech", "damage": 1}
    assert board["C2"] == "sky_bolt"
    assert written["seats"][1]["board"]["C3"] == {"card": "?", "dice": 2}


def test_the_edition_of_a_position_is_that_of_the_match() -> None:
    opened = GAME.build_table(Setup("skirmish", 2))
    assert read(build_midgame()).rules.edition == opened.rules.edition
    assert set(faults(build_midgame(edition="nobodys_cards"))) == {"/edition"}


# ---- the boards ------------------------------------------------------------------------------------------------------


def test_a_board_says_what_lies_where_and_what_is_marked_on_it() -> None:
    marked = {"creature": "iron_boar", "damage": 2, "acted": 1, "ready": 1, "changes": [
        {"stat": "attack", "amount": 2, "by": "war_drums", "this_turn": True}]}  # fmt: skip
    boards: tuple[Data, Data] = ({"board": {"A1": marked, "C2": {"dice": 1}}}, {"board": {"C1": "pitfall"}})
    state = read(build_midgame(*boards, entered=["iron_boar"]))
    assert state.card_at("A1/0") == "iron_boar"
    assert (state.damage, state.acted, state.ready) == ({"iron_boar": 2}, {"iron_boar": 1}, {"iron_boar": 1})
    assert state.lasting == {"iron_boar": (LastingChange("attack", 2, True, "war_drums"),)}
    assert state.entered == ("iron_boar",)
    assert state.paid == {"C2/0:0": 1, "C1/1:1": 1}
    assert state.attack_points("iron_boar") == 3 + 1 + 2


@pytest.mark.clause("CC-CRUSH-2", "CC-AMB-14")
def test_the_dice_burned_for_a_crush_card_are_said_or_stand_on_it() -> None:
    assert set(faults(build_midgame({"board": {"C1": "?"}}))) == {"/seats/0/board/C1/dice"}
    assert set(faults(build_midgame({"board": {"C1": "dam_break"}}))) == {"/seats/0/board/C1/dice"}
    state = read(build_midgame({"board": {"C1": {"card": "dam_break", "dice": 3}, "C2": "volley"}}))
    assert (state.dice_paid_for("C1/0:0"), state.dice_paid_for("C2/0:0")) == (3, 3)


def test_cards_are_said_by_names_by_a_number_or_in_part() -> None:
    mine = {"hand": ["spark_imp", "?"], "board": {}, "deck": {"cards": ["hex_toad"], "count": 3}}
    theirs = {"hand": 4, "hell": ["bone_pup", "sky_bolt"], "deck": {"more": True}, "board": {}}
    state = read(build_midgame(mine, theirs, pool={"cards": ["gutter_rat"], "more": True}))
    assert [state.cards_at(HANDS[seat]) for seat in (0, 1)] == [("spark_imp", "?"), ("?",) * 4]
    assert state.cards_at(DECKS[0]) == ("hex_toad", "?", "?")
    assert state.cards_at(HELLS[1]) == ("bone_pup", "sky_bolt")
    assert state.cards_at(POOL) == ("gutter_rat", "?some")


@pytest.mark.clause("CC-PAY-1", "CC-SUMMON-1")
def test_a_written_position_is_played_on() -> None:
    state = read(build_midgame())
    assert judge_move(state, Seat(0), Summon("hex_toad", "B3", (3,))).granted
    assert not judge_move(state, Seat(0), Summon("hex_toad", "B3", (2,))).granted
    assert judge_move(state, Seat(0), Lay("overthrow", "C3", (2, 3, 6))).granted
    attacked = apply_events(state, play_move(state, Seat(0), Attack("bog_leech", (2,), "stone_owl")))
    assert GAME.positions.encode_position(attacked)["question"]["asks"] == "order"
    assert attacked.dice == (3, 6)
    assert apply_events(state, play_move(state, Seat(0), EndCombat())).agenda == (TacticPhase(0),)


@pytest.mark.clause("CC-START-3", "CC-TURN-1")
def test_who_began_and_which_turn_it_is_follow_from_each_other() -> None:
    assert [
        (state.opener, state.turns)
        for state in (
            read(build_midgame()),
            read(build_midgame(turn=1)),
            read(build_midgame(opener=1)),
            read(build_midgame(turns=7)),
            read(build_midgame(turns=8)),
        )
    ] == [(0, 3), (0, 4), (1, 4), (0, 7), (1, 8)]
    assert {read(build_midgame(question=build_question("tactic"))).phase, read(build_midgame()).phase} == {
        "tactic",
        "combat",
    }
    seats = build_midgame()["seats"]
    assert read({"seats": seats, "question": build_question("combat", seat=1)}).turn == 1
    assert set(faults({"seats": seats})) == {"/turn"}


# ---- what has not the form ------------------------------------------------------------------------------------------


def test_each_fault_is_named_with_its_place() -> None:
    bare: Data = {"seats": [{"board": {}}, {"board": {}}]}
    assert set(faults({})) == {"/seats"}
    assert set(faults({"seats": [{}, {"board": {"D1": "hex_toad"}}]})) == {"/seats/0/board", "/seats/1/board/D1"}
    assert set(faults(bare)) == {"/turn"}
    assert set(faults({**bare, "turn": 2})) == {"/turn"}
    assert set(faults({**bare, "turn": None, "start_dice": [2]})) == {"/start_dice"}
    assert set(faults(build_midgame(variant="duel", colour=3, drafted=1))) == {"/variant", "/colour"}
    assert set(faults(build_midgame(start_dice=[7]))) == {"/start_dice/0"}
    assert set(faults(build_midgame(named=[0]))) == {"/named"}
    assert set(faults(build_midgame(emptied=["nowhere"]))) == {"/emptied/0"}
    assert set(faults(build_midgame({"hand": {"cards": ["hex_toad"], "count": 0}}))) == {"/seats/0/hand/count"}
    assert set(faults(build_midgame(settings={"quiet_turns": 1}, colour=3))) == {"/settings/quiet_turns", "/colour"}
    assert set(faults(build_midgame({"list": DECK_LIST}))) == {"/seats/0/list"}
    assert set(faults(build_midgame(drafted=1))) == {"/drafted"}
    assert set(faults(build_midgame({"board": {"B1": {"creature": "hex_toad", "changes": [
        {"stat": "attack", "amount": 1, "by": "nobody"}]}}}))) == {"/seats/0/board/B1/changes/0/by"}  # fmt: skip


def test_cards_may_be_called_what_players_call_them() -> None:
    english, german = (GAME.rulebook.names["hex_toad"][language] for language in ("en", "de"))
    plain = read(build_midgame({"hand": ["spark_imp"], "board": {"B1": "hex_toad"}}))
    for name in (english, german.upper()):
        assert read(build_midgame({"hand": ["spark_imp"], "board": {"B1": name}})) == plain


def test_a_question_is_either_short_or_stored() -> None:
    assert set(faults(build_midgame(question={"asks": "combat", "type": "cc.Combat"}))) == {"/question/asks"}


def test_unknown_names_come_with_a_suggestion() -> None:
    assert "did you mean hex_toad?" in faults(build_midgame({"board": {"B1": "hex_tod"}}))["/seats/0/board/B1"]
    assert "did you mean sky_bolt?" in faults(build_midgame({"hand": ["sky_bold"]}))["/seats/0/hand/0"]
    assert "did you mean respond?" in faults(build_midgame(question={"asks": "respont", "windows": []}))["/question"]
    assert set(faults(build_midgame({"board": {"A1": "sky_bolt"}}))) == {"/seats/0/board/A1"}
    assert set(faults(build_midgame({"board": {"C1": "hex_toad"}}))) == {"/seats/0/board/C1"}


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ({"asks": "combat", "seat": 2}, "/question/seat"),
        ({"asks": "respond", "windows": []}, "/question/windows"),
        ({"asks": "respond", "windows": [{"event": "rain"}]}, "/question/windows/0/event"),
        ({"asks": "respond", "windows": [{"event": "put", "about": {"card": ["nobody"]}}]},
         "/question/windows/0/about/card/0"),
        ({"asks": "respond", "windows": [{"event": "attack", "about": {"attacker": ["dusk_bat"]}}]},
         "/question/about/defender"),
        ({"asks": "respond", "windows": [{"event": "destroyed"}]}, "/question/about"),
        ({"asks": "choose", "card": "overthrow", "known": {"dice/target": ["B1/0"]}}, "/question/known/dice~1target/0"),
        ({"asks": "choose", "card": "clay_guard"}, "/question/card"),
        ({"asks": "choose_some", "card": "banishing_gale", "known": {"x": ["axe"]}}, "/question/known/x/0"),
        ({"asks": "choose", "card": "hex_toad", "known": {"me": [3]}}, "/question/known/me/0"),
        ({"asks": "choose", "card": "hex_toad", "known": {"target": ["nobody"]}}, "/question/known/target/0"),
        ({"asks": "choose", "card": "hex_toad", "known": {"at/this": ["D4"]}}, "/question/known/at~1this/0"),
        ({"asks": "place", "card": "grave_robbery"}, "/question/creature"),
        ({"asks": "random_field", "creature": "hex_toad"}, "/question/creature"),
        ({"asks": "name_cards", "seat": 1, "count": 30}, "/question/count"),
        ({"type": "cc.Strike", "seat": 0, "creature": "bog_leech", "place": "Z1/0"}, "/question/place"),
        ({"type": "cards.Choosing", "seat": 0, "card": "hex_toad", "called": "target",
          "noun": {"type": "cc.CreatureNoun", "of": "enemy"}}, "/question"),
        ({"type": "cc.Placing", "seat": 0, "creature": "reaper", "how": "taken"}, "/question/creature"),
        ({"type": "cc.Placing", "seat": 0, "creature": "stone_owl", "how": "lifted"}, "/question/how"),
        ({"type": "cc.Spending", "seat": 0, "card": "hex_toad"}, "/question/card"),
        ({"type": "cc.Nothing"}, "/question/type"),
        ({"type": "mk.Calm", "seat": 0}, "/question/type"),
    ],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_refused_with_its_place(question: Data, pointer: str) -> None:
    assert set(faults(build_midgame(question=question))) == {pointer}
