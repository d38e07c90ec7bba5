"""What is drawn of the tables of Creature Crush: as a person at the table would say it, and nothing hidden."""

from __future__ import annotations

from typing import Any

import pytest

from api.http.schemas.typed_dicts import build_answer_schema
from referee.engine.events import replace_fields
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.games.books import install_book_text
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import VARIANTS
from referee.games.creature_crush.moves import Attack, BringDeck, Flip, Lay, OfferDraw, Pass
from referee.games.creature_crush.rules.decks import list_deck_cards
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import LastingChange
from tests.games.course import settled, then
from tests.games.creature_crush.table import shuffled, table, turn_begins, with_real_cards
from tests.games.creature_crush.test_drafting import drafting, kept
from tests.games.creature_crush.test_setup import opened
from tests.games.creature_crush.written import build_midgame, build_question

FIRST = Seat(0)
VIEWERS = (FIRST, Seat(1), BYSTANDER, FULL_VIEWER)
DREAMER = """
book: dreamers
game: creature_crush
title: {en: Dreamers, de: Träumer}
extends: printed
cards:
- id: dreamer
  kind: creature
  cost: 3
  attack: 2
  life: 2
  name: {en: Dreamer, de: Träumer}
  text:
    en: "The opponent has 5 or more hand cards: +2 attack."
    de: "Der Gegenspieler hat 5 oder mehr Handkarten: +2 Angriff."
  standing: [{attack: 2, if: {hand_min: {of: opponent, count: 5}}}]
"""


def draw(state: Table, viewer: Seat = FIRST) -> Any:
    """What a viewer's client draws of a table."""
    view = state if viewer == FULL_VIEWER else state.view_for(viewer)
    return GAME.boards.draw(view, viewer, state.rules.variant)


def creature(board: Any, seat: int, name: str) -> Any:
    """The creature at a place of a drawn board."""
    return next(place["creature"] for place in board["seats"][seat]["field"] if place["name"] == name)


def crush(board: Any, seat: int, name: str) -> Any:
    """The place of a crush card on a drawn board."""
    return next(place for place in board["seats"][seat]["crush"] if place["name"] == name)


def designs(cards: list[Any]) -> list[str | None]:
    return [card["card"] for card in cards]


def running(state: Table, viewer: Seat = FIRST) -> dict[str, Any]:
    """What is going on, by its kind."""
    return {each["kind"]: each for each in draw(state, viewer)["running"]}


def test_a_board_is_a_grid_of_named_places_with_free_ones() -> None:
    board = draw(table({"A2": "dusk_bat"}, {"B3": "frost_lout"}))
    mine, theirs = (seat["field"] for seat in board["seats"])
    assert [place["name"] for place in mine] == ["A1", "A2", "A3", "B1", "B2", "B3"]
    assert [place["place"] for place in theirs] == ["A1/1", "A2/1", "A3/1", "B1/1", "B2/1", "B3/1"]
    assert [(place["row"], place["column"]) for place in mine if place["creature"]] == [("A", 2)]
    assert [(place["row"], place["column"]) for place in theirs if place["creature"]] == [("B", 3)]


def test_a_creature_shows_its_numbers_now_and_where_changes_come_from() -> None:
    changes = (LastingChange("attack", 4, True, "sudden_lunge"), LastingChange("armor", 1, False, "rune_smith"))
    given = table(
        {"A1": "iron_boar", "B1": "dusk_bat"},
        damage={"iron_boar": 3},
        lasting={"iron_boar": changes},
        entered=("dusk_bat",),
        acted={"iron_boar": 1},
    )
    boar, bat = (creature(draw(given), 0, name) for name in ("A1", "B1"))
    assert (boar["card"], boar["name"]) == ("iron_boar", {"en": "Iron Boar", "de": "Eisenkeiler"})
    assert (boar["cost"], boar["printed_attack"], boar["attack"]) == (4, 3, 8), "+1 in its A-zone, +4 in this turn"
    assert (boar["armor"], boar["life"], boar["damage"], boar["life_left"]) == (1, 4, 3, 1)
    assert [(each["stat"], each["amount"], each["is_this_turn"], each["by"]["card"]) for each in boar["changes"]] == [
        ("attack", 4, True, "sudden_lunge"),
        ("armor", 1, False, "rune_smith"),
    ]
    assert (boar["marks"], boar["actions_left"]) == (["acted"], 0)
    assert (bat["keywords"], bat["marks"], bat["actions_left"]) == (["lively"], ["entered", "may_act"], 1)


def test_creatures_of_the_other_player_do_not_act() -> None:
    given = table({"B1": "iron_boar"}, {"B1": "dusk_bat"}, borrowed=("dusk_bat",))
    board = draw(given, Seat(1))
    assert creature(board, 0, "B1")["marks"] == ["may_act"]
    assert (creature(board, 1, "B1")["marks"], creature(board, 1, "B1")["actions_left"]) == (["borrowed"], 0)


def test_a_keyword_that_another_creature_gives_is_there() -> None:
    board = draw(table({"B1": "gate_warden", "A1": "dusk_bat"}))
    assert creature(board, 0, "A1")["keywords"] == ["lively", "vengeful"]
    assert creature(board, 0, "B1")["keywords"] == [], "it gives vengeful to the A-row and stands in the B-row"


@pytest.mark.clause("CC-AMB-14")
def test_only_its_player_sees_which_crush_card_lies_there_and_all_see_the_dice() -> None:
    given = then(table(dice=(2, 3, 6), hands=(("overthrow", "volley"), ())), 0, Lay("overthrow", "C2", (2, 3, 6)))
    own, other, onlooker = (crush(draw(given, viewer), 0, "C2") for viewer in (Seat(0), Seat(1), BYSTANDER))
    assert (own["card"]["card"], own["dice"]) == ("overthrow", 3)
    assert other == onlooker
    assert (other["card"]["card"], other["card"]["name"], other["dice"]) == (None, None, 3)
    assert crush(draw(given), 0, "C1")["card"] is None
    assert draw(given)["dice"] == {"left": [], "burned": 3}


def test_hands_are_counted_and_hells_lie_open() -> None:
    given = table(hands=(("hex_toad", "recoil"), ("pit_viper",)), hells=(("bone_pup", "gutter_rat"), ()))
    mine, theirs = draw(given)["seats"]
    assert (mine["hand"]["count"], designs(mine["hand"]["cards"])) == (2, ["hex_toad", "recoil"])
    assert (theirs["hand"]["count"], theirs["hand"]["cards"]) == (1, [])
    assert (mine["deck"]["count"], mine["deck"]["cards"], mine["cards_left"]) == (3, [], 5)
    assert designs(draw(given, Seat(1))["seats"][0]["hell"]["cards"]) == ["bone_pup", "gutter_rat"]
    assert designs(draw(given, FULL_VIEWER)["seats"][0]["deck"]["cards"]) == [*given.cards_at("deck/0:")[::-1]]


def attacked(**how: Any) -> Table:
    """Iron Boar has attacked Thornback, whose player may flip a card in answer."""
    given = table({"B1": "iron_boar"}, {"B1": "thornback", "C1": "recoil"}, dice=(4, 5), **how)
    return then(given, 0, Attack("iron_boar", (4,), "thornback"))


@pytest.mark.clause("CC-ATTACK-5", "CC-KEY-VENGEFUL-1")
def test_an_attack_shows_both_sides_and_what_it_would_do() -> None:
    board = draw(attacked(damage={"thornback": 1}), Seat(1))
    assert [each["kind"] for each in board["running"]] == ["attack", "chain"]
    attack, chain = board["running"]
    assert (attack["seat"], attack["attacker"]["card"], attack["target"]["card"]) == (0, "iron_boar", "thornback")
    assert attack["attacker"]["id"] == creature(board, 0, "B1")["id"]
    assert (attack["cost"], attack["damage"], attack["target_left"]) == (4, 3, 0)
    assert (attack["block_damage"], attack["attacker_left"], attack["fails"], attack["loses"]) == (1, 3, None, None)
    assert creature(board, 0, "B1")["marks"] == ["acted", "attacks"]
    assert creature(board, 1, "B1")["marks"] == ["attacked"]
    assert chain["effects"] == []
    window = chain["window"]
    assert (window["event"], window["by"], window["asked"], window["has_other_passed"]) == ("attack", 0, 1, False)
    assert designs(window["cards"]) == ["iron_boar", "thornback"]


@pytest.mark.clause("CC-CHAIN-7")
def test_an_attack_on_a_creature_that_is_gone_does_nothing() -> None:
    given = attacked()
    attack = running(replace_fields(given, zones={**given.zones, "B1/1": ()}))["attack"]
    assert (attack["fails"], attack["damage"], attack["target"]["card"]) == ("target_gone", None, "thornback")


@pytest.mark.clause("CC-DIRECT-1", "CC-DIRECT-2")
@pytest.mark.parametrize(("deck", "loses"), [(2, "deck"), ([], "hand"), (None, None)])
def test_a_direct_attack_says_where_a_card_is_lost_if_the_position_says_it(deck: Any, loses: str | None) -> None:
    question = build_question("respond", windows=[{"event": "direct_attack", "about": {"attacker": ["dusk_bat"]}}])
    board = {"C1": {"card": "?", "dice": 0}}
    data = build_midgame({}, {"board": board, "deck": deck}, question=question, start_dice=[3], burned=2)
    if deck is None:
        del data["seats"][1]["deck"]
    state = GAME.positions.decode_position(data)
    attack = running(state)["attack"]
    assert (attack["target"], attack["damage"], attack["loses"]) == (None, None, loses)
    assert draw(state)["seats"][1]["cards_left"] == (None if deck is None else (deck or 0) + 5)


def test_a_chain_holds_its_effects_with_the_newest_last() -> None:
    given = table({"C1": "sky_bolt"}, {"B1": "frost_lout", "B2": "hex_toad", "C1": "broken_seal"})
    flipped = then(given, 0, Flip("C1", "sky_bolt"))
    board = draw(flipped, BYSTANDER)
    assert designs(board["seats"][0]["flipped"]["cards"]) == ["sky_bolt"]
    assert board["seats"][1]["flipped"] is None
    (chain,) = board["running"]
    assert [(each["card"]["card"], each["part"], each["seat"]) for each in chain["effects"]] == [
        ("sky_bolt", "flip", 0)
    ]
    assert (chain["window"]["event"], chain["window"]["asked"]) == ("flipped", 1)
    asking = then(flipped, 1, Pass())
    assert [each["kind"] for each in draw(asking, Seat(1))["running"]] == ["effect", "choice"]
    choice = running(asking, Seat(1))["choice"]
    assert (choice["about"], choice["seat"], choice["card"]["card"], choice["pips"]) == ("target", 0, "sky_bolt", [])


def test_the_dice_that_find_a_target_are_shown_with_the_choice() -> None:
    data = next(each for each in GAME.positions.build_examples("skirmish") if "dice/target" in str(each))
    choice = running(GAME.positions.decode_position(data), BYSTANDER)["choice"]
    assert (choice["card"]["card"], choice["about"], choice["pips"]) == ("overthrow", "target", [4, 1, 1])


def test_in_a_draft_a_player_sees_the_own_cards_and_what_was_kept() -> None:
    state = drafting()
    state = then(state, 0, kept(state, 0))
    mine, theirs = draw(state)["seats"]
    assert (mine["draft"]["count"], len(mine["draft"]["cards"])) == (7, 7)
    assert (theirs["draft"]["count"], theirs["draft"]["cards"]) == (7, [])
    draft = running(state)["draft"]
    assert (draft["round"], draft["rounds"], draft["keep"], draft["waiting"]) == (1, 5, 4, [1])
    (pile,) = draw(state)["piles"]
    assert (pile["place"], pile["count"], pile["cards"]) == ("pool", 86, [])
    state = shuffled(then(state, 1, kept(state, 1)), "pool:")[1]
    assert len(draw(state)["seats"][0]["deck"]["cards"]) == 4
    assert draw(state)["seats"][1]["deck"]["cards"] == draw(state, BYSTANDER)["seats"][0]["deck"]["cards"] == []


@pytest.mark.clause("CC-AMB-7")
def test_a_deck_list_is_shown_to_its_player_alone() -> None:
    state = opened("league")
    assert running(state)["decks"]["waiting"] == [0, 1]
    brought = list_deck_cards(state)[:20]
    state = then(state, 0, BringDeck(brought))
    assert running(state, Seat(1))["decks"]["waiting"] == [1]
    state = then(state, 1, BringDeck(brought))
    lists = [[seat["deck_list"] for seat in draw(state, viewer)["seats"]] for viewer in VIEWERS[:3]]
    assert lists == [[[*brought], None], [None, [*brought]], [None, None]]


def test_a_draw_that_is_offered_is_shown_until_the_turn_ends() -> None:
    given = table(quiet=12)
    assert (draw(given)["draw_offered_by"], draw(given)["quiet_turns"], draw(given)["most_quiet_turns"]) == (
        None,
        12,
        40,
    )
    offering = then(given, 0, OfferDraw())
    assert (draw(offering)["draw_offered_by"], running(offering)["draw_offer"]["seat"]) == (0, 1)


def test_a_turn_begins_with_a_roll_of_the_start_dice() -> None:
    state = settled(turn_begins(1, extra=(0, 2)))
    board = draw(state)
    assert (board["turn"], board["turn_number"], board["phase"]) == (1, 4, "start")
    assert board["seats"][1]["extra_dice"] == 2
    roll = running(state)["roll"]
    assert (roll["seat"], roll["rolls"], roll["dice"]) == (1, "basic", 3)


def test_real_cards_are_backs_but_for_those_that_were_read_out() -> None:
    cards = {"C1": "recoil"}, {"C1": "sky_bolt"}
    real = with_real_cards(table(*cards, hands=(("hex_toad",), ("pit_viper",))), 0)
    board = draw(real, FULL_VIEWER)
    assert designs(board["seats"][0]["hand"]["cards"]) == ["hex_toad"]
    assert (board["seats"][1]["hand"]["count"], board["seats"][1]["hand"]["cards"]) == (1, [])
    assert [crush(board, seat, "C1")["card"]["card"] for seat in (0, 1)] == ["recoil", None]
    assert [crush(draw(real, Seat(1)), seat, "C1")["card"]["card"] for seat in (0, 1)] == [None, None]


def test_numbers_that_rest_on_what_a_position_leaves_out_are_null() -> None:
    book = install_book_text(DREAMER, "dreamers.yaml")
    dreamer = f"dreamer@{book.edition.partition('@')[2]}"
    data = build_midgame({"board": {"B1": dreamer}, "hand": 0}, {"board": {"B1": "iron_boar"}}, edition=book.edition)
    known = creature(draw(GAME.positions.decode_position(data)), 0, "B1")
    assert (known["name"], known["attack"], known["keywords"]) == ({"en": "Dreamer", "de": "Träumer"}, 2, [])
    del data["seats"][1]["hand"]
    unknown = creature(draw(GAME.positions.decode_position(data)), 0, "B1")
    assert [unknown[name] for name in ("attack", "armor", "keywords")] == [None, None, None]
    assert (unknown["printed_attack"], unknown["life_left"]) == (2, 2)


def test_every_question_of_a_written_position_is_drawn_for_everybody() -> None:
    schema = build_answer_schema(GAME.boards.shape)()
    kinds = set()
    for variant in VARIANTS:
        for data in GAME.positions.build_examples(variant):
            state = GAME.positions.decode_position(data)
            for viewer in VIEWERS:
                board = draw(state, viewer)
                assert schema.load(board)
                kinds |= {each["kind"] for each in board["running"]}
    assert kinds == {
        "attack", "chain", "ordering", "effect", "choice", "random", "loss", "destroying", "roll", "start_roll",
        "draft", "decks", "draw_offer", "report",
    }  # fmt: skip
