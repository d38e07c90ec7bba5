"""An environment plays what the engine plays, repeats itself, and tells a seat no more than it may see."""

from __future__ import annotations

import pickle
import random
from dataclasses import dataclass
from typing import Any

import pytest

from referee.bots.env import UNPROMPTED_MOVES_PER_SEAT, Environment
from referee.bots.offers import Offer, offer_moves
from referee.bots.seeded import SeededChance
from referee.engine.codec import decode_named, encode
from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    draw_chance_move,
    judge_move,
    play_move,
    resolve_pending_steps,
    seats_that_must_act,
)
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.engine.steps import StackCleared, State, Step
from referee.games import load_games
from referee.games.creature_crush.moves import OfferDraw
from referee.games.mau_mau.moves import PassTurn
from referee.games.shy_monsters.moves import Concede
from tests.bots.environments import begun, dealt_setups, played
from tests.leaks.worlds import names

each = pytest.mark.parametrize("pair", dealt_setups())
Pair = tuple[str, Setup]


def drawn_by_hand(game: Any, state: Any, chance: SeededChance) -> Any:
    while game.find_outcome(state) is None and CHANCE in seats_that_must_act(state):
        state = apply_events(state, play_move(state, CHANCE, draw_chance_move(state, chance)))
    return state


@each
def test_random_play_to_the_end_is_what_the_engine_plays(pair: Pair) -> None:
    name, setup = pair
    game, env, chance = load_games()[name], begun(pair, 5), SeededChance("chance|5")
    state = game.build_initial_state(setup)
    state = drawn_by_hand(game, apply_events(state, resolve_pending_steps(state)), chance)
    moves = 0
    for seat, move in played(env, random.Random(1)):
        assert env.state == state
        assert env.rewards == (0,) * setup.seats
        if move is not None:
            state, moves = drawn_by_hand(game, apply_events(state, play_move(state, seat, move)), chance), moves + 1
    assert env.outcome == game.find_outcome(state) is not None
    assert env.state == apply_events(state, (StackCleared(),))
    assert env.move_count == moves
    assert not env.awaited_seats | env.invited_seats | env.admitted_seats
    winners = {seat for seat, reward in enumerate(env.rewards) if reward == 1}
    assert winners == set(env.outcome.winners)
    with pytest.raises(RuntimeError, match="over"):
        _ = env.seat_to_move


@each
def test_the_same_seed_gives_the_same_course_and_another_one_another(pair: Pair) -> None:
    courses = []
    for seed in ("a", "a", "b"):
        env = begun(pair, seed)
        told = [env.observe_events(0)]
        for _ in played(env, random.Random(2), 60):
            told.append([env.observe(0), env.observe_events(0)])
        courses.append((told, env.state))
    assert courses[0] == courses[1]
    assert courses[0][1] != courses[2][1]


@each
def test_a_clone_goes_on_by_itself_and_with_the_same_dice(pair: Pair) -> None:
    env = begun(pair)
    for _ in played(env, random.Random(3), 20):
        pass
    before, twin = env.observe(0), env.clone()
    sent = pickle.loads(pickle.dumps(env))
    for _ in played(twin, random.Random(4), 40):
        pass
    assert env.observe(0) == before
    for other in (env, sent):
        for _ in played(other, random.Random(4), 40):
            pass
        assert (other.state, other.outcome, other.move_count) == (twin.state, twin.outcome, twin.move_count)


@each
def test_a_seat_is_told_the_same_whatever_is_hidden_from_it(pair: Pair) -> None:
    _, setup = pair
    env, dice, differ = begun(pair), random.Random(6), 0
    for count, _ in enumerate(played(env, random.Random(6))):
        if count > 100 and dice.random() < 0.9:
            continue  # long matches repeat themselves
        seat = dice.choice([*map(Seat, range(setup.seats)), BYSTANDER])
        world = env.determinize(seat, dice.randrange)
        differ += world.state != env.state
        assert world.observe(seat) == env.observe(seat)
        assert world.observe_events(seat) == [], "the events name what is hidden"
        assert (world.seat_to_move, world.awaited_seats) == (env.seat_to_move, env.awaited_seats)
        assert (world.invited_seats, world.admitted_seats) == (env.invited_seats, env.admitted_seats)
        if seat >= 0:
            assert world.offer_moves(seat, 30) == env.offer_moves(seat, 30)
            if not env.offer_moves(seat, 30).is_sample:
                assert world.list_legal_moves(seat) == env.list_legal_moves(seat)
    assert differ, "something was hidden"


@each
def test_events_lead_from_view_to_view_and_name_nothing_that_stays_hidden(pair: Pair) -> None:
    _, setup = pair
    env, viewers = begun(pair), (*map(Seat, range(setup.seats)), BYSTANDER)
    before: tuple[Any, ...] = ()
    for _ in played(env, random.Random(7), 80):
        if before:
            check_events(env, before, viewers)
        before = (env.state, {seat: env.view(seat) for seat in viewers})


def check_events(env: Environment, before: tuple[Any, ...], viewers: tuple[Seat, ...]) -> None:
    if env.state is before[0]:
        return  # an invitation was declined
    for seat in viewers:
        told = env.observe_events(seat)
        events = [decode_named(event, Event) for each in told for event in each["events"]]
        assert apply_events(before[1][seat], events) == env.view(seat)
        open_to_it = names(before[1][seat]) | names(env.view(seat)) | set[str]().union(*map(names, events))
        for each in told:
            if each["move"] is not None and each["seat"] != str(seat):
                named = names(decode_named(each["move"], Move)) & (names(before[0]) | names(env.state))
                assert named <= open_to_it


@each
def test_a_world_is_made_from_the_view_alone_and_its_dice_are_its_own(pair: Pair) -> None:
    env = begun(pair)
    for _ in played(env, random.Random(8), 30):
        pass
    seat = Seat(0)
    other = env.determinize(seat, random.Random(1).randrange)
    other._chance = SeededChance("other dice to come")
    one, two = (each.determinize(seat, random.Random(9).randrange) for each in (env, other))
    assert one.state == two.state
    for world in (one, two):
        for _ in played(world, random.Random(10), 25):
            pass
    assert one.state == two.state


@each
def test_what_is_offered_is_legal_different_and_the_same_each_time(pair: Pair) -> None:
    env, dice = begun(pair), random.Random(11)
    for seat, _ in played(env, random.Random(11), 200):
        if dice.random() < 0.5:
            continue
        for most in (200, 6):
            offer = env.offer_moves(seat, most)
            assert offer == env.offer_moves(seat, most)
            assert 0 < len(offer.moves) <= most
            data = [encode(move) for move in offer.moves]
            assert all(data.index(one) == at for at, one in enumerate(data))
            assert all(judge_move(env.state, seat, move).granted for move in offer.moves)


def test_a_sample_has_a_move_of_each_kind_and_other_moves_than_the_first_ones() -> None:
    env = Environment("here_to_slay")
    env.reset(1)
    samples = 0
    for seat, _ in played(env, random.Random(12), 300):
        every, offer = env.offer_moves(seat, 200), env.offer_moves(seat, 7)
        assert not every.is_sample
        if offer.is_sample:
            samples += 1
            assert {move.TAG for move in offer.moves} == {move.TAG for move in every.moves}
            assert set(offer.moves) <= set(every.moves)
        else:
            assert offer == every
        assert len(env.offer_moves(seat, 1).moves) == 1
    assert samples > 10


@pytest.mark.parametrize(("name", "variant"), [("shy_monsters", ""), ("creature_crush", "league")])
def test_moves_that_nobody_can_list_are_sampled(name: str, variant: str) -> None:
    offers = []
    for seed in range(3):
        env = Environment(name)
        env.reset(seed, variant)
        offers.append(env.offer_moves(env.seat_to_move, 100))
    assert all(offer.is_sample and len(offer.moves) == 100 for offer in offers)
    assert len({move for offer in offers for move in offer.moves}) > 250


@dataclass(frozen=True)
class Cornered(Step):
    """A question to seat 0 to which these moves are the answers."""

    answers: tuple[Move, ...]

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        return frozenset({Seat(0)})

    def candidate_moves(self, state: Any, seat: Seat) -> tuple[Move, ...]:
        return self.answers

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        pass


def test_conceding_is_offered_only_where_nothing_else_is_legal() -> None:
    dice = random.Random(1).randrange
    for answers, offered in [
        ((Concede(),), (Concede(),)),
        ((Concede(), PassTurn()), (PassTurn(),)),
        ((OfferDraw(), Concede()), (OfferDraw(), Concede())),
        ((), ()),
    ]:
        assert offer_moves(State((Cornered(answers),)), Seat(0), 5, dice) == Offer(offered)
    assert offer_moves(State((Cornered((Concede(),)),)), Seat(1), 5, dice) == Offer(()), "nobody asks seat 1"


def test_an_invitation_is_asked_first_and_may_be_declined() -> None:
    env, invited, taken = Environment("munchkin"), 0, 0
    env.reset(1, seats=4, settings={"max_turns": 30})
    dice, in_a_row = random.Random(13), 0
    while env.outcome is None and invited < 60:
        seat = env.seat_to_move
        if env.may_decline(seat):
            invited += 1
            assert seat not in env.awaited_seats
            before, state = env.seat_to_move, env.state
            if dice.random() < 0.3:
                env.step(None)
                assert env.state is state
                assert env.seat_to_move != before, "it is not asked again before somebody moves"
                continue
            in_a_row, taken = in_a_row + 1, taken + 1
            assert in_a_row <= UNPROMPTED_MOVES_PER_SEAT * 4
        else:
            in_a_row = 0
            with pytest.raises(ValueError, match="not invited"):
                env.step(None)
        env.step(env.sample_move(seat, dice.randrange))
    assert taken > 5


def test_any_awaited_seat_may_answer_and_a_move_may_be_plain_data() -> None:
    env = Environment("creature_crush")
    env.reset(4, "league")
    assert env.awaited_seats == {0, 1}
    last = env.offer_moves(1, 5).moves[0]
    env.step(encode(last), seat=1)
    assert env.awaited_seats == {0}
    assert env.seat_to_move == 0
    assert "cards" in env.observe_events(1)[0]["move"]
    assert not env.observe_events(0)[0]["move"]["cards"], "the other player does not see the deck"


def test_wrong_calls_are_refused_and_change_nothing() -> None:
    with pytest.raises(ValueError, match="mau_mau"):
        Environment("chess")
    env = Environment("mau_mau")
    with pytest.raises(MalformedInput):
        env.reset(1, "no such variant")
    env.reset(1, seats=3)
    state, moves = env.state, env.list_legal_moves(env.seat_to_move)
    other = Seat((env.seat_to_move + 1) % 3)
    with pytest.raises(IllegalMove):
        env.step(moves[0], other)
    for seat in (3, CHANCE, FULL_VIEWER):
        with pytest.raises(ValueError, match="numbered"):
            env.step(moves[0], seat)
        with pytest.raises(ValueError, match="numbered"):
            env.observe(seat)
        with pytest.raises(ValueError, match="numbered"):
            env.determinize(seat, random.Random(1).randrange)
    assert env.state is state
    with pytest.raises(ValueError, match="at least one"):
        env.offer_moves(0, 0)


def test_where_all_play_together_and_nobody_wins_all_have_lost() -> None:
    seen = set()
    for seed in range(20):
        env = Environment("monster_combat")
        env.reset(seed, "V2")
        for _ in played(env, random.Random(seed)):
            pass
        seen.add(env.rewards)
    assert (-1, -1) in seen
    assert seen <= {(-1, -1), (1, 1)}


def test_seeded_chance_is_fair_and_the_same_everywhere() -> None:
    chance = SeededChance("x")
    assert [chance(6) for _ in range(8)] == [chance_at("x", drawn) for drawn in range(8)]
    drawn = [chance(7) for _ in range(7000)]
    assert min(map(drawn.count, range(7))) > 850
    assert [SeededChance("fixed")(1000), SeededChance("fixed", 1)(1000)] == [938, 92]
    with pytest.raises(ValueError, match="no number"):
        chance(0)


def chance_at(seed: str, drawn: int) -> int:
    return SeededChance(seed, drawn)(6)
