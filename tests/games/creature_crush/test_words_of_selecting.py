"""Lines that find several things, by choice, by chance or with dice: each where it finds some, and where none."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.engine.chance import PickResult, RollResult
from referee.engine.referee import judge_candidates, seats_that_must_act
from referee.engine.rulebook.book import BookError
from referee.engine.seats import CHANCE
from referee.games.creature_crush.events.course import TargetDiceRolled, TargetsDrawn
from referee.games.creature_crush.events.field import CreaturesDamaged, EffectSkipped
from referee.games.creature_crush.texts.nouns import compute_pip_sums
from tests.games.course import of, refusal, times_out, when
from tests.games.creature_crush.table import picked, rolled, table
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

HIT = {"do": "damage", "creature": "hit", "points": 1}
MINE = {"B1": "clay_guard", "A1": "thornback", "B3": "tar_golem"}
THEIRS = {"B1": "dune_strider", "A2": "knife_goblin", "B2": "storm_gull", "C1": "sky_bolt", "C3": "volley"}


def one(**noun: object) -> tuple[dict[str, object], dict[str, object]]:
    """One creature is chosen, and hit."""
    return {"do": "choose", "creature": noun, "called": "hit"}, HIT


def hit(events: tuple[object, ...]) -> list[str]:
    """Who was damaged."""
    return [card for event in of(events, CreaturesDamaged) for card in event.points]


# ---- several ---------------------------------------------------------------------------------------------------------


def some(count: object, **more: object) -> tuple[dict[str, object], dict[str, object]]:
    """Several enemies are chosen, and hit."""
    return {"do": "choose_some", "creature": {"of": "enemy"}, "count": count, "called": "hit", **more}, HIT


def test_several_are_chosen_in_one_answer() -> None:
    _, state = said(table(MINE, THEIRS), *some(2))
    assert {move.cards for move in choices(state, 0)} == {
        ("dune_strider", "knife_goblin"), ("dune_strider", "storm_gull"), ("knife_goblin", "storm_gull")
    }  # fmt: skip
    events, state = when(kept(state), 0, ChooseCards(("storm_gull", "dune_strider")))
    assert hit(events) == ["storm_gull", "dune_strider"]
    assert len(of(events, CreaturesDamaged)) == 1  # at the same time
    assert at_rest(state)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (ChooseCards(("storm_gull",)), "exactly_so_many"),
        (ChooseCards(("storm_gull", "dune_strider", "knife_goblin")), "exactly_so_many"),
        (ChooseCards(("storm_gull", "storm_gull")), "named_twice"),
        (ChooseCards(("storm_gull", "clay_guard")), "on_the_wrong_side"),
        (ChooseCards(("storm_gull", "behemoth")), "not_on_the_field"),
        (ChooseCard("storm_gull"), "not_what_is_asked"),
    ],
)
def test_too_few_too_many_the_same_twice_or_what_does_not_fit_is_refused(move: ChooseCards, why: str) -> None:
    _, state = said(table(MINE, THEIRS), *some(2))
    assert refused(state, 0, move) == why


@pytest.mark.clause("CC-AMB-18")
def test_if_there_are_no_more_than_that_all_are_taken_without_a_question() -> None:
    events, state = said(table(MINE, THEIRS), *some(3))
    assert hit(events) == ["knife_goblin", "dune_strider", "storm_gull"]
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-18")
def test_up_to_leaves_a_choice_down_to_none_and_that_does_nothing() -> None:
    _, state = said(table(MINE, THEIRS), *some(2, up_to=True))
    assert Counter(len(move.cards) for move in choices(state, 0)) == {0: 1, 1: 3, 2: 3}
    events, late = times_out(said(table(MINE, THEIRS, rules={"turn_timeout_ms": 1000}), *some(2, up_to=True))[1])
    assert not hit(events)
    assert at_rest(late)
    events, state = when(state, 0, ChooseCards(()))
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "none_chosen")]
    assert not hit(events)
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-15")
@pytest.mark.parametrize(("x", "most"), [(1, 1), (2, 2), (4, 3)])
def test_an_amount_of_x_is_what_was_burned_for_the_card(x: int, most: int) -> None:
    _, state = said(table(MINE, THEIRS), *some({"x": 1}, up_to=True), x=x)
    assert max(len(move.cards) for move in choices(state, 0)) == most


def test_an_x_of_none_asks_nothing_and_does_nothing() -> None:
    events, state = said(table(MINE, THEIRS), *some({"x": 1}, up_to=True), x=0)
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "nothing_fits")]
    assert at_rest(state)


# ---- all, at random --------------------------------------------------------------------------------------------------


def test_all_that_fit_are_taken_and_nothing_else() -> None:
    events, _ = said(table(MINE, THEIRS), {"do": "all", "creature": {"of": "any", "row": "A"}, "called": "hit"}, HIT)
    assert hit(events) == ["thornback", "knife_goblin"]


def test_all_of_none_does_nothing() -> None:
    events, _ = said(table(MINE), {"do": "all", "creature": {"of": "enemy"}, "called": "hit"}, HIT)
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "nothing_fits")]


def random(**more: object) -> tuple[dict[str, object], dict[str, object]]:
    """Enemies are found by chance, and hit."""
    return {"do": "at_random", "creature": {"of": "enemy"}, "called": "hit", **more}, HIT


@pytest.mark.clause("CC-GLOSS-7", "CC-AMB-24")
def test_chance_finds_a_target_and_everybody_sees_which() -> None:
    _, state = said(table(MINE, THEIRS), *random())
    assert seats_that_must_act(state) == {CHANCE}
    events, state = picked(kept(state), "storm_gull")
    assert of(events, TargetsDrawn) == [TargetsDrawn(SAID, ("storm_gull",))]
    assert hit(events) == ["storm_gull"]
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-24")
def test_chance_draws_among_all_that_fit_each_alike_and_none_twice() -> None:
    _, state = said(table(MINE, THEIRS), *random(count=2))
    top, seen = state.agenda[-1], Counter[str]()
    for numbers in product(range(3), range(2)):  # every way in which two of three can be drawn
        left = list(numbers)
        drawn = top.draw_outcome(state, lambda below, left=left: left.pop(0) % below)
        assert top.check_move(state, CHANCE, drawn) is None
        seen.update(drawn.cards)
    assert seen == {"knife_goblin": 4, "dune_strider": 4, "storm_gull": 4}
    assert [move.cards for move, ruling in judge_candidates(state, CHANCE) if ruling is None] == [
        ("knife_goblin", "dune_strider"), ("knife_goblin", "storm_gull"), ("dune_strider", "storm_gull")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        (("storm_gull",), "name_so_many_targets"),
        (("storm_gull", "storm_gull"), "name_so_many_targets"),
        (("storm_gull", "clay_guard"), "on_the_wrong_side"),
    ],
)
def test_what_chance_cannot_have_found_is_refused(cards: tuple[str, ...], why: str) -> None:
    _, state = said(table(MINE, THEIRS), *random(count=2))
    assert refusal(state, CHANCE, PickResult(cards)).reason == why
    assert refusal(state, CHANCE, RollResult((1,))).reason == "not_what_is_asked"


def test_with_no_more_than_that_nothing_is_left_to_chance() -> None:
    events, state = said(table(MINE, THEIRS), *random(count=3))
    assert len(hit(events)) == 3
    events, state = said(table(MINE), *random())
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "nothing_fits")]
    assert at_rest(state)


# ---- with dice -------------------------------------------------------------------------------------------------------


def dice(count: int, noun: str = "creature") -> tuple[dict[str, object], dict[str, object]]:
    """An enemy is found with dice, and destroyed."""
    found = {"do": "with_dice", "dice": count, noun: {"of": "enemy"}, "called": "target"}
    return found, {"do": "destroy", "what": "target"}


def test_every_sum_of_one_to_all_dice_counts_each_die_once() -> None:
    assert compute_pip_sums((2, 6)) == {2, 6, 8}
    assert compute_pip_sums((1, 1, 3)) == {1, 2, 3, 4, 5}
    assert compute_pip_sums(()) == frozenset()


@pytest.mark.clause("CC-DICE-1", "CC-AMB-23")
def test_dice_find_those_whose_cost_is_one_of_them_or_a_sum() -> None:
    _, state = said(table(MINE, THEIRS), *dice(2))
    assert seats_that_must_act(state) == {CHANCE}
    events, state = rolled(kept(state), 5, 2)  # 2, 5, 7: the gull and the strider
    assert of(events, TargetDiceRolled) == [TargetDiceRolled(0, SAID, (5, 2))]
    assert state.dice == ()
    assert choices(state, 0) == [ChooseCard("dune_strider"), ChooseCard("storm_gull")]
    assert refused(state, 0, ChooseCard("knife_goblin")) == "cost_not_rolled"
    assert refused(state, 0, ChooseCard("clay_guard")) == "on_the_wrong_side"
    _, state = when(kept(state), 0, ChooseCard("storm_gull"))
    assert state.list_hell(1) == ("storm_gull",)
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-23")
def test_a_roll_that_hits_nothing_does_nothing() -> None:
    _, state = said(table(MINE, THEIRS), *dice(1))
    events, state = rolled(state, 1)
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "nothing_fits")]
    assert state.list_hell(1) == ()
    assert at_rest(state)


def test_with_nothing_to_hit_no_dice_are_rolled() -> None:
    events, state = said(table(MINE), *dice(1))
    assert of(events, EffectSkipped) == [EffectSkipped(SAID, "nothing_fits")]
    assert at_rest(state)


@pytest.mark.clause("CC-AMB-23")
def test_a_crush_card_costs_the_dice_that_were_burned_for_it_though_it_lies_face_down() -> None:
    theirs = {"C1": "sky_bolt", "C2": "chain_lightning", "C3": "volley", "B1": "dune_strider"}
    _, state = said(table(MINE, theirs, paid={"C2/1:1": 4}), *dice(2, "field_card"))
    _, state = rolled(state, 4, 3)
    assert choices(state, 0) == [ChooseCard("dune_strider"), ChooseCard("C2/1:1"), ChooseCard("C3/1:1")]


@pytest.mark.parametrize("count", [0, 6])
def test_no_card_rolls_no_dice_or_too_many(count: int) -> None:
    with pytest.raises(BookError, match="1 to 5 dice"):
        read(*dice(count))
