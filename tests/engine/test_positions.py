"""The table of written positions, with rows of a toy game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import pytest

from referee.engine.positions.contradictions import Contradiction, find_first_wrong, find_wrong
from referee.engine.positions.form import (
    find_form_errors,
    find_schema_errors,
    index_display_names,
    read_display_names,
)
from referee.engine.positions.plans import find_plan_errors, locate_letters
from referee.engine.positions.questions import Agenda, Question
from referee.engine.positions.rows import BySeat, Field, Group, Position, Zone, usual_field, write_rows
from referee.engine.positions.shapes import (
    FLAG,
    TEXT,
    Member,
    choice_shape,
    counted_cards_shape,
    list_shape,
    lists_by_name_shape,
    number_shape,
    open_cards_shape,
    optional_shape,
    pile_shape,
    record_shape,
    seat_shape,
    short_record_shape,
    word_shape,
)
from referee.engine.positions.table import Positions, PositionTable
from referee.engine.rulings import MAX_ERRORS, ContradictoryPosition, MalformedInput
from referee.engine.steps import Step
from referee.games import load_games


@dataclass(frozen=True)
class Pawn:
    x: int
    alive: bool | None = None


@dataclass(frozen=True)
class Toy:
    over: bool = False
    turn: int | None = None
    seat: int | None = None
    real: bool = False
    pawns: tuple[Pawn, ...] | None = None
    zones: dict[str, tuple[str, ...]] = field(default_factory=dict)


PAWN = record_shape(Pawn, Member("x", number_shape(0, 9), "Its place.", needed=True), Member("alive", FLAG))
FIELDS = (
    Field(
        "question", choice_shape("move", "over"), lambda toy: "over" if toy.over else "move", None, "The question.",
        part="all",
    ),
    Field("turn", number_shape(1, 9), "turn", lambda p: 1 if p["seat"] == 0 else None, "The turn.", part="all"),
    Field("seat", choice_shape(0, 1), "seat", None, "Who is asked.", part="all", ignored_in=("over",)),
    Field(
        "cards", word_shape({"server": False, "table": True}), "real", False, "The source of cards.", part="all"
    ),
    Field("pawns", list_shape(PAWN), "pawns", None, "The pawns.", part="board"),
    Field(
        "hand", counted_cards_shape(("axe", "?"), 3), Zone(lambda seat: f"hand:{seat}", "seat", absent=None), None,
        "The hand.", part="all",
    ),
)  # fmt: skip


def check_pawns(p: Position) -> Iterator[dict[str, str]]:
    if p["pawns"] == ():
        yield {"pointer": "/pawns", "detail": "nobody is left"}


def build(p: Position) -> Toy:
    return Toy(over=p["question"] == "over", **p.read_fields(("all", "board")))


def contradict(toy: Toy, p: Position) -> list[Contradiction]:
    return list(find_wrong((p["turn"] == 9, "/turn", "KERNEL-CENSUS-1", "there are eight turns")))


def list_parts(question: str) -> tuple[str, ...]:
    return ("all",) if question == "over" else ("all", "board")


TABLE = PositionTable("Toy", "A toy.", FIELDS, build, contradict, (check_pawns,), list_parts)


def test_the_schema_has_a_described_member_for_each_row() -> None:
    assert list(TABLE.schema["properties"]) == [row.name for row in FIELDS]
    assert TABLE.schema["properties"]["turn"] == {
        "type": "integer", "minimum": 1, "maximum": 9, "description": "The turn."
    }  # fmt: skip


def test_what_is_left_out_is_unknown_or_follows_from_the_rest() -> None:
    assert TABLE.decode({"question": "move"}) == Toy()
    assert TABLE.decode({"question": "move", "seat": 0}).turn == 1
    assert TABLE.decode({"question": "move", "seat": 0, "turn": 3}).turn == 3
    assert TABLE.decode({"question": "move", "hand": 2}).zones == {}  # nobody knows whose hand it is
    assert TABLE.decode({"question": "over", "seat": 0}) == Toy(over=True)


@pytest.mark.parametrize(
    "written",
    [
        {"question": "move", "turn": 2, "cards": "table"},
        {"question": "move", "seat": 1, "cards": "server", "hand": 2, "pawns": [{"x": 3}, {"x": 4, "alive": False}]},
        {"question": "move", "seat": 1, "cards": "server", "hand": ["axe", "?"]},
    ],
)
def test_a_state_is_written_as_it_was_read(written: dict[str, Any]) -> None:
    assert TABLE.encode(TABLE.decode(written)) == written


def test_a_part_is_left_out_where_it_is_not_written() -> None:
    assert TABLE.encode(Toy(over=True, pawns=(Pawn(1),))) == {"question": "over", "cards": "server"}


@pytest.mark.parametrize(
    ("written", "pointer"),
    [
        ({"question": "move", "turn": True}, "/turn"),
        ({"question": "move", "pawns": [{"x": 1}, {"alive": True}]}, "/pawns/1/x"),
        ({"question": "move", "hand": 4}, "/hand"),
        ({"question": "move", "pawns": []}, "/pawns"),
    ],
)
def test_a_malformed_position_says_where(written: dict[str, Any], pointer: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        TABLE.decode(written)
    assert [error["pointer"] for error in caught.value.errors] == [pointer]


def test_a_position_that_cannot_be_is_read_only_to_be_examined() -> None:
    with pytest.raises(ContradictoryPosition):
        TABLE.decode({"question": "move", "turn": 9})
    state, wrong = TABLE.examine({"question": "move", "turn": 9})
    assert (state.turn, wrong[0]["clause"]) == (9, "KERNEL-CENSUS-1")


def test_of_several_claims_the_first_wrong_one_is_found() -> None:
    claims = ((False, "/a", "X", "one"), (True, "/b", "X", "two"), (True, "/c", "X", "three"))
    assert [each["pointer"] for each in find_wrong(*claims)] == ["/b", "/c"]
    assert [each["pointer"] for each in find_first_wrong(*claims)] == ["/b"]


def test_a_plan_places_its_letters_around_the_origin() -> None:
    assert locate_letters([".a.", "bEc"], "E") == {"a": (0, -1), "b": (-1, 0), "E": (0, 0), "c": (1, 0)}
    plan = {"rows": ["aa"], "up": ["z"]}
    found = list(find_plan_errors(plan, "E", "the gate", [("/hero", "q"), ("/pawn", [1, 1])]))
    assert [each["pointer"] for each in found] == ["/plan/rows", "/plan/rows", "/hero", "/plan/up"]


@dataclass(frozen=True)
class Round:
    levels: tuple[int, ...] = ()
    fresh: dict[str, int] = field(default_factory=dict)
    turn: int = -1
    zones: dict[str, tuple[str, ...]] = field(default_factory=dict)


SOME = ("?some",)
PLAYER = (
    Field("level", number_shape(1, 9), "levels", 1, "The level.", usual=1),
    Field("fresh", number_shape(0, 9), BySeat("fresh"), None, "What has just come."),
    Field("hand", pile_shape(("axe", "bow"), 9), Zone(lambda seat: f"hand:{seat}"), SOME, "The hand."),
    Field("towns", open_cards_shape({"enum": ["york", "bath"]}, 9), Zone(lambda seat: f"towns{seat}"), SOME, "Towns."),
)
ROUND = PositionTable(
    "Round",
    "Players around a table.",
    (
        Group("seats", "The players.", PLAYER, lambda state: len(state.levels), 2, 5, needed=True),
        Field("turn", optional_shape(seat_shape(5)), "turn", -1, "Whose turn it is; null for nobody's."),
        Field("question", choice_shape("move"), lambda _: "move", None, "What is asked."),
    ),
    lambda p: Round(**p.read_fields()),
    lambda _state, _p: [],
    names=index_display_names(
        {"york": {"en": "York Town"}, "bow": {"en": "Iron", "de": "Bogen"}, "axe": {"en": "Iron", "de": "Streitaxt"}}
    ),
)


def test_what_belongs_to_seats_stands_in_tuples_mappings_and_zones() -> None:
    written = {"seats": [{"level": 3, "hand": {"cards": ["axe"], "more": True}, "towns": ["york"]}, {"fresh": 2}]}
    state = ROUND.decode(written)
    assert (state.levels, state.fresh) == ((3, 1), {"1": 2})
    assert state.zones == {"hand:0": ("axe", "?some"), "towns0": ("york",), "hand:1": SOME, "towns1": SOME}
    assert ROUND.encode(state) == {**written, "turn": None, "question": "move"}
    assert ROUND.pointers["hand:1"] == "/seats/1/hand"
    members = ROUND.schema["properties"]["seats"]["items"]["properties"]
    assert (members["hand"]["x-seen-by"], members["towns"]["x-seen-by"], members["level"]["default"]) == (
        "owner", "everybody", 1
    )  # fmt: skip


def test_seats_and_counts_are_checked_and_names_suggested() -> None:
    with pytest.raises(MalformedInput) as caught:
        ROUND.decode({"seats": [{"hand": {"cards": ["axe"], "count": 0}}, {"hand": ["axx"]}], "turn": 2})
    assert {error["pointer"]: error["detail"] for error in caught.value.errors} == {
        "/seats/0/hand/count": "this cannot be less than the 1 cards listed",
        "/seats/1/hand/0": "unknown value 'axx'; did you mean axe?",
        "/turn": "seats are numbered from 0 to 1",
    }


def test_a_display_name_is_read_only_if_it_means_one_thing() -> None:
    state = ROUND.decode({"seats": [{"hand": ["Bogen"], "towns": ["York Town"]}, {}]})
    assert (state.zones["hand:0"], state.zones["towns0"]) == (("bow",), ("york",))
    with pytest.raises(MalformedInput):
        ROUND.decode({"seats": [{"hand": ["Iron"]}, {}]})


@pytest.mark.parametrize(
    ("written", "meant"),
    [("Drachen", "Reifdrache"), ("Dragon", "Rime Dragon"), ("rime_dragn", "rime_dragon"), ("KRAKA", "Krake")],
)
def test_what_a_person_would_write_is_suggested_in_either_language(written: str, meant: str) -> None:
    names = index_display_names(
        {
            "rime_dragon": {"en": "Rime Dragon", "de": "Reifdrache"},
            "kraken": {"en": "Kraken", "de": "Krake"},
            "dragon_hide": {"en": "Dragon", "de": "Drachen"},
        }
    )
    (wrong,) = find_schema_errors({"enum": ["rime_dragon", "kraken"]}, written, names=names)
    assert wrong["detail"] == f"unknown value '{written}'; did you mean {meant}?"
    assert read_display_names({"enum": ["rime_dragon", "kraken"]}, meant, names) in ("rime_dragon", "kraken")


def test_seats_are_not_checked_against_a_table_with_too_few_players() -> None:
    with pytest.raises(MalformedInput) as caught:
        ROUND.decode({"seats": [{}], "turn": 3})
    assert [error["pointer"] for error in caught.value.errors] == ["/seats"]


def test_a_default_that_nobody_can_write_is_not_named() -> None:
    winner = Field("winner", seat_shape(5), "winner", -1, "Who has won.", usual=-1)
    assert "default" not in winner.schema
    assert ROUND.schema["properties"]["turn"]["default"] is None


def test_a_record_is_written_as_its_first_member_if_it_has_no_other() -> None:
    shape = short_record_shape(
        dict, Member("card", choice_shape("axe"), "The card."), Member("marks", number_shape(0, 9), "Its marks.")
    )
    for written, value in (("axe", {"card": "axe"}), ({"card": "axe", "marks": 2},) * 2, ({"marks": 1},) * 2):
        assert shape.read(written, None) == value
        assert shape.write(value) == written


def test_lists_by_name_are_kept_as_tuples() -> None:
    shape = lists_by_name_shape("Numbers.", number_shape(0, 9), 3)
    assert shape.read({"a": [1, 2]}, None) == {"a": (1, 2)}
    assert shape.write({"a": (1, 2)}) == {"a": [1, 2]}
    assert shape.schema["additionalProperties"]["maxItems"] == 3


@dataclass(frozen=True)
class Frame(Step):
    pass


@dataclass(frozen=True)
class Bid(Step):
    by: int
    cards: tuple[str, ...] = ()


@dataclass(frozen=True)
class Waiting:
    agenda: tuple[Step, ...] = ()


BIDDER, BID_CARDS = Member("by", seat_shape(5), needed=True), Member("cards", list_shape(choice_shape("axe")), usual=())
AGENDA = Agenda(
    (
        Question("bid", Bid, "A bid.", (BIDDER, BID_CARDS), frames=lambda _: (Frame(),)),
        Question(
            "bid_after_bid", Bid, "A bid upon a bid of the same cards.", (BIDDER, BID_CARDS),
            build=lambda values, _: (Bid(9, values["cards"]), Bid(values["by"], values["cards"])),
            propose=lambda waiting, top: {"by": top.by, "cards": top.cards} if len(waiting.agenda) > 1 else {},
        ),
    ),
    lambda _waiting, _steps: (),
    lambda _waiting: Bid(0),
)  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "written"),
    [
        ((Frame(), Bid(1, ("axe",))), {"question": {"asks": "bid", "by": 1, "cards": ["axe"]}}),
        ((Frame(), Bid(1)), {"question": {"asks": "bid", "by": 1}}),
        ((Bid(9, ("axe",)), Bid(1, ("axe",))), {"question": {"asks": "bid_after_bid", "by": 1, "cards": ["axe"]}}),
        ((), {"question": None}),
    ],
)
def test_a_question_stands_for_its_step_and_those_that_come_with_it(
    steps: tuple[Step, ...], written: dict[str, Any]
) -> None:
    assert AGENDA.read(written, Waiting()) == steps
    assert AGENDA.write(Waiting(steps)) == written


def test_a_position_that_names_no_question_has_the_default_one() -> None:
    assert AGENDA.read({}, Waiting()) == (Bid(0),)


def test_an_edition_that_does_not_exist_is_named_and_short_names_are_expanded() -> None:
    long_names = {"york": "york@1"}
    row = Field("town", choice_shape("york@1"), "town", None, "A town.")
    named = Field("edition", TEXT, "edition", "plain", "The edition.")
    table = PositionTable(
        "Towns", "A town.", (row, named), lambda p: p["town"], lambda _state, _p: [],
        expand_names=lambda written: {**written, "town": long_names.get(written["town"], written["town"])},
    )  # fmt: skip
    positions = Positions(
        lambda _variant, _edition: table, lambda _: ("standard", "plain"), lambda _: [], lambda _state, _wrong: {},
        editions=("plain", "fancy"), usual_edition="plain",
    )  # fmt: skip
    assert positions.decode({"town": "york", "edition": "fancy"}) == "york@1"
    for edition, detail in (("fency", "no such edition; did you mean fancy?"), (5, "no such edition")):
        with pytest.raises(MalformedInput) as caught:
            positions.decode({"town": "york", "edition": edition})
        assert caught.value.errors == [{"pointer": "/edition", "detail": detail}]


FIGHT = Group(
    "fight",
    "The running fight.",
    (
        usual_field("helper", seat_shape(5), "fight.helper", -1, "Who helps."),
        Field(
            "lying", open_cards_shape({"enum": ["axe", "bow"]}, 9, {"more": True}), "fight.lying", ("?some",), "Cards.",
        ),
    ),
    is_there=lambda state: state.fight is not None,
)  # fmt: skip


@dataclass(frozen=True)
class Fight:
    helper: int = -1
    lying: tuple[str, ...] = ("?some",)


@pytest.mark.parametrize(
    ("written", "fight"),
    [
        ({}, None),
        ({"fight": {"lying": {"more": True}}}, Fight()),
        ({"fight": {"helper": 2, "lying": ["axe"]}}, Fight(2, ("axe",))),
    ],
)
def test_an_object_that_a_state_does_not_have_is_left_out(written: dict[str, Any], fight: Fight | None) -> None:
    found = Position((FIGHT,), written).read_fields()
    assert (Fight(**found["fight"]) if "fight" in found else None) == fight
    assert write_rows((FIGHT,), SimpleNamespace(fight=fight)) == written


def test_a_member_may_be_usual_because_of_the_others() -> None:
    twice = Member("twice", number_shape(0, 18), usual=lambda said: 2 * said["once"])
    shape = record_shape(dict, Member("once", number_shape(0, 9)), twice)
    assert shape.write({"once": 3, "twice": 6}) == {"once": 3}
    assert shape.write({"once": 3, "twice": 7}) == {"once": 3, "twice": 7}


def test_the_names_of_members_are_checked_and_may_be_display_names() -> None:
    schema = {
        "type": "object",
        "propertyNames": {"enum": ["axe", "bow"]},
        "additionalProperties": {"enum": ["iron"]},
    }
    (wrong,) = find_schema_errors(schema, {"axe": "iron", "bw": "iron"})
    assert wrong == {"pointer": "/bw", "detail": "unknown value 'bw'; did you mean bow?"}
    assert read_display_names(schema, {"Bogen": "iron"}, index_display_names({"bow": {"de": "Bogen"}})) == {
        "bow": "iron"
    }


def test_errors_of_a_position_are_bounded_in_number_and_length() -> None:
    schema = {"type": "array", "items": {"enum": ["axe", "bow"]}, "maxItems": 100}
    assert len(find_form_errors(schema, ["x"] * 101)) == 1
    assert len(find_form_errors(schema, ["x"] * 100)) == MAX_ERRORS
    assert len(find_form_errors(schema, ["x" * 10_000])[0]["detail"]) < 200


VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 20, 10**6, "", "drawn", [], {}, {"x": 1}, {"dungeon_master": 0},
    {"dungeon_master": 0, "x": 1}, {"dungeon_master": 2}, {"dungeon_master": "0"},
)  # fmt: skip


@pytest.mark.parametrize("name", load_games())
def test_settings_are_checked_as_json_schema_says(name: str) -> None:
    fitting = 0
    for schema in load_games()[name].settings["properties"].values():
        validator = jsonschema_rs.Draft202012Validator(schema)
        for value in (*VALUES, schema["default"], *schema.get("enum", ())):
            fits = not any(find_schema_errors(schema, value))
            assert fits == validator.is_valid(value), (schema, value)
            fitting += fits
    assert fitting
