"""Which items, players and monsters a card means: by gold, bonus, slot, level and strength; and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard, ChoosePlayer
from referee.engine.codec import decode, encode
from referee.engine.rulebook.book import BookError
from referee.engine.rulebook.editions import CardBookError
from referee.games.books import check_book_text
from referee.games.munchkin.components import FACES
from referee.games.munchkin.conditions import Condition, ItemFilter, parse_item_filter
from referee.games.munchkin.events.cards import CardDrawn
from referee.games.munchkin.events.combat import MonsterRemoved
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.strength import is_condition_met, matches_filter
from tests.games.munchkin.own_box import write_book
from tests.games.munchkin.wording import asked, at_rest, kept, of, read, refusal, said, table, unsaid, when  # noqa: F401

WORN = ("bat_hat", "stilts", "rusty_bell", "candy_hook", "crooked_crown")


def lose(**which: Any) -> dict[str, Any]:
    """A line by which an item of this sort is lost."""
    return {"do": "lose", "item": which}


@pytest.mark.clause("MK-7.13")
@pytest.mark.parametrize(
    ("which", "fits"),
    [
        ({"gold_min": 400}, lambda face: (face.gold or 0) >= 400),
        ({"gold_max": 300}, lambda face: (face.gold or 0) <= 300),
        ({"bonus_min": 2}, lambda face: face.bonus >= 2),
        ({"bonus_max": 1, "gold_min": 1}, lambda face: face.bonus <= 1 and (face.gold or 0) >= 1),
    ],
)
def test_items_are_told_apart_by_gold_and_bonus(which: dict[str, int], fits: Any) -> None:
    state = table(plays={0: WORN})
    fitting = [card for card in WORN if fits(FACES[card])]
    assert 0 < len(fitting) < len(WORN)
    assert [card for card in WORN if matches_filter(state, parse_item_filter("x", which, 1), card)] == fitting
    _, gone = said(state, {**lose(**which), "count": "all"})
    assert set(gone.items_of(0)) == set(WORN) - set(fitting)
    other = next(card for card in WORN if card not in fitting)
    _, state = said(
        state, {"do": "choose", "item": which, "called": "it"}, {"do": "hand_over", "item": "it", "to": "left"}
    )
    if len(fitting) > 1:
        assert kept(state) == state
        assert refusal(state, 0, ChooseCard(other)).reason == "another_sort_of_item"
    assert is_condition_met(table(plays={0: WORN}), Condition("carries", fitting=parse_item_filter("x", which, 1)), 0)


@pytest.mark.clause("MK-2.4", "MK-7.12")
def test_an_item_is_exchanged_for_one_of_the_same_slot() -> None:
    lines: tuple[dict[str, Any], ...] = (
        {"do": "choose", "item": {}, "called": "mine"},
        {"do": "choose", "item": {"of": "left", "same_slot": "mine"}, "called": "theirs"},
        {"do": "hand_over", "item": "mine", "to": "left", "if": "theirs"},
        {"do": "hand_over", "item": "theirs", "from": "left", "to": "me"},
    )
    plays = {0: ("bat_hat", "stilts"), 1: ("crooked_crown", "curly_boots", "rusty_bell")}
    _, state = said(table(plays=plays), *lines)
    _, state = when(state, 0, ChooseCard("bat_hat"))
    assert (set(state.items_of(0)), at_rest(state)) == ({"stilts", "crooked_crown"}, True)
    assert set(state.items_of(1)) == {"bat_hat", "curly_boots", "rusty_bell"}
    _, state = said(table(plays={0: ("bat_hat",), 1: ("rusty_bell",)}), *lines)
    assert (state.items_of(0), at_rest(state)) == (("bat_hat",), True)
    _, state = said(table(plays={1: ("rusty_bell",)}), *lines)
    assert (state.items_of(1), at_rest(state)) == (("rusty_bell",), True)


def test_players_are_told_apart_by_their_level() -> None:
    draw = {"do": "draw", "deck": "treasure", "count": 1}
    each = {"do": "for_each", "player": {"level": "higher"}, "called": "each", "lines": [draw]}
    treasures = {"treasures": ("rusty_bell", "bat_hat", "stilts")}
    events, _ = said(table(levels=(2, 3, 9, 1), **treasures), each)
    assert len(of(events, CardDrawn)) == 2
    events, _ = said(table(levels=(9, 3, 9, 1), **treasures), each)
    assert not of(events, CardDrawn)
    choose = (
        {"do": "choose", "player": {"level": "lower"}, "called": "it"},
        {"do": "gain_levels", "count": 1, "who": "it"},
    )
    _, state = said(table(levels=(4, 3, 4, 1)), *choose)
    assert kept(state) == state
    assert (asked(state), refusal(state, 0, ChoosePlayer(2)).reason) == ({0}, "not_of_that_level")
    _, state = when(state, 0, ChoosePlayer(3))
    assert state.levels == (4, 3, 4, 2)


@pytest.mark.clause("MK-11.3", "MK-16.6")
@pytest.mark.parametrize("which", ["weakest", "strongest"])
def test_the_weakest_or_the_strongest_monster_goes(which: str) -> None:
    plain = [face for face in FACES.values() if face.kind == "monster" and not face.standing]
    first, second = (pick(plain, key=lambda face: face.level).id for pick in (min, max))
    gone = first if which == "weakest" else second
    line = {"do": "remove", "which": which, "treasures": "printed"}
    treasures = ("rusty_bell", "bat_hat", "stilts", "candy_hook", "crooked_crown")
    events, state = said(table(monsters=(second, first), treasures=treasures), line)
    assert [event.card for event in of(events, MonsterRemoved)] == [gone]
    assert len(of(events, CardDrawn)) == FACES[gone].treasures
    assert [foe.of for foe in state.running_combat.foes] == [card for card in (second, first) if card != gone]
    assert [event.what for event in of(said(table(), line)[0], EffectLapsed)] == ["remove"]


def test_filters_of_before_are_written_as_before() -> None:
    assert encode(ItemFilter("headgear", equipped=True)) == {
        "slot": "headgear", "size": "", "equipped": True, "one_shot": False,
    }  # fmt: skip
    assert decode(ItemFilter, encode(ItemFilter(bonus_max=(0,)))) == ItemFilter(bonus_max=(0,))


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([lose(gold_min="much")], "gold_min: 'much' is not a whole number"),
        (
            [{"do": "choose", "item": {}, "called": "it"}, lose(same_slot="it")],
            "lose needs 'item', without 'same_slot'",
        ),
        ([{"do": "choose", "player": {"level": "equal"}, "called": "it"}], "unknown 'equal'"),
    ],
)
def test_what_cannot_be_meant_is_refused_when_the_card_is_read(lines: list[Any], says: str) -> None:
    with pytest.raises(BookError, match=says):
        read(*lines)


def test_several_numbers_in_place_of_one_are_refused() -> None:
    card = {"id": "taker", "kind": "curse", "name": "Taker", "text": "Takes.", "when": "any_time"}
    with pytest.raises(CardBookError, match="each of gold_min, gold_max, bonus_min, bonus_max is one number"):
        check_book_text(write_book("takers", [{**card, "does": [lose(gold_min=[1, 2])]}], extends="printed"))


def test_the_slot_of_what_is_no_item_is_refused() -> None:
    lines = [
        {"do": "choose", "item": {"of": "left", "same_slot": "target"}, "called": "it"},
        {"do": "hand_over", "item": "it", "from": "left", "to": "me"},
    ]
    card = {
        "id": "swapper",
        "kind": "treasure_special",
        "name": "Swapper",
        "text": "Swaps.",
        "when": "calm",
        "does": lines,
    }
    with pytest.raises(CardBookError, match="same_slot needs the name of an item in play, not 'target'"):
        check_book_text(write_book("swappers", [card], extends="printed"), "swappers.yaml")
