"""Slaying: its order, its rewards, and the abilities gained by it."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, Decline
from referee.games.here_to_slay.components import MONSTERS, ROW
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.events.heroes import MonsterSlain
from referee.games.here_to_slay.events.plays import RollSettled
from referee.games.here_to_slay.events.turns import MonsterTurnedUp, PointGained
from referee.games.here_to_slay.moves import Attack, DrawOne, EndTurn, RollFor
from tests.games.course import of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, with_deck
from tests.games.here_to_slay.in_a_roll import facing, settled_as


@pytest.mark.clause("HTS-MON-10", "HTS-DO-36")
def test_slaying_goes_party_ability_reward_new_monster_and_triggers_last() -> None:
    state = facing("mega_slime", slain={0: ["orthus"]}, deck=["enchanted_spell", "hopper"])
    top = state.cards_at(MONSTERS)[0]
    events, state = rolls(then(state, 0, Attack("mega_slime")), 5, 4)
    assert names(events) == [
        "DiceRolled", "RollSettled", "MonsterSlain", "PointGained", "CardDrawn", "CardDrawn", "MonsterTurnedUp",
    ]  # fmt: skip
    assert of(events, PointGained) == [PointGained(0, 2)]
    assert [event.put for event in of(events, MonsterTurnedUp)] == [(top,)]
    # then Orthus asks about the reward, the row being complete
    assert len(state.cards_at(ROW)) == 3
    assert {ChooseCard("enchanted_spell"), Decline()} == set(offered(state, 0))


@pytest.mark.clause("HTS-MON-10")
@pytest.mark.parametrize(("monster", "reward"), [("corrupted_sabretooth", 1), ("mega_slime", 2), ("abyss_queen", 0)])
def test_two_monsters_give_a_reward_and_all_are_replaced_by_one_from_the_deck(monster: str, reward: int) -> None:
    before = facing(monster)
    events, state = rolls(then(before, 0, Attack(monster)), 6, 6)
    assert [(event.put, event.seat) for event in of(events, MonsterSlain)] == [((monster,), 0)]
    assert [event.seat for event in of(events, CardDrawn)] == [0] * reward
    assert state.cards_at(ROW) == (*before.cards_at(ROW)[1:], before.cards_at(MONSTERS)[0])
    assert len(state.cards_at(MONSTERS)) == len(before.cards_at(MONSTERS)) - 1


@pytest.mark.clause("HTS-MON-11")
def test_the_new_monster_may_be_attacked_in_the_same_turn() -> None:
    state = facing("abyss_queen", points=4)
    new = state.cards_at(MONSTERS)[0]
    assert refusal(state, 0, Attack(new)).reason == "not_in_the_row"
    _, state = rolls(then(state, 0, Attack("abyss_queen")), 6, 6)
    assert Attack(new) in offered(state, 0)


@pytest.mark.clause("HTS-MON-12")
def test_a_monster_in_the_row_gives_nothing_and_a_slain_one_gives_its_ability_from_then_on() -> None:
    state = facing("anuran_cauldron", party=["peanut", "bun_bun", "napping_nibbles"], points=4)
    found = []
    for move in (RollFor("peanut"), Attack("anuran_cauldron"), RollFor("napping_nibbles")):
        events, state = rolls(then(state, 0, move), *((6, 6) if isinstance(move, Attack) else (1, 1)))
        found += [event.total for event in of(events, RollSettled)]
    assert found == [2, 12, 3]
    state = then(then(state, 0, EndTurn()) if state.turn == 0 else state, 1, EndTurn())
    events, _ = rolls(then(state, 0, RollFor("peanut")), 1, 1)
    assert settled_as(events) == [(3, "failure")]


@pytest.mark.clause("HTS-MON-12")
def test_an_ability_with_a_choice_is_offered_every_time_like_that_of_a_leader() -> None:
    state = facing("dracos", party=["napping_nibbles", "peanut"], slain={0: ["arctic_aries"]})
    for hero in ("napping_nibbles", "peanut"):
        _, state = rolls(then(state, 0, RollFor(hero)), 6, 6)
        events, state = when(state, 0, Accept())
        assert len(of(events, CardDrawn)) == 1
        state = with_deck(state, "fluffy", "hopper", "spooky")
        assert DrawOne() in offered(passes(state)[1], 0)


@pytest.mark.clause("HTS-MON-13")
@pytest.mark.parametrize("hero", ["bad_axe", "kit_napper"])
def test_a_slain_monster_is_neither_destroyed_nor_stolen(hero: str) -> None:
    state = facing("dracos", party=[hero], parties={0: [hero], 1: ["fluffy", "peanut"]}, slain={1: ["orthus"]})
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    assert refusal(state, 0, ChooseCard("orthus")).reason == "no_such_hero"
    state = then(state, 0, ChooseCard("fluffy"))
    assert state.monsters_slain_by(1) == ("orthus",)


@pytest.mark.clause("HTS-MON-13", "HTS-AMB-74")
def test_a_slain_monster_is_not_sacrificed() -> None:
    state = facing("abyss_queen", party=["peanut", "bun_bun"], slain={0: ["orthus"]})
    _, state = rolls(then(state, 0, Attack("abyss_queen")), 1, 1)
    assert refusal(state, 0, ChooseCards(("orthus",))).reason == "not_in_the_party"
