"""The eight thieves: what each of them does, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChoosePlayer, ChooseUnseen, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, CardGiven, CardPulled, HandShown, LotDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroStolen, ItemReturned
from referee.games.here_to_slay.events.plays import PlayAnnounced
from referee.games.here_to_slay.moves import RollFor
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import (
    amid,
    dice,
    effect,
    names,
    offered,
    passes,
    rolled_for,
    settlements,
    table,
    tried,
)


@pytest.mark.card(
    "kit_napper", "meowzio", "plundering_puma", "shurikitty", "silent_shadow", "slippery_paws", "sly_pickings",
    "smooth_mimimeow",
)  # fmt: skip
@pytest.mark.clause("HTS-ROLL-6", "HTS-ROLL-7")
@pytest.mark.parametrize(
    ("hero", "needed"),
    [("kit_napper", 9), ("meowzio", 10), ("plundering_puma", 6), ("shurikitty", 9), ("silent_shadow", 8),
     ("slippery_paws", 6), ("sly_pickings", 6), ("smooth_mimimeow", 7)],
)  # fmt: skip
def test_a_thief_one_short_of_the_requirement_does_nothing(hero: str, needed: int) -> None:
    before = amid(hero)
    events, state = tried(before, hero, needed - 1)
    assert settlements(events) == [(needed - 1, "failure")]
    assert effect(events) == []
    assert state.zones == before.zones
    assert settlements(tried(before, hero, needed)[0]) == [(needed, "success")]


# ---- Kit Napper ----------------------------------------------------------------------------------------------


@pytest.mark.card("kit_napper")
@pytest.mark.clause("HTS-DO-19", "HTS-VERB-5", "HTS-ITEM-5")
def test_kit_napper_steals_a_hero_with_its_item() -> None:
    state = table([], [], parties={0: ["kit_napper"], 1: [("fluffy", "decoy_doll"), "peanut"]})
    events, state = rolled_for(state, "kit_napper", 5, 4, ChooseCard("fluffy"))
    assert effect(events) == ["HeroStolen"]
    assert (state.party_of(0), state.party_of(1)) == (("kit_napper", "fluffy"), ("peanut",))
    assert state.item_of("fluffy") == "decoy_doll"


@pytest.mark.card("kit_napper")
@pytest.mark.clause("HTS-VERB-10", "HTS-AMB-29", "HTS-PROT-3", "HTS-LEAD-2")
def test_kit_napper_may_not_steal_an_own_hero_or_a_leader_but_one_that_is_not_to_be_destroyed() -> None:
    state = table([], [], parties={0: ["kit_napper", "hook"], 1: ["fluffy", "peanut"]}, slain={1: ["terratuga"]})
    _, state = dice(then(state, 0, RollFor("kit_napper")), 5, 4)
    assert offered(state, 0) == [ChooseCard("fluffy"), ChooseCard("peanut")]
    assert refusal(state, 0, ChooseCard("hook")).clauses[0] == "HTS-VERB-10"
    assert not refusal(state, 0, ChooseCard(str(state.leader_of(1)))).granted


# ---- Meowzio -------------------------------------------------------------------------------------------------


@pytest.mark.card("meowzio")
@pytest.mark.clause("HTS-DO-38", "HTS-DO-19", "HTS-DO-6", "HTS-TGT-3")
def test_meowzio_steals_a_hero_and_pulls_a_card_from_the_same_player() -> None:
    parties = {0: ["meowzio"], 1: ["fluffy", "peanut"], 2: ["hook"]}
    state = table([], ["challenge", "bun_bun"], ["bard_mask"], parties=parties)
    _, state = dice(then(state, 0, RollFor("meowzio")), 5, 5)
    state = then(state, 0, ChoosePlayer(1))
    assert refusal(state, 0, ChooseCard("hook")).clauses == ("HTS-TGT-4",)
    events, state = passes(then(state, 0, ChooseCard("peanut")))
    assert effect(events) == ["HeroStolen"]
    _, state = pulled(state, "bun_bun")
    assert (state.party_of(0), state.cards_in_hand(0), state.cards_in_hand(1)) == (
        ("meowzio", "peanut"),
        ("bun_bun",),
        ("challenge",),
    )


@pytest.mark.card("meowzio")
@pytest.mark.clause("HTS-AMB-46", "HTS-TGT-2")
def test_meowzio_only_pulls_or_only_steals_if_the_other_part_is_not_possible() -> None:
    state = table([], ["challenge"], parties={0: ["meowzio"]})
    events, state = rolled_for(state, "meowzio", 5, 5)
    assert effect(events) == ["CardPulled"]
    assert state.cards_in_hand(0) == ("challenge",)
    state = table([], [], ["hook"], [], parties={0: ["meowzio"], 1: ["fluffy"]})
    _, state = dice(then(state, 0, RollFor("meowzio")), 5, 5)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]  # seat 3 has neither
    events, state = passes(then(state, 0, ChoosePlayer(1)))
    assert of(events, CardPulled) == []
    assert (state.party_of(0), state.cards_in_hand(0)) == (("meowzio", "fluffy"), ())


# ---- Plundering Puma, Slippery Paws --------------------------------------------------------------------------


@pytest.mark.card("plundering_puma")
@pytest.mark.clause("HTS-DO-6", "HTS-DO-3", "HTS-DO-43")
def test_plundering_puma_pulls_two_cards_and_their_player_may_draw_one() -> None:
    state = table([], ["hook", "peanut", "challenge"], [], parties={0: ["plundering_puma"]}, deck=["bun_bun"])
    _, state = rolled_for(state, "plundering_puma", 3, 3)
    _, state = pulled(state, "hook")
    _, state = pulled(state, "challenge")
    assert sorted(state.cards_in_hand(0)) == ["challenge", "hook"]
    assert offered(state, 1) == [Decline(), Accept()]
    events, state = when(state, 1, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [1]
    assert sorted(state.cards_in_hand(1)) == ["bun_bun", "peanut"]


@pytest.mark.card("plundering_puma")
@pytest.mark.clause("HTS-DO-3", "HTS-MAY-2", "HTS-AMB-57")
def test_plundering_puma_does_not_let_a_player_draw_who_declines_and_pulls_no_more_than_one_of_one() -> None:
    state = table([], ["hook"], ["peanut", "bun_bun"], parties={0: ["plundering_puma"]})
    events, state = rolled_for(state, "plundering_puma", 3, 3, ChoosePlayer(1))
    assert effect(events) == ["CardPulled"]
    events, state = when(state, 1, Decline())
    assert names(events) == []
    assert (state.cards_in_hand(0), state.cards_in_hand(1), len(state.cards_in_hand(2))) == (("hook",), (), 2)


@pytest.mark.card("slippery_paws")
@pytest.mark.clause("HTS-DO-6", "HTS-DO-12", "HTS-DO-4")
def test_slippery_paws_pulls_two_cards_and_discards_one_of_them() -> None:
    state = table(["bad_axe"], ["hook", "peanut", "challenge"], parties={0: ["slippery_paws"]})
    _, state = rolled_for(state, "slippery_paws", 3, 3)
    _, state = pulled(state, "hook")
    _, state = pulled(state, "challenge")
    assert set(offered(state, 0)) == {ChooseCard("hook"), ChooseCard("challenge")}
    events, state = when(state, 0, ChooseCard("hook"))
    assert [event.seat for event in of(events, CardDiscarded)] == [0]
    assert (sorted(state.cards_in_hand(0)), state.cards_at(DISCARD)) == (["bad_axe", "challenge"], ("hook",))


@pytest.mark.card("slippery_paws")
@pytest.mark.clause("HTS-DO-4", "HTS-DO-12", "HTS-AMB-55", "HTS-AMB-57")
def test_slippery_paws_may_not_discard_another_card_and_keeps_nothing_of_a_single_one() -> None:
    state = table(["bad_axe"], ["hook", "peanut"], parties={0: ["slippery_paws"]})
    _, state = rolled_for(state, "slippery_paws", 3, 3)
    _, state = pulled(state, "hook")
    assert refusal(state, 0, ChooseCard("bad_axe")).clauses[0] == "HTS-DO-12"
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"
    single = table(["bad_axe"], ["hook"], parties={0: ["slippery_paws"]})
    events, single = rolled_for(single, "slippery_paws", 3, 3)
    assert effect(events) == ["CardPulled", "CardDiscarded"]  # everybody sees that there is no choice
    assert (single.cards_in_hand(0), single.cards_at(DISCARD)) == (("bad_axe",), ("hook",))


# ---- Shurikitty ----------------------------------------------------------------------------------------------


@pytest.mark.card("shurikitty")
@pytest.mark.clause("HTS-DO-17", "HTS-DO-16", "HTS-AMB-34")
def test_shurikitty_destroys_a_hero_and_takes_its_item_into_the_own_hand() -> None:
    state = table([], [], parties={0: ["shurikitty"], 1: [("fluffy", "sealing_key"), "peanut"]})
    events, state = rolled_for(state, "shurikitty", 5, 4, ChooseCard("fluffy"))
    assert effect(events) == ["HeroDestroyed", "ItemReturned"]
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("sealing_key",), ("fluffy",))


@pytest.mark.card("shurikitty")
@pytest.mark.clause("HTS-AMB-35", "HTS-AMB-38", "HTS-REPL-1")
def test_shurikitty_does_not_get_the_item_of_a_hero_that_was_not_destroyed() -> None:
    parties = {0: ["shurikitty"], 1: [("fluffy", "decoy_doll"), ("peanut", "bard_mask")]}
    events, state = rolled_for(table([], [], parties=parties), "shurikitty", 5, 4, ChooseCard("fluffy"))
    assert of(events, ItemReturned) == []
    assert (state.cards_in_hand(0), state.cards_at(DISCARD), len(state.party_of(1))) == ((), ("decoy_doll",), 2)
    state = table([], [], parties=parties, slain={0: ["corrupted_sabretooth"]})
    _, state = rolled_for(state, "shurikitty", 5, 4, ChooseCard("peanut"))
    events, state = when(state, 0, Accept())
    assert (len(of(events, HeroStolen)), of(events, HeroDestroyed), of(events, ItemReturned)) == (1, [], [])
    assert (state.item_of("peanut"), state.cards_in_hand(0)) == ("bard_mask", ())
    bare = table([], [], parties={0: ["shurikitty"], 1: ["fluffy"]})
    events, _ = rolled_for(bare, "shurikitty", 5, 4)
    assert effect(events) == ["HeroDestroyed"]


# ---- Silent Shadow -------------------------------------------------------------------------------------------


@pytest.mark.card("silent_shadow")
@pytest.mark.clause("HTS-DO-7", "HTS-DO-8", "HTS-VERB-11")
def test_silent_shadow_looks_at_a_hand_and_takes_the_card_it_likes() -> None:
    state = table(["bad_axe"], ["hook", "challenge"], [], parties={0: ["silent_shadow"]})
    events, state = rolled_for(state, "silent_shadow", 4, 4)
    assert len(of(events, HandShown)) == 1
    assert set(offered(state, 0)) == {ChooseUnseen("hook"), ChooseUnseen("challenge")}
    events, state = when(state, 0, ChooseUnseen("challenge"))
    (given,) = of(events, CardGiven)
    assert given.view_for(2).put == given.view_for(2).took == ("?",)
    assert of(events, CardPulled) == []
    assert of(events, LotDrawn) == []
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("bad_axe", "challenge"), ("hook",))


@pytest.mark.card("silent_shadow")
@pytest.mark.clause("HTS-DO-8", "HTS-MAY-1", "HTS-TGT-2")
def test_silent_shadow_must_not_go_without_a_card_nor_take_one_not_shown() -> None:
    state = table(["bad_axe"], ["hook", "challenge"], [], parties={0: ["silent_shadow"]})
    _, state = dice(then(state, 0, RollFor("silent_shadow")), 4, 4)
    _, state = passes(state)
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"
    assert refusal(state, 0, ChooseUnseen("bad_axe")).clauses[0] == "HTS-DO-12"
    assert refusal(state, 0, ChooseUnseen("peanut")).clauses[0] == "HTS-DO-12"
    empty = table(["bad_axe"], [], parties={0: ["silent_shadow"]})
    events, empty = rolled_for(empty, "silent_shadow", 4, 4)
    assert (effect(events), empty.cards_in_hand(0)) == ([], ("bad_axe",))


# ---- Sly Pickings --------------------------------------------------------------------------------------------


@pytest.mark.card("sly_pickings")
@pytest.mark.clause("HTS-DO-6", "HTS-DO-31", "HTS-DO-40", "HTS-DO-43", "HTS-AMB-33")
def test_sly_pickings_may_play_a_pulled_item_for_free() -> None:
    state = table([], ["sealing_key", "hook"], parties={0: ["sly_pickings"], 1: ["fluffy"]})
    _, state = pulled(rolled_for(state, "sly_pickings", 3, 3)[1], "sealing_key")
    assert offered(state, 0) == [Decline(), ChooseCard("sealing_key")]
    events, state = when(state, 0, ChooseCard("sealing_key"))
    assert of(events, PlayAnnounced)[0].immediate
    state = then(passes(state)[1], 0, ChooseCard("fluffy"))
    assert (state.item_of("fluffy"), state.cards_in_hand(1), state.points) == ("sealing_key", ("hook",), 2)


@pytest.mark.card("sly_pickings")
@pytest.mark.clause("HTS-DO-40", "HTS-MAY-3", "HTS-ASK-3")
def test_sly_pickings_does_not_play_another_kind_and_may_keep_the_item() -> None:
    state = table(["bard_mask"], ["hook"], parties={0: ["sly_pickings"]})
    _, state = rolled_for(state, "sly_pickings", 3, 3)
    assert offered(state, 0) == [Decline()]
    assert refusal(state, 0, ChooseCard("hook")).clauses[0] == "HTS-DO-40"
    assert refusal(state, 0, ChooseCard("bard_mask")).clauses[0] == "HTS-DO-12"  # held before, not pulled
    state = table([], ["bard_mask"], parties={0: ["sly_pickings"]})
    _, state = rolled_for(state, "sly_pickings", 3, 3)
    state = then(state, 0, Decline())
    assert (state.cards_in_hand(0), state.item_of("sly_pickings"), asked(state)) == (("bard_mask",), None, {0})


# ---- Smooth Mimimeow -----------------------------------------------------------------------------------------


@pytest.mark.card("smooth_mimimeow")
@pytest.mark.clause("HTS-DO-39", "HTS-DO-41", "HTS-DO-6", "HTS-AMB-41")
def test_smooth_mimimeow_pulls_from_whoever_else_has_a_thief_by_hero_mask_or_leader() -> None:
    state = table(
        [], ["hook"], ["peanut"], ["bun_bun", "hopper"], leaders={0: "the_cloaked_sage", 3: "the_shadow_claw"},
        parties={0: ["smooth_mimimeow"], 1: ["kit_napper"], 2: [("fluffy", "thief_mask")]},
    )  # fmt: skip
    events, state = rolled_for(state, "smooth_mimimeow", 4, 3)
    last, state = pulled(state, "hopper")
    assert [event.of for event in of((*events, *last), CardPulled)] == [1, 2, 3]
    assert (len(state.cards_in_hand(0)), state.cards_in_hand(3)) == (3, ("bun_bun",))


@pytest.mark.card("smooth_mimimeow")
@pytest.mark.clause("HTS-DO-41", "HTS-EACH-3", "HTS-ITEM-9")
def test_smooth_mimimeow_does_not_pull_from_those_without_a_thief_or_without_cards() -> None:
    parties = {0: ["smooth_mimimeow"], 1: [("kit_napper", "bard_mask")], 2: ["meowzio"]}
    state = table([], ["hook"], [], parties=parties)
    events, state = rolled_for(state, "smooth_mimimeow", 4, 3)
    assert effect(events) == []
    assert (state.cards_in_hand(0), state.cards_in_hand(1), asked(state)) == ((), ("hook",), {0})
