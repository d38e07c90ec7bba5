"""The cards of an expansion of Munchkin: each does what it says, and nothing where it must not."""

from __future__ import annotations

import pytest

from referee.engine.referee import judge_move
from referee.engine.seats import Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import PENDING, TOWNSHIP
from referee.games.munchkin.moves import KickDoor, LetPass, PlayCard, PutIntoPlay, UsePower
from referee.games.munchkin.rules.combat.rolling import score_flight_roll
from tests.games.munchkin import given
from tests.games.munchkin.combats import fighting, strengths
from tests.games.munchkin.expansion import EDITION, called

FAIR = {"rules": {"edition": EDITION}}


def test_a_monster_of_a_book_looks_at_the_fighters_and_its_bad_stuff_befalls_them() -> None:
    (thief,) = called("candle_thief")
    state = fighting((), (), (), foes=[thief], towns={0: ["town_halloween"]}, **FAIR)
    assert strengths(state) == (1, 3)
    assert strengths(fighting((), (), (), foes=[thief], towns={0: ["town_easter"]}, **FAIR)) == (1, 6)


def test_a_monster_of_a_book_lets_low_levels_pass_and_no_others() -> None:
    (goose,) = called("gatekeeper_goose")
    events, after = given.when(fighting((), (), (), foes=[goose], **FAIR), 0, LetPass(goose))
    assert after.combat is None
    assert len(after.cards_in_hand(0)) == 1
    high = fighting((), (), (), foes=[goose], levels=[3], **FAIR)
    assert not judge_move(high, Seat(0), LetPass(goose)).granted
    assert events


@pytest.mark.clause("MK-4.7", "MK-4.9")
def test_a_citizenship_of_a_book_has_a_power_that_is_told_by_its_title() -> None:
    citizen, power = called("market_citizen", "hard_sell")
    state = fighting(("wolfman",), (), (), foes=["hollow_judge"], towns={0: [citizen]}, **FAIR)
    use = UsePower(power, "wolfman")
    assert strengths(given.then(state, 0, use))[0] == strengths(state)[0] + 2
    assert "Marktgeschrei" in (GAME.narration.describe_event(use) or {})["de"]
    again = fighting(("wolfman",), (), (), foes=["hollow_judge"], towns={0: ["town_thanksgiving"]}, **FAIR)
    assert given.refused(again, 0, UsePower(power, "wolfman")) == ("no_such_power", "MK-4.9")


@pytest.mark.clause("MK-4.5")
def test_nobody_is_a_citizen_of_one_town_by_two_cards() -> None:
    (citizen,) = called("market_citizen")
    state = given.table((citizen,), (), (), towns={0: ["town_thanksgiving", "dual_citizenship"]}, **FAIR)
    assert given.refused(state, 0, PutIntoPlay(citizen)) == ("same_town", "MK-4.5")
    alone = given.table((citizen,), (), (), towns={0: ["town_thanksgiving"]}, **FAIR)
    assert given.then(alone, 0, PutIntoPlay(citizen, "town_thanksgiving")).cards_at(TOWNSHIP[0]) == (citizen,)


def test_a_curse_of_a_book_strikes_and_one_that_stays_weighs_on_its_victim() -> None:
    (shoes, evening) = called("curse_wet_shoes", "curse_long_evening")
    struck = given.then(given.table((), (), (), doors=[shoes], **FAIR), 0, KickDoor())
    assert shoes in struck.cards_at(PENDING)
    fight = fighting((), (), (), foes=["wolfman"], levels=[5], curses={0: [evening]}, **FAIR)
    assert strengths(fight)[0] == 3


def test_items_of_a_book_are_used_by_whom_they_allow() -> None:
    (rake,) = called("corn_rake")
    assert strengths(fighting((), (), (), foes=["wolfman"], levels=[3], items={0: [rake]}, **FAIR))[0] == 7
    assert strengths(fighting((), (), (), foes=["wolfman"], levels=[2], items={0: [rake]}, **FAIR))[0] == 2


def test_one_shots_and_enhancers_of_a_book_change_a_combat_and_nothing_outside_one() -> None:
    (apple, stilts) = called("toffee_apple", "on_stilts")
    state = fighting((apple, stilts), (), (), foes=["wolfman"], **FAIR)
    mine, theirs = strengths(state)
    _, after = given.when(state, 0, PlayCard(apple, side="munchkins"), PlayCard(stilts, monster="wolfman"))
    assert strengths(after) == (mine + 3, theirs + 4)
    calm = given.table((apple, stilts), (), (), **FAIR)
    assert given.refused(calm, 0, PlayCard(apple, side="munchkins"))[0] == "not_the_time"


def test_a_level_of_a_book_is_given_to_whom_one_names_but_not_the_last_one() -> None:
    (prize,) = called("first_prize")
    state = given.table((prize,), (), (), levels=[1, 4, 9], **FAIR)
    assert given.then(state, 0, PlayCard(prize, seat=1)).levels == (1, 5, 9)
    assert given.refused(state, 0, PlayCard(prize, seat=2)) == ("level_ten_by_a_kill", "MK-4.2")


def test_special_cards_of_a_book_do_what_they_say() -> None:
    (samples, closing, found) = called("free_samples", "closing_time", "lost_and_found")
    drawn = given.then(given.table((samples,), (), (), **FAIR), 0, PlayCard(samples))
    assert len(drawn.cards_in_hand(0)) == 2
    after = given.then(
        fighting((closing,), (), (), foes=["wolfman", "hollow_judge"], **FAIR), 0, PlayCard(closing, monster="wolfman")
    )
    assert [foe.of for foe in after.running_combat.foes] == ["hollow_judge"]
    assert len(after.cards_in_hand(0)) == 1
    taken = given.table((found,), (), (), discards=["candy_hook"], **FAIR)
    assert given.then(taken, 0, PlayCard(found)).cards_in_hand(0) == ("candy_hook",)


def test_a_ride_and_headgear_of_a_book_count_in_combat_and_on_the_run() -> None:
    (wagon, hat) = called("hay_wagon", "lantern_hat")
    state = fighting((), (), (), foes=["wolfman"], rides={0: [wagon]}, items={0: [hat]}, **FAIR)
    assert strengths(state)[0] == 4
    running = score_flight_roll(state, 0, state.running_combat.foes[0], 4)
    assert {line.card: line.count for line in running if line.card} == {hat: 1}
