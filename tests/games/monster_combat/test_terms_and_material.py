"""Chapters 1 and 2: terms and material."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.engine.game import Setup
from referee.engine.referee import build_view
from referee.engine.rulings import MalformedInput
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.zones import back_of, list_copies
from referee.games.monster_combat import GAME
from referee.games.monster_combat.components import (
    CARDS,
    PLAYING_CARDS,
    Rules,
    design_name,
    distribute_trigger_backs,
    list_box_cards,
    list_event_cards,
    list_playing_cards,
)
from referee.games.monster_combat.events import CardPlayed, EventTurnedUp
from referee.games.monster_combat.monster_events import MonsterAppeared
from referee.games.monster_combat.moves import Parry, Pass, PlayCard, TakeHit
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS, TRAY
from tests.games.course import of, refusal, then, when
from tests.games.monster_combat.given import asked, event, struck, table, turn_begins


@pytest.mark.clause("MC-TERM-1")
def test_the_draw_pile_holds_all_playing_cards_face_down_triggers_among_them() -> None:
    opened = GAME.build_table(Setup("V1", 2))
    assert Counter(opened.cards_at(DECK)) == list_playing_cards(opened.rules)
    assert sum(back_of(card) == "?trigger" for card in opened.cards_at(DECK)) == 20
    assert set(build_view(opened, Seat(0)).cards_at(DECK)) == {"?", "?trigger"}


@pytest.mark.clause("MC-TERM-2")
def test_a_card_played_lies_face_up_on_the_discard() -> None:
    events, after = when(table(["skip"], []), 0, PlayCard("skip"))
    assert of(events, CardPlayed)[0].put == ("skip",)
    assert build_view(after, BYSTANDER).cards_at(DISCARD) == ("skip",)


@pytest.mark.clause("MC-TERM-3")
def test_events_wait_face_down_and_lie_face_up_once_used() -> None:
    events, after = event("immune", [], [], deck=())
    assert of(events, EventTurnedUp)[0].put == ("immune!event",)
    assert build_view(after, BYSTANDER).cards_at(TRAY) == ("immune!event",)
    assert set(build_view(GAME.build_table(Setup("V1", 2)), BYSTANDER).cards_at(EVENTS)) == {"?event"}


@pytest.mark.clause("MC-TERM-4", "MC-V2-MONSTER-1")
def test_the_weakest_monster_is_on_top_and_a_beaten_one_makes_way() -> None:
    opened = GAME.build_table(Setup("V2", 2))
    assert (opened.monster, opened.monster_hearts) == (1, 1)
    events, after = when(table(["sword"], [], variant="V2", monster=4, monster_hearts=1), 0, PlayCard("sword"))
    assert of(events, MonsterAppeared) == [MonsterAppeared(5, 5)]
    assert (after.monster, after.monster_hearts) == (5, 5)


@pytest.mark.clause("MC-TERM-5")
def test_only_the_active_player_plays_in_phase_three() -> None:
    state = turn_begins([], [], [], seat=1)
    assert state.active == 1
    assert asked(state) == {1}
    assert refusal(state, 0, Pass()).clauses == ("MC-TURN-PLAY-1", "MC-TERM-5", "KERNEL-TURN-1")


@pytest.mark.clause("MC-TERM-6")
def test_the_next_player_is_the_nearest_living_one_in_the_direction_of_play() -> None:
    hands, hearts = ([], [], [], []), (3, 0, 2, 1)
    assert table(*hands, hearts=hearts).find_next_living(0) == 2
    assert table(*hands, hearts=hearts, direction=-1).find_next_living(0) == 3
    assert table(*hands, hearts=hearts, direction=-1).find_next_living(2) == 0


@pytest.mark.clause("MC-TERM-7")
def test_whoever_has_a_full_heart_lives() -> None:
    state = table([], [], [], hearts=(1, 0, 3))
    assert state.living_seats() == (0, 2)
    assert not state.is_alive(1)


@pytest.mark.clause("MC-TERM-8")
def test_a_life_lost_is_one_heart_and_three_hearts_are_never_exceeded() -> None:
    assert then(struck([], [], hearts=(3, 2)), 1, TakeHit()).hearts == (3, 1)
    full = table(["life_back"], [])
    assert "MC-TERM-8" in refusal(full, 0, PlayCard("life_back")).clauses
    assert then(table(["life_back"], [], hearts=(2, 3)), 0, PlayCard("life_back")).hearts[0] == 3


@pytest.mark.clause("MC-TERM-9")
def test_a_round_lasts_until_the_player_has_the_turn_again() -> None:
    _facts, state = event("immune", [], [], [])
    state = then(state, 0, Pass())
    assert state.is_immune(0)
    state = then(state, 1, Pass())
    assert state.is_immune(0)
    state = then(state, 2, Pass())
    assert state.active == 0
    assert not state.is_immune(0)


@pytest.mark.clause("MC-MAT-1", "MC-AMB-24")
def test_the_box_holds_110_cards_of_which_57_are_playing_cards() -> None:
    by_kind: Counter[str] = Counter()
    for card in CARDS:
        by_kind[card["kind"]] += card["copies"]
    assert by_kind == {"playing": 57, "event": 20, "monster": 10, "life": 21, "counter": 2, "trigger": 0}
    assert sum(by_kind.values()) == 110


@pytest.mark.clause("MC-MAT-2")
def test_playing_cards_are_of_seven_kinds() -> None:
    kinds = {"sword": 18, "shield": 14, "life_back": 8, "thief_1": 5, "thief_2": 3, "lightning": 5, "skip": 4}
    assert kinds == PLAYING_CARDS
    assert Counter(design_name(card) for card in list_copies(list_playing_cards(Rules()))) == kinds


@pytest.mark.clause("MC-MAT-3", "MC-AMB-3")
def test_twenty_events_of_five_kinds_equal_or_hard() -> None:
    assert set(list_event_cards(Rules()).values()) == {4}
    hard = list_event_cards(Rules(event_copies="hard"))
    assert hard.pop("attacked!event") == 8
    assert len(hard) == 4
    assert set(hard.values()) == {3}
    assert Counter(GAME.build_table(Setup("V2", 3, {"event_copies": "hard"})).cards_at(EVENTS))["attacked!event"] == 8


@pytest.mark.clause("MC-MAT-4", "MC-AMB-1")
def test_backs_tell_a_trigger_from_a_playing_card_and_both_from_an_event() -> None:
    assert {back_of(card) for card in list_box_cards(Rules())} == {"?", "?trigger", "?event"}
    state = table(["sword!trigger", "shield"], ["skip"], deck=("sword!trigger", "sword"), top="?trigger")
    seen = build_view(state, Seat(1))
    assert seen.cards_in_hand(0) == ("?", "?trigger")
    assert seen.top == "?trigger"


@pytest.mark.clause("MC-MAT-5")
def test_two_to_seven_play() -> None:
    for seats in (1, 8):
        with pytest.raises(MalformedInput):
            GAME.build_table(Setup("V1", seats))
    assert len(GAME.build_table(Setup("V1", 7)).living_seats()) == 7


@pytest.mark.clause("MC-AMB-1")
def test_marked_backs_are_playing_cards_that_keep_their_face() -> None:
    events, after = when(table(["sword!trigger"], []), 0, PlayCard("sword!trigger"))
    assert "MC-V1-SWORD-1" in of(events, CardPlayed)[0].applied_clauses()
    assert asked(after) == {1}


@pytest.mark.clause("MC-AMB-1")
def test_extra_trigger_cards_come_on_top_and_are_left_out_against_the_monsters() -> None:
    extra = {"trigger_mode": "extra_cards", "trigger_count": 12}
    assert Counter(GAME.build_table(Setup("V1", 2, extra)).cards_at(DECK)) == {**PLAYING_CARDS, "trigger!trigger": 12}
    assert Counter(GAME.build_table(Setup("V2", 2, extra)).cards_at(DECK)) == PLAYING_CARDS


@pytest.mark.clause("MC-AMB-2")
def test_trigger_backs_are_spread_in_proportion_to_the_copies() -> None:
    assert distribute_trigger_backs(20) == {card["id"]: card["trigger"] for card in CARDS if card["kind"] == "playing"}
    for count in range(58):
        marked = distribute_trigger_backs(count)
        assert sum(marked.values()) == count
        assert all(0 <= marked[card] <= PLAYING_CARDS[card] for card in PLAYING_CARDS)
        assert all(abs(marked[card] - PLAYING_CARDS[card] * count / 57) < 1 for card in PLAYING_CARDS)
    assert GAME.build_table(Setup("V1", 2, {"trigger_count": 57})).cards_at(DECK).count("sword!trigger") == 18
    with pytest.raises(MalformedInput):
        GAME.build_table(Setup("V1", 2, {"trigger_count": 58}))


def test_a_shield_is_named_with_its_back() -> None:
    state = struck([], ["shield!trigger"])
    assert refusal(state, 1, Parry("shield")).reason == "not_with_this_back"
    assert then(state, 1, Parry("shield!trigger")).cards_at(DISCARD) == ("shield!trigger",)
