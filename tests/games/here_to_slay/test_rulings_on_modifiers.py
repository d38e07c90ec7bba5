"""The rulings on modifiers and on what they set off: HTS-AMB-13, HTS-AMB-14, HTS-AMB-18 to HTS-AMB-22."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseValue, Decline
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.events.plays import (
    RollSettled,
    ValueAdded,
)
from referee.games.here_to_slay.moves import Attack, Challenge, EndTurn, Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, refusal, then, times_out, when
from tests.games.here_to_slay.given import dice, offered, passes, rolls, table
from tests.games.here_to_slay.in_a_roll import MINUS_4, PLUS_4, QUIET, TWO, cut_in, rolled, settled_as


@pytest.mark.clause("HTS-AMB-13")
def test_the_window_waits_for_every_pass_or_for_the_clock_and_each_modifier_starts_it_anew() -> None:
    state = rolled("napping_nibbles", ["peanut", PLUS_4], ["fluffy"], rules={"window_ms": 9000})
    state = then(then(state, 1, Pass()), 0, Modify(PLUS_4, 4, 0))
    assert asked(state) == {0, 1}
    assert state.agenda[-1].time_limit(state) == 9000
    events, state = times_out(state)
    assert settled_as(events) == [(10, "success")]
    state = rolled("napping_nibbles", ["peanut"], ["fluffy"])
    assert state.agenda[-1].time_limit(state) is None
    assert settled_as(when(state, 0, Pass())[0]) == []  # nobody could play anything, but one has not passed yet


@pytest.mark.clause("HTS-AMB-14")
def test_in_a_challenge_nobody_plays_a_modifier_before_both_sides_have_rolled() -> None:
    state = table(["peanut", PLUS_4], ["challenge", PLUS_4], leaders=QUIET)
    state = then(then(state, 0, PlayCard("peanut")), 1, Challenge())
    for pips, clause in (((), "HTS-MOD-2"), ((3, 3), "HTS-MOD-5")):
        _, state = dice(state, *pips)
        for seat in (0, 1):
            assert refusal(state, seat, Modify(PLUS_4, 4, seat)).clauses[0] == clause
    _, state = dice(state, 3, 3)
    for roller in (0, 1):
        assert Modify(PLUS_4, 4, roller) in offered(state, 0)


@pytest.mark.clause("HTS-AMB-18", "HTS-LEAD-4")
@pytest.mark.parametrize("sign", [1, -1])
def test_the_horn_adds_one_or_takes_one_for_each_own_modifier_and_sets_nothing_off(sign: int) -> None:
    state = rolled("napping_nibbles", [], [TWO, TWO], leaders={**QUIET, 1: "the_protecting_horn"},
                   slain={0: ["abyss_queen"]})  # fmt: skip
    for _ in range(2):
        state = then(state, 1, Modify(TWO, -2, 0))
        assert refusal(state, 1, ChooseValue(2)).clauses == ("HTS-DO-45", "HTS-AMB-18")
        events, state = when(state, 1, ChooseValue(sign))
        assert of(events, ValueAdded) == [ValueAdded(1, "the_protecting_horn", sign, 0)]
    assert settled_as(events) == [(6 - 2 - 2 + 2 * sign + 2, "success")]  # the Queen counts the cards, not the Horn


@pytest.mark.clause("HTS-AMB-18")
def test_the_horn_does_nothing_for_the_modifiers_of_others() -> None:
    state = rolled("napping_nibbles", [TWO], ["fluffy"], leaders={**QUIET, 1: "the_protecting_horn"})
    state = then(state, 0, Modify(TWO, 2, 0))
    assert asked(state) == {1}
    assert refusal(state, 1, ChooseValue(1)).reason == "modifier_or_pass"


@pytest.mark.clause("HTS-AMB-19")
def test_the_queen_adds_one_for_each_modifier_of_another_on_a_roll_of_her_owner() -> None:
    state = rolled("napping_nibbles", [TWO], [TWO, PLUS_4], [MINUS_4], slain={0: ["abyss_queen"]})
    state = then(then(state, 0, Modify(TWO, 2, 0)), 1, Modify(TWO, -2, 0), Modify(PLUS_4, 4, 0))
    events, _ = when(state, 2, Modify(MINUS_4, -4, 0))
    assert settled_as(events) == [(6 + 2 - 2 + 4 - 4 + 3, "success")]


@pytest.mark.clause("HTS-AMB-19")
def test_in_a_challenge_the_queen_counts_only_what_is_put_on_the_roll_of_her_owner() -> None:
    state = table(["peanut"], ["challenge", TWO, TWO], slain={0: ["abyss_queen"]}, leaders=QUIET)
    state = then(then(state, 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, 3, 3, 3, 3)
    events, _ = when(state, 1, Modify(TWO, 2, 1), Modify(TWO, -2, 0))
    assert [event.total for event in of(events, RollSettled)] == [8, 6 - 2 + 1]


@pytest.mark.clause("HTS-AMB-20")
@pytest.mark.parametrize("player", [0, 1, 2])
def test_the_serpent_offers_a_draw_for_every_modifier_of_anybody_and_the_card_counts_in_the_same_window(
    player: int,
) -> None:
    hands = [[TWO] if seat == player else [] for seat in range(3)]
    state = rolled("napping_nibbles", *hands, slain={2: ["crowned_serpent"]}, deck=[PLUS_4])
    state = then(state, player, Modify(TWO, 2, 0))
    assert asked(state) == {2}
    events, state = when(state, 2, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [2]
    assert settled_as(when(state, 2, Modify(PLUS_4, 4, 0))[0]) == []  # offered once more
    events, _ = when(state, 2, Modify(PLUS_4, 4, 0), Decline())
    assert settled_as(events) == [(12, "success")]


@pytest.mark.clause("HTS-AMB-21")
def test_a_bonus_until_the_end_of_the_turn_counts_on_every_kind_of_roll_and_adds_up() -> None:
    lasting = (LastingEffect("enchanted_spell", 0, "roll_bonus", "own_turn_end", 2),) * 2
    state = table(["peanut"], ["challenge"], parties={0: ["napping_nibbles"]}, row=["dracos"], lasting=lasting,
                  points=4, leaders=QUIET)  # fmt: skip
    one, state = rolls(then(state, 0, RollFor("napping_nibbles")), 1, 1)
    two, state = rolls(then(state, 0, Attack("dracos")), 1, 1)
    three, state = dice(then(then(state, 0, PlayCard("peanut")), 1, Challenge()), 1, 1, 1, 1)
    assert [event.total for event in of(one + two + three, RollSettled)] == [6, 6, 2, 6]


@pytest.mark.clause("HTS-AMB-21")
def test_enchanted_spell_played_outside_the_own_turn_lasts_to_the_end_of_the_own_next_turn() -> None:
    shield = (LastingEffect("wise_shield", 0, "roll_bonus", "own_turn_end", 3),)
    state = cut_in("enchanted_spell", "napping_nibbles", {0: ["napping_nibbles"]}, (6, 6), lasting=shield)
    assert [(each.seat, each.value) for each in state.lasting] == [(0, 3), (1, 2)]
    _, state = passes(state)
    state = then(state, 0, EndTurn())
    assert [each.seat for each in state.lasting] == [1]  # what seat 0 had until now is over
    state = then(state, 1, EndTurn())
    assert state.lasting == ()


@pytest.mark.clause("HTS-AMB-22")
@pytest.mark.parametrize(("item", "plus"), [("really_big_ring", 2), ("curse_of_the_snakes_eyes", -2)])
def test_standing_values_are_read_when_the_roll_is_settled(item: str, plus: int) -> None:
    state = cut_in(item, "napping_nibbles", {0: ["napping_nibbles"]}, (3, 3))
    events, _ = passes(state)
    assert settled_as(events) == [(6 - 4 + plus, "success" if 2 + plus >= 2 else "failure")]
