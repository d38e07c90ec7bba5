"""What the steps of card texts do, one by one: rolls, plays, points, conditions and triggers."""

from __future__ import annotations

import pytest

from referee.cards.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseValue, Decline
from referee.games.here_to_slay.events import CardDiscarded, CardDrawn, CardShown, PointsSpent
from referee.games.here_to_slay.hero_events import HeroStolen
from referee.games.here_to_slay.moves import Attack, Challenge, DrawOne, EndTurn, Modify, PlayCard, RollFor, UseLeader
from referee.games.here_to_slay.play_events import ModifierPlayed, PlayAnnounced, RollSettled, ValueAdded
from referee.games.here_to_slay.state import Table
from tests.games.here_to_slay.given import (
    asked,
    dice,
    names,
    of,
    offered,
    passes,
    refusal,
    rolls,
    settlements,
    stands,
    succeeds,
    table,
    then,
    when,
)

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
    facts, state = when(state, 1, ChooseValue(-1))
    assert [(fact.source, fact.value) for fact in of(facts, ValueAdded)] == [("the_protecting_horn", -1)]
    assert settlements(facts) == [(5, "failure")]  # 8 - 3 - 1, and the queen's 1


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
    facts, _ = when(state, 0, ChooseCard(card))
    assert [fact.immediate for fact in of(facts, PlayAnnounced)] == [True]
    assert not of(facts, PointsSpent)
    _, state = succeeds(table([other, "challenge"], [], parties={0: [hero]}, deck=["modifier_plus_4"]), hero)
    assert offered(state, 0) == [Decline()]


@pytest.mark.clause("HTS-DO-32", "HTS-AMB-25")
def test_wiggles_rolls_at_once_for_the_stolen_hero_unless_it_is_marked() -> None:
    parties = {0: ["wiggles"], 1: ["peanut"]}
    state = table([], [], parties=parties, points=1, leaders=QUIET, deck=["hook", "bard_mask"])
    facts, state = succeeds(state, "wiggles")
    assert [fact.put for fact in of(facts, HeroStolen)] == [("peanut",)]
    assert asked(state) == set()  # nobody may decline: the dice are awaited
    facts, state = rolls(state, 6, 6)
    assert (settlements(facts), state.hand(0)) == ([(12, "success")], ("hook", "bard_mask"))
    facts, state = succeeds(table([], [], parties=parties, rolled=("peanut",), leaders=QUIET), "wiggles")
    assert (settlements(facts), state.agenda[-1].question()) == ([(12, "success")], "hts.Turn")


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
    facts, state = when(state, 0, UseLeader())
    assert [(fact.count, fact.left) for fact in of(facts, PointsSpent)] == [(1, 2)]
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    facts, state = when(state, 0, ChoosePlayer(1))
    assert (names(facts), state.hand(0)) == (["CardPulled"], ("challenge",))
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
    facts, state = succeeds(table(["challenge"], ["hook"], parties={0: ["napping_nibbles"]}), "napping_nibbles")
    assert names(facts)[-1] == "RollSettled"
    assert (settlements(facts)[0][1], state.agenda[-1].question()) == ("success", "hts.Turn")


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


@pytest.mark.clause("HTS-DO-44")
@pytest.mark.parametrize(
    ("monster", "card"), [("malamammoth", "bard_mask"), ("malamammoth", "sealing_key"), ("orthus", "critical_boost")]
)
def test_a_card_drawn_of_the_kind_may_be_played_immediately(monster: str, card: str) -> None:
    state = table([], [], parties={0: ["peanut"]}, slain={0: [monster]}, deck=[card], points=1)
    _, state = when(state, 0, DrawOne())
    assert offered(state, 0) == [Decline(), ChooseCard(card)]
    facts, _ = when(state, 0, ChooseCard(card))
    assert [fact.immediate for fact in of(facts, PlayAnnounced)] == [True]
    assert not of(facts, PointsSpent)


@pytest.mark.clause("HTS-DO-44", "HTS-DO-15", "HTS-AMB-50", "HTS-MAY-4")
def test_rex_major_shows_a_modifier_and_draws_one_which_may_be_shown_in_turn() -> None:
    state = table([], [], slain={0: ["rex_major"]}, deck=["modifier_plus_4", "modifier_minus_4", "peanut"])
    _, state = when(state, 0, DrawOne())
    for card in ("modifier_plus_4", "modifier_minus_4"):
        assert offered(state, 0) == [Decline(), ChooseCard(card)]
        facts, state = when(state, 0, ChooseCard(card))
        assert [fact.card for fact in of(facts, CardShown)] == [card]
        assert len(of(facts, CardDrawn)) == 1
    assert offered(state, 0) == [Decline()]  # a hero, but the question is put all the same
    assert state.hand(0) == ("modifier_plus_4", "modifier_minus_4", "peanut")


def with_modifiers(owner: str = "", **slain: str) -> Table:
    """Seat 0 has rolled 4+4 for Peanut; seats 1 and 2 hold modifiers."""
    hands = (["modifier_plus_4"], ["modifier_plus_2_minus_2"] * 2, ["modifier_minus_4"])
    monsters = {int(seat.removeprefix("seat")): [monster] for seat, monster in slain.items()}
    state = table(*hands, parties={0: ["peanut"]}, leaders={**QUIET, **({1: owner} if owner else {})}, slain=monsters)
    return dice(then(state, 0, RollFor("peanut")), 4, 4)[1]


@pytest.mark.clause("HTS-DO-45", "HTS-AMB-18")
@pytest.mark.parametrize(("answer", "added"), [(ChooseValue(1), [1]), (ChooseValue(-1), [-1]), (Decline(), [])])
def test_the_protecting_horn_adds_one_of_free_sign_to_each_own_modifier(answer: ChooseValue, added: list[int]) -> None:
    state = with_modifiers(owner="the_protecting_horn")
    facts, state = when(state, 1, Modify("modifier_plus_2_minus_2", -2, 0))
    assert (asked(state), offered(state, 1)) == ({1}, [Decline(), ChooseValue(1), ChooseValue(-1)])
    assert refusal(state, 1, ChooseValue(2)).clauses == ("HTS-DO-45", "HTS-AMB-18")
    facts, state = when(state, 1, answer)
    assert [(fact.value, fact.roller) for fact in of(facts, ValueAdded)] == [(value, 0) for value in added]
    assert asked(state) == {0, 1, 2}  # it is no modifier card and sets nothing off
    _, state = when(state, 2, Modify("modifier_minus_4", -4, 0))
    assert asked(state) == {0, 1}  # somebody else's modifier is none of the horn's


@pytest.mark.clause("HTS-DO-45", "HTS-AMB-19")
def test_abyss_queen_adds_one_to_the_owners_roll_for_each_modifier_of_another() -> None:
    facts, state = when(with_modifiers(seat0="abyss_queen"), 1, Modify("modifier_plus_2_minus_2", -2, 0))
    assert [(fact.source, fact.value) for fact in of(facts, ValueAdded)] == [("abyss_queen", 1)]
    facts, state = when(state, 0, Modify("modifier_plus_4", 4, 0))
    assert not of(facts, ValueAdded)
    facts, _ = when(with_modifiers(seat1="abyss_queen"), 2, Modify("modifier_minus_4", -4, 0))
    assert not of(facts, ValueAdded)  # not a roll of its owner


@pytest.mark.clause("HTS-DO-45", "HTS-AMB-20")
@pytest.mark.parametrize("player", [0, 1, 2])
def test_crowned_serpent_may_draw_for_each_modifier_of_anybody_on_any_roll(player: int) -> None:
    state = with_modifiers(seat1="crowned_serpent")
    card = state.hand(player)[0]
    value = {"modifier_plus_4": 4, "modifier_minus_4": -4, "modifier_plus_2_minus_2": 2}[card]
    _, state = when(state, player, Modify(card, value, 0))
    assert offered(state, 1) == [Decline(), Accept()]
    facts, state = when(state, 1, Accept())
    assert [fact.seat for fact in of(facts, CardDrawn)] == [1]
    assert state.agenda[-1].window == "modifiers"


@pytest.mark.clause("HTS-DO-46", "HTS-DO-47")
def test_coins_and_arctic_aries_look_at_the_outcome_of_hero_rolls_only() -> None:
    def roll(item: str, *pips: int, monster: str = "") -> tuple[list[str], Table]:
        slain = {0: [monster] if monster else []}
        state = table(["challenge"], [], parties={0: [("napping_nibbles", item)]}, leaders=QUIET, slain=slain)
        facts, after = rolls(then(state, 0, RollFor("napping_nibbles")), *pips)
        return names(facts), after

    assert roll("suspiciously_shiny_coin", 6, 6)[0][-1] == "CardDiscarded"
    assert offered(roll("", 6, 6, monster="arctic_aries")[1], 0) == [Decline(), Accept()]
    parties = {0: [("peanut", "suspiciously_shiny_coin"), ("hook", "particularly_rusty_coin")]}
    state = table(["challenge"], [], parties=parties)
    facts, after = rolls(then(state, 0, RollFor("peanut")), 1, 1)
    assert not of(facts, CardDiscarded)
    facts, after = rolls(then(state, 0, RollFor("hook")), 1, 1)
    assert [fact.seat for fact in of(facts, CardDrawn)] == [0]  # by itself
    state = table(["challenge"], [], parties={0: [("peanut", "particularly_rusty_coin")]}, slain={0: ["arctic_aries"]},
                  row=["terratuga"])  # fmt: skip
    for pips in ((6, 6), (1, 1), (4, 4)):
        facts, after = rolls(then(state, 0, Attack("terratuga")), *pips)
        assert not of(facts, CardDrawn)
        assert after.agenda[-1].question() != "cards.Offer"


@pytest.mark.clause("HTS-DO-48")
def test_the_cloaked_sage_is_offered_a_draw_for_each_own_magic_that_stood() -> None:
    spells = ["enchanted_spell", "enchanted_spell", "forceful_winds"]
    state = table(spells, ["challenge"], leaders={0: "the_cloaked_sage", 1: "the_divine_arrow"})
    for spell, answer, drawn in zip(spells, (Accept(), Decline(), Accept()), (1, 0, 1), strict=True):
        facts, state = stands(state, 0, PlayCard(spell))
        assert names(facts)[-1] == "MagicPlayed"  # it lies in the discard pile before the offer
        assert offered(state, 0) == [Decline(), Accept()]
        facts, state = when(state, 0, answer)
        assert len(of(facts, CardDrawn)) == drawn
    state = table([], ["enchanted_spell"], leaders={0: "the_cloaked_sage", 1: "the_divine_arrow"}, turn=1)
    facts, state = stands(state, 1, PlayCard("enchanted_spell"))
    assert asked(state) == {1}  # not an own magic


@pytest.mark.clause("HTS-DO-49")
def test_bloodwing_costs_the_challenger_a_card_before_the_dice() -> None:
    state = table(["peanut"], ["challenge", "hook", "fluffy"], slain={0: ["bloodwing"]})
    _, state = when(then(state, 0, PlayCard("peanut")), 1, Challenge())
    assert offered(state, 1) == [ChooseCards(("fluffy",)), ChooseCards(("hook",))]
    facts, state = when(state, 1, ChooseCards(("hook",)))
    assert [(fact.seat, fact.put) for fact in of(facts, CardDiscarded)] == [(1, ("hook",))]
    facts, _ = dice(state, 6, 6, 1, 1)
    assert names(facts)[0] == "DiceRolled"


@pytest.mark.clause("HTS-DO-50")
def test_dracos_may_draw_for_each_own_hero_that_was_in_fact_destroyed() -> None:
    parties = {0: ["fluffy"], 1: ["peanut", "hook", ("spooky", "decoy_doll")]}
    state = table([], [], parties=parties, slain={1: ["dracos"]})
    _, both = succeeds(state, "fluffy", ChooseCard("peanut"), ChooseCard("hook"))
    for _ in range(2):
        assert offered(both, 1) == [Decline(), Accept()]
        facts, both = when(both, 1, Accept())
        assert [fact.seat for fact in of(facts, CardDrawn)] == [1]
    assert asked(both) == {0}
    _, saved = succeeds(state, "fluffy", ChooseCard("spooky"), ChooseCard("hook"))
    assert asked(saved) == {1}
    assert asked(then(saved, 1, Accept())) == {0}  # one only: Spooky was saved by its doll


@pytest.mark.clause("HTS-DO-45")
def test_a_modifier_in_a_challenge_is_a_modifier_on_a_roll_too() -> None:
    state = table(["peanut"], ["challenge"], ["modifier_plus_4", "hook"], leaders=QUIET, slain={0: ["abyss_queen"]})
    state = then(then(state, 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, 3, 3, 3, 3)
    facts, on_own = when(state, 2, Modify("modifier_plus_4", 4, 0))
    assert [fact.roller for fact in of(facts, ValueAdded)] == [0]
    facts, _ = when(state, 2, Modify("modifier_plus_4", 4, 1))
    assert (len(of(facts, ModifierPlayed)), of(facts, ValueAdded)) == (1, [])  # on the challenger's roll
    facts, _ = passes(on_own)
    assert [fact.total for fact in of(facts, RollSettled)] == [8, 11]  # the Fist's 2; 4 and 1
