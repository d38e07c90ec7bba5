"""Monsters: who may attack which, and what the total brings."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards
from referee.games.here_to_slay.components import FACES, ROW
from referee.games.here_to_slay.events.cards import CardDiscarded
from referee.games.here_to_slay.events.heroes import HeroSacrificed, MonsterFoughtBack
from referee.games.here_to_slay.events.turns import PointsSpent
from referee.games.here_to_slay.moves import Attack, DrawOne, Modify, Pass, PlayCard
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, table
from tests.games.here_to_slay.in_a_roll import SIX, facing, settled_as

# what must be there, the totals that slay, the totals at which the monster fights back, what it takes then
PRINTED: dict[str, tuple[list[str], range, range, str]] = {
    "abyss_queen": (["hero"] * 2, range(8, 99), range(-9, 6), "hero"),
    "anuran_cauldron": (["hero"] * 3, range(7, 99), range(-9, 7), "hero"),
    "arctic_aries": (["hero"], range(10, 99), range(-9, 7), "hero"),
    "bloodwing": (["hero"] * 2, range(9, 99), range(-9, 7), "hero"),
    "corrupted_sabretooth": (["hero"] * 3, range(9, 99), range(-9, 7), "hero"),
    "crowned_serpent": (["hero"] * 2, range(10, 99), range(-9, 8), "hero"),
    "dark_dragon_king": (["bard", "hero"], range(8, 99), range(-9, 5), "cards"),
    "dracos": (["hero"], range(-9, 6), range(8, 99), "hero"),
    "malamammoth": (["ranger", "hero"], range(8, 99), range(-9, 5), "cards"),
    "mega_slime": (["hero"] * 4, range(8, 99), range(-9, 8), "hero"),
    "orthus": (["wizard", "hero"], range(8, 99), range(-9, 5), "cards"),
    "rex_major": (["guardian", "hero"], range(8, 99), range(-9, 5), "cards"),
    "terratuga": (["hero"], range(11, 99), range(-9, 8), "hero"),
    "titan_wyvern": (["fighter", "hero"], range(8, 99), range(-9, 5), "cards"),
    "warworn_owlbear": (["thief", "hero"], range(8, 99), range(-9, 5), "cards"),
}


# ---- whether a monster may be attacked ---------------------------------------------------------------------------


@pytest.mark.clause("HTS-MON-1")
def test_an_attack_on_any_monster_of_the_row_costs_two_points() -> None:
    for monster in ("bloodwing", "dracos", "terratuga"):
        events, _ = when(facing("bloodwing"), 0, Attack(monster))
        assert of(events, PointsSpent) == [PointsSpent(0, 2, 1)]


@pytest.mark.clause("HTS-MON-1", "HTS-MON-13")
@pytest.mark.parametrize("monster", ["abyss_queen", "orthus", "rex_major", "fluffy", "peanut", "a_dragon"])
def test_no_attack_on_what_does_not_lie_in_the_row(monster: str) -> None:
    # in the deck; slain by oneself; slain by another; another's hero; an own hero; nothing at all
    state = table([], [], parties={0: SIX, 1: ["fluffy"]}, slain={0: ["orthus"], 1: ["rex_major"]}, row=["dracos"],
                  leaders={0: "the_cloaked_sage"})  # fmt: skip
    ruling = refusal(state, 0, Attack(monster))
    slain = monster in ("orthus", "rex_major")
    assert ruling.reason == ("slain_already" if slain else "not_in_the_row")
    assert ruling.clauses == (("HTS-MON-13", "HTS-MON-1") if slain else ("HTS-MON-1",))


@pytest.mark.clause("HTS-MON-1")
def test_no_attack_in_the_turn_of_another_nor_in_the_midst_of_something() -> None:
    state = facing("dracos", ["spooky"], ["fluffy"])
    assert refusal(state, 1, Attack("dracos")).reason == "no_hero_for_it"
    state = then(state, 0, PlayCard("spooky"))
    assert refusal(state, 0, Attack("dracos")).reason == "card_under_way"
    state = then(state, 1, Pass())
    assert refusal(state, 0, Attack("dracos")).reason == "card_under_way"


@pytest.mark.clause("HTS-MON-1", "HTS-ACT-8")
def test_no_attack_with_less_than_two_points() -> None:
    state = facing("dracos", points=1)
    ruling = refusal(state, 0, Attack("dracos"))
    assert (ruling.reason, ruling.params["cost"], ruling.params["left"]) == ("too_few_points", 2, 1)


@pytest.mark.clause("HTS-MON-2", "HTS-MON-3")
@pytest.mark.parametrize("monster", PRINTED)
def test_each_monster_needs_the_members_it_shows(monster: str) -> None:
    slots = PRINTED[monster][0]
    assert sorted(FACES[monster].requires) == sorted(slots)
    # heroes for every slot, with a leader that fits nowhere
    of_class = dict(zip(("fighter", "guardian", "ranger", "thief", "wizard", "bard"), SIX, strict=True))
    spare = [hero for class_, hero in of_class.items() if class_ not in slots]
    party = [of_class[slot] if slot != "hero" else spare.pop() for slot in slots]
    leaders = {0: "the_divine_arrow" if "ranger" not in slots else "the_cloaked_sage"}
    assert Attack(monster) in offered(facing(monster, party=party, leaders=leaders), 0)
    for missing in party:
        fewer = facing(monster, party=[hero for hero in party if hero != missing], leaders=leaders)
        assert "HTS-MON-2" in refusal(fewer, 0, Attack(monster)).clauses


@pytest.mark.clause("HTS-MON-3", "HTS-MON-4", "HTS-ITEM-9")
@pytest.mark.parametrize(
    ("leader", "party", "reason"),
    [
        ("the_cloaked_sage", ["peanut"], ""),  # the leader of the class and any hero
        ("the_cloaked_sage", ["bun_bun"], ""),
        ("the_divine_arrow", ["bun_bun", "peanut"], ""),  # two heroes, one of the class
        ("the_divine_arrow", ["bun_bun", "fluffy"], ""),
        ("the_divine_arrow", [("peanut", "wizard_mask"), "hook"], ""),
        ("the_divine_arrow", ["bun_bun"], "one_hero_for_two_symbols"),  # no member fills two slots
        ("the_divine_arrow", ["hook", "peanut"], "class_is_missing"),
        ("the_divine_arrow", [("bun_bun", "bard_mask"), "peanut"], "class_is_missing"),
        ("the_cloaked_sage", [], "no_hero_for_it"),
        ("the_divine_arrow", [], "class_is_missing"),
    ],
)
def test_a_wizard_and_a_hero_are_the_leader_and_any_hero_or_two_heroes(
    leader: str, party: list[Any], reason: str
) -> None:
    state = facing("orthus", party=party, leaders={0: leader})
    if not reason:
        assert Attack("orthus") in offered(state, 0)
        return
    ruling = refusal(state, 0, Attack("orthus"))
    assert ruling.reason == reason
    assert set(ruling.clauses) >= {"HTS-MON-2", "HTS-MON-3"}


@pytest.mark.clause("HTS-MON-3")
def test_slain_monsters_and_leaders_fill_no_slot_for_a_hero() -> None:
    state = facing("corrupted_sabretooth", party=["peanut", "bun_bun"], slain={0: ["rex_major", "orthus"]})
    ruling = refusal(state, 0, Attack("corrupted_sabretooth"))
    assert (ruling.reason, ruling.params["leader"]) == ("leader_is_no_hero", "the_cloaked_sage")
    state = facing("mega_slime", party=["peanut", "bun_bun"], slain={0: ["rex_major", "orthus"]})
    ruling = refusal(state, 0, Attack("mega_slime"))
    assert (ruling.reason, ruling.params["slots"], ruling.params["count"]) == ("heroes_are_missing", 4, 2)


@pytest.mark.clause("HTS-MON-5")
def test_the_requirement_is_not_checked_again_after_the_attack_was_declared() -> None:
    # given: in the window seat 1 draws magic, plays it at once and destroys the only hero
    state = facing(
        "arctic_aries",
        [],
        ["modifier_plus_4", "spooky"],
        party=["peanut"],
        deck=["destructive_spell"],
        leaders={0: "the_cloaked_sage", 1: "the_divine_arrow"},
        slain={1: ["crowned_serpent", "orthus"]},
    )
    _, state = dice(then(state, 0, Attack("arctic_aries")), 4, 4)
    events, state = when(state, 1, Modify("modifier_plus_4", 4, 0), Accept(), ChooseCard("destructive_spell"))
    assert state.party_of(0) == ()
    assert settled_as(events) == [(12, "slay")]
    assert state.monsters_slain_by(0) == ("arctic_aries",)


# ---- the roll ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-MON-6")
def test_an_attack_goes_points_dice_window_total_outcome_and_declares_no_target() -> None:
    state = facing("abyss_queen", ["spooky"], ["fluffy"])
    events, state = when(state, 0, Attack("abyss_queen"))
    assert names(events) == ["PointsSpent"]
    events, state = dice(state, 6, 3)
    assert names(events) == ["DiceRolled"]
    assert asked(state) == {0, 1}
    events, state = passes(state)
    assert names(events) == ["RollSettled", "MonsterSlain", "MonsterTurnedUp"]


@pytest.mark.clause("HTS-MON-7", "HTS-MON-8", "HTS-MON-9")
@pytest.mark.parametrize("monster", PRINTED)
def test_every_total_slays_or_brings_the_penalty_or_does_nothing_as_printed(monster: str) -> None:
    _, slay, back, takes = PRINTED[monster]
    for total in range(2, 13):
        first = min(6, total - 1)
        events, state = dice(then(facing(monster, [], []), 0, Attack(monster)), first, total - first)
        expected = "slay" if total in slay else "fight_back" if total in back else "nothing"
        assert settled_as(events) == [(total, expected)], (monster, total)
        assert state.points == (2 if expected == "slay" and monster == "mega_slime" else 1)
        assert (monster in state.monsters_slain_by(0)) is (expected == "slay")
        assert (monster in state.cards_at(ROW)) is (expected != "slay")
        if expected == "fight_back":
            assert len(of(events, MonsterFoughtBack)) == 1
            penalty = asked(state) == {0} and DrawOne() not in offered(state, 0)
            assert penalty is (takes == "hero")  # a hero to choose; nobody holds cards to discard


@pytest.mark.clause("HTS-MON-8")
def test_only_dracos_is_reversed_and_only_two_monsters_have_no_gap() -> None:
    faces = [face for face in FACES.values() if face.kind == "monster"]
    assert [face.id for face in faces if face.slay.most is not None] == ["dracos"]
    gapless = [
        face.id for face in faces
        if all(face.slay.contains_total(total) or face.fight_back.contains_total(total) for total in range(-10, 30))
    ]  # fmt: skip
    assert gapless == ["anuran_cauldron", "mega_slime"]


@pytest.mark.clause("HTS-MON-7")
@pytest.mark.parametrize(
    ("card", "value", "outcome"),
    [("modifier_plus_2_minus_2", 2, "slay"), ("modifier_plus_2_minus_2", -2, "fight_back"),
     ("modifier_plus_3_minus_1", -1, "fight_back"), ("modifier_plus_1_minus_3", 1, "nothing")],
)  # fmt: skip
def test_modifiers_count_for_all_ranges(card: str, value: int, outcome: str) -> None:
    state = facing("abyss_queen", [card], [], party=["peanut", "bun_bun"])
    _, state = dice(then(state, 0, Attack("abyss_queen")), 3, 3)
    events, state = when(state, 0, Modify(card, value, 0))
    assert settled_as(events) == [(6 + value, outcome)]


@pytest.mark.clause("HTS-MON-9")
def test_the_attacker_chooses_the_hero_to_sacrifice() -> None:
    state = facing("abyss_queen", party=["peanut", "bun_bun"], parties={0: ["peanut", "bun_bun"], 1: ["fluffy"]})
    _, state = rolls(then(state, 0, Attack("abyss_queen")), 1, 1)
    assert asked(state) == {0}
    assert refusal(state, 0, ChooseCards(("fluffy",))).reason == "not_in_the_party"
    assert refusal(state, 0, ChooseCards(("peanut", "bun_bun"))).reason == "exactly_so_many"
    events, state = when(state, 0, ChooseCards(("bun_bun",)))
    assert [event.put for event in of(events, HeroSacrificed)] == [("bun_bun",)]
    assert (state.party_of(0), "abyss_queen" in state.cards_at(ROW)) == (("peanut",), True)


@pytest.mark.clause("HTS-MON-9")
def test_the_attacker_chooses_the_two_cards_to_discard() -> None:
    state = facing("orthus", ["spooky", "fluffy", "challenge"], [])
    _, state = rolls(then(state, 0, Attack("orthus")), 1, 1)
    assert refusal(state, 0, ChooseCards(("spooky",))).reason == "exactly_so_many"
    events, state = when(state, 0, ChooseCards(("challenge", "spooky")))
    assert [event.put for event in of(events, CardDiscarded)] == [("challenge",), ("spooky",)]
    assert state.cards_in_hand(0) == ("fluffy",)


@pytest.mark.clause("HTS-MON-9", "HTS-AMB-70")
@pytest.mark.parametrize("hand", [[], ["spooky"], ["spooky", "challenge"]])
def test_a_penalty_takes_no_more_than_there_is(hand: list[str]) -> None:
    events, state = rolls(then(facing("orthus", hand, []), 0, Attack("orthus")), 1, 1)
    assert settled_as(events) == [(2, "fight_back")]
    assert (len(of(events, CardDiscarded)), state.cards_in_hand(0)) == (len(hand), ())
    assert state.party_of(0) == tuple(SIX)
    assert asked(state) == {0}
