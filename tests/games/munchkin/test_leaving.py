"""A player leaves the table, whatever is going on: nothing stays that the others could wait for (MK-26.9-R2)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import Event, apply_events, replace_fields
from referee.engine.game import Setup
from referee.engine.referee import (
    build_view,
    draw_chance_move,
    find_legal_moves,
    judge_move,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import COMBAT, CURSES, PENDING, PLAYS, RIDES, TOWNSHIP, WON
from referee.games.munchkin.events.combat import CombatEnded, HelperLeft, HelpTermsClosed
from referee.games.munchkin.events.course import LastOneLeft, LevelsGained, PlayerLeft, TurnBegan
from referee.games.munchkin.moves import (
    AskHelp,
    ClaimKill,
    EndTurn,
    FleeFrom,
    KeepRoll,
    OfferTrade,
    Pass,
    PlayCard,
    RunAway,
)
from referee.games.munchkin.player_leaves import Leave
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.setup import Preparing
from referee.games.munchkin.rules.turn import Calm
from referee.games.munchkin.state import Table
from tests.games.course import asked, of, refusal, settled, then, when
from tests.games.munchkin.combats import fighting
from tests.games.munchkin.given import everything, offered, table
from tests.games.munchkin.test_arguments import looting, sharing

pytestmark = pytest.mark.clause("MK-26.9-R2")
NEW = {"readings": {"MK-26.9": 2}}
MINE: dict[str, Any] = {
    "items": {1: ("bat_hat",)}, "carried": {1: ("stilts",)}, "towns": {1: ("town_easter",)},
    "rides": {1: ("ride_broom",)}, "curses": {1: ("curse_cobweb_hat",)},
}  # fmt: skip


def fight(*hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 0 fights Sally."""
    return fighting(*(hands or ((), (), ())), **{"foes": ("sally",), **NEW, **how})


def leaves(state: Table, seat: int) -> tuple[tuple[Event, ...], Table]:
    """The facts of leaving and the table then: nothing lies before that player, and somebody can go on."""
    events, after = when(state, seat, Leave())
    for places in (PLAYS, TOWNSHIP, RIDES, CURSES):
        assert after.cards_at(places[seat]) == ()
    assert after.cards_in_hand(seat) == state.cards_in_hand(seat)
    assert everything(after) == everything(state)
    assert of(events, PlayerLeft) == [PlayerLeft(seat)]
    if after.agenda:
        assert seat not in asked(after)
        assert all(offered(after, other) for other in asked(after))
        assert offered(after, seat) == []
        assert GAME.positions.decode_position(GAME.positions.encode_position(after)) == after
    return events, after


def test_what_lies_before_a_player_is_discarded_and_the_hand_stays_out_of_the_game() -> None:
    state = table((), ("candy_hook",), (), **MINE, **NEW)
    _, after = leaves(state, 1)
    for card in ("bat_hat", "stilts", "town_easter", "ride_broom", "curse_cobweb_hat"):
        assert card in (*after.cards_at("doors/discard"), *after.cards_at("treasures/discard"))
    assert (after.gone, after.living_seats, after.agenda) == ((1,), (0, 2), (Calm(0),))


def test_leaving_is_offered_last_and_marked_as_giving_up() -> None:
    state = table((), (), (), **NEW)
    for seat in range(3):
        assert offered(state, seat)[-1] == Leave()
    assert Leave.is_concession
    assert not Leave.playable_at_random


def test_who_has_left_is_passed_over_and_cannot_act_any_more() -> None:
    _, state = leaves(table((), (), (), stage="after", **NEW), 1)
    assert refusal(state, 1, Leave()).reason == "has_left"
    assert refusal(state, 1, OfferTrade(0, ("bat_hat",))).clauses[0] == "MK-26.9-R2"
    events, after = when(state, 0, EndTurn())
    assert of(events, TurnBegan) == [TurnBegan(2)]
    assert after.dead == (1,)


def test_the_dead_may_leave_too_and_do_not_come_back() -> None:
    state = table((), (), (), stage="after", dead=(1,), bereft=(1,), **NEW)
    _, state = leaves(state, 1)
    events, after = when(state, 0, EndTurn())
    assert of(events, TurnBegan) == [TurnBegan(2)]
    assert (after.dead, after.bereft) == ((1,), ())


def test_main_leaves_and_combat_and_turn_are_over() -> None:
    state = fight(helper=1)
    events, after = leaves(state, 0)
    assert of(events, CombatEnded) == [CombatEnded("left")]
    assert not of(events, LevelsGained)
    assert of(events, TurnBegan) == [TurnBegan(1)]
    assert (after.combat, after.cards_at(COMBAT), after.agenda) == (None, (), (Calm(1),))
    assert "sally" in after.cards_at("doors/discard")


def test_the_helper_leaves_and_the_deal_is_void() -> None:
    events, after = leaves(fight(helper=1), 1)
    assert of(events, HelperLeft) == [HelperLeft(1)]
    assert (after.running_combat.helper, after.running_combat.deal, after.agenda[-1]) == (-1, None, Fight(0))
    assert asked(after) == {0}


def test_who_is_asked_for_help_leaves_and_main_may_ask_another() -> None:
    events, after = leaves(then(fight(), 0, AskHelp(seat=1)), 1)
    assert of(events, HelpTermsClosed) == [HelpTermsClosed(1, "declined")]
    assert refusal(after, 0, AskHelp(seat=1)).clauses[0] == "MK-26.9-R2"
    assert asked(then(after, 0, AskHelp(seat=2))) == {2}


def test_the_helper_leaves_in_the_window_and_the_claim_fails() -> None:
    state = fighting((), (), (), (), foes=("marrow_pup",), helper=1, **NEW)
    state = then(state, 0, ClaimKill())
    _, after = leaves(state, 1)
    assert (type(after.agenda[-1]), asked(after)) == (ClaimWindow, {2, 3})
    after = then(then(after, 2, Pass()), 3, Pass())
    assert after.agenda[-1] == Fight(0)


def test_the_last_one_asked_in_the_window_leaves_and_the_monster_is_killed() -> None:
    state = then(fighting((), (), (), foes=("marrow_pup",), levels=(5,), **NEW), 0, ClaimKill())
    _, after = leaves(then(state, 1, Pass()), 2)
    assert after.combat is None
    assert after.levels[0] == 6


def test_the_helper_leaves_on_the_run() -> None:
    state = then(fight(helper=1), 0, RunAway())
    _, after = leaves(state, 1)
    assert (after.agenda[-1], after.running_combat.to_flee) == (Fleeing(), ("0/sally",))
    rolled = then(then(then(state, 0, FleeFrom("sally")), CHANCE, RollResult((6,))), 0, KeepRoll())
    thrown = then(then(rolled, 1, FleeFrom("sally")), CHANCE, RollResult((2,)))
    _, after = leaves(thrown, 1)
    assert after.combat is None


def test_a_curse_lapses_with_its_victim_and_stands_without_its_player() -> None:
    state = then(
        table((), ("curse_footgear",), (), items={2: ("bone_spurs",)}, **NEW), 1, PlayCard("curse_footgear", 2)
    )
    _, after = leaves(state, 2)
    assert (after.cards_at(PENDING), after.agenda) == ((), (Calm(0),))
    _, after = leaves(state, 1)
    assert asked(after) == {2}
    assert "bone_spurs" in then(after, 2, Pass()).cards_at("treasures/discard")


def test_looters_and_helpers_who_leave_take_nothing() -> None:
    state = replace_fields(looting(), readings=NEW["readings"])
    _, after = leaves(state, 2)
    assert asked(after) == {0}
    _, after = leaves(replace_fields(sharing(), readings=NEW["readings"]), 1)
    assert after.cards_at(WON) == ()


def test_the_last_one_left_has_won() -> None:
    _, state = leaves(table((), (), (), levels=(2, 5, 4), **NEW), 1)
    events, after = leaves(state, 2)
    assert of(events, LastOneLeft) == [LastOneLeft(0)]
    outcome = GAME.find_outcome(after)
    assert outcome is not None
    assert (outcome.winners, outcome.placement, outcome.clauses) == ((0,), ((0,), (1,), (2,)), ("MK-26.9",))


def test_nobody_leaves_before_the_first_turn() -> None:
    state = settled(table((), (), (), turn=-1, turns=0, agenda=(Preparing(),), **NEW))
    assert refusal(state, 1, Leave()).reason == "leave_after_setup"


@pytest.mark.clause("MK-26.9")
def test_in_older_matches_nobody_leaves() -> None:
    state = table((), (), ())
    assert Leave() not in offered(state, 0)
    ruling = refusal(state, 0, Leave())
    assert (ruling.reason, ruling.clauses[0]) == ("nobody_leaves", "MK-26.9")


@pytest.mark.parametrize("seed", range(8))
def test_a_match_goes_on_whoever_leaves_and_whenever(seed: int) -> None:
    """Whatever is open, everybody may leave, and the view of everybody says so too."""
    dice = random.Random(seed)
    setup = GAME.complete_setup(Setup("standard", 5, {"max_turns": 12}))
    state: Any = GAME.build_initial_state(setup)
    state = apply_events(state, resolve_pending_steps(state))
    box = everything(state)
    for _ in range(1500):
        if GAME.find_outcome(state) is not None:
            return
        waiting = seats_that_must_act(state)
        if CHANCE in waiting:
            seat, move = CHANCE, draw_chance_move(state, dice.randrange)
        else:
            for other in state.seats_at_table if state.turn >= 0 else ():
                assert Leave() in list(find_legal_moves(state, Seat(other)))
                assert judge_move(build_view(state, Seat(other)), Seat(other), Leave()).granted
                gone = apply_events(state, play_move(state, Seat(other), Leave()))
                assert not gone.agenda or (seats_that_must_act(gone) and other not in seats_that_must_act(gone))
                assert everything(gone) == box
                if dice.random() < 0.05:
                    assert GAME.positions.decode_position(GAME.positions.encode_position(gone)) == gone
            if state.turn >= 0 and dice.random() < 0.01:
                seat, move = Seat(dice.choice(state.seats_at_table)), Leave()
            else:
                seat = dice.choice(sorted(other for other in waiting if other >= 0))
                found = sample_legal_move(state, seat, dice.randrange)
                assert found is not None
                move = found
        state = apply_events(state, play_move(state, seat, move))
        assert everything(state) == box
    raise AssertionError("no end")


@pytest.mark.clause("MK-26.1-R2")
def test_offers_to_trade_are_bounded_in_each_turn() -> None:
    state = table((), (), (), carried={0: ("bat_hat", "stilts")}, stage="after", readings={"MK-26.1": 2})
    for at in range(20):
        state = then(state, 0, OfferTrade(1, ("bat_hat", "stilts")[at % 2 : at % 2 + 1]))
    ruling = refusal(state, 0, OfferTrade(1, ("bat_hat",)))
    assert (ruling.reason, ruling.clauses[0]) == ("offered_enough", "MK-26.1-R2")
    assert not any(isinstance(move, OfferTrade) for move in offered(state, 0))
    assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
    later = then(state, 0, EndTurn())
    assert later.offers == {}
    assert len(then(later, 0, OfferTrade(1, ("bat_hat",))).trades) == 1


@pytest.mark.clause("MK-26.1")
def test_in_older_matches_offers_are_not_counted() -> None:
    state = table((), (), (), carried={0: ("bat_hat", "stilts")})
    for at in range(30):
        state = then(state, 0, OfferTrade(1, ("bat_hat", "stilts")[at % 2 : at % 2 + 1]))
    assert state.offers == {}
