"""The numbers of all eighty creatures: what they cost, how hard they hit, and how much they bear."""

from __future__ import annotations

import pytest

from referee.engine.events import replace_fields
from referee.games.creature_crush.components import FACES
from referee.games.creature_crush.moves import Attack, Summon
from tests.games.course import refused
from tests.games.creature_crush.card_moves import calmly, damage, paid
from tests.games.creature_crush.table import offered, table

CREATURES = [card for card, printed in FACES.items() if printed.is_creature]
WALL = "rust_colossus"  # ten life, and not vengeful


@pytest.mark.parametrize("card", CREATURES)
@pytest.mark.clause("CC-PAY-1", "CC-SUMMON-1")
def test_a_creature_is_played_for_its_cost_exactly_and_never_for_more_or_less(card: str) -> None:
    dice = paid(card)
    state = table({"A1": "clay_guard" if card != "clay_guard" else "thornback"}, dice=(*dice, 1), hands=((card,), ()))
    assert refused(state, 0, Summon(card, "B2", (*dice, 1)))[1] == "CC-PAY-1"
    if len(dice) > 1:
        assert refused(state, 0, Summon(card, "B2", dice[1:]))[1] == "CC-PAY-1"
    _, after = calmly(state, 0, Summon(card, "B2", dice))
    assert after.card_at("B2/0") == card
    assert after.dice == (1,)


@pytest.mark.parametrize("card", CREATURES)
@pytest.mark.clause("CC-ATTACK-2", "CC-ATTACK-5")
def test_a_creature_hits_with_its_attack_points_and_never_with_none(card: str) -> None:
    printed, wall = FACES[card], WALL if card != WALL else "frost_lout"
    state = table({"B1": card}, {"B1": wall}, dice=paid(card))
    if not printed.attack:
        assert refused(state, 0, Attack(card, paid(card), wall)) == ("no_attack_points", "CC-ATTACK-2")
        assert not [move for move in offered(state, 0) if isinstance(move, Attack)]
        return
    events, _ = calmly(state, 0, Attack(card, paid(card), wall))
    if card != "pit_viper":  # which destroys what is so big before any damage
        assert damage(events)[wall] == printed.attack


@pytest.mark.parametrize("card", CREATURES)
@pytest.mark.clause("CC-DAMAGE-1")
def test_a_creature_is_destroyed_by_as_much_damage_as_it_has_life_and_not_by_less(card: str) -> None:
    by = "spark_imp" if card != "spark_imp" else "bone_pup"
    by = "pebble_brute" if card == "siege_tortoise" else by  # one of its two points is lost on the armor
    state, life = table({"A1": card}, {"B1": by}, turn=1, dice=paid(by)), FACES[card].life
    for hurt, gone in ((life - 1, True), (life - 2, False)):
        if hurt >= 0:
            given = replace_fields(state, damage={card: hurt} if hurt else {})
            _, after = calmly(given, 1, Attack(by, paid(by), card))
            assert (after.card_at("A1/0") != card) == gone
