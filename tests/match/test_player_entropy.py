"""Seeds of the seats in matches of the first scheme: they are part of every draw from the start on."""

from __future__ import annotations

import hashlib
import itertools

import pytest

from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.chance import ShuffleResult
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Match, SeatAssignment
from referee.match.errors import IdempotencyKeyConflict
from referee.match.table import commands
from referee.match.table.player_entropy import (
    CommitSeed,
    RevealSeed,
    SeedCommitted,
    SeedRevealed,
)
from referee.match.table.player_seed import PlayerSeed, compute_seed_commitment, encode_seeds
from referee.service.match_service import MatchService
from referee.transparency.randomness import ServerRandomSource
from tests.arbitration.playing import plays
from tests.service.house import identify

pytestmark = pytest.mark.usefixtures("first_scheme")
KEY = bytes(range(32))
SEEDS = (b"the first seed..", b"a second seed of more bytes", bytes(64))


class Room:
    """A table for three at a desk with the server's own draws."""

    def __init__(self, key: str = "seeds") -> None:
        self.house = MatchService(MemoryLog(), ServerRandomSource(KEY), lambda *_: "receipt", lambda _: None, identify)
        self.keys = itertools.count()
        ask = commands.OpenMatch("monster_combat", "V1", {}, {}, (SeatAssignment("human"),) * 3)
        self.match = self.house.open_match(ask, key).match.id

    @property
    def now(self) -> Match:
        return self.house.load_match(self.match).match

    def asks(self, ask: object, key: str = "", scope: str = "table") -> int:
        named = key or f"key{next(self.keys)}"
        return self.house.execute_command(self.match, ask, key=named, scope=scope).entry  # type: ignore[arg-type]

    def sits(self, seat: int, seed: bytes = b"") -> int:
        return self.asks(commands.TakeSeat(seat, compute_seed_commitment(seed) if seed else ""))

    def reveals(self, seat: int, seed: bytes) -> int:
        return self.asks(RevealSeed(seat, seed.hex()))

    def refused(self, ask: object) -> tuple[str, tuple[str, ...]]:
        before = self.house.load_match(self.match).version
        with pytest.raises(IllegalMove) as caught:
            self.asks(ask)
        assert self.house.load_match(self.match).version == before
        return caught.value.ruling.reason, caught.value.ruling.clauses

    def shuffle(self) -> ShuffleResult:
        """The first shuffle of the deck."""
        return next(e.move for e in self.house.repository.load_entries(self.match) if isinstance(e.move, ShuffleResult))


def started(seeds: tuple[bytes, ...] = SEEDS, key: str = "seeds") -> Room:
    room = Room(key)
    for seat, seed in enumerate(seeds):
        room.sits(seat, seed)
    for seat, seed in enumerate(seeds):
        if seed:
            room.reveals(seat, seed)
    room.asks(commands.StartMatch())
    return room


@pytest.mark.clause("TABLE-SEED-1")
def test_a_seat_commits_as_it_is_taken_and_reveals_before_the_start_and_all_see_both() -> None:
    room = Room()
    for seat, seed in enumerate(SEEDS):
        entry = room.sits(seat, seed)
        event = room.house.repository.load_entries(room.match)[entry - 1].events[-1]
        assert event == SeedCommitted(seat, hashlib.sha256(b"referee/v1/seed|" + seed).hexdigest())
        assert event.view_for(2 - seat) == event
    for seat in (1, 0, 2):
        entry = room.reveals(seat, SEEDS[seat])
        assert room.house.repository.load_entries(room.match)[entry - 1].events == (
            SeedRevealed(seat, SEEDS[seat].hex()),
        )
    assert room.now.seeds == tuple(
        PlayerSeed(n, compute_seed_commitment(each), each.hex()) for n, each in enumerate(SEEDS)
    )
    room.asks(commands.StartMatch())
    plays(room.house, room.match, 1, 5)
    assert find_first_divergence(room.house.repository.load_entries(room.match)) is None


def test_what_the_seeds_add_is_this_text_and_no_other() -> None:
    room = started((SEEDS[0], b"", SEEDS[1]))
    said = f'[[0,"{SEEDS[0].hex()}"],[2,"{SEEDS[1].hex()}"]]'.encode()
    assert encode_seeds(room.now.seeds) == said == encode_seeds(reversed(room.now.seeds))
    assert encode_seeds(started((b"", b"", b"")).now.seeds) == b""
    entry = next(e for e in room.house.repository.load_entries(room.match) if isinstance(e.move, ShuffleResult))
    before = room.house.load_version(room.match, entry.version - 1).match.state
    assert before is not None
    top = before.agenda[-1]
    for seeds in (said, b"", said[::-1]):
        below = ServerRandomSource(KEY).source(room.match, 0, entry.version, top.question_name(), seeds)
        assert (top.draw_outcome(before, below) == entry.move) == (seeds == said)  # type: ignore[attr-defined]


def test_every_seed_changes_every_draw_and_the_same_seeds_give_the_same() -> None:
    other = (*SEEDS[:2], b"another third one")
    orders = [started(seeds).shuffle().order for seeds in (SEEDS, other, (*SEEDS[:2], b""), (b"", *SEEDS[1:]))]
    assert len(set(orders)) == 4
    assert started().shuffle().order == orders[0]


@pytest.mark.clause("TABLE-SEED-2")
def test_no_match_starts_while_a_seed_is_hidden() -> None:
    room = Room()
    for seat, seed in enumerate((SEEDS[0], b"", SEEDS[2])):
        room.sits(seat, seed)
    assert room.refused(commands.StartMatch()) == ("seeds_hidden", ("TABLE-SEED-2",))
    room.reveals(2, SEEDS[2])
    assert room.refused(commands.StartMatch()) == ("seeds_hidden", ("TABLE-SEED-2",))
    room.reveals(0, SEEDS[0])
    room.asks(commands.StartMatch())
    assert room.now.status == "running"


@pytest.mark.clause("TABLE-SEED-2")
def test_once_a_seed_is_revealed_nobody_commits_any_more_be_it_by_sitting_down_anew() -> None:
    room = Room()
    room.sits(0, SEEDS[0])
    room.asks(CommitSeed(0, compute_seed_commitment(SEEDS[1])))  # another one, as long as all are hidden
    assert room.now.seeds == (PlayerSeed(0, compute_seed_commitment(SEEDS[1])),)
    room.sits(1, SEEDS[2])
    room.reveals(0, SEEDS[1])
    late = compute_seed_commitment(b"chosen to fit...")
    assert room.refused(CommitSeed(1, late)) == ("seeds_revealed", ("TABLE-SEED-2",))
    assert room.refused(CommitSeed(0, late)) == ("seeds_revealed", ("TABLE-SEED-2",))
    assert room.refused(commands.TakeSeat(2, late)) == ("seeds_revealed", ("TABLE-SEED-2",))
    room.asks(commands.LeaveSeat(1))
    assert room.refused(commands.TakeSeat(1, late)) == ("seeds_revealed", ("TABLE-SEED-2",))
    room.sits(1)
    room.sits(2)
    room.asks(commands.StartMatch())
    assert encode_seeds(room.now.seeds) == f'[[0,"{SEEDS[1].hex()}"]]'.encode()


def test_whoever_reveals_last_can_only_reveal_or_go_and_knows_of_neither_what_it_does() -> None:
    """He knows all other seeds and the commitment; the server's secret he does not know, and that came first."""
    told = started((SEEDS[0], SEEDS[1], b"last seed of all")).shuffle().order
    gone = Room()
    for seat, seed in enumerate((SEEDS[0], SEEDS[1], b"last seed of all")):
        gone.sits(seat, seed)
    for seat in (0, 1):
        gone.reveals(seat, SEEDS[seat])
    gone.asks(commands.LeaveSeat(2))
    gone.sits(2)
    gone.asks(commands.StartMatch())
    assert gone.shuffle().order != told
    stored = gone.house.log.read_entries(gone.match)
    public = b"".join(entry.envelope for entry in stored)
    assert ServerRandomSource(KEY).secret(gone.match).hex().encode() not in public


@pytest.mark.clause("TABLE-SEED-1")
def test_who_leaves_takes_the_seed_along_before_the_start_and_not_after_it() -> None:
    room = Room()
    for seat, seed in enumerate(SEEDS):
        room.sits(seat, seed)
    room.asks(commands.LeaveSeat(1))
    assert [seed.seat for seed in room.now.seeds] == [0, 2]
    room.sits(1, SEEDS[1])
    for seat, seed in enumerate(SEEDS):
        room.reveals(seat, seed)
    room.asks(commands.LeaveSeat(1))
    assert [seed.seat for seed in room.now.seeds] == [0, 2], "a revealed one too: the seat does not stand for it"
    room.sits(1)
    room.asks(commands.StartMatch())
    before = room.now.seeds
    room.asks(commands.LeaveSeat(0))
    assert room.now.seeds == before, "the draws rest on them"
    room.sits(0)
    plays(room.house, room.match, 1, 4)
    assert find_first_divergence(room.house.repository.load_entries(room.match)) is None


def test_only_the_seed_that_was_committed_to_is_taken_and_only_once() -> None:
    room = Room()
    room.sits(0, SEEDS[0])
    room.sits(1)
    assert room.refused(RevealSeed(1, SEEDS[0].hex()))[0] == "seed_unbound"
    assert room.refused(RevealSeed(2, SEEDS[0].hex()))[0] == "seat_empty"
    assert room.refused(CommitSeed(2, "0" * 64))[0] == "seat_empty"
    assert room.refused(CommitSeed(9, "0" * 64))[0] == "no_such_seat"
    for wrong in (SEEDS[1].hex(), SEEDS[0].hex().upper(), SEEDS[0].hex()[:-1], "", "zz" * 16, SEEDS[0].hex() + "00"):
        assert room.refused(RevealSeed(0, wrong)) == ("seed_mismatch", ("TABLE-SEED-1",))
    room.reveals(0, SEEDS[0])
    assert room.refused(RevealSeed(0, SEEDS[0].hex()))[0] == "seed_shown_already"
    room.sits(2)
    room.asks(commands.StartMatch())
    assert room.refused(CommitSeed(1, "0" * 64))[0] == "already_started"
    assert room.refused(RevealSeed(0, SEEDS[0].hex()))[0] == "already_started"


@pytest.mark.parametrize("seed", [b"fifteen bytes..", bytes(65)])
def test_a_seed_that_is_too_short_or_too_long_is_not_taken_though_it_fits(seed: bytes) -> None:
    room = Room()
    room.sits(0, seed)
    assert room.refused(RevealSeed(0, seed.hex()))[0] == "seed_mismatch"


@pytest.mark.parametrize("commitment", ["0" * 63, "0" * 65, "g" * 64, "A" * 64, "0" * 64 + "\n"])
def test_what_is_no_hash_is_no_commitment(commitment: str) -> None:
    room = Room()
    with pytest.raises(MalformedInput):
        room.asks(commands.TakeSeat(0, commitment))
    assert room.now.seeds == ()
    assert not room.now.chairs[0].taken


def test_asked_again_after_a_crash_everything_is_done_once() -> None:
    """Between commitment, reveal and start the program dies at each step; whoever asks again gets what was written."""
    room = Room()
    for seat in (1, 2):
        room.sits(seat)
    steps = (
        commands.TakeSeat(0, compute_seed_commitment(SEEDS[0])), RevealSeed(0, SEEDS[0].hex()), commands.StartMatch(),
    )  # fmt: skip
    for number, ask in enumerate(steps):
        entry = room.asks(ask, f"step{number}")
        fresh = MatchService(room.house.log, ServerRandomSource(KEY), lambda *_: "receipt", lambda _: None, identify)
        room.house = fresh  # the one before it is dead, with all that it remembered
        for again, asked in enumerate(steps[: number + 1]):
            done = fresh.execute_command(room.match, asked, key=f"step{again}", scope="table")
            assert done.replayed
            assert (done.entry == entry) == (again == number)
        with pytest.raises(IdempotencyKeyConflict):
            fresh.execute_command(room.match, CommitSeed(0, "1" * 64), key=f"step{number}", scope="table")
    events = [event for entry in room.house.repository.load_entries(room.match) for event in entry.events]
    assert sum(isinstance(event, SeedCommitted | SeedRevealed) for event in events) == 2
    assert room.shuffle().order


def test_a_draw_that_the_desk_died_before_is_made_by_the_next_one_with_the_same_seeds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, room = started(key="died"), Room("died")
    for seat, seed in enumerate(SEEDS):
        room.sits(seat, seed)
    for seat, seed in enumerate(SEEDS):
        room.reveals(seat, seed)
    with monkeypatch.context() as dying:
        dying.setattr(ServerRandomSource, "source", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            room.asks(commands.StartMatch(), "start")
    room.house = MatchService(room.house.log, ServerRandomSource(KEY), lambda *_: "receipt", lambda _: None, identify)
    assert room.now.status == "running"
    room.house.recover_match(room.match)
    assert room.shuffle().order == whole.shuffle().order
