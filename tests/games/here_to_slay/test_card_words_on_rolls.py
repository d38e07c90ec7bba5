"""What the steps of card texts do, one by one: rolls, plays, points and conditions."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChoosePlayer, ChooseValue, Decline
from referee.games.here_to_slay.events.heroes import HeroStolen
from referee.games.here_to_slay.events.plays import PlayAnnounced, ValueAdded
from referee.games.here_to_slay.events.turns import PointsSpent
from referee.games.here_to_slay.moves import EndTurn, Modify, PlayCard, RollFor, UseLeader
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, rolls, settlements, stands, succeeds, table

QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}  # leaders without a say in hero rolls


def rolled(state: Table, hero: str, first: int, second: int) -> list[tuple[int, str]]:
    """How a roll of seat 0 for a hero ends if nobody plays a modifier."""
    return settlements(rolls(then(state, 0, RollFor(hero)), first, second)[0])


@pytest.mark.clause("HTS-DO-28")
def test_a_modifier_or_an_ability_changes_a_roll_by_its_value() -> None:
    state = table(
        [], ["modifier_plus_1_minus_3"], parties={0: ["peanut"]}, leaders={**QUIET, 1: "the_protecting_horn"},
        slain={0: ["abyss_queen"]},
    )  # fmt: skip
    _, state = dice(then(state, 0, RollFor("peanut")), 4, 4)
    _, state = when(state, 1, Modify("modifier_plus_1_minus_3", -3, 0))
    events, state = when(state, 1, ChooseValue(-1))
    assert [(event.source, event.value) for event in of(events, ValueAdded)] == [("the_protecting_horn", -1)]
    assert settlements(events) == [(5, "failure")]  # 8 - 3 - 1, and the queen's 1


@pytest.mark.clause("HTS-DO-29")
@pytest.mark.parametrize(
    ("leader", "monster", "item", "total"),
    [
        ("the_charismatic_song", "", "", 7), ("the_divine_arrow", "", "", 6),
        ("the_divine_arrow", "dark_dragon_king", "", 7), ("the_divine_arrow", "anuran_cauldron", "", 7),
        ("the_divine_arrow", "titan_wyvern", "", 6), ("the_divine_arrow", "", "really_big_ring", 8),
        ("the_divine_arrow", "", "curse_of_the_snakes_eyes", 4),
        ("the_charismatic_song", "anuran_cauldron", "really_big_ring", 10),
    ],
)  # fmt: skip
def test_standing_values_count_on_the_rolls_they_name(leader: str, monster: str, item: str, total: int) -> None:
    slain = {0: [monster] if monster else []}
    state = table([], [], parties={0: [("peanut", item)]}, leaders={**QUIET, 0: leader}, slain=slain)
    assert [found for found, _ in rolled(state, "peanut", 3, 3)] == [total]


@pytest.mark.clause("HTS-DO-30", "HTS-UNTIL-1")
def test_every_copy_of_a_bonus_until_the_end_of_the_turn_adds() -> None:
    spells = ["enchanted_spell", "enchanted_spell"]
    state = table(spells, [], parties={0: ["peanut", "wise_shield"]}, leaders=QUIET, points=9)
    for _ in spells:
        _, state = stands(state, 0, PlayCard("enchanted_spell"))
    _, state = rolls(then(state, 0, RollFor("wise_shield")), 6, 6)
    assert rolled(state, "peanut", 1, 1) == [(9, "success")]  # 2 + 2 + 2 + 3


@pytest.mark.clause("HTS-DO-31", "HTS-NOW-1")
@pytest.mark.parametrize(
    ("hero", "card", "other"), [("hook", "bard_mask", "peanut"), ("fuzzy_cheeks", "peanut", "bard_mask")]
)
def test_hook_and_fuzzy_cheeks_must_play_if_they_can(hero: str, card: str, other: str) -> None:
    state = table([card, "challenge"], [], parties={0: [hero]}, points=1, deck=["modifier_plus_4"])
    _, state = succeeds(state, hero)
    assert "CARDS-CHOICE-2" in refusal(state, 0, Decline()).clauses
    assert refusal(state, 0, ChooseCard("challenge")).reason == "another_kind"
    events, _ = when(state, 0, ChooseCard(card))
    assert [event.immediate for event in of(events, PlayAnnounced)] == [True]
    assert not of(events, PointsSpent)
    _, state = succeeds(table([other, "challenge"], [], parties={0: [hero]}, deck=["modifier_plus_4"]), hero)
    assert offered(state, 0) == [Decline()]


@pytest.mark.clause("HTS-DO-32", "HTS-AMB-25")
def test_wiggles_rolls_at_once_for_the_stolen_hero_unless_it_is_marked() -> None:
    parties = {0: ["wiggles"], 1: ["peanut"]}
    state = table([], [], parties=parties, points=1, leaders=QUIET, deck=["hook", "bard_mask"])
    events, state = succeeds(state, "wiggles")
    assert [event.put for event in of(events, HeroStolen)] == [("peanut",)]
    assert asked(state) == set()  # nobody may decline: the dice are awaited
    events, state = rolls(state, 6, 6)
    assert (settlements(events), state.cards_in_hand(0)) == ([(12, "success")], ("hook", "bard_mask"))
    events, state = succeeds(table([], [], parties=parties, rolled=("peanut",), leaders=QUIET), "wiggles")
    assert (settlements(events), state.agenda[-1].question_name()) == ([(12, "success")], "hts.Turn")


@pytest.mark.clause("HTS-DO-33", "HTS-AMB-33")
def test_some_plays_cannot_be_challenged() -> None:
    state = table(["peanut", "hook"], ["challenge"], parties={0: ["iron_resolve"]}, points=3)
    _, state = succeeds(state, "iron_resolve")
    _, state = when(state, 0, PlayCard("peanut"))
    assert asked(state) == {0}  # nobody is asked to challenge; the free roll is offered
    for card, challengers in (("sealing_key", set()), ("bard_mask", set()), ("hook", {1}), ("critical_boost", {1})):
        state = table([card], ["challenge"], parties={1: ["fluffy"]}, slain={0: ["warworn_owlbear"]})
        state = then(state, 0, PlayCard(card))
        assert asked(state) & {1} == challengers


@pytest.mark.clause("HTS-DO-35")
def test_the_shadow_claw_pulls_a_card_for_a_point_without_roll_or_challenge() -> None:
    state = table([], ["challenge"], ["peanut"], leaders={0: "the_shadow_claw"})
    events, state = when(state, 0, UseLeader())
    assert [(event.count, event.left) for event in of(events, PointsSpent)] == [(1, 2)]
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    events, state = when(state, 0, ChoosePlayer(1))
    assert (names(events), state.cards_in_hand(0)) == (["CardPulled"], ("challenge",))
    assert "HTS-ACT-6" in refusal(state, 0, UseLeader()).clauses


@pytest.mark.clause("HTS-DO-36")
def test_mega_slime_gives_four_points_a_turn() -> None:
    state = table([], [], slain={1: ["mega_slime"]})
    state = then(state, 0, EndTurn())
    assert (state.active, state.points) == (1, 4)
    state = then(state, 1, EndTurn())
    assert (state.active, state.points) == (0, 3)


@pytest.mark.clause("HTS-DO-37", "HTS-AMB-43")
def test_napping_nibbles_succeeds_and_nothing_else_happens() -> None:
    events, state = succeeds(table(["challenge"], ["hook"], parties={0: ["napping_nibbles"]}), "napping_nibbles")
    assert names(events)[-1] == "RollSettled"
    assert (settlements(events)[0][1], state.agenda[-1].question_name()) == ("success", "hts.Turn")


@pytest.mark.clause("HTS-DO-40", "HTS-DO-43", "HTS-MAY-3", "HTS-ASK-3")
@pytest.mark.parametrize(
    ("hero", "fitting", "other"),
    [
        ("quick_draw", "sealing_key", "critical_boost"), ("snowball", "critical_boost", "bard_mask"),
        ("mellow_dee", "spooky", "critical_boost"), ("pan_chucks", "challenge", "modifier_plus_4"),
        ("sly_pickings", "sealing_key", "spooky"), ("buttons", "critical_boost", "bard_mask"),
        ("lucky_bucky", "spooky", "bard_mask"),
    ],
)  # fmt: skip
def test_what_may_be_done_depends_on_the_kind_of_the_card_just_drawn_or_pulled(
    hero: str, fitting: str, other: str
) -> None:
    draws = hero in ("quick_draw", "snowball", "mellow_dee", "pan_chucks")
    for card in (fitting, other):
        hand, deck = ([], [card, "modifier_minus_4"]) if draws else ([card], [])
        _, state = succeeds(table([], hand, parties={0: [hero], 1: ["fluffy"]}, deck=deck), hero)
        assert offered(state, 0) == [Decline(), *([ChooseCard(card)] if card == fitting else [])]
    assert refusal(state, 0, ChooseCard(other)).clauses == ("HTS-DO-40", "HTS-MAY-3")
