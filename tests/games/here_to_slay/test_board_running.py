"""What is going on at a table of Here to Slay, as it is drawn: what runs, who must choose, and between what."""

from __future__ import annotations

from typing import Any

import pytest

from api.http.schemas.typed_dicts import build_answer_schema
from referee.cardscript.moves import ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen
from referee.engine.chance import RollResult
from referee.engine.events import replace_fields
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import Rules
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    Modify,
    Pass,
    PickLeader,
    PlayCard,
    RollFor,
)
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.setup import build_initial_table
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.triggers import build_text_execution
from tests.games.course import settled, then
from tests.games.here_to_slay.given import dice, passes, succeeds, table

FIRST = Seat(0)
VIEWERS = (FIRST, Seat(1), BYSTANDER, FULL_VIEWER)
QUIET = {0: "the_cloaked_sage", 1: "the_divine_arrow", 2: "the_shadow_claw"}  # none has a say in rolls for heroes


def draw(state: Table, viewer: Seat = FIRST) -> Any:
    """What a viewer's client draws of a table."""
    view = state if viewer == FULL_VIEWER else state.view_for(viewer)
    board = GAME.boards.draw(view, viewer, "standard")
    build_answer_schema(GAME.boards.shape)().load(board)
    return board


def designs(cards: list[Any]) -> list[str | None]:
    return [card["card"] for card in cards]


def hero(board: Any, name: str) -> Any:
    """A hero of a drawn board."""
    return next(each for seat in board["seats"] for each in seat["party"] if each["card"]["card"] == name)


def piles(board: Any) -> dict[str, Any]:
    """The piles in the middle, by place."""
    return {pile["place"]: pile for pile in board["piles"]}


def kinds(state: Table, viewer: Seat = FIRST) -> list[str]:
    """What is going on, what waits for the rest first."""
    return [each["kind"] for each in draw(state, viewer)["running"]]


def running(state: Table, viewer: Seat = FIRST) -> dict[str, Any]:
    """What is going on, by its kind; of two of a kind the later one."""
    return {each["kind"]: each for each in draw(state, viewer)["running"]}


def values(rolled: Any) -> list[tuple[str, int, int | None]]:
    """What is added to a roll: the card, its value, who has put it there."""
    return [(each["card"], each["value"], each["seat"]) for each in rolled["values"]]


# ---- rolls -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-ROLL-5", "HTS-ROLL-6", "HTS-MOD-7", "HTS-TGT-3")
def test_a_roll_for_a_hero_shows_total_need_and_what_happens() -> None:
    parties = {0: ["bad_axe"], 1: ["fluffy", "peanut"]}
    given = table(
        ["modifier_plus_4"],
        ["modifier_minus_4", "hook"],
        parties=parties,
        leaders={0: "the_charismatic_song", 1: "the_divine_arrow"},
    )
    declared = then(given, 0, RollFor("bad_axe"))
    roll = running(declared)["roll"]
    assert (roll["dice"], roll["total"], roll["outcome"]) == ([], None, None)
    state = dice(declared, 3, 4)[1]
    assert kinds(state) == ["roll", "text", "choice"], "the roller names the target before any modifier"
    assert running(state)["text"]["is_naming_targets"]
    assert (running(state)["choice"]["about"], running(state)["choice"]["card"]["card"]) == ("hero", "bad_axe")
    state = then(state, 0, ChooseCard("fluffy"))
    board = draw(state, Seat(1))
    (roll,) = board["running"]
    assert (roll["rolls"], roll["seat"], roll["card"]["id"]) == ("hero", 0, hero(board, "bad_axe")["card"]["id"])
    assert (roll["dice"], roll["total"], roll["needs"]["least"], roll["outcome"]) == ([3, 4], 8, 8, "success")
    assert values(roll) == [("the_charismatic_song", 1, None)]
    assert ([card["id"] for card in roll["targets"]], roll["target_seats"]) == (
        [hero(board, "fluffy")["card"]["id"]],
        [],
    )
    assert (hero(board, "bad_axe")["marks"], hero(board, "fluffy")["marks"]) == (["rolled", "rolling"], ["target"])
    state = then(state, 0, Pass())
    assert running(state)["roll"]["passed"] == [0]
    state = then(state, 1, Modify("modifier_minus_4", -4, 0))
    roll = running(state)["roll"]
    assert values(roll)[1:] == [("modifier_minus_4", -4, 1)]
    assert (roll["total"], roll["outcome"], roll["passed"]) == (4, "failure", [])
    assert roll["values"][1]["name"] == GAME.rulebook.names["modifier_minus_4"]


@pytest.mark.clause("HTS-MON-7")
@pytest.mark.parametrize(("pips", "outcome"), [((6, 5), "slay"), ((4, 4), "nothing"), ((1, 2), "fight_back")])
def test_an_attack_shows_both_bounds_and_what_happens(pips: tuple[int, int], outcome: str) -> None:
    given = table(
        ["hook"], ["peanut"], parties={0: ["bad_axe"]}, leaders=QUIET, row=["arctic_aries", "dracos", "orthus"]
    )
    state = dice(then(given, 0, Attack("arctic_aries")), *pips)[1]
    board = draw(state, BYSTANDER)
    (roll,) = board["running"]
    assert (roll["rolls"], roll["card"]["card"], roll["total"], roll["outcome"]) == (
        "attack",
        "arctic_aries",
        sum(pips),
        outcome,
    )
    assert (roll["needs"]["least"], roll["fights_back_at"]["most"]) == (10, 6)
    assert [monster["is_attacked"] for monster in board["row"]] == [True, False, False]


@pytest.mark.clause("HTS-ROLL-7")
def test_a_roll_for_a_hero_that_is_sealed_meanwhile_is_void() -> None:
    state = dice(then(table(["hook"], [], parties={0: ["peanut"]}), 0, RollFor("peanut")), 6, 6)[1]
    sealed = replace_fields(state, zones={**state.zones, "under/peanut": ("sealing_key",)})
    assert (running(state)["roll"]["outcome"], running(sealed)["roll"]["outcome"]) == ("success", "void")


# ---- plays and challenges --------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-CHAL-3", "HTS-CHAL-7", "HTS-CHAL-8", "HTS-CHAL-9", "HTS-ZONE-5")
def test_a_card_being_played_and_its_challenge_are_shown_with_both_rolls() -> None:
    given = table(["peanut", "hook"], ["challenge", "wildshot"], ["fluffy"], leaders=QUIET)
    state = then(then(given, 0, PlayCard("peanut")), 2, Pass())
    board = draw(state, Seat(1))
    (play,) = board["running"]
    assert (play["kind"], play["seat"], play["is_open"], play["passed"]) == ("play", 0, True, [2])
    assert [play["card"]] == piles(board)["pending"]["cards"]
    state = then(state, 1, Challenge())
    assert designs(piles(draw(state))["pending"]["cards"]) == ["peanut", "challenge"]
    assert running(state)["challenge"]["stands"] is None
    for challenged, stands in (((6, 2), True), ((5, 2), False)):
        (duel,) = draw(dice(state, 3, 4, *challenged)[1], BYSTANDER)["running"]
        assert (duel["kind"], duel["seat"], duel["card"]["card"], duel["stands"]) == ("challenge", 0, "peanut", stands)
        assert [(duel[side]["seat"], duel[side]["total"]) for side in ("challenger", "challenged")] == [
            (1, 7),
            (0, sum(challenged)),
        ]
    assert duel["passed"] == []


@pytest.mark.clause("HTS-HERO-2", "HTS-ITEM-1", "HTS-NEST-1")
def test_a_choice_says_whose_it_is_and_about_which_card() -> None:
    state = passes(then(table(["peanut", "bard_mask"], [], parties={0: ["bad_axe"]}), 0, PlayCard("peanut")))[1]
    choice = running(state)["choice"]
    assert (choice["about"], choice["seat"], choice["card"]["id"]) == (
        "free_roll",
        0,
        hero(draw(state), "peanut")["card"]["id"],
    )


@pytest.mark.clause("HTS-MAGIC-1")
def test_magic_waits_for_its_text_and_the_text_for_a_secret_choice() -> None:
    parties = {1: ["fluffy"]}
    state = then(table(["critical_boost", "hook"], ["peanut"], parties=parties), 0, PlayCard("critical_boost"))
    state = passes(state)[1]
    assert kinds(state, BYSTANDER) == ["play", "text", "secret_choice"]
    choice = running(state, BYSTANDER)["secret_choice"]
    assert (running(state)["play"]["is_open"], running(state)["text"]["part"]) == (False, "does")
    assert (choice["about"], choice["least"], choice["waiting"], choice["chosen"]) == ("discard", 1, [0], [])


@pytest.mark.clause("HTS-ITEM-4")
def test_an_item_that_stands_asks_for_its_hero_and_lies_in_the_middle_meanwhile() -> None:
    parties = {0: ["bad_axe"], 1: ["fluffy"]}
    state = passes(then(table(["bard_mask"], ["hook"], parties=parties), 0, PlayCard("bard_mask")))[1]
    choice = running(state)["choice"]
    assert (choice["about"], [choice["card"]]) == ("equip", piles(draw(state))["pending"]["cards"])
    after = draw(then(state, 0, ChooseCard("fluffy")))
    assert hero(after, "fluffy")["hero_class"] == "bard"
    assert after["running"] == []


@pytest.mark.clause("HTS-DO-13", "HTS-DO-14")
def test_only_its_player_sees_the_cards_that_are_looked_at() -> None:
    given = table([], ["hook"], parties={0: ["bullseye"]}, leaders=QUIET, deck=["peanut", "wildshot", "spooky"])
    state = succeeds(given, "bullseye")[1]
    shown = [designs(running(state, viewer)["choice"]["cards"]) for viewer in (Seat(0), Seat(1), BYSTANDER)]
    assert shown == [["peanut", "wildshot", "spooky"], [], []]
    state = then(state, 0, ChooseUnseen("wildshot"))
    shown = [designs(running(state, viewer)["choice"]["cards"]) for viewer in (Seat(0), Seat(1), BYSTANDER)]
    assert (running(state)["choice"]["about"], shown) == ("put_back", [["peanut", "spooky"], [], []])


@pytest.mark.clause("HTS-EACH-2", "HTS-TGT-6")
def test_of_secret_choices_is_shown_who_has_chosen_and_nothing_else() -> None:
    hands = [], ["hook", "peanut"], ["wildshot", "spooky"]
    state = succeeds(table(*hands, parties={0: ["beary_wise"]}, leaders=QUIET), "beary_wise")[1]
    chosen = then(state, 1, ChooseCards(("hook",)))
    for viewer in (FIRST, Seat(2), BYSTANDER):
        choice = running(chosen, viewer)["secret_choice"]
        assert (choice["about"], choice["waiting"], choice["chosen"], choice["most"]) == ("discard", [2], [1], 1)
        assert designs(draw(chosen, viewer)["seats"][1]["hand"]["cards"]) == []
    assert draw(chosen, Seat(2)) == draw(then(state, 1, ChooseCards(("peanut",))), Seat(2))


@pytest.mark.clause("HTS-REPL-3", "HTS-REPL-4")
def test_a_hero_about_to_be_destroyed_is_threatened_and_something_else_is_offered() -> None:
    parties = {0: ["bad_axe"], 1: ["fluffy", "peanut"]}
    given = table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]}, leaders=QUIET)
    state = succeeds(given, "bad_axe", ChooseCard("fluffy"))[1]
    board = draw(state, BYSTANDER)
    assert kinds(state) == ["text", "removal", "choice"]
    assert (running(state)["removal"]["how"], running(state)["removal"]["seat"]) == ("destroy", 0)
    assert running(state)["removal"]["hero"]["id"] == hero(board, "fluffy")["card"]["id"]
    choice = running(state)["choice"]
    assert (choice["about"], choice["card"]["card"]) == ("instead", "corrupted_sabretooth")
    assert (hero(board, "fluffy")["marks"], hero(board, "peanut")["marks"]) == (["target", "threatened"], [])


@pytest.mark.clause("HTS-TGT-3")
def test_a_player_who_was_named_is_shown_with_the_roll() -> None:
    given = table([], ["hook"], ["fluffy"], parties={0: ["bear_claw"]}, leaders=QUIET)
    state = then(dice(then(given, 0, RollFor("bear_claw")), 6, 1)[1], 0, ChoosePlayer(2))
    roll = running(state, BYSTANDER)["roll"]
    assert (roll["target_seats"], roll["targets"], roll["outcome"]) == ([2], [], "success")


@pytest.mark.clause("HTS-TRIG-3")
def test_abilities_that_wait_are_shown_in_a_list() -> None:
    given = table(["enchanted_spell", "hook"], [], parties={0: ["peanut"]}, slain={0: ["arctic_aries", "dracos"]})
    noted = EffectFrame((build_text_execution("arctic_aries", "whenever0", 0, secret=("lot",)),))
    state = replace_fields(given, agenda=(*given.agenda, noted, *given.agenda))
    (waiting,) = draw(state, BYSTANDER)["running"]
    assert waiting["kind"] == "abilities"
    assert [(each["card"]["id"], each["part"], each["seat"]) for each in waiting["texts"]] == [
        (draw(state)["seats"][0]["slain"][0]["card"]["id"], "whenever", 0)
    ]


# ---- beginning and end -----------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-SETUP-1", "HTS-SETUP-2", "HTS-AMB-71")
def test_before_the_first_turn_dice_and_leaders_are_shown() -> None:
    state = then(settled(build_initial_table(Rules(seats=3))), CHANCE, RollResult((5,)))
    roll = running(state)["start_roll"]
    assert (draw(state)["turn"], roll["seats"], roll["rolled"]) == (None, [0, 1, 2], [5])
    state = then(then(state, CHANCE, RollResult((2,))), CHANCE, RollResult((3,)))
    board = draw(state, BYSTANDER)
    assert running(state)["leaders"] == {"kind": "leaders", "waiting": [0, 1, 2], "is_at_once": False}
    assert piles(board)["leaders"]["count"] == len(piles(board)["leaders"]["cards"]) == 6
    board = draw(then(state, 0, PickLeader("the_cloaked_sage")))
    assert board["seats"][0]["leader"]["card"]["card"] == "the_cloaked_sage"
    assert (board["seats"][1]["leader"], board["seats"][0]["classes"]) == (None, ["wizard"])


@pytest.mark.clause("HTS-MON-2", "HTS-MON-3", "HTS-MON-4")
def test_a_monster_shows_what_it_asks_for_and_whose_party_has_it() -> None:
    row = ["arctic_aries", "dark_dragon_king", "anuran_cauldron"]
    parties = {0: ["bad_axe"], 1: ["fluffy", "peanut"]}
    board = draw(table([], [], [], parties=parties, leaders=QUIET, row=row))
    aries, dragon, cauldron = board["row"]
    assert (aries["requires"], aries["slays"], aries["fights_back"]) == (
        ["hero"],
        {"least": 10, "most": None},
        {"least": None, "most": 6},
    )
    assert (aries["ready"], cauldron["requires"], cauldron["ready"]) == ([0, 1], ["hero"] * 3, [])
    assert (dragon["requires"], dragon["ready"]) == (["bard", "hero"], [1]), "Peanut is a bard, Fluffy the other"
    assert not aries["is_attacked"]
