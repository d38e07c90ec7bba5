"""Creatures that are lively, vengeful, sluggish or nothing at all; and when Action, Trap and Hell must not happen."""

from __future__ import annotations

import pytest

from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import FACES
from referee.games.creature_crush.events.field import CreaturesDamaged
from referee.games.creature_crush.moves import Attack, ChoosePlace, EndCombat, Flip, MoveCreature
from tests.games.course import asked, of, refused, then
from tests.games.creature_crush.card_moves import attacked, attacks, calmly, damage, died, paid, played, raided
from tests.games.creature_crush.table import names, table
from tests.games.creature_crush.wording import said, unsaid  # noqa: F401

CREATURES = [card for card, printed in FACES.items() if printed.is_creature]


def keyed(keyword: str) -> list[str]:
    """The creatures on which a keyword is printed."""
    return [card for card in CREATURES if keyword in FACES[card].keywords]


def with_text(text: str) -> list[str]:
    """The creatures that have such a text."""
    return [card for card in CREATURES if text in FACES[card].texts]


LIVELY, VENGEFUL, SLUGGISH = keyed("lively"), keyed("vengeful"), keyed("sluggish")


def test_it_is_told_that_a_vengeful_creature_hurts_its_attacker() -> None:
    hurt = CreaturesDamaged(
        {"ember_fox": 2, "clay_guard": 1}, "attack", {"ember_fox": "clay_guard", "clay_guard": "ember_fox"}
    )
    spoken = GAME.narration.render_spoken_text(hurt, sum={"en": "", "de": ""})
    assert spoken is not None
    assert spoken.clause == "CC-KEY-VENGEFUL-1"
    assert "2 Schaden" in spoken.says["de"]
    assert "1 Schaden" in spoken.says["de"]


# ---- lively ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", LIVELY)
@pytest.mark.clause("CC-KEY-LIVELY-1", "CC-AMB-12")
def test_a_lively_creature_attacks_in_the_turn_in_which_it_was_summoned(card: str) -> None:
    _, state = played(card, theirs={"A2": "clay_guard"}, spare=paid(card))
    events, state = calmly(state, 0, Attack(card, paid(card), "clay_guard"))
    assert damage(events) == {"clay_guard": FACES[card].attack}


@pytest.mark.parametrize("card", LIVELY)
@pytest.mark.clause("CC-KEY-LIVELY-1", "CC-AMB-12")
def test_a_lively_creature_does_not_act_twice(card: str) -> None:
    _, state = played(card, theirs={"A2": "clay_guard", "B3": "tar_golem"}, spare=(*paid(card), *paid(card)))
    _, state = calmly(state, 0, Attack(card, paid(card), "clay_guard"))
    assert refused(state, 0, Attack(card, paid(card), "clay_guard"))[0] == "lively_once_more"


def test_a_creature_that_is_not_lively_does_not_act_in_the_turn_in_which_it_came() -> None:
    _, state = played("knife_goblin", theirs={"A2": "clay_guard"}, spare=(4,))
    assert refused(state, 0, Attack("knife_goblin", (4,), "clay_guard"))[0] == "entered_this_turn"


# ---- vengeful --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", VENGEFUL)
@pytest.mark.clause("CC-KEY-VENGEFUL-1", "CC-AMB-22")
def test_a_vengeful_creature_strikes_back_at_the_same_time(card: str) -> None:
    events, _ = attacked(card, "clay_guard")
    assert [event.points for event in of(events, CreaturesDamaged)] == [{card: 1, "clay_guard": FACES[card].attack}]


@pytest.mark.parametrize("card", VENGEFUL)
@pytest.mark.clause("CC-AMB-22")
def test_a_vengeful_creature_does_nothing_to_another_vengeful_one_but_its_attack(card: str) -> None:
    by = "obsidian_guard" if card != "obsidian_guard" else "knife_goblin"  # whose block damage is no attack
    events, _ = attacks(card, by, theirs={"B1": by})
    assert [event.points for event in of(events, CreaturesDamaged)] == [
        {by: FACES[card].attack, card: FACES[by].attack}
    ]


@pytest.mark.parametrize("card", VENGEFUL)
@pytest.mark.clause("CC-AMB-22", "CC-CHAIN-7")
def test_a_vengeful_creature_does_not_strike_back_if_the_attack_is_cancelled(card: str) -> None:
    state = table({"A1": card, "C1": "recoil"}, {"B1": "banner_knight"}, turn=1, dice=(4, 6))
    state = then(state, 1, Attack("banner_knight", (4, 6), card))
    events, _ = calmly(state, 0, Flip("C1", "recoil"))
    assert damage(events) == {"banner_knight": 5}  # its own attack, from the crush card


# ---- sluggish --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", SLUGGISH)
@pytest.mark.clause("CC-KEY-SLUGGISH-1")
def test_a_sluggish_creature_takes_damage_when_it_is_moved_in_the_tactic_phase(card: str) -> None:
    state = then(table({"B1": card, "B2": "clay_guard"}, dice=(1, 2)), 0, EndCombat())
    events, _ = calmly(state, 0, MoveCreature(card, "A3", 2))
    assert of(events, CreaturesDamaged) == [CreaturesDamaged({card: 1}, "sluggish")]
    events, _ = calmly(state, 0, MoveCreature("clay_guard", "A3", 2))
    assert damage(events) == {}


@pytest.mark.parametrize("card", SLUGGISH)
@pytest.mark.clause("CC-AMB-30")
def test_a_sluggish_creature_takes_no_damage_when_an_effect_moves_it(card: str) -> None:
    _, state = played("trench_digger", theirs={"B1": card})
    events, state = calmly(state, 0, ChoosePlace("A3"))
    assert state.places_by_creature[card] == "A3/1"
    assert damage(events) == {}


# ---- nothing at all --------------------------------------------------------------------------------------------------


@pytest.mark.card("clay_guard")
def test_the_clay_guard_stands_and_hits() -> None:
    events, _ = attacks("clay_guard", "ember_fox", theirs={"B1": "ember_fox"})
    assert damage(events) == {"ember_fox": 1}
    _, state = attacked("clay_guard", "iron_boar")
    assert state.life_left("clay_guard") == 2


@pytest.mark.card("clay_guard")
def test_nothing_happens_as_the_clay_guard_comes_or_goes() -> None:
    events, _ = played("clay_guard", theirs={"B1": "ember_fox"})
    assert names(events) == ["DiceBurned", "CreatureSummoned"]
    events, _ = died("clay_guard")
    assert names(events) == ["DiceBurned", "AttackDeclared", "Damaged", "CardsDestroyed"]
    events, _ = raided("clay_guard")
    assert names(events) == ["DiceBurned", "AttackDeclared", "CardsDestroyed"]


# ---- when a keyword must not happen ----------------------------------------------------------------------------------


@pytest.mark.parametrize("card", with_text("action"))
@pytest.mark.clause("CC-KEY-ACTION-1")
def test_an_action_does_not_happen_when_its_creature_is_revived(card: str) -> None:
    theirs = {"B1": "knife_goblin", "B2": "dune_strider", "C2": "volley"}
    state = table({"A1": "thornback"}, theirs, hells=((card, "spark_imp", "pitfall"), ()), dice=(2,),
                  hands=((), ("sky_bolt", "overthrow", "recoil", "worldfire")))  # fmt: skip
    events, state = said(state, {"do": "revive", "card": "buried"}, buried=card)
    more, state = calmly(state, 0, ChoosePlace("B1"))
    assert names(events + more) == ["CreatureRevived"]
    assert state.card_at("B1/0") == card
    assert asked(state) == {0}


@pytest.mark.parametrize("card", with_text("hell"))
@pytest.mark.clause("CC-KEY-HELL-1")
def test_hell_does_not_happen_when_its_card_comes_from_the_deck(card: str) -> None:
    events, state = raided(card)
    assert names(events) == ["DiceBurned", "AttackDeclared", "CardsDestroyed"]
    assert state.list_hell(0) == (card,)


@pytest.mark.parametrize("card", with_text("trap"))
@pytest.mark.clause("CC-KEY-TRAP-1", "CC-AMB-21")
def test_a_trap_does_not_happen_when_its_creature_dies_on_the_field(card: str) -> None:
    events, state = died(card)
    assert names(events) == ["DiceBurned", "AttackDeclared", "Damaged", "CardsDestroyed"]
    assert state.list_hell(0) == (card,)
