"""Positions as a person writes them: what is left out is unknown, and what cannot be is named."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from referee.engine.chance import Shuffle
from referee.engine.codec import REGISTRY
from referee.engine.events import Move, apply_events
from referee.engine.referee import judge_move, play_move
from referee.engine.rulings import ContradictoryPosition, MalformedInput, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.engine.zones import is_back
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import FACELESS_TRIGGER, Rules, list_playing_cards
from referee.games.monster_combat.moves import Parry, Pass, PlayCard, TakeHit
from referee.games.monster_combat.positions.questions import AGENDA
from referee.games.monster_combat.rules.drawing import DeckTopReveal
from referee.games.monster_combat.rules.setup import Deal, FirstHands, FirstPlayerLot
from referee.games.monster_combat.rules.turn import TurnStart
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS
from tests.games.schemas import fit


def position(*players: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A position of variant 1 in which seat 0 may play a card."""
    return {"variant": "V1", "players": list(players) or [{}, {}], "question": {"asks": "play", "seat": 0}, **more}


def verdict(data: dict[str, Any], seat: int, move: Move) -> str:
    """The verdict, or what the position must still say."""
    ruling = judge_move(GAME.positions.decode_position(data), Seat(seat), move)
    return ruling.needs[0].key if ruling.needs else ruling.verdict


def faults(data: dict[str, Any]) -> dict[str, str]:
    """What is wrong with a position, by place."""
    with pytest.raises(MalformedInput) as malformed:
        GAME.positions.decode_position(data)
    assert not isinstance(malformed.value, ContradictoryPosition)
    return {error["pointer"]: error["detail"] for error in malformed.value.errors}


def contradicted(data: dict[str, Any]) -> dict[str, str]:
    """The clauses that a position breaks, by place."""
    with pytest.raises(ContradictoryPosition) as wrong:
        GAME.positions.decode_position(data)
    return {error["pointer"]: error["clause"] for error in wrong.value.errors}


@pytest.mark.parametrize("variant", GAME.variants)
def test_examples_fit_the_schema_and_every_question_has_one(variant: str) -> None:
    schema = GAME.positions.build_schema(variant)
    jsonschema_rs.meta.validate(schema)
    found = set()
    for example in GAME.positions.build_examples(variant):
        fit(example, "monster_combat", variant)
        found.add(example["question"]["asks"])
        fit(GAME.positions.encode_position(GAME.positions.decode_position(example)), "monster_combat", variant)
    only = {"V1": {"lightning", "steal"}, "V2": {"revive_draw"}}
    others = {name for other, names in only.items() if other != variant for name in names}
    assert found == {question.name for question in AGENDA.open_questions} - others


def test_every_step_of_the_game_has_a_name_in_positions() -> None:
    steps = {kind for tag, kind in REGISTRY.items() if tag.startswith("mc.") and issubclass(kind, Step)}
    assert {kind.__name__ for kind in steps} - {each.step.__name__ for each in AGENDA.by_name.values()} == {
        "UnknownQuestion",
        "UndeterminedQuestion",
    }
    assert len(AGENDA.by_name) == len(AGENDA.open_questions) + len(AGENDA.waiting_steps)


def test_what_is_left_out_is_asked_for_one_thing_at_a_time() -> None:
    assert verdict({"variant": "V1", "players": [{}, {}]}, 0, Pass()) == "which_question"
    assert verdict(position(), 0, PlayCard("sword")) == "which_cards"
    assert verdict(position({"hand": ["life_back"]}, {}), 0, PlayCard("life_back")) == "hearts_of"
    assert verdict(position({"hand": ["life_back"], "hearts": 2}, {}), 0, PlayCard("life_back")) == "granted"
    assert verdict(position({"hand": []}, {}), 0, PlayCard("sword")) == "refused"


def test_a_hand_left_out_is_not_an_empty_hand() -> None:
    attacked = {"asks": "parry", "seat": 1}
    assert verdict(position({}, {}, question=attacked), 1, Parry("shield")) == "which_cards"
    assert verdict(position({}, {"hand": []}, question=attacked), 1, Parry("shield")) == "refused"
    assert verdict(position({}, {"hand": 2}, question=attacked), 1, Parry("shield")) == "granted"
    assert verdict(position({}, {}, question=attacked), 1, TakeHit()) == "granted"


def test_a_hand_may_be_known_in_part() -> None:
    player = {"hand": {"cards": ["shield"], "count": 2}, "hearts": 3}
    assert verdict(position(player, {}), 0, PlayCard("sword!trigger")) == "granted"
    more = {"hand": {"cards": ["skip"], "more": True}}
    assert verdict(position(more, {}), 0, PlayCard("skip")) == "granted"
    assert verdict(position(more, {}), 0, PlayCard("sword")) == "which_cards"


def test_facts_follow_as_far_as_the_position_fixes_them() -> None:
    hands = ({"hand": ["sword"], "hearts": 2}, {"hearts": 1, "immune": False, "hand": 4})
    state = GAME.positions.decode_position(position(*hands, turn=0))
    after = apply_events(state, play_move(state, Seat(0), PlayCard("sword")))
    assert after.cards_at(DISCARD)[0] == "sword"  # and whatever else lies there
    assert GAME.positions.encode_position(after)["question"] == {
        "asks": "parry",
        "seat": 1,
        "strength": 1,
        "by": "sword",
    }
    with pytest.raises(Undetermined):
        play_move(GAME.positions.decode_position(position({"hand": ["sword"]}, {}, turn=0)), Seat(0), PlayCard("sword"))


@pytest.mark.parametrize(
    ("more", "need"),
    [
        ({}, "whose_turn"),
        ({"turn": 0}, "who_misses_a_turn"),
        ({"turn": 0, "skipped": None}, None),
    ],
)
def test_a_turn_passes_only_where_the_position_says_how(more: dict[str, Any], need: str | None) -> None:
    state = GAME.positions.decode_position(position({"hand": 2, "hearts": 1}, {"hearts": 2}, **more))
    if need is None:
        assert apply_events(state, play_move(state, Seat(0), Pass())).active == 1
    else:
        with pytest.raises(Undetermined) as unknown:
            play_move(state, Seat(0), Pass())
        assert unknown.value.need.key == need


def test_among_three_the_direction_matters() -> None:
    players = [{"hand": 2, "hearts": 1}, {"hearts": 2}, {"hearts": 2}]
    known = {"turn": 0, "skipped": None}
    state = GAME.positions.decode_position(position(*players, **known))
    with pytest.raises(Undetermined) as unknown:
        play_move(state, Seat(0), Pass())
    assert unknown.value.need.key == "which_direction"
    state = GAME.positions.decode_position(position(*players, **known, direction="counterclockwise"))
    assert apply_events(state, play_move(state, Seat(0), Pass())).active == 2


def test_swords_need_not_be_told_apart_by_their_backs() -> None:
    state = GAME.positions.decode_position(position({"hand": ["sword"] * 18}, {}))
    assert state.cards_in_hand(0).count("sword") == 12
    assert state.cards_in_hand(0).count("sword!trigger") == 6
    tray = GAME.positions.decode_position(position(event_tray=["attacked"])).cards_at("event_tray")
    assert tray == ("attacked!event",)


def test_cards_may_have_the_names_that_players_use_in_either_language() -> None:
    state = GAME.positions.decode_position(
        position({"hand": ["Schwert", "Shield", "skip"]}, {}, event_tray=["Angegriffen"])
    )
    assert state.cards_in_hand(0) == ("sword", "shield", "skip")
    assert state.cards_at("event_tray") == ("attacked!event",)
    question = {"asks": "shuffle", "where": "Nachziehstapel"}
    assert (
        GAME.positions.encode_position(GAME.positions.decode_position(position(question=question)))["question"]["where"]
        == "deck:"
    )


def test_the_schema_says_who_sees_cards_and_what_is_a_seat() -> None:
    members = GAME.positions.build_schema("V1")["properties"]
    hand = members["players"]["items"]["properties"]["hand"]
    assert [part["x-seen-by"] for part in (hand, members["discard"], members["draw_pile"])] == [
        "owner", "everybody", "nobody"
    ]  # fmt: skip
    assert members["turn"]["anyOf"][0]["x-seat"]
    assert members["cards"]["default"] == "server"


def is_read(variant: str, mode: str, card: str) -> bool:
    """Whether a hand may hold this card with this trigger mode."""
    written = {**position({"hand": [card]}, {}), "variant": variant, "settings": {"trigger_mode": mode}}
    try:
        GAME.positions.decode_position(written)
    except MalformedInput:
        return False
    return True


@pytest.mark.clause("MC-AMB-1")
@pytest.mark.parametrize("variant", GAME.variants)
def test_the_schema_of_a_hand_lists_just_the_cards_that_the_reader_takes(variant: str) -> None:
    hand = GAME.positions.build_schema(variant)["properties"]["players"]["items"]["properties"]["hand"]
    listed = {card for card in hand["anyOf"][0]["items"]["enum"] if not is_back(card)}
    modes = ("marked_backs", "extra_cards")
    boxes = [list_playing_cards(Rules(variant, trigger_mode=mode)) for mode in modes]
    assert listed == {card for mode in modes for card in listed if is_read(variant, mode, card)}
    assert listed == {*boxes[0], *boxes[1]}
    assert (FACELESS_TRIGGER in listed) == (variant == "V1")
    wrong = faults({**position({"hand": ["sword!trigger"]}, {}), "settings": {"trigger_mode": "extra_cards"}})
    assert "trigger_mode" in wrong["/players/0/hand/0"]


def test_each_fault_is_named_with_its_place() -> None:
    assert set(faults({})) == {"/players", "/variant"}
    assert set(faults({**position(), "colour": 1, "settings": {"speed": 1}})) == {"/colour", "/settings/speed"}
    assert set(faults(position({"hand": ["banana"], "hearts": 4}, {}))) == {"/players/0/hand/0", "/players/0/hearts"}
    assert set(faults(position({"hearts": 4}, {"immune": 1}, turn=7))) == {
        "/players/0/hearts",
        "/players/1/immune",
        "/turn",
    }
    assert set(faults(position({"hand": {"cards": ["sword", "skip"], "count": 1}}, {}))) == {"/players/0/hand/count"}
    assert set(faults(position(question={"asks": "dance"}))) == {"/question"}
    assert set(faults(position(question={"asks": "parry"}))) == {"/question/seat"}
    assert set(faults(position(question={"asks": "parry", "seat": 5}))) == {"/question/seat"}
    assert set(faults(position(question={"asks": "discard_down", "seat": 0, "count": 0}))) == {"/question/count"}
    assert set(faults(position(question={"asks": "shuffle", "where": "hand:0"}))) == {"/question/where"}
    assert set(faults(position(question={"asks": "draw", "seat": 0, "count": 2}))) == {"/question/count"}
    assert set(faults(position(question={"asks": "lightning", "order": [1, 1], "by": 0}))) == {"/question/order"}
    assert set(faults(position(direction="up", fallen=[9]))) == {"/direction", "/fallen/0"}
    assert set(faults({**position(), "variant": "V2", "monster": {"number": 11}})) == {"/monster/number"}


@pytest.mark.parametrize(("more", "where"), [
    ({"named": [0, 0], "cards": "table"}, "/named"), ({"named": [0]}, "/named"),
    ({"named": [0], "cards": "server"}, "/named"), ({"named": [7], "cards": "table"}, "/named/0"),
])  # fmt: skip
def test_seats_are_named_once_and_only_where_real_cards_are_dealt(more: dict[str, Any], where: str) -> None:
    assert set(faults(position(**more))) == {where}


def test_a_member_of_the_other_variant_is_told_from_one_that_no_variant_has() -> None:
    written = position(monster={"number": 5}, monsters=[])
    del written["variant"]
    wrong = faults(written)
    assert wrong["/variant"] == "is missing"
    belongs = 'in variant V1, which is meant if "variant" is missing; it belongs to V2'
    assert wrong["/monster"] == f"no such member {belongs}"
    assert wrong["/monsters"] == "no such member"
    assert set(faults({**position(skipped=None), "variant": "V2"})) == {"/skipped"}
    assert (
        faults({**position(skipped=None), "variant": "V2"})["/skipped"]
        == "no such member in variant V2; it belongs to V1"
    )
    assert "belongs" not in faults({**position(), "variant": "V3"})["/variant"]


def impossible(data: dict[str, Any]) -> dict[str, str]:
    """The clauses that a position breaks, by place."""
    with pytest.raises(ContradictoryPosition) as wrong:
        GAME.positions.decode_position(data)
    return {error["pointer"]: error["clause"] for error in wrong.value.errors}


def test_a_step_that_waits_belongs_to_the_variant_too() -> None:
    hands: list[dict[str, Any]] = [{"hand": []}, {"hand": []}]
    waiting = {"question": {"asks": "first_player"}, "pending": [{"asks": "first_hands"}, {"asks": "monster_check"}]}
    with pytest.raises(ContradictoryPosition) as wrong:
        GAME.positions.decode_position({"variant": "V1", "players": hands, **waiting})
    assert [(error["pointer"], error["clause"]) for error in wrong.value.errors] == [("/pending/1", "MC-V1-MONSTER-1")]


START: dict[str, Any] = {
    "variant": "V1", "players": [{"hearts": 3, "immune": False, "hand": []}] * 3, "discard": [], "event_tray": [],
    "direction": "clockwise", "fallen": [],
}  # fmt: skip


def steps(**more: Any) -> tuple[Step, ...]:
    """The steps of a position of the setup, the open question first."""
    return GAME.positions.decode_position({**START, **more}).agenda[::-1]


@pytest.mark.clause("MC-SETUP-5", "MC-SETUP-6")
def test_the_usual_steps_wait_where_a_position_of_the_setup_names_none() -> None:
    assert steps(turn=None, question={"asks": "first_player"})[1:] == (FirstHands(),)
    dealt = steps(turn=1, question={"asks": "deal", "seat": 1})
    assert dealt == (Deal(1, 5), Deal(2, 5), Deal(0, 5), TurnStart(1))
    shuffled = steps(turn=None, question={"asks": "shuffle", "where": DECK})
    assert shuffled[1:] == (DeckTopReveal(), Shuffle(EVENTS), FirstPlayerLot(), FirstHands())
    written = GAME.positions.encode_position(GAME.positions.decode_position(
        {**START, "turn": None, "question": {"asks": "first_player"}}
    ))  # fmt: skip
    assert "pending" not in written


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({"turn": None, "question": {"asks": "first_player"}, "pending": []}, {"/pending": "MC-V1-END-1"}),
        ({"turn": 0, "question": {"asks": "play"}, "pending": []}, {"/pending": "MC-V1-END-1"}),
        ({"turn": 0, "question": {"asks": "deal", "seat": 0},
          "pending": [{"asks": "deal", "seat": 1, "count": 4}, {"asks": "turn_begins", "seat": 0}]},
         {"/pending/0": "MC-SETUP-5"}),
    ],
)  # fmt: skip
def test_steps_that_cannot_wait_are_a_contradiction(more: dict[str, Any], wrong: dict[str, str]) -> None:
    assert contradicted({**START, **more}) == wrong


@pytest.mark.clause("MC-EVENT-IMMUNE-1")
def test_whoever_is_immune_meets_an_event_only_where_immunity_lasts_until_then() -> None:
    players = [{"hearts": 3, "immune": True}, {"hearts": 2}, {"hearts": 1}]
    asked = {"variant": "V1", "players": players, "turn": 0, "question": {"asks": "event"}}
    assert contradicted(asked) == {"/question": "MC-EVENT-IMMUNE-1"}
    late = {**asked, "settings": {"v2_immunity_until": "own_next_event_checked"}, "variant": "V2"}
    assert GAME.positions.decode_position(late)


@pytest.mark.clause("MC-MAT-1", "MC-MAT-2", "MC-MAT-3", "MC-AMB-2")
def test_what_cannot_be_is_refused_with_the_clause() -> None:
    assert impossible(position({"hand": ["sword"] * 10}, {}, discard=["sword"] * 9)) == {"/discard": "MC-MAT-2"}
    assert impossible(position(event_tray=["immune"] * 5)) == {"/event_tray": "MC-MAT-3"}
    assert impossible(position({"hand": ["?trigger"] * 21}, {})) == {"/players/0/hand": "MC-AMB-2"}
    assert impossible(position({"hand": 20}, {}, draw_pile=38)) == {"/draw_pile": "MC-MAT-1"}
    assert impossible(position({"hand": ["skip!trigger"] * 2}, {})) == {"/players/0/hand": "MC-AMB-2"}


@pytest.mark.clause("MC-MAT-2")
def test_the_census_says_what_to_count_again() -> None:
    data = position({"hand": ["sword"] * 10}, {"hand": 3}, discard=["sword"] * 9)
    found = GAME.positions.check_census(data)
    assert not found["possible"]
    assert found["contradictions"][0]["counted"] == 19
    assert found["contradictions"][0]["copies"] == 18
    assert "Sword" in found["contradictions"][0]["says"]["en"]
    assert {each["pointer"] for each in found["recounts"]} == {"/discard", "/players/0/hand"}
    assert {each["says"]["en"] for each in found["recounts"]} == {
        "Count these cards again: discard.",
        "Count these cards again: hand of Player 1.",
    }


@pytest.mark.clause("MC-MAT-1")
def test_the_census_misses_a_card_when_everything_is_counted() -> None:
    whole = {"draw_pile": 40, "discard": [], "event_pile": 20, "event_tray": []}
    assert GAME.positions.check_census(position({"hand": 8}, {"hand": 9}, **whole))["possible"]
    found = GAME.positions.check_census(position({"hand": 8}, {"hand": 8}, **whole))
    assert found["contradictions"][0]["says"]["en"] == "Only 56 playing cards are listed, but there must be 57."
    assert GAME.positions.check_census(position({"hand": 8}, {}, **whole))["possible"]  # one hand is unknown
