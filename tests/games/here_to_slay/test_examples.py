"""The worked examples of the rules, by number."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChoosePlayer, ChooseValue, Decline
from referee.engine.referee import judge_move
from referee.engine.seats import Seat
from referee.games.here_to_slay.components import DISCARD, ROW
from referee.games.here_to_slay.events.cards import CardPulled, EffectLapsed
from referee.games.here_to_slay.events.plays import (
    PlayAnnounced,
    RollSettled,
    TargetsDeclared,
    UnsettledRolls,
    ValueAdded,
)
from referee.games.here_to_slay.events.turns import GameWon, PointGained, PointsSpent, TurnStarted
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    EndTurn,
    Modify,
    Pass,
    PlayCard,
    RollFor,
)
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import attacked, dice, names, offered, passes, settlements, table


def running(state: Table) -> int:
    """The total of the roll that is not settled yet."""
    return next(
        state.compute_roll_total(step.casts[0]) for step in reversed(state.agenda) if isinstance(step, UnsettledRolls)
    )


@pytest.mark.clause(
    "HTS-PLAY-2", "HTS-CHAL-3", "HTS-CHAL-4", "HTS-CHAL-6", "HTS-CHAL-7", "HTS-CHAL-8", "HTS-CHAL-10", "HTS-MOD-5",
    "HTS-MOD-7", "HTS-MOD-8", "HTS-MOD-10", "HTS-TURN-4", "HTS-AMB-23",
)  # fmt: skip
def test_example_1_a_hero_is_challenged_and_the_totals_tie() -> None:
    leaders = {0: "the_charismatic_song", 1: "the_divine_arrow", 2: "the_cloaked_sage"}
    state = table(
        ["peanut"], ["challenge", "modifier_plus_1_minus_3"], ["challenge", "modifier_minus_4"], leaders=leaders
    )
    events, state = when(state, 0, PlayCard("peanut"))
    assert names(events) == ["PlayAnnounced", "PointsSpent"]
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 2)]
    assert asked(state) == {1, 2}
    _, state = when(state, 2, Pass())
    assert refusal(state, 2, Challenge()).clauses[0] == "HTS-CHAL-3"
    events, state = when(state, 1, Challenge())
    assert names(events) == ["ChallengeDeclared"]
    events, state = dice(state, 4, 3, 5, 3)
    assert names(events) == ["DiceRolled", "DiceRolled"]
    assert asked(state) == {1, 2}
    events, state = when(state, 1, Modify("modifier_plus_1_minus_3", 1, 1))
    assert names(events) == ["ModifierPlayed"]
    assert asked(state) == {2}
    events, state = when(state, 2, Pass())
    assert names(events) == ["RollSettled", "RollSettled", "ToDiscard", "PlayLost"]
    assert [event.total for event in of(events, RollSettled)] == [8, 8]
    assert state.cards_at(DISCARD) == ("modifier_plus_1_minus_3", "challenge", "peanut")
    assert state.points == 2
    assert state.party_of(0) == ()
    assert offered(state, 2) == []


@pytest.mark.clause(
    "HTS-ROLL-4", "HTS-ROLL-5", "HTS-ROLL-6", "HTS-ROLL-9", "HTS-TGT-3", "HTS-MOD-3", "HTS-MOD-4", "HTS-MOD-6",
    "HTS-MOD-7", "HTS-MOD-12", "HTS-DO-45", "HTS-AMB-18",
)  # fmt: skip
def test_example_2_a_hero_roll_with_a_declared_target_and_modifiers_from_three_players() -> None:
    state = table(
        ["modifier_plus_2_minus_2"],
        ["modifier_plus_1_minus_3", "peanut"],
        ["modifier_plus_4"],
        leaders={0: "the_charismatic_song", 1: "the_protecting_horn", 2: "the_divine_arrow"},
        parties={0: [("bad_axe", "curse_of_the_snakes_eyes")], 1: ["fluffy"], 2: [("kit_napper", "decoy_doll")]},
        points=2,
    )
    events, state = when(state, 0, RollFor("bad_axe"))
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 1)]
    events, state = dice(state, 4, 4)
    assert names(events) == ["DiceRolled", "HeroMarked"]
    assert running(state) == 7
    assert offered(state, 0) == [ChooseCard("fluffy"), ChooseCard("kit_napper")]
    events, state = when(state, 0, ChooseCard("fluffy"))
    assert of(events, TargetsDeclared) == [TargetsDeclared(0, {"target": ("fluffy",)})]
    assert asked(state) == {0, 1, 2}
    _, state = when(state, 0, Modify("modifier_plus_2_minus_2", 2, 0))
    assert running(state) == 9
    _, state = when(state, 1, Modify("modifier_plus_1_minus_3", -3, 0))
    assert running(state) == 6
    assert asked(state) == {1}  # The Protecting Horn comes before anybody plays or passes again
    events, state = when(state, 1, ChooseValue(-1))
    assert of(events, ValueAdded) == [ValueAdded(1, "the_protecting_horn", -1, 0)]
    assert running(state) == 5
    _, state = when(state, 2, Modify("modifier_plus_4", 4, 0))
    assert running(state) == 9
    assert asked(state) == {1}
    events, state = when(state, 1, Pass())
    assert names(events) == ["RollSettled", "HeroDestroyed"]
    assert settlements(events) == [(9, "success")]
    assert state.cards_at(DISCARD) == (
        "modifier_plus_2_minus_2",
        "modifier_plus_1_minus_3",
        "modifier_plus_4",
        "fluffy",
    )
    assert state.points == 1
    assert refusal(state, 0, RollFor("bad_axe")).clauses[0] == "HTS-ROLL-4"


@pytest.mark.clause(
    "HTS-MON-1", "HTS-MON-2", "HTS-MON-3", "HTS-MON-4", "HTS-MON-7", "HTS-ITEM-9", "HTS-ACT-4", "HTS-ACT-8"
)
def test_example_3_who_may_attack_what_and_a_total_in_the_gap() -> None:
    row = ["orthus", "abyss_queen", "malamammoth"]
    leaders = {0: "the_cloaked_sage"}
    state = table([], ["peanut"], parties={0: ["bun_bun"]}, row=row, leaders=leaders)
    assert "HTS-MON-3" in refusal(state, 0, Attack("abyss_queen")).clauses
    assert "HTS-MON-2" in refusal(state, 0, Attack("malamammoth")).clauses
    masked = table([], [], parties={0: [("bun_bun", "ranger_mask")]}, row=row, leaders=leaders)
    assert "HTS-MON-2" in refusal(masked, 0, Attack("malamammoth")).clauses
    two = table([], [], parties={0: [("bun_bun", "ranger_mask"), "peanut"]}, row=row, leaders=leaders)
    assert judge_move(two, Seat(0), Attack("malamammoth")).granted
    assert not judge_move(masked, Seat(0), Attack("abyss_queen")).granted

    events, state = attacked(state, "orthus", 3, 3)
    assert names(events) == ["PointsSpent", "DiceRolled", "RollSettled"]
    assert of(events, PointsSpent) == [PointsSpent(0, 2, 1)]
    assert settlements(events) == [(6, "nothing")]
    assert "orthus" in state.cards_at(ROW)
    assert refusal(state, 0, Attack("orthus")).clauses[0] == "HTS-ACT-8"
    assert state.points == 1


FOUR = ["peanut", "bun_bun", "bad_axe", "hook"]


@pytest.mark.clause("HTS-MON-10", "HTS-DO-36", "HTS-AMB-67", "HTS-TURN-2", "HTS-TURN-6")
def test_example_5_slaying_mega_slime_with_the_last_points() -> None:
    state = table(
        [], [], leaders={0: "the_fist_of_reason"}, parties={0: FOUR}, slain={0: ["terratuga"]}, points=2,
        row=["mega_slime", "dracos", "orthus"],
    )  # fmt: skip
    events, state = attacked(state, "mega_slime", 5, 4)
    assert names(events) == [
        "PointsSpent", "DiceRolled", "RollSettled", "MonsterSlain", "PointGained", "CardDrawn", "CardDrawn",
        "MonsterTurnedUp",
    ]  # fmt: skip
    assert of(events, PointsSpent) == [PointsSpent(0, 2, 0)]
    assert settlements(events) == [(9, "slay")]
    assert of(events, PointGained) == [PointGained(0, 1)]
    assert (state.turn, state.points) == (0, 1)
    assert len(state.cards_at(ROW)) == 3
    state = then(then(state, 0, EndTurn()), 1, EndTurn())
    assert (state.turn, state.points) == (0, 4)


@pytest.mark.clause("HTS-AMB-67", "HTS-TURN-6")
def test_example_5_with_the_point_of_mega_slime_from_the_next_turn() -> None:
    state = table(
        [], [], leaders={0: "the_fist_of_reason"}, parties={0: FOUR}, slain={0: ["terratuga"]}, points=2,
        row=["mega_slime", "dracos", "orthus"], rules={"mega_slime_from": "next_turn"},
    )  # fmt: skip
    events, state = attacked(state, "mega_slime", 5, 4)
    assert names(events)[3:] == [
        "MonsterSlain", "CardDrawn", "CardDrawn", "MonsterTurnedUp", "TurnEnded", "TurnStarted"
    ]  # fmt: skip
    assert of(events, TurnStarted) == [TurnStarted(1, 3)]
    assert then(state, 1, EndTurn()).points == 4


@pytest.mark.clause("HTS-WIN-1", "HTS-MON-10")
def test_example_5_as_the_third_monster_wins_at_once() -> None:
    state = table(
        [], [], leaders={0: "the_fist_of_reason"}, parties={0: FOUR}, slain={0: ["terratuga", "dracos"]}, points=2,
        row=["mega_slime", "bloodwing", "orthus"],
    )  # fmt: skip
    events, state = attacked(state, "mega_slime", 5, 4)
    assert names(events) == ["PointsSpent", "DiceRolled", "RollSettled", "MonsterSlain", "GameWon"]
    assert of(events, GameWon) == [GameWon(0, "three_monsters")]
    assert state.cards_at(ROW) == ("bloodwing", "orthus")
    assert (state.cards_in_hand(0), state.agenda) == ((), ())


def buttons(pull_from: list[str], **more: object) -> tuple[tuple[object, ...], Table]:
    """Seat 0 has rolled 3 and 4 for Buttons against seat 1, and pulled its only card."""
    state = table(
        [], pull_from, ["challenge"],
        leaders={0: "the_cloaked_sage"}, parties={0: ["buttons"], 1: ["peanut"]}, points=1, **more,
    )  # fmt: skip
    events, state = when(state, 0, RollFor("buttons"))
    assert of(events, PointsSpent) == [PointsSpent(0, 1, 0)]
    events, state = dice(state, 3, 4)
    assert offered(state, 0) == [ChoosePlayer(1), ChoosePlayer(2)]
    more_facts, state = when(state, 0, ChoosePlayer(1))
    assert asked(state) == {1, 2}
    last, state = passes(state)
    return (*events, *more_facts, *last), state


@pytest.mark.clause(
    "HTS-DO-6", "HTS-DO-31", "HTS-DO-40", "HTS-DO-48", "HTS-NOW-1", "HTS-NOW-3", "HTS-NEST-1", "HTS-CHAL-4",
    "HTS-AMB-4", "HTS-AMB-45", "HTS-TRIG-2", "HTS-ASK-3", "HTS-AMB-77",
)  # fmt: skip
def test_example_7_a_nested_play_with_a_cost_that_cannot_be_paid() -> None:
    events, state = buttons(["destructive_spell"])
    assert names(events) == ["DiceRolled", "HeroMarked", "TargetsDeclared", "RollSettled", "CardPulled"]
    assert settlements(events) == [(7, "success")]
    (pull,) = of(events, CardPulled)
    assert (pull.seat, pull.of, pull.put) == (0, 1, ("destructive_spell",))
    assert pull.view_for(0).put == pull.view_for(1).took == ("destructive_spell",)
    assert pull.view_for(2).put == pull.view_for(2).took == ("?",)
    assert offered(state, 0) == [Decline(), ChooseCard("destructive_spell")]
    events, state = when(state, 0, ChooseCard("destructive_spell"))
    assert names(events) == ["PlayAnnounced"]
    assert of(events, PlayAnnounced)[0].immediate
    assert asked(state) == {2}  # seat 1 has no card left
    events, state = when(state, 2, Pass())
    assert names(events) == ["PlayStood", "Lapsed", "MagicPlayed"]
    assert of(events, EffectLapsed) == [EffectLapsed("destructive_spell", "cost")]
    assert state.cards_at(DISCARD) == ("destructive_spell",)
    assert offered(state, 0) == [Decline(), Accept()]  # The Cloaked Sage
    events, state = when(state, 0, Accept())
    assert names(events) == ["CardDrawn", "TurnEnded", "TurnStarted"]
    assert of(events, TurnStarted) == [TurnStarted(1, 3)]
    assert state.party_of(1) == ("peanut",)


@pytest.mark.clause("HTS-DO-40", "HTS-MAY-3", "HTS-ASK-3")
def test_example_7_with_a_card_of_another_kind_only_lets_decline() -> None:
    events, state = buttons(["hook"])
    assert names(events)[-1] == "CardPulled"
    assert offered(state, 0) == [Decline()]
    assert refusal(state, 0, ChooseCard("hook")).clauses == ("HTS-DO-40", "HTS-MAY-3")
    events, state = when(state, 0, Decline())
    assert names(events) == ["TurnEnded", "TurnStarted"]
    assert state.cards_in_hand(0) == ("hook",)


@pytest.mark.clause("HTS-AMB-45")
def test_example_7_with_unpayable_plays_forbidden_only_lets_decline() -> None:
    _, state = buttons(["destructive_spell"], rules={"unpayable_play": "forbid"})
    assert offered(state, 0) == [Decline()]
    assert refusal(state, 0, ChooseCard("destructive_spell")).clauses == ("HTS-AMB-45",)
