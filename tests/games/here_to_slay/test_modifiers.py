"""Modifiers: who may play them on what, when the window closes, and what each of them sets off."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseValue, Decline
from referee.engine.events import Event
from referee.games.here_to_slay.components import DISCARD, FACES, MAIN
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.events.plays import ModifierPlayed, RollSettled, TargetsDeclared, ValueAdded
from referee.games.here_to_slay.moves import Attack, Challenge, DrawOne, EndTurn, Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, table

QUIET = {0: "the_shadow_claw", 1: "the_divine_arrow", 2: "the_cloaked_sage"}
PLUS_4, MINUS_4, TWO = "modifier_plus_4", "modifier_minus_4", "modifier_plus_2_minus_2"


def rolling(
    *hands: list[str],
    pips: tuple[int, int] = (1, 2),
    leaders: Mapping[int, str] = QUIET,
    slain: Mapping[int, list[str]] | None = None,
    deck: list[str] | None = None,
) -> Table:
    """Seat 0 has rolled for Napping Nibbles, and the window for modifiers is open."""
    state = table(*hands, parties={0: ["napping_nibbles"]}, leaders=leaders, slain=slain, deck=deck)
    return dice(then(state, 0, RollFor("napping_nibbles")), *pips)[1]


def totals(events: tuple[Event, ...]) -> list[int]:
    """The totals that were settled, in order."""
    return [event.total for event in of(events, RollSettled)]


@pytest.mark.clause("HTS-MOD-1")
@pytest.mark.parametrize(("seat", "value"), [(0, 2), (0, -2), (1, 2), (1, -2)])
@pytest.mark.parametrize("kind", ["hero", "attack", "challenger", "challenged"])
def test_anybody_may_play_on_any_roll_of_anybody_to_help_or_to_harm_and_pays_nothing(
    kind: str, seat: int, value: int
) -> None:
    state = table([TWO, "peanut"], [TWO, "challenge"], parties={0: ["napping_nibbles"]}, row=["dracos"], leaders=QUIET)
    match kind:
        case "hero":
            state, pips = then(state, 0, RollFor("napping_nibbles")), (3, 3)
        case "attack":
            state, pips = then(state, 0, Attack("dracos")), (3, 3)
        case _:
            state, pips = then(then(state, 0, PlayCard("peanut")), 1, Challenge()), (3, 3, 3, 3)
    _, state = dice(state, *pips)
    points, roller = state.points, 1 if kind == "challenger" else 0
    # when
    events, state = when(state, seat, Modify(TWO, value, roller))
    while any(state.cards_in_hand(seat) for seat in asked(state)) and not totals(events):
        more, state = when(state, min(asked(state)), Pass())
        events += more
    # then
    assert of(events, ModifierPlayed)[0].value == value
    assert [event.total for event in of(events, RollSettled) if event.kind == kind] == [6 + value]
    assert state.points == points


@pytest.mark.clause("HTS-MOD-2")
def test_no_modifier_before_the_dice_lie_there() -> None:
    state = table([PLUS_4], [PLUS_4], parties={0: ["napping_nibbles"]}, leaders=QUIET)
    assert refusal(state, 0, Modify(PLUS_4, 4, 0)).reason == "no_dice_lie_there"
    state = then(state, 0, RollFor("napping_nibbles"))
    assert asked(state) == set()
    assert refusal(state, 0, Modify(PLUS_4, 4, 0)).reason == "dice_come_first"
    assert refusal(state, 1, Modify(PLUS_4, 4, 0)).reason == "dice_come_first"
    assert Modify(PLUS_4, 4, 0) in offered(dice(state, 1, 1)[1], 1)


@pytest.mark.clause("HTS-MOD-3")
def test_who_plays_a_card_with_two_values_names_one_of_them() -> None:
    state = rolling([], [TWO, PLUS_4])
    assert refusal(state, 1, Modify(TWO, 1, 0)).clauses[0] == "HTS-MOD-3"
    assert refusal(state, 1, Modify(PLUS_4, -4, 0)).clauses[0] == "HTS-MOD-3"
    assert [move for move in offered(state, 1) if isinstance(move, Modify)] == [
        Modify(TWO, 2, 0), Modify(TWO, -2, 0), Modify(PLUS_4, 4, 0),
    ]  # fmt: skip
    events, state = when(state, 1, Modify(TWO, -2, 0), Pass())
    assert totals(events) == [1]


@pytest.mark.clause("HTS-MOD-1")
@pytest.mark.parametrize(
    ("card", "reason"),
    [(MINUS_4, "not_in_the_hand"), ("challenge", "no_modifier"), ("peanut", "no_modifier"), ("joker", "no_such_card")],
)
def test_only_a_modifier_from_the_own_hand_is_a_modifier(card: str, reason: str) -> None:
    state = rolling([MINUS_4], ["challenge", "peanut"])
    ruling = refusal(state, 1, Modify(card, -4, 0))
    assert (ruling.reason, ruling.clauses[0]) == (reason, "HTS-MOD-1")


@pytest.mark.clause("HTS-MOD-4")
def test_the_target_is_declared_before_anybody_may_play_a_modifier() -> None:
    state = table([PLUS_4], [PLUS_4], parties={0: ["bad_axe"], 1: ["fluffy", "peanut"]}, leaders=QUIET)
    _, state = dice(then(state, 0, RollFor("bad_axe")), 3, 3)
    assert asked(state) == {0}
    assert refusal(state, 1, Modify(PLUS_4, 4, 0)).reason == "target_comes_first"
    events, state = when(state, 0, ChooseCard("fluffy"))
    assert names(events) == ["TargetsDeclared"]
    assert asked(state) == {0, 1}
    assert Modify(PLUS_4, 4, 0) in offered(state, 1)


@pytest.mark.clause("HTS-MOD-5")
def test_in_a_challenge_one_window_opens_over_both_rolls_and_each_modifier_names_its_roll() -> None:
    state = table([PLUS_4, "peanut"], ["challenge", TWO], [TWO], leaders=QUIET)
    state = then(then(state, 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, 3, 3)
    assert asked(state) == set()  # the other side has to roll first
    _, state = dice(state, 2, 2)
    assert asked(state) == {0, 1, 2}
    assert refusal(state, 2, Modify(TWO, 2, 2)).clauses == ("HTS-MOD-5", "HTS-MOD-2")
    state = then(state, 2, Modify(TWO, -2, 1))
    events, state = when(then(state, 0, Modify(PLUS_4, 4, 0)), 1, Pass())
    assert totals(events) == [4, 8]


@pytest.mark.clause("HTS-MOD-6", "HTS-MOD-9")
def test_any_number_of_modifiers_by_any_number_of_players_add_up_as_they_come_in() -> None:
    state = rolling([TWO, PLUS_4], [TWO, MINUS_4], [PLUS_4], pips=(1, 2))
    state = then(state, 1, Modify(TWO, -2, 0), Modify(MINUS_4, -4, 0))
    state = then(state, 0, Modify(TWO, 2, 0), Modify(PLUS_4, 4, 0))
    events, state = when(state, 2, Modify(PLUS_4, 4, 0))
    assert totals(events) == [3 - 2 - 4 + 2 + 4 + 4]
    assert state.cards_at(DISCARD) == (TWO, MINUS_4, TWO, PLUS_4, PLUS_4)


@pytest.mark.clause("HTS-MOD-7")
def test_the_window_closes_once_all_have_passed_since_the_last_modifier() -> None:
    state = rolling([PLUS_4, "peanut"], [PLUS_4, "fluffy"], ["spooky"])
    state = then(then(state, 1, Pass()), 2, Pass())
    assert asked(state) == {0}
    events, state = when(state, 0, Modify(PLUS_4, 4, 0))
    assert totals(events) == []
    assert asked(state) == {0, 1, 2}  # the passes made before do not count any more
    assert Modify(PLUS_4, 4, 0) in offered(state, 1)
    events, state = when(then(then(state, 1, Pass()), 0, Pass()), 2, Pass())
    assert totals(events) == [7]


@pytest.mark.clause("HTS-MOD-8")
def test_the_roller_and_those_without_a_modifier_are_asked_but_nobody_with_an_empty_hand() -> None:
    assert asked(rolling(["peanut"], ["challenge"], [])) == {0, 1}
    assert asked(rolling([], [], ["fluffy"])) == {2}
    state = rolling([], [], [])
    assert asked(state) == {0}
    assert DrawOne() in offered(state, 0)  # nobody is asked; the turn goes on


@pytest.mark.clause("HTS-MOD-9")
def test_once_the_total_is_settled_no_modifier_changes_it() -> None:
    state = rolling([], [PLUS_4])
    events, state = when(state, 1, Pass())
    assert totals(events) == [3]
    assert refusal(state, 1, Modify(PLUS_4, 4, 0)).reason == "total_is_settled"
    assert state.cards_in_hand(1) == (PLUS_4,)


@pytest.mark.clause("HTS-MOD-10")
def test_a_modifier_lies_in_the_discard_pile_at_once_while_its_value_still_counts() -> None:
    state = then(rolling(["peanut"], [PLUS_4]), 1, Modify(PLUS_4, 4, 0))
    assert asked(state) == {0}  # the window is still open
    assert (state.cards_at(DISCARD), state.cards_in_hand(1)) == ((PLUS_4,), ())
    assert totals(when(state, 0, Pass())[0]) == [7]


@pytest.mark.clause("HTS-MOD-11", "HTS-CHAL-2")
def test_a_modifier_can_be_neither_challenged_nor_taken_back() -> None:
    state = then(rolling(["challenge"], [TWO, "peanut"]), 1, Modify(TWO, 2, 0))
    assert refusal(state, 0, Challenge()).reason == "modifiers_are_not_challenged"
    assert refusal(state, 1, Modify(TWO, -2, 0)).reason == "not_in_the_hand"
    assert totals(when(then(state, 1, Pass()), 0, Pass())[0]) == [5]


@pytest.mark.clause("HTS-MOD-12")
def test_what_a_modifier_sets_off_comes_before_anybody_plays_or_passes_again() -> None:
    # given: the Horn of seat 1 and the Serpent of seat 0 both wait for modifiers
    leaders = {**QUIET, 1: "the_protecting_horn"}
    state = rolling([PLUS_4], [PLUS_4], ["peanut"], leaders=leaders, slain={0: ["crowned_serpent"]}, deck=["fluffy"])
    # when
    events, state = when(state, 1, Modify(PLUS_4, 4, 0))
    # then: owner by owner, and nobody else meanwhile
    assert asked(state) == {0}
    assert refusal(state, 0, Modify(PLUS_4, 4, 0)).reason == "ability_comes_first"
    assert refusal(state, 2, Pass()).reason == "ability_comes_first"
    events, state = when(state, 0, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [0]
    assert asked(state) == {1}
    events, state = when(state, 1, ChooseValue(-1))
    assert of(events, ValueAdded) == [ValueAdded(1, "the_protecting_horn", -1, 0)]
    assert asked(state) == {0, 2}


@pytest.mark.clause("HTS-MOD-13")
def test_the_box_has_twenty_five_modifiers_of_five_kinds() -> None:
    kinds = {face.options: MAIN[face.id] for face in FACES.values() if face.kind == "modifier"}
    assert kinds == {(4,): 4, (3, -1): 4, (2, -2): 9, (1, -3): 4, (-4,): 4}
    assert sum(kinds.values()) == 25


@pytest.mark.clause("HTS-MOD-13", "HTS-MOD-3")
@pytest.mark.parametrize(("card", "value"), [(f.id, v) for f in FACES.values() for v in f.options])
def test_each_value_on_a_modifier_changes_the_total_by_just_that(card: str, value: int) -> None:
    events, _ = when(rolling([], [card]), 1, Modify(card, value, 0))
    assert totals(events) == [3 + value]


@pytest.mark.clause("HTS-MOD-1")
def test_a_modifier_is_no_action_and_a_pass_is_no_end_of_the_turn() -> None:
    state = rolling([PLUS_4], [])
    assert refusal(state, 0, DrawOne()).reason == "card_under_way"
    assert refusal(state, 0, EndTurn()).reason == "card_under_way"
    assert refusal(state, 0, Accept()).clauses[0] == "HTS-MAY-2"


@pytest.mark.clause("HTS-MOD-4")
def test_a_roll_without_a_target_goes_straight_to_the_window() -> None:
    state = table(["spooky"], [], parties={0: ["peanut"]}, leaders=QUIET)
    events, state = dice(then(state, 0, RollFor("peanut")), 3, 3)
    assert of(events, TargetsDeclared) == []
    assert offered(state, 0) == [Pass()]


@pytest.mark.clause("HTS-MOD-12")
def test_a_declined_horn_leaves_the_roll_alone() -> None:
    state = rolling([], [TWO], leaders={**QUIET, 1: "the_protecting_horn"})
    events, _ = when(state, 1, Modify(TWO, 2, 0), Decline())
    assert totals(events) == [5]


@pytest.mark.clause("HTS-MOD-8")
def test_nobody_is_asked_twice_without_a_modifier_in_between() -> None:
    state = then(rolling(["peanut"], [PLUS_4]), 1, Pass())
    assert refusal(state, 1, Modify(PLUS_4, 4, 0)).reason == "passed_on_this_roll"
    assert totals(when(state, 0, Pass())[0]) == [3]
