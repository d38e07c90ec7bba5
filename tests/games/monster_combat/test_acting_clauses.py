"""A clause is cited by what happens when it acts, and not when its condition is false or its variant another one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest

from referee.engine.events import Event
from referee.engine.game import Setup
from referee.engine.referee import collect_granting_clauses
from referee.engine.rulebook.book import MINOR_RANK_OFFSET
from referee.games.monster_combat import GAME
from referee.games.monster_combat.events import (
    EventTurnedUp,
    HandDealt,
    HandLost,
    HeartsLost,
    ImmunityEnded,
    ImmunityHeld,
    LightningStruckBack,
    PlayerDefeated,
    PlayerDrewCards,
)
from referee.games.monster_combat.monster_events import MonsterBeaten, MonsterHit, MonsterWoke
from referee.games.monster_combat.moves import DrawResult, Parry, Pass, PlayCard, ReviveDraw, TakeHit
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.play_a_card import RefillHand
from referee.games.monster_combat.rules.setup import Deal
from referee.games.monster_combat.rules.triggers import AfterEvent
from referee.games.monster_combat.rules.turn import EndOfTurn, TurnStart
from tests.games.course import of, when
from tests.games.matches import random_match
from tests.games.monster_combat.given import draws, event, settling, struck, table


def cited(events: Iterable[Event], *kinds: type[Event]) -> set[str]:
    """The clauses that these events cite, or only those of some kinds."""
    return {name for each in events if isinstance(each, kinds or Event) for name in each.applied_clauses()}


@pytest.mark.clause("MC-V1-TURN-EVENT-1", "MC-V1-TRIGGER-1")
def test_a_trigger_drawn_in_phase_one_says_why_there_is_an_event() -> None:
    events, _state = draws([], [], deck=("sword!trigger", "sword"))
    assert {"MC-TURN-DRAW-1", "MC-V1-TURN-EVENT-1", "MC-V1-TRIGGER-1"} <= cited(events, PlayerDrewCards)
    assert of(events, EventTurnedUp)[0].applied_clauses()[0] == "MC-V1-TURN-EVENT-1"
    events, _state = draws([], [], deck=("sword", "sword!trigger"))
    assert cited(events, PlayerDrewCards) == {"MC-TURN-DRAW-1"}


@pytest.mark.clause("MC-V2-TURN-EVENT-1", "MC-V2-TRIGGER-1")
def test_against_the_monsters_the_turn_says_why_there_is_an_event_and_the_trigger_that_it_is_none() -> None:
    events, _state = draws([], [], deck=("sword", "sword"), variant="V2")
    assert cited(events, PlayerDrewCards) == {"MC-TURN-DRAW-1", "MC-V2-TURN-EVENT-1"}
    assert of(events, EventTurnedUp)[0].applied_clauses()[0] == "MC-V2-TURN-EVENT-1"
    events, _state = draws([], [], deck=("sword!trigger", "sword"), variant="V2")
    assert "MC-V2-TRIGGER-1" in cited(events, PlayerDrewCards)


@pytest.mark.clause("MC-EVENT-3")
@pytest.mark.parametrize("card", ["all_hearts_back", "immune", "discard_hand", "change_direction"])
def test_how_the_turn_goes_on_after_an_event_is_cited(card: str) -> None:
    events, _state = event(card, ["sword"], [], [])
    assert "MC-EVENT-3" in cited(events, EventTurnedUp)


@pytest.mark.clause("MC-EVENT-3", "MC-AMB-19")
def test_after_an_attack_the_turn_goes_on_only_for_who_survives_it() -> None:
    for answer in (TakeHit(), Parry("shield")):
        _facts, state = event("attacked", ["shield"], [], [])
        assert "MC-EVENT-3" in cited(when(state, 0, answer)[0])
    _facts, state = event("attacked", ["shield"], [], [], hearts=(1, 3, 3))
    events, _state = when(state, 0, TakeHit())
    assert "MC-AMB-19" in cited(events, PlayerDefeated)
    assert "MC-EVENT-3" not in cited(events)
    events, _state = when(struck([], [], [], hearts=(3, 1, 3)), 1, TakeHit())
    assert not {"MC-EVENT-3", "MC-AMB-19"} & cited(events)


@pytest.mark.clause("MC-AMB-11")
def test_an_immune_player_under_lightning_is_said_to_be_passed_by() -> None:
    events, _state = when(table(["lightning"], [], [], immune=(False, True, False)), 0, PlayCard("lightning"))
    assert "MC-AMB-11" in cited(events, ImmunityHeld)
    state = table([], ["shield"], agenda=(EndOfTurn(), LightningAttack((1,), 0)), immune=(True, False))
    events, _state = when(state, 1, Parry("shield"))
    assert "MC-AMB-11" in cited(events, ImmunityHeld)
    events, _state = when(table(["sword"], [], immune=(False, True)), 0, PlayCard("sword"))
    assert cited(events, ImmunityHeld) == {"MC-EVENT-IMMUNE-1", "MC-AMB-12"}


@pytest.mark.clause("MC-AMB-14", "MC-EVENT-2")
def test_a_monster_wakes_by_the_turn_that_comes_back_and_not_by_being_beaten() -> None:
    table_of_one: dict[str, Any] = {"variant": "V2", "monster": 1, "monster_hearts": 1}
    events, state = when(table(["lightning"], [], [], sleeper=2, **table_of_one), 0, PlayCard("lightning"))
    assert not state.is_monster_asleep()
    assert cited(events, MonsterWoke) == {"MC-AMB-14", "MC-V2-MONSTER-1"}
    woke = next(event for event in events if isinstance(event, MonsterWoke))
    spoken = GAME.narration.render_spoken_text(woke)
    assert spoken is not None
    assert "wacht auf" not in spoken.says["de"]
    assert spoken.rank >= MINOR_RANK_OFFSET  # it is left out beside the beaten monster
    events, _state = when(table([], [], [], sleeper=1, **table_of_one), 0, Pass())
    assert cited(events, MonsterWoke) == {"MC-AMB-14", "MC-EVENT-2"}
    assert MonsterWoke(("MC-AMB-14",)).without_refusal() == MonsterWoke()  # old logs compare as before


@pytest.mark.clause("MC-AMB-14-R2")
def test_sleep_through_one_turn_ends_without_a_turn_that_comes_back() -> None:
    one_turn: dict[str, Any] = {"variant": "V2", "readings": {"MC-AMB-14": 2}}
    events, _state = when(table([], [], [], sleeper=2, **one_turn), 0, Pass())
    assert "MC-EVENT-2" not in cited(events, MonsterWoke)


@pytest.mark.clause("MC-AMB-16", "MC-AMB-12", "MC-EVENT-2")
def test_the_end_of_immunity_cites_the_reading_of_its_variant() -> None:
    events, _state = settling(table([], [], agenda=(TurnStart(0),), immune=(True, False)))
    assert cited(events, ImmunityEnded) == {"MC-EVENT-2", "MC-AMB-12"}
    events, _state = settling(table([], [], agenda=(TurnStart(0),), immune=(True, False), variant="V2"))
    assert cited(events, ImmunityEnded) == {"MC-EVENT-2", "MC-AMB-16"}
    late = {"v2_immunity_until": "own_next_event_checked"}
    events, _state = event("attacked", [], [], variant="V2", immune=(True, False), rules=late)
    assert cited(events, ImmunityEnded) == {"MC-AMB-16"}
    assert "MC-AMB-16" in cited(events, ImmunityHeld)


@pytest.mark.clause("MC-V2-SKIP-2", "MC-AMB-15")
def test_a_hit_cites_sleep_and_surplus_only_if_there_are_any() -> None:
    events, _state = when(table(["lightning"], [], variant="V2"), 0, PlayCard("lightning"))
    assert not {"MC-V2-SKIP-2", "MC-AMB-15"} & cited(events)
    state = table(["lightning"], [], variant="V2", monster=4, monster_hearts=4, sleeper=1)
    events, _state = when(state, 0, PlayCard("lightning"))
    assert of(events, MonsterBeaten)
    assert "MC-V2-SKIP-2" in cited(events)
    assert "MC-AMB-15" not in cited(events)
    events, _state = when(table(["lightning"], [], variant="V2", sleeper=1), 0, PlayCard("lightning"))
    assert "MC-AMB-15" in cited(events, MonsterHit)


@pytest.mark.clause("MC-AMB-10")
def test_a_strike_back_cites_its_ruling_only_for_one_opponent_or_if_somebody_is_defeated() -> None:
    def struck_back(*hearts: int) -> set[str]:
        state = table(
            [], ["shield"], *([] for _ in hearts[2:]), agenda=(EndOfTurn(), LightningAttack((1,), 0)), hearts=hearts
        )
        return cited(when(state, 1, Parry("shield"))[0], LightningStruckBack)

    assert struck_back(3, 3, 3) == {"MC-V1-LIGHTNING-3"}
    assert struck_back(3, 3) == struck_back(3, 3, 3, 0) == {"MC-V1-LIGHTNING-3", "MC-AMB-10"}


@pytest.mark.clause("MC-EVENT-DISCARD-1", "MC-AMB-18")
def test_a_lost_hand_says_why_it_is_lost() -> None:
    events, _state = event("discard_hand", ["sword"], [])
    assert cited(events, HandLost) == {"MC-EVENT-DISCARD-1", "MC-AMB-13"}
    events, _state = when(struck([], ["skip"], [], hearts=(3, 1, 3)), 1, TakeHit())
    assert cited(events, HandLost) == {"MC-AMB-18"}


@pytest.mark.clause("MC-AMB-9")
def test_the_ruling_on_strong_attacks_is_cited_by_strong_attacks_only() -> None:
    strong = table(
        ["shield"],
        [],
        variant="V2",
        monster=7,
        monster_hearts=7,
        hearts=(1, 3),
        agenda=(EndOfTurn(), AfterEvent(0), PendingAttack(0, 2, "monster")),
    )
    for answer in (Parry("shield"), TakeHit()):
        assert "MC-AMB-9" in cited(when(strong, 0, answer)[0])
        weak = struck(["sword"], ["shield"])
        events, _state = when(weak, 1, answer)
        assert "MC-AMB-9" not in collect_granting_clauses(weak, answer, events)
    events, _state = when(struck([], [], by="monster", strength=2, variant="V2"), 1, TakeHit())
    assert "MC-AMB-9" not in cited(events, HeartsLost)


@pytest.mark.clause("MC-AMB-4", "MC-V1-THIEF-2", "MC-V2-THIEF-1", "MC-V2-LIFE-2")
def test_cards_drawn_outside_phase_one_say_why() -> None:
    deck = ("sword!trigger", "skip", "sword")
    events, _state = when(table(["thief_1"], [], deck=deck), 0, PlayCard("thief_1"))
    assert of(events, PlayerDrewCards)[0].applied_clauses() == ("MC-V1-THIEF-2", "MC-AMB-4")
    events, _state = when(table(["thief_1"], ["skip"]), 0, PlayCard("thief_1"))
    assert "MC-V1-THIEF-2" not in cited(events)  # the victim lacks no card
    events, _state = when(table(["thief_1"], [], deck=deck, variant="V2"), 0, PlayCard("thief_1"))
    assert of(events, PlayerDrewCards)[0].applied_clauses() == ("MC-V2-THIEF-1",)
    revived = table([], [], variant="V2", discard=("life_back",), agenda=(EndOfTurn(), RefillHand(1)))
    events, _state = when(revived, 1, ReviveDraw(True))
    assert of(events, PlayerDrewCards)[0].applied_clauses() == ("MC-V2-LIFE-2", "MC-AMB-18")


@pytest.mark.clause("MC-AMB-4", "MC-SETUP-5")
def test_a_first_hand_cites_idle_triggers_only_if_it_holds_one_that_could_matter() -> None:
    for variant, back, idle in (("V1", "?trigger", True), ("V1", "?", False), ("V2", "?trigger", False)):
        state = table([], [], variant=variant, deck=("?",) * 9 + ("?trigger",), agenda=(TurnStart(0), Deal(0, 5)))
        events, _state = when(state, -1, DrawResult((back, *("?",) * 4)))
        assert ("MC-AMB-4" in cited(events, HandDealt)) is idle


@pytest.mark.parametrize("variant", ["V1", "V2"])
def test_no_match_cites_a_clause_of_the_other_variant(variant: str) -> None:
    said: set[str] = set()
    for turned in islice(random_match("monster_combat", Setup(variant, 3), 3), 400):
        said |= set(collect_granting_clauses(turned.before, turned.move, turned.events))
    other = {"V1": "MC-V2-", "V2": "MC-V1-"}[variant]
    assert {f"MC-{variant}-TURN-EVENT-1", "MC-EVENT-3"} <= said
    assert not {name for name in said if name.startswith(other)}
    assert not {
        name
        for name in said & GAME.rulebook.clauses.keys()
        if GAME.rulebook.clauses[name].variant not in (None, variant)
    }


def test_a_view_of_these_events_tells_no_more_than_the_backs() -> None:
    """Why cards are drawn depends on their backs, which lie open, and on nothing else."""
    for cards in (("sword!trigger", "skip"), ("shield!trigger", "lightning")):
        events, _state = draws([], [], deck=cards)
        assert of(events, PlayerDrewCards)[0].view_for(1).put == ("?trigger",)
        assert (
            of(events, PlayerDrewCards)[0].rules
            == of(draws([], [], deck=("skip!trigger",))[0], PlayerDrewCards)[0].rules
        )
