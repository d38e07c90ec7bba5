"""Chapter 6, the cards that are no attacks: life-back, skip, thief."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.engine.chance import PickResult
from referee.engine.referee import draw_chance_move, find_legal_moves
from referee.engine.seats import CHANCE, Seat
from referee.games.monster_combat.events import (
    CardsStolen,
    HeartRegained,
    ImmunityHeld,
    PlayerDrewCards,
    PlayerRevived,
    TurnBegan,
    TurnMissed,
)
from referee.games.monster_combat.monster_events import MonsterFellAsleep, MonsterHit, MonsterSleptOn, MonsterWoke
from referee.games.monster_combat.moves import Pass, PlayCard, ReviveDraw
from referee.games.monster_combat.rules.play_a_card import RefillHand
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.state import DISCARD, NOBODY
from tests.games.course import of, refusal, then, when
from tests.games.monster_combat.given import asked, event, settled, table

# ---- life-back -----------------------------------------------------------------------------------------------


@pytest.mark.clause("MC-V1-LIFE-1")
def test_a_life_back_card_fills_one_own_empty_heart() -> None:
    events, state = when(table(["life_back"], [], hearts=(1, 1)), 0, PlayCard("life_back"))
    assert of(events, HeartRegained) == [HeartRegained(0)]
    assert state.hearts == (2, 1)
    assert "MC-V1-LIFE-1" in refusal(table(["life_back"], []), 0, PlayCard("life_back")).clauses


@pytest.mark.clause("MC-V2-LIFE-1")
def test_against_the_monsters_it_fills_one_heart_of_anyone() -> None:
    state = table(["life_back"], [], [], variant="V2", hearts=(2, 1, 3))
    assert then(state, 0, PlayCard("life_back", 0)).hearts == (3, 1, 3)
    assert then(state, 0, PlayCard("life_back", 1)).hearts == (2, 2, 3)
    assert refusal(state, 0, PlayCard("life_back", 2)).reason == "no_empty_heart"
    assert refusal(state, 0, PlayCard("life_back")).reason == "whose_heart"
    assert refusal(state, 0, PlayCard("life_back", 3)).reason == "no_such_seat"
    assert list(find_legal_moves(state, Seat(0))) == [Pass(), PlayCard("life_back", 0), PlayCard("life_back", 1)]


@pytest.mark.clause("MC-V2-LIFE-1", "MC-AMB-8")
def test_where_nobody_lacks_a_heart_nobody_is_asked_whose_it_is() -> None:
    state = table(["life_back"], [], variant="V2")
    ruling = refusal(state, 0, PlayCard("life_back"))
    assert (ruling.reason, ruling.clauses) == ("nobody_lacks_a_heart", ("MC-V2-LIFE-1", "MC-TERM-8", "MC-AMB-8"))
    assert list(find_legal_moves(state, Seat(0))) == [Pass()]


@pytest.mark.clause("MC-V2-LIFE-1", "MC-V2-LIFE-2", "MC-AMB-18")
def test_a_defeated_player_comes_back_with_one_heart_and_may_draw_five() -> None:
    state = table(["life_back"], [], [], variant="V2", hearts=(3, 0, 3), fallen=(1,))
    events, state = when(state, 0, PlayCard("life_back", 1))
    assert of(events, PlayerRevived) == [PlayerRevived(1)]
    assert state.hearts == (3, 1, 3)
    assert state.fallen == ()
    assert state.agenda[-1] == RefillHand(1)
    events, after = when(state, 1, ReviveDraw(True))
    assert len(of(events, PlayerDrewCards)[0].put) == 5
    assert len(after.cards_in_hand(1)) == 5 + 1  # and the card of their own turn, which comes next
    assert after.active == 1
    assert len(then(state, 1, ReviveDraw(False)).cards_in_hand(1)) == 1


@pytest.mark.clause("MC-V2-LIFE-2")
def test_only_whoever_was_revived_says_whether_to_draw() -> None:
    state = table([], [], variant="V2", agenda=(RefillHand(1),))
    assert refusal(state, 0, ReviveDraw(True)).clauses == ("MC-V2-LIFE-2", "MC-AMB-18", "KERNEL-TURN-1")
    ruling = refusal(state, 1, Pass())
    assert [each.reason for each in ruling.broken_rules] == ["turn_of_another", "draw_or_not"]


# ---- skip ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("MC-V1-SKIP-1")
def test_a_skip_card_takes_the_coming_turn_from_the_next_player() -> None:
    events, state = when(table(["skip"], [], []), 0, PlayCard("skip"))
    assert of(events, TurnMissed) == [TurnMissed(1)]
    assert state.active == 2
    assert state.skipped == NOBODY


@pytest.mark.clause("MC-V1-SKIP-1")
def test_of_two_players_the_active_one_goes_again() -> None:
    events, state = when(table(["skip"], []), 0, PlayCard("skip"))
    assert of(events, TurnBegan) == [TurnBegan(0)]
    assert asked(state) == {0}


@pytest.mark.clause("MC-V2-SKIP-1")
def test_a_sleeping_monster_attacks_nobody_by_an_event_neither() -> None:
    events, state = when(
        table(["skip"], [], variant="V2", events=("attacked!event", "immune!event")), 0, PlayCard("skip")
    )
    assert of(events, MonsterFellAsleep) == [MonsterFellAsleep(0)]
    assert of(events, MonsterSleptOn) == [MonsterSleptOn(3)]
    assert asked(state) == {1}
    assert state.hearts == (3, 3)


@pytest.mark.clause("MC-V2-SKIP-2")
@pytest.mark.parametrize(("card", "lost"), [("sword", 2), ("lightning", 4)])
def test_a_sleeping_monster_loses_twice_as_much(card: str, lost: int) -> None:
    state = table([card], [], variant="V2", monster=7, monster_hearts=7, sleeper=1)
    events, state = when(state, 0, PlayCard(card))
    assert of(events, MonsterHit) == [MonsterHit(7, lost)]
    assert state.monster_hearts == 7 - lost


@pytest.mark.clause("MC-AMB-14", "MC-AMB-23", "MC-EVENT-2")
def test_the_monster_wakes_when_whoever_put_it_to_sleep_has_the_turn_again() -> None:
    state = then(table(["skip"], [], [], variant="V2", events=("immune!event",) * 3), 0, PlayCard("skip"))
    assert state.is_monster_asleep()
    state = then(state, 1, Pass())
    assert state.is_monster_asleep()  # a turn is not a round
    events, state = when(state, 2, Pass())
    assert state.active == 0
    assert not state.is_monster_asleep()
    order = [type(fact) for fact in events]
    assert order.index(MonsterWoke) < order.index(PlayerDrewCards)


@pytest.mark.clause("MC-AMB-14")
def test_it_wakes_when_the_turn_passes_the_seat_of_one_defeated_meanwhile() -> None:
    state = table([], [], [], variant="V2", hearts=(3, 0, 3), sleeper=1)
    assert not then(state, 0, Pass()).is_monster_asleep()
    state = table([], [], [], variant="V2", hearts=(3, 3, 0), sleeper=2)
    assert then(state, 0, Pass()).is_monster_asleep()


@pytest.mark.clause("MC-AMB-14")
def test_a_second_skip_starts_the_round_anew_and_a_beaten_monster_takes_the_sleep_along() -> None:
    state = table(["skip"], [], [], variant="V2", sleeper=2)
    assert then(state, 0, PlayCard("skip")).sleeper == 0
    state = table(["sword"], [], [], variant="V2", monster_hearts=1, sleeper=2)
    assert not then(state, 0, PlayCard("sword")).is_monster_asleep()


# ---- thief ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("MC-V1-THIEF-1")
def test_a_thief_takes_as_many_cards_of_the_next_hand_as_it_has_magnets() -> None:
    state = then(table(["thief_2"], ["sword", "skip", "shield"], []), 0, PlayCard("thief_2"))
    assert state.agenda[-1] == Theft(1, 0, 2)
    assert asked(state) == {CHANCE}
    events, state = when(state, CHANCE, PickResult(("skip", "shield")))
    assert of(events, CardsStolen)[0].put == ("skip", "shield")
    assert state.cards_in_hand(0) == ("skip", "shield")
    assert state.cards_in_hand(1)[0] == "sword"


@pytest.mark.clause("MC-V1-THIEF-1", "MC-AMB-26")
def test_each_card_of_the_hand_is_as_likely_whatever_its_back() -> None:
    hand = ("sword", "skip!trigger", "shield")
    state = then(table(["thief_1"], hand), 0, PlayCard("thief_1"))
    seen: Counter[str] = Counter()
    for first in range(3):  # every outcome of the two draws that put three cards in order
        for second in range(2):
            outcomes = iter((first, second))
            move = draw_chance_move(state, lambda _n, outcomes=outcomes: next(outcomes))
            assert isinstance(move, PickResult)
            seen[move.cards[0]] += 1
    assert seen == {"sword": 2, "skip!trigger": 2, "shield": 2}
    ruling = refusal(state, CHANCE, PickResult(("lightning",)))
    assert (ruling.reason, ruling.clauses) == ("not_in_the_hand", ("MC-V1-THIEF-1",))
    assert refusal(state, CHANCE, PickResult(("sword", "shield"))).reason == "so_many_are_stolen"


@pytest.mark.clause("MC-V1-THIEF-2")
def test_what_the_hand_lacks_comes_from_the_draw_pile() -> None:
    state = then(table(["thief_2"], ["sword"], [], deck=("skip", "shield", "sword")), 0, PlayCard("thief_2"))
    events, state = when(state, CHANCE, PickResult(("sword",)))
    assert of(events, PlayerDrewCards)[0].put == ("skip",)
    assert state.cards_in_hand(0) == ("sword", "skip")
    events, state = when(table(["thief_2"], [], [], deck=("skip", "shield", "sword")), 0, PlayCard("thief_2"))
    assert state.cards_in_hand(0) == ("skip", "shield")


@pytest.mark.clause("MC-V2-THIEF-1")
def test_against_the_monsters_a_thief_draws_from_the_pile_and_robs_nobody() -> None:
    state = table(["thief_2"], ["sword"], variant="V2", deck=("skip", "shield", "sword"))
    events, state = when(state, 0, PlayCard("thief_2"))
    assert of(events, PlayerDrewCards)[0].put == ("skip", "shield")
    assert not of(events, CardsStolen)
    assert state.cards_in_hand(0) == ("skip", "shield")


# ---- immunity against cards ----------------------------------------------------------------------------------


@pytest.mark.clause("MC-AMB-12", "MC-EVENT-IMMUNE-1")
@pytest.mark.parametrize("card", ["sword", "skip", "thief_2"])
def test_a_card_against_an_immune_player_is_used_up_and_does_nothing(card: str) -> None:
    state = table([card], ["shield"], [], immune=(False, True, False))
    events, state = when(state, 0, PlayCard(card))
    assert of(events, ImmunityHeld) == [ImmunityHeld(1, card)]
    assert state.cards_at(DISCARD) == (card,)
    assert state.cards_in_hand(0) == ()  # no replacement from the pile
    assert state.hearts == (3, 3, 3)
    assert state.active == 1


@pytest.mark.clause("MC-AMB-12")
def test_help_still_helps_an_immune_player() -> None:
    state = table(["life_back"], [], variant="V2", hearts=(3, 1), immune=(False, True))
    assert then(state, 0, PlayCard("life_back", 1)).hearts == (3, 2)


@pytest.mark.clause("MC-AMB-12", "MC-EVENT-2")
def test_immunity_is_over_before_the_first_phase_of_the_next_own_turn() -> None:
    _facts, state = event("immune", [], [])
    assert state.is_immune(0)
    state = then(state, 0, Pass())
    assert state.is_immune(0)
    state = settled(then(state, 1, Pass()))
    assert not state.is_immune(0)
