"""Words about dice: choose, turn, set, burn and add them, and take them away from a turn."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseValue
from referee.engine.chance import RollResult
from referee.engine.events import Event
from referee.engine.referee import resolve_pending_steps
from referee.engine.rulebook.book import BookError
from referee.engine.seats import CHANCE
from referee.games.creature_crush import GAME
from referee.games.creature_crush.events.course import (
    DiceBurned,
    DieTurned,
    StartDiceGained,
    StartDiceRolled,
    StartDiceTaken,
)
from referee.games.creature_crush.events.field import CreaturesDamaged, EffectSkipped
from referee.rendering.texts import describe_event
from tests.games.course import of, settled, when
from tests.games.creature_crush.table import rolled, table, turn_begins
from tests.games.creature_crush.wording import (
    SAID,
    at_rest,
    card,
    choices,
    kept,
    refused,
    said,
    unsaid,  # noqa: F401
)

MINE: dict[str, Any] = {"do": "choose", "die": {}, "called": "mine"}
SET, TURN, BURN = ({"do": verb, "die": "mine"} for verb in ("set_die", "turn_die", "burn_die"))


@pytest.mark.clause("CC-WORD-DICE-1")
def test_a_chosen_die_is_set_to_a_number() -> None:
    _, state = said(table(dice=(2, 2, 5)), MINE, {**SET, "to": 6})
    assert choices(state, 0) == [ChooseValue(2), ChooseValue(5)]
    assert refused(state, 0, ChooseValue(3)) == "no_such_die"
    events, state = when(kept(state), 0, ChooseValue(2))
    assert of(events, DieTurned) == [DieTurned(0, 2, 6, SAID)]
    assert state.dice == (2, 5, 6)
    assert at_rest(state)


@pytest.mark.clause("CC-WORD-DICE-1")
def test_a_die_is_turned_by_as_many_pips_as_the_card_says_up_or_down() -> None:
    _, state = said(table(dice=(5,)), MINE, {**TURN, "by": 1})
    assert choices(state, 0) == [ChooseValue(4), ChooseValue(6)]
    assert refused(state, 0, ChooseValue(5)) == "turned_too_far"
    _, state = when(kept(state), 0, ChooseValue(4))
    assert state.dice == (4,)
    _, state = said(table(dice=(6,)), MINE, {**TURN, "by": 1})
    assert state.dice == (5,), "there is only one way"


@pytest.mark.clause("CC-WORD-DICE-1")
def test_a_die_is_burned_and_its_pips_still_count() -> None:
    lines = (
        MINE, BURN, {"do": "choose", "creature": {"of": "enemy"}, "called": "it"},
        {"do": "damage", "creature": "it", "points": {"pips_of": "mine"}},
    )  # fmt: skip
    _, state = said(table({}, {"B1": "stone_owl"}, dice=(1, 3)), *lines)
    events, state = when(state, 0, ChooseValue(3))
    assert of(events, DiceBurned) == [DiceBurned(0, (3,))]
    assert [event.points for event in of(events, CreaturesDamaged)] == [{"stone_owl": 3}]
    assert (state.dice, state.burned) == ((1,), 1)


@pytest.mark.parametrize("how", [{"turn": 1, "dice": (3,)}, {"dice": ()}])
def test_without_own_dice_nothing_happens_to_them(how: dict[str, Any]) -> None:
    events, state = said(table(**how), MINE, {**SET, "to": 6}, TURN, BURN)
    assert not of(events, DieTurned) + of(events, DiceBurned)
    assert at_rest(state)


def test_a_die_that_is_burned_already_is_not_turned() -> None:
    events, _ = said(table(dice=(3,)), MINE, BURN, {**SET, "to": 6})
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "no_dice")]


@pytest.mark.clause("CC-WORD-DICE-1")
def test_added_dice_are_start_dice_of_the_turn_and_make_no_more_than_five() -> None:
    _, state = said(table(dice=(3, 3)), {"do": "add_dice", "count": 1})
    events, state = rolled(kept(state), 3)
    assert of(events, StartDiceRolled) == [StartDiceRolled(0, (3,), "added")], "a triple now brings no bonus"
    assert state.dice == (3, 3, 3)
    _, state = said(table(dice=(3, 3), burned=2), {"do": "add_dice", "count": 3})
    assert state.agenda[-1].dice == 1
    for how, why in (({"turn": 1}, "not_own_turn"), ({"dice": (1, 2, 3), "burned": 2}, "five_dice")):
        events, _ = said(table(**how), {"do": "add_dice", "count": 1})
        assert of(events, EffectSkipped) == [EffectSkipped(SAID, why)]


def tell_event(event: Event) -> str:
    """What an event is told as."""
    text = describe_event(GAME, event)
    assert text is not None
    return text["en"]


@pytest.mark.clause("CC-WORD-DICE-1")
def test_a_turn_may_have_fewer_start_dice_which_bring_no_bonus() -> None:
    events, state = said(table(), {"do": "start_dice", "who": "opponent", "count": -1})
    assert of(events, StartDiceGained) == [StartDiceGained(1, -1)]
    assert state.extra == (0, -1)
    assert "fewer in the next turn" in tell_event(StartDiceGained(1, -1))
    assert "2 start dice fewer" in tell_event(StartDiceTaken(1, 2))
    begun = turn_begins(1, extra=(0, -1), decks=((), ()))
    assert of(resolve_pending_steps(begun), StartDiceTaken) == [StartDiceTaken(1, 1)]
    state = settled(begun)
    events, state = when(state, CHANCE, RollResult((4, 4)))
    assert of(events, StartDiceRolled) == [StartDiceRolled(1, (4, 4), "fewer")]
    assert (state.dice, state.extra, state.phase) == ((4, 4), (0, 0), "combat")


def test_a_turn_may_have_no_start_dice_and_others_set_off_those_taken() -> None:
    state = settled(turn_begins(1, extra=(0, -3), decks=((), ())))
    assert (state.dice, state.extra, state.phase) == ((), (0, 0), "combat")
    _, state = said(table(extra=(1, 0)), {"do": "start_dice", "count": -1})
    assert state.extra == (0, 0)


@pytest.mark.parametrize(
    ("lines", "detail"),
    [
        ([MINE, {**SET, "to": 7}], "1 to 6"),
        ([MINE, {**TURN, "by": 6}], "1 to 5"),
        ([{"do": "add_dice", "count": 6}], "1 to 5"),
        ([{"do": "start_dice", "count": 0}], "below 0"),
        ([MINE, {"do": "damage", "creature": "mine", "points": 1}], "'mine' stands for dice, not for creatures"),
        ([{"do": "set_die", "die": "this", "to": 6}], "not for dice"),
        ([MINE, {"do": "draw", "count": {"cost_of": "mine"}}], "cost_of 'mine': it stands for dice"),
        ([{"do": "draw", "count": {"pips_of": "this"}}], "pips_of 'this': it stands for"),
        ([{"do": "all", "die": {}, "called": "mine"}, BURN], "a die is named with choose"),
    ],
)
def test_dice_that_no_card_can_mean_are_refused(lines: list[dict[str, Any]], detail: str) -> None:
    with pytest.raises(BookError, match=detail):
        card(kind="creature", action=lines)
