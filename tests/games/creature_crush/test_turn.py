"""The start phase: effects, the card, the dice (CC-START-1 to CC-START-4)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import Event, apply_events
from referee.engine.referee import resolve_pending_steps
from referee.engine.steps import Step
from referee.games.creature_crush.events.course import PhaseBegan, StartDiceLost, StartDiceRolled
from referee.games.creature_crush.events.decks import CardDrawn, NothingToDraw
from referee.games.creature_crush.moves import EndCombat, EndTurn
from referee.games.creature_crush.rules.turn import StartDiceRoll
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY
from tests.games.course import asked, of, settled, then
from tests.games.creature_crush.table import names, rolled, table, turn_begins


def begun(**how: Any) -> tuple[tuple[Event, ...], Table]:
    """The facts with which a turn begins, and the table then."""
    given = turn_begins(**how)
    events = resolve_pending_steps(given)
    return events, apply_events(given, events)


def on_top(state: Table) -> Step:
    """What is open."""
    return state.agenda[-1]


def dice_to_roll(state: Table) -> tuple[int, str]:
    """How many start dice are rolled now, and which."""
    top = on_top(state)
    assert isinstance(top, StartDiceRoll)
    return top.dice, top.which


@pytest.mark.clause("CC-START-1", "CC-TURN-1")
def test_a_turn_begins_with_drawing_one_card() -> None:
    events, after = begun(decks=(("clay_guard", "thornback"), ("storm_gull",)))
    assert names(events) == ["TurnBegan", "CardDrawn"]
    assert after.cards_in_hand(0) == ("clay_guard",)
    assert (after.turn, after.phase) == (0, "start")


@pytest.mark.clause("CC-AMB-8")
def test_drawing_from_an_empty_deck_does_nothing_and_is_no_loss() -> None:
    events, after = begun(mine={"A1": "ember_fox"}, decks=((), ("storm_gull",)))
    assert of(events, NothingToDraw) == [NothingToDraw(0)]
    _, after = rolled(after, 1, 2, 4)
    assert after.winner == NOBODY
    assert asked(after) == {0}


@pytest.mark.clause("CC-AMB-8")
def test_there_is_no_limit_of_hand_cards() -> None:
    held = ("hex_toad", "bone_pup", "cave_scout", "iron_boar", "web_weaver", "clay_guard", "frost_lout")
    events, after = begun(hands=(held, ()))
    assert len(of(events, CardDrawn)) == 1
    assert len(after.cards_in_hand(0)) == 8


@pytest.mark.clause("CC-START-2")
def test_three_start_dice_are_rolled_and_the_combat_phase_begins() -> None:
    _, rolling = begun()
    assert dice_to_roll(rolling) == (3, "basic")
    events, after = rolled(rolling, 5, 1, 4)
    assert of(events, StartDiceRolled) == [StartDiceRolled(0, (5, 1, 4), "basic")]
    assert of(events, PhaseBegan) == [PhaseBegan(0, "combat")]
    assert (after.dice, after.phase, asked(after)) == ((1, 4, 5), "combat", {0})


@pytest.mark.clause("CC-START-2", "CC-AMB-9")
def test_a_triple_gives_a_fourth_die_and_four_alike_a_fifth() -> None:
    _, rolling = begun()
    _, fourth = rolled(rolling, 4, 4, 4)
    assert dice_to_roll(fourth) == (1, "triple")
    _, fifth = rolled(fourth, 4)
    assert dice_to_roll(fifth) == (1, "quadruple")
    _, after = rolled(fifth, 4)  # five alike give nothing more
    assert after.dice == (4, 4, 4, 4, 4)
    assert asked(after) == {0}
    _, other = rolled(fourth, 2)
    assert other.dice == (2, 4, 4, 4)
    assert asked(other) == {0}


@pytest.mark.clause("CC-START-3", "CC-AMB-9")
def test_whoever_opens_the_game_rolls_two_dice_which_give_no_bonus() -> None:
    _, rolling = begun(opener=NOBODY, turns=0)
    assert dice_to_roll(rolling) == (2, "basic")
    _, after = rolled(rolling, 6, 6)
    assert (after.dice, after.opener) == ((6, 6), 0)
    assert asked(after) == {0}


@pytest.mark.clause("CC-START-3", "CC-AMB-32")
def test_the_second_player_rolls_three_dice_and_so_does_the_opener_from_then_on() -> None:
    _, after = rolled(settled(turn_begins(opener=NOBODY, turns=0)), 1, 2)
    second = then(after, 0, EndCombat(), EndTurn())
    assert dice_to_roll(second) == (3, "basic")
    third = then(rolled(second, 1, 2, 3)[1], 1, EndCombat(), EndTurn())
    assert (third.turn, dice_to_roll(third)) == (0, (3, "basic"))


@pytest.mark.clause("CC-START-4", "CC-AMB-9")
def test_additional_dice_are_rolled_after_the_others_and_make_no_triple() -> None:
    _, rolling = begun(extra=(2, 1))
    events, extra = rolled(rolling, 4, 4, 1)
    assert dice_to_roll(extra) == (2, "extra")
    events, after = rolled(extra, 4, 4)
    assert of(events, StartDiceRolled) == [StartDiceRolled(0, (4, 4), "extra")]
    assert after.dice == (1, 4, 4, 4, 4)
    assert asked(after) == {0}
    assert after.extra == (0, 1)


@pytest.mark.clause("CC-START-4", "CC-AMB-10")
def test_more_than_five_dice_are_never_rolled_and_the_rest_is_lost() -> None:
    _, rolling = begun(extra=(3, 0))
    events, extra = rolled(rolling, 1, 2, 3)
    assert of(events, StartDiceLost) == [StartDiceLost(0, 1)]
    assert dice_to_roll(extra) == (2, "extra")
    _, after = rolled(extra, 5, 6)
    assert (len(after.dice), after.extra) == (5, (0, 0))


@pytest.mark.clause("CC-START-2", "CC-START-4", "CC-AMB-10")
def test_after_a_bonus_die_only_the_room_up_to_five_is_left_for_additional_ones() -> None:
    _, bonus = rolled(begun(extra=(2, 0))[1], 3, 3, 3)
    events, extra = rolled(bonus, 1)
    assert of(events, StartDiceLost) == [StartDiceLost(0, 1)]
    assert dice_to_roll(extra) == (1, "extra")
    _, five = rolled(rolled(rolled(begun(extra=(1, 0))[1], 3, 3, 3)[1], 3)[1], 3)
    assert (five.dice, five.extra) == ((3,) * 5, (0, 0))
    assert asked(five) == {0}


@pytest.mark.clause("CC-START-1", "CC-CHAIN-3")
def test_effects_of_the_start_phase_come_before_the_draw() -> None:
    board = {"B1": "field_cook", "B2": "clay_guard"}
    events, after = begun(mine=board, damage={"clay_guard": 2, "field_cook": 1})
    assert set(names(events)[1:-1]) == {"Healed"}
    assert names(events)[-1] == "CardDrawn"
    assert after.damage == {"clay_guard": 1}
    others, _ = begun(theirs=board, damage={"clay_guard": 2})
    assert names(others) == ["TurnBegan", "CardDrawn"]


@pytest.mark.clause("CC-AMB-12", "CC-PAY-2")
def test_a_new_turn_gives_all_creatures_their_action_and_no_old_dice() -> None:
    given: dict[str, Any] = {"entered": ("ember_fox",), "acted": {"hex_toad": 1}, "ready": {"hex_toad": 1}}
    _, after = begun(mine={"A1": "ember_fox", "A2": "hex_toad"}, dice=(6,), burned=2, **given)
    assert (after.entered, after.acted, after.ready) == ((), {}, {})
    assert (after.dice, after.burned) == ((), 0)


@pytest.mark.clause("CC-TURN-1")
def test_the_phases_follow_each_other_without_anything_in_between() -> None:
    rolling = then(table(decks=(("clay_guard",), ("storm_gull",))), 0, EndCombat(), EndTurn())
    assert rolling.turn == 1
    assert dice_to_roll(rolling) == (3, "basic")
