"""The 40 monsters: level, treasures and levels of each, found behind the door and killed, or not beaten."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import COMBAT, DOOR_DISCARD
from referee.games.munchkin.events.course import LevelsGained
from referee.games.munchkin.moves import ClaimKill, JoinByTag, KeepRoll
from referee.games.munchkin.strength import count_treasures
from tests.games.course import of, refusal, then
from tests.games.munchkin.card_moves import fight, kicked, killed, strengths
from tests.games.munchkin.given import cast

MONSTERS = (  # the monster, its level, its treasures, the levels that it is worth
    ("puddle_bat", 1, 1, 1),
    ("stale_candy_swarm", 1, 1, 1),
    ("windup_duckling", 1, 1, 1),
    ("marrow_pup", 1, 1, 1),
    ("cellar_imp", 1, 1, 1),
    ("paper_lantern_haunt", 1, 1, 1),
    ("knock_kneed_scarecrow", 2, 1, 1),
    ("mitten_gremlins", 2, 1, 1),
    ("cracked_egg_sprite", 2, 1, 1),
    ("coffin_mouse", 2, 1, 1),
    ("gravy_wisp", 2, 1, 1),
    ("coal_imp", 2, 1, 1),
    ("skeleton_choir", 4, 2, 1),
    ("bog_bride", 4, 2, 1),
    ("tinsel_serpent", 4, 2, 1),
    ("candle_fiend", 4, 2, 1),
    ("pumpkin_brute", 4, 2, 1),
    ("wolfman", 6, 2, 1),
    ("lock_shock_barrel", 6, 2, 1),
    ("attic_widow", 6, 2, 1),
    ("bone_bailiff", 6, 2, 1),
    ("ember_hound", 6, 2, 1),
    ("sally", 8, 2, 1),
    ("clockwork_nutcracker", 8, 2, 1),
    ("mourning_twins", 8, 2, 1),
    ("larder_demon", 8, 2, 1),
    ("doctor_finkelstein", 10, 3, 1),
    ("easter_bunny", 10, 3, 1),
    ("grave_carolers", 10, 3, 1),
    ("ink_fiend", 10, 3, 1),
    ("hollow_judge", 12, 3, 1),
    ("frost_marionette", 12, 3, 1),
    ("vault_lich", 12, 3, 1),
    ("sandy_claws", 14, 4, 1),
    ("pit_choirmaster", 14, 4, 1),
    ("moonlit_hydra", 14, 4, 1),
    ("jack_skellington", 16, 4, 2),
    ("crypt_dreadnought", 16, 4, 2),
    ("ninth_bell", 18, 5, 2),
    ("oogie_boogie", 20, 5, 2),
)
UNDEAD = {
    "marrow_pup", "paper_lantern_haunt", "coffin_mouse", "skeleton_choir", "bog_bride", "bone_bailiff",
    "mourning_twins", "grave_carolers", "vault_lich", "jack_skellington", "crypt_dreadnought",
}  # fmt: skip
DEMONS = {
    "cellar_imp", "coal_imp", "candle_fiend", "ember_hound", "larder_demon", "ink_fiend", "pit_choirmaster",
    "ninth_bell", "oogie_boogie",
}  # fmt: skip
every_monster = pytest.mark.parametrize(
    ("card", "level", "treasures", "levels"), MONSTERS, ids=[each[0] for each in MONSTERS]
)


def harmless(card: str) -> dict[int, tuple[str, ...]]:
    """Citizenships with which this monster is of its printed level."""
    return {0: ("town_easter",)} if card == "paper_lantern_haunt" else {}


@every_monster
@pytest.mark.clause("MK-5.3", "MK-9.6")
def test_a_monster_behind_the_door_is_fought_at_once_with_its_level(
    card: str, level: int, treasures: int, levels: int
) -> None:
    state = kicked(card, towns=harmless(card))
    if card == "oogie_boogie":
        _, state = cast(state, 3)
        state = then(state, 0, KeepRoll())
    assert state.moment == "fight"
    assert strengths(state) == (3, level)
    assert count_treasures(state.running_combat.foes[0]) == treasures
    assert state.cards_at(COMBAT) == (card,)


@every_monster
@pytest.mark.clause("MK-3.3", "MK-16.1", "MK-16.2")
def test_killing_a_monster_brings_its_levels_and_treasures(card: str, level: int, treasures: int, levels: int) -> None:
    state = fight(card, strong=level - 3, levels=(4, 1, 1), towns=harmless(card))
    assert strengths(state) == (level + 1, level)
    events, state = killed(state)
    assert of(events, LevelsGained) == [LevelsGained(0, levels, 4 + levels, card)]
    doors = 1 if card == "sandy_claws" else 0
    assert len(state.cards_in_hand(0)) == treasures + doors
    assert state.combat is None
    assert state.cards_at(DOOR_DISCARD) == (card,)


@every_monster
@pytest.mark.clause("MK-9.2")
def test_a_monster_is_not_beaten_by_fighters_who_are_just_as_strong(
    card: str, level: int, treasures: int, levels: int
) -> None:
    state = fight(card, strong=level - 4, towns=harmless(card))
    ruling = refusal(state, 0, ClaimKill())
    assert (ruling.reason, ruling.clauses[0]) == ("not_stronger", "MK-9.2")
    assert (ruling.params["ours"], ruling.params["theirs"]) == (level, level)


@pytest.mark.parametrize("card", [each[0] for each in MONSTERS])
@pytest.mark.clause("MK-12.1")
def test_only_the_undead_and_demons_call_others_of_their_tag_into_a_combat(card: str) -> None:
    for tagged, pair in ((UNDEAD, ("marrow_pup", "coffin_mouse")), (DEMONS, ("coal_imp", "cellar_imp"))):
        caller = next(each for each in pair if each != card)
        state = fight(card, hands=((), (caller,), ()), towns=harmless(card))
        if card in tagged:
            joined = then(state, 1, JoinByTag(caller))
            assert [foe.card for foe in joined.running_combat.foes] == [card, caller]
        else:
            assert refusal(state, 1, JoinByTag(caller)).reason == "no_tag_shared"
