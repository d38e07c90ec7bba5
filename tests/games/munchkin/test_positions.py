"""Positions as a person writes them: every table can be written down and read back, and every question has a form."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from referee.cardscript.language.interpreter import Execution
from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import build_view, judge_move, play_move, seats_that_may_act, seats_that_must_act
from referee.engine.rulings import ContradictoryPosition, MalformedInput
from referee.engine.seats import BYSTANDER, CLOCK, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import COMBAT, DOOR_DISCARD, DOORS, EDITION, FACES, HANDS, PENDING, PLAYS
from referee.games.munchkin.events.combat import MonstersKilled
from referee.games.munchkin.moves import ClaimKill, Equip, KeepRoll, KickDoor, Pass
from referee.games.munchkin.positions.questions import build_agenda
from referee.games.munchkin.rules.cards.cursing import CurseStrike, CurseWindow
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rolling import AfterRoll
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.items.item_loss import LoseItems
from referee.games.munchkin.rules.turn import AfterDoor, Calm
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import AddedStrength, Deal, Foe, Trade
from tests.games.matches import random_match
from tests.games.munchkin.written import build_combat_position, build_flight_combat, build_midway_position
from tests.games.schemas import fit

Data = dict[str, Any]
OTHERWISE = {"ride_sacrifice": True, "window_after_removal": True, "claim_window_ms": None, "max_turns": 30}
EXAMPLES = GAME.positions.build_examples("standard")


def read(data: Data) -> Table:
    """The table of a position, which is the same once written and read again."""
    state = GAME.positions.decode_position(data)
    written = GAME.positions.encode_position(state)
    fit(written, "munchkin")
    assert GAME.positions.decode_position(written) == state
    return state


def faults(data: Data) -> dict[str, str]:
    """What is wrong with the form of a position, by place."""
    with pytest.raises(MalformedInput) as malformed:
        GAME.positions.decode_position(data)
    assert not isinstance(malformed.value, ContradictoryPosition)
    return {error["pointer"]: error["detail"] for error in malformed.value.errors}


# ---- writing down and reading back ----------------------------------------------------------------------------------


def viewer(state: Table, at: int) -> Iterator[Table]:
    """A table, and what one of those who sit there or look on sees of it, each in turn."""
    yield state
    everybody = (*range(state.rules.seats), BYSTANDER)
    yield build_view(state, Seat(everybody[at % len(everybody)]))


@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize(
    ("seats", "settings", "seed"), [(3, {"max_turns": 30}, 3), pytest.param(5, OTHERWISE, 8, marks=pytest.mark.deep)]
)
def test_every_table_and_every_view_of_it_reads_back(
    seats: int, settings: dict[str, Any], seed: int, source: str
) -> None:
    setup = GAME.complete_setup(Setup("standard", seats, settings, dict.fromkeys(GAME.devices, source)))
    asked = set()
    for at, turn in enumerate(random_match("munchkin", setup, seed)):
        for state in viewer(turn.after, at):
            written = GAME.positions.encode_position(state)
            assert GAME.positions.decode_position(written) == state
            asked.add((written["question"] or {}).get("asks", ""))
        assert GAME.positions.check_census(GAME.positions.encode_position(turn.after))["possible"]
    assert asked >= {"calm", "fight", "claim", "curse", "flee", "flight_die", "flight_die_fell", "ready", "first_turn"}


def test_what_is_as_usual_is_left_out_when_a_table_is_written() -> None:
    written = GAME.positions.encode_position(read(build_midway_position()))
    assert written["question"] == {"asks": "calm", "seat": 0, "stage": "start"}
    absent = {"pending_steps", "pending", "winner", "way", "dead", "trades", "combat", "fought", "won", "emptied"}
    assert not absent & written.keys()
    fight = GAME.positions.encode_position(read(build_combat_position()))
    assert fight["question"] == {"asks": "fight"}
    assert fight["combat"] == {"main": 0, "monsters": ["wolfman"]}
    assert "pending_steps" not in fight


def test_items_say_which_of_them_are_in_use_and_what_lies_on_them() -> None:
    items = ["candy_hook", "rusty_bell", "chained_lantern", "loose_stitches", "os_moth_cloak"]
    state = read(build_midway_position({"items": items, "in_use": ["candy_hook", "chained_lantern", "rusty_bell"],
                         "attached": {"chained_lantern": "loose_stitches"}}, {"items": []}))  # fmt: skip
    assert state.cards_at(PLAYS[0]) == tuple(items)
    assert state.used_items(0) == ("candy_hook", "rusty_bell", "chained_lantern")
    assert state.attached == {"chained_lantern": "loose_stitches"}
    carried = read(build_midway_position({"items": ["candy_hook", "rusty_bell"], "in_use": ["rusty_bell"]}))
    assert judge_move(carried, Seat(0), Equip("candy_hook")).granted
    assert not judge_move(carried, Seat(0), Equip("rusty_bell")).granted


@pytest.mark.clause("MK-8.2")
def test_if_nothing_is_said_of_use_all_items_but_one_shots_are_in_use() -> None:
    state = read(build_midway_position({"items": ["candy_hook", "os_moth_cloak"]}, {"items": ["bat_hat"]}))
    assert state.equipped == ("bat_hat", "candy_hook")


def test_cards_are_said_by_names_by_a_number_or_in_part() -> None:
    known = {"cards": ["drafted"], "count": 3}
    state = read(
        build_midway_position(
            {"hand": ["bone_spurs", "?"]},
            {"hand": 4},
            {"hand": known},
            doors=["wolfman", "bog_bride"],
            door_discard={"cards": ["puddle_bat"], "more": True},
        )
    )
    assert [state.cards_at(HANDS[seat]) for seat in range(3)] == [
        ("bone_spurs", "?"),
        ("?",) * 4,
        ("drafted", "?", "?"),
    ]
    assert state.cards_at(DOORS) == ("wolfman", "bog_bride")
    assert state.cards_at(DOOR_DISCARD) == ("puddle_bat", "?some")


# ---- the combat -----------------------------------------------------------------------------------------------------


def test_a_combat_says_monsters_enhancers_twins_help_and_terms() -> None:
    twin = {"monster": "wolfman", "twin_by": "second_helping", "enhancers": ["enh_old"]}
    deal = {"treasures": 1, "picks": ["helper", "main"], "items": ["crooked_crown"], "note": "soon"}
    terms = {"asked": 2, "deal": {"treasures": "all"}}
    state = read(build_combat_position({"hand": 3}, combat={
        "monsters": [{"monster": "wolfman", "enhancers": ["enh_old"]}, twin], "helper": 2, "deal": deal, "terms": terms,
        "used": [{"power": "scare", "seat": 0}], "removed": 1,
        "added": [{"card": "os_popping_corn", "seat": 1, "side": "monsters", "count": 2},
                  {"card": "town_halloween", "side": "munchkins", "count": 3}],
    }))  # fmt: skip
    combat = state.running_combat
    assert combat.foes == (Foe("wolfman", "wolfman", ("enh_old",)), Foe("second_helping", "wolfman", ("enh_old",)))
    assert combat.deal == Deal(treasures=1, picks=("helper", "main"), items=("crooked_crown",), note="soon")
    assert (combat.offered_by, combat.asked, combat.offer) == (0, 2, Deal(all_of_them=True))
    assert combat.used == ("scare/0",)
    assert combat.added[0] == AddedStrength("os_popping_corn", 1, "monsters", 2, one_shot=True)
    assert combat.added[1] == AddedStrength("town_halloween", 0, "munchkins", 3)
    assert state.cards_at(COMBAT) == ("wolfman", "second_helping", "enh_old", "os_popping_corn")
    assert state.fought


def test_a_claim_stands_once_nobody_speaks_up() -> None:
    state = read(
        build_combat_position(combat={"monsters": ["stale_candy_swarm"]}, question={"asks": "claim", "passed": [1]})
    )
    assert state.agenda == (AfterDoor(0), Fight(0), ClaimWindow((1,)))
    assert seats_that_must_act(state) - {CLOCK} == {2}
    events = play_move(state, Seat(2), Pass())
    assert any(isinstance(event, MonstersKilled) for event in events)


def test_a_fight_is_asked_about_as_soon_as_there_is_a_combat() -> None:
    state = read(build_combat_position(combat={"monsters": ["stale_candy_swarm"]}))
    assert state.agenda == (AfterDoor(0), Fight(0))
    assert judge_move(state, Seat(0), ClaimKill()).granted
    assert judge_move(state, Seat(0), KickDoor()).verdict == "refused"
    assert state.turn == GAME.positions.decode_position({key: value for key, value in build_combat_position(combat={
        "main": 0, "monsters": ["wolfman"]}).items() if key != "turn"}).turn  # fmt: skip


def test_a_flight_says_who_has_to_escape_what_and_what_changes_the_roll() -> None:
    state = read(build_combat_position({"next_flight": -2}, combat=build_flight_combat("wolfman", "bog_bride"),
                          question={"asks": "flight_die_fell", "monster": "wolfman", "value": 6}))  # fmt: skip
    assert state.agenda == (AfterDoor(0), Fleeing(begun=True), AfterRoll(0, "wolfman", "", 6))
    assert state.running_combat.to_flee == ("0/wolfman", "0/bog_bride")
    assert state.hindered == {"0": -2}
    after = apply_events(state, play_move(state, Seat(0), KeepRoll()))
    assert after.running_combat.to_flee == ("0/bog_bride",) or after.agenda[-1] != state.agenda[-1]
    assert after.hindered == {}


# ---- questions ------------------------------------------------------------------------------------------------------


def test_examples_fit_the_schema_and_every_question_has_one() -> None:
    schema = GAME.positions.build_schema("standard")
    jsonschema_rs.meta.validate(schema)
    found = set()
    for example in EXAMPLES:
        fit(example, "munchkin")
        state = read(example)
        question = GAME.positions.encode_position(state)["question"]
        said = example.get("question") or {"asks": "fight" if "combat" in example else "calm"}
        assert question.get("asks", question.get("type")) == said.get("asks", said.get("type"))
        found.add(question.get("asks", ""))
    # no card of the box is carried out by the table; tests/cardscript/test_free_texts.py has positions of such cards
    assert found == {*build_agenda(EDITION).by_name, ""} - {"as_written"}


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


def test_a_curse_lies_as_the_card_being_played_until_it_has_struck() -> None:
    state = read(build_midway_position(question={"asks": "curse", "card": "curse_headgear"}))
    assert state.agenda == (AfterDoor(0), CurseStrike("curse_headgear", 0), CurseWindow("curse_headgear", 0))
    assert state.cards_at(PENDING) == ("curse_headgear",)
    after = apply_events(state, play_move(state, Seat(0), Pass()))
    assert "crooked_crown" not in after.items_of(0)
    played = read(build_combat_position(question={"asks": "curse", "card": "curse_level", "victim": 1, "by": 2}))
    assert played.agenda[:3] == (AfterDoor(0), Fight(0), CurseStrike("curse_level", 1, 2))


def test_a_card_text_is_taken_up_at_the_line_that_asks() -> None:
    state = read(build_midway_position(question={"asks": "lose_items", "card": "curse_small_item"}))
    *_, strikes, text, asking = state.agenda
    assert isinstance(strikes, CurseStrike)
    assert strikes.stage == "struck"
    assert isinstance(text, Execution)
    assert (text.card, text.text, text.at, text.by) == ("curse_small_item", "does", 1, 0)
    assert isinstance(asking, LoseItems)
    assert seats_that_must_act(state) == {0}
    bad = {"asks": "lose_items", "card": "tinsel_serpent", "part": "bad_stuff", "chosen_by": 1}
    flight = read(build_combat_position(combat={"monsters": ["tinsel_serpent"]}, question=bad))
    assert isinstance(flight.agenda[-3], Fleeing)
    assert seats_that_must_act(flight) == {1}


def test_any_step_can_be_written_as_the_referee_keeps_it() -> None:
    beneath = [{"type": "mk.Fight", "seat": 0}, {"type": "mk.AfterDoor", "seat": 0}]
    long, short = {"type": "mk.ClaimWindow", "passed": [1]}, {"asks": "claim", "passed": [1]}
    assert read(build_combat_position(question=long, pending_steps=beneath)) == read(
        build_combat_position(question=short)
    )
    looked = [{"type": "mk.Calm", "seat": 0, "stage": "after"}]
    assert read(build_combat_position(pending_steps=looked)).agenda == (Calm(0, "after"), Fight(0))


# ---- what has not the form ------------------------------------------------------------------------------------------


def test_each_fault_is_named_with_its_place() -> None:
    assert set(faults({})) == {"/seats"}
    assert set(faults({"seats": [{}, {"level": 1}, {"level": 11}]})) == {"/seats/0/level", "/seats/2/level"}
    nothing = {"seats": [{"level": 1}] * 3}
    assert set(faults(nothing)) == {"/turn"}
    assert set(faults({**nothing, "turn": 3, "winner": 4, "dead": [5]})) == {"/turn", "/winner", "/dead/0"}
    assert set(faults({**nothing, "turn": 0, "dead": [1, 1]})) == {"/dead"}
    assert set(faults(build_midway_position(named=[0]))) == {"/named"}
    assert set(faults(build_midway_position({"hand": {"cards": ["drafted"], "count": 0}}))) == {"/seats/0/hand/count"}
    assert set(faults(build_midway_position(emptied=["nowhere"]))) == {"/emptied/0"}
    assert set(faults(build_midway_position(settings={"max_turns": 1}, colour=3))) == {"/settings/max_turns", "/colour"}
    assert set(faults(build_midway_position({"items": [], "in_use": ["candy_hook"]}))) == {"/seats/0/in_use/0"}
    assert set(faults(build_midway_position({"attached": {"candy_hook": "loose_stitches"}}))) == {
        "/seats/0/attached/candy_hook"
    }


def test_cards_and_words_may_be_written_as_players_call_them() -> None:
    def describe(item: str, attached: str, monster: str, town: str, side: str) -> Table:
        added = {"card": town, "side": side, "count": 3}
        return read(
            build_combat_position(
                {"items": [item, attached], "attached": {item: attached}},
                combat={"monsters": [monster], "added": [added]},
                question={"asks": "claim"},
            )
        )

    named = describe("candy_hook", "loose_stitches", "wolfman", "town_halloween", "monsters")
    assert named.attached == {"candy_hook": "loose_stitches"}
    assert named == describe(
        "Zuckerstangenhaken", "Lose Nähte", "wolfsmensch", "Citizen of Halloween Town", "die Monster"
    )


def test_an_unknown_power_or_item_is_named() -> None:
    wrong = build_combat_position({"attached": {"candy_hok": "loose_stitches"}}, combat={"used": [
        {"power": "scarre", "seat": 0}]})  # fmt: skip
    assert faults(wrong) == {
        "/combat/used/0/power": "unknown value 'scarre'; did you mean scare?",
        "/seats/0/attached/candy_hok": "unknown value 'candy_hok'; did you mean candy_hook?",
    }


def test_unknown_names_come_with_a_suggestion() -> None:
    assert (
        "did you mean wolfman?" in faults(build_combat_position(combat={"monsters": ["wolfmen"]}))["/combat/monsters/0"]
    )
    assert "did you mean candy_hook?" in faults(build_midway_position({"items": ["candy_hok"]}))["/seats/0/items/0"]
    assert "did you mean claim?" in faults(build_midway_position(question={"asks": "clam"}))["/question"]
    assert "did you mean towns?" in faults(build_midway_position({"town": []}))["/seats/0/town"]


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ({"asks": "fight"}, "/combat"),
        ({"asks": "claim"}, "/combat"),
        ({"asks": "flight_die", "monster": "wolfman"}, "/combat"),
        ({"asks": "calm", "seat": 7}, "/question/seat"),
        ({"asks": "calm", "seat": 3}, "/question/seat"),
        ({"asks": "calm", "stage": "end"}, "/question/stage"),
        ({"asks": "curse", "card": "wolfman"}, "/question/card"),
        ({"asks": "choose", "card": "curse_level"}, "/question/card"),
        ({"asks": "choose", "card": "loose_stitches", "by": 5}, "/question/by"),
        ({"asks": "choose", "card": "loose_stitches", "known": {"me": ["x"]}}, "/question/known/me/0"),
        ({"asks": "keep_one", "drawn": ["wolfman", "bog_bride"]}, "/question/drawn"),
        ({"asks": "name_cards", "seat": 0}, "/question/count"),
        ({"asks": "first_turn", "contenders": [1], "cast": [4]}, "/question/cast"),
        ({"asks": "first_turn", "contenders": [1, 1]}, "/question/contenders"),
        ({"type": "mk.CurseWindow", "card": "curse_level", "victim": 0}, "/question"),
        ({"type": "mk.AfterRoll", "seat": 0, "card": "wolfman", "called": "pips", "value": 2}, "/question"),
        ({"type": "mk.AfterRoll", "seat": 0, "card": "wolfman", "called": "", "value": 9}, "/question/value"),
        ({"type": "mk.LoseTown", "seat": 0, "card": "nobody"}, "/question/card"),
        ({"type": "mk.Nothing"}, "/question/type"),
        ({"type": "hts.Turn", "seat": 0}, "/question/type"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_with_its_place(question: Data, pointer: str) -> None:
    assert set(faults(build_midway_position(question=question))) == {pointer}


def test_the_turn_has_to_lie_beneath_everything() -> None:
    assert set(faults(build_combat_position(pending_steps=[]))) == {"/pending_steps"}
    assert set(faults(build_combat_position(pending_steps=[{"type": "mk.Calm", "seat": 0, "stage": "x"}]))) == {
        "/pending_steps/0/stage"
    }


def test_trades_and_the_dead_are_listed() -> None:
    trade = {"by": 0, "to": 1, "give": ["candy_hook"], "take": ["chained_lantern"]}
    state = read(build_midway_position({}, {}, {"hand": [], "items": []}, trades=[trade], dead=[2], bereft=[2, 1]))
    assert state.trades == (Trade(0, 1, ("candy_hook",), ("chained_lantern",)),)
    assert (state.dead, state.bereft) == ((2,), (2, 1))


# ---- worlds ---------------------------------------------------------------------------------------------------------


def test_in_another_world_what_was_just_received_and_what_was_held_go_with_the_hand() -> None:
    dice = random.Random(4)
    hand = ["wolfman", "bog_bride", "stilts", "candle_fiend", "gual_coin"]
    data = build_midway_position(
        {"hand": hand, "just_received": ["stilts"]},
        {"hand": ["bat_hat", "puddle_bat"]},
        {"hand": []},
        doors=["ink_fiend", "sally"],
        treasures=["tinfoil_suit", "ribbon_mail"],
        question={"asks": "keep_one", "drawn": ["wolfman", "candle_fiend"]},
    )
    state, changes = GAME.positions.decode_position(data), 0
    for _ in range(20):
        other = GAME.tracking.determinize(state, 1, dice.randrange)
        assert build_view(other, Seat(1)) == build_view(state, Seat(1))
        assert (seats_that_must_act(other), seats_that_may_act(other)) == (
            seats_that_must_act(state),
            seats_that_may_act(state),
        )
        step: Any = other.agenda[-1]
        assert len(step.before) == 3
        assert not set(step.before) - set(other.cards_in_hand(0))
        assert other.fresh["0"][0] in other.cards_in_hand(0)
        assert {FACES[card].deck for card in other.cards_at(DOORS)} == {"door"}
        changes += other.cards_in_hand(0) != state.cards_in_hand(0)
    assert changes > 5
