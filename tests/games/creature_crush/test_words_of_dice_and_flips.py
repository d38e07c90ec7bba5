"""Verbs about start dice and flipped cards: each where it works, and where it does nothing."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, Decline
from referee.engine.events import replace_fields
from referee.engine.rulebook.book import BookError
from referee.games.creature_crush.components import FLIPPED
from referee.games.creature_crush.events.cards import CrushSpent
from referee.games.creature_crush.events.course import DiceRerolled, StartDiceGained
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import EffectCancelled, EffectSkipped
from referee.games.creature_crush.moves import Reroll
from referee.games.creature_crush.rules.activating import activate_text
from referee.games.creature_crush.rules.chain import Chain
from referee.games.creature_crush.state import Table
from tests.games.course import of, times_out, when
from tests.games.creature_crush.table import rolled, table
from tests.games.creature_crush.wording import (
    SAID,
    at_rest,
    choices,
    kept,
    read,
    refused,
    said,
    unsaid,  # noqa: F401
)

BONUS = {"do": "start_dice", "count": 1}


# ---- start dice ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-START-4", "CC-AMB-10")
def test_start_dice_for_the_next_turn_add_up() -> None:
    events, state = said(table(), {"do": "start_dice", "count": 2}, BONUS)
    assert of(events, StartDiceGained) == [StartDiceGained(0, 2), StartDiceGained(0, 1)]
    assert state.extra == (3, 0)
    assert said(state, {**BONUS, "who": "opponent"})[1].extra == (3, 1)


def test_no_card_gives_less_than_one_die_more() -> None:
    for verb in ("start_dice", "reroll"):
        with pytest.raises(BookError, match="1 or more"):
            read({"do": verb, "count": 0})


REROLL = {"do": "reroll", "count": 2}


@pytest.mark.clause("CC-AMB-9")
def test_the_player_says_which_unburned_dice_are_rolled_again() -> None:
    _, state = said(table(dice=(2, 2, 5)), REROLL)
    assert choices(state, 0) == [Decline(), Reroll((2,)), Reroll((5,)), Reroll((2, 2)), Reroll((2, 5))]
    _, state = when(kept(state), 0, Reroll((5, 2)))
    events, state = rolled(kept(state), 6, 1)
    assert of(events, DiceRerolled) == [DiceRerolled(0, (2, 5), (6, 1))]
    assert state.dice == (1, 2, 6)
    assert at_rest(state)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Reroll(()), "reroll_so_many"),
        (Reroll((2, 2, 5)), "reroll_so_many"),
        (Reroll((3,)), "no_such_die"),
        (Reroll((5, 5)), "no_such_die"),
        (ChooseCard("volley"), "not_what_is_asked"),
    ],
)
def test_dice_that_are_not_there_or_too_many_are_not_rolled_again(move: Reroll, why: str) -> None:
    _, state = said(table(dice=(2, 2, 5)), REROLL)
    assert refused(state, 0, move) == why


def test_whoever_declines_or_is_late_rolls_nothing_again() -> None:
    _, state = said(table(dice=(2, 2, 5), rules={"turn_timeout_ms": 1000}), REROLL)
    for _, after in (when(state, 0, Decline()), times_out(state)):
        assert after.dice == (2, 2, 5)
        assert at_rest(after)


@pytest.mark.parametrize(("how", "why"), [({"turn": 1}, "not_own_turn"), ({"dice": ()}, "no_dice")])
def test_nothing_is_rolled_again_in_the_turn_of_the_other_player_or_without_dice(
    how: dict[str, object], why: str
) -> None:
    events, state = said(table(**{"dice": (2, 5), **how}), REROLL)
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, why)]
    assert at_rest(state)


# ---- flips -----------------------------------------------------------------------------------------------------------


def waiting(*texts: tuple[str, str]) -> Table:
    """Seat 1 has flipped a volley; these effects wait in the chain."""
    state = table({"B1": "clay_guard", "A1": "thornback"}, {"B1": "dune_strider"}, agenda=())
    links = tuple(activate_text(state, card, text, 1) for card, text in texts)
    return replace_fields(state, zones={**state.zones, FLIPPED[1]: ("volley",)}, agenda=(Chain(links, ()),))


@pytest.mark.clause("CC-CRUSH-3")
def test_the_effect_of_a_flipped_card_is_cancelled_and_the_card_goes_to_hell() -> None:
    state = waiting(("bone_pup", "hell"), ("volley", "flip"))
    events, state = said(state, {"do": "cancel_effect", "card": "flipped"}, flipped="volley")
    assert of(events, EffectCancelled) == [EffectCancelled("volley", SAID)]
    assert [event.put for event in of(events, CrushSpent)] == [("volley",)]
    assert state.list_hell(1) == ("volley",)
    assert state.damage == {}
    assert len(of(events, CardDrawn)) == 1  # the other effect still waits, and comes


def test_an_effect_that_does_not_wait_any_more_is_not_cancelled() -> None:
    events, state = said(waiting(), {"do": "cancel_effect", "card": "flipped"}, flipped="volley")
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "gone")]
    assert not of(events, EffectCancelled)
    assert state.cards_at(FLIPPED[1]) == ("volley",)
