"""The board: what is drawn of a table, compared with what a person would say of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, get_args

import pytest

from api.http.schemas.typed_dicts import build_answer_schema
from referee.engine.chance import RollResult
from referee.engine.referee import build_view
from referee.engine.rulings import MalformedInput
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.board import cards, running, shapes
from referee.games.munchkin.card_attributes import TEXT_NAMES
from referee.games.munchkin.components import COMBAT, CORPSES, PLACE_LABELS
from referee.games.munchkin.conditions import SLOTS, TAGS, TOWNS
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    DeclineHelp,
    FleeFrom,
    HelperFirst,
    KickDoor,
    OfferTrade,
    Pass,
    PlayCard,
    Ready,
    UsePower,
)
from referee.games.munchkin.rules.combat.combat_changed import Moment
from referee.games.munchkin.rules.setup import Preparing
from referee.games.munchkin.state import Table
from tests.games.left_out import less
from tests.games.matches import marked_setups, recorded
from tests.games.munchkin.card_moves import caught, ran
from tests.games.munchkin.combats import fighting, when_all
from tests.games.munchkin.given import table, then, with_real_cards
from tests.games.munchkin.written import build_flight_combat

Drawn = Any  # a board, or a part of it
SHAPE = build_answer_schema(shapes.MunchkinBoard)()


def drawn(state: Table, viewer: int = BYSTANDER) -> Drawn:
    """What a viewer's client draws, which has the declared shape."""
    seen = state if viewer == FULL_VIEWER else build_view(state, Seat(viewer))
    board: Drawn = GAME.boards.draw(seen, viewer, "standard")
    return SHAPE.load(board)


def read(data: dict[str, Any]) -> Drawn:
    """What is drawn of a written position."""
    return drawn(GAME.positions.decode_position(data), FULL_VIEWER)


def names(pile: Drawn) -> list[str]:
    return [card["card"] for card in pile["cards"]]


# ---- the seats -------------------------------------------------------------------------------------------------------


def test_a_seat_shows_level_strength_towns_and_what_lies_in_play() -> None:
    seats = drawn(
        table(
            ("coal_imp",), (), (), levels=(4, 3, 2), towns={0: ("town_thanksgiving",)},
            items={0: ("bat_hat", "curly_boots")}, carried={0: ("os_fruitcake", "grave_spade")},
            rides={1: ("ride_sleigh", "renh_runners")}, curses={1: ("curse_cold_feet",)},
        )
    )["seats"]  # fmt: skip
    first, second, _ = seats
    assert (first["level"], first["strength"], first["towns"], first["run_away_bonus"]) == (4, 7, ["thanksgiving"], 1)
    assert (first["hand_limit"], first["hands"], first["big_limit"]) == (6, 2, 1)
    hat, _, cake, spade = first["items"]["cards"]
    assert hat == {
        "id": "play/0.bat_hat.1",
        "card": "bat_hat",
        "name": {"en": "Bat Hat", "de": "Fledermaushut"},
        "back": "",
        "marks": ["used"],
        "slot": "headgear",
        "hands": 0,
        "is_big": False,
        "bonus": 2,
        "adds": 2,
        "gold": 400,
        "attached": None,
    }
    assert "marks" not in spade
    assert (spade["slot"], spade["hands"], spade["bonus"], spade["adds"]) == ("hand", 2, 3, 0)
    assert (cake["slot"], cake["bonus"], cake["adds"]) == (None, 0, 0)
    assert (second["level"], second["strength"]) == (3, 3)
    assert [(card["card"], card["adds"]) for card in second["ride"]["cards"]] == [
        ("ride_sleigh", 3),
        ("renh_runners", 2),
    ]
    assert [(card["card"], card["adds"]) for card in second["curses"]["cards"]] == [("curse_cold_feet", -5)]
    assert not any(seat["is_out"] or seat["is_dead"] or seat["gets_new_cards"] or seat["role"] for seat in seats)


def test_an_attached_card_lies_on_its_item() -> None:
    state = table((), (), (), items={0: ("wreath_circlet", "bat_hat")}, attached={"wreath_circlet": "loose_stitches"})
    items = drawn(state)["seats"][0]["items"]
    assert (items["count"], names(items)) == (3, ["wreath_circlet", "bat_hat"])
    assert [item["attached"] and item["attached"]["card"] for item in items["cards"]] == ["loose_stitches", None]


def test_a_used_item_that_a_monster_robs_of_its_bonus_is_marked() -> None:
    state = fighting((), (), (), foes=("moonlit_hydra",), levels=(4, 1, 1), items={0: ("bat_hat", "curly_boots")})
    seat = drawn(state)["seats"][0]
    assert seat["strength"] == 4  # only levels count against the hydra
    assert [(item["marks"], item["bonus"], item["adds"]) for item in seat["items"]["cards"]] == [
        (["used", "no_bonus"], 2, 0),
        (["used", "no_bonus"], 1, 0),
    ]


def test_the_dead_are_looted_and_get_new_cards_later() -> None:
    _, state = caught("vault_lich", hands=(("bat_hat",), (), ()), items={0: ("stilts", "candy_hook")}, levels=(4, 5, 3))
    board = drawn(state)
    (looting,) = board["running"]
    assert (board["phase"], looting["kind"], looting["dead"], looting["order"]) == ("looting", "looting", 0, [1, 2])
    assert sorted(names(looting["pile"])) == ["bat_hat", "candy_hook", "stilts"]
    dead = board["seats"][0]
    assert (dead["is_dead"], dead["gets_new_cards"], dead["is_out"]) == (True, True, False)
    assert (dead["hand"]["count"], dead["items"]["cards"], dead["strength"]) == (0, [], 4)


# ---- who sees what ---------------------------------------------------------------------------------------------------


def test_a_hand_is_open_to_its_holder_and_only_counted_for_the_others() -> None:
    state = table(("coal_imp", "town_easter", "town_easter"), ("wolfman",), (), fresh={0: ("town_easter",)})
    mine, others = drawn(state, 0)["seats"], drawn(state)["seats"]
    assert [(card["id"], card.get("marks")) for card in mine[0]["hand"]["cards"]] == [
        ("hand:0.coal_imp.1", None),
        ("hand:0.town_easter.1", ["just_received"]),
        ("hand:0.town_easter.2", None),
    ]
    assert (mine[1]["hand"]["count"], mine[1]["hand"]["cards"]) == (1, [])
    assert [(seat["hand"]["count"], seat["hand"]["cards"]) for seat in others] == [(3, []), (1, []), (0, [])]
    assert names(drawn(state, FULL_VIEWER)["seats"][1]["hand"]) == ["wolfman"]


def test_of_decks_the_number_is_drawn_and_of_discards_the_top_card() -> None:
    doors, treasures, door_discards, treasure_discards, *_ = drawn(
        table((), (), (), discards=("coal_imp", "wolfman", "bat_hat"))
    )["piles"]
    assert (doors["place"], doors["count"], doors["cards"]) == ("doors", 94, [])
    assert (treasures["place"], treasures["count"], treasures["cards"]) == ("treasures", 71, [])
    assert (door_discards["count"], names(door_discards), names(treasure_discards)) == (2, ["wolfman"], ["bat_hat"])


def test_with_real_cards_a_hand_is_only_counted_even_for_its_holder() -> None:
    state = with_real_cards(table(("coal_imp", "bat_hat"), ("wolfman",), ()), 1)
    first, second, _ = drawn(state, 0)["seats"]
    assert (first["hand"]["count"], first["hand"]["cards"]) == (2, [])
    assert (second["hand"]["count"], second["hand"]["cards"]) == (1, [])
    assert names(drawn(state, 1)["seats"][1]["hand"]) == ["wolfman"]  # the cards of this seat are read to the referee


# ---- the course of the turn ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stage", "phase", "left"),
    [
        ("start", "start", ["kick_door", "choice", "charity"]),
        ("choice", "choice", ["choice", "charity"]),
        ("after", "charity", ["charity"]),
    ],
)
def test_the_phase_and_what_is_still_to_come(stage: str, phase: str, left: list[str]) -> None:
    board = drawn(table((), (), (), stage=stage))
    assert (board["turn"], board["phase"], board["steps_left"], board["goal"]) == (0, phase, left, 10)
    assert (board["combat"], board["running"], board["trades"]) == (None, [], [])


def test_a_combat_behind_the_door_takes_the_choice_away() -> None:
    board = drawn(then(table((), (), (), doors=("coal_imp",)), 0, KickDoor()))
    assert (board["phase"], board["steps_left"], board["combat"]["stage"]) == ("combat", ["charity"], "fight")


def test_before_the_first_turn_those_who_are_ready_are_known_and_then_all_roll() -> None:
    state = then(table((), (), (), turn=-1, turns=0, agenda=(Preparing(),)), 1, Ready())
    board = drawn(state)
    assert (board["phase"], board["turn"], board["steps_left"]) == ("setup", None, [])
    assert [seat["is_ready"] for seat in board["seats"]] == [False, True, False]
    state = then(then(then(state, 0, Ready()), 2, Ready()), CHANCE, RollResult((3,)))
    assert drawn(state)["running"] == [{"kind": "start_roll", "seats": [0, 1, 2], "rolled": [{"seat": 0, "dice": [3]}]}]


def test_charity_says_how_many_cards_go_to_whom() -> None:
    hand = ("bat_hat", "stilts", "candy_hook", "coal_imp", "wolfman", "enh_old", "enh_hungry", "town_easter")
    give = drawn(table(hand, (), (), (), levels=(4, 2, 2, 6), stage="after"))
    assert give["running"] == [{"kind": "charity", "seat": 0, "count": 3, "to": [1, 2]}]
    discard = drawn(table(hand, (), (), levels=(1, 2, 2), stage="after"))
    assert discard["running"] == [{"kind": "charity", "seat": 0, "count": 3, "to": []}]


def test_a_trade_names_the_items_as_they_lie() -> None:
    state = table((), (), (), items={0: ("bat_hat",), 2: ("stilts",)})
    state = then(state, 0, OfferTrade(2, ("bat_hat",), ("stilts",)))
    (trade,) = drawn(state)["trades"]
    assert (trade["by"], trade["to"]) == (0, 2)
    assert [card["id"] for card in (*trade["gives"], *trade["takes"])] == ["play/0.bat_hat.1", "play/2.stilts.1"]


# ---- the combat ------------------------------------------------------------------------------------------------------


def test_a_combat_shows_both_sides_with_all_that_was_played() -> None:
    state = fighting(
        ("enh_hungry", "os_popping_corn"), ("os_frog_fizz",), (), foes=("stale_candy_swarm",), levels=(4, 3, 2),
        items={0: ("bat_hat", "grave_spade")}, towns={0: ("town_christmas",)},
    )  # fmt: skip
    state = when_all(
        state,
        (0, PlayCard("enh_hungry", monster="stale_candy_swarm")),
        (1, PlayCard("os_frog_fizz", side="monsters")),
    )[1]
    fight = drawn(state)["combat"]
    assert (fight["main"], fight["helper"], fight["stage"]) == (0, None, "fight")
    assert fight["strength"] == {"munchkins": 9, "monsters": 12}
    assert (fight["leads"], fight["short"]) == ("monsters", 4)
    assert (fight["levels"], fight["treasures"], fight["wins_game"]) == (1, 2, False)
    (monster,) = fight["monsters"]
    assert (monster["level"], monster["strength"], monster["treasures"]) == (1, 9, 2)  # 3 more against Christmas Town
    assert monster["bad_stuff"] == {
        "en": "Toothache. You go down 1 level.",
        "de": "Zahnschmerzen. Du verlierst 1 Stufe.",
    }
    (hungry,) = monster["enhancers"]
    assert (hungry["id"], hungry["strength"], hungry["treasures"]) == ("combat.enh_hungry.1", 5, 1)
    (fizz,) = fight["additions"]
    assert (fizz["card"]["card"], fizz["by"], fizz["side"], fizz["strength"]) == ("os_frog_fizz", 1, "monsters", 3)
    assert fizz["is_one_shot"]
    assert (fight["other_cards"], fight["powers_used"], fight["claim"], fight["escapes"]) == ([], [], None, [])


def test_at_equal_strength_the_monsters_lead() -> None:
    fight = drawn(fighting((), (), (), foes=("wolfman",), levels=(6, 1, 1)))["combat"]
    assert fight["strength"] == {"munchkins": 6, "monsters": 6}
    assert (fight["leads"], fight["short"]) == ("monsters", 1)


def test_a_power_adds_to_the_side_by_its_citizenship() -> None:
    state = fighting(("puddle_bat",), (), (), foes=("wolfman",), towns={0: ("town_halloween",)})
    fight = drawn(then(state, 0, UsePower("scare", "puddle_bat")))["combat"]
    (added,) = fight["additions"]
    assert (added["card"]["id"], added["by"], added["is_one_shot"]) == ("town/0.town_halloween.1", 0, False)
    assert fight["powers_used"] == [{"power": "scare", "name": {"en": "Scare", "de": "Erschrecken"}, "by": 0}]


def test_a_twin_has_copies_of_the_enhancers_of_its_double() -> None:
    state = fighting((), ("second_helping", "enh_hungry"), (), foes=("wolfman",))
    state = then(state, 1, PlayCard("enh_hungry", monster="wolfman"), PlayCard("second_helping", monster="wolfman"))
    fight = drawn(state)["combat"]
    wolf, twin = fight["monsters"]
    assert (wolf["is_twin"], wolf["of"], wolf["card"]["card"]) == (False, "wolfman", "wolfman")
    assert (twin["is_twin"], twin["of"], twin["card"]["card"]) == (True, "wolfman", "second_helping")
    assert twin["name"] == wolf["name"]
    assert (twin["strength"], twin["enhancers"], twin["bad_stuff"]) == (
        wolf["strength"],
        wolf["enhancers"],
        wolf["bad_stuff"],
    )
    assert fight["other_cards"] == []


def test_help_shows_the_terms_who_has_to_answer_and_who_declined() -> None:
    state = fighting((), (), (), foes=("wolfman",), items={0: ("bat_hat",)})
    state = when_all(state, (0, AskHelp(seat=1)), (1, DeclineHelp()))[1]
    state = then(state, 0, AskHelp(seat=2, treasures=1, picks=("helper",), items=("bat_hat",)))
    fight = drawn(state)["combat"]
    assert (fight["declined"], fight["talks"]["by"], fight["talks"]["asked"]) == ([1], 0, 2)
    deal = fight["talks"]["deal"]
    assert (deal["treasures"], deal["picks"], [card["id"] for card in deal["items"]]) == (
        1,
        ["helper"],
        ["play/0.bat_hat.1"],
    )
    assert "Fledermaushut" in deal["text"]["de"]
    board = drawn(then(state, 2, AcceptHelp()))
    assert (board["combat"]["helper"], board["combat"]["talks"], board["combat"]["deal"]) == (2, None, deal)
    assert [seat["role"] for seat in board["seats"]] == ["main", None, "helper"]
    assert drawn(then(state, 2, AcceptHelp()), 2)["combat"]["deal"] == deal


def test_all_the_treasures_are_null() -> None:
    state = then(fighting((), (), (), foes=("wolfman",)), 0, AskHelp(seat=1, all_of_them=True))
    assert drawn(state)["combat"]["talks"]["deal"]["treasures"] is None


def test_a_claimed_kill_shows_who_has_passed_and_who_may_still_act() -> None:
    state = fighting((), (), (), (), foes=("coal_imp",), levels=(9, 1, 1, 1))
    board = drawn(when_all(state, (0, ClaimKill()), (2, Pass()))[1])
    assert (board["phase"], board["combat"]["stage"], board["combat"]["wins_game"]) == ("claim", "claim", True)
    assert (board["combat"]["leads"], board["combat"]["short"]) == ("munchkins", 0)
    assert board["combat"]["claim"] == {"passed": [2], "waiting": [1, 3]}


# ---- running away ----------------------------------------------------------------------------------------------------


def test_a_flight_shows_what_each_fighter_has_still_to_escape_by_which_face() -> None:
    state = ran("attic_widow", "wolfman", items={0: ("curly_boots",)}, helper=1)
    board = drawn(then(state, 1, HelperFirst()))
    assert (board["phase"], board["combat"]["stage"]) == ("flight", "flight")
    assert board["combat"]["escapes"] == [
        {"seat": 0, "monster": "attic_widow", "face": 5},
        {"seat": 0, "monster": "wolfman", "face": 4},
        {"seat": 1, "monster": "attic_widow", "face": 6},
        {"seat": 1, "monster": "wolfman", "face": 5},
    ]
    assert (board["combat"]["wants_helper_first"], board["combat"]["helper_first"]) == ([1], False)


def test_a_roll_to_run_away_shows_die_total_and_need() -> None:
    state = then(ran("attic_widow", items={0: ("stilts",)}), 0, FleeFrom("attic_widow"))
    due = {
        "kind": "flight",
        "seat": 0,
        "monster": "attic_widow",
        "die": None,
        "total": None,
        "need": 5,
        "face": 4,
        "is_enough": None,
        "is_turning": False,
    }
    assert drawn(state)["running"] == [due]
    rolled = [drawn(then(state, CHANCE, RollResult((pips,))))["running"] for pips in (3, 4)]
    assert rolled == [
        [{**due, "die": 3, "total": 4, "is_enough": False}],
        [{**due, "die": 4, "total": 5, "is_enough": True}],
    ]


def test_a_player_turns_the_die_that_lies_there() -> None:
    state = ran("wolfman", hands=(("os_knucklebone",), (), ()))
    state = then(then(state, 0, FleeFrom("wolfman")), CHANCE, RollResult((2,)))
    state = then(state, 0, PlayCard("os_knucklebone"))
    flight, text = drawn(state)["running"]
    assert (flight["kind"], flight["die"], flight["is_turning"]) == ("flight", 2, True)
    assert text == {"kind": "text", "card": "os_knucklebone", "part": "does", "seat": 0}


# ---- what else is going on -------------------------------------------------------------------------------------------


def test_a_curse_shows_victim_and_origin_and_lies_open_until_it_has_struck() -> None:
    state = then(table((), ("curse_two_levels",), ()), 1, PlayCard("curse_two_levels", seat=2))
    board = drawn(state)
    (curse,) = board["running"]
    assert (curse["kind"], curse["by"], curse["victim"], curse["state"]) == ("curse", 1, 2, "coming")
    assert curse["card"]["id"] == board["piles"][4]["cards"][0]["id"] == "pending.curse_two_levels.1"
    assert drawn(then(state, 2, Pass()))["running"] == []
    (behind,) = drawn(then(table((), (), (), doors=("curse_two_levels",)), 0, KickDoor()))["running"]
    assert (behind["by"], behind["victim"]) == (None, 0)


def test_treasures_that_are_shared_lie_open_with_the_order_of_picking() -> None:
    state = fighting((), (), (), foes=("skeleton_choir",), levels=(5, 5), treasures=("stilts", "bat_hat"))
    state = when_all(state, (0, AskHelp(seat=1, treasures=1, picks=("helper",))), (1, AcceptHelp()))[1]
    state = when_all(state, (0, ClaimKill()), (2, Pass()))[1]
    board = drawn(state)
    assert (board["phase"], board["combat"]["stage"], board["seats"][0]["level"]) == ("rewards", "rewards", 6)
    assert board["running"] == [{"kind": "treasures", "picks": [1, 0]}]
    assert names(board["piles"][5]) == ["stilts", "bat_hat"]


QUESTIONS = {  # by what a position asks: what is going on, the innermost last
    "flight_die": ["flight"],
    "flight_die_fell": ["flight"],
    "die": ["text", "die"],
    "die_fell": ["text", "die"],
    "curse": ["curse"],
    "share": ["treasures"],
    "take": ["looting"],
    "keep_one": ["keep_a_door"],
    "choose": ["text", "text"],
    "pay": ["text", "pay"],
    "offer": ["text", "offer"],
    "discard": ["text", "discard_hand"],
    "open_door": ["door"],
    "turn_up": ["treasures"],
    "shuffle": ["shuffle"],
    "name_cards": ["hand"],
    "first_turn": ["start_roll"],
}


@pytest.mark.parametrize("asks", QUESTIONS)
def test_each_question_stands_on_the_board(asks: str) -> None:
    examples = GAME.positions.build_examples("standard")
    for example in (each for each in examples if (each.get("question") or {}).get("asks") == asks):
        found = [step.get("about") or str(step.get("of", step["kind"])) for step in read(example)["running"]]
        assert found == QUESTIONS[asks]


def test_a_choice_says_who_chooses_from_whose_cards_and_what_is_owed() -> None:
    asking = [each for each in GAME.positions.build_examples("standard") if (each.get("question") or {}).get("asks")]
    examples = {each["question"]["asks"]: each for each in asking}
    taken, owed, thrown = (read(examples[asks])["running"][-1] for asks in ("lose_items", "pay", "discard"))
    assert (taken["seat"], taken["of"], taken["card"], taken["count"]) == (1, 0, "tinsel_serpent", 1)
    assert (owed["seat"], owed["of"], owed["card"], owed["owed"]) == (0, 0, "bone_bailiff", 600)
    assert (thrown["about"], thrown["count"]) == ("discard_hand", 2)


SETUPS = [each for each in marked_setups() if each.values[0][0] == "munchkin"]


@pytest.mark.parametrize("pair", SETUPS, scope="module")
def test_every_question_beside_the_course_of_the_turn_stands_on_the_board(pair: Any) -> None:
    for turn in recorded(pair, 0):
        if turn.after.agenda and not isinstance(turn.after.agenda[-1], Moment):
            assert GAME.boards.draw(turn.after, FULL_VIEWER, "standard")["running"], turn.after.agenda[-1]


# ---- what a position leaves out --------------------------------------------------------------------------------------


def test_what_a_position_leaves_out_is_null() -> None:
    some_items = {"cards": ["candy_hook"], "more": True}
    known = {"towns": [], "ride": [], "curses": []}
    seats = [{"level": 6, "items": some_items, **known}, {"level": 7, "hand": 5}, {"level": 4, "items": [], **known}]
    board = read({"seats": seats, "question": {"asks": "calm", "seat": 0}})
    first, second, third = board["seats"]
    assert (first["strength"], first["run_away_bonus"], first["hand_limit"], first["towns"]) == (None, None, None, [])
    assert (first["items"]["count"], names(first["items"])) == (None, ["candy_hook"])
    assert first["items"]["cards"][0]["adds"] is None
    assert (second["towns"], second["strength"], second["hand"]["count"], second["curses"]["count"]) == (
        None,
        None,
        5,
        None,
    )
    assert (third["strength"], third["run_away_bonus"], third["hand"]["count"]) == (4, 0, None)
    assert [pile["count"] for pile in board["piles"][:4]] == [None] * 4
    assert board["running"] == []  # nobody knows whether there is charity


def test_a_combat_of_unknown_strength_shows_what_is_known() -> None:
    seats = [{"level": 6}, {"level": 7, "items": [], "towns": [], "ride": [], "curses": []}, {"level": 4}]
    board = read(
        {"seats": seats, "combat": {"main": 0, **build_flight_combat("wolfman")}, "question": {"asks": "flee"}}
    )
    fight = board["combat"]
    assert (fight["strength"]["munchkins"], fight["leads"], fight["short"], fight["treasures"]) == (None,) * 4
    assert fight["escapes"] == [{"seat": 0, "monster": "wolfman", "face": None}]
    assert (fight["monsters"][0]["level"], fight["monsters"][0]["treasures"]) == (6, 2)


def find_members(data: Any, way: str = "") -> Iterator[str]:
    """The path of every member of a position, however deep."""
    for key, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if isinstance(data, dict):
            yield f"{way}{key}"
        yield from find_members(inner, f"{way}{key}/")


@pytest.mark.deep
def test_a_board_is_drawn_of_every_position_whatever_it_leaves_out() -> None:
    count = 0
    for example in GAME.positions.build_examples("standard"):
        for path in find_members(example):
            with suppress(MalformedInput):  # the others cannot do without this member
                drawn(GAME.positions.decode_position(less(example, path)), count % 3)
                count += 1
    assert count > 500


# ---- the words of the shape ------------------------------------------------------------------------------------------


def test_the_shape_knows_all_words_of_the_rules() -> None:
    assert set(get_args(cards.Slot)) == set(SLOTS)
    assert set(get_args(cards.Town)) == set(TOWNS)
    assert set(get_args(cards.Tag)) == set(TAGS)
    assert set(get_args(running.TextPart)) == {*TEXT_NAMES, "power", "whenever"}


def test_every_place_is_called_what_players_call_it() -> None:
    board = drawn(table((), (), (), (), (), ()))
    piles = [*board["piles"], *(seat[key] for seat in board["seats"] for key in OWN_PILES)]
    assert {pile["place"]: pile["label"] for pile in piles} == {
        place.removesuffix(":"): GAME.tracking.zone_label(place)
        for place in PLACE_LABELS
        if place != COMBAT and place not in CORPSES
    }


OWN_PILES = ("hand", "items", "citizenship", "ride", "curses")
