"""Invitations: bots are asked for what is addressed to them though nobody waits for them, and may leave it."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
import redis

from referee.bots import minds
from referee.bots.minds import choose_random_move, choose_random_move_or_none
from referee.engine.chance import RandomBelow
from referee.engine.events import Move
from referee.engine.referee import find_legal_moves, sample_legal_move, seats_that_may_respond, seats_that_must_act
from referee.engine.seats import Seat
from referee.engine.steps import State
from referee.eventstore.contract import MatchLog, partition_for_match
from referee.eventstore.memory.log import MemoryLog
from referee.eventstore.redis.log import RedisLog
from referee.games import load_games
from referee.games.shy_monsters.components import CLAIMABLE_IDLE_MOVES, EXIT
from referee.games.shy_monsters.events import GameClaimed
from referee.games.shy_monsters.moves import Claim, Explore, Reveal
from referee.games.shy_monsters.rules.ending import is_known_deadly
from referee.games.shy_monsters.rules.exploring import Walk
from referee.match.aggregate import FINAL_STATUSES, Match, SeatAssignment
from referee.match.errors import MoveRejected
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.games.shy_monsters.table import LINE, Scene
from tests.service.house import service
from tests.workers.bazaar import BAZAAR, Next, Offer, Stall, Take
from tests.workers.house import Noted, context_of, opened
from workers import queue, queues
from workers.bots.player import (
    UNPROMPTED_MOVES_PER_SEAT,
    find_invited_bots,
    play_bots,
)
from workers.composition import set_context
from workers.jobs import recovery
from workers.projections.public_match import PublicMatches
from workers.queues import RedisJobQueue, build_worker

pytestmark = pytest.mark.real_games  # among them the bazaar
GOOD, BAD = 1, -1


@pytest.fixture(autouse=True)
def _bazaar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(load_games(), "bazaar", BAZAAR)


def offered(at: MatchService, price: int, *kinds: str, level: int = 1, to: int = 1) -> str:
    """A match in which seat 0, of no bot, has made an offer."""
    match = opened(at, *(kinds or ("table", "bot", "bot")), game="bazaar", level=level)
    at.make_move(MoveRequest(match, Seat(0), Offer(to, price), key="offer"))
    return match


def by_bots(at: MatchService, match: str) -> list[tuple[int, Any]]:
    return [(entry.seat, entry.move) for entry in at.repository.load_entries(match) if entry.actor == "bot"]


def counting(monkeypatch: pytest.MonkeyPatch, level: int = 1) -> list[Seat]:
    """The seats whose minds are asked about an invitation, in order."""
    asked, mind = [], minds.ANSWERS[level]

    def noting(view: State, seat: Seat, below: RandomBelow) -> Move | None:
        asked.append(seat)
        return mind(view, seat, below)

    monkeypatch.setitem(minds.ANSWERS, level, noting)
    return asked


def test_a_bot_takes_a_good_offer_while_a_person_is_awaited(log: MatchLog) -> None:
    at = service(log)
    match = offered(at, GOOD)
    assert play_bots(at, match) is False
    assert by_bots(at, match) == [(1, Take(GOOD))]
    assert seats_that_must_act(at.load_match(match).match.state) == {0}


def test_a_bot_leaves_a_bad_offer_and_is_asked_once(log: MatchLog, monkeypatch: pytest.MonkeyPatch) -> None:
    at, asked = service(log), counting(monkeypatch)
    match = offered(at, BAD)
    left: list[int] = []
    assert play_bots(at, match, leave=left.append) is False
    assert (by_bots(at, match), asked, left) == ([], [1], [at.load_match(match).version])
    assert play_bots(at, match, left=left[0]) is False
    assert asked == [1]


def test_bots_that_take_longer_to_decline_than_a_job_may_last_are_all_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next job would begin with the first of them again, and never come to the last."""
    at, asked = service(), counting(monkeypatch)
    match = offered(at, BAD)
    monkeypatch.setattr(Stall, "invited_seats", lambda stall, state: frozenset({Seat(1), Seat(2)}))
    mind = minds.ANSWERS[1]

    def ponder(view: State, seat: Seat, below: RandomBelow) -> Move | None:
        time.sleep(0.05)
        return mind(view, seat, below)

    monkeypatch.setitem(minds.ANSWERS, 1, ponder)
    assert play_bots(at, match, seconds=0.01) is False
    assert asked == [1, 2]


def test_an_offer_that_promises_nothing_is_left() -> None:
    at = service()
    match = offered(at, 0)
    assert play_bots(at, match) is False
    assert by_bots(at, match) == []


def test_a_bot_that_cannot_tell_what_an_offer_is_worth_leaves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BAZAAR, "dim", True, raising=False)
    at = service()
    match = offered(at, GOOD)
    assert play_bots(at, match) is False
    assert by_bots(at, match) == []


def test_a_bot_at_random_takes_some_offers_and_leaves_others() -> None:
    at = service()
    state = at.load_match(offered(at, GOOD)).match.state
    assert state is not None
    chosen = [
        choose_random_move_or_none(state.view_for(1), Seat(1), random.Random(seed).randrange) for seed in range(40)
    ]
    kinds = {None if move is None else type(move) for move in chosen}
    assert kinds == {None, Take, Offer}


def test_people_who_are_invited_are_left_to_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    at, asked = service(), counting(monkeypatch)
    match = offered(at, GOOD, "table", "table", "bot")
    assert seats_that_may_respond(at.load_match(match).match.state) == {1}
    assert find_invited_bots(at.load_match(match).match) == ()
    assert play_bots(at, match) is False
    assert asked == []


def test_whoever_is_awaited_is_not_invited_as_well() -> None:
    at = service()
    match = offered(at, GOOD)
    at.make_move(MoveRequest(match, Seat(1), Offer(0, GOOD), key="back"))
    state = at.load_match(match).match.state
    assert state.agenda[-1].invited_seats(state) == {0}
    assert seats_that_may_respond(state) == frozenset()


def test_an_invitation_is_asked_before_the_awaited_bot_moves_on() -> None:
    at = service()
    match = opened(at, "bot", "bot", game="bazaar", level=1)
    plan: list[Move] = [Offer(1, GOOD), Next()]
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(minds.CHOICES, 1, lambda view, seat, below: plan.pop(0))
        play_bots(at, match, moves=3)
    assert by_bots(at, match) == [(0, Offer(1, GOOD)), (1, Take(GOOD)), (0, Next())]


def test_bots_that_invite_each_other_are_heard_no_more_until_somebody_else_moves(
    log: MatchLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = service(log)
    monkeypatch.setitem(minds.ANSWERS, 1, lambda view, seat, below: Offer(3 - int(seat), BAD))
    match = offered(at, BAD)
    most = 3 * UNPROMPTED_MOVES_PER_SEAT
    assert play_bots(at, match, seconds=60) is False
    assert len(by_bots(at, match)) == most
    assert play_bots(service(log), match, seconds=60) is False  # another process reads the same from the log
    assert len(by_bots(at, match)) == most
    at.make_move(MoveRequest(match, Seat(0), Offer(2, BAD), key="again"))
    assert play_bots(at, match, seconds=60) is False
    assert len(by_bots(at, match)) == 2 * most


def test_bots_that_invite_each_other_do_not_keep_the_awaited_bot_from_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    at = service()
    monkeypatch.setitem(minds.ANSWERS, 0, lambda view, seat, below: Offer((int(seat) + 1) % 3, BAD))
    match = opened(at, "bot", "bot", "bot", game="bazaar")
    for _ in range(20):
        if not play_bots(at, match, seconds=60):
            break
    assert at.load_match(match).match.status == "finished"


def test_the_count_of_moves_that_nobody_waited_for_goes_with_every_other_move() -> None:
    at = service()
    match = offered(at, GOOD)
    at.make_move(MoveRequest(match, Seat(1), Take(GOOD), key="bot", actor="bot"))
    assert at.load_match(match).match.unbidden == 1
    assert PublicMatches(at.log).load_match(match, at.load_match(match).version).match.unbidden == 1
    at.make_move(MoveRequest(match, Seat(0), Next(), key="person"))
    assert at.load_match(match).match.unbidden == 0
    at.make_move(MoveRequest(match, Seat(1), Next(), key="awaited", actor="bot"))
    assert at.load_match(match).match.unbidden == 0


@pytest.mark.parametrize("level", sorted(minds.ANSWERS))
def test_bots_at_a_bazaar_come_to_its_end(level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    at = service()
    monkeypatch.setitem(minds.CHOICES, 1, choose_random_move)  # by worth alone an offer is as good as the next turn
    taken = False
    for number in range(30):  # bots at random take no offer in about half of the matches
        match = opened(at, "bot", "bot", "bot", game="bazaar", level=level, key=f"bazaar-{number}")
        for _ in range(20):
            if not play_bots(at, match, seconds=60):
                break
        assert at.load_match(match).match.status == "finished"
        taken = any(isinstance(move, Take) for _seat, move in by_bots(at, match))
        if taken:
            break
    assert taken


def test_an_illegal_answer_to_an_invitation_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    at = service()
    match = offered(at, GOOD)
    monkeypatch.setitem(minds.ANSWERS, 1, lambda view, seat, below: Next())
    with pytest.raises(MoveRejected):
        play_bots(at, match)


def test_an_offer_that_is_gone_while_the_bot_thinks_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    at = service()
    match = offered(at, GOOD)

    def slow(view: State, seat: Seat, below: RandomBelow) -> Move | None:
        at.make_move(MoveRequest(match, Seat(0), Next(), key="gone"))
        return Take(GOOD)

    monkeypatch.setitem(minds.ANSWERS, 1, slow)
    monkeypatch.setitem(minds.CHOICES, 1, lambda view, seat, below: Next())
    play_bots(at, match)
    assert all(move == Next() for _seat, move in by_bots(at, match))


# ---- by the workers --------------------------------------------------------------------------------------------


def test_an_offer_to_a_bot_wakes_it_through_the_drain() -> None:
    hints = Noted()
    context = context_of(MemoryLog(), hints)
    set_context(context)
    match = offered(context.service, GOOD)
    queue.drain_partition(partition_for_match(match))
    assert hints.asked == [match]
    queue.play_match_bots(match)
    assert by_bots(context.service, match) == [(1, Take(GOOD))]
    assert match not in hints.marks


def test_what_was_left_is_asked_again_when_the_match_has_moved_on_and_not_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hints, asked = Noted(), counting(monkeypatch)
    context = context_of(MemoryLog(), hints)
    set_context(context)
    match = offered(context.service, BAD)
    queue.drain_partition(partition_for_match(match))
    queue.play_match_bots(match)
    assert hints.asked == [match]  # the job's last look asks for no other
    for _ in range(3):
        recovery.recover_match(context, match)  # as a drain that runs twice does
    assert (hints.asked, asked) == ([match], [1])
    context.service.make_move(MoveRequest(match, Seat(0), Offer(2, BAD), key="another"))
    queue.drain_partition(partition_for_match(match))
    assert hints.asked == [match, match]
    queue.play_match_bots(match)
    assert asked == [1, 2]


def test_a_note_of_what_was_left_that_is_lost_costs_one_more_question(monkeypatch: pytest.MonkeyPatch) -> None:
    hints, asked = Noted(), counting(monkeypatch)
    context = context_of(MemoryLog(), hints)
    set_context(context)
    match = offered(context.service, BAD)
    for _ in range(2):
        queue.play_match_bots(match)
        hints.lefts.clear()  # the queue's server has died
    assert asked == [1, 1]
    assert by_bots(context.service, match) == []


def test_an_offer_made_during_the_last_look_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    hints = Noted()
    context = context_of(MemoryLog(), hints)
    set_context(context)
    match = offered(context.service, BAD)

    def release(name: str) -> None:
        hints.marks.pop(name)
        monkeypatch.setattr(hints, "clear_bots_mark", Noted.clear_bots_mark.__get__(hints))
        context.service.make_move(MoveRequest(match, Seat(0), Offer(2, GOOD), key="just-now"))

    monkeypatch.setattr(hints, "clear_bots_mark", release)
    queue.play_match_bots(match)
    assert hints.asked == [match]


def test_the_workers_of_a_real_queue_answer_offers(server: redis.Redis, socket: Path) -> None:
    hints = RedisJobQueue(redis.Redis(unix_socket_path=str(socket)))
    context = context_of(RedisLog(server), hints)
    set_context(context)
    good, bad = offered(context.service, GOOD), offered(context.service, BAD)
    for _ in range(2):
        for name in ("drain", "bots"):
            served = build_worker(name, redis.Redis(unix_socket_path=str(socket)))
            served.work(burst=True, logging_level="WARNING")
    assert by_bots(context.service, good) == [(1, Take(GOOD))]
    assert by_bots(context.service, bad) == []
    assert hints.get_declined_version(bad) == context.service.load_match(bad).version
    assert hints.get_declined_version("07-nobody") == 0
    assert 0 < server.pttl(f"referee:left:{bad}") <= queues.MARK_MS  # type: ignore[operator]


# ---- the dungeon master's claim (SM-AMB-17) --------------------------------------------------------------------


def idler(state: Any, seat: Seat, dice: random.Random) -> Move | None:
    """A hero who turns up what is due, and then walks to and fro where nothing happens; None where that is not so."""
    moves = list(find_legal_moves(state, seat))
    if not isinstance(state.agenda[-1], Walk):
        return next((move for move in moves if isinstance(move, Reveal)), None)
    for move in moves:
        tile = state.board[move.spot] if isinstance(move, Explore) and not move.attack else None
        if tile is not None and tile.is_up() and tile.card != EXIT and not is_known_deadly(tile):
            return move
    return None


def idle_match(at: MatchService, level: int) -> str:
    """A match whose hero has turned nothing up for so long that the dungeon master, a bot, may claim it."""
    for seed in range(60):
        dice = random.Random(seed)
        chairs = (SeatAssignment("bot", level=level), SeatAssignment("table"))
        ask = commands.OpenMatch("shy_monsters", "standard", {"roles": {"dungeon_master": 0}}, {}, chairs, "public")
        match = at.open_match(ask, f"idle{seed}").match.id
        at.execute_command(match, commands.StartMatch(), key="start", scope="host")
        for made in range(60):
            play_bots(at, match, seconds=60)
            now = at.load_match(match).match
            if now.status in FINAL_STATUSES or 1 not in seats_that_must_act(now.state):
                break
            move = idler(now.state, Seat(1), dice)
            if move is None:
                break
            at.make_move(MoveRequest(match, Seat(1), move, key=f"h{made}"))
            if at.load_match(match).match.state.idle == CLAIMABLE_IDLE_MOVES:
                return match
    pytest.fail("no hero could walk to and fro")


@pytest.mark.clause("SM-AMB-17")
@pytest.mark.parametrize("level", sorted(minds.ANSWERS))
def test_a_bot_claims_the_game_in_which_nothing_is_turned_up_any_more(level: int) -> None:
    hints = Noted()
    context = context_of(MemoryLog(), hints)
    set_context(context)
    match = idle_match(context.service, level)
    state = context.service.load_match(match).match.state
    assert seats_that_must_act(state) == {1}
    assert seats_that_may_respond(state) == {0}
    hints.asked.clear()
    for _ in range(200):  # at random it leaves the claim now and then, until the hero has moved again
        queue.drain_partition(partition_for_match(match))
        while hints.asked:
            hints.asked.pop()
            queue.play_match_bots(match)
        now = context.service.load_match(match)
        if any(isinstance(entry.move, Claim) for entry in context.service.repository.load_entries(match)):
            break
        move = idler(now.match.state, Seat(1), random.Random(1))
        assert move is not None
        context.service.make_move(MoveRequest(match, Seat(1), move, key=f"on{now.version}"))
    claims = [entry for entry in context.service.repository.load_entries(match) if isinstance(entry.move, Claim)]
    assert [(entry.seat, entry.actor) for entry in claims] == [(0, "bot")]
    assert any(isinstance(event, GameClaimed) for event in claims[0].events)


def test_before_it_may_claim_the_dungeon_master_is_not_asked() -> None:
    match = Match(
        "07-x",
        "shy_monsters",
        chairs=(SeatAssignment("bot"), SeatAssignment("table")),
        status="running",
        state=idle_state(CLAIMABLE_IDLE_MOVES - 1),
    )
    assert find_invited_bots(match) == ()
    late = Match("07-x", "shy_monsters", chairs=match.chairs, status="running", state=idle_state(CLAIMABLE_IDLE_MOVES))
    assert find_invited_bots(late) == (0,)
    assert sample_legal_move(idle_state(CLAIMABLE_IDLE_MOVES), Seat(0), random.Random(1).randrange) == Claim()


def idle_state(moves: int) -> Any:
    """A floor on which the hero has turned nothing up for so many moves."""
    return Scene(LINE, up="a", idle_moves=moves).state
