"""The fifteen monsters in the row: who may attack them, what slays them, and how they fight back."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCards
from referee.engine.referee import judge_move
from referee.engine.seats import Seat
from referee.games.here_to_slay.components import DISCARD, MONSTER_BOX, MONSTERS, ROW
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.events.heroes import MonsterFoughtBack, MonsterSlain
from referee.games.here_to_slay.moves import Attack
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, when
from tests.games.here_to_slay.given import attacked, names, pips, settlements, table

ALL = ("abyss_queen", "anuran_cauldron", "arctic_aries", "bloodwing", "corrupted_sabretooth", "crowned_serpent",
       "dark_dragon_king", "dracos", "malamammoth", "mega_slime", "orthus", "rex_major", "terratuga", "titan_wyvern",
       "warworn_owlbear")  # fmt: skip
every_monster = pytest.mark.card(
    "abyss_queen", "anuran_cauldron", "arctic_aries", "bloodwing", "corrupted_sabretooth", "crowned_serpent",
    "dark_dragon_king", "dracos", "malamammoth", "mega_slime", "orthus", "rex_major", "terratuga", "titan_wyvern",
    "warworn_owlbear",
)  # fmt: skip
ONE, TWO, THREE = ["hook"], ["hook", "fluffy"], ["hook", "fluffy", "peanut"]
FOUR = [*THREE, "qi_bear"]
CLASSES = {"dark_dragon_king": "bard", "malamammoth": "ranger", "orthus": "wizard", "rex_major": "guardian",
           "titan_wyvern": "fighter", "warworn_owlbear": "thief"}  # fmt: skip
ONE_OF_EACH = {"fighter": "tough_teddy", "guardian": "guiding_light", "ranger": "wily_red",
               "thief": "smooth_mimimeow", "wizard": "snowball", "bard": "mellow_dee"}  # fmt: skip
LED = {"fighter": "the_fist_of_reason", "guardian": "the_protecting_horn", "ranger": "the_divine_arrow",
       "thief": "the_shadow_claw", "wizard": "the_cloaked_sage", "bard": "the_charismatic_song"}  # fmt: skip
NEEDS = {  # the smallest party; the total that just slays, the one that just makes it fight back; the penalty
    "abyss_queen": (TWO, 8, 5, "hero"),
    "anuran_cauldron": (THREE, 7, 6, "hero"),
    "arctic_aries": (ONE, 10, 6, "hero"),
    "bloodwing": (TWO, 9, 6, "hero"),
    "corrupted_sabretooth": (THREE, 9, 6, "hero"),
    "crowned_serpent": (TWO, 10, 7, "hero"),
    "dark_dragon_king": (["peanut", "hook"], 8, 4, "cards"),
    "dracos": (ONE, 5, 8, "hero"),
    "malamammoth": (["hook", "fluffy"], 8, 4, "cards"),
    "mega_slime": (FOUR, 8, 7, "hero"),
    "orthus": (["fluffy", "hook"], 8, 4, "cards"),
    "rex_major": (["wise_shield", "hook"], 8, 4, "cards"),
    "terratuga": (ONE, 11, 7, "hero"),
    "titan_wyvern": (["qi_bear", "hook"], 8, 4, "cards"),
    "warworn_owlbear": (["meowzio", "hook"], 8, 4, "cards"),
}
REWARDS = {"corrupted_sabretooth": 1, "mega_slime": 2}
UP = {monster: -1 if monster == "dracos" else 1 for monster in ALL}  # which way leads from fighting back to slaying


def facing(monster: str, party: list[str] | None = None) -> Table:
    """Seat 0, with the smallest party and a leader that fills no slot, and this monster with two others in the row."""
    others = [other for other in MONSTER_BOX if other != monster][:2]
    leader = "the_fist_of_reason" if monster == "orthus" else "the_cloaked_sage"
    return table(
        ["challenge", "bun_bun", "bard_mask"], [], parties={0: NEEDS[monster][0] if party is None else party},
        row=[monster, *others], leaders={0: leader},
    )  # fmt: skip


@every_monster
@pytest.mark.clause("HTS-MON-7", "HTS-MON-8", "HTS-MON-10", "HTS-VERB-9")
@pytest.mark.parametrize("monster", ALL)
def test_a_total_that_reaches_its_range_slays_it(monster: str) -> None:
    state = facing(monster)
    top = state.cards_at(MONSTERS)[0]
    events, state = attacked(state, monster, *pips(NEEDS[monster][1]))
    assert settlements(events) == [(NEEDS[monster][1], "slay")]
    assert len(of(events, MonsterSlain)) == 1
    assert len(of(events, CardDrawn)) == REWARDS.get(monster, 0)
    assert names(events)[-1] == "MonsterTurnedUp"
    assert state.monsters_slain_by(0) == (monster,)
    assert top in state.cards_at(ROW)
    assert len(state.cards_at(ROW)) == 3


@every_monster
@pytest.mark.clause("HTS-MON-7", "HTS-MON-8")
@pytest.mark.parametrize("monster", ALL)
def test_a_total_one_off_its_range_does_not_slay_it(monster: str) -> None:
    _, slays, fights, _ = NEEDS[monster]
    total = slays - UP[monster]
    events, state = attacked(facing(monster), monster, *pips(total))
    assert settlements(events) == [(total, "fight_back" if total == fights else "nothing")]
    assert of(events, MonsterSlain) == []
    assert (state.monsters_slain_by(0), state.cards_at(ROW)[0], state.points) == ((), monster, 1)


@every_monster
@pytest.mark.clause("HTS-MON-7", "HTS-MON-9")
@pytest.mark.parametrize("monster", ALL)
def test_it_fights_back_for_a_hero_or_for_two_cards_of_the_choice_of_the_attacker(monster: str) -> None:
    party, _, fights, penalty = NEEDS[monster]
    events, state = attacked(facing(monster), monster, *pips(fights))
    assert of(events, MonsterFoughtBack) == [MonsterFoughtBack(0, monster)]
    if penalty == "cards":
        assert refusal(state, 0, ChooseCards(("challenge",))).clauses[0] == "HTS-MON-9"
        events, state = when(state, 0, ChooseCards(("challenge", "bard_mask")))
        assert (state.cards_in_hand(0), state.cards_at(DISCARD)) == (("bun_bun",), ("challenge", "bard_mask"))
        assert list(state.party_of(0)) == party
    else:
        if len(party) > 1:
            events, state = when(state, 0, ChooseCards((party[-1],)))
        assert (list(state.party_of(0)), state.cards_at(DISCARD)) == (party[:-1], (party[-1],))
        assert len(state.cards_in_hand(0)) == 3
    assert (state.cards_at(ROW)[0], asked(state)) == (monster, {0})


@every_monster
@pytest.mark.clause("HTS-MON-7")
@pytest.mark.parametrize("monster", ALL)
def test_one_more_and_it_does_not_fight_back(monster: str) -> None:
    _, slays, fights, _ = NEEDS[monster]
    total = fights + UP[monster]
    events, state = attacked(facing(monster), monster, *pips(total))
    assert of(events, MonsterFoughtBack) == []
    assert settlements(events) == [(total, "slay" if total == slays else "nothing")]
    assert state.cards_at(DISCARD) == ()


@every_monster
@pytest.mark.clause("HTS-MON-2", "HTS-MON-3", "HTS-MON-4")
@pytest.mark.parametrize("monster", ALL)
def test_it_may_not_be_attacked_by_a_party_one_member_short(monster: str) -> None:
    party = NEEDS[monster][0]
    assert judge_move(facing(monster), Seat(0), Attack(monster)).granted
    assert "HTS-MON-2" in refusal(facing(monster, party[1:]), 0, Attack(monster)).clauses
    assert "HTS-MON-2" in refusal(facing(monster, party[:-1]), 0, Attack(monster)).clauses


@pytest.mark.card("dark_dragon_king", "malamammoth", "orthus", "rex_major", "titan_wyvern", "warworn_owlbear")
@pytest.mark.clause("HTS-MON-2", "HTS-MON-3", "HTS-MON-4")
@pytest.mark.parametrize("monster", list(CLASSES))
def test_many_heroes_do_not_fill_the_slot_of_a_class_but_the_leader_of_that_class_does(monster: str) -> None:
    others = [hero for class_, hero in ONE_OF_EACH.items() if class_ != CLASSES[monster]]
    assert refusal(facing(monster, others), 0, Attack(monster)).clauses == ("HTS-MON-2", "HTS-MON-3")
    state = table([], [], parties={0: others[:1]}, row=[monster], leaders={0: LED[CLASSES[monster]]})
    assert judge_move(state, Seat(0), Attack(monster)).granted
