"""Which heroes name their targets before the modifiers are played, and which name nothing."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.plays import TargetsDeclared
from referee.games.here_to_slay.moves import Pass, PlayCard, RollFor
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.values import LastingEffect
from tests.games.course import of, refusal, then, when
from tests.games.here_to_slay.given import amid, dice, offered, passes, pips, stands, table


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
    events = ()
    for kind in asked_for:
        assert Pass() not in offered(state, 1)
        assert {type(move) for move in offered(state, 0)} == {kind}
        events, state = when(state, 0, offered(state, 0)[0])
    (declared,) = of(events, TargetsDeclared)
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
    events, state = dice(then(amid(hero), 0, RollFor(hero)), *pips(12))
    assert of(events, TargetsDeclared) == []
    assert Pass() in offered(state, 0)
    assert Pass() in offered(state, 1)


@pytest.mark.card("holy_curselifter")
@pytest.mark.clause("HTS-TGT-3", "HTS-ROLL-5", "HTS-AMB-55")
def test_holy_curselifter_has_its_only_cursed_item_declared_without_being_asked() -> None:
    events, state = dice(then(amid("holy_curselifter"), 0, RollFor("holy_curselifter")), *pips(2))
    assert [event.targets for event in of(events, TargetsDeclared)] == [{"target": ("wily_red",)}]
    assert Pass() in offered(state, 1)


@pytest.mark.card(
    "bear_claw", "fury_knuckle", "heavy_bear", "sharp_fox", "plundering_puma", "silent_shadow", "slippery_paws",
    "sly_pickings", "buttons", "lucky_bucky",
)  # fmt: skip
@pytest.mark.clause("HTS-TGT-1", "HTS-TGT-2", "HTS-EDGE-2", "HTS-AMB-44")
@pytest.mark.parametrize(
    "hero",
    ["bear_claw", "fury_knuckle", "heavy_bear", "sharp_fox", "plundering_puma", "silent_shadow", "slippery_paws",
     "sly_pickings", "buttons", "lucky_bucky"],
)  # fmt: skip
def test_a_hero_aimed_at_a_hand_may_not_name_an_empty_one_nor_the_own(hero: str) -> None:
    state = table(["challenge"], ["hook"], [], ["challenge"], parties={0: [hero], 2: ["fluffy"]})
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(3)]
    assert refusal(state, 0, ChoosePlayer(0)).clauses[0] == "HTS-TGT-1"
    assert refusal(state, 0, ChoosePlayer(2)).clauses[0] == "HTS-TGT-2"


NO_STEALING = (LastingEffect("calming_voice", 2, "no_steal", "own_turn_start"),)


@pytest.mark.card(
    "bad_axe", "serious_grey", "shurikitty", "fluffy", "pan_chucks", "qi_bear", "whiskers", "kit_napper", "wiggles",
    "meowzio", "tipsy_tootie",
)  # fmt: skip
@pytest.mark.clause("HTS-PROT-1", "HTS-PROT-3", "HTS-AMB-39", "HTS-TGT-2")
@pytest.mark.parametrize(
    ("hero", "answers", "seat"),
    [("bad_axe", [], 2), ("serious_grey", [], 2), ("shurikitty", [], 2), ("fluffy", [], 2),
     ("pan_chucks", [ChooseCard("challenge")], 2), ("qi_bear", [ChooseCards(("hook",))], 2),
     ("whiskers", [ChooseCard("bullseye")], 2), ("kit_napper", [], 1), ("wiggles", [], 1), ("whiskers", [], 1),
     ("meowzio", [], 1), ("tipsy_tootie", [], 1)],
)  # fmt: skip
def test_a_hero_does_not_destroy_what_is_safe_from_destroying_nor_steal_what_is_safe_from_stealing(
    hero: str, answers: list[ChooseCard | ChooseCards], seat: int
) -> None:
    parties = {0: [hero], 1: ["bullseye", "wildshot"], 2: ["spooky", "hopper"]}  # 1: no destroying, 2: no stealing
    more = {"lasting": NO_STEALING, "slain": {1: ["terratuga"]}, "deck": ["challenge", "challenge"]}
    state = table(["hook", "peanut"], [], [], parties=parties, **more)
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    if Pass() in offered(state, 0):
        state = passes(state)[1]
    state = then(state, 0, *answers)
    assert offered(state, 0) == [ChooseCard(each) for each in parties[seat]]


@pytest.mark.card("bad_axe", "serious_grey", "fluffy", "pan_chucks", "qi_bear", "destructive_spell")
@pytest.mark.clause("HTS-ITEM-5", "HTS-DO-16")
@pytest.mark.parametrize(
    ("card", "answers"),
    [("bad_axe", []), ("serious_grey", []), ("fluffy", []), ("pan_chucks", [ChooseCard("challenge")]),
     ("qi_bear", [ChooseCards(("challenge",))]), ("destructive_spell", [])],
)  # fmt: skip
def test_the_item_of_a_destroyed_hero_does_not_come_to_the_hand_but_goes_with_it(
    card: str, answers: list[ChooseCard | ChooseCards]
) -> None:
    parties = {1: [("bullseye", "bard_mask"), ("wildshot", "thief_mask")]}
    if card == "destructive_spell":
        state = table([card, "hook"], [], parties=parties)
        _, state = when(state, 0, PlayCard(card))
        state = then(state, 0, ChooseCard("bullseye"))
    else:
        state = table(["challenge", "hook"], [], parties={0: [card], **parties}, deck=["challenge", "challenge"])
        _, state = dice(then(state, 0, RollFor(card)), 6, 6)
        while not isinstance(state.agenda[-1], Turn):
            if Pass() in offered(state, 0):
                state = passes(state)[1]
            elif ChooseCard("bullseye") in offered(state, 0):
                state = then(state, 0, ChooseCard("bullseye"))
            elif ChooseCard("wildshot") in offered(state, 0):
                state = then(state, 0, ChooseCard("wildshot"))
            else:
                state = then(state, 0, answers[0])
    assert state.controller_of("bullseye") is None
    assert {"bullseye", "bard_mask"} <= set(state.cards_at(DISCARD))
    assert {"bard_mask", "thief_mask"} & set(state.cards_in_hand(0)) == set()


@pytest.mark.card("destructive_spell", "entangling_trap")
@pytest.mark.clause("HTS-PROT-1", "HTS-PROT-3", "HTS-TGT-5", "HTS-MAY-1")
@pytest.mark.parametrize(("magic", "seat"), [("destructive_spell", 2), ("entangling_trap", 1)])
def test_magic_does_not_name_a_hero_safe_from_it_and_must_name_one(magic: str, seat: int) -> None:
    parties = {1: ["bullseye", "wildshot"], 2: ["spooky", "hopper"]}
    more = {"lasting": NO_STEALING, "slain": {1: ["terratuga"]}}
    state = table([magic, "hook", "peanut"], [], [], parties=parties, **more)
    state = then(
        then(state, 0, PlayCard(magic)), 0, *([ChooseCards(("hook",))] if magic == "destructive_spell" else [])
    )
    assert offered(state, 0) == [ChooseCard(each) for each in parties[seat]]
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"


@pytest.mark.card("tipsy_tootie", "forced_exchange")
@pytest.mark.clause("HTS-TGT-2", "HTS-DO-38")
@pytest.mark.parametrize("card", ["tipsy_tootie", "forced_exchange"])
def test_a_player_without_a_hero_that_can_be_stolen_may_not_be_named(card: str) -> None:
    parties = {0: ["fluffy"], 2: ["spooky"], 3: ["bullseye"], 4: ["hook"]}
    hands = (["challenge"], ["challenge"], ["challenge"], ["challenge"], ["challenge"])
    if card == "forced_exchange":
        state = table(["forced_exchange"], *hands[1:], parties=parties, lasting=NO_STEALING)
        _, state = stands(state, 0, PlayCard(card))
    else:
        state = table(*hands, parties={**parties, 0: [card]}, lasting=NO_STEALING)
        _, state = dice(then(state, 0, RollFor(card)), 6, 6)
    assert offered(state, 0) == [ChoosePlayer(3), ChoosePlayer(4)]
    assert refusal(state, 0, ChoosePlayer(1)).clauses[0] == "HTS-TGT-2"
    assert refusal(state, 0, ChoosePlayer(2)).clauses[0] == "HTS-TGT-2"
