"""Winning, and the edges: two players, empty hands, no heroes, empty decks, somebody leaves or thinks too long."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DECK, DISCARD, MONSTER_BOX, MONSTERS, ROW
from referee.games.here_to_slay.events.cards import CardDrawn, DeckRenewed, HandShown, NothingToDraw
from referee.games.here_to_slay.events.heroes import MonsterSlain
from referee.games.here_to_slay.events.plays import RollSettled, TargetsDeclared
from referee.games.here_to_slay.events.turns import GameWon, MonsterTurnedUp, TurnEnded, TurnStarted
from referee.games.here_to_slay.moves import (
    Attack,
    DrawOne,
    EndTurn,
    Leave,
    Modify,
    Pass,
    PlayCard,
    RedrawHand,
    RollFor,
)
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, times_out, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, shuffled, table, with_deck

QUIET = {0: "the_shadow_claw", 1: "the_divine_arrow", 2: "the_cloaked_sage", 3: "the_protecting_horn"}
FIST = {0: "the_fist_of_reason", 1: "the_shadow_claw"}
FIVE = ["iron_resolve", "hook", "meowzio", "fluffy", "peanut"]  # all classes but the fighter
EVERYTHING = [EndTurn(), DrawOne(), Attack("dracos"), RollFor("peanut"), Pass(), Accept(), Leave(), RedrawHand()]


def winner(state: Table) -> tuple[int, ...]:
    """Who has won, as the box tells it; nobody while the match goes on."""
    outcome = GAME.find_outcome(state)
    return outcome.winners if outcome else ()


def third(**more: Any) -> Table:
    """Seat 0 has slain two monsters, and attacks Mega Slime."""
    given: dict[str, Any] = {"parties": {0: FIVE}, "slain": {0: ["terratuga", "orthus"]}, "row": ["mega_slime"]}
    state = table([], [], **{"leaders": {0: "the_shadow_claw"}, **given, **more})
    return then(state, 0, Attack("mega_slime"))


# ---- winning -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-WIN-1", "HTS-AIM-2", "HTS-MON-10")
def test_the_third_monster_wins_at_once_without_reward_new_monster_or_trigger() -> None:
    events, state = dice(third(deck=["enchanted_spell"]), 6, 6)
    assert names(events) == ["DiceRolled", "RollSettled", "MonsterSlain", "GameWon"]
    assert of(events, GameWon) == [GameWon(0, "three_monsters")]
    assert winner(state) == (0,)
    assert (len(state.monsters_slain_by(0)), state.cards_at(ROW), state.cards_in_hand(0)) == (3, (), ())


@pytest.mark.clause("HTS-WIN-1", "HTS-AMB-61")
@pytest.mark.parametrize(("pips", "slain"), [((3, 3), ["terratuga", "orthus"]), ((6, 6), ["orthus"])])
def test_two_monsters_or_a_failed_attack_do_not_win(pips: tuple[int, int], slain: list[str]) -> None:
    events, state = dice(third(slain={0: slain}), *pips)
    assert len(of(events, RollSettled)) == 1
    assert (of(events, GameWon), winner(state)) == ([], ())


@pytest.mark.clause("HTS-WIN-1")
def test_three_monsters_win_in_the_midst_of_the_turn_with_points_left() -> None:
    events, state = dice(third(points=5), 6, 6)
    assert len(of(events, MonsterSlain)) == 1
    assert of(events, TurnEnded) == []
    assert winner(state) == (0,)


@pytest.mark.clause("HTS-WIN-2", "HTS-LEAD-3")
def test_six_classes_win_at_the_end_of_the_own_turn_the_leader_among_them() -> None:
    state = table([], [], parties={0: FIVE}, leaders=FIST)
    state = then(state, 0, DrawOne())
    assert winner(state) == ()  # the turn is not over
    events, state = when(state, 0, EndTurn())
    assert names(events) == ["TurnEnded", "GameWon"]
    assert of(events, GameWon) == [GameWon(0, "six_classes")]
    assert winner(state) == (0,)


@pytest.mark.clause("HTS-WIN-2")
@pytest.mark.parametrize("missing", FIVE)
def test_five_classes_do_not_win_nor_do_six_heroes(missing: str) -> None:
    party = ["bad_axe", "heavy_bear", *[hero for hero in FIVE if hero != missing]]
    events, state = when(table([], [], parties={0: party}, leaders=FIST), 0, EndTurn())
    assert [event.seat for event in of(events, TurnStarted)] == [1]
    assert winner(state) == ()


@pytest.mark.clause("HTS-WIN-2", "HTS-ITEM-9")
@pytest.mark.parametrize(("host", "wins"), [("snowball", True), ("meowzio", False)])
def test_a_mask_makes_or_spoils_the_sixth_class(host: str, wins: bool) -> None:
    party = ["iron_resolve", "hook", "meowzio", "fluffy", "snowball"]
    state = table(["bard_mask"], [], parties={0: party}, leaders=FIST, points=1)
    events, state = when(state, 0, PlayCard("bard_mask"), ChooseCard(host))
    assert of(events, TurnEnded) == [TurnEnded(0)]  # the last point is spent
    assert winner(state) == ((0,) if wins else ())


@pytest.mark.clause("HTS-WIN-3", "HTS-AMB-61")
def test_six_classes_win_nothing_at_the_end_of_anothers_turn_but_at_that_of_the_own_next_one() -> None:
    state = table([], [], parties={1: FIVE}, leaders={0: "the_shadow_claw", 1: "the_fist_of_reason"})
    events, state = when(state, 0, EndTurn())
    assert [event.seat for event in of(events, TurnStarted)] == [1]
    events, state = when(state, 1, EndTurn())
    assert of(events, GameWon) == [GameWon(1, "six_classes")]


@pytest.mark.clause("HTS-WIN-3")
def test_six_classes_that_do_not_last_until_the_turn_ends_win_nothing() -> None:
    state = table([], [], parties={0: FIVE}, leaders=FIST, row=["abyss_queen"])
    _, state = dice(then(state, 0, Attack("abyss_queen")), 1, 1)
    state = then(state, 0, ChooseCards(("hook",)))  # sacrificed
    assert winner(then(state, 0, EndTurn())) == ()


@pytest.mark.clause("HTS-WIN-4", "HTS-AIM-4")
@pytest.mark.parametrize("way", ["three_monsters", "six_classes"])
def test_after_a_win_nothing_more_is_accepted_and_one_alone_has_won(way: str) -> None:
    if way == "three_monsters":
        _, state = dice(third(), 6, 6)
    else:
        state = then(table([], [], parties={0: FIVE}, leaders=FIST), 0, EndTurn())
    assert (state.way, state.agenda, asked(state)) == (way, (), set())
    for seat in (0, 1):
        assert offered(state, seat) == []
        for move in EVERYTHING:
            assert refusal(state, seat, move).reason == "nothing_is_open"
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.placement) == ((0,), ((0,), (1,)))


# ---- edges -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-EDGE-1")
def test_with_two_players_the_other_player_is_always_the_opponent() -> None:
    state = table([], ["fluffy", "hopper"], parties={0: ["heavy_bear"]}, leaders=FIST)
    events, state = dice(then(state, 0, RollFor("heavy_bear")), 6, 6)
    assert of(events, TargetsDeclared) == [TargetsDeclared(0, {"victim": (1,)})]
    _, state = passes(state)
    assert state.cards_in_hand(1) == ()
    state = then(state, 0, EndTurn())
    events, state = when(state, 1, EndTurn())
    assert [event.seat for event in of(events, TurnStarted)] == [0]


@pytest.mark.clause("HTS-EDGE-2", "HTS-TGT-2")
@pytest.mark.parametrize("hero", ["heavy_bear", "sharp_fox", "bear_claw", "silent_shadow"])
def test_a_player_without_hand_cards_is_not_robbed_looked_at_or_made_to_discard(hero: str) -> None:
    state = table([], [], ["fluffy"], ["hopper"], parties={0: [hero]}, leaders=QUIET)
    _, state = dice(then(state, 0, RollFor(hero)), 6, 6)
    assert refusal(state, 0, ChoosePlayer(1)).clauses[0] == "HTS-TGT-2"
    assert {move.seat for move in offered(state, 0) if isinstance(move, ChoosePlayer)} == {2, 3}


@pytest.mark.clause("HTS-EDGE-2")
@pytest.mark.parametrize("hero", ["heavy_bear", "sharp_fox", "bear_claw"])
def test_if_nobody_else_holds_cards_a_success_does_nothing(hero: str) -> None:
    events, state = rolls(then(table([], [], parties={0: [hero]}, leaders=FIST), 0, RollFor(hero)), 6, 6)
    assert [event.outcome for event in of(events, RollSettled)] == ["success"]
    assert of(events, HandShown) == []
    assert DrawOne() in offered(state, 0)


@pytest.mark.clause("HTS-EDGE-2", "HTS-EACH-3")
def test_of_all_others_those_without_cards_are_skipped() -> None:
    state = table([], [], ["fluffy", "spooky"], parties={0: ["beary_wise"]}, leaders=QUIET)
    _, state = rolls(then(state, 0, RollFor("beary_wise")), 6, 6)
    assert asked(state) == {2}


@pytest.mark.clause("HTS-EDGE-3")
def test_a_player_without_heroes_has_the_class_and_the_ability_of_the_leader() -> None:
    # the class: for card texts, and for the slot of a monster, where then only the hero is missing
    state = table([], ["hopper"], parties={0: ["tough_teddy"]}, leaders={0: "the_cloaked_sage",
                  1: "the_fist_of_reason"})  # fmt: skip
    _, state = rolls(then(state, 0, RollFor("tough_teddy")), 6, 6)
    assert state.cards_in_hand(1) == ()
    state = table(["enchanted_spell"], [], leaders={0: "the_cloaked_sage"}, row=["orthus", "rex_major"])
    assert refusal(state, 0, Attack("orthus")).reason == "no_hero_for_it"
    assert refusal(state, 0, Attack("rex_major")).reason == "class_is_missing"
    assert "wizard" in state.classes_of(0)
    # the ability
    assert Accept() in offered(then(state, 0, PlayCard("enchanted_spell")), 0)


@pytest.mark.clause("HTS-EDGE-4", "HTS-DECK-1")
def test_an_empty_deck_is_made_anew_out_of_the_discard_pile_when_a_card_is_needed() -> None:
    state = with_deck(table([], [], leaders=FIST, discard=["fluffy", "hopper", "spooky"]))
    events, state = when(state, 0, DrawOne())
    assert [event.took for event in of(events, DeckRenewed)] == [("fluffy", "hopper", "spooky")]
    events, state = shuffled(state, "spooky", "hopper", "fluffy")
    assert [event.seat for event in of(events, CardDrawn)] == [0]
    assert (state.cards_in_hand(0), state.cards_at(DECK), state.cards_at(DISCARD)) == (
        ("spooky",),
        ("hopper", "fluffy"),
        (),
    )


@pytest.mark.clause("HTS-EDGE-4", "HTS-DECK-1")
def test_with_both_piles_empty_the_rest_of_a_draw_lapses() -> None:
    state = with_deck(table([], [], parties={0: ["peanut"]}, leaders=FIST), "fluffy")
    events, state = rolls(then(state, 0, RollFor("peanut")), 6, 6)
    assert (len(of(events, CardDrawn)), len(of(events, NothingToDraw))) == (1, 1)
    assert refusal(state, 0, DrawOne()).reason == "no_card_to_draw"


@pytest.mark.clause("HTS-EDGE-4", "HTS-DECK-2")
def test_with_an_empty_monster_deck_no_monster_is_turned_up() -> None:
    rest = [monster for monster in MONSTER_BOX if monster not in ("abyss_queen", "dracos")]
    slain = {seat: rest[at : at + 2] for seat, at in ((1, 0), (2, 2), (3, 4))}
    state = table([], [], [], [], parties={0: FIVE}, row=["abyss_queen", "dracos"], slain=slain, leaders=QUIET)
    state = replace(state, zones={**state.zones, MONSTERS: ()})
    events, state = dice(then(state, 0, Attack("abyss_queen")), 6, 6)
    assert (of(events, MonsterTurnedUp), state.cards_at(ROW)) == ([], ("dracos",))
    assert asked(state) == {0}


@pytest.mark.clause("HTS-EDGE-5", "HTS-AMB-73")
def test_a_player_who_leaves_in_the_own_turn_leaves_it_to_the_next_one() -> None:
    state = table(["spooky"], ["fluffy"], ["hopper"], parties={0: ["peanut"]}, leaders=QUIET)
    events, state = when(state, 0, Leave())
    assert [event.seat for event in of(events, TurnStarted)] == [1]
    assert set(state.cards_at(DISCARD)) == {"spooky", "peanut"}
    assert refusal(state, 0, EndTurn()).reason in ("not_yours_to_move", "has_left")
    state = then(then(state, 1, EndTurn()), 2, EndTurn())
    assert asked(state) == {1}
    events, state = when(state, 2, Leave())
    assert of(events, GameWon) == [GameWon(1, "last_one_left")]


@pytest.mark.clause("HTS-EDGE-5", "HTS-AMB-76")
def test_a_clock_that_runs_out_ends_the_turn_declines_the_offer_and_passes_in_the_window() -> None:
    rules = {"decision_ms": 2000, "window_ms": 1000}
    state = table(["peanut"], ["modifier_plus_4", "challenge"], leaders=QUIET, rules=rules)
    state = then(state, 0, PlayCard("peanut"))
    _, state = times_out(state)  # nobody challenges
    assert offered(state, 0) == [Decline(), Accept()]
    _, state = times_out(state)  # no free roll
    assert DrawOne() in offered(state, 0)
    _, state = dice(then(state, 0, RollFor("peanut")), 1, 1)
    events, state = times_out(state)  # no modifier
    assert [event.total for event in of(events, RollSettled)] == [2]
    events, state = times_out(state)
    assert [event.seat for event in of(events, TurnStarted)] == [1]
    assert refusal(state, 1, Modify("modifier_plus_4", 4, 0)).reason == "no_dice_lie_there"
