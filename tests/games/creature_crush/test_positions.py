"""Positions as a person writes them: every table can be written down and read back, and every question has a form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from referee.cards.carrying_out import CarryOut
from referee.cards.moves import ChooseCards
from referee.games.creature_crush import GAME
from referee.games.creature_crush.events.cards import CardsFound, CrushFlipped
from referee.games.creature_crush.events.field import AttackEnded, Damaged, EffectCancelled
from referee.games.creature_crush.material import DECKS, FLIPPED, HANDS, HELLS, POOL, SOUGHT
from referee.games.creature_crush.moves import Attack, EndCombat, Flip, Lay, Order, Pass, Summon
from referee.games.creature_crush.positions.examples import ATTACK, BOTH, LIST, MINE, THEIRS, asking, midway, on
from referee.games.creature_crush.positions.questions import BUILDERS
from referee.games.creature_crush.rules.chain import Chain, Spending
from referee.games.creature_crush.rules.combat import Combat
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.rules.striking import Strike
from referee.games.creature_crush.rules.tactic import Tactic
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import Lasting
from referee.kernel.agenda import Frame
from referee.kernel.box import Impossible, Malformed, Setup
from referee.kernel.facts import Event, fold
from referee.kernel.play import awaited, judge, play, view
from referee.kernel.seats import BYSTANDER, CHANCE, CLOCK, Seat
from tests.games.matches import random_match

Data = dict[str, Any]


def read(data: Data) -> Table:
    """The table of a position, which is the same once written and read again."""
    state = GAME.position(data)
    written = GAME.written(state)
    jsonschema.validate(written, GAME.position_schema(state.rules.variant))
    assert GAME.position(written) == state
    return state


def faults(data: Data) -> dict[str, str]:
    """What is wrong with the form of a position, by place."""
    with pytest.raises(Malformed) as malformed:
        GAME.position(data)
    assert not isinstance(malformed.value, Impossible)
    return {error["pointer"]: error["detail"] for error in malformed.value.errors}


def asked(state: Table) -> set[int]:
    """The seats that are awaited, no clock."""
    return {int(seat) for seat in awaited(state) - {CLOCK}}


def all_pass(state: Table) -> tuple[tuple[Event, ...], Table]:
    """All facts until no window is open any more, if nobody flips anything, and the table then."""
    facts: tuple[Event, ...] = ()
    while isinstance(state.agenda[-1], Chain):
        more = play(state, Seat(asked(state).pop()), Pass())
        facts, state = facts + more, fold(state, more)
    return facts, state


# ---- writing down and reading back ----------------------------------------------------------------------------------


def eyes(state: Table, at: int) -> Iterator[Table]:
    """A table, and what one of those who sit there or look on sees of it, each in turn."""
    yield state
    yield view(state, Seat((0, 1, BYSTANDER)[at % 3]))


OFTEN = {"combat", "tactic", "start_dice", "first_turn", "respond", "choose"}


@pytest.mark.parametrize("variant", GAME.variants)
@pytest.mark.parametrize(("source", "named"), [("server", ()), ("table", ()), ("table", (1,))])
def test_every_table_and_every_view_of_it_reads_back(variant: str, source: str, named: tuple[int, ...]) -> None:
    setup = GAME.set_up(Setup(variant, 2, {"quiet_turns": 12}, dict.fromkeys(GAME.devices, source), named))
    found = set()
    for at, turn in enumerate(random_match("creature_crush", setup, 3)):
        for state in eyes(turn.after, at):
            written = GAME.written(state)
            assert GAME.position(written) == state
            found.add((written["question"] or {}).get("asks", ""))
    assert found >= OFTEN


def test_what_is_as_usual_is_left_out_when_a_table_is_written() -> None:
    written = GAME.written(read(midway()))
    assert written["question"] == {"asks": "combat", "seat": 0}
    absent = {"pending_steps", "winner", "way", "entered", "offered", "emptied", "named", "edition", "burned"}
    assert not absent & written.keys()
    board = written["seats"][0]["board"]
    assert board["B2"] == "iron_boar"
    assert board["B1"] == {"creature": "bog_leech", "damage": 1}
    assert board["C2"] == "sky_bolt"
    assert written["seats"][1]["board"]["C3"] == {"card": "?", "dice": 2}


def test_the_edition_of_a_position_is_that_of_the_match() -> None:
    opened = GAME.open(Setup("skirmish", 2))
    assert read(midway()).rules.edition == opened.rules.edition
    assert set(faults(midway(edition="nobodys_cards"))) == {"/edition"}


# ---- the boards ------------------------------------------------------------------------------------------------------


def test_a_board_says_what_lies_where_and_what_is_marked_on_it() -> None:
    marked = {"creature": "iron_boar", "damage": 2, "acted": 1, "ready": 1, "changes": [
        {"stat": "attack", "amount": 2, "by": "war_drums", "this_turn": True}]}  # fmt: skip
    boards: tuple[Data, Data] = ({"board": {"A1": marked, "C2": {"dice": 1}}}, {"board": {"C1": "pitfall"}})
    state = read(midway(*boards, entered=["iron_boar"]))
    assert state.at("A1/0") == "iron_boar"
    assert (state.damage, state.acted, state.ready) == ({"iron_boar": 2}, {"iron_boar": 1}, {"iron_boar": 1})
    assert state.lasting == {"iron_boar": (Lasting("attack", 2, True, "war_drums"),)}
    assert state.entered == ("iron_boar",)
    assert state.paid == {"C2/0:0": 1, "C1/1:1": 1}
    assert state.attack("iron_boar") == 3 + 1 + 2


@pytest.mark.clause("CC-CRUSH-2", "CC-AMB-14")
def test_the_dice_burned_for_a_crush_card_are_said_or_stand_on_it() -> None:
    assert set(faults(midway({"board": {"C1": "?"}}))) == {"/seats/0/board/C1/dice"}
    assert set(faults(midway({"board": {"C1": "dam_break"}}))) == {"/seats/0/board/C1/dice"}
    state = read(midway({"board": {"C1": {"card": "dam_break", "dice": 3}, "C2": "volley"}}))
    assert (state.dice_paid("C1/0:0"), state.dice_paid("C2/0:0")) == (3, 3)


def test_cards_are_said_by_names_by_a_number_or_in_part() -> None:
    mine = {"hand": ["spark_imp", "?"], "board": {}, "deck": {"cards": ["hex_toad"], "count": 3}}
    theirs = {"hand": 4, "hell": ["bone_pup", "sky_bolt"], "deck": {"more": True}, "board": {}}
    state = read(midway(mine, theirs, pool={"cards": ["gutter_rat"], "more": True}))
    assert [state.place(HANDS[seat]) for seat in (0, 1)] == [("spark_imp", "?"), ("?",) * 4]
    assert state.place(DECKS[0]) == ("hex_toad", "?", "?")
    assert state.place(HELLS[1]) == ("bone_pup", "sky_bolt")
    assert state.place(POOL) == ("gutter_rat", "?some")


@pytest.mark.clause("CC-PAY-1", "CC-SUMMON-1")
def test_a_written_position_is_played_on() -> None:
    state = read(midway())
    assert judge(state, Seat(0), Summon("hex_toad", "B3", (3,))).granted
    assert not judge(state, Seat(0), Summon("hex_toad", "B3", (2,))).granted
    assert judge(state, Seat(0), Lay("overthrow", "C3", (2, 3, 6))).granted
    attacked = fold(state, play(state, Seat(0), Attack("bog_leech", (2,), "stone_owl")))
    assert GAME.written(attacked)["question"]["asks"] == "order"
    assert attacked.dice == (3, 6)
    assert fold(state, play(state, Seat(0), EndCombat())).agenda == (Tactic(0),)


@pytest.mark.clause("CC-START-3", "CC-TURN-1")
def test_who_began_and_which_turn_it_is_follow_from_each_other() -> None:
    assert [(state.opener, state.turns) for state in (
        read(midway()), read(midway(turn=1)), read(midway(opener=1)), read(midway(turns=7)), read(midway(turns=8)),
    )] == [(0, 3), (0, 4), (1, 4), (0, 7), (1, 8)]  # fmt: skip
    assert {read(midway(question=asking("tactic"))).phase, read(midway()).phase} == {"tactic", "combat"}
    seats = midway()["seats"]
    assert read({"seats": seats, "question": asking("combat", seat=1)}).turn == 1
    assert set(faults({"seats": seats})) == {"/turn"}


# ---- questions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", GAME.variants)
def test_examples_fit_the_schema_and_every_question_has_one(variant: str) -> None:
    schema = GAME.position_schema(variant)
    jsonschema.Draft202012Validator.check_schema(schema)
    found = set()
    for example in GAME.examples(variant):
        jsonschema.validate(example, schema)
        state = read(example)
        question = GAME.written(state)["question"]
        assert question["asks"] == (example.get("question") or {"asks": "combat"})["asks"]
        assert awaited(state)
        found.add(question["asks"])
    elsewhere = {"skirmish": {"keep", "bring_deck"}, "arena": {"bring_deck"}, "league": {"keep"}}[variant]
    assert found == BUILDERS.keys() - elsewhere


@pytest.mark.parametrize("variant", GAME.variants)
def test_every_member_and_question_of_the_schema_is_described(variant: str) -> None:
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

    assert list(undescribed(GAME.position_schema(variant))) == []


@pytest.mark.clause("CC-CHAIN-2", "CC-CHAIN-4", "CC-CHAIN-7")
def test_effects_at_once_are_ordered_and_the_attack_waits_beneath() -> None:
    state = read(midway(question=asking("order", **ATTACK)))
    strike = Strike(0, "bog_leech", "B1/0", "stone_owl", "A1/1")
    assert state.agenda[:4] == (Combat(0), Judging(), strike, Frame())
    assert asked(state) == {0}
    after = fold(state, play(state, Seat(0), Order("stone_owl", "attacked")))
    chain = after.agenda[-1]
    assert isinstance(chain, Chain)
    assert [link.card for link in chain.links] == ["bog_leech", "stone_owl"]  # the newest, last here, comes first
    reads = asking("respond", windows=[ATTACK], links=BOTH)
    assert read(midway(question=reads)).agenda == after.agenda


@pytest.mark.clause("CC-CHAIN-4", "CC-CHAIN-5", "CC-CRUSH-3")
def test_a_chain_of_several_links_says_its_windows_and_what_lies_turned_up() -> None:
    flips = [{"event": "flipped", "by": 1, "about": {"flipped": ["recoil"]}, "next": 1},
             {"event": "flipped", "by": 0, "about": {"flipped": ["broken_seal"]}, "passed": 1}]  # fmt: skip
    links = [*BOTH, {"card": "recoil", "part": "flip", "by": 1},
             {"card": "broken_seal", "part": "flip", "known": {"flipped": ["recoil"], "x": [1]}}]  # fmt: skip
    question = asking("respond", windows=[{**ATTACK, "next": 0}, *flips], links=links)
    state = read(midway({"board": on(MINE, C1=None)}, {"board": on(THEIRS, C1=None, B3=None)}, question=question))
    assert (state.place(FLIPPED[0]), state.place(FLIPPED[1])) == (("broken_seal",), ("recoil",))
    assert asked(state) == {1}
    facts, later = all_pass(state)
    assert [fact.card for fact in facts if isinstance(fact, EffectCancelled)] == ["recoil"]
    assert any(isinstance(fact, Damaged) for fact in facts)
    assert not any(isinstance(fact, AttackEnded) for fact in facts)
    assert (later.place(FLIPPED[0]), later.place(FLIPPED[1])) == ((), ())


@pytest.mark.clause("CC-CHAIN-4", "CC-CRUSH-FLIP-3")
def test_a_window_can_be_answered_with_a_fitting_crush_card() -> None:
    board = on(THEIRS, C2={"card": "raised_drawbridge"})
    question = asking("respond", windows=[{"event": "direct_attack", "about": {"attacker": ["dusk_bat"]}}])
    state = read(midway({}, {"board": board}, question=question))
    assert judge(state, Seat(1), Flip("C2", "raised_drawbridge")).granted
    facts, later = all_pass(fold(state, flipped := play(state, Seat(1), Flip("C2", "raised_drawbridge"))))
    assert any(isinstance(fact, CrushFlipped) for fact in flipped)
    assert [fact.why for fact in facts if isinstance(fact, AttackEnded)] == ["cancelled"]
    assert "dusk_bat" not in later.spots


def test_a_card_text_is_taken_up_at_the_line_that_asks() -> None:
    state = read(midway({"board": on(MINE, B3="hex_toad"), "hand": 3}, question=asking("choose", card="hex_toad")))
    *_, text, choosing = state.agenda
    assert isinstance(text, CarryOut)
    assert (text.card, text.text, text.at, text.by) == ("hex_toad", "action", 1, 0)
    assert text.bound == {"me": (0,), "opponent": (1,), "this": ("hex_toad",), "at/this": ("B3/0",), "x": (0,)}
    assert choosing.called == "target"
    flip = read(midway({"hand": 3}, question=asking("target_dice", card="overthrow")))
    assert flip.agenda[2:5] == (Chain((), ()), Frame(), Spending("overthrow", 0))
    assert flip.place(FLIPPED[0]) == ("overthrow",)
    assert asked(flip) == {CHANCE}


@pytest.mark.clause("CC-DICE-1", "CC-AMB-23")
def test_dice_that_find_a_target_are_known_to_the_text() -> None:
    pips = {"dice/target": [4, 1, 1]}
    state = read(midway({"hand": 3}, question=asking("choose", card="overthrow", known=pips)))
    text, choosing = state.agenda[-2:]
    assert isinstance(text, CarryOut)
    assert choosing.noun.options(state, text, 0) == ("stone_owl", "tar_golem")
    other = read(midway({"hand": 3}, question=asking("choose", card="overthrow", known={"dice/target": [3, 1, 6]})))
    assert other.agenda[-1].noun.options(other, other.agenda[-2], 0) == ("stone_owl",)
    assert set(faults(midway({"hand": 3}, question=asking("choose", card="overthrow")))) == {"/question/known"}


@pytest.mark.clause("CC-EFF-SEARCH-1")
def test_a_search_looks_through_the_deck_that_lies_as_sought() -> None:
    (data,) = [each for each in GAME.examples("skirmish") if each.get("question", {}).get("asks") == "search"]
    state = read(data)
    assert state.place(SOUGHT[0]) == ("recoil", "pitfall", "frost_lout")
    facts = play(state, Seat(0), ChooseCards(("pitfall",)))
    assert [fact.shown for fact in facts if isinstance(fact, CardsFound)] == [("pitfall",)]


def test_any_step_can_be_written_as_the_referee_keeps_it() -> None:
    long, short = {"type": "cc.Combat", "seat": 0}, {"asks": "combat"}
    assert read(midway(question=long)) == read(midway(question=short))
    beneath = [{"type": "cc.Tactic", "seat": 0}]
    state = read(midway(question=asking("answer_draw"), pending_steps=beneath, phase="tactic", offered=0))
    assert state.agenda[0] == Tactic(0)


# ---- the League ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-AMB-7", "CC-FORMAT-LEAGUE-1")
def test_in_the_league_a_card_is_of_the_own_deck_unless_it_says_otherwise() -> None:
    taken = {"board": {"B1": "hex_toad", "B2": "iron_boar#2"}, "hand": ["hex_toad#2", "sky_bolt"], "list": LIST}
    state = read(midway(taken, {"board": {"A1": "stone_owl"}, "hand": 3}, variant="league", entered=["iron_boar"]))
    assert (state.at("B1/0"), state.at("B2/0"), state.at("A1/1")) == ("hex_toad#1", "iron_boar#2", "stone_owl#2")
    assert state.hand(0) == ("hex_toad#2", "sky_bolt#1")
    assert state.entered == ("iron_boar#2",)
    assert state.lists == {"0": tuple(LIST)}
    attack = asking("order", event="attack", about={"attacker": ["bog_leech"], "defender": ["stone_owl"]})
    order = read(midway(question=attack, variant="league"))
    assert [effect.card for effect in order.agenda[-1].left] == ["bog_leech#1", "stone_owl#2"]


# ---- what has not the form ------------------------------------------------------------------------------------------


def test_each_fault_is_named_with_its_place() -> None:
    bare: Data = {"seats": [{"board": {}}, {"board": {}}]}
    assert set(faults({})) == {"/seats"}
    assert set(faults({"seats": [{}, {"board": {"D1": "hex_toad"}}]})) == {"/seats/0/board", "/seats/1/board/D1"}
    assert set(faults(bare)) == {"/turn"}
    assert set(faults({**bare, "turn": 2})) == {"/turn"}
    assert set(faults({**bare, "turn": None, "start_dice": [2]})) == {"/start_dice"}
    assert set(faults(midway(variant="duel"))) == {"/variant"}
    assert set(faults(midway(start_dice=[7]))) == {"/start_dice/0"}
    assert set(faults(midway(named=[0]))) == {"/named"}
    assert set(faults(midway(emptied=["nowhere"]))) == {"/emptied/0"}
    assert set(faults(midway({"hand": {"cards": ["hex_toad"], "count": 0}}))) == {"/seats/0/hand/count"}
    assert set(faults(midway(settings={"quiet_turns": 1}, colour=3))) == {"/settings/quiet_turns", "/colour"}
    assert set(faults(midway({"list": LIST}))) == {"/seats/0/list"}
    assert set(faults(midway(drafted=1))) == {"/drafted"}
    assert set(faults(midway({"board": {"B1": {"creature": "hex_toad", "changes": [
        {"stat": "attack", "amount": 1, "by": "nobody"}]}}}))) == {"/seats/0/board/B1/changes/0/by"}  # fmt: skip


def test_unknown_names_come_with_a_suggestion() -> None:
    assert "did you mean hex_toad?" in faults(midway({"board": {"B1": "hex_tod"}}))["/seats/0/board/B1"]
    assert "did you mean sky_bolt?" in faults(midway({"hand": ["sky_bold"]}))["/seats/0/hand/0"]
    assert "did you mean respond?" in faults(midway(question={"asks": "respont", "windows": []}))["/question"]
    assert set(faults(midway({"board": {"A1": "sky_bolt"}}))) == {"/seats/0/board/A1"}
    assert set(faults(midway({"board": {"C1": "hex_toad"}}))) == {"/seats/0/board/C1"}


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ({"asks": "combat", "seat": 2}, "/question/seat"),
        ({"asks": "respond", "windows": []}, "/question/windows"),
        ({"asks": "respond", "windows": [{"event": "rain"}]}, "/question/windows/0/event"),
        ({"asks": "respond", "windows": [{"event": "put", "about": {"card": ["nobody"]}}]}, "/question/about/card"),
        ({"asks": "choose", "card": "clay_guard"}, "/question/card"),
        ({"asks": "choose", "card": "hex_toad", "known": {"me": [3]}}, "/question/known/me/0"),
        ({"asks": "choose", "card": "hex_toad", "known": {"target": ["nobody"]}}, "/question/known/target/0"),
        ({"asks": "choose", "card": "hex_toad", "known": {"at/this": ["D4"]}}, "/question/known/at/this/0"),
        ({"asks": "place", "card": "grave_robbery"}, "/question/creature"),
        ({"asks": "random_field", "creature": "hex_toad"}, "/question/creature"),
        ({"asks": "name_cards", "seat": 1, "count": 30}, "/question/count"),
        ({"type": "cc.Strike", "seat": 0, "creature": "bog_leech", "place": "Z1/0"}, "/question/place"),
        ({"type": "cards.Choosing", "seat": 0, "card": "hex_toad", "called": "target",
          "noun": {"type": "cc.CreatureNoun", "of": "enemy"}}, "/question"),
        ({"type": "cc.Nothing"}, "/question/type"),
        ({"type": "mk.Calm", "seat": 0}, "/question/type"),
    ],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_refused_with_its_place(question: Data, pointer: str) -> None:
    assert set(faults(midway(question=question))) == {pointer}
