"""What is drawn of the tables of Here to Slay: as a person at the table would say it, and nothing hidden."""

from __future__ import annotations

from typing import Any

from api.http.schemas.typed_dicts import build_answer_schema
from referee.engine.chance import RollResult
from referee.engine.events import replace_fields
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import HANDS, PARTIES, ROW
from referee.games.here_to_slay.moves import Attack, Modify, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import LastingEffect
from tests.games.here_to_slay.given import table, then

FIRST = Seat(0)
VIEWERS = (FIRST, Seat(1), BYSTANDER, FULL_VIEWER)


def draw(state: Table, viewer: Seat = FIRST) -> Any:
    """What a viewer's client draws of a table; it has the declared shape."""
    board = GAME.boards.draw(state if viewer == FULL_VIEWER else state.view_for(viewer), viewer, "standard")
    build_answer_schema(GAME.boards.shape)().load(board)
    return board


def after(state: Table, seat: Seat, move: Any) -> Table:
    """The table after a move."""
    return then(state, seat, move)


def test_a_party_shows_classes_items_and_what_is_true_of_its_heroes() -> None:
    given = table(
        ["challenge"], ["fluffy"], parties={0: ["hook", ("peanut", "sealing_key")]}, leaders={0: "the_cloaked_sage"}
    )
    given = replace_fields(
        given, rolled=("hook",), lasting=(LastingEffect("mighty_blade", 0, "no_destroy", "own_turn_start"),)
    )
    player = draw(given)["seats"][0]
    hook, peanut = player["party"]
    assert (hook["card"]["card"], hook["item"], hook["marks"]) == ("hook", None, ["rolled", "indestructible"])
    assert (peanut["item"]["card"], peanut["marks"]) == ("sealing_key", ["sealed", "indestructible"])
    assert player["leader"]["card"]["card"] == "the_cloaked_sage"
    assert set(player["classes"]) == {hook["hero_class"], peanut["hero_class"], player["leader"]["hero_class"]}
    assert (player["points"], player["of_points"], player["of_slain"], player["of_classes"]) == (3, 3, 3, 6)
    assert [each["what"] for each in player["lasting"]] == ["no_destroy"]


def test_a_hand_is_a_number_for_all_others() -> None:
    given = table(["challenge", "challenge"], ["fluffy"])
    for viewer in VIEWERS:
        mine, theirs = (seat["hand"] for seat in draw(given, viewer)["seats"])
        assert (mine["count"], theirs["count"]) == (2, 1)
        assert len(mine["cards"]) == (2 if viewer in (FIRST, FULL_VIEWER) else 0)
        assert len({card["id"] for card in mine["cards"]}) == len(mine["cards"]), "two equal cards are two cards"


def test_a_roll_shows_dice_additions_total_and_what_it_needs() -> None:
    given = table(["modifier_plus_4", "challenge"], ["fluffy"], parties={0: ["hook"]})
    thrown = after(after(given, FIRST, RollFor("hook")), CHANCE, RollResult((2, 2)))
    (roll,) = [each for each in draw(thrown)["running"] if each["kind"] == "roll"]
    assert (roll["rolls"], roll["seat"], roll["card"]["card"], roll["dice"], roll["total"]) == (
        "hero",
        0,
        "hook",
        [2, 2],
        4,
    )
    assert (roll["needs"], roll["outcome"]) == ({"least": 6, "most": None}, "failure")
    assert roll["asked"] == [0, 1]
    assert "rolling" in draw(thrown)["seats"][0]["party"][0]["marks"]
    modified = after(thrown, FIRST, Modify("modifier_plus_4", 4, 0))
    roll = draw(modified)["running"][0]
    assert (roll["total"], roll["outcome"]) == (8, "success")
    assert [(each["card"], each["value"], each["seat"]) for each in roll["values"]] == [("modifier_plus_4", 4, 0)]


def test_an_attack_shows_both_ranges_of_the_monster() -> None:
    given = table(
        ["challenge"], ["bun_bun"], parties={0: ["hook", "fluffy", "peanut"]}, row=["dracos", "orthus", "terratuga"]
    )
    monster = next(each for each in draw(given)["row"] if each["card"]["card"] == "dracos")
    assert monster["requires"]
    attacked = after(after(given, FIRST, Attack("dracos")), CHANCE, RollResult((6, 6)))
    board = draw(attacked)
    roll = board["running"][0]
    assert roll["needs"] == monster["slays"]
    assert roll["fights_back_at"] == monster["fights_back"]
    assert [each["is_attacked"] for each in board["row"]] == [each["card"]["card"] == "dracos" for each in board["row"]]


def test_a_card_that_may_be_challenged_names_who_is_asked() -> None:
    given = table(["hook", "challenge"], ["challenge"], [], parties={})
    (announced,) = draw(after(given, FIRST, PlayCard("hook")))["running"][-1:]
    assert (announced["kind"], announced["seat"], announced["card"]["card"]) == ("play", 0, "hook")
    assert announced["asked"] == [1], "a player without cards is not asked"


def test_what_a_position_does_not_say_is_null() -> None:
    given = table(["challenge"], ["fluffy"], parties={0: ["hook"]})
    unknown = {HANDS[1]: ("?some",), PARTIES[1]: ("?some",), ROW: ("?some",)}
    board = draw(replace_fields(given, zones={**given.zones, **unknown}, turn=None, points=None))
    assert (board["turn"], board["row"], board["seats"][1]["party"], board["seats"][1]["classes"]) == (
        None,
        None,
        None,
        None,
    )
    assert board["seats"][1]["hand"]["count"] is None
    assert board["seats"][0]["points"] is None
