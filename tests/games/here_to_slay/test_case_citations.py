"""An event and a legal move cite what acts in their case, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards
from referee.engine.chance import RollResult, TurnUpResult
from referee.engine.events import Move
from referee.engine.referee import collect_granting_clauses, rule_on_move
from referee.engine.seats import CHANCE, Seat
from referee.games.here_to_slay.components import MONSTERS
from referee.games.here_to_slay.events.turns import LastingEffectEnded
from referee.games.here_to_slay.moves import Attack, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.here_to_slay.given import dice, rolls, table, then, when
from tests.games.here_to_slay.test_real_cards import start


@pytest.mark.clause("HTS-UNTIL-1", "HTS-UNTIL-2")
def test_what_lasts_until_a_turn_ends_and_until_one_starts_are_told_apart() -> None:
    assert LastingEffectEnded(0, "own_turn_end").applied_clauses() == ("HTS-UNTIL-1",)
    assert LastingEffectEnded(0, "own_turn_start").applied_clauses() == ("HTS-UNTIL-2",)


@pytest.mark.clause("HTS-ITEM-5", "HTS-AMB-30")
def test_the_item_of_a_destroyed_hero_cites_nothing_about_sacrifices() -> None:
    parties = {0: ["bad_axe", "hook"], 1: ["peanut", ("fluffy", "bard_mask")]}
    _, state = dice(then(table([], [], parties=parties), 0, RollFor("bad_axe")), 6, 6)
    events, _ = when(state, 0, ChooseCard("fluffy"))
    cited = collect_granting_clauses(state, ChooseCard("fluffy"), tuple(events))
    assert "HTS-ITEM-5" in cited
    assert "HTS-AMB-30" not in cited


@pytest.mark.clause("HTS-AMB-31")
def test_only_a_hero_with_an_item_cites_what_becomes_of_items() -> None:
    for hero, there in (("tipsy_tootie", False), (("tipsy_tootie", "really_big_ring"), True)):
        state = table([], [], parties={0: [hero], 1: ["fluffy", "peanut"]})
        rolled = then(state, 0, RollFor("tipsy_tootie"))
        _, asked = dice(rolled, 6, 6)
        events, _ = when(asked, 0, ChooseCard("fluffy"))
        cited = collect_granting_clauses(asked, ChooseCard("fluffy"), tuple(events))
        assert ("HTS-AMB-31" in cited) is there


def cited(state: Table, seat: int, move: Move) -> set[str]:
    """What the ruling on a legal move rests on."""
    ruling, _ = rule_on_move(state, Seat(seat), move)
    assert ruling.granted, ruling
    return set(ruling.clauses)


@pytest.mark.clause("HTS-SETUP-6", "HTS-MON-10", "HTS-DECK-2", "HTS-AMB-65", "HTS-EDGE-4")
def test_a_monster_comes_into_the_row_by_the_clause_of_the_setup_or_of_refilling() -> None:
    refilling, gap = {"HTS-MON-10", "HTS-AMB-66"}, {"HTS-DECK-2", "HTS-AMB-65", "HTS-EDGE-4"}
    told = {"HTS-SETUP-6", *refilling, *gap}
    assert cited(start(), CHANCE, TurnUpResult("orthus")) & told == {"HTS-SETUP-6"}
    attacked = then(table([], [], parties={0: ["peanut"]}, row=["terratuga", "orthus"]), 0, Attack("terratuga"))
    assert cited(attacked, CHANCE, RollResult((5, 6))) & told == refilling
    empty = replace(attacked, zones={**attacked.zones, MONSTERS: ()})
    assert cited(empty, CHANCE, RollResult((5, 6))) & (told - {"HTS-MON-10"}) == gap


@pytest.mark.clause("HTS-EACH-2", "HTS-AMB-54", "HTS-DO-4", "HTS-DO-5", "HTS-AMB-57", "HTS-ACT-5")
def test_a_discard_cites_for_whom_and_why_it_is() -> None:
    together, others = {"HTS-EACH-2", "HTS-AMB-54"}, {"HTS-DO-5"}
    told = {*together, *others, "HTS-DO-4", "HTS-AMB-57", "HTS-ACT-5"}
    parties = {0: ["beary_wise"]}
    rolling = then(table([], ["hook", "peanut"], ["bun_bun", "fluffy"], parties=parties), 0, RollFor("beary_wise"))
    _, asking = rolls(rolling, 6, 6)
    assert cited(asking, 1, ChooseCards(("hook",))) & told == {*together, *others}
    heavy = then(table([], ["hook", "peanut", "spooky"], [], parties={0: ["heavy_bear"]}), 0, RollFor("heavy_bear"))
    _, asking = rolls(heavy, 6, 6)
    assert cited(asking, 1, ChooseCards(("hook", "peanut"))) & told == others
    spell = table(["destructive_spell", "hook", "peanut"], [], parties={1: ["fluffy"]})
    assert cited(then(spell, 0, PlayCard("destructive_spell")), 0, ChooseCards(("hook",))) & told == {"HTS-DO-4"}


@pytest.mark.clause("HTS-AMB-32")
def test_the_ruling_on_foreign_heroes_acts_only_where_an_item_goes_to_one() -> None:
    parties = {0: ["peanut"], 1: ["fluffy"]}
    good = then(table(["bard_mask"], [], parties=parties), 0, PlayCard("bard_mask"))
    assert "HTS-AMB-32" not in cited(good, 0, ChooseCard("peanut"))
    assert "HTS-AMB-32" in cited(good, 0, ChooseCard("fluffy"))
    cursed = then(table(["sealing_key"], [], parties=parties), 0, PlayCard("sealing_key"))
    assert "HTS-AMB-32" in cited(cursed, 0, ChooseCard("peanut"))
    assert "HTS-AMB-32" not in cited(cursed, 0, ChooseCard("fluffy"))
