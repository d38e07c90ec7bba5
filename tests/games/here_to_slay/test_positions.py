"""Positions as a person writes them: every table can be written down and read back, and every question has a form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.cardscript.questions import ChoicePrompt
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.game import Setup
from referee.engine.referee import build_view, find_legal_moves, judge_move
from referee.engine.rulings import ContradictoryPosition, MalformedInput
from referee.engine.seats import BYSTANDER, Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DECK, DISCARD, HANDS, PENDING, PRINTED, ROW
from referee.games.here_to_slay.events.plays import RollSettled
from referee.games.here_to_slay.moves import Attack, Challenge, Leave, Modify, Pass, PlayCard
from referee.games.here_to_slay.positions.questions import build_agenda
from referee.games.here_to_slay.rules.attacking import AttackRoll
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.playing import ChallengeWindow, FreeRoll, RollOff
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow, Throw
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.values import AddedValue, DiceRoll
from tests.games.course import of, then, when
from tests.games.here_to_slay.given import table
from tests.games.matches import random_match
from tests.games.schemas import fit

ANOTHER_WAY = {
    "leader_choice": "at_once",
    "challenge_out_of_turn": True,
    "targets": "after_success",
    "free_roll_counts": False,
}
SEATS = ({"leader": None, "party": [], "slain": [], "hand": []}, {"leader": None, "party": [], "slain": [], "hand": []})


def position(*seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A position of two (or more) players of whom all is known, seat 0 on turn with three points."""
    given = [{**known, **said} for known, said in zip(SEATS, seats, strict=False)] + list(seats[2:])
    return {"seats": given + [dict(known) for known in SEATS[len(seats) :]], "turn": 0, "points": 3, **more}


def read(*seats: dict[str, Any], **more: Any) -> Table:
    """The table of such a position, which is the same once written and read again."""
    state = GAME.positions.decode_position(position(*seats, **more))
    written = GAME.positions.encode_position(state)
    fit(written, "here_to_slay")
    assert GAME.positions.decode_position(written) == state
    return state


def faults(data: dict[str, Any]) -> dict[str, str]:
    """What is wrong with the form of a position, by place."""
    with pytest.raises(MalformedInput) as malformed:
        GAME.positions.decode_position(data)
    assert not isinstance(malformed.value, ContradictoryPosition)
    return {error["pointer"]: error["detail"] for error in malformed.value.errors}


# ---- writing down and reading back -----------------------------------------------------------------------------------


def viewer(state: Table, at: int) -> Iterator[Table]:
    """A table, and what one of those who sit there or look on sees of it, each in turn."""
    yield state
    everybody = (*range(state.rules.seats), BYSTANDER)
    yield build_view(state, Seat(everybody[at % len(everybody)]))


@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize(
    ("seats", "settings"),
    [
        (2, ANOTHER_WAY),
        pytest.param(4, {}, marks=pytest.mark.deep),
        pytest.param(5, ANOTHER_WAY, marks=pytest.mark.deep),
    ],
)
def test_every_table_and_every_view_of_it_reads_back(seats: int, settings: dict[str, Any], source: str) -> None:
    setup = GAME.complete_setup(Setup("standard", seats, settings, dict.fromkeys(GAME.devices, source)))
    asked = set()
    for at, turn in enumerate(random_match("here_to_slay", setup, 3)):
        for state in viewer(turn.after, at):
            written = GAME.positions.encode_position(state)
            assert GAME.positions.decode_position(written) == state
            asked.add((written.get("question") or {}).get("asks", ""))
    assert asked >= {"act", "challenge", "modifiers", "dice", "pick_leader", "equip", "free_roll", "choose"}


def test_what_is_as_usual_is_left_out_when_a_table_is_written() -> None:
    state = then(table(["peanut"], ["challenge"], deck=["hook"]), 0, PlayCard("peanut"))
    written = GAME.positions.encode_position(state)
    assert written["question"] == {"asks": "challenge", "seat": 0, "card": "peanut"}
    assert not {"pending_steps", "pending", "winner", "left", "lasting"} & written.keys()
    assert GAME.positions.encode_position(table([], []))["question"] == {"asks": "act", "seat": 0}


def test_an_item_is_written_with_its_hero() -> None:
    state = read({"party": ["hook", {"hero": "bad_axe", "item": "decoy_doll"}, {"hero": "fluffy"}]})
    assert state.party_of(0) == ("hook", "bad_axe", "fluffy")
    assert state.item_of("hook") is None
    assert state.item_of("bad_axe") == "decoy_doll"
    assert state.cards_at(item_place_of("fluffy")) == ("?some",)
    assert GAME.positions.encode_position(state)["seats"][0]["party"] == [
        "hook", {"hero": "bad_axe", "item": "decoy_doll"}, {"hero": "fluffy"},
    ]  # fmt: skip


def test_cards_are_said_by_names_by_a_number_or_in_part() -> None:
    hand = {"cards": ["hook"], "count": 3}
    some = {"cards": ["bad_axe"], "more": True}
    state = read({"hand": ["hook", "?"]}, {"hand": 4}, deck=["peanut", "fluffy"], discard=some)
    assert state.cards_at(HANDS[0]) == ("hook", "?")
    assert state.cards_at(HANDS[1]) == ("?",) * 4
    assert state.cards_at(DECK) == ("peanut", "fluffy")
    assert state.cards_at(DISCARD) == ("bad_axe", "?some")
    assert read({"hand": hand}).cards_at(HANDS[0]) == ("hook", "?", "?")


# ---- questions -------------------------------------------------------------------------------------------------------


def test_examples_fit_the_schema_and_every_question_has_one() -> None:
    schema = GAME.positions.build_schema("standard")
    jsonschema_rs.meta.validate(schema)
    found = set()
    for example in GAME.positions.build_examples("standard"):
        fit(example, "here_to_slay")
        state = GAME.positions.decode_position(example)
        fit(GAME.positions.encode_position(state), "here_to_slay")
        asks = GAME.positions.encode_position(state)["question"]["asks"]
        assert asks == example.get("question", {"asks": "act"})["asks"]
        found.add(asks)
    # no card of the box is carried out by the table; tests/cardscript/test_free_texts.py has positions of such cards
    assert found == {*build_agenda(PRINTED).by_name} - {"as_written"}


def test_every_member_and_question_of_the_schema_is_described() -> None:
    def undescribed(schema: Any, at: str = "") -> Iterator[str]:
        if isinstance(schema, dict):
            for name, part in schema.get("properties", {}).items():
                if "const" not in part and "description" not in part:
                    yield f"{at}/{name}"
            for key, part in schema.items():
                yield from undescribed(part, f"{at}/{key}")
        elif isinstance(schema, list):
            for index, part in enumerate(schema):
                yield from undescribed(part, f"{at}/{index}")

    assert list(undescribed(GAME.positions.build_schema("standard"))) == []


def test_if_nothing_is_said_the_player_on_turn_is_to_act() -> None:
    assert read().agenda == (Turn(0),)
    state = read({"leader": "the_fist_of_reason", "party": ["qi_bear"]}, row=["dracos"])
    assert judge_move(state, Seat(0), Attack("dracos")).granted
    assert judge_move(state, Seat(1), Attack("dracos")).verdict == "refused"


def test_a_challenge_window_puts_the_card_into_the_middle() -> None:
    state = read({}, {"hand": 2}, {"hand": 1}, question={"asks": "challenge", "card": "hook", "passed": [2]})
    assert state.agenda == (Turn(0), EffectFrame(), ChallengeWindow(0, "hook", "", (2,)))
    assert state.cards_at(PENDING) == ("hook",)
    assert judge_move(state, Seat(1), Challenge()).granted
    assert judge_move(state, Seat(2), Challenge()).verdict == "refused"


def test_the_window_of_a_hero_roll_knows_dice_modifiers_and_targets() -> None:
    added = [{"source": "modifier_plus_4", "value": 4, "seat": 1}]
    roll = {"kind": "hero", "about": "bad_axe", "dice": [1, 2], "added": added, "targets": {"target": ["fluffy"]}}
    state = read({"party": ["bad_axe"]}, {"hand": ["modifier_minus_4"], "party": ["fluffy"]},
                 marked=["bad_axe"], question={"asks": "modifiers", "roll": roll})  # fmt: skip
    cast = DiceRoll("hero", 0, "bad_axe", (1, 2), (AddedValue("modifier_plus_4", 4, 1),))
    assert state.agenda == (Turn(0), EffectFrame(), HeroRoll((cast,), {"target": ("fluffy",)}), ModifierWindow())
    events, after = when(state, 1, Modify("modifier_minus_4", -4, 0))
    assert [event.total for event in of(events, RollSettled)] == [3]
    assert after.agenda == (Turn(0),)


def test_the_window_of_an_attack_goes_on_to_the_fight() -> None:
    roll = {"kind": "attack", "about": "dracos", "dice": [1, 2]}
    state = read({"hand": ["hook"]}, row=["dracos", "orthus", "terratuga"], monsters=12,
                 question={"asks": "modifiers", "roll": roll})  # fmt: skip
    assert state.agenda[1:] == (EffectFrame(), AttackRoll((DiceRoll("attack", 0, "dracos", (1, 2)),)), ModifierWindow())
    after = then(state, 0, Pass())
    assert after.monsters_slain_by(0) == ("dracos",)


def test_the_window_of_a_challenge_has_two_rolls_and_two_pending_cards() -> None:
    sides = {"challenger": {"seat": 1, "dice": [3, 3]}, "challenged": {"dice": [4, 2]}}
    question = {"asks": "modifiers", "roll": {"kind": "challenge", "about": "hook", **sides}}
    state = read({"hand": 1}, discard=[], question=question)
    casts = (DiceRoll("challenger", 1, "hook", (3, 3)), DiceRoll("challenged", 0, "hook", (4, 2)))
    assert state.agenda[2] == RollOff(casts, 0, "hook", "")
    assert state.cards_at(PENDING) == ("hook", "challenge")
    after = then(state, 0, Pass())  # a tie
    assert after.cards_at(DISCARD) == ("challenge", "hook")
    assert after.cards_at(PENDING) == ()


def test_dice_that_a_roll_leaves_out_are_still_to_be_rolled() -> None:
    roll = {"kind": "challenge", "about": "hook", "challenger": {"seat": 1}}
    state = read(question={"asks": "dice", "roll": roll})
    assert state.agenda[3:] == (
        ModifierWindow(), Throw(2, 6, 0, "challenged", "hook"), Throw(2, 6, 1, "challenger", "hook"),
    )  # fmt: skip
    roll["challenger"] = {"seat": 1, "dice": [1, 1]}
    assert read(question={"asks": "dice", "roll": roll}).agenda[-1] == Throw(2, 6, 0, "challenged", "hook")
    hero = {"kind": "hero", "about": "bad_axe"}
    *_, naming, throw = read(question={"asks": "dice", "roll": hero}).agenda
    assert isinstance(naming, Execution)
    assert naming.declaring
    assert throw == Throw(2, 6, 0, "hero", "bad_axe", "bad_axe")
    later = read(question={"asks": "dice", "roll": hero}, settings={"targets": "after_success"})
    assert later.agenda[-2] == ModifierWindow()


def test_a_card_text_is_taken_up_at_the_line_that_asks() -> None:
    discard = ["hook", "decoy_doll", "peanut"]
    state = read(discard=discard, question={"asks": "choose", "card": "guiding_light"})
    *_, text, choice = state.agenda
    assert isinstance(text, Execution)
    assert (text.card, text.at) == ("guiding_light", 1)
    assert isinstance(choice, ChoicePrompt)
    after = then(state, 0, ChooseCard("peanut"))
    assert after.cards_in_hand(0) == ("peanut",)
    second = {"asks": "choose", "card": "slippery_paws", "line": 2,
              "known": {"victim": [1], "pulled": ["hook", "peanut"]}, "secret": ["pulled"]}  # fmt: skip
    state = read({"hand": ["hook", "peanut", "fluffy"]}, question=second)
    assert judge_move(state, Seat(0), ChooseCard("hook")).granted
    assert judge_move(state, Seat(0), ChooseCard("fluffy")).verdict == "refused"


def test_any_step_can_be_written_as_the_referee_keeps_it() -> None:
    beneath = [{"type": "hts.Carried"}, {"type": "hts.Turn", "seat": 0}]
    step = {"type": "hts.Equip", "seat": 0, "item": "decoy_doll"}
    party, short = {"party": ["hook", "fluffy"]}, {"asks": "equip", "item": "decoy_doll"}
    assert read(party, question=step, pending_steps=beneath) == read(party, question=short)


def test_cards_may_be_called_by_their_names_in_either_language() -> None:
    free_roll = {"asks": "free_roll", "hero": "Tough Teddy"}
    state = read({"hand": ["Schlimme Axt"], "party": ["tough teddy"]}, row=["DRACOS"], question=free_roll)
    assert state.cards_at(HANDS[0]) == ("bad_axe",)
    assert state.cards_at(ROW) == ("dracos",)
    assert state.agenda[-1] == FreeRoll(0, "tough_teddy")


def test_the_census_takes_items_whose_hero_is_left_out() -> None:
    doll = {"item": "decoy_doll"}
    census = GAME.positions.check_census(position({"party": [doll], "hand": ["decoy_doll"]}))
    assert [each["places"] for each in census["contradictions"]] == [["/seats/0/hand", "/seats"]]
    assert [each["pointer"] for each in census["recounts"]] == ["/seats/0/hand"]


# ---- what has not the form -------------------------------------------------------------------------------------------


def test_each_fault_is_named_with_its_place() -> None:
    assert set(faults({})) == {"/seats"}
    assert set(faults(position(turn=2, winner=3, way="six_classes"))) == {"/turn", "/winner"}
    assert set(faults(position(winner=0))) == {"/way"}
    assert set(faults(position(named=[0]))) == {"/named"}
    assert set(faults(position({"hand": {"cards": ["hook"], "count": 0}}))) == {"/seats/0/hand/count"}
    assert set(faults(position(emptied=["nowhere"]))) == {"/emptied/0"}
    assert set(faults(position(settings={"targets": "never"}))) == {"/settings/targets"}
    assert set(faults(position(points=-1, colour=3))) == {"/points", "/colour"}


def test_unknown_names_come_with_a_suggestion() -> None:
    assert "did you mean bad_axe?" in faults(position({"hand": ["bad_ax"]}))["/seats/0/hand/0"]
    assert "did you mean Dracos?" in faults(position(row=["draccos"]))["/row/0"]
    assert "did you mean challenge?" in faults(position(question={"asks": "chalenge"}))["/question"]
    assert "did you mean leader?" in faults(position({"leadr": None}))["/seats/0/leadr"]
    assert "did you mean hook?" in faults(position(
        question={"type": "hts.FreeRoll", "seat": 0, "hero": "hok"}, pending_steps=[{"type": "hts.Turn", "seat": 0}]
    ))["/question/hero"]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ({"asks": "modifiers", "roll": {"kind": "hero", "about": "hook"}}, "/question/roll"),
        ({"asks": "dice", "roll": {"kind": "hero", "about": "hook", "dice": [1, 1]}}, "/question/roll"),
        ({"asks": "modifiers", "roll": {"kind": "attack", "about": "hook", "dice": [1, 1]}}, "/question/roll/about"),
        ({"asks": "target", "roll": {"kind": "hero", "about": "peanut", "dice": [1, 1]}}, "/question/roll/about"),
        ({"asks": "choose", "card": "peanut"}, "/question/card"),
        ({"asks": "choose", "card": "bad_axe", "line": 1}, "/question/card"),
        ({"asks": "choose", "card": "bear_claw", "known": {"pulled": [7]}}, "/question/known/pulled/0"),
        ({"asks": "challenge", "card": "hook", "passed": [2]}, "/question/passed/0"),
        ({"asks": "challenge", "card": "modifier_plus_4"}, "/question/card"),
        ({"asks": "instead", "card": "bad_axe", "hero": "fluffy", "use": "dracos"}, "/question/use"),
        ({"asks": "first_pick", "contenders": [1], "cast": [4]}, "/question/cast"),
        ({"asks": "discard", "card": "critical_boost", "seats": [1, 1]}, "/question/seats"),
        ({"type": "hts.ModifierWindow"}, "/question"),
        ({"type": "hts.Nothing"}, "/question/type"),
        ({"type": "hts.Equip", "seat": 2, "item": "decoy_doll"}, "/question/seat"),
        ({"type": "hts.Equip", "seat": 0}, "/question/item"),
        ({"type": "Frame"}, "/question/type"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_with_its_place(question: dict[str, Any], pointer: str) -> None:
    assert set(faults(position(question=question))) == {pointer}


def test_what_a_step_goes_on_with_has_to_lie_beneath_it() -> None:
    turn, frame = {"type": "hts.Turn", "seat": 0}, {"type": "hts.Carried"}
    text = {"type": "cards.CarryOut", "card": "bear_claw", "text": "does", "by": 0, "at": 3}
    free_roll = {"asks": "free_roll", "hero": "hook"}
    assert set(faults(position(question=free_roll, pending_steps=[text, turn]))) == {"/pending_steps/0"}
    assert set(faults(position(question=free_roll, pending_steps=[]))) == {"/pending_steps"}
    offer = {"type": "cards.Offer", "seat": 0, "card": "dracos", "called": "accepted"}
    assert set(faults(position(question=offer, pending_steps=[frame, turn]))) == {"/question"}
    state = read({"party": ["hook"]}, question=free_roll, pending_steps=[text, frame, turn])
    assert state.agenda[2].TAG == "cards.CarryOut"


def test_the_row_lies_open() -> None:
    assert set(faults(position(row=["?"]))) == {"/row/0"}
    assert read(row=["dracos", "orthus"]).cards_at(ROW) == ("dracos", "orthus")


def test_cards_that_nobody_counted_are_no_card_that_could_be_given() -> None:
    asked = {"asks": "give", "card": "greedy_cheeks", "seats": [1, 2]}
    seats = [{"hand": 3, "party": []}, {"hand": 4, "party": []}, {"party": ["peanut"]}]
    state = GAME.positions.decode_position({"seats": seats, "turn": 0, "question": asked})
    assert judge_move(state, Seat(2), ChooseCards((UNCOUNTED_CARDS,))).verdict == "refused"
    assert judge_move(state, Seat(2), ChooseCards(("?",))).verdict == "undecided"
    assert judge_move(state, Seat(1), ChooseCards(("?",))).granted
    assert [*find_legal_moves(state, Seat(2))] == [Leave()]
