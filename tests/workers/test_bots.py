"""Bots: they see their view and nothing else, answer each question once, and play a match to its end."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from referee.bots import minds
from referee.bots.levels import BOT_LEVELS
from referee.bots.minds import choose_random_move
from referee.engine.chance import RandomBelow
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves, sample_legal_move, seats_that_must_act
from referee.engine.rulings import Undetermined
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK, FULL_VIEWER, Seat
from referee.engine.steps import State
from referee.eventstore.contract import Head, MatchLog, ReadResult, StoreUnavailable
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES, Match, SeatAssignment
from referee.match.bots.decisions import NO_DECISION, BotDecision, ThoughtRecord
from referee.match.entries import decode_public_entry, encode_entry, replay_entries
from referee.match.errors import MoveRejected, UnknownMatch
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.rendering import texts
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from referee.thoughts.digest import compute_mind_digest
from referee.transparency.randomness import ServerRandomSource
from tests.engine.toy import Bomb, Cheer, Dodge, Play, Table, Turn
from tests.service.house import end_agreed_by_all, identify, service
from tests.workers.house import SHORT, Noted, Short, context_of, opened
from workers import queue
from workers.bots import player
from workers.bots.player import BotStuckError, find_awaited_bot, play_bots
from workers.composition import set_context
from workers.projections.public_match import PublicMatches
from workers.warmup import warm_up_games


class Peeked(AssertionError):
    """Somebody looked at what a bot must not see."""


class Sealed:
    """A state of which only the views may be taken."""

    def __init__(self, state: Table) -> None:
        self._views = {seat: state.view_for(seat) for seat in (BYSTANDER, 0, 1, 2)}
        self.taken: list[int] = []

    def view_for(self, seat: int) -> Any:
        self.taken.append(seat)
        return self._views[seat]

    def __getattr__(self, name: str) -> Any:
        raise Peeked(name)


class Onlooker:
    """A desk that shows one sealed match, and takes one move."""

    def __init__(self, loaded: LoadedMatch) -> None:
        self.loaded, self.repository = loaded, self
        self.moves: list[MoveRequest] = []

    def load_match(self, match: str) -> LoadedMatch:
        return self.loaded

    def load_entries(self, match: str, after: int, upto: int) -> list[Any]:
        return []

    def derive_thought_seed(self, loaded: LoadedMatch, seat: Seat) -> str:
        return "seed"

    def make_move(self, request: MoveRequest) -> None:
        self.moves.append(request)

    def __getattr__(self, name: str) -> Any:
        raise Peeked(name)


def test_a_bot_is_given_the_view_of_its_seat_and_nothing_else() -> None:
    hands = {"hand:0": ("bomb", "cake"), "hand:1": ("dodge!red",), "hand:2": ("cake",), "deck:": ("bomb", "cake")}
    state = Sealed(Table((Turn(0),), hands, (0, 0, 0)))
    match = Match(
        "07-x",
        "toy",
        chairs=(SeatAssignment("bot"), SeatAssignment("human"), SeatAssignment("bot")),
        status="running",
        state=state,
    )  # type: ignore[arg-type]
    head = Head(9, b"", (), "open", 7, "", "")
    onlooker = Onlooker(LoadedMatch(match, 9, head, ReadResult(head, (), None, None, 0, 0, None, None)))
    thought = []

    def mind(view: State, seat: Seat, below: RandomBelow) -> Move | None:
        thought.append((view, seat))
        return choose_random_move(view, seat, below)

    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(minds.CHOICES, 0, mind)
        play_bots(onlooker, "07-x", moves=1)  # type: ignore[arg-type]
    assert set(state.taken) == {BYSTANDER, 0}
    assert [seat for _view, seat in thought] == [0]
    view: Any = thought[0][0]
    assert view.zones == {"hand:0": ("bomb", "cake"), "hand:1": ("?red",), "hand:2": ("?",), "deck:": ("?", "?")}
    (asked,) = onlooker.moves
    assert (asked.seat, type(asked.move) in (Play, Cheer)) == (0, True)
    saw = views.view_response(onlooker.loaded, 0)["view_hash"]
    made = BotDecision(saw, ThoughtRecord(0, 0, 9, compute_mind_digest("toy"), ""))
    assert asked == MoveRequest("07-x", Seat(0), asked.move, key="7", scope="bot0", actor="bot", seen=9, decision=made)


def all_seats(at: MatchService, match: str) -> Counter[tuple[int, str]]:
    return Counter((entry.seat, entry.actor) for entry in at.repository.load_entries(match) if entry.seat >= 0)


@pytest.mark.parametrize("seed", range(4))
def test_bots_play_a_match_to_its_end(log: MatchLog, seed: int) -> None:
    at = service(log)
    match = opened(at, "bot", "bot", "bot")
    while play_bots(at, match, seconds=60):
        pass
    assert at.load_match(match).match.status == "finished"
    assert {actor for _seat, actor in all_seats(at, match)} == {"bot"}
    assert find_awaited_bot(at.load_match(match).match) is None


def test_bots_move_for_nobody_else() -> None:
    at = service()
    match = opened(at, "table", "bot", "bot")
    assert play_bots(at, match) is False
    assert all_seats(at, match) == {}
    cards = at.load_match(match).match.state.cards_at("hand:0")
    at.make_move(MoveRequest(match, Seat(0), Play(cards[0]), key="one"))
    assert play_bots(at, match) is False
    moved = all_seats(at, match)
    assert moved[0, "player"] == 1
    assert {seat for seat, actor in moved if actor == "bot"} <= {1, 2}
    assert sum(moved.values()) > 1


def bombed(at: MatchService, *kinds: str) -> str:
    """A match in which seat 0, of no bot, has just thrown a bomb, so that the others are asked at once."""
    while True:
        match = opened(at, *kinds)
        if "bomb" in at.load_match(match).match.state.cards_at("hand:0"):
            at.make_move(MoveRequest(match, Seat(0), Play("bomb"), key="bomb"))
            assert isinstance(at.load_match(match).match.state.agenda[-1], Bomb)
            return match


def test_bots_that_are_asked_at_once_have_keys_of_their_own() -> None:
    at = service()
    match = bombed(at, "table", "bot", "bot")
    asked = at.load_match(match).head.question_version
    play_bots(at, match)
    for seat in (1, 2):
        assert at.log.read(match, key=f"bot{seat}:{asked}").known is not None


def test_an_answer_in_a_window_that_goes_on_has_the_bots_last_move_in_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    at = service()
    match = bombed(at, "table", "bot", "table")
    monkeypatch.setitem(minds.CHOICES, 0, lambda view, seat, below: Cheer())
    asked = at.load_match(match).head.question_version
    assert play_bots(at, match, moves=3) is True
    cheers = [entry.version for entry in at.repository.load_entries(match, asked) if entry.seat == 1]
    assert len(cheers) == 3
    for key in (asked, *cheers[:2]):
        assert at.log.read(match, key=f"bot1:{key}").known is not None


def test_a_view_that_is_stale_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    at = service()
    match = bombed(at, "table", "bot", "bot")
    thought = []

    def slow(view: State, seat: Seat, below: RandomBelow) -> Move | None:
        thought.append(seat)
        if len(thought) == 1:  # the time is up while it thinks
            at.log.advance_clock(1500)  # type: ignore[attr-defined]
            at.load_match(match)
        return choose_random_move(view, seat, below)

    monkeypatch.setitem(minds.CHOICES, 0, slow)
    play_bots(at, match)
    entries = at.repository.load_entries(match)
    timed_out = next(entry for entry in entries if entry.seat == CLOCK)
    assert not any(entry.seat == 1 and entry.version < timed_out.version for entry in entries)
    assert len(thought) > 1


def test_two_jobs_of_one_match_answer_each_question_once(log: MatchLog) -> None:
    at = service(log)
    match = opened(at, "bot", "bot", "bot")
    raised: list[Exception] = []

    def job() -> None:
        own = service(log)
        try:
            while play_bots(own, match, seconds=60):
                pass
        except Exception as wrong:
            raised.append(wrong)

    threads = [threading.Thread(target=job) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not raised
    assert at.load_match(match).match.status == "finished"
    entries = at.repository.load_entries(match)
    answered = [
        at.log.read(match, key=f"bot{seat}:{word}").known for seat in range(3) for word in range(len(entries) + 1)
    ]
    mine = [entry.version for entry in entries if entry.seat >= 0]
    assert sorted(known.version for known in answered if known is not None) == mine


def test_an_illegal_move_of_a_bot_is_told_and_raised(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    at = service()
    match = opened(at, "bot", "table")
    monkeypatch.setitem(minds.CHOICES, 0, lambda view, seat, below: Dodge())
    version = at.load_match(match).version
    with pytest.raises(MoveRejected):
        play_bots(at, match)
    assert "illegal move" in caplog.text
    assert at.load_match(match).version == version


def test_a_bot_that_finds_no_move_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    at = service()
    match = opened(at, "bot", "table")
    monkeypatch.setitem(minds.CHOICES, 0, lambda view, seat, below: None)
    with pytest.raises(BotStuckError, match="finds no move"):
        play_bots(at, match)

    def puzzled(view: State, seat: Seat, below: RandomBelow) -> Move | None:
        raise Undetermined("which_card")

    monkeypatch.setitem(minds.CHOICES, 0, puzzled)
    with pytest.raises(BotStuckError, match="which_card"):
        play_bots(at, match)


def test_a_match_ended_by_the_table_while_a_bot_thinks_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    at = service()
    match = opened(at, "bot", "table")

    def slow(view: State, seat: Seat, below: RandomBelow) -> Move | None:
        at.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
        return choose_random_move(view, seat, below)

    monkeypatch.setitem(minds.CHOICES, 0, slow)
    assert play_bots(at, match) is False
    assert at.load_match(match).match.status == "abandoned"


def test_a_job_stops_after_so_many_moves_or_so_much_time() -> None:
    at = service()
    match = opened(at, "bot", "bot")
    assert play_bots(at, match, moves=1) is True
    assert sum(all_seats(at, match).values()) == 1
    assert play_bots(at, match, seconds=-1) is True
    assert sum(all_seats(at, match).values()) == 1


@pytest.mark.parametrize("log", ["memory", "fake"], indirect=True)
def test_an_entry_of_a_bot_keeps_the_hash_of_the_view_it_saw_for_its_seat_alone(log: MatchLog) -> None:
    at = service(log)
    match = opened(at, "table", "bot", "bot")
    at.make_move(MoveRequest(match, Seat(0), Play(at.load_match(match).match.state.cards_at("hand:0")[0]), key="one"))
    play_bots(at, match)
    entries = [entry for entry in at.repository.load_entries(match) if entry.seat >= 0]
    assert {entry.actor for entry in entries} == {"player", "bot"}
    for entry in entries:
        told = {
            viewer: texts.entry_response(SHORT, entry, viewer).get("view_hash")
            for viewer in (0, 1, 2, BYSTANDER, FULL_VIEWER)
        }
        if entry.actor != "bot":
            assert set(told.values()) == {None}
            continue
        saw = views.load_view(at, match, entry.seat, entry.version - 1)["view_hash"]
        assert {viewer for viewer, known in told.items() if known} == {entry.seat, FULL_VIEWER}
        assert told[entry.seat] == told[FULL_VIEWER] == saw
        (kept,) = log.read_entries(match, entry.version - 1, 1)
        assert saw.encode() in kept.sealed
        assert saw.encode() not in kept.envelope
        assert decode_public_entry(kept).decision_for(entry.seat) == NO_DECISION


def test_the_hash_of_a_bots_view_is_committed_to_for_its_seat_and_nobody_else() -> None:
    at = service()
    match = opened(at, "bot", "table", begin=True)
    play_bots(at, match, moves=1)
    loaded, entry = (
        at.load_match(match),
        next(entry for entry in at.repository.load_entries(match) if entry.actor == "bot"),
    )
    with_hash, without = (
        json.loads(encode_entry(loaded.match, each, lambda match, generation, version, whose: b"")[0])["commitments"]
        for each in (entry, replace(entry, decision=NO_DECISION))
    )
    assert {whose for whose in with_hash if with_hash[whose] != without[whose]} == {"full", "0"}


def test_a_level_that_is_not_there_plays_as_the_next_below() -> None:
    assert [minds.clamp_level(level) for level in (-1, 0, 1, 2, 3, 4)] == [0, 0, 1, 2, 3, 3]


def test_what_is_told_of_the_levels_is_what_plays() -> None:
    told = {bot["level"]: bot for bot in BOT_LEVELS}
    assert sorted(told) == [0, 1, 2, 3]
    for level, bot in told.items():
        for row in bot["measured_strength"] or ():
            assert level == max(row["seats"])
            assert 0 <= row["won"] <= row["of"]


def test_a_job_goes_on_in_a_new_one_and_lets_go_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    log, hints = MemoryLog(), Noted()
    context = context_of(log, hints)
    set_context(context)
    match = opened(context.service, "bot", "bot")
    real = player.play_bots
    monkeypatch.setattr(player, "play_bots", lambda at, name, **how: real(at, name, moves=2, **how))
    assert context.queues.request_bots(match)
    while hints.asked:
        hints.asked.pop()
        queue.play_match_bots(match)
    assert context.service.load_match(match).match.status == "finished"
    assert match not in hints.marks


def test_a_bot_awaited_by_a_move_during_the_last_look_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    log, hints = MemoryLog(), Noted()
    context = context_of(log, hints)
    set_context(context)
    match = opened(context.service, "table", "bot")

    def release(name: str) -> None:
        hints.marks.pop(name)
        monkeypatch.setattr(hints, "clear_bots_mark", Noted.clear_bots_mark.__get__(hints))
        cards = context.service.load_match(match).match.state.cards_at("hand:0")
        context.service.make_move(MoveRequest(match, Seat(0), Play(cards[0]), key="just-now"))
        # the drain that this move set off found the mark still there, and asked nobody

    monkeypatch.setattr(hints, "clear_bots_mark", release)
    queue.play_match_bots(match)
    assert hints.asked == [match]


def test_bots_that_cannot_go_on_are_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    hints = Noted()
    context = context_of(MemoryLog(), hints)
    set_context(context)
    match = opened(context.service, "bot", "table")
    monkeypatch.setitem(minds.CHOICES, 0, lambda view, seat, below: Dodge())
    with pytest.raises(MoveRejected):
        queue.play_match_bots(match)
    assert hints.marks[match] == "rest"
    assert not hints.request_bots(match)


def test_bots_whose_store_was_away_are_asked_again_as_soon_as_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    hints = Noted()
    log = MemoryLog()
    context = context_of(log, hints)
    set_context(context)
    match = opened(context.service, "bot", "table")

    def away(commit: Any) -> Any:
        raise StoreUnavailable("killed")

    with monkeypatch.context() as gone:
        gone.setattr(log, "append", away)
        with pytest.raises(StoreUnavailable):
            queue.play_match_bots(match)
    assert hints.request_bots(match), "they are not left alone for a minute"


def test_a_match_that_is_not_there_is_no_bots_business() -> None:
    with pytest.raises(UnknownMatch):
        play_bots(service(), "07-nobody")


def real_setups() -> list[Any]:
    """Each form with its fewest and its most seats, the ones at one level and the others at the other."""
    return [
        pytest.param(name, variant, seats, level, marks=pytest.mark.deep if (name, level) == ("munchkin", 0) else ())
        for name, game in load_games().items()
        for variant in game.variants
        for seats, level in sorted({game.max_seats: 0, game.min_seats: 1}.items())
    ]


@pytest.mark.real_games
@pytest.mark.parametrize(("name", "variant", "seats", "level"), real_setups())
def test_bots_play_real_games_to_their_end(name: str, variant: str, seats: int, level: int) -> None:
    log = MemoryLog()
    at = MatchService(
        log, ServerRandomSource(b"k" * 32), lambda match, size, root: "", lambda partition: None, identify
    )
    match = opened(at, *["bot"] * seats, game=name, variant=variant, level=level, key=f"real-{name}-{variant}-{seats}")
    for _ in range(40):
        if not play_bots(at, match, seconds=60):
            break
    assert at.load_match(match).match.status == "finished"
    assert {actor for _seat, actor in all_seats(at, match)} == {"bot"}


@pytest.mark.real_games
@pytest.mark.parametrize("source", ["server", "table"])
@pytest.mark.parametrize("name", sorted(load_games()))
def test_a_bystander_of_a_real_game_folds_whom_it_awaits(name: str, source: str) -> None:
    game = load_games()[name]
    log = MemoryLog()
    at = MatchService(
        log, ServerRandomSource(b"k" * 32), lambda match, size, root: "", lambda partition: None, identify
    )
    chance = dict.fromkeys(game.devices, source)
    match = opened(at, *["table"] * game.min_seats, game=name, variant=game.variants[0], **chance)
    dice = random.Random(name)
    for made in range(150):
        now = at.load_match(match)
        if now.match.status in FINAL_STATUSES:
            break
        if CHANCE in seats_that_must_act(now.match.state):  # at a table, where somebody reports it
            reports = list(islice(find_legal_moves(now.match.state, CHANCE), 200))
            at.make_move(
                MoveRequest(match, CHANCE, dice.choice(reports), key=f"c{made}", scope="reporter", actor="reporter")
            )
            continue
        seat = Seat(min(seat for seat in seats_that_must_act(now.match.state) if seat >= 0))
        move = sample_legal_move(now.match.state, seat, dice.randrange)
        assert move is not None
        at.make_move(MoveRequest(match, seat, move, key=f"p{made}"))
    courses, whole = PublicMatches(log), Match()
    for entry in at.repository.load_entries(match):
        whole = replay_entries(whole, [entry])
        assert courses.load_match(match, entry.version).awaited == views.awaited_response(whole), entry.version


@pytest.mark.real_games
def test_every_game_is_rehearsed_before_the_first_fork() -> None:
    assert warm_up_games() == sorted(load_games())


def test_a_game_that_fails_its_rehearsal_keeps_no_other_from_being_played(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Short):
        name = "broken"

        def build_table(self, setup: Setup) -> Table:
            raise ArithmeticError("no table")

    both = {"broken": Broken(), "toy": SHORT}
    for module in ("workers.warmup", "referee.service.match_service", "referee.match.aggregate"):
        monkeypatch.setattr(f"{module}.load_games", lambda: both)
    assert warm_up_games() == ["toy"]
    assert "the warm-up of broken failed" in caplog.text
