"""An event and a legal move cite what acts in their case, and nothing else."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.referee import collect_granting_clauses
from referee.games.here_to_slay.events.turns import LastingEffectEnded
from referee.games.here_to_slay.moves import RollFor
from tests.games.here_to_slay.given import dice, table, then, when


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
