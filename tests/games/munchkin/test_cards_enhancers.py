"""The eight enhancers and Wandering Monster: what they change on which monster, and when they cannot be played."""

from __future__ import annotations

import pytest

from referee.games.munchkin.components import COMBAT, DOOR_DISCARD
from referee.games.munchkin.moves import ClaimKill, JoinByTag, PlayCard, RunAway
from referee.games.munchkin.strength import count_treasures, tags_of
from tests.games.course import refused, then
from tests.games.munchkin.card_moves import fight, killed, strengths
from tests.games.munchkin.given import table

ENHANCERS = (  # the enhancer, what it changes of strength and treasures, the tag that it gives
    ("enh_hungry", 5, 1, ""),
    ("enh_overdressed", 5, 1, ""),
    ("enh_towering", 10, 2, ""),
    ("enh_old", 10, 2, ""),
    ("enh_risen", 5, 1, "undead"),
    ("enh_hellfired", 5, 1, "demon"),
    ("enh_pint", -5, -1, ""),
    ("enh_asleep", -3, 0, ""),
)
every = pytest.mark.parametrize(("card", "more", "treasures", "tag"), ENHANCERS, ids=[each[0] for each in ENHANCERS])


@every
@pytest.mark.clause("MK-10.1", "MK-16.2", "MK-16.9")
def test_an_enhancer_lies_on_one_monster_until_it_is_killed(card: str, more: int, treasures: int, tag: str) -> None:
    state = fight("doctor_finkelstein", "tinsel_serpent", hands=((), (card,), ()), strong=30)
    assert strengths(state) == (34, 14)
    state = then(state, 1, PlayCard(card, monster="doctor_finkelstein"))
    assert strengths(state) == (34, 14 + more)
    assert [count_treasures(foe) for foe in state.running_combat.foes] == [3 + treasures, 2]
    assert tags_of(state.running_combat.foes[0]) == ({tag} if tag else set())
    assert tags_of(state.running_combat.foes[1]) == set()
    assert card in state.cards_at(COMBAT)
    _, state = killed(state)
    assert len(state.cards_in_hand(0)) == 5 + treasures
    assert card in state.cards_at(DOOR_DISCARD)


@every
@pytest.mark.clause("MK-10.1", "MK-14.2")
def test_an_enhancer_is_not_played_without_a_monster_a_combat_or_once_the_fighters_run(
    card: str, more: int, treasures: int, tag: str
) -> None:
    state = fight("wolfman", hands=((), (card,), ()))
    assert refused(state, 1, PlayCard(card)) == ("names_too_little", "MK-10.1")
    assert refused(state, 1, PlayCard(card, monster="sally")) == ("not_in_the_combat", "MK-10.1")
    assert refused(then(state, 0, RunAway()), 1, PlayCard(card, monster="wolfman")) == ("not_the_time", "MK-14.2")
    assert refused(table((card,), (), ()), 0, PlayCard(card, monster="wolfman"))[0] == "not_the_time"


@every
@pytest.mark.clause("MK-15.2", "MK-19.7")
def test_an_enhancer_in_the_claim_window_opens_the_combat_again_and_is_nothing_for_the_dead(
    card: str, more: int, treasures: int, tag: str
) -> None:
    state = then(fight("wolfman", hands=((), (card,), ()), strong=3), 0, ClaimKill())
    again = then(state, 1, PlayCard(card, monster="wolfman"))
    assert again.moment == "fight"
    assert strengths(again) == (7, 6 + more)
    dead = fight("wolfman", hands=((), (card,), ()), dead=(1,))
    assert refused(dead, 1, PlayCard(card, monster="wolfman"))[0] == "is_dead"


@pytest.mark.card("enh_hungry", "enh_towering")
@pytest.mark.clause("MK-10.2")
def test_several_enhancers_on_one_monster_add_up() -> None:
    state = fight("puddle_bat", hands=(("enh_hungry",), ("enh_towering",), ()))
    state = then(then(state, 0, PlayCard("enh_hungry", monster="puddle_bat")), 1,
                 PlayCard("enh_towering", monster="puddle_bat"))  # fmt: skip
    assert strengths(state)[1] == 16
    assert count_treasures(state.running_combat.foes[0]) == 4


@pytest.mark.card("enh_pint")
@pytest.mark.clause("MK-3.2", "MK-10.4")
def test_the_pint_sized_never_guard_less_than_one_treasure_nor_are_they_kept_from_minus() -> None:
    state = then(fight("puddle_bat", hands=((), ("enh_pint",), ())), 1, PlayCard("enh_pint", monster="puddle_bat"))
    assert strengths(state)[1] == -4  # strength may go below 1 (MK-3.2)
    assert count_treasures(state.running_combat.foes[0]) == 1


@pytest.mark.card("enh_risen", "enh_hellfired")
@pytest.mark.parametrize(("giver", "there", "joining"), [
    ("enh_risen", "skeleton_choir", "wolfman"), ("enh_hellfired", "coal_imp", "wolfman"),
])  # fmt: skip
@pytest.mark.clause("MK-10.5", "MK-12.2")
def test_a_monster_joins_with_the_card_that_gives_it_the_tag_that_is_there(
    giver: str, there: str, joining: str
) -> None:
    state = fight(there, hands=((), (giver, joining), ()))
    state = then(state, 1, JoinByTag(joining, giver))
    assert [foe.card for foe in state.running_combat.foes] == [there, joining]
    assert state.running_combat.foes[1].enhancers == (giver,)
    assert state.cards_in_hand(1) == ()


@pytest.mark.card("enh_risen", "enh_hellfired")
@pytest.mark.parametrize(("giver", "there", "joining"), [
    ("enh_risen", "coal_imp", "wolfman"), ("enh_hellfired", "skeleton_choir", "wolfman"),
])  # fmt: skip
@pytest.mark.clause("MK-12.1", "MK-12.2")
def test_a_monster_does_not_join_by_a_tag_that_is_not_there(giver: str, there: str, joining: str) -> None:
    state = fight(there, hands=((), (giver, joining, "enh_hungry"), ()))
    assert refused(state, 1, JoinByTag(joining, giver)) == ("no_tag_shared", "MK-12.2")
    assert refused(state, 1, JoinByTag(joining)) == ("no_tag_to_share", "MK-12.1")
    assert refused(state, 1, JoinByTag(joining, "enh_hungry")) == ("gives_no_tag", "MK-12.2")


@pytest.mark.card("enh_risen", "enh_hellfired")
@pytest.mark.parametrize(("giver", "joining"), [("enh_risen", "marrow_pup"), ("enh_hellfired", "coal_imp")])
@pytest.mark.clause("MK-12.1", "MK-12.4")
def test_the_tag_given_to_a_monster_calls_others_of_it(giver: str, joining: str) -> None:
    state = fight("wolfman", hands=((), (giver,), (joining,)))
    assert refused(state, 2, JoinByTag(joining)) == ("no_tag_shared", "MK-12.1")
    state = then(then(state, 1, PlayCard(giver, monster="wolfman")), 2, JoinByTag(joining))
    assert [foe.card for foe in state.running_combat.foes] == ["wolfman", joining]


@pytest.mark.card("wandering_monster")
@pytest.mark.clause("MK-11.1", "MK-11.2", "MK-14.3", "MK-16.1", "MK-16.9")
def test_a_wandering_monster_brings_a_monster_of_the_hand_into_any_combat() -> None:
    state = fight("puddle_bat", hands=((), ("wandering_monster", "wolfman"), ()), strong=8)
    state = then(state, 1, PlayCard("wandering_monster", partner="wolfman"))
    assert [foe.card for foe in state.running_combat.foes] == ["puddle_bat", "wolfman"]
    assert strengths(state) == (12, 7)
    _, state = killed(state)
    assert (state.levels[0], len(state.cards_in_hand(0))) == (6, 3)
    assert set(state.cards_at(DOOR_DISCARD)) == {"puddle_bat", "wolfman", "wandering_monster"}


@pytest.mark.card("wandering_monster")
@pytest.mark.clause("MK-11.6", "MK-14.3")
def test_main_may_send_one_to_the_own_combat() -> None:
    state = fight("puddle_bat", hands=(("wandering_monster", "marrow_pup"), (), ()))
    state = then(state, 0, PlayCard("wandering_monster", partner="marrow_pup"))
    assert strengths(state)[1] == 2


@pytest.mark.card("wandering_monster")
@pytest.mark.clause("MK-3.6", "MK-14.2", "MK-14.3")
def test_a_wandering_monster_is_not_played_without_a_monster_of_the_own_hand_or_without_a_combat() -> None:
    state = fight("puddle_bat", hands=(("wolfman",), ("wandering_monster", "bat_hat"), ()))
    assert refused(state, 1, PlayCard("wandering_monster")) == ("names_too_little", "MK-14.3")
    assert refused(state, 1, PlayCard("wandering_monster", partner="bat_hat")) == ("no_monster", "MK-14.3")
    assert refused(state, 1, PlayCard("wandering_monster", partner="wolfman"))[1] == "MK-14.3"
    calm = table(("wandering_monster", "wolfman"), (), ())
    assert refused(calm, 0, PlayCard("wandering_monster", partner="wolfman")) == ("not_the_time", "MK-14.2")
