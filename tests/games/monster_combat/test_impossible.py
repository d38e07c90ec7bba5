"""Positions that cannot be are refused, each with the clause that says why."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.rulings import ContradictoryPosition
from referee.games.monster_combat import GAME


def seat(hearts: int = 3, **more: Any) -> dict[str, Any]:
    """A player of whom a position says the hearts, and that they are not immune."""
    return {"hearts": hearts, "immune": False, **more}


def refused(asks: str | None, *players: dict[str, Any], variant: str = "V1", **more: Any) -> set[str]:
    """The clauses that a position breaks in which seat 0 is on turn; `more` goes to the question where it fits."""
    question: dict[str, Any] | None = None if asks is None else {"asks": asks}
    outside = ("turn", "direction", "fallen", "skipped", "monster", "settings")
    for name, value in more.items():
        if question is not None and name not in outside:
            question[name] = value
    given = {name: value for name, value in more.items() if name in outside}
    data = {"variant": variant, "turn": 0, "direction": "clockwise", "players": list(players), **given}
    try:
        GAME.positions.decode_position({**data, "question": question})
    except ContradictoryPosition as wrong:
        return {GAME.rulebook.find_clause(error["clause"]).id for error in wrong.errors}
    return set()


ALL = (seat(), seat(), seat())


def monster(number: int = 3, hearts: int = 2, asleep_until: int | None = None) -> dict[str, Any]:
    """The active monster of a position."""
    return {"number": number, "hearts": hearts, "asleep_until": asleep_until}


@pytest.mark.clause("MC-V1-END-1")
def test_nothing_is_asked_when_one_player_is_left_and_the_match_is_not_over_before() -> None:
    assert refused("play", seat(), seat(0)) == {"MC-V1-END-1"}
    assert refused("play", seat(), seat(1)) == set()
    assert refused(None, seat(), seat()) == {"MC-V1-END-1"}
    assert refused(None, seat(0), seat(0)) == {"MC-V1-END-1"}
    assert refused(None, seat(0), seat(1)) == set()
    assert refused("play", seat(), {}) == set()


@pytest.mark.clause("MC-V2-END-1", "MC-V2-END-2")
def test_against_monsters_the_match_goes_on_while_both_sides_have_hearts() -> None:
    v2 = {"variant": "V2"}
    assert refused(None, seat(), seat(), monster=monster(), **v2) == {"MC-V2-END-1"}
    assert refused(None, seat(), seat(), monster=monster(10, 1), **v2) == {"MC-V2-END-1"}
    assert refused(None, seat(), seat(), monster=monster(10, 0), **v2) == set()
    assert refused(None, seat(0), seat(0), monster=monster(), **v2) == set()
    assert "MC-V2-END-2" in refused("play", seat(0), seat(0), monster=monster(), **v2)


@pytest.mark.clause("MC-V2-MONSTER-1")
def test_a_monster_has_between_one_heart_and_its_number() -> None:
    for hearts in (0, 4):
        assert refused("play", *ALL, variant="V2", monster=monster(3, hearts)) == {"MC-V2-MONSTER-1"}
    assert refused("play", *ALL, variant="V2", monster=monster(3, 3)) == set()


@pytest.mark.clause("MC-V1-LIGHTNING-1", "MC-V1-LIGHTNING-2", "MC-AMB-11", "MC-LIFE-2", "MC-V2-LIGHTNING-1")
def test_lightning_asks_the_living_others_who_are_not_immune_in_the_order_of_play() -> None:
    assert refused("lightning", *ALL, order=[1, 2], by=0) == set()
    assert refused("lightning", *ALL, order=[0, 1], by=0) >= {"MC-V1-LIGHTNING-1"}
    assert refused("lightning", *ALL, order=[2, 1], by=0) == {"MC-V1-LIGHTNING-2"}
    assert refused("lightning", *ALL, order=[], by=0) == {"MC-V1-LIGHTNING-2"}
    assert refused("lightning", *ALL, order=[2, 0], by=1) == {"MC-TERM-5"}
    assert refused("lightning", seat(), seat(0), seat(), order=[1, 2], by=0) == {"MC-LIFE-2"}
    immune = {"hearts": 3, "immune": True}
    assert refused("lightning", seat(), immune, seat(), order=[1, 2], by=0) == {"MC-AMB-11"}
    assert refused("lightning", seat(), immune, seat(), order=[2], by=0, all_parried=True) == set()  # MC-AMB-11-R2
    assert refused("lightning", *ALL, order=[], by=0, all_parried=True) == set()  # the lightning strikes back
    assert refused("lightning", *ALL, order=[1], by=0, variant="V2", monster=monster()) == {"MC-V2-LIGHTNING-1"}


@pytest.mark.clause("MC-V2-SWORD-1", "MC-V2-EVENT-ATTACK-1", "MC-V2-SKIP-1", "MC-V2-MONSTER-3")
def test_a_monster_attacks_awake_whoever_is_on_turn_with_its_strength() -> None:
    def attack(at: int = 0, sleeper: int | None = None, **more: Any) -> set[str]:
        return refused("parry", *ALL, variant="V2", monster=monster(7, 5, sleeper), seat=at, **more)

    assert attack() == attack(strength=2, by="monster") == set()
    assert attack(strength=9) == attack(strength=1) == {"MC-V2-MONSTER-3"}
    assert attack(by="sword") == {"MC-V2-SWORD-1"}
    assert attack(1) == {"MC-V2-EVENT-ATTACK-1"}
    assert attack(sleeper=1) == {"MC-V2-SKIP-1"}


@pytest.mark.clause("MC-V1-SWORD-1", "MC-V1-EVENT-ATTACK-1", "MC-V1-MONSTER-1", "MC-EVENT-1", "MC-EVENT-IMMUNE-1")
def test_among_players_a_sword_strikes_the_next_and_an_event_the_player_on_turn() -> None:
    assert refused("parry", *ALL, seat=1) == refused("parry", *ALL, seat=0) == set()
    assert refused("parry", *ALL, seat=2) == {"MC-V1-SWORD-1"}
    assert refused("parry", *ALL, seat=2, direction="counterclockwise") == set()
    assert refused("parry", *ALL, seat=0, by="sword") == {"MC-V1-SWORD-1"}
    assert refused("parry", *ALL, seat=1, strength=2) == {"MC-V1-SWORD-1"}
    assert refused("parry", *ALL, seat=0, strength=2) == {"MC-V1-EVENT-ATTACK-1"}
    assert refused("parry", *ALL, seat=1, by="event") == {"MC-EVENT-1"}
    assert refused("parry", *ALL, seat=1, by="monster") == {"MC-V1-MONSTER-1"}
    assert refused("parry", seat(), {"hearts": 3, "immune": True}, seat=1) == {"MC-EVENT-IMMUNE-1"}


@pytest.mark.clause("MC-LIFE-2", "MC-TERM-5")
@pytest.mark.parametrize("asks", ["play", "draw", "event", "discard_down"])
def test_the_phases_belong_to_the_living_player_on_turn(asks: str) -> None:
    assert refused(asks, *ALL) == refused(asks, *ALL, seat=0) == set()
    assert refused(asks, *ALL, seat=1) == {"MC-TERM-5"}
    assert refused(asks, seat(0), seat(), seat()) == {"MC-LIFE-2"}


@pytest.mark.clause("MC-AMB-18", "MC-TERM-7")
def test_the_defeated_hold_no_cards_and_are_those_without_a_heart() -> None:
    assert refused("play", seat(), seat(0, hand=2), seat()) == {"MC-AMB-18"}
    assert refused("play", seat(), seat(0, hand=[]), seat(), fallen=[1]) == set()
    assert refused("play", *ALL, fallen=[1]) == {"MC-TERM-7"}
    assert refused("play", seat(), seat(0), seat(), fallen=[]) == {"MC-TERM-7"}
    assert refused("play", seat(), seat(0), seat(), fallen=[1, 1]) == {"MC-TERM-7"}
    assert refused("lose_hand", seat(), seat(0, hand=2), seat(), seat=1, fallen=[1]) == set()
    assert refused("lose_hand", *ALL, seat=1) == {"MC-EVENT-DISCARD-1"}
    assert refused(None, seat(), seat(0, hand=2)) == set()  # it ended with that defeat


@pytest.mark.clause("MC-AMB-7", "MC-V1-SKIP-1")
def test_a_turn_is_taken_away_only_while_cards_are_given_up_before_it() -> None:
    for asks in ("event", "play", "draw"):
        assert refused(asks, *ALL, skipped=1) == {"MC-AMB-7"}
    assert refused("discard_down", *ALL, skipped=1, count=1) == set()
    assert refused("discard_down", *ALL, skipped=2, count=1) == {"MC-V1-SKIP-1"}


@pytest.mark.clause("MC-TURN-END-1", "MC-SETUP-5", "MC-V1-THIEF-1", "MC-V1-THIEF-2", "MC-AMB-12", "MC-V2-THIEF-1")
def test_numbers_of_cards_agree_with_the_hands() -> None:
    assert refused("discard_down", seat(hand=9), seat(), count=2) == set()
    assert refused("discard_down", seat(hand=9), seat(), count=1) == {"MC-TURN-END-1"}
    assert refused("discard_down", seat(hand=7), seat()) == {"MC-TURN-END-1"}
    assert refused("deal", seat(hand=2), seat(), seat=0, count=3) == set()
    assert refused("deal", seat(hand=2), seat(), seat=0, count=5) == {"MC-SETUP-5"}
    assert refused("steal", seat(), seat(hand=1), victim=1, thief=0, count=1) == set()
    assert refused("steal", seat(), seat(hand=1), victim=1, thief=0, count=2) == {"MC-V1-THIEF-2"}
    assert refused("steal", *ALL, victim=2, thief=0, count=1) == {"MC-V1-THIEF-1"}
    assert refused("steal", *ALL, victim=2, thief=1, count=1) == {"MC-TERM-5"}
    assert refused("steal", seat(), {"immune": True}, victim=1, thief=0, count=1) == {"MC-AMB-12"}
    assert refused("steal", *ALL, variant="V2", victim=1, thief=0, count=1) == {"MC-V2-THIEF-1"}
    assert refused("draw_more", *ALL, seat=1, count=1) == {"MC-TERM-5"}
    assert refused("draw_more", *ALL, variant="V2", seat=1, count=5) == set()


@pytest.mark.clause("MC-V1-LIFE-1", "MC-V2-LIFE-1")
def test_nobody_is_revived_among_players() -> None:
    assert refused("revive_draw", *ALL, seat=1) == {"MC-V1-LIFE-1"}
    assert refused("revive_draw", seat(), seat(1), variant="V2", seat=1) == set()
