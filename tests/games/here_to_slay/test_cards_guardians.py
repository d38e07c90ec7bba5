"""The eight guardians: what each of them does, and when it does not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard, Decline
from referee.games.here_to_slay.components import DISCARD
from referee.games.here_to_slay.events.cards import CardTaken, LotDrawn
from referee.games.here_to_slay.events.heroes import ItemReturned
from referee.games.here_to_slay.events.plays import PlayStood
from referee.games.here_to_slay.moves import Challenge, EndTurn, Modify, PlayCard, RollFor
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import (
    amid,
    attacked,
    challenged,
    dice,
    effect,
    offered,
    passes,
    rolled_for,
    settlements,
    table,
    tried,
)


@pytest.mark.card(
    "calming_voice", "guiding_light", "holy_curselifter", "iron_resolve", "mighty_blade", "radiant_horn",
    "vibrant_glow", "wise_shield",
)  # fmt: skip
@pytest.mark.clause("HTS-ROLL-6", "HTS-ROLL-7")
@pytest.mark.parametrize(
    ("hero", "needed"),
    [("calming_voice", 9), ("guiding_light", 7), ("holy_curselifter", 5), ("iron_resolve", 8), ("mighty_blade", 8),
     ("radiant_horn", 6), ("vibrant_glow", 9), ("wise_shield", 6)],
)  # fmt: skip
def test_a_guardian_one_short_of_the_requirement_does_nothing(hero: str, needed: int) -> None:
    before = amid(hero)
    events, state = tried(before, hero, needed - 1)
    assert settlements(events) == [(needed - 1, "failure")]
    assert effect(events) == []
    assert (state.zones, state.lasting) == (before.zones, ())
    assert settlements(tried(before, hero, needed)[0]) == [(needed, "success")]


# ---- Calming Voice, Mighty Blade -----------------------------------------------------------------------------

PROTECTORS = {0: ["calming_voice", "mighty_blade"], 1: ["kit_napper", "bad_axe"], 2: ["hook", "peanut"]}


@pytest.mark.card("calming_voice", "mighty_blade")
@pytest.mark.clause("HTS-DO-23", "HTS-DO-24", "HTS-PROT-1", "HTS-PROT-2", "HTS-UNTIL-2", "HTS-AMB-40")
@pytest.mark.parametrize(("hero", "thief"), [("calming_voice", "kit_napper"), ("mighty_blade", "bad_axe")])
def test_the_own_heroes_are_protected_through_the_turns_of_the_others(hero: str, thief: str) -> None:
    state = table([], [], [], parties=PROTECTORS)
    events, state = rolled_for(state, hero, 5, 4)
    assert effect(events) == ["LastingBegan"]
    _, state = dice(then(then(state, 0, EndTurn()), 1, RollFor(thief)), 5, 5)
    assert offered(state, 1) == [ChooseCard("hook"), ChooseCard("peanut")]
    assert refusal(state, 1, ChooseCard("mighty_blade")).clauses[0] == "HTS-PROT-1"


@pytest.mark.card("calming_voice", "mighty_blade")
@pytest.mark.clause("HTS-PROT-2", "HTS-UNTIL-2", "HTS-TURN-7")
@pytest.mark.parametrize(("hero", "thief"), [("calming_voice", "kit_napper"), ("mighty_blade", "bad_axe")])
def test_from_the_own_next_turn_on_they_are_not_protected_any_more(hero: str, thief: str) -> None:
    _, state = rolled_for(table([], [], [], parties=PROTECTORS), hero, 5, 4)
    for seat in (0, 1, 2, 0):
        state = then(state, seat, EndTurn())
    _, state = dice(then(state, 1, RollFor(thief)), 5, 5)
    assert ChooseCard("mighty_blade") in offered(state, 1)


@pytest.mark.card("calming_voice", "mighty_blade")
@pytest.mark.clause("HTS-PROT-3")
@pytest.mark.parametrize(("hero", "other"), [("calming_voice", "bad_axe"), ("mighty_blade", "kit_napper")])
def test_protection_from_the_one_is_not_protection_from_the_other(hero: str, other: str) -> None:
    _, state = rolled_for(table([], [], [], parties=PROTECTORS), hero, 5, 4)
    events, state = rolled_for(then(state, 0, EndTurn()), other, 5, 4, ChooseCard("mighty_blade"), seat=1)
    assert effect(events) == ["HeroDestroyed" if other == "bad_axe" else "HeroStolen"]
    assert state.party_of(0) == ("calming_voice",)


# ---- Guiding Light, Radiant Horn -----------------------------------------------------------------------------


@pytest.mark.card("guiding_light", "radiant_horn")
@pytest.mark.clause("HTS-DO-11", "HTS-AMB-51")
@pytest.mark.parametrize(
    ("hero", "wanted"),
    [("guiding_light", ["hook", "peanut"]), ("radiant_horn", ["modifier_plus_4", "modifier_minus_4"])],
)
def test_a_card_of_its_kind_comes_from_the_discard_pile_to_the_hand_without_drawing(
    hero: str, wanted: list[str]
) -> None:
    state = table([], [], parties={0: [hero]}, discard=[wanted[0], "challenge", wanted[1]])
    _, state = rolled_for(state, hero, 4, 3)
    assert offered(state, 0) == [ChooseCard(wanted[0]), ChooseCard(wanted[1])]
    assert refusal(state, 0, ChooseCard("challenge")).clauses[0] == "HTS-DO-40"
    events, state = when(state, 0, ChooseCard(wanted[1]))
    assert len(of(events, CardTaken)) == 1
    assert of(events, LotDrawn) == []
    assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == ((wanted[1],), (wanted[0], "challenge"))


@pytest.mark.card("guiding_light", "radiant_horn")
@pytest.mark.clause("HTS-DO-11")
@pytest.mark.parametrize(("hero", "others"), [("guiding_light", "modifier_plus_4"), ("radiant_horn", "hook")])
def test_nothing_is_taken_if_no_card_of_its_kind_lies_there(hero: str, others: str) -> None:
    events, state = rolled_for(table([], [], parties={0: [hero]}, discard=[others, "challenge"]), hero, 4, 3)
    assert effect(events) == []
    assert (asked(state), state.cards_in_hand(0)) == ({0}, ())


@pytest.mark.card("radiant_horn")
@pytest.mark.clause("HTS-AMB-28", "HTS-MOD-10")
def test_radiant_horn_takes_back_the_modifier_played_on_its_own_roll() -> None:
    state = table(["modifier_plus_4"], [], parties={0: ["radiant_horn"]})
    _, state = dice(then(state, 0, RollFor("radiant_horn")), 1, 1)
    events, state = when(state, 0, Modify("modifier_plus_4", 4, 0))
    assert settlements(events) == [(6, "success")]
    assert state.cards_in_hand(0) == ("modifier_plus_4",)


# ---- Holy Curselifter ----------------------------------------------------------------------------------------


@pytest.mark.card("holy_curselifter")
@pytest.mark.clause("HTS-DO-16", "HTS-AMB-34", "HTS-TGT-3")
def test_holy_curselifter_takes_a_cursed_item_off_an_own_hero_into_the_own_hand() -> None:
    party = ["holy_curselifter", ("hook", "sealing_key"), ("peanut", "suspiciously_shiny_coin")]
    state = table([], [], parties={0: party})
    events, state = rolled_for(state, "holy_curselifter", 3, 2, ChooseCard("hook"))
    assert [event.seat for event in of(events, ItemReturned)] == [0]
    assert state.cards_in_hand(0) == ("sealing_key",)
    assert (state.item_of("hook"), state.item_of("peanut")) == (None, "suspiciously_shiny_coin")


@pytest.mark.card("holy_curselifter")
@pytest.mark.clause("HTS-DO-16")
def test_holy_curselifter_does_not_lift_good_items_or_those_of_others() -> None:
    parties = {0: ["holy_curselifter", ("hook", "really_big_ring")], 1: [("peanut", "sealing_key")]}
    state = table([], [], parties=parties)
    events, state = rolled_for(state, "holy_curselifter", 3, 2)
    assert settlements(events) == [(5, "success")]
    assert effect(events) == []
    more = [("bun_bun", "sealing_key"), ("snowball", "curse_of_the_snakes_eyes")]
    state = table([], [], parties={0: [*parties[0], *more], 1: [("peanut", "suspiciously_shiny_coin")]})
    _, state = dice(then(state, 0, RollFor("holy_curselifter")), 3, 2)
    assert refusal(state, 0, ChooseCard("hook")).clauses == ("HTS-DO-16",)
    assert refusal(state, 0, ChooseCard("peanut")).clauses == ("HTS-DO-16",)


# ---- Iron Resolve --------------------------------------------------------------------------------------------


@pytest.mark.card("iron_resolve")
@pytest.mark.clause("HTS-DO-33", "HTS-CHAL-5", "HTS-UNTIL-1", "HTS-AMB-7")
def test_iron_resolve_keeps_what_its_player_plays_from_being_challenged() -> None:
    state = table(["peanut", "enchanted_spell"], ["challenge"], parties={0: ["iron_resolve"]})
    _, state = rolled_for(state, "iron_resolve", 4, 4)
    for card in ("enchanted_spell", "peanut"):
        events, state = when(state, 0, PlayCard(card))
        assert of(events, PlayStood) == [PlayStood(0, card)]
    assert state.party_of(0) == ("iron_resolve", "peanut")


@pytest.mark.card("iron_resolve")
@pytest.mark.clause("HTS-DO-33", "HTS-UNTIL-1", "HTS-TURN-8")
def test_iron_resolve_does_not_cover_the_next_turns_nor_the_others_nor_itself() -> None:
    state = table(["peanut", "challenge"], ["challenge", "hook"], parties={0: ["iron_resolve"]})
    _, state = rolled_for(state, "iron_resolve", 4, 4)
    state = then(state, 0, EndTurn())
    assert state.lasting == ()
    state = then(state, 1, PlayCard("hook"))
    assert Challenge() in offered(state, 0)
    _, state = passes(state)
    state = then(then(then(state, 1, Decline()), 1, EndTurn()), 0, PlayCard("peanut"))
    assert Challenge() in offered(state, 1)
    itself = then(table(["iron_resolve"], ["challenge"]), 0, PlayCard("iron_resolve"))
    assert Challenge() in offered(itself, 1)


# ---- Vibrant Glow, Wise Shield -------------------------------------------------------------------------------


@pytest.mark.card("vibrant_glow", "wise_shield")
@pytest.mark.clause("HTS-DO-30", "HTS-UNTIL-1", "HTS-ROLL-9", "HTS-AMB-21")
@pytest.mark.parametrize(("hero", "plus"), [("vibrant_glow", 5), ("wise_shield", 3)])
def test_all_own_rolls_of_the_turn_are_higher(hero: str, plus: int) -> None:
    state = table(["hook"], ["challenge"], parties={0: [hero, "peanut"]}, row=["arctic_aries"], points=5)
    events, state = rolled_for(state, hero, 6, 3)
    assert settlements(events) == [(9, "success")]
    rolled, _ = rolled_for(state, "peanut", 1, 1)
    assert settlements(rolled)[0][0] == 2 + plus
    fought, _ = attacked(state, "arctic_aries", 6, 1)
    assert settlements(fought)[0][0] == 7 + plus
    against, _ = challenged(state, 0, "hook", 1, (2, 2), (1, 1))
    assert [total for total, _ in settlements(against)] == [4, 2 + plus]


@pytest.mark.card("vibrant_glow", "wise_shield")
@pytest.mark.clause("HTS-DO-30", "HTS-UNTIL-1", "HTS-TURN-8")
@pytest.mark.parametrize("hero", ["vibrant_glow", "wise_shield"])
def test_rolls_of_others_and_of_later_turns_are_not_higher(hero: str) -> None:
    state = table(["hook", "challenge"], ["challenge", "fluffy"], parties={0: [hero, "peanut"], 1: ["bun_bun"]})
    _, state = rolled_for(state, hero, 6, 3)
    against, _ = challenged(state, 0, "hook", 1, (2, 2), (6, 6))
    assert settlements(against)[0] == (4, "compared")
    state = then(state, 0, EndTurn())
    against, _ = challenged(state, 1, "fluffy", 0, (2, 2), (6, 6))
    assert settlements(against)[0] == (4, "compared")  # seat 0 again, but the own turn is over
    other, _ = rolled_for(state, "bun_bun", 2, 2, seat=1)
    assert settlements(other) == [(4, "failure")]
    later, _ = rolled_for(then(state, 1, EndTurn()), "peanut", 3, 3)
    assert settlements(later) == [(6, "failure")]
