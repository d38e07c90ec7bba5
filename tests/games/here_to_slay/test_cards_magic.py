"""The eight kinds of magic: what each of them does, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, EffectLapsed
from referee.games.here_to_slay.events.heroes import HeroMoved, HeroStolen, ItemReturned
from referee.games.here_to_slay.events.plays import PlayStood
from referee.games.here_to_slay.moves import EndTurn, PlayCard
from tests.games.course import of, refusal, then, when
from tests.games.here_to_slay.given import attacked, challenged, names, offered, rolled_for, settlements, stands, table

ALL_MAGIC = (
    "call_to_the_fallen", "critical_boost", "destructive_spell", "enchanted_spell", "entangling_trap",
    "forced_exchange", "forceful_winds", "winds_of_change",
)  # fmt: skip


@pytest.mark.card(
    "call_to_the_fallen", "critical_boost", "destructive_spell", "enchanted_spell", "entangling_trap",
    "forced_exchange", "forceful_winds", "winds_of_change",
)  # fmt: skip
@pytest.mark.clause("HTS-CHAL-8", "HTS-PLAY-5", "HTS-TURN-4")
@pytest.mark.parametrize("magic", ALL_MAGIC)
def test_magic_that_is_lost_to_a_challenge_does_nothing(magic: str) -> None:
    parties = {0: [("hook", "bard_mask")], 1: [("peanut", "thief_mask")]}
    before = table([magic, "bun_bun", "fluffy"], ["challenge"], parties=parties, discard=["bad_axe"])
    events, state = challenged(before, 0, magic, 1, (4, 4), (4, 4))
    assert names(events)[-4:] == ["RollSettled", "RollSettled", "ToDiscard", "PlayLost"]
    assert of(events, PlayStood) == []
    assert state.cards_at(DISCARD) == ("bad_axe", "challenge", magic)
    assert (sorted(state.cards_in_hand(0)), state.lasting, state.points) == (["bun_bun", "fluffy"], (), 2)
    assert list(state.iterate_items()) == list(before.iterate_items())


@pytest.mark.card("call_to_the_fallen")
@pytest.mark.clause("HTS-DO-11", "HTS-MAGIC-1")
def test_call_to_the_fallen_takes_a_hero_from_the_discard_pile() -> None:
    state = table(["call_to_the_fallen"], [], discard=["hook", "challenge", "peanut"])
    _, state = stands(state, 0, PlayCard("call_to_the_fallen"))
    assert offered(state, 0) == [ChooseCard("hook"), ChooseCard("peanut")]
    events, state = when(state, 0, ChooseCard("hook"))
    assert names(events) == ["CardTaken", "MagicPlayed"]
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (
        ("hook",),
        ("challenge", "peanut", "call_to_the_fallen"),
    )


@pytest.mark.card("call_to_the_fallen")
@pytest.mark.clause("HTS-DO-11", "HTS-MAGIC-2")
def test_call_to_the_fallen_does_not_take_another_kind_and_nothing_without_a_hero() -> None:
    state = table(["call_to_the_fallen"], [], discard=["hook", "challenge", "peanut"])
    _, state = stands(state, 0, PlayCard("call_to_the_fallen"))
    assert refusal(state, 0, ChooseCard("challenge")).clauses[0] == "HTS-DO-40"
    events, state = stands(table(["call_to_the_fallen"], [], discard=["challenge"]), 0, PlayCard("call_to_the_fallen"))
    assert names(events)[-1] == "MagicPlayed"
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == ((), ("challenge", "call_to_the_fallen"))


@pytest.mark.card("critical_boost")
@pytest.mark.clause("HTS-DO-1", "HTS-DO-4", "HTS-MAGIC-1")
def test_critical_boost_draws_three_and_discards_one() -> None:
    state = table(["critical_boost", "hook"], [], deck=["peanut", "bun_bun", "challenge"])
    events, state = stands(state, 0, PlayCard("critical_boost"))
    assert len(of(events, CardDrawn)) == 3
    events, state = when(state, 0, ChooseCards(("peanut",)))
    assert names(events)[-2:] == ["CardDiscarded", "MagicPlayed"]
    assert sorted(state.cards_in_hand(0)) == ["bun_bun", "challenge", "hook"]
    assert state.cards_at(DISCARD) == ("peanut", "critical_boost")


@pytest.mark.card("critical_boost")
@pytest.mark.clause("HTS-DO-4", "HTS-ZONE-5")
def test_critical_boost_does_not_let_go_without_a_discard_nor_discard_itself() -> None:
    _, state = stands(table(["critical_boost"], [], deck=["peanut", "bun_bun", "hook"]), 0, PlayCard("critical_boost"))
    assert "HTS-DO-4" in refusal(state, 0, ChooseCards(())).clauses
    assert refusal(state, 0, ChooseCards(("critical_boost",))).clauses[0] == "HTS-VERB-2"


# ---- magic at a price ----------------------------------------------------------------------------------------


@pytest.mark.card("destructive_spell", "entangling_trap")
@pytest.mark.clause("HTS-DO-4", "HTS-DO-17", "HTS-DO-19", "HTS-AMB-45")
@pytest.mark.parametrize(
    ("magic", "price", "done"),
    [("destructive_spell", ("bun_bun",), "HeroDestroyed"), ("entangling_trap", ("bun_bun", "hook"), "HeroStolen")],
)
def test_a_price_is_paid_and_a_hero_is_destroyed_or_stolen(magic: str, price: tuple[str, ...], done: str) -> None:
    state = table([magic, "bun_bun", "hook", "challenge"], [], parties={1: ["peanut", "fluffy"]})
    _, state = stands(state, 0, PlayCard(magic))
    events, state = when(state, 0, ChooseCards(price))
    assert len(of(events, CardDiscarded)) == len(price)
    events, state = when(state, 0, ChooseCard("peanut"))
    assert names(events) == [done, "MagicPlayed"]
    assert state.party_of(1) == ("fluffy",)
    assert state.party_of(0) == (("peanut",) if done == "HeroStolen" else ())
    assert len(state.cards_in_hand(0)) == 3 - len(price)


@pytest.mark.card("destructive_spell", "entangling_trap")
@pytest.mark.clause("HTS-DO-4", "HTS-AMB-45", "HTS-TEXT-2")
@pytest.mark.parametrize(("magic", "hand"), [("destructive_spell", []), ("entangling_trap", ["hook"])])
def test_without_the_price_nothing_happens(magic: str, hand: list[str]) -> None:
    state = table([magic, *hand], [], parties={1: ["peanut", "fluffy"]})
    events, state = stands(state, 0, PlayCard(magic))
    assert names(events)[-3:] == ["PlayStood", "Lapsed", "MagicPlayed"]
    assert of(events, EffectLapsed) == [EffectLapsed(magic, "cost")]
    assert (state.cards_in_hand(0), state.party_of(1), state.cards_at(DISCARD)) == (
        tuple(hand),
        ("peanut", "fluffy"),
        (magic,),
    )
    forbidden = table([magic, *hand], [], parties={1: ["peanut"]}, rules={"unpayable_play": "forbid"})
    assert refusal(forbidden, 0, PlayCard(magic)).clauses == ("HTS-AMB-45",)


@pytest.mark.card("destructive_spell", "entangling_trap")
@pytest.mark.clause("HTS-AMB-45", "HTS-PROT-1", "HTS-VERB-10")
@pytest.mark.parametrize(
    ("magic", "hero", "paid"),
    [("destructive_spell", "mighty_blade", [ChooseCards(("hook",))]), ("entangling_trap", "calming_voice", [])],
)
def test_the_price_is_paid_though_no_hero_is_there_that_is_not_protected(
    magic: str, hero: str, paid: list[ChooseCards]
) -> None:
    state = table([magic, "bun_bun", "hook"], [], parties={0: ["peanut"], 1: [hero]}, turn=1)
    _, state = rolled_for(state, hero, 6, 5, seat=1)
    _, state = stands(then(state, 1, EndTurn()), 0, PlayCard(magic))
    state = then(state, 0, *paid)  # where the whole hand goes, nobody is asked
    assert (state.party_of(0), state.party_of(1)) == (("peanut",), (hero,))
    assert state.cards_in_hand(0) == (("bun_bun",) if paid else ())
    assert state.cards_at(DISCARD)[-1] == magic


# ---- Enchanted Spell -----------------------------------------------------------------------------------------


@pytest.mark.card("enchanted_spell")
@pytest.mark.clause("HTS-DO-30", "HTS-UNTIL-1", "HTS-ROLL-10", "HTS-AMB-21")
def test_every_enchanted_spell_adds_two_to_all_own_rolls_of_the_turn() -> None:
    hand = ["enchanted_spell", "enchanted_spell", "hook"]
    state = table(hand, ["challenge"], parties={0: ["peanut"]}, row=["dracos"], points=5)
    _, state = stands(state, 0, PlayCard("enchanted_spell"))
    assert settlements(rolled_for(state, "peanut", 2, 2)[0]) == [(6, "failure")]
    assert settlements(attacked(state, "dracos", 2, 2)[0]) == [(6, "nothing")]
    assert [total for total, _ in settlements(challenged(state, 0, "hook", 1, (2, 2), (2, 2))[0])] == [4, 6]
    _, state = stands(state, 0, PlayCard("enchanted_spell"))
    assert settlements(rolled_for(state, "peanut", 2, 2)[0]) == [(8, "success")]


@pytest.mark.card("enchanted_spell")
@pytest.mark.clause("HTS-UNTIL-1", "HTS-TURN-8")
def test_an_enchanted_spell_does_not_outlast_the_turn_nor_help_others() -> None:
    state = table(["enchanted_spell"], [], parties={0: ["peanut"], 1: ["mellow_dee"]})
    _, state = stands(state, 0, PlayCard("enchanted_spell"))
    state = then(state, 0, EndTurn())
    assert state.lasting == ()
    assert settlements(rolled_for(state, "mellow_dee", 3, 3, seat=1)[0]) == [(6, "failure")]
    assert settlements(rolled_for(then(state, 1, EndTurn()), "peanut", 3, 3)[0]) == [(6, "failure")]


# ---- Forced Exchange -----------------------------------------------------------------------------------------


@pytest.mark.card("forced_exchange")
@pytest.mark.clause("HTS-DO-38", "HTS-DO-19", "HTS-DO-20", "HTS-TGT-5", "HTS-AMB-31")
def test_forced_exchange_steals_a_hero_and_gives_one_with_its_item() -> None:
    parties = {0: [("bun_bun", "sealing_key"), "bad_axe"], 1: ["hook", "peanut"], 2: ["fluffy"]}
    state = table(["forced_exchange"], [], [], parties=parties, slain={1: ["terratuga"]})
    _, state = stands(state, 0, PlayCard("forced_exchange"))
    state = then(state, 0, ChoosePlayer(1))
    assert refusal(state, 0, ChooseCard("fluffy")).clauses == ("HTS-TGT-4",)
    events, state = when(state, 0, ChooseCard("hook"))
    assert len(of(events, HeroStolen)) == 1
    assert refusal(state, 0, ChooseCard("peanut")).clauses == ("HTS-DO-20",)
    events, state = when(state, 0, ChooseCard("bun_bun"))
    assert names(events) == ["HeroMoved", "MagicPlayed"]
    assert (state.party_of(0), state.party_of(1)) == (("bad_axe", "hook"), ("peanut", "bun_bun"))
    assert state.item_of("bun_bun") == "sealing_key"


@pytest.mark.card("forced_exchange")
@pytest.mark.clause("HTS-AMB-47", "HTS-TEXT-2")
def test_forced_exchange_gives_nothing_if_nothing_can_be_stolen_and_may_give_the_stolen_hero_back() -> None:
    state = table(["forced_exchange"], [], parties={0: ["bun_bun"]})
    events, state = stands(state, 0, PlayCard("forced_exchange"))
    assert of(events, HeroMoved) == []
    assert (state.party_of(0), state.cards_at(DISCARD)) == (("bun_bun",), ("forced_exchange",))
    state = table(["forced_exchange"], [], parties={1: ["hook"]})
    events, state = stands(state, 0, PlayCard("forced_exchange"))
    assert names(events)[-3:] == ["HeroStolen", "HeroMoved", "MagicPlayed"]
    assert (state.party_of(0), state.party_of(1)) == ((), ("hook",))


# ---- winds ---------------------------------------------------------------------------------------------------


@pytest.mark.card("forceful_winds")
@pytest.mark.clause("HTS-DO-16", "HTS-AMB-34", "HTS-AMB-33")
def test_forceful_winds_returns_every_item_to_whoever_controls_its_hero() -> None:
    parties = {0: [("hook", "sealing_key")], 1: [("peanut", "bard_mask"), ("bun_bun", "decoy_doll")]}
    events, state = stands(table(["forceful_winds"], [], parties=parties), 0, PlayCard("forceful_winds"))
    assert [event.seat for event in of(events, ItemReturned)] == [0, 1, 1]
    assert (state.cards_in_hand(0), sorted(state.cards_in_hand(1))) == (("sealing_key",), ["bard_mask", "decoy_doll"])
    assert list(state.iterate_items()) == []


@pytest.mark.card("forceful_winds")
@pytest.mark.clause("HTS-DO-16", "HTS-VERB-11")
def test_forceful_winds_does_not_move_heroes_and_does_nothing_without_items() -> None:
    state = table(["forceful_winds"], [], parties={0: ["hook"], 1: ["peanut"]}, slain={1: ["malamammoth"]})
    events, state = stands(state, 0, PlayCard("forceful_winds"))
    assert (names(events)[-1], of(events, ItemReturned)) == ("MagicPlayed", [])
    assert (state.party_of(0), state.party_of(1), state.cards_in_hand(0), state.cards_in_hand(1)) == (
        ("hook",),
        ("peanut",),
        (),
        (),
    )


@pytest.mark.card("winds_of_change")
@pytest.mark.clause("HTS-DO-16", "HTS-DO-1", "HTS-AMB-34")
def test_winds_of_change_returns_a_chosen_item_to_whoever_controls_its_hero_and_draws() -> None:
    parties = {0: [("hook", "sealing_key")], 1: [("peanut", "bard_mask")]}
    state = table(["winds_of_change"], [], parties=parties, deck=["fluffy"])
    _, state = stands(state, 0, PlayCard("winds_of_change"))
    events, state = when(state, 0, ChooseCard("peanut"))
    assert names(events) == ["ItemReturned", "CardDrawn", "MagicPlayed"]
    assert (state.cards_in_hand(0), state.cards_in_hand(1)) == (("fluffy",), ("bard_mask",))
    assert state.item_of("hook") == "sealing_key"


@pytest.mark.card("winds_of_change")
@pytest.mark.clause("HTS-AMB-34", "HTS-AMB-46")
def test_winds_of_change_does_not_choose_a_hero_without_item_and_only_draws_if_there_is_none() -> None:
    parties = {0: [("hook", "sealing_key"), "bun_bun"], 1: [("peanut", "bard_mask")]}
    _, state = stands(table(["winds_of_change"], [], parties=parties), 0, PlayCard("winds_of_change"))
    assert refusal(state, 0, ChooseCard("bun_bun")).clauses == ("HTS-DO-16",)
    assert refusal(state, 0, Decline()).clauses[-1] == "CARDS-CHOICE-2"
    events, state = stands(table(["winds_of_change"], [], deck=["fluffy"]), 0, PlayCard("winds_of_change"))
    assert names(events)[-2:] == ["CardDrawn", "MagicPlayed"]
    assert state.cards_in_hand(0) == ("fluffy",)
