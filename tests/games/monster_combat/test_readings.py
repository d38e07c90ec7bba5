"""What the rulebook leaves open, read in more than one way: the same position by both readings."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import collect_granting_clauses, judge_move, preview_move, resolve_pending_steps
from referee.engine.seats import CHANCE, Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.events import (
    CardsStolen,
    EventTurnedUp,
    ImmunityHeld,
    LightningStruckBack,
    PlayerDrewCards,
    SurplusDiscarded,
    TurnBegan,
)
from referee.games.monster_combat.monster_events import MonsterFellAsleep, MonsterWoke
from referee.games.monster_combat.moves import Parry, Pass, PlayCard, TakeHit
from referee.games.monster_combat.rules.attacks import LightningAttack
from referee.games.monster_combat.rules.setup import Deal
from referee.games.monster_combat.rules.triggers import EventPhase
from referee.games.monster_combat.rules.turn import EndOfTurn, SurplusDiscard
from referee.games.monster_combat.state import DECK, Table
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

    assert GAME.newest_ruleset == "3"
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


REAL = {"at_table": True}
PLAIN_SWORDS = ("sword",) * 12


@pytest.mark.clause("MC-AMB-2")
def test_a_real_box_may_be_counted_or_not_and_no_card_is_refused_by_our_own_number() -> None:
    def plays(backs: Any, variant: str = "V1", discard: tuple[str, ...] = PLAIN_SWORDS) -> str:
        rules = {**REAL, "trigger_backs": backs}
        state = table(["?"], ["?"], variant=variant, discard=discard, rules=rules)
        ruling = judge_move(state, Seat(0), PlayCard("sword"))
        return "" if ruling.granted else ruling.clauses[0]

    assert plays("spread") == plays("spread", "V2") == "MC-AMB-2"
    assert plays("not_counted") == plays("not_counted", "V2") == ""
    assert (plays("spread_in_v1"), plays("spread_in_v1", "V2")) == ("MC-AMB-2", "")
    assert plays((("sword", 2),)) == plays((("sword", 10),), "V2") == ""  # sixteen have the plain back
    assert plays((("sword", 6),)) == "MC-AMB-2"
    every = ("sword",) * 12 + ("sword!trigger",) * 6
    assert plays("not_counted", discard=every) == "MC-MAT-2"  # there are eighteen swords, whatever their backs


@pytest.mark.clause("MC-AMB-2")
@pytest.mark.parametrize("variant", ["V1", "V2"])
@pytest.mark.parametrize("backs", ["not_counted", {"sword": 1, "skip": 2}])
def test_matches_and_positions_say_how_many_trigger_backs_there_are(variant: str, backs: Any) -> None:
    setup = GAME.complete_setup(Setup(variant, 2, {"trigger_backs": backs}, {"deck": "table"}))
    assert setup.settings["trigger_backs"] == backs
    state: Any = GAME.build_initial_state(setup)
    unknown = backs == "not_counted" or variant == "V2"
    assert state.cards_at(DECK).count("?any") == (57 if unknown else 0)
    assert state.cards_at(DECK).count("?trigger") == (0 if unknown else 3)
    dealt: Any = GAME.build_initial_state(GAME.complete_setup(Setup(variant, 2, {"trigger_backs": {"sword": 1}})))
    assert sum(card.endswith("!trigger") for card in dealt.cards_at(DECK)) == 1
    players = [{"hearts": 3, "immune": False, "hand": ["sword!trigger"]}, {"hearts": 3, "immune": False, "hand": []}]
    written = {"variant": variant, "players": players, "turn": 0, "settings": {"trigger_backs": backs}}
    read_back = GAME.positions.encode_position(GAME.positions.decode_position(written))
    assert read_back["settings"]["trigger_backs"] == backs


@pytest.mark.clause("MC-AMB-2")
def test_older_matches_keep_the_hash_of_what_they_were_opened_with() -> None:
    for ruleset in ("1", "2"):
        assert "trigger_backs" not in GAME.complete_setup(Setup("V2", 2, ruleset=ruleset)).settings


@pytest.mark.clause("MC-AMB-2")
@pytest.mark.parametrize(("variant", "checked"), [("V1", True), ("V2", False)])
def test_new_matches_check_backs_in_variant_one_only(variant: str, checked: bool) -> None:
    setup = GAME.complete_setup(Setup(variant, 2, {}, {"deck": "table"}))
    state: Any = GAME.build_initial_state(setup)
    assert state.rules.counts_backs is checked
    assert state.cards_at(DECK).count("?trigger") == (20 if checked else 0)


@pytest.mark.clause("MC-V1-LIGHTNING-3")
def test_a_shield_against_the_strike_back_can_be_written_down_and_is_refused() -> None:
    players = [{"hearts": 3, "immune": False, "hand": ["shield"]}, {"hearts": 3, "immune": False, "hand": []}]
    question = {"asks": "lightning", "order": [], "by": 0, "all_parried": True}
    state = GAME.positions.decode_position({"variant": "V1", "players": players, "turn": 0, "question": question})
    ruling = refusal(state, 0, Parry("shield"))
    assert (ruling.reason, ruling.clauses[0]) == ("no_shield_against_the_strike_back", "MC-V1-LIGHTNING-3")


DRAWS_TRIGGER: dict[str, Any] = {"deck": ("sword!trigger", "skip", "sword", "skip")}


@pytest.mark.clause("MC-AMB-4", "MC-AMB-4-R2")
@pytest.mark.parametrize("card", ["all_hearts_back", "immune", "discard_hand", "change_direction", "attacked"])
def test_a_trigger_drawn_for_a_thief_does_nothing_or_brings_an_event_at_once(card: str) -> None:
    state = table(["thief_1", "skip"], [], [], events=(f"{card}!event",) * 3, **DRAWS_TRIGGER)
    assert not of(when(state, 0, PlayCard("thief_1"))[0], EventTurnedUp)
    events, after = when(read(state, "MC-AMB-4"), 0, PlayCard("thief_1"))
    turned_up = of(events, EventTurnedUp)
    assert (len(turned_up), turned_up[0].rules[:2]) == (1, ("MC-V1-TRIGGER-1", "MC-AMB-4"))
    assert not {"MC-V1-TURN-EVENT-1", "MC-EVENT-3"} & set(turned_up[0].rules)
    cited = collect_granting_clauses(read(state, "MC-AMB-4"), PlayCard("thief_1"), events)
    assert {"MC-AMB-4-R2", "MC-V1-TRIGGER-1"} <= set(cited)
    if card == "attacked":
        assert asked(after) == {0}
        assert refusal(after, 0, PlayCard("skip")).clauses[0] == "MC-TURN-PLAY-1"
        events, after = when(after, 0, TakeHit())
        assert after.hearts == (2, 3, 3)
    assert of(events, TurnBegan) == [TurnBegan(2 if card == "change_direction" else 1)]  # nobody plays twice


@pytest.mark.clause("MC-AMB-4-R2")
def test_first_hands_and_stolen_triggers_bring_no_event_by_either_reading() -> None:
    stolen = read(table(["thief_1"], ["sword!trigger", "skip!trigger"], []), "MC-AMB-4")
    events, after = when(stolen, 0, PlayCard("thief_1"))
    events += when(after, CHANCE, PickResult(("sword!trigger",)))[0]
    assert of(events, CardsStolen)
    assert not of(events, EventTurnedUp)
    dealt = read(
        table([], [], agenda=(EndOfTurn(), Deal(0, 2)), deck=("sword!trigger", "skip!trigger", "skip")), "MC-AMB-4"
    )
    assert not of(resolve_pending_steps(dealt), EventTurnedUp)


@pytest.mark.clause("MC-AMB-4-R2")
def test_against_the_monsters_triggers_mean_nothing_by_either_reading() -> None:
    state = read(table(["thief_1"], [], variant="V2", **DRAWS_TRIGGER), "MC-AMB-4")
    events, _after = when(state, 0, PlayCard("thief_1"))
    drawn = next(at for at, event in enumerate(events) if isinstance(event, PlayerDrewCards))
    assert not any(isinstance(event, EventTurnedUp) for event in events[drawn : drawn + 3])


@pytest.mark.clause("MC-AMB-4-R2")
def test_an_event_of_phase_three_can_be_written_down() -> None:
    players = [{"hearts": 3, "immune": False, "hand": ["skip"]}, {"hearts": 3, "immune": False, "hand": []}]
    for question in ({"asks": "event", "is_late": True}, {"asks": "event"}):
        written = {"variant": "V1", "players": players, "turn": 0, "skipped": None, "question": question}
        state = GAME.positions.decode_position(written)
        assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
        ruling = refusal(state, 0, PlayCard("skip"))
        assert ruling.clauses[0] == ("MC-TURN-PLAY-1" if "is_late" in question else "MC-TURN-1")
