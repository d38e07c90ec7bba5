"""What the rulebook leaves open, read in more than one way: the same position by both readings."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import TurnUpResult
from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import collect_granting_clauses, preview_move
from referee.engine.seats import CHANCE, Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.events import (
    CardsStolen,
    ImmunityHeld,
    LightningStruckBack,
    PlayerDrewCards,
    SurplusDiscarded,
    TurnBegan,
)
from referee.games.monster_combat.monster_events import MonsterFellAsleep, MonsterWoke
from referee.games.monster_combat.moves import Parry, Pass, PlayCard
from referee.games.monster_combat.rules.attacks import LightningAttack
from referee.games.monster_combat.rules.triggers import EventPhase
from referee.games.monster_combat.rules.turn import EndOfTurn, SurplusDiscard
from referee.games.monster_combat.state import Table
from tests.games.course import of, refusal, then, when
from tests.games.monster_combat.given import asked, table


def read(state: Table, clause: str) -> Table:
    """The same table by the second reading of a clause."""
    found: Table = GAME.apply_interpretations(state, {clause: 2})
    return found


@pytest.mark.clause("MC-AMB-16")
def test_new_matches_have_an_immunity_that_helps_and_old_ones_stay_as_they_were() -> None:
    def until(**more: Any) -> str:
        found: str = GAME.build_table(Setup("V2", 2, **more)).rules.v2_immunity_until
        return found

    assert GAME.newest_ruleset == "2"
    assert until() == until(ruleset="2") == "own_next_event_checked"
    assert until(ruleset="1") == "own_next_turn_start"
    usual = {"v2_immunity_until": "own_next_turn_start"}
    assert until(settings=usual) == "own_next_turn_start"  # what the table chose goes before the ruleset


@pytest.mark.clause("MC-AMB-7", "MC-AMB-7-R2")
def test_a_change_of_direction_ends_the_turn_with_the_hand_limit_or_at_once() -> None:
    state = table(["sword"] * 9, [], [], agenda=(EndOfTurn(), EventPhase(0)), events=("?event",))
    turned = TurnUpResult("change_direction!event")
    assert then(state, CHANCE, turned).agenda[-1] == SurplusDiscard(0, 2)
    events, after = when(read(state, "MC-AMB-7"), CHANCE, turned)
    assert not of(events, SurplusDiscarded)
    assert of(events, TurnBegan) == [TurnBegan(2)]
    assert len(after.cards_in_hand(0)) == 9
    assert "MC-AMB-7-R2" in collect_granting_clauses(read(state, "MC-AMB-7"), turned, events)
    usual = read(table(["sword"] * 9, [], []), "MC-AMB-7")
    assert then(usual, 0, Pass()).agenda[-1] == SurplusDiscard(0, 2)  # other turns end as always


@pytest.mark.clause("MC-AMB-10", "MC-AMB-10-R2")
@pytest.mark.parametrize(("hearts", "back"), [((3, 3), False), ((3, 3, 0), False), ((3, 3, 3), True)])
def test_lightning_strikes_back_with_one_opponent_or_only_with_more(hearts: tuple[int, ...], back: bool) -> None:
    hands = ([], ["shield"], [])[: len(hearts)]
    state = table(*hands, hearts=hearts, agenda=(EndOfTurn(), LightningAttack((1,), 0)))
    assert of(when(state, 1, Parry("shield"))[0], LightningStruckBack)
    events, after = when(read(state, "MC-AMB-10"), 1, Parry("shield"))
    assert bool(of(events, LightningStruckBack)) is back
    assert after.hearts[0] == (2 if back else 3)


@pytest.mark.clause("MC-AMB-11", "MC-AMB-11-R2")
def test_an_immune_player_stops_the_strike_back_or_is_left_out_of_account() -> None:
    state = table(["lightning"], [], ["shield"], immune=(False, True, False))
    after = then(then(state, 0, PlayCard("lightning")), 2, Parry("shield"))
    assert after.hearts == (3, 3, 3)
    events, after = when(then(read(state, "MC-AMB-11"), 0, PlayCard("lightning")), 2, Parry("shield"))
    assert of(events, LightningStruckBack)
    assert after.hearts == (2, 3, 3)
    alone = read(table(["lightning"], [], immune=(False, True)), "MC-AMB-11")
    assert then(alone, 0, PlayCard("lightning")).hearts == (3, 3)  # nobody was hit


@pytest.mark.clause("MC-AMB-12", "MC-AMB-12-R2")
def test_a_thief_gets_nothing_from_an_immune_player_or_draws_instead() -> None:
    state = table(["thief_2"], ["skip", "sword"], [], immune=(False, True, False))
    assert then(state, 0, PlayCard("thief_2")).cards_in_hand(0) == ()
    events, after = when(read(state, "MC-AMB-12"), 0, PlayCard("thief_2"))
    assert of(events, ImmunityHeld)
    assert not of(events, CardsStolen)
    assert len(of(events, PlayerDrewCards)[0].put) == 2
    assert len(after.cards_in_hand(0)) == 2
    assert after.cards_in_hand(1)[:2] == ("skip", "sword")


@pytest.mark.clause("MC-AMB-14", "MC-AMB-14-R2")
def test_a_monster_sleeps_for_a_round_or_through_one_turn() -> None:
    events = ("all_hearts_back!event",) * 6
    state = table(["skip"], [], [], variant="V2", events=events)
    for given, asleep in ((state, [True, True, False]), (read(state, "MC-AMB-14"), [True, False, False])):
        facts, now = when(given, 0, PlayCard("skip"))
        text = GAME.narration.describe_event(of(facts, MonsterFellAsleep)[0])
        assert text is not None
        assert ("next turn" in text["en"]) is (given is not state)
        found = []
        for seat in (1, 2, 0):
            assert asked(now) == {seat}
            found.append(now.is_monster_asleep())
            now = then(now, seat, Pass())
        assert found == asleep


@pytest.mark.clause("MC-AMB-14-R2")
def test_a_lone_player_wakes_the_monster_with_the_next_turn_by_either_reading() -> None:
    state = table(["skip"], [], variant="V2", hearts=(3, 0), events=("all_hearts_back!event",) * 3)
    for given in (state, read(state, "MC-AMB-14")):
        assert of(when(given, 0, PlayCard("skip"))[0], MonsterWoke)


@pytest.mark.clause("MC-AMB-11", "MC-AMB-11-R2")
@pytest.mark.parametrize(("reading", "hearts"), [(1, (3, 3, 3)), (2, (2, 3, 3))])
def test_a_position_may_say_that_all_others_parried_beside_an_immune_player(
    reading: int, hearts: tuple[int, ...]
) -> None:
    players = [{"hearts": 3, "immune": number == 1, "hand": 1} for number in range(3)]
    asked_now = {"asks": "lightning", "order": [2], "by": 0, "all_parried": True}
    said = {"variant": "V1", "players": players, "turn": 0, "skipped": None, "question": asked_now}
    written = said | ({"readings": {"MC-AMB-11": 2}} if reading == 2 else {})
    state = GAME.positions.decode_position(written)
    assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
    events, _need = preview_move(state, Seat(2), Parry("shield"))
    assert apply_events(state, events).hearts == hearts


@pytest.mark.clause("MC-V1-LIGHTNING-3")
def test_a_shield_against_the_strike_back_can_be_written_down_and_is_refused() -> None:
    players = [{"hearts": 3, "immune": False, "hand": ["shield"]}, {"hearts": 3, "immune": False, "hand": []}]
    question = {"asks": "lightning", "order": [], "by": 0, "all_parried": True}
    state = GAME.positions.decode_position({"variant": "V1", "players": players, "turn": 0, "question": question})
    ruling = refusal(state, 0, Parry("shield"))
    assert (ruling.reason, ruling.clauses[0]) == ("no_shield_against_the_strike_back", "MC-V1-LIGHTNING-3")
