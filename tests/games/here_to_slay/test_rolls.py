"""Rolls: the dice, who may roll for what, the order of a roll, and standing values."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.engine.events import Event
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed
from referee.games.here_to_slay.events.plays import DiceRolled, HeroMarked, RollSettled, TargetsDeclared
from referee.games.here_to_slay.events.turns import PointsSpent
from referee.games.here_to_slay.moves import Attack, Challenge, EndTurn, Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, table

QUIET = {0: "the_shadow_claw", 1: "the_cloaked_sage"}  # leaders that bear on no roll
LASTS = LastingEffect("wise_shield", 0, "roll_bonus", "own_turn_end", 3)


def settled_as(events: tuple[Event, ...]) -> list[tuple[int, str]]:
    """Total and outcome of each settled roll."""
    return [(event.total, event.outcome) for event in of(events, RollSettled)]


def roll_of(kind: str, state: Table) -> tuple[int, Table]:
    """The total of a roll of this kind with the dice 3 + 3, nobody playing on it, and the table then."""
    if kind == "hero":
        events, state = rolls(then(state, 0, RollFor("napping_nibbles")), 3, 3)
    elif kind == "attack":
        events, state = rolls(then(state, 0, Attack("terratuga")), 3, 3)
    else:
        events, state = dice(then(then(state, 0, PlayCard("peanut")), 1, Challenge()), 3, 3, 3, 3)
    return next(event.total for event in of(events, RollSettled) if event.kind == kind), state


@pytest.mark.clause("HTS-ROLL-1", "HTS-AMB-17")
def test_a_total_is_the_dice_and_standing_values_and_what_was_played_on_it() -> None:
    state = table(
        [], ["modifier_minus_4"],
        parties={0: [("peanut", "really_big_ring")]}, leaders={0: "the_charismatic_song", 1: "the_cloaked_sage"},
    )  # fmt: skip
    _, state = dice(then(state, 0, RollFor("peanut")), 2, 3)
    events, state = when(state, 1, Modify("modifier_minus_4", -4, 0))
    assert settled_as(events) == [(2 + 3 + 2 + 1 - 4, "failure")]


@pytest.mark.clause("HTS-ROLL-1", "HTS-AMB-17")
@pytest.mark.parametrize(
    ("card", "pips", "total", "outcome"),
    [("modifier_minus_4", (1, 1), -2, "failure"), ("modifier_plus_4", (6, 6), 16, "success")],
)
def test_a_total_has_no_lower_and_no_upper_limit(card: str, pips: tuple[int, int], total: int, outcome: str) -> None:
    state = table([card], [], parties={0: ["napping_nibbles"]}, leaders=QUIET)
    _, state = dice(then(state, 0, RollFor("napping_nibbles")), *pips)
    value = 4 if card == "modifier_plus_4" else -4
    events, _ = when(state, 0, Modify(card, value, 0))
    assert settled_as(events) == [(total, outcome)]


@pytest.mark.clause("HTS-ROLL-2")
def test_there_are_four_kinds_of_roll_and_each_names_its_own() -> None:
    state = table(["fluffy"], ["challenge"], parties={0: ["peanut"]}, row=["dracos"], points=4, leaders=QUIET)
    events, state = dice(then(state, 0, RollFor("peanut")), 1, 1)
    _, state = passes(state)
    more, state = dice(then(state, 0, Attack("dracos")), 3, 3)
    _, state = passes(state)
    last, _ = dice(then(then(state, 0, PlayCard("fluffy")), 1, Challenge()), 1, 1, 2, 2)
    thrown = of(events + more + last, DiceRolled)
    assert [(event.kind, event.seat) for event in thrown] == [
        ("hero", 0), ("attack", 0), ("challenger", 1), ("challenged", 0),
    ]  # fmt: skip


@pytest.mark.clause("HTS-ROLL-3")
@pytest.mark.parametrize(
    ("hero", "reason", "clause"),
    [
        ("fluffy", "hero_of_another", "HTS-ROLL-3"),
        ("hopper", "not_in_the_party", "HTS-ROLL-3"),
        ("the_shadow_claw", "not_in_the_party", "HTS-ROLL-3"),
        ("spooky", "is_sealed", "HTS-DO-27"),
        ("peanut", "rolled_already", "HTS-ROLL-4"),
    ],
)
def test_no_roll_for_a_hero_elsewhere_or_sealed_or_marked(hero: str, reason: str, clause: str) -> None:
    state = table(
        ["hopper"], [], rolled=("peanut",), leaders=QUIET,
        parties={0: ["peanut", "bun_bun", ("spooky", "sealing_key")], 1: ["fluffy"]},
    )  # fmt: skip
    ruling = refusal(state, 0, RollFor(hero))
    assert ruling.reason == reason
    assert ruling.clauses[0] == clause
    assert [move for move in offered(state, 0) if isinstance(move, RollFor)] == [RollFor("bun_bun")]


@pytest.mark.clause("HTS-ROLL-3")
def test_no_roll_in_the_turn_of_another_player() -> None:
    state = table([], [], parties={1: ["fluffy"]}, leaders=QUIET)
    assert refusal(state, 1, RollFor("fluffy")).reason == "turn_of_another"


@pytest.mark.clause("HTS-ROLL-3")
def test_a_roll_costs_one_point_but_the_one_at_the_play_of_the_hero_costs_nothing_more() -> None:
    state = table(["peanut"], [], parties={0: ["bun_bun"]}, leaders=QUIET)
    events, state = when(state, 0, RollFor("bun_bun"))
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]
    _, state = rolls(state, 1, 1)
    events, state = when(state, 0, PlayCard("peanut"), Accept())
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 1)]


@pytest.mark.clause("HTS-ROLL-4")
def test_a_hero_is_marked_when_the_dice_fall_and_rolled_for_only_once_in_a_turn_even_after_a_failure() -> None:
    state = table([], [], parties={0: ["peanut"]}, leaders=QUIET)
    state = then(state, 0, RollFor("peanut"))
    assert state.rolled == ()
    events, state = dice(state, 1, 1)
    assert of(events, HeroMarked) == [HeroMarked("peanut")]
    assert settled_as(events) == [(2, "failure")]
    assert refusal(state, 0, RollFor("peanut")).clauses[0] == "HTS-ROLL-4"


@pytest.mark.clause("HTS-ROLL-4")
def test_in_the_next_turn_the_hero_may_be_rolled_for_again() -> None:
    state = table([], [], parties={0: ["peanut"]}, rolled=("peanut",), leaders=QUIET)
    state = then(then(state, 0, EndTurn()), 1, EndTurn())
    assert RollFor("peanut") in offered(state, 0)


@pytest.mark.clause("HTS-ROLL-5", "HTS-ROLL-6")
def test_a_roll_goes_point_dice_target_modifiers_total_effect_and_at_last_what_the_success_sets_off() -> None:
    # given: a monster of seat 1 notices the destroying, one of seat 0 the success
    state = table(
        ["modifier_plus_4"], [], leaders=QUIET, parties={0: ["bad_axe"], 1: ["fluffy", "peanut"]},
        slain={0: ["arctic_aries"], 1: ["dracos"]},
    )  # fmt: skip
    paid, state = when(state, 0, RollFor("bad_axe"))
    assert names(paid) == ["PointsSpent"]
    events, state = dice(state, 2, 2)
    assert names(events) == ["DiceRolled", "HeroMarked"]
    # when the target is declared, the modifiers follow, then the effect
    events, state = when(state, 0, ChooseCard("fluffy"))
    assert of(events, TargetsDeclared) == [TargetsDeclared(0, {"target": ("fluffy",)})]
    events, state = when(state, 0, Modify("modifier_plus_4", 4, 0))
    assert names(events) == ["ModifierPlayed", "RollSettled", "HeroDestroyed"]
    # then: first the trigger of the effect, then that of the success
    assert asked(state) == {1}
    events, state = when(state, 1, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [1]
    assert asked(state) == {0}
    events, state = when(state, 0, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [0]


@pytest.mark.clause("HTS-ROLL-6", "HTS-ROLL-7")
@pytest.mark.parametrize(
    ("pips", "outcome", "drawn"), [((4, 3), "success", 2), ((5, 3), "success", 2), ((3, 3), "failure", 0)]
)
def test_reaching_the_requirement_gives_the_effect_and_less_gives_nothing(
    pips: tuple[int, int], outcome: str, drawn: int
) -> None:
    state = table([], [], parties={0: ["peanut"]}, leaders=QUIET)  # 7 or more: draw two
    events, state = rolls(then(state, 0, RollFor("peanut")), *pips)
    assert settled_as(events) == [(sum(pips), outcome)]
    assert len(of(events, CardDrawn)) == len(state.cards_in_hand(0)) == drawn
    assert state.points == 2


@pytest.mark.clause("HTS-ROLL-6")
def test_after_a_success_the_effect_is_carried_out_even_if_it_is_unwelcome() -> None:
    state = table([], [], parties={0: ["wildshot"]}, deck=["fluffy", "hopper", "spooky"], leaders=QUIET)
    _, state = rolls(then(state, 0, RollFor("wildshot")), 4, 4)
    assert refusal(state, 0, Decline()).reason == "name_cards_to_discard"
    assert refusal(state, 0, EndTurn()).reason == "card_under_way"


@pytest.mark.clause("HTS-ROLL-8", "HTS-AMB-27")
def test_a_roll_is_void_if_its_hero_is_gone_before_the_total_is_settled() -> None:
    # given: seat 1 draws by a modifier, and plays magic that it draws
    state = table(
        [], ["modifier_plus_4", "challenge"], leaders={**QUIET, 1: "the_divine_arrow"}, deck=["destructive_spell"],
        parties={0: [("peanut", "particularly_rusty_coin")]}, slain={1: ["crowned_serpent", "orthus"]},
    )  # fmt: skip
    _, state = dice(then(state, 0, RollFor("peanut")), 5, 5)
    events, state = when(state, 1, Modify("modifier_plus_4", 4, 0), Accept(), ChooseCard("destructive_spell"))
    # then: neither success nor failure; the point is spent
    assert [event.seat for event in of(events, HeroDestroyed)] == [0]
    assert settled_as(events) == [(14, "void")]
    assert [event.seat for event in of(events, CardDrawn)] == [1]
    assert state.points == 2
    assert asked(state) == {0}


STANDING = [
    ("really_big_ring", 2, 0, 0, 0),
    ("curse_of_the_snakes_eyes", -2, 0, 0, 0),
    ("the_charismatic_song", 1, 0, 0, 0),
    ("dark_dragon_king", 1, 0, 0, 0),
    ("the_divine_arrow", 0, 1, 0, 0),
    ("the_fist_of_reason", 0, 0, 2, 0),
    ("titan_wyvern", 0, 0, 1, 1),
    ("anuran_cauldron", 1, 1, 1, 1),
    ("wise_shield", 3, 3, 3, 3),
]


@pytest.mark.clause("HTS-ROLL-9")
@pytest.mark.parametrize(
    ("source", "kind", "plus"),
    [
        (source, kind, plus)
        for source, *values in STANDING
        for kind, plus in zip(("hero", "attack", "challenger", "challenged"), values, strict=True)
    ],
)
def test_each_standing_value_counts_on_its_kinds_of_roll_and_on_no_other(source: str, kind: str, plus: int) -> None:
    roller = 1 if kind == "challenger" else 0
    item = source if source in ("really_big_ring", "curse_of_the_snakes_eyes") else ""
    leader = {roller: source} if source.startswith("the_") else {}
    monster = {roller: [source]} if source in ("dark_dragon_king", "titan_wyvern", "anuran_cauldron") else {}
    lasting = (LastingEffect(source, roller, "roll_bonus", "own_turn_end", 3),) if source == "wise_shield" else ()
    state = table(
        ["peanut"], ["challenge"], parties={0: [("napping_nibbles", item)]}, leaders={**QUIET, **leader},
        slain=monster, row=["terratuga"], lasting=lasting,
    )  # fmt: skip
    assert roll_of(kind, state)[0] == 3 + 3 + plus


@pytest.mark.clause("HTS-ROLL-9")
def test_an_item_counts_only_for_the_hero_that_carries_it_and_an_ability_only_for_its_owner() -> None:
    state = table(
        [],
        [],
        parties={0: [("bun_bun", "really_big_ring"), "napping_nibbles"]},
        slain={1: ["anuran_cauldron"]},
        leaders={0: "the_shadow_claw", 1: "the_charismatic_song"},
        lasting=(LastingEffect("x", 1, "roll_bonus", "", 3),),
    )
    assert roll_of("hero", state)[0] == 6


@pytest.mark.clause("HTS-ROLL-9", "HTS-ROLL-10")
def test_vibrant_glow_wise_shield_and_enchanted_spell_add_five_three_and_two_until_the_turn_ends() -> None:
    state = table(
        ["enchanted_spell"], [], points=5, leaders=QUIET,
        parties={0: ["vibrant_glow", "wise_shield", "napping_nibbles"]},
    )  # fmt: skip
    _, state = rolls(then(state, 0, RollFor("vibrant_glow")), 5, 4)
    _, state = rolls(then(state, 0, RollFor("wise_shield")), 1, 1)  # 2 + 5 is enough for a 6
    total, state = roll_of("hero", then(state, 0, PlayCard("enchanted_spell")))
    assert total == 6 + 5 + 3 + 2
    state = then(then(state, 0, EndTurn()), 1, EndTurn())
    assert roll_of("hero", state)[0] == 6


@pytest.mark.clause("HTS-ROLL-10")
def test_all_standing_values_add_up_also_several_of_one_kind() -> None:
    state = table(
        ["enchanted_spell", "enchanted_spell"], [], leaders={0: "the_charismatic_song", 1: "the_cloaked_sage"},
        parties={0: [("napping_nibbles", "really_big_ring")]}, slain={0: ["dark_dragon_king", "anuran_cauldron"]},
    )  # fmt: skip
    state = then(state, 0, PlayCard("enchanted_spell"), PlayCard("enchanted_spell"))
    assert roll_of("hero", state)[0] == 6 + 2 + 1 + 1 + 1 + 2 + 2


@pytest.mark.clause("HTS-ROLL-7")
def test_the_discard_pile_and_the_party_are_untouched_by_a_roll_that_fails() -> None:
    state = table(["hopper"], ["spooky"], parties={0: ["bad_axe"], 1: ["fluffy"]}, leaders=QUIET)
    _, state = dice(then(state, 0, RollFor("bad_axe")), 4, 3)
    events, state = when(when(state, 0, Pass())[1], 1, Pass())
    assert settled_as(events) == [(7, "failure")]
    assert (state.cards_at(DISCARD), state.party_of(1), state.points) == ((), ("fluffy",), 2)
