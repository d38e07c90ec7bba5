"""Seeds of the seats: committed to, then revealed, and from the start on part of every draw of the server."""

from __future__ import annotations

import hashlib
import itertools

import pytest

from referee.arbitration.replay.replay import first_divergence
from referee.engine.chance import Shuffled
from referee.engine.game import Malformed
from referee.engine.rulings import Refused
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Chair, Match, Seed
from referee.match.table import commands
from referee.match.table.player_entropy import (
    CommitSeed,
    RevealSeed,
    SeedCommitted,
    SeedRevealed,
    seed_bytes,
    seed_commitment,
)
from referee.service.match_service import Desk, KeyReused
from referee.transparency.randomness import Draws
from tests.arbitration.playing import plays
from tests.service.house import identify

KEY = bytes(range(32))
SEEDS = (b"the first seed..", b"a second seed of more bytes", bytes(64))


class Room:
    """A table for three at a desk with the server's own draws."""

    def __init__(self, key: str = "seeds") -> None:
        self.house = Desk(MemoryLog(), Draws(KEY), lambda *_: "receipt", lambda _: None, identify)
        self.keys = itertools.count()
        ask = commands.Open("monster_combat", "V1", {}, {}, (Chair("human"),) * 3)
        self.match = self.house.open(ask, key).match.id

    @property
    def now(self) -> Match:
        return self.house.load(self.match).match

    def asks(self, ask: object, key: str = "", scope: str = "table") -> int:
        named = key or f"key{next(self.keys)}"
        return self.house.business(self.match, ask, key=named, scope=scope).entry  # type: ignore[arg-type]

    def sits(self, seat: int, seed: bytes = b"") -> int:
        return self.asks(commands.TakeSeat(seat, seed_commitment(seed) if seed else ""))

    def reveals(self, seat: int, seed: bytes) -> int:
        return self.asks(RevealSeed(seat, seed.hex()))

    def refused(self, ask: object) -> tuple[str, tuple[str, ...]]:
        before = self.house.load(self.match).version
        with pytest.raises(Refused) as caught:
            self.asks(ask)
        assert self.house.load(self.match).version == before
        return caught.value.ruling.reason, caught.value.ruling.clauses

    def shuffle(self) -> Shuffled:
        """The first shuffle of the deck."""
        return next(e.move for e in self.house.entries(self.match) if isinstance(e.move, Shuffled))


def started(seeds: tuple[bytes, ...] = SEEDS, key: str = "seeds") -> Room:
    room = Room(key)
    for seat, seed in enumerate(seeds):
        room.sits(seat, seed)
    for seat, seed in enumerate(seeds):
        if seed:
            room.reveals(seat, seed)
    room.asks(commands.Start())
    return room


@pytest.mark.clause("TABLE-SEED-1")
def test_a_seat_commits_as_it_is_taken_and_reveals_before_the_start_and_all_see_both() -> None:
    room = Room()
    for seat, seed in enumerate(SEEDS):
        entry = room.sits(seat, seed)
        fact = room.house.entries(room.match)[entry - 1].facts[-1]
        assert fact == SeedCommitted(seat, hashlib.sha256(b"referee/v1/seed|" + seed).hexdigest())
        assert fact.seen_by(2 - seat) == fact
    for seat in (1, 0, 2):
        entry = room.reveals(seat, SEEDS[seat])
        assert room.house.entries(room.match)[entry - 1].facts == (SeedRevealed(seat, SEEDS[seat].hex()),)
    assert room.now.seeds == tuple(Seed(n, seed_commitment(each), each.hex()) for n, each in enumerate(SEEDS))
    room.asks(commands.Start())
    plays(room.house, room.match, 1, 5)
    assert first_divergence(room.house.entries(room.match)) is None


def test_what_the_seeds_add_is_this_text_and_no_other() -> None:
    room = started((SEEDS[0], b"", SEEDS[1]))
    said = f'[[0,"{SEEDS[0].hex()}"],[2,"{SEEDS[1].hex()}"]]'.encode()
    assert seed_bytes(room.now.seeds) == said == seed_bytes(reversed(room.now.seeds))
    assert seed_bytes(started((b"", b"", b"")).now.seeds) == b""
    entry = next(e for e in room.house.entries(room.match) if isinstance(e.move, Shuffled))
    before = room.house.at(room.match, entry.version - 1).match.state
    assert before is not None
    top = before.agenda[-1]
    for seeds in (said, b"", said[::-1]):
        below = Draws(KEY).source(room.match, 0, entry.version, top.question(), seeds)
        assert (top.draw(before, below) == entry.move) == (seeds == said)  # type: ignore[attr-defined]


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
    assert room.refused(commands.Start()) == ("seeds_hidden", ("TABLE-SEED-2",))
    room.reveals(2, SEEDS[2])
    assert room.refused(commands.Start()) == ("seeds_hidden", ("TABLE-SEED-2",))
    room.reveals(0, SEEDS[0])
    room.asks(commands.Start())
    assert room.now.status == "running"


@pytest.mark.clause("TABLE-SEED-2")
def test_once_a_seed_is_revealed_nobody_commits_any_more_be_it_by_sitting_down_anew() -> None:
    room = Room()
    room.sits(0, SEEDS[0])
    room.asks(CommitSeed(0, seed_commitment(SEEDS[1])))  # another one, as long as all are hidden
    assert room.now.seeds == (Seed(0, seed_commitment(SEEDS[1])),)
    room.sits(1, SEEDS[2])
    room.reveals(0, SEEDS[1])
    late = seed_commitment(b"chosen to fit...")
    assert room.refused(CommitSeed(1, late)) == ("seeds_revealed", ("TABLE-SEED-2",))
    assert room.refused(CommitSeed(0, late)) == ("seeds_revealed", ("TABLE-SEED-2",))
    assert room.refused(commands.TakeSeat(2, late)) == ("seeds_revealed", ("TABLE-SEED-2",))
    room.asks(commands.LeaveSeat(1))
    assert room.refused(commands.TakeSeat(1, late)) == ("seeds_revealed", ("TABLE-SEED-2",))
    room.sits(1)
    room.sits(2)
    room.asks(commands.Start())
    assert seed_bytes(room.now.seeds) == f'[[0,"{SEEDS[1].hex()}"]]'.encode()


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
    gone.asks(commands.Start())
    assert gone.shuffle().order != told
    stored = gone.house.log.entries(gone.match)
    public = b"".join(entry.envelope for entry in stored)
    assert Draws(KEY).secret(gone.match).hex().encode() not in public


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
    room.asks(commands.Start())
    before = room.now.seeds
    room.asks(commands.LeaveSeat(0))
    assert room.now.seeds == before, "the draws rest on them"
    room.sits(0)
    plays(room.house, room.match, 1, 4)
    assert first_divergence(room.house.entries(room.match)) is None


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
    room.asks(commands.Start())
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
    with pytest.raises(Malformed):
        room.asks(commands.TakeSeat(0, commitment))
    assert room.now.seeds == ()
    assert not room.now.chairs[0].taken


def test_asked_again_after_a_crash_everything_is_done_once() -> None:
    """Between commitment, reveal and start the program dies at each step; whoever asks again gets what was written."""
    room = Room()
    for seat in (1, 2):
        room.sits(seat)
    steps = (
        commands.TakeSeat(0, seed_commitment(SEEDS[0])), RevealSeed(0, SEEDS[0].hex()), commands.Start(),
    )  # fmt: skip
    for number, ask in enumerate(steps):
        entry = room.asks(ask, f"step{number}")
        fresh = Desk(room.house.log, Draws(KEY), lambda *_: "receipt", lambda _: None, identify)
        room.house = fresh  # the one before it is dead, with all that it remembered
        for again, asked in enumerate(steps[: number + 1]):
            done = fresh.business(room.match, asked, key=f"step{again}", scope="table")
            assert done.replayed
            assert (done.entry == entry) == (again == number)
        with pytest.raises(KeyReused):
            fresh.business(room.match, CommitSeed(0, "1" * 64), key=f"step{number}", scope="table")
    facts = [fact for entry in room.house.entries(room.match) for fact in entry.facts]
    assert sum(isinstance(fact, SeedCommitted | SeedRevealed) for fact in facts) == 2
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
        dying.setattr(Draws, "source", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            room.asks(commands.Start(), "start")
    room.house = Desk(room.house.log, Draws(KEY), lambda *_: "receipt", lambda _: None, identify)
    assert room.now.status == "running"
    room.house.heal(room.match)
    assert room.shuffle().order == whole.shuffle().order
