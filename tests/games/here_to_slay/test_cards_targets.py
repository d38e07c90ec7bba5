"""Which heroes name their targets before the modifiers are played, and which name nothing."""

from __future__ import annotations

import pytest

from referee.cards.moves import ChooseCard, ChoosePlayer
from referee.games.here_to_slay.moves import Pass, RollFor
from referee.games.here_to_slay.play_events import TargetsDeclared
from tests.games.here_to_slay.given import amid, dice, of, offered, pips, then, when


@pytest.mark.card(
    "bad_axe", "bear_claw", "fury_knuckle", "heavy_bear", "sharp_fox", "plundering_puma", "silent_shadow",
    "slippery_paws", "sly_pickings", "buttons", "hopper", "dodgy_dealer", "lucky_bucky", "meowzio", "tipsy_tootie",
    "serious_grey", "shurikitty", "fluffy", "kit_napper", "wiggles", "whiskers",
)  # fmt: skip
@pytest.mark.clause("HTS-TGT-3", "HTS-ROLL-5", "HTS-MOD-4", "HTS-AMB-12", "HTS-AMB-15")
@pytest.mark.parametrize(
    ("hero", "asked_for"),
    [
        *((hero, [ChoosePlayer]) for hero in (
            "bear_claw", "fury_knuckle", "heavy_bear", "sharp_fox", "plundering_puma", "silent_shadow",
            "slippery_paws", "sly_pickings", "buttons", "hopper", "dodgy_dealer", "lucky_bucky",
        )),
        ("meowzio", [ChoosePlayer, ChooseCard]),
        ("tipsy_tootie", [ChoosePlayer, ChooseCard]),
        *((hero, [ChooseCard]) for hero in ("bad_axe", "serious_grey", "shurikitty", "kit_napper", "wiggles")),
        ("fluffy", [ChooseCard, ChooseCard]),
        ("whiskers", [ChooseCard, ChooseCard]),
    ],
)  # fmt: skip
def test_a_hero_names_its_targets_after_the_dice_and_before_the_modifiers_even_if_the_roll_is_low(
    hero: str, asked_for: list[type[ChooseCard] | type[ChoosePlayer]]
) -> None:
    _, state = dice(then(amid(hero), 0, RollFor(hero)), *pips(2))
    facts = ()
    for kind in asked_for:
        assert Pass() not in offered(state, 1)
        assert {type(move) for move in offered(state, 0)} == {kind}
        facts, state = when(state, 0, offered(state, 0)[0])
    (declared,) = of(facts, TargetsDeclared)
    assert len(declared.targets) == len(asked_for)
    assert Pass() in offered(state, 1)


@pytest.mark.card(
    "beary_wise", "pan_chucks", "qi_bear", "tough_teddy", "calming_voice", "guiding_light", "iron_resolve",
    "mighty_blade", "radiant_horn", "vibrant_glow", "wise_shield", "bullseye", "hook", "lookie_rookie", "quick_draw",
    "wildshot", "wily_red", "smooth_mimimeow", "bun_bun", "snowball", "spooky", "fuzzy_cheeks", "greedy_cheeks",
    "mellow_dee", "napping_nibbles", "peanut",
)  # fmt: skip
@pytest.mark.clause("HTS-TGT-3", "HTS-TGT-5", "HTS-ROLL-5")
@pytest.mark.parametrize(
    "hero",
    ["beary_wise", "pan_chucks", "qi_bear", "tough_teddy", "calming_voice", "guiding_light", "iron_resolve",
     "mighty_blade", "radiant_horn", "vibrant_glow", "wise_shield", "bullseye", "hook", "lookie_rookie", "quick_draw",
     "wildshot", "wily_red", "smooth_mimimeow", "bun_bun", "snowball", "spooky", "fuzzy_cheeks", "greedy_cheeks",
     "mellow_dee", "napping_nibbles", "peanut"],
)  # fmt: skip
def test_a_hero_whose_choices_come_later_does_not_declare_anything(hero: str) -> None:
    facts, state = dice(then(amid(hero), 0, RollFor(hero)), *pips(12))
    assert of(facts, TargetsDeclared) == []
    assert Pass() in offered(state, 0)
    assert Pass() in offered(state, 1)


@pytest.mark.card("holy_curselifter")
@pytest.mark.clause("HTS-TGT-3", "HTS-ROLL-5", "HTS-AMB-55")
def test_holy_curselifter_has_its_only_cursed_item_declared_without_being_asked() -> None:
    facts, state = dice(then(amid("holy_curselifter"), 0, RollFor("holy_curselifter")), *pips(2))
    assert [fact.targets for fact in of(facts, TargetsDeclared)] == [{"target": ("wily_red",)}]
    assert Pass() in offered(state, 1)
